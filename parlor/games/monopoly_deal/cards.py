"""The cards, the options and the presets of Monopoly Deal.

A preset is a row of defaults; every option can still be set on its own: `monopoly-deal(preset=paper,sets=3)`.
"""

from __future__ import annotations

from parlor.game import GameError, Word, choice, option, switch

PLAYERS = 2

# Kinds of cards. The first five have a cash value and can be paid with.
ONE, THREE = 0, 1
BROWN, GREEN, PINK = 2, 3, 4
RENT_BROWN, RENT_GREEN, RENT_PINK = 5, 6, 7
JUST_SAY_NO, DEBT_COLLECTOR, SLY_DEAL = 8, 9, 10
KINDS = 11
PAYABLE = 5  # kinds below this one
PROPERTY, RENT = 2, 5  # the first of each
COLOURS = 3

CASH_VALUE = (1, 3, 1, 4, 2)
SET_SIZE = (2, 3, 3)
RENTS = ((1, 2, 2), (2, 4, 7), (1, 2, 4))  # by colour and number owned; brown sets have two
DEBT = 5
EMPTY_HAND = 5  # cards drawn at the start of a streak if the hand is empty

#: preset -> sets, hand, draws, turns, cap, ones, threes, colours, properties, rents, nos, debts, slys,
#:           late_no, paid_to_bank, empty_rent, stalemate
PRESETS = {
    "standard": (2, 5, 2, 2, 250, 10, 10, 3, 10, 10, 3, 0, 0, False, False, False, True),
    "paper": (2, 5, 2, 2, 250, 10, 10, 3, 10, 10, 3, 0, 0, True, True, True, False),
    "small": (1, 5, 2, 2, 100, 4, 4, 3, 4, 4, 2, 0, 0, False, False, False, True),
    "large": (3, 5, 2, 3, 250, 12, 12, 3, 12, 12, 4, 2, 3, False, False, False, True),
    "tiny": (1, 1, 1, 1, 6, 1, 0, 1, 3, 2, 1, 0, 0, False, False, False, True),
}
ABOUT = {
    "standard": Word("Standard", "Three colours, ten cards of each; two full sets win, two cards a turn."),
    "paper": Word("Paper", "As standard, with the looser rules of the paper's code on rent and payment."),
    "small": Word("Small", "Three colours, but a deck of 34 cards and one full set wins: a game of a few minutes."),
    "large": Word("Large", "Three colours, three full sets win, three cards a turn; with Sly Deals and debts."),
    "tiny": Word("Tiny", "One colour, seven cards, one card a turn: small enough to be solved exactly."),
}
_PRESET = tuple(PRESETS.values())[
    choice("preset", "standard", tuple(PRESETS), "the defaults of everything below", ABOUT)
]

SETS = option("sets", _PRESET[0], 1, 3, "complete sets of different colours that win")
HAND = option("hand", _PRESET[1], 1, 10, "cards dealt at the beginning")
DRAWS = option("draws", _PRESET[2], 0, 5, "cards drawn at the start of a streak")
TURNS = option("turns", _PRESET[3], 1, 5, "turns in a streak")
CAP = option("cap", _PRESET[4], 1, 1000, "turns after which the game is a draw")
_COLOURS = option("colours", _PRESET[7], 1, 3, "colours in the deck: brown, green, pink")
_PROPERTIES = option("properties", _PRESET[8], 1, 30, "property cards of each colour")
_RENTS = option("rents", _PRESET[9], 0, 30, "rent cards of each colour")
DECK = (
    option("ones", _PRESET[5], 0, 50, "cash cards of 1"),
    option("threes", _PRESET[6], 0, 50, "cash cards of 3"),
    *(_PROPERTIES if c < _COLOURS else 0 for c in range(COLOURS)),
    *(_RENTS if c < _COLOURS else 0 for c in range(COLOURS)),
    option("nos", _PRESET[10], 0, 20, "Just Say No cards"),
    option("debts", _PRESET[11], 0, 20, "Debt Collector cards"),
    option("slys", _PRESET[12], 0, 20, "Sly Deal cards"),
)
LATE_NO = switch("late_no", _PRESET[13], "Just Say No may follow a part payment, which is lost")
PAID_TO_BANK = switch("paid_to_bank", _PRESET[14], "properties that are paid become cash of the other player")
EMPTY_RENT = switch("empty_rent", _PRESET[15], "rent may be played without a property of its colour, with no effect")
STALEMATE = switch("stalemate", _PRESET[16], "the game is a draw if both pass their streaks and the deck is empty")

if SETS > _COLOURS:
    raise GameError(f"sets={SETS} different colours cannot be completed with colours={_COLOURS}.")
if sum(DECK) < PLAYERS * HAND:
    raise GameError(f"The deck has {sum(DECK)} cards, too few to deal hand={HAND} to {PLAYERS} players.")

# Actions on one's own turn: play a card of a kind below SLY_DEAL, steal a property of a colour, or pass.
STEAL = SLY_DEAL  # STEAL + colour
PASS = STEAL + COLOURS
# Responses: Just Say No (the kind), pay a card of a kind from the bank, pay a property of a colour, yield.
PAY_CASH = PASS + 1  # PAY_CASH + kind
PAY_PROPERTY = PAY_CASH + PAYABLE  # PAY_PROPERTY + colour
YIELD = PAY_PROPERTY + COLOURS
ACTIONS = YIELD + 1
PROGRESS = tuple(a for a in range(ACTIONS) if a not in (PASS, YIELD))  # plays a card
