"""Chance and Community Chest: the cards as data, each with what it says.

The classic board has the sixteen cards of each pile of the American edition, in our own words. Leeds has smaller piles
after the same pattern; cards about a jail or houses are in them only if there is a jail, or houses.
"""

from __future__ import annotations

from typing import NamedTuple

from parlor.games.leodopoly.boards import BOARD, STATION, UTILITY
from parlor.games.leodopoly.options import FULL_BOARD, HOUSES, JAIL

ADVANCE, NEAREST, BACK, TO_JAIL, PARDON, COLLECT, PAY, PAY_EACH, COLLECT_EACH, REPAIRS = range(10)


class Card(NamedTuple):
    """A card: its effect, and the space or the amount that it is about."""

    name: str
    does: int
    amount: int = 0  # of money or spaces; the space to go to; the kind of the nearest one; per house
    per_hotel: int = 0


def advance(name: str) -> Card:
    """Go on to a space."""
    return Card(f"advance to {name}", ADVANCE, [space.name for space in BOARD].index(name))


def repairs(per_house: int, per_hotel: int) -> Card:
    """So much for each house, so much for each hotel."""
    return Card(f"repairs: {per_house} a house, {per_hotel} a hotel", REPAIRS, per_house, per_hotel)


JAIL_CARD = Card("go to jail", TO_JAIL)
PARDON_CARD = Card("get out of jail", PARDON)
TO_START = advance(BOARD[0].name)
if FULL_BOARD:
    CHANCE_CARDS: tuple[Card, ...] = (
        advance("Boardwalk"),
        TO_START,
        advance("Illinois Avenue"),
        advance("St. Charles Place"),
        Card("nearest railroad, double rent (1)", NEAREST, STATION),
        Card("nearest railroad, double rent (2)", NEAREST, STATION),
        Card("nearest utility, ten times the dice", NEAREST, UTILITY),
        Card("dividend of 50", COLLECT, 50),
        PARDON_CARD,
        Card("go back three spaces", BACK, 3),
        JAIL_CARD,
        repairs(25, 100),
        Card("speeding fine of 15", PAY, 15),
        advance("Reading Railroad"),
        Card("chairman: pay each player 50", PAY_EACH, 50),
        Card("building loan pays 150", COLLECT, 150),
    )
    CHEST_CARDS: tuple[Card, ...] = (
        TO_START,
        Card("bank error: collect 200", COLLECT, 200),
        Card("doctor's fee of 50", PAY, 50),
        Card("stock sale: collect 50", COLLECT, 50),
        PARDON_CARD,
        JAIL_CARD,
        Card("holiday fund pays 100", COLLECT, 100),
        Card("tax refund of 20", COLLECT, 20),
        Card("birthday: each player gives 10", COLLECT_EACH, 10),
        Card("life insurance pays 100", COLLECT, 100),
        Card("hospital fees of 100", PAY, 100),
        Card("school fees of 50", PAY, 50),
        Card("consultancy fee: collect 25", COLLECT, 25),
        repairs(40, 115),
        Card("beauty contest: collect 10", COLLECT, 10),
        Card("inheritance of 100", COLLECT, 100),
    )
else:
    CHANCE_CARDS = (
        TO_START,
        advance("Leeds University"),
        advance("Hyde Park Road"),
        Card("go back three spaces", BACK, 3),
        Card("parking fine of 15", PAY, 15),
        Card("chair of the council: pay each player 20", PAY_EACH, 20),
        Card("dividend of 50", COLLECT, 50),
        repairs(25, 100),
        JAIL_CARD,
        PARDON_CARD,
    )
    CHEST_CARDS = (
        TO_START,
        Card("bank error: collect 100", COLLECT, 100),
        Card("dentist's fee of 50", PAY, 50),
        Card("tuition fees of 30", PAY, 30),
        Card("birthday: each player gives 10", COLLECT_EACH, 10),
        Card("inheritance of 50", COLLECT, 50),
        repairs(40, 115),
        JAIL_CARD,
        PARDON_CARD,
    )


def played(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of a pile that mean something with these options."""
    missing = (() if JAIL else (TO_JAIL, PARDON)) + (() if HOUSES else (REPAIRS,))
    return tuple(card for card in cards if card.does not in missing)


PILES = (played(CHANCE_CARDS), played(CHEST_CARDS))
PILE_NAMES = ("Chance", "Community Chest")
LARGEST = max(len(pile) for pile in PILES)
