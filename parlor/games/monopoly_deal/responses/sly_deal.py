"""Sly Deal: the other player gives up one property that is not part of a complete set."""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.games.monopoly_deal.cards import SET_SIZE, YIELD


def can_be_stolen(s: State, p: int, colour: int) -> bool:
    """Complete sets are safe."""
    return 0 < s.property[p][colour] < SET_SIZE[colour]


def valid_surrender(s: State, out: Ints, count: int) -> int:
    """The only response besides Just Say No is to give it up."""
    out[count] = YIELD
    return count + 1


def surrender(s: State, p: int) -> None:
    """The property changes hands."""
    s.property[p][s.wanted] -= 1
    s.property[1 - p][s.wanted] += 1
    s.settled = 1
