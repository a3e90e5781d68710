"""Players that count: for each triple, the exact number of deals in which it lies in the file, or their weight.

They suggest the triple that is most likely in the file; equal ones at random. They differ by settings:

- `model-counting` counts deals (Martin, 2020: greedy model counting) and shows any card;
- `exploiter` believes whatever the others' suggestions say about their cards;
- `believer` weighs that evidence, and `bluffer` plays on it: it often suggests a card of its own in its first turns;
- `detective` weighs all evidence, hides a little, and shows what helps the asker least.

With accusations they accuse when the triple is certain, or likely enough after their suggestion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.game.parameters import Parameter
from parlor.games.clue.agents.evidence import EVIDENCE, NONE, hand_probabilities, new_evidence
from parlor.games.clue.agents.showing import BELIEF, SHOW_WORDS, card_probabilities, expect_left
from parlor.games.clue.agents.table import cards_seen, kind_cards, stride_of, turns_of
from parlor.games.clue.deduction.facts import bits, cards_of_triple, deck_triples, gather
from parlor.games.clue.deduction.hands import deck_of, list_hands, new_counts, new_facts, workspace
from parlor.games.clue.deduction.knowledge import count_hands
from parlor.games.clue.deduction.tables import fold_hands

#: Settings as numbers; the first five are of `evidence`.
HIDE, HIDE_TURNS, HIDE_UNTIL, DECOY, SHOW, ACCUSE, TOLERANCE = 5, 6, 7, 8, 9, 10, 11
OWN, KNOWN = 0.0, 1.0
CERTAIN = 1.0 - 1e-9
EVIDENCE_WORDS = ("none", "hard", "suggestions", "soft")
DECOY_WORDS = ("own", "known")


class DetectiveMind(NamedTuple):
    """The parameters and working memory of a detective."""

    deck: Any
    settings: Any
    cap: int
    facts: Any
    possible: Any
    work: Any
    tensor: Any  # [triple] the weight of the deals that have it in the file
    cards: Any  # [card, player or file]
    evidence: Any
    left: Any  # [kind] cards that the asker cannot place
    pairs: Any  # [triple] the weight of two of its cards


def detective_probabilities(
    states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, mind: DetectiveMind
) -> None:
    """Show, suggest, accuse, or end the turn."""
    s = states[g]
    deck, settings = mind.deck, mind.settings
    if s.answering:
        if settings[SHOW] == BELIEF:
            total = believe(s, p, mind, True)
            expect_left(s, p, deck, mind.cards, total, mind.left)
        card_probabilities(s, p, moves, n, out, deck, settings[SHOW], mind.left)
        return
    total = believe(s, p, mind, False)
    triples = deck_triples(deck)
    best = 0
    for triple in range(triples):
        if mind.tensor[triple] > mind.tensor[best]:
            best = triple
    for i in range(n):
        out[i] = 0.0
    sure = mind.tensor[best] / total
    if s.suggested:
        accuse = sure >= settings[ACCUSE] or (s.suggestions == mind.cap and sure > 1.0 / deck[0])
        out[best if accuse else n - 1] = 1.0  # accusations come first, then the end of the turn
    elif deck[4] and sure >= CERTAIN:
        out[triples + best] = 1.0
    else:
        suggest(s, p, mind, out, best)


def believe(s: State, p: int, mind: DetectiveMind, by_card: bool) -> float:
    """Fill the tensor, and the cards if they are asked for; returns the weight of all deals."""
    deck, settings = mind.deck, mind.settings
    gather(s, p, deck, mind.facts, mind.possible)
    if s.suggestions == 0:  # all triples of unknown cards are as likely as each other: nothing to count
        total = 0.0
        for triple in range(deck_triples(deck)):
            held = cards_of_triple(triple, deck) & s.hand[p]
            mind.tensor[triple] = 0.0 if held else mind.possible[triple]
            total += mind.tensor[triple]
        return total
    list_hands(mind.facts, deck, mind.work)
    if settings[EVIDENCE] != NONE:
        hand_probabilities(s, p, deck, settings, mind.work, mind.evidence)
    total = count(mind, by_card)
    if total > 0.0:
        return total
    for q in range(deck[0]):  # the evidence contradicts itself: believe nothing of it
        for i in range(mind.work.listed[q]):
            mind.work.weights[q][i] = 1.0
    return count(mind, by_card)


def count(mind: DetectiveMind, by_card: bool) -> float:
    """By the weights of the hands."""
    if by_card:
        return count_hands(mind.facts, mind.deck, mind.possible, mind.work, mind.tensor, mind.cards)
    return fold_hands(mind.deck, mind.possible, mind.work, mind.tensor)


def suggest(s: State, p: int, mind: DetectiveMind, out: Floats, best: int) -> None:
    """The most likely triples, or sometimes, in the first turns, two likely cards and a decoy."""
    deck, settings = mind.deck, mind.settings
    early = turns_of(s, p) < settings[HIDE_TURNS] and s.suggestions < settings[HIDE_UNTIL]
    hide = settings[HIDE] if early else 0.0
    hidden = 0.0
    if hide > 0.0:
        decoys = s.hand[p] if settings[DECOY] == OWN else cards_seen(s, p)
        kinds = 0
        for kind in range(3):
            if decoys & kind_cards(kind, deck):
                kinds += 1
        for kind in range(3):
            if decoys & kind_cards(kind, deck):
                add_decoys(kind, decoys, hide / kinds, mind, out)
                hidden = hide
    enough = mind.tensor[best] * (1.0 - settings[TOLERANCE])
    total = 0.0
    for triple in range(deck_triples(deck)):
        if mind.tensor[triple] >= enough:
            total += mind.tensor[triple]
    for triple in range(deck_triples(deck)):
        if mind.tensor[triple] >= enough:
            out[triple] += (1.0 - hidden) * mind.tensor[triple] / total


def add_decoys(kind: int, decoys: int, chance: float, mind: DetectiveMind, out: Floats) -> None:
    """Spread `chance` over the most likely pairs of the two other kinds, with any of the decoys of this kind."""
    deck, tensor, pairs = mind.deck, mind.tensor, mind.pairs
    stride, size = stride_of(kind, deck), deck[1 + kind]
    here = decoys & kind_cards(kind, deck)
    start = 0
    for k in range(kind):
        start += deck[1 + k]
    most = 0.0
    for triple in range(deck_triples(deck)):
        if triple // stride % size == 0:
            pairs[triple] = 0.0
            for card in range(size):
                pairs[triple] += tensor[triple + card * stride]
            most = max(most, pairs[triple])
    enough = most * (1.0 - mind.settings[TOLERANCE])
    ties = 0
    for triple in range(deck_triples(deck)):
        if triple // stride % size == 0 and pairs[triple] >= enough:
            ties += 1
    for triple in range(deck_triples(deck)):
        if triple // stride % size == 0 and pairs[triple] >= enough:
            for card in range(size):
                if here >> start + card & 1:
                    out[triple + card * stride] += chance / (ties * bits(here))


# --------------------------------------------------------------------------------------------------- settings

#: In the order of the numbers that `detective_probabilities` gets.
SETTINGS: Mapping[str, Parameter] = {
    "evidence": Parameter("soft", "what the others' behaviour says of their cards: none, hard, suggestions or soft"),
    "doubt": Parameter(0.02, "soft: the likelihood of suggesting a card that one holds or has seen", 0.000_001, 1.0),
    "bluffers": Parameter(0.2, "soft: the share of players who may bluff in their first turns", 0.0, 1.0),
    "bluff": Parameter(0.7, "soft: the likelihood that one of them suggests a card it holds, then", 0.0, 1.0),
    "bluff_turns": Parameter(2, "soft: in how many of their turns", 0, 200),
    "hide": Parameter(0.9, "how often it suggests a decoy in its first turns", 0.0, 1.0),
    "hide_turns": Parameter(2, "in how many of its turns", 0, 200),
    "hide_until": Parameter(1, "and only while fewer suggestions than this were made in all", 0, 200),
    "decoy": Parameter("own", "the decoy is one of its own cards, or any it has seen: own or known"),
    "show": Parameter(
        "room", "what it shows if it may choose: any, seen (what the asker has seen), room, shown, belief"
    ),
    "accuse": Parameter(0.4, "with accusations: how likely a triple must be, after its suggestion", 0.0, 1.0),
    "tolerance": Parameter(1e-9, "the share by which what it suggests may be less likely than the best", 0.0, 1.0),
}
WORDS = {"evidence": EVIDENCE_WORDS, "decoy": DECOY_WORDS, "show": SHOW_WORDS}


def as_number(name: str, value: float | str) -> float:
    """The value of a setting, or the place of its word."""
    if name not in WORDS:
        return float(value)
    if value not in WORDS[name]:
        raise GameError(f"{name} must be {', '.join(WORDS[name][:-1])} or {WORDS[name][-1]}, not {value!r}.")
    return float(WORDS[name].index(str(value)))


def new_mind(game: Game, settings: Any) -> DetectiveMind:
    """Memory for a game, with settings as numbers."""
    deck, cap = deck_of(game), int(game.options["cap"])
    facts, possible = new_facts(deck, cap)
    tensor, cards = new_counts(deck)
    return DetectiveMind(
        deck, settings, cap, facts, possible, workspace(deck), tensor, cards, new_evidence(deck, cap),
        np.zeros(3), np.zeros(deck_triples(deck)),
    )  # fmt: skip


def spec(summary: str, name: str, made: str, names: tuple[str, ...], **fixed: float | str) -> AgentSpec:
    """A detective with some settings that can be changed and others that are fixed."""
    defaults = {key: setting.default for key, setting in SETTINGS.items()}

    def make(concrete: Game, text: str, **given: float | str) -> CompiledAgent:
        values = {**defaults, **fixed, **given}
        settings = np.array([as_number(key, values[key]) for key in SETTINGS])
        return CompiledAgent(
            text, concrete, detective_probabilities, lambda compiled: new_mind(concrete, settings), slow=True
        )

    changeable = {
        key: replace(one, default=one.type(fixed.get(key, one.default)))
        for key, one in SETTINGS.items()
        if key in names
    }
    return AgentSpec(summary, make, ("clue",), changeable, name=name, made=made)


MODEL_COUNTING = spec(
    "counts the possible deals, and suggests the triple that is in the file in most of them",
    "Counting Carla",
    "Written by hand: greedy model counting (Martin, 2020).",
    ("tolerance",),
    evidence="none", hide=0.0, show="any", accuse=CERTAIN,
)  # fmt: skip
EXPLOITER = spec(
    "counts, and takes for granted that nobody suggests cards they hold or have seen",
    "Exploiting Ezra",
    "Written by hand: it exploits greedy model counters, as Martin (2020) mentions.",
    ("show",),
    evidence="hard", hide=0.0, show="any", accuse=CERTAIN,
)  # fmt: skip
BELIEVER = spec(
    "weighs what others suggest and show, and thinks that nobody bluffs",
    "Believing Ben",
    "Written by hand.",
    ("evidence", "doubt", "show", "accuse"),
    doubt=0.1, bluffers=0.0, hide=0.0,
)  # fmt: skip
BLUFFER = spec(
    "believes others, and often suggests a card of its own in its first two turns",
    "Bluffing Bella",
    "Written by hand.",
    ("doubt", "hide", "hide_turns", "hide_until", "decoy", "show", "accuse"),
    doubt=0.1, bluffers=0.0, hide=0.5, hide_until=200,
)  # fmt: skip
DETECTIVE = spec(
    "weighs what others suggest and show, hides what it holds, and shows what helps the asker least",
    "Detective Dora",
    "Written by hand; how far it believes others, and how often it hides, was tuned against the other agents.",
    tuple(SETTINGS),
)
