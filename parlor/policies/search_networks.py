"""Networks that learned from search and can search on: policy and value, belief, and the settings of the search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from parlor.game.errors import GameError
from parlor.policies.beliefs import BeliefNetwork
from parlor.policies.nets import Weights, parameters
from parlor.policies.opponents import OpponentArrays


@dataclass(frozen=True, eq=False)
class SearchNetworks:
    """A policy-value network: an output for each action, then one for the value; and what belongs to it."""

    sizes: tuple[int, ...]  # of its layers: features, …, actions + 1
    weights: Weights
    scale: float  # values were divided by this
    backup: str  # what values are of, see `parlor.learn.abr_settings`
    belief: str  # where worlds came from
    simulations: int
    c: float
    network: BeliefNetwork | None = None  # if the belief is one
    others: OpponentArrays | None = None  # whom it searched against, if it is to search when it plays itself

    def __post_init__(self) -> None:
        """Refuse parts that do not fit together."""
        if len(self.weights) != parameters(self.sizes):
            raise GameError(
                f"A policy-value network has {len(self.weights):,} weights where {parameters(self.sizes):,} are needed."
            )
        if not np.isfinite(self.weights).all():
            raise GameError("A policy-value network has weights that are not finite: its training has diverged.")

    @property
    def policy(self) -> tuple[tuple[int, ...], Weights]:
        """The sizes and weights of the policy alone."""
        return some_outputs(self.sizes, self.weights, 0, self.sizes[-1] - 1)

    @property
    def value(self) -> tuple[tuple[int, ...], Weights]:
        """The sizes and weights of the value alone."""
        return some_outputs(self.sizes, self.weights, self.sizes[-1] - 1, self.sizes[-1])


def some_outputs(sizes: tuple[int, ...], weights: Weights, first: int, end: int) -> tuple[tuple[int, ...], Weights]:
    """The same network with the outputs from `first` up to `end` only."""
    n, m = sizes[-2], sizes[-1]
    at = len(weights) - m - n * m
    matrix, bias = weights[at : at + n * m].reshape(n, m), weights[at + n * m :]
    pieces = (weights[:at], np.ascontiguousarray(matrix[:, first:end]).ravel(), bias[first:end])
    return (*sizes[:-1], end - first), np.concatenate(pieces)
