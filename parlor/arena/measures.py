"""Measures of a match: one number for each game, and the mean with a 95 % interval.

A measure is a row of `MEASURES`. Its function gets the payoffs of the seats, the line-ups that say who sat there, and
an agent, and returns one number a game: for that agent, or for all players together. Games of
one duplicate deal share their luck, so intervals are computed over deals: see `parlor.arena.statistics`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from parlor.arena.statistics import Bounds, Estimate, mean, rate
from parlor.game import GameError
from parlor.game.loading.registry import Outside, Registry

Payoffs = npt.NDArray[np.float64]  # [games, seats] what each seat got
Lineups = npt.NDArray[np.int64]  # [games, seats] which agent sat there
Values = npt.NDArray[np.float64]  # [games]
CORNERS = 10  # players whose payoffs are combined; the others get what the last of them gets


@dataclass(frozen=True)
class Measure:
    """A number for each game, from the payoffs, the line-ups, and the agent that is asked about."""

    summary: str
    of: Callable[[Payoffs, Lineups, int], Values]
    share: bool = False  # its numbers are shares, from 0 to 1
    linear: bool = False  # linear in payoffs, so that payoffs corrected for luck have the same mean
    less: bool = False  # the less of it, the better
    bounded: bool = True  # its bounds follow from those of the payoffs

    def estimate(self, values: Values, group: int, bounds: Bounds | None = None) -> Estimate:
        """The mean over games that come in independent groups, one after the other; `bounds`: what a value can be."""
        return rate(values, group) if self.share else mean(values, group, bounds)

    def bounds(self, extremes: Payoffs) -> Bounds | None:
        """The least and the most that it can be, where these are the extremes of the payoffs; None if unknown."""
        if self.share:
            return 0.0, 1.0
        if not self.bounded:
            return None
        found = self.of_cells(extremes.T)
        return float(found.min()), float(found.max())

    def of_cells(self, payoffs: Payoffs) -> Payoffs:
        """The measure of each cell of a table of payoffs [seats, …], for each seat: an agent of its own."""
        cells = payoffs.reshape(len(payoffs), -1).T  # [cells, seats]
        lineups = np.tile(np.arange(len(payoffs)), (len(cells), 1))
        return np.stack([self.of(cells, lineups, seat) for seat in range(len(payoffs))]).reshape(payoffs.shape)


def extremes(least: float, most: float, players: int, zero_sum: bool) -> Payoffs:
    """Payoffs in which everybody gets the least or the most, [cells, players]; of zero sums what is left of them.

    Where the least is the most, one point more or less is taken to be possible: nothing else was ever seen.
    """
    if least == most:
        least, most = least - 1.0, most + 1.0
    corners = np.array(list(product((least, most), repeat=min(players, CORNERS))))
    found = np.pad(corners, [(0, 0), (0, players - corners.shape[1])], mode="edge")
    return found - found.mean(axis=1, keepdims=True) if zero_sum else found


# A match may have millions of games: NumPy is many times faster seat by seat than along rows as short as these.


def most(payoffs: Payoffs) -> npt.NDArray[np.bool_]:
    """The seats that got the most, [games, seats]; more than one where the game is tied."""
    return np.equal(payoffs, reduce(np.maximum, payoffs.T)[:, None])


def count(seats: npt.NDArray[np.bool_]) -> Values:
    """The number of such seats, [games]."""
    return reduce(np.add, seats.view(np.int8).T).astype(np.float64)


def payoff(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
    """The agent's payoff; the mean of its seats, if it has several."""
    mine = lineups == agent
    return reduce(np.add, np.where(mine, payoffs, 0.0).T) / count(mine)


def win_share(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
    """The agent's share of the win, which belongs to whoever got the most and is split evenly where several did."""
    first = most(payoffs)
    return count(first & (lineups == agent)) / count(first)


def welfare(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
    """The sum of all payoffs."""
    return reduce(np.add, payoffs.T)


def nash_product(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
    """The product of the gains of the seats over a disagreement of value 0 to all (Nash, 1950).

    A negative payoff counts as a gain of 0, and then the product is 0: two losses are no bargain.
    """
    return reduce(np.multiply, np.maximum(payoffs, 0.0).T)


def inequity(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
    """The mean difference between two seats, over all pairs of seats: 0 if all get the same."""
    apart = [np.abs(one - other) for one, other in combinations(payoffs.T, 2)]
    return reduce(np.add, apart) / len(apart)


def from_outside(code: Outside) -> Measure:
    """A function of payoffs, line-ups and an agent as a measure."""
    settings = code.settings("payoffs", "lineups", "agent")()

    def of(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
        answer = code.call(settings, payoffs, lineups, agent)
        try:
            values = np.array(answer, np.float64)
        except (TypeError, ValueError):
            values = np.zeros(0)
        if values.shape != payoffs.shape[:1] or not np.isfinite(values).all():
            raise GameError(f"{code.name} answered {repr(answer)[:60]}, not a finite number for each game.")
        return values

    return Measure(code.summary, of, bounded=False)


MEASURES = Registry("measure", "payoff", "parlor.measures", Measure, from_outside)
MEASURES |= {
    "payoff": Measure("what the agent gets", payoff, linear=True),
    "win-share": Measure("its share of wins; a tie is split evenly", win_share, share=True),
    "welfare": Measure("what all players get together", welfare, linear=True),
    "nash-product": Measure("the product of all gains over 0; 0 where anybody loses", nash_product),
    "inequity": Measure("the mean difference between two players", inequity, less=True),
}
