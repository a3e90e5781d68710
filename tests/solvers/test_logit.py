"""Logit equilibria of extensive games, and the rationality of recorded play: against Gambit and by hand."""

from typing import Any

import numpy as np
import pytest

import parlor
from parlor import GameError
from parlor.game.loading import load
from parlor.population.meta import solve as solve_meta
from parlor.sequence_form.tree import tree
from parlor.solvers.exact import likelihood
from parlor.solvers.exact.logit import Logit, LogitCurve, LogitSettings
from parlor.solvers.policy_words import tree_words

#: `pygambit.qre.logit_solve_lambda(kuhn, lam=[5.0])` of Gambit 17.0.0b2: the probability to pass.
GAMBIT = {
    "player 0 holds J; no move yet": 0.807785697468532,
    "player 0 holds J; pass bet": 0.9933071490711388,
    "player 0 holds Q; no move yet": 0.7564782892756132,
    "player 0 holds Q; pass bet": 0.43115953976320415,
    "player 0 holds K; no move yet": 0.4395569526818458,
    "player 0 holds K; pass bet": 3.059022275573384e-07,
    "player 1 holds Q; pass": 0.8507252063187266,
    "player 1 holds Q; bet": 0.4731214951907207,
    "player 1 holds K; pass": 0.19897107763987049,
    "player 1 holds K; bet": 3.059022275573384e-07,
    "player 1 holds J; pass": 0.7128871706633281,
    "player 1 holds J; bet": 0.9933071490711389,
}
#: How often each passed and bet, invented; `logit_estimate` of Gambit says 2.5220083720245228, -93.98662469453441.
OBSERVED = {
    "player 0 holds J; no move yet": (16, 4),
    "player 0 holds J; pass bet": (10, 0),
    "player 0 holds Q; no move yet": (15, 6),
    "player 0 holds Q; pass bet": (5, 4),
    "player 0 holds K; no move yet": (9, 11),
    "player 0 holds K; pass bet": (1, 10),
    "player 1 holds Q; pass": (12, 4),
    "player 1 holds Q; bet": (7, 8),
    "player 1 holds K; pass": (3, 14),
    "player 1 holds K; bet": (0, 12),
    "player 1 holds J; pass": (11, 5),
    "player 1 holds J; bet": (13, 1),
}


def test_kuhns_equilibrium_is_gambits() -> None:
    policy, report = parlor.solve("kuhn", "logit", rationality=5.0)
    assert report.facts == {"rationality": "5"}
    policy = parlor.with_words("kuhn", policy)
    assert {name: policy[name]["pass"] for name in GAMBIT} == pytest.approx(GAMBIT, abs=1e-9)


@pytest.mark.slow
def test_the_fitted_rationality_is_gambits(monkeypatch: pytest.MonkeyPatch) -> None:
    t = tree(load("kuhn"))
    words = tree_words(t)
    counts = np.array([n for key in t.keys.tolist() for n in OBSERVED[words[key][0]]], float)
    monkeypatch.setattr(likelihood, "_counts", lambda t, games: counts)
    found = parlor.estimate_rationality("kuhn", [])
    assert found.rationality == pytest.approx(2.5220083720, abs=1e-6)
    assert found.log_likelihood == pytest.approx(-93.98662469453441, abs=1e-9)
    assert found.uniform == pytest.approx(181 * np.log(0.5))
    curve = LogitCurve(t)
    for end in (found.low, found.high):  # where the likelihood ratio is that of 95 %
        solver = Logit(load("kuhn"), LogitSettings(end))
        solver.run(200)
        fallen = counts @ curve.log_strategy(solver.branch.point[:-1])
        assert found.log_likelihood - fallen == pytest.approx(likelihood.LESS, abs=1e-6)


@pytest.mark.parametrize("preset", ["matching-pennies", "chicken", "bach-or-stravinsky"])
def test_a_game_in_normal_form_has_the_equilibrium_of_the_meta_solver(preset: str) -> None:
    game = load(f"normal-form(preset={preset})")
    payoffs = parlor.payoff_tensor(game)
    spread = np.ptp(payoffs.reshape(2, -1), axis=1)
    assert spread[0] == spread[1]  # the meta-solver's temperature is a share of each player's range
    theirs = solve_meta("quantal-response", payoffs, temperature=1.0 / (0.7 * float(spread[0])))
    policy = parlor.solve(game, "logit", rationality=0.7).policy
    mine = policy.probabilities.reshape(2, -1)
    assert mine == pytest.approx(np.array(theirs.marginals), abs=1e-8)


def test_a_later_self_and_a_later_player_are_reckoned_with_by_hand() -> None:
    """Sheriff with one item, one round: backward induction with softmaxes."""
    game = load("sheriff(items=1,bribe=1,rounds=1)")
    rate = 0.8
    policy = parlor.solve(game, "logit", rationality=rate).policy

    def worth(position: Any, player: int) -> float:
        if position.over:
            return float(position.payoffs[player])
        return sum(p * worth(position.after(name), player) for name, p in policy(position).items())

    loads = policy(game.start())
    for bribe in ("offer 0", "offer 1"):
        at = [game.start().after(name, bribe) for name in loads]
        offered = [loads[name] * policy(game.start().after(name))[bribe] for name in loads]
        answers = policy(at[0])
        assert answers == policy(at[1])  # the sheriff does not see the cargo
        means = [
            sum(p * position.after(answer).payoffs[1] for p, position in zip(offered, at, strict=True)) / sum(offered)
            for answer in answers
        ]
        odds = np.exp(rate * np.array(means))
        assert list(answers.values()) == pytest.approx((odds / odds.sum()).tolist(), abs=1e-8)
    for position in [game.start(), *(game.start().after(name) for name in loads)]:
        odds = np.exp([rate * worth(position.after(name), 0) for name in policy(position)])
        assert list(policy(position).values()) == pytest.approx((odds / odds.sum()).tolist(), abs=1e-8)


def test_the_derivative_is_the_quotient_of_differences() -> None:
    curve = LogitCurve(tree(load("kuhn")))
    point = np.random.default_rng(3).normal(size=25)
    exact = curve.jacobian(point)
    step = 1e-6
    for j in range(25):
        ahead, behind = point.copy(), point.copy()
        ahead[j] += step
        behind[j] -= step
        slope = (curve.residual(ahead) - curve.residual(behind)) / (2 * step)
        assert exact[:, j] == pytest.approx(slope, abs=1e-7)


def test_far_along_the_branch_nobody_can_gain_and_nothing_underflows() -> None:
    solver = Logit(load("kuhn"), LogitSettings(1e5))
    solver.run(500)
    assert solver.branch.reached
    assert parlor.nash_conv("kuhn", solver.policy()) < 1e-5


def test_recorded_moves_are_counted_where_there_was_a_choice() -> None:
    games = [["J to player 0", "Q to player 1", "bet", "pass"], ["K to player 0", "J to player 1", "pass", "pass"]]
    found = parlor.estimate_rationality("kuhn", games * 10)
    assert (found.moves, found.games) == (40, 20)
    assert found.low <= found.rationality <= found.high
    with pytest.raises(GameError, match=r"Game 2 is not one of kuhn: "):
        parlor.estimate_rationality("kuhn", [games[0], ["J to player 0", "J to player 1"]])
    with pytest.raises(GameError, match="No recorded game has a move at which there was a choice"):
        parlor.estimate_rationality("kuhn", [["J to player 0"]])


def test_a_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(GameError, match=r"liars-dice has .* sequences; logit equilibria are followed in"):
        parlor.solve("liars-dice", "logit")
