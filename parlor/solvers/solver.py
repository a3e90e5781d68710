"""What a solver is: it goes on for some iterations, and has a policy at any time. A row of `solve.ALGORITHMS` each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from parlor.game import Game
from parlor.policy import Policy


class Solver(Protocol):
    """A solve in progress."""

    iterations: int  # so far

    def run(self, iterations: int) -> None:
        """Go on for so many iterations, or until `stop`."""
        ...

    def policy(self) -> Policy:
        """What has been found so far."""
        ...

    def stop(self) -> None:
        """Make a `run` that is going on in another thread, or under a signal handler, return soon."""
        ...

    def go_on(self) -> None:
        """Take a `stop` back."""
        ...


@dataclass(frozen=True)
class SolverRow:
    """A solver as the rest of Parlor knows it."""

    summary: str
    make: Callable[[Game, int, int, bool], Solver]  # of a game, a seed, threads and whether to weigh linearly
    samples: bool = False  # then seed, threads and linear weights are its settings
