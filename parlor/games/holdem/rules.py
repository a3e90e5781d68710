"""The rules of hold'em as seven functions: cards are dealt one by one, the betting is that of `bets`.

The cards of hands and flop are sorted, because the order in which they came is not visible.
"""

from __future__ import annotations

from parlor.game import CHANCE, OVER, Floats, Ints, State, private, public
from parlor.game.rng import below, mix
from parlor.games.holdem.bets import (
    ACTOR,
    CALL,
    FOLD,
    FOLDED,
    MOVES,
    SIZE,
    STREET,
    Betting,
    after,
    blinds,
    contested,
    least_raise,
    to_call,
)
from parlor.games.holdem.options import BIG_BLIND, BOARD, PLAYERS, SHOWN, SMALL_BLIND, STACKS, STREETS
from parlor.poker.hands.cards import DECK
from parlor.poker.hands.hand_strength import KEYS, MASKS, strength_of

HAND = 2
HANDS = PLAYERS * HAND
FLOP = 3
OUTCOMES = DECK
LENGTH = HANDS + BOARD + MOVES
ZERO_SUM = True
UNITS = {"sb/h": 1.0 / SMALL_BLIND, "mbb/h": 1000.0 / BIG_BLIND}
STATE = {
    "hole": private(PLAYERS, HAND),
    "board": public(BOARD),
    "dealt": public(),  # cards: the hand of player 0, that of player 1, the board
    "betting": public(SIZE),  # see `bets`
    "moves": public(MOVES),  # all actions so far, in order
    "made": public(),  # how many
}


def start(s: State) -> None:
    """The blinds are posted."""
    write(s, blinds())


def write(s: State, b: Betting) -> None:
    """Store the betting in the state."""
    for i in range(SIZE):
        s.betting[i] = b[i]


def book(s: State) -> Betting:
    """The betting as a tuple."""
    b = s.betting
    return b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]


def board_due(s: State) -> int:
    """Cards on the board after dealing: all of them, when there is nothing more to bet."""
    street = s.betting[STREET]
    return BOARD if street == STREETS else SHOWN[street]


def turn(s: State) -> int:
    """Two cards each, then streets: the board, and bets. All-in, the board is dealt to its end."""
    if s.betting[FOLDED] != 0:
        return OVER
    if s.dealt < HANDS + board_due(s):
        return CHANCE
    return OVER if s.betting[STREET] == STREETS else s.betting[ACTOR]


def is_dealt(s: State, card: int) -> bool:
    """Whether a card is no longer in the deck."""
    found = False
    for i in range(s.dealt):
        if (s.hole[i // HAND][i % HAND] if i < HANDS else s.board[i - HANDS]) == card:
            found = True
    return found


def odds(s: State, out: Floats) -> int:
    """Every remaining card has the same probability."""
    for card in range(DECK):
        out[card] = 1.0 / (DECK - s.dealt)
    for i in range(s.dealt):
        out[s.hole[i // HAND][i % HAND] if i < HANDS else s.board[i - HANDS]] = 0.0
    return DECK


def deal(s: State, out: Floats, r: Ints) -> int:
    """Draw a card by these odds, faster than through them."""
    card = below(r, DECK)
    while is_dealt(s, card):
        card = below(r, DECK)
    return card


def legal(s: State, out: Ints) -> int:
    """Fold to a bet, call or check, bet or raise to any whole number of chips from the least raise to all-in."""
    b = book(s)
    count = 0
    if to_call(b) > 0:
        out[count] = FOLD
        count += 1
    out[count] = CALL
    count += 1
    least = least_raise(b)
    if least > 0:
        for chips in range(least, STACKS[b[ACTOR]] + 1):
            out[count] = 1 + chips
            count += 1
    return count


def play(s: State, a: int) -> None:
    """Deal a card or make a move."""
    if s.dealt < HANDS:
        take(s.hole[s.dealt // HAND], s.dealt % HAND, a)
        s.dealt += 1
    elif s.dealt < HANDS + board_due(s):
        put(s, a)
    else:
        s.moves[s.made] = a
        s.made += 1
        write(s, after(book(s), a))


def put(s: State, card: int) -> None:
    """A card onto the board."""
    place = s.dealt - HANDS
    if place < FLOP:
        take(s.board, place, card)
    else:
        s.board[place] = card
    s.dealt += 1


def take(cards: Ints, n: int, card: int) -> None:
    """Insert a card into the `n` sorted ones."""
    while n > 0 and cards[n - 1] > card:
        cards[n] = cards[n - 1]
        n -= 1
    cards[n] = card


def hand_strength(s: State, p: int) -> int:
    """The best five of the board and the two cards of player `p`."""
    key = KEYS[s.hole[p][0]] + KEYS[s.hole[p][1]]
    mask = MASKS[s.hole[p][0]] + MASKS[s.hole[p][1]]
    for i in range(BOARD):
        key += KEYS[s.board[i]]
        mask += MASKS[s.board[i]]
    return strength_of(key, mask)


def payoff(s: State, p: int) -> float:
    """Chips won or lost: those that the other matched. Equal hands share the pot."""
    chips = float(contested(book(s)))
    if s.betting[FOLDED] != 0:
        return -chips if s.betting[FOLDED] == p + 1 else chips
    mine = hand_strength(s, p)
    other = hand_strength(s, 1 - p)
    return chips if mine > other else -chips if mine < other else 0.0


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, its cards, the board, and all moves in order."""
    return mix(moves_key(s), cards_key(s, p))


def cards_key(s: State, p: int) -> int:
    """The player, its cards and the board as a number: at most 1 + 7 * 6 bits."""
    code = (p * DECK + s.hole[p][0]) * DECK + s.hole[p][1]
    for i in range(s.dealt - HANDS):
        code = code * (DECK + 1) + s.board[i] + 1
    return code


def moves_key(s: State) -> int:
    """All moves in order."""
    code = s.made
    for i in range(s.made):
        code = mix(code, s.moves[i])
    return code


def imagine(s: State, p: int, r: Ints) -> None:
    """Replace the other's hand by any cards that player `p` does not see, all with the same probability.

    This uses the cards alone; what the other's bets say about its hand is ignored.
    """
    q = 1 - p
    have = min(max(s.dealt - HAND * q, 0), HAND)
    for i in range(have):
        s.hole[q][i] = -1
    for i in range(have):
        card = below(r, DECK)
        while is_dealt(s, card):
            card = below(r, DECK)
        s.hole[q][i] = -1
        take(s.hole[q], i, card)
