"""A strategy of Leodopoly: it does whatever the heuristic likes best, as the strategies of Khan (2019) do.

- It puts up all its properties, in the order of the board.
- It offers the highest amount that leaves it a gain of `buy_margin`; a seller takes the offer that is best for it, of
  equals the last, if that reaches `sell_margin`.
- It buys, or raises a bid, if the value of having the property is above the worst value of an opponent having it.
  Among opponents who cannot pay, the richest counts, with all its money; if they have none, nobody buys.
- A limit in a sealed auction is where it would stop raising. It is found by halving, since the value of having the
  property falls with the price, and that of an opponent having it does not.

Of a strategy only the numbers are its own: all are the same compiled code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from parlor import compile as compiler
from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.compile import Bindings
from parlor.compile.kernel import decide
from parlor.game import Floats, Game, Ints, State
from parlor.games.leodopoly.agents.heuristic import (
    BUY_MARGIN,
    PARAMETERS,
    PRICE_MARGIN,
    SELL_MARGIN,
    TURNS,
    interest_at,
    survey,
    value,
)
from parlor.games.leodopoly.agents.mind import Mind, new_mind
from parlor.games.leodopoly.agents.monopoly import bindings, decide_more
from parlor.games.leodopoly.state import ANSWERING, BIDDING, BUYING_NOW, OFFERING

BANK = -1
SCALE = 500.0  # pounds of value that make a win e times as likely: fitted to games of tuned strategies
#: hundredths of its own amount, in the order in which they are worth trying
LADDER = (125, 75, 150, 50, 110, 90, 200)

# ------------------------------------------------------------------------------------------------------------- auctions


def survey_lot(s: State, p: int, mind: Mind) -> None:
    """Fill a row for each player who may get the lot."""
    for q in range(mind.players):
        survey(s, p, s.lot, q + 1, mind, q)


def rival_value(s: State, p: int, price: int, mind: Mind) -> float:
    """The worst that can happen: an opponent buys the lot."""
    worst, found, richest = 0.0, False, 0
    for q in range(mind.players):
        if q == p:
            continue
        richest = max(richest, s.money[q])
        if mind.able_only == 0 or s.money[q] >= price:
            v = value(s, p, mind, q, q, BANK, price)
            worst = v if not found else min(worst, v)
            found = True
    if found:
        return worst
    if richest == 0:
        survey(s, p, 0, 0, mind, mind.players)
        return value(s, p, mind, mind.players, BANK, BANK, 0)
    return rival_value_at(s, p, richest, mind)


def rival_value_at(s: State, p: int, price: int, mind: Mind) -> float:
    """The worst of those opponents having the lot who have exactly its price."""
    worst, found = 0.0, False
    for q in range(mind.players):
        if q != p and s.money[q] == price:
            v = value(s, p, mind, q, q, BANK, price)
            worst = v if not found else min(worst, v)
            found = True
    return worst


def raises(s: State, p: int, bid: int, mind: Mind) -> bool:
    """Whether it bids one unit more, the lot being surveyed."""
    price = bid + mind.at_price * mind.unit
    return value(s, p, mind, p, p, BANK, price) > rival_value(s, p, price, mind)


def limit(s: State, p: int, most: int, mind: Mind) -> int:
    """The lowest bid that it does not raise, in units; at most `most`."""
    price = mind.at_price * mind.unit
    gain = value(s, p, mind, p, p, BANK, price) - rival_value(s, p, price, mind)
    if gain <= 0.0:
        return 0
    low, high = 1, min(most, int(gain) // mind.unit + 2)  # each pound costs a pound
    while low < high:
        middle = (low + high) // 2
        if raises(s, p, middle * mind.unit, mind):
            low = middle + 1
        else:
            high = middle
    return low


def buys(s: State, p: int, mind: Mind) -> bool:
    """Whether it pays the price of the property where it has landed."""
    price = mind.cost[s.lot]
    survey_lot(s, p, mind)
    return value(s, p, mind, p, p, BANK, price) - mind.weight[PRICE_MARGIN] >= rival_value(s, p, price, mind)


# ---------------------------------------------------------------------------------------------------------------- deals


def offer(s: State, p: int, most: int, mind: Mind) -> int:
    """The highest amount that leaves it its margin, in units, found by halving; 0 is no offer."""
    now, interest = mind.players, interest_at(s, s.lot, mind)
    survey(s, p, 0, 0, mind, now)
    survey(s, p, s.lot, p + 1, mind, p)
    target = value(s, p, mind, now, BANK, BANK, 0) + mind.weight[BUY_MARGIN] + interest
    gain = value(s, p, mind, p, p, s.actor, 0) - target
    if gain < 0.0:
        return 0
    low, high = 0, min(most, int(gain) // mind.unit + 1)  # each pound costs a pound
    while low < high:
        middle = (low + high + 1) // 2
        if value(s, p, mind, p, p, s.actor, middle * mind.unit) < target:
            high = middle - 1
        else:
            low = middle
    return low


def is_open(s: State, q: int, mind: Mind) -> bool:
    """Whether a player has made an offer for the lot, and can still pay it."""
    return 0 < s.offer[s.lot if mind.rows else 0][q] <= s.money[q] - interest_at(s, s.lot, mind)


def accepted(s: State, p: int, mind: Mind) -> int:
    """The player whose offer it accepts, or -1."""
    survey(s, p, 0, 0, mind, mind.players)
    before = value(s, p, mind, mind.players, BANK, BANK, 0) if mind.by_gain else 0.0
    offers = s.offer[s.lot if mind.rows else 0]
    best, buyer = 0.0, -1
    for i in range(1, mind.players):
        q = (p + i) % mind.players
        if is_open(s, q, mind):
            survey(s, p, s.lot, q + 1, mind, q)
            v = value(s, p, mind, q, q, p, offers[q]) - before
            if v >= mind.weight[SELL_MARGIN] and (buyer < 0 or v >= best):
                best, buyer = v, q
    return buyer


# ----------------------------------------------------------------------------------------------------------- the moves


def other_move(states: Any, g: int, p: int, moves: Ints, n: int, data: Any) -> int:
    """A slot: the move before rolling, and in all phases that there are only with more options, see `monopoly.py`."""
    return 1 if data[0][0].sells else 0  # put up the next property, or roll


def best_move(states: Any, g: int, p: int, moves: Ints, n: int, data: Any) -> int:
    """The index of its move among the legal ones, which come in the order that the rules list them in."""
    s, mind = states[g], data[0][0]
    if s.phase == OFFERING:
        return offer(s, p, n - 1, mind)
    if s.phase == ANSWERING:
        buyer = accepted(s, p, mind)
        place = 0  # refuse all
        for q in range(buyer + 1):
            place += is_open(s, q, mind)
        return place
    if s.phase == BUYING_NOW:
        return 0 if buys(s, p, mind) else 1
    if s.phase == BIDDING:
        survey_lot(s, p, mind)
        if mind.sealed:
            return limit(s, p, n - 1, mind)
        return 0 if raises(s, p, s.bid, mind) else 1
    return other_move(states, g, p, moves, n, data)


def strategy_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """All probability on one move."""
    for i in range(n):
        out[i] = 0.0
    out[best_move(states, g, p, moves, n, data)] = 1.0


def decide_strategy(states: Any, g: int, p: int, moves: Ints, n: int, r: Ints, data: Any) -> int:
    """It never draws."""
    return best_move(states, g, p, moves, n, data)


# ------------------------------------------------------------------------------------------------- for those who search


def guess_limits(states: Any, g: int, p: int, r: Ints, data: Any) -> None:
    """The limits that others have named in a sealed auction, as this strategy would have named them."""
    s, mind = states[g], data[0][0]
    if s.phase != BIDDING or mind.sealed == 0:
        return
    for q in range(mind.players):
        if q != p and s.bidding >> q & 1 and s.money[q] >= mind.unit:
            survey_lot(s, q, mind)
            s.limit[q] = limit(s, q, s.money[q] // mind.unit, mind) * mind.unit


def propose_moves(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """Its own move first; then, of few moves all, and of amounts those that may matter."""
    s, mind = states[g], data[0][0]
    amounts = s.phase == OFFERING or (s.phase == BIDDING and mind.sealed == 1)
    own = best_move(states, g, p, moves, n, data)
    for i in range(n):
        out[i] = 0.0 if amounts else 0.5
    if amounts:
        out[0] = 0.9
        price = -(-(mind.cost[s.lot] if s.phase == BIDDING else least_accepted(s, p, mind)) // mind.unit)
        if price < n:
            out[price] = 0.8
        for i in range(len(LADDER)):
            amount = own * LADDER[i] // 100
            if amount < n:
                out[amount] = max(out[amount], 0.7 - 0.01 * i)
    out[own] = 1.0


def least_accepted(s: State, p: int, mind: Mind) -> int:
    """The lowest offer of player `p` that a seller with the same strategy would accept, found by halving."""
    seller = s.actor
    survey(s, seller, 0, 0, mind, mind.players)
    survey(s, seller, s.lot, p + 1, mind, p)
    target = mind.weight[SELL_MARGIN] + (value(s, seller, mind, mind.players, BANK, BANK, 0) if mind.by_gain else 0.0)
    low, high = 1, s.money[p] + 1
    while low < high:
        middle = (low + high) // 2
        if value(s, seller, mind, p, p, seller, middle) >= target:
            high = middle
        else:
            low = middle + 1
    return low


def estimate_wins(states: Any, g: int, values: Floats, data: Any) -> None:
    """Estimate each player's probability to win: a softmax over the values of the position to each of them."""
    s, mind = states[g], data[0][0]
    total = 0.0
    for q in range(mind.players):
        survey(s, q, 0, 0, mind, mind.players)
        values[q] = value(s, q, mind, mind.players, BANK, BANK, 0) / SCALE
    best = values[0]
    for q in range(1, mind.players):
        best = max(best, values[q])
    for q in range(mind.players):
        values[q] = math.exp(values[q] - best)
        total += values[q]
    for q in range(mind.players):
        values[q] /= total


