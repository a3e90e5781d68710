"""Bargainers by formula: they ask for much at first and for less with every turn (Faratin, Sierra and Jennings, 1998).

At each of its turns a bargainer has an aim, a number of points that falls from `first` to `last`. It agrees to a
proposal that is worth its aim. Otherwise it proposes, of all splits that are worth its aim, the one that is worth most
to the other as far as it knows: by chance alone, or, if it reads, by Bayes' rule from the other's proposals. For that
it takes the other to propose a split the more likely the more it is worth to the other, exp(read · worth).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.compile.kernel import decide, possible
from parlor.game import Floats, Game, Ints, State
from parlor.game.parameters import Parameter
from parlor.games.deal_or_no_deal.tables import KEPT
from parlor.search.rollout import SearchFindings

TYPES = 3
FIRST, LAST, SPEED, READ = range(4)


class BargainerMind(NamedTuple):
    """The parameters and working memory of a bargainer."""

    numbers: Any  # [4] its settings
    turns: int
    kept: Any  # [actions - 1, types] what the proposer keeps
    vectors: Any  # [codes, types] the other's values
    codes: Any  # [codes]
    weights: Any  # [codes]
    expected: Any  # [types] what each type is worth to the other, on average
    weighed: Any  # [1] how many codes it has weighed for its last decision


def aim(s: State, turns: int, numbers: Any) -> float:
    """The points that a bargainer wants at this turn: `first` at the first, `last` at the last two."""
    past = min(s.made / max(turns - 2, 1), 1.0)
    return float(numbers[LAST] + (numbers[FIRST] - numbers[LAST]) * (1.0 - past ** (1.0 / numbers[SPEED])))


def expect_values(s: State, p: int, data: Any) -> None:
    """Fill what each type is worth to the other, on average over what it may be worth."""
    numbers, _, _, vectors, codes, weights, expected, weighed = data
    n = possible(s, p, codes, weights)
    weighed[0] = n
    most = -1e300
    for i in range(n):
        weights[i] = math.log(weights[i])
        for t in range(1 - p, s.made, 2):  # the other's proposals
            for k in range(TYPES):
                value = numbers[READ] * vectors[codes[i]][k]
                alike = 0.0  # of all splits that differ in this type alone
                for count in range(s.pool[k] + 1):
                    alike += math.exp(value * (count - s.offers[t][k]))
                weights[i] -= math.log(alike)
        most = max(most, weights[i])
    total = 0.0
    for k in range(TYPES):
        expected[k] = 0.0
    for i in range(n):
        weight = math.exp(weights[i] - most)
        total += weight
        for k in range(TYPES):
            expected[k] += weight * vectors[codes[i]][k]
    for k in range(TYPES):
        expected[k] /= total


def bargain(states: Any, g: int, p: int, moves: Ints, n: int, r: Ints, data: Any) -> int:
    """Agree if that is worth the aim; else the split that is, and that is worth most to the other."""
    s = states[g]
    numbers, turns, kept, _, _, _, expected, weighed = data
    weighed[0] = 0
    wanted = aim(s, turns, numbers) - 1e-9
    if s.made > 0:
        offered = 0
        for k in range(TYPES):
            offered += s.values[p][k] * (s.pool[k] - s.offers[s.made - 1][k])
        if offered >= wanted:
            return n - 1
    expect_values(s, p, data)
    best, chosen = -1.0, 0
    for i in range(n - 1 if s.made > 0 else n):
        mine, others = 0, 0.0
        for k in range(TYPES):
            mine += s.values[p][k] * kept[moves[i]][k]
            others += expected[k] * (s.pool[k] - kept[moves[i]][k])
        if mine >= wanted and others + 1e-6 * mine > best + 1e-12:
            best, chosen = others + 1e-6 * mine, i
    return chosen


def findings_of(mind: BargainerMind) -> SearchFindings:
    """Its posterior over the other's values; empty if it has agreed without computing one."""
    n = int(mind.weighed[0])
    chances = np.exp(mind.weights[:n] - mind.weights[:n].max(initial=-math.inf))
    codes = mind.codes[:n].tolist()
    return SearchFindings((), belief=tuple(zip(codes, (chances / chances.sum()).tolist(), strict=True)) if n else ())


def bargain_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """It never draws."""
    chosen = bargain(states, g, p, moves, n, r, data)
    for i in range(n):
        out[i] = 1.0 if i == chosen else 0.0


def make(concrete: Game, name: str, first: float, last: float, speed: float, read: float) -> CompiledAgent:
    """With its aims, for any options of the game."""
    assert concrete.hidden.worlds is not None
    assert concrete.hidden.worlds.world_numbers is not None
    count, turns = concrete.hidden.worlds.count, int(concrete.options["turns"])
    vectors = np.array([concrete.hidden.worlds.world_numbers(code) for code in range(count)], np.int64)
    kept = np.array(KEPT, np.int64)
    numbers = np.array([first, last, speed, read])

    def data(compiled: bool) -> BargainerMind:
        codes, weights, weighed = np.zeros(count, np.int64), np.zeros(count), np.zeros(1, np.int64)
        return BargainerMind(numbers, turns, kept, vectors, codes, weights, np.zeros(TYPES), weighed)

    return CompiledAgent(name, concrete, bargain_probabilities, data, slots={decide: bargain}, findings=findings_of)


def _spec(summary: str, name: str, aims: tuple[float, float, float, float]) -> AgentSpec:
    first, last, speed, read = aims
    settings = {
        "first": Parameter(first, "points that it wants at first", 0.0, 10.0),
        "last": Parameter(last, "points that it wants at the end, and no deal is better than less", 0.0, 10.0),
        "speed": Parameter(speed, "how soon it wants less: 1 evenly, more is sooner, less is later", 0.1, 10.0),
        "read": Parameter(read, "how firmly it reads the other's proposals; 0 is not at all", 0.0, 3.0),
    }
    return AgentSpec(summary, make, ("deal-or-no-deal",), settings, quick=True, name=name, made="Written by hand.")


SPECS = {
    "stubborn": _spec("wants almost everything, and hardly less at the end", "Stubborn Stan", (10.0, 8.0, 1.0, 0.0)),
    "generous": _spec("is content with half, and gives the rest away", "Half-way Hanna", (6.0, 4.0, 2.0, 0.0)),
    "conceding": _spec("wants less with every turn", "Conceding Carl", (10.0, 4.0, 1.0, 0.0)),
    "reader": _spec(
        "wants less with every turn, and reads from proposals what the other likes",
        "Reading Rita",
        (10.0, 4.0, 1.0, 0.5),
    ),
}
