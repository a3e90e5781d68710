"""A player who searches with networks, in many games at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor import native as compiler
from parlor.game import Game
from parlor.learn.beliefs import BeliefNetwork, codes_of
from parlor.learn.evaluation import NUMPY, evaluation
from parlor.learn.features import features
from parlor.learn.members import Members, Mind, look, mind
from parlor.learn.planner import Planner
from parlor.search.posterior import BELIEFS, Belief, others_of
from parlor.search.searches import Found, Searches, SearchSettings

CHANCE_ALONE = "uniform"  # the belief that a network replaces


class Searcher:
    """Searches for one seat, against line-ups of the others."""

    def __init__(
        self, game: Game, others: Members, trees: int, planner: Planner, simulations: int = 0, evaluate: str = NUMPY
    ) -> None:
        self.game = game
        belief = planner.belief if planner.belief in BELIEFS else CHANCE_ALONE
        how = SearchSettings(simulations or planner.simulations, planner.c, planner.backup, belief)
        self.searches = Searches(game, others_of(game, others), trees, how)
        self._way = evaluate
        self._codes = codes_of(game, planner.network.kind) if planner.network is not None else None
        self._look = compiler.native(see_all, game)
        self._mind = mind(features(game).code, 1, game.actions)
        self.use(planner)

    def use(self, planner: Planner) -> None:
        """Search with these networks from now on."""
        self._evaluate = evaluation(planner.sizes, planner.weights, planner.scale, self._way)
        self._network: BeliefNetwork | None = planner.network

    def run(self, states: Any, players: Any, seeds: Any) -> Found:
        """Search in all states."""

        def believing(first: int, count: int, belief: Belief) -> None:
            assert self._network is not None
            assert self._codes is not None
            seen = np.zeros((count, self._network.sizes[0]), np.float32)
            self._look(states, first, players, self._mind, seen)
            chances = self._network.weigh(seen, belief.codes[:count], belief.count[:count], self._codes)
            belief.chances[:count] = chances

        believing_so = believing if self._network is not None else None
        return self.searches.run(states, players, seeds, self._evaluate, believing=believing_so)


def see_all(states: Any, first: int, players: Any, mind: Mind, out: Any) -> None:
    """The features of what players see."""
    for i in range(len(out)):
        for k in range(look(states[first + i], int(players[first + i]), mind)):
            out[i, mind.active[k]] = 1.0
