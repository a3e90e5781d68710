"""Local best response where everything can be enumerated, and where it cannot."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import parlor
from parlor import GameError
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import make_agent, policy_agent
from parlor.compile.kernel import play
from parlor.game import State
from parlor.game.loading import load
from parlor.game.rng import choose
from parlor.games.kuhn import rules as kuhn
from parlor.games.leduc.rules import CALL
from parlor.poker.measures.local_best_response import ResponseWorkspace, has_tree, local_best_response
from parlor.poker.measures.local_best_response_kernel import REAL
from parlor.policies.policy import Policy
from parlor.solvers.best_response import evaluate
from tests.arena.exactly import Draws, expectations


@cache
def policy(name: str, iterations: int) -> Policy:
    return parlor.solve(load(name), "cfr+", iterations=iterations).policy


def exact(agent: CompiledAgent, seat: int) -> list[float]:
    """What the responder wins from a seat, and the expectation of the estimator with less luck."""
    draws = Draws()
    room = ResponseWorkspace(agent, "tree", compiled=False, slots={choose: draws.choose})

    def run() -> tuple[float, ...]:
        return tuple(room.play(0, seat, 1, 0)[0].tolist())

    return expectations(run, draws)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 1), ("kuhn", 10), ("kuhn", 200), ("leduc", 3)])
def test_it_is_never_above_the_best_response_and_the_estimator_has_no_bias(name: str, iterations: int) -> None:
    known = policy(name, iterations)
    best = evaluate(load(name), known).best_responses
    agent = policy_agent(known, load(name))
    for seat in range(2):
        won, adjusted = exact(agent, seat)
        assert won <= best[seat] + 1e-9
        assert adjusted == pytest.approx(won, abs=1e-12)


def test_it_finds_what_can_be_found_in_one_step() -> None:
    """Against one who plays anything, hardly more is to be had."""
    game = load("kuhn")
    agent = policy_agent(policy("kuhn", 1), game)  # uniform
    best = evaluate(game, policy("kuhn", 1)).best_responses
    assert sum(exact(agent, seat)[0] for seat in range(2)) > 0.9 * sum(best)


def moves_by_street(begin: int) -> list[set[int]]:
    """What the responder really does on each street of Leduc, if it begins to think on one."""
    game = load("leduc")
    made: list[set[int]] = [set(), set()]

    def note(s: State, a: int) -> None:
        if s is room._buffers[0][REAL] and game.rules.turn(s) == seat:
            made[s.round].add(a)
        game.rules.play(s, a)

    room, seat = (
        ResponseWorkspace(policy_agent(policy("leduc", 3), game), "tree", compiled=False, slots={play: note}),
        0,
    )
    for hand in range(40):
        seat = hand % 2
        room.play(0, hand, 1, begin)
    return made


def test_before_the_street_on_which_it_begins_to_think_it_calls() -> None:
    first, second = moves_by_street(1)
    assert first == {CALL}
    assert second > {CALL}
    assert moves_by_street(0)[0] > {CALL}


def test_samples_agree_in_plain_python_and_compiled_and_on_threads() -> None:
    agent = policy_agent(policy("leduc", 3), load("leduc"))
    plain = local_best_response(agent, 200, seed=3, compiled=False)
    native = local_best_response(agent, 200, seed=3, threads=2)
    assert np.array_equal(plain.won, native.won)
    assert np.allclose(plain.adjusted, native.adjusted, atol=1e-12)
    assert native.payoff.high - native.payoff.low < native.plain.high - native.plain.low


def test_a_poker_game_of_one_s_own_comes_in_by_the_same_door(tmp_path: Path) -> None:
    """A rules file that declares POKER is measured like those that come with Parlor."""
    mine = shutil.copy(kuhn.__file__, tmp_path / "my_poker.py")
    ours, theirs = (
        local_best_response(make_agent("random", load(name)), 40, seed=1, compiled=False)
        for name in (str(mine), "kuhn")
    )
    assert ours.game != theirs.game
    assert np.array_equal(ours.adjusted, theirs.adjusted)


def test_nonsense_is_refused() -> None:
    agent = make_agent("random", load("liars-dice"))
    with pytest.raises(GameError, match="poker between two"):
        local_best_response(agent, 10)
    solved = policy_agent(policy("kuhn", 3), load("kuhn"))
    with pytest.raises(GameError, match="streets must be"):
        local_best_response(solved, 10, streets="fourth")
    with pytest.raises(GameError, match="has no turn"):
        local_best_response(solved, 10, streets="late")
    with pytest.raises(GameError, match="hands must be at least 2"):
        local_best_response(solved, 1)
    fish = make_agent("fish", load("holdem"))
    with pytest.raises(GameError, match="no betting tree"):
        local_best_response(fish, 10)
    assert [has_tree(agent) for agent in (fish, solved, make_agent("random(abstraction=pot)", load("holdem")))] == [
        False,
        True,
        True,
    ]
