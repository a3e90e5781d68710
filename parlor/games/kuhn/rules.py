"""Kuhn poker: one card each, one bet.

Harold Kuhn, *A simplified two-person poker* (1950); n players as in Abou Risk and Szafron (2010): a deck of n + 1
cards, everybody antes one chip, and one bet of one chip may be made, which the others call or fold to.
"""

from collections.abc import Mapping

from parlor.game import CHANCE, OVER, Floats, Ints, State, View, option, private, public
from parlor.game.words import has_reader, player
from parlor.games.one_card import cards_of_others, deal_others, digits, possible_cards
from parlor.poker.poker_rules import PokerRules

PLAYERS = option("players", 2, 2, 4, "the number of players")
CARDS = PLAYERS + 1

PASS, BET = 0, 1
NAMES = ("pass", "bet")
VERBS = (("check", "bet"), ("fold", "call"))  # what they mean before and after a bet
RANKS = "JQK" if CARDS == 3 else "TJQK" if CARDS == 4 else "9TJQK"

ACTIONS = 2
OUTCOMES = CARDS
LENGTH = PLAYERS + 2 * PLAYERS - 1
ZERO_SUM = True
STATE = {
    "card": private(PLAYERS),  # 1 .. CARDS, 0 before the deal
    "dealt": public(),
    "moves": public(),  # how many moves were made
    "bets": public(),  # bit i is set if move i was a bet (or a call)
}


def start(s: State) -> None:
    """Everybody antes; nothing else to do."""


def turn(s: State) -> int:
    """Deal; then in turn, until all have passed or all others have answered the bet."""
    if s.dealt < PLAYERS:
        return CHANCE
    if s.bets == 0:
        return OVER if s.moves == PLAYERS else s.moves
    return OVER if s.moves == bettor(s) + PLAYERS else s.moves % PLAYERS


def bettor(s: State) -> int:
    """The player who opened the betting."""
    opener = 0
    while not s.bets >> opener & 1:
        opener += 1
    return opener


def stays(s: State, p: int) -> bool:
    """Whether `p` put in the second chip: at its first move, or after passing, at its second."""
    return bool((s.bets >> p | s.bets >> (p + PLAYERS)) & 1)


def odds(s: State, out: Floats) -> int:
    """Every remaining card has the same probability."""
    for card in range(CARDS):
        out[card] = 1.0 / (CARDS - s.dealt)
        for p in range(s.dealt):
            if s.card[p] == card + 1:
                out[card] = 0.0
    return CARDS


def legal(s: State, out: Ints) -> int:
    """Pass or bet; facing a bet these mean fold and call."""
    out[0] = PASS
    out[1] = BET
    return 2


def play(s: State, a: int) -> None:
    """Deal a card or make a move."""
    if s.dealt < PLAYERS:
        s.card[s.dealt] = a + 1
        s.dealt += 1
    else:
        s.bets |= a << s.moves
        s.moves += 1


def payoff(s: State, p: int) -> float:
    """The best card among those who stayed (all, if nobody bet) takes the pot."""
    winner = -1
    pot = 0
    for q in range(PLAYERS):
        if (s.bets == 0 or stays(s, q)) and (winner < 0 or s.card[q] > s.card[winner]):
            winner = q
        pot += 2 if stays(s, q) else 1
    paid = 2 if stays(s, p) else 1
    return float(pot - paid if winner == p else -paid)


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, its card, and the moves so far (at most 2 * 4 - 1 of them)."""
    return ((p * 8 + s.card[p]) * 16 + s.moves) * 128 + s.bets


def describe(s: State, a: int) -> str:
    """Names of outcomes and moves."""
    if s.dealt < PLAYERS:
        return f"{RANKS[a]} to player {s.dealt}"
    return NAMES[a]


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Outcomes and moves as data."""
    if s.dealt < PLAYERS:
        return {"verb": "deal", "card": RANKS[a], "to": s.dealt, "text": f"{RANKS[a]} to {player(s.dealt)}"}
    return {"verb": VERBS[s.bets != 0][a], "text": VERBS[s.bets != 0][a]}


def secret(s: State, a: int, p: int) -> bool:
    """Cards are dealt face down, moves are public."""
    return s.dealt < PLAYERS and p != s.dealt


def said(view: View) -> list[str]:
    """The moves so far, by what they meant."""
    return [VERBS[view.bets & (1 << i) - 1 != 0][view.bets >> i & 1] for i in range(view.moves)]


def display(view: View) -> dict[str, list[str]]:
    """My card, the moves so far, the chips that everybody has put in, and who has folded."""
    moves = said(view)
    return {
        "cards": [RANKS[view.card - 1]] if view.card else [],
        "board": [],
        "said": moves,
        "chips": ["2" if {"bet", "call"} & set(moves[p::PLAYERS]) else "1" for p in range(PLAYERS)],
        "folded": ["1" if "fold" in moves[p::PLAYERS] else "0" for p in range(PLAYERS)],
    }


def show(view: View) -> str:
    """One line for a person."""
    card = RANKS[view.card - 1] if view.card else "no card yet"
    moves = " ".join(said(view) if has_reader() else (NAMES[view.bets >> i & 1] for i in range(view.moves)))
    moves = moves or "no move yet"
    return f"{player(view.player, 'holds')} {card}; {moves}"


# --------------------------------------------------------------------------------------------------- what is hidden

WORLDS = CARDS ** (PLAYERS - 1)  # a digit for the card of each of the others


def possible(s: State, p: int, codes: Ints, weights: Floats) -> int:
    """All cards that are not seen, with the same probability."""
    return possible_cards(s, p, CARDS, 0, codes, weights)


def set_hidden_state(s: State, p: int, code: int) -> None:
    """Deal the others other cards."""
    deal_others(s, p, CARDS, code)


def hidden(s: State, p: int) -> int:
    """The code of the others' cards."""
    return cards_of_others(s, p, CARDS)


def decisions(s: State) -> int:
    """All moves."""
    return int(s.moves)


def decision(s: State, k: int) -> int:
    """The k-th move."""
    return int(s.bets >> k & 1)


def rewind(s: State, k: int) -> None:
    """Only the first k moves were made."""
    s.moves = k
    s.bets &= (1 << k) - 1


def world_numbers(code: int) -> list[int]:
    """The cards of the others, from 0."""
    return digits(code, PLAYERS - 1, CARDS)


def describe_world(code: int) -> str:
    """The cards of the others."""
    return ", ".join(RANKS[card] for card in world_numbers(code))


# --------------------------------------------------------------------------------------------------- as poker for two


def stake(s: State) -> float:
    """The ante, or the ante and the bet."""
    return 1.0 if s.bets == 0 else 2.0


def folds(s: State, a: int) -> bool:
    """A pass to a bet."""
    return bool(a == PASS and s.bets != 0)


def street(s: State) -> int:
    """There is only one."""
    return 0


def set_hand(s: State, p: int, hand: int) -> None:
    """A hand is one card."""
    s.card[p] = hand + 1


def hand_of(s: State, p: int) -> int:
    """A hand is one card."""
    return int(s.card[p] - 1)


def possible_hands(s: State, p: int, out: Floats) -> None:
    """Any but the other's card."""
    for h in range(len(out)):
        out[h] = 0.0 if s.card[1 - p] == h + 1 else 1.0


def showdown_value(s: State, r: Ints) -> float:
    """The higher card wins."""
    return 1.0 if s.card[0] > s.card[1] else -1.0 if s.card[0] < s.card[1] else 0.0


POKER = PokerRules(CARDS, 1, stake, folds, street, set_hand, hand_of, possible_hands, showdown_value)
