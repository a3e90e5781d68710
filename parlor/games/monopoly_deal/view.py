"""The view of a player of Monopoly Deal as typed data: my cards, the other's, the piles, and the turn.

The hierarchy is the paper's (Wolf 2025, section 5.4): a `GameState` is one player's information set and not the world,
so of the other player's hand only the size is known. While a demand is being answered, `turn.response` holds the
card that made it, the initiating player as it was before the first answer, and the answers so far.

    state = game_state(position, 0)
    state.me.hand.count("green"), state.opponent.held, state.turn.response
    GameState.from_json(state.to_json()) == state

Everything comes through `position.view(player)`. The answers so far are not in one view, so the history is replayed
through the same player's views: what changed on the table names the card, also where moves are only
intents (`monopoly-deal/intent`). A state is therefore the same whichever abstraction it was reached in, and never
depends on a card the player has not seen. Cards are counted by name; zeros are left out.

`memory` is a fingerprint of all this player has seen happen, in order: with it, equal states mean equal information
sets (perfect recall); the paper has none and forgets the order. It stores a random seed; here chance is explicit.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, get_args, get_type_hints

from parlor.game import Game, GameError, Position, View
from parlor.game.keys import canonical
from parlor.games.monopoly_deal.cards import COLOURS, KINDS, PAY_CASH, PAY_PROPERTY, PAYABLE, SET_SIZE, SLY_DEAL, STEAL
from parlor.games.monopoly_deal.responses import SURRENDER
from parlor.games.monopoly_deal.words import CARD_NAMES, COLOUR_NAMES, describe

# Only constants that no option changes are imported from `cards`: this module is shared by games of all options.


class Serializable:
    """A frozen dataclass that goes to canonical JSON and comes back equal."""

    def data(self) -> Any:
        """Dictionaries, lists, numbers and words."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]  # every subclass is a dataclass
        return {f.name: _plain(getattr(self, f.name)) for f in fields}

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """The inverse of `data`: each part by the type of its field."""
        kinds = get_type_hints(cls)
        return cls(**{name: _read(kinds[name], value) for name, value in data.items()})

    def to_json(self) -> str:
        """Canonical JSON."""
        return canonical(self.data())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The inverse of `to_json`; anything missing, unknown or left over is an error."""
        try:
            data = json.loads(text)
            made = cls.from_data(data)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise GameError(f"This is not the JSON of a {cls.__name__}: {error!r}.") from None
        if made.to_json() != canonical(data):
            raise GameError(f"This is not the JSON of a {cls.__name__}: it has unknown entries.")
        return made


def _plain(value: Any) -> Any:
    if isinstance(value, Serializable):
        return value.data()
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


def _read(kind: Any, value: Any) -> Any:
    """The inverse of `_plain`; of several types, the one that has these fields."""
    if isinstance(value, list):
        return tuple(value)
    if not isinstance(value, dict):
        return value
    kinds: list[Any] = [one for one in get_args(kind) or (kind,) if dataclasses.is_dataclass(one)]
    [found] = [one for one in kinds if len(kinds) == 1 or {f.name for f in dataclasses.fields(one)} == set(value)]
    return found.from_data(value)


# --------------------------------------------------------------------------------------------------- the nouns


@dataclass(frozen=True)
class Pile(Serializable):
    """Cards by name with how many there are, in the order of the kinds."""

    cards: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, counts: Sequence[int]) -> Self:
        """From counts by kind; those of properties alone are by colour."""
        names = COLOUR_NAMES if len(counts) == COLOURS else CARD_NAMES
        return cls(tuple((name, n) for name, n in zip(names, counts, strict=False) if n))

    def count(self, name: str) -> int:
        """The number of cards of this name."""
        return dict(self.cards).get(name, 0)

    def __len__(self) -> int:
        return sum(n for _, n in self.cards)

    def data(self) -> dict[str, int]:
        """{"$1": 2, "green": 1}."""
        return dict(self.cards)

    @classmethod
    def from_data(cls, data: Mapping[str, int]) -> Self:
        """In the order of the kinds again."""
        unknown = [name for name in data if name not in CARD_NAMES]
        if unknown:
            raise GameError(f"There is no card {unknown[0]!r}; there are {', '.join(CARD_NAMES)}.")
        return cls.of([data.get(name, 0) for name in CARD_NAMES])


@dataclass(frozen=True)
class GameConfig(Serializable):
    """The rules of a game: every option, and the deck they make."""

    options: tuple[tuple[str, int | bool | str], ...]
    deck: Pile

    def data(self) -> dict[str, Any]:
        """The options by name."""
        return {"options": dict(self.options), "deck": self.deck.data()}

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """In alphabetical order."""
        return cls(tuple(sorted(data["options"].items())), Pile.from_data(data["deck"]))


@dataclass(frozen=True)
class PlayerState(Serializable):
    """The player's own side: the hand, the bank, the properties, and the colours of complete sets."""

    hand: Pile
    cash: Pile
    property: Pile
    complete: tuple[str, ...]


@dataclass(frozen=True)
class OpponentState(Serializable):
    """The other player: everything public, and the size of the hand."""

    held: int
    cash: Pile
    property: Pile
    complete: tuple[str, ...]


@dataclass(frozen=True)
class Piles(Serializable):
    """The middle of the table: the number of cards left to draw, and the discard pile."""

    deck: int
    discard: Pile


