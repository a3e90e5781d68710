"""The declaration of an agent: its summary, the games it plays, and its settings, each written once.

The module of an agent ends with its `AgentSpec`, and `parlor.agents.registry.AGENTS` has a row for it. Command line,
server and page read everything else from the declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from parlor.agents.agent import CompiledAgent
from parlor.game import Game
from parlor.game.parameters import Parameter
from parlor.policies.network import NetworkPolicy
from parlor.policies.strategy import Strategy


@dataclass(frozen=True)
class AgentSpec:
    """An agent that comes with Parlor."""

    summary: str
    make: Callable[..., CompiledAgent]  # of the concrete game, its name, and the values of its settings
    games: tuple[str, ...] = ()  # that it plays; empty: all of them
    settings: Mapping[str, Parameter] = field(default_factory=dict)
    game_of_file: Callable[[str], str] | None = None  # the game it can play with a file made for another
    accepts_file: Callable[[Mapping[str, Any]], bool] | None = None  # by the file's header
    quick: bool = False  # it answers faster than a thread can be started
    name: str = ""  # for people; if omitted, the word it is listed under
    made: str = "Written by hand."  # how it was made, in a sentence
    default_opponent: bool = True  # an opponent that may be seated without anybody having asked for it
    rated: bool = True  # `parlor rate` measures it: compiling and playing it takes seconds, not minutes
    supports: Callable[[Game], bool] | None = None  # whether it can play such a game, if `games` do not say it all
    computes: Callable[[Game], Strategy] | None = None  # what it plays, if that takes seconds to compute for a game
    network: Callable[[], NetworkPolicy] | None = None  # what it plays, if it came trained: see `parlor.agents.trained`

    def __post_init__(self) -> None:
        """Tell each setting its name."""
        object.__setattr__(self, "settings", {key: replace(one, name=key) for key, one in self.settings.items()})

    def plays(self, game: Game) -> bool:
        """Whether it can play the game."""
        named = not self.games or game.name.partition("(")[0] in self.games
        return named and (self.supports is None or self.supports(game))

    def named(self, kind: Literal["agent", "file"]) -> list[str]:
        """The settings whose values name an agent or a file."""
        return [key for key, setting in self.settings.items() if setting.names == kind]
