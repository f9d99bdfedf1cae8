"""All batches, by name."""

import arithmetic
import modes

BATCHES = {batch.name: batch for family in (arithmetic, modes) for batch in family.BATCHES}
