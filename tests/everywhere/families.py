"""All batches, by name."""

import arithmetic

BATCHES = {batch.name: batch for family in (arithmetic,) for batch in family.BATCHES}
