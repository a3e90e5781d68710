"""Strategies in the rest of Monopoly: houses, mortgages, debts, jail and trades.

The heuristic stays as it is; a move is tried, and worth what the position after it is worth.

- Before rolling, when everything has been put up, it leaves jail while there are properties to buy; proposes the trade
  that gains most, if it reaches `buy_margin` and the partner, judged by the same numbers, gains `sell_margin`; and
  builds and redeems what gains most. It does not sell houses or mortgage unless it has to.
- In debt it raises money by what leaves it most.
- It agrees to a trade that gains `sell_margin`.
"""

from __future__ import annotations

from typing import Any

from parlor.compile import Bindings
from parlor.compile.kernel import copy, play
from parlor.game import Game, Ints, State
from parlor.games.leodopoly.agents.heuristic import (
    BUY_MARGIN,
    SELL_MARGIN,
    cost_at,
    interest_at,
    is_gone,
    rent_at,
    survey,
    value,
)
from parlor.games.leodopoly.agents.mind import Mind
from parlor.games.leodopoly.boards import STATION, STREET, UTILITY
from parlor.games.leodopoly.state import AGREEING, GETTING, GIVING, LADDER, PAYING, RAISING, SELLING

NOBODY = -1
ANY = -1  # a property is still to be chosen; else it is a space + 1, or 0 for none
AVERAGE_ROLL = 7

# ------------------------------------------------------------------------------------------------- what the game has


def level_at(s: State, k: int) -> int:
    """A slot: houses; 5 is a hotel."""
    return 0


def level_built(s: State, k: int) -> int:
    """With houses."""
    return s.level[k]


def mortgages(s: State) -> int:
    """A slot: the mortgaged properties, a bit each."""
    return 0


def mortgages_made(s: State) -> int:
    """With mortgages."""
    return s.mortgaged


def attempts(s: State, p: int) -> int:
    """A slot: above 0 in jail."""
    return 0


def attempts_made(s: State, p: int) -> int:
    """With a jail."""
    return s.jailed[p]


def gone(s: State, q: int) -> bool:
    """Whether a player is bankrupt."""
    return s.gone >> q & 1 > 0


def full_rent(s: State, k: int, deeds: int, mind: Mind) -> int:
    """With houses, mortgages, stations and utilities."""
    if mortgages(s) >> k & 1:
        return 0
    level = level_at(s, k)
    if level:
        return mind.rents[k][level - 1]
    mine = deeds & mind.group[k]
    if mind.kind[k] == STATION:
        owned = 0
        while mine:
            mine &= mine - 1
            owned += 1
        return mind.rent[k] << max(owned - 1, 0)
    full = mine > 0 and mine == mind.group[k]
    if mind.kind[k] == UTILITY:
        return AVERAGE_ROLL * (10 if full else 4)
    return mind.rent[k] * (2 if full else 1)


