"""MCTS: Monte-Carlo tree search at the table, in any game; see `parlor.search.mcts`."""

from __future__ import annotations

from typing import Any

from parlor import compile as compiler
from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.agents.searching.searching import HORIZON, MOVES, POLICY, TO_THE_END, search_agent
from parlor.game import Game
from parlor.game.parameters import Parameter
from parlor.search.mcts import SearchTree, findings_of, mcts_probabilities
from parlor.search.rollout import Rollout, array

MAX_EDGES = 1 << 21  # in a tree
ALONG_HISTORY = 100  # worlds, where they must be found in plain Python


def make(
    concrete: Game,
    name: str,
    simulations: int,
    policy: CompiledAgent,
    exploration: float = 0.7,
    moves: int = 0,
    widening: float = 1.0,
    horizon: int = TO_THE_END,
) -> CompiledAgent:
    """With `simulations` for each decision, which `policy` plays on."""
    width = min(moves, concrete.actions) if moves else concrete.actions
    edges = max(min((simulations + 1) * width, MAX_EDGES), width) + concrete.actions
    slots = 1 << (2 * simulations + 1).bit_length()

    def data(compiled: bool, rollout: Rollout, belief: Any) -> SearchTree:
        def integers(*shape: int) -> Any:
            return array(compiled, *shape, whole=True)

        return SearchTree(
            keys=integers(slots),
            rows=integers(slots),
            first=integers(simulations + 1),
            width=integers(simulations + 1),
            visits=integers(simulations + 1),
            moves=integers(edges),
            tries=integers(edges),
            totals=array(compiled, edges),
            path=integers(min(simulations, concrete.length) + 1, 3),
            counters=integers(2),
            span=array(compiled, 2),
            legal=integers(concrete.actions),
            world=compiler.states(concrete, 1, compiled),
            values=array(compiled, concrete.players),
            simulations=simulations,
            exploration=exploration,
            widening=widening,
            most=moves,
            belief=belief,
            rollout=rollout,
        )

    worlds = min(simulations, ALONG_HISTORY)
    return search_agent(concrete, name, policy, mcts_probabilities, data, worlds, moves, horizon, findings_of)


SPEC = AgentSpec(
    "Monte-Carlo tree search: tries again what has done well in simulated games",
    make,
    settings={
        "simulations": Parameter(300, "simulated games for each decision", 1, 1_000_000, server_limit=30),
        "policy": POLICY,
        "exploration": Parameter(0.7, "how much is tried that has not done well so far", 0.0, 100.0),
        "moves": MOVES,
        "widening": Parameter(1.0, "below 1, only visits^widening + 1 moves of a node are tried", 0.0, 1.0),
        "horizon": Parameter(TO_THE_END, HORIZON, 0, TO_THE_END),
    },
    name="Tree-search Theo",
    rated=False,
    made="Learned nothing: at each decision it grows a tree of simulated games.",
)
