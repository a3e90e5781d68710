"""A training run: learn, evaluate, save; and continue after an interruption as if there had been none.

A run is a folder:

    config.json               the configuration, written before it begins
    checkpoints/00000250.json after so many games: all that is needed to continue, and a policy
    metrics.jsonl             what each evaluation measured
    timing.jsonl              its speed: the one part that is never the same twice

A run that was killed continues from its newest checkpoint. Training games are named by the run's seed and their number,
so the result is the same to the byte, unless the mode is `unordered` or the code has changed.
"""

from __future__ import annotations

import math
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from parlor.agents.registry import concrete_game, policy_agent
from parlor.arena.match import STARTS, play_match
from parlor.compile import version
from parlor.game import Game, GameError
from parlor.game.loading import load
from parlor.game.rng import mix
from parlor.game.seats.play import Agent
from parlor.policies.strategy import Strategy
from parlor.runs.checkpoints import (
    CHECKPOINTS,
    CONFIG,
    Damaged,
    checkpoints,
    code_version,
    load_checkpoint,
    load_config,
    locked_folder,
    save_checkpoint,
    save_config,
)
from parlor.runs.config import Config
from parlor.runs.files.policy_files import UNREADABLE, FileError
from parlor.runs.learners.learner import Entry, Job, Learner, ResourcePlan
from parlor.runs.metrics import Metrics, read_metrics
from parlor.runs.saved_agents import load_agent, read_policy
from parlor.sequence_form.tree import tree_if_small
from parlor.solvers.abstraction import lift
from parlor.solvers.best_response import evaluate

SECONDS = 0.5  # between two checks whether to stop, about, if nothing else happens before

EVALUATION = 1  # names the random streams of evaluations


