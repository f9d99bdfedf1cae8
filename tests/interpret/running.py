"""Runs a plain kernel function in the interpreter."""

import inspect

import tile2cpp.lang as ct
from tile2cpp import interpret as backend
from tile2cpp.signature import Signature


def interpret(function, grid, *args):
    parameters = list(inspect.signature(function).parameters.values())
    constants = frozenset(i for i, p in enumerate(parameters) if ct.is_constant(p.annotation))
    signature = Signature.of(tuple(p.name for p in parameters), constants, args)
    backend.run(function, signature, grid, args, {})
