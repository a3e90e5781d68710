"""Correlated equilibria: the one with the most entropy, Gini impurity, welfare or Nash product, coarse or not.

Four things to maximise, two sets of constraints, one method (`program.py`).

In a two-player zero-sum game the marginals of a CCE are optimal strategies, so that their product is a Nash
equilibrium, with the same payoffs and at least the entropy. It is therefore also the CE with the most entropy, welfare
or Nash product. Most constraints of a CE would bind there; those of a CCE are few.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from parlor.game.parameters import Settings, setting
from parlor.policies.mixture import Array, Mixture, correlated, normalised, product
from parlor.population.meta.bargaining import Disagreement, bargain, gains_table
from parlor.population.meta.program import ConvexProgram, Deviations, ProgramAnswer, solve

PROMISED = 1e-6  # the largest gain by a deviation, in payoffs from 0 to 1
LARGE = 1600  # cells of a zero-sum game whose CE with the most Gini impurity would take long


@dataclass(frozen=True)
class Equilibrium(Settings):
    """Settings of an equilibrium."""

    epsilon: float = setting(0.0, "what a deviation may gain, as a share of the range of payoffs", low=0.0, high=1.0)


@dataclass(frozen=True)
class BargainingEquilibrium(Disagreement):
    """Settings of an equilibrium that is bargained for."""

    epsilon: float = setting(0.0, "what a deviation may gain, as a share of the range of payoffs", low=0.0, high=1.0)


#: Of payoffs and settings: the best distribution under constraints, and a note.
Selection = Callable[[Array, "Equilibrium | BargainingEquilibrium", Deviations], tuple[ProgramAnswer, str]]


def most_entropy(payoffs: Array, settings: Equilibrium, deviations: Deviations) -> tuple[ProgramAnswer, str]:
    """Minimise Σ x log x."""
    program = ConvexProgram(payoffs[0].size, lambda x: np.log(x) + 1.0, lambda x: 1.0 / x)
    return solve(program, deviations, settings.epsilon), ""


def most_gini(payoffs: Array, settings: Equilibrium, deviations: Deviations) -> tuple[ProgramAnswer, str]:
    """Minimise Σ x², times half the number of cells."""
    cells = payoffs[0].size
    program = ConvexProgram(cells, lambda x: cells * x, lambda x: np.full(cells, float(cells)))
    return solve(program, deviations, settings.epsilon), ""


def most_welfare(payoffs: Array, settings: Equilibrium, deviations: Deviations) -> tuple[ProgramAnswer, str]:
    """Minimise the negative sum of payoffs."""
    welfare = payoffs.sum(axis=0).ravel()
    scale = welfare.max() - welfare.min()
    slope = (welfare.min() - welfare) / scale if scale > 1e-12 * np.abs(payoffs).max() else np.zeros(len(welfare))
    program = ConvexProgram(len(welfare), lambda x: slope, lambda x: np.zeros(len(x)))
    return solve(program, deviations, settings.epsilon), ""


def most_nash_product(
    payoffs: Array, settings: BargainingEquilibrium, deviations: Deviations
) -> tuple[ProgramAnswer, str]:
    """Maximise the product of gains."""
    return bargain(gains_table(payoffs, settings), deviations, settings.epsilon)


def zero_sum(scaled: Array) -> bool:
    """Whether there are two players, and what one gets the other loses, in units of their own."""
    return len(scaled) == 2 and bool(np.ptp(scaled.sum(axis=0)) <= 1e-12)


def select(selection: Selection, coarse: bool) -> Callable[[Array, Equilibrium | BargainingEquilibrium], Mixture]:
    """A meta-solver: what is maximised, among which equilibria."""

    def solve_for(payoffs: Array, settings: Equilibrium | BargainingEquilibrium) -> Mixture:
        scaled = normalised(payoffs)
        by_product = not coarse and settings.epsilon == 0 and zero_sum(scaled)
        large = scaled[0].size > LARGE
        if by_product and (selection is not most_gini or large):
            found = select(selection, True)(payoffs, settings)
            less = "The product of optimal strategies; a CE that is no product may have more Gini impurity."
            note = f"{found.note} {less}" if selection is most_gini else found.note
            return correlated(product(found.marginals), note.strip())
        answer, note = selection(payoffs, settings, Deviations(scaled, coarse))
        if answer.violation > PROMISED:
            note += f" Not quite an equilibrium: a deviation gains {answer.violation:.1e} of the range of payoffs."
        if answer.loss > PROMISED:
            note += f" Another one may be better by {answer.loss:.1e}."
        return correlated(answer.x.reshape(payoffs.shape[1:]), note.strip())

    return solve_for
