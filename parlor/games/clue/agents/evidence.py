"""Evidence about the others' cards in their behaviour: a likelihood for each hand.

A player who only wants to win suggests neither cards they hold nor cards they were shown. So

- a card that a player suggests is not in their hand;
- of three cards one of which was shown to a player, those that they suggest later were not the one;
- a player who shows a card probably had few others to show;
- with accusations: a player who does not accuse after nobody could refute them holds one of the three cards.

*Hard* evidence takes the first two for certain, as the player does that Martin (2020) mentions: bluffers poison it.
*Soft* evidence multiplies the weight of a hand by a small number, `doubt`, for each time it speaks against it, so
that nothing is ever ruled out. Some players may be bluffers, who suggest cards of their own in their first turns: the
likelihood of a hand is then the mean over both kinds of players.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor.game import State
from parlor.games.clue.agents.table import card_in
from parlor.games.clue.asked import TRIPLE_BITS, asker_of, refuter_of, triple_asked
from parlor.games.clue.deduction.facts import cards_of_triple, deck_cards

#: Settings, all of them numbers.
EVIDENCE, DOUBT, BLUFFERS, BLUFF, BLUFF_TURNS = 0, 1, 2, 3, 4
NONE, HARD, SUGGESTIONS, SOFT = 0.0, 1.0, 2.0, 3.0

HONEST, BLUFFING = 0, 1  # kinds of players
MIN_LIKELIHOOD = 1e-12  # the likelihood of a card is never less: products stay above zero
BLOCK, BLOCKS = 7, 3  # the likelihoods of cards are multiplied by seven at a time; there are at most 21 cards

#: Columns of an event: the three cards, and those of them that speak against a hand that has no other; the kind.
LATER, KIND = 3, 4
SHOWN_TO_ME, SHOWN, NOT_ACCUSED = 0, 1, 2


class Evidence(NamedTuple):
    """Working memory."""

    cards: Any  # [player, kind of player, card] the likelihood of holding it
    blocks: Any  # [kind of player, block, cards of the block] the product
    events: Any  # [player, event, 5] see above
    count: Any  # [player] events
    later: Any  # [player] cards suggested later on
    turns: Any  # [player] suggestions


def new_evidence(deck: Any, cap: int) -> Evidence:
    """Enough for `cap` suggestions."""
    players = int(deck[0])
    return Evidence(
        np.zeros((players, 2, BLOCK * BLOCKS)), np.zeros((2, BLOCKS, 1 << BLOCK)),
        np.zeros((players, cap, 5), np.int64), np.zeros(players, np.int64), np.zeros(players, np.int64),
        np.zeros(players, np.int64),
    )  # fmt: skip


def collect(s: State, p: int, deck: Any, settings: Any, found: Evidence) -> None:
    """Read the history backwards, so that what was suggested later is known."""
    players = deck[0]
    for q in range(players):
        found.count[q] = found.later[q] = found.turns[q] = 0
        for card in range(deck_cards(deck)):
            found.cards[q][HONEST][card] = found.cards[q][BLUFFING][card] = 1.0
    for i in range(s.suggestions):
        found.turns[asker_of(s.asked[i])] += 1
    for i in range(s.suggestions - 1, -1, -1):
        entry = s.asked[i]
        triple, asker, refuter = triple_asked(entry), asker_of(entry), refuter_of(entry)
        found.turns[asker] -= 1
        if refuter >= 0 and refuter != p and (asker != p or s.shown[p][i]):
            add_event(found, refuter, triple, found.later[asker], SHOWN_TO_ME if asker == p else SHOWN, deck)
        if asker == p:
            continue
        if refuter < 0:  # it was no win: the asker holds one of them
            if deck[4] and s.accused[asker] >> TRIPLE_BITS != i + 1:
                add_event(found, asker, triple, 0, NOT_ACCUSED, deck)
            continue
        found.later[asker] |= cards_of_triple(triple, deck)
        doubt, least = (settings[DOUBT], MIN_LIKELIHOOD) if settings[EVIDENCE] != HARD else (0.0, 0.0)
        for kind in range(3):
            card = card_in(triple, kind, deck)
            honest, bluffing = found.cards[asker][HONEST], found.cards[asker][BLUFFING]
            early = found.turns[asker] < settings[BLUFF_TURNS]
            honest[card] = max(honest[card] * doubt, least)
            bluffing[card] = max(bluffing[card] * (settings[BLUFF] if early else doubt), least)


def add_event(found: Evidence, q: int, triple: int, later: int, kind: int, deck: Any) -> None:
    """Player `q` has shown one of three cards, or did not accuse."""
    event = found.events[q][found.count[q]]
    for k in range(3):
        event[k] = card_in(triple, k, deck)
    event[LATER] = later
    event[KIND] = kind
    found.count[q] += 1


def multiply_blocks(found: Evidence, q: int) -> None:
    """The products of the likelihoods of up to seven cards, for all their subsets."""
    for player in range(2):
        for block in range(BLOCKS):
            products = found.blocks[player][block]
            products[0] = 1.0
            for bit in range(BLOCK):
                likelihood = found.cards[q][player][block * BLOCK + bit]
                for subset in range(1 << bit):
                    products[subset | 1 << bit] = products[subset] * likelihood


def hand_probabilities(s: State, p: int, deck: Any, settings: Any, work: Any, found: Evidence) -> None:
    """Multiply the weights of all listed hands by their likelihoods."""
    collect(s, p, deck, settings, found)
    soft, choices = settings[EVIDENCE] != HARD, settings[EVIDENCE] == SOFT
    doubt = settings[DOUBT] if soft else 0.0
    bluffers = settings[BLUFFERS] if soft else 0.0
    low = (1 << BLOCK) - 1
    for q in range(deck[0]):
        if q == p:
            continue
        multiply_blocks(found, q)
        honest, bluffing = found.blocks[HONEST], found.blocks[BLUFFING]
        for i in range(work.listed[q]):
            hand = work.hands[q][i]
            a, b, c = hand & low, hand >> BLOCK & low, hand >> 2 * BLOCK
            weight = honest[0][a] * honest[1][b] * honest[2][c]
            if bluffers > 0.0:
                lied = bluffing[0][a] * bluffing[1][b] * bluffing[2][c]
                weight = (1.0 - bluffers) * weight + bluffers * lied
            for k in range(found.count[q]):
                weight *= likelihood_of(found.events[q][k], hand, doubt, choices)
            work.weights[q][i] *= weight


def likelihood_of(event: Any, hand: int, doubt: float, choices: bool) -> float:
    """The likelihood of an event, given a hand."""
    could = good = 0
    for k in range(3):
        held = hand >> event[k] & 1
        could += held
        good += held & ~(event[LATER] >> event[k])
    if event[KIND] == NOT_ACCUSED:
        return 1.0 if could else doubt
    if not choices:
        return 1.0 if event[KIND] == SHOWN_TO_ME or good else doubt
    if event[KIND] == SHOWN_TO_ME:
        return 1.0 / could
    return (good + doubt * (could - good)) / could
