"""How a game is put into JSON: what a seat sees, its moves, what its agents go by, what they have learned.

A game may have a display of its own; of what it leaves out, and of every other game, the fields are shown by name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parlor.game import Position
from parlor.server.schemas.common import MOST_SEED, Shape
from parlor.server.schemas.mind import MindFact
from parlor.server.schemas.moves import LegalMove
from parlor.server.schemas.views import GenericView
from parlor.server.seated_agent import SeatedAgent


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
class Display:
    """How a game, and the minds of its agents, are put into JSON."""

    view_type: type[Shape] = GenericView  # with a `kind` of its own
    view: Callable[[Position, Sequence[Position], int], Shape] = generic_view
    move: Callable[[Any, int, str], LegalMove] = generic_move
    hidden: Callable[[Any], str] = generic_hidden
    name: Callable[[SeatedAgent, Position, int], str] = generic_name  # of an agent's own action
    facts: Callable[[SeatedAgent, Position], list[MindFact]] = no_facts  # that an agent goes by
    #: What an agent plays after some moves on some board, both as texts, if the game has a picture of that.
    strategy: Callable[[SeatedAgent, str, str], Shape] | None = None
    strategy_type: type[Shape] | None = None
