"""Advantages: how much better a decision turned out than its player expected, estimated over many lengths.

Schulman et al., *High-dimensional continuous control using generalized advantage estimation* (2016), for any number of
players: a player's transition goes from one of its decisions to its next one in that game, whatever the others do in
between. Walking backwards through a window, what each player gets from here on is kept for each game and seat. Payoffs
come at the end of a game and are not discounted. A decision whose successor lies beyond the window is left out.

Between two players whose payoffs sum to zero, what one expects is what the other expects with the sign turned: there
the successor of a decision is the next one of either player.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import IntArray
from parlor.learn.gradient.actors import NOT_OVER, Window


class Advantages(NamedTuple):
    """Of T decisions of G games, float32."""

    advantage: Any  # [T, G] in units of the learner
    goal: Any  # [T, G] what its value should have been
    known: Any  # [T, G] 1, or 0 if it is left out


class Successors(NamedTuple):
    """Of each player: the next decision, or the end."""

    known: Any  # [P] whether there is one in the window
    payoff: Any  # [P] what was got until then
    value: Any  # [P] what was expected there; 0 at the end
    advantage: Any  # [P] of it


def advantages(window: Window, fading: float, zero_sum: bool) -> Advantages:
    """Of all decisions in a window; `fading` is λ, `zero_sum` if there are two players whose payoffs sum to zero."""
    found = Advantages(*(np.zeros(window.value.shape, np.float32) for _ in Advantages._fields))
    players = window.payoffs.shape[2]
    after = Successors(np.zeros(players, np.int64), *(np.zeros(players) for _ in range(3)))
    compiler.native(fill_advantages)(
        window.player, window.value, window.over, window.payoffs, fading, zero_sum, after, found
    )
    return found


def fill_advantages(
    player: IntArray,
    value: Any,
    over: IntArray,
    payoffs: Any,
    fading: float,
    zero_sum: bool,
    after: Successors,
    out: Advantages,
) -> None:
    """Walk backwards through every game."""
    steps, games, players = payoffs.shape
    for g in range(games):
        for p in range(players):
            after.known[p] = 0
        for t in range(steps - 1, -1, -1):
            if over[t, g] != NOT_OVER:
                for p in range(players):
                    after.known[p] = 1
                    after.payoff[p] = payoffs[t, g, p]
                    after.value[p] = 0.0
                    after.advantage[p] = 0.0
            p = player[t, g]
            here = float(value[t, g])
            advantage = 0.0
            if after.known[p] == 1:
                advantage = after.payoff[p] + after.value[p] - here + fading * after.advantage[p]
                out.advantage[t, g] = advantage
                out.goal[t, g] = advantage + here
                out.known[t, g] = 1.0
            after.known[p] = 1
            after.payoff[p] = 0.0
            after.value[p] = here
            after.advantage[p] = advantage
            if zero_sum:
                after.known[1 - p] = 1
                after.payoff[1 - p] = 0.0
                after.value[1 - p] = -here
                after.advantage[1 - p] = -advantage
