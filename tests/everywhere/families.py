"""All batches, by name."""

import arithmetic
import bits
import mathematics
import modes

BATCHES = {batch.name: batch for family in (arithmetic, modes, mathematics, bits) for batch in family.BATCHES}
