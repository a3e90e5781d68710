"""How a suggestion is written into one number of `asked`: the triple + 1, who asked, and what came of it.

What came of it: nothing yet, nobody could refute, or a seat + 2.
"""

TRIPLE_BITS = 12
SEAT_BITS = 3
NOBODY = 1
REFUTED = 2


def triple_asked(entry: int) -> int:
    """The triple of an entry."""
    return (entry & (1 << TRIPLE_BITS) - 1) - 1


def asker_of(entry: int) -> int:
    """Who suggested it."""
    return entry >> TRIPLE_BITS & (1 << SEAT_BITS) - 1


def refuter_of(entry: int) -> int:
    """Who showed a card, or must: a seat; -1 if nobody could."""
    return (entry >> TRIPLE_BITS + SEAT_BITS) - REFUTED
