"""Monopoly Deal as JSON: the state a seat sees, and its moves with the card each one plays and what it pays."""

from __future__ import annotations

from collections.abc import Sequence

from parlor.game import Position, View
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
    SLY_DEAL,
    STEAL,
    YIELD,
)
from parlor.games.monopoly_deal.view import game_state
from parlor.games.monopoly_deal.words import CARD_NAMES, COLOUR_NAMES
from parlor.server.displays.display import Display
from parlor.server.displays.monopoly_deal.schemas import MonopolyDealView
from parlor.server.schemas.moves import LegalMove

# Only constants that no option changes are imported: this module serves games of all options.
SET_SIZES = dict(zip(COLOUR_NAMES, SET_SIZE, strict=True))
RENT_TABLE = {name: list(RENTS[c][: SET_SIZE[c]]) for c, name in enumerate(COLOUR_NAMES)}
VALUES = dict(zip(CARD_NAMES, CASH_VALUE, strict=False))


def view(position: Position, before: Sequence[Position], player: int) -> MonopolyDealView:
    """The state of the game as `player` sees it."""
    state = game_state(position, player, before).data()
    options = state["config"]["options"]
    return MonopolyDealView(
        **state,
        set_sizes=SET_SIZES,
        rents=RENT_TABLE,
        values=VALUES,
        turns_in_streak=options["turns"],
        sets_to_win=options["sets"],
    )


def move(seen: View, action: int, name: str) -> LegalMove:
    """What a legal move plays, pays and means, as its player sees it."""
    if action < PROPERTY:
        why = f"Into your bank: ${CASH_VALUE[action]} to pay debts with."
        return LegalMove(name=name, card=CARD_NAMES[action], place="hand", explanation=why)
    if action < RENT:
        return LegalMove(name=name, card=CARD_NAMES[action], place="hand", explanation=_property(seen, action))
    if action < JUST_SAY_NO:
        why = "The other side must pay, in cash or in property, unless it says no."
        return LegalMove(name=name, card=CARD_NAMES[action], place="hand", explanation=why)
    if action == JUST_SAY_NO:
        why = "The demand comes to nothing." if seen.demand else "Discards the card."
        return LegalMove(name=name, card=CARD_NAMES[action], place="hand", pays=0, explanation=why)
    if action == DEBT_COLLECTOR:
        return LegalMove(name=name, card=CARD_NAMES[action], place="hand", explanation=f"The other side owes ${DEBT}.")
    if action < PASS:
        why = f"Takes the {COLOUR_NAMES[action - STEAL]} property, unless the other side says no."
        return LegalMove(name=name, card=CARD_NAMES[SLY_DEAL], place="hand", explanation=why)
    if action == PASS:
        return LegalMove(name=name, explanation="Ends this turn without playing a card.")
    if action < PAY_PROPERTY:
        kind = action - PAY_CASH
        return _payment(seen, name, CARD_NAMES[kind], "bank", CASH_VALUE[kind])
    if action < YIELD:
        kind = PROPERTY + action - PAY_PROPERTY
        return _payment(seen, name, CARD_NAMES[kind], "property", CASH_VALUE[kind])
    return LegalMove(name=name, pays=0, explanation="There is nothing else to do about it.")


def _property(seen: View, card: int) -> str:
    colour = card - PROPERTY
    owned, size = seen.property[seen.player][colour] + 1, SET_SIZE[colour]
    if owned > size:
        return f"Your {COLOUR_NAMES[colour]} set is complete already: it goes on top."
    rent = RENTS[colour][owned - 1]
    done = "completes the set" if owned == size else f"makes it {owned} of {size}"
    return f"On the table: {done}, rent ${rent}."


def _payment(seen: View, name: str, card: str, place: str, value: int) -> LegalMove:
    rest = seen.owed - seen.paid
    why = f"Pays ${value} of the ${rest} still owed" + ("; no change is given." if value > rest else ".")
    return LegalMove(name=name, card=card, place="bank" if place == "bank" else "property", pays=value, explanation=why)


def hidden(seen: View) -> str:
    """What is said of a draw that one does not see."""
    return f"player {seen.drawer} draws a card"


DISPLAY = Display(MonopolyDealView, view, move, hidden)
