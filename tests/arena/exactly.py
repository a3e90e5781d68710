"""Expectations of whatever draws with `choose`, by running through all its draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


class Draws:
    """Stands in for `parlor.game.rng.choose`: follows a script, and writes it for the next run."""

    def __init__(self) -> None:
        self._script: list[list[int]] = []  # of each draw, the possible results; the first is the one to take
        self._at = 0
        self.chance = 1.0

    def choose(self, r: Any, weights: Any, n: int) -> int:
        if self._at == len(self._script):
            self._script.append([i for i in range(n) if weights[i] > 0.0])
        taken = self._script[self._at][0]
        self._at += 1
        self.chance *= weights[taken] / sum(weights[i] for i in range(n))
        return taken

    def runs(self) -> Iterator[None]:
        """One run after the other, until there is nothing left to draw."""
        while True:
            self._at, self.chance = 0, 1.0
            yield
            while self._script and len(self._script[-1]) == 1:
                self._script.pop()
            if not self._script:
                return
            self._script[-1].pop(0)


def expectations(run: Callable[[], tuple[float, ...]], draws: Draws) -> list[float]:
    """The expectation of each number that `run` returns."""
    sums: list[float] = []
    total = 0.0
    for _ in draws.runs():
        values = run()
        sums = [a + draws.chance * b for a, b in zip(sums or [0.0] * len(values), values, strict=True)]
        total += draws.chance
    assert abs(total - 1.0) < 1e-9
    return sums
