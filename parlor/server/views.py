"""Views as JSON. A game with a drawing of its own has a row here; every other one is shown field by field."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parlor.game import Game, Position
from parlor.server import holdem, monopoly_deal
from parlor.server.catalogue import SeatedAgent
from parlor.server.schemas import MOST_SEED, GenericView, LegalMove, MindFact, MonopolyDealView


def generic_view(position: Position, before: Sequence[Position], player: int) -> GenericView:
    """The fields of the view by name, and what the game says lies on the table."""
    seen, display = position.view(player), position.game.display
    fields = {field.name: _plain(getattr(seen, field.name)) for field in dataclasses.fields(seen)}
    number = int(fields.pop("player", player))
    return GenericView(player=number, fields=fields, display=_plain(display(seen)) if display else {})


def _plain(value: Any) -> Any:
    """Lists and numbers; numbers that JavaScript would round as hexadecimal text."""
    if isinstance(value, Mapping):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, int) and abs(value) > MOST_SEED:
        return f"{value:016x}"
    return value if isinstance(value, int | float) else str(value)


def generic_move(seen: Any, action: int, name: str) -> LegalMove:
    """The name says it all."""
    return LegalMove(name=name)


def generic_hidden(seen: Any) -> str:
    """Something happened."""
    return "something that you do not see"


def generic_name(opponent: SeatedAgent, position: Position, action: int) -> str:
    """As its game calls it."""
    return opponent.agent.game.describe(position.state, action)


def no_facts(opponent: SeatedAgent, position: Position) -> list[MindFact]:
    """Nothing more to say."""
    return []


@dataclass(frozen=True)
class Drawing:
    """How a game, and the minds of its agents, are put into JSON."""

    view: Callable[[Position, Sequence[Position], int], GenericView | MonopolyDealView] = generic_view
    move: Callable[[Any, int, str], LegalMove] = generic_move
    hidden: Callable[[Any], str] = generic_hidden
    name: Callable[[SeatedAgent, Position, int], str] = generic_name  # of an agent's own action
    facts: Callable[[SeatedAgent, Position], list[MindFact]] = no_facts  # that an agent goes by


DRAWINGS: Mapping[str, Drawing] = {
    "monopoly-deal": Drawing(monopoly_deal.view, monopoly_deal.move, monopoly_deal.hidden),
    "holdem": Drawing(hidden=holdem.hidden, name=holdem.action_name, facts=holdem.facts),
}
PLAIN = Drawing()


def drawing(game: Game) -> Drawing:
    """The drawing of a game."""
    return DRAWINGS.get(game.name.partition("(")[0], PLAIN)
