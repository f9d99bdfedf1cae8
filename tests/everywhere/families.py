"""All batches, by name."""

import arithmetic
import bits
import casts
import mathematics
import modes
import reductions
import shapes

BATCHES = {batch.name: batch for family in (arithmetic, modes, mathematics, bits, reductions, casts, shapes) for batch in family.BATCHES}
