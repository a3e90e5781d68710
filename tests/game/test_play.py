"""Games between agents, and random games at speed."""

import pytest

import parlor
from parlor.compile.random_games import run_random_games
from parlor.game.loading import load
from parlor.game.seats.play import Playable, play_game, replay, uniform_agent


def always(name: str) -> Playable:
    return lambda position: {move: float(move == name) for move in position.legal}


def test_agents_get_their_way() -> None:
    record = play_game(load("kuhn"), [always("bet"), always("pass")], seed=1)
    assert record.moves[2:] == ("bet", "pass")
    assert record.payoffs == (1.0, -1.0)


def test_a_record_repeats_and_replays_without_a_seed() -> None:
    game = load("leduc")
    agents = [uniform_agent] * 2
    assert play_game(game, agents, 1, 5) == play_game(game, agents, 1, 5)
    records = {play_game(game, agents, 1, index).moves for index in range(50)}
    assert len(records) > 40
    for moves in records:
        assert replay(game, moves).over


def test_the_average_payoff_is_the_exact_value() -> None:
    """20,000 games of uniform players: the mean must lie within four standard errors of the exact value."""
    game = load("leduc")
    games = 20_000
    _, totals = run_random_games(game, games, seed=3)
    exact = parlor.evaluate(game, parlor.Policy.uniform(game)).values[0]
    assert totals[2] / games == pytest.approx(exact, abs=4 * 4.5 / games**0.5)
    assert totals[2] == -totals[3]
    assert totals[1] <= game.length
