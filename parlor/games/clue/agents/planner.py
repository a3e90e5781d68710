"""A trained player of Clue: what to do is learned, how to do it is counted.

A policy for the abstraction `plans` says how often to believe, to doubt, to hide a card, and what to show. It was
trained with a quick estimate of where cards are. Here its information sets are looked up in the same way, but the
plans are carried out with the detective's exact posterior. Where the policy knows nothing, it believes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.compile import Bindings
from parlor.compile.kernel import FloatArray, IntArray
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.game.parameters import Parameter
from parlor.games.clue.agents.detective import SETTINGS, DetectiveMind, add_decoys, as_number, believe, new_mind
from parlor.games.clue.agents.table import card_in, first_show, kind_cards
from parlor.games.clue.asked import triple_asked
from parlor.games.clue.deduction.facts import bits, deck_triples
from parlor.games.clue.plans import ACCUSING, DOUBT, ENDING, HIDE, SHOWING
from parlor.policies.policy import Policy

ABSTRACTION = "plans"
RARE = 0.001  # plans below this are not carried out


def plan_key(s: State, p: int) -> int:
    """Bound to the key of the abstraction."""
    raise NotImplementedError


def plan_legal(s: State, out: Ints) -> int:
    """Bound to the legal plans of the abstraction."""
    raise NotImplementedError


def plan_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """Look up the plans, and turn them into moves."""
    believing, doubting, keys, starts, probabilities, plans, shares = data
    s = states[g]
    count = plan_legal(s, plans)
    look_up(plan_key(s, p), count, keys, starts, probabilities, shares)
    for i in range(n):
        out[i] = 0.0
    if s.answering:
        triple = triple_asked(s.asked[s.suggestions - 1])
        for k in range(count):
            card = card_in(triple, plans[k] - SHOWING, believing.deck)
            for i in range(n):
                if moves[i] == first_show(believing.deck) + card:
                    out[i] += shares[k]
        return
    known = False
    for k in range(count):
        if plans[k] != DOUBT and shares[k] > 0.0:
            if not known:
                believe(s, p, believing, False)
                known = True
            carry_out(s, p, int(plans[k]), shares[k], believing, n, out)
    for k in range(count):
        if plans[k] == DOUBT and shares[k] > 0.0:
            believe(s, p, doubting, False)
            carry_out(s, p, DOUBT, shares[k], doubting, n, out)


def look_up(key: int, count: int, keys: IntArray, starts: IntArray, probabilities: FloatArray, shares: Floats) -> None:
    """The probabilities of the plans, without rare ones; if the policy does not know, the first."""
    place = np.searchsorted(keys, key)
    known = place < len(keys) and keys[place] == key and starts[place + 1] - starts[place] == count
    total = 0.0
    for k in range(count):
        shares[k] = probabilities[starts[place] + k] if known else 1.0 if k == 0 else 0.0
        if shares[k] < RARE:
            shares[k] = 0.0
        total += shares[k]
    for k in range(count):
        shares[k] /= total


def carry_out(s: State, p: int, plan: int, share: float, mind: DetectiveMind, n: int, out: Floats) -> None:
    """Add the share of a plan to the moves that it comes to."""
    triples = deck_triples(mind.deck)
    if plan == ENDING:
        out[n - 1] += share
        return
    best = 0
    for triple in range(triples):
        if mind.tensor[triple] > mind.tensor[best]:
            best = triple
    if plan == ACCUSING:
        out[best if s.suggested else triples + best] += share
    elif plan == HIDE:
        own = s.hand[p]
        for kind in range(3):
            held = bits(own & kind_cards(kind, mind.deck))
            if held:
                add_decoys(kind, own, share * held / bits(own), mind, out)
    else:
        ties = 0
        for triple in range(triples):
            if mind.tensor[triple] >= mind.tensor[best] * (1.0 - 1e-9):
                ties += 1
        for triple in range(triples):
            if mind.tensor[triple] >= mind.tensor[best] * (1.0 - 1e-9):
                out[triple] += share / ties


def make(concrete: Game, name: str, policy: Policy, doubt: float, bluffers: float) -> CompiledAgent:
    """For the game that the policy was made for."""
    made_for, _, abstraction = policy.game.rpartition("/")
    if abstraction != ABSTRACTION or made_for != concrete.name:
        raise GameError(f"{name} needs a policy for {concrete.name}/{ABSTRACTION}, not for {policy.game}.")
    rules = concrete.abstract(ABSTRACTION).rules
    values = {key: setting.default for key, setting in SETTINGS.items()} | {"doubt": doubt, "bluffers": bluffers}
    soft, none = (
        np.array([as_number(key, value) for key, value in {**values, "evidence": evidence}.items()])
        for evidence in ("soft", "none")
    )

    def data(compiled: bool) -> tuple[Any, ...]:
        mind = new_mind(concrete, soft)
        arrays = (policy.keys, policy.starts, policy.probabilities)
        return mind, mind._replace(settings=none), *arrays, np.zeros(16, np.int64), np.zeros(16)

    slots: Bindings = {plan_key: rules.key, plan_legal: rules.legal}
    return CompiledAgent(name, concrete, plan_probabilities, data, slots=slots, slow=True)


def table_for(game: str) -> str:
    """The game that it plays with a policy for `game`; empty if it cannot."""
    concrete, _, abstraction = game.rpartition("/")
    return concrete if abstraction == ABSTRACTION and concrete.partition("(")[0] == "clue" else ""


SPEC = AgentSpec(
    "a trained policy of plans, carried out with exact counting",
    make,
    ("clue",),
    {
        "policy": Parameter("", "the run or file with a policy for clue/plans", names="file", file_kind=Policy.kind),
        "doubt": Parameter(0.05, "the likelihood of suggesting a card that one holds or has seen", 0.000_001, 1.0),
        "bluffers": Parameter(0.3, "the share of players who may bluff in their first turns", 0.0, 1.0),
    },
    game_of_file=table_for,
    name="Trained Tilda",
    made="Trained by Monte-Carlo CFR in self-play; it carries out its plans with exact counting.",
)
