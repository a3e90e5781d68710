"""Trade Comm: sizes, what pays, who knows what; and that nine items (4 · 10⁷ histories) are enumerated."""

import numpy as np
import pytest

import parlor
from parlor.agents.registry import make_agent, opponent
from parlor.game.loading import load
from parlor.game.seats.play import play_game
from parlor.game.seats.visibility import visible_move
from parlor.policies.policy import Policy
from parlor.sequence_form import enumeration
from parlor.sequence_form.tree import tree
from parlor.solvers.best_response import evaluate


def test_sizes() -> None:
    # 3 * 3 deals, a word each, then one of 3 * 3 trades each; player 0 decides by its item, then by item and two words.
    t = tree(load("trade-comm"))
    assert t.histories == 1 + 9 * (1 + 3 + 9 + 9 * 9 + 9 * 81)
    assert t.infosets == (3 + 27) + (9 + 27)


def test_a_trade_needs_both_items_from_both_sides() -> None:
    said = load("trade-comm").start().after("bell to player 0, candle to player 1", "say apple", "say apple")
    assert said.after("trade bell for candle", "trade candle for bell").payoffs == [1, 1]
    for first, second in [("bell for candle", "bell for candle"), ("candle for bell", "candle for bell")]:
        assert said.after(f"trade {first}", f"trade {second}").payoffs == [0, 0]


def test_items_and_trades_are_secret_and_words_are_not() -> None:
    start = load("trade-comm").start()
    deal = "bell to player 0, candle to player 1"
    assert [visible_move(start, deal, p) for p in (0, 1)] == [None, None]
    dealt = start.after(deal)
    assert dealt.view(0).item == 2
    assert visible_move(dealt, "say apple", 1) == "say apple"
    asked = dealt.after("say apple", "say bell")
    assert visible_move(asked, "trade bell for candle", 0) == "trade bell for candle"
    assert visible_move(asked, "trade bell for candle", 1) is None
    other = asked.after("trade apple for apple")
    assert asked.after("trade bell for candle").key(1) == other.key(1)


def test_two_who_are_truthful_always_trade() -> None:
    game = load("trade-comm")
    assert opponent(game) == "truthful"  # a solver of a game with partners has no partner who knows its words
    truthful = make_agent("truthful", game)
    for seed in range(20):
        record = play_game(game, [truthful, truthful], seed=seed)
        assert record.payoffs == (1, 1)


def test_large_games_keep_only_the_endings_that_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tree(load("trade-comm"))
    monkeypatch.setattr(enumeration, "NEAR", 100)
    monkeypatch.setattr(enumeration, "ROOM", 7000)
    game = load("trade-comm")
    thin = tree(game, compiled=True)
    assert (thin.histories, thin.endings, thin.infosets) == (whole.histories, whole.endings, whole.infosets)
    assert len(thin.weight) == 2 * 9 * 9  # for each player: 3 * 3 deals with 3 * 3 pairs of words
    assert np.count_nonzero(whole.weight) == len(thin.weight)
    generator = np.random.default_rng(0)
    rows = [generator.dirichlet(np.ones(n)) for n in whole.counts]
    policy = Policy.from_rows(game, whole.keys, whole.counts, np.concatenate(rows))
    assert evaluate(game, policy).values == pytest.approx(evaluate(load("trade-comm"), policy).values)
    monkeypatch.setattr(enumeration, "LARGEST", 100)
    monkeypatch.setattr(enumeration, "ROOM", 100)  # now there is no room for what is kept
    with pytest.raises(parlor.TooLarge, match="more than 100 information sets, sequences or endings that pay"):
        tree(load("trade-comm"), compiled=True)


@pytest.mark.slow
def test_nine_items_are_measured_exactly() -> None:
    game = load("trade-comm(items=9)")
    t = tree(game)
    assert t.histories == 1 + 9**2 + 9**3 + 9**4 + 9**6 + 9**8 > enumeration.ROOM
    assert enumeration.LIMIT > 1 + 10**2 + 10**3 + 10**4 + 10**6 + 10**8  # ten would do, in twice the time
    assert t.infosets == (9 + 9**3) + (9**2 + 9**3)
    assert len(t.weight) == 2 * 9**4
    uniform = evaluate(game, Policy.uniform(game))
    assert uniform.values == pytest.approx([1 / 81 * 1 / 81] * 2)  # two trades of 81
    assert uniform.best_responses == pytest.approx([1 / 9 * 1 / 81] * 2)  # one of nine items, and the other's trade
