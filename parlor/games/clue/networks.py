"""Inputs and outputs of networks for Clue: the exact posterior, the history of suggestions; one card of each kind.

Seats are relative to the one who looks: 0 is me, 1 the next player clockwise. What a suggestion says about its three
cards, networks find out slowly from bits; so they are given numbers, of each card and seat, and nothing of the view
besides:

    how likely the card lies with each player or in the file, every deal that fits being equally likely
    whether I hold it; how often each player has suggested it, and whether in their last suggestion; who refuted that
    whether I have shown it to each of the others; whether I must answer for it now, and whom
    how far the game is, how much is still open, and with accusations who is out

A suggestion's logit is the sum of those of its suspect, its weapon and its room, and of (1 + b) times the logarithm of
the probability that they are the three in the file.
"""

from __future__ import annotations

import math

import numpy as np

from parlor.compile import AlwaysCompiled
from parlor.compile.kernel import IntArray
from parlor.game import ActionHead, Floats, Ints, OwnFeatures, State
from parlor.games.clue.asked import asker_of, refuter_of, triple_asked
from parlor.games.clue.deduction import two_hands
from parlor.games.clue.deduction.drawing import count_anew
from parlor.games.clue.deduction.facts import FIRST, gather
from parlor.games.clue.deduction.two_hands import count_two
from parlor.games.clue.options import ACCUSATIONS, CAP, CARDS, LARGER, PLAYERS, ROOMS, SUSPECTS, TRIPLES, WEAPONS
from parlor.games.clue.rules import ACCUSE, ACTIONS, END_TURN, SHOW, hand_size, triple_cards

DECK = (PLAYERS, SUSPECTS, WEAPONS, ROOMS, 1 if ACCUSATIONS else 0)
COLUMNS = FIRST + CAP

# Working memory: the facts, what may be in the file, the numbers of deals by triple, by card and place, and in all.
POSSIBLE = PLAYERS * COLUMNS
BY_TRIPLE = POSSIBLE + TRIPLES
BY_CARD = BY_TRIPLE + TRIPLES
TOTAL = BY_CARD + CARDS * max(3, PLAYERS + 1)
REST = TOTAL + 1
WORK = REST + (two_hands.room(CAP) if PLAYERS == 3 else 0)

# Where the numbers begin.
HOLDERS = PLAYERS + 1  # me, the others clockwise, the file
HAND = CARDS * HOLDERS
TIMES = HAND + CARDS
LAST = TIMES + PLAYERS * CARDS
ANSWER = LAST + PLAYERS * CARDS
SHOWN = ANSWER + PLAYERS * HOLDERS
MUST = SHOWN + (PLAYERS - 1) * CARDS
ASKER = MUST + CARDS
STAGE = ASKER + PLAYERS - 1
SIZES = STAGE + 4
OUT = SIZES + (PLAYERS if LARGER else 0)
COUNT = OUT + (PLAYERS if ACCUSATIONS else 0)

OFTEN = 4.0  # suggestions of a card: a usual number
LATE = 20.0  # suggestions of all: a usual number
MIN_PROBABILITY = 1e-5  # a smaller probability of a triple counts as this one


def features(s: State, p: int, out: Floats, work: IntArray) -> None:
    """Fill all numbers, and the working memory with the numbers of deals."""
    for i in range(COUNT):
        out[i] = 0.0
    count_deals(s, p, work)
    add_posterior(s, p, out, work)
    hand = s.hand[p]
    for card in range(CARDS):
        out[HAND + card] = float(hand >> card & 1)
    add_suggestions(s, p, out)
    if s.answering == p + 1:
        entry = s.asked[s.suggestions - 1]
        could = hand & triple_cards(triple_asked(entry))
        for card in range(CARDS):
            out[MUST + card] = float(could >> card & 1)
        out[ASKER + (asker_of(entry) - p + PLAYERS) % PLAYERS - 1] = 1.0
    out[STAGE] = s.suggestions / LATE
    out[STAGE + 1] = math.log(max(work[TOTAL], 1)) / 10.0
    out[STAGE + 2] = 1.0 if s.suggested else 0.0
    out[STAGE + 3] = 1.0 if s.answering else 0.0
    for q in range(PLAYERS):
        seat = (p + q) % PLAYERS
        if LARGER:
            out[SIZES + q] = hand_size(s, seat) / 6.0
        if ACCUSATIONS:
            out[OUT + q] = 1.0 if s.accused[seat] else 0.0


