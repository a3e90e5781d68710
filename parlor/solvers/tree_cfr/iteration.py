"""An iteration of CFR in sequence form, as kernels: counterfactual values, regrets, the next strategy, its reach."""

from __future__ import annotations

from typing import Any, NamedTuple

from parlor.sequence_form.tree import Sequences
from parlor.solvers.tree_cfr.variants import Variant, average_weight, share_kept


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