class Run:
    """A training run in its folder. `train` continues it to the end, or until `on_progress` returns false."""

    def __init__(self, folder: str | Path, config: Config, resumed: bool = False) -> None:
        self.folder = Path(folder)
        self.game = load(config.game)
        against = config.against or config.learner.usual.get("against", self.game.training.against)
        self.config = replace(config, against=against)
        self.code = code_version()
        self.resumed = resumed
        self.last: Path | None = None  # the newest checkpoint
        self.row: dict[str, Any] = {}  # the newest metrics
        self.seconds = 0.0
        self.remarks: list[str] = []
        self._loaded: tuple[dict[str, Any], list[Entry]] | None = None  # its content, until it is needed
        self._written: Config | None = None  # as in config.json
        plan = config.learner.plan
        self.plan: ResourcePlan | None = plan(self.game, config.settings) if plan else None
        self._seconds_before = 0.0  # seconds before this process
        self._opponents: list[Agent] = []
        if config.evaluate_every or config.checkpoint_minutes:
            self._opponents = [load_agent(name, concrete_game(self.game)) for name in self.config.against]

    @staticmethod
    def begin(folder: str | Path, config: Config) -> Run:
        """A new run."""
        folder = Path(folder)
        _check_vacant(folder)
        return Run(folder, config)  # raises an error for an invalid configuration

    @staticmethod
    def resume(folder: str | Path, games: int | None = None, minutes: float | None = None) -> Run:
        """A run that exists already, perhaps with a larger number of games or minutes.

        As in a new run, one that is extended by games does not stop at its minutes, and the other way round.
        """
        folder = Path(folder)
        begun, head = load_config(folder)
        if games and minutes is None:
            minutes = 0.0
        elif minutes and games is None:
            games = 0
        config = replace(
            begun,
            games=begun.games if games is None else games,
            minutes=begun.minutes if minutes is None else minutes,
        )
        run = Run(folder, config, resumed=True)
        run._written = begun
        if head.get("rules") != version(run.game):
            raise FileError(
                f"The run in {folder} was made with other rules of {config.game} (version {head.get('rules')}, "
                f"now {version(run.game)}); it cannot continue. Start a new one."
            )
        if head.get("code") != run.code:
            run.remarks.append(f"The run was started with version {head.get('code')}, this is {run.code}.")
        run._load_newest()
        if minutes and run._out_of_time:
            raise GameError(
                f"The run has trained for {run._seconds_before / 60.0:,.1f} minutes already, "
                f"so minutes must be more, not {minutes:,g}."
            )
        return run

    def train(
        self,
        *,
        backend: str = "threads",
        workers: int = 1,
        address: str | None = None,
        wandb: str | None = None,
        tensorboard: bool = False,
        on_progress: Callable[[Run, Learner], bool] = lambda run, learner: True,
    ) -> Learner:
        """Continue to the last game; `on_progress` is told of it, and stops the run by returning false: it is saved."""
        c = self.config
        if backend not in c.learner.backends:
            raise GameError(f"{c.algorithm} runs with backend {' or '.join(c.learner.backends)}, not {backend!r}.")
        if c.parallel == "none":
            workers = 1
        if self.plan:
            check_resources(self.plan, self.folder)
        job = Job(
            self.game, c.settings, c.seed, c.parallel, self.plan, workers, backend, address, c.against, read_policy
        )
        learner = c.learner.make(job)
        try:
            with locked_folder(self.folder):
                self._restore(learner)
                keep, about = learner.games if self.resumed else None, c.data() | {"code": self.code}
                self._write_config()
                try:
                    with Metrics(self.folder, keep=keep, wandb=wandb, tensorboard=tensorboard, config=about) as metrics:
                        self.row = (read_metrics(self.folder) or [{}])[-1]
                        self._loop(learner, metrics, on_progress, workers)
                except (GameError, FileError) as error:
                    raise type(error)(f"{error} {self._what_is_left()}") from None
                except Exception as error:
                    error.add_note(self._what_is_left())
                    raise
        finally:
            learner.close()
        return learner

    def _what_is_left(self) -> str:
        how = f"`parlor train --resume {self.folder}`"
        if self.last is None:
            return f"There is no checkpoint yet; {how} starts again from the first game."
        return f"Everything up to {self.last} is saved; {how} continues from there."

    def _load_newest(self) -> None:
        """Read the newest checkpoint that is readable."""
        found, broken = checkpoints(self.folder), ""
        for path in found:
            try:
                self._loaded, self.last = load_checkpoint(path), path
                break
            except Damaged as error:
                broken = broken or str(error)
        if broken and self.last is None:
            raise FileError(
                f"{broken} There is no older checkpoint to use instead. "
                f"Delete {self.folder / CHECKPOINTS} to start the run again from its first game."
            )
        if broken:
            self.remarks.append(f"{broken} The run continues from {self.last}; later games are played again.")
        if self._loaded is not None:
            self._examine(self._loaded[0])

    def _examine(self, head: dict[str, Any]) -> None:
        """Raise FileError for a checkpoint that is not of this run."""
        where, mine = f"{self.last} is a checkpoint of another run:", self.config.data()
        theirs = Config.read(head["config"]).data()
        if head["game"] != self.game.name or head["rules"] != version(self.game):
            raise FileError(
                f"{where} of {head['game']} (rules {head['rules']}), not {self.game.name} (rules {version(self.game)})."
            )
        for name in mine.keys() - {"games", "minutes"}:
            if theirs.get(name) != mine[name]:
                raise FileError(f"{where} its {name} is {theirs.get(name)}, not {mine[name]}.")
        self._seconds_before = head.get("seconds", 0.0)
        if head["games"] > self.config.goal:
            raise GameError(f"The run has {head['games']:,} games already, more than {self.config.games:,}.")

    def _restore(self, learner: Learner) -> None:
        """Restore the checkpoint."""
        for draft in (self.folder / CHECKPOINTS).glob(".*.draft"):
            draft.unlink(missing_ok=True)  # of a run that was killed while writing
        if self.last is None:
            return
        (head, entries), self._loaded = self._loaded or load_checkpoint(self.last), None
        try:
            learner.restore(entries, head["games"])
        except FileError:
            raise
        except UNREADABLE as error:
            why = str(error) if isinstance(error, GameError) else f"It is damaged ({type(error).__name__})."
            raise FileError(
                f"{self.last} cannot be used. {why} Move it to another folder to continue from the checkpoint before."
            ) from None

    def _write_config(self) -> None:
        """Write the configuration, once nothing can be wrong with it any more."""
        if self._written is None:
            _check_vacant(self.folder)
        if self._written != self.config:
            code = load_config(self.folder)[1]["code"] if self._written else self.code
            save_config(self.folder, self.game, self.config, code)
            self._written, self.resumed = self.config, True

    def _loop(
        self, learner: Learner, metrics: Metrics, on_progress: Callable[[Run, Learner], bool], workers: int
    ) -> None:
        c, work = self.config, learner.work()
        began = time.perf_counter()
        first, since = learner.games, began
        due = began + 60.0 * c.checkpoint_minutes
        least = 4 * workers if c.parallel == "unordered" else c.step  # unordered workers wait for the slowest
        pace = least
        if not learner.games and c.evaluate_every:
            self._evaluate(learner, metrics, workers)
        while learner.games < c.goal and not self._out_of_time:
            now = time.perf_counter()
            targets = [c.goal, learner.games + pace]
            targets += [
                (learner.games // every + 1) * every for every in (c.evaluate_every, c.checkpoint_every) if every
            ]
            learner.run_to(min(targets))
            self.seconds = time.perf_counter() - began
            pace = 2 * pace if time.perf_counter() - now < SECONDS else max(least, pace // 2 // c.step * c.step)
            over = learner.games >= c.goal or self._out_of_time
            clock = c.checkpoint_minutes > 0.0 and (time.perf_counter() >= due or over)
            if clock or (c.evaluate_every and (learner.games % c.evaluate_every == 0 or over)):
                elapsed, done = time.perf_counter() - since, learner.work()
                rates = {f"{name}_per_s": (done[name] - work[name]) / elapsed for name in done}
                rates |= {"games_per_s": (learner.games - first) / elapsed, "seconds": self.seconds}
                self._evaluate(learner, metrics, workers)
                metrics.log_timing({"games": learner.games} | rates)
                work, first, since = done, learner.games, time.perf_counter()
            if over or clock or (c.checkpoint_every and learner.games % c.checkpoint_every == 0):
                self._save_checkpoint(learner)
                due = time.perf_counter() + 60.0 * c.checkpoint_minutes
            if not on_progress(self, learner):
                break
        if self.last is None or int(self.last.stem) != learner.games:
            self._save_checkpoint(learner)

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do, as far as is known."""
        return self._out_of_time or (self.last is not None and int(self.last.stem) >= self.config.goal)

    @property
    def left(self) -> float:
        """Seconds of training left, by the clock; infinite if only games are counted."""
        return 60.0 * self.config.minutes - self._seconds_before - self.seconds if self.config.minutes else math.inf

    @property
    def _out_of_time(self) -> bool:
        return self.left <= 0.0

    def _save_checkpoint(self, learner: Learner) -> None:
        seconds = self._seconds_before + self.seconds
        self.last = save_checkpoint(self.folder, self.game, self.config, self.code, learner, seconds)

    def _evaluate(self, learner: Learner, metrics: Metrics, threads: int) -> None:
        """Evaluate, and write the metrics."""
        policy = learner.policy()
        row = {"games": learner.games} | learner.statistics()
        if (found := exploitability(self.game, policy)) is not None:
            row["exploitability"] = found
        if self._opponents:
            row["wins"] = self._wins(policy, threads)
        self.row = row
        metrics.log(row)

    def _wins(self, policy: Strategy, threads: int) -> dict[str, Any]:
        concrete, c = concrete_game(self.game), self.config
        me = policy_agent(policy, concrete, "agent")
        seed = mix(mix(0, c.seed), EVALUATION)  # other deals than those of training
        threads = min(threads, os.cpu_count() or 1)  # workers may be on other machines, the arena is here
        matches = {
            (name, start): play_match(concrete, [me, opponent], c.evaluate_games, seed, start, threads=threads)
            for name, opponent in zip(labels(c.against), self._opponents, strict=True)
            for start in STARTS
        }
        in_points = any(match.in_points for match in matches.values())  # of all alike, so that they can be compared
        wins: dict[str, Any] = {}
        for (name, start), match in matches.items():
            rate = match.score
            told: dict[str, Any] = {"rate": rate.value, "low": rate.low, "high": rate.high, "games": match.games}
            if in_points:
                told["payoff"] = vars(match.payoff)
            wins.setdefault(name, {})[start] = told
        return wins


def check_resources(plan: ResourcePlan, folder: Path) -> None:
    """Raise GameError, before anything begins, if there is too little memory or disk space."""
    free = available_memory()
    if plan.memory > free:
        raise GameError(
            f"Training needs {plan.memory / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free. {plan.advice}"
        )
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    room = shutil.disk_usage(there).free
    if plan.disk > room:
        raise GameError(
            f"Checkpoints need {plan.disk / 1e6:,.0f} MB in {folder}, and {room / 1e6:,.0f} MB are free. "
            f"Choose another folder. {plan.advice}"
        )


def available_memory() -> int:
    """Bytes of free memory; infinite where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return 1 << 62


def labels(names: Sequence[str]) -> list[str]:
    """Agents without their options, unless two would have the same label."""
    short = [name.partition("(")[0] for name in names]
    return [s if short.count(s) == 1 else name for s, name in zip(short, names, strict=True)]


def _check_vacant(folder: Path) -> None:
    if (folder / CONFIG).exists():
        raise FileError(
            f"{folder} holds a training run already; `parlor train --resume {folder}` continues it, "
            "or choose another folder."
        )


def exploitability(game: Game, strategy: Strategy) -> float | None:
    """The exploitability of a strategy in the concrete game; None if that cannot be enumerated."""
    concrete = game.concrete or game
    if strategy.table is None or tree_if_small(concrete) is None:
        return None
    policy = strategy.table
    if game.concrete is not None:
        policy = lift(concrete, game, policy)
    return float(evaluate(concrete, policy).exploitability)
