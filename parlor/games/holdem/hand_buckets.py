"""The bucket of a hand in a state of hold'em, by a card abstraction of `parlor.poker.hands.buckets`."""

from __future__ import annotations

from typing import Any

from parlor.game import Ints, State
from parlor.games.holdem.bets import STREET
from parlor.games.holdem.options import BOARD
from parlor.poker.hands.buckets import CardAbstractions, board_bucket, board_buckets, card_buckets, deal_hands
from parlor.poker.hands.isomorphism import CLASS_OF_HAND, HANDS, board_place, hand_class


def bucket_at(s: State, p: int, data: Any) -> int:
    """The bucket of player `p` in a state whose board is dealt as far as its street has it."""
    a = s.hole[p][0]
    b = s.hole[p][1]
    street = s.betting[STREET]
    if street == 0:
        return hand_class(a, b)
    flop, turn, river = data
    if street == 1:
        return board_bucket(flop, board_place(s.board, 3), a, b)
    if street == 2:
        return board_bucket(turn, board_place(s.board, 4), a, b)
    return board_bucket(river, board_place(s.board, 5), a, b)


def all_buckets(s: State, data: Any, out: Ints) -> None:
    """The buckets of all hands in a state whose board is dealt as far as its street has it."""
    flop, turn, river = data
    street = s.betting[STREET]
    if street == 0:
        for h in range(HANDS):
            out[h] = CLASS_OF_HAND[h]
    elif street == 1:
        board_buckets(flop, board_place(s.board, 3), out)
    elif street == 2:
        board_buckets(turn, board_place(s.board, 4), out)
    else:
        board_buckets(river, board_place(s.board, 5), out)


CARD_ABSTRACTIONS = CardAbstractions(BOARD, bucket_at, deal_hands, card_buckets)
