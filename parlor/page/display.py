"""Games as JSON: views of seats, moves, facts about agents' decisions, and agents' strategies.

A game may have a display of its own; whatever that leaves out, and every other game, is shown field by field.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from parlor.game import Position
from parlor.game.game import move_of
from parlor.game.moves import Move, Product, Range, combined
from parlor.game.seats.visibility import public_view
from parlor.page.seated_agent import SeatedAgent
from parlor.page.shapes import (
    MAX_SEED,
    BelievedValue,
    BlockedMove,
    Frontier,
    LegalMove,
    MindBelief,
    MindFact,
    MindTerms,
    MoveChoice,
    MoveInfo,
    MoveRange,
    Shape,
)

MAX_BELIEVED = 12  # of what may be hidden

Value = TypeAliasType("Value", "int | float | str | list[Value]")


class GenericView(Shape):
    """A seat's view of a game without a schema of its own: its fields by name, as in the rules."""

    kind: Literal["generic"] = "generic"
    player: int | None = Field(description="Who sees it; null: a spectator, who sees only what everybody sees.")
    fields: dict[str, Value]
    display: dict[str, Value] = Field(
        description="The result of the game's `display`: names with words, numbers and lists, for drawings; empty if "
        "it has none."
    )


def generic_view(position: Position, before: Sequence[Position], player: int | None) -> GenericView:
    """The fields of the view by name, and the game's `display`."""
    if player is None:
        return _public(position)
    seen, display = position.view(player), position.game.words.display
    fields = {field.name: _plain(getattr(seen, field.name)) for field in dataclasses.fields(seen)}
    number = int(fields.pop("player", player))
    return GenericView(player=number, fields=fields, display=_plain(display(seen)) if display else {})


def _public(position: Position) -> GenericView:
    """Return a spectator's view: the public fields, and the game's `display` if these are enough for it."""
    seen, schema, display = public_view(position), position.game.schema, position.game.words.display
    if seen is None or schema is None:
        return GenericView(player=None, fields={}, display={})
    shown = (field.name for field in dataclasses.fields(seen) if field.name in schema)
    fields = {name: _plain(getattr(seen, name)) for name in shown if schema[name].seen_by == "all"}
    with contextlib.suppress(Exception):  # a game's display may be written for players only
        return GenericView(player=None, fields=fields, display=_plain(display(seen)) if display else {})
    return GenericView(player=None, fields=fields, display={})


def _plain(value: Any) -> Any:
    """Lists and numbers; numbers that JavaScript would round as hexadecimal text."""
    if isinstance(value, Mapping):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, int) and abs(value) > MAX_SEED:
        return f"{value:016x}"
    return value if isinstance(value, int | float) else str(value)


def move_info(move: Move) -> MoveInfo:
    """A move as JSON."""
    return MoveInfo(**move_fields(move))


def move_fields(move: Move) -> dict[str, Any]:
    """The fields that every kind of move has."""
    return vars(move) | {"actor": move.actor if move.actor >= 0 else None, "details": dict(move.details)}


def move_range(one: Move | Range | Product) -> MoveRange | None:
    """Return the bounds and steps of a range of moves; None for anything else."""
    if not isinstance(one, Range):
        return None
    return MoveRange(least=one.least, most=one.most, step=one.step, id_step=one.id_step)


def move_choices(one: Move | Range | Product) -> list[MoveChoice]:
    """Return the choices of a product of moves; none for anything else."""
    if not isinstance(one, Product):
        return []
    return [MoveChoice(name=name, values=list(values)) for name, values in one.choices.items()]


def generic_move(seen: Any, move: Move) -> dict[str, Any]:
    """Nothing more than its data."""
    return {}


def generic_hidden(seen: Any) -> str:
    """Text for a hidden event."""
    return "a hidden event"


def nothing_blocked(seen: Any, legal: Sequence[LegalMove]) -> list[BlockedMove]:
    """No reasons are known."""
    return []


def generic_name(opponent: SeatedAgent, position: Position, action: int) -> str:
    """The name in the agent's own game."""
    return move_of(opponent.agent.game, position.state, action).text


def no_facts(opponent: SeatedAgent, position: Position) -> list[MindFact]:
    """No more facts."""
    return []


def no_belief(opponent: SeatedAgent, position: Position) -> None:
    """It has no notepad."""


