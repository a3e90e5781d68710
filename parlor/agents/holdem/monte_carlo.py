"""Players that go by how often their cards win against any other hand.

The rate is found by simulation, as many deals as asked for; or, with none, read from the exact tables of
`games.holdem.tables`, hundreds of times faster, where a tie counts one half.

`dissertation`: its thresholds (after a public bot by Drumsta, 2020). Raise to the least, or to twice that, above a rate
that depends on the street; call above another; else give up. A tie counts as a win, pot and bets count for nothing.
`sane`: call when the pot pays for it; bet half the pot with a better hand than most, raise the pot with a much better
one, and give large bets the respect of a hand better than any.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.agents.holdem.reading import (
    by_samples,
    calling,
    judge,
    lying,
    of_pot,
    only,
    passing,
    pot,
    price,
    raising,
)
from parlor.agents.holdem.simple import weigh_honest
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.games.holdem.bets import BASE, STREET
from parlor.native import Bindings
from parlor.poker.isomorphism import CLASS_OF_HAND, RENAMED, board_place, boards, hand_index

# Rates to call, to raise to the least, and to raise to twice that, by street.
CALL_ABOVE = (0.13, 0.30, 0.40, 0.70)
RAISE_ABOVE = (0.17, 0.45, 0.47, 0.80)
DOUBLE_ABOVE = (0.20, 0.55, 0.47, 0.90)

BET_ABOVE = 0.58
POT_ABOVE = 0.78
FEAR = 0.15  # how much better than the pot's price a hand must be, for a bet of the pot


def weigh_by_thresholds(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """By the dissertation."""
    s = states[g]
    only(n, by_thresholds(s, moves, n, judge(s, p, r, data)), out)


def by_thresholds(s: State, moves: Ints, n: int, rate: float) -> int:
    """Which move the dissertation's thresholds choose at that rate."""
    street = s.betting[STREET]
    first = calling(moves) + 1
    least = moves[first] - 1 - s.betting[BASE] if first < n else 0
    if rate > DOUBLE_ABOVE[street]:
        return raising(s, moves, n, 2 * least)
    if rate > RAISE_ABOVE[street]:
        return raising(s, moves, n, least)
    if rate > CALL_ABOVE[street]:
        return calling(moves)
    return passing(moves)


def weigh_sanely(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """By the price of a call."""
    s = states[g]
    rate = judge(s, p, r, data)
    cost = price(s, p)
    before = pot(s) - cost  # what the bet was made into
    needed = cost / (pot(s) + cost) + FEAR * min(cost / before, 1.0) if cost > 0 else 0.0
    if rate > POT_ABOVE:
        only(n, raising(s, moves, n, of_pot(s, 1.0)), out)
    elif cost == 0 and rate > BET_ABOVE:
        only(n, raising(s, moves, n, of_pot(s, 0.5)), out)
    elif rate >= needed:
        only(n, calling(moves), out)
    else:
        only(n, passing(moves), out)


# --------------------------------------------------------------------------------------------------- exact rates


def by_tables(s: State, p: int, r: Ints, data: Any) -> float:
    """The exact equity against any hand."""
    first, tables, places, renamings, scale = data
    hand = hand_index(s.hole[p][0], s.hole[p][1])
    n = lying(s)
    if n == 0:
        return first[hand]
    place = board_place(s.board, n)
    return tables[n - 3][places[n - 3][place]][RENAMED[renamings[n - 3][place]][hand]] * scale


def exact(compiled: bool) -> tuple[Any, ...]:
    """The tables, which are made once and lie in the cache."""
    from parlor.poker.equity_tables import SCALE, before_the_flop, equities

    wins, ties = before_the_flop().T.astype(float)
    cases = 2_118_760 * 990  # C(50, 5) boards, C(45, 2) other hands
    first = ((wins + ties / 2) / cases)[CLASS_OF_HAND]
    sizes = (3, 4, 5)
    return (
        np.ascontiguousarray(first),
        tuple(equities(size) for size in sizes),
        tuple(boards(size).index for size in sizes),
        tuple(boards(size).renaming for size in sizes),
        1.0 / SCALE,
    )


STYLES = {"dissertation": (weigh_by_thresholds, 1.0), "sane": (weigh_sanely, 0.5)}  # the mind, and what a tie counts


def judging(
    concrete: Game, name: str, simulations: int, tie: float
) -> tuple[Callable[[bool], tuple[Any, ...]], Bindings]:
    """What `judge` reads, and what fills it: so many simulations, or with none the exact tables."""
    if simulations > 0:
        return lambda compiled: (simulations, tie), {judge: by_samples}
    if concrete.schema is None or concrete.schema["board"].shape != (5,):
        raise GameError(
            f"The tables are of boards of five cards, and {concrete.name} has fewer: {name} needs simulations."
        )
    return exact, {judge: by_tables}


def make(concrete: Game, name: str, style: str, simulations: int) -> CompiledAgent:
    """In one of the `STYLES`."""
    if style not in STYLES:
        raise GameError(f"style must be one of {', '.join(STYLES)}, not {style!r}.")
    weigh, tie = STYLES[style]
    return CompiledAgent(name, concrete, weigh, *judging(concrete, name, simulations, tie), slow=True)


def honest(concrete: Game, name: str, simulations: int) -> CompiledAgent:
    """It calls with what wins at least half the time."""
    return CompiledAgent(name, concrete, weigh_honest, *judging(concrete, name, simulations, 1.0), slow=True)
