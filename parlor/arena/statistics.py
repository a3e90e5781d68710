"""95 % intervals for rates and means.

A rate from independent games gets Wilson's interval (Wilson, 1927), which is sound near 0 and 1 and for few games.
Games of duplicate deals come in pairs that share their luck; the pairs are independent, the games in one are not. Their
rate gets Wilson's interval with the number of independent games that would have been as informative: p(1-p) divided by
the variance of the mean over pairs (the design effect of surveys; Kish, 1965). Among n players a deal is played n
times, and a group of n games takes the place of the pair. A tie that is split counts as a fraction of a win.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

Z = 1.959963984540054  # 97.5 % of a normal distribution lies below it


TRUSTED_GAMES = 30  # games with the same result, before it is trusted
ROUNDING = 1e-24  # a variance that is smaller is 0


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution, by its expansion around the normal one (Fisher and Cornish)."""
    if freedom < len(STUDENT):
        return STUDENT[freedom]
    z = Z
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / freedom + second / freedom**2


STUDENT = (math.inf, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706)  # for few degrees of freedom


@dataclass(frozen=True)
class Estimate:
    """A number with the interval that holds the truth 95 times in 100."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"

    def __mul__(self, factor: float) -> Estimate:
        """The same in a smaller unit, `factor` of which make one."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


def wilson(wins: float, games: float) -> Estimate:
    """The rate of wins in independent games."""
    if games <= 0:
        return Estimate(math.nan, 0.0, 1.0)
    p, spread = wins / games, Z * Z / games
    middle = (p + spread / 2) / (1 + spread)
    reach = math.sqrt(p * (1 - p) * spread + spread * spread / 4) / (1 + spread)
    return Estimate(p, min(max(middle - reach, 0.0), p), max(min(middle + reach, 1.0), p))


def means(values: npt.NDArray[np.bool_] | npt.NDArray[np.float64], group: int) -> npt.NDArray[np.float64]:
    """The means of groups, one after the other."""
    return reduce(np.add, values.astype(np.float64).reshape(-1, group).T) / group


def rate(won: npt.NDArray[np.bool_] | npt.NDArray[np.float64], group: int = 1) -> Estimate:
    """The rate of wins, or shares of wins, in games that come in independent groups, one after the other."""
    games = len(won)
    if group == 1 or games < 2 * group:
        return wilson(float(won.sum()) / group, games / group)
    groups = means(won, group)
    return rate_from(float(groups.mean()), float(groups.var(ddof=1)), len(groups))


def rate_from(p: float, variance: float, groups: int) -> Estimate:
    """A rate that is the mean of so many groups, whose variance is known."""
    variance /= groups
    effective = p * (1 - p) / variance if variance > ROUNDING else groups  # in independent games
    return wilson(p * effective, effective)


def mean(values: npt.NDArray[np.float64], group: int = 1) -> Estimate:
    """The mean of values that come in independent groups, one after the other, by Student's distribution."""
    groups = means(values, group)
    if not len(groups):
        return Estimate(math.nan, -math.inf, math.inf)
    if len(groups) == 1:
        return Estimate(float(groups[0]), -math.inf, math.inf)
    return mean_from(float(groups.mean()), float(groups.var(ddof=1)), len(groups))


def mean_from(value: float, variance: float, groups: int) -> Estimate:
    """A mean of so many groups, whose variance is known."""
    if groups < 2 or (variance == 0.0 and groups < TRUSTED_GAMES):
        return Estimate(value, -math.inf, math.inf)  # all the same so far: nothing is known about the variance
    reach = student(groups - 1) * math.sqrt(variance) / math.sqrt(groups)
    return Estimate(value, value - reach, value + reach)
