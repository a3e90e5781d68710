"""Certain knowledge of the cards: who has which, who lacks which, and "at least one of these three".

Facts are an array with a row for each player: the size of the hand, the cards the player has, those the player
lacks (sets of cards, a bit each), how many clauses follow, and the clauses: sets of cards of which the player has at
least one. Beside them stands `possible`, a weight for each triple that could lie in the file, 0.0 if it cannot.

These functions know no options, so that agents and commands can use them for every deck: `deck` is five numbers,
the players, the suspects, the weapons, the rooms, and whether there are accusations.
"""

from __future__ import annotations

from typing import Any

from parlor.game import State
from parlor.games.clue.asked import TRIPLE_BITS, asker_of, refuter_of, triple_asked

Array = Any  # of integers or floats, of NumPy or nested lists
Deck = Any  # players, suspects, weapons, rooms, accusations

SIZE, HAS, LACKS, CLAUSES, FIRST = 0, 1, 2, 3, 4  # columns of facts; the clauses begin at FIRST


def deck_cards(deck: Deck) -> int:
    """The number of cards."""
    return int(deck[1] + deck[2] + deck[3])


def deck_triples(deck: Deck) -> int:
    """The number of triples of a suspect, a weapon and a room."""
    return int(deck[1] * deck[2] * deck[3])


def cards_of_triple(triple: int, deck: Deck) -> int:
    """Its three cards, a bit each."""
    suspect = triple // (deck[2] * deck[3])
    weapon = deck[1] + triple // deck[3] % deck[2]
    room = deck[1] + deck[2] + triple % deck[3]
    return 1 << suspect | 1 << weapon | 1 << room


def bits(cards: int) -> int:
    """The number of cards in a set."""
    count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count


def begin_facts(first: int, deck: Deck, facts: Array, possible: Array) -> None:
    """Nothing is known but how many cards everybody has; the larger hands lie at the seat `first` and clockwise."""
    players, in_hands = deck[0], deck_cards(deck) - 3
    for q in range(players):
        larger = (q - first + players) % players < in_hands % players
        facts[q][SIZE] = in_hands // players + (1 if larger else 0)
        facts[q][HAS] = 0
        facts[q][LACKS] = 0
        facts[q][CLAUSES] = 0
    for triple in range(deck_triples(deck)):
        possible[triple] = 1.0


def add_clause(facts: Array, q: int, cards: int) -> None:
    """Player `q` has at least one of these cards."""
    n = facts[q][CLAUSES]
    for i in range(n):
        if facts[q][FIRST + i] == cards:
            return
    facts[q][FIRST + n] = cards
    facts[q][CLAUSES] = n + 1


def add_suggestion(facts: Array, deck: Deck, cards: int, asker: int, refuter: int, shown: int) -> None:
    """Those between lack the cards; the refuter (-1: nobody) has `shown`, a card, or one of them if that is -1."""
    players = deck[0]
    for distance in range(1, players):
        q = (asker + distance) % players
        if q == refuter:
            if shown >= 0:
                facts[q][HAS] |= 1 << shown
            else:
                add_clause(facts, q, cards)
            return
        facts[q][LACKS] |= cards


def gather(s: State, p: int, deck: Deck, facts: Array, possible: Array) -> None:
    """All that player `p` has seen for certain, from the part of a state that `p` sees."""
    begin_facts(s.first - 1, deck, facts, possible)
    facts[p][HAS] = s.hand[p]
    facts[p][LACKS] = (1 << s.dealt) - 1 & ~s.hand[p]
    for i in range(s.suggestions):
        triple, asker, refuter = triple_asked(s.asked[i]), asker_of(s.asked[i]), refuter_of(s.asked[i])
        cards = cards_of_triple(triple, deck)
        add_suggestion(facts, deck, cards, asker, refuter, s.shown[p][i] - 1)
        if refuter < 0 and not deck[4]:  # it would have won if it were right, so the asker has one of the three
            if s.winner and i == s.suggestions - 1:
                for other in range(deck_triples(deck)):
                    possible[other] = 1.0 if other == triple else 0.0
            else:
                possible[triple] = 0.0
                add_clause(facts, asker, cards)
    for q in range(deck[0]):
        if s.accused[q]:
            possible[(s.accused[q] & (1 << TRIPLE_BITS) - 1) - 1] = 0.0


def deduce(facts: Array, deck: Deck) -> bool:
    """Draw the simple conclusions, until there are no more; False if the facts contradict each other.

    Others lack what somebody has; a full hand has no other card; who lacks too many cards has all the rest; a clause
    with one card left names it; and a card with one place left lies there.
    """
    players, everything = deck[0], (1 << deck_cards(deck)) - 1
    going = True
    while going:
        going = False
        held = 0
        for q in range(players):
            if held & facts[q][HAS]:
                return False
            held |= facts[q][HAS]
        for q in range(players):
            has, lacks = facts[q][HAS], facts[q][LACKS] | held & ~facts[q][HAS]
            size = facts[q][SIZE]
            if bits(has) == size:
                lacks |= everything & ~has
            if bits(everything & ~lacks) == size:
                has |= everything & ~lacks
            kept = 0
            for i in range(facts[q][CLAUSES]):
                cards = facts[q][FIRST + i] & ~lacks
                if cards & has:
                    continue
                if cards == 0:
                    return False
                if cards & (cards - 1) == 0:
                    has |= cards
                else:
                    facts[q][FIRST + kept] = cards
                    kept += 1
            if has & lacks or bits(has) > size or bits(everything & ~lacks) < size:
                return False
            if has != facts[q][HAS] or lacks != facts[q][LACKS]:
                going = True
            facts[q][HAS], facts[q][LACKS], facts[q][CLAUSES] = has, lacks, kept
        start = 0
        for kind in range(3):
            end = start + deck[1 + kind]
            placed = place_kind(facts, players, start, end)
            if placed < 0:
                return False
            going = going or placed > 0
            start = end
    return True


def place_kind(facts: Array, players: int, start: int, end: int) -> int:
    """Place cards of one kind that have one place left, as the file takes exactly one of them.

    Returns 1 if that has changed the facts, 0 if not, -1 if it cannot be.
    """
    filed, unplaced, last = -1, 0, 0
    for card in range(start, end):
        if not is_held(facts, players, card):
            unplaced += 1
            last = card
            if could_hold(facts, players, card) == 0:
                if filed >= 0:
                    return -1
                filed = card
    if unplaced == 0:
        return -1
    placed = 0
    if filed < 0 and unplaced == 1:
        filed = last
        for q in range(players):
            facts[q][LACKS] |= 1 << last
        placed = 1
    if filed >= 0:
        for card in range(start, end):
            if card != filed and not is_held(facts, players, card) and could_hold(facts, players, card) == 1:
                for q in range(players):
                    if facts[q][LACKS] >> card & 1 == 0:
                        facts[q][HAS] |= 1 << card
                placed = 1
    return placed


def is_held(facts: Array, players: int, card: int) -> bool:
    """Whether somebody is known to have a card."""
    held = 0
    for q in range(players):
        held |= facts[q][HAS]
    return bool(held >> card & 1)


def could_hold(facts: Array, players: int, card: int) -> int:
    """The number of players who could have a card."""
    count = 0
    for q in range(players):
        count += 1 - (facts[q][LACKS] >> card & 1)
    return count
