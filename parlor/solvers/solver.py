"""The interface of a solver: it runs iterations, and has a policy at any time. Each has a row in `solve.ALGORITHMS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from parlor.game import Game, GameError
from parlor.game.errors import errors_as_sentences
from parlor.game.loading.registry import Outside, values_of
from parlor.game.parameters import Settings
from parlor.game.words import html_table
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy


@dataclass(frozen=True)
class Evaluation:
    """The values of a policy when everybody follows it, and of best responses to it."""

    values: tuple[float, ...]  # of the players, when all follow the policy
    best_responses: tuple[float, ...]  # of each player, when it alone departs from it

    @property
    def nash_conv(self) -> float:
        """The sum of what the players could gain."""
        return float(sum(b - v for b, v in zip(self.best_responses, self.values, strict=True)))

    @property
    def exploitability(self) -> float:
        """The mean of what the players could gain."""
        return self.nash_conv / len(self.values)

    def __repr__(self) -> str:
        values, best = (", ".join(f"{x:.4g}" for x in numbers) for numbers in (self.values, self.best_responses))
        return f"<evaluation: values {values}; best responses {best}; exploitability {self.exploitability:.4g}>"

    def _repr_html_(self) -> str:
        rows = [
            (p, f"{v:+.6f}", f"{b:+.6f}", f"{b - v:.6f}")
            for p, (v, b) in enumerate(zip(self.values, self.best_responses, strict=True))
        ]
        return html_table(
            f"exploitability {self.exploitability:.4g}", ("player", "value", "best response", "gain"), rows
        )


Policies = Strategy | Sequence[Strategy]  # one that all players follow, or one for each player


@runtime_checkable
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
class TellingSolver(Solver, Protocol):
    """A solver that has more to say of its solution than how exploitable it is."""

    def facts(self) -> dict[str, str]:
        """Lines for people, by what they are about."""
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


@runtime_checkable
class RestrictedSolver(Solver, Protocol):
    """A solver to which strategies can be given: some that are kept, and one to begin with."""

    lock: Any  # None if everything is learned

    def keep(self, lock: Any) -> None:
        """Keep a strategy instead of learning it."""
        ...

    def warm(self, policy: Policy) -> None:
        """Begin with a policy."""
        ...

    def evaluation(self) -> Evaluation:
        """The evaluation of the strategy so far in the game that is solved."""
        ...


@dataclass(frozen=True)
class SolverRow:
    """A solver as the rest of Parlor sees it."""

    summary: str
    make: Callable[[Game, int, int, Any], Solver]  # of a game, a seed, threads and its settings
    samples: bool = False  # then it uses the seed, and several threads make a run that cannot be repeated
    threaded: bool = False  # whether it uses several threads all the same
    settings: type[Settings] = Settings  # its own
    once: bool = False  # its first iteration solves the game, and there is no second
    made: str = ""  # how its strategies came about, for people, unless by counterfactual regret minimisation


def from_outside(code: Outside) -> SolverRow:
    """A class of a game as a solver; it gets the seed and the threads if it has parameters of these names."""
    samples = {name for name in ("seed", "threads") if code.takes(name)}

    def make(game: Game, seed: int, threads: int, settings: Settings) -> Solver:
        if threads > 1 and "threads" not in samples:
            raise GameError(f"{code.name} takes no threads.")
        given = {name: value for name, value in (("seed", seed), ("threads", threads)) if name in samples}
        solver = code(game, **given, **values_of(settings))
        for name in ("run", "policy"):
            if not callable(getattr(solver, name, None)):
                raise GameError(f"{code.name} makes no solver: {type(solver).__name__} has no method {name}.")
        whole = isinstance(solver, Solver)
        return solver if whole else OutsideSolver(code.name, solver)

    settings = code.settings("game", also=("seed", "threads"), makes=True)
    return SolverRow(code.summary, make, bool(samples), settings=settings)


class OutsideSolver:
    """An object with `run` and `policy` as a solver."""

    def __init__(self, name: str, solver: Any) -> None:
        self.name, self.solver, self.iterations = name, solver, 0
        self._stopped = False

    def run(self, iterations: int) -> None:
        """Run more iterations, one by one, so that it can be stopped."""
        while iterations > 0 and not self._stopped:
            with errors_as_sentences(self.name, GameError):
                self.solver.run(1)
            self.iterations, iterations = self.iterations + 1, iterations - 1

    def policy(self) -> Policy:
        """The strategy so far."""
        with errors_as_sentences(self.name, GameError):
            policy = self.solver.policy()
        if not isinstance(policy, Policy):
            raise GameError(f"{self.name} has {repr(policy)[:60]} as its policy, which is no parlor.Policy.")
        return policy

    def stop(self) -> None:
        """Stop after this iteration."""
        self._stopped = True

    def go_on(self) -> None:
        """Undo a `stop`."""
        self._stopped = False
