"""A tabular policy as an agent: what a solver or a training run has learned.

It sees the game through the abstraction it was made for. At an unknown information set it plays uniformly.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from parlor.agents.agent import CompiledAgent, alike, seat_for
from parlor.compile.kernel import key
from parlor.game import Floats, Game, GameError, Ints
from parlor.policies.policy import Policy, locate
from parlor.solvers.policy_words import by_name


def row_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The row of the information set of player `p`."""
    keys, starts, probabilities = data
    i = locate(keys, 0, len(keys), key(states[g], p)) if len(keys) > 0 else -1
    if i < 0:
        alike(n, out)
        return
    first = starts[i]
    if starts[i + 1] - first != n:
        out[0] = -1.0  # the table is for other rules
        return
    for j in range(n):
        out[j] = probabilities[first + j]


def make(concrete: Game, name: str, policy: Policy) -> CompiledAgent:
    """The policy as an agent for the game it was made for, or for the concrete game of its abstraction."""
    game, seat, note = seat_for(concrete, name, policy)
    ordered = in_order(game, replace(policy, game=game.name))
    arrays = (ordered.keys, ordered.starts, ordered.probabilities)
    return CompiledAgent(
        name, seat, row_probabilities, lambda compiled: arrays, note=note, uses_history=seat.concrete is None
    )


def in_order(game: Game, policy: Policy) -> Policy:
    """The rows in the order of the game's actions, in whatever order they were saved."""
    if not policy.words:
        return policy
    if game.words.decode_key is None:
        return by_name(game, policy)
    probabilities = policy.probabilities.copy()
    for i, k in enumerate(policy.keys.tolist()):
        names, mine = tuple(game.words.decode_key(k).get("actions", ())), policy.words.get(k, ("", ()))[1]
        if mine and names and mine != names:
            if set(mine) != set(names):
                raise GameError(f"At key {k} the policy has {', '.join(mine)}, but the game has {', '.join(names)}.")
            row = probabilities[policy.starts[i] : policy.starts[i + 1]]
            row[:] = row[[mine.index(name) for name in names]]
    return replace(policy, probabilities=probabilities)