def strategy_agent(concrete: Game, name: str, values: Mapping[str, float], sells: bool | None = None) -> CompiledAgent:
    """With these parameters, the others being those of the spec; `sells`: see `new_mind`."""
    w = [float(values.get(key, setting.default)) for key, setting in PARAMETERS.items()]
    more = bindings(concrete)

    def data(compiled: bool) -> tuple[Any, ...]:
        mind = new_mind(concrete, w, int(w[TURNS]), sells, compiled)
        return (mind, compiler.states(concrete, 1, compiled)) if more else (mind,)

    slots: Bindings = {decide: decide_strategy, **more, **({other_move: decide_more} if more else {})}
    offers: dict[str, Any] = {"propose": propose_moves, "estimate": estimate_wins, "sample_secret_moves": guess_limits}
    return CompiledAgent(name, concrete, strategy_probabilities, data, slots, **offers)


def make(concrete: Game, name: str, **values: float) -> CompiledAgent:
    """With the parameters of the spec."""
    return strategy_agent(concrete, name, values)


SPEC = AgentSpec(
    "values money, rents and dangers by its parameters, and does what is worth most",
    make,
    ("leodopoly",),
    PARAMETERS,
    quick=True,
    name="Strategist",
    made="The heuristic of Khan (2019) and its future work; the parameters are yours.",
)
