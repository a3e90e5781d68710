"""The tasks of PSRO's oracles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from parlor.game import Game
from parlor.policies.mixture import Mixture
from parlor.policies.plans import Plans
from parlor.policies.strategy import Strategy


@dataclass(frozen=True)
class Task:
    """A task for an oracle: a response of one player to the mixture of the others."""

    game: Game
    player: int
    iteration: int
    seed: int  # of this task
    members: Sequence[Sequence[Strategy]]  # of each player
    mixture: Mixture  # over them; `mixture.others(player)` is what is answered
    settings: Any  # of the oracle's settings class
    plans: Plans | None = field(default=None, repr=False)  # of the members, where the game is enumerated
