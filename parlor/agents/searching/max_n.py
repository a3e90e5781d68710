"""Max-n: search of all players' moves and all outcomes to a depth, in any game; see `parlor.search.max_n`."""

from __future__ import annotations

import math
from typing import Any

from parlor import compile as compiler
from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.agents.searching.searching import HORIZON, MOVES, POLICY, TO_THE_END, search_agent
from parlor.game import Game, GameError
from parlor.game.parameters import Parameter
from parlor.search.max_n import MaxN, max_n_probabilities
from parlor.search.rollout import Rollout, array
from parlor.search.world_table import is_open

OTHERS = ("maximise", "policy")
PRUNING = ("none", "star1", "star2")


def make(
    concrete: Game,
    name: str,
    policy: CompiledAgent,
    depth: int = 3,
    nodes: int = 2000,
    worlds: int = 5,
    rollouts: int = 1,
    moves: int = 0,
    others: str = "maximise",
    pruning: str = "star2",
    horizon: int = 0,
) -> CompiledAgent:
    """To a `depth` of moves and outcomes, as far as it can be reached within `nodes` states."""
    for setting, value, words in (("others", others, OTHERS), ("pruning", pruning, PRUNING)):
        if value not in words:
            raise GameError(f"{setting} must be {', '.join(words[:-1])} or {words[-1]}, not {value!r}.")
    if others == "policy" and policy.game.concrete:
        raise GameError(f"max-n cannot let the others follow {policy.name}, which plays an abstraction: omit others.")
    players = concrete.players
    zero_sum = concrete.kind == "zero-sum"
    least, greatest, total = concrete.payoffs or (-math.inf, math.inf, 0.0 if zero_sum else math.inf)
    shared = total if players == 2 else total - (players - 2) * least

    def data(compiled: bool, rollout: Rollout, belief: Any) -> MaxN:
        return MaxN(
            **_arrays(concrete, depth + 1, compiled),
            worlds=compiler.states(concrete, 1 if is_open(concrete) else worlds, compiled),
            depth=depth,
            nodes=nodes,
            most=moves,
            rollouts=1 if policy.estimate is not None and horizon == 0 else rollouts,
            others=OTHERS.index(others),
            pruning=PRUNING.index(pruning),
            deep=int(players == 2 and zero_sum),
            bounded=int(concrete.payoffs is not None),
            greatest=greatest,
            shared=shared,
            belief=belief,
            rollout=rollout,
        )

    return search_agent(concrete, name, policy, max_n_probabilities, data, worlds, moves, horizon)


def _arrays(concrete: Game, rows: int, compiled: bool) -> dict[str, Any]:
    """The arrays of a search of so many plies, by name."""
    players, width = concrete.players, max(concrete.actions, concrete.outcomes)
    plies, values, moves = (rows,), (rows, players), (rows, width)
    whole = {
        **dict.fromkeys(("count", "next", "probe", "at", "who", "inner", "single", "found"), plies),
        **{"moves": moves, "probed": moves, "counters": (2,)},
    }
    numbers = {
        **dict.fromkeys(("values", "needs", "rest"), values),
        **{"chances": moves, "upper": (*moves, players), "first": (*moves, players)},
        **{"totals": (concrete.actions,), "sample": (players,)},
    }
    return {
        "states": compiler.states(concrete, rows + 1, compiled),
        **{name: array(compiled, *shape, whole=True) for name, shape in whole.items()},
        **{name: array(compiled, *shape) for name, shape in numbers.items()},
    }


SPEC = AgentSpec(
    "searches all players' moves and all outcomes to a depth, each player taking what is best for itself",
    make,
    settings={
        "depth": Parameter(3, "moves and outcomes that it looks ahead, forced ones not counted", 1, 30),
        "nodes": Parameter(2000, "states for each decision: it goes as deep as they allow", 1, 10**9, server_limit=200),
        "worlds": Parameter(5, "possible worlds it searches in, where something is hidden", 1, 10_000, server_limit=2),
        "policy": POLICY,
        "rollouts": Parameter(1, "games played on at each end of the search", 1, 10_000, server_limit=1),
        "moves": MOVES,
        "others": Parameter("maximise", "the other players take what is best for them, or follow the policy: policy"),
        "pruning": Parameter("star2", "what cannot matter is left out: star2, star1 (fewer states), or none"),
        "horizon": Parameter(0, HORIZON, 0, TO_THE_END),
    },
    name="Expectimax Emma",
    rated=False,
    made="Learned nothing: at each decision it searches a few moves ahead.",
)
