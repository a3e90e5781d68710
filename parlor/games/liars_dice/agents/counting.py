"""Counting: reckons how likely each bid is to hold, with its own dice and what the other's bids suggest.

A die of the other player shows a face, or the wild one, with known odds, and more often if the other has bid that face:
who bids usually has it. It calls the other a liar if that is more likely to win than the best bid it could make.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, Ints, State
from parlor.game.parameters import Parameter

TRUST, DOUBT, SHARP, JUMP = 0, 1, 2, 3
VALUES = {
    "trust": Parameter(0.2, "how likely who bids a face has such a die for sure", 0.0, 1.0, internal=True),
    "doubt": Parameter(0.4, "how often it expects to be called a liar", 0.0, 1.0, internal=True),
    "sharp": Parameter(8.0, "how firmly it keeps to the best move", 0.5, 50.0, log=True, internal=True),
    "jump": Parameter(0.0, "how it dislikes to raise by more than it must", -0.1, 0.1, internal=True),
}


def holds(s: State, p: int, bid: int, dice: int, faces: int, trust: float) -> float:
    """The chance that a bid holds, for player `p`; `trust` is the chance that the bidder has one such die for sure."""
    face = bid % faces
    have = s.dice[p][face]
    share = 1.0 / faces
    if face != faces - 1:
        have += s.dice[p][faces - 1]
        share = 2.0 / faces
    need = bid // faces + 1 - have
    sure = at_least(need, dice, share)
    if trust == 0.0:
        return sure
    return (1.0 - trust) * sure + trust * at_least(need - 1, dice - 1, share)


def at_least(need: int, dice: int, share: float) -> float:
    """The chance that at least `need` of the dice show something that one die shows with the chance `share`."""
    if need <= 0:
        return 1.0
    total = 0.0
    for count in range(need, dice + 1):
        term = 1.0
        for i in range(count):
            term *= share * (dice - i) / (i + 1)
        for _ in range(dice - count):
            term *= 1.0 - share
        total += term
    return total


def counting_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """In proportion to an exponential of each move's chance to win."""
    s = states[g]
    dice, faces, value = data
    total = 0.0
    for i in range(n):
        bid = int(moves[i])
        if bid == 2 * dice * faces:
            chance = 1.0 - holds(s, p, s.last - 1, dice, faces, value[TRUST])
        else:
            said = 0.0  # whether the other has bid this face
            for quantity in range(2 * dice):
                earlier = quantity * faces + bid % faces
                if s.bids >> earlier & 1:
                    said = value[TRUST]
            chance = holds(s, p, bid, dice, faces, said)
            chance = chance + (1.0 - chance) * (1.0 - value[DOUBT]) - value[JUMP] * (bid - s.last)
        out[i] = np.exp(value[SHARP] * chance)
        total += out[i]
    for i in range(n):
        out[i] /= total


def make(concrete: Game, name: str, **values: float) -> CompiledAgent:
    """With the game's dice, and the values above or others."""
    dice, faces = int(concrete.options["dice"]), int(concrete.options["faces"])
    numbers = np.array([values.get(key, setting.default) for key, setting in VALUES.items()], np.float64)
    return CompiledAgent(name, concrete, counting_probabilities, lambda compiled: (dice, faces, numbers))


SPEC = AgentSpec(
    "reckons how likely each bid is to hold, and trusts the other's bids a little",
    make,
    ("liars-dice",),
    VALUES,
    quick=True,
    name="Counting Cleo",
    made="Written by hand; its trust and its boldness were tuned against the solved game with one die each.",
)
