"""The heuristic: what a position is worth to a player, in pounds, as a sum of terms with a parameter each.

The first eight parameters are those of Khan (2019), in the published order of the terms, because rounding decides ties.
The others are 0 for published strategies. Three of them are the future work of the dissertation: `rounds_left`,
`landing`, exact from the die, and `liquidity`. The others say what it leaves out: that deeds may count in the end
(`deeds`), that a set must be begun before it is complete (`sets`), that only one opponent can be ahead of all others
(`leader`), and that an auction may be cheaper than the price (`price_margin`).

A position is surveyed once for each owner that a property may get: rents, landings and sets do not depend on money.
Then the value at any price takes only the money, and what it does not suffice for.
"""

from __future__ import annotations

from parlor.game import State
from parlor.game.parameters import Parameter
from parlor.games.leodopoly.agents.mind import MAX_TURNS, Mind
from parlor.games.leodopoly.state import BIDDING, BUYING_NOW

PARAMETERS = {
    "rent": Parameter(3.0, "what a pound of own rents counts", 0.0, 20.0),
    "opponent_money": Parameter(0.0, "what a pound of an opponent's money costs", 0.0, 3.0),
    "opponent_rent": Parameter(1.0, "what a pound of an opponent's rents costs", 0.0, 20.0),
    "buy_margin": Parameter(10.0, "what it wants to gain by an offer", 0.0, 500.0),
    "sell_margin": Parameter(10.0, "what it wants to gain by a sale", 0.0, 500.0),
    "reserve": Parameter(0.0, "money that it does not like to go below", 0.0, 1000.0),
    "reserve_penalty": Parameter(900.0, "what being below the reserve costs", 0.0, 5000.0),
    "jeopardy": Parameter(20000.0, "what it costs if it could pay the rent of no space; in proportion", 0.0, 50000.0),
    "rounds_left": Parameter(0.0, "how much rents lose in value toward the last round: 1, all of it", 0.0, 1.0),
    "landing": Parameter(0.0, "what a pound counts of the rents that are expected, by the die, to come in", 0.0, 10.0),
    "turns": Parameter(1, "of how many turns `landing` expects rents", 1, 40),
    "liquidity": Parameter(0.0, "what a pound costs that it is expected to be short of at its next roll", 0.0, 100.0),
    "sets": Parameter(0.0, "what a pound counts of the rents that sets would add, by the part it owns", 0.0, 10.0),
    "deeds": Parameter(0.0, "what a pound of the price of own properties counts", 0.0, 2.0),
    "leader": Parameter(0.0, "what a pound of the richest opponent's money costs", 0.0, 3.0),
    "price_margin": Parameter(0.0, "what it wants to gain by buying at the price", -500.0, 500.0),
}  # fmt: skip

(
    RENT, OPPONENT_MONEY, OPPONENT_RENT, BUY_MARGIN, SELL_MARGIN, RESERVE, RESERVE_PENALTY, JEOPARDY,
    ROUNDS_LEFT, LANDING, TURNS, LIQUIDITY, SETS, DEEDS, LEADER, PRICE_MARGIN,
) = range(len(PARAMETERS))  # fmt: skip

# What is known of a situation: its facts; from MONEY on, with so much money
OWN_RENT, OTHER_RENT, LANDED, PROGRESS, OWN_COST, OTHER_COST, RENTS, FEARED, EXTRA, MONEY, DEADLY, DANGER, SHORT = (
    range(13)
)


def survey(s: State, p: int, lot: int, owner: int, mind: Mind, row: int) -> None:
    """Fill a row with what player `p` would have to know if `owner` (a player + 1) had the lot."""
    w, deeds, due, facts = mind.weight, mind.deeds, mind.due[row], mind.facts[row]
    for q in range(mind.players + 1):
        deeds[q] = 0
    for k in range(mind.spaces):
        deeds[owner if k == lot else s.owner[k]] |= 1 << k
    mind.free[row] = deeds[0]
    own, others, own_cost, other_cost = 0, 0, 0, 0
    for k in range(mind.spaces):
        who = owner if k == lot else s.owner[k]
        rent = rent_at(s, k, deeds[who] if who else 0, mind)
        if who == p + 1:
            own += rent
            own_cost += cost_at(s, k, mind)
            due[k] = 0
        else:
            if who:
                others += rent
                other_cost += cost_at(s, k, mind)
            due[k] = rent if who or mind.fears_all else 0
    facts[OWN_RENT] = own
    facts[OTHER_RENT] = others
    facts[OWN_COST] = own_cost
    facts[OTHER_COST] = other_cost
    facts[MONEY] = -1
    facts[LANDED] = rents_expected(s, p, lot, owner, mind) if w[LANDING] > 0.0 else 0.0
    facts[PROGRESS] = progress(p, mind) if w[SETS] > 0.0 else 0.0
    left = 1.0 - w[ROUNDS_LEFT] * s.round / mind.rounds
    facts[RENTS] = own * w[RENT] * left
    facts[FEARED] = others * w[OPPONENT_RENT] * left
    facts[EXTRA] = (
        w[LANDING] * facts[LANDED] + w[SETS] * facts[PROGRESS] + w[DEEDS] * (own_cost - w[OPPONENT_MONEY] * other_cost)
    )


