"""One decision, one input: double clicks and held keys at every pace, and keys that do what they say."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect
from tests.browser.test_connection import history

pytestmark = pytest.mark.slow(seconds=35)

PACES = [0, 0.25, 0.5, 1, 2]
GUARDED = 500  # milliseconds after a click in which another does nothing
SOON = 3600_000


def stop_the_clock(visitor: Visitor) -> None:
    """From now on, time goes by when the test says so, however busy the machine is."""
    now: int = visitor.page.evaluate("Date.now()")
    visitor.page.clock.pause_at((now + SOON) / 1000)


def wait_for_turn(visitor: Visitor, seconds: float) -> str:
    """Until it is the person's turn or over, as the agent moves at its pace."""
    table = visitor.page.get_by_test_id("table")
    while table.get_attribute("data-turn") == "agent":
        before = visitor.ply
        visitor.page.clock.run_for(int(1000 * seconds))
        expect(table).not_to_have_attribute("data-ply", str(before))
    return visitor.ready()


def decisions(visitor: Visitor) -> list[dict[str, Any]]:
    """What one has decided, as the server has it."""
    return [event for event in history(visitor.page) if event["by"] == "you"]


def double_click(visitor: Visitor, pause: int) -> None:
    """On the second of the buttons (to check or call), as a hand does it: where it is, whatever appears there."""
    page, before = visitor.page, visitor.ply
    box = page.locator("[data-moves] button").nth(1).bounding_box()
    assert box is not None
    where = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*where)
    expect(page.get_by_test_id("table")).not_to_have_attribute("data-ply", str(before))
    page.clock.run_for(pause)
    page.mouse.click(*where)


@pytest.mark.parametrize("seconds", PACES)
def test_a_double_click_makes_one_move(visit: Visit, seconds: float) -> None:
    visitor = visit(clock=True)
    page = visitor.page
    pauses = (30, 150, 300, GUARDED - 1) if seconds < 1 else (150,)
    for seed, pause in enumerate(pauses):
        page.clock.resume()
        visitor.take_seat("leduc", seconds=seconds, seed=seed)
        visitor.ready()
        stop_the_clock(visitor)
        for made in (1, 2):
            if wait_for_turn(visitor, seconds) == "over":
                break
            page.clock.run_for(GUARDED)
            expect(page.locator("[data-guarded]")).to_have_count(0)
            double_click(visitor, pause)
            wait_for_turn(visitor, seconds)
            assert len(decisions(visitor)) == made
    assert page.url.startswith(visitor.address + "/table/")  # and no second click began another game


@pytest.mark.parametrize("seconds", PACES)
@pytest.mark.parametrize("key", ["1", "Enter"])
def test_a_held_key_makes_one_move(visit: Visit, seconds: float, key: str) -> None:
    visitor = visit(clock=True)
    page = visitor.page
    page.clock.resume()
    visitor.take_seat("monopoly-deal", seconds=seconds, seed=4)
    visitor.ready()
    stop_the_clock(visitor)
    if key == "Enter":
        page.keyboard.press("ArrowDown")
    for _ in range(12):
        page.keyboard.down(key)  # again and again without being released: repeats
        page.clock.run_for(30)
    page.keyboard.up(key)
    wait_for_turn(visitor, seconds)
    assert len(decisions(visitor)) == 1


def test_a_card_is_bid_by_its_own_key(visit: Visit) -> None:
    visitor = visit()
    visitor.take_seat("goofspiel", options={"cards": 13})
    for key, card in (
        ("2", "bid 2"),
        ("5", "bid 5"),
        ("0", "bid 10"),
        ("j", "bid 11"),
        ("k", "bid 13"),
        ("q", "bid 12"),
    ):
        visitor.ready()
        visitor.press(key)
        visitor.ready()
        assert decisions(visitor)[-1]["text"] == card
    before = visitor.ply
    visitor.page.keyboard.press("2")  # it is gone
    assert visitor.ply == before


def test_every_key_that_is_shown_makes_its_move(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    for game in ("kuhn", "leduc", "liars-dice", "monopoly-deal"):
        visitor.take_seat(game, seed=2)
        visitor.ready()
        button = page.locator("[data-moves] [aria-keyshortcuts]:not(:disabled)").last
        key = str(button.get_attribute("aria-keyshortcuts"))
        visitor.press(key)
        assert len(decisions(visitor)) == 1


def test_a_fold_is_never_where_a_check_was(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.take_seat("kuhn")
    visitor.ready()
    fold, check, bet = page.locator("[data-moves] button").all()
    expect(fold).to_be_disabled()
    expect(fold).to_contain_text("nobody has bet")
    expect(check).to_contain_text("Check")
    expect(bet).to_contain_text("Bet")
    expect(page.get_by_test_id("pot")).to_have_text("2")


def test_what_cannot_be_played_says_why(visit: Visit) -> None:
    visitor = visit()
    visitor.take_seat("monopoly-deal", seed=5)
    visitor.ready()
    blocked = visitor.page.get_by_role("group", name="Your hand").get_by_role("img", name="You have no")
    expect(blocked.first).to_have_attribute("title", "You have no brown property to charge rent for.")


def test_a_move_is_taken_back_by_one_click(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.take_seat("monopoly-deal", seed=4)
    visitor.ready()
    first, table = visitor.ply, page.url
    visitor.press("1")
    visitor.ready()
    page.get_by_role("button", name="Take back").click()
    expect(page).not_to_have_url(table)
    visitor.ready()
    assert visitor.ply == first
    visitor.go()
    expect(page.get_by_role("region", name="Continue your game").get_by_role("link")).to_have_count(1)  # and not two
    page.goto(table)  # leads to where the game goes on
    visitor.ready()
    assert visitor.ply == first
