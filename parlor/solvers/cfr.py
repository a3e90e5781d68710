"""Counterfactual regret minimisation on an enumerated game, for any number of players.

Zinkevich et al., *Regret minimization in games with incomplete information* (2007). The well-known variants are rows of
numbers over one kernel, see `tree_cfr.variants`; several threads do the same, see `tree_cfr.threads`. Departure:
everything runs in sequence form (see `sequence_form.tree`), also with three or more players, where the papers walk the
tree.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor import compile as compiler
from parlor.game import Game, GameError
from parlor.game.parameters import Settings, setting
from parlor.policies.plans import normalised, sequence_policy, uniform_strategy
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Floats, Sequences, Tree, tree
from parlor.solvers.best_response import expected, reaches, sequence_strategy
from parlor.solvers.solver import Evaluation, SolverRow
from parlor.solvers.tree_cfr.iteration import (
    EARLIER,
    HORIZON,
    KEPT,
    VARIANTS,
    CfrTables,
    Lock,
    LockArrays,
    Variant,
    average_weight,
    described,
    iterate,
    lock_arrays,
    nothing_locked,
    phase,
    plan_met,
    restricted,
    substitute_regrets,
)
from parlor.solvers.tree_cfr.jax_iteration import LevelIterations, has_gpu
from parlor.solvers.tree_cfr.levels import layout
from parlor.solvers.tree_cfr.threads import Crew

LARGE = 100_000  # entries of a tree whose processor and memory are mentioned


@dataclass(frozen=True)
class CfrSettings(Settings):
    """Settings of all variants."""

    device: str = setting("auto", "where to compute; auto: by the size of the game", words=("auto", "cpu", "gpu"))
    precision: str = setting("double", "of the GPU's numbers", words=("double", "single"))


@dataclass(frozen=True)
class ScheduleSettings(CfrSettings):
    """Settings of the variants with a schedule."""

    horizon: int = setting(HORIZON, "iterations until the schedule has reached its end", low=1, flag="schedule")


def variant_of(name: str | Variant, settings: CfrSettings | None = None) -> Variant:
    """A variant by name, with its settings."""
    if isinstance(name, Variant):
        return name
    if name not in VARIANTS:
        raise GameError(f"There is no CFR variant {name!r}; there are {', '.join(VARIANTS)}.")
    found = VARIANTS[name]
    return found._replace(horizon=float(settings.horizon)) if isinstance(settings, ScheduleSettings) else found


def check_threads(threads: int) -> None:
    """Refuse what no machine has."""
    most = 4 * (os.cpu_count() or 1)
    if not 1 <= threads <= most:
        raise GameError(f"threads must be between 1 and {most}, not {threads}.")


class Cfr:
    """A solve in progress: `run(n)` runs n more iterations, `policy()` is the average strategy so far."""

    def __init__(
        self, game: Game, variant: str | Variant = "cfr+", compiled: bool | None = None, threads: int = 1
    ) -> None:
        check_threads(threads)
        self.variant = variant_of(variant)
        self.name = variant if isinstance(variant, str) else "cfr"
        self.tree: Tree = tree(game)
        self.game = game
        self.iterations = 0
        self.lock: Lock | None = None
        self._earlier = 0  # iterations for which a warm start counts
        self._lock_arrays: LockArrays = nothing_locked(self.tree)
        compiled = True if compiled is None else compiled
        self._kernel: Any = compiler.native(iterate) if compiled else iterate
        self._crew = Crew(self.tree, threads, compiled) if threads > 1 else None
        self.processor = self._described(threads)
        size, uniform = self.tree.sequences, uniform_strategy(self.tree)
        reach = reaches(self.tree, uniform)
        self.learned = CfrTables(np.zeros(size), np.zeros(size), uniform, reach, reach, np.zeros(size))
        self._advance(0, 0)  # compiles, if that has to be done

    def _described(self, threads: int) -> str:
        """The processor in a line; nothing of one core and a small game."""
        entries = len(self.tree.weight)
        arrays = [getattr(self.tree, name).nbytes for name in Sequences._fields]
        memory = sum(arrays) + (len(CfrTables._fields) - 1) * 8 * self.tree.sequences
        count = f"{threads} threads of the CPU" if threads > 1 else "one core"
        return f"{count}; {entries:,} entries, {memory / 1e6:,.1f} MB" if threads > 1 or entries >= LARGE else ""

    def run(self, iterations: int) -> None:
        """Go on for so many iterations."""
        while iterations > 0:
            done = self._earlier + self.iterations
            begin, end = phase(done, self.variant)
            if done == begin > 0:
                self._restart()
            now = int(min(iterations, end - done))
            self._advance(done - begin, now)
            self.iterations += now
            iterations -= now

    def _advance(self, done: int, iterations: int) -> None:
        """Iterations done + 1 … done + iterations of a phase."""
        if self._crew is not None:
            self._crew.iterate(self.learned, self._lock_arrays, self.variant, done, iterations)
        else:
            self._kernel(self.tree.sequence_form, self.learned, self._lock_arrays, self.variant, done, iterations)

    def _restart(self) -> None:
        """Begin anew from the average, with regrets as large as they were."""
        t, average, tables = self.tree, self.average(), self.learned
        size = np.add.reduceat(np.maximum(tables.regret[t.rows], 0.0), np.cumsum(t.counts) - t.counts)
        tables.regret[t.rows] = np.repeat(size, t.counts) * average[t.rows]
        tables.strategy[:], tables.total[:] = average, 0.0
        self._follow()

    def stop(self) -> None:
        """Do nothing: a call of `run` is short, unless many iterations were requested at once."""

    def go_on(self) -> None:
        """Do nothing."""

    def keep(self, lock: Lock) -> None:
        """Keep a strategy instead of learning it, before the first iteration."""
        self._check_new()
        self.lock = lock
        self._lock_arrays, strategy = lock_arrays(self.tree, lock)
        if len(self._lock_arrays.locked):
            kept = np.repeat(self._lock_arrays.locked, self.tree.counts)
            self.learned.strategy[self.tree.rows[kept]] = strategy[self.tree.rows[kept]]
        self._follow()

    def warm(self, policy: Policy) -> None:
        """Begin with a policy instead of uniform play, as if it had been found by a hundred iterations."""
        self._check_new()
        strategy = sequence_strategy(self.tree, policy)
        if len(self._lock_arrays.locked):
            kept = np.repeat(self._lock_arrays.locked, self.tree.counts)
            strategy[self.tree.rows[kept]] = self.learned.strategy[self.tree.rows[kept]]
        self.learned.strategy[:] = strategy
        self._follow()
        self.learned.regret[:] = substitute_regrets(self.tree, self._lock_arrays, strategy)
        self.learned.total[:] = self.learned.reach * sum(average_weight(t + 1, self.variant) for t in range(EARLIER))
        self._earlier = EARLIER

    def _check_new(self) -> None:
        if self.iterations:
            raise GameError("A strategy can be given before the first iteration only.")

    def _follow(self) -> None:
        """Fill what follows from the strategy."""
        reach = reaches(self.tree, self.learned.strategy)
        met = plan_met(self.tree, self._lock_arrays, reach)
        self.learned = self.learned._replace(reach=reach, met=met)

    def average(self) -> Floats:
        """The average strategy, a probability for each sequence."""
        average = normalised(self.tree, self.learned.total)
        if len(self._lock_arrays.locked):
            kept = self.tree.rows[np.repeat(self._lock_arrays.locked, self.tree.counts)]
            average[kept] = self.learned.strategy[kept]
        return average

    def policy(self) -> Policy:
        """The average strategy as a policy."""
        return sequence_policy(self.tree, self.average())

    def entries(self) -> Iterator[dict[str, Any]]:
        """All that is needed to go on: regrets, sums and strategies by information set, in the order of the keys."""
        t = self.tree
        for key, first, n in sorted(zip(t.keys.tolist(), t.first.tolist(), t.counts.tolist(), strict=True)):
            yield {"key": key} | {name: getattr(self.learned, name)[first : first + n].tolist() for name in KEPT}

    def restore(self, entries: Iterable[Mapping[str, Any]], iterations: int) -> None:
        """Restore the state in which the entries were saved."""
        places = dict(zip(self.tree.keys.tolist(), zip(self.tree.first, self.tree.counts, strict=True), strict=True))
        for entry in entries:
            first, n = places[entry["key"]]
            for name in KEPT:
                getattr(self.learned, name)[first : first + n] = entry[name]
        self._follow()
        self.iterations = iterations

    def nash_conv(self) -> float:
        """The sum of the players' gains by best responses to the average strategy, which keep the locks."""
        return self.evaluation().nash_conv

    def evaluation(self) -> Evaluation:
        """The evaluation of the average strategy in the game that is solved, which has locks, perhaps."""
        if self.lock is None:
            return expected(self.tree, self.average())
        return restricted(self.tree, self._lock_arrays, self.average())

    def facts(self) -> dict[str, str]:
        """The processor, unless it is one core; the lock, and how exploitable the strategy is without it."""
        found = {"processor": self.processor} if self.processor else {}
        if self.lock is None:
            return found
        whole = expected(self.tree, self.average()).exploitability
        return found | {
            "locked": f"{described(self.tree, self.lock)}; in the whole game the exploitability is {whole:.3g}"
        }


