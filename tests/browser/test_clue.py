"""Clue in the browser: suggestions of three clicks or keys, cards that are shown, accusations, and the notepad."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator

from tests.browser.axe import violations
from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect

pytestmark = pytest.mark.slow

SUSPECTS = ("Scarlet", "Mustard", "White", "Green", "Peacock", "Plum")


def notepad(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("region", name="Notepad")


def state_of(visitor: Visitor) -> dict[str, Any]:
    """What the server tells this browser's seat."""
    [seat, *_] = json.loads(visitor.page.evaluate("localStorage['parlor.seats']"))
    headers = {"Authorization": f"Bearer {seat['token']}"}
    answer: dict[str, Any] = visitor.page.request.get(
        f"{visitor.address}/api/tables/{seat['id']}", headers=headers
    ).json()
    return answer


def row(visitor: Visitor, card: str) -> Locator:
    return notepad(visitor).get_by_role("row").filter(has=visitor.page.get_by_role("button", name=card, exact=True))


def test_a_suggestion_takes_three_clicks_and_one_to_confirm(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    visitor.take_seat("clue", seed=5)
    visitor.ready()
    suggest = page.get_by_role("button", name="Suggest")
    for card in ("Plum", "Knife", "Lounge", "Study"):
        expect(suggest).to_be_disabled()
        notepad(visitor).get_by_role("button", name=card, exact=True).click()
        if card == "Lounge":
            notepad(visitor).get_by_role("button", name=card, exact=True).click()  # put back
    before = visitor.ply
    suggest.click()
    expect(page.get_by_test_id("table")).not_to_have_attribute("data-ply", str(before))
    said = page.get_by_role("group", name="Suggestions so far")
    expect(said).to_contain_text("You: Plum, Knife, Study")
    visitor.ready()
    first = state_of(visitor)["view"]["suggestions"][0]
    assert first["by"] == 0
    assert first["refuter"] is not None
    shown = state_of(visitor)["view"]
    name = [*shown["suspects"], *shown["weapons"], *shown["rooms"]][first["shown"]].split(" ")[-1]
    expect(said).to_contain_text(re.compile(f"showed you {name}|showed you .*{name}"))
    assert visitor.overflow() == 0


def test_a_suggestion_by_keys(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.take_seat("clue", seed=5)
    visitor.ready()
    for key in ("2", "6", "9", "Backspace", "8"):
        page.keyboard.press(key)
    visitor.press("Enter")
    expect(page.get_by_role("group", name="Suggestions so far")).to_contain_text("You: Mustard, Wrench, Library")


def test_a_card_is_chosen_to_be_shown_and_one_that_was_seen_is_marked(visit: Visit) -> None:
    """The player before one asks for this and that until it is a card that was shown before."""
    visitor = visit()
    page = visitor.page
    marked = page.get_by_role("button", name=re.compile("has seen it"))
    for seed in range(2, 8):
        visitor.take_seat("clue", "stateless", seat=1, seed=seed, mind="end")
        while visitor.ready() != "over" and marked.count() == 0:
            visitor.first_move()
        if marked.count():
            break
    asked = state_of(visitor)["view"]
    expect(marked.first).to_be_visible()
    before = [one["shown"] for one in asked["suggestions"] if one["by"] == asked["actor"] and one["refuter"] == 1]
    assert len([card for card in before if card is not None]) > 0
    visitor.first_move()
    visitor.ready()
    expect(page.get_by_role("group", name="Suggestions so far")).to_contain_text("you showed")


def test_an_accusation_is_a_separate_act_and_a_wrong_one_puts_out(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.take_seat("clue", options={"preset": "standard"}, seed=5)
    visitor.ready()
    expect(page.get_by_role("button", name="End your turn")).to_have_count(0)
    page.keyboard.press("a")
    accuse = page.get_by_role("button", name="Accuse: this is final")
    expect(accuse).to_be_disabled()
    page.keyboard.press("Escape")
    expect(accuse).to_have_count(0)
    page.get_by_role("button", name="Accuse …").click()
    wrong = next(card for card in held(visitor) if card in SUSPECTS)
    for card in (wrong, "Knife", "Study"):
        notepad(visitor).get_by_role("button", name=card, exact=True).click()
    assert violations(page) == []
    before = visitor.ply
    accuse.click()
    expect(page.get_by_test_id("table")).not_to_have_attribute("data-ply", str(before))
    expect(page.get_by_role("group", name="Suggestions so far")).to_contain_text(f"You accused {wrong}, Knife, Study")


def held(visitor: Visitor) -> list[str]:
    """One's cards, by the names that the notepad uses."""
    view = state_of(visitor)["view"]
    deck = [*(name.split(" ")[-1] for name in view["suspects"]), *view["weapons"], *view["rooms"]]
    return [deck[card] for card in view["hand"]]


def test_the_notepad_fills_itself_or_is_kept_by_hand(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    visitor.take_seat("clue", seed=5)
    visitor.ready()
    mine = held(visitor)
    expect(row(visitor, mine[0]).get_by_role("cell").first).to_have_text("✓yes")
    expect(row(visitor, mine[0]).get_by_role("cell").last).to_have_text("✗no")
    other = next(card for card in ("Hall", "Study", "Kitchen", "Lounge", "Library", "Ballroom") if card not in mine)
    expect(row(visitor, other).get_by_role("cell").last).to_have_text(re.compile(r"^\d+ %$"))

    notepad(visitor).get_by_role("checkbox", name="fill in").uncheck()
    cell = row(visitor, other).get_by_role("button", name=f"{other}, the file:")
    for said in ("yes", "no", "maybe", "nothing noted", "yes"):
        cell.click()
        expect(cell).to_have_accessible_name(f"{other}, the file: {said}")
    assert violations(page) == []
    assert visitor.overflow() == 0
    with visitor.at_a_desk():
        assert visitor.overflow() == 0
        assert violations(page) == []
    page.reload()
    visitor.ready()
    expect(cell).to_have_accessible_name(f"{other}, the file: yes")
    visitor.take_seat("clue", seed=6)  # another table, other notes
    visitor.ready()
    expect(cell).to_have_accessible_name(f"{other}, the file: nothing noted")
    notepad(visitor).get_by_role("checkbox", name="fill in").check()
    expect(cell).to_have_count(0)


@pytest.mark.usefixtures("no_review")
def test_at_the_end_the_file_is_open_and_every_notepad_can_be_read(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.take_seat("clue", options={"preset": "tiny"}, seed=5)
    while visitor.ready() != "over":
        expect(page.get_by_role("region", name="The file").get_by_role("img", name="a hidden card")).to_have_count(3)
        visitor.first_move()
    file = page.get_by_role("region", name="The file")
    expect(file.get_by_role("img", name="a hidden card")).to_have_count(0)
    expect(page.get_by_role("group", name="The hand, now open")).to_have_count(2)
    notepad(visitor).get_by_role("combobox", name="Whose notes").select_option("1")
    theirs = state_of(visitor)["sides"][1]
    deck = [*(name.split(" ")[-1] for name in theirs["suspects"]), *theirs["weapons"], *theirs["rooms"]]
    for card in theirs["hand"]:
        expect(row(visitor, deck[card]).get_by_role("cell").first).to_have_text("✓yes")
    history = page.get_by_role("list", name="History").get_by_role("listitem")
    assert history.count() <= 1 + 2 * 4  # the deal is one line
    visitor.turn_to(page.url + "/replay?ply=8")
    assert page.locator("h1").count() == 1  # also while the replay is loaded
    expect(page.get_by_role("heading", level=1)).to_contain_text("Replay")
    expect(page.get_by_test_id("its-notepad")).to_be_visible()
    assert violations(page) == []
