"""The strategy of an agent for every hand that it may hold, for responders that know its policy.

By default the agent is called hand by hand. One that can do all hands at once says so in `CompiledAgent.every_hand`,
whose functions fill the two slots here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlor.agents.agent import consider
from parlor.compile.kernel import FloatArray, States, resolve
from parlor.game import Ints, State
from parlor.poker.poker_rules import set_hand


class HandAnswers(NamedTuple):
    """The answers of an agent with each of H hands, in A concrete actions."""

    weights: FloatArray  # [H] zero for hands that need no answer
    plays: FloatArray  # [A, H] filled: the probability of each action
    acts: Any  # [A] filled: the actions
    moves: Any  # [A] to work with
    chances: Any  # [A] to work with
    groups: Any  # [H] see `sort_hands`


def answer_with_every_hand(states: States, g: int, p: int, out: HandAnswers, r: Ints, data: Any) -> int:
    """Fill what player `p` does in `states[g]` with each hand that has weight; the number of different actions."""
    weights, plays, acts, moves, chances, _ = out
    count = 0
    for h in range(len(weights)):
        if weights[h] == 0.0:
            continue
        set_hand(states[g], p, h)
        n = consider(states, g, p, moves, chances, r, data)
        if n < 0:
            return n
        for j in range(count):
            plays[j][h] = 0.0
        for i in range(n):
            if chances[i] == 0.0:
                continue
            a = resolve(states[g], int(moves[i]))
            j = 0
            while j < count and acts[j] != a:
                j += 1
            if j == count:
                acts[j] = a
                count += 1
                for k in range(len(weights)):
                    plays[j][k] = 0.0
            plays[j][h] += chances[i]
    return count


def sort_hands(s: State, data: Any, groups: Any) -> None:
    """A slot: what `answer_with_every_hand` needs to know of all hands once a deal."""
