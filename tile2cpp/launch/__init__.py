"""Running compiled kernels: `reading` and `packing` handle the arguments, `numpy` and `cupy` start a kernel on their machine."""

from __future__ import annotations


class _Default:
    """The backend of launches that name none: None lets the arrays decide. `tile2cpp run --backend` sets it."""

    def __init__(self):
        self.name: str | None = None

    def get(self) -> str | None:
        return self.name

    def set(self, name: str | None) -> None:
        self.name = name


default_backend = _Default()
