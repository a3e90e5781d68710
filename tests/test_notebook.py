"""What things print in a notebook: a line or two, and a small table in HTML that shows no markup of others."""

import sys
from typing import Any

import pytest

import parlor
from parlor import GameError
from parlor.game.words import html_table
from parlor.runs.saved_agents import load_agent
from parlor.solvers.solve import Solve, SolveReport


@pytest.fixture(scope="module")
def things() -> list[Any]:
    game = parlor.load("leduc")
    solution = parlor.solve(game, iterations=200)
    match = parlor.play_match("leduc", [load_agent("random", "leduc")] * 2, games=200, seed=1)
    position = game.start().after(
        "K♠ to player 0", "J♥ to player 1", "raise", "call", "board Q♥", "call", "raise", "call"
    )
    return [
        game,
        position,
        parlor.tree(game),
        solution.policy,
        parlor.with_words(game, solution.policy),
        solution.report,
        parlor.evaluate("leduc", solution.policy),
        parlor.best_response("leduc", solution.policy, 0),
        match,
        solution,
        Solve(game, iterations=10),
    ]


def test_everything_prints_in_two_lines_at_most(things: list[Any]) -> None:
    for thing in things:
        text = repr(thing)
        assert len(text) <= 240, text
        assert "\n" not in text
        assert "array" not in text
        if hasattr(thing, "_repr_html_"):
            html = thing._repr_html_()
            assert html.startswith("<table>")
            assert html.count("<tr>") <= 22
            assert len(html) < 6000


def test_what_they_say(things: list[Any]) -> None:
    game, position, tree, policy, worded, report, evaluation, *_ = things
    assert repr(tree) == ("<tree of leduc: 9,457 histories, 5,520 endings, 936 information sets, 2,186 sequences>")
    assert repr(policy) == "<policy for leduc: 936 information sets>"
    assert "algorithm cfr+, iterations 200," in repr(report)
    assert f"exploitability {report.exploitability:.4g}>" in repr(report)
    assert f"values {evaluation.values[0]:.4g}, {evaluation.values[1]:.4g};" in repr(evaluation)
    assert "<td>player 1 holds J♥" in position._repr_html_()
    assert "<td>… and 916 more</td>" in worded._repr_html_().replace(' colspan="2"', "")
    assert "zero-sum" in game._repr_html_()


def test_a_long_history_is_cut() -> None:
    position = parlor.load("goofspiel(cards=7)").start()
    while not position.over:
        position = position.after(position.actions[0])
    assert f"after {len(position.history) - 8} moves, " in repr(position)


def test_a_match_prints_its_result() -> None:
    agent = load_agent("random", "kuhn")
    match = parlor.play_match("kuhn", [agent, agent], games=100)
    assert repr(match).startswith("<match of kuhn: random against random, games 100, win rate 0.")
    assert f"payoff {match.payoff.value:+.3f} (" in repr(match)


def test_markup_is_escaped() -> None:
    assert html_table("a < b", ["<i>"], [["<script>"]]).count("<") == 16
    assert "&lt;script&gt;" in html_table("a", ["b"], [["<script>"]])


def test_a_report_is_plotted() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    report = parlor.solve("kuhn", iterations=100).report
    axes = report.plot()
    [line] = axes.get_lines()
    assert [tuple(point) for point in line.get_xydata()] == [(float(i), e) for i, e in report.curve]
    assert axes.get_xlabel() == "iterations"
    assert axes.get_ylabel() == "exploitability"
    assert parlor.solve("kuhn", "cfr", iterations=10).report.plot(axes) is axes  # a second line beside it
    assert len(axes.get_lines()) == 2
    matplotlib.pyplot.close(axes.figure)


def test_a_report_that_cannot_be_plotted_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    unmeasured = SolveReport("large", "mccfr-outcome", 10, 0.1, 100, None, ())
    with pytest.raises(GameError, match="was not measured, so there is nothing to plot"):
        unmeasured.plot()
    with pytest.raises(GameError, match="too large to measure its values"):
        _ = unmeasured.values
    assert "exploitability not measured" in repr(unmeasured)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(GameError, match="Matplotlib is not installed"):
        parlor.solve("kuhn", iterations=2).report.plot()
