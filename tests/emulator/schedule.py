"""The order in which things happen: drawn at random, in a manner that is drawn, too."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    """How warps take turns, and when what is under way gets done.

    `quantum`: most instructions of a turn. `skew`: how much more often some warps get one than others. `copies` and `products`: how likely it
    is in each turn that a copy, or a product, is done; 0 means as late as possible. `apart`: how likely lanes go on where others were to come.
    """

    seed: int = 0
    quantum: int = 64
    skew: float = 1.0
    copies: float = 0.2
    products: float = 0.2
    apart: float = 0.0

    @classmethod
    def drawn(cls, seed: int) -> "Policy":
        rng = random.Random(seed)
        return cls(
            seed, rng.choice((8, 32, 128, 1024)), rng.choice((0.0, 1.0, 3.0)), rng.choice((0.0, 0.05, 0.5, 1.0)), rng.choice((0.0, 0.05, 0.5, 1.0)),
            rng.choice((0.0, 0.0, 0.05)),
        )  # fmt: skip
