"""Matches with less luck have the same expectation: exactly, over all deals and moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlor
from parlor import compile as compiler
from parlor.agents.registry import make_agent, policy_agent
from parlor.arena.batch import Games, note_deal, note_move, play_turns
from parlor.arena.match import play_match
from parlor.game import Game, GameError
from parlor.game.loading import load
from parlor.game.rng import choose
from parlor.poker.measures.aivat import AIVAT, KINDS, luck_of_deal, luck_of_move, without_luck
from parlor.poker.poker_rules import poker_rules
from parlor.solvers.best_response import evaluate
from tests.arena.exactly import Draws, expectations


def luck(game: Game, policies: list[Any]) -> list[float]:
    """The expectation of the payoff of player 0, and of its luck of each kind."""
    draws, rules = Draws(), poker_rules(game)
    agents = [policy_agent(policy, game) for policy in policies]
    watching: dict[Any, Any] = {
        **rules.bindings,
        note_deal: luck_of_deal,
        note_move: luck_of_move,
        choose: draws.choose,
    }
    kernels = [compiler.interpret(play_turns, agent.game, {**agent.bindings(False), **watching}) for agent in agents]
    room = ([0] * game.actions, [0.0] * game.actions, [0.0] * game.outcomes)

    def run() -> tuple[float, ...]:
        states, trial = compiler.states(game, 1, False), compiler.states(game, 1, False)
        game.rules.start(states[0])
        lengths, over, payoffs, notes = [0], [0], np.zeros((1, 2)), np.zeros((1, KINDS + 1))
        while not over[0]:
            for seat, kernel in enumerate(kernels):
                data, watch = agents[seat].data(False), (trial, notes, rules.highest_stake)
                streams = [[0] * 4], [[[0] * 4] * 3]
                games = Games(states, [[0, 1]], lengths, over, *streams, payoffs, *room)
                kernel(games, 1, seat, game.length, data, watch)
        return (float(payoffs[0][0]), *notes[0][:KINDS].tolist())

    return expectations(run, draws)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "iterations"), [("kuhn", (1, 3)), ("kuhn", (20, 1)), ("leduc", (1, 4))])
def test_every_kind_of_luck_has_the_expectation_zero(name: str, iterations: tuple[int, int]) -> None:
    """So a payoff less its luck, taken so many times, has the expectation of the payoff."""
    game = load(name)
    policies = [parlor.solve(game, "cfr+", iterations=n).policy for n in iterations]
    payoff, *lucks = luck(game, policies)
    assert payoff == pytest.approx(evaluate(game, policies).values[0], abs=1e-12)
    assert lucks == pytest.approx([0.0] * KINDS, abs=1e-12)


def test_factors_come_from_the_other_half() -> None:
    """What is adjusted does not move with what it is adjusted by."""
    rng = np.random.default_rng(1)
    luck, noise = rng.normal(size=(2000, 3)), rng.normal(size=2000)
    payoffs = luck @ [1.0, 2.0, 0.0] + 0.1 * noise
    assert without_luck(payoffs, luck, 1).std() < 0.11
    changed = payoffs.copy()
    changed[0] += 100.0
    moved = without_luck(changed, luck, 1) - without_luck(payoffs, luck, 1)
    assert moved[0] == pytest.approx(100.0)
    assert not moved[2::2].any()
    assert np.array_equal(without_luck(payoffs[:20], luck[:20], 1), payoffs[:20])  # too few


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_there_is_less_luck(name: str) -> None:
    game = load(name)
    agents = [policy_agent(parlor.solve(game, "cfr+", iterations=n).policy, game) for n in (100, 3)]
    plain, aivat = (
        play_match(game, agents, 20_000, seed=2, variance_reduction=AIVAT if aivat else None) for aivat in (False, True)
    )
    assert aivat.payoff.high - aivat.payoff.low < 0.9 * (plain.payoff.high - plain.payoff.low)
    assert abs(aivat.payoff.value - plain.payoff.value) < plain.payoff.high - plain.payoff.low
    assert aivat.corrected is not None
    assert not aivat.corrected.sum(axis=1).any()
    assert np.array_equal(aivat.payoffs, plain.payoffs), "who won is decided by what was paid"
    assert (aivat.wins, aivat.rate, aivat.seat(0)) == (plain.wins, plain.rate, plain.seat(0))
    assert aivat.measure("win-share") == plain.measure("win-share")


def test_it_does_not_depend_on_chunks_or_threads() -> None:
    game = load("leduc")
    agents = [policy_agent(parlor.solve(game, "cfr+", iterations=3).policy, game), make_agent("random", game)]
    one = play_match(game, agents, 500, seed=1, variance_reduction=AIVAT, chunk=64)
    two = play_match(game, agents, 500, seed=1, variance_reduction=AIVAT, threads=2)
    assert np.array_equal(one.payoffs, two.payoffs)
    assert one.corrected is not None
    assert two.corrected is not None
    assert np.array_equal(one.corrected, two.corrected)


def test_it_is_for_poker() -> None:
    game = load("liars-dice")
    with pytest.raises(parlor.GameError, match="poker between two"):
        play_match(game, [make_agent("random", game)] * 2, 10, variance_reduction=AIVAT)


def test_it_must_be_compiled() -> None:
    game = load("kuhn")
    with pytest.raises(GameError, match="AIVAT needs compiled games"):
        play_match(game, [make_agent("random", game)] * 2, 10, variance_reduction=AIVAT, compiled=False)
