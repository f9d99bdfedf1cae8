"""A kernel compiled ahead of a call, and what a program in another language needs to start it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tile2cpp.build import Built
from tile2cpp.emitted import Emitted, Parameter
from tile2cpp.signature import ArgumentValueError, Fixed, Signature, fail, named


@dataclass(frozen=True)
class Compiled:
    """What `kernel.compile(...)` gives: the reviewed file, the binary, and how it is called.

    `target` is the compute capability, None on the host. `folder`, `binary` (a path),
    `entry` and `facts` are those of the cache.
    """

    name: str
    signature: Signature
    emitted: Emitted
    built: Built
    target: int | None

    @property
    def source(self) -> str:
        """The reviewed file."""
        return self.emitted.text

    @property
    def entry(self) -> str:
        """The name of the function in the binary."""
        return self.built.entry

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The entry's parameters, in their order."""
        return self.emitted.parameters

    @property
    def arguments(self) -> tuple[str, ...]:
        """The entry's parameters by name, in the order in which they are passed."""
        return tuple(p.name for p in self.parameters)

    @property
    def folder(self) -> Path:
        return self.built.folder

    @property
    def binary(self) -> Path:
        return self.built.binary

    @property
    def facts(self) -> dict[str, Any]:
        return self.built.facts

    @property
    def cubin(self) -> bytes:
        """The code for the GPU."""
        if self.target is None:
            raise fail(ArgumentValueError, f"`{self.name}` was compiled for the host, which has no cubin", 'compile it with backend="cuda"')
        return self.binary.read_bytes()

    @property
    def ptx(self) -> bytes:
        """The kernel in NVIDIA's portable assembly language, compiled at the first use."""
        if self.target is None or self.facts["kind"] != "cuda":
            raise fail(ArgumentValueError, f"`{self.name}` was compiled for backend {self.facts['kind']!r}, which has no PTX", 'compile it with backend="cuda"')
        from tile2cpp.build import nvrtc

        return nvrtc.compile(self.emitted, self.target, form="ptx").binary.read_bytes()

    @property
    def block(self) -> tuple[int, int, int]:
        """The threads of a block, for the launch."""
        return (self.emitted.schedule.launched_threads if self.facts["kind"] == "cuda" else 1, 1, 1)

    @property
    def dynamic_shared_bytes(self) -> int:
        """Shared memory that the launch has to ask for."""
        return self.emitted.schedule.shared if self.facts["kind"] == "cuda" else 0

    def describe(self) -> dict[str, Any]:
        """All that a launch from elsewhere needs, as JSON knows it."""
        constants = {n: k.value for n, k in zip(self.signature.names, self.signature.types) if isinstance(k, Fixed)}
        return {
            "kernel": self.name, "entry": self.entry, "signature": str(self.signature), "backend": self.facts["kind"],
            "target": self.facts["target"], "compiler": self.facts["compiler"], "block": list(self.block),
            "shared_bytes": self.facts.get("shared_bytes", 0), "dynamic_shared_bytes": self.dynamic_shared_bytes, "registers": self.facts.get("registers", 0),
            "constants": constants, "parameters": [self._parameter(p) for p in self.parameters],
        }  # fmt: skip

    def _parameter(self, parameter: Parameter) -> dict[str, Any]:
        found = {"name": parameter.name, "type": parameter.cpp, "role": parameter.role, "argument": named(self.signature.names[parameter.argument], parameter.path)}
        return found if parameter.role in ("pointer", "pointers", "scalar", "length") else {**found, "axis": parameter.axis}

    def write(self, folder: Path, formats: tuple[str, ...]) -> dict[str, Path]:
        """Write these formats and the description; the paths by format."""
        folder.mkdir(parents=True, exist_ok=True)
        files = {}
        for form in formats:
            data, ending = self._data(form)
            files[form] = folder / f"{self.emitted.name}{ending}"
            files[form].write_bytes(data)
        files["metadata"] = folder / f"{self.emitted.name}.json"
        description = {**self.describe(), "files": {form: path.name for form, path in files.items()}}
        files["metadata"].write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")
        return files

    def _data(self, form: str) -> tuple[bytes, str]:
        if form == "source":
            return self.source.encode(), ".cu"
        if form == "library":
            if self.target is not None:
                raise fail(ArgumentValueError, "a library for the host is made by backend \"host\"")
            return self.binary.read_bytes(), self.binary.suffix
        if form == "cubin":
            return self.cubin, ".cubin"
        if form == "ptx":
            return self.ptx, ".ptx"
        raise fail(ArgumentValueError, f"there is no format {form!r}", "the formats are source, cubin, ptx and library")