def given(s: State, p: int, moves: Ints, n: int, out: Floats, work: IntArray) -> None:
    """The logarithm of the probability that the three cards of a suggestion or an accusation are in the file."""
    for i in range(n):
        a = moves[i]
        out[i] = 0.0
        if a < SHOW:
            ways = work[BY_TRIPLE + (a if a < ACCUSE else a - ACCUSE)]
            out[i] = math.log(max(ways / max(work[TOTAL], 1), MIN_PROBABILITY))


def count_deals(s: State, p: int, work: IntArray) -> None:
    """Count the deals that fit what the player has seen, by triple, and by card and place: others clockwise, file."""
    facts = work[:POSSIBLE].reshape(PLAYERS, COLUMNS)
    possible, tensor = work[POSSIBLE:BY_TRIPLE], work[BY_TRIPLE:BY_CARD]
    cards, rest = work[BY_CARD:TOTAL], work[REST:WORK]
    gather(s, p, DECK, facts, possible)
    work[TOTAL] = count_places(facts, possible, p, rest, tensor, cards)


def count_three(facts: IntArray, possible: IntArray, p: int, rest: IntArray, tensor: IntArray, cards: IntArray) -> int:
    """The deals in a game of three."""
    return int(count_two(facts, DECK, possible, (p + 1) % 3, (p + 2) % 3, rest, tensor, cards))


def count_more(facts: IntArray, possible: IntArray, p: int, rest: IntArray, tensor: IntArray, cards: IntArray) -> int:
    """The deals in a game of more."""
    return int(count_all(facts, possible, p, tensor, cards))


count_places = count_three if PLAYERS == 3 else count_more


def add_posterior(s: State, p: int, out: Floats, work: IntArray) -> None:
    """Fill the probabilities of each card's places."""
    total = max(work[TOTAL], 1)
    for card in range(CARDS):
        for place in range(PLAYERS):
            out[card * HOLDERS + 1 + place] = work[BY_CARD + card * PLAYERS + place] / total
        if s.hand[p] >> card & 1:
            out[card * HOLDERS] = 1.0


def add_suggestions(s: State, p: int, out: Floats) -> None:
    """Fill what was suggested and refuted, and what I have shown."""
    for i in range(s.suggestions):
        entry = s.asked[i]
        cards = triple_cards(triple_asked(entry))
        asker = (asker_of(entry) - p + PLAYERS) % PLAYERS
        refuter = refuter_of(entry)
        for card in range(CARDS):
            if cards >> card & 1:
                out[TIMES + asker * CARDS + card] += 1.0 / OFTEN  # quarters are exact
            out[LAST + asker * CARDS + card] = float(cards >> card & 1)
        for place in range(HOLDERS):
            out[ANSWER + asker * HOLDERS + place] = 0.0
        place = (refuter - p + PLAYERS) % PLAYERS if refuter >= 0 else PLAYERS
        out[ANSWER + asker * HOLDERS + place] = 1.0
        if refuter == p and s.shown[p][i]:
            out[SHOWN + (asker - 1) * CARDS + s.shown[p][i] - 1] = 1.0


def count_all_slowly(facts: IntArray, possible: IntArray, p: int, tensor: IntArray, cards: IntArray) -> int:
    """The same numbers of deals for any number of players, with tables that are made anew."""
    by_triple, by_card = np.zeros(TRIPLES), np.zeros((CARDS, PLAYERS + 1))
    total = count_anew(facts, DECK, possible, by_triple, by_card)
    for triple in range(TRIPLES):
        tensor[triple] = int(by_triple[triple])
    for card in range(CARDS):
        for place in range(PLAYERS):
            holder = (p + 1 + place) % PLAYERS if place < PLAYERS - 1 else PLAYERS
            cards[card * PLAYERS + place] = int(by_card[card][holder])
    return int(total)


count_all = AlwaysCompiled(count_all_slowly)


def parts_of(action: int) -> tuple[int, int, int]:
    """The outputs of an action: a card of each kind to suggest; a card to show; a card of each kind to accuse; none."""
    if action < SHOW:
        triple = action % TRIPLES
        first = 0 if action < ACCUSE else 2 * CARDS
        weapon, room = triple // ROOMS % WEAPONS, triple % ROOMS
        return first + triple // (WEAPONS * ROOMS), first + SUSPECTS + weapon, first + SUSPECTS + WEAPONS + room
    return (CARDS + action - SHOW, -1, -1) if action < END_TURN else (3 * CARDS, -1, -1)


FEATURES = OwnFeatures(COUNT, features, WORK, replaces_view=True)
HEAD = ActionHead(tuple(parts_of(action) for action in range(ACTIONS)), given)
