"""How a game is put into JSON: what a seat sees, its moves, what its agents go by, what they have learned.

A game may have a display of its own; of what it leaves out, and of every other game, the fields are shown by name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parlor.game import Position
from parlor.moves import Move, Range, grouped, move_of
from parlor.server.schemas.common import MOST_SEED, Shape
from parlor.server.schemas.mind import MindFact
from parlor.server.schemas.moves import LegalMove, MoveInfo, MoveRange
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


def move_info(move: Move) -> MoveInfo:
    """A move as JSON."""
    return MoveInfo(**move_fields(move))


def move_fields(move: Move) -> dict[str, Any]:
    """What every shape of a move has."""
    return vars(move) | {"actor": move.actor if move.actor >= 0 else None, "details": dict(move.details)}


def move_range(one: Move | Range) -> MoveRange | None:
    """What a range covers; a single move has none."""
    if isinstance(one, Move):
        return None
    return MoveRange(least=one.least, most=one.most, step=one.step, id_step=one.id_step)


def generic_move(seen: Any, move: Move) -> dict[str, Any]:
    """Its data say it all."""
    return {}


def generic_hidden(seen: Any) -> str:
    """Something happened."""
    return "something that you do not see"


def generic_name(opponent: SeatedAgent, position: Position, action: int) -> str:
    """As its game puts it."""
    return move_of(opponent.agent.game, position.state, action).text


def no_facts(opponent: SeatedAgent, position: Position) -> list[MindFact]:
    """Nothing more to say."""
    return []


@dataclass(frozen=True)
class Display:
    """How a game, and the minds of its agents, are put into JSON."""

    view_type: type[Shape] = GenericView  # with a `kind` of its own
    view: Callable[[Position, Sequence[Position], int], Shape] = generic_view
    move: Callable[[Any, Move], Mapping[str, Any]] = generic_move  # what else is said of a legal move
    hidden: Callable[[Any], str] = generic_hidden
    name: Callable[[SeatedAgent, Position, int], str] = generic_name  # of an agent's own action
    facts: Callable[[SeatedAgent, Position], list[MindFact]] = no_facts  # that an agent goes by
    #: What an agent plays after some moves on some board, both as texts, if the game has a picture of that.
    strategy: Callable[[SeatedAgent, str, str], Shape] | None = None
    strategy_type: type[Shape] | None = None

    def legal_moves(self, position: Position, seat: int) -> list[LegalMove]:
        """What the player of a seat can do, many bets as one range."""
        seen, found = position.view(seat), []
        for one in grouped(position.moves):
            move = one if isinstance(one, Move) else one.moves[0]
            found.append(LegalMove(**move_fields(move), range=move_range(one), **self.move(seen, move)))
        return found
