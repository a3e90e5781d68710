"""The rules of Leodopoly.

In turn, a player may put up properties for sale, for which the others make offers; rolls a die; and pays rent, or buys
what nobody owns, or it is auctioned. Who cannot pay a rent hands over all cash, and that ends the game; otherwise it
ends after the last round.

Auctions. English: from the left of the player who landed there, everybody in turn raises the bid by one or passes for
good; the last one pays the bid. Sealed: everybody names a limit, which the others do not see, and the same auction is
played with players who raise while the bid is below their limit.

Actions: amounts 0, 1, … of money, for offers and limits; then a property to put up; a player whose offer is accepted;
and the moves without an argument.
"""

from __future__ import annotations

from parlor.game import CHANCE, OVER, Floats, Ints, State, private, public
from parlor.games.leodopoly.estate import COST, PROPERTIES, SPACES, deeds, rent_of, score
from parlor.games.leodopoly.options import (
    APPLIED,
    BUYING,
    BY_MONEY,
    DEALS,
    LANDER_TAKES,
    MONEY,
    NO_DEALS,
    OFFERS_BEFORE,
    PLAYERS,
    ROUNDS,
    SEALED,
    TIES_SHARED,
    WINNER,
)
from parlor.rng import below, mix

MOST = PLAYERS * MONEY  # all the money there is
PUT_UP = MOST + 1  # the first property to put up
ACCEPT = PUT_UP + SPACES  # the first player whose offer is accepted
ROLL = ACCEPT + PLAYERS
REFUSE = ROLL + 1  # all offers
BUY = REFUSE + 1
DECLINE = BUY + 1  # to buy
RAISE = DECLINE + 1
PASS = RAISE + 1
ACTIONS = PASS + 1
SIDES = 6
OUTCOMES = SIDES
ZERO_SUM = False
TURNS = ROUNDS * PLAYERS
LENGTH = TURNS * (SPACES * (PLAYERS + 1) + 2 * PLAYERS + 3) + PROPERTIES * MOST

SELLING, OFFERING, ANSWERING, DICE, BUYING_NOW, BIDDING, FINISHED = range(7)  # phases
ROWS = SPACES if OFFERS_BEFORE else 1  # of offers that are open at the same time

STATE = {
    "round": public(),  # from 0
    "actor": public(),  # whose turn it is
    "phase": public(),
    "asked": public(),  # the player who makes an offer or bids
    "position": public(PLAYERS),
    "money": public(PLAYERS),
    "bank": public(),  # what has been paid to it
    "owner": public(SPACES),  # player + 1
    "lot": public(),  # the space that is for sale
    "put_up": public(),  # the properties put up in this turn, a bit each
    "offer": public(ROWS, PLAYERS),  # for them
    "bid": public(),
    "bidding": public(),  # who is in the auction and has not passed, a bit each
    "limit": private(PLAYERS),  # of a sealed auction
    "memory": private(PLAYERS),  # all limits that I have named, folded into one number
    "history": public(),  # everything else that has happened, folded into one number
    "bankrupt": public(),  # player + 1
    "won": public(),  # at the end, who has won, a bit each
}


# -------------------------------------------------------------------------------------------------------------- turns


def start(s: State) -> None:
    """Everybody is on the first space."""
    for p in range(PLAYERS):
        s.money[p] = MONEY
    begin_turn(s)


def turn(s: State) -> int:
    """The player in turn; in between, who makes an offer or bids."""
    if s.phase == FINISHED:
        return OVER
    if s.phase == DICE:
        return CHANCE
    return s.asked if s.phase == OFFERING or s.phase == BIDDING else s.actor


def begin_turn(s: State) -> None:
    """Who has something may put it up for sale before rolling."""
    s.put_up = 0
    sell_or_roll(s)


def sell_or_roll(s: State) -> None:
    """Roll, if there is nothing to put up, or nothing else."""
    s.asked = 0
    if DEALS == NO_DEALS or deeds(s, s.actor) & ~s.put_up == 0:
        end_sales(s)
    else:
        s.phase = SELLING


def end_turn(s: State) -> None:
    """The next player; after the last round the game is over."""
    s.lot = 0
    s.asked = 0
    s.actor += 1
    if s.actor == PLAYERS:
        s.actor = 0
        s.round += 1
    if s.round == ROUNDS:
        finish(s)
    else:
        begin_turn(s)


def finish(s: State) -> None:
    """Who has most has won; where more than money counts, a bankrupt player has not."""
    s.phase = FINISHED
    best = 0
    for p in range(PLAYERS):
        if WINNER == BY_MONEY or s.bankrupt != p + 1:
            total = score(s, p)
            if total > best:
                best, s.won = total, 0
            if total == best:
                s.won |= 1 << p


