"""The rules: two proposers make an offer each, the responder accepts one of them or neither.

A proposer sees its own chips and the responder's, not those of the other proposer nor its offer; the responder sees
everything. Then everybody takes its best path toward the flag. The payoff is what the trade has brought a player: the
score of its best path afterwards less what it would have been without a trade. What an offer would bring both sides is
part of the state, for those who see the offer: they could compute it, and networks need not learn how.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.game import CHANCE, OVER, Floats, Ints, State, private, public
from parlor.game.rng import below, mix
from parlor.games.colored_trails.boards import (
    COUNT_BITS,
    FLAG,
    PLAYERS,
    PROPOSERS,
    RESPONDER,
    count_of,
    drawn,
    from_file,
    place_of,
)
from parlor.games.colored_trails.options import BOARDS as MAX_BOARDS
from parlor.games.colored_trails.options import CHIPS, FILE, SEED, SET
from parlor.games.colored_trails.paths import CHIP_BITS, COLOURS, TILE_BITS, TILES, score
from parlor.games.colored_trails.trades import MAX_TRADES, counts_before, list_trades, split_trade

PASS, ACCEPT = 0, 1  # no offer, or neither; the first proposer's offer, the second's; then the trades
TRADE = ACCEPT + PROPOSERS
BEFORE = counts_before(CHIPS)
ACTIONS = TRADE + int(BEFORE[0, 0, 0, -1])
LENGTH = 4
ZERO_SUM = False
GIVES, GETS = 0, 1  # the sides of an offer, as the proposer sees it
POINTS, WORTH = 5, 64  # gains are multiples of 5 points; they are counted from 64 on, so that 0 is no offer
TABLE = from_file(FILE, MAX_BOARDS) if FILE else drawn(MAX_BOARDS, SEED, SET)
OUTCOMES = BOARDS = len(TABLE)

STATE = {
    "tiles": public(TILES),  # the colour of each tile, row by row
    "pieces": public(TILES),  # what stands there: a player + 1, FLAG + 1, or 0
    "stock": public(COLOURS),  # the responder's chips
    "chips": private(PLAYERS, PROPOSERS, COLOURS),  # the proposers' chips, as far as each player sees them
    "offers": private(PLAYERS, PROPOSERS, 2, COLOURS),  # what they give and get, as far as each player sees it
    "worth": private(PLAYERS, PROPOSERS, 2),  # what they would bring the proposer and the responder, see `WORTH`
    "moves": public(),  # how many there were, the deal of a board among them
    "answer": public(),  # of the responder: PASS, or ACCEPT and on
}


def start(s: State) -> None:
    """The board is empty."""


def turn(s: State) -> int:
    """A board is dealt; two offers; an answer."""
    if s.moves == 0:
        return CHANCE
    return s.moves - 1 if s.moves < LENGTH else OVER


def odds(s: State, out: Floats) -> int:
    """All boards are as likely."""
    for i in range(BOARDS):
        out[i] = 1.0 / BOARDS
    return BOARDS


def deal(s: State, out: Floats, r: Ints) -> int:
    """Any board."""
    return below(r, BOARDS)


def legal(s: State, out: Ints) -> int:
    """No offer, or any trade of chips that both have; to neither or to one of them yes."""
    out[0] = PASS
    p = s.moves - 1
    if p == RESPONDER:
        n = 1
        for q in range(PROPOSERS):
            if is_offer(s, q):
                out[n] = ACCEPT + q
                n += 1
        return n
    return list_trades(BEFORE, CHIPS, s.chips[p][p], s.stock, TRADE, out, 1)


def play(s: State, a: int) -> None:
    """Lay out a board, write down an offer, or answer."""
    if s.moves == 0:
        lay_out(s, TABLE[a][0], TABLE[a][1], TABLE[a][2])
    elif s.moves <= PROPOSERS:
        if a != PASS:
            write_offer(s, s.moves - 1, a - TRADE)
    else:
        s.answer = a
    s.moves += 1


def lay_out(s: State, tiles: int, places: int, chips: int) -> None:
    """A board as `boards` packs it."""
    for i in range(TILES):
        s.tiles[i] = (tiles >> TILE_BITS * i) & 7
    for piece in range(PLAYERS + 1):
        s.pieces[place_of(places, piece)] = piece + 1
    for colour in range(COLOURS):
        s.stock[colour] = count_of(chips, RESPONDER, colour)
    for q in range(PROPOSERS):
        hand_out(s, q, chips)


def hand_out(s: State, q: int, chips: int) -> None:
    """The chips of a proposer, for itself and the responder to see."""
    for colour in range(COLOURS):
        s.chips[q][q][colour] = count_of(chips, q, colour)
        s.chips[RESPONDER][q][colour] = count_of(chips, q, colour)


def write_offer(s: State, p: int, number: int) -> None:
    """For the proposer and the responder to see."""
    change = s.offers[RESPONDER][p][GIVES]
    split_trade(BEFORE, CHIPS, number, change)
    for colour in range(COLOURS):
        v = change[colour]
        change[colour] = max(v, 0)
        s.offers[RESPONDER][p][GETS][colour] = max(-v, 0)
        s.offers[p][p][GIVES][colour] = max(v, 0)
        s.offers[p][p][GETS][colour] = max(-v, 0)
    for side in range(2):
        worth = WORTH + gain(s, p if side == 0 else RESPONDER, p) // POINTS
        s.worth[p][p][side] = worth
        s.worth[RESPONDER][p][side] = worth


def is_offer(s: State, q: int) -> bool:
    """Whether a proposer has offered something."""
    return bool(s.worth[RESPONDER][q][0] > 0)


def payoff(s: State, p: int) -> float:
    """The player's gain from the trade."""
    if s.answer == PASS or (p != RESPONDER and s.answer != ACCEPT + p):
        return 0.0
    return float(POINTS * (s.worth[RESPONDER][s.answer - ACCEPT][1 if p == RESPONDER else 0] - WORTH))


