"""The slider measure of Social Value Orientation: how much somebody gives up so that somebody else gets more, or less.

The six primary items of R. O. Murphy, K. A. Ackermann and M. J. J. Handgraaf, "Measuring Social Value Orientation",
Judgment and Decision Making 6 (2011), 771-781. Each item is a line of nine positions, from one split between oneself
and somebody else to another. The mean split that was chosen has an angle, seen from (50, 50), and a type by its angle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

Pair = tuple[int, int]  # for oneself, for the other
Type = Literal["altruist", "prosocial", "individualist", "competitor"]

POSITIONS = 9
CENTRE = 50
#: The first and the last position of each item.
ENDS: tuple[tuple[Pair, Pair], ...] = (
    ((85, 85), (85, 15)),
    ((85, 15), (100, 50)),
    ((50, 100), (85, 85)),
    ((50, 100), (85, 15)),
    ((100, 50), (50, 100)),
    ((100, 50), (85, 85)),
)
#: An angle above so many degrees is of this type; what is not above any of them is of the last one.
BORDERS: tuple[tuple[float, Type], ...] = ((57.15, "altruist"), (22.45, "prosocial"), (-12.04, "individualist"))
LAST: Type = "competitor"


def _between(first: int, last: int, position: int) -> int:
    """On the line from first to last, rounded as published: halves go up."""
    return math.floor(first + (last - first) * position / (POSITIONS - 1) + 0.5)


#: question id -> what every position, counted from 0, gives to oneself and to the other
ITEMS: Mapping[str, tuple[Pair, ...]] = {
    f"svo-{number}": tuple((_between(a[0], b[0], k), _between(a[1], b[1], k)) for k in range(POSITIONS))
    for number, (a, b) in enumerate(ENDS, 1)
}


def angle(chosen: Sequence[Pair]) -> float:
    """In degrees: 0 for somebody who only cares for oneself, 45 for one who cares as much for the other."""
    own = sum(pair[0] for pair in chosen) / len(chosen)
    others = sum(pair[1] for pair in chosen) / len(chosen)
    return math.degrees(math.atan2(others - CENTRE, own - CENTRE))


def type_of(degrees: float) -> Type:
    """The type of an angle."""
    return next((name for border, name in BORDERS if degrees > border), LAST)


def orientation(positions: Mapping[str, int]) -> tuple[float, Type] | None:
    """Angle and type of somebody's positions, by question id; None unless all six were given."""
    if any(item not in positions for item in ITEMS):
        return None
    found = angle([pairs[positions[item]] for item, pairs in ITEMS.items()])
    return found, type_of(found)
