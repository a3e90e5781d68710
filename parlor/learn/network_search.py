"""Players who search with networks, in many games at once.

Leaves are evaluated from features to logits and values, by NumPy or by JAX. Without either, a search computes its
network inside its own compiled loop, which on a CPU is fastest for small networks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import Float32Array, FloatArray, IntArray, States
from parlor.game import Game
from parlor.game.rng import mix
from parlor.learn.gradients import libraries
from parlor.policies.beliefs import NETWORKS, BeliefNetwork, codes_of
from parlor.policies.features import features
from parlor.policies.nets import Weights, apply, forward
from parlor.policies.opponents import NetworkWorkspace, OpponentArrays, encode_view, shares_by_seat, workspace
from parlor.policies.search_networks import SearchNetworks
from parlor.search.posterior import PosteriorBelief, opponent_model_by_seat
from parlor.search.searches import Evaluate, Searches, SearchResults, SearchSettings

CHANCE_ALONE = "uniform"  # the belief that a network replaces

NATIVE, NUMPY, JAX = WAYS = ("native", "numpy", "jax")


class NetworkSearch:
    """Searches for those who are LEARNER in line-ups, against the others in them."""

    def __init__(
        self,
        game: Game,
        others: OpponentArrays,
        trees: int,
        search_networks: SearchNetworks,
        simulations: int = 0,
        evaluate: str = NATIVE,
        belief: str = "",
    ) -> None:
        self.game, self._way = game, evaluate
        belief = belief or search_networks.belief
        self._codes = codes_of(game, belief) if belief in NETWORKS else None
        how = SearchSettings(
            simulations or search_networks.simulations,
            search_networks.c,
            search_networks.backup,
            CHANCE_ALONE if self._codes else belief,
        )
        leaf = (
            (search_networks.sizes, search_networks.weights.copy(), search_networks.scale)
            if evaluate == NATIVE
            else None
        )
        shares = shares_by_seat(others)
        self.searches = Searches(game, opponent_model_by_seat(game, others, shares), trees, how, network=leaf)
        self._outputs = compiler.native(compute_all, game)
        if search_networks.network is not None:
            self._mind = workspace(
                features(game).code, max(search_networks.network.sizes), search_networks.network.sizes[-1]
            )
        self.use(search_networks)

    def use(self, search_networks: SearchNetworks) -> None:
        """Search with these networks from now on."""
        if self.searches.network is not None:
            self.searches.network[1][:] = search_networks.weights
        self._evaluate = evaluation(search_networks.sizes, search_networks.weights, search_networks.scale, self._way)
        self._network: BeliefNetwork | None = search_networks.network if self._codes else None

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


def compute_all(
    states: States,
    first: int,
    players: IntArray,
    sizes: IntArray,
    weights: Float32Array,
    workspace: NetworkWorkspace,
    out: Float32Array,
) -> None:
    """The outputs of a network for what players see."""
    for i in range(len(out)):
        count = encode_view(states[first + i], int(players[first + i]), workspace)
        forward(sizes, weights, workspace.active, count, workspace.layers, out[i])


def evaluation(sizes: tuple[int, ...], weights: Weights, scale: float, way: str) -> Evaluate | None:
    """A function for searches; None if they need none. JAX computes on a GPU, if it finds one."""
    if way == NATIVE:
        return None
    if way == NUMPY:

        def evaluate(seen: Float32Array) -> tuple[Float32Array, FloatArray]:
            outputs = apply(sizes, weights, seen)
            return outputs[:, :-1], outputs[:, -1] * scale

        return evaluate
    jax, _ = libraries()
    there, compute = jax.numpy.asarray(weights), _compiled(sizes)

    def evaluate_by_jax(seen: Float32Array) -> tuple[Float32Array, FloatArray]:
        rows = 1 << max(len(seen) - 1, 0).bit_length()  # few different sizes, each of which is compiled
        padded = np.zeros((rows, seen.shape[1]), bool)
        padded[: len(seen)] = seen
        outputs = np.asarray(compute(there, padded))[: len(seen)]
        return outputs[:, :-1], outputs[:, -1] * scale

    return evaluate_by_jax


@functools.lru_cache(maxsize=32)
def _compiled(sizes: tuple[int, ...]) -> Callable[..., Any]:
    jax, _ = libraries()
    return jax.jit(lambda weights, seen: apply(sizes, weights, seen.astype(jax.numpy.float32)))
