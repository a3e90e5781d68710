"""Leodopoly as JSON: the board with its owners and tokens, the players, and what is for sale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from parlor.game import Position
from parlor.game.seats.python_agent import PythonAgent
from parlor.game.seats.visibility import public_view
from parlor.games.leodopoly.agents.terms import taken_apart
from parlor.page.display import Display
from parlor.page.seated_agent import SeatedAgent
from parlor.page.shapes import MindTerm, MindTerms, Shape


class BoardSpace(Shape):
    """A space of the board."""

    name: str
    cost: int = Field(description="0: it cannot be bought.")
    group: int = Field(description="Spaces of one group make a full set; 0: none.")
    rent: int = Field(description="What a visitor pays now, or would pay if somebody owned it.")
    owner: int = Field(description="The player; -1: nobody.")
    set: bool = Field(description="Whether its owner has the full set.")
    players: list[int] = Field(description="Who stands there.")
    kind: str
    house: int = Field(description="What a house costs; 0: none can be built.")
    houses: int
    hotel: bool
    mortgaged: bool


class Estate(Shape):
    """The estate of a player."""

    money: int
    rent: int = Field(description="The sum of the rents of its properties.")
    score: int = Field(description="What decides who wins.")
    deeds: list[str]
    bankrupt: bool
    won: bool
    jailed: int = Field(description="The coming attempt to roll doubles; 0: not in jail.")
    pardons: int = Field(description="Cards to get out of jail.")


class Offer(Shape):
    """An offer that can be accepted."""

    space: str
    by: int
    amount: int


class DrawnCard(Shape):
    """The last card that was drawn."""

    pile: str
    text: str


class CardPile(Shape):
    """The cards of a pile that have not been drawn."""

    name: str
    left: list[str]


class Stock(Shape):
    """The houses and hotels that the bank can still sell."""

    houses: int
    hotels: int


class Trade(Shape):
    """A trade that is being proposed."""

    by: int
    partner: int
    get: str = Field(description="What the proposer gets; empty: nothing, so far.")
    give: str
    cash: int = Field(description="What the proposer pays, or gets if it is negative.")


class Debt(Shape):
    """The next debt to be paid."""

    by: int
    to: int = Field(description="-1: the bank.")
    amount: int


class LeodopolyView(Shape):
    """The view that a seat has of Leodopoly: everything but the limits of others in a sealed auction."""

    kind: Literal["leodopoly"] = "leodopoly"
    player: int | None = Field(description="Null: a spectator.")
    actor: int = Field(description="Whose turn it is, though others may be asked in between.")
    currency: str
    unit: int = Field(description="Amounts are multiples of this.")
    round: int
    rounds: int
    phase: str
    spaces: list[BoardSpace]
    players: list[Estate]
    lot: str = Field(description="What is for sale; empty: nothing.")
    sealed: bool = Field(description="Whether everybody names a limit in an auction; else bids go up by ones.")
    bid: int
    bidding: list[int] = Field(description="Who has been asked in a sealed auction; who has not passed in another one.")
    limit: int = Field(description="One's own, in a sealed auction; 0: none yet.")
    offers: list[Offer]
    dice: list[int] = Field(description="The last roll, where it is kept.")
    card: DrawnCard | None
    piles: list[CardPile]
    stock: Stock | None
    trade: Trade | None
    debt: Debt | None
    estate: list[str] = Field(description="Of a bankrupt player, still to be auctioned.")


def view(position: Position, before: Sequence[Position], player: int | None) -> LeodopolyView:
    """The table as `player` or a spectator sees it."""
    seen: Any = public_view(position) if player is None else position.view(player)
    shown: dict[str, Any] = dict(position.game.words.display(seen)) if position.game.words.display else {}
    if shown["trade"]:
        shown["trade"]["partner"] = shown["trade"].pop("with")
    return LeodopolyView(
        player=player,
        actor=seen.actor,
        sealed=position.game.options["auction"] == "sealed",
        limit=seen.limit if player is not None else 0,
        **shown,
    )


def terms(opponent: SeatedAgent, position: Position) -> MindTerms | None:
    """The heuristic of a strategy taken apart, in the currency of the board."""
    if isinstance(opponent.player, PythonAgent):
        return None
    parts = taken_apart(opponent.agent, position)
    if parts is None:
        return None
    unit = "$" if position.game.options["board"] == "classic" else "£"
    return MindTerms(
        unit=unit,
        situations=[one.name.replace("£", unit) for one in parts.situations],
        terms=[
            MindTerm(
                name=term.name,
                about=f"{term.parameter} = {term.weight:g}" if term.parameter else "",
                values=[round(one.pounds[i], 2) for one in parts.situations],
            )
            for i, term in enumerate(parts.terms)
        ],
        values=[round(one.value, 2) for one in parts.situations],
    )


DISPLAY = Display(LeodopolyView, view, secret_move="name a limit", unit="games", terms=terms)
