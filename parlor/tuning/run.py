"""A tuning run in its folder, which can be stopped, killed and resumed.

config.json     the configuration, written before it begins
journal.jsonl   what was played: all that is needed to go on, see `parlor.tuning.journal`
metrics.jsonl   a row for each generation
timing.jsonl    its speed
best.json       the tuned agent and the final numbers; of a run that was stopped, the best so far
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Self

from parlor.agents.registry import concrete_game
from parlor.arena.measures import MEASURES as ARENA
from parlor.compile import version
from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.runs.files.container import environment
from parlor.runs.measures import MetricColumn
from parlor.runs.metrics import read_metrics
from parlor.runs.run import Run
from parlor.runs.saved_agents import save_best
from parlor.runs.workers import WorkerOptions
from parlor.tuning.journal import TuningJournal
from parlor.tuning.search import TuneConfig
from parlor.tuning.tables import Interrupted
from parlor.tuning.tuner import Tuned, Tuner

JOURNAL = "journal.jsonl"
EVERYTHING = 1 << 62  # games


class TuneRun(Run[TuneConfig, Tuner]):
    """A tuning run; a step is a generation, or the final choice. It is resumed from its journal, not a checkpoint."""

    kind = "tuning"
    config_type = TuneConfig
    ends = ("games", "minutes", "generations")

    def __init__(self, folder: str | Path, config: TuneConfig) -> None:
        tuner = Tuner(config)  # an error if anything is wrong with it
        config = replace(config, against=tuple(tuner.against), measure=tuner.config.measure)
        super().__init__(folder, config)
        self.game = concrete_game(self.game)

    @classmethod
    def resume(cls, folder: str | Path, **more: Any) -> Self:
        """A run that exists already, perhaps with a larger budget; a smaller one would take back what was found."""
        run = super().resume(folder, **more)
        rows = read_metrics(folder)
        played = {"games": "search_games", "generations": "generation"}
        for name, column in played.items():
            most = max((row[column] for row in rows), default=0)
            if more.get(name) and more[name] < most:
                raise GameError(
                    f"A search of the run has played {most:,} {name} already, so {name} must be at least that, not "
                    f"{more[name]:,}."
                )
        begun = run._begun
        if begun is not None and more.get("minutes") and more["minutes"] < begun.minutes:
            raise GameError(f"The run has {begun.minutes:g} minutes, so minutes must be more, not {more['minutes']:g}.")
        return run

    def make(self, workers: WorkerOptions, stack: ExitStack, going: Callable[[], bool]) -> Tuner:
        """The tuner."""
        return Tuner(self.config, threads=workers.workers, going=going)

    def restore(self, work: Tuner, loaded: Any, stack: ExitStack) -> None:
        """Open the journal, in which the tuner finds what was played before."""
        work.journal = stack.enter_context(TuningJournal(self.folder / JOURNAL))
        self._steps, self._stopped, self._began = work.steps(), False, time.perf_counter()

    def done(self, work: Tuner) -> int:
        """Games so far."""
        return work.games

    def keep(self, work: Tuner) -> int:
        """All rows; with another budget they may be others."""
        return EVERYTHING if self._begun == self.config else -1

    def over(self, work: Tuner) -> bool:
        """Whether there is a result, or somebody has stopped the tuner inside a generation."""
        return work.tuned is not None or self._stopped

    def step(self, work: Tuner) -> None:
        """Play the next generation; in the end, choose and measure."""
        try:
            row = next(self._steps, None)
        except Interrupted:
            self._stopped = True
            return
        if row is not None:
            self.log(row)
            self.metrics.log_timing({"games": row["games"], "seconds": time.perf_counter() - self._began})

    def checkpoint(self, work: Tuner) -> None:
        """Save what was found."""
        numbers = dict(work.tuned.report) if work.tuned else {"unfinished": True, "games": work.games}
        head = {
            "game": self.game.name,
            "rules": version(self.game),
            "code": self.code,
            "made": environment(),
            "agent": work.tuned.agent if work.tuned else work.so_far(),
        }
        save_best(self.folder, head | numbers)

    def what_is_left(self) -> str:
        """Say what is kept, and how the run continues."""
        return f"What was played is kept; `parlor tune --resume {self.folder}` continues from there."


def measures_of(config: TuneConfig) -> dict[str, MetricColumn]:
    """The columns of the metrics, for plots."""
    scale: Literal["share", "linear"] = "share" if ARENA.own(config.measure).share else "linear"
    ends = {"value": "mean", "low": "lower end of its interval", "high": "upper end"}
    return {
        "score": MetricColumn(f"Score of a generation: {config.measure}", "higher", scale, ends),
        "best": MetricColumn("Highest score of a generation, luck included", "higher", scale),
        "spread": MetricColumn("How far the search looks around"),
        "reliability": MetricColumn("How far ranks can be trusted", "higher", "share"),
        "option": MetricColumn("Options at the centre of the search"),
    }


def tune(game: Game | str, agent: str, *, folder: str | Path | None = None, threads: int = 1, **settings: Any) -> Tuned:
    """Tune an agent: `tune("goofspiel", "matching", games=20_000)`; with a folder, as a run that can be resumed.

    The settings are those of `parlor.tuning.search.TuneConfig`, which `parlor tune --help` lists.
    """
    values = {
        name: (value,) if name == "method" and isinstance(value, str) else value for name, value in settings.items()
    }
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    config = TuneConfig.for_owner("tune", {"game": as_game(game).name, "agent": agent, **values})
    if folder is None:
        return Tuner(config, threads=threads).run()
    tuned = TuneRun.begin(folder, config).run(workers=threads).tuned
    assert tuned is not None
    return tuned
