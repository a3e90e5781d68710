"""Phantom tic-tac-toe: three in a row, against stones that one does not see.

Played as Kriegspiel is of chess: a try at a taken cell only tells that it is taken. Lanctot et al., *OpenSpiel* (2019),
whose rules these are; Lisý, Lanctot and Bowling, *Online Monte Carlo counterfactual regret minimization for search in
imperfect information games* (2015). The classical game of 3 × 3 has 19,934,533,171 histories and 5,990,669 information
sets.
"""

from collections.abc import Mapping

from parlor.game import OVER, Floats, GameError, Ints, State, View, choice, option, private, public
from parlor.game.training import Training
from parlor.game.words import TextTable
from parlor.games.hidden_stones import (
    LARGEST,
    SEEN,
    VERSIONS,
    cell_name,
    digit,
    free_cells,
    in_a_line,
    known_cells,
    lengthened,
    on_a_board,
    put_down,
    told,
)

TITLE = "Phantom tic-tac-toe"
ABRUPT = choice("version", "classical", tuple(VERSIONS), "what running into a stone costs", VERSIONS)
TRIES_SEEN = choice("sees", "nothing", tuple(SEEN), "what is seen of the other's tries", SEEN)
WIDTH = option("width", 3, 1, 5, "columns of the board")
HEIGHT = option("height", 3, 1, 5, "rows of the board")
ROW = option("row", 3, 2, 5, "how many in a row win")

PLAYERS = 2
CELLS = WIDTH * HEIGHT
FULL = (1 << CELLS) - 1
BASE = 2 * CELLS + 2  # a digit for each try and what came of it, and one for a try of the other
SHORT = BASE ** (CELLS * (1 + TRIES_SEEN)) < LARGEST
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
LINES = tuple(
    sum(1 << (y + i * dy) * WIDTH + x + i * dx for i in range(ROW))
    for y in range(HEIGHT)
    for x in range(WIDTH)
    for dy, dx in DIRECTIONS
    if y + (ROW - 1) * dy < HEIGHT and 0 <= x + (ROW - 1) * dx < WIDTH
)

ACTIONS = CELLS
OUTCOMES = 0
LENGTH = 2 * CELLS - 1
ZERO_SUM = True
PAYOFFS = (-1.0, 1.0, 0.0)
STATE = {
    "mover": public(most=1),
    "winner": public(most=2),  # 1 + the player who has a row, 0 while nobody has
    "own": private(PLAYERS),  # the cells of its stones
    "met": private(PLAYERS),  # the cells where it has run into the other's
    "trail": private(PLAYERS),  # all its tries in order, and what came of them: for keys
    "tries": public(most=LENGTH),  # of both, if they are seen
}
TRAINING = Training(algorithm="mccfr-external")


def start(s: State) -> None:
    """The board is empty."""


def turn(s: State) -> int:
    """In turn, until somebody has a row or the board is full."""
    return OVER if s.winner or s.own[0] | s.own[1] == FULL else s.mover


def odds(s: State, out: Floats) -> int:
    """Nothing is left to chance."""
    return 0


def legal(s: State, out: Ints) -> int:
    """Any cell that is not known to be taken."""
    return free_cells(s, CELLS, out)


def play(s: State, a: int) -> None:
    """Try a cell."""
    p = s.mover
    free = put_down(s, a)
    s.trail[p] = lengthened(s.trail[p], digit(a, free), BASE, SHORT)
    if TRIES_SEEN:
        s.tries += 1
        s.trail[1 - p] = lengthened(s.trail[1 - p], BASE - 1, BASE, SHORT)
    if free and has_row(s.own[p]):
        s.winner = 1 + p
    if free or ABRUPT:
        s.mover = 1 - p


def has_row(stones: int) -> bool:
    """Whether there is a row among these cells."""
    found = False
    for i in range(len(LINES)):
        found = found or stones & LINES[i] == LINES[i]
    return found


def payoff(s: State, p: int) -> float:
    """One for a row; nothing if the board is full."""
    if s.winner == 0:
        return 0.0
    return 1.0 if s.winner == 1 + p else -1.0


def key(s: State, p: int) -> int:
    """The player, whose turn it is, and all cells that the player has tried."""
    return (s.trail[p] & 2**60 - 1) * 8 + (2 * s.mover + p) + 4 * (s.winner > 0)


# ------------------------------------------------------------------------------------------------------------- words

MARKS = ("×", "○")


def describe(s: State, a: int) -> str:
    """The name of a cell."""
    return cell_name(a, WIDTH)


def move(s: State, a: int) -> Mapping[str, int | str]:
    """A try as data."""
    return {"verb": "try", "cell": a, "text": cell_name(a, WIDTH)}


def secret(s: State, a: int, p: int) -> bool:
    """Nobody sees where the other tries."""
    return bool(p != s.mover)


def unseen(s: State, a: int, p: int) -> bool:
    """Nor, in the classical game, that a try has failed: it is not over for the one who tries."""
    failed = s.own[1 - s.mover] >> a & 1
    return bool(p != s.mover and failed and not ABRUPT and not TRIES_SEEN)


def display(view: View) -> dict[str, list[int]]:
    """The board, and row by row what I know of it: 0 nothing, 1 my stone, 2 the other's."""
    return {"grid": [WIDTH, HEIGHT], "known": known_cells(view, CELLS)}


def show(view: View) -> str:
    """One line for a person."""
    return in_a_line(view, WIDTH)


def table(view: View) -> TextTable:
    """The board."""
    return on_a_board(view, WIDTH, HEIGHT, MARKS, False)


def narrate(before: View, after: View) -> list[str]:
    """The marks that a player has run into."""
    return told(before, after, WIDTH, bool(ABRUPT))


if not LINES:
    raise GameError(f"row={ROW}: there is no such row on a board of {WIDTH} × {HEIGHT}.")
