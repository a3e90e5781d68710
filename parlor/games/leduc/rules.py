"""Leduc hold'em: two rounds, one board card, pairs win.

Southey et al., *Bayes' bluff* (2005). Two suits of n + 1 ranks for n players; everybody antes one chip and gets one
card; bets are 2 chips before and 4 after the board card, at most two raises a round. Three players as in OpenSpiel.
"""

from collections.abc import Mapping

from parlor.game import CHANCE, OVER, Floats, Ints, State, View, option, private, public
from parlor.game.words import player
from parlor.games.one_card import cards_of_others, deal_others, digits, possible_cards
from parlor.poker.poker_rules import PokerRules

PLAYERS = option("players", 2, 2, 3, "the number of players")
SUITS = 2
CARDS = SUITS * (PLAYERS + 1)
RAISES = 2  # a round

FOLD, CALL, RAISE = 0, 1, 2
NAMES = ("fold", "call", "raise")
RANKS = "JQK" if PLAYERS == 2 else "TJQK"

ACTIONS = 3
OUTCOMES = CARDS
LENGTH = PLAYERS + 1 + 2 * (PLAYERS + RAISES * (PLAYERS - 1))  # cards, then two rounds of calls and raises
ZERO_SUM = True
STATE = {
    "card": private(PLAYERS),  # 1 .. CARDS, 0 before the deal
    "board": public(),  # likewise
    "dealt": public(),
    "chips": public(PLAYERS),  # put into the pot so far
    "out": public(PLAYERS),  # 1: has folded
    "actor": public(),
    "round": public(),  # 0, 1; 2 at the showdown
    "raises": public(),  # this round
    "calls": public(),  # since the last raise of this round
    "moves": public(),  # all moves, two bits each, the last one lowest; a leading 3 marks the first
}


def start(s: State) -> None:
    """Everybody antes a chip."""
    for p in range(PLAYERS):
        s.chips[p] = 1
    s.moves = 3


def remaining(s: State) -> int:
    """The number of players who have not folded."""
    count = PLAYERS
    for p in range(PLAYERS):
        count -= s.out[p]
    return count


def stake(s: State) -> int:
    """The total cost of staying in."""
    most = 1
    for p in range(PLAYERS):
        most = max(most, s.chips[p])
    return most


def turn(s: State) -> int:
    """Private cards, a betting round, the board card, another betting round."""
    if s.dealt < PLAYERS:
        return CHANCE
    if s.round == 2 or remaining(s) == 1:
        return OVER
    if s.round == 1 and s.board == 0:
        return CHANCE
    return s.actor


def odds(s: State, out: Floats) -> int:
    """Every remaining card has the same probability."""
    for card in range(CARDS):
        out[card] = 1.0 / (CARDS - s.dealt)
    for p in range(s.dealt):
        out[s.card[p] - 1] = 0.0
    return CARDS


def legal(s: State, out: Ints) -> int:
    """Folding needs something to fold to; two raises a round."""
    count = 0
    if s.chips[s.actor] < stake(s):
        out[count] = FOLD
        count += 1
    out[count] = CALL
    count += 1
    if s.raises < RAISES:
        out[count] = RAISE
        count += 1
    return count


def play(s: State, a: int) -> None:
    """Deal a card or make a move."""
    if s.dealt < PLAYERS:
        s.card[s.dealt] = a + 1
        s.dealt += 1
    elif s.round == 1 and s.board == 0:
        s.board = a + 1
    else:
        bet(s, a)


def bet(s: State, a: int) -> None:
    """Make a move of the player to act, and find who is next."""
    s.moves = s.moves << 2 | a
    if a == FOLD:
        s.out[s.actor] = 1
    elif a == CALL:
        s.chips[s.actor] = stake(s)
        s.calls += 1
    else:
        s.chips[s.actor] = stake(s) + (2 if s.round == 0 else 4)
        s.raises += 1
        s.calls = 0
    # a raise must be called by everybody else who is in; without one, everybody must have checked
    if s.calls == remaining(s) - (1 if s.raises > 0 else 0):
        s.round += 1
        s.raises = 0
        s.calls = 0
        s.actor = PLAYERS - 1  # so that the first one still in is next
    if remaining(s) > 1:
        s.actor = (s.actor + 1) % PLAYERS
        while s.out[s.actor] == 1:
            s.actor = (s.actor + 1) % PLAYERS


def strength(s: State, p: int) -> int:
    """A pair beats everything, otherwise the higher rank; suits do not matter."""
    rank = (s.card[p] - 1) // SUITS
    return rank + CARDS if rank == (s.board - 1) // SUITS else rank


