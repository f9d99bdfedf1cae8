"""All batches, by name."""

import arithmetic
import bits
import casts
import mathematics
import modes
import reductions

BATCHES = {batch.name: batch for family in (arithmetic, modes, mathematics, bits, reductions, casts) for batch in family.BATCHES}
