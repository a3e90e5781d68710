"""The journal of the bots: everything that the server has acknowledged, and whatever went wrong."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Moved:
    """A move that the server has acknowledged."""

    person: int
    episode: int  # counted from 1
    ply: int
    move: str
    ms: float
    first: bool  # whether the answer came at the first try


@dataclass(frozen=True)
class Answered:
    """Answers that the server has acknowledged."""

    person: int
    stage: str
    step: int
    answers: dict[str, Any]


@dataclass(frozen=True)
class Ended:
    """The stage at which a bot's way ended, and the pay, code and scores it was told there."""

    person: int
    id: str
    where: str  # the stage; or left, stuck
    pay: dict[str, Any] | None
    code: str | None
    scores: list[dict[str, Any]]


@dataclass
class RehearsalJournal:
    """Of a rehearsal."""

    moves: list[Moved] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)
    ends: list[Ended] = field(default_factory=list)
    sent: set[tuple[int, int, int]] = field(default_factory=set)  # person, episode and ply of moves, answered or not
    troubles: list[str] = field(default_factory=list)  # answers that should not have come
    refused: Counter[str] = field(default_factory=Counter)  # moves that came too late, by the sentence
    polled: int = 0  # changes that no news told of
    entered: dict[int, str] = field(default_factory=dict)  # person -> its id on the platform

    def milliseconds(self) -> list[float]:
        """That moves took which were answered at the first try."""
        return sorted(move.ms for move in self.moves if move.first)

    def percentile(self, share: float) -> float | None:
        """Of these times; None if nobody has moved."""
        times = self.milliseconds()
        return times[min(len(times) - 1, int(share * len(times)))] if times else None

    def save(self, path: Path) -> None:
        """As JSON."""
        path.write_text(json.dumps(asdict(self) | {"sent": sorted(self.sent)}, indent=1) + "\n")
