"""The words of poker that its measurements need: stakes, folds, hands, and who would win if nobody bet any more.

They are slots of kernels, as the rules are; `WORDS` fills them for the games that have them. A *hand* is all that a
player holds, by number. What a showdown is expected to bring, from -1 to 1 for its sign, is exact where that is cheap
and else a mean over random boards: an estimate without bias, which is all that is asked of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from parlor.game import Floats, Game, GameError, Ints, State
from parlor.games.holdem.bets import FOLD, IN, STREET
from parlor.games.holdem.rules import HANDS as HOLE_CARDS
from parlor.games.kuhn import CARDS as KUHN_CARDS
from parlor.games.kuhn import PASS
from parlor.games.leduc import CARDS as LEDUC_CARDS
from parlor.games.leduc import strength as leduc_strength
from parlor.kernel import legal, resolve
from parlor.poker.cards import DECK
from parlor.poker.hand_strength import KEYS, MASKS, strength_of, sums
from parlor.poker.isomorphism import HAND_CARDS, HAND_MASKS, hand_index
from parlor.poker.isomorphism import HANDS as HOLDEM_HANDS
from parlor.rng import below

PAIR_BOARDS = 1000  # random ones, before the flop


# --------------------------------------------------------------------------------------------------- slots


def stake(s: State) -> float:
    """What the winner takes from the loser if all that was bet is called."""
    raise RuntimeError


def folds(s: State, a: int) -> bool:
    """Whether a concrete action gives up."""
    raise RuntimeError


def street(s: State) -> int:
    """How many times cards were dealt before the current betting, less one."""
    raise RuntimeError


def give(s: State, p: int, hand: int) -> None:
    """Put a hand into the place of what player `p` holds."""
    raise RuntimeError


def held(s: State, p: int) -> int:
    """The hand of player `p`."""
    raise RuntimeError


def possible(s: State, p: int, out: Floats) -> None:
    """Fill 1 for each hand that player `p` may hold, by the board and the cards of the other, and 0 for the rest."""
    raise RuntimeError


def share(s: State, r: Ints) -> float:
    """The expected sign of a showdown for player 0, all hands being known; it may write into `s`."""
    raise RuntimeError


def outlook(s: State, p: int, out: Floats, boards: int, r: Ints) -> None:
    """The same for player `p` against each possible hand of the other, over so many boards if there are too many."""
    q = 1 - p
    for h in range(len(out)):
        give(s, q, h)
        out[h] = share(s, r) if p == 0 else -share(s, r)


def all_legal(s: State, out: Ints) -> int:
    """The rule of the concrete game, where an agent's own `legal` is that of its abstraction."""
    raise RuntimeError


def sizes(s: State, moves: Ints) -> int:
    """The concrete actions that a responder tries: those that the other would think of in its place."""
    n = legal(s, moves)
    for i in range(n):
        moves[i] = resolve(s, moves[i])
    return n


@dataclass(frozen=True)
class Words:
    """What fills the slots for a game."""

    hands: int
    slots: Mapping[Callable[..., Any], Callable[..., Any]]
    streets: Callable[[Game], int]
    most: Callable[[Game], float] = lambda game: math.inf  # the highest stake


def words_of(game: Game) -> Words:
    """The words of a game, or a sentence that it has none."""
    base = game.name.partition("(")[0]
    if base not in WORDS or game.players != 2:
        raise GameError(f"This measurement is for poker between two ({', '.join(WORDS)}), not for {game.name}.")
    return WORDS[base]


# --------------------------------------------------------------------------------------------------- Kuhn and Leduc


def kuhn_stake(s: State) -> float:
    """The ante, or the ante and the bet."""
    return 1.0 if s.bets == 0 else 2.0


def kuhn_folds(s: State, a: int) -> bool:
    """A pass to a bet."""
    return bool(a == PASS and s.bets != 0)


def kuhn_street(s: State) -> int:
    """There is only one."""
    return 0


def kuhn_share(s: State, r: Ints) -> float:
    """The higher card wins."""
    return 1.0 if s.card[0] > s.card[1] else -1.0 if s.card[0] < s.card[1] else 0.0


def card_give(s: State, p: int, hand: int) -> None:
    """A hand is one card."""
    s.card[p] = hand + 1


def card_held(s: State, p: int) -> int:
    """A hand is one card."""
    return int(s.card[p] - 1)


def kuhn_possible(s: State, p: int, out: Floats) -> None:
    """Any but the other's card."""
    for h in range(len(out)):
        out[h] = 0.0 if s.card[1 - p] == h + 1 else 1.0


