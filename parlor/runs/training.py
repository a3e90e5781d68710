"""Training runs: a learner plays, is evaluated and saved; `train` chooses what suits the game.

Training games are named by the run's seed and their number, so the result is the same to the byte, unless the mode is
`unordered` or the code has changed.
"""

from __future__ import annotations

import math
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from parlor.agents.registry import concrete_game, policy_agent
from parlor.arena.match import STARTS, play_match
from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.rng import mix
from parlor.game.seats.play import Agent
from parlor.policies.strategy import Strategy
from parlor.runs.config import Config, usual
from parlor.runs.files.container import UNREADABLE, FileError
from parlor.runs.learners.learner import Job, Learner, ResourcePlan
from parlor.runs.learners.registry import LEARNERS, choose_abstraction, choose_learner
from parlor.runs.metrics import Row
from parlor.runs.run import Run, save_checkpoint
from parlor.runs.saved_agents import load_agent, read_policy
from parlor.runs.workers import WorkerOptions
from parlor.sequence_form.tree import tree_if_small
from parlor.solvers.abstraction import lift
from parlor.solvers.best_response import evaluate

SECONDS = 0.5  # between two checks whether to stop, about, if nothing else happens before

EVALUATION = 1  # names the random streams of evaluations


class TrainingRun(Run[Config, Learner]):
    """A training run: the learner runs to the next game at which something is due."""

    kind = "training"
    config_type = Config
    ends = ("games", "minutes")

    def __init__(self, folder: str | Path, config: Config) -> None:
        super().__init__(folder, config)
        against = config.against or config.learner.usual.get("against", self.game.training.against)
        self.config = c = replace(config, against=against)
        plan = c.learner.plan
        self.plan: ResourcePlan | None = plan(self.game, c.settings) if plan else None
        self._seconds_before = 0.0  # seconds before this process
        self._opponents: list[Agent] = []
        if c.evaluate_every or c.checkpoint_minutes:
            self._opponents = [load_agent(name, concrete_game(self.game)) for name in c.against]

    @classmethod
    def extended(cls, begun: Config, more: dict[str, Any]) -> Config:
        """As in a new run, one that is extended by games does not stop at its minutes, and the other way round."""
        if len(more) == 1:
            more |= {"minutes": 0.0} if more.get("games") else {"games": 0} if more.get("minutes") else {}
        return replace(begun, **more)

    @classmethod
    def resume(cls, folder: str | Path, **more: Any) -> Self:
        """A run that exists already, perhaps with more games or minutes."""
        run = super().resume(folder, **more)
        if more.get("minutes") and run._out_of_time:
            raise GameError(
                f"The run has trained for {run._seconds_before / 60.0:,.1f} minutes already, "
                f"so minutes must be more, not {more['minutes']:,g}."
            )
        return run

    def make(self, workers: WorkerOptions, stack: ExitStack, going: Callable[[], bool]) -> Learner:
        """The learner with its workers."""
        c, count = self.config, workers.workers if self.config.parallel != "none" else 1
        if workers.backend not in c.learner.backends:
            raise GameError(
                f"{c.algorithm} runs with backend {' or '.join(c.learner.backends)}, not {workers.backend!r}."
            )
        if self.plan:
            check_resources(self.plan, self.folder)
        self.threads = count
        job = Job(
            self.game, c.settings, c.seed, c.parallel, self.plan, count, workers.backend, workers.address, c.against,
            read_policy, lambda: self.progress(learner),
        )  # fmt: skip
        learner = c.learner.make(job)
        stack.callback(learner.close)
        return learner

    def examine(self, head: dict[str, Any]) -> None:
        """Raise FileError for a checkpoint that is not of this run."""
        super().examine(head)
        self._seconds_before = head.get("seconds", 0.0)

    def restore(self, work: Learner, loaded: Any, stack: ExitStack) -> None:
        """Restore the checkpoint."""
        if loaded is None:
            return
        head, entries = loaded
        try:
            work.restore(entries, head["games"])
        except FileError:
            raise
        except UNREADABLE as error:
            why = str(error) if isinstance(error, GameError) else f"It is damaged ({type(error).__name__})."
            raise FileError(
                f"{self.last} cannot be used. {why} Move it to another folder to continue from the checkpoint before."
            ) from None

    def done(self, work: Learner) -> int:
        """Games so far."""
        return work.games

    def over(self, work: Learner) -> bool:
        """Whether there are enough games, or the time is over."""
        return work.games >= self.goal or self._out_of_time

    def start(self, work: Learner) -> None:
        """Evaluate the learner that knows nothing, and look at the clock."""
        c = self.config
        self._began = self._since = time.perf_counter()
        self._due = self._began + 60.0 * c.checkpoint_minutes
        self._work, self._first = work.work(), work.games
        # unordered workers wait for the slowest
        self._least = 4 * self.threads if c.parallel == "unordered" else c.step
        self._pace = self._least
        if not work.games and c.evaluate_every:
            self._evaluate(work)

    def step(self, work: Learner) -> None:
        """Run to the next evaluation or checkpoint, or for half a second; evaluate and save, if it is time."""
        c, now = self.config, time.perf_counter()
        targets = [self.goal, work.games + self._pace]
        targets += [(work.games // every + 1) * every for every in (c.evaluate_every, c.checkpoint_every) if every]
        work.run_to(min(targets))
        self.seconds = time.perf_counter() - self._began
        slow = time.perf_counter() - now >= SECONDS
        self._pace = max(self._least, self._pace // 2 // c.step * c.step) if slow else 2 * self._pace
        over = self.over(work)
        clock = c.checkpoint_minutes > 0.0 and (time.perf_counter() >= self._due or over)
        if clock or (c.evaluate_every and (work.games % c.evaluate_every == 0 or over)):
            elapsed, done = time.perf_counter() - self._since, work.work()
            rates = {f"{name}_per_s": (done[name] - self._work[name]) / elapsed for name in done}
            rates |= {"games_per_s": (work.games - self._first) / elapsed, "seconds": self.seconds}
            self._evaluate(work)
            self.metrics.log_timing({"games": work.games} | rates)
            self._work, self._first, self._since = done, work.games, time.perf_counter()
        if over or clock or (c.checkpoint_every and work.games % c.checkpoint_every == 0):
            self.checkpoint(work)
            self._due = time.perf_counter() + 60.0 * c.checkpoint_minutes

    def checkpoint(self, work: Learner) -> None:
        """Save the policy with everything that the learner needs to go on."""
        seconds = {"seconds": self._seconds_before + self.seconds} if self.config.minutes else {}
        head = self.head(work) | seconds
        self.last = save_checkpoint(self.folder, head, self.game, work.policy(), work.entries(), self.by)

    @property
    def goal(self) -> int:
        """The number of games at which the run ends, if it does not end by the clock."""
        return self.config.goal

    def progress(self, work: Learner) -> float:
        """The share of the run that is done, by games or by the clock."""
        if not self.config.minutes:
            return work.games / self.goal
        return (self._seconds_before + time.perf_counter() - self._began) / (60.0 * self.config.minutes)

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do, as far as is known."""
        return self._out_of_time or super().finished

    @property
    def left(self) -> float:
        """Seconds of training left, by the clock; infinite if only games are counted."""
        return 60.0 * self.config.minutes - self._seconds_before - self.seconds if self.config.minutes else math.inf

    @property
    def _out_of_time(self) -> bool:
        return self.left <= 0.0

    def _evaluate(self, learner: Learner) -> None:
        """Evaluate, and write the metrics."""
        policy = learner.policy()
        row = {"games": learner.games} | learner.statistics()
        if (found := exploitability(self.game, policy)) is not None:
            row["exploitability"] = found
        if self._opponents:
            row["wins"] = self._wins(policy)
        self.log(row)

    def _wins(self, policy: Strategy) -> dict[str, Any]:
        concrete, c = concrete_game(self.game), self.config
        me = policy_agent(policy, concrete, "agent")
        seed = mix(mix(0, c.seed), EVALUATION)  # other deals than those of training
        threads = min(self.threads, os.cpu_count() or 1)  # workers may be on other machines, the arena is here
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


@dataclass(frozen=True)
class TrainResult:
    """The result of training."""

    policy: Strategy
    rows: list[Row] = field(repr=False)  # the metrics, evaluation by evaluation
    config: Config = field(repr=False)


def train(
    game: Game | str,
    algorithm: str | Callable[..., Any] = "",
    *,
    folder: str | Path | None = None,
    abstraction: str = "",
    bets: str = "",
    resolver: str = "",
    backend: str = "threads",
    workers: int = 1,
    address: str | None = None,
    **settings: Any,
) -> TrainResult:
    """Train by self-play: `train("leduc", "mccfr-external", games=5000)`; with a folder, as a run that can be resumed.

    Without an algorithm, one that suits the game is chosen; so are the abstraction, the betting tree (`bets`) and the
    resolver. An algorithm of your own is named by its file, `"my_file.py:Mine"`, or given itself. The settings are
    those of `parlor.runs.config.Config` and of the algorithm: see `parlor train --help`.
    """
    config = training_config(as_game(game), algorithm, abstraction, bets, resolver, settings)[0]
    if folder is not None:
        LEARNERS.check_lasting(config.algorithm, "a run in a folder")
    with tempfile.TemporaryDirectory() as temporary:
        run = TrainingRun.begin(folder or Path(temporary) / "run", config)
        learner = run.run(backend=backend, workers=workers, address=address)
        return TrainResult(learner.policy(), run.rows, run.config)


def training_config(
    game: Game, algorithm: Any, abstraction: str, bets: str, resolver: str, settings: dict[str, Any]
) -> tuple[Config, str]:
    """The configuration of a run, and why it has its algorithm, if that was chosen."""
    why = ""
    if algorithm:
        algorithm, written = LEARNERS.read(algorithm)
        settings = {**written.changed(), **settings}
    game = choose_abstraction(game, algorithm, abstraction, bets, resolver)
    if not algorithm:
        algorithm, why = choose_learner(game, settings)
    settings = {name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()}
    return Config.of(game.name, algorithm, **usual(game, algorithm, settings)), why


def labels(names: Sequence[str]) -> list[str]:
    """Agents without their options, unless two would have the same label."""
    short = [name.partition("(")[0] for name in names]
    return [s if short.count(s) == 1 else name for s, name in zip(short, names, strict=True)]


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


def exploitability(game: Game, strategy: Strategy) -> float | None:
    """The exploitability of a strategy in the concrete game; None if that cannot be enumerated."""
    concrete = game.concrete or game
    if strategy.table is None or tree_if_small(concrete) is None:
        return None
    policy = strategy.table
    if game.concrete is not None:
        policy = lift(concrete, game, policy)
    return float(evaluate(concrete, policy, enumerated=True).exploitability)