def odds(s: State, out: Floats) -> int:
    """One die."""
    for side in range(SIDES):
        out[side] = 1.0 / SIDES
    return SIDES


# -------------------------------------------------------------------------------------------------------------- moves


def legal(s: State, out: Ints) -> int:
    """What the player may do in this phase."""
    if s.phase == OFFERING or (s.phase == BIDDING and SEALED):
        count = s.money[s.asked] + 1
        for amount in range(count):
            out[amount] = amount
        return count
    if s.phase == BIDDING:
        out[0], out[1] = RAISE, PASS
        return 2
    if s.phase == BUYING_NOW:
        out[0], out[1] = BUY, DECLINE
        return 2
    count = 1
    if s.phase == SELLING:
        out[0] = ROLL
        free = deeds(s, s.actor) & ~s.put_up
        for k in range(SPACES):
            if free >> k & 1:
                out[count] = PUT_UP + k
                count += 1
        return count
    out[0] = REFUSE
    for p in range(PLAYERS):
        if is_open(s, s.lot, p):
            out[count] = ACCEPT + p
            count += 1
    return count


def play(s: State, a: int) -> None:
    """Roll the die or make a move."""
    if s.phase == BIDDING and SEALED:
        s.history = mix(s.history, 0)
        s.memory[s.asked] = mix(s.memory[s.asked], a)
    else:
        s.history = mix(s.history, a + 1)
    if s.phase == DICE:
        move_token(s, a + 1)
    elif s.phase == SELLING:
        if a == ROLL:
            end_sales(s)
        else:
            put_up(s, a - PUT_UP)
    elif s.phase == OFFERING:
        s.offer[row_of(s.lot)][s.asked] = a
        ask_for_offer(s)
    elif s.phase == ANSWERING:
        answer(s, a)
    elif s.phase == BUYING_NOW:
        if a == BUY:
            sell_to(s, s.actor, COST[s.lot])
        else:
            begin_auction(s)
    elif SEALED:
        s.limit[s.asked] = a
        ask_for_limit(s)
    else:
        raise_or_pass(s, a)


# -------------------------------------------------------------------------------------------------------------- deals


def row_of(k: int) -> int:
    """Where the offers for a property are."""
    return k if OFFERS_BEFORE else 0


def is_open(s: State, k: int, p: int) -> bool:
    """Whether a player has made an offer for a property, and can still pay it."""
    return 0 < s.offer[row_of(k)][p] <= s.money[p]


def put_up(s: State, k: int) -> None:
    """Ask the others for offers, from the left."""
    s.put_up |= 1 << k
    s.lot = k
    for p in range(PLAYERS):
        s.offer[row_of(k)][p] = 0
    s.asked = s.actor
    s.phase = OFFERING
    ask_for_offer(s)


def ask_for_offer(s: State) -> None:
    """The next one who has money; after the last one the offers are answered, at once or when all are there."""
    while True:
        s.asked = (s.asked + 1) % PLAYERS
        if s.asked == s.actor or s.money[s.asked]:
            break
    if s.asked != s.actor:
        return
    if not OFFERS_BEFORE and has_open_offer(s, s.lot):
        s.phase = ANSWERING
    else:
        sell_or_roll(s)


def has_open_offer(s: State, k: int) -> bool:
    """Whether there is anything to accept."""
    count = 0
    for p in range(PLAYERS):
        count += is_open(s, k, p)
    return count > 0


def answer(s: State, a: int) -> None:
    """Accept an offer, or refuse them all."""
    if a != REFUSE and DEALS == APPLIED:
        buyer = a - ACCEPT
        price = s.offer[row_of(s.lot)][buyer]
        s.money[buyer] -= price
        s.money[s.actor] += price
        s.owner[s.lot] = buyer + 1
    for p in range(PLAYERS):
        s.offer[row_of(s.lot)][p] = 0
    if OFFERS_BEFORE:
        end_sales(s)
    else:
        sell_or_roll(s)


def end_sales(s: State) -> None:
    """Where offers have been collected they are answered now, in the order of the board; then the die is rolled."""
    if OFFERS_BEFORE:
        for k in range(SPACES):
            if s.put_up >> k & 1 and has_open_offer(s, k):
                s.lot = k
                s.phase = ANSWERING
                return
        for k in range(SPACES):
            for p in range(PLAYERS):
                s.offer[k][p] = 0
    s.lot = 0
    s.phase = DICE


# ------------------------------------------------------------------------------------------------------- on the board


def move_token(s: State, steps: int) -> None:
    """Move, and pay or buy."""
    p = s.actor
    k = (s.position[p] + steps) % SPACES
    s.position[p] = k
    if COST[k] == 0 or s.owner[k] == p + 1:
        end_turn(s)
    elif s.owner[k]:
        pay_rent(s, k)
    else:
        s.lot = k
        if BUYING and s.money[p] >= COST[k]:
            s.phase = BUYING_NOW
        else:
            begin_auction(s)


