"""Where a drawing gets its choices from: Hypothesis, or a plain random generator."""

from __future__ import annotations

import random
from typing import Any, Callable, Sequence

from hypothesis import strategies as st


class Choices:
    """Small decisions, all made of integers."""

    def __init__(self, integer: Callable[[int, int], int]):
        self.integer = integer

    def below(self, count: int) -> int:
        return self.integer(0, count - 1)

    def one_of(self, options: Sequence[Any]) -> Any:
        return options[self.below(len(options))]

    def chance(self, one_in: int) -> bool:
        return self.below(one_in) == one_in - 1


def of_hypothesis(draw) -> Choices:
    return Choices(lambda low, high: draw(st.integers(low, high)))


def of_seed(seed: int) -> Choices:
    return Choices(random.Random(seed).randint)
