"""The two random players of Martin (2020), which count nothing.

*Stateless* suggests any cards that it does not hold; *stateful* also remembers the cards it was shown, and suggests
none of them. Both show any card they can. With accusations they accuse whom they have just suggested if nobody could
refute it: as they hold none of the three cards, these are in the file.
"""

from __future__ import annotations

from typing import Any

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, Ints
from parlor.games.clue.agents.table import cards_seen, unrefuted
from parlor.games.clue.deduction.facts import cards_of_triple, deck_triples
from parlor.games.clue.deduction.hands import deck_of


def unknown_probabilities(
    states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: tuple[Any, int]
) -> None:
    """Every triple of unknown cards alike."""
    s = states[g]
    deck, remembers = data
    triples = deck_triples(deck)
    known = cards_seen(s, p) if remembers else s.hand[p]
    proven = unrefuted(s, p)
    total = 0.0
    for i in range(n):
        a = int(moves[i])
        out[i] = 1.0
        if s.answering == 0:
            if a < triples:
                out[i] = 0.0 if cards_of_triple(a, deck) & known else 1.0
            elif a < 2 * triples:
                out[i] = 1.0 if a - triples == proven else 0.0
            else:
                out[i] = 0.0 if proven >= 0 else 1.0
        total += out[i]
    for i in range(n):
        out[i] /= total


def spec(summary: str, remembers: int, name: str) -> AgentSpec:
    """They differ by what they remember."""

    def make(concrete: Game, text: str) -> CompiledAgent:
        deck = deck_of(concrete)
        return CompiledAgent(text, concrete, unknown_probabilities, lambda compiled: (deck, remembers))

    made = "Written by hand: a random player of Martin (2020)."
    return AgentSpec(summary, make, ("clue",), quick=True, name=name, made=made, default_opponent=False)


STATELESS = spec("suggests any cards that it does not hold", 0, "Forgetful Finn")
STATEFUL = spec("suggests any cards that it has not seen", 1, "Mindful Mia")
