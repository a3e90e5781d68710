"""The view that a seat has of Monopoly Deal."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.page.shapes import Shape

Cards = dict[str, int]


class MyCards(Shape):
    """The seat's own side: cards by name, with their numbers. A spectator sees only how many are in the hand."""

    hand: Cards
    held: int
    cash: Cards
    property: Cards
    complete: list[str]


class TheirCards(Shape):
    """The other player: of the hand the size only."""

    held: int
    cash: Cards
    property: Cards
    complete: list[str]


class MiddlePiles(Shape):
    """The number of cards left to draw, and the discard pile."""

    deck: int
    discard: Cards


class ResponsePhase(Shape):
    """A demand that is being answered."""

    action: str
    demand: Literal["payment", "property"]
    owed: int
    paid: int
    wanted: str | None
    before: MyCards | TheirCards
    responses: list[str]


class TurnPhase(Shape):
    """The state of the turn."""

    turn_idx: int
    streak_idx: int
    actor: int
    drawer: int
    drawing: int
    idle: int
    response: ResponsePhase | None


class DealCard(Shape):
    """A kind of card; rent cards and properties have a colour."""

    kind: Literal["cash", "property", "rent", "action"]
    colour: str | None


class MonopolyDealConfig(Shape):
    """The rules of the game, and its deck."""

    options: dict[str, int | bool | str]
    deck: Cards


class MonopolyDealView(Shape):
    """The view that a seat has of Monopoly Deal; set sizes and rents so that the page needs no rules."""

    kind: Literal["monopoly-deal"] = "monopoly-deal"
    config: MonopolyDealConfig
    player: int | None = Field(description="Null: a spectator, to whom `me` is the first player with a hidden hand.")
    me: MyCards
    opponent: TheirCards
    piles: MiddlePiles
    turn: TurnPhase
    memory: str
    set_sizes: dict[str, int]
    rents: dict[str, list[int]]
    values: dict[str, int]
    cards: dict[str, DealCard]
    turns_in_streak: int
    sets_to_win: int
