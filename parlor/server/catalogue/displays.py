"""The displays of games that have one, `DISPLAY` in `page` beside their rules; and their types in the API."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field

from parlor.game import CHANCE, Game, Position
from parlor.game.loading import GAMES, beside_rules
from parlor.game.rng import choose, seed_stream
from parlor.page.display import Display
from parlor.page.seated_agent import SeatedAgent
from parlor.page.shapes import Shape

DISPLAYS: Mapping[str, Display] = {
    game: display for game in GAMES if (display := beside_rules(game, "page", "DISPLAY", None)) is not None
}
GENERIC = Display()

if TYPE_CHECKING:
    View: TypeAlias = Shape
    StrategyView: TypeAlias = Shape
    Notes: TypeAlias = Shape
else:
    _VIEWS = dict.fromkeys(display.view_type for display in (GENERIC, *DISPLAYS.values()))
    _STRATEGIES = dict.fromkeys(display.strategy_type for display in DISPLAYS.values() if display.strategy_type)
    _NOTES = dict.fromkeys(display.notes_type for display in DISPLAYS.values() if display.notes_type)
    View = Annotated[functools.reduce(operator.or_, _VIEWS), Field(discriminator="kind")]
    StrategyView = Annotated[functools.reduce(operator.or_, _STRATEGIES), Field(discriminator="kind")]
    Notes = functools.reduce(operator.or_, _NOTES)


def display_of(game: str) -> Display:
    """The display of a game, by its name with or without options."""
    return DISPLAYS.get(game.partition("/")[0].partition("(")[0], GENERIC)


PLIES = 12  # as many as a short game has, or the beginning of a long one


def play_a_little(game: Game) -> None:
    """Play by chance, look at the first moves, at every position, and at the payoffs."""
    stream, position, display = [0, 0, 0, 0], game.start(), display_of(game.name)
    seed_stream(stream, 0, 0)
    looked = False
    for _ in range(PLIES):
        display.view(position, [], 0)
        if position.over:
            _ = position.payoffs
            return
        if not looked and position.turn != CHANCE:
            display.legal_moves(position, position.turn)
            looked = True
        position = _further(position, stream)


def decide_once(game: Game, agent: SeatedAgent) -> None:
    """Let an agent make its first decision, for whoever's turn it is."""
    stream, position = [0, 0, 0, 0], game.start()
    seed_stream(stream, 0, 0)
    while position.turn == CHANCE:
        position = _further(position, stream)
    if not position.over:
        agent.player(position)


def _further(position: Position, stream: list[int]) -> Position:
    if position.turn == CHANCE:
        chances = position.odds
        return position.after(list(chances)[choose(stream, list(chances.values()), len(chances))])
    legal = position.legal
    return position.after(legal[choose(stream, [1.0 / len(legal)] * len(legal), len(legal))])
