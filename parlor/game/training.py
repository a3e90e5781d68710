"""The usual training of a game: declared where it is defined, as `TRAINING`, and carried by `Game.training`.

Names of learners, abstractions and agents are only texts here; training looks them up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Training:
    """A game's declarations about training, all optional."""

    algorithm: str = ""  # the learner; if omitted, one is chosen by the size of the game
    abstraction: str = ""  # of the game, if it is too large without one; else the first
    against: tuple[str, ...] = ("random",)  # the opponents of evaluations: informative, and quick
    probes: tuple[str, ...] = ()  # agents that no sound strategy loses to, each after another weakness
    settings: Mapping[str, Any] = field(default_factory=dict)  # with that learner: other defaults
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # the game's preset -> more such values
    opponent: str = ""  # OPPONENT: the agent that plays it best without having been trained; empty: one for any game
    default_abstraction: str = ""  # DEFAULT_ABSTRACTION: the one that agents use by default
    progress: tuple[int, ...] = ()  # PROGRESS: actions that advance the game, for learners that use this
    pointless: tuple[int, ...] = ()  # POINTLESS: actions that nobody should choose
    panels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # figures: title -> actions; () for the others
