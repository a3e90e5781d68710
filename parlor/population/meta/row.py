"""A meta-solver as the rest of Parlor sees it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from parlor.game.errors import GameError
from parlor.game.settings import Settings
from parlor.policies.mixture import MAX_PLAYERS, Mixture


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
        raise GameError(f"{name} needs SciPy: pip install 'parlor[population]'.")
