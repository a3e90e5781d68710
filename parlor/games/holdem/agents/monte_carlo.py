"""Agents that play by how often their cards win against a random hand.

The rate is found by simulating the requested number of deals; with 0, it is read from the exact tables of
`parlor.poker.hands.equity_tables`, hundreds of times faster, where a tie counts one half.

`dissertation`: the thresholds of Mendes da Luz (*Poker AI*, 2025), after a public bot by Drumsta (2020). Raise to the
least, or to twice that, above a rate that depends on the street; call above another; else fold. A tie counts as a
win; pot and bets are ignored.
`sane`: call when the pot odds justify it; bet half the pot with a hand better than most, raise the pot with a much
better one, and call large bets only with a margin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.compile import Bindings
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.game.parameters import Parameter
from parlor.games.holdem.agents.reading import (
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
from parlor.games.holdem.agents.simple import honest_probabilities
from parlor.games.holdem.bets import BASE, STREET
from parlor.poker.hands.equity_tables import exact_equities
from parlor.poker.hands.isomorphism import RENAMED, board_place, hand_index

# Rates to call, to raise to the least, and to raise to twice that, by street.
CALL_ABOVE = (0.13, 0.30, 0.40, 0.70)
RAISE_ABOVE = (0.17, 0.45, 0.47, 0.80)
DOUBLE_ABOVE = (0.20, 0.55, 0.47, 0.90)

BET_ABOVE = 0.58
POT_ABOVE = 0.78
FEAR = 0.15  # how much better than the pot odds a hand must be, for a bet of the pot


def threshold_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """By the thresholds of Mendes da Luz."""
    s = states[g]
    only(n, by_thresholds(s, moves, n, judge(s, p, r, data)), out)


def by_thresholds(s: State, moves: Ints, n: int, rate: float) -> int:
    """The move that these thresholds choose at that rate."""
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


def sane_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """By the pot odds."""
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
    """The exact equity against a random hand."""
    first, tables, places, renamings, scale = data
    hand = hand_index(s.hole[p][0], s.hole[p][1])
    n = lying(s)
    if n == 0:
        return first[hand]
    place = board_place(s.board, n)
    return tables[n - 3][places[n - 3][place]][RENAMED[renamings[n - 3][place]][hand]] * scale


STYLES = {"dissertation": (threshold_probabilities, 1.0), "sane": (sane_probabilities, 0.5)}  # function, value of a tie


def simulations(default: int, server_limit: int) -> Parameter:
    """The setting of agents that simulate."""
    text = "deals that are simulated for each decision; 0: read the exact tables"
    return Parameter(default, text, 0, 1_000_000, server_limit=server_limit)


def judging(
    concrete: Game, name: str, simulations: int, tie: float
) -> tuple[Callable[[bool], tuple[Any, ...]], Bindings]:
    """The data and the binding of `judge`: simulations, or with 0 the exact tables."""
    if simulations > 0:
        return lambda compiled: (simulations, tie), {judge: by_samples}
    if concrete.schema is None or concrete.schema["board"].shape != (5,):
        raise GameError(
            f"The exact tables are for boards of five cards, and {concrete.name} has fewer: give {name} simulations."
        )
    return lambda compiled: exact_equities(), {judge: by_tables}


def make(concrete: Game, name: str, style: str, simulations: int) -> CompiledAgent:
    """In one of the `STYLES`."""
    if style not in STYLES:
        raise GameError(f"style must be one of {', '.join(STYLES)}, not {style!r}.")
    action_probabilities, tie = STYLES[style]
    return CompiledAgent(name, concrete, action_probabilities, *judging(concrete, name, simulations, tie), slow=True)


def honest(concrete: Game, name: str, simulations: int) -> CompiledAgent:
    """It calls with hands that win at least half the time."""
    return CompiledAgent(name, concrete, honest_probabilities, *judging(concrete, name, simulations, 1.0), slow=True)


SPEC = AgentSpec(
    "plays by how often its cards win against a random hand",
    make,
    ("holdem",),
    {
        "style": Parameter(
            "dissertation", "the thresholds of Mendes da Luz (2025), or sane: bets and calls by the pot"
        ),
        "simulations": simulations(10_000, server_limit=200),
    },
    name="Counting Carlo",
    made="Written by hand; it deals the rest of the cards many times and counts how often it wins.",
)
HONEST = AgentSpec(
    "calls with cards that win at least half the time, and never bets",
    honest,
    ("holdem",),
    {"simulations": simulations(1000, server_limit=200)},
    name="Honest Hanna",
    default_opponent=False,
)
