"""Translating a hand in which others bet any amounts into a hand of a betting tree, for a player of that tree.

Every action is mapped to a move of the tree, as in `abstraction`: at random between its neighbours. That alone lets the
pot of the tree fall further and further behind the real one: after four pots that are taken for one, twice, each has
put in 162 chips and the tree says 18. With most of its chips in the pot, the player then folds to what it takes for a
bet of ten pots. So here, when a street ends with another pot than the tree's, it is replaced by a street of the tree
that ends with the next smaller or the next larger pot: some raises of one size, the last by whoever raised last in
truth. Between the two it is chosen by the pseudo-harmonic mapping, too, of what is left to bet, in pots. All-in is one
of them. Where the player has called what it took for all-in, it goes on calling.

A hand within the tree is seen as it is. The abstractions themselves, in which blueprints are trained, never leave it.
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.game.rng import M32, UNIT, mix
from parlor.games.holdem.abstraction import USED_UP, of_row, raised_until
from parlor.games.holdem.bets import ACTOR, BASE, CALL, FOLD, STREET, Betting, after, blinds, is_settled, to_call
from parlor.games.holdem.options import STACKS
from parlor.games.holdem.rules import book, cards_key
from parlor.games.holdem.sizes import (
    ALL_IN,
    MOVES_OF_A_TREE,
    ROWS,
    SMALLEST,
    action_of,
    chips_of,
    has,
    most_raises,
    pseudo_harmonic,
    taken_for,
)
from parlor.poker.hands.cards import DECK

ROW = 0  # of `TREES`; every tree has its own, see `of_row`
NOBODY = -1


def translated(s: State, p: int, row: int) -> tuple[Betting, int]:
    """The betting of the tree that player `p` takes the moves so far for, and a code of its moves."""
    b = blinds()
    there = b
    opening = b  # of the street, in the tree
    code = 0
    opening_code = 0
    raiser = NOBODY
    dice = s.hole[p][0] * DECK + s.hole[p][1]
    for i in range(s.made):
        if is_settled(there):
            break
        a = s.moves[i]
        dice = mix(dice, a)
        u = (dice & M32) * UNIT
        if a > CALL:
            raiser = b[ACTOR]
        m = taken_for(b, a, there, row, u)
        if m < 0:
            for raises in range(most_raises(there, row) - 1, -1, -1):
                there, code = raised_until(opening, opening_code, b[ACTOR], raises, row)
                m = taken_for(b, a, there, row, u)
                if m >= 0:
                    break
        street = b[STREET]
        b = after(b, a)
        there = after(there, action_of(there, row, m))
        code = mix(code, m)
        if b[STREET] != street:
            if raiser != NOBODY and not is_settled(b) and not is_settled(there) and there[BASE] != b[BASE]:
                there, code = with_pot(b[BASE], raiser, opening, opening_code, there, code, row, u)
            opening = there
            opening_code = code
            raiser = NOBODY
    return there, code


def with_pot(
    chips: int, raiser: int, opening: Betting, opening_code: int, there: Betting, code: int, row: int, u: float
) -> tuple[Betting, int]:
    """The end of a street after which each has put in about so many chips: `there`, or another way to bet it."""
    low = there
    low_code = code
    high = there
    high_code = code
    for m in range(SMALLEST, ALL_IN + 1):
        for raises in range(1, most_raises(opening, row) + 1):
            line = opening
            line_code = opening_code
            if line[ACTOR] != (raiser if raises % 2 == 1 else 1 - raiser):
                line = after(line, CALL)
                line_code = mix(line_code, CALL)
            made = 0
            while made < raises and chips_of(line, row, m) > 0:
                line = after(line, action_of(line, row, m))
                line_code = mix(line_code, m)
                made += 1
            if made < raises:
                continue
            line = after(line, CALL)
            line_code = mix(line_code, CALL)
            if line[BASE] <= chips and (low[BASE] > chips or line[BASE] > low[BASE]):
                low = line
                low_code = line_code
            if line[BASE] >= chips and (high[BASE] < chips or line[BASE] < high[BASE]):
                high = line
                high_code = line_code
    if low[BASE] >= chips or (
        high[BASE] > chips and u < pseudo_harmonic(left(high[BASE]), left(chips), left(low[BASE]))
    ):
        return high, high_code
    return low, low_code


def left(chips: int) -> float:
    """The largest possible bet when each has put in so many chips, in pots."""
    return (min(STACKS) - chips) / (2.0 * chips)


def seen_legal(s: State, out: Ints) -> int:
    """The moves that the tree has there."""
    b = book(s)
    there, _ = translated(s, b[ACTOR], ROW)
    count = 0
    if is_settled(there):
        if to_call(b) > 0:
            out[count] = FOLD
            count += 1
        out[count] = CALL
        return count + 1
    for m in range(MOVES_OF_A_TREE):
        if has(there, ROW, m):
            out[count] = m
            count += 1
    return count


def seen_key(s: State, p: int) -> int:
    """The information set of `p` in the tree: the player, its cards, the board, and the translated moves."""
    there, code = translated(s, p, ROW)
    return mix(mix(code, USED_UP if is_settled(there) else 0), cards_key(s, p))


def seen_history(s: State, p: int) -> int:
    """The translated moves; after them nobody is to move in the tree if its chips are used up."""
    _, code = translated(s, p, ROW)
    return code


#: tree -> what replaces the rules of its abstraction for a player at a table
SEATED = {
    name: {
        "legal": of_row(seen_legal, row),
        "key": of_row(seen_key, row),
        "public_history": of_row(seen_history, row),
    }
    for name, row in ROWS.items()
}
