"""Betting trees as data: which bets a tree has, and how a bet outside the tree is mapped to one of them.

A row of `TREES` names, for each street, the sizes of bets and raises, whether all-in is one of them, and after how many
raises of the street there are no more. A size is a percentage of the pot as it would be after calling; one in `BLINDS`
is a percentage of the big blind on top of the bet. Moves inside a tree have ids of their own, the same in every street:
FOLD, CALL, the sizes from SMALLEST on, ALL_IN.

An action outside the tree is translated by the pseudo-harmonic mapping (Ganzfried and Sandholm, *Action translation
in extensive-form games with large action spaces*, 2013): a bet of x pots between A and B of the tree is mapped to A
with probability (B - x)(1 + A) / ((B - A)(1 + x)).
"""

from __future__ import annotations

from dataclasses import dataclass

from parlor.games.holdem.bets import ACTOR, CALL, FOLD, RAISES, STREET, Betting, highest, least_raise, to_call
from parlor.games.holdem.options import BIG_BLIND, STACKS

MAX_SIZES = 4  # sizes a street
SMALLEST = 2  # SMALLEST + i is the size i of the street
ALL_IN = SMALLEST + MAX_SIZES
MOVES_OF_A_TREE = ALL_IN + 1


@dataclass(frozen=True)
class BettingTree:
    """A row: sizes in percent, all-in or not, and the cap on raises, for each street."""

    summary: str
    sizes: tuple[tuple[int, ...], ...]
    all_in: bool
    caps: tuple[int, ...]
    blinds: bool = False  # sizes are of the big blind rather than of the pot

    @property
    def has_one_raise(self) -> bool:
        """Whether there are three moves: fold, call, and one bet or raise."""
        return not self.all_in and all(len(sizes) == 1 for sizes in self.sizes)


TREES = {
    "pot": BettingTree("one bet of the pot a street", ((100,),) * 4, False, (1,) * 4),
    "fcpa": BettingTree("fold, call, the pot, all-in; two raises a street", ((100,),) * 4, True, (2,) * 4),
    "half-pot": BettingTree("half the pot, the pot, all-in", ((50, 100),) * 4, True, (3, 3, 2, 2)),
    "wide": BettingTree("half the pot, the pot, twice the pot, all-in", ((50, 100, 200),) * 4, True, (4, 3, 3, 3)),
    "dissertation": BettingTree("raise by three big blinds; six raises a street", ((300,),) * 4, False, (6,) * 4, True),
}
ROWS = {name: number for number, name in enumerate(TREES)}

# The same as numbers, for the rules: [row][street][size], [row][street], [row].
SIZES = tuple(tuple((s + (0,) * MAX_SIZES)[:MAX_SIZES] for s in tree.sizes) for tree in TREES.values())
CAPS = tuple(tree.caps for tree in TREES.values())
HAS_ALL_IN = tuple(int(tree.all_in) for tree in TREES.values())
IN_BLINDS = tuple(int(tree.blinds) for tree in TREES.values())


# --------------------------------------------------------------------------------------------------- inside a tree


def chips_of(b: Betting, row: int, m: int) -> int:
    """Chips in the hand that the actor's bet or raise `m` of the tree goes to; 0 if the tree does not have it here.

    No bet is below the least raise nor above the stack, and equal bets occur once: under the lowest id,
    but all-in under its own.
    """
    p = b[ACTOR]
    street = b[STREET]
    least = least_raise(b)
    if least == 0 or b[RAISES] >= CAPS[row][street]:
        return 0
    if m == ALL_IN:
        return STACKS[p] if HAS_ALL_IN[row] == 1 else 0
    size = SIZES[row][street][m - SMALLEST]
    if size == 0:
        return 0
    chips = sized(b, row, size, least)
    if chips == STACKS[p] and HAS_ALL_IN[row] == 1:
        return 0
    if m > SMALLEST and sized(b, row, SIZES[row][street][m - SMALLEST - 1], least) == chips:
        return 0
    return chips


def most_raises(b: Betting, row: int) -> int:
    """The largest number of raises of a street in the tree."""
    return CAPS[row][b[STREET]]


def lowest_raise(b: Betting, row: int) -> int:
    """The lowest bet or raise that the tree has here; -1 if it has none."""
    for m in range(SMALLEST, ALL_IN + 1):
        if chips_of(b, row, m) > 0:
            return m
    return -1


def sized(b: Betting, row: int, size: int, least: int) -> int:
    """Chips in the hand after a bet of that size, within what may be bet."""
    top = highest(b)
    unit = BIG_BLIND if IN_BLINDS[row] == 1 else 2 * top
    return min(max(top + unit * size // 100, least), STACKS[b[ACTOR]])


def has(b: Betting, row: int, m: int) -> bool:
    """Whether the tree has the move `m` here: folding needs something to call."""
    if m == FOLD:
        return to_call(b) > 0
    return m == CALL or chips_of(b, row, m) > 0


def action_of(b: Betting, row: int, m: int) -> int:
    """The action of the full game that a move of the tree stands for."""
    return m if m <= CALL else 1 + chips_of(b, row, m)


# --------------------------------------------------------------------------------------------------- outside of it


def pseudo_harmonic(low: float, x: float, high: float) -> float:
    """The probability that a bet of `x` pots, between two of the tree, is mapped to the lower one."""
    return (high - x) * (1.0 + low) / ((high - low) * (1.0 + x))


def share(b: Betting, chips: int) -> float:
    """A bet as a fraction of the pot after calling."""
    top = highest(b)
    return (chips - top) / (2.0 * top)


def taken_for(b: Betting, a: int, there: Betting, row: int, u: float) -> int:
    """The move of a tree, whose betting is `there`, that an action `a` in the betting `b` is mapped to; `u` in [0, 1).

    All-in stays all-in, where the tree has it. A bet smaller than all of the tree is mapped to the smallest, never to a
    check, and a larger one to the largest. FOLD and CALL stay the same. -1: the tree has no bet here.
    """
    if a <= CALL:
        return a
    chips = a - 1
    if chips == STACKS[b[ACTOR]] and chips_of(there, row, ALL_IN) > 0:
        return ALL_IN
    x = share(b, chips)
    below = -1
    low = 0.0
    for m in range(SMALLEST, ALL_IN + 1):
        target = chips_of(there, row, m)
        if target > 0:
            high = share(there, target)
            if x == high:
                return m
            if x < high:
                if below < 0 or u >= pseudo_harmonic(low, x, high):
                    return m
                return below
            below = m
            low = high
    return below
