"""Look-ahead: try every move in possible worlds, and take the one with the highest mean payoff.

At each decision it draws worlds that agree with what its player has seen, and in each of them plays every legal
move of the concrete game to the end, all players following a rollout agent; or only those moves that the rollout agent
itself is most likely to make (`moves`). The same worlds and the same random numbers serve all moves, so that
differences between moves are not due to luck.

Where the worlds come from: see `parlor.agents.searching.searching`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlor import compile as compiler
from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.agents.searching.searching import HORIZON, MOVES, POLICY, TO_THE_END, search_agent
from parlor.compile.kernel import copy, play
from parlor.game import Floats, Game, Ints
from parlor.game.parameters import Parameter
from parlor.game.rng import draw, seed_stream
from parlor.search.rollout import Rollout, array, rank_moves, roll_out
from parlor.search.world_table import sample_world


class LookAheadData(NamedTuple):
    """The parameters and working memory of look-ahead."""

    worlds: Any  # [2] a world; the same, played on
    rollouts: int
    moves: int  # how many are tried at most; 0: all
    values: Any  # [players] what came of a rollout
    belief: Any  # of `sample_world`
    rollout: Rollout


def rollout_search_probabilities(
    states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: LookAheadData
) -> None:
    """All on the move with the highest mean."""
    worlds, order, luck = data.worlds, data.rollout.order, data.rollout.luck
    seed_stream(luck, 0, 0)
    count = rank_moves(states, g, p, moves, n, data.moves, data.rollout)
    for i in range(n):
        out[i] = 0.0
    for _ in range(data.rollouts):
        sample_world(worlds, 0, states, g, p, r, data.belief)
        seed = draw(r)
        for k in range(count):
            copy(worlds, 1, worlds, 0)
            seed_stream(luck, seed, 0)
            play(worlds[1], int(moves[order[k]]))
            roll_out(worlds, 1, data.values, data.rollout)
            out[order[k]] += data.values[p]
    best = order[0]
    for k in range(1, count):
        i = order[k]
        if out[i] > out[best] or (out[i] == out[best] and i < best):
            best = i
    for i in range(n):
        out[i] = 1.0 if i == best else 0.0


def make(
    concrete: Game, name: str, rollouts: int, policy: CompiledAgent, moves: int = 0, horizon: int = TO_THE_END
) -> CompiledAgent:
    """With `rollouts` worlds for each decision; all players follow `policy` in them."""

    def data(compiled: bool, rollout: Rollout, belief: Any) -> LookAheadData:
        worlds, values = compiler.states(concrete, 2, compiled), array(compiled, concrete.players)
        return LookAheadData(worlds, rollouts, moves, values, belief, rollout)

    return search_agent(concrete, name, policy, rollout_search_probabilities, data, rollouts, moves, horizon)


SPEC = AgentSpec(
    "tries every move in possible worlds and takes the one with the highest mean payoff",
    make,
    settings={
        "rollouts": Parameter(20, "worlds for each decision", 1, 100_000, server_limit=5),
        "policy": POLICY,
        "moves": MOVES,
        "horizon": Parameter(TO_THE_END, HORIZON, 0, TO_THE_END),
    },
    name="Look-ahead Lou",
    made="Learned nothing: at each decision it plays every move to the end in a few possible worlds.",
)
