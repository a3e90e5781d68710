"""Monopoly Deal in words."""

from __future__ import annotations

from collections.abc import Mapping

from parlor.game import State, View
from parlor.game.words import player, possessive
from parlor.games.monopoly_deal.cards import (
    COLOURS,
    DEBT,
    DEBT_COLLECTOR,
    JUST_SAY_NO,
    PASS,
    PAY_CASH,
    PAY_PROPERTY,
    PAYABLE,
    PROPERTY,
    RENT,
    SET_SIZE,
    SLY_DEAL,
    STEAL,
    YIELD,
)
from parlor.games.monopoly_deal.responses import SURRENDER, rent_due

COLOUR_NAMES = ("brown", "green", "pink")
CARD_NAMES = (
    "$1",
    "$3",
    *COLOUR_NAMES,
    *(f"{colour} rent" for colour in COLOUR_NAMES),
    "Just Say No",
    "Debt Collector",
    "Sly Deal",
)


def describe(s: State, a: int) -> str:
    """Names of draws, moves and responses."""
    if s.drawing > 0:
        return f"player {s.drawer} draws {CARD_NAMES[a]}"
    if a == JUST_SAY_NO:
        return "Just Say No"
    if a < PROPERTY:
        return f"bank {CARD_NAMES[a]}"
    if a < RENT:
        return f"play {CARD_NAMES[a]}"
    if a < JUST_SAY_NO:
        return f"charge {CARD_NAMES[a]} of ${rent_due(s, s.actor, a)}"
    if a == DEBT_COLLECTOR:
        return "Debt Collector"
    if a < PASS:
        return f"Sly Deal for {COLOUR_NAMES[a - STEAL]}"
    if a == PASS:
        return "pass"
    if a < PAY_PROPERTY:
        return f"pay {CARD_NAMES[a - PAY_CASH]} from the bank"
    if a < YIELD:
        return f"pay the property {COLOUR_NAMES[a - PAY_PROPERTY]}"
    return "yield"


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Draws, moves and responses as data."""
    if s.drawing > 0:
        return {
            "verb": "draw",
            "card": CARD_NAMES[a],
            "to": s.drawer,
            "text": f"{player(s.drawer, 'draws')} {CARD_NAMES[a]}",
        }
    if a == JUST_SAY_NO:
        return {"verb": "refuse" if s.demand else "discard", "card": CARD_NAMES[a]}
    if a < PROPERTY:
        return {"verb": "bank", "card": CARD_NAMES[a]}
    if a < RENT:
        return {"verb": "play", "card": CARD_NAMES[a]}
    if a < JUST_SAY_NO:
        return {"verb": "charge", "card": CARD_NAMES[a], "amount": rent_due(s, s.actor, a)}
    if a == DEBT_COLLECTOR:
        return {"verb": "charge", "card": CARD_NAMES[a], "amount": DEBT}
    if a < PASS:
        return {"verb": "steal", "card": CARD_NAMES[SLY_DEAL], "property": COLOUR_NAMES[a - STEAL]}
    if a == PASS:
        return {"verb": "pass"}
    if a < PAY_PROPERTY:
        return {"verb": "pay", "card": CARD_NAMES[a - PAY_CASH], "from": "bank"}
    if a < YIELD:
        return {"verb": "pay", "card": COLOUR_NAMES[a - PAY_PROPERTY], "from": "property"}
    return {"verb": "yield", "text": "give in"}


def secret(s: State, a: int, p: int) -> bool:
    """Every move is public; a card drawn is seen by the drawer only."""
    return bool(s.drawing > 0 and p != s.drawer)


def counted(names: tuple[str, ...], counts: tuple[int, ...]) -> str:
    """2 $1, green: names with their counts."""
    items = [f"{n} {name}" if n > 1 else name for name, n in zip(names, counts, strict=True) if n]
    return ", ".join(items) or "nothing"


def sets(counts: tuple[int, ...]) -> str:
    """Green 2/3: the progress of each colour."""
    items = [f"{COLOUR_NAMES[c]} {counts[c]}/{SET_SIZE[c]}" for c in range(COLOURS) if counts[c]]
    return ", ".join(items) or "no property"


def in_hand(count: int) -> str:
    """The number of cards in a hand, in words."""
    return f"{count} card{'' if count == 1 else 's'} in hand"


def show(view: View) -> str:
    """One line for a person."""
    me, other = view.player, 1 - view.player
    has = player(me, "has").split()[-1]  # or have
    parts = [
        f"{player(me, 'holds')} {counted(CARD_NAMES, view.hand)}",
        f"{has} {sets(view.property[me])}, bank {counted(CARD_NAMES[:PAYABLE], view.cash[me])}",
        f"the other has {sets(view.property[other])}, bank {counted(CARD_NAMES[:PAYABLE], view.cash[other])}, "
        + in_hand(view.held[other]),
        f"deck {view.left}",
    ]
    if view.demand == SURRENDER:
        parts.append(f"{player(view.actor, 'wants')} the property {COLOUR_NAMES[view.wanted]}")
    elif view.demand:
        parts.append(f"{player(1 - view.actor, 'owes')} ${view.owed}, paid ${view.paid}")
    else:
        parts.append(f"turn {view.streak + 1} of {possessive(view.actor)} streak")
    return "; ".join(parts)
