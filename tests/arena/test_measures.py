"""Measures against what they come to by hand."""

import math

import numpy as np
import pytest

from parlor import GameError
from parlor.arena.match import Match, play_match
from parlor.arena.measures import MEASURES, Measure
from parlor.arena.statistics import mean, rate
from parlor.game.loading import load
from parlor.game.seats.play import uniform_agent

#: Two deals among three players, each with the first agent in every seat; the second has the other two.
PAYOFFS = np.array([[3, 1, 1], [2, 2, -1], [0, 0, 0], [1, 1, 1], [-1, 4, 4], [2, 3, 4]], float)
LINEUPS = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 2)
BY_HAND = {
    "payoff": [3, 2, 0, 1, 4, 4],
    "win-share": [1, 1 / 2, 1 / 3, 1 / 3, 1 / 2, 1],
    "welfare": [5, 3, 0, 3, 7, 9],
    "nash-product": [3, 0, 0, 1, 0, 24],
    "inequity": [4 / 3, 2, 0, 0, 10 / 3, 4 / 3],
}
OTHERS = {"payoff": [1, 1 / 2, 0, 1, 3 / 2, 5 / 2], "win-share": [0, 1 / 2, 2 / 3, 2 / 3, 1 / 2, 0]}


def match(duplicate: bool = True) -> Match:
    return Match("some game", ("one", "many"), "alternating", duplicate, 0, LINEUPS, PAYOFFS)


@pytest.mark.parametrize("name", MEASURES)
def test_each_game_by_hand(name: str) -> None:
    assert MEASURES[name].of(PAYOFFS, LINEUPS, 0) == pytest.approx(BY_HAND[name])
    assert MEASURES[name].of(PAYOFFS, LINEUPS, 1) == pytest.approx(OTHERS.get(name, BY_HAND[name]))


def test_intervals_go_by_deals() -> None:
    """The six games are two deals: Student's distribution with one degree of freedom, 12.7062 times s / √2."""
    found, deals = match().measure("welfare"), np.array([8 / 3, 19 / 3])
    assert found.value == pytest.approx(deals.mean())
    assert found.high - found.value == pytest.approx(12.7062 * deals.std(ddof=1) / math.sqrt(2))
    fresh = match(duplicate=False).measure("welfare")
    assert fresh.value == pytest.approx(found.value)
    reach = 2.5706 * np.array(BY_HAND["welfare"]).std(ddof=1) / math.sqrt(6)
    unseen = (1 - 0.025 ** (1 / 6)) * (fresh.value - 3 * min(map(min, PAYOFFS)))  # all may get the least
    assert fresh.value - fresh.low == pytest.approx(max(reach, unseen))
    assert match().measure("win-share") == rate(np.array(BY_HAND["win-share"]), 3)


def test_by_seat_are_the_games_in_which_the_first_agent_sat_there() -> None:
    assert match().measure("payoff", seat=1).value == 3.0
    assert match().measure("payoff", agent=1, seat=1).value == 1.0
    assert match().measure("win-share", seat=2).value == pytest.approx(2 / 3)
    assert match().measure("welfare", seat=0) == mean(np.array([5.0, 3.0]))


def test_wins_draws_losses_and_ties() -> None:
    found = match()
    assert (found.wins, found.draws, found.losses, found.ties) == (2, 4, 0, 4)
    assert found.rate.value == pytest.approx(2 / 6)
    assert found.score == found.measure("win-share")
    row = found.row()
    assert (row["players"], row["ties"], list(row["measures"])) == (3, 4, list(MEASURES))
    assert row["measures"]["payoff"]["by_seat"]["2"]["value"] == 2.0


def test_a_tie_among_others_is_a_loss() -> None:
    payoffs, lineups = np.array([[1.0, 3.0, 3.0]]), np.array([[0, 1, 1]])
    found = Match("some game", ("one", "many"), "first", False, 0, lineups, payoffs)
    assert (found.wins, found.draws, found.losses, found.ties) == (0, 0, 1, 1)


def test_corrected_payoffs_are_for_means_only() -> None:
    """What is linear in payoffs keeps its expectation without luck; who won, and products, go by what was paid."""
    payoffs, corrected = np.array([[2.0, -2.0], [-1.0, 1.0]]), np.array([[0.5, -0.5], [0.25, -0.25]])
    lineups = np.array([[0, 1]] * 2)
    two = Match("some game", ("a", "b"), "first", False, 0, lineups, payoffs, corrected=corrected)
    assert (two.payoff.value, two.measure("welfare").value) == (0.375, 0.0)
    assert (two.wins, two.losses, two.rate.value, two.measure("win-share").value) == (1, 1, 0.5, 0.5)
    assert two.measure("inequity").value == 3.0
    assert two.turned().payoff.value == -0.375
    assert two.in_points


def test_shares_that_never_vary_have_a_small_interval() -> None:
    """Also where they do not add up to the same to the last bit: in 100 deals something else may come in 3.6 %."""
    found = rate(np.array([0.1, 0.2, 0.7, 0.7, 0.2, 0.1] * 50), 3)
    assert found.value == pytest.approx(1 / 3)
    unseen = 1 - 0.025 ** (1 / 100)
    assert (found.low, found.high) == pytest.approx((1 / 3 - unseen / 3, 1 / 3 + unseen * 2 / 3))


def test_a_general_sum_game() -> None:
    """Among four cards ten points are given out, less those of prizes on which bids tie."""
    game = load("goofspiel(returns=total-points)")
    result = play_match(game, [uniform_agent, uniform_agent], 400, seed=2)
    welfare = result.measure("welfare")
    assert 5.0 < welfare.low < welfare.value < welfare.high < 10.0
    assert welfare.value == pytest.approx(2 * result.payoff.value)  # of equals, on duplicate deals
    assert result.measure("nash-product").value == pytest.approx(float((result.payoffs.prod(axis=1)).mean()))
    assert result.measure("win-share").value == 0.5


def test_a_new_measure_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        MEASURES, "worst-off", Measure("what the poorest gets", lambda payoffs, _, __: payoffs.min(axis=1))
    )
    assert match().measure("worst-off").value == pytest.approx((1 - 1 + 0 + 1 - 1 + 2) / 6)
    assert "worst-off" in match().row()["measures"]
    with pytest.raises(GameError, match="There is no measure 'best-off'; there are: payoff, win-share, welfare"):
        match().measure("best-off")
