"""The strategies that have a name: those of Khan (2019), and the tuned one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from parlor.agents import random
from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Game
from parlor.games.leodopoly.agents import strategy
from parlor.games.leodopoly.agents.heuristic import PARAMETERS

Numbers = tuple[float, ...]  # of the first parameters, in their order

TIGHT: Numbers = (0, 0.7, 2, 10, 5, 500, 1000, 10000)
#: by the option `greedy`
GREEDY: Mapping[str, Numbers] = {
    "code": (3, 0, 2, 50, 50, 0, 1200, 20000),
    "text": (10, 0.5, 2, 50, 50, 0, 1200, 20000),
}
IRRATIONAL: Numbers = (0, 0, 0, 0, 0, 0, 0, 0)
RANDOM_TESTER_1: Numbers = (3, 0, 3, 10, 10, 100, 500, 10000)
RANDOM_TESTER_2: Numbers = (2, 0.1, 3, 10, 10, 300, 500, 10000)
RANDOM_TESTER_3: Numbers = (9, 0, 1, 10, 10, 0, 900, 20000)
OPTIMAL: Numbers = (3, 0, 1, 10, 10, 0, 900, 20000)

#: by preset, found by `parlor tune` (experiments/leodopoly), `classic` by hand; others are played as `corrected`
TUNED: Mapping[str, Mapping[str, float]] = {
    "published": {
        "rent": 4.022, "opponent_money": 2.7383, "opponent_rent": 0.058, "buy_margin": 325.26, "sell_margin": 345.18,
        "reserve": 46.2, "reserve_penalty": 773.3, "jeopardy": 1450, "rounds_left": 0.7445, "landing": 7.843,
        "turns": 1, "liquidity": 95.88, "sets": 1.515, "deeds": 0.0782, "leader": 1.1501, "price_margin": 244.7,
    },
    "text": {
        "rent": 2.56, "opponent_money": 2.51, "opponent_rent": 2.301, "buy_margin": 101.16, "sell_margin": 62.82,
        "reserve": 31.3, "reserve_penalty": 2651.7, "jeopardy": 37010, "rounds_left": 0.575, "landing": 5.648,
        "turns": 1, "liquidity": 39.86, "sets": 0.918, "deeds": 0.0925, "leader": 0.6265, "price_margin": -128.1,
    },
    "corrected": {
        "rent": 1.427, "opponent_money": 3, "opponent_rent": 5.367, "buy_margin": 240.91, "sell_margin": 17.67,
        "reserve": 0, "reserve_penalty": 2432, "jeopardy": 759, "rounds_left": 0.6716, "landing": 2.238, "turns": 1,
        "liquidity": 27.64, "sets": 0.431, "deeds": 0.1835, "leader": 0.4898, "price_margin": -123.6,
    },
    "classic": {
        "rent": 10, "opponent_money": 0.3, "opponent_rent": 3, "sell_margin": 100, "jeopardy": 5000, "sets": 8,
    },
}  # fmt: skip


def parameters(numbers: Numbers) -> dict[str, float]:
    """Numbers by the names of their parameters."""
    return dict(zip(PARAMETERS, numbers, strict=False))


def make_greedy(concrete: Game, text: str) -> CompiledAgent:
    """With the numbers of the code or of the text."""
    return strategy.strategy_agent(concrete, text, parameters(GREEDY[concrete.options["greedy"]]))


def make_irrational(concrete: Game, text: str) -> CompiledAgent:
    """Zeros everywhere, so that it never bids; or any move."""
    if concrete.options["irrational"] == "random":
        return random.make(concrete, text, "none")
    return strategy.strategy_agent(concrete, text, parameters(IRRATIONAL))


def make_tuned(concrete: Game, text: str) -> CompiledAgent:
    """With the numbers for the preset of the game."""
    return strategy.strategy_agent(concrete, text, TUNED.get(concrete.options["preset"], TUNED["corrected"]))


def fixed(numbers: Numbers) -> Callable[[Game, str], CompiledAgent]:
    """Makes a strategy of these numbers."""

    def make(concrete: Game, text: str) -> CompiledAgent:
        return strategy.strategy_agent(concrete, text, parameters(numbers))

    return make


def published(summary: str, make: Callable[[Game, str], CompiledAgent], name: str) -> AgentSpec:
    """A strategy of the dissertation."""
    made = "Written by hand: the numbers of a strategy of Khan (2019)."
    return AgentSpec(summary, make, ("leodopoly",), quick=True, name=name, made=made, default_opponent=False)


SPECS: Mapping[str, AgentSpec] = {
    "tight": published("keeps its money together and buys for next to nothing", fixed(TIGHT), "Tight Tessa"),
    "greedy": published("pays a lot for rents", make_greedy, "Greedy Gus"),
    "irrational": published("values nothing but money, or moves at random", make_irrational, "Irrational Iris"),
    "random-tester-1": published("fears rents", fixed(RANDOM_TESTER_1), "Tester Toni"),
    "random-tester-2": published("fears rents and keeps a reserve", fixed(RANDOM_TESTER_2), "Tester Tara"),
    "random-tester-3": published("pays nearly anything for rents", fixed(RANDOM_TESTER_3), "Tester Thea"),
    "optimal": published("pays for rents, but not with its last pounds", fixed(OPTIMAL), "Optimal Olga"),
    "tuned": AgentSpec(
        "values money, rents and dangers by numbers of our own for each preset",
        make_tuned,
        ("leodopoly",),
        quick=True,
        name="Landlady Lotte",
        made="The heuristic of Khan (2019) and its future work, tuned for each preset; by hand for the classic game.",
    ),
}  # fmt: skip
