"""Policy-space response oracles: a population that grows by best responses to a mixture of itself.

Each player begins with one strategy, uniform play. An iteration solves the empirical game of all strategies so far by
a meta-solver, lets an oracle answer the mixture for each player, and adds the answers (Lanctot et al., 2017).
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.loading.registry import short_name
from parlor.game.parameters import Settings, setting
from parlor.game.rng import mix
from parlor.policies.mixture import Array, Mixture, correlated, independent, nash_gap, social_welfare
from parlor.policies.plans import Plans, plan, sequence_policy
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.population.empirical.empirical_game import Cell, EmpiricalGame
from parlor.population.meta import META_SOLVERS, solve, solve_by
from parlor.population.oracles import ORACLES, Task
from parlor.sequence_form.enumeration import TooLarge
from parlor.sequence_form.tree import tree, tree_if_small
from parlor.solvers.best_response import expected

MAX_CELLS = 40_000_000  # of an empirical game: about a gigabyte for four players
UNEQUAL = 1e-3  # by how much players may lose if they play alike, in proportion to payoffs, before it is said
SUPPORT = 0.01  # strategies with a larger probability are counted as played
OWN, SHARED = POPULATIONS = ("own", "shared")
PAYOFFS = ("auto", "exact", "simulated")

Row = dict[str, Any]
OpponentArrays = list[list[Strategy]]
#: (cells, members) -> for each cell the number of games, the sums of the payoffs by player, and those of their squares
Simulate = Callable[[Sequence[Cell], OpponentArrays], Sequence[tuple[int, Sequence[float], Sequence[float]]]]
RespondAll = Callable[[Sequence[Task]], Sequence[Strategy]]


@dataclass(frozen=True)
class PsroSettings(Settings):
    """The settings of the loop."""

    meta: str = setting("regret-matching", "the meta-solver: from payoffs to the mixture that oracles respond to")
    oracle: str = setting("exact", "the oracle: how best responses to the mixture are computed")
    population: str = setting(
        OWN,
        "a population of each player's own, or one shared by all, whose strategies play from every seat",
        words=POPULATIONS,
    )
    payoffs: str = setting(
        "auto", "payoffs of the empirical game: exact, or simulated; auto: exact where the game is small", words=PAYOFFS
    )
    explore: float = setting(
        0.0, "a share of uniform play, added to the mixture that oracles respond to", low=0.0, high=1.0
    )
    evaluate: str = setting(
        "",
        "a second meta-solver, only to measure with; by default nash for two players and zero sums, else "
        "regret-matching",
    )
    iterations: int = setting(100, "iterations in all", low=1)
    seed: int = setting(0, "the seed of all random streams of the run", low=0, high=2**63 - 1)

    def __post_init__(self) -> None:
        """Refuse invalid settings."""
        super().__post_init__()
        for meta in filter(None, (self.meta, self.evaluate)):
            META_SOLVERS.check_name(meta)
        ORACLES.check_name(self.oracle)


class Psro:
    """PSRO in progress: `step` does one iteration. Nothing here touches the disk."""

    def __init__(
        self,
        game: Game | str,
        settings: PsroSettings | None = None,
        *,
        meta_settings: Mapping[str, Any] | None = None,
        oracle_settings: Mapping[str, Any] | None = None,
        simulate: Simulate | None = None,
        respond_all: RespondAll | None = None,
    ) -> None:
        self.game = as_game(game)
        self.settings = s = settings or PsroSettings()
        self.oracle = ORACLES.row(s.oracle)
        self.oracle.check(self.game)
        self.oracle_settings = self.oracle.settings.for_owner(s.oracle, oracle_settings or {})
        self.meta_solver = META_SOLVERS.row(s.meta)
        self.meta_settings = self.meta_solver.settings.for_owner(s.meta, meta_settings or {})
        simple = self.game.players == 2 and self.game.kind == "zero-sum"
        self.fixed = s.evaluate or ("nash" if simple else "regret-matching")
        for name, row in ((s.meta, self.meta_solver), (self.fixed, META_SOLVERS.row(self.fixed))):
            if self.game.players > row.players:
                raise GameError(
                    f"{name} is for {row.players} players at most; {self.game.name} has {self.game.players}."
                )
        self._check_size(s.iterations)
        self.simulate = simulate
        self.respond_all = respond_all or (lambda tasks: [self.oracle.respond(task) for task in tasks])
        try:
            found = tree(self.game) if self.oracle.exact or s.payoffs == "exact" else tree_if_small(self.game)
        except TooLarge as error:
            what = "exact oracles need: choose another, such as dqn" if self.oracle.exact else "exact payoffs need"
            raise GameError(f"{str(error).partition('. ')[0]}. The whole game is what {what}.") from None
        self.plans = Plans(found) if found is not None else None
        self.simulated = s.payoffs == "simulated" or self.plans is None
        if self.simulated and simulate is None:
            raise GameError(
                f"The payoffs of {self.game.name} must be simulated, for which parlor.psro or `parlor psro` is needed."
            )
        self.members: OpponentArrays = [[] for _ in range(self.game.players)]
        self.empirical = EmpiricalGame(self.game.name, self.game.players)
        self.iteration = 0
        self.seconds: dict[str, float] = {}  # of the last step, by its part
        self._add([Policy.uniform(self.game)] * self.game.players, "uniform")
        self.mixture = self._solve()

    def _check_size(self, iterations: int) -> None:
        players = self.game.players
        EmpiricalGame(self.game.name, players)  # or a sentence: too many players
        cells = (iterations + 1) ** players
        if cells > MAX_CELLS:
            most = int(MAX_CELLS ** (1.0 / players)) - 1
            raise GameError(
                f"After {iterations:,} iterations the empirical game of {self.game.name} would have {cells:,} cells "
                f"for {players} players; at most {most:,} iterations are possible."
            )

    # ------------------------------------------------------------------------------------------- one iteration

    def step(self) -> Row:
        """One iteration: answer the mixture, fill the new cells, solve, measure. Returns the row of metrics."""
        self.seconds = {}
        self.iteration += 1
        self._add(self._clocked("oracle", self._answers), f"{short_name(self.settings.oracle)} {self.iteration}")
        self.mixture = self._clocked("meta", self._solve)
        return self._clocked("measure", self.measure)

    def _clocked(self, name: str, work: Callable[[], Any]) -> Any:
        began = time.perf_counter()
        done = work()
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began
        return done

    def _answers(self) -> Sequence[Strategy]:
        target = self.mixture.explored(self.settings.explore) if self.settings.explore else self.mixture
        return self.respond_all(
            [
                Task(
                    self.game,
                    player,
                    self.iteration,
                    mix(mix(mix(0, self.settings.seed), self.iteration), player),
                    self.members,
                    target,
                    self.oracle_settings,
                    self.plans if self.oracle.exact else None,
                )
                for player in range(self.game.players)
            ]
        )

    def _add(self, strategies: Sequence[Strategy], label: str) -> None:
        self._clocked("cells", lambda: self._fill(strategies, label))

    def _fill(self, strategies: Sequence[Strategy], label: str) -> None:
        """Add a strategy for each player, and the cells that are new with it."""
        for player, strategy in enumerate(strategies):
            self.members[player].append(strategy)
            number = self.empirical.add(player, label)
            if self.plans is not None:
                payoffs = self.plans.add(player, plan(self.plans.tree, strategy, player))
                if not self.simulated:
                    new = tuple(slice(number, None) if p == player else slice(None) for p in range(self.game.players))
                    self.empirical.set_exact(new, payoffs)
        if self.simulated:
            assert self.simulate is not None
            cells = self.empirical.missing()
            for cell, (count, sums, squares) in zip(cells, self.simulate(cells, self.members), strict=True):
                self.empirical.record(cell, count, sums, squares)

    def _payoffs(self) -> Array:
        """Return the payoffs of the empirical game to solve; if all share one population, averaged over seats."""
        shared = self.settings.population == SHARED
        return self.empirical.symmetrised() if shared else self.empirical.payoffs

    def _solve(self, name: str = "") -> Mixture:
        """The mixture of the empirical game, by the meta-solver or another one."""
        payoffs = self._payoffs()
        if name:
            found = solve(name, payoffs)
        else:
            found = solve_by(self.meta_solver, self.settings.meta, payoffs, self.meta_settings)
        if self.settings.population != SHARED:
            return found
        alike = symmetric(found)
        if alike.independent and nash_gap(alike, payoffs) > nash_gap(found, payoffs) + UNEQUAL * float(np.ptp(payoffs)):
            note = f"{name or self.settings.meta} lets the players mix differently; they play the mean of it."
            alike = replace(alike, note=f"{alike.note} {note}".strip())
        return alike

    # -------------------------------------------------------------------------------------------- what is measured

    def measure(self) -> Row:
        """The row of metrics of the population as it is."""
        payoffs = self._payoffs()
        row: Row = {
            "iteration": self.iteration,
            "strategies": list(self.empirical.shape),
            "cells": int(self.empirical.counts.size),
            "games": self.empirical.games,
            "empirical_gap": nash_gap(self.mixture, payoffs),
            "support": [int((one > SUPPORT).sum()) for one in self.mixture.marginals],
            "mixture": [np.round(one, 6).tolist() for one in self.mixture.marginals],
        }
        if self.plans is not None:
            found = expected(self.plans.tree, self.plans.average(self.mixture.marginals))
            row |= {
                "nash_conv": found.nash_conv,
                "gains": [best - value for best, value in zip(found.best_responses, found.values, strict=True)],
                "values": list(found.values),
                "social_welfare": math.fsum(found.values),
            }
            if self.fixed == self.settings.meta:
                row["meta_nash_conv"] = found.nash_conv
            else:
                fixed = self.plans.average(self._solve(self.fixed).marginals)
                row["meta_nash_conv"] = expected(self.plans.tree, fixed).nash_conv
        else:
            values = [float((self.mixture.joint * payoff).sum()) for payoff in payoffs]
            row |= {"values": values, "social_welfare": math.fsum(values)}
        if not self.mixture.independent:  # what they get if they draw together, which averages cannot do
            row["joint_welfare"] = social_welfare(self.mixture, payoffs)
        if self.mixture.note:
            row["note"] = self.mixture.note
        return row

    def average(self) -> Policy:
        """The aggregate of the mixture for every player, exactly, where the game is enumerated."""
        if self.plans is None:
            raise GameError(f"{self.game.name} is too large for an exact average policy.")
        policy = sequence_policy(self.plans.tree, self.plans.average(self.mixture.marginals))
        return policy.with_about(
            algorithm="psro", meta=self.settings.meta, oracle=self.settings.oracle, iterations=self.iteration
        )

    # ------------------------------------------------------------------------------------------- save and restore

    def state(self) -> dict[str, Any]:
        """Return a checkpoint's data besides the members: the iteration, the empirical game and the mixture."""
        return {"iteration": self.iteration, "empirical": self.empirical.data(), "mixture": self.mixture}

    def restore(self, state: Mapping[str, Any], members: OpponentArrays) -> None:
        """The population as it was in `state`, with its members."""
        self.iteration, self.mixture = state["iteration"], state["mixture"]
        self.empirical, self.members = EmpiricalGame.from_data(state["empirical"]), [list(some) for some in members]
        if self.plans is not None:
            self.plans = Plans(self.plans.tree)
            for player, some in enumerate(members):
                for strategy in some:
                    self.plans.add_plan(player, plan(self.plans.tree, strategy, player))


def symmetric(mixture: Mixture) -> Mixture:
    """A mixture averaged over all orders of the players, for players who share one population."""
    players = len(mixture.marginals)
    if mixture.independent:
        return independent([np.mean(mixture.marginals, axis=0)] * players, mixture.note)
    orders = list(itertools.permutations(range(players)))
    joint: Array = np.mean([np.transpose(mixture.joint, order) for order in orders], axis=0)
    return correlated(joint, mixture.note)
