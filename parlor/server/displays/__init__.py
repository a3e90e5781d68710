"""The displays of games, a row for each that has one; and their types in the API."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field

from parlor.server.displays import (
    battleship,
    clue,
    colored_trails,
    deal_or_no_deal,
    goofspiel,
    holdem,
    kuhn,
    leduc,
    leodopoly,
    liars_dice,
    monopoly_deal,
    normal_form,
    sheriff,
    tiny_bridge,
    trade_comm,
)
from parlor.server.displays.display import Display
from parlor.server.schemas.common import Shape

DISPLAYS: Mapping[str, Display] = {
    "monopoly-deal": monopoly_deal.DISPLAY,
    "holdem": holdem.DISPLAY,
    "kuhn": kuhn.DISPLAY,
    "leduc": leduc.DISPLAY,
    "liars-dice": liars_dice.DISPLAY,
    "goofspiel": goofspiel.DISPLAY,
    "trade-comm": trade_comm.DISPLAY,
    "tiny-bridge": tiny_bridge.DISPLAY,
    "battleship": battleship.DISPLAY,
    "sheriff": sheriff.DISPLAY,
    "normal-form": normal_form.DISPLAY,
    "clue": clue.DISPLAY,
    "leodopoly": leodopoly.DISPLAY,
    "deal-or-no-deal": deal_or_no_deal.DISPLAY,
    "colored-trails": colored_trails.DISPLAY,
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
