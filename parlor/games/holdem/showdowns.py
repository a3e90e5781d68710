"""Hold'em as poker: stakes, folds, hands, and who would win if nobody bet any more.

From the flop on showdowns are counted over all boards that may come; before it, over random ones.
"""

from __future__ import annotations

from parlor.game import Floats, Ints, State
from parlor.game.rng import below
from parlor.games.holdem.bets import FOLD, IN, STREET
from parlor.games.holdem.hand_buckets import CARD_ABSTRACTIONS
from parlor.games.holdem.options import STACKS, STREETS
from parlor.games.holdem.rules import HANDS, legal
from parlor.poker.hands.cards import DECK
from parlor.poker.hands.hand_strength import KEYS, MASKS, strength_of, sums
from parlor.poker.hands.isomorphism import HAND_CARDS, HAND_MASKS, hand_index
from parlor.poker.hands.isomorphism import HANDS as TWO_CARDS
from parlor.poker.poker_rules import PokerRules

PAIR_BOARDS = 1000  # random ones, before the flop


def stake(s: State) -> float:
    """The higher of what both have put in."""
    return float(max(s.betting[IN], s.betting[IN + 1]))


def folds(s: State, a: int) -> bool:
    """By its name."""
    return bool(a == FOLD)


def street(s: State) -> int:
    """Pre-flop 0 … river 3."""
    return int(s.betting[STREET])


def set_hand(s: State, p: int, hand: int) -> None:
    """Two cards in order."""
    s.hole[p][0] = HAND_CARDS[hand][0]
    s.hole[p][1] = HAND_CARDS[hand][1]


def hand_of(s: State, p: int) -> int:
    """The number of two cards."""
    return hand_index(s.hole[p][0], s.hole[p][1])


def possible(s: State, p: int, out: Floats) -> None:
    """Hands without a card of the other or of the board."""
    _, board = sums(s.board, s.dealt - HANDS)
    seen = board | MASKS[s.hole[1 - p][0]] | MASKS[s.hole[1 - p][1]]
    for h in range(len(out)):
        out[h] = 1.0 if HAND_MASKS[h] & seen == 0 else 0.0


def showdown_value(s: State, r: Ints) -> float:
    """Over all boards from the flop on, over random ones before it."""
    lying = s.dealt - HANDS
    missing = len(s.board) - lying
    key, board = sums(s.board, lying)
    key0, mask0 = sums(s.hole[0], 2)
    key1, mask1 = sums(s.hole[1], 2)
    hands = mask0 | mask1
    total = 0
    count = 0
    if missing > 2:
        for _ in range(PAIR_BOARDS):
            now, mask = dealt_on(r, key, board, hands, missing)
            total += showdown(key0 + now, mask0 | mask, key1 + now, mask1 | mask)
        return total / PAIR_BOARDS
    for a in range(DECK if missing > 0 else 1):
        if missing > 0 and (hands | board) & MASKS[a] != 0:
            continue
        for b in range(a if missing == 2 else 1):
            if missing == 2 and (hands | board) & MASKS[b] != 0:
                continue
            now = key
            mask = board
            if missing > 0:
                now += KEYS[a]
                mask |= MASKS[a]
            if missing == 2:
                now += KEYS[b]
                mask |= MASKS[b]
            total += showdown(key0 + now, mask0 | mask, key1 + now, mask1 | mask)
            count += 1
    return total / count


def dealt_on(r: Ints, key: int, board: int, hands: int, missing: int) -> tuple[int, int]:
    """The sums of a board after adding `missing` random cards that nobody holds."""
    for _ in range(missing):
        card = below(r, DECK)
        while (hands | board) & MASKS[card] != 0:
            card = below(r, DECK)
        key += KEYS[card]
        board |= MASKS[card]
    return key, board


def showdown(key0: int, mask0: int, key1: int, mask1: int) -> int:
    """1, 0 or -1 if the first hand wins, ties or loses."""
    mine = strength_of(key0, mask0)
    other = strength_of(key1, mask1)
    return 1 if mine > other else -1 if mine < other else 0


def showdown_values(s: State, p: int, out: Floats, boards: int, r: Ints) -> None:
    """Over all rivers on the turn, over random boards before it; for each hand over the boards possible with it."""
    lying = s.dealt - HANDS
    missing = len(s.board) - lying
    key, board = sums(s.board, lying)
    own_key, own = sums(s.hole[p], 2)
    for h in range(len(out)):
        out[h] = 0.0
    rounds = 1 if missing == 0 else DECK if missing == 1 else boards
    counts = 0  # boards so far, when all hands have had the same number
    for i in range(rounds):
        now = key
        mask = board
        if missing == 1:
            if (own | board) & MASKS[i] != 0:
                continue
            now += KEYS[i]
            mask |= MASKS[i]
        elif missing > 1:
            now, mask = dealt_on(r, key, board, own, missing)
        counts += 1
        mine = strength_of(own_key + now, own | mask)
        for h in range(len(out)):
            if HAND_MASKS[h] & (own | mask) == 0:
                other = strength_of(KEYS[HAND_CARDS[h][0]] + KEYS[HAND_CARDS[h][1]] + now, HAND_MASKS[h] | mask)
                if mine > other:
                    out[h] += 1.0
                elif mine < other:
                    out[h] -= 1.0
    # of `left` cards, `missing` come; a hand leaves this share of the boards possible
    left = DECK - lying - 2
    able = 1.0
    for i in range(missing):
        able *= (left - 2 - i) / (left - i)
    for h in range(len(out)):
        out[h] /= counts * able


def pot_bets(s: State, moves: Ints) -> int:
    """Fold to a bet, call, bet the pot, all-in, whatever the other's tree has."""
    n = legal(s, moves)
    last = moves[n - 1]  # all-in, if there is any bet
    call = 1 if moves[0] == FOLD else 0
    if n == call + 1:
        return n
    least = moves[call + 1]
    top = max(s.betting[IN], s.betting[IN + 1])
    pot = min(max(1 + 3 * top, least), last)
    moves[call + 1] = pot
    if pot == last:
        return call + 2
    moves[call + 2] = last
    return call + 3


POKER = PokerRules(
    TWO_CARDS,
    STREETS,
    stake,
    folds,
    street,
    set_hand,
    hand_of,
    possible,
    showdown_value,
    showdown_values,
    pot_bets,
    highest_stake=float(min(STACKS)),
    card_abstractions=CARD_ABSTRACTIONS,
)
