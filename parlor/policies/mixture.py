"""Mixtures, the answers of meta-solvers: distributions over strategies, and numbers about them.

Payoffs are a tensor [players, n1, …, nk]: `payoffs[i][a1, …, ak]` is what player i gets if each player j plays its
strategy aj.
A mixture is *independent*, one distribution a player, or *joint*, one distribution [n1, …, nk] over all combinations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlor.game.errors import GameError
from parlor.game.words import html_table

Array = NDArray[np.float64]
MAX_PLAYERS = 4
SHOWN = 5e-5  # a probability that is smaller is not listed


@dataclass(frozen=True)
class Mixture:
    """A distribution over the strategies of all players."""

    joint: Array  # [n1, …, nk]
    marginals: tuple[Array, ...]  # [n1], …, [nk]
    independent: bool  # then the joint is the product of the marginals
    note: str = ""  # a sentence, if this is only the best that could be found

    def __repr__(self) -> str:
        kind = "independent" if self.independent else "joint"
        each = " and ".join(f"{int((p > SHOWN).sum())} of {len(p)}" for p in self.marginals)
        return f"<{kind} mixture: {each} strategies played>"

    def _repr_html_(self) -> str:
        played = [(p, i, q[i]) for p, q in enumerate(self.marginals) for i in np.argsort(-q, kind="stable")]
        rows = [(p, i, f"{share:.4f}") for p, i, share in played if share > SHOWN]
        return html_table(f"{repr(self)[1:-1]}. {self.note}".strip(), ("player", "strategy", "probability"), rows)

    def others(self, player: int) -> Array:
        """Return the joint distribution of the other players' strategies, to which best responses are computed."""
        return self.joint.sum(axis=player)

    def explored(self, share: float) -> Mixture:
        """The same mixture, with a share of uniform play."""
        if self.independent:
            mixed = [(1 - share) * p + share / len(p) for p in self.marginals]
            return independent(mixed, self.note)
        return correlated((1 - share) * self.joint + share / self.joint.size, self.note)


def independent(marginals: Sequence[Any], note: str = "") -> Mixture:
    """Everybody mixes on their own."""
    clean = tuple(_distribution(one) for one in marginals)
    return Mixture(product(clean), clean, True, note)


def correlated(joint: Any, note: str = "") -> Mixture:
    """A joint distribution [n1, …, nk]."""
    clean = _distribution(joint)
    return Mixture(clean, marginals_of(clean), False, note)


def marginals_of(joint: Array) -> tuple[Array, ...]:
    """The distributions of the players in a joint one."""
    players = range(joint.ndim)
    return tuple(joint.sum(axis=tuple(j for j in players if j != i)) for i in players)


def product(marginals: Sequence[Array]) -> Array:
    """The joint distribution of independent ones."""
    return reduce(np.multiply.outer, marginals)


def _distribution(weights: Any) -> Array:
    positive = np.maximum(np.asarray(weights, np.float64), 0.0)
    return positive / positive.sum()


def checked(payoffs: Any) -> Array:
    """The payoffs as a tensor, or a sentence about what is wrong with them."""
    try:
        tensor = np.ascontiguousarray(payoffs, np.float64)
    except (TypeError, ValueError):
        raise GameError("Payoffs must be a tensor of numbers [players, n1, …, nk].") from None
    players = len(tensor) if tensor.ndim else 0
    if not 2 <= players <= MAX_PLAYERS or tensor.ndim != players + 1 or 0 in tensor.shape:
        shape = "×".join(map(str, tensor.shape)) or "a number"
        raise GameError(
            f"Payoffs must have the shape [players, n1, …, nk], with 2 to {MAX_PLAYERS} players and at least one "
            f"strategy each, not {shape}."
        )
    if not np.isfinite(tensor).all():
        raise GameError("Payoffs must be finite numbers: some are missing or infinite.")
    return tensor


def ranges(payoffs: Array) -> Array:
    """The difference between the most and the least that each player can get."""
    flat = payoffs.reshape(len(payoffs), -1)
    return np.asarray(flat.max(axis=1) - flat.min(axis=1))


def normalised(payoffs: Array) -> Array:
    """Payoffs from 0 to 1 for every player; those of a player to whom all is the same are 0."""
    flat = payoffs.reshape(len(payoffs), -1)
    low, scale = flat.min(axis=1, keepdims=True), ranges(payoffs)[:, None]
    flat = (flat - low) / np.where(scale > 1e-12 * np.abs(flat).max(axis=1, keepdims=True), scale, np.inf)
    return flat.reshape(payoffs.shape)


def expected_payoffs(mixture: Mixture, payoffs: Array) -> Array:
    """Return the expected payoff of each player."""
    return np.asarray(payoffs.reshape(len(payoffs), -1) @ mixture.joint.ravel())


def own_rows(tensor: NDArray[Any], player: int) -> NDArray[Any]:
    """A tensor [n1, …, nk] as a matrix: rows are one player's strategies, columns the combinations of the others."""
    return np.moveaxis(tensor, player, 0).reshape(tensor.shape[player], -1)


def deviation_payoffs(marginals: Sequence[Array], payoffs: Array, player: int) -> Array:
    """Return the expected payoff of each strategy of a player against independent others."""
    others = product([p for j, p in enumerate(marginals) if j != player]).ravel()
    return own_rows(payoffs[player], player) @ others


def coarse_gains(mixture: Mixture, payoffs: Array) -> list[Array]:
    """For each player, what each strategy would gain over the mixture, if the others do not react."""
    get = expected_payoffs(mixture, payoffs)
    players = range(len(payoffs))
    return [own_rows(payoffs[i], i) @ mixture.others(i).ravel() - get[i] for i in players]


def gains(mixture: Mixture, payoffs: Array) -> list[Array]:
    """For each player, [told, played]: what playing another strategy than it is told to adds to its expected payoff."""
    all_gains = []
    for i in range(len(payoffs)):
        get = own_rows(mixture.joint, i) @ own_rows(payoffs[i], i).T
        all_gains.append(get - np.diag(get)[:, None])
    return all_gains


def nash_gap(mixture: Mixture, payoffs: Array) -> float:
    """NashConv of the marginals: what all players together could gain, each on its own."""
    return cce_gap(independent(mixture.marginals), payoffs)


def cce_gap(mixture: Mixture, payoffs: Array) -> float:
    """Return the sum of the players' gains by the best strategy chosen before they are told theirs; 0 in a CCE."""
    return float(sum(max(0.0, one.max()) for one in coarse_gains(mixture, payoffs)))


def ce_gap(mixture: Mixture, payoffs: Array) -> float:
    """Return the sum of the players' gains by the best strategy instead of the one they are told; 0 in a CE."""
    return float(sum(np.maximum(one.max(axis=1), 0.0).sum() for one in gains(mixture, payoffs)))


def social_welfare(mixture: Mixture, payoffs: Array) -> float:
    """Return the sum of all players' expected payoffs."""
    return float(expected_payoffs(mixture, payoffs).sum())


def nash_product(mixture: Mixture, payoffs: Array, disagreement: Any = 0.0) -> float:
    """The product of what each player gets above its disagreement payoff; 0 if somebody gets less."""
    return float(np.prod(np.maximum(expected_payoffs(mixture, payoffs) - disagreement, 0.0)))


def entropy(mixture: Mixture) -> float:
    """Shannon's, in nats."""
    some = mixture.joint[mixture.joint > 0]
    return float(-(some * np.log(some)).sum())


def gini(mixture: Mixture) -> float:
    """The Gini impurity: the chance that two draws differ."""
    return float(1.0 - (mixture.joint**2).sum())
