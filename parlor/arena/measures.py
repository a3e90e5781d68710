"""What is measured in a match: one number for each game, and their mean with a 95 % interval.

A measure is a row of `MEASURES`. Its function gets the payoffs of the seats, the line-ups that say who sat there, and
an agent, and answers with one number a game: what the game was for that agent, or for all players together. Games of
one duplicate deal share their luck, so intervals go by deals: see `parlor.arena.statistics`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parlor.arena.statistics import Estimate, mean, rate
from parlor.game import GameError

Payoffs = npt.NDArray[np.float64]  # [games, seats] what each seat got
Lineups = npt.NDArray[np.int64]  # [games, seats] which agent sat there
Values = npt.NDArray[np.float64]  # [games]


@dataclass(frozen=True)
class Measure:
    """A number for each game, from the payoffs, the line-ups, and the agent that is asked about."""

    summary: str
    of: Callable[[Payoffs, Lineups, int], Values]
    share: bool = False  # its numbers are shares, from 0 to 1
    linear: bool = False  # in payoffs: those with less luck in them, of the same expectation, have the same mean

    def estimate(self, payoffs: Payoffs, lineups: Lineups, agent: int, group: int) -> Estimate:
        """The mean over games that come in independent groups, one after the other."""
        return (rate if self.share else mean)(self.of(payoffs, lineups, agent), group)


def most(payoffs: Payoffs) -> npt.NDArray[np.bool_]:
    """The seats that got the most, [games, seats]; more than one where the game is tied."""
    return np.equal(payoffs, payoffs.max(axis=1, keepdims=True))


def payoff(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
    """What the agent gets; the mean of its seats, where it has several."""
    mine = lineups == agent
    return np.where(mine, payoffs, 0.0).sum(axis=1) / mine.sum(axis=1)


def win_share(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
    """The agent's share of the win, which belongs to whoever got the most and is split evenly where several did."""
    first = most(payoffs)
    return (first & (lineups == agent)).sum(axis=1) / first.sum(axis=1)


def welfare(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
    """What all seats get together."""
    return payoffs.sum(axis=1)


def nash_product(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
    """The product of what the seats gain over a disagreement that is worth 0 to all (Nash, 1950).

    Who gets less than that gains nothing, and then the product is 0: two losses are no bargain.
    """
    return np.maximum(payoffs, 0.0).prod(axis=1)


def inequity(payoffs: Payoffs, lineups: Lineups, agent: int) -> Values:
    """How far apart two seats are, in the mean over all pairs of seats: 0 where all get the same."""
    p, q = np.triu_indices(payoffs.shape[1], 1)
    return np.abs(payoffs[:, p] - payoffs[:, q]).mean(axis=1)


MEASURES = {
    "payoff": Measure("what the agent gets", payoff, linear=True),
    "win-share": Measure("its share of wins; a tie is split evenly", win_share, share=True),
    "welfare": Measure("what all players get together", welfare, linear=True),
    "nash-product": Measure("the product of all gains over 0; 0 where anybody loses", nash_product),
    "inequity": Measure("the mean difference between two players", inequity),
}


def find_measure(name: str) -> Measure:
    """A measure by its name."""
    if name not in MEASURES:
        raise GameError(f"There is no measure {name!r}; there are {', '.join(MEASURES)}.")
    return MEASURES[name]
