"""An amateur with rules: few starting hands, value bets, draws for a fair price, and no bluffs.

Before the flop it scores its hand (Chen's formula): it raises the best, and calls up to a few blinds with the playable.
Afterwards it looks at what its own cards add to the board: it bets and raises with much, bets and calls with a top
pair, and stays in with a lower pair or a draw while it is cheap.
"""

from __future__ import annotations

from typing import Any

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, Ints, State
from parlor.games.holdem.agents.reading import calling, lying, of_pot, only, passing, pot, price, raising
from parlor.poker.hands.hand_strength import KEYS, MASKS, STRAIGHT, TWO_PAIR, category, strength_of

ACE = 12
NOTHING, DRAW, LOW_PAIR, TOP_PAIR, MUCH = 0, 1, 2, 3, 4
PREMIUM, PLAYABLE = 9, 5  # points
#: The weakest hand of each category from a pair up; a strength is compared with these.
WEAKEST = tuple(min(x for x in range(1, 7463) if category(x) == kind) for kind in range(1, 9))


def chen(a: int, b: int) -> int:
    """Twice the points of Bill Chen's formula, without its rounding: 40 for aces, 24 for AKs, -3 for 72o."""
    high = max(a // 4, b // 4)
    low = min(a // 4, b // 4)
    points = 20 if high == ACE else 16 if high == ACE - 1 else 14 if high == ACE - 2 else 12 if high == 9 else high + 2
    if high == low:
        return max(2 * points, 10)
    gap = high - low - 1
    points -= 10 if gap > 3 else 8 if gap == 3 else 2 * gap
    if a % 4 == b % 4:
        points += 4
    if gap < 2 and high < ACE - 2:  # a straight over the highest card
        points += 2
    return points


def standing(s: State, p: int) -> int:
    """The strength class of a player's hand, counting only what its own cards add to the board."""
    n = lying(s)
    a = s.hole[p][0]
    b = s.hole[p][1]
    key = KEYS[a] + KEYS[b]
    mask = MASKS[a] + MASKS[b]
    top = 0
    pairs = 0  # on the board alone
    for i in range(n):
        key += KEYS[s.board[i]]
        mask += MASKS[s.board[i]]
        top = max(top, s.board[i] // 4)
        for j in range(i):
            if s.board[i] // 4 == s.board[j] // 4:
                pairs += 1
    strength = strength_of(key, mask)
    kind = 0
    for i in range(len(WEAKEST)):
        if strength >= WEAKEST[i]:
            kind = i + 1
    if kind >= STRAIGHT or kind - min(pairs, 2) >= TWO_PAIR:
        return MUCH
    best = -1  # the rank of a pair that is ours
    for i in range(n):
        if s.board[i] // 4 == a // 4 or s.board[i] // 4 == b // 4:
            best = max(best, s.board[i] // 4)
    if a // 4 == b // 4:
        best = max(best, a // 4)
    if best >= top:
        return TOP_PAIR
    if best >= 0:
        return LOW_PAIR
    return DRAW if n < 5 and is_draw(mask) else NOTHING


def is_draw(mask: int) -> bool:
    """Four to a flush, or four ranks in a row."""
    ranks = 0
    found = False
    for suit in range(4):
        suited = mask >> 16 * suit & 0x1FFF
        ranks |= suited
        count = 0
        for rank in range(13):
            count += suited >> rank & 1
        if count == 4:
            found = True
    for low in range(10):
        if ranks >> low & 15 == 15:
            found = True
    return found


def rule_based_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The rules, in order."""
    s = states[g]
    cost = price(s, p)
    big_blind = data[0]
    if lying(s) == 0:
        points = chen(s.hole[p][0], s.hole[p][1])
        if points >= 2 * PREMIUM and cost < 8 * big_blind:
            only(n, raising(s, moves, n, 3 * (cost + big_blind)), out)
        elif points >= 2 * PREMIUM or (points >= 2 * PLAYABLE and cost <= 3 * big_blind):
            only(n, calling(moves), out)
        else:
            only(n, passing(moves), out)
        return
    has = standing(s, p)
    share = cost / (pot(s) - cost) if cost > 0 else 0.0
    if has == MUCH:
        only(n, raising(s, moves, n, of_pot(s, 0.7)), out)
    elif has == TOP_PAIR and cost == 0:
        only(n, raising(s, moves, n, of_pot(s, 0.5)), out)
    elif (has == TOP_PAIR and share <= 1.0) or (has > NOTHING and share <= 0.35):
        only(n, calling(moves), out)
    else:
        only(n, passing(moves), out)


def make(concrete: Game, name: str) -> CompiledAgent:
    """With the blinds of the game."""
    big_blind = int(concrete.options["big_blind"])
    return CompiledAgent(name, concrete, rule_based_probabilities, lambda compiled: (big_blind,))


SPEC = AgentSpec(
    "an amateur with rules: few starting hands, value bets, cheap draws", make, ("holdem",), name="Rulebook Ruth"
)
