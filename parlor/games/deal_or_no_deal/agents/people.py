"""Simulated people who bargain, with known parameters: they demand much at first, concede turn by turn, and err.

Everybody has an aim, points that it wants. It agrees to a proposal that is worth about its aim, less its `slack`; the
further a proposal is above or below that, the surer the decision, by a logistic function. Otherwise it proposes a
split: the closer to its aim and the more items it leaves to the other, the likelier, by a softmax. In the last turn
anything is better than nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.agents.behaviour import Behaviour, Trait
from parlor.game import Floats, Game, Ints
from parlor.games.deal_or_no_deal.tables import KEPT

TYPES = 3
OPENING, CONCESSION, MINIMUM, SLACK, KINDNESS, NOISE = range(6)

TRAITS: Mapping[str, Trait] = {
    "opening": Trait(8.6, 0.9, 5.0, 10.0, "points that it demands in its first turn"),
    "concession": Trait(0.7, 0.3, 0.0, 3.0, "points that it demands less with each of its turns"),
    "least": Trait(4.0, 1.0, 1.0, 8.0, "points below which its demand does not fall"),
    "slack": Trait(1.2, 0.5, 0.0, 4.0, "points below its demand at which it is as likely to agree as not"),
    "kindness": Trait(0.5, 0.2, 0.0, 2.0, "what an item left to the other is worth to it, when it proposes"),
    "noise": Trait(0.6, 0.15, 0.1, 3.0, "how much it errs"),
}


class PersonMind(NamedTuple):
    """The traits and working memory of a simulated person."""

    traits: Any  # [6]
    turns: int
    kept: Any  # [actions - 1, types] what the proposer keeps


def person_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The chance to agree, and that of each proposal otherwise."""
    s = states[g]
    traits, turns, kept = data
    aim = max(traits[OPENING] - traits[CONCESSION] * (s.made // 2), traits[MINIMUM])
    agrees, proposals = 0.0, n
    if s.made > 0:
        proposals = n - 1
        offered = 0
        for k in range(TYPES):
            offered += s.values[p][k] * (s.pool[k] - s.offers[s.made - 1][k])
        wanted = aim - traits[SLACK]
        if s.made == turns - 1:
            wanted = min(wanted, 1.0)
        agrees = 1.0 / (1.0 + math.exp(min(max((wanted - offered) / traits[NOISE], -50.0), 50.0)))
        out[n - 1] = agrees
    most = -1e300
    for i in range(proposals):
        mine, given = 0, 0
        for k in range(TYPES):
            mine += s.values[p][k] * kept[moves[i]][k]
            given += s.pool[k] - kept[moves[i]][k]
        out[i] = (traits[KINDNESS] * given - abs(mine - aim)) / traits[NOISE]
        most = max(most, out[i])
    total = 0.0
    for i in range(proposals):
        out[i] = math.exp(out[i] - most)
        total += out[i]
    for i in range(proposals):
        out[i] *= (1.0 - agrees) / total


def make(concrete: Game, name: str, traits: Mapping[str, float]) -> CompiledAgent:
    """A person with these traits."""
    numbers, turns = np.array([traits[trait] for trait in TRAITS]), int(concrete.options["turns"])
    kept = np.array(KEPT, np.int64)
    minds = PersonMind(numbers.tolist(), turns, KEPT), PersonMind(numbers, turns, kept)
    return CompiledAgent(name, concrete, person_probabilities, lambda compiled: minds[compiled])


BEHAVIOUR = Behaviour("demands much, concedes with every turn, and errs", TRAITS, make)
