"""The configuration of a training run: everything that its result depends on.

The defaults are the paper's (Wolf 2025, table 1) but for the evaluations, which are cheap here and so have more games,
and for the parallel mode, of which the paper used the one that cannot be repeated. `PRESETS` has rows that are its own
to the letter.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from parlor.game import GameError

ALGORITHMS = ("rollout-cfr", "mccfr-external", "mccfr-outcome", "mccfr-public")
PUBLIC = ALGORITHMS[3]
PARALLEL = ("none", "batch-ordered", "unordered")
RISK_AWARE = "risk-aware(aggressiveness=0.5,temperature=2)"

#: game -> whom training for it is measured against: telling, and quick; of all others `ANYBODY`
YARDSTICKS: Mapping[str, tuple[str, ...]] = {
    "monopoly-deal": ("random", RISK_AWARE),
    "holdem": ("fish", "rule-based"),
}
ANYBODY = ("random",)

FOREVER = 1 << 62  # games

LOWEST = {"games": 0, "rollouts": 1, "ring": 1, "horizon": 1, "batch": 1, "evaluate_games": 1} | dict.fromkeys(
    ("evaluate_every", "checkpoint_every", "seed", "minutes", "checkpoint_minutes", "prune"), 0
)

#: game preset -> what else it says about training
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {"games": 1000, "evaluate_games": 20, "evaluate_every": 50, "rollouts": 20, "ring": 10, "explore": 0.1,
              "parallel": "unordered", "seed": 1},
}  # fmt: skip


@dataclass(frozen=True)
class Config:
    """What a run is."""

    game: str  # with its options and its abstraction
    algorithm: str = "rollout-cfr"
    games: int = 1000  # self-play games; iterations of MCCFR
    seed: int = 1
    rollouts: int = 20  # for each action
    ring: int = 10  # recent policies in the average
    explore: float = 0.1
    decay: float = 0.99  # of regrets
    horizon: int = 250  # moves of a rollout
    clamp: bool = True
    parallel: str = "batch-ordered"
    batch: int = 10  # games that start from the same table, when batch-ordered
    evaluate_every: int = 50  # games; 0 for never
    evaluate_games: int = 1000  # against each opponent and for each start
    against: tuple[str, ...] = ()  # if nobody is named, the game's `yardsticks`
    checkpoint_every: int = 250  # games; 0 for the end only
    minutes: float = 0.0  # of training; 0 for as long as the games take
    checkpoint_minutes: float = 0.0  # between checkpoints, with an evaluation; 0 for none by the clock
    cards: str = ""  # mccfr-public: the card abstraction
    buckets: tuple[int, ...] = ()  # mccfr-public: of each street after the first, or of all of them
    prune: float = 0.0  # mccfr-public: how hopeless a move must be to be left out, in largest pots; 0 for never

    def __post_init__(self) -> None:
        """Complain about what makes no sense, and say whom the agent is measured against."""
        if not self.against:
            object.__setattr__(self, "against", yardsticks(self.game))
        known(self.algorithm, ALGORITHMS, "algorithm")
        known(self.parallel, PARALLEL, "parallel mode")
        for name, low in LOWEST.items():
            if not low <= getattr(self, name) < math.inf:  # nor is nan
                raise GameError(f"{name} must be at least {low}, not {getattr(self, name)}.")
        if not self.games and not self.minutes:
            raise GameError("games must be at least 1, not 0, unless minutes say how long the run is.")
        if (self.algorithm == PUBLIC) != bool(self.cards):
            raise GameError(f"A card abstraction and {PUBLIC} go together.")
        if self.seed >= 1 << 63:
            raise GameError(f"seed must lie between 0 and 2**63 - 1, not {self.seed}.")
        for name, value in (("explore", self.explore), ("decay", self.decay)):
            if not 0.0 <= value <= 1.0:
                raise GameError(f"{name} must lie between 0 and 1, not {value}.")
        if self.algorithm != "rollout-cfr" and self.parallel == "batch-ordered":
            raise GameError(f"{self.algorithm} runs in parallel mode none or unordered, not batch-ordered.")
        for name in ("games", "evaluate_every", "checkpoint_every"):
            if self.step > 1 and getattr(self, name) % self.step:
                raise GameError(
                    f"{name} must be a multiple of the batch of {self.batch} games, not {getattr(self, name)}: "
                    f"nothing can be done in the middle of one. Choose another number, or another batch."
                )

    @property
    def step(self) -> int:
        """Where a run can stop to look around: at multiples of this."""
        return self.batch if self.parallel == "batch-ordered" else 1

    @property
    def goal(self) -> int:
        """Games after which the run is over, if it is not by the clock."""
        return self.games or FOREVER

    def data(self) -> dict[str, Any]:
        """As it goes to JSON."""
        return dataclasses.asdict(self) | {"against": list(self.against), "buckets": list(self.buckets)}

    @staticmethod
    def read(data: Mapping[str, Any]) -> Config:
        """As it comes from JSON."""
        names = {field.name for field in dataclasses.fields(Config)}
        if extra := set(data) - names:
            raise GameError(f"The configuration has entries nobody knows: {', '.join(sorted(extra))}.")
        for field in dataclasses.fields(Config):
            kind = str if field.default is dataclasses.MISSING else type(field.default)
            allowed = {float: (float, int), tuple: (list,)}.get(kind, (kind,))
            if field.name in data and type(data[field.name]) not in allowed:
                raise GameError(f"{field.name} is {data[field.name]!r}, which is no {kind.__name__}.")
        if "game" not in data:
            raise GameError("The configuration does not say which game it is for.")
        lists = {name: tuple(data.get(name, getattr(Config, name))) for name in ("against", "buckets")}
        return Config(**{**data, **lists})


def yardsticks(game: str) -> tuple[str, ...]:
    """Whom training for a game of that name is measured against, unless somebody else is asked for."""
    return YARDSTICKS.get(re.split(r"[(/]", game)[0], ANYBODY)


def known(word: str, words: tuple[str, ...], what: str) -> None:
    """Complain about a word that is none of those."""
    if word not in words:
        raise GameError(f"There is no {what} {word!r}; there are {', '.join(words)}.")