def gain(s: State, p: int, q: int) -> int:
    """The gain of player p, who is q or the responder, from the offer of proposer q."""
    tiles, place, flag = packed_tiles(s), find(s, p), find(s, FLAG)
    before, after = 0, 0
    for colour in range(COLOURS):
        count = s.stock[colour] if p == RESPONDER else s.chips[RESPONDER][p][colour]
        change = s.offers[RESPONDER][q][GIVES][colour] - s.offers[RESPONDER][q][GETS][colour]
        before |= count << CHIP_BITS * colour
        after |= (count + (change if p == RESPONDER else -change)) << CHIP_BITS * colour
    return score(tiles, place, flag, after) - score(tiles, place, flag, before)


def packed_tiles(s: State) -> int:
    """The tiles as paths take them."""
    tiles = 0
    for i in range(TILES):
        tiles |= s.tiles[i] << TILE_BITS * i
    return tiles


def find(s: State, piece: int) -> int:
    """The place of a player, or of the flag."""
    place = 0
    for i in range(TILES):
        if s.pieces[i] == piece + 1:
            place = i
    return place


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, the board, the chips and the offers that it sees, and the answer."""
    pieces, seen, k = 0, 0, mix(mix(mix(p, s.moves), s.answer), packed_tiles(s))
    for i in range(TILES):
        pieces |= s.pieces[i] << TILE_BITS * i
    for colour in range(COLOURS):
        seen |= s.stock[colour] << COUNT_BITS * colour
    k = mix(mix(k, pieces), seen)
    for q in range(PROPOSERS):
        seen = 0
        for colour in range(COLOURS):
            chips, offer = s.chips[p][q][colour], s.offers[p][q]
            seen = (seen << 3 * COUNT_BITS) | (chips << 2 * COUNT_BITS) | (offer[GIVES][colour] << COUNT_BITS)
            seen |= offer[GETS][colour]
        k = mix(k, seen)
    return k


def imagine(s: State, p: int, r: Ints) -> None:
    """For a proposer any board that looks the same to it, and then any offer of the other one, if that was made."""
    if p == RESPONDER or s.moves == LENGTH:
        return
    q, alike, tiles = 1 - p, 0, packed_tiles(s)
    for i in range(BOARDS):
        alike += looks_alike(s, p, tiles, i)
    chosen = below(r, alike)
    for i in range(BOARDS):
        if looks_alike(s, p, tiles, i):
            if chosen == 0:
                hand_out(s, q, TABLE[i][2])
            chosen -= 1
    if s.moves > q + 1:
        for colour in range(COLOURS):
            s.offers[q][q][GIVES][colour] = s.offers[q][q][GETS][colour] = 0
            s.offers[RESPONDER][q][GIVES][colour] = s.offers[RESPONDER][q][GETS][colour] = 0
        for side in range(2):
            s.worth[q][q][side] = s.worth[RESPONDER][q][side] = 0
        moves: Any = np.zeros(MAX_TRADES, np.int64)
        n = list_trades(BEFORE, CHIPS, s.chips[q][q], s.stock, 0, moves, 0)
        i = below(r, n + 1)
        if i < n:
            write_offer(s, q, int(moves[i]))


def looks_alike(s: State, p: int, tiles: int, i: int) -> bool:
    """Whether a board shows a proposer what it sees, the `tiles` among it."""
    if TABLE[i][0] != tiles:
        return False
    places, chips = TABLE[i][1], TABLE[i][2]
    for piece in range(PLAYERS + 1):
        if s.pieces[place_of(places, piece)] != piece + 1:
            return False
    for colour in range(COLOURS):
        if count_of(chips, p, colour) != s.chips[p][p][colour]:
            return False
        if count_of(chips, RESPONDER, colour) != s.stock[colour]:
            return False
    return True
