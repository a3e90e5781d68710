"""Betting for two, without cards: who acts, what may be bet, when a street ends.

The betting so far is a tuple of nine integers, and a move makes another one, so that rules, solvers and translations
can walk a tree of bets without a state or a deck:

    IN, IN + 1   chips each player has put in during the hand, blinds included
    STREET       0 pre-flop … 3 river; STREETS when there is nothing more to bet
    ACTOR        who is to move
    ACTED        moves made in this street
    RAISES       bets and raises among them; the blinds are none
    STEP         the least by which a raise must go over the bet before it
    BASE         chips each had put in when the street began: a bet of 6 on the flop is IN = BASE + 6
    FOLDED       0, or one more than who folded

Player 0 posts the small blind: the button, who opens before the flop and closes every later street.

A move is FOLD, CALL (which checks, if there is nothing to call) or 1 + the chips put in during the hand by whoever bets
or raises: with 6 in the hand, the action is 7. So every whole number of chips has an action of its own.
"""

from __future__ import annotations

from typing import TypeAlias

from parlor.games.holdem.options import BIG_BLIND, ENGINE, SMALL_BLIND, STACKS, STREETS

Betting: TypeAlias = tuple[int, int, int, int, int, int, int, int, int]

IN, STREET, ACTOR, ACTED, RAISES, STEP, BASE, FOLDED = 0, 2, 3, 4, 5, 6, 7, 8
SIZE = 9

FOLD, CALL = 0, 1
FIRST_STEP = BIG_BLIND - SMALL_BLIND if ENGINE == 1 and BIG_BLIND > SMALL_BLIND else BIG_BLIND
OPENER = 0 if ENGINE == 1 else 1  # of every street after the first
ACTIONS = 2 + max(STACKS)
#: No hand has more moves: every raise but an all-in adds a STEP to the highest bet, and a street has two other moves.
MOVES = min(STACKS) // min(FIRST_STEP, BIG_BLIND) + 2 + 2 * STREETS


def blinds() -> Betting:
    """The blinds are posted, as far as the stacks go."""
    small = min(SMALL_BLIND, STACKS[0])
    big = min(BIG_BLIND, STACKS[1])
    posted = (small, big, 0, 0, 0, 0, FIRST_STEP, 0, 0)
    return posted if is_asked(posted, 0) else (small, big, STREETS, 0, 0, 0, BIG_BLIND, 0, 0)


def is_asked(b: Betting, p: int) -> bool:
    """Whether player `p` has a decision to make before the street can end."""
    mine = b[IN + p]
    other = b[IN + 1 - p]
    if mine == STACKS[p]:
        return False
    return mine < other or (b[ACTED] < 2 and other < STACKS[1 - p])


def is_settled(b: Betting) -> bool:
    """Whether there is nothing more to bet in the hand."""
    return b[FOLDED] != 0 or b[STREET] == STREETS


def highest(b: Betting) -> int:
    """The total cost of staying in."""
    return max(b[IN], b[IN + 1])


def to_call(b: Betting) -> int:
    """The price for the actor to stay in now, at most its stack."""
    p = b[ACTOR]
    return min(highest(b), STACKS[p]) - b[IN + p]


def contested(b: Betting) -> int:
    """The chips that the loser pays to the winner: unmatched chips are returned."""
    return min(b[IN], b[IN + 1])


def least_raise(b: Betting) -> int:
    """The fewest chips in the hand that are a bet or raise of the actor; 0 if there is none.

    All-in is always enough. Nobody can raise who is all-in, nor against one who is.
    """
    p = b[ACTOR]
    top = highest(b)
    if STACKS[p] <= top or b[IN + 1 - p] == STACKS[1 - p]:
        return 0
    return min(top + b[STEP], STACKS[p])


def after(b: Betting, a: int) -> Betting:
    """The betting after a move of the actor, which must be a legal one."""
    p = b[ACTOR]
    chips = b[IN + p]
    raises = b[RAISES]
    step = b[STEP]
    folded = 0
    if a == FOLD:
        folded = p + 1
    elif a == CALL:
        chips += to_call(b)
    else:
        chips = a - 1
        raises += 1
        step = max(step, chips - highest(b))  # an all-in may be by less; the least raise stays what it was
    zero = chips if p == 0 else b[IN]
    one = chips if p == 1 else b[IN + 1]
    moved = (zero, one, b[STREET], 1 - p, b[ACTED] + 1, raises, step, b[BASE], folded)
    if folded != 0 or is_asked(moved, 1 - p):
        return moved
    everything = zero == STACKS[0] or one == STACKS[1]  # nobody, or only one, can still bet: the board is dealt
    street = STREETS if everything else b[STREET] + 1
    return (zero, one, street, OPENER, 0, 0, BIG_BLIND, min(zero, one), 0)
