"""The end of a game of Clue: once few deals are left, each is looked at.

Martin (2020), section V, wishes for subgame solving "when approaching near the end of the game". When at most `deals`
deals are possible, all of them are listed with their weights, the detective's posterior, and every suggestion is
valued by expectimax over two of my own turns: it wins now where the file is right; elsewhere somebody shows a card,
any of those they could show alike, which leaves fewer deals, and in my next turn I suggest the likeliest file of these,
if nobody has won before: each other player does so with the probability that `pace` says. Until then, and to show
cards and accuse, it is the detective.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, Ints
from parlor.game.parameters import Parameter
from parlor.games.clue.agents.detective import SETTINGS, DetectiveMind, as_number, detective_probabilities, new_mind
from parlor.games.clue.agents.table import card_in, kind_cards
from parlor.games.clue.deduction.facts import bits, cards_of_triple, deck_cards, deck_triples

MAX_STEPS = 200_000  # hands that are tried to list the deals
CERTAIN = 1.0 - 1e-9


class Deals(NamedTuple):
    """Memory for the deals that are left. N of them at most."""

    hands: Any  # [N, player]
    file: Any  # [N] a number for each different file
    triple: Any  # [N] its triple
    weight: Any  # [N]
    files: Any  # [triple] the number of a file, -1 if it is none
    index: Any  # [player] the hand that is tried
    found: Any  # [answer, N] weights by what was answered, and file
    value: Any  # [triple]


def new_deals(deck: Any, most: int) -> Deals:
    """For at most so many deals."""
    players, triples = int(deck[0]), deck_triples(deck)
    return Deals(
        np.zeros((most, players), np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most),
        np.zeros(triples, np.int64), np.zeros(players, np.int64), np.zeros((3 * players + 1, most)), np.zeros(triples),
    )  # fmt: skip


def list_deals(p: int, mind: DetectiveMind, deals: Deals) -> int:
    """List all deals after `believe`; returns how many, or -1 if there are too many."""
    deck, work = mind.deck, mind.work
    players, everything = deck[0], (1 << deck_cards(deck)) - 1
    count = steps = 0
    q = 0
    deals.index[0] = -1
    while q >= 0:
        deals.index[q] += 1
        if deals.index[q] >= work.listed[q]:
            q -= 1
            continue
        steps += 1
        if steps > MAX_STEPS:
            return -1
        taken, weight, fits = 0, 1.0, True
        for k in range(q + 1):
            hand = work.hands[k][deals.index[k]]
            if taken & hand:
                fits = False
                break
            taken |= hand
            weight *= work.weights[k][deals.index[k]]
        if not fits or weight == 0.0:
            continue
        if q < players - 1:
            q += 1
            deals.index[q] = -1
            continue
        triple = triple_left(everything & ~taken, deck)
        if triple < 0 or mind.possible[triple] == 0.0:
            continue
        if count == len(deals.weight):
            return -1
        for k in range(players):
            deals.hands[count][k] = work.hands[k][deals.index[k]]
        deals.triple[count] = triple
        deals.weight[count] = weight * mind.possible[triple]
        count += 1
    return int(count)


def triple_left(cards: int, deck: Any) -> int:
    """The triple of three cards; -1 if they are not one of each kind."""
    triple = 0
    start = 0
    for kind in range(3):
        here = cards & kind_cards(kind, deck)
        if bits(here) != 1:
            return -1
        card = 0
        while here >> start + card & 1 == 0:
            card += 1
        triple = triple * deck[1 + kind] + card
        start += deck[1 + kind]
    return int(triple)


def value_suggestions(p: int, mind: DetectiveMind, deals: Deals, count: int, pace: float) -> None:
    """Fill the value of every suggestion: the probability to win now, or in my next turn."""
    deck, found = mind.deck, deals.found
    players = deck[0]
    files = 0
    total = 0.0
    for triple in range(deck_triples(deck)):
        deals.files[triple] = -1
    for i in range(count):
        total += deals.weight[i]
        if deals.files[deals.triple[i]] < 0:
            deals.files[deals.triple[i]] = files
            files += 1
        deals.file[i] = deals.files[deals.triple[i]]
    again = (1.0 - pace) ** (players - 1)
    for triple in range(deck_triples(deck)):
        cards = cards_of_triple(triple, deck)
        for answer in range(3 * players + 1):
            for file in range(files):
                found[answer][file] = 0.0
        now = 0.0
        for i in range(count):
            if deals.triple[i] == triple:
                now += deals.weight[i]
                continue
            refuter = -1
            for distance in range(1, players):
                q = (p + distance) % players
                if deals.hands[i][q] & cards:
                    refuter = q
                    break
            if refuter < 0:
                found[3 * players][deals.file[i]] += deals.weight[i]
                continue
            could = deals.hands[i][refuter] & cards
            for kind in range(3):
                if could >> card_in(triple, kind, deck) & 1:
                    found[3 * refuter + kind][deals.file[i]] += deals.weight[i] / bits(could)
        later = 0.0
        for answer in range(3 * players + 1):
            best = 0.0
            for file in range(files):
                best = max(best, found[answer][file])
            later += best
        deals.value[triple] = (now + again * later) / total


def endgame_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The detective, until few deals are left."""
    mind, deals, pace = data
    s = states[g]
    detective_probabilities(states, g, p, moves, n, out, r, mind)
    if s.answering or s.suggested or s.suggestions == 0:
        return
    triples = deck_triples(mind.deck)
    for i in range(triples, n):
        if out[i] > 0.0:
            return  # it accuses
    count = list_deals(p, mind, deals)
    if count <= 0:
        return
    value_suggestions(p, mind, deals, count, pace)
    best = 0.0
    for triple in range(triples):
        best = max(best, deals.value[triple])
    ties = 0
    for triple in range(triples):
        if deals.value[triple] >= best * CERTAIN:
            ties += 1
    for triple in range(triples):
        out[triple] = 1.0 / ties if deals.value[triple] >= best * CERTAIN else 0.0


def make(concrete: Game, name: str, deals: int, pace: float, **given: float | str) -> CompiledAgent:
    """With the settings of a detective, and its own."""
    settings = np.array([as_number(key, given[key]) for key in SETTINGS])

    def data(compiled: bool) -> tuple[Any, ...]:
        mind = new_mind(concrete, settings)
        return mind, new_deals(mind.deck, deals), pace

    return CompiledAgent(name, concrete, endgame_probabilities, data, slow=True)


SPEC = AgentSpec(
    "a detective that looks at every deal, and two of its turns ahead, once few deals are left",
    make,
    ("clue",),
    {
        "deals": Parameter(1000, "look at every deal once there are at most so many", 1, 5000, server_limit=1000),
        "pace": Parameter(0.2, "how likely each other player is taken to win before the next turn", 0.0, 1.0),
        **SETTINGS,
    },
    name="Closing Cleo",
    made="Written by hand: exact look-ahead over the deals that are left.",
)
