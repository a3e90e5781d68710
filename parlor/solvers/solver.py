"""The interface of a solver: it runs iterations, and has a policy at any time. Each has a row in `solve.ALGORITHMS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from parlor.game import Game
from parlor.game.parameters import Settings
from parlor.policies.policy import Policy


class Solver(Protocol):
    """A solve in progress."""

    iterations: int  # so far

    def run(self, iterations: int) -> None:
        """Run more iterations, or until `stop`."""
        ...

    def policy(self) -> Policy:
        """The strategy so far."""
        ...

    def stop(self) -> None:
        """Make a `run` in another thread, or under a signal handler, return soon."""
        ...

    def go_on(self) -> None:
        """Undo a `stop`."""
        ...


@runtime_checkable
class ResumableSolver(Solver, Protocol):
    """A solver whose state can be saved, so that a run in a folder goes on as if it had not been interrupted."""

    def entries(self) -> Iterator[dict[str, Any]]:
        """Everything that must be saved: numbers by information set, of which one is its `key`."""
        ...

    def restore(self, entries: Iterable[Mapping[str, Any]], iterations: int) -> None:
        """Restore the state in which the entries were saved."""
        ...


@dataclass(frozen=True)
class SolverRow:
    """A solver as the rest of Parlor sees it."""

    summary: str
    make: Callable[[Game, int, int, Any], Solver]  # of a game, a seed, threads and its settings
    samples: bool = False  # then it uses the seed and the threads
    settings: type[Settings] = Settings  # its own
