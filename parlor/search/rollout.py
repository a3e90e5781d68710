"""Rollouts: a state is played on, all players following one agent, the policy; and which moves the policy suggests.

A rollout ends with the game, or after `horizon` moves and outcomes, if the policy can say what a position is worth:
its `estimate` fills the payoff that each player can expect.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from parlor.compile.kernel import odds, payoff, turn
from parlor.game import CHANCE, OVER, Floats, Game, Ints, State
from parlor.game.rng import choose


@dataclass(frozen=True)
class SearchedMove:
    """A move at the root: how often it was tried, and the mean of what came of it."""

    action: int
    visits: int
    value: float | None  # None: it was not tried


@dataclass(frozen=True)
class SearchFindings:
    """The moves at the root of a search, none if there was none, and what the agent believes of what is hidden."""

    moves: tuple[SearchedMove, ...]
    goal: str = ""  # what values of moves count, as a noun; empty: the payoff of the player who searches
    belief: tuple[tuple[int, float], ...] = ()  # codes of hidden worlds, see `parlor.game.HiddenWorlds`, with chances


def rollout_legal(s: State, out: Ints) -> int:
    """A slot: the legal actions of the policy."""
    raise RuntimeError


def rollout_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """A slot: its probabilities."""
    raise RuntimeError


def rollout_decide(states: Any, g: int, p: int, moves: Ints, n: int, r: Ints, data: Any) -> int:
    """A slot: the index of its move, if it never draws; else -1."""
    return -1


def rollout_play(s: State, a: int) -> None:
    """A slot: how its actions, and chance, are played."""
    raise RuntimeError


def propose(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """A slot: how much each of the concrete `moves` deserves to be tried; by default, how likely it is."""
    rollout_probabilities(states, g, p, moves, n, out, r, data)


def estimate(states: Any, g: int, values: Floats, data: Any) -> None:
    """A slot: the payoff that each player can expect in `states[g]`; by default nothing is known."""
    for q in range(len(values)):
        values[q] = 0.0


class Rollout(NamedTuple):
    """The data of a rollout."""

    options: Any  # [actions] of the policy
    chances: Any  # [actions] of these
    odds: Any  # [outcomes]
    luck: Any  # [4]
    horizon: int  # the most moves and outcomes
    policy: Any  # its data
    order: Any  # [actions] which moves are tried, as indexes
    scores: Any  # [actions] what is proposed


def array(compiled: bool, *shape: int, whole: bool = False) -> Any:
    """Zeros: an array for compiled code, lists for plain Python, whose rules want its own numbers."""
    zeros = np.zeros(shape, np.int64 if whole else np.float64)
    return zeros if compiled else zeros.tolist()


def new_rollout(game: Game, horizon: int, policy: Any, compiled: bool) -> Rollout:
    """Working memory; `policy` is the policy's data."""
    return Rollout(
        array(compiled, game.actions, whole=True),
        array(compiled, game.actions),
        array(compiled, game.outcomes),
        array(compiled, 4, whole=True),
        horizon,
        policy,
        array(compiled, game.actions, whole=True),
        array(compiled, game.actions),
    )


def roll_out(states: Any, g: int, values: Floats, b: Rollout) -> None:
    """Play on in `states[g]`; fill what each player gets."""
    s = states[g]
    for _ in range(b.horizon):
        who = turn(s)
        if who == OVER:
            break
        if who == CHANCE:
            n = odds(s, b.odds)
            rollout_play(s, int(choose(b.luck, b.odds, n)))
            continue
        move_by_policy(states, g, who, b)
    if turn(s) == OVER:
        for q in range(len(values)):
            values[q] = payoff(s, q)
    else:
        estimate(states, g, values, b.policy)


def move_by_policy(states: Any, g: int, p: int, b: Rollout) -> None:
    """Make the move of player `p` that the policy makes, or draws."""
    s = states[g]
    n = rollout_legal(s, b.options)
    i = 0
    if n > 1:
        i = rollout_decide(states, g, p, b.options, n, b.luck, b.policy)
        if i < 0:
            policy_chances(states, g, p, b.options, n, b.chances, b)
            i = choose(b.luck, b.chances, n)
    rollout_play(s, int(b.options[i]))


def policy_chances(states: Any, g: int, p: int, moves: Ints, n: int, chances: Floats, b: Rollout) -> None:
    """The policy's probabilities of its moves; all alike where it does not know the place."""
    rollout_probabilities(states, g, p, moves, n, chances, b.luck, b.policy)
    if chances[0] < 0.0:
        for i in range(n):
            chances[i] = 1.0 / n


def rank_moves(states: Any, g: int, p: int, moves: Ints, n: int, most: int, b: Rollout) -> int:
    """Fill `b.order` with the indexes of the moves to try, and return how many they are.

    The `most` that the policy proposes, best first; or all of them in their own order, if `most` is 0 or the policy
    does not know this place.
    """
    order, scores = b.order, b.scores
    if most:
        propose(states, g, p, moves, n, scores, b.luck, b.policy)
    if most == 0 or scores[0] < 0.0:
        for i in range(n):
            order[i] = i
        return n
    count = 0
    while count < most:
        best = 0
        for i in range(1, n):
            if scores[i] > scores[best]:
                best = i
        if scores[best] <= 0.0:
            break
        scores[best] = 0.0
        order[count] = best
        count += 1
    return count
