"""A meta-solver as the rest of Parlor sees it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.game.errors import GameError
from parlor.game.loading.registry import Outside
from parlor.game.parameters import Settings
from parlor.policies.mixture import MAX_PLAYERS, Array, Mixture, correlated, independent


@dataclass(frozen=True)
class MetaSolver:
    """One row of `META_SOLVERS`."""

    summary: str
    paper: str
    joint: bool  # its answers are joint distributions, else one distribution a player
    guarantee: str  # what holds of an answer
    solve: Callable[[Any, Any], Mixture]  # of payoffs (or of a sampler) and settings
    settings: type[Settings] = Settings
    players: int = MAX_PLAYERS  # at most
    samples: bool = False  # it asks for single payoffs instead of all of them
    scipy: bool = False  # it needs SciPy

    @property
    def kind(self) -> str:
        """Joint or independent."""
        return "joint" if self.joint else "independent"


def need_scipy(name: str) -> None:
    """Refuse in a sentence where SciPy is not installed."""
    if importlib.util.find_spec("scipy") is None:
        raise GameError(f"{name} needs SciPy: pip install 'parlor-games[solve]'.")


def from_outside(code: Outside) -> MetaSolver:
    """A function of payoffs, or a class whose instances are, as a meta-solver."""

    def solve(payoffs: Array, settings: Settings) -> Mixture:
        return _mixture(code.name, code.call(settings, payoffs), payoffs.shape[1:])

    return MetaSolver(code.summary, code.name, True, "none", solve, code.settings("payoffs"))


def _mixture(name: str, answer: Any, shape: tuple[int, ...]) -> Mixture:
    """An answer as a mixture: one itself, a list with a distribution for each player, or a joint distribution."""
    if isinstance(answer, Mixture):
        found = answer
    else:
        separate = isinstance(answer, list | tuple)
        try:
            parts = [np.array(one, np.float64) for one in (answer if separate else [answer])]
        except (TypeError, ValueError):
            parts = []
        if not parts or answer is None:
            raise _no_mixture(name, repr(answer)[:60], shape)
        if not all(one.size and np.isfinite(one).all() and one.min() >= 0.0 and one.sum() > 0.0 for one in parts):
            raise _no_mixture(name, f"{repr(answer)[:60]} (negative, all 0 or not finite)", shape)
        found = independent(parts) if separate else correlated(parts[0])
    if found.joint.shape != shape:
        raise _no_mixture(name, f"a mixture of {' × '.join(map(str, found.joint.shape))}", shape)
    return found


def _no_mixture(name: str, got: str, shape: tuple[int, ...]) -> GameError:
    sizes = " × ".join(map(str, shape))
    return GameError(
        f"{name} answered {got}, but the strategies are {sizes}: return a list with a distribution for each player, an "
        f"array {sizes} over all combinations, or a Mixture."
    )