@dataclass(frozen=True)
class ResponseContext(Serializable):
    """A demand being answered: the action, what is demanded, the initiating player before it, and the answers."""

    action: str  # the initiating action, by its concrete name: "charge green rent of $4"
    demand: str  # "payment" or "property"
    owed: int
    paid: int
    wanted: str | None  # the colour of a property that is to be given up
    before: PlayerState | OpponentState  # the initiating player, card played and nothing received, as far as visible
    responses: tuple[str, ...]  # by their concrete names: "pay $1 from the bank"


@dataclass(frozen=True)
class TurnState(Serializable):
    """The state of the turn."""

    turn_idx: int  # turns taken in all
    streak_idx: int  # turns taken in this streak
    actor: int  # whose streak it is; the other side answers, if there is a response
    drawer: int
    drawing: int  # cards that `drawer` still draws before anybody moves
    idle: int  # streaks in a row in which no card was played
    response: ResponseContext | None


@dataclass(frozen=True)
class GameState(Serializable):
    """All that one player knows."""

    config: GameConfig
    player: int
    me: PlayerState
    opponent: OpponentState
    piles: Piles
    turn: TurnState
    memory: str  # hexadecimal: JSON readers keep no 63-bit numbers

    @property
    def unseen(self) -> Pile:
        """The cards this player has not seen: in the deck or in the other hand."""
        known = [self.me.hand, self.piles.discard]
        known += [pile for side in (self.me, self.opponent) for pile in (side.cash, side.property)]
        return Pile.of([self.config.deck.count(n) - sum(pile.count(n) for pile in known) for n in CARD_NAMES])


# --------------------------------------------------------------------------------------------------- from a position


def game_state(position: Position, player: int, before: Sequence[Position] = ()) -> GameState:
    """The information set of `player` in this position of any Monopoly Deal, abstract or not.

    Callers that have the positions `before` this one can give them, so that the history need not be replayed.
    """
    view = position.view(player)
    turn = TurnState(
        turn_idx=view.turn,
        streak_idx=view.streak,
        actor=view.actor,
        drawer=view.drawer,
        drawing=view.drawing,
        idle=view.idle,
        response=response_context(_phase(position, player, before)) if view.demand else None,
    )
    piles = Piles(view.left, Pile.of(view.discard))
    return GameState(
        game_config(position.game), player, player_state(view), opponent_state(view), piles, turn, f"{view.seen:016x}"
    )


def game_config(game: Game) -> GameConfig:
    """The options of a game and its deck, which follows from the odds of the first card."""
    if "monopoly deal config" not in game.cache:
        start = game.start()
        deck = [0] * KINDS
        for kind, odds in zip(start.actions, start.odds.values(), strict=True):
            deck[kind] = round(odds * start.view(0).left)
        options = tuple(sorted((name, _number(value)) for name, value in game.options.items()))
        game.cache["monopoly deal config"] = GameConfig(options, Pile.of(deck))
    config: GameConfig = game.cache["monopoly deal config"]
    return config


def _number(value: str) -> int | bool | str:
    return int(value) if value.isdigit() else {"true": True, "false": False}.get(value, value)


def player_state(view: View) -> PlayerState:
    """The side of the player whose view it is."""
    return PlayerState(Pile.of(view.hand), *_open(view, view.player))


def opponent_state(view: View) -> OpponentState:
    """The other side."""
    other = 1 - view.player
    return OpponentState(view.held[other], *_open(view, other))


def _open(view: View, p: int) -> tuple[Pile, Pile, tuple[str, ...]]:
    owned = view.property[p]
    complete = tuple(COLOUR_NAMES[c] for c in range(COLOURS) if owned[c] >= SET_SIZE[c])
    return Pile.of(view.cash[p]), Pile.of(owned), complete


def response_context(views: Sequence[View]) -> ResponseContext:
    """From a player's views: before the demand, after it, and after every answer so far."""
    first, now = views[1], views[-1]
    steps = itertools.pairwise(views[1:])
    return ResponseContext(
        action=describe(views[0], _initiating_action(views[0], first)),
        demand="property" if now.demand == SURRENDER else "payment",
        owed=now.owed,
        paid=now.paid,
        wanted=COLOUR_NAMES[now.wanted] if now.demand == SURRENDER else None,
        before=player_state(first) if first.player == first.actor else opponent_state(first),
        responses=tuple(describe(before, _payment(before, after)) for before, after in steps),
    )


def _initiating_action(before: View, after: View) -> int:
    """The card that came onto the discard pile, and for a Sly Deal the property."""
    [kind] = [k for k in range(KINDS) if after.discard[k] > before.discard[k]]
    return STEAL + int(after.wanted) if kind == SLY_DEAL else kind


def _payment(before: View, after: View) -> int:
    """The card that has left the bank or the properties of the responding player: all other answers end the phase."""
    payer = 1 - before.actor
    cash = [PAY_CASH + k for k in range(PAYABLE) if after.cash[payer][k] < before.cash[payer][k]]
    owned = [PAY_PROPERTY + c for c in range(COLOURS) if after.property[payer][c] < before.property[payer][c]]
    [action] = cash + owned
    return action


def _phase(position: Position, player: int, before: Sequence[Position]) -> list[View]:
    """The views of `player` from just before the demand until now, by replaying the history if necessary."""
    walk = [*before, position]
    if all(earlier.view(player).demand for earlier in walk):
        walk = [position.game.start()]
        for move in position.history:
            walk.append(walk[-1].after(move))
    views: list[View] = []
    while walk and (not views or views[-1].demand):
        views.append(walk.pop().view(player))
    if views[0] != position.view(player):
        raise GameError(
            "This position has no history that says which demand is being answered: play to it from start()."
        )
    return views[::-1]
