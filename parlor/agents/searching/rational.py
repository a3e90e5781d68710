"""Rational planning: search against a population as it is mixed, with the networks that its own seat has learned.

Li et al. (2023), section 3.1: it expects the others to be as they were when it learned, and keeps the posterior of what
they hold and of who they are along the game. Its search (`parlor.search.ismcts`) tries first what the newest policy
network of its seat proposes, and ends simulations with what the value network says; both are computed inside the loop.
A network that was trained to search when it plays (`returns=search`) is seated so too, against those it learned from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.agents.population import table_for
from parlor.agents.random import make as make_random
from parlor.agents.searching.search import FAIR, MAX_EDGES, mixed
from parlor.agents.searching.searching import TO_THE_END, search_agent
from parlor.game import Game, GameError
from parlor.game.parameters import Parameter
from parlor.policies.beliefs import HEADS, BeliefNetwork, codes_of, mask_outputs, project_heads
from parlor.policies.features import features
from parlor.policies.nets import forward, softmax
from parlor.policies.opponents import NetworkWorkspace, encode_view, workspace
from parlor.policies.population import Population
from parlor.policies.search_networks import SearchNetworks
from parlor.policies.strategy import Strategy
from parlor.search.forest import with_room
from parlor.search.ismcts import BY_CODE, Search, evaluate_leaf, findings_of, search_probabilities, update_belief
from parlor.search.posterior import CHANCE_ALONE, OpponentModel, believe, new_belief
from parlor.search.rollout import Rollout
from parlor.search.searches import SearchSettings, new_search

EXACT, LEARNED = BELIEFS = ("exact", "learned")
MAX_SERVED = 300  # simulations of a decision at a server, in plain Python


class SeatNetworks(NamedTuple):
    """Policy-value networks and belief networks of P seats, of the same layers."""

    sizes: Any
    weights: Any  # [P, W]
    scale: Any  # [P]
    workspace: NetworkWorkspace
    belief_sizes: Any
    belief_weights: Any  # [P, V]
    belief_workspace: NetworkWorkspace
    outputs: Any  # [1, O]
    heads: Any  # [H]; empty: the outputs are of codes
    numbers: Any  # [C, H]
    combinations: Any  # [K, H]


def appraise_by_seat(b: Search, t: int, p: int) -> float:
    """The value of a leaf and the priors of its moves, by the networks of its player's seat."""
    leaf, n, moves = b.leaf, b.forest.width[t], b.scratch.moves
    count = encode_view(b.worlds[t], p, leaf.workspace)
    forward(leaf.sizes, leaf.weights[p], leaf.workspace.active, count, leaf.workspace.layers, leaf.workspace.outputs)
    for k in range(n):
        leaf.workspace.values[k] = leaf.workspace.outputs[moves[k]]
    softmax(leaf.workspace.values, n, 1.0, b.priors)
    return float(leaf.workspace.outputs[leaf.sizes[len(leaf.sizes) - 1] - 1] * leaf.scale[p])


def ponder_by_seat(b: Search, t: int, states: Any, g: int, p: int) -> None:
    """Compute the posterior over codes by the belief network of the seat, and over line-ups by the others' actions."""
    leaf, belief = b.leaf, b.belief
    believe(belief, t, states, g, p, CHANCE_ALONE, b.shares[p], b.scratch, b.others)
    count = encode_view(states[g], p, leaf.belief_workspace)
    working = leaf.belief_workspace
    forward(leaf.belief_sizes, leaf.belief_weights[p], working.active, count, working.layers, leaf.outputs[0])
    codes, possible, out = belief.codes[t : t + 1], belief.count[t : t + 1], belief.chances[t : t + 1]
    for k in range(out.shape[1]):
        out[0, k] = 0.0
    if len(leaf.heads) == 0:
        mask_outputs(leaf.outputs, codes, possible, out)
    else:
        numbers, combinations = leaf.numbers, leaf.combinations
        project_heads(leaf.outputs, codes, possible, leaf.heads, numbers, combinations, working.values, out)


