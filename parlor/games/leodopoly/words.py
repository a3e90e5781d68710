"""Leodopoly in words: its moves."""

from __future__ import annotations

from collections.abc import Mapping

from parlor.game import State
from parlor.game.words import player
from parlor.games.leodopoly.boards import BOARD
from parlor.games.leodopoly.decks import LARGEST, PILE_NAMES
from parlor.games.leodopoly.estate import COST, HOTEL, HOUSE, interest, level_of, loan, refund
from parlor.games.leodopoly.options import FULL_BOARD, HOUSES, JAIL, MORTGAGES, SEALED, TRADES, TWO_DICE, UNIT
from parlor.games.leodopoly.state import (
    ACCEPT,
    AGREEING,
    BIDDING,
    BUILD,
    BUY,
    CASH,
    DECLINE,
    DEMOLISH,
    DICE,
    DRAWING,
    GETTING,
    LADDER,
    LEAVE,
    METERING,
    MORTGAGE,
    OFFERING,
    PAIRS,
    PAYING,
    PICK,
    PICK_NONE,
    PROPOSE,
    PUT_UP,
    RAISE,
    REDEEM,
    REFUSE,
    ROLL,
    USE_CARD,
)
from parlor.games.leodopoly.turns.deals import row_of
from parlor.games.leodopoly.turns.jail import FINE
from parlor.games.leodopoly.turns.piles import CARD, pile_here

TITLE = "Leodopoly"
NAMES = tuple(space.name for space in BOARD)
CURRENCY = "$" if FULL_BOARD else "£"
PLAIN = {ROLL: "roll", REFUSE: "refuse", BUY: "buy", DECLINE: "decline", RAISE: "raise"}  # else: pass
if JAIL:
    PLAIN |= {LEAVE: "pay fine", USE_CARD: "use card"}


def pounds(amount: int) -> str:
    """An amount of money."""
    return f"{CURRENCY}{amount}"


def faces(a: int) -> tuple[int, ...]:
    """The numbers on the dice."""
    return PAIRS[a] if TWO_DICE else (a + 1,)


def building(level: int) -> str:
    """A house, or the hotel that takes the place of four."""
    return "hotel" if level == HOTEL else "house"


def side(what: int, cash: int) -> str:
    """One side of a trade: a property, money, both or nothing."""
    parts = ([NAMES[what - 1]] if what else []) + ([pounds(cash)] if cash > 0 else [])
    return " and ".join(parts) or "nothing"


# ------------------------------------------------------------------------------------------------------ names of moves


def describe(s: State, a: int) -> str:
    """Names of outcomes and moves."""
    if s.phase == DICE or s.phase == METERING:
        return f"dice {PAIRS[a][0]} {PAIRS[a][1]}" if TWO_DICE else f"die {a + 1}"
    if s.phase == DRAWING:
        return CARD[pile_here(s) * LARGEST + a].name
    if a < PUT_UP:
        if a == 0:
            return "no offer" if s.phase == OFFERING else "no bid"
        return f"offer {a * UNIT}" if s.phase == OFFERING else f"limit {a * UNIT}"
    if a < ACCEPT:
        return f"put up {NAMES[a - PUT_UP]}"
    if a < ROLL:
        if s.phase == AGREEING:
            return "accept"
        return f"accept {s.offer[row_of(s.lot)][a - ACCEPT]} of player {a - ACCEPT}"
    if TRADES and s.phase == PAYING and a == REFUSE:
        return "withdraw"
    if a < BUILD:
        return PLAIN.get(a, "pass")
    if a < PROPOSE:
        verb, k = managing(a)
        return f"{verb} {NAMES[k]}"
    return describe_trade(s, a)


def managing(a: int) -> tuple[str, int]:
    """A business action in words, and its property."""
    if HOUSES and a < DEMOLISH:
        return "build on", a - BUILD
    if HOUSES and a < MORTGAGE:
        return "sell a house of", a - DEMOLISH
    if MORTGAGES and a < REDEEM:
        return "mortgage", a - MORTGAGE
    return "redeem", a - REDEEM


def describe_trade(s: State, a: int) -> str:
    """The parts of a proposal."""
    if a < PICK:
        return f"trade with player {a - PROPOSE}"
    if a < CASH:
        verb = "get" if s.phase == GETTING else "give"
        return f"{verb} {'nothing' if a == PICK_NONE else NAMES[a - PICK]}"
    cash = LADDER[a - CASH]
    return f"pay {cash}" if cash > 0 else f"ask for {-cash}" if cash < 0 else "no money"


