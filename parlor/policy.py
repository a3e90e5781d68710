"""Policies: what to do at each information set, as a table.

A table policy is three flat arrays: the keys of the information sets in ascending order, where each one's row begins,
and the probabilities of its legal actions in the order in which `legal` lists them. At an information set it does not
know it plays every legal action alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from parlor.game import Game, GameError, Position
from parlor.native import version

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Policy:
    """Probabilities by key. I infosets, N rows' entries in all."""

    kind: ClassVar[str] = "policy"

    game: str  # the game's name with its options
    rules: str  # the version of its rules
    keys: Ints  # [I] ascending
    starts: Ints  # [I+1]
    probabilities: Floats  # [N]
    about: Mapping[str, Any] = field(default_factory=dict)  # how it was made: algorithm, iterations, seed, …
    words: Mapping[int, tuple[str, tuple[str, ...]]] = field(
        default_factory=dict
    )  # key -> (what is seen, action names)

    @staticmethod
    def from_rows(game: Game, keys: Ints, counts: Ints, probabilities: Floats) -> Policy:
        """From rows in any order of keys."""
        order = np.argsort(keys, kind="stable")
        starts = np.concatenate([[0], np.cumsum(counts)])
        ordered = counts[order]
        new_starts = np.concatenate([[0], np.cumsum(ordered)])
        at = np.repeat(starts[:-1][order] - new_starts[:-1], ordered) + np.arange(new_starts[-1])
        return Policy(game.name, version(game), keys[order], new_starts, probabilities[at])

    @staticmethod
    def uniform(game: Game) -> Policy:
        """Plays every legal action alike everywhere: a table with nothing in it."""
        return Policy.from_rows(game, np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))

    @property
    def table(self) -> Policy:
        """Itself: it is one."""
        return self

    def __len__(self) -> int:
        return len(self.keys)

    def __contains__(self, key: int) -> bool:
        return self.row(key) is not None

    def row(self, key: int) -> Floats | None:
        """The probabilities at an information set, in the order of its legal actions; None if it is unknown."""
        i = int(np.searchsorted(self.keys, key))
        if i == len(self.keys) or self.keys[i] != key:
            return None
        return self.probabilities[self.starts[i] : self.starts[i + 1]]

    def rows(self, keys: Ints, counts: Ints) -> Floats:
        """The rows of many keys one after the other; uniform for those that are unknown."""
        result = np.repeat(1.0 / counts, counts)
        if not len(self.keys):
            return result
        found = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[found] == keys
        if (np.diff(self.starts)[found] != counts)[known].any():
            raise GameError(f"The policy is for another version of {self.game}: it knows other actions.")
        starts = np.cumsum(counts) - counts
        lengths = counts[known]
        steps = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        source = np.repeat(self.starts[:-1][found][known], lengths) + steps
        result[np.repeat(starts[known], lengths) + steps] = self.probabilities[source]
        return result

    def __call__(self, position: Position) -> dict[str, float]:
        """The distribution over the names of the legal actions: a policy can sit at a table."""
        names = position.legal
        row = self.row(position.key(position.turn))
        if row is None:
            return {name: 1.0 / len(names) for name in names}
        _, known = self.words.get(position.key(position.turn), ("", tuple(names)))
        if len(row) != len(names) or set(known) != set(names):
            raise GameError(f"The policy for {self.game} does not fit {position.game.name}: it knows other actions.")
        chances = dict(zip(known, row.tolist(), strict=True))
        return {name: chances[name] for name in names}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Policy):
            return NotImplemented
        return (
            self.game == other.game
            and np.array_equal(self.keys, other.keys)
            and np.array_equal(self.starts, other.starts)
            and np.array_equal(self.probabilities, other.probabilities)
        )

    __hash__ = None  # type: ignore[assignment]

    def distance(self, other: Policy) -> float:
        """The largest difference between the two in any probability at any information set that either knows."""
        keys = np.union1d(self.keys, other.keys)
        gaps = []
        for key in keys.tolist():
            a, b = self.row(key), other.row(key)
            known = a if a is not None else b
            assert known is not None
            even = np.full(len(known), 1.0 / len(known))
            gaps.append(float(np.abs((even if a is None else a) - (even if b is None else b)).max()))
        return max(gaps, default=0.0)

    def with_about(self, **about: Any) -> Policy:
        """The same policy with a note of how it was made."""
        return replace(self, about={**self.about, **about})

    def describe(self) -> str:
        """What it is, in a few words."""
        return f"policy for {self.game}: {len(self):,} information sets"

    def __repr__(self) -> str:
        return f"<{self.describe()}>"

    def __str__(self) -> str:
        return "\n".join([repr(self), *self.lines(limit=20)])

    def lines(self, limit: int | None = None) -> list[str]:
        """The policy in words, a line for each information set whose words are known."""
        shown = []
        for key in self.keys[:limit].tolist():
            row = self.row(key)
            assert row is not None
            seen, names = self.words.get(key, (f"key {key}", tuple(str(i) for i in range(len(row)))))
            shown.append(f"{seen}: " + ", ".join(f"{n} {p:.3f}" for n, p in zip(names, row.tolist(), strict=True)))
        if limit is not None and len(self) > limit:
            shown.append(f"… and {len(self) - limit:,} more")
        return shown