def make(concrete: Game, name: str, population: Population, simulations: int = 0, belief: str = EXACT) -> CompiledAgent:
    """Against the population's own mixture, with the newest networks of each seat."""
    if belief not in BELIEFS:
        raise GameError(f"The belief of rational must be one of {', '.join(BELIEFS)}, not {belief!r}.")
    planners = [planner_of(one, name, p) for p, one in enumerate(population.newest)]
    return planning_agent(concrete, name, planners, mixed(concrete, name, population), simulations, belief)


def planner_of(strategy: Strategy, name: str, player: int) -> SearchNetworks:
    """The planner of the strategy in a seat."""
    search_networks: SearchNetworks | None = getattr(strategy, "search_networks", None)
    if search_networks is None:
        raise GameError(
            f"The newest strategy of player {player} in {name} is a {strategy.kind} that did not learn from search: "
            f"rational needs a population of the oracle abr."
        )
    return search_networks


def planning_agent(
    concrete: Game,
    name: str,
    planners: Sequence[SearchNetworks],
    others: OpponentModel,
    simulations: int = 0,
    belief: str = EXACT,
) -> CompiledAgent:
    """An agent that searches with a planner for each seat against others."""
    first = planners[0]
    by_network = belief not in FAIR
    how = SearchSettings(simulations or first.simulations, first.c, first.backup, EXACT if by_network else belief)
    nets = [one.network for one in planners]
    if any(one.sizes != first.sizes or one.backup != first.backup for one in planners):
        raise GameError(f"{name}: the seats have learned with different settings.")
    if by_network and None in nets:
        raise GameError(f"{name} has no belief network: choose the belief {EXACT}.")

    def data(compiled: bool, rollout: Rollout, guesses: Any) -> Search:
        believed, theirs = new_belief(concrete, 1, others.shares.shape[1]), others.data(compiled)
        leaf = seat_networks(concrete, planners)
        made = new_search(concrete, how, 1, compiled, rollout, believed, others.shares, theirs, leaf)
        return made._replace(forest=with_room(made.forest, min(how.simulations * concrete.actions, MAX_EDGES)))

    slots: dict[Any, Any] = {**BY_CODE, **others.slots, evaluate_leaf: appraise_by_seat}
    if by_network:
        slots[update_belief] = ponder_by_seat
    policy = make_random(concrete, "random", "none")
    return search_agent(concrete, name, policy, search_probabilities, data, 0, 0, TO_THE_END, findings_of, slots)


def seat_networks(game: Game, planners: Sequence[SearchNetworks]) -> SeatNetworks:
    """The networks of all seats, as kernels read them."""
    first, code = planners[0], features(game).code
    nets = [one.network for one in planners if one.network is not None]
    belief = nets[0] if nets else BeliefNetwork("learned", (1, 1), np.zeros(2, np.float32))
    codes = codes_of(game, belief.kind)
    heads = np.array(codes.heads if belief.kind == HEADS else (), np.int64)
    return SeatNetworks(
        np.array(first.sizes, np.int64),
        np.stack([one.weights for one in planners]),
        np.array([one.scale for one in planners]),
        workspace(code, max(first.sizes), first.sizes[-1]),
        np.array(belief.sizes, np.int64),
        np.stack([one.weights for one in nets] or [belief.weights]),
        workspace(code, max(belief.sizes), belief.sizes[-1]),
        np.zeros((1, belief.sizes[-1]), np.float32),
        heads,
        codes.numbers,
        codes.combinations if len(heads) else np.zeros((0, 0), np.int64),
    )


SPEC = AgentSpec(
    "searches against a population as it is mixed, with the newest networks of its own seat",
    make,
    settings={
        "population": Parameter(
            "", "the folder of a PSRO run with the oracle abr, or its file", names="file", file_kind=Population.kind
        ),
        "simulations": Parameter(
            0,
            "simulations for each decision; 0: as many as it learned with",
            0,
            100_000,
            server_limit=MAX_SERVED,
            server_low=1,
        ),
        "belief": Parameter(EXACT, f"what it believes of hidden things: {', '.join(BELIEFS)}, by its own network"),
    },
    game_of_file=table_for,
    accepts_file=lambda head: head.get("about", {}).get("oracle") == "abr",
    supports=lambda game: game.hidden.worlds is not None,
    name="Rational",
    made="Best responses by search, one after the other; at the table it searches on against all of them.",
    rated=False,
)