# ------------------------------------------------------------------------------------------------------- moves as data


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Outcomes and moves as data."""
    if s.phase == DICE or s.phase == METERING:
        shown = " and ".join(str(face) for face in faces(a))
        text = f"the dice show {shown}" if TWO_DICE else f"the die shows {shown}"
        return {"verb": "die", "amount": sum(faces(a)), "text": text, "faces": shown}
    if s.phase == DRAWING:
        pile = pile_here(s)
        name = CARD[pile * LARGEST + a].name
        return {"verb": "draw", "card": name, "pile": PILE_NAMES[pile], "text": f"{PILE_NAMES[pile]}: {name}"}
    lot = NAMES[s.lot]
    if a < PUT_UP:
        price = a * UNIT
        if s.phase == OFFERING:
            text = f"offer {pounds(price)} for {lot}" if a else f"no offer for {lot}"
            return {"verb": "offer", "amount": price, "card": lot, "to": s.actor, "text": text}
        text = f"bid up to {pounds(price)} for {lot}" if a else f"no bid for {lot}"
        return {"verb": "limit", "amount": price, "card": lot, "text": text}
    if a < ACCEPT:
        return {"verb": "put up", "card": NAMES[a - PUT_UP], "text": f"put up {NAMES[a - PUT_UP]} for sale"}
    if TRADES and (s.phase >= GETTING or a >= PROPOSE):
        return move_of_trade(s, a)
    if a < ROLL:
        buyer = a - ACCEPT
        price = s.offer[row_of(s.lot)][buyer]
        text = f"sell {lot} to {player(buyer)} for {pounds(price)}"
        return {"verb": "accept", "amount": price, "card": lot, "to": buyer, "text": text}
    if a == ROLL:
        return {"verb": "roll", "text": "roll the dice" if TWO_DICE else "roll the die"}
    if a == REFUSE:
        return {"verb": "refuse", "card": lot, "text": f"keep {lot}"}
    if a == BUY:
        return {"verb": "buy", "amount": COST[s.lot], "card": lot, "text": f"buy {lot} for {pounds(COST[s.lot])}"}
    if a == DECLINE:
        return {"verb": "decline", "card": lot, "text": f"let {lot} be auctioned"}
    if a == RAISE:
        bid = s.bid + UNIT
        return {"verb": "raise", "amount": bid, "card": lot, "text": f"bid {pounds(bid)} for {lot}"}
    if JAIL and a == LEAVE:
        return {"verb": "leave jail", "amount": FINE, "text": f"pay {pounds(FINE)} to leave jail"}
    if JAIL and a == USE_CARD:
        return {"verb": "use card", "text": "use a card to leave jail"}
    if a >= BUILD:
        return move_of_managing(s, a)
    return {"verb": "pass", "card": lot, "text": f"stop bidding for {lot}"}


def move_of_managing(s: State, a: int) -> Mapping[str, int | str]:
    """Houses and mortgages."""
    verb, k = managing(a)
    name = NAMES[k]
    if verb == "build on":
        text = f"build a {building(level_of(s, k) + 1)} on {name} for {pounds(HOUSE[k])}"
        return {"verb": "build", "amount": HOUSE[k], "card": name, "text": text}
    if verb == "sell a house of":
        text = f"sell a {building(level_of(s, k))} of {name} for {pounds(refund(k))}"
        return {"verb": "sell house", "amount": refund(k), "card": name, "text": text}
    if verb == "mortgage":
        return {"verb": verb, "amount": loan(k), "card": name, "text": f"mortgage {name} for {pounds(loan(k))}"}
    price = loan(k) + interest(k)
    return {"verb": verb, "amount": price, "card": name, "text": f"redeem {name} for {pounds(price)}"}


def move_of_trade(s: State, a: int) -> Mapping[str, int | str]:
    """The parts of a proposal, and its answer."""
    if s.phase == AGREEING:
        verb = "refuse" if a == REFUSE else "accept"
        if verb == "refuse":
            return {"verb": "refuse", "to": s.actor, "text": "refuse the trade"}
        gets, gives = side(s.give, s.cash), side(s.get, -s.cash)
        return {"verb": "accept", "to": s.actor, "text": f"accept: get {gets}, give {gives}"}
    if a == REFUSE:
        return {"verb": "withdraw", "text": "propose nothing"}
    if PROPOSE <= a < PICK:
        return {"verb": "trade", "to": a - PROPOSE, "text": f"propose a trade to {player(a - PROPOSE)}"}
    if a < CASH:
        verb = "get" if s.phase == GETTING else "give"
        name = "nothing" if a == PICK_NONE else NAMES[a - PICK]
        return {"verb": verb, "card": name, "text": f"{verb} {name}"}
    cash = LADDER[a - CASH]
    text = f"pay {pounds(cash)} as well" if cash > 0 else f"ask for {pounds(-cash)} as well" if cash else "no money"
    return {"verb": "cash", "amount": cash, "text": text}


def secret(s: State, a: int, p: int) -> bool:
    """Limits of a sealed auction are secret, nothing else."""
    return bool(s.phase == BIDDING and SEALED and p != s.asked)
