"""An iteration of CFR in sequence form, as kernels: counterfactual values, regrets, the next strategy, its reach.

The variants of CFR, each a row of numbers.

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

Strategies that are given instead of learned: locked information sets, restricted responses, warm starts.

With weight 1 the information sets of a `Lock` play as it says, always, and the rest of the game is solved around them
(*node locking*). With a smaller weight p the players of the lock are bound to its whole strategy in a share p of all
games and free in the others; who meets them does not know which it is. What the others learn is the restricted Nash
response of Johanson, Zinkevich and Bowling (*Computing robust counter-strategies*, 2007): at 0 an equilibrium, towards
1 a best response. In sequence form both are simple: the others meet the plan p · bound + (1 − p) · free.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.game import GameError
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Floats, Sequences, Tree
from parlor.solvers.best_response import NOT_LOCKED, reaches, respond, sequence_strategy
from parlor.solvers.solver import Evaluation

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


class CfrTables(NamedTuple):
    """The arrays that the kernel writes, all [S]."""

    regret: Any
    total: Any  # weighted sum of the realisation plans
    strategy: Any  # probability of the action at its infoset
    reach: Any  # the realisation plan
    met: Any  # the plan as the others meet it: `reach` itself, unless somebody is bound to a strategy now and then
    value: Any


KEPT = ("regret", "total", "strategy")  # of the tables; the others follow from them


class LockArrays(NamedTuple):
    """The strategies that are not to be learned, see `locking`; the arrays are empty where there is none."""

    locked: Any  # [I] whether an infoset keeps its strategy
    bound: Any  # [S] the realisation plan of those who are bound to one
    share: Any  # [P] how often each player is bound


#: The numbers of an iteration: the shares of positive and of negative regrets that are kept, the share of positive ones
#: that the next iteration will keep, and how much of the last regret is expected to come once more.
Discounts = tuple[float, float, float, float]


def iterate(
    sequences: Sequences, learned: CfrTables, lock: LockArrays, variant: Variant, done: int, iterations: int
) -> None:
    """Iterations done + 1 … done + iterations."""
    bounds = sequences.bounds
    players = len(bounds) - 1
    for t in range(done + 1, done + 1 + iterations):
        discounts = discounts_of(t, variant)
        share = average_weight(t, variant)
        if not variant.alternating:
            for p in range(players):
                counterfactual(bounds[p], bounds[p + 1], sequences, learned)
        for p in range(players):
            if variant.alternating:
                counterfactual(bounds[p], bounds[p + 1], sequences, learned)
            add_to_average(bounds[p], bounds[p + 1], learned, share)
            update(sequences.infoset_bounds[p], sequences.infoset_bounds[p + 1], sequences, learned, lock, discounts)
            follow(p, sequences, learned, lock)


def discounts_of(t: int, variant: Variant) -> Discounts:
    """The numbers of iteration t."""
    progress = min((t - 1) / variant.horizon, 1.0)
    positive = variant.positive + variant.positive_change * progress
    negative = variant.negative + variant.negative_change * progress
    return (
        share_kept(t - 1, positive, variant.slowness),
        share_kept(t - 1, negative, variant.slowness),
        share_kept(t, positive, variant.slowness),
        variant.predictive,
    )


def add_to_average(low: int, high: int, learned: CfrTables, share: float) -> None:
    """Add the strategy before its update."""
    total, reach = learned.total, learned.reach
    for q in range(low, high):
        total[q] += share * reach[q]


def follow(player: int, sequences: Sequences, learned: CfrTables, lock: LockArrays) -> None:
    """The realisation plan of a player's next strategy, and what the others meet of it."""
    parent, first, count, infoset_bounds, bounds, _, _, _ = sequences
    _, _, strategy, reach, met, _ = learned
    for i in range(infoset_bounds[player], infoset_bounds[player + 1]):
        arrived = reach[parent[i]]
        for q in range(first[i], first[i] + count[i]):
            reach[q] = arrived * strategy[q]
    if len(lock.bound) > 0:
        share = lock.share[player]
        for q in range(bounds[player], bounds[player + 1]):
            met[q] = share * lock.bound[q] + (1.0 - share) * reach[q]


def counterfactual(low: int, high: int, sequences: Sequences, learned: CfrTables) -> None:
    """value[q], for a player's sequences low … high: the value of the endings right after q."""
    _, _, _, _, _, entry_bounds, other, weight = sequences
    met, value = learned.met, learned.value
    rivals = other.shape[1]
    if rivals == 1:
        for q in range(low, high):
            utility = 0.0
            for e in range(entry_bounds[q], entry_bounds[q + 1]):
                utility += weight[e] * met[other[e, 0]]
            value[q] = utility
    else:
        for q in range(low, high):
            utility = 0.0
            for e in range(entry_bounds[q], entry_bounds[q + 1]):
                product = weight[e]
                for k in range(rivals):
                    product *= met[other[e, k]]
                utility += product
            value[q] = utility


def update(
    low: int, high: int, sequences: Sequences, learned: CfrTables, lock: LockArrays, discounts: Discounts
) -> None:
    """Regrets and the next strategy at a player's infosets low … high, children before parents."""
    parent, first, count, _, _, _, _, _ = sequences
    value = learned.value
    for i in range(high - 1, low - 1, -1):
        if count[i] == 1:  # a forced move: nothing to regret
            value[parent[i]] += value[first[i]]
        else:
            value[parent[i]] += match_regrets(i, first[i], first[i] + count[i], learned, lock, discounts)


