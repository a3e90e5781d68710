"""How a game is usually trained for: declared where the game is defined, as `TRAINING`, and carried by `Game.training`.

Names of learners, abstractions and agents are only texts here; whoever trains looks them up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Training:
    """What a game says about training; everything is optional."""

    algorithm: str = ""  # the learner; if none is named, one is chosen by the size of the game
    abstraction: str = ""  # of the game, if it is too large without one; else the first
    against: tuple[str, ...] = ("random",)  # whom an agent is measured against: telling, and quick
    settings: Mapping[str, Any] = field(default_factory=dict)  # with that learner: other values than its usual ones
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # the game's preset -> more such values
    panels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # figures: title -> actions; () for the others
