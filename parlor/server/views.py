"""Views as JSON. A game with a drawing of its own has a row here; every other one is shown field by field."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parlor.game import Game, Position
from parlor.moves import Move, Range, grouped, move_of
from parlor.server import holdem, monopoly_deal
from parlor.server.catalogue import SeatedAgent
from parlor.server.schemas import (
    MOST_SEED,
    GenericView,
    HoldemView,
    LegalMove,
    MindFact,
    MonopolyDealView,
    MoveInfo,
    MoveRange,
)


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
class Drawing:
    """How a game, and the minds of its agents, are put into JSON."""

    view: Callable[[Position, Sequence[Position], int], GenericView | MonopolyDealView | HoldemView] = generic_view
    move: Callable[[Any, Move], Mapping[str, Any]] = generic_move  # what else is said of a legal move
    hidden: Callable[[Any], str] = generic_hidden
    name: Callable[[SeatedAgent, Position, int], str] = generic_name  # of an agent's own action
    facts: Callable[[SeatedAgent, Position], list[MindFact]] = no_facts  # that an agent goes by


DRAWINGS: Mapping[str, Drawing] = {
    "monopoly-deal": Drawing(monopoly_deal.view, monopoly_deal.move, monopoly_deal.hidden),
    "holdem": Drawing(holdem.view, hidden=holdem.hidden, name=holdem.action_name, facts=holdem.facts),
}
PLAIN = Drawing()


def drawing(game: Game) -> Drawing:
    """The drawing of a game."""
    return DRAWINGS.get(game.name.partition("(")[0], PLAIN)


def legal_moves(position: Position, seat: int) -> list[LegalMove]:
    """What the player of a seat can do, many bets as one range."""
    draw, seen = drawing(position.game), position.view(seat)
    found = []
    for one in grouped(position.moves):
        move = one if isinstance(one, Move) else one.moves[0]
        found.append(LegalMove(**move_fields(move), range=move_range(one), **draw.move(seen, move)))
    return found
