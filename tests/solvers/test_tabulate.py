"""Any agent as a table."""

import itertools
from collections.abc import Mapping

import numpy as np
import pytest

import parlor
from parlor import GameError, Position
from parlor.game.seats.observation import Event, Observation, observe
from parlor.game.seats.play import uniform_agent
from parlor.runs.saved_agents import load_agent


def bluffer(seen: Observation) -> Mapping[str, float]:
    """Bets with the king and every other jack, calls with the king."""
    card = seen.view.card
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
        odds = position.odds if position.turn < 0 else bluffer(observe(position, position.turn))
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


def test_a_class_is_told_what_has_happened() -> None:
    class Copycat:
        """Does what the other did last; passes if nobody has moved."""

        def __init__(self) -> None:
            self.last = "pass"

        def observe(self, event: Event, seen: Observation) -> None:
            if event.player >= 0 and event.move:
                self.last = event.move

        def act(self, seen: Observation) -> str:
            return self.last

    policy = parlor.tabulate("kuhn", Copycat)
    position = parlor.load("kuhn").start().after("Q to player 0", "K to player 1")
    assert policy[position] == {"pass": 1.0, "bet": 0.0}
    assert policy[position.after("bet")] == {"pass": 0.0, "bet": 1.0}


def test_a_function_that_draws_lots_is_found_out() -> None:
    coin = itertools.cycle(["pass", "bet", "bet"])

    def moody(seen: Observation) -> str:
        return next(coin)

    with pytest.raises(GameError) as error:
        parlor.tabulate("kuhn", moody)
    assert "moody plays " in str(error.value)
    assert "cannot tell apart (player" in str(error.value)
    assert "it depends on hidden information or on chance." in str(error.value)
    assert len(parlor.tabulate("kuhn", moody, every_history=False)) == 12  # asked only once, it is not


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({"pass": 0.3, "bet": 0.3}, "gave probabilities that sum to 0.6, not to 1: pass 0.3, bet 0.3."),
        ({"pass": float("nan"), "bet": 1.0}, "gave 'pass' the probability nan, which must be"),
        ({"pass": -0.5, "bet": 1.5}, "gave 'pass' the probability -0.5, which must be"),
        ({"raise": 1.0}, "'raise', which cannot be played here; legal moves: pass, bet."),
        ("fold", "answered 'fold', which cannot be played here"),
        ({}, "sum to 0, not to 1"),
        (3, "answered 3, which cannot be played here"),
    ],
)
def test_wrong_answers_get_a_sentence(answer: object, sentence: str) -> None:
    with pytest.raises(GameError) as error:
        parlor.tabulate("kuhn", lambda position: answer)
    assert sentence in str(error.value)


def test_rounded_probabilities_are_made_whole() -> None:
    policy = parlor.tabulate("kuhn", lambda position: {"pass": 0.3333333, "bet": 0.6666666})
    assert np.allclose(policy.probabilities.reshape(-1, 2).sum(axis=1), 1.0, atol=1e-15)


def test_a_game_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlor.solvers.tabulate.PLAIN_LIMIT", 50)
    with pytest.raises(parlor.TooLarge, match="58 histories, too many to call the agent at each"):
        parlor.tabulate("kuhn", uniform_agent)
