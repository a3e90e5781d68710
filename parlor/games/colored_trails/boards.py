"""Boards, drawn by rule.

Tiles, places and chips are uniform: five colours, distinct places for the players and the flag, 3 to 8 chips each. By
the rule of de Jong et al. (2011), which the paper of Li et al. (2023) follows, a board is kept if

- nobody can get to the flag with the chips it is dealt,
- what the players score without a trade differs by at most 20,
- for each proposer there is a trade that lets both it and the responder get to the flag.

About one in 1,700 is. A board belongs to the set for training or to the one for tests by a hash of all that is on it,
so that no board is in both, whatever the seeds. It is three integers: its tiles; the places of the players and of the
flag, four bits each; the chips, four bits a colour, one player after the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.compile import cached_array, native
from parlor.game.errors import GameError
from parlor.game.rng import below, mix, seed_stream
from parlor.games.colored_trails.paths import CHIP_BITS, COLOURS, TILE_BITS, TILES, arrives, both_arrive, score

PLAYERS, PROPOSERS, RESPONDER = 3, 2, 2  # the responder comes last
FLAG = PLAYERS  # a piece like the players
MIN_CHIPS, MAX_CHIPS = 3, 8  # chips that a player is dealt
NUMBERS = 3  # of a board
DIFFERENCE = 20  # between scores without a trade, at most
PLACE_BITS, COUNT_BITS = 4, 4
LETTERS = "ABCDE"  # the colours in files
TOGETHER = 250  # boards that are drawn together: fewer files are kept
EXAMPLE = "4 5 3 AAEDCABCDAAABBEE AACCCD AAAC BBCEE 14 7 0 2"

Board = tuple[int, int, int]  # tiles, places, chips


def place_of(places: int, piece: int) -> int:
    """The place of a player or of the flag."""
    return (places >> PLACE_BITS * piece) & 15


def count_of(chips: int, p: int, colour: int) -> int:
    """The number of chips of a colour that a player has."""
    return (chips >> COUNT_BITS * (p * COLOURS + colour)) & 15


def chips_of(chips: int, p: int) -> int:
    """The chips of a player as paths take them."""
    packed = 0
    for colour in range(COLOURS):
        packed |= count_of(chips, p, colour) << CHIP_BITS * colour
    return packed


def draw_board(r: Any, board: Any) -> None:
    """Any board, by chance; eight colours are drawn at once."""
    tiles, places, chips, taken, colours = 0, 0, 0, 0, 0
    for i in range(TILES):
        if i % 8 == 0:
            colours = below(r, COLOURS**8)
        tiles |= colours % COLOURS << TILE_BITS * i
        colours //= COLOURS
    for piece in range(PLAYERS + 1):
        place = below(r, TILES)
        while (taken >> place) & 1 == 1:
            place = below(r, TILES)
        taken |= 1 << place
        places |= place << PLACE_BITS * piece
    for p in range(PLAYERS):
        colours = below(r, COLOURS**8)
        for _ in range(MIN_CHIPS + below(r, MAX_CHIPS - MIN_CHIPS + 1)):
            chips += 1 << COUNT_BITS * (p * COLOURS + colours % COLOURS)
            colours //= COLOURS
    board[0], board[1], board[2] = tiles, places, chips


def is_kept(board: Any) -> bool:
    """Whether a board is worth playing on; `mistake` says the same in words."""
    tiles, flag = board[0], place_of(board[1], FLAG)
    for p in range(PLAYERS):
        if arrives(tiles, place_of(board[1], p), flag, chips_of(board[2], p)):
            return False
    least, most = 1000, -1000
    for p in range(PLAYERS):
        alone = score(tiles, place_of(board[1], p), flag, chips_of(board[2], p))
        least, most = min(least, alone), max(most, alone)
    if most - least > DIFFERENCE:
        return False
    for p in range(PROPOSERS):
        together = chips_of(board[2], p) + chips_of(board[2], RESPONDER)
        if not both_arrive(tiles, place_of(board[1], p), place_of(board[1], RESPONDER), flag, together):
            return False
    return True


def set_of(board: Any) -> int:
    """Which set a board belongs to."""
    return mix(mix(mix(0, board[0]), board[1]), board[2]) & 1


def draw_boards(seed: int, which: int, boards: Any, r: Any) -> int:
    """Fill the boards of a set, each from a stream of its own; returns how many were tried."""
    tried = 0
    for i in range(len(boards)):
        seed_stream(r, seed, i)
        board = boards[i]
        tried += 1
        draw_board(r, board)
        while not is_kept(board) or set_of(board) != which:
            tried += 1
            draw_board(r, board)
    return tried


def mistake(board: Board) -> str:
    """The first mistake in a board, and how it should be; empty if the board is right."""
    tiles, places, chips = board
    flag, at = place_of(places, FLAG), [place_of(places, p) for p in range(PLAYERS)]
    held = [chips_of(chips, p) for p in range(PLAYERS)]
    for p in range(PLAYERS):
        if arrives(tiles, at[p], flag, held[p]):
            return f"player {p} gets to the flag without a trade; nobody may"
    alone = [score(tiles, at[p], flag, held[p]) for p in range(PLAYERS)]
    if max(alone) - min(alone) > DIFFERENCE:
        scores = ", ".join(map(str, alone))
        return f"without a trade the players score {scores}; that may differ by {DIFFERENCE} at most"
    for p in range(PROPOSERS):
        if not both_arrive(tiles, at[p], at[RESPONDER], flag, held[p] + held[RESPONDER]):
            return f"nobody can solve it: no trade lets both player {p} and the responder get to the flag"
    return ""


def from_file(path: str, most: int) -> tuple[Board, ...]:
    """The boards of a file, at most so many of them."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        raise GameError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise GameError(f"{path} cannot be read as a file of boards: {error}.") from None
    found: list[Board] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or len(found) == most:
            continue
        board = read_board(line.split())
        if board is None:
            raise GameError(
                f"{path}, line {number}: {line.strip()[:60]!r} should be a board such as {EXAMPLE}: size, colours, "
                f"players, {TILES} tiles, three players' chips, {MIN_CHIPS} to {MAX_CHIPS} each, and four different "
                f"places."
            )
        if wrong := mistake(board):
            raise GameError(f"{path}, line {number}: {wrong}.")
        found.append(board)
    if not found:
        raise GameError(f"{path} has no boards; it needs at least one line such as {EXAMPLE}.")
    return tuple(found)


