"""Dark hex: connect your two sides of the board, past stones that you do not see.

The first player connects the top with the bottom, the second one left with right; on a full board exactly one of them
has. A try at a taken cell only tells that it is taken, as in Kriegspiel. The rules are OpenSpiel's (Lanctot et al.,
2019); Bonnet, Jamain and Saffidine, *On the complexity of connection games* (2016), say what is known of Hex, and
Tapkan, *Mastering DarkHex* (2022), of the dark game.
"""

from collections.abc import Mapping

from parlor.game import OVER, Floats, Ints, State, View, choice, option, private, public
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

TITLE = "Dark hex"
ABRUPT = choice("version", "classical", tuple(VERSIONS), "what running into a stone costs", VERSIONS)
TRIES_SEEN = choice("sees", "nothing", tuple(SEEN), "what is seen of the other's tries", SEEN)
WIDTH = option("width", 3, 1, 7, "columns of the board")
HEIGHT = option("height", 3, 1, 7, "rows of the board")

PLAYERS = 2
CELLS = WIDTH * HEIGHT
BASE = 2 * CELLS + 2  # a digit for each try and what came of it, and one for a try of the other
SHORT = BASE ** (CELLS * (1 + TRIES_SEEN)) < LARGEST
LEFT = sum(1 << row * WIDTH for row in range(HEIGHT))
TOP = (1 << WIDTH) - 1
SIDES = ((TOP, TOP << (HEIGHT - 1) * WIDTH), (LEFT, LEFT << WIDTH - 1))  # the two that each player connects
STEPS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))  # to the six neighbours: rows, columns
NEAR = tuple(
    sum(
        1 << (row + dy) * WIDTH + column + dx for dy, dx in STEPS if 0 <= row + dy < HEIGHT and 0 <= column + dx < WIDTH
    )
    for row in range(HEIGHT)
    for column in range(WIDTH)
)

ACTIONS = CELLS
OUTCOMES = 0
LENGTH = 2 * CELLS - 1
ZERO_SUM = True
PAYOFFS = (-1.0, 1.0, 0.0)
STATE = {
    "mover": public(most=1),
    "winner": public(most=2),  # 1 + the player whose sides are connected, 0 while nobody's are
    "own": private(PLAYERS),  # the cells of its stones
    "met": private(PLAYERS),  # the cells where it has run into the other's
    "trail": private(PLAYERS),  # all its tries in order, and what came of them: for keys
    "tries": public(most=LENGTH),  # of both, if they are seen
}
TRAINING = Training(algorithm="mccfr-external")


def start(s: State) -> None:
    """The board is empty."""


def turn(s: State) -> int:
    """In turn, until somebody is through."""
    return OVER if s.winner else s.mover


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
    if free and connects(s.own[p], p):
        s.winner = 1 + p
    if free or ABRUPT:
        s.mover = 1 - p


def connects(stones: int, p: int) -> bool:
    """Whether these stones connect the sides of a player: what is reached from one side grows until it stops."""
    reached = stones & SIDES[p][0]
    grown = 0
    while grown != reached:
        grown = reached
        for cell in range(CELLS):
            if grown >> cell & 1:
                reached |= NEAR[cell] & stones
    return bool(reached & SIDES[p][1])


def payoff(s: State, p: int) -> float:
    """One for the connection."""
    return 1.0 if s.winner == 1 + p else -1.0


def key(s: State, p: int) -> int:
    """The player, whose turn it is, and all cells that the player has tried."""
    return (s.trail[p] & 2**60 - 1) * 8 + (2 * s.mover + p) + 4 * (s.winner > 0)


# ------------------------------------------------------------------------------------------------------------- words

MARKS = ("●", "○")


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
    """The board, each row of hexagons half a cell further to the right."""
    return on_a_board(view, WIDTH, HEIGHT, MARKS, True)


def narrate(before: View, after: View) -> list[str]:
    """The stones that a player has run into."""
    return told(before, after, WIDTH, bool(ABRUPT))