# A slot each: what the rest of Monopoly changes is in `monopoly.py`.


def rent_at(s: State, k: int, deeds: int, mind: Mind) -> int:
    """The rent of a space whose owner has these deeds: doubled for a full set."""
    return mind.rent[k] * (2 if deeds & mind.group[k] == mind.group[k] else 1)


def cost_at(s: State, k: int, mind: Mind) -> int:
    """The value of a deed at the end of the game."""
    return mind.cost[k]


def interest_at(s: State, k: int, mind: Mind) -> int:
    """The interest that a new owner of a mortgaged property pays to the bank."""
    return 0


def is_gone(s: State, q: int) -> bool:
    """Whether a player is bankrupt, and the game goes on without it."""
    return False


def rolls_left(s: State, q: int, rounds: int) -> int:
    """The number of rolls that a player has left."""
    rolled = s.phase == BUYING_NOW or s.phase == BIDDING  # who is in turn
    return rounds - s.round - 1 + (q > s.actor or (q == s.actor and not rolled))


def rents_expected(s: State, p: int, lot: int, owner: int, mind: Mind) -> float:
    """Rents that come in, less those that go out, in the next turns of everybody."""
    deeds = mind.deeds
    total = 0.0
    for q in range(mind.players):
        if is_gone(s, q):
            continue
        turns = min(rolls_left(s, q, mind.rounds), MAX_TURNS)
        for k in range(mind.spaces):
            who = owner if k == lot else s.owner[k]
            if who == 0 or who == q + 1 or (q != p and who != p + 1):
                continue
            rent = rent_at(s, k, deeds[who], mind)
            chance = mind.landings[turns][(k - s.position[q]) % mind.spaces]
            total += -rent * chance if q == p else rent * chance
    return total


def progress(p: int, mind: Mind) -> float:
    """The rent that sets would add, times the square of the share that is owned: own sets less those of others.

    Only of sets of which nobody else owns anything, and which are not complete: those count as rents.
    """
    deeds = mind.deeds
    total = 0.0
    for q in range(mind.players):
        mine = deeds[q + 1]
        for k in range(mind.spaces):
            group = mind.group[k]
            if group == 0 or mine & group == 0 or mine & group == group or (mine | deeds[0]) & group != group:
                continue
            share = count_bits(mine & group) / count_bits(group)
            total += mind.rent[k] * share * share * (1.0 if q == p else -1.0)
    return total


def count_bits(bits: int) -> int:
    """The number of bits that are set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def count_dangers(s: State, p: int, mind: Mind, row: int, money: int) -> None:
    """Fill what the money does not suffice for."""
    due, facts = mind.due[row], mind.facts[row]
    deadly = 0
    for k in range(mind.spaces):
        deadly += due[k] > money
    facts[MONEY] = money
    facts[DEADLY] = deadly
    facts[DANGER] = deadly / mind.spaces * mind.weight[JEOPARDY]
    short = 0.0
    if mind.weight[LIQUIDITY] > 0.0 and deadly:
        for k in range(mind.spaces):
            if due[k] > money and mind.free[row] >> k & 1 == 0:
                short += mind.next_roll[(k - s.position[p]) % mind.spaces] * (due[k] - money)
    facts[SHORT] = short


def value(s: State, p: int, mind: Mind, row: int, buyer: int, seller: int, price: int) -> float:
    """The value of a surveyed situation to player `p` if `buyer` pays `price` to `seller`; -1 is the bank."""
    money, others, richest = 0, 0, 0
    for q in range(mind.players):
        has = s.money[q]
        if q == buyer:
            has -= price
        if q == seller:
            has += price
        if q == p:
            money = has
        else:
            others += has
            richest = max(richest, has)
    return worth(s, p, mind, row, money, others, richest)


def worth(s: State, p: int, mind: Mind, row: int, money: int, others: int, richest: int) -> float:
    """The same, if this is its money, that of its opponents together, and that of the richest of them."""
    w, facts = mind.weight, mind.facts[row]
    if facts[MONEY] != money:
        count_dangers(s, p, mind, row, money)
    total = money + facts[RENTS]
    total -= others * w[OPPONENT_MONEY]
    total -= facts[FEARED]
    total -= facts[DANGER]
    if money < w[RESERVE]:
        total -= w[RESERVE_PENALTY]
    return total + facts[EXTRA] - w[LIQUIDITY] * facts[SHORT] - w[LEADER] * richest