def read_board(words: list[str]) -> Board | None:
    """A board as OpenSpiel writes it; None if it is none."""
    if len(words) != 11 or words[:3] != ["4", "5", "3"] or len(words[3]) != TILES:
        return None
    tiles, hands, places = words[3], words[4:7], words[7:]
    letters = set("".join([tiles, *hands]))
    if letters - set(LETTERS) or not all(place.isdecimal() and int(place) < TILES for place in places):
        return None
    if len(set(map(int, places))) < PLAYERS + 1 or not all(MIN_CHIPS <= len(hand) <= MAX_CHIPS for hand in hands):
        return None
    counts = [hand.count(letter) for hand in hands for letter in LETTERS]
    return (
        sum(LETTERS.index(letter) << TILE_BITS * i for i, letter in enumerate(tiles)),
        sum(int(place) << PLACE_BITS * i for i, place in enumerate(places)),
        sum(count << COUNT_BITS * i for i, count in enumerate(counts)),
    )


def drawn(count: int, seed: int, which: int) -> tuple[Board, ...]:
    """The first boards of a set and a seed; they are drawn once on a machine."""
    enough = -(-count // TOGETHER) * TOGETHER

    def fill(array: Any) -> None:
        native(draw_boards)(seed, which, array, np.zeros(4, np.int64))

    name = f"colored-trails-{seed}-{which}"
    found = cached_array(name, draw_boards, (enough, NUMBERS), np.int64, fill)[:count].tolist()
    return tuple((tiles, places, chips) for tiles, places, chips in found)
