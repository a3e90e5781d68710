"""One call that solves a game, and the same step by step.

`solve` returns a policy and a report. `Solve.steps` yields while it works, for progress bars and live charts: often, so
that a display stays alive and an interruption is noticed; and it measures the exploitability at iteration counts that
depend only on the count before, so that neither the clock nor the display can change a result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.loading.registry import Registry, files_of, short_name
from parlor.game.parameters import declared
from parlor.game.words import html_table
from parlor.policies.policy import Policy
from parlor.sequence_form.enumeration import ImperfectRecall, TooLarge
from parlor.sequence_form.tree import tree, tree_if_small
from parlor.solvers.best_response import evaluate
from parlor.solvers.cfr import Cfr, cfr_row
from parlor.solvers.exact import linear_program, logit
from parlor.solvers.sampling.mccfr import SAMPLINGS, mccfr_row, traversal
from parlor.solvers.solver import Evaluation, RestrictedSolver, Solver, SolverRow, TellingSolver, from_outside
from parlor.solvers.tree_cfr.iteration import VARIANTS, Lock

AUTO = "auto"
RACERS = ("cfr+", "dcfr", "dcfr+", "pcfr+", "pdcfr+", "hs-pcfr+")
LAPS = range(20, 301)  # iterations of each: predictive variants need some hundreds to show what they can do
WORK = 5e8  # entries of the tree for each, unless the game is so large that this is too few iterations
SHORT = 1e6  # lines of a player's moves that external sampling visits in a second or so


class Choice(NamedTuple):
    """The algorithm of a game, and the reason for it."""

    algorithm: str
    reason: str


def race(game: Game) -> Choice:
    """Which algorithm suits a game: by its size alone if it cannot be enumerated, else by a race.

    The race depends on nothing but the game, so that the choice can be repeated.
    """
    try:
        t = tree(game)
    except (TooLarge, ImperfectRecall) as error:
        why = "is too large to be enumerated" if isinstance(error, TooLarge) else "has imperfect recall"
        short = game.players > 1 and traversal(game) <= SHORT
        name = "mccfr-external" if short else "mccfr-outcome"
        return Choice(name, f"{name}, since {game.name} {why} and its games are {'short' if short else 'long'}")
    laps = min(max(int(WORK / max(len(t.weight), 1)), LAPS[0]), LAPS[-1])
    reached = {}
    for name in RACERS:
        runner = Cfr(game, name)
        runner.run(laps)
        reached[name] = max(runner.nash_conv(), 0.0) / game.players
    best = min(reached, key=lambda name: reached[name])
    others = ", ".join(f"{name} {reached[name]:.2g}" for name in RACERS if name != best)
    return Choice(best, f"{best}: after {laps} iterations its exploitability is {reached[best]:.2g} ({others})")


ALGORITHMS = Registry("algorithm", "cfr+", "parlor.solvers", SolverRow, from_outside)
ALGORITHMS |= {
    **{variant: cfr_row(variant) for variant in VARIANTS},
    **{f"mccfr-{sampling}": mccfr_row(sampling) for sampling in SAMPLINGS},
    "exact": linear_program.ROW,
    "logit": logit.ROW,
}
ITERATIONS = 1000
YIELD_EVERY = 0.1  # seconds between two yields


def _names(row: SolverRow) -> set[str]:
    return {one.name for one in declared(row.settings)}


@dataclass(frozen=True)
class SolveReport:
    """The report of a solve."""

    game: str
    algorithm: str
    iterations: int
    seconds: float
    infosets: int
    evaluation: Evaluation | None  # None: the game is too large to measure exactly
    curve: tuple[tuple[int, float], ...]  # (iterations, exploitability)
    facts: Mapping[str, str] = field(default_factory=dict)  # what else the algorithm says of its solution

    @property
    def exploitability(self) -> float | None:
        """Of the policy; None if it cannot be measured exactly."""
        return self.evaluation.exploitability if self.evaluation else None

    @property
    def values(self) -> tuple[float, ...]:
        """The value of the policy to each player when all follow it."""
        if self.evaluation is None:
            raise GameError(f"{self.game} is too large to measure its values exactly.")
        return self.evaluation.values

    def plot(self, axes: Any = None) -> Any:
        """Draw exploitability by iterations, both logarithmic, into `axes` or a new figure; returns the axes."""
        if not self.curve:
            raise GameError(f"The exploitability of {self.game} was not measured, so there is nothing to plot.")
        if axes is None:
            try:
                from matplotlib import pyplot
            except ImportError:
                raise GameError("Matplotlib is not installed: pip install 'parlor-games[figures]'.") from None
            _, axes = pyplot.subplots()
        axes.loglog([i for i, _ in self.curve], [max(e, 1e-16) for _, e in self.curve], label=self.algorithm)
        axes.set(title=self.game, xlabel="iterations", ylabel="exploitability")
        axes.legend(frameon=False)
        return axes

    def _facts(self) -> dict[str, str]:
        found = self.exploitability
        return {
            "algorithm": self.algorithm,
            "iterations": f"{self.iterations:,}",
            "seconds": f"{self.seconds:.2g}",
            "information sets": f"{self.infosets:,}",
            "exploitability": "not measured" if found is None else f"{found:.4g}",
        }

    def __repr__(self) -> str:
        return f"<report on {self.game}: {', '.join(f'{name} {fact}' for name, fact in self._facts().items())}>"

    def _repr_html_(self) -> str:
        return html_table(f"report on {self.game}", tuple(self._facts()), [tuple(self._facts().values())])


def _next_measurement(done: int) -> int:
    """The next of 1, 2, … 10, 12, 14, …, at which the exploitability is measured, wherever the solve was resumed."""
    target = 1
    while target <= done:
        target += max(1, target // 5)
    return target


class SolveResult(NamedTuple):
    """The result of `solve`."""

    policy: Policy
    report: SolveReport


@dataclass
class Solve:
    """A solve in progress. Iterate over `steps()`; `solution()` is available at any time."""

    game: Game
    algorithm: Any = "cfr+"  # a name or a class; then its full name
    iterations: int | None = None
    until: float | None = None
    seed: int = 0
    threads: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the algorithm, by name
    lock: Lock | None = None  # a strategy that is kept
    warm: Policy | None = None  # a strategy to begin with
    chosen: str = field(init=False, default="")  # why the algorithm was chosen, if it was `auto`
    row: SolverRow = field(init=False)
    solver: Solver = field(init=False)
    curve: list[tuple[int, float]] = field(init=False, default_factory=list)
    seconds: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        if self.iterations is not None and (self.iterations < 1 or self.iterations != int(self.iterations)):
            raise GameError(f"iterations must be a whole number and at least 1, not {self.iterations}.")
        if not 0 <= self.seed < 2**63:
            raise GameError(f"seed must be between 0 and 2**63 - 1, not {self.seed}.")
        if self.until is not None and not self.until > 0.0:
            raise GameError(f"until must be an exploitability above 0, not {self.until}.")
        if self.algorithm == AUTO:
            self.algorithm, self.chosen = race(self.game)
        self.solver = self._solver()
        self._give()
        if self.row.once or (self.iterations is None and self.until is None):
            self.iterations = 1 if self.row.once else ITERATIONS
        self.measurable = tree_if_small(self.game) is not None
        if self.until is not None and not self.measurable:
            raise GameError(
                f"{self.game.name} is too large to measure its exploitability exactly, so a number of iterations "
                f"must be given instead: omit until."
            )

    def _solver(self) -> Solver:
        self.algorithm, written = ALGORITHMS.read(self.algorithm)
        self.settings = {**written.changed(), **self.settings}
        self.row = row = ALGORITHMS.row(self.algorithm)
        having = [name for name, other in ALGORITHMS.items() if other.samples or other.threaded]
        wrong = "" if row.samples or row.threaded or self.threads == 1 else "threads"
        for name in self.settings:
            if name not in _names(row):
                wrong, having = name, [other for other in ALGORITHMS if name in _names(ALGORITHMS[other])]
        if wrong and not having:
            raise GameError(f"No algorithm has a setting {wrong!r}.")
        if wrong:
            raise GameError(f"{wrong} can be set for {', '.join(having)}, not for {self.algorithm}.")
        return row.make(self.game, self.seed, self.threads, row.settings.for_owner(self.algorithm, self.settings))

    def _give(self) -> None:
        """Give the solver the strategies that it is not to learn, and the one to begin with."""
        for name, given in (("lock", self.lock), ("warm", self.warm)):
            if given is not None and not isinstance(self.solver, RestrictedSolver):
                raise GameError(f"{name} can be given to {', '.join(VARIANTS)}, not to {self.title}.")
        if isinstance(self.solver, RestrictedSolver):
            if self.lock is not None:
                self.solver.keep(self.lock)
            if self.warm is not None:
                self.solver.warm(self.warm)

    @property
    def title(self) -> str:
        """The algorithm for people."""
        return short_name(self.algorithm)

    @property
    def done(self) -> int:
        """Iterations so far."""
        return self.solver.iterations

    @property
    def finished(self) -> bool:
        """Whether the requested iterations or exploitability have been reached."""
        enough = self.iterations is not None and self.done >= self.iterations
        return enough or (self.until is not None and bool(self.curve) and self.curve[-1][1] <= self.until)

    def __repr__(self) -> str:
        measured = f", exploitability {self.curve[-1][1]:.4g}" if self.curve else ""
        return f"<solve of {self.game.name} by {self.title}: {self.done:,} iterations{measured}>"

    def steps(self) -> Iterator[Solve]:
        """Work, yielding now and then, until finished."""
        self.solver.go_on()
        chunk = 1
        while not self.finished:
            target = _next_measurement(self.done)
            if self.iterations is not None:
                target = min(target, self.iterations)
            while self.done < target:
                begin = time.perf_counter()
                before = self.done
                self.solver.run(min(chunk, target - self.done))
                spent = time.perf_counter() - begin
                self.seconds += spent
                if self.done == before:  # `stop` was called
                    yield self
                    return
                if self.done < target:
                    chunk = max(1, int(chunk * min(4.0, YIELD_EVERY / max(spent, 1e-9))))
                    yield self
            if self.measurable:
                self.curve.append((self.done, self.evaluation().exploitability))
            yield self

    def policy(self) -> Policy:
        """The average strategy so far, with a note of how it was made."""
        about: dict[str, Any] = {"algorithm": self.algorithm, "iterations": self.done}
        if self.row.samples:
            about |= {"seed": self.seed}
        if "linear" in _names(self.row):
            about["linear"] = False
        about |= self.row.settings.for_owner(self.algorithm, self.settings).changed()
        about |= {"threads": self.threads} if self.threads > 1 and self.row.samples else {}
        if self.lock is not None:
            about |= {"lock": {"weight": self.lock.weight, "players": list(self.lock.players)}}
        about |= {"warm": True} if self.warm is not None else {}
        about |= {"files": files} if (files := files_of([self.algorithm])) else {}
        return self.solver.policy().with_about(**about)

    def evaluation(self) -> Evaluation:
        """The exact evaluation of the average strategy so far, in the game that is solved."""
        if isinstance(self.solver, RestrictedSolver):
            return self.solver.evaluation()
        return evaluate(self.game, self.solver.policy(), enumerated=True)

    def solution(self) -> SolveResult:
        """The policy and the report so far."""
        policy = self.policy()
        measured = self.evaluation() if self.measurable else None
        facts = {"chosen": self.chosen} if self.chosen else {}
        facts |= self.solver.facts() if isinstance(self.solver, TellingSolver) else {}
        report = SolveReport(
            self.game.name, self.title, self.done, self.seconds, len(policy), measured, tuple(self.curve), facts
        )
        return SolveResult(policy, report)


def solve(
    game: Game | str,
    algorithm: str | Callable[..., Any] = "cfr+",
    *,
    iterations: int | None = None,
    until: float | None = None,
    seed: int = 0,
    threads: int = 1,
    lock: Lock | Policy | None = None,
    warm: Policy | None = None,
    **settings: Any,
) -> SolveResult:
    """Solve a game, given as an object or by name, and return its policy and a report.

    Algorithms: cfr, cfr+, linear-cfr, dcfr, dcfr+, pcfr+, pdcfr+, hs-dcfr, hs-pcfr+, restarted-cfr, cfr-simultaneous
    and cfr+-simultaneous enumerate the game; mccfr-external, mccfr-outcome, mccfr-robust and mccfr-chance sample it;
    auto chooses. It runs for `iterations` (1,000 by default), or until the exploitability is at most `until`,
    whichever comes first. `seed` is for the sampling algorithms; with one thread the
    same seed gives the same policy. So are their own settings, such as `linear=True` (more weight for
    later iterations): see `parlor.solvers.sampling.mccfr`. An algorithm of your own is named by its file,
    `"my_file.py:Mine"`, or given itself: a class of a game and settings, whose instances have `run` and `policy`.

    `lock` is a policy that is kept at its information sets, or a `Lock` of one, with a weight and players; the rest is
    solved around it, and measured so. `warm` is a policy to begin with. Both are for those that enumerate the game.
    """
    kept = Lock(lock) if isinstance(lock, Policy) else lock
    work = Solve(as_game(game), algorithm, iterations, until, seed, threads, settings, kept, warm)
    for _ in work.steps():
        pass
    return work.solution()
