"""Counterfactual regret minimisation on an enumerated game, for any number of players.

Zinkevich et al., *Regret minimization in games with incomplete information* (2007). The well-known variants differ by
how fast old regrets and old strategies are forgotten, so each is a row of numbers over one kernel (Brown and Sandholm,
*Solving imperfect-information games via discounted regret minimization*, 2019):

    after iteration t a positive regret is multiplied by tᵃ / (tᵃ + 1), a negative one by tᵇ / (tᵇ + 1),
    and the strategy of iteration t enters the average with weight tᵍ.

CFR+ (Tammelin, 2014) is b = −∞: negative regrets are dropped at once. Predictive CFR+ (Farina, Kroer and Sandholm,
2021) also acts as if the last regret would come once more. Departures: everything runs in sequence form (see
`tree.py`), also with three or more players, where the papers walk the tree; discounts are applied just before the next
regrets are added, which changes no strategy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import inf
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.game import Game, GameError
from parlor.policies.plans import normalised, tree_policy, uniform_strategy
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Floats, Sequences, Tree, tree
from parlor.solvers.best_response import expected, reaches
from parlor.solvers.solver import SolverRow


class Variant(NamedTuple):
    """One member of the family."""

    positive: float  # a above
    negative: float  # b
    average: float  # g
    predictive: bool = False
    alternating: bool = True  # players update one after the other, or all at once


VARIANTS: Mapping[str, Variant] = {
    "cfr": Variant(inf, inf, 0.0),
    "cfr-simultaneous": Variant(inf, inf, 0.0, alternating=False),
    "cfr+": Variant(inf, -inf, 1.0),
    "cfr+-simultaneous": Variant(inf, -inf, 1.0, alternating=False),
    "linear-cfr": Variant(1.0, 1.0, 1.0),
    "dcfr": Variant(1.5, 0.0, 2.0),
    "pcfr+": Variant(inf, -inf, 2.0, predictive=True),
}


class CfrTables(NamedTuple):
    """The arrays that the kernel writes, all [S]."""

    regret: Any
    total: Any  # weighted sum of the realisation plans
    strategy: Any  # probability of the action at its infoset
    reach: Any  # the realisation plan
    value: Any


KEPT = ("regret", "total", "strategy")  # of the tables; the others follow from them


class Cfr:
    """A solve in progress: `run(n)` runs n more iterations, `policy()` is the average strategy so far."""

    def __init__(self, game: Game, variant: str | Variant = "cfr+", compiled: bool | None = None) -> None:
        if isinstance(variant, str) and variant not in VARIANTS:
            raise GameError(f"There is no CFR variant {variant!r}; there are {', '.join(VARIANTS)}.")
        self.variant = VARIANTS[variant] if isinstance(variant, str) else variant
        self.name = variant if isinstance(variant, str) else "cfr"
        self.tree: Tree = tree(game)
        self.game = game
        self.iterations = 0
        compiled = True if compiled is None else compiled
        self._kernel: Any = compiler.native(iterate) if compiled else iterate
        size, uniform = self.tree.sequences, uniform_strategy(self.tree)
        self.learned = CfrTables(np.zeros(size), np.zeros(size), uniform, reaches(self.tree, uniform), np.zeros(size))
        self.run(0)  # compiles, if that has to be done

    def run(self, iterations: int) -> None:
        """Go on for so many iterations."""
        self._kernel(self.tree.sequence_form, self.learned, self.variant, self.iterations, iterations)
        self.iterations += iterations

    def stop(self) -> None:
        """Do nothing: a call of `run` is short, unless many iterations were requested at once."""

    def go_on(self) -> None:
        """Do nothing."""

    def average(self) -> Floats:
        """The average strategy, a probability for each sequence."""
        return normalised(self.tree, self.learned.total)

    def policy(self) -> Policy:
        """The average strategy as a policy."""
        return tree_policy(self.tree, self.learned.total)

    def entries(self) -> Iterator[dict[str, Any]]:
        """All that is needed to go on: regrets, sums and strategies by information set, in the order of the keys."""
        t = self.tree
        for key, first, n in sorted(zip(t.keys.tolist(), t.first.tolist(), t.counts.tolist(), strict=True)):
            yield {"key": key} | {name: getattr(self.learned, name)[first : first + n].tolist() for name in KEPT}

    def restore(self, entries: Iterable[Mapping[str, Any]], iterations: int) -> None:
        """Restore the state in which the entries were saved."""
        places = dict(zip(self.tree.keys.tolist(), zip(self.tree.first, self.tree.counts, strict=True), strict=True))
        for entry in entries:
            first, n = places[entry["key"]]
            for name in KEPT:
                getattr(self.learned, name)[first : first + n] = entry[name]
        self.learned.reach[:] = reaches(self.tree, self.learned.strategy)
        self.iterations = iterations

    def nash_conv(self) -> float:
        """The sum of the players' gains by best responses to the average strategy."""
        return expected(self.tree, self.average()).nash_conv


