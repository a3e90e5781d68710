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
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from parlor.agents.registry import concrete_game
from parlor.arena.measures import find_measure
from parlor.compile import version
from parlor.game import Game
from parlor.game.loading import as_game, load
from parlor.runs.checkpoints import CONFIG, code_version, load_config_as, locked_folder, run_kind, save_config
from parlor.runs.files.policy_files import FileError
from parlor.runs.measures import MetricColumn
from parlor.runs.metrics import Metrics
from parlor.runs.tuned_agents import KIND, save_best
from parlor.tuning.config import TuneConfig
from parlor.tuning.journal import TuningJournal
from parlor.tuning.tables import Interrupted
from parlor.tuning.tuner import Row, Tuned, Tuner

JOURNAL = "journal.jsonl"
EVERYTHING = 1 << 62  # games


class TuneRun:
    """A tuning run; `tune` goes through it to the end, or until `on_progress` returns false."""

    def __init__(self, folder: Path, config: TuneConfig) -> None:
        self.folder = folder
        self.config = replace(config, against=tuple(Tuner(config).against))  # an error if anything is wrong with it
        self.remarks: list[str] = []
        self._begun: TuneConfig | None = None  # as it is in the folder
        self._code = code_version()

    @staticmethod
    def begin(folder: str | Path, config: TuneConfig) -> TuneRun:
        """A new run."""
        folder = Path(folder)
        if (folder / CONFIG).exists():
            how = f"`parlor tune --resume {folder}` continues it, or c" if run_kind(folder) == KIND else "c"
            raise FileError(f"{folder} holds a run already; {how}hoose another folder.")
        return TuneRun(folder, config)

    @staticmethod
    def resume(folder: str | Path, **more: Any) -> TuneRun:
        """A run that exists already, perhaps with a larger budget: games, minutes or generations."""
        folder = Path(folder)
        begun, head = load_tuning(folder)
        run = TuneRun(folder, replace(begun, **{name: value for name, value in more.items() if value is not None}))
        if head.get("rules") != version(load(begun.game)):
            raise FileError(
                f"The run in {folder} was made with other rules of {begun.game}; it cannot continue. Start a new one."
            )
        run._begun = begun
        if head.get("code") != run._code:
            run.remarks.append(f"The run was started with version {head.get('code')}, this is {run._code}.")
            run._code = str(head.get("code"))
        return run

    def tune(
        self, threads: int = 1, on_progress: Callable[[Tuner], bool] = lambda tuner: True
    ) -> tuple[Tuner, Tuned | None]:
        """Go on to the end: the tuner, and the result, or nothing if it was stopped."""
        keep: int | None = EVERYTHING
        if self._begun is None or self._begun != self.config:  # with a larger budget all rows may be others
            keep = None if self._begun is None else -1
        with (
            locked_folder(self.folder),
            TuningJournal(self.folder / JOURNAL) as journal,
            Metrics(self.folder, keep=keep) as metrics,
        ):
            if self._begun != self.config:
                save_config(self.folder, concrete_game(load(self.config.game)), self.config, self._code, KIND)
                self._begun = self.config
            began = time.perf_counter()

            def on_row(row: Row) -> None:
                metrics.log(row)
                metrics.log_timing({"games": row["games"], "seconds": time.perf_counter() - began})

            tuner = Tuner(self.config, journal, threads, on_progress, on_row)
            try:
                tuned = tuner.run()
                self._save(tuned.agent, dict(tuned.report))
            except Interrupted:
                tuned = None
                self._save(tuner.so_far(), {"unfinished": True, "games": tuner.games})
        return tuner, tuned

    def _save(self, agent: str, numbers: dict[str, Any]) -> None:
        game = concrete_game(load(self.config.game))
        head = {"game": game.name, "rules": version(game), "code": self._code, "agent": agent}
        save_best(self.folder, head | numbers)


def load_tuning(folder: Path) -> tuple[TuneConfig, dict[str, Any]]:
    """The configuration of the tuning run in a folder, and the whole content of its file."""
    if run_kind(folder) != KIND:
        raise FileError(f"There is no tuning run in {folder}.")
    return load_config_as(TuneConfig, folder)


def measures_of(config: TuneConfig) -> dict[str, MetricColumn]:
    """The columns of the metrics, for plots."""
    scale: Literal["share", "linear"] = "share" if find_measure(config.measure).share else "linear"
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

    The settings are those of `parlor.tuning.config.TuneConfig`, which `parlor tune --help` lists.
    """
    values = {
        name: (value,) if name == "method" and isinstance(value, str) else value for name, value in settings.items()
    }
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    config = TuneConfig.for_owner("tune", {"game": as_game(game).name, "agent": agent, **values})
    if folder is None:
        return Tuner(config, threads=threads).run()
    tuned = TuneRun.begin(folder, config).tune(threads)[1]
    assert tuned is not None
    return tuned
