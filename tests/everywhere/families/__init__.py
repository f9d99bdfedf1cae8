"""All batches and programs, by name."""

from families import arithmetic, atomics, bits, casts, halves, language, mathematics, memory, modes, products, reductions, shapes

BATCHES = {batch.name: batch for family in (arithmetic, modes, mathematics, bits, reductions, casts, shapes, products) for batch in family.BATCHES}
PROGRAMS = {program.name: program for family in (memory, atomics, language, halves) for program in family.PROGRAMS}
