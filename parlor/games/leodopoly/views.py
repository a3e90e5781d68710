"""Leodopoly as a player sees it: for drawings, and in one line."""

from __future__ import annotations

from typing import Any

from parlor.game import View
from parlor.game.words import player
from parlor.games.leodopoly.boards import KINDS, SPACES
from parlor.games.leodopoly.decks import LARGEST, PILE_NAMES
from parlor.games.leodopoly.estate import (
    COST,
    GROUP,
    HOTEL,
    HOUSE,
    KIND,
    has_set,
    hotels_left,
    houses_left,
    is_mortgaged,
    level_of,
    rent_of,
    rents,
    score,
)
from parlor.games.leodopoly.options import CARDS, EXTENDED, HOUSES, JAIL, PLAYERS, ROUNDS, SEALED, TRADES, UNIT
from parlor.games.leodopoly.state import (
    AGREEING,
    ANSWERING,
    BANK,
    BIDDING,
    BUYING_NOW,
    DICE,
    DRAWING,
    FINISHED,
    GETTING,
    GIVING,
    METERING,
    OFFERING,
    PAYING,
    RAISING,
    SELLING,
)
from parlor.games.leodopoly.turns.deals import is_open, row_of
from parlor.games.leodopoly.turns.debts import from_left
from parlor.games.leodopoly.turns.endings import is_bankrupt
from parlor.games.leodopoly.turns.piles import CARD
from parlor.games.leodopoly.words import CURRENCY, NAMES, faces, pounds, side

PHASES = {
    SELLING: "selling", OFFERING: "offering", ANSWERING: "answering", DICE: "dice", BUYING_NOW: "buying",
    BIDDING: "bidding", FINISHED: "finished", DRAWING: "drawing", METERING: "metering", RAISING: "raising",
    GETTING: "getting", GIVING: "giving", PAYING: "paying", AGREEING: "agreeing",
}  # fmt: skip


def display(view: View) -> dict[str, Any]:
    """The board with its owners and tokens, the players, and what is for sale."""
    return {
        "currency": CURRENCY,
        "unit": UNIT,
        "round": min(view.round + 1, ROUNDS),
        "rounds": ROUNDS,
        "phase": PHASES[view.phase],
        "spaces": [
            {
                "name": NAMES[k], "cost": COST[k], "group": GROUP[k], "rent": rent_of(view, k) if COST[k] else 0,
                "owner": view.owner[k] - 1, "set": bool(COST[k]) and has_set(view, k),
                "players": [p for p in range(PLAYERS) if view.position[p] == k],
                "kind": KINDS[KIND[k]], "house": HOUSE[k] if HOUSES else 0, "houses": level_of(view, k) % HOTEL,
                "hotel": level_of(view, k) == HOTEL, "mortgaged": is_mortgaged(view, k),
            }
            for k in range(SPACES)
        ],
        "players": [
            {
                "money": view.money[p], "rent": rents(view, p), "score": score(view, p),
                "deeds": [NAMES[k] for k in range(SPACES) if view.owner[k] == p + 1],
                "bankrupt": is_bankrupt(view, p), "won": bool(view.won >> p & 1),
                "jailed": view.jailed[p] if JAIL else 0,
                "pardons": sum(holder == p + 1 for holder in view.pardon) if JAIL and CARDS else 0,
            }
            for p in range(PLAYERS)
        ],
        "lot": NAMES[view.lot] if view.lot else "",
        "bid": view.bid,
        "bidding": [p for p in range(PLAYERS) if view.bidding >> p & 1],
        "offers": [
            {"space": NAMES[k], "by": p, "amount": view.offer[row_of(k)][p]}
            for k in range(SPACES)
            if view.put_up >> k & 1 and (view.phase in (OFFERING, ANSWERING, SELLING))
            for p in range(PLAYERS)
            if is_open(view, k, p) and (k == view.lot or row_of(k))
        ],
        "dice": list(faces(view.dice - 1)) if EXTENDED and view.dice else [],
        "card": _card(view) if CARDS and view.card else None,
        "piles": [_left(view, pile) for pile in range(2)] if CARDS else [],
        "stock": {"houses": houses_left(view), "hotels": hotels_left(view)} if HOUSES else None,
        "trade": _trade(view) if TRADES and view.partner else None,
        "debt": _debt(view) if EXTENDED and view.debtors else None,
        "estate": [NAMES[k] for k in range(SPACES) if view.estate >> k & 1] if EXTENDED else [],
    }  # fmt: skip