def match_regrets(i: int, begin: int, end: int, learned: CfrTables, lock: LockArrays, discounts: Discounts) -> float:
    """Regrets and the next strategy at an infoset; what it was worth under the last one."""
    regret, _, strategy, _, _, value = learned
    keep_positive, keep_negative, keep_next, predictive = discounts
    utility = 0.0
    for q in range(begin, end):
        utility += strategy[q] * value[q]
    if len(lock.locked) > 0 and lock.locked[i]:
        return utility
    sum_positive = 0.0
    for q in range(begin, end):
        gain = value[q] - utility
        r = regret[q]
        r = r * (keep_positive if r > 0.0 else keep_negative) + gain
        regret[q] = r
        if predictive > 0.0:
            r = max(r, 0.0) * keep_next + predictive * gain
        strategy[q] = max(r, 0.0)
        sum_positive += strategy[q]
    if sum_positive > 0.0:
        for q in range(begin, end):
            strategy[q] /= sum_positive
    else:
        for q in range(begin, end):
            strategy[q] = 1.0 / (end - begin)
    return utility


FREE = LockArrays(np.zeros(0, np.bool_), np.zeros(0), np.zeros(1))
EARLIER = 100  # iterations for which a warm start counts
CAUTION = 0.2  # of the largest regret that so many iterations could leave: how firmly a warm start is held


@dataclass(frozen=True)
class Lock:
    """A policy that is kept, by which players (all that it knows, if none are named) and in which share of games."""

    policy: Policy
    weight: float = 1.0
    players: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a weight that is no probability."""
        if not 0.0 <= self.weight <= 1.0:
            raise GameError(f"The weight of a lock must be between 0 and 1, not {self.weight}.")


def nothing_locked(t: Tree) -> LockArrays:
    """The arrays where everything is learned."""
    return FREE._replace(share=np.zeros(t.game.players))


def lock_arrays(t: Tree, lock: Lock) -> tuple[LockArrays, Floats]:
    """The arrays of a lock, and its strategy at the information sets of its players."""
    strategy = sequence_strategy(t, lock.policy)
    for player in lock.players:
        if not 0 <= player < t.game.players:
            raise GameError(f"{t.game.name} has players 0 to {t.game.players - 1}, not {player}.")
    locked = _locked(t, lock)
    if not locked.any():
        raise GameError(f"The locked policy has no information set of {_those(lock.players)} in {t.game.name}.")
    bound = sorted(set(t.player[locked].tolist()))
    if lock.weight == 1.0:
        if not (~locked & (t.counts > 1)).any():
            raise GameError("All information sets are locked, so that nothing is left to solve: name the players whose "
                            "are, such as --lock-players 1.")  # fmt: skip
        return nothing_locked(t)._replace(locked=locked), strategy
    if len(bound) == t.game.players:
        raise GameError("The locked policy plays for everybody: with a weight below 1, name the players that are bound "
                        "to it, such as --lock-players 1.")  # fmt: skip
    shares = np.where(np.isin(np.arange(t.game.players), bound), lock.weight, 0.0)
    return nothing_locked(t)._replace(bound=reaches(t, strategy), share=shares), strategy


def _locked(t: Tree, lock: Lock) -> npt.NDArray[np.bool_]:
    """Which information sets the policy of a lock knows, of those players that keep it."""
    named = np.isin(t.player, lock.players) if lock.players else np.ones(t.infosets, np.bool_)
    return np.asarray(named & np.isin(t.keys, lock.policy.keys))


def _those(players: tuple[int, ...]) -> str:
    return f"player {' or '.join(map(str, players))}" if players else "anybody"


def described(t: Tree, lock: Lock) -> str:
    """A lock in a sentence for people."""
    locked = _locked(t, lock)
    if lock.weight == 1.0:
        return f"{int(locked.sum()):,} information sets play as they are told"
    names = " and ".join(map(str, sorted(set(t.player[locked].tolist()))))
    return f"player {names}, in {100 * lock.weight:g} % of all games"


def plan_met(t: Tree, arrays: LockArrays, reach: Floats) -> Floats:
    """The realisation plans as the other players meet them."""
    if not len(arrays.bound):
        return reach
    share = np.repeat(arrays.share, np.diff(t.bounds))
    return np.asarray(share * arrays.bound + (1.0 - share) * reach)


def restricted(t: Tree, arrays: LockArrays, strategy: Floats) -> Evaluation:
    """Values and best responses in the game that is solved: locks hold for those who respond, too."""
    best, values = np.zeros(t.sequences), np.zeros(t.sequences)
    met = plan_met(t, arrays, reaches(t, strategy))
    compiler.native(respond)(t.sequence_form, strategy, met, arrays.locked, best, values)
    empty = t.bounds[:-1]
    return Evaluation(tuple(values[empty].tolist()), tuple(best[empty].tolist()))


def substitute_regrets(t: Tree, arrays: LockArrays, strategy: Floats) -> Floats:
    """Regrets that make regret matching play a strategy, as large as if it had been found by EARLIER iterations.

    Brown and Sandholm, *Strategy-based warm starting for regret minimization in games* (2016), derive such regrets from
    what each action is worth; these are proportional to the strategy, and to what is at stake at the information set.
    """
    stakes, unused = np.zeros(t.sequences), np.zeros(t.sequences)
    met = plan_met(t, arrays, reaches(t, strategy))
    absolute = t.sequence_form._replace(weight=np.abs(t.weight))
    compiler.native(respond)(absolute, strategy, met, NOT_LOCKED, stakes, unused)
    starts = np.cumsum(t.counts) - t.counts
    largest = np.maximum.reduceat(stakes[t.rows], starts) if t.infosets else np.zeros(0)
    regret = np.zeros(t.sequences)
    regret[t.rows] = CAUTION * math.sqrt(EARLIER) * np.repeat(largest, t.counts) * strategy[t.rows]
    return regret
