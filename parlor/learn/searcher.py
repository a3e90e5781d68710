"""Players who search with networks, in many games at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor import compile as compiler
from parlor.game import Game
from parlor.game.rng import mix
from parlor.learn.evaluation import NATIVE, evaluation
from parlor.policies.beliefs import NETWORKS, BeliefNetwork, codes_of
from parlor.policies.features import features
from parlor.policies.members import MemberMind, Members, look, mind
from parlor.policies.nets import forward
from parlor.policies.opponents import shares_by_seat
from parlor.policies.planner import Planner
from parlor.search.posterior import PosteriorBelief, others_by_seat
from parlor.search.searches import Searches, SearchResults, SearchSettings

CHANCE_ALONE = "uniform"  # the belief that a network replaces


class Searcher:
    """Searches for those who are LEARNER in line-ups, against the others in them."""

    def __init__(
        self,
        game: Game,
        others: Members,
        trees: int,
        planner: Planner,
        simulations: int = 0,
        evaluate: str = NATIVE,
        belief: str = "",
    ) -> None:
        self.game, self._way = game, evaluate
        belief = belief or planner.belief
        self._codes = codes_of(game, belief) if belief in NETWORKS else None
        how = SearchSettings(
            simulations or planner.simulations, planner.c, planner.backup, CHANCE_ALONE if self._codes else belief
        )
        leaf = (planner.sizes, planner.weights.copy(), planner.scale) if evaluate == NATIVE else None
        shares = shares_by_seat(others)
        self.searches = Searches(game, others_by_seat(game, others, shares), trees, how, network=leaf)
        self._outputs = compiler.native(compute_all, game)
        if planner.network is not None:
            self._mind = mind(features(game).code, max(planner.network.sizes), planner.network.sizes[-1])
        self.use(planner)

    def use(self, planner: Planner) -> None:
        """Search with these networks from now on."""
        if self.searches.network is not None:
            self.searches.network[1][:] = planner.weights
        self._evaluate = evaluation(planner.sizes, planner.weights, planner.scale, self._way)
        self._network: BeliefNetwork | None = planner.network if self._codes else None

    def run(self, states: Any, players: Any, seeds: Any) -> SearchResults:
        """Search in all states."""

        def believing(first: int, count: int, belief: PosteriorBelief) -> None:
            assert self._network is not None
            assert self._codes is not None
            sizes, outputs = self._network.sizes, np.zeros((count, self._network.sizes[-1]), np.float32)
            self._outputs(states, first, players, np.array(sizes), self._network.weights, self._mind, outputs)
            codes, possible = belief.codes[:count], belief.count[:count]
            belief.chances[:count] = self._network.weigh(outputs, codes, possible, self._codes)

        believing_so = believing if self._network is not None else None
        return self.searches.run(states, players, seeds, self._evaluate, believing=believing_so)


def search_seeds(seed: int, games: Any, lengths: Any) -> Any:
    """A seed for each search: by the number of the game, and how far it has come."""
    named = zip(games.tolist(), lengths.tolist(), strict=True)
    return np.array([mix(mix(seed, game), length) for game, length in named], np.int64)


def compute_all(states: Any, first: int, players: Any, sizes: Any, weights: Any, mind: MemberMind, out: Any) -> None:
    """The outputs of a network for what players see."""
    for i in range(len(out)):
        count = look(states[first + i], int(players[first + i]), mind)
        forward(sizes, weights, mind.active, count, mind.layers, out[i])
