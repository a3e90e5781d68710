"""Monopoly Deal as JSON: the state a seat sees, and its moves with the card each one plays and what it pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlor.game import Position, View
from parlor.game.moves import Move
from parlor.game.seats.visibility import public_position
from parlor.game.words import player as named
from parlor.games.monopoly_deal.cards import (
    CASH_VALUE,
    DEBT,
    DEBT_COLLECTOR,
    JUST_SAY_NO,
    PASS,
    PAY_CASH,
    PAY_PROPERTY,
    PROPERTY,
    RENT,
    RENTS,
    SET_SIZE,
    STEAL,
    YIELD,
)
from parlor.games.monopoly_deal.page.schemas import DealCard, MonopolyDealView
from parlor.games.monopoly_deal.view import game_state
from parlor.games.monopoly_deal.words import CARD_NAMES, COLOUR_NAMES
from parlor.page.display import Display
from parlor.page.seated_agent import SeatedAgent
from parlor.page.shapes import BlockedMove, LegalMove

# Only constants that no option changes are imported: this module serves games of all options.
SET_SIZES = dict(zip(COLOUR_NAMES, SET_SIZE, strict=True))
RENT_TABLE = {name: list(RENTS[c][: SET_SIZE[c]]) for c, name in enumerate(COLOUR_NAMES)}
VALUES = dict(zip(CARD_NAMES, CASH_VALUE, strict=False))
CARDS = {
    name: DealCard(kind="cash", colour=None)
    if kind < PROPERTY
    else DealCard(kind="property", colour=name)
    if kind < RENT
    else DealCard(kind="rent", colour=COLOUR_NAMES[kind - RENT])
    if kind < JUST_SAY_NO
    else DealCard(kind="action", colour=None)
    for kind, name in enumerate(CARD_NAMES)
}


def view(position: Position, before: Sequence[Position], player: int | None) -> MonopolyDealView:
    """The state of the game as `player` or a spectator sees it."""
    if player is None:
        public = [known for known in map(public_position, (*before, position)) if known]
        return view(public[-1], public[:-1], 0).model_copy(update={"player": None})
    state = game_state(position, player, before).data()
    held = position.view(player).held
    state["me"]["held"] = held[player]
    if (response := state["turn"]["response"]) and "hand" in response["before"]:
        response["before"]["held"] = held[player]  # it is the same in the whole phase
    options = state["config"]["options"]
    return MonopolyDealView(
        **state,
        set_sizes=SET_SIZES,
        rents=RENT_TABLE,
        values=VALUES,
        cards=CARDS,
        turns_in_streak=options["turns"],
        sets_to_win=options["sets"],
    )


def move(seen: View, made: Move) -> dict[str, Any]:
    """A legal move as its player sees it: the place of its card, the amount it pays, and its meaning."""
    action = made.id
    if action < PROPERTY:
        return _from_hand(f"Into your bank: ${CASH_VALUE[action]} to pay debts with.")
    if action < RENT:
        return _from_hand(_property(seen, action))
    if action < JUST_SAY_NO:
        return _from_hand("The other player must pay, in cash or in property, unless it says no.")
    if action == JUST_SAY_NO:
        return _from_hand("The demand comes to nothing." if seen.demand else "Discards the card.") | {"pays": 0}
    if action == DEBT_COLLECTOR:
        return _from_hand(f"The other player owes ${DEBT}.")
    if action < PASS:
        return _from_hand(f"Takes the {COLOUR_NAMES[action - STEAL]} property, unless the other player says no.")
    if action == PASS:
        return {"explanation": "Ends this turn without playing a card."}
    if action < PAY_PROPERTY:
        return _payment(seen, "bank", CASH_VALUE[action - PAY_CASH])
    if action < YIELD:
        return _payment(seen, "property", CASH_VALUE[PROPERTY + action - PAY_PROPERTY])
    return {"pays": 0, "explanation": "There is nothing else you can do."}


def _from_hand(why: str) -> dict[str, Any]:
    return {"place": "hand", "explanation": why}


def _property(seen: View, card: int) -> str:
    colour = card - PROPERTY
    owned, size = seen.property[seen.player][colour] + 1, SET_SIZE[colour]
    if owned > size:
        return f"Your {COLOUR_NAMES[colour]} set is complete already: it goes on top."
    rent = RENTS[colour][owned - 1]
    done = "completes the set" if owned == size else f"makes it {owned} of {size}"
    return f"On the table: {done}, rent ${rent}."


def _payment(seen: View, place: str, value: int) -> dict[str, Any]:
    rest = seen.owed - seen.paid
    why = f"Pays ${value} of the ${rest} still owed" + ("; no change is given." if value > rest else ".")
    return {"place": place, "pays": value, "explanation": why}


def reason(opponent: SeatedAgent, position: Position, action: int) -> str:
    """The argument for a move, as its player sees the table."""
    p = position.turn
    seen, other = position.view(p), 1 - p
    theirs, mine = seen.property[other], seen.property[p]
    cash = sum(number * CASH_VALUE[kind] for kind, number in enumerate(seen.cash[other]))
    if RENT <= action < JUST_SAY_NO or action == DEBT_COLLECTOR:
        owed = DEBT if action == DEBT_COLLECTOR else _rent(mine, action - RENT)
        if not cash and not any(theirs):
            return f"{named(other, 'has')} nothing to pay with"
        if not cash:
            return f"{named(other, 'has')} no cash, so {named(other)} would pay in property"
        if cash < owed:
            return f"{named(other, 'has')} only ${cash} in cash, less than the ${owed}"
        return f"{named(other, 'has')} ${cash} in cash to pay ${owed} with"
    if PROPERTY <= action < RENT:
        colour = action - PROPERTY
        return _towards(mine[colour] + 1, colour)
    if DEBT_COLLECTOR < action < PASS:
        colour = action - STEAL
        return _towards(mine[colour] + 1, colour)
    if action < PROPERTY:
        own = sum(number * CASH_VALUE[kind] for kind, number in enumerate(seen.cash[p]))
        return f"{named(p)} had ${own} in the bank to pay with"
    return ""


def _rent(owned: Sequence[int], colour: int) -> int:
    count = min(owned[colour], SET_SIZE[colour])
    return RENTS[colour][count - 1] if count else 0


def _towards(owned: int, colour: int) -> str:
    name, size = COLOUR_NAMES[colour], SET_SIZE[colour]
    return (
        f"it completes the {name} set"
        if owned == size
        else f"that makes {owned} of {size} {name}"
        if owned < size
        else ""
    )


def blocked(seen: View, legal: Sequence[LegalMove]) -> list[BlockedMove]:
    """Cards in hand that cannot be played now, and why."""
    playable = {move.card for move in legal if move.place == "hand"}
    kinds = [kind for kind, count in enumerate(seen.hand) if count and CARD_NAMES[kind] not in playable]
    return [BlockedMove(verb="play", card=CARD_NAMES[kind], reason=_why_not(seen, kind)) for kind in kinds]


def _why_not(seen: View, kind: int) -> str:
    if seen.demand:
        return "First the demand must be answered, with what lies on the table."
    if RENT <= kind < JUST_SAY_NO:
        return f"You have no {COLOUR_NAMES[kind - RENT]} property to charge rent for."
    if CARD_NAMES[kind] == "Sly Deal":
        return "The other player has no property that can be taken: complete sets are safe."
    return "It cannot be played now."


def hidden(seen: View) -> str:
    """Text for a draw that the seat does not see."""
    return f"{named(seen.drawer, 'draws')} a card"


DISPLAY = Display(
    MonopolyDealView,
    view,
    move,
    blocked,
    hidden,
    reason=reason,
    offered={"preset": "large"},
    research={"Two sets win": {}, "As the paper's code": {"preset": "paper"}, "One colour": {"preset": "tiny"}},
)
