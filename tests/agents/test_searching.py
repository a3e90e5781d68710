"""What an agent can offer to searches: moves worth trying, estimates, and guesses at what others did in secret."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parlor import compile as compiler
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import make_agent
from parlor.agents.searching import max_n as max_n_agent
from parlor.agents.searching import mcts as mcts_agent
from parlor.game import Floats, Ints, Position
from parlor.game.loading import load
from parlor.search.mcts import mcts_probabilities
from parlor.search.world_table import sample_world

DUEL = load(f"{Path(__file__).parents[1] / 'search' / 'gambles.py'}(stakes=4)")
TABLE = load("leodopoly")


def like_the_last(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """Only the last move deserves to be tried, and the first one a little."""
    for i in range(n):
        out[i] = 0.0
    out[0], out[n - 1] = 0.1, 1.0


def count_points(states: Any, g: int, values: Floats, data: Any) -> None:
    """As if a point of lead were worth a tenth."""
    lead = states[g].points[0] - states[g].points[1]
    values[0], values[1] = lead / 10.0, -lead / 10.0


def searches(policy: CompiledAgent, moves: int) -> list[CompiledAgent]:
    """Both with that policy, in plain Python."""
    return [
        replace(agent, slow=False)
        for agent in (
            mcts_agent.make(DUEL, "mcts", 50, policy, moves=moves, horizon=0),
            max_n_agent.make(DUEL, "max-n", policy, depth=1, moves=moves),
        )
    ]


def test_the_moves_that_are_tried_are_those_proposed() -> None:
    policy = replace(make_agent("random", DUEL), propose=like_the_last)
    for agent in searches(policy, 1):
        assert list(agent(DUEL.start()).values()) == [0.0, 0.0, 0.0, 0.0, 1.0]


def test_an_estimate_takes_the_place_of_rollouts() -> None:
    """A point that is certain counts more than the estimate of any gamble that is still open."""
    policy = replace(make_agent("random", DUEL), estimate=count_points)
    assert searches(policy, 0)[1](DUEL.start())["1"] == 1.0
    values = []
    for horizon in (0, 100):
        agent = mcts_agent.make(DUEL, "mcts", 1, policy, horizon=horizon)
        b: Any = agent.data(False)
        moves, out, state = [0] * DUEL.actions, [0.0] * DUEL.actions, DUEL.start().state
        n = DUEL.rules.legal(state, moves)
        compiler.interpret(mcts_probabilities, DUEL, agent.bindings(False))(
            [state], 0, 0, moves, n, out, [1, 2, 3, 4], b
        )
        values.append(abs(b.values[0]))
    assert 0.0 < values[0] < 1.0, "an estimate"
    assert values[1] in (0.0, 1.0), "a result"


# ---------------------------------------------------------------------------------------------------------- leodopoly


def auction() -> Position:
    """Everybody but the player who landed there has named a limit."""
    position = TABLE.start()
    while position.turn != 0 or not any(name.startswith("buy") for name in position.legal):
        position = position.after((position.legal or list(position.odds))[0])
    position = position.after(next(name for name in position.legal if not name.startswith("buy")))
    while position.turn != 0:
        position = position.after(position.legal[3])
    return position


def test_a_strategy_guesses_limits_as_it_would_have_named_them() -> None:
    agent = replace(make_agent("mcts(simulations=1,policy=tuned)", TABLE), slow=False)
    position = auction()
    b: Any = agent.data(False)
    world = compiler.states(TABLE, 1, False)
    draw = compiler.interpret(sample_world, TABLE, agent.bindings(False))
    draw(world, 0, [position.state], 0, 0, [1, 2, 3, 4], b.belief)
    named, tuned = position.state.limit, make_agent("tuned", TABLE)
    assert named[1:] == [3, 3]
    start = position.state.copy()
    for player in (1, 2):
        before = start.copy()
        before.asked, before.limit = player, [0, 0, 0]
        assert world[0].limit[player] == tuned.act(before, player, [1, 2, 3, 4]) != 3


def test_a_strategy_proposes_amounts_that_matter() -> None:
    """In an auction: none, the price, and some around its own limit, which comes first."""
    position, tuned = auction(), make_agent("tuned", TABLE)
    assert tuned.propose is not None
    propose = compiler.interpret(tuned.propose, TABLE, tuned.bindings(False))
    scores = [0.0] * len(position.actions)
    propose([position.state], 0, 0, position.actions, len(scores), scores, [1, 2, 3, 4], tuned.data(False))
    tried = [amount for amount, score in enumerate(scores) if score > 0.0]
    own = tuned.act(position.state, 0, [1, 2, 3, 4])
    assert {0, own, own * 3 // 4} <= set(tried)
    assert max(range(len(scores)), key=scores.__getitem__) == own
    assert len(tried) <= 10


def test_a_strategy_estimates_chances_to_win() -> None:
    tuned = make_agent("tuned", TABLE)
    assert tuned.estimate is not None
    estimate = compiler.interpret(tuned.estimate, TABLE, tuned.bindings(False))
    values, state = [0.0] * 3, TABLE.start().state
    estimate([state], 0, values, tuned.data(False))
    assert values == pytest.approx([1 / 3] * 3)
    state.money[1] += 300
    estimate([state], 0, values, tuned.data(False))
    assert sum(values) == pytest.approx(1.0)
    assert values[1] > 0.4 > values[0] == values[2]
