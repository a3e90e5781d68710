"""The displays of games, a row for each that has one; and their types in the API."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field

from parlor.games.battleship import page as battleship
from parlor.games.clue import page as clue
from parlor.games.colored_trails import page as colored_trails
from parlor.games.deal_or_no_deal import page as deal_or_no_deal
from parlor.games.goofspiel import page as goofspiel
from parlor.games.holdem import page as holdem
from parlor.games.kuhn import page as kuhn
from parlor.games.leduc import page as leduc
from parlor.games.leodopoly import page as leodopoly
from parlor.games.liars_dice import page as liars_dice
from parlor.games.monopoly_deal import page as monopoly_deal
from parlor.games.normal_form import page as normal_form
from parlor.games.sheriff import page as sheriff
from parlor.games.tiny_bridge import page as tiny_bridge
from parlor.games.trade_comm import page as trade_comm
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
