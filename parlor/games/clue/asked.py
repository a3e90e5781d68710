"""Encoding a suggestion as one number of `asked`: the triple + 1, the asker, and the answer.

The answer: none yet, nobody could refute, or a seat + 2.
"""

TRIPLE_BITS = 12
SEAT_BITS = 3
NOBODY = 1
REFUTED = 2


def triple_asked(entry: int) -> int:
    """The triple of an entry."""
    return (entry & (1 << TRIPLE_BITS) - 1) - 1


def asker_of(entry: int) -> int:
    """The player who made the suggestion."""
    return entry >> TRIPLE_BITS & (1 << SEAT_BITS) - 1


def refuter_of(entry: int) -> int:
    """The player who showed a card, or must; -1 if nobody could."""
    return (entry >> TRIPLE_BITS + SEAT_BITS) - REFUTED
