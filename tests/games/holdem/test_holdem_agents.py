"""The hand-written players of hold'em: what they do, by hand, and that they see only their own cards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from parlor import GameError, Position
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import make_agent
from parlor.arena.match import play_match
from parlor.game.loading import load
from parlor.games.holdem.agents.monte_carlo import by_thresholds
from parlor.games.holdem.agents.rule_based import DRAW, LOW_PAIR, MUCH, NOTHING, TOP_PAIR, WEAKEST, chen, standing
from parlor.poker.hands.cards import cards, symbol
from parlor.poker.hands.equity import equity

GAME = load("holdem")
NAMES = ["fish", "wild", "rule-based", "honest(simulations=50)", "monte-carlo(simulations=50)", "card-blind"]


def dealt(button: str, big_blind: str) -> Position:
    hands = ((button, "button"), (big_blind, "big blind"))
    return GAME.start().after(*(f"{symbol(card)} to the {who}" for hand, who in hands for card in cards(hand)))


def plainly(agent: str) -> CompiledAgent:
    """An agent in plain Python, however many hands it simulates."""
    return replace(make_agent(agent, GAME), slow=False)


def choice(agent: str, position: Position) -> str:
    [(name, _)] = [(name, chance) for name, chance in plainly(agent)(position).items() if chance > 0]
    return name


def flop(position: Position, text: str) -> Position:
    names = (f"flop {symbol(card)}" for card in cards(text))
    return position.after("button calls 1", "big blind checks", *names)


def test_fish_and_wild() -> None:
    position = dealt("7c2d", "AsAh").after("button raises to 200, all-in")
    assert choice("fish", position) == "big blind calls 198, all-in"
    chances = make_agent("wild", GAME)(dealt("7c2d", "AsAh"))
    assert chances["button folds"] == chances["button calls 1"] == pytest.approx(1 / 3)
    assert chances["button raises to 100"] == pytest.approx(1 / 3 / 197)
    assert sum(chances.values()) == pytest.approx(1)


def test_the_card_blind_bettor_bets_once_a_street_and_never_folds() -> None:
    three = "card-blind(bet=3)"
    position = dealt("7c2d", "AsAh")
    assert choice(three, position) == "button raises to 14"  # 2, and three times the pot of 4
    raised = position.after("button raises to 14", "big blind raises to 60")
    assert choice(three, raised) == "button calls 46"  # it has raised already
    limped = position.after("button calls 1")
    assert choice(three, limped) == "big blind raises to 14"
    on_the_flop = limped.after("big blind raises to 14", "button calls 12", "flop K♦", "flop 8♠", "flop 3♣")
    assert choice(three, on_the_flop) == "big blind bets 84"  # a new street
    checked = on_the_flop.after("big blind checks", "button bets 28")
    assert choice(three, checked) == "big blind raises to 186, all-in"  # a check is no bet
    assert choice("card-blind(bet=all-in)", position) == "button raises to 200, all-in"
    asked = position.after("button raises to 200, all-in")
    assert choice("card-blind(bet=all-in)", asked) == "big blind calls 198, all-in"


def test_honest_calls_with_what_wins_half_the_time() -> None:
    assert choice("honest", dealt("AsAh", "7c2d")) == "button calls 1"
    assert choice("honest", dealt("7c2d", "AsAh")) == "button folds"
    assert choice("honest", dealt("AsAh", "7c2d").after("button calls 1")) == "big blind checks"


@pytest.mark.parametrize(
    ("rate", "first", "on_the_flop"),
    [
        (0.13, "button folds", "big blind checks"),
        (0.14, "button calls 1", "big blind checks"),
        (0.18, "button raises to 4", "big blind checks"),
        (0.21, "button raises to 8", "big blind checks"),
        (0.46, "button raises to 8", "big blind bets 2"),
        (0.56, "button raises to 8", "big blind bets 4"),
    ],
)
def test_the_published_thresholds(rate: float, first: str, on_the_flop: str) -> None:
    before = dealt("AsAh", "7c2d")
    for position, name in ((before, first), (flop(before, "Kd8s3c"), on_the_flop)):
        actions = position.actions
        assert position.legal[by_thresholds(position.state, actions, len(actions), rate)] == name


def test_the_sane_one_minds_the_price() -> None:
    sane = "monte-carlo(style=sane,simulations=2000)"
    assert choice(sane, dealt("AsAh", "7c2d")) == "button raises to 6"
    weak = dealt("AsAh", "9c6d")
    assert choice(sane, weak.after("button raises to 4")) == "big blind calls 2"
    assert choice(sane, weak.after("button raises to 200, all-in")) == "big blind folds"


def test_simulations_come_near_the_exact_equity() -> None:
    from parlor.games.holdem.agents.reading import by_samples

    position = flop(dealt("AsKs", "QhJh"), "Qs7s2h")
    for p, held in enumerate(("AsKs", "QhJh")):
        exact = equity(held, board="Qs7s2h").value
        assert by_samples(position.state, p, [1, 2, 3, 4], (4000, 0.5)) == pytest.approx(exact, abs=0.03)


def test_the_points_of_starting_hands() -> None:
    # twice Chen's: AA 20, AKs 12, TT 10, 22 5, JTs 6 + 2 + 1, 72o 3.5 - 5
    hands = {"AsAh": 40, "AsKs": 24, "TcTd": 20, "2c2d": 10, "JsTs": 18, "7c2d": -3}
    for text, points in hands.items():
        assert chen(*cards(text)) == points, text


@pytest.mark.parametrize(
    ("held", "board", "stands"),
    [
        ("AsKd", "Qh7c2d", NOTHING),
        ("AsKd", "Kh7c2d", TOP_PAIR),
        ("AsAd", "Kh7c2d", TOP_PAIR),
        ("7s6d", "Kh7c2d", LOW_PAIR),
        ("As6s", "Ks7s2d", DRAW),
        ("9s8d", "Th7c2d", DRAW),
        ("Ks7d", "Kh7c2d", MUCH),
        ("7s7d", "Kh7c2d", MUCH),
        ("AsQd", "KhKc2d", NOTHING),  # the pair is everybody's
        ("As2s", "KhKc2d", LOW_PAIR),
        ("9s8d", "Th7c6d", MUCH),
    ],
)
def test_what_ones_own_cards_make_of_the_board(held: str, board: str, stands: int) -> None:
    assert standing(flop(dealt(held, "3h3s"), board).state, 0) == stands


def test_where_the_categories_begin() -> None:
    assert WEAKEST == (1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453)


def test_rules() -> None:
    assert choice("rule-based", dealt("7c2d", "AsAh")) == "button folds"
    assert choice("rule-based", dealt("AsAh", "7c2d")) == "button raises to 9"
    assert choice("rule-based", flop(dealt("7c2d", "AsAh"), "Kd8s3c")) == "big blind bets 2"
    assert choice("rule-based", flop(dealt("AsAh", "7c2d"), "Kd8s3c")) == "big blind checks"


@pytest.mark.parametrize("name", NAMES)
def test_nobody_looks_at_the_others_cards(name: str) -> None:
    agent = plainly(name)
    asked = [flop(dealt("QcJd", other), "Kd8s3c").after("big blind checks") for other in ("AsAh", "7c2d")]
    assert agent(asked[0]) == agent(asked[1])


def test_compiled_and_plain_players_play_the_same_hands() -> None:
    agents = [plainly(name) for name in ("monte-carlo(simulations=20)", "rule-based")]
    plain, compiled = (play_match(GAME, agents, 40, seed=2, compiled=which) for which in (False, True))
    assert np.array_equal(plain.payoffs, compiled.payoffs)


@pytest.mark.slow
def test_payoffs_are_told_in_blinds() -> None:
    game = load("holdem(preset=dissertation)")
    match = play_match(game, [make_agent("fish", game), make_agent("rule-based", game)], 60, compiled=False)
    told = match.row()["in_units"]
    assert told["sb/h"]["value"] == pytest.approx(match.payoff.value / 5)
    assert told["mbb/h"]["low"] == pytest.approx(match.payoff.low * 100)


def test_sentences() -> None:
    with pytest.raises(GameError, match="style must be one of dissertation, sane, not 'mad'"):
        make_agent("monte-carlo(style=mad)", GAME)
    for bet in ("0", "nan", "much", "1001"):
        with pytest.raises(GameError, match="bet must be all-in or a number of pots, above 0 and at most 1000, not"):
            make_agent(f"card-blind(bet={bet})", GAME)
    with pytest.raises(GameError, match="fish plays holdem, not leduc"):
        make_agent("fish", load("leduc"))
    with pytest.raises(GameError, match="boards of five cards"):
        make_agent("honest(simulations=0)", load("holdem(streets=2)"))
