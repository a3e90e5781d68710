"""The configuration of a training run: everything that its result depends on.

It has the settings of every run, and those of its learner. In a file it is one flat list of both. The defaults are
the paper's (Wolf 2025, table 1) but for the evaluations, which are cheap here and so have more games, and for the
parallel mode, of which the paper used the one that cannot be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from parlor.game import Game, GameError
from parlor.game.loading.registry import files_of, is_python
from parlor.game.parameters import Settings, declared, setting
from parlor.runs.learners.learner import PARALLEL, LearnerRow
from parlor.runs.learners.registry import LEARNERS
from parlor.runs.measures import MetricColumn

FOREVER = 1 << 62  # games


PARTS = 10  # of a run by the clock, with a checkpoint after each


@dataclass(frozen=True)
class Config(Settings):
    """The settings of a run."""

    game: str = setting("", "the game, with its options and its abstraction")
    algorithm: str = setting("", "the learner; if omitted, one that suits the game")
    games: int = setting(1000, "self-play games, or iterations; 0 for as many as fit into the minutes", low=0)
    seed: int = setting(0, "the seed of all random streams of the run", low=0, high=2**63 - 1)
    parallel: str = setting(
        "",
        "batch-ordered: the same result whatever the number of workers; unordered: fastest; none: one worker; "
        "if omitted, the learner's default",
        words=("", *PARALLEL),
    )
    evaluate_every: int = setting(50, "games between evaluations; 0 for none", low=0)
    evaluate_games: int = setting(1000, "games of an evaluation, for each opponent and start", low=1)
    against: tuple[str, ...] = setting(
        (), "the opponents of evaluations, and of abr in training; if omitted, the learner's, or those of the game"
    )
    checkpoint_every: int = setting(250, "games between checkpoints; 0 for the end only", low=0)
    minutes: float = setting(0.0, "minutes to train, instead of a number of games", low=0.0)
    checkpoint_minutes: float = setting(
        0.0, "minutes between checkpoints, each with an evaluation; 0 for none by the clock", low=0.0
    )
    settings: Any = None  # of the learner
    files: Any = None  # name -> hash of the file, of code outside Parlor, which is not run to read a configuration

    def __post_init__(self) -> None:
        """Refuse invalid settings, and fill in the learner's defaults."""
        if self.files:
            super().__post_init__()
            return
        object.__setattr__(self, "files", files_of([self.algorithm]))
        row = self.learner
        if self.settings is None:
            object.__setattr__(self, "settings", row.settings())
        if not self.parallel:
            object.__setattr__(self, "parallel", row.parallel[0])
        super().__post_init__()
        if not self.games and not self.minutes:
            raise GameError("games must be at least 1, not 0, unless minutes are given.")
        if self.parallel not in row.parallel:
            raise GameError(f"{self.algorithm} runs in parallel mode {' or '.join(row.parallel)}, not {self.parallel}.")
        for name in ("games", "evaluate_every", "checkpoint_every"):
            if getattr(self, name) % self.step:
                raise GameError(
                    f"{name} must be a multiple of the batch of {self.step} games, not {getattr(self, name)}: "
                    f"a batch cannot be interrupted. Choose another number, or another batch."
                )

    @property
    def learner(self) -> LearnerRow:
        """The learner."""
        return LEARNERS.row(self.algorithm)

    @property
    def measures(self) -> Mapping[str, MetricColumn]:
        """The titles and scales of its statistics, to draw them; of code outside Parlor that is not known."""
        return LEARNERS[self.algorithm].measures if self.algorithm in LEARNERS else {}

    @property
    def step(self) -> int:
        """A run can be interrupted at multiples of this."""
        return self.learner.step(self.settings, self.parallel)

    @property
    def goal(self) -> int:
        """The number of games at which the run ends, if it does not end by the clock."""
        return self.games or FOREVER

    def data(self) -> dict[str, Any]:
        """As it goes to JSON: the settings of every run and those of this learner, in one list."""
        files = {"files": self.files} if self.files else {}
        return super().data() | self.settings.data() | files

    @classmethod
    def of(cls, game: str, algorithm: str, **values: Any) -> Config:
        """From one list of the settings of every run and of the learner."""
        row = LEARNERS.row(algorithm)
        own = {one.name for one in declared(row.settings)}
        mine = {name: value for name, value in values.items() if name not in own}
        if unknown := sorted(set(mine) - {one.name for one in declared(cls)}):
            raise GameError(f"{algorithm} has no setting {unknown[0]!r}; it has: {', '.join(sorted(own)) or 'none'}.")
        settings = row.settings(**{name: value for name, value in values.items() if name in own})
        return cls(game, algorithm, **mine, settings=settings)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Config:
        """As it comes from JSON; earlier versions wrote the settings of all learners."""
        for name in ("game", "algorithm"):
            if name not in data:
                raise GameError(f"The configuration does not name its {name}.")
        mine = {one.name: one.read(data[one.name]) for one in declared(cls) if one.name in data}
        rest = {name: value for name, value in data.items() if name not in mine and name != "files"}
        LEARNERS.check_name(algorithm := mine["algorithm"])
        if algorithm in LEARNERS:
            known = {one.name for row in LEARNERS.values() for one in declared(row.settings)}
            if extra := set(rest) - known:
                raise GameError(f"The configuration has unknown entries: {', '.join(sorted(extra))}.")
            own = {one.name for one in declared(LEARNERS[algorithm].settings)}
            rest = {name: value for name, value in rest.items() if name in own}
        files = dict(data.get("files", dict.fromkeys([algorithm] if is_python(algorithm) else [], "unknown")))
        return cls(**mine, settings=LEARNERS.recorded(algorithm, rest), files=files)


def usual(game: Game, algorithm: str, requested: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults of a learner for a game, changed by what is requested."""
    declared_here: dict[str, Any] = {}
    training = game.training
    if algorithm == training.algorithm:
        declared_here = {**training.settings, **training.presets.get(game.options.get("preset", ""), {})}
    values = {**LEARNERS.row(algorithm).usual, **declared_here}
    if "games" in requested:  # a run with one of them does not stop at the other
        values["minutes"] = 0.0
        if values.get("checkpoint_minutes") and not {"evaluate_every", "checkpoint_minutes"} & requested.keys():
            every = max(1, int(requested["games"]) // PARTS)  # by the clock, it would not be the same twice
            values |= {"evaluate_every": every, "checkpoint_every": every, "checkpoint_minutes": 0.0}
    elif "minutes" in requested:
        values["games"] = 0
        if not {"evaluate_every", "checkpoint_every", "checkpoint_minutes"} & requested.keys():
            values |= _by_the_clock(values, float(requested["minutes"]))
    return {**values, **requested}


def _by_the_clock(values: Mapping[str, Any], minutes: float) -> dict[str, Any]:
    """The steps of a run that ends by the clock: a checkpoint with an evaluation ten times, however fast games are."""
    every = min(values.get("checkpoint_minutes") or math.inf, minutes / PARTS)
    return {"evaluate_every": 0, "checkpoint_every": 0, "checkpoint_minutes": every}