def pay_rent(s: State, k: int) -> None:
    """Who cannot pay hands over all cash, and the game is over."""
    p, owner, rent = s.actor, s.owner[k] - 1, rent_of(s, k)
    paid = min(rent, s.money[p])
    s.money[p] -= paid
    s.money[owner] += paid
    if paid < rent:
        s.bankrupt = p + 1
        finish(s)
    else:
        end_turn(s)


def sell_to(s: State, p: int, price: int) -> None:
    """The bank sells the lot."""
    s.money[p] -= price
    s.bank += price
    s.owner[s.lot] = p + 1
    end_turn(s)


# ----------------------------------------------------------------------------------------------------------- auctions


def begin_auction(s: State) -> None:
    """From the left of the player who landed there, who comes last."""
    s.phase = BIDDING
    s.bid = 0
    s.asked = s.actor
    if SEALED:
        s.bidding = 0
        ask_for_limit(s)
    else:
        s.bidding = (1 << PLAYERS) - 1
        ask_for_raise(s)


def ask_for_limit(s: State) -> None:
    """The next one who has money; after the last one the limits decide."""
    while s.bidding != (1 << PLAYERS) - 1:
        s.asked = (s.asked + 1) % PLAYERS
        s.bidding |= 1 << s.asked
        if s.money[s.asked]:
            return
    decide_auction(s)


def ask_for_raise(s: State) -> None:
    """The next one who has not passed and can raise; the last one gets the lot."""
    while s.phase == BIDDING:
        s.asked = (s.asked + 1) % PLAYERS
        if s.bidding >> s.asked & 1 == 0:
            continue
        alone = s.bidding == 1 << s.asked
        if alone and (s.bid or LANDER_TAKES):
            end_auction(s, s.asked)
        elif s.money[s.asked] > s.bid:
            return
        else:
            drop_out(s)


def drop_out(s: State) -> None:
    """The player who is asked passes; if it was the last one, nobody wants the lot."""
    s.bidding &= ~(1 << s.asked)
    if s.bidding == 0:
        end_auction(s, -1)


def raise_or_pass(s: State, a: int) -> None:
    """By one, or never again."""
    if a == RAISE:
        s.bid += 1
    else:
        drop_out(s)
    if s.phase == BIDDING and s.bidding:
        ask_for_raise(s)


def decide_auction(s: State) -> None:
    """The same with players who raise while the bid is below their limits; whole rounds of raises are skipped."""
    while True:
        p = s.asked = (s.asked + 1) % PLAYERS
        if s.bidding >> p & 1 == 0:
            continue
        rivals, lowest = 0, MOST
        for q in range(PLAYERS):
            if s.bidding >> q & 1:
                rivals += 1
                lowest = min(lowest, s.limit[q])
        if rivals == 1 and (s.bid or LANDER_TAKES):
            end_auction(s, p)
            return
        if lowest - s.bid >= rivals > 1:
            s.bid += (lowest - s.bid) // rivals * rivals
        if s.limit[p] > s.bid:
            s.bid += 1
        else:
            s.bidding &= ~(1 << p)
            if s.bidding == 0:
                end_auction(s, -1)
                return


def end_auction(s: State, winner: int) -> None:
    """Sell the lot; a winner of -1 means that the bank keeps it."""
    price = s.bid
    s.bid = 0
    s.bidding = 0
    for p in range(PLAYERS):
        s.limit[p] = 0
    s.history = mix(s.history, (winner + 1) << 32 | price)
    if winner < 0:
        end_turn(s)
    else:
        sell_to(s, winner, price)


# ------------------------------------------------------------------------------------------------------------ the end


def payoff(s: State, p: int) -> float:
    """One for the winner; those who tie share it, or get nothing."""
    if s.won >> p & 1 == 0:
        return 0.0
    winners = 0
    for q in range(PLAYERS):
        winners += s.won >> q & 1
    if winners > 1 and not TIES_SHARED:
        return 0.0
    return 1.0 / winners


def key(s: State, p: int) -> int:
    """Everything that has happened, except for the limits of the others."""
    return mix(mix(p, s.memory[p]), s.history)


def imagine(s: State, p: int, r: Ints) -> None:
    """The limits that others have named could be anything they can pay."""
    if s.phase != BIDDING or not SEALED:
        return
    for q in range(PLAYERS):
        if s.bidding >> q & 1 and q != s.asked and q != p:  # it has named its limit
            s.limit[q] = below(r, s.money[q] + 1)


def forget(s: State, p: int) -> None:
    """The limits that others have named before are their secret."""
    for q in range(PLAYERS):
        if q != p:
            s.memory[q] = 0
