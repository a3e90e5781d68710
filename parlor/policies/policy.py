"""Policies: the probabilities of actions at each information set, as a table.

A table policy is three flat arrays: the keys of the information sets in ascending order, where each one's row begins,
and the probabilities of its legal actions in the order in which `legal` lists them. At an unknown information set
it plays uniformly.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from parlor.compile import version
from parlor.game import Game, GameError, Position
from parlor.game.keys import key_in
from parlor.game.loading import as_game
from parlor.game.seats.play import PolicySeat
from parlor.game.words import MAX_ROWS, html_table

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def locate(keys: Any, begin: int, end: int, k: int) -> int:
    """Return the index of a key in the ascending `keys[begin:end]`, or -1. Compiled into loops that play."""
    low = begin
    high = end
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < k:
            low = middle + 1
        else:
            high = middle
    return low if low < end and keys[low] == k else -1


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
    source: str = ""  # the full path of the game's rules file; empty for games that have none

    @staticmethod
    def from_rows(game: Game, keys: Ints, counts: Ints, probabilities: Floats) -> Policy:
        """From rows in any order of keys."""
        order = np.argsort(keys, kind="stable")
        starts = np.concatenate([[0], np.cumsum(counts)])
        ordered = counts[order]
        new_starts = np.concatenate([[0], np.cumsum(ordered)])
        at = np.repeat(starts[:-1][order] - new_starts[:-1], ordered) + np.arange(new_starts[-1])
        return Policy(game.name, version(game), keys[order], new_starts, probabilities[at], source=game.source)

    @staticmethod
    def uniform(game: Game | str) -> Policy:
        """Plays uniformly everywhere: an empty table."""
        return Policy.from_rows(as_game(game), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))

    @property
    def table(self) -> Policy:
        """Itself."""
        return self

    def __len__(self) -> int:
        return len(self.keys)

    def __contains__(self, key: int) -> bool:
        return self.row(key) is not None

    def __iter__(self) -> Iterator[int]:
        return iter(self.keys.tolist())

    def __getitem__(self, infoset: int | str | Position) -> dict[str, float]:
        """The probabilities at an information set, by the names of its actions.

        It is given by its key, by a position, by its text as in `show` (with_words adds those), or by the name that
        `parlor.game.keys.name_of` gives it.
        """
        if isinstance(infoset, Position):
            return self._at_position(infoset)
        key = self._key_of_text(infoset) if isinstance(infoset, str) else infoset
        row = self.row(key)
        if row is None:
            raise GameError(f"The policy for {self.game} has no information set {infoset!r}.")
        return dict(zip(self._names(key, len(row)), row.tolist(), strict=True))

    def _at_position(self, position: Position) -> dict[str, float]:
        if position.game.name != self.game:
            raise GameError(f"The policy is for {self.game}, but this is a position of {position.game.name}.")
        if position.turn < 0:
            raise GameError(f"No player is to move at {position!r}, so it has no information set.")
        if position.key(position.turn) not in self:
            raise GameError(f"The policy for {self.game} has no information set {position.show(position.turn)!r}.")
        return self(position)

    def _key_of_text(self, text: str) -> int:
        key = key_in(text)
        if key is not None:
            return key
        matches = [key for key, (seen, _) in self.words.items() if seen == text]
        if len(matches) == 1:
            return matches[0]
        if matches:
            keys = ", ".join(map(str, matches))
            raise GameError(f"{len(matches)} information sets have the text {text!r}; their keys are {keys}.")
        if not self.words:
            raise GameError(
                f"The policy for {self.game} has no texts for its information sets; add them with parlor.with_words."
            )
        near = difflib.get_close_matches(text, [seen for seen, _ in self.words.values()], 2, 0.6)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "policy.lines() lists them."
        raise GameError(f"The policy for {self.game} has no information set {text!r}; {hint}")

    def _names(self, key: int, count: int) -> tuple[str, ...]:
        """The names of the actions; where they are unknown, their places in the list of legal actions."""
        return self.words[key][1] if key in self.words else tuple(map(str, range(count)))

    def row(self, key: int) -> Floats | None:
        """The probabilities at an information set, in the order of its legal actions; None if it is unknown."""
        i = int(np.searchsorted(self.keys, key))
        if i == len(self.keys) or self.keys[i] != key:
            return None
        return self.probabilities[self.starts[i] : self.starts[i + 1]]

    def rows(self, keys: Ints, counts: Ints) -> Floats:
        """The rows of many keys one after the other; uniform for unknown ones."""
        result = np.repeat(1.0 / counts, counts)
        if not len(self.keys):
            return result
        found = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[found] == keys
        if (np.diff(self.starts)[found] != counts)[known].any():
            raise GameError(f"The policy is for another version of {self.game}: its actions differ.")
        starts = np.cumsum(counts) - counts
        lengths = counts[known]
        steps = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        source = np.repeat(self.starts[:-1][found][known], lengths) + steps
        result[np.repeat(starts[known], lengths) + steps] = self.probabilities[source]
        return result

    def check_game(self, game: Game) -> None:
        """Raise GameError for a game that the policy was not made for: keys would mean something else there."""
        if game.name != self.game and version(game) != self.rules:
            raise GameError(f"The policy is for {self.game}, not for {game.name}.")

    def __call__(self, position: Position) -> dict[str, float]:
        """The distribution over the names of the legal actions: a policy is an agent."""
        self.check_game(position.game)
        names = position.legal
        row = self.row(position.key(position.turn))
        if row is None:
            return {name: 1.0 / len(names) for name in names}
        _, known = self.words.get(position.key(position.turn), ("", tuple(names)))
        if len(row) != len(names) or set(known) != set(names):
            raise GameError(f"The policy for {self.game} does not fit {position.game.name}: its actions differ.")
        chances = dict(zip(known, row.tolist(), strict=True))
        return {name: chances[name] for name in names}

    @property
    def name(self) -> str:
        """Its name as an agent."""
        return f"policy for {self.game}"

    def sit(self, position: Position, player: int) -> PolicySeat:
        """Take a seat in its own game."""
        return PolicySeat(self.name, self)

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
        """The largest difference between the two in any probability at any information set of either."""
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
        """The same policy with more entries about how it was made."""
        return replace(self, about={**self.about, **about})

    def describe(self) -> str:
        """Describe the policy in a few words."""
        return f"policy for {self.game}: {len(self):,} information sets"

    def __repr__(self) -> str:
        return f"<{self.describe()}>"

    def __str__(self) -> str:
        hint = [] if self.words or not len(self) else ["parlor.with_words(game, policy) puts this into words."]
        return "\n".join([repr(self), *self.lines(limit=20), *hint])

    def _repr_html_(self) -> str:
        rows = [
            (self._seen(key), ", ".join(f"{name} {p:.3f}" for name, p in self[key].items()))
            for key in self.keys.tolist()[: MAX_ROWS + 1]
        ]
        return html_table(repr(self)[1:-1], ("information set", "plays"), rows, len(self))

    def _seen(self, key: int) -> str:
        return self.words[key][0] if key in self.words else f"key {key}"

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each action at each information set: key, sees, action, probability."""
        return [
            {"key": key, "sees": self._seen(key), "action": name, "probability": p}
            for key in self
            for name, p in self[key].items()
        ]

    def to_pandas(self) -> Any:
        """The rows as a `pandas.DataFrame`."""
        try:
            import pandas
        except ImportError:
            raise GameError("pandas is not installed: pip install 'parlor-games[figures]', or use to_rows.") from None
        return pandas.DataFrame(self.to_rows(), columns=["key", "sees", "action", "probability"])

    def lines(self, limit: int | None = None) -> list[str]:
        """The policy in words, a line for each information set with a known text."""
        shown = []
        for key in self.keys[:limit].tolist():
            row = self.row(key)
            assert row is not None
            seen, names = self._seen(key), self._names(key, len(row))
            shown.append(f"{seen}: " + ", ".join(f"{n} {p:.3f}" for n, p in zip(names, row.tolist(), strict=True)))
        if limit is not None and len(self) > limit:
            shown.append(f"… and {len(self) - limit:,} more")
        return shown
