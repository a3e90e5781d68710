"""Abstractions of hold'em: games with the moves of a betting tree (`sizes.TREES`), `holdem/fcpa` for one.

Cards are unchanged. The betting is seen as if only moves of the tree had been made: an action outside of it is mapped
to one inside, at random between its neighbours, where the random number is a hash of what the player knows: the same in
the same situation, and unpredictable for the other player. A raise where the tree has no more of them is mapped to the
last one that it has, as if both had raised in turns until then: the answer is to call or to fold, so that a series of
raises is not taken for a first raise again and again. When, seen like that, the chips are used up in a hand that goes
on in truth, what is left is to check, call or fold.

Agents at a table with others see more exactly what has left the tree: see `translation`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from parlor.game import Ints, State
from parlor.game.rng import M32, UNIT, mix
from parlor.games.holdem.bets import ACTOR, CALL, FOLD, STREET, Betting, after, blinds, is_settled, least_raise, to_call
from parlor.games.holdem.options import STACKS
from parlor.games.holdem.rules import HANDS, board_due, book, cards_key, play
from parlor.games.holdem.sizes import (
    ALL_IN,
    MOVES_OF_A_TREE,
    ROWS,
    SIZES,
    SMALLEST,
    action_of,
    has,
    lowest_raise,
    most_raises,
    sized,
    taken_for,
)
from parlor.games.holdem.words import describe
from parlor.games.holdem.words import move as move_data
from parlor.poker.hands.cards import DECK

ROW = 0  # of `TREES`; every abstraction has its own, see `of_row`
USED_UP = -1


def seen_as(s: State, p: int, row: int) -> tuple[Betting, int]:
    """The betting of the tree that player `p` maps the moves so far to, and a code of its moves."""
    b = blinds()
    there = b
    opening = b
    code = 0
    opening_code = 0
    dice = s.hole[p][0] * DECK + s.hole[p][1]
    for i in range(s.made):
        if is_settled(there):
            break
        a = s.moves[i]
        dice = mix(dice, a)
        u = (dice & M32) * UNIT
        m = taken_for(b, a, there, row, u)
        if m < 0:
            for raises in range(most_raises(there, row) - 1, -1, -1):
                there, code = raised_until(opening, opening_code, b[ACTOR], raises, row)
                m = taken_for(b, a, there, row, u)
                if m >= 0:
                    break
        b = after(b, a)
        there = after(there, action_of(there, row, m))
        code = mix(code, m)
        if there[STREET] != opening[STREET]:
            opening = there
            opening_code = code
    return there, code


def raised_until(b: Betting, code: int, actor: int, raises: int, row: int) -> tuple[Betting, int]:
    """A street raised by the least of the tree, in turns, until the next raise is the actor's."""
    first = actor if raises % 2 == 0 else 1 - actor
    if b[ACTOR] != first:
        b = after(b, CALL)
        code = mix(code, CALL)
    for _ in range(raises):
        m = lowest_raise(b, row)
        if m >= 0:
            b = after(b, action_of(b, row, m))
            code = mix(code, m)
    return b, code


def tree_legal(s: State, out: Ints) -> int:
    """The moves that the tree has here."""
    b = book(s)
    there, _ = seen_as(s, b[ACTOR], ROW)
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


def stands_for(s: State, m: int, row: int) -> int:
    """The action that a move of the tree stands for: the same share of the pot; an impossible raise becomes a call."""
    b = book(s)
    if m <= CALL:
        return m
    least = least_raise(b)
    if least == 0:
        return CALL
    if m == ALL_IN:
        return 1 + STACKS[b[ACTOR]]
    return 1 + sized(b, row, SIZES[row][b[STREET]][m - SMALLEST], least)


def tree_resolve(s: State, m: int) -> int:
    """The action that a move of this tree stands for."""
    return stands_for(s, m, ROW)


def tree_play(s: State, m: int) -> None:
    """Deal, or make a move of the tree."""
    play(s, m if is_dealing(s) else stands_for(s, m, ROW))


def is_dealing(s: State) -> bool:
    """Whether cards are dealt next."""
    return bool(s.dealt < HANDS + board_due(s))


def tree_key(s: State, p: int) -> int:
    """The information set of `p` in the tree: the player, its cards, the board, and the moves mapped to the tree's."""
    there, code = seen_as(s, p, ROW)
    return mix(mix(code, USED_UP if is_settled(there) else 0), cards_key(s, p))


def tree_history(s: State, p: int) -> int:
    """The moves mapped to the tree's; after them nobody is to move in the tree if its chips are used up."""
    _, code = seen_as(s, p, ROW)
    return code


def tree_describe(s: State, m: int) -> str:
    """The name of the action that it stands for."""
    return describe(s, m if is_dealing(s) else stands_for(s, m, ROW))


def tree_move(s: State, m: int) -> Mapping[str, int | str]:
    """The action that it stands for, as data; two bets that become the same action keep their places in the tree."""
    return {**move_data(s, m if is_dealing(s) else stands_for(s, m, ROW)), "branch": m}


def of_row(function: Callable[..., Any], row: int) -> Callable[..., Any]:
    """A copy of a function with another ROW in its module, because rules take no further arguments."""
    assert isinstance(function, FunctionType)
    return FunctionType(function.__code__, {**function.__globals__, "ROW": row}, function.__name__)


ABSTRACTIONS = {
    name: {
        "legal": of_row(tree_legal, row),
        "play": of_row(tree_play, row),
        "key": of_row(tree_key, row),
        "public_history": of_row(tree_history, row),
        "resolve": of_row(tree_resolve, row),
        "describe": of_row(tree_describe, row),
        "move": of_row(tree_move, row),
    }
    for name, row in ROWS.items()
}
