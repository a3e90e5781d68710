"""Meta-solvers without mathematics: uniform play, and the best pure combination for all together."""

from __future__ import annotations

import numpy as np

from parlor.game.parameters import Settings
from parlor.policies.mixture import Array, Mixture, correlated, independent


def uniform(payoffs: Array, settings: Settings) -> Mixture:
    """Everybody plays every strategy equally often: PSRO with it is fictitious play."""
    return independent([np.ones(n) for n in payoffs.shape[1:]])


def best_welfare(payoffs: Array, settings: Settings) -> Mixture:
    """The combination with the largest sum of payoffs; of several, the first."""
    joint = np.zeros(payoffs.shape[1:])
    joint.flat[int(np.argmax(payoffs.sum(axis=0)))] = 1.0
    return correlated(joint)
