"""Gains of both sides from trades: the same for agents by formula and for networks."""

from __future__ import annotations

from typing import Any

from parlor.compile import AlwaysCompiled
from parlor.games.colored_trails.paths import CHIP_BITS, COLOURS, score


def list_gains_slowly(
    tiles: int, place: int, other: int, flag: int, mine: int, theirs: int, trades: Any, moves: Any, n: int, gains: Any
) -> None:
    """Fill in the gains of a proposer and the responder from each of the `n` trades in `moves` [n, 2]."""
    alone, other_alone = score(tiles, place, flag, mine), score(tiles, other, flag, theirs)
    for i in range(n):
        change = 0
        for colour in range(COLOURS):
            change += trades[moves[i], colour] << CHIP_BITS * colour  # of every colour both have enough
        gains[i, 0] = score(tiles, place, flag, mine - change) - alone
        gains[i, 1] = score(tiles, other, flag, theirs + change) - other_alone


list_gains = AlwaysCompiled(list_gains_slowly)
