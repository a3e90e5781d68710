"""Careful: a good hand-written agent for Monopoly Deal.

Everything has a value in one unit: that of a player's properties, set by set, of which only as many count in
full as are needed to win. A property is worth what it adds; a rent what the cheapest payment costs the other player
and brings to this one, if it is not refused; money what it may save. The agent plays the move of the highest value.
When charged it looks for the cheapest payment, and refuses if even that costs too much.

It uses its own hand and what is public, and counts cards; never the other player's hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent, seated
from parlor.game import Floats, Game, Ints, State
from parlor.game.parameters import Parameter
from parlor.games.monopoly_deal.cards import (
    CASH_VALUE,
    COLOURS,
    DEBT,
    DEBT_COLLECTOR,
    JUST_SAY_NO,
    PASS,
    PAY_CASH,
    PAY_PROPERTY,
    PAYABLE,
    PLAYERS,
    PROPERTY,
    RENT,
    RENTS,
    SET_SIZE,
    STEAL,
    YIELD,
)
from parlor.games.monopoly_deal.responses import SURRENDER, response_required

# The values, in a unit of which a complete set has ten; chosen by hand, then improved by self-play.
COMPLETE, NEAR, BEGUN, SURPLUS, SPARE = 0, 1, 2, 3, 4
HELD, GIVEN, CASH_LOST, CASH_GOT = 5, 6, 7, 8
CASH, CASH_MORE, SHIELD, SHIELD_RENT = 9, 10, 11, 12
RENT_KEPT, REFUSAL, EMPTY, COMBO, EXPOSED = 13, 14, 15, 16, 17
RENTING, FEARED = 18, 19
COMPLETE_SET = 10.0


def value(default: float, help: str, high: float, low: float = 0.0) -> Parameter:
    """A value that a tuner may change."""
    return Parameter(default, help, low, high, internal=True)


VALUES = {
    "near": value(6.79, "a set that lacks one card; a complete one is worth 10", 15.0),
    "begun": value(3.46, "a set that lacks more", 15.0),
    "surplus": value(0.08, "a card beyond a complete set", 3.0),
    "spare": value(0.93, "how much colours beyond those needed to win count", 1.0),
    "held": value(1.09, "a property that waits in the hand", 5.0),
    "given": value(1.38, "how much of what the other side gains is a loss", 3.0),
    "cash_lost": value(0.59, "a dollar of cash that is paid", 3.0),
    "cash_got": value(0.46, "a dollar of cash that the other side gets", 3.0),
    "cash": value(0.77, "a dollar in the bank, up to the shield", 3.0),
    "cash_more": value(0.2, "a dollar in the bank beyond the shield", 3.0),
    "shield": value(4.75, "how many dollars the shield has", 15.0),
    "shield_rent": value(0.61, "how many more for a dollar of rent that may be charged", 3.0),
    "rent_kept": value(-0.25, "a rent card that is kept", 3.0, -3.0),
    "refusal": value(0.78, "a Just Say No", 6.0),
    "empty": value(1.21, "an empty hand, which draws more", 6.0),
    "combo": value(1.47, "a property that makes the next rent higher", 4.0),
    "exposed": value(0.05, "a property for each dollar that the shield lacks", 2.0),
    "renting": value(0.05, "a dollar of rent, with each card for it in the hand", 2.0),
    "feared": value(0.28, "a dollar of rent on the other side", 2.0),
}
WIN = 1000.0
MAX_DEBT = 8  # debts are smaller


# --------------------------------------------------------------------------------------------------- values


def rent_at(colour: int, owned: int) -> int:
    """The rent with `owned` properties."""
    return RENTS[colour][min(owned, SET_SIZE[colour]) - 1] if owned > 0 else 0


def set_value(colour: int, owned: int, held: int, renting: float, w: Floats) -> float:
    """The value of a set by its progress; cards in the hand that would help it count a little, and so does the rent."""
    size = SET_SIZE[colour]
    value = renting * rent_at(colour, owned)
    if owned >= size:
        return value + w[COMPLETE] + w[SURPLUS] * min(owned - size, 2)
    if owned > 0:
        value += w[NEAR] if owned + 1 == size else w[BEGUN]
    return value + w[HELD] * min(held, size - owned)


def position_value(s: State, q: int, p: int, colour: int, change: int, sets: int, w: Floats) -> float:
    """The value of all sets of player `q`, with `change` more of a colour, from the point of view of player `p`."""
    total = 0.0
    done = 0
    lowest = WIN
    second = WIN
    for c in range(COLOURS):
        owned = s.property[q][c] + (change if c == colour else 0)
        held = s.hand[p][PROPERTY + c] if q == p else 0
        if owned >= SET_SIZE[c]:
            done += 1
        renting = w[RENTING] * min(s.hand[p][RENT + c], 2) if q == p else w[FEARED]
        value = set_value(c, owned, held, renting, w)
        total += value
        if value < lowest:
            second = lowest
            lowest = value
        elif value < second:
            second = value
    if done >= sets:
        return WIN + total
    if sets <= 2:
        total -= (1.0 - w[SPARE]) * lowest
    if sets <= 1:
        total -= (1.0 - w[SPARE]) * second
    return total


def appraise(s: State, p: int, sets: int, w: Floats, worths: Any) -> None:
    """Fill worths[q][colour][MAX_DEBT + k]: properties of player `q` with k more of a colour, for all k."""
    for q in range(PLAYERS):
        for colour in range(COLOURS):
            fewest = -min(s.property[q][colour], MAX_DEBT - 1)
            most = max(min(s.property[1 - q][colour], MAX_DEBT - 1), 1)
            for k in range(fewest, most + 1):
                worths[q][colour][MAX_DEBT + k] = position_value(s, q, p, colour, k, sets, w)


def changed(worths: Any, q: int, colour: int, change: int) -> float:
    """The value of a change of a colour to player `q`."""
    return worths[q][colour][MAX_DEBT + change] - worths[q][colour][MAX_DEBT]


def bank_of(s: State, q: int) -> int:
    """The money in a bank."""
    total = 0
    for kind in range(PAYABLE):
        total += s.cash[q][kind] * CASH_VALUE[kind]
    return total


def shield(s: State, p: int, w: Floats) -> float:
    """The money that covers what the other player may charge."""
    most = 0
    for c in range(COLOURS):
        most = max(most, rent_at(c, s.property[1 - p][c]))
    return w[SHIELD] + w[SHIELD_RENT] * most


def money_value(amount: float, enough: float, w: Floats) -> float:
    """The value of money in the bank."""
    return w[CASH] * min(amount, enough) + w[CASH_MORE] * max(amount - enough, 0.0)


def loss(q: int, a: int, count: int, rules: Ints, w: Floats, worths: Any) -> float:
    """The loss of player `q` from handing over `count` cards by the payment `a`."""
    if a < PAY_PROPERTY:
        return (w[CASH_LOST] + w[CASH_GOT]) * CASH_VALUE[a - PAY_CASH] * count
    colour = a - PAY_PROPERTY
    cost = -changed(worths, q, colour, -count)
    if rules[1] == 1:
        return cost + w[CASH_GOT] * CASH_VALUE[PROPERTY + colour] * count
    return cost + w[GIVEN] * changed(worths, 1 - q, colour, count)


def payable(s: State, q: int, a: int) -> int:
    """The number of cards that can be used for a kind of payment."""
    return s.cash[q][a - PAY_CASH] if a < PAY_PROPERTY else s.property[q][a - PAY_PROPERTY]


def value_of(a: int) -> int:
    """The value of a card as money."""
    return CASH_VALUE[a - PAY_CASH] if a < PAY_PROPERTY else CASH_VALUE[PROPERTY + a - PAY_PROPERTY]


def payment(s: State, q: int, due: int, first: int, rules: Ints, w: Floats, best: Floats, worths: Any) -> float:
    """The lowest cost for player `q` to pay `due`, with at least one card of the kind `first`, unless that is -1.

    best[r]: the lowest cost to pay r, with the kinds seen so far. A player who cannot pay everything pays all it has.
    """
    wealth = 0
    for a in range(PAY_CASH, YIELD):
        wealth += payable(s, q, a) * value_of(a)
    if wealth <= due:
        everything = 0.0
        for a in range(PAY_CASH, YIELD):
            if payable(s, q, a) > 0:
                everything += loss(q, a, payable(s, q, a), rules, w, worths)
        return everything
    best[0] = 0.0
    for rest in range(1, due + 1):
        best[rest] = 1e9
    for a in range(PAY_CASH, YIELD):
        count = payable(s, q, a)
        if count == 0:
            continue
        value = value_of(a)
        least = 1 if a == first else 0
        useful = min(count, (due + value - 1) // value)
        for rest in range(due, -1, -1):
            cheapest = 1e9
            for k in range(least, useful + 1):
                before = best[max(rest - k * value, 0)]
                if before < 1e8:
                    cheapest = min(cheapest, before + (loss(q, a, k, rules, w, worths) if k > 0 else 0.0))
            best[rest] = cheapest
    return best[due]


def accepted(s: State, p: int) -> float:
    """The probability that the other player holds no refusal, by counting cards."""
    other = 1 - p
    refusals = s.deck[JUST_SAY_NO] + s.hand[other][JUST_SAY_NO]
    unseen = s.left + s.held[other]
    chance = 1.0
    for i in range(s.held[other]):
        chance *= max(unseen - refusals - i, 0) / (unseen - i)
    return chance


# ------------------------------------------------------------------------------------------ moves on the own turn


def charge_value(s: State, p: int, due: int, rules: Ints, w: Floats, best: Floats, worths: Any) -> float:
    """The value of charging `due`."""
    if due == 0:
        return -w[RENT_KEPT]
    return accepted(s, p) * payment(s, 1 - p, due, -1, rules, w, best, worths) - w[RENT_KEPT]


def missing(s: State, p: int, colour: int) -> int:
    """Cards from the hand that would complete a set; a large number if they are not there."""
    short = max(SET_SIZE[colour] - s.property[p][colour], 0)
    return short if s.hand[p][PROPERTY + colour] >= short else 100


def wins_with(s: State, p: int, colour: int, turns: int, sets: int) -> bool:
    """Whether playing a colour is part of a win within so many turns."""
    short = missing(s, p, colour)
    if short == 0 or short > turns:
        return False
    needed = short
    found = 1
    for limit in range(4):  # the other sets, cheapest first
        for c in range(COLOURS):
            if c != colour and found < sets and missing(s, p, c) == limit:
                needed += limit
                found += 1
    return found >= sets and needed <= turns


def property_value(
    s: State, p: int, colour: int, turns: int, rules: Ints, w: Floats, best: Floats, worths: Any
) -> float:
    """The value of playing a property."""
    if wins_with(s, p, colour, turns, rules[0]):
        return WIN
    owned = s.property[p][colour]
    value = changed(worths, p, colour, 1) - w[HELD] * (1.0 if owned < SET_SIZE[colour] else 0.0)
    if owned >= SET_SIZE[colour]:  # it can pay a rent
        enough = shield(s, p, w)
        bank = float(bank_of(s, p))
        value += money_value(bank + CASH_VALUE[PROPERTY + colour], enough, w) - money_value(bank, enough, w)
    else:
        value -= w[EXPOSED] * max(shield(s, p, w) - bank_of(s, p), 0.0)
    if turns > 1 and s.hand[p][RENT + colour] > 0 and rent_at(colour, owned + 1) > rent_at(colour, owned):
        now = max(charge_value(s, p, rent_at(colour, owned), rules, w, best, worths), 0.0)
        then = max(charge_value(s, p, rent_at(colour, owned + 1), rules, w, best, worths), 0.0)
        value += w[COMBO] * max(then - now, 0.0)
    return value


def move_value(s: State, p: int, a: int, rules: Ints, w: Floats, best: Floats, worths: Any) -> float:
    """The value of a move on the own turn."""
    turns = rules[2] - s.streak
    if a == PASS:
        return 0.0
    value = 0.0
    if a < PROPERTY:
        enough = shield(s, p, w)
        bank = float(bank_of(s, p))
        value = money_value(bank + CASH_VALUE[a], enough, w) - money_value(bank, enough, w)
    elif a < RENT:
        value = property_value(s, p, a - PROPERTY, turns, rules, w, best, worths)
    elif a < JUST_SAY_NO:
        value = charge_value(s, p, rent_at(a - RENT, s.property[p][a - RENT]), rules, w, best, worths)
    elif a == DEBT_COLLECTOR:
        value = charge_value(s, p, DEBT, rules, w, best, worths)
    else:
        colour = a - STEAL
        gain = changed(worths, p, colour, 1) - changed(worths, 1 - p, colour, -1)
        value = accepted(s, p) * gain - w[RENT_KEPT]
    if s.hand[p][JUST_SAY_NO] == 0 and s.held[p] <= turns:
        value += w[EMPTY]  # an empty hand draws more
    return value


# --------------------------------------------------------------------------------------------------- when charged


def answer_value(s: State, p: int, a: int, rules: Ints, w: Floats, best: Floats, worths: Any) -> float:
    """The value of an answer to a demand: minus its cost."""
    if a == JUST_SAY_NO:
        return -w[REFUSAL] / s.hand[p][JUST_SAY_NO]
    if s.demand == SURRENDER:
        lost = -changed(worths, p, s.wanted, -1)
        return -lost - w[GIVEN] * changed(worths, 1 - p, s.wanted, 1)
    if a == YIELD:
        return 0.0
    return -payment(s, p, s.owed - s.paid, a, rules, w, best, worths)


def careful_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """All probability on the move of the highest value."""
    rules, w, best, worths = data
    s = states[g]
    appraise(s, p, rules[0], w, worths)
    chosen = 0
    highest = -1e9
    for i in range(n):
        a = int(moves[i])
        if response_required(s):
            value = answer_value(s, p, a, rules, w, best, worths)
        else:
            value = move_value(s, p, a, rules, w, best, worths)
        if value > highest:
            highest = value
            chosen = i
    for i in range(n):
        out[i] = 1.0 if i == chosen else 0.0


def make(concrete: Game, name: str, **values: float) -> CompiledAgent:
    """With the options of the game: sets to win, what becomes of properties that are paid, turns in a streak."""
    options = concrete.options
    rules = np.array([int(options["sets"]), options["paid_to_bank"] == "true", int(options["turns"])], np.int64)
    w = np.array([COMPLETE_SET, *(values.get(key, setting.default) for key, setting in VALUES.items())], np.float64)

    def data(compiled: bool) -> tuple[Any, ...]:
        if compiled:
            return rules, w, np.zeros(MAX_DEBT), np.zeros((PLAYERS, COLOURS, 2 * MAX_DEBT))
        return rules.tolist(), w.tolist(), [0.0] * MAX_DEBT, np.zeros((PLAYERS, COLOURS, 2 * MAX_DEBT)).tolist()

    return CompiledAgent(name, seated(concrete), careful_probabilities, data)


SPEC = AgentSpec(
    "a good hand-written player: completes sets, protects them, charges when it hurts",
    make,
    ("monopoly-deal",),
    VALUES,
    name="Careful Carla",
    made="Written by hand; the values it gives to cards were improved by games against itself.",
)