def payoff(s: State, p: int) -> float:
    """The best hand still in takes the pot; equal hands share it."""
    best = -1
    winners = 0
    pot = 0
    for q in range(PLAYERS):
        pot += s.chips[q]
        if s.out[q] == 0:
            if strength(s, q) > best:
                best = strength(s, q)
                winners = 0
            if strength(s, q) == best:
                winners += 1
    won = pot / winners if s.out[p] == 0 and strength(s, p) == best else 0.0
    return float(won - s.chips[p])


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, its card, the board, and all moves (at most 14, two bits each)."""
    return ((p * 16 + s.card[p]) * 16 + s.board) << 32 | s.moves


def key_by_rank(s: State, p: int) -> int:
    """The same without suits, which never matter."""
    mine, board = (s.card[p] + 1) // SUITS, (s.board + 1) // SUITS
    return ((p * 16 + mine) * 16 + board) << 32 | s.moves


ABSTRACTIONS = {"ranks": {"key": key_by_rank}}


def card_name(card: int) -> str:
    """K♠ for the highest card."""
    return RANKS[(card - 1) // SUITS] + "♥♠"[(card - 1) % SUITS]


def describe(s: State, a: int) -> str:
    """Names of outcomes and moves."""
    if s.dealt < PLAYERS:
        return f"{card_name(a + 1)} to player {s.dealt}"
    if s.round == 1 and s.board == 0:
        return f"board {card_name(a + 1)}"
    return NAMES[a]


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Outcomes and moves as data."""
    if s.dealt < PLAYERS:
        card = card_name(a + 1)
        return {"verb": "deal", "card": card, "to": s.dealt, "text": f"{card} to {player(s.dealt)}"}
    if s.round == 1 and s.board == 0:
        return {"verb": "board", "card": card_name(a + 1)}
    owed = stake(s) - s.chips[s.actor]
    if a == RAISE:
        size = 2 if s.round == 0 else 4
        verb = "raise" if s.raises else "bet"
        return {"verb": verb, "amount": size, "text": f"raise by {size}" if s.raises else f"bet {size}"}
    if a == CALL and owed:
        return {"verb": "call", "amount": owed, "text": f"call {owed}"}
    return {"verb": "check" if a == CALL else "fold", "text": "check" if a == CALL else "fold"}


def secret(s: State, a: int, p: int) -> bool:
    """Hands are dealt face down; the board and all moves are public."""
    return s.dealt < PLAYERS and p != s.dealt


def display(view: View) -> dict[str, list[str]]:
    """My card, the board, the moves so far, the chips that everybody has put in, and who has folded."""
    said = []
    code = view.moves
    while code > 3:
        said.append(NAMES[code & 3])
        code >>= 2
    return {
        "cards": [card_name(view.card)] if view.card else [],
        "board": [card_name(view.board)] if view.board else [],
        "said": said[::-1],
        "chips": [str(count) for count in view.chips],
        "folded": [str(out) for out in view.out],
    }


def show(view: View) -> str:
    """One line for a person."""
    things = display(view)
    board = "".join(f", board {card}" for card in things["board"])
    chips = " + ".join(str(c) for c in view.chips)
    card, moves = "".join(things["cards"]) or "no card yet", " ".join(things["said"]) or "no move yet"
    return f"{player(view.player, 'holds')} {card}{board}; pot {chips}; {moves}"


# --------------------------------------------------------------------------------------------------- what is hidden

WORLDS = CARDS ** (PLAYERS - 1)  # a digit for the card of each of the others


def possible(s: State, p: int, codes: Ints, weights: Floats) -> int:
    """All cards that are not seen, with the same probability."""
    return possible_cards(s, p, CARDS, s.board, codes, weights)


def set_hidden_state(s: State, p: int, code: int) -> None:
    """Deal the others other cards."""
    deal_others(s, p, CARDS, code)


def hidden(s: State, p: int) -> int:
    """The code of the others' cards."""
    return cards_of_others(s, p, CARDS)


def decisions(s: State) -> int:
    """All moves."""
    count = 0
    code = s.moves
    while code > 3:
        code >>= 2
        count += 1
    return count


def decision(s: State, k: int) -> int:
    """The k-th move."""
    return int(s.moves >> 2 * (decisions(s) - 1 - k) & 3)


def rewind(s: State, k: int) -> None:
    """Only the first k moves were made."""
    made = s.moves
    last = decisions(s) - 1
    board = s.board
    for p in range(PLAYERS):
        s.chips[p] = 1
        s.out[p] = 0
    s.actor = 0
    s.round = 0
    s.raises = 0
    s.calls = 0
    s.moves = 3
    s.board = 0
    for i in range(k):
        bet(s, made >> 2 * (last - i) & 3)
    if s.round > 0:
        s.board = board


def world_numbers(code: int) -> list[int]:
    """The cards of the others, from 0."""
    return digits(code, PLAYERS - 1, CARDS)


def describe_world(code: int) -> str:
    """The cards of the others."""
    return ", ".join(card_name(card + 1) for card in world_numbers(code))


# --------------------------------------------------------------------------------------------------- as poker for two


def folds(s: State, a: int) -> bool:
    """By its name."""
    return bool(a == FOLD)


def street(s: State) -> int:
    """Before and after the board card."""
    return int(s.round)


def set_hand(s: State, p: int, hand: int) -> None:
    """A hand is one card."""
    s.card[p] = hand + 1


def hand_of(s: State, p: int) -> int:
    """A hand is one card."""
    return int(s.card[p] - 1)


def possible_hands(s: State, p: int, out: Floats) -> None:
    """Any but the other's card and the board."""
    for h in range(len(out)):
        out[h] = 0.0 if s.card[1 - p] == h + 1 or s.board == h + 1 else 1.0


def sign(s: State) -> float:
    """The sign of the first player's result at a showdown on this board."""
    mine = strength(s, 0)
    other = strength(s, 1)
    return 1.0 if mine > other else -1.0 if mine < other else 0.0


def showdown_value(s: State, r: Ints) -> float:
    """The mean over the possible board cards."""
    if s.board != 0:
        return sign(s)
    total = 0.0
    count = 0
    for card in range(1, CARDS + 1):
        if card != s.card[0] and card != s.card[1]:
            s.board = card
            total += sign(s)
            count += 1
    s.board = 0
    return total / count


POKER = PokerRules(CARDS, 2, stake, folds, street, set_hand, hand_of, possible_hands, showdown_value)
