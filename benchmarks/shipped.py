"""The players that come with Parlor, on fresh deals: against the agents of their cards, and against each other.

    python benchmarks/learning.py --only shipped [--game deal-or-no-deal …] [--games 4000]

Against an agent: the share of wins, among several players alone against copies of it; in games whose payoffs do not
sum to zero, what the player gets and what the other gets. In Deal or No Deal also the layout of tables 6 to 8 of Li et
al. (2023): what the row gets from the column, what both get together, and the product of the two means; and the Pareto
gap, the mean distance of an outcome to the upper right of the convex hull of all outcomes that were possible. In
Colored Trails the gap of the means on each board, as that paper has it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.agents.network import FOLDER
from parlor.agents.registry import make_agent
from parlor.arena.batch import Batch, note_deal
from parlor.arena.match import Match, play_match
from parlor.arena.statistics import Estimate
from parlor.game import Game, Ints
from parlor.game.loading import GAMES, folder_of, load
from parlor.games.colored_trails.frontier import Outcome, gap, upper_right
from parlor.games.colored_trails.gap import pareto_gap
from parlor.games.deal_or_no_deal.outcomes import pareto

FRESH = 78  # the seed of these deals: neither that of a training nor that of a card
BARGAINING, TRAILS = "deal-or-no-deal", "colored-trails"


def shipped(names: Sequence[str], games: int, threads: int) -> dict[str, Any]:
    """Measure the players of these games, or of all that have any; what was found, and a table on the way."""
    found: dict[str, Any] = {}
    for name in names or GAMES:
        cards = sorted((folder_of(name) / FOLDER).glob("*.json"))
        for options in sorted({json.loads(card.read_text())["game"] for card in cards}):
            found |= of_game(load(options), cards, games, threads)
    return found


def of_game(game: Game, cards: Sequence[Path], games: int, threads: int) -> dict[str, Any]:
    """The players of one game with its options."""
    own = {card.stem: json.loads(card.read_text()) for card in cards}
    players = {name: row for name, row in own.items() if row["game"] == game.name}
    found: dict[str, Any] = {}
    for name, row in players.items():
        for against in [one["against"] for one in row["measured"]]:
            match = play_match(
                game, [make_agent(name, game), make_agent(against, game)], games, FRESH, "alternating", threads=threads
            )
            found |= told(f"{name if len(players) > 1 else game.name}_v_{against}", match, game)
    if game.name == BARGAINING:
        found |= cross_table(game, list(players), games)
    if game.name == TRAILS:
        for name in (*players, game.training.opponent):
            everywhere = np.zeros((games, game.players), np.int64)
            found |= entry(f"{name}_gap", pareto_gap(game, [make_agent(name, game)], everywhere, FRESH).estimate)
    return found


def told(key: str, match: Match, game: Game) -> dict[str, Any]:
    """The result against an agent."""
    if game.kind == "zero-sum":
        return entry(key, match.score)
    return entry(key, match.payoff) | entry(f"{key}_theirs", match.measure("payoff", 1))


def entry(key: str, estimate: Estimate) -> dict[str, Any]:
    """A number and its interval, and a line that shows them."""
    key = key.replace("-", "_")
    print(f"{key:48} {estimate.value:8.3f} ({estimate.low:.3f} to {estimate.high:.3f})", flush=True)
    return {key: round(estimate.value, 4), f"{key}_interval": [round(estimate.low, 4), round(estimate.high, 4)]}


def cross_table(game: Game, names: Sequence[str], games: int) -> dict[str, Any]:
    """Everybody against everybody, and with itself, every deal from both seats."""
    agents = [make_agent(name, game) for name in names]
    own, gaps = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for i, j in np.ndindex(own.shape):
        if i <= j:
            own[i, j], own[j, i], gaps[i, j] = meeting(game, (agents[i], agents[j]), games)
            gaps[j, i] = gaps[i, j]
    tables = {"own": own, "sum": own + own.T, "product": own * own.T, "gap": gaps}
    for title, numbers in tables.items():
        print(f"\n{title:10}" + "".join(f"{name:>10}" for name in names))
        for name, row in zip(names, numbers, strict=True):
            print(f"{name:10}" + "".join(f"{number:10.2f}" for number in row), flush=True)
    print()
    return {f"cross_{title}": np.round(numbers, 3).tolist() for title, numbers in tables.items()} | {
        "cross": list(names)
    }


# --------------------------------------------------------------------------------------------------- the Pareto gap


def note_instance(states: Any, g: int, r: Ints, watch: Any) -> None:
    """An observer: write down the pool and both players' values."""
    s, noted = states[g], watch[0]
    for i in range(3):
        noted[g, i], noted[g, 3 + i], noted[g, 6 + i] = s.pool[i], s.values[0][i], s.values[1][i]


class InstanceBatch(Batch):
    """Games, and what there was to be had in each."""

    def __init__(self, concrete: Game, agents: Sequence[CompiledAgent], size: int) -> None:
        self.instances = np.zeros((size, 9), np.int64)
        self.slots = {note_deal: note_instance}
        self.watch = (self.instances,)
        super().__init__(concrete, agents, size)


@cache
def hull(instance: tuple[int, ...]) -> tuple[Outcome, ...]:
    """The upper right of the convex hull of all splits."""
    splits = pareto(instance[:3], (instance[3:6], instance[6:]))
    return upper_right((float(one.first), float(one.second)) for one in splits)


def meeting(game: Game, pair: tuple[CompiledAgent, CompiledAgent], games: int) -> tuple[float, float, float]:
    """What each of two gets from the other on average, and how far outcomes lie from their frontiers."""
    batch = InstanceBatch(game, pair, games)
    seats = np.tile([[0, 1], [1, 0]], (games // 2, 1))
    payoffs = batch.play(FRESH, 0, 2, seats)
    away = 0.0
    for got, instance in zip(payoffs.tolist(), batch.instances.tolist(), strict=True):
        away += gap((got[0], got[1]), hull(tuple(instance)))
    return float(payoffs[seats == 0].mean()), float(payoffs[seats == 1].mean()), away / len(seats)
