"""CFR on a GPU by JAX, see `tree_cfr.jax_iteration`; and which processor solves a game."""

from __future__ import annotations

import logging

from parlor.game import Game, GameError
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import tree
from parlor.solvers.cfr import Cfr, CfrSettings, ScheduleSettings, check_threads, variant_of
from parlor.solvers.evaluation import Evaluation
from parlor.solvers.solver import SolverRow
from parlor.solvers.tree_cfr.iteration import CfrTables
from parlor.solvers.tree_cfr.jax_iteration import LevelIterations, has_gpu
from parlor.solvers.tree_cfr.levels import layout
from parlor.solvers.tree_cfr.locking import Lock
from parlor.solvers.tree_cfr.variants import VARIANTS, Variant, average_weight

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
