"""Every game to its end on a phone, with a look from a desk: all of it in the window, and nothing for axe to find."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.axe import violations
from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect

pytestmark = pytest.mark.slow(seconds=80)

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("kuhn", {}),
    ("kuhn", {"players": 4}),
    ("leduc", {}),
    ("leduc", {"players": 3}),
    ("liars-dice", {}),
    ("liars-dice", {"dice": 5}),
    ("goofspiel", {}),
    ("goofspiel", {"players": 3, "cards": 13}),
    ("trade-comm", {"items": 10}),
    ("tiny-bridge", {"players": 4}),
    ("colored-trails", {"boards": 25}),
    ("battleship", {"preset": "small", "shots": 3}),
    ("sheriff", {"preset": "ten-items"}),
    ("normal-form", {"preset": "rock-paper-scissors"}),
    ("deal-or-no-deal", {}),
    ("holdem", {}),
    ("monopoly-deal", {}),
    ("clue", {"players": 3, "cap": 4}),  # of few cards an agent that begins may win before anybody has moved
    ("clue", {"preset": "standard", "players": 6, "cap": 4}),
    ("leodopoly", {"players": 6, "rounds": 1}),
    ("openspiel:tiny_hanabi", {}),
]
SOLVED = ("kuhn", "leduc", "liars-dice", "goofspiel", "colored-trails", "normal-form", "sheriff")
PLAYERS = {"colored-trails": 3}  # of games that have no option for it, if they are not two
AT_A_DESK = [("kuhn", {"players": 4}), ("monopoly-deal", {})]  # played there too; all others are looked at
CASES = [(*table, 390, "dark") for table in TABLES] + [(*table, 1280, "light") for table in AT_A_DESK]


def read_the_rules(visitor: Visitor, described: bool) -> None:
    """By the keyboard; meanwhile the keys of the table do nothing."""
    page, before = visitor.page, visitor.ply
    button = page.get_by_role("button", name="How to play")
    button.press("Enter")
    rules = page.get_by_role("dialog", name=re.compile("^How to play"))
    text = rules.get_by_role("listitem").first if described else rules.get_by_text("There is no description")
    expect(text).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    expect(button).to_be_focused()
    assert visitor.ply == before


@pytest.fixture
def quick_review(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Where an equilibrium would have to be computed first, by whoever sat at the table."""
    monkeypatch.setattr("parlor.server.explain.review.BUDGET", 0.1)
    if game in SOLVED:
        monkeypatch.setattr("parlor.server.explain.jobs.RANDOM", "nobody")


@pytest.mark.usefixtures("quick_review")
@pytest.mark.parametrize(("game", "options", "width", "scheme"), CASES, ids=str)
def test_a_whole_game_without_scrolling(
    visit: Visit, game: str, options: dict[str, Any], width: int, scheme: str
) -> None:
    visitor = visit(width, scheme)
    page, players = visitor.page, options.get("players", PLAYERS.get(game, 2))
    visitor.take_seat(game, options=options, seat=int(width < 1000), seed=7, mind="end")
    visitor.ready()
    assert violations(page) == []
    if width < 1000:
        with visitor.at_a_desk():
            visitor.in_the_window(players)
            assert violations(page) == []
    read_the_rules(visitor, described=":" not in game)
    visitor.in_the_window(players)
    if visitor.ready() == "you":
        visitor.first_move()
    visitor.play_on(players)
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_role("heading")).not_to_be_empty()
    assert violations(page) == []
    visitor.in_the_window(players)
    if width < 1000:
        with visitor.at_a_desk():
            visitor.in_the_window(players)
    table = page.url
    result.get_by_role("button", name=re.compile("^Play again|^Next ")).click()
    expect(page).not_to_have_url(table)
    expect(page.get_by_test_id("table")).to_be_visible()
    expect(result).to_have_count(0)
    if width < 1000:
        visitor.turn_to(f"{table}/replay?ply=3")
        expect(page.get_by_test_id("review")).to_be_visible(timeout=240_000)  # it may have to be compiled first
        assert visitor.overflow() == 0
        assert violations(page) == []


def test_the_moves_stay_where_they_are_while_the_other_thinks(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.take_seat("leduc", seconds=10, seed=3)
    visitor.ready()
    places = (
        "[...document.querySelectorAll('[data-moves] button')].map((b) => JSON.stringify(b.getBoundingClientRect()))"
    )
    before = page.evaluate(places)
    visitor.press("c")
    expect(page.get_by_test_id("table")).to_have_attribute("data-turn", "agent")
    assert page.evaluate(places) == before


def test_a_lost_connection_is_said_in_the_middle_of_the_window(visit: Visit) -> None:
    visitor = visit(390, quiet=False, alone=True)
    page = visitor.page
    visitor.take_seat("monopoly-deal")
    visitor.ready()
    visitor.intercept("**/api/**", lambda route: route.abort())
    page.keyboard.press("1")
    alert = page.get_by_role("alert").filter(has_text="Connection lost")
    expect(alert).to_be_visible()
    box = alert.bounding_box()
    assert box is not None
    assert 844 / 4 < box["y"] + box["height"] / 2 < 844 * 3 / 4
