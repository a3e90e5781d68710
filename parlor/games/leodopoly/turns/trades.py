"""Trades: the player in turn names a partner, a property to get or none, one to give or none, and what it pays or gets.

The partner accepts or refuses. Properties of sets with houses cannot change hands; whoever gets a mortgaged one pays
interest. Before the partner is asked, the player in turn may still withdraw.
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.games.leodopoly.boards import SPACES
from parlor.games.leodopoly.estate import tradable, transfer_cost
from parlor.games.leodopoly.options import PLAYERS, TRADES
from parlor.games.leodopoly.state import (
    ACCEPT,
    AGREEING,
    CASH,
    GETTING,
    GIVING,
    LADDER,
    PAYING,
    PICK,
    PICK_NONE,
    PROPOSE,
    REFUSE,
    SELLING,
)
from parlor.games.leodopoly.turns.building import hand_over

STEPS = len(LADDER)


def has_partner(s: State) -> bool:
    """Whether a trade can be proposed at all."""
    if s.proposals == TRADES:
        return False
    count = 0
    for p in range(PLAYERS):
        count += tradable(s, p) != 0
    return count > 0


def list_partners(s: State, out: Ints, count: int) -> int:
    """Add the players with whom there is something to trade."""
    if s.proposals == TRADES:
        return count
    mine = tradable(s, s.actor)
    for p in range(PLAYERS):
        if p != s.actor and s.gone >> p & 1 == 0 and (mine or tradable(s, p)):
            out[count] = PROPOSE + p
            count += 1
    return count


def list_trade(s: State, out: Ints) -> int:
    """The legal actions of the next step of a trade."""
    partner = s.partner - 1
    if s.phase == AGREEING:
        out[0], out[1] = ACCEPT + s.actor, REFUSE
        return 2
    count = 0
    if s.phase == PAYING:
        out[0] = REFUSE
        count = 1
        for i in range(STEPS):
            if can_pay(s, LADDER[i]):
                out[count] = CASH + i
                count += 1
        return count
    mine, theirs = tradable(s, s.actor), tradable(s, partner)
    choices = theirs if s.phase == GETTING else mine
    for k in range(SPACES):
        if choices >> k & 1:
            out[count] = PICK + k
            count += 1
    if (mine if s.phase == GETTING else s.get) > 0:
        out[count] = PICK_NONE
        count += 1
    return count


def can_pay(s: State, cash: int) -> bool:
    """Both can pay what they have to, interest included."""
    get_cost = transfer_cost(s, s.get - 1) if s.get else 0
    give_cost = transfer_cost(s, s.give - 1) if s.give else 0
    return s.money[s.actor] - cash >= get_cost and s.money[s.partner - 1] + cash >= give_cost


def propose(s: State, p: int) -> None:
    """Begin with a partner."""
    s.proposals += 1
    s.partner = p + 1
    s.phase = GETTING


def choose(s: State, a: int) -> None:
    """The next part of the trade, or its answer."""
    if s.phase == GETTING:
        s.get = 0 if a == PICK_NONE else a - PICK + 1
        s.phase = GIVING
    elif s.phase == GIVING:
        s.give = 0 if a == PICK_NONE else a - PICK + 1
        s.phase = PAYING
    elif s.phase == PAYING and a != REFUSE:
        s.cash = LADDER[a - CASH]
        s.asked = s.partner - 1
        s.phase = AGREEING
    else:
        if a != REFUSE:
            exchange(s)
        s.partner, s.get, s.give, s.cash = 0, 0, 0, 0
        s.phase = SELLING


def exchange(s: State) -> None:
    """It is agreed."""
    p, q = s.actor, s.partner - 1
    s.money[p] -= s.cash
    s.money[q] += s.cash
    if s.get:
        hand_over(s, s.get - 1, p)
    if s.give:
        hand_over(s, s.give - 1, q)
