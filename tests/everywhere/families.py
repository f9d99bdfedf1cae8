"""All batches and programs, by name."""

import arithmetic
import atomics
import bits
import casts
import halves
import language
import mathematics
import memory
import modes
import products
import reductions
import shapes

BATCHES = {batch.name: batch for family in (arithmetic, modes, mathematics, bits, reductions, casts, shapes, products) for batch in family.BATCHES}
PROGRAMS = {program.name: program for family in (memory, atomics, language, halves) for program in family.PROGRAMS}
