"""Kinds of runs: a row for each says how its folder becomes what the API tells of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from parlor.game.loading.registry import short_name
from parlor.game.parameters import Parameter, Settings, declared
from parlor.population.run.run import BY, MEASURES, PsroRun
from parlor.runs import solving
from parlor.runs.measures import GAMES, MetricColumn
from parlor.runs.metrics import Row
from parlor.runs.saved_agents import BEST, load_best
from parlor.runs.solving import SolveRun
from parlor.runs.training import TrainingRun
from parlor.tuning.run import TuneRun, measures_of

Steps = Literal["games", "iterations"]


@dataclass(frozen=True)
class RunAbout:
    """A run's game, algorithm, settings, measures and goal, read from its folder."""

    game: str
    algorithm: str  # how it learns, for its title
    settings: Sequence[tuple[Parameter, Any]]  # with their values
    head: Mapping[str, Any]  # of its configuration
    measures: Mapping[str, MetricColumn]
    goal: int | None  # steps; nothing: it ends by the clock
    minutes: float = 0.0  # to take, by the clock
    finished: bool | None = None  # nothing: as the goal and the minutes tell


@dataclass(frozen=True)
class RunKind:
    """One kind of runs."""

    name: Literal["training", "tuning", "psro"]
    resume: str  # the command that continues one
    read: Callable[[Path, Sequence[Row]], RunAbout]  # its folder and its metrics; FileError if it cannot be read
    steps: Steps = "games"  # what its progress is counted in
    column: str = GAMES  # of its metrics, which counts them
    hidden: frozenset[str] = frozenset()  # columns of its metrics that are not curves


def _values(settings: Settings, of: str = "") -> list[tuple[Parameter, Any]]:
    """Settings with their values; those of a part are named with it."""
    values = settings.data()
    return [(replace(one, name=f"{of} {one.name}".strip()), values[one.name]) for one in declared(type(settings))]


def _training(folder: Path, rows: Sequence[Row]) -> RunAbout:
    config, head = TrainingRun.load_config(folder)
    settings = [*_values(config), *_values(config.settings)]
    algorithm = short_name(config.algorithm)
    return RunAbout(
        config.game, algorithm, settings, head, config.measures, config.games or None, minutes=config.minutes
    )


def _solving(folder: Path, rows: Sequence[Row]) -> RunAbout:
    config, head = SolveRun.load_config(folder)
    return RunAbout(
        config.game, short_name(config.algorithm), _values(config), head, solving.MEASURES, config.iterations or None
    )


def _tuning(folder: Path, rows: Sequence[Row]) -> RunAbout:
    config, head = TuneRun.load_config(folder)
    played = [row[GAMES] for row in rows[-1:]]
    goal = max(len(config.method) * config.games, *played, 1)
    finished = (folder / BEST).is_file() and not (load_best(folder) or {}).get("unfinished")
    settings, measures = _values(config), measures_of(config)
    return RunAbout(config.game, f"tuning {config.agent}", settings, head, measures, goal, finished=finished)


def _psro(folder: Path, rows: Sequence[Row]) -> RunAbout:
    config, head = PsroRun.load_config(folder)
    settings = [
        *_values(config),
        *_values(config.meta_settings, config.meta),
        *_values(config.oracle_settings, config.oracle),
    ]
    return RunAbout(config.game, f"PSRO with {short_name(config.meta)}", settings, head, MEASURES, config.iterations)


NOT_CURVES = frozenset({BY, "strategies", "cells", "mixture"})  # they grow by themselves, or are shown otherwise

#: By what the configuration of a run calls its kind.
RUN_KINDS: Mapping[str, RunKind] = {
    TrainingRun.kind: RunKind("training", "parlor train --resume", _training),
    SolveRun.kind: RunKind("training", "parlor solve --resume", _solving, "iterations", solving.BY),
    TuneRun.kind: RunKind("tuning", "parlor tune --resume", _tuning),
    PsroRun.kind: RunKind("psro", "parlor psro --resume", _psro, "iterations", BY, NOT_CURVES),
}