def leduc_stake(s: State) -> float:
    """The higher of what both have put in."""
    return float(max(s.chips[0], s.chips[1]))


def leduc_folds(s: State, a: int) -> bool:
    """By its name."""
    return bool(a == FOLD)


def leduc_street(s: State) -> int:
    """Before and after the board card."""
    return int(s.round)


def leduc_possible(s: State, p: int, out: Floats) -> None:
    """Any but the other's card and the board."""
    for h in range(len(out)):
        out[h] = 0.0 if s.card[1 - p] == h + 1 or s.board == h + 1 else 1.0


def leduc_sign(s: State) -> float:
    """Who wins on this board."""
    mine = leduc_strength(s, 0)
    other = leduc_strength(s, 1)
    return 1.0 if mine > other else -1.0 if mine < other else 0.0


def leduc_share(s: State, r: Ints) -> float:
    """The mean over the board cards that may come."""
    if s.board != 0:
        return leduc_sign(s)
    total = 0.0
    count = 0
    for card in range(1, LEDUC_CARDS + 1):
        if card != s.card[0] and card != s.card[1]:
            s.board = card
            total += leduc_sign(s)
            count += 1
    s.board = 0
    return total / count


# --------------------------------------------------------------------------------------------------- hold'em


def holdem_stake(s: State) -> float:
    """The higher of what both have put in."""
    return float(max(s.betting[IN], s.betting[IN + 1]))


def holdem_folds(s: State, a: int) -> bool:
    """By its name."""
    return bool(a == FOLD)


def holdem_street(s: State) -> int:
    """Pre-flop 0 … river 3."""
    return int(s.betting[STREET])


def holdem_give(s: State, p: int, hand: int) -> None:
    """Two cards in order."""
    s.hole[p][0] = HAND_CARDS[hand][0]
    s.hole[p][1] = HAND_CARDS[hand][1]


def holdem_held(s: State, p: int) -> int:
    """The number of two cards."""
    return hand_index(s.hole[p][0], s.hole[p][1])


def holdem_possible(s: State, p: int, out: Floats) -> None:
    """Hands without a card of the other or of the board."""
    _, board = sums(s.board, s.dealt - HOLE_CARDS)
    seen = board | MASKS[s.hole[1 - p][0]] | MASKS[s.hole[1 - p][1]]
    for h in range(len(out)):
        out[h] = 1.0 if HAND_MASKS[h] & seen == 0 else 0.0


def holdem_share(s: State, r: Ints) -> float:
    """Over all boards from the flop on, over random ones before it."""
    lying = s.dealt - HOLE_CARDS
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
    """The sums of a board with so many more cards, at random, that nobody holds."""
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


def holdem_outlook(s: State, p: int, out: Floats, boards: int, r: Ints) -> None:
    """Over all rivers on the turn, over random boards before it; for each hand over those that it leaves possible."""
    lying = s.dealt - HOLE_CARDS
    missing = len(s.board) - lying
    key, board = sums(s.board, lying)
    own_key, own = sums(s.hole[p], 2)
    for h in range(len(out)):
        out[h] = 0.0
    rounds = 1 if missing == 0 else DECK if missing == 1 else boards
    counts = 0  # boards so far, when every hand has met as many as any other
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


def holdem_sizes(s: State, moves: Ints) -> int:
    """Fold to a bet, call, bet the pot, all-in, whatever the other would think of."""
    n = all_legal(s, moves)
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


def _smaller_stack(game: Game) -> float:
    stack, other = int(game.options["stack"]), int(game.options["other_stack"])
    return float(min(stack, other or stack))


_CARDS: dict[Callable[..., Any], Callable[..., Any]] = {give: card_give, held: card_held}
WORDS: Mapping[str, Words] = {
    "kuhn": Words(
        KUHN_CARDS,
        _CARDS | {stake: kuhn_stake, folds: kuhn_folds, street: kuhn_street, possible: kuhn_possible,
                  share: kuhn_share},
        lambda game: 1,
    ),
    "leduc": Words(
        LEDUC_CARDS,
        _CARDS | {stake: leduc_stake, folds: leduc_folds, street: leduc_street, possible: leduc_possible,
                  share: leduc_share},
        lambda game: 2,
    ),
    "holdem": Words(
        HOLDEM_HANDS,
        {stake: holdem_stake, folds: holdem_folds, street: holdem_street, give: holdem_give, held: holdem_held,
         possible: holdem_possible, share: holdem_share, outlook: holdem_outlook},
        lambda game: int(game.options["streets"]),
        _smaller_stack,
    ),
}  # fmt: skip
