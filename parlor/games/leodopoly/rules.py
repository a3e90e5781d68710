"""The rules of Leodopoly.

In turn, a player may put up properties for sale, for which the others make offers; rolls a die; and pays rent, or buys
what nobody owns, or it is auctioned. Who cannot pay a rent hands over all cash, and that ends the game; otherwise it
ends after the last round. With more options, there is more to do before rolling and more to land on.

| phase | who acts | actions |
|---|---|---|
| SELLING | the player in turn, before rolling | ROLL, PUT_UP + space, PROPOSE + player |
| | with houses or mortgages | BUILD, DEMOLISH, MORTGAGE or REDEEM + space |
| | in jail | LEAVE, USE_CARD |
| OFFERING | each other player | amount |
| ANSWERING | the player in turn | ACCEPT + player, REFUSE |
| DICE, METERING, DRAWING | chance | a roll; a roll for the rent of a utility; a card |
| BUYING_NOW | the player in turn | BUY, DECLINE |
| BIDDING | everybody | amount, the limit of a sealed auction; RAISE, PASS in an English one |
| GETTING, GIVING | the player in turn, in a trade | PICK + space, PICK_NONE |
| PAYING | the same | CASH + step of LADDER; REFUSE, to withdraw |
| AGREEING | the partner | ACCEPT + player in turn, REFUSE |
| RAISING | a player in debt (`asked`) | DEMOLISH + space, MORTGAGE + space |

Amounts are actions 0, 1, … up to MAX_AMOUNT, in units of UNIT.
"""

from __future__ import annotations

from parlor.game import CHANCE, OVER, Floats, Ints, State
from parlor.game.rng import below, mix
from parlor.games.leodopoly.boards import SPACES
from parlor.games.leodopoly.estate import COST
from parlor.games.leodopoly.options import (
    CARDS,
    EXTENDED,
    FULL_BOARD,
    HOUSES,
    JAIL,
    MONEY,
    MORTGAGES,
    PLAYERS,
    ROUNDS,
    SEALED,
    TRADES,
    TWO_DICE,
    UNIT,
)
from parlor.games.leodopoly.state import (
    ACCEPT,
    AGREEING,
    ANSWERING,
    BIDDING,
    BUILD,
    BUY,
    BUYING_NOW,
    DECLINE,
    DICE,
    DRAWING,
    FINISHED,
    GETTING,
    METERING,
    OFFERING,
    PAIRS,
    PASS,
    PROPOSE,
    PUT_UP,
    RAISE,
    RAISING,
    REFUSE,
    RESOLVED,
    ROLL,
    ROLLS,
    SELLING,
    SIDES,
)
from parlor.games.leodopoly.turns.auctions import begin_auction, most, name_limit, raise_or_pass, sell_to
from parlor.games.leodopoly.turns.building import can_manage, list_investments, list_sources, manage, may_manage
from parlor.games.leodopoly.turns.cards import draw_card
from parlor.games.leodopoly.turns.deals import answer, end_sales, for_sale, is_open, make_offer, most_offered, put_up
from parlor.games.leodopoly.turns.debts import auction_estate, settle
from parlor.games.leodopoly.turns.endings import finish
from parlor.games.leodopoly.turns.jail import can_leave, leave_jail, list_ways_out
from parlor.games.leodopoly.turns.landing import meter, move_token, roll
from parlor.games.leodopoly.turns.piles import card_odds, shuffle
from parlor.games.leodopoly.turns.trades import choose, has_partner, list_partners, list_trade, propose

ZERO_SUM = False
MANAGES = HOUSES or MORTGAGES


# -------------------------------------------------------------------------------------------------------------- turns


def start(s: State) -> None:
    """Everybody is on the first space."""
    for p in range(PLAYERS):
        s.money[p] = MONEY
    if CARDS:
        shuffle(s, 0)
        shuffle(s, 1)
    begin_turn(s)


def turn(s: State) -> int:
    """The player in turn; in between, who makes an offer, bids, answers or is in debt."""
    if s.phase == FINISHED:
        return OVER
    if s.phase == DICE or (EXTENDED and (s.phase == DRAWING or s.phase == METERING)):
        return CHANCE
    if s.phase == OFFERING or s.phase == BIDDING or (EXTENDED and (s.phase == RAISING or s.phase == AGREEING)):
        return s.asked
    return s.actor


def begin_turn(s: State) -> None:
    """Begin a turn: a player with properties may put them up for sale before rolling."""
    s.put_up = 0
    if EXTENDED:
        s.doubles = 0
        s.managed = 0
    if TRADES:
        s.proposals = 0
    sell_or_roll(s)


def sell_or_roll(s: State) -> None:
    """Roll, if there is nothing else to do."""
    s.asked = 0
    s.phase = SELLING
    if for_sale(s) == 0 and not (EXTENDED and has_business(s)):
        end_sales(s)


def has_business(s: State) -> bool:
    """Whether the player in turn can do anything before rolling, besides selling."""
    p = s.actor
    if JAIL and can_leave(s, p):
        return True
    if TRADES and has_partner(s):
        return True
    return MANAGES and can_manage(s, p)


