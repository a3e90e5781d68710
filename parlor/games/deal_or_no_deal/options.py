"""The options of Deal or No Deal, and the numbers that all of its rules use."""

from __future__ import annotations

from parlor.game import GameError, Word, choice, file, option

PLAYERS = 2
TYPES = 3  # of items
ITEMS = ("book", "hat", "basketball")
WORTH = 10  # of the whole pool, to each player

VALUES = {
    "hidden": Word("Hidden", "Everybody knows what the items are worth to themselves, and not to the other."),
    "shown": Word("Shown", "Both see both sides' values: what could be reached if nobody had a secret."),
}

TURNS = option("turns", 10, 2, 20, "turns of both together; without a deal in the last one nobody gets anything")
MIN_ITEMS = option("least", 5, 3, 7, "the fewest items in the pool")
MAX_ITEMS = option("most", 7, 3, 7, "the most items in the pool")
DISCOUNT = option("discount", 100, 1, 100, "percent of its worth that a deal keeps with every turn after the second")
END = option("end", 0, 0, 99, "the chance in percent that no turn follows, after every proposal but the first")
SHOWN = choice("values", "hidden", tuple(VALUES), "whether one sees what the items are worth to the other", VALUES)
FILE = file("instances", "a file of pools and values to be dealt, a line each: 1,2,3 8,1,0 4,0,2; without it, all")

if MIN_ITEMS > MAX_ITEMS:
    raise GameError(f"least={MIN_ITEMS} and most={MAX_ITEMS} leave no pool: least must not be above most.")
