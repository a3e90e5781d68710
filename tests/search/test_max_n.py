"""Max-n: the values of a plain recursion, with and without pruning, and fewer states with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parlor import native as compiler
from parlor.agents import CompiledAgent, make_agent
from parlor.game import CHANCE, OVER, Game, Position, State
from parlor.games import load
from parlor.search.max_n import EXACT, LIMITED, NODES, NOTHING, search, weigh_by_max_n

RULES = Path(__file__).with_name("gambles.py")
DUEL = load(f"{RULES}(rounds=2)")
THREE = load(f"{RULES}(players=3,rounds=2)")


def values_by_recursion(game: Game, s: State) -> list[float]:
    """Max-n in the most obvious way: the first of the best moves."""
    rules, who = game.rules, game.rules.turn(s)
    if who == OVER:
        return [rules.payoff(s, q) for q in range(game.players)]
    moves, chances = [0] * game.actions, [0.0] * game.outcomes
    n = rules.odds(s, chances) if who == CHANCE else rules.legal(s, moves)
    found = []
    for i in range(n):
        after = s.copy()
        rules.play(after, i if who == CHANCE else moves[i])
        found.append(values_by_recursion(game, after))
    if who == CHANCE:
        return [sum(chance * value[q] for chance, value in zip(chances, found)) for q in range(game.players)]  # noqa: B905
    return max(found, key=lambda value: value[who])


def positions(game: Game, depth: int) -> list[Position]:
    """All decisions within so many moves and outcomes."""
    level, found = [game.start()], []
    for _ in range(depth):
        level = [position.after(name) for position in level for name in (position.legal or list(position.odds))]
        found += [position for position in level if position.turn >= 0]
    return found


def searched(game: Game, position: Position, pruning: str) -> tuple[list[float], int]:
    """The values of a position by the whole search, and the states it looked at."""
    agent = make_agent(f"max-n(depth=20,nodes=1000000,pruning={pruning})", game)
    b = agent.data(False)
    b.states[1].assign(position.state)
    b.needs[1][:] = [NOTHING] * game.players
    kernel = compiler.interpret(search, game, agent.bindings(False))
    assert kernel(b, position.turn, 19, 0, 0) == EXACT
    assert b.counters[LIMITED] == 0
    return b.values[1], b.counters[NODES]


@pytest.mark.parametrize("game", [DUEL, THREE], ids=["two", "three"])
def test_values_are_those_of_a_recursion_and_pruning_looks_at_fewer_states(game: Game) -> None:
    total = dict.fromkeys(("none", "star1", "star2"), 0)
    for position in [game.start(), *positions(game, 2)]:
        expected = values_by_recursion(game, position.state)
        for pruning in total:
            values, nodes = searched(game, position, pruning)
            assert values == pytest.approx(expected, abs=1e-12)
            total[pruning] += nodes
    assert total["star1"] < 0.8 * total["none"]
    assert total["star2"] < total["none"]
    print(total)
