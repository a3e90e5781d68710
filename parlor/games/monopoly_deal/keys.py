"""Names of information sets, as the paper writes them, and what they stand for.

A key reads `player@abstraction@md5`: the digest is of the canonical JSON of the abstract state (Wolf 2025, appendix A).
A digest cannot be decoded, so a `Codebook` stores what each key was made from and puts it into words.

    none       the whole `GameState` but its config: as fine as the game's own information sets
    others     the decoded integer key of the abstract game; for intent this is the turn of the streak
               and the possible intents, {"streak": 1, "actions": ["Cash", "Pass"]}

The player comes first in every key and is not part of the digest. A player who is not to move has no actions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Self

from parlor.game import GameError, Position
from parlor.game.keys import canonical, digest, paper_key
from parlor.games.monopoly_deal.sentences import in_words, whole_in_words
from parlor.games.monopoly_deal.view import game_state

AbstractState = dict[str, Any]  # an abstract state


# --------------------------------------------------------------------------------------------------- keys


def information_key(position: Position, player: int, abstraction: str = "intent") -> str:
    """The key of what `player` knows here, seen through an abstraction; "none" is the game itself."""
    return paper_key(abstraction, abstract_state(position, player, abstraction))


def _others(state: Mapping[str, Any]) -> AbstractState:
    """All entries but the player, after a round trip through JSON."""
    return json.loads(canonical({name: value for name, value in state.items() if name != "player"}))


def abstract_state(position: Position, player: int, abstraction: str) -> AbstractState:
    """The information set of `player` in an abstraction, as a dictionary with the player."""
    if abstraction == "none":
        data = game_state(position, player).data()
        del data["config"]
        return data
    position = _through(position, abstraction)
    if position.game.words.decode_key is None:
        raise GameError(f"The keys of {position.game.name} cannot be decoded, so there is no abstract state.")
    return dict(position.game.words.decode_key(position.key(player)))


def _through(position: Position, abstraction: str) -> Position:
    """The same state as a position of the abstract game."""
    if position.game.name.endswith(f"/{abstraction}"):
        return position
    return Position((position.game.concrete or position.game).abstract(abstraction), position.state, position.history)


# --------------------------------------------------------------------------------------------------- the codebook


class Codebook:
    """Stores what every key it made or was given stands for."""

    def __init__(self) -> None:
        self._states: dict[str, AbstractState] = {}

    def key(self, position: Position, player: int, abstraction: str = "intent") -> str:
        """`information_key`, remembered."""
        return self.add(abstraction, abstract_state(position, player, abstraction))

    def add(self, name: str, state: Mapping[str, Any]) -> str:
        """`paper_key`, remembered."""
        key = paper_key(name, state)
        self._states[key] = _others(state)
        return key

    def give(self, key: str, state: Mapping[str, Any]) -> None:
        """Add a key made elsewhere with what it stands for (without the player); they must belong together."""
        parts = key.split("@")
        if len(parts) != 3 or not parts[0].isdigit():
            raise GameError(f"{key!r} is not a key; a key is written like 0@intent@ with 32 hexadecimal digits.")
        if digest(state) != parts[2]:
            raise GameError(f"{key} does not stand for {canonical(state)}.")
        self._states[key] = _others(state)

    def to_dict(self) -> dict[str, AbstractState]:
        """Plain data, for a file."""
        return {key: _others(state) for key, state in sorted(self._states.items())}

    @classmethod
    def from_dict(cls, data: Mapping[str, Mapping[str, Any]]) -> Self:
        """The inverse of `to_dict`."""
        book = cls()
        for key, state in data.items():
            book.give(key, state)
        return book

    def words(self, key: str) -> str:
        """The information set of a key, in a sentence for a person."""
        player, abstraction, _ = key.split("@")
        if abstraction == "none":
            return whole_in_words(int(player), self[key])
        return in_words({"player": int(player), **self[key]})

    def __getitem__(self, key: str) -> AbstractState:
        if key not in self._states:
            raise GameError(f"This codebook has no key {key}.")
        return self._states[key]

    def __contains__(self, key: object) -> bool:
        return key in self._states

    def __iter__(self) -> Iterator[str]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)
