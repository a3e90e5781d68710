"""Classic games in normal form: everybody chooses once, at the same time.

Each is an option: `normal-form(preset=chicken)`. `matrix.py` has the rules, and makes such a game of any array.
Chicken and Bach or Stravinsky have the payoffs of Li et al. (2023), figure 2.
"""

from typing import Any, NamedTuple

import numpy as np

from parlor.game import View, Word, choice
from parlor.game.loading.matrix import rules_of


class Classic(NamedTuple):
    """A game: its title, in a line what it is about, the names of the actions, and what each player gets."""

    title: str
    meaning: str
    actions: tuple[str, ...]  # of both players
    rows: tuple[tuple[float, ...], ...]  # what player 0 gets, who chooses the row
    columns: tuple[tuple[float, ...], ...]  # what player 1 gets


CLASSICS = {
    "chicken": Classic(
        "Chicken",
        "Two cars race towards each other: whoever swerves loses face, and if nobody does they crash.",
        ("go on", "swerve"),
        ((-5, 1), (-1, -1)),
        ((-5, -1), (1, -1)),
    ),
    "bach-or-stravinsky": Classic(
        "Bach or Stravinsky",
        "Both want to go to the same concert, but each prefers another one (Luce and Raiffa, 1957).",
        ("Bach", "Stravinsky"),
        ((3, 0), (0, 2)),
        ((2, 0), (0, 3)),
    ),
    "prisoners-dilemma": Classic(
        "Prisoner's dilemma",
        "To defect is better whatever the other does; if both do, both are worse off (Flood and Dresher, 1950).",
        ("cooperate", "defect"),
        ((5, 0), (10, 1)),
        ((5, 10), (0, 1)),
    ),
    "stag-hunt": Classic(
        "Stag hunt",
        "A stag feeds both but takes two to hunt; a hare can be had alone (Rousseau, 1755).",
        ("stag", "hare"),
        ((2, 0), (1, 1)),
        ((2, 1), (0, 1)),
    ),
    "coordination": Classic(
        "Coordination",
        "Both win if they choose the same side, whichever it is.",
        ("left", "right"),
        ((1, 0), (0, 1)),
        ((1, 0), (0, 1)),
    ),
    "matching-pennies": Classic(
        "Matching pennies",
        "One wins if the coins show the same side, the other if they differ.",
        ("heads", "tails"),
        ((1, -1), (-1, 1)),
        ((-1, 1), (1, -1)),
    ),
    "rock-paper-scissors": Classic(
        "Rock, paper, scissors",
        "Rock breaks scissors, scissors cut paper, paper wraps rock.",
        ("rock", "paper", "scissors"),
        ((0, -1, 1), (1, 0, -1), (-1, 1, 0)),
        ((0, 1, -1), (-1, 0, 1), (1, -1, 0)),
    ),
    "shapley": Classic(
        "Shapley's game",
        "Rock, paper, scissors in which losing costs nothing: fictitious play never settles (Shapley, 1964).",
        ("rock", "paper", "scissors"),
        ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
        ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    ),
}
ABOUT = {name: Word(classic.title, classic.meaning) for name, classic in CLASSICS.items()}
CLASSIC = tuple(CLASSICS.values())[choice("preset", "chicken", tuple(CLASSICS), "which game", ABOUT)]

TITLE = "Matrix games"
RULES = rules_of(np.array([CLASSIC.rows, CLASSIC.columns], np.float64), CLASSIC.actions)
globals().update(RULES)


def display(view: View) -> dict[str, Any]:
    """The display of every game in normal form, with the title and the meaning of this one."""
    return {**RULES["display"](view), "title": CLASSIC.title, "meaning": CLASSIC.meaning}
