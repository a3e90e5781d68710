"""After the game: the review, what was thought and what could be expected; and a strategy as a grid and as a quiz."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from tests.browser.axe import violations
from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect
from tests.server.people import Person, sit

pytestmark = pytest.mark.slow

AT_ONCE = (
    "keys => keys.forEach((key) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})))"
)


def played(visitor: Visitor, game: str, agent: str, *moves: str, seed: int = 10) -> Person:
    """A game that is over, in the browser of its player."""
    with httpx.Client(base_url=visitor.address, timeout=600) as http:
        person = sit(http, game, agent, seat=0, seed=seed)
        for move in moves:
            if person.state["turn"] == "you":
                person.move(move)
        person.play()
    state = person.state
    seat = {name: state[name] for name in ("id", "game", "created", "ply")}
    seat |= {"token": person.token, "agent": agent, "outcome": "lost", "branch": False}
    visitor.go()
    visitor.page.evaluate("seat => localStorage.setItem('parlor.seats', JSON.stringify([seat]))", seat)
    visitor.go(f"/table/{state['id']}/replay?review")
    return person


def test_a_costly_decision_is_one_click_away_and_can_be_tried_again(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    for seed in range(10, 40):  # until a bet was answered by a fold or a call that gave something away
        person = played(visitor, "kuhn", "kuhn", "bet", seed=seed)
        review = page.get_by_test_id("review")
        expect(review).to_have_attribute("data-done", "true")
        expect(page.get_by_test_id("next")).to_contain_text("You:")  # at the first decision
        if review.get_by_role("button", name=re.compile("Show move")).count():
            break
        expect(review).to_contain_text("No decision was clearly a mistake.")
    expect(review).to_contain_text("Your costliest decisions")
    expect(review).to_contain_text("Computed exactly")
    expect(review.get_by_role("figure")).to_contain_text("in chips")
    assert visitor.overflow() == 0
    assert violations(page) == []
    with visitor.at_a_desk():
        assert visitor.overflow() == 0
        assert violations(page) == []
    show = review.get_by_role("button", name=re.compile("Show move")).first
    move = int((show.inner_text()).split()[-1])
    show.click()
    expect(page).to_have_url(re.compile(r"ply=\d+$"))
    ply = int(page.url.split("=")[-1])
    expect(page.get_by_test_id("next")).to_contain_text(f"Move {move}: You:")
    expect(page.get_by_test_id("mind")).to_contain_text(re.compile("What Flawless .* would do here"))
    review.get_by_role("button", name="Try again from here").first.click()
    expect(page.get_by_test_id("table")).to_be_visible()
    assert visitor.ready() == "you"

    stranger = visit(alone=True)  # with nothing but the link
    there = stranger.page
    stranger.go(f"/table/{person.state['id']}/replay")
    shown = there.get_by_test_id("stranger")
    expect(shown.get_by_role("heading")).to_have_text(re.compile(r"^Player 1 (won against|lost to) Flawless \w+\.$"))
    expect(shown).to_contain_text(f"Player 1's costliest move is number {move}:")
    expect(there.get_by_test_id("next")).to_contain_text("Player 1:")
    expect(there.locator("[data-side]")).to_have_count(2)
    expect(there.get_by_role("img", name="a hidden card")).to_have_count(0)
    expect(there.get_by_test_id("review")).to_contain_text("Player 1's costliest decisions")
    assert violations(there) == []
    shown.get_by_role("button", name="Can you do better?").click()
    assert stranger.ready() == "you"
    assert stranger.ply == ply


def test_what_it_thought_and_what_could_be_expected_are_two_things(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    person = played(visitor, "kuhn", "kuhn", "bet")
    theirs = next(event["ply"] for event in person.state["history"] if event["by"] == "agent")
    page.get_by_role("slider", name="Moves so far").fill(str(theirs))
    mind = page.get_by_test_id("mind")
    expect(mind).to_contain_text("What it thought in its own seat")
    page.get_by_role("button", name="What could you expect of it?").click()
    expect(page.get_by_test_id("expected")).to_contain_text("What you could expect, from your seat")
    expect(mind).to_be_visible()
    page.get_by_role("slider", name="Moves so far").fill(str(theirs - 1))
    expect(mind).to_contain_text("You chose")  # and never the other decision under this heading
    assert visitor.overflow() == 0
    with visitor.at_a_desk():
        assert visitor.overflow() == 0


def test_a_hand_of_many_moves_is_replayed_within_the_window(visit: Visit) -> None:
    visitor = visit(390, "dark")
    person = played(visitor, "holdem", "fish")
    for ply in (0, person.state["ply"] // 2, person.state["ply"]):
        visitor.page.get_by_role("slider", name="Moves so far").fill(str(ply))
        expect(visitor.page).to_have_url(re.compile(f"ply={ply}$"))
        assert visitor.overflow() == 0
        with visitor.at_a_desk():
            assert visitor.overflow() == 0
    visitor.page.evaluate(AT_ONCE, ["Home", "ArrowRight", "ArrowRight", "]", "ArrowLeft"])
    yours = next(event["ply"] for event in person.state["history"] if event["by"] == "you" and event["ply"] > 2)
    expect(visitor.page).to_have_url(re.compile(f"ply={yours - 1}$"))  # each key counts from where the last one led
    expect(visitor.page.get_by_role("slider", name="Moves so far")).to_have_value(str(yours - 1))


def test_a_strategy_is_a_grid_of_cards_and_a_quiz(visit: Visit, agents: Path) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    visitor.go("/strategy?agent=kuhn")
    grid = page.get_by_test_id("card-grid")
    expect(grid.get_by_role("row")).to_have_count(3)
    expect(grid).to_contain_text("Player 1 to move")
    grid.get_by_role("button", name="Bet").click()
    expect(grid).to_contain_text("Player 2 to move")
    expect(grid.get_by_role("row").last).to_contain_text("call 100 %")  # a king always calls
    assert visitor.overflow() == 0
    assert violations(page) == []
    page.get_by_text("Quiz: what would it do?").click()
    quiz = page.get_by_test_id("quiz")
    expect(quiz.get_by_test_id("score")).to_have_text("0 of 0 right")
    quiz.get_by_role("list", name="Possible moves").get_by_role("button").first.click()
    expect(quiz.get_by_test_id("answer")).to_contain_text(re.compile(r"(Right|No)\."))
    expect(quiz.get_by_test_id("score")).to_contain_text("of 1 right")
    assert violations(page) == []
    quiz.get_by_role("button", name="Next situation").click()
    expect(quiz.get_by_test_id("answer")).to_have_count(0)
    assert visitor.overflow() == 0
    with visitor.at_a_desk():
        assert visitor.overflow() == 0
        assert violations(page) == []
    page.reload()
    expect(quiz.get_by_test_id("score")).to_contain_text("of 1 right")
