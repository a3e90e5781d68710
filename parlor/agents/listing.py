"""The declaration of an agent: its summary, the games it plays, and its settings, each written once.

The module of an agent ends with its `Listing`, and `parlor.agents.registry.AGENTS` has a row for it. Command line,
server and page read everything else from the declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from parlor.agents.agent import CompiledAgent
from parlor.game import Game, GameError
from parlor.policies.strategy import Strategy


@dataclass(frozen=True)
class Setting:
    """An option of an agent: a number in a range, a word, or the name of another agent or of a file."""

    default: float | str
    help: str
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    #: What a text names: nothing; an agent, which is made; or a saved strategy, which is loaded and has no default.
    names: Literal["", "agent", "file"] = ""
    kind: str = ""  # the required kind of strategy, if there is one
    optional: bool = False  # a file may be left out: then there is None
    server_limit: int | None = None  # the largest value that a request to a server may give
    server_low: int = 0  # the smallest, if a smaller one stands for more than the limit
    log: bool = False  # a tuner looks for it on a logarithmic scale
    internal: bool = False  # for tuners and whoever knows the code: the page does not ask people for it

    @property
    def tunable(self) -> bool:
        """Whether it is a number in a range."""
        return not isinstance(self.default, str) and self.low < self.high

    def read(self, name: str, text: str) -> Any:
        """The text that a person wrote, as a value."""
        if isinstance(self.default, str):
            return text
        try:
            value = int(text) if self.whole else float(text)
        except ValueError:
            kind = "a whole number" if self.whole else "a number"
            raise GameError(f"{name} must be {kind}, not {text!r}.") from None
        if not self.low <= value <= self.high:
            raise GameError(f"{name} must be between {self.low:g} and {self.high:g}, not {text}.")
        return value


@dataclass(frozen=True)
class Listing:
    """An agent that comes with Parlor."""

    summary: str
    make: Callable[..., CompiledAgent]  # of the concrete game, its name, and the values of its settings
    games: tuple[str, ...] = ()  # that it plays; empty: all of them
    settings: Mapping[str, Setting] = field(default_factory=dict)
    takes: Callable[[str], str] | None = None  # for the game of its file: the game it can play with such a file, if any
    accepts: Callable[[Mapping[str, Any]], bool] | None = None  # whether it can play with a file, by the file's header
    quick: bool = False  # it answers faster than a thread can be started
    name: str = ""  # for people; if omitted, the word it is listed under
    made: str = "Written by hand."  # how it was made, in a sentence
    worthy: bool = True  # an opponent that may be seated without anybody having asked for it
    rated: bool = True  # `parlor rate` measures it: compiling and playing it takes seconds, not minutes
    fits: Callable[[Game], bool] | None = None  # whether it can play such a game, if `games` do not say it all
    computes: Callable[[Game], Strategy] | None = None  # what it plays, if that takes seconds to compute for a game

    def plays(self, game: Game) -> bool:
        """Whether it can play the game."""
        named = not self.games or game.name.partition("(")[0] in self.games
        return named and (self.fits is None or self.fits(game))

    def named(self, kind: str) -> list[str]:
        """The settings whose values name an agent or a file."""
        return [key for key, setting in self.settings.items() if setting.names == kind]
