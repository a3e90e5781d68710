"""Leodopoly in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlor.game import State, View
from parlor.games.leodopoly.boards import BOARD, SPACES
from parlor.games.leodopoly.deals import is_open, row_of
from parlor.games.leodopoly.estate import COST, GROUP, has_set, rent_of, rents, score
from parlor.games.leodopoly.options import PLAYERS, ROUNDS, SEALED
from parlor.games.leodopoly.rules import (
    ACCEPT,
    ANSWERING,
    BIDDING,
    BUY,
    BUYING_NOW,
    DECLINE,
    DICE,
    FINISHED,
    OFFERING,
    PUT_UP,
    RAISE,
    REFUSE,
    ROLL,
    SELLING,
)
from parlor.words import player

TITLE = "Leodopoly"
NAMES = tuple(space.name for space in BOARD)
CURRENCY = "£"
PHASES = {
    SELLING: "selling", OFFERING: "offering", ANSWERING: "answering", DICE: "dice", BUYING_NOW: "buying",
    BIDDING: "bidding", FINISHED: "finished",
}  # fmt: skip
PLAIN = {ROLL: "roll", REFUSE: "refuse", BUY: "buy", DECLINE: "decline", RAISE: "raise"}  # else: pass


def pounds(amount: int) -> str:
    """An amount of money."""
    return f"{CURRENCY}{amount}"


# ------------------------------------------------------------------------------------------------------------- moves


def describe(s: State, a: int) -> str:
    """Names of outcomes and moves."""
    if s.phase == DICE:
        return f"die {a + 1}"
    if a < PUT_UP:
        if a == 0:
            return "no offer" if s.phase == OFFERING else "no bid"
        return f"offer {a}" if s.phase == OFFERING else f"limit {a}"
    if a < ACCEPT:
        return f"put up {NAMES[a - PUT_UP]}"
    if a < ROLL:
        return f"accept {s.offer[row_of(s.lot)][a - ACCEPT]} of player {a - ACCEPT}"
    return PLAIN.get(a, "pass")


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Outcomes and moves as data."""
    if s.phase == DICE:
        return {"verb": "die", "amount": a + 1, "text": f"the die shows {a + 1}"}
    if a < PUT_UP:
        lot = NAMES[s.lot]
        if s.phase == OFFERING:
            text = f"offer {pounds(a)} for {lot}" if a else f"no offer for {lot}"
            return {"verb": "offer", "amount": a, "card": lot, "to": s.actor, "text": text}
        text = f"bid up to {pounds(a)} for {lot}" if a else f"no bid for {lot}"
        return {"verb": "limit", "amount": a, "card": lot, "text": text}
    if a < ACCEPT:
        return {"verb": "put up", "card": NAMES[a - PUT_UP], "text": f"put up {NAMES[a - PUT_UP]} for sale"}
    lot = NAMES[s.lot]
    if a < ROLL:
        buyer = a - ACCEPT
        price = s.offer[row_of(s.lot)][buyer]
        text = f"sell {lot} to {player(buyer)} for {pounds(price)}"
        return {"verb": "accept", "amount": price, "card": lot, "to": buyer, "text": text}
    if a == ROLL:
        return {"verb": "roll", "text": "roll the die"}
    if a == REFUSE:
        return {"verb": "refuse", "card": lot, "text": f"keep {lot}"}
    if a == BUY:
        return {"verb": "buy", "amount": COST[s.lot], "card": lot, "text": f"buy {lot} for {pounds(COST[s.lot])}"}
    if a == DECLINE:
        return {"verb": "decline", "card": lot, "text": f"let {lot} be auctioned"}
    if a == RAISE:
        return {"verb": "raise", "amount": s.bid + 1, "card": lot, "text": f"bid {pounds(s.bid + 1)} for {lot}"}
    return {"verb": "pass", "card": lot, "text": f"stop bidding for {lot}"}