log = logging.getLogger("parlor.solvers")

WORTHWHILE = 100_000  # entries of a tree: below, one core is as fast as several, or as a GPU


class GpuCfr(Cfr):
    """The same solve in JAX: the tables are on the processor, and come back when somebody asks for them."""

    def __init__(self, game: Game, variant: str | Variant = "cfr+", double: bool = True, platform: str = "gpu") -> None:
        self._levels: LevelIterations | None = None
        self._here = True  # whether the newest tables are those of the tree
        self._since = 0  # iterations since the last restart
        self._double, self._platform = double, platform
        super().__init__(game, variant, compiled=False)
        self._begin()

    def _begin(self) -> None:
        """Lay the tree out for the processor, with the strategies that are given."""
        self._levels = LevelIterations(
            layout(self.tree), self._lock_arrays, not self.variant.alternating, self._platform, self._double
        )
        self.processor = (
            f"{self._levels.device.device_kind}, in {'double' if self._double else 'single'} precision; "
            f"{len(self.tree.weight):,} entries, about {self._levels.bytes / 1e6:,.0f} MB"
        )
        log.info("%s", self.processor)

    @property
    def learned(self) -> CfrTables:
        """The tables of the tree."""
        if not self._here and self._levels is not None:
            self._tables.regret[:] = self._levels.pull("regret")
            self._tables.total[:] = self._levels.pull("total") * average_weight(max(self._since, 1), self.variant)
            self._tables.strategy[:] = self._levels.pull("strategy")
            self._here = True
        return self._tables

    @learned.setter
    def learned(self, tables: CfrTables) -> None:
        self._tables, self._here = tables, True
        if self._levels is not None:
            self._levels.tables = {}

    def _advance(self, done: int, iterations: int) -> None:
        """Iterations done + 1 … done + iterations of a phase."""
        if self._levels is None or iterations == 0:
            return
        if not self._levels.tables:
            self._follow()
            self._levels.push(self._tables, average_weight(max(done, 1), self.variant))
        self._levels.run(self.variant, done, iterations)
        self._levels.wait()
        self._here, self._since = False, done + iterations

    def keep(self, lock: Lock) -> None:
        """Keep a strategy instead of learning it, before the first iteration."""
        super().keep(lock)
        self._begin()

    def warm(self, policy: Policy) -> None:
        """Begin with a policy instead of uniform play."""
        super().warm(policy)
        assert self._levels is not None
        self._levels.tables = {}

    def evaluation(self) -> Evaluation:
        """The evaluation of the average strategy, on the processor in double precision, else on the CPU."""
        if not self._double or self._levels is None:
            return super().evaluation()
        return self._levels.evaluate(self.average())


