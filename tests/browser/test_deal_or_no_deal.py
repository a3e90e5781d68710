"""Deal or No Deal in the browser: items clicked, dragged or moved by keys, what is said, and what was possible."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator

from tests.browser.axe import violations
from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect
from tests.browser.test_clue import state_of

pytestmark = pytest.mark.slow

GAME = "deal-or-no-deal"
ITEMS = ("book", "hat", "basketball")


def tray(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("region", name="Who gets what")


def talk(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("group", name="What was said")


def mine(visitor: Visitor) -> tuple[list[int], list[int]]:
    """The pool, and what an item of each type is worth to the person."""
    shown: dict[str, Any] = state_of(visitor)["view"]["display"]
    return shown["pool"], shown["values"][1]


def points(visitor: Visitor, kept: list[int]) -> None:
    """The page counts what the items on one's own side are worth."""
    _, values = mine(visitor)
    total = sum(value * count for value, count in zip(values, kept, strict=True))
    expect(tray(visitor).get_by_test_id("points 1")).to_have_text(f"{total} point{'' if total == 1 else 's'}")


def test_items_go_from_side_to_side_by_clicks_arrows_drags_and_keys(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    visitor.take_seat(GAME, seat=1, seed=4, mind="end")
    visitor.ready()
    kept = list(mine(visitor)[0])
    points(visitor, kept)
    tray(visitor).get_by_role("button", name="Give a book to Random").first.click()
    kept[0] -= 1
    points(visitor, kept)
    tray(visitor).get_by_role("button", name="One hat more for Random").click()
    kept[1] -= 1
    points(visitor, kept)
    ball = tray(visitor).get_by_role("button", name="Give a basketball to Random").first
    ball.drag_to(page.get_by_text("gets", exact=True))
    kept[2] -= 1
    points(visitor, kept)
    back = tray(visitor).get_by_role("button", name="Take a basketball from Random").first
    back.hover()
    page.mouse.down()
    page.mouse.move(30, 700)  # dropped where it was: it stays
    page.mouse.up()
    points(visitor, kept)
    page.keyboard.press("1")
    kept[0] += 1
    points(visitor, kept)
    page.keyboard.press("1")  # after the last one, none
    kept[0] = 0
    points(visitor, kept)
    more = tray(visitor).get_by_role("button", name="One book more for you")
    for _ in range(mine(visitor)[0][0] + 1):  # once too often: nothing is left, and the focus stays
        more.press("Enter")
    kept[0] = mine(visitor)[0][0]
    points(visitor, kept)
    expect(more).to_be_focused()
    tray(visitor).get_by_role("button", name="Give a book to Random").last.press("Enter")
    kept[0] -= 1
    points(visitor, kept)
    expect(tray(visitor).locator(":focus")).to_have_count(1)
    assert visitor.overflow() == 0
    assert violations(page) == []


def test_a_negotiation_to_its_end(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.take_seat(GAME, "search", seat=1, seed=4)
    visitor.ready()
    expect(page.locator("[data-side=other]")).to_contain_text("?")
    _, values = mine(visitor)
    shown = page.locator("[data-side=own]").get_by_role("listitem")
    for item, value in zip(range(len(ITEMS)), values, strict=True):
        expect(shown.nth(item)).to_contain_text(str(value))
    said = talk(visitor).get_by_role("listitem").filter(has_text="I keep")
    expect(said).to_have_count(1)
    page.keyboard.press("2")
    propose = page.get_by_role("button", name=re.compile("^Propose “I keep"))
    sentence = propose.inner_text().partition("“")[2].partition("”")[0]
    visitor.press("o")
    expect(talk(visitor)).to_contain_text(f"You: {sentence}")
    if visitor.ready() != "over":
        agree = page.get_by_role("button", name=re.compile("^Agree you get"))
        expect(agree).to_be_enabled()
        visitor.press("a")
    result = page.get_by_test_id("result")
    expect(result.get_by_role("heading")).to_contain_text("A deal: you get")
    picture = page.get_by_test_id("frontier")
    expect(picture).to_contain_text("The Nash bargaining solution")
    told = picture.locator("p")
    expect(told).to_contain_text(str(result.get_by_role("heading").inner_text().split(" ")[4]).rstrip(","))
    dots = picture.get_by_role("application")
    dots.focus()
    page.keyboard.press("End")
    expect(told).to_contain_text("You 10")
    page.keyboard.press("Home")
    expect(told).to_contain_text("You 0")
    assert violations(page) == []
    expect(page.locator("[data-side=other]")).not_to_contain_text("?")
    mind = page.get_by_test_id("mind")
    expect(mind.get_by_test_id("search")).to_contain_text("simulated games")
    expect(mind.get_by_test_id("beliefs")).to_contain_text("A basketball is worth to you")
    assert violations(page) == []
