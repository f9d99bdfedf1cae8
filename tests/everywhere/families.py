"""All batches and programs, by name."""

import arithmetic
import bits
import casts
import mathematics
import memory
import modes
import reductions
import shapes

BATCHES = {batch.name: batch for family in (arithmetic, modes, mathematics, bits, reductions, casts, shapes) for batch in family.BATCHES}
PROGRAMS = {program.name: program for family in (memory,) for program in family.PROGRAMS}
