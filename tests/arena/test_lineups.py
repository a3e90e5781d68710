"""Line-ups: everybody takes every seat, nobody's luck is another's, and two players get what they always got."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import GameError, Policy, Position
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import make_agent, policy_agent
from parlor.arena.match import Match, play_match, rotated
from parlor.arena.tournament import play_tournament
from parlor.game.loading import load
from parlor.poker.measures.aivat import AIVAT
from parlor.solvers.best_response import evaluate

THREE = load("kuhn(players=3)")
GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "matches.json").read_text())


def bets(position: Position) -> Mapping[str, float]:
    return {"bet": 1.0}


def passes(position: Position) -> Mapping[str, float]:
    return {"pass": 1.0}


def some_policy(seed: int) -> Policy:
    """Some mixed policy for Kuhn among three, different in every information set."""
    uniform = parlor.solve(THREE, "cfr", iterations=1).policy
    rng = np.random.default_rng(seed)
    rows = np.concatenate([rng.dirichlet(np.ones(2)) for _ in uniform.keys])
    return Policy.from_rows(THREE, uniform.keys, np.full(len(uniform.keys), 2), rows)


@pytest.fixture(scope="module")
def policies() -> list[Policy]:
    return [some_policy(seed) for seed in (1, 2, 3)]


@pytest.fixture(scope="module")
def agents(policies: list[Policy]) -> list[CompiledAgent]:
    return [policy_agent(policy, THREE, name) for policy, name in zip(policies, "abc", strict=True)]


# --------------------------------------------------------------------------------------------------- who sits where


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_everybody_takes_every_seat_on_each_deal(players: int) -> None:
    together = rotated(players, players, 0, 4 * players, "alternating")
    for deal in together.reshape(4, players, players):
        for column in (*deal, *deal.T):  # in a game each agent has one seat; over the deal, each seat every agent
            assert sorted(column) == list(range(players))
    alone = rotated(2, players, 0, 4 * players, "alternating")
    assert (alone == 0).sum(axis=1).tolist() == [1] * (4 * players)
    assert (alone == 0).argmax(axis=1).tolist() == list(range(players)) * 4
    assert rotated(players, players, 3, 6, "alternating").tolist() == together[3:6].tolist()
    assert rotated(players, players, 0, 2, "first").tolist() == [list(range(players))] * 2


@pytest.mark.slow
def test_deals_are_whole(agents: list[CompiledAgent]) -> None:
    result = play_match(THREE, agents[:2], 100, chunk=7)
    assert (result.games, result.players, result.duplicate) == (102, 3, True)
    assert [int((result.seats == p).sum()) for p in range(3)] == [34, 34, 34]
    alone = play_match(THREE, agents[:2], 100, start="first")
    assert alone.games == 100
    assert not alone.seats.any()


# --------------------------------------------------------------------------------------------------- what they get


def test_one_against_copies_by_hand() -> None:
    """Who alone bets takes two antes. Who alone passes pays one chip, and the others play for five."""
    bold = play_match(THREE, [bets, passes], 30)
    assert set(bold.payoffs[bold.lineups == 0]) == {2.0}
    assert set(bold.payoffs[bold.lineups == 1]) == {-1.0}
    assert (bold.wins, bold.ties, bold.measure("win-share").value) == (30, 0, 1.0)
    timid = play_match(THREE, [passes, bets], 30)
    assert set(timid.payoffs[timid.lineups == 0]) == {-1.0}
    assert sorted(timid.payoffs[timid.lineups == 1]) == [-2.0] * 30 + [3.0] * 30
    assert timid.payoff.value == -1.0
    assert timid.measure("payoff", agent=1).value == 0.5
    assert timid.measure("win-share", agent=1).value == 1.0
    assert timid.measure("inequity").value == pytest.approx((4 + 1 + 5) / 3)
    assert (timid.wins, timid.losses) == (0, 30)


def test_three_agents_sit_at_one_table() -> None:
    """The second and the third bet: they share five chips, the first pays one of them."""
    result = play_match(THREE, [passes, bets, bets], 300)
    assert result.agents == ("passes", "bets", "bets")
    assert set(result.payoffs[result.lineups == 0]) == {-1.0}
    assert set(result.payoffs[result.lineups == 2]) == {-2.0, 3.0}
    row = result.row()
    assert row["against"] == ["bets", "bets"]
    assert sum(agent["win-share"]["value"] for agent in row["by_agent"]) == pytest.approx(1.0)
    assert sum(agent["payoff"]["value"] for agent in row["by_agent"]) == pytest.approx(0.0)


@pytest.mark.slow
def test_payoffs_are_those_of_the_whole_tree(policies: list[Policy], agents: list[CompiledAgent]) -> None:
    """Reference: the exact expectation of each line-up, by enumeration."""
    a, b, c = policies
    result = play_match(THREE, agents[:2], 600_000, seed=5)
    exact = [evaluate(THREE, [a if p == seat else b for p in range(3)]).values[seat] for seat in range(3)]
    assert result.payoff.low < sum(exact) / 3 < result.payoff.high
    assert result.payoff.high - result.payoff.low < 0.02
    for seat, value in enumerate(exact):
        found = result.measure("payoff", seat=seat)
        assert found.low < value < found.high
        assert found.high - found.low < 0.02
    fixed = play_match(THREE, agents, 600_000, seed=6, start="first")
    for i, value in enumerate(evaluate(THREE, [a, b, c]).values):
        found = fixed.measure("payoff", i)
        assert found.low < value < found.high


def same(a: Match, b: Match) -> bool:
    return np.array_equal(a.payoffs, b.payoffs) and np.array_equal(a.lineups, b.lineups)


@pytest.mark.parametrize("count", [2, 3])
def test_it_does_not_matter_how_the_games_are_played(agents: list[CompiledAgent], count: int) -> None:
    one = play_match(THREE, agents[:count], 600, seed=3, compiled=True)
    assert same(one, play_match(THREE, agents[:count], 600, seed=3, threads=2, chunk=64))
    assert same(one, play_match(THREE, agents[:count], 600, seed=3, compiled=False))
    assert not same(one, play_match(THREE, agents[:count], 600, seed=4))


def test_an_agent_is_as_good_as_its_copies_exactly(agents: list[CompiledAgent]) -> None:
    result = play_match(THREE, [agents[0], agents[0]], 600)
    assert result.payoff.value == pytest.approx(0.0, abs=1e-12)
    assert result.measure("win-share").value == pytest.approx(1 / 3)


# --------------------------------------------------------------------------------------------------- tournaments


def test_among_three_both_orders_are_played() -> None:
    result = play_tournament(THREE, [bets, passes], 30)
    one, other = result.match(0, 1), result.match(1, 0)
    assert one is not None
    assert other is not None
    assert (one.payoff.value, other.payoff.value) == (2.0, -1.0)
    assert (result.mean_rate(0), result.mean_rate(1)) == (1.0, 0.0)
    row = result.row()
    assert (row["players"], row["ratings"], len(row["matches"])) == (3, [], 2)
    with pytest.raises(GameError, match="seen from the agent that sat alone"):
        one.turned()


def test_a_shared_win_does_not_make_a_game_one_of_points() -> None:
    game = load("goofspiel(players=3)")
    result = play_match(game, [make_agent("random", game)] * 2, 600)
    assert result.ties
    assert {0.5, 1.0} < set(result.payoffs.ravel())
    assert not result.in_points
    assert play_match(THREE, [passes, bets], 30).in_points


# --------------------------------------------------------------------------------------------------- two players


def told(row: dict[str, Any]) -> dict[str, Any]:
    """What an earlier version told as well."""
    return {name: row[name] for name in row if name in GOLDEN["leduc"]}


@pytest.mark.slow
def test_between_two_everything_is_as_it_was() -> None:
    """`matches.json` was written by a version that knew only two players; its shortest intervals are wider now."""
    leduc, points, plain = load("leduc"), load("goofspiel(returns=total-points)"), load("goofspiel")
    pair = [policy_agent(parlor.solve(leduc, "cfr+", iterations=3).policy, leduc, "cfr"), make_agent("random", leduc)]
    found = {
        "leduc": told(play_match(leduc, pair, 500, 7).row()),
        "leduc first": told(play_match(leduc, pair, 500, 7, start="first").row()),
        "leduc fresh": told(play_match(leduc, pair, 501, 7, duplicate=False).row()),
        "goofspiel": told(play_match(points, [make_agent("random", points), low], 101, 7).row()),
    }
    for name, row in found.items():
        assert json.loads(json.dumps(row)) == GOLDEN[name]
    everybody: list[Any] = [make_agent("random", plain), low, policy_agent(Policy.uniform(plain), plain, "uniform")]
    cross = play_tournament(plain, everybody, 60, 3).row()
    cross["matches"] = [told(match) for match in cross["matches"]]
    assert {name: cross[name] for name in GOLDEN["tournament"]} == GOLDEN["tournament"]
    corrected = play_match(leduc, pair, 1000, 7, variance_reduction=AIVAT)
    assert vars(corrected.payoff) == pytest.approx(GOLDEN["leduc aivat"]["payoff"], rel=1e-9)


def low(position: Position) -> Mapping[str, float]:
    return {position.legal[0]: 1.0}
