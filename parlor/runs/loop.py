"""A training run: learn, look, keep; and go on after an interruption as if there had been none.

A run is a folder:

    config.json               what the run is, before it begins
    checkpoints/00000250.json after so many games: all that is needed to go on, and a policy
    metrics.jsonl             what each evaluation measured
    timing.jsonl              how fast it went: the one part that is never the same twice

A run that was killed goes on from its newest checkpoint. Training games are named by the run's seed and their number,
so the result is the same to the byte, unless the mode is `unordered` or the code has changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from parlor.agents import Agent, make_agent, policy_agent, table_of
from parlor.arena.match import STARTS, play_match
from parlor.game import Game, GameError
from parlor.games import load
from parlor.native import version
from parlor.policy import Policy
from parlor.runs.checkpoint import FileError
from parlor.runs.config import Config
from parlor.runs.executors import WorkerError, hire
from parlor.runs.learners import Learner, MccfrLearner, RolloutLearner, simulator
from parlor.runs.metrics import Metrics
from parlor.runs.training import (
    code_version,
    load_checkpoint,
    load_config,
    newest,
    save_checkpoint,
    save_config,
)
from parlor.solvers.abstraction import lift
from parlor.solvers.best_response import evaluate
from parlor.solvers.rollout_cfr import Workers
from parlor.solvers.tree import tree_in_passing

CHUNK = 50  # games between two looks at the clock, if nothing else happens before


class Run:
    """A training run in its folder. `train` goes on with it to the end, or to where `tell` says no."""

    def __init__(self, folder: str | Path, config: Config, resumed: bool = False) -> None:
        self.folder = Path(folder)
        self.config = config
        self.game = load(config.game)
        self.code = code_version()
        self.resumed = resumed
        self.last: Path | None = newest(self.folder) if resumed else None  # the newest checkpoint
        self.row: dict[str, Any] = {}  # the newest metrics
        self.seconds = 0.0
        self.remarks: list[str] = []
        self._opponents: list[Agent] = []
        concrete = self.game.concrete or self.game
        self._measurable = bool(config.evaluate_every) and tree_in_passing(concrete) is not None
        if config.evaluate_every and self.game.players == 2:
            self._opponents = [make_agent(name, table_of(self.game)) for name in config.against]

    @staticmethod
    def begin(folder: str | Path, config: Config) -> Run:
        """A new run."""
        folder = Path(folder)
        run = Run(folder, config)  # complains, if anything about it is wrong
        if (folder / "config.json").exists():
            raise FileError(f"{folder} holds a training run already; resume it, or choose another folder.")
        save_config(folder, run.game, config, run.code)
        return run

    @staticmethod
    def resume(folder: str | Path, games: int | None = None) -> Run:
        """A run that is there already, perhaps with more games than it was going to have."""
        folder = Path(folder)
        config, head = load_config(folder)
        if games is not None:
            config = replace(config, games=games)
        run = Run(folder, config, resumed=True)
        if head.get("rules") != version(run.game):
            raise FileError(
                f"The run in {folder} was made with other rules of {config.game} (version {head.get('rules')}, "
                f"now {version(run.game)}); it cannot go on. Begin a new one."
            )
        if head.get("code") != run.code:
            run.remarks.append(f"The run was begun with version {head.get('code')}, this is {run.code}.")
        if games is not None:
            save_config(folder, run.game, config, head["code"])
        return run

    def train(
        self,
        *,
        backend: str = "threads",
        workers: int = 1,
        address: str | None = None,
        wandb: str | None = None,
        tensorboard: bool = False,
        tell: Callable[[Run, Learner], bool] = lambda run, learner: True,
    ) -> Learner:
        """Go on to the last game; `tell` hears of progress and may say no, after which a checkpoint is made."""
        c = self.config
        rollouts = c.algorithm == "rollout-cfr"
        if not rollouts and backend != "threads":
            raise GameError(f"{c.algorithm} keeps its table in the memory of one process: its backend is threads.")
        if c.parallel == "none":
            workers = 1
        crew: Workers | None = hire(backend, workers, address, simulator(self.game, c)) if rollouts else None
        learner: Learner = RolloutLearner(self.game, c, crew) if crew else MccfrLearner(self.game, c, workers)
        try:
            self._take_out(learner)
            keep = learner.games if self.resumed else None
            with Metrics(
                self.folder, keep=keep, wandb=wandb, tensorboard=tensorboard, config=c.data() | {"code": self.code}
            ) as metrics:
                self._go_on(learner, metrics, tell, workers)
        except (WorkerError, FileError) as error:
            raise type(error)(f"{error} {self._what_is_left()}") from None
        finally:
            if crew:
                crew.close()
        return learner

    def _what_is_left(self) -> str:
        kept = f"Everything up to {self.last} is safe" if self.last else "There is no checkpoint yet"
        return f"{kept}; `parlor train --resume {self.folder}` goes on from there."

    def _take_out(self, learner: Learner) -> None:
        if self.last is None:
            return
        head, entries = load_checkpoint(self.last)
        if head["game"] != self.game.name or head["rules"] != version(self.game):
            raise FileError(
                f"{self.last} belongs to {head['game']} (rules {head['rules']}), not to {self.game.name} "
                f"(rules {version(self.game)})."
            )
        learner.restore(entries, head["games"])
        if learner.games > self.config.games:
            raise GameError(f"The run has {learner.games:,} games already, more than {self.config.games:,}.")

    def _go_on(self, learner: Learner, metrics: Metrics, tell: Callable[[Run, Learner], bool], threads: int) -> None:
        c, work = self.config, learner.work()
        began = time.perf_counter()
        first, since = learner.games, began
        if not learner.games and c.evaluate_every:
            self._look(learner, metrics, threads)
        while learner.games < c.games:
            wanted = [c.games, (learner.games // CHUNK + 1) * CHUNK]
            wanted += [
                (learner.games // every + 1) * every for every in (c.evaluate_every, c.checkpoint_every) if every
            ]
            goal = min(wanted)
            learner.run_to(min(-(-goal // c.step) * c.step, c.games))
            self.seconds = time.perf_counter() - began
            if c.evaluate_every and (learner.games % c.evaluate_every == 0 or learner.games == c.games):
                elapsed, done = time.perf_counter() - since, learner.work()
                rates = {f"{name}_per_s": (done[name] - work[name]) / elapsed for name in done}
                rates |= {"games_per_s": (learner.games - first) / elapsed, "seconds": self.seconds}
                self._look(learner, metrics, threads)
                metrics.log_timing({"games": learner.games} | rates)
                work, first, since = done, learner.games, time.perf_counter()
            enough = learner.games >= c.games
            if enough or (c.checkpoint_every and learner.games % c.checkpoint_every == 0):
                self._keep(learner)
            if not tell(self, learner):
                break
        if self.last is None or int(self.last.stem) != learner.games:
            self._keep(learner)

    def _keep(self, learner: Learner) -> None:
        self.last = save_checkpoint(self.folder, self.game, self.config, self.code, learner)

    def _look(self, learner: Learner, metrics: Metrics, threads: int) -> None:
        """Measure, and write it down."""
        policy = learner.policy()
        row = {"games": learner.games} | learner.statistics()
        if self._measurable:
            row["exploitability"] = exploitability(self.game, policy)
        if self._opponents:
            row["wins"] = self._wins(policy, threads)
        self.row = row
        metrics.log(row)

    def _wins(self, policy: Policy, threads: int) -> dict[str, Any]:
        table, c = table_of(self.game), self.config
        me = policy_agent(policy, table, "agent")
        wins: dict[str, Any] = {}
        for name, opponent in zip(c.against, self._opponents, strict=True):
            for start in STARTS:
                rate = play_match(table, [me, opponent], c.evaluate_games, c.seed, start, threads=threads).rate
                told = {"rate": rate.value, "low": rate.low, "high": rate.high, "games": c.evaluate_games}
                wins.setdefault(name.partition("(")[0], {})[start] = told
        return wins


def exploitability(game: Game, policy: Policy) -> float:
    """What a best response in the concrete game gains against the policy; the game must be small enough for that."""
    concrete = game.concrete or game
    if game.concrete is not None:
        policy = lift(concrete, game, policy)
    return float(evaluate(concrete, policy).exploitability)