def make(game: Game, variant: str, threads: int, settings: CfrSettings) -> Cfr:
    """A variant on the processor that is asked for, or on the one that suits the size of the game."""
    row = variant_of(variant, settings)
    check_threads(threads)
    gpu = settings.device == "gpu"
    if settings.device == "auto" and threads == 1 and len(tree(game).weight) >= WORTHWHILE:
        gpu = has_gpu()
    if gpu and threads > 1:
        raise GameError("Threads are for the CPU: omit them, or solve there (--device cpu).")
    if gpu:
        log.info("%s is solved on the GPU", game.name)
        return GpuCfr(game, row, settings.precision == "double")
    if settings.precision != "double":
        raise GameError("Single precision is for the GPU (--device gpu); the CPU computes in double precision.")
    entries = len(tree(game).weight)
    solver = Cfr(game, row, threads=threads if entries >= WORTHWHILE else 1)
    if threads > 1 and entries < WORTHWHILE:
        solver.processor = f"one core: {entries:,} entries are too few for threads to help"
    return solver


def cfr_row(variant: str) -> SolverRow:
    """A variant as a solver."""
    return SolverRow(
        "CFR on the enumerated game",
        lambda game, seed, threads, settings: make(game, variant, threads, settings),
        threaded=True,
        settings=ScheduleSettings if VARIANTS[variant].scheduled else CfrSettings,
    )
