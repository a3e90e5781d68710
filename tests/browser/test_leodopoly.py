"""Leodopoly in the browser: a whole game with an auction and offers, typed amounts, and the mind in pounds."""

from __future__ import annotations

import re

import pytest

from tests.browser.axe import violations
from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect
from tests.browser.test_clue import state_of

pytestmark = pytest.mark.slow(seconds=30)

PHASES = {"buying", "bidding", "offering", "answering", "selling"}


def moved(visitor: Visitor, before: int) -> None:
    expect(visitor.page.get_by_test_id("table")).not_to_have_attribute("data-ply", str(before), timeout=60_000)


def name_amount(visitor: Visitor, what: str, amount: int) -> None:
    """In the field, then Enter."""
    before = visitor.ply
    field = visitor.page.get_by_role("spinbutton", name=f"{what}, in pounds")
    field.fill("100000")
    expect(visitor.page.get_by_role("button", name=re.compile("^£0 to £"))).to_be_disabled()
    field.fill(str(amount))
    expect(visitor.page.get_by_role("button", name=re.compile(f"^{what} £{amount}"))).to_be_enabled()
    field.press("Enter")
    moved(visitor, before)


def decide(visitor: Visitor, phase: str, done: set[str]) -> None:
    """Everything once; then what is shortest."""
    page, new = visitor.page, phase not in done
    if phase == "buying":
        expect(page.get_by_role("region", name=re.compile("^For sale: "))).to_be_visible()
        visitor.press("b" if "bidding" in done else "a")
    elif phase == "bidding" and new:
        expect(page.get_by_role("region", name="The auction")).to_contain_text("sealed")
        name_amount(visitor, "Bid up to", 150)
    elif phase == "offering" and new:
        name_amount(visitor, "Offer", 31)
    elif phase == "answering":
        visitor.press("1" if new else "k")
    elif phase == "selling" and "answering" not in done:
        before = visitor.ply
        page.locator("[data-tour=board] button").first.click()
        moved(visitor, before)
    else:
        visitor.first_move()


def test_a_whole_game_with_an_auction_and_offers(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    visitor.take_seat("leodopoly", "optimal", options={"rounds": 4}, seed=2, mind="end")
    done: set[str] = set()
    while visitor.ready() != "over" and done != PHASES:
        state = state_of(visitor)
        phase = state["view"]["phase"]
        visitor.in_the_window(3)
        assert page.locator("[data-moves] button").count() < 12  # and not one for each pound
        if phase not in done:
            assert violations(page) == []
            with visitor.at_a_desk():
                visitor.in_the_window(3)
                assert violations(page) == []
        decide(visitor, phase, done)
        done.add(phase)
    assert done == PHASES
    visitor.play_on(3)
    assert visitor.ready() == "over"
    view = state_of(visitor)["view"]
    for p, money in enumerate(player["money"] for player in view["players"]):
        mine = page.locator("section[data-side]").filter(
            has=page.get_by_text(state_of(visitor)["names"][p], exact=True)
        )
        expect(mine.first).to_contain_text(f"£{money:,}")
    expect(page.get_by_test_id("result")).to_contain_text(re.compile("All 4 rounds were played|bankrupt"))
    visitor.in_the_window(3)
    assert violations(page) == []
    with visitor.at_a_desk():
        visitor.in_the_window(3)
        assert violations(page) == []


@pytest.mark.usefixtures("no_review")
def test_the_mind_is_the_heuristic_in_pounds(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.take_seat("leodopoly", "optimal", options={"rounds": 2}, seed=2, mind="end")
    visitor.play_on(3)
    choices = [event for event in state_of(visitor)["history"] if event["by"] == "agent"]
    ply = next(event["ply"] for event in choices if event["move"]["verb"] in ("buy", "decline"))
    visitor.turn_to(f"{page.url}/replay?ply={ply}")
    terms = page.get_by_test_id("terms")
    expect(terms.get_by_role("columnheader").nth(1)).to_have_text("now")
    expect(terms.get_by_role("columnheader").nth(2)).to_have_text(re.compile(r"^it buys for £\d+$"))
    for name in ("money", "own rents", "opponents' rents", "jeopardy"):
        expect(terms.get_by_role("row").filter(has_text=name).first).to_be_visible()
    expect(terms.get_by_role("row").filter(has_text="money").first).to_contain_text(re.compile(r"£\d+.*−\d+"))
    assert violations(page) == []


def test_the_classic_game_on_a_phone(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    visitor.take_seat("leodopoly", options={"preset": "classic"}, seed=4, mind="never")
    wanted, verbs, opened = {"buy", "roll", "trade", "put up", "mortgage"}, set[str](), False
    for _ in range(80):
        if visitor.ready() == "over" or (wanted <= verbs and opened):
            break
        visitor.in_the_window(4)
        now = {move["verb"] for move in state_of(visitor)["legal"]}
        verbs |= now
        if {"put up", "mortgage", "trade"} <= now:
            page.keyboard.press("v")  # which property? and back
            expect(page.get_by_text("Put up which property?")).to_be_visible()
            visitor.in_the_window(4)
            page.keyboard.press("Escape")
            opened = True
        visitor.first_move()
    assert wanted <= verbs
    assert opened
    assert page.get_by_role("list", name="The board").get_by_role("listitem").count() == 40
    assert violations(page) == []