def _card(view: View) -> dict[str, str]:
    """The last card that was drawn."""
    return {"pile": PILE_NAMES[(view.card - 1) // LARGEST], "text": CARD[view.card - 1].name}


def _left(view: View, pile: int) -> dict[str, Any]:
    """The cards that have not been drawn: in a pile of known cards, that is no secret."""
    left = [CARD[pile * LARGEST + c].name for c in range(LARGEST) if view.pile[pile] >> c & 1]
    return {"name": PILE_NAMES[pile], "left": left}


def _trade(view: View) -> dict[str, Any]:
    """The trade on the table; what is still open is nothing."""
    return {
        "by": view.actor, "with": view.partner - 1, "get": NAMES[view.get - 1] if view.get else "",
        "give": NAMES[view.give - 1] if view.give else "", "cash": view.cash,
    }  # fmt: skip


def _debt(view: View) -> dict[str, int]:
    """The next debt: who pays, and to whom; -1 is the bank."""
    creditor = from_left(view, view.creditors)
    return {"by": from_left(view, view.debtors), "to": -1 if creditor == BANK else creditor, "amount": view.due}


# ---------------------------------------------------------------------------------------------------------- in one line


def show(view: View) -> str:
    """One line for a person: money and deeds of all players, and what is to be decided."""
    parts = [f"round {min(view.round + 1, ROUNDS)}"]
    for p in range(PLAYERS):
        if EXTENDED and is_bankrupt(view, p):
            parts.append(f"{player(p, 'is')} bankrupt")
            continue
        owned = ", ".join(_deed(view, k) for k in range(SPACES) if view.owner[k] == p + 1)
        where = f"in {NAMES[view.position[p]]}" if JAIL and view.jailed[p] else f"at {NAMES[view.position[p]]}"
        parts.append(f"{player(p, 'has')} {pounds(view.money[p])} {where}" + (f" and owns {owned}" if owned else ""))
    return "; ".join([*parts, *to_decide(view)])


def _deed(view: View, k: int) -> str:
    """A property, with a star if its set is full, with its houses, or mortgaged."""
    level = level_of(view, k)
    built = " (hotel)" if level == HOTEL else f" ({level} house{'s' * (level > 1)})" if level else ""
    return NAMES[k] + "*" * has_set(view, k) + built + " (mortgaged)" * is_mortgaged(view, k)


def to_decide(view: View) -> list[str]:
    """The question to the player who is to move."""
    lot = NAMES[view.lot]
    if view.phase == SELLING:
        if JAIL and view.jailed[view.actor]:
            return [f"{player(view.actor, 'is')} in jail"]
        more = ", build, mortgage or trade" if EXTENDED else ""
        return [f"{player(view.actor)} may put up properties for sale{more}"]
    if view.phase == OFFERING:
        return [f"{player(view.asked)} may make an offer for {lot}"]
    if view.phase == ANSWERING:
        row = view.offer[row_of(view.lot)]
        offers = [f"{player(p, 'offers')} {pounds(row[p])}" for p in range(PLAYERS) if is_open(view, view.lot, p)]
        return [f"for {lot} {', '.join(offers)}"]
    if view.phase == BUYING_NOW:
        return [f"{lot} costs {pounds(COST[view.lot])}"]
    if view.phase == BIDDING:
        return [f"{lot} is auctioned" + ("" if SEALED else f", the bid is {pounds(view.bid)}")]
    if view.phase == RAISING:
        return [f"{player(view.asked, 'owes')} {pounds(view.due)} and must raise money"]
    if TRADES and view.partner:
        return [trade_on_the_table(view)]
    return []


def trade_on_the_table(view: View) -> str:
    """The proposed trade, as far as it is known."""
    by, partner = player(view.actor, "proposes"), player(view.partner - 1)
    if view.phase == GETTING:
        return f"{by} a trade to {partner}"
    gets = side(view.get, -view.cash)
    if view.phase == GIVING:
        return f"{by} a trade to {partner}: {gets} for …"
    return f"{by} a trade to {partner}: {gets} for {side(view.give, view.cash)}"
