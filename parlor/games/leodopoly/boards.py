"""The board of Leodopoly: its spaces in order, with costs, rents and sets.

It is the board of Khan, *AI for Board Games* (University of Leeds, 2019): streets of Leeds.
"""

from __future__ import annotations

from typing import NamedTuple


class Space(NamedTuple):
    """A space of the board; what costs nothing cannot be bought."""

    name: str
    cost: int = 0
    rent: int = 0
    group: int = 0  # spaces of one group make a full set, which doubles their rents; 0: none


LEEDS = (
    Space("Millennium Square"),
    Space("Woodhouse Street", 60, 20, 1),
    Space("Melville Place", 50, 12, 1),
    Space("Quarry Mount", 30, 8, 1),
    Space("Leeds University", 700, 150, 4),
    Space("Hyde Park Road", 200, 60, 2),
    Space("Brudenell Road", 120, 40, 2),
    Space("Victoria Road", 250, 80, 2),
    Space("Notre Dame", 200, 60, 4),
    Space("Bearpit Gardens", 300, 2, 3),
    Space("North Lane", 100, 50, 3),
)