def end_turn(s: State) -> None:
    """The next player; after the last round the game is over."""
    s.lot = 0
    s.asked = 0
    while True:
        s.actor += 1
        if s.actor == PLAYERS:
            s.actor = 0
            s.round += 1
        if not EXTENDED or s.gone >> s.actor & 1 == 0:
            break
    if s.round == ROUNDS:
        finish(s)
    else:
        begin_turn(s)


def go_on(s: State) -> None:
    """Finish a roll: debts, an estate to auction, the way out of jail; then roll again after doubles."""
    while s.phase == RESOLVED:
        if EXTENDED and s.estate:
            auction_estate(s)
        elif EXTENDED and s.debtors:
            settle(s)
        elif JAIL and s.steps:
            steps = s.steps
            s.steps = 0
            if s.gone >> s.actor & 1 == 0:
                move_token(s, steps)
        elif TWO_DICE and s.doubles and s.gone >> s.actor & 1 == 0:
            s.lot = 0
            sell_or_roll(s)
        else:
            end_turn(s)


def odds(s: State, out: Floats) -> int:
    """A die or two, or a card."""
    if CARDS and s.phase == DRAWING:
        return card_odds(s, out)
    if TWO_DICE:
        for i in range(ROLLS):
            out[i] = (1.0 if PAIRS[i][0] == PAIRS[i][1] else 2.0) / (SIDES * SIDES)
        return ROLLS
    for side in range(SIDES):
        out[side] = 1.0 / SIDES
    return SIDES


# -------------------------------------------------------------------------------------------------------------- moves


def legal(s: State, out: Ints) -> int:
    """The legal actions in this phase."""
    if s.phase == OFFERING or (s.phase == BIDDING and SEALED):
        count = (most_offered(s, s.asked) if s.phase == OFFERING else most(s, s.asked)) + 1
        for amount in range(count):
            out[amount] = amount
        return count
    if s.phase == BIDDING:
        out[0], out[1] = RAISE, PASS
        return 2
    if s.phase == BUYING_NOW:
        out[0], out[1] = BUY, DECLINE
        return 2
    if s.phase == SELLING:
        return list_business(s, out)
    if MANAGES and s.phase == RAISING:
        return list_sources(s, s.asked, out, 0)
    if TRADES and s.phase >= GETTING:
        return list_trade(s, out)
    count = 1
    out[0] = REFUSE
    for p in range(PLAYERS):
        if is_open(s, s.lot, p):
            out[count] = ACCEPT + p
            count += 1
    return count


def list_business(s: State, out: Ints) -> int:
    """Everything that can be done before rolling."""
    p = s.actor
    out[0] = ROLL
    count = 1
    free = for_sale(s)
    for k in range(SPACES):
        if free >> k & 1:
            out[count] = PUT_UP + k
            count += 1
    if JAIL:
        count = list_ways_out(s, p, out, count)
    if MANAGES and may_manage(s):
        count = list_sources(s, p, out, count)
        count = list_investments(s, p, out, count)
    if TRADES:
        count = list_partners(s, out, count)
    return count


def play(s: State, a: int) -> None:
    """Roll the die or make a move."""
    if s.phase == BIDDING and SEALED:
        s.history = mix(s.history, 0)
        s.memory[s.asked] = mix(s.memory[s.asked], a)
    else:
        s.history = mix(s.history, a + 1)
    if s.phase == DICE:
        roll(s, a)
    elif s.phase == SELLING:
        do_business(s, a)
    elif s.phase == OFFERING:
        make_offer(s, a)
    elif s.phase == ANSWERING:
        answer(s, a)
    elif s.phase == BUYING_NOW:
        if a == BUY:
            sell_to(s, s.actor, COST[s.lot])
        else:
            begin_auction(s)
    elif s.phase == BIDDING:
        if SEALED:
            name_limit(s, a)
        else:
            raise_or_pass(s, a)
    elif CARDS and s.phase == DRAWING:
        draw_card(s, a)
    elif FULL_BOARD and s.phase == METERING:
        meter(s, a)
    elif MANAGES and s.phase == RAISING:
        manage(s, s.asked, a)
        s.phase = RESOLVED
    elif TRADES:
        choose(s, a)
    if s.phase == SELLING:
        sell_or_roll(s)
    elif s.phase == RESOLVED:
        go_on(s)


def do_business(s: State, a: int) -> None:
    """Sell, manage, trade, leave jail, or roll."""
    if a == ROLL:
        end_sales(s)
    elif a < ACCEPT:
        put_up(s, a - PUT_UP)
    elif JAIL and a < BUILD:
        leave_jail(s, s.actor, a)
    elif TRADES and a >= PROPOSE:
        propose(s, a - PROPOSE)
    elif MANAGES:
        s.managed += 1
        manage(s, s.actor, a)


# -------------------------------------------------------------------------------------------------------- information


def key(s: State, p: int) -> int:
    """Everything that has happened, except for the limits of the others."""
    return mix(mix(p, s.memory[p]), s.history)


def imagine(s: State, p: int, r: Ints) -> None:
    """The limits that others have named could be anything they can pay."""
    if s.phase != BIDDING or not SEALED:
        return
    for q in range(PLAYERS):
        if s.bidding >> q & 1 and q != s.asked and q != p:  # it has named its limit
            s.limit[q] = below(r, most(s, q) + 1) * UNIT


def forget(s: State, p: int) -> None:
    """The limits that others have named before are their secret."""
    for q in range(PLAYERS):
        if q != p:
            s.memory[q] = 0
