"""Phantom pairs: who first has two stones side by side in a row of cells wins; one does not see the other's stones.

A try at a cell that is taken fails: whoever tried learns that, and tries again; the other does not notice.
"""

from parlor.game import OVER, Ints, State, hidden, option, private, public

PLAYERS = 2
CELLS = option("cells", 4, 2, 6, "in the row")
ACTIONS = CELLS
OUTCOMES = 0
LENGTH = 2 * CELLS
ZERO_SUM = True
STATE = {
    "owner": hidden(CELLS),  # 0 nobody, else 1 + player
    "known": private(PLAYERS, CELLS),  # the same, as far as a player knows
    "tried": private(PLAYERS),  # what it has tried, a digit of base 2 * CELLS + 1 each
    "mover": public(),
    "stones": public(),
    "winner": public(),  # 1 + player
}


def start(s: State) -> None:
    """The row is empty."""


def turn(s: State) -> int:
    """Whose turn it is, until somebody has won or the row is full."""
    return OVER if s.winner or s.stones == CELLS else s.mover


def odds(s: State, out: object) -> int:
    """Nothing is left to chance."""
    return 0


def legal(s: State, out: Ints) -> int:
    """Every cell of which the mover does not know that it is taken."""
    n = 0
    for cell in range(CELLS):
        if s.known[s.mover][cell] == 0:
            out[n] = cell
            n += 1
    return n


def play(s: State, a: int) -> None:
    """Place a stone, or learn that the cell is taken."""
    p = s.mover
    failed = 1 if s.owner[a] else 0
    s.tried[p] = s.tried[p] * (2 * CELLS + 1) + 2 * a + failed + 1
    if failed:
        s.known[p][a] = s.owner[a]
        return
    s.owner[a] = s.known[p][a] = p + 1
    s.stones += 1
    s.mover = 1 - p
    if (a > 0 and s.owner[a - 1] == p + 1) or (a < CELLS - 1 and s.owner[a + 1] == p + 1):
        s.winner = p + 1


def payoff(s: State, p: int) -> float:
    """A point from the loser."""
    return 0.0 if s.winner == 0 else 1.0 if s.winner == p + 1 else -1.0


def key(s: State, p: int) -> int:
    """What one has tried, and how many stones there are."""
    return ((s.tried[p] * (CELLS + 1) + s.stones) * 2 + s.mover) * 2 + p


def describe(s: State, a: int) -> str:
    """The cell."""
    return f"cell {a + 1}"


def secret(s: State, a: int, p: int) -> bool:
    """Nobody sees where the other plays."""
    return p != s.mover


def unseen(s: State, a: int, p: int) -> bool:
    """Nobody notices that the other has tried in vain."""
    return p != s.mover and s.owner[a] != 0
