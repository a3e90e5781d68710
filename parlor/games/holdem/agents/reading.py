"""Reading a state of hold'em, for its hand-written agents, whatever the blinds and stacks; for kernels.

Amounts come from the state and from the list of legal actions, of which the last is all-in, never from the options of a
game; so one function plays every variant.
"""

from __future__ import annotations

from typing import Any

from parlor.game import Floats, Ints, State
from parlor.game.rng import below
from parlor.games.holdem.bets import BASE, FOLD, IN
from parlor.games.holdem.rules import HANDS
from parlor.poker.hands.cards import DECK
from parlor.poker.hands.hand_strength import KEYS, MASKS, strength_of, sums

# --------------------------------------------------------------------------------------------------- moves


def only(n: int, i: int, out: Floats) -> None:
    """Put all probability on the action `i`."""
    for j in range(n):
        out[j] = 1.0 if j == i else 0.0


def calling(moves: Ints) -> int:
    """The index of CALL in the list."""
    return 1 if moves[0] == FOLD else 0


def passing(moves: Ints) -> int:
    """The index of the passive move: a fold, or a check if that is free."""
    return 0


def raising(s: State, moves: Ints, n: int, chips: int) -> int:
    """The index of the bet or raise nearest to so many chips of the street; that of a call, if there is none."""
    first = calling(moves) + 1
    if first >= n:
        return calling(moves)
    wanted = s.betting[BASE] + chips
    return first + min(max(wanted - (moves[first] - 1), 0), n - 1 - first)


def pot(s: State) -> int:
    """All chips in the pot."""
    return s.betting[IN] + s.betting[IN + 1]


def price(s: State, p: int) -> int:
    """The price of a call, if there are enough chips."""
    return max(s.betting[IN + 1 - p] - s.betting[IN + p], 0)


def of_pot(s: State, share: float) -> int:
    """Chips of the street that a bet or raise of that share of the pot goes to."""
    highest = max(s.betting[IN], s.betting[IN + 1])
    return highest + int(2 * highest * share) - s.betting[BASE]


# --------------------------------------------------------------------------------------------------- cards


def lying(s: State) -> int:
    """The number of cards on the board."""
    return s.dealt - HANDS


def judge(s: State, p: int, r: Ints, data: Any) -> float:
    """A slot: how likely the cards of player `p` are to win against a random hand."""
    raise RuntimeError


def by_samples(s: State, p: int, r: Ints, data: Any) -> float:
    """By random deals: the share that is not lost, a tie counting `tie`."""
    samples, tie = data
    have = lying(s)
    key, mask = sums(s.hole[p], 2)
    board_key, board_mask = sums(s.board, have)
    won = 0
    tied = 0
    for _ in range(samples):
        seen = mask + board_mask
        other_key = 0
        other_mask = 0
        shown_key = board_key
        for i in range(have - 2, len(s.board)):  # two for the other, and the rest of the board
            card = below(r, DECK)
            while seen & MASKS[card] != 0:
                card = below(r, DECK)
            seen += MASKS[card]
            if i < have:
                other_key += KEYS[card]
            else:
                shown_key += KEYS[card]
            if i == have - 1:
                other_mask = seen - mask - board_mask
        shown_mask = seen - mask - other_mask
        mine = strength_of(key + shown_key, mask + shown_mask)
        other = strength_of(other_key + shown_key, other_mask + shown_mask)
        if mine > other:
            won += 1
        elif mine == other:
            tied += 1
    return (won + tie * tied) / samples
