"""Colored Trails in the page: an offer is put together chip by chip, and at the end the board's frontier is drawn."""

from __future__ import annotations

import os
import re

import pytest

from tests.browser.conftest import Visit
from tests.browser.expecting import expect

pytestmark = pytest.mark.slow

GAME = "colored-trails(boards=25)"
PICTURES = os.environ.get("PARLOR_PICTURES", "")  # a folder, for who wants to look


def test_an_offer_shows_what_it_would_bring_and_the_game_ends_with_what_was_possible(visit: Visit) -> None:
    person = visit(390)
    page = person.page
    person.take_seat(GAME, agent="fair-trader", seat=0, seed=4)
    assert person.ready() == "you"
    offer = page.locator("[data-moves] button").first
    expect(offer).to_be_disabled()
    page.get_by_role("region", name="You give").get_by_role("button").first.click()
    page.get_by_role("region", name="You get from").get_by_role("button").last.click()  # of another colour
    expect(offer).to_have_text(re.compile(r"you [+−]?\d+, .* [+−]?\d+"))
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/trails-phone.png")
        with person.at_a_desk():
            page.screenshot(path=f"{PICTURES}/trails-desk.png")
    assert person.overflow() == 0
    person.press("o")
    assert person.ready() == "over"
    with person.at_a_desk():  # on a phone it is behind a button
        expect(page.get_by_test_id("frontier").first).to_be_visible()
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/trails-over.png")
        with person.at_a_desk():
            page.screenshot(path=f"{PICTURES}/trails-over-desk.png")


def test_the_responder_answers_one_of_two_offers(visit: Visit) -> None:
    person = visit(1280)
    page = person.page
    person.take_seat(GAME, agent="fair-trader", seat=2, seed=4)
    assert person.ready() == "you"
    accept = page.locator("[data-moves] button:not(:disabled)").first
    expect(accept).to_have_text(re.compile(r"^Accept"))
    accept.hover()  # the board shows the paths that it would open
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/trails-responder.png")
    accept.click()
    assert person.ready() == "over"
    expect(page.get_by_text(re.compile("A trade: ")).first).to_be_visible()