def described_worlds(position: Position, belief: Sequence[tuple[int, float]]) -> list[MindBelief]:
    """The likeliest of what is hidden as a whole, if the game says it in words."""
    worlds = position.game.hidden.worlds
    if worlds is None or worlds.describe_world is None or not belief:
        return []
    likely = sorted(belief, key=lambda one: -one[1])[:MAX_BELIEVED]
    values = [BelievedValue(text=worlds.describe_world(code), probability=round(chance, 6)) for code, chance in likely]
    return [MindBelief(name="what is hidden from its player", values=values, mean=None)]


def marginals(
    names: Sequence[str], numbers: Callable[[int], Sequence[int]], belief: Sequence[tuple[int, float]]
) -> list[MindBelief]:
    """A belief over codes, each of which stands for some numbers, as a belief about each of these, by its name."""
    found = []
    for which, name in enumerate(names):
        chances: dict[int, float] = {}
        for code, chance in belief:
            value = numbers(code)[which]
            chances[value] = chances.get(value, 0.0) + chance
        values = [BelievedValue(text=str(value), probability=round(chances[value], 6)) for value in sorted(chances)]
        mean = sum(value * chance for value, chance in chances.items())
        found.append(MindBelief(name=name, values=values, mean=round(mean, 6)))
    return found if belief else []


def no_terms(opponent: SeatedAgent, position: Position) -> MindTerms | None:
    """It does not evaluate positions, or not by terms."""
    return None


def no_reason(opponent: SeatedAgent, position: Position, move: int) -> str:
    """None that is known."""
    return ""


@dataclass(frozen=True)
class Display:
    """The functions that put a game, and the minds of its agents, into JSON."""

    view_type: type[Shape] = GenericView  # with a `kind` of its own
    view: Callable[[Position, Sequence[Position], int | None], Shape] = generic_view  # None: of a spectator
    move: Callable[[Any, Move], Mapping[str, Any]] = generic_move  # further fields of a legal move
    #: What the player to move cannot do, and why; from the view and from what is legal.
    blocked: Callable[[Any, Sequence[LegalMove]], list[BlockedMove]] = nothing_blocked
    hidden: Callable[[Any], str] = generic_hidden
    secret_move: str = "a move you do not see"  # of another player
    name: Callable[[SeatedAgent, Position, int], str] = generic_name  # of an agent's own action
    facts: Callable[[SeatedAgent, Position], list[MindFact]] = no_facts  # facts that an agent's decision depends on
    #: What the player who decides makes of the position, and of what may come of the decision: a sum of terms.
    terms: Callable[[SeatedAgent, Position], MindTerms | None] = no_terms
    #: What speaks for a move, as a clause: "you have no cash". It is what the player who moves knows.
    reason: Callable[[SeatedAgent, Position, int], str] = no_reason
    #: The grid of an agent's strategy after some moves on some board, both as texts, if the game has one.
    strategy: Callable[[SeatedAgent, str, str], Shape] | None = None
    strategy_type: type[Shape] | None = None  # with a `kind` of its own
    strategy_of: str = ""  # the kind of strategy that has this grid
    unit: str = "points"  # what a point of payoff is called
    offered: Mapping[str, str] = field(default_factory=dict)  # the options with which the page opens the game
    #: Settings that research is about rather than an evening, by their titles: other options than the offered ones.
    research: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    combine: Collection[str] = ()  # verbs of moves that are sent as one, with the details that are to be chosen
    #: What can be deduced from all that a player has seen, as data for its notepad; None before there is anything.
    notes: Callable[[Position, int], Shape | None] | None = None
    notes_type: type[Shape] | None = None  # with a `kind` of its own
    #: The notepad of an agent at its decision: the same data, with what it believes beyond what can be deduced.
    belief: Callable[[SeatedAgent, Position], Shape | None] = no_belief
    #: What an agent believes of what is hidden from the player who decides, from codes of hidden worlds with chances.
    beliefs: Callable[[Position, Sequence[tuple[int, float]]], list[MindBelief]] = described_worlds
    #: What a game could have come to, with everything known, from its last position: the payoffs of two players.
    frontier: Callable[[Position], Frontier] | None = None

    def legal_moves(self, position: Position, seat: int) -> list[LegalMove]:
        """The legal moves of a seat, many bets as one range."""
        seen, found = position.view(seat), []
        for one in combined(position.moves, self.combine):
            move = one if isinstance(one, Move) else one.moves[0]
            legal = LegalMove(
                **move_fields(move), range=move_range(one), choices=move_choices(one), **self.move(seen, move)
            )
            found.append(legal)
        return found
