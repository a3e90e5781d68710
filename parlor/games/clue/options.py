"""The options and the presets of Clue, and its cards.

A preset is a row of defaults; every option can still be set on its own: `clue(preset=standard,players=6)`.
"""

from __future__ import annotations

from parlor.game import GameError, Word, choice, option, switch

#: preset -> suspects, weapons, rooms, accusations, cap on suggestions, payoffs
PRESETS = {
    "thesis": (6, 6, 9, False, 100, "thesis"),
    "standard": (6, 6, 9, True, 100, "zero-sum"),
    "small": (4, 4, 4, False, 40, "thesis"),
    "tiny": (1, 2, 4, False, 4, "thesis"),
}
ABOUT = {
    "thesis": Word("No accusations", "A suggestion that nobody can refute, of cards you do not hold, wins."),
    "standard": Word("Accusations", "You win by an accusation. You have one; if it is wrong, you only refute."),
    "small": Word("12 cards", "Four suspects, four weapons and four rooms, without accusations."),
    "tiny": Word("7 cards", "One suspect, two weapons, four rooms, four suggestions: it can be solved exactly."),
}
_PRESET = tuple(PRESETS.values())[choice("preset", "thesis", tuple(PRESETS), "the defaults of all options", ABOUT)]
PAYOFFS = {
    "thesis": Word(
        "As the thesis counts", "The winner gets as many points as there are players; without one, all lose."
    ),
    "zero-sum": Word("Zero-sum", "The winner gets what the others lose; without one, nobody loses."),
}

PLAYERS = option("players", 3, 3, 6, "the number of players")
SUSPECTS = option("suspects", _PRESET[0], 1, 6, "suspects in the deck")
WEAPONS = option("weapons", _PRESET[1], 1, 6, "weapons in the deck")
ROOMS = option("rooms", _PRESET[2], 1, 9, "rooms in the deck")
ACCUSATIONS = switch("accusations", _PRESET[3], "the game is won by an accusation, not by a suggestion")
CAP = option("cap", _PRESET[4], 1, 200, "suggestions of all players together, after which nobody has won")
ZERO_SUM = bool(
    choice("payoffs", _PRESET[5], tuple(PAYOFFS), "what the winner gets; everybody else loses a point", PAYOFFS)
)

CARDS = SUSPECTS + WEAPONS + ROOMS
IN_HANDS = CARDS - 3
TRIPLES = SUSPECTS * WEAPONS * ROOMS
LARGER = IN_HANDS % PLAYERS  # hands that have a card more than the others

if IN_HANDS < PLAYERS:
    raise GameError(
        f"suspects={SUSPECTS}, weapons={WEAPONS} and rooms={ROOMS} leave {IN_HANDS} cards for {PLAYERS} players; "
        f"everybody needs at least one."
    )
