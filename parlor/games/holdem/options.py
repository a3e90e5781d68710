"""The options and the presets of hold'em.

A preset is a row of defaults; every option can still be set on its own: `holdem(preset=hunl-200bb,streets=2)`.
"""

from __future__ import annotations

from parlor.game import GameError, Word, choice, option

PLAYERS = 2

#: preset -> small blind, big blind, stack
PRESETS = {
    "hunl-100bb": (1, 2, 200),
    "hunl-200bb": (1, 2, 400),
    "dissertation": (5, 10, 1000),
}
ABOUT = {
    "hunl-100bb": Word("100 big blinds", "Blinds of 1 and 2, and 200 chips each: the usual depth."),
    "hunl-200bb": Word("200 big blinds", "Blinds of 1 and 2, and 400 chips each: deep stacks."),
    "dissertation": Word("Blinds 5 and 10", "Blinds of 5 and 10, and 1,000 chips each: 100 big blinds."),
}
_PRESET = tuple(PRESETS.values())[
    choice("preset", "hunl-100bb", tuple(PRESETS), "the defaults of blinds and stacks", ABOUT)
]

SMALL_BLIND = option("small_blind", _PRESET[0], 1, 1000, "chips the button posts")
BIG_BLIND = option("big_blind", _PRESET[1], 1, 2000, "chips the other posts")
_STACK = option("stack", _PRESET[2], 1, 50_000, "chips of each player before the blinds")
_OTHER = option("other_stack", 0, 0, 50_000, "chips of the big blind, if different (0: the same)")
STREETS = option("streets", 4, 1, 4, "betting rounds: pre-flop, flop, turn, river")
_BOARD = option("board", 0, 0, 5, "cards on the board at the showdown (0: those of the last street, or 5)")
#: 1: as PyPokerEngine plays heads-up. The small blind opens every street, and the first raise may be by as little as
#: the big blind added to the small one.
ENGINE = choice("order", "normal", ("normal", "engine"), "who opens after the flop: the big blind, or as PyPokerEngine")

STACKS = (_STACK, _OTHER or _STACK)
SHOWN = (0, 3, 4, 5)  # cards on the board, by street
BOARD = _BOARD or (5 if STREETS == 1 else SHOWN[STREETS - 1])

if SMALL_BLIND > BIG_BLIND:
    raise GameError(f"small_blind={SMALL_BLIND} is more than big_blind={BIG_BLIND}.")
if max(3, SHOWN[STREETS - 1]) > BOARD:
    least = max(3, SHOWN[STREETS - 1])
    raise GameError(f"With streets={STREETS} there are at least {least} cards on the board, not board={BOARD}.")
