"""Monte-Carlo tree search: what it must find where that is known, in every game, the same plain and compiled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parlor import compile as compiler
from parlor.agents.registry import make_agent
from parlor.agents.searching.searching import HistorySearch
from parlor.arena.match import play_match
from parlor.game import Game, Position
from parlor.game.loading import load
from parlor.game.seats.play import play_game, uniform_agent
from parlor.search.belief import worlds
from parlor.search.mcts import NODES, mcts_probabilities
from tests.search.test_max_n import values_by_recursion

RULES = Path(__file__).with_name("gambles.py")
DUEL = load(f"{RULES}(stakes=4)")
LEDUC = load("leduc")


def decisions(game: Game, count: int) -> list[Position]:
    found: list[Position] = []
    for index in range(count):
        position = game.start()
        for move in play_game(game, [uniform_agent] * game.players, 7, index).moves:
            if position.turn >= 0 and len(position.actions) > 1:
                found.append(position)
            position = position.after(move)
    return found


def tree(game: Game, settings: str) -> Any:
    """The tree that it has grown for the first decision."""
    agent = make_agent(f"mcts({settings})", game)
    b: Any = agent.data(False)
    state = game.start().state
    moves, out = [0] * game.actions, [0.0] * game.actions
    n = game.rules.legal(state, moves)
    compiler.interpret(mcts_probabilities, game, agent.bindings(False))([state], 0, 0, moves, n, out, [1, 2, 3, 4], b)
    return b


def test_it_finds_the_best_move() -> None:
    """Although the first rollouts, by random play, suggest others."""
    game = load(f"{RULES}(stakes=3,rounds=1)")
    agent = replace(make_agent("mcts(simulations=500)", game), slow=False)
    for position in [game.start(), *decisions(game, 3)]:
        chances = agent(position)
        values = {m: values_by_recursion(game, position.after(m).state)[position.turn] for m in position.legal}
        assert values[max(chances, key=chances.__getitem__)] == pytest.approx(max(values.values()), abs=0.01)


def test_every_simulation_counts_at_the_root_and_adds_a_node() -> None:
    b = tree(DUEL, "simulations=40")
    assert b.visits[0] == sum(b.tries[: b.width[0]]) == 40
    assert b.width[0] == 5
    assert min(b.tries[:5]) > 0
    assert 20 < b.counters[NODES] <= 41


def test_it_tries_few_moves_if_it_is_told_to() -> None:
    assert tree(DUEL, "simulations=40,moves=2").width[0] == 2
    wide = tree(DUEL, "simulations=40,widening=0.2")
    assert [tries > 0 for tries in wide.tries[:5]] == [True] * 3 + [False] * 2  # 39 ** 0.2 + 1 = 3.1


def test_it_thinks_the_same_compiled() -> None:
    agent = make_agent("mcts(simulations=60,exploration=0.4,widening=0.6)", LEDUC)
    for position in decisions(LEDUC, 6):
        assert agent(position) == replace(agent, slow=False)(position)


@pytest.mark.parametrize("name", ["leduc", "leduc(players=3)"])
@pytest.mark.parametrize("agent", ["mcts(simulations=12)", "max-n(worlds=3,nodes=40)"])
def test_it_does_not_look_at_what_is_hidden(name: str, agent: str) -> None:
    game = load(name)
    searching = make_agent(agent, game)
    assert isinstance(searching, HistorySearch) == (name != "leduc")
    searching = replace(searching, slow=False)
    for position in decisions(game, 2):
        said = searching(position)
        for world, _ in (worlds(position, position.turn) or [])[:3]:
            assert searching(world) == said


@pytest.mark.parametrize("name", ["kuhn", "leduc(players=3)"])
def test_it_tells_what_it_has_found(name: str) -> None:
    game = load(name)
    agent = replace(make_agent("mcts(simulations=20)", game), slow=False)
    position = decisions(game, 1)[0]
    chances, found = agent.explained(position)
    assert found is not None
    assert sum(move.visits for move in found.moves) == 20
    assert dict(chances)[max(found.moves, key=lambda move: move.visits).action] == 1.0
    assert sorted(move.action for move in found.moves) == sorted(position.actions)
    random = make_agent("random", game)
    assert random.explained(position) == (random.action_probabilities(position), None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games"),
    [("kuhn", 200), ("leduc", 80), ("goofspiel", 30), ("openspiel:tic_tac_toe", 20)],
)
def test_it_beats_random(name: str, games: int) -> None:
    if name.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    game = load(name)
    agents = [make_agent("mcts(simulations=30)", game), make_agent("random", game)]
    if game.native:
        agents[0] = replace(agents[0], slow=False)
    assert play_match(game, agents, games, seed=1, compiled=False).payoff.low > 0
