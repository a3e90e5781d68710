"""Names of information sets that a person can pass around: `player@abstraction@md5`.

The digest is of the canonical JSON of what the player knows (Wolf 2025, appendix A). Where a game's integer keys can be
decoded (`Game.decode_key`), it is of the decoded key; elsewhere the number itself takes its place.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from parlor.game.errors import GameError
from parlor.game.game import Game


def canonical(data: Any) -> str:
    """One text for one value: sorted keys, no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(state: Mapping[str, Any]) -> str:
    """The md5 of the canonical JSON."""
    return hashlib.md5(canonical(state).encode(), usedforsecurity=False).hexdigest()


def paper_key(abstraction: str, state: Mapping[str, Any]) -> str:
    """The name of an abstract state, which has an entry for its player."""
    if "player" not in state:
        raise GameError("An abstract state needs an entry 'player' to get a key.")
    return f"{state['player']}@{abstraction}@{digest({k: v for k, v in state.items() if k != 'player'})}"


def name_of(game: Game, player: int | str, key: int) -> str:
    """The name of the information set with an integer key."""
    abstraction = game.name.rpartition("/")[2] if game.concrete else "none"
    if game.words.decode_key is None:
        return f"{player}@{abstraction}@{key:016x}"
    return paper_key(abstraction, game.words.decode_key(key))


def key_in(name: str) -> int | None:
    """The integer key in a name, if there is one: names of keys that can be decoded have a digest instead."""
    match = re.fullmatch(r"[^@]*@[^@]*@([0-9a-f]{16})", name)
    return int(match[1], 16) if match else None


def key_of(game: Game, name: str, keys: Iterable[int]) -> int:
    """The one of `keys` that has this name."""
    player = name.partition("@")[0]
    for key in keys:
        if name_of(game, player, key) == name:
            return key
    raise GameError(f"None of these information sets of {game.name} is called {name!r}.")
