"""The variants of CFR, each a row of numbers.

They differ by how fast old regrets and old strategies are forgotten (Brown and Sandholm, *Solving imperfect-information
games via discounted regret minimization*, 2019):

    after iteration t a positive regret is multiplied by tᵃ / (tᵃ + d), a negative one by tᵇ / (tᵇ + d), where d is 1,
    and, before the strategy of iteration t + 1 enters the average, the average so far is multiplied by (t / (t + 1))ᵍ,
    so that with a fixed g the strategy of iteration t has weight tᵍ.

CFR+ (Tammelin, 2014) is b = −∞: negative regrets are dropped at once. Predictive CFR+ (Farina, Kroer and Sandholm,
2021) also acts as if the last regret would come once more. DCFR+ (Xu et al., *AutoCFR*, 2022) discounts what CFR+
keeps, with d = 1.5; PDCFR+ (Xu et al., *Minimizing weighted counterfactual regret with optimistic online mirror
descent*, 2024) predicts as well. With a hyperparameter schedule (Zhang, McAleer and Sandholm, *Faster game solving via
hyperparameter schedules*, 2024) a, b and g change in equal steps up to a horizon, in their experiments 1,000
iterations.

A variant with restarts begins anew from its average: regrets that make regret matching play it, as large as they were,
and an empty average. Restarts of averages make first-order methods converge linearly where the gap grows with the
distance from equilibrium (Applegate, Hinder, Lu and Lubin, *Faster first-order primal-dual methods for linear
programming using restarts and sharpness*, 2023; for games Chakrabarti, Diakonikolas and Kroer, *Block-coordinate
methods and restarting for solving extensive-form games*, 2023). Theirs restart when the gap has shrunk; here the first
comes after 20 iterations, and each phase is 1.3 times as long as the one before, so that nothing need be measured.

Departures: discounts are applied just before the next regrets are added, which changes no strategy; after its horizon a
schedule stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from math import inf
from typing import NamedTuple

HORIZON = 1000


class Variant(NamedTuple):
    """One member of the family."""

    positive: float  # a above
    negative: float  # b
    average: float  # g
    predictive: float = 0.0  # how much of the last regret is expected to come once more
    alternating: bool = True  # players update one after the other, or all at once
    slowness: float = 1.0  # d
    positive_change: float = 0.0  # of a, from the first iteration to the horizon
    negative_change: float = 0.0
    average_change: float = 0.0
    horizon: float = float(HORIZON)
    restart: float = 0.0  # iterations of the first phase, 0 without restarts
    growth: float = 1.0  # of the phases

    @property
    def scheduled(self) -> bool:
        """Whether its numbers change."""
        return any((self.positive_change, self.negative_change, self.average_change))


VARIANTS: Mapping[str, Variant] = {
    "cfr": Variant(inf, inf, 0.0),
    "cfr-simultaneous": Variant(inf, inf, 0.0, alternating=False),
    "cfr+": Variant(inf, -inf, 1.0),
    "cfr+-simultaneous": Variant(inf, -inf, 1.0, alternating=False),
    "linear-cfr": Variant(1.0, 1.0, 1.0),
    "dcfr": Variant(1.5, 0.0, 2.0),
    "dcfr+": Variant(1.5, -inf, 4.0, slowness=1.5),
    "pcfr+": Variant(inf, -inf, 2.0, predictive=1.0),
    "pdcfr+": Variant(2.3, -inf, 5.0, predictive=1.0),
    "hs-dcfr": Variant(1.0, -1.0, 30.0, positive_change=3.0, negative_change=-2.0, average_change=-5.0),
    "hs-pcfr+": Variant(inf, -inf, 30.0, predictive=1.0, average_change=-5.0),
    "restarted-cfr": Variant(inf, 0.0, 1.0, restart=20.0, growth=1.3),
}


def phase(done: int, variant: Variant) -> tuple[int, float]:
    """The beginning and the end of the next iteration's phase; there is one without end if nothing restarts."""
    begin, length = 0, variant.restart or inf
    while begin + int(min(length, 1e18)) <= done:
        begin, length = begin + int(length), length * variant.growth
    return begin, begin + (length if length == inf else int(length))


def share_kept(t: int, exponent: float, slowness: float = 1.0) -> float:
    """tˣ / (tˣ + d), with its limits."""
    if exponent > 1e9 or t == 0:
        return 1.0
    if exponent < -1e9:
        return 0.0
    power = float(t) ** exponent
    return power / (power + slowness)


def average_weight(t: int, variant: Variant) -> float:
    """The weight of the strategy of iteration t in the average: the product of ((u + 1) / u)ᵍ for all u < t.

    With g + c·u/h for g it is tᵍ times e to the power of c/h · Σ u (ln(u + 1) − ln u), and that sum is
    (t − 1) ln t − ln (t − 1)!.
    """
    weight = float(t) ** variant.average
    if variant.average_change != 0.0:
        last = min(float(t), variant.horizon)
        sum_of_logs = (last - 1.0) * math.log(last) - math.lgamma(last)
        weight *= math.exp(variant.average_change / variant.horizon * sum_of_logs)
        weight *= (t / last) ** variant.average_change
    return weight
