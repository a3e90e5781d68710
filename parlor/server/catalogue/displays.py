"""The displays of games that have one, `DISPLAY` in `page` beside their rules; and their types in the API."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field

from parlor.game.loading import GAMES, beside_rules
from parlor.page.display import Display
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
