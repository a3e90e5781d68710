"""Any agent as a table."""

from collections.abc import Mapping

import numpy as np
import pytest

import parlor
from parlor import GameError, Position
from parlor.play import uniform_agent
from parlor.runs.saved_agents import load_agent


def bluffer(position: Position) -> Mapping[str, float]:
    """Bets with the king and every other jack, calls with the king."""
    card = position.view(position.turn).card
    chance = {1: 0.5, 2: 0.0, 3: 1.0}[card]
    return {"bet": chance, "pass": 1.0 - chance}


def test_a_function_gets_its_exact_measures() -> None:
    policy = parlor.tabulate("kuhn", bluffer)
    assert len(policy) == 12
    position = parlor.load("kuhn").start().after("J to player 0", "Q to player 1")
    assert policy(position) == {"pass": 0.5, "bet": 0.5}
    assert parlor.evaluate("kuhn", policy).values[0] == pytest.approx(by_hand(), abs=1e-12)
    assert policy.about == {"tabulated": "bluffer"}


def by_hand() -> float:
    """The value of the first seat, by walking through all games."""

    def value(position: Position) -> float:
        if position.over:
            return position.payoffs[0]
        odds = position.odds if position.turn < 0 else bluffer(position)
        return sum(p * value(position.after(move)) for move, p in odds.items() if p)

    return value(parlor.load("kuhn").start())


def test_a_policy_is_its_own_table() -> None:
    game = parlor.load("leduc")
    policy = parlor.solve(game, iterations=20).policy
    assert parlor.tabulate(game, policy) == policy
    assert parlor.tabulate(game, policy, every_history=False) == policy


def test_compiled_agents_and_games_of_openspiel() -> None:
    game = parlor.load("leduc")
    uniform = parlor.tabulate(game, load_agent("random", game))
    assert uniform.about == {"tabulated": "random"}
    assert parlor.nash_conv(game, uniform) == pytest.approx(parlor.nash_conv(game, parlor.Policy.uniform(game)))
    spiel = parlor.load("openspiel:kuhn_poker")
    assert parlor.nash_conv(spiel, parlor.tabulate(spiel, uniform_agent)) == pytest.approx(11 / 12)


def test_one_name_is_an_answer() -> None:
    passing = parlor.tabulate("kuhn", lambda position: "pass")
    assert parlor.evaluate("kuhn", passing).best_responses == pytest.approx((1.0, 1.0))


def test_a_function_that_peeks_or_draws_lots_is_found_out() -> None:
    def peeks(position: Position) -> str:
        return "bet" if position.state.card[1 - position.turn] == 1 else "pass"

    with pytest.raises(GameError) as error:
        parlor.tabulate("kuhn", peeks)
    assert "peeks plays " in str(error.value)
    assert "which player 0 cannot tell apart (player 0 holds" in str(error.value)
    assert "it depends on hidden information or on chance." in str(error.value)
    assert len(parlor.tabulate("kuhn", peeks, every_history=False)) == 12  # asked only once, it is not


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({"pass": 0.3, "bet": 0.3}, "gives probabilities that sum to 0.6 where"),
        ({"pass": float("nan"), "bet": 1.0}, "gives 'pass' the probability nan where"),
        ({"pass": -0.5, "bet": 1.5}, "gives 'pass' the probability -0.5 where"),
        ({"raise": 1.0}, "plays 'raise' where 'player 0 holds J; no move yet'; the legal moves are pass, bet."),
        ("fold", "plays 'fold' where"),
        ({}, "sum to 0 where"),
        (3, "answers with a int where"),
    ],
)
def test_wrong_answers_get_a_sentence(answer: object, sentence: str) -> None:
    with pytest.raises(GameError) as error:
        parlor.tabulate("kuhn", lambda position: answer)  # type: ignore[arg-type, return-value]
    assert sentence in str(error.value)


def test_rounded_probabilities_are_made_whole() -> None:
    policy = parlor.tabulate("kuhn", lambda position: {"pass": 0.3333333, "bet": 0.6666666})
    assert np.allclose(policy.probabilities.reshape(-1, 2).sum(axis=1), 1.0, atol=1e-15)


def test_a_game_too_large_says_so() -> None:
    with pytest.raises(parlor.TooLarge):
        parlor.tabulate("goofspiel(cards=8)", uniform_agent)
