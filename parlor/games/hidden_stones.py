"""Games in which two put stones on one board and do not see each other's: tries, and what is known of the board.

A player names a cell that it does not know to be taken. If it is free, a stone goes there; if the other's stone is
there, the player now knows of it. In the classical game it then tries again, in the abrupt one its turn is over. A set
of cells is a number, a bit for each.
"""

from collections.abc import Sequence

from parlor.game import Ints, State, View, Word
from parlor.game.rng import mix
from parlor.game.words import TextTable, player, possessive

VERSIONS = {
    "classical": Word("Classical", "Who runs into a stone tries again, until a stone is put down."),
    "abrupt": Word("Abrupt", "Who runs into a stone has lost the turn."),
}
SEEN = {
    "nothing": Word("Nothing", "Nobody learns how often the other has tried."),
    "turns": Word("Tries", "Everybody sees that the other has tried, but not where, nor what came of it."),
}
LARGEST = 2**60  # for a trail that is written digit by digit


def free_cells(s: State, cells: int, out: Ints) -> int:
    """All cells of which the player to move does not know that they are taken."""
    known = s.own[s.mover] | s.met[s.mover]
    count = 0
    for cell in range(cells):
        if not known >> cell & 1:
            out[count] = cell
            count += 1
    return count


def put_down(s: State, cell: int) -> bool:
    """Try a cell: whether the stone could be put there; if not, the player has met the other's."""
    if s.own[1 - s.mover] >> cell & 1:
        s.met[s.mover] |= 1 << cell
        return False
    s.own[s.mover] |= 1 << cell
    return True


def digit(cell: int, free: bool) -> int:
    """A try and what came of it, as a digit of a trail: 1 … twice the number of cells."""
    return 2 * cell + 1 + free


def lengthened(trail: int, one: int, base: int, short: bool) -> int:
    """A trail with one more digit: as a number, or where that gets too large, as a hash."""
    return trail * base + one if short else mix(trail + 1, one)


# ------------------------------------------------------------------------------------------------------------- words


def cell_name(cell: int, width: int) -> str:
    """Columns are letters, rows are numbers: b3."""
    return f"{'abcdefghijklm'[cell % width]}{cell // width + 1}"


def cells_in(bits: int, width: int) -> list[str]:
    """The names of a set of cells."""
    return [cell_name(cell, width) for cell in range(bits.bit_length()) if bits >> cell & 1]


def known_cells(view: View, cells: int) -> list[int]:
    """The player's knowledge of each cell: 0 nothing, 1 its own stone, 2 the other's."""
    return [1 if view.own >> cell & 1 else 2 if view.met >> cell & 1 else 0 for cell in range(cells)]


def in_a_line(view: View, width: int) -> str:
    """The view of a player."""
    own, met = ", ".join(cells_in(view.own, width)), ", ".join(cells_in(view.met, width))
    parts = [f"{player(view.player, 'has')} {own or 'no stone yet'}"]
    if met:
        parts.append(f"{player(1 - view.player, 'is')} known to have {met}")
    if view.tries:
        parts.append(f"{view.tries} tries so far")
    return "; ".join(parts)


def on_a_board(view: View, width: int, height: int, marks: Sequence[str], slant: bool) -> TextTable:
    """The board as the player knows it; rows of hexagons are moved to the right, one half more each."""
    known = [("·", marks[view.player], marks[1 - view.player])[one] for one in known_cells(view, width * height)]
    rows = []
    for row in range(height):
        cells = known[row * width : (row + 1) * width]
        rows.append([str(row + 1), *cells] if not slant else [str(row + 1), " " * row + "  ".join(cells)])
    headings = ["", *(cell_name(column, width)[0] for column in range(width))]
    if slant:
        headings = ["", "  ".join(headings[1:])]
    lines = [f"{marks[view.player]} {possessive(view.player)} stones, {marks[1 - view.player]} those that were met"]
    return TextTable(headings, rows, lines, "try a cell")


def told(before: View, after: View, width: int, abrupt: bool) -> list[str]:
    """The stones that a player has run into, in sentences."""
    met = cells_in(after.met & ~before.met, width)
    if not met:  # as for a spectator, who is no player
        return []
    end = "the turn is over" if abrupt else f"{player(after.player, 'tries')} again"
    return [f"{player(1 - after.player, 'has')} a stone on {cell}: {end}" for cell in met]