def secret(s: State, a: int, p: int) -> bool:
    """Limits of a sealed auction are secret, nothing else."""
    return bool(s.phase == BIDDING and SEALED and p != s.asked)


# ------------------------------------------------------------------------------------------------------------- views


def display(view: View) -> dict[str, Any]:
    """The board with its owners and tokens, the players, and what is for sale."""
    return {
        "currency": CURRENCY,
        "round": min(view.round + 1, ROUNDS),
        "rounds": ROUNDS,
        "phase": PHASES[view.phase],
        "spaces": [
            {
                "name": NAMES[k], "cost": COST[k], "group": GROUP[k], "rent": rent_of(view, k) if COST[k] else 0,
                "owner": view.owner[k] - 1, "set": bool(COST[k]) and has_set(view, k),
                "players": [p for p in range(PLAYERS) if view.position[p] == k],
            }
            for k in range(SPACES)
        ],
        "players": [
            {
                "money": view.money[p], "rent": rents(view, p), "score": score(view, p),
                "deeds": [NAMES[k] for k in range(SPACES) if view.owner[k] == p + 1],
                "bankrupt": view.bankrupt == p + 1, "won": bool(view.won >> p & 1),
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
    }  # fmt: skip


def show(view: View) -> str:
    """One line for a person: money and deeds of all players, and what is to be decided."""
    parts = [f"round {min(view.round + 1, ROUNDS)}"]
    for p in range(PLAYERS):
        owned = ", ".join(NAMES[k] + ("*" if has_set(view, k) else "") for k in range(SPACES) if view.owner[k] == p + 1)
        where = NAMES[view.position[p]]
        parts.append(f"{player(p, 'has')} {pounds(view.money[p])} at {where}" + (f" and owns {owned}" if owned else ""))
    return "; ".join([*parts, *_to_decide(view)])


def _to_decide(view: View) -> list[str]:
    """What the player in turn is asked."""
    lot = NAMES[view.lot]
    if view.phase == SELLING:
        return [f"{player(view.actor)} may put up properties for sale"]
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
    return []


# ---------------------------------------------------------------------------------------------------- what has happened


def narrate(before: View, after: View) -> list[str]:
    """What has happened between two views, in sentences."""
    told: list[str] = []
    p = before.actor
    if before.phase == DICE:
        steps = (after.position[p] - before.position[p]) % SPACES or SPACES
        told.append(
            f"{player(p, 'rolls')} {steps} and {'go' if p == before.player else 'goes'} to {NAMES[after.position[p]]}"
        )
    for k in range(SPACES):
        if before.owner[k] != after.owner[k]:
            told.append(_bought(before, after, k))
    if before.phase == BIDDING and after.phase != BIDDING and before.owner == after.owner:
        told.append(f"nobody wants {NAMES[before.lot]}")
    paid = before.money[p] - after.money[p]
    if before.phase == DICE and before.owner == after.owner and paid:
        told.append(f"{player(p, 'pays')} {pounds(paid)} of rent to {player(after.owner[after.position[p]] - 1)}")
    if after.phase == FINISHED:
        told += _ended(after)
    return told


def _bought(before: View, after: View, k: int) -> str:
    """A property has a new owner."""
    new, old = after.owner[k] - 1, before.owner[k] - 1
    price = before.money[new] - after.money[new]
    seller = f" from {player(old)}" if old >= 0 else ""
    return f"{player(new, 'buys')} {NAMES[k]}{seller} for {pounds(price)}"


def _ended(view: View) -> list[str]:
    """Why, and who has won."""
    why = f"{player(view.bankrupt - 1, 'is')} bankrupt" if view.bankrupt else f"all {ROUNDS} rounds have been played"
    winners = [player(p) for p in range(PLAYERS) if view.won >> p & 1]
    if len(winners) > 1:
        return [why, f"{' and '.join(winners)} tie"]
    return [why, f"{player(view.won.bit_length() - 1, 'has')} won"]