def cfr_row(variant: str) -> SolverRow:
    """A variant as a solver."""
    return SolverRow("CFR on the enumerated game", lambda game, seed, threads, settings: Cfr(game, variant))


# --------------------------------------------------------------------------------------------------- the kernel


def iterate(sequences: Sequences, learned: CfrTables, variant: Variant, done: int, iterations: int) -> None:
    """Iterations done + 1 … done + iterations."""
    parent, first, count, infoset_bounds, bounds, _, _, _ = sequences
    _, total, strategy, reach, _ = learned
    players = len(bounds) - 1
    for t in range(done + 1, done + 1 + iterations):
        keep_positive = share_kept(t - 1, variant.positive)
        keep_negative = share_kept(t - 1, variant.negative)
        share = float(t) ** variant.average
        if not variant.alternating:
            for p in range(players):
                counterfactual(bounds[p], bounds[p + 1], sequences, learned)
        for p in range(players):
            if variant.alternating:
                counterfactual(bounds[p], bounds[p + 1], sequences, learned)
            for q in range(bounds[p], bounds[p + 1]):
                total[q] += share * reach[q]
            update(
                infoset_bounds[p], infoset_bounds[p + 1], sequences, learned,
                keep_positive, keep_negative, variant.predictive,
            )  # fmt: skip
            for i in range(infoset_bounds[p], infoset_bounds[p + 1]):
                arrived = reach[parent[i]]
                for q in range(first[i], first[i] + count[i]):
                    reach[q] = arrived * strategy[q]


def share_kept(t: int, exponent: float) -> float:
    """tˣ / (tˣ + 1), with its limits."""
    if exponent > 1e9 or t == 0:
        return 1.0
    if exponent < -1e9:
        return 0.0
    power = float(t) ** exponent
    return power / (power + 1.0)


def counterfactual(low: int, high: int, sequences: Sequences, learned: CfrTables) -> None:
    """value[q], for a player's sequences low … high: the value of the endings right after q."""
    _, _, _, _, _, entry_bounds, other, weight = sequences
    _, _, _, reach, value = learned
    rivals = other.shape[1]
    if rivals == 1:
        for q in range(low, high):
            utility = 0.0
            for e in range(entry_bounds[q], entry_bounds[q + 1]):
                utility += weight[e] * reach[other[e, 0]]
            value[q] = utility
    else:
        for q in range(low, high):
            utility = 0.0
            for e in range(entry_bounds[q], entry_bounds[q + 1]):
                product = weight[e]
                for k in range(rivals):
                    product *= reach[other[e, k]]
                utility += product
            value[q] = utility


def update(
    low: int,
    high: int,
    sequences: Sequences,
    learned: CfrTables,
    keep_positive: float,
    keep_negative: float,
    predictive: bool,
) -> None:
    """Regrets and the next strategy at a player's infosets low … high, children before parents."""
    parent, first, count, _, _, _, _, _ = sequences
    regret, _, strategy, _, value = learned
    for i in range(high - 1, low - 1, -1):
        begin = first[i]
        if count[i] == 1:  # a forced move: nothing to regret
            value[parent[i]] += value[begin]
            continue
        end = begin + count[i]
        utility = 0.0
        for q in range(begin, end):
            utility += strategy[q] * value[q]
        value[parent[i]] += utility
        sum_positive = 0.0
        for q in range(begin, end):
            gain = value[q] - utility
            r = regret[q]
            r = r * (keep_positive if r > 0.0 else keep_negative) + gain
            regret[q] = r
            if predictive:
                r = max(r, 0.0) + gain
            strategy[q] = max(r, 0.0)
            sum_positive += strategy[q]
        if sum_positive > 0.0:
            for q in range(begin, end):
                strategy[q] /= sum_positive
        else:
            for q in range(begin, end):
                strategy[q] = 1.0 / count[i]
