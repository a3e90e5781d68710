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

Array = npt.NDArray[np.float64]
Numbers = float | Array
Bounds = tuple[float, float]  # the least and the most that a value can be

TAIL = 0.025  # of probability, on either side of an interval
ROUNDING = 1e-24  # a variance that is smaller is 0


def student(freedom: float) -> float:
    """The 97.5 % quantile of Student's distribution, by its expansion around the normal one (Fisher and Cornish)."""
    if freedom < len(STUDENT):
        return STUDENT[max(int(freedom), 0)]
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
    """The rate of wins in independent games.

    It holds the truth 95 times in 100 on average over rates; where a tenth of a game is expected to be lost, only 84.
    """
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
    if variance > ROUNDING:
        effective = p * (1 - p) / variance  # in independent games
        found = wilson(p * effective, effective)
    else:
        found = wilson(p * groups, groups) if p in (0.0, 1.0) else exactly(p)
    below, above = unseen_reach(p, groups, (0.0, 1.0))
    return Estimate(found.value, min(found.low, p - float(below)), max(found.high, p + float(above)))


def mean(values: npt.NDArray[np.float64], group: int = 1, bounds: Bounds | None = None) -> Estimate:
    """The mean of values that come in independent groups, one after the other; `bounds`: what a value can be."""
    groups = means(values, group)
    if not len(groups):
        return Estimate(math.nan, -math.inf, math.inf)
    if len(groups) == 1:
        return Estimate(float(groups[0]), -math.inf, math.inf)
    low, high = bounds or (math.inf, -math.inf)
    seen = min(low, float(values.min())), max(high, float(values.max()))
    known = seen if bounds or seen[0] < seen[1] else None
    return mean_from(float(groups.mean()), float(groups.var(ddof=1)), len(groups), known)


def mean_from(value: float, variance: float, groups: int, bounds: Bounds | None = None) -> Estimate:
    """A mean of so many groups, whose variance is known; without bounds, equal results say nothing about others."""
    if groups < 2 or (variance <= 0.0 and bounds is None):
        return Estimate(value, -math.inf, math.inf)
    below, above = reaches(value, variance, groups, bounds or (value, value))
    return Estimate(value, value - float(below), value + float(above))


def exactly(value: float) -> Estimate:
    """A quantity that is known."""
    return Estimate(value, value, value)


def reaches(value: Numbers, variance: Numbers, groups: Numbers, bounds: Bounds) -> tuple[Array, Array]:
    """The interval of a mean of groups: its width below and above the mean, for numbers and for arrays."""
    groups = np.asarray(groups, np.float64)
    reach = _students(groups - 1) * np.sqrt(variance) / np.sqrt(groups)
    below, above = unseen_reach(value, groups, bounds)
    return np.maximum(reach, below), np.maximum(reach, above)


def unseen_reach(value: Numbers, groups: Numbers, bounds: Bounds) -> tuple[Array, Array]:
    """The possible error of a mean, below and above, where the least or largest value may not have occurred yet."""
    unseen = -np.expm1(np.log(TAIL) / np.asarray(groups, np.float64))
    low, high = bounds
    return unseen * np.maximum(np.subtract(value, low), 0.0), unseen * np.maximum(np.subtract(high, value), 0.0)


def _students(freedom: Array) -> Array:
    different, at = np.unique(freedom, return_inverse=True)
    return np.array([student(one) for one in different.tolist()])[at].reshape(np.shape(freedom))