def full_cost(s: State, k: int, mind: Mind) -> int:
    """Half for a mortgaged property, and half of the price of houses."""
    cost = mind.cost[k] - (mind.cost[k] // 2 if mortgages(s) >> k & 1 else 0)
    return cost + level_at(s, k) * (mind.house[k] // 2)


def full_interest(s: State, k: int, mind: Mind) -> int:
    """The interest that a new owner pays to the bank for a mortgaged property."""
    return (mind.cost[k] // 2 + 9) // 10 if mortgages(s) >> k & 1 else 0


# -------------------------------------------------------------------------------------------------------- trying moves


def value_now(s: State, p: int, mind: Mind) -> float:
    """The value of a position as it is."""
    survey(s, p, 0, 0, mind, mind.players)
    return value(s, p, mind, mind.players, NOBODY, NOBODY, 0)


def attempt(states: Any, g: int, a: int, trial: Any) -> None:
    """Make a move in a copy."""
    copy(trial, 0, states, g)
    play(trial[0], a)


def decide_more(states: Any, g: int, p: int, moves: Ints, n: int, data: Any) -> int:
    """The index of the move in phases that the small game does not have, and before rolling."""
    s, mind, trial = states[g], data[0][0], data[1]
    if s.phase == SELLING:
        return business(states, g, p, moves, n, mind, trial)
    if s.phase == RAISING:
        return best_source(states, g, p, moves, n, mind, trial)
    if s.phase == AGREEING:
        before = value_now(s, p, mind)
        attempt(states, g, int(moves[0]), trial)
        return 0 if value_now(trial[0], p, mind) - before >= mind.weight[SELL_MARGIN] else 1
    return trade_move(states, g, p, moves, n, mind, trial)


def trade_move(states: Any, g: int, p: int, moves: Ints, n: int, mind: Mind, trial: Any) -> int:
    """A slot: the next part of a trade."""
    return 0


def proposed_gain(s: State, p: int, mind: Mind) -> float:
    """A slot: what the best trade gains with the partner that has just been named."""
    return 0.0


def best_source(states: Any, g: int, p: int, moves: Ints, n: int, mind: Mind, trial: Any) -> int:
    """The house to sell or the property to mortgage that costs least."""
    best, found = 0, 0.0
    for i in range(n):
        attempt(states, g, int(moves[i]), trial)
        v = value_now(trial[0], p, mind)
        if i == 0 or v > found:
            best, found = i, v
    return best


def business(states: Any, g: int, p: int, moves: Ints, n: int, mind: Mind, trial: Any) -> int:
    """Put up, leave jail, trade, build and redeem, or roll."""
    s = states[g]
    if mind.sells:
        attempt(states, g, int(moves[1]), trial)  # what is for sale comes first
        if trial[0].put_up != s.put_up:
            return 1
    before = value_now(s, p, mind)
    best, gained, leave = 0, 0.0, 0
    for i in range(1, n):
        attempt(states, g, int(moves[i]), trial)
        t = trial[0]
        gain = 0.0
        if attempts(t, p) < attempts(s, p):
            leave = i  # the fine comes first, then a card
        elif t.phase == GETTING:
            gain = proposed_gain(t, p, mind)
        elif t.money[p] < s.money[p]:
            gain = value_now(t, p, mind) - before
        if gain > gained:
            best, gained = i, gain
    return leave if leave and is_for_sale(s, mind) else best


def is_for_sale(s: State, mind: Mind) -> bool:
    """Whether the bank has a property left."""
    free = 0
    for k in range(mind.spaces):
        free += mind.cost[k] > 0 and s.owner[k] == 0
    return free > 0


# -------------------------------------------------------------------------------------------------------------- trades


def tradable_with(s: State, p: int, q: int, mind: Mind) -> int:
    """The properties `p` could give to `q`: without houses or mortgages, of a group of which `q` owns something."""
    found = 0
    for k in range(mind.spaces):
        if s.owner[k] == p + 1 and mortgages(s) >> k & 1 == 0:
            built, theirs = 0, 0
            for other in range(mind.spaces):
                if mind.group[k] >> other & 1:
                    built += level_at(s, other)
                    theirs += s.owner[other] == q + 1
            if theirs and not (built and mind.kind[k] == STREET):
                found |= 1 << k
    return found


def planned_gain(s: State, p: int, mind: Mind) -> float:
    """The gain from the best trade."""
    return plan(s, p, s.partner - 1, ANY, ANY, mind)[0]


def plan(s: State, p: int, q: int, get: int, give: int, mind: Mind) -> tuple[float, int, int, int]:
    """The best trade: what it gains, the property to get and to give (spaces + 1, or 0), and what it pays.

    Parts of it may have been chosen already. The state is a copy: properties change hands in it, and go back.
    """
    mine, theirs = tradable_with(s, p, q, mind), tradable_with(s, q, p, mind)
    before, before_q = value_now(s, p, mind), value_now(s, q, mind)
    best, best_get, best_give, best_cash = 0.0, 0, 0, 0
    for j in range(mind.spaces + 1):
        if (get != ANY and j != get) or (j and theirs >> (j - 1) & 1 == 0):
            continue
        for k in range(mind.spaces + 1):
            if (give != ANY and k != give) or (k and mine >> (k - 1) & 1 == 0) or (j == 0 and k == 0):
                continue
            if j:
                s.owner[j - 1] = p + 1
            if k:
                s.owner[k - 1] = q + 1
            survey(s, p, 0, 0, mind, 0)
            survey(s, q, 0, 0, mind, 1)
            for i in range(len(LADDER)):
                cash = LADDER[i]
                if s.money[p] < cash or s.money[q] + cash < 0:
                    continue
                if value(s, q, mind, 1, p, q, cash) - before_q >= mind.weight[SELL_MARGIN]:
                    gain = value(s, p, mind, 0, p, q, cash) - before
                    if gain > best and gain >= mind.weight[BUY_MARGIN]:
                        best, best_get, best_give, best_cash = gain, j, k, cash
                    break
            if j:
                s.owner[j - 1] = q + 1
            if k:
                s.owner[k - 1] = p + 1
    return best, best_get, best_give, best_cash


def planned_move(states: Any, g: int, p: int, moves: Ints, n: int, mind: Mind, trial: Any) -> int:
    """The next part of the trade that it has in mind; the first or, when it comes to paying, none if there is none."""
    s = states[g]
    copy(trial, 0, states, g)
    get = ANY if s.phase == GETTING else s.get
    give = s.give if s.phase == PAYING else ANY
    gain, get, give, cash = plan(trial[0], p, s.partner - 1, get, give, mind)
    if gain <= 0.0:
        return 0
    for i in range(n):
        attempt(states, g, int(moves[i]), trial)
        t = trial[0]
        if s.phase == GETTING and t.get == get:
            return i
        if s.phase == GIVING and t.give == give:
            return i
        if s.phase == PAYING and t.phase == AGREEING and t.cash == cash:
            return i
    return 0


def bindings(concrete: Game) -> Bindings:
    """The slots that the game's options fill."""
    fields = concrete.schema or {}
    if "gone" not in fields:
        return {}
    filled: dict[Any, Any] = {rent_at: full_rent, cost_at: full_cost, is_gone: gone, interest_at: full_interest}
    if "level" in fields:
        filled[level_at] = level_built
    if "mortgaged" in fields:
        filled[mortgages] = mortgages_made
    if "jailed" in fields:
        filled[attempts] = attempts_made
    if "partner" in fields:
        filled |= {trade_move: planned_move, proposed_gain: planned_gain}
    return filled
