"""Debts of Monopoly Deal in the abstractions: what the careful resolver pays with, and what keys know of a payment."""

from __future__ import annotations

from typing import Any

import pytest

from parlor.game.loading import load
from parlor.games.monopoly_deal.cards import ONE, PAY_CASH, THREE
from parlor.games.monopoly_deal.intents import GIVE_CASH

GAME = load("monopoly-deal")


def charged(owed: int, paid: int, ones: int, threes: int) -> Any:
    """Player 1 owes player 0 something and has so much in its bank."""
    state = GAME.start().state.copy()
    state.dealt, state.drawing, state.actor, state.demand = 2, 0, 0, 1
    state.owed, state.paid = owed, paid
    state.cash[1][ONE], state.cash[1][THREE] = ones, threes
    return state


@pytest.mark.parametrize(
    ("owed", "paid", "with_"),
    [(1, 0, ONE), (2, 0, THREE), (3, 0, THREE), (4, 0, THREE), (3, 2, ONE), (4, 3, ONE), (4, 2, THREE)],
)
def test_the_careful_resolver_pays_with_the_smallest_card_that_is_enough(owed: int, paid: int, with_: int) -> None:
    """A debt of $1 is never paid with $3 while there is a $1; what no card covers is paid with the largest."""
    careful = GAME.abstract("intent+careful")
    assert careful.abstraction.resolve(charged(owed, paid, ones=1, threes=1), GIVE_CASH) == PAY_CASH + with_


def test_counts_know_what_is_left_to_pay() -> None:
    counts = GAME.abstract("counts")
    assert counts.words.decode_key is not None
    left = [
        counts.words.decode_key(counts.rules.key(charged(4, paid, ones=1, threes=0), 1))["owes"] for paid in (0, 3, 4)
    ]
    assert left == ["more than the cash", "what the cash covers", "nothing"]


OPEN = [
    ("hand", (1, 2)), ("discard", (2,)), ("cash", (0, 0)), ("cash", (1, 1)), ("property", (0, 1)), ("property", (1, 2)),
    ("held", (0,)), ("left", ()), ("demand", ()), ("owed", ()), ("paid", ()), ("actor", ()), ("wanted", ()),
    ("idle", ()), ("streak", ()),
]  # fmt: skip


@pytest.mark.parametrize(("field", "place"), OPEN)
def test_the_key_of_what_lies_open_forgets_nothing_of_it(field: str, place: tuple[int, ...]) -> None:
    table = GAME.abstract("table")
    one, two = charged(4, 1, ones=1, threes=0), charged(4, 1, ones=1, threes=0)
    at: Any = two
    for index in (field, *place)[:-1]:
        at = getattr(at, index) if isinstance(index, str) else at[index]
    if place:
        at[place[-1]] += 1
    else:
        setattr(two, field, getattr(two, field) + 1)
    assert table.rules.key(one, 1) != table.rules.key(two, 1)


def test_the_key_of_what_lies_open_does_not_see_the_other_hand() -> None:
    table = GAME.abstract("table")
    one, two = charged(4, 1, ones=1, threes=0), charged(4, 1, ones=1, threes=0)
    two.hand[0][3] += 1
    assert table.rules.key(one, 1) == table.rules.key(two, 1)
