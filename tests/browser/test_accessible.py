"""For who cannot see it, has no mouse, or is made dizzy: axe-core finds nothing on any page.

Tables and replays of every game are checked where they are played (test_one_screen.py), reviews, grids and quizzes in
test_review.py, the form to sign in in test_sign_in.py.
"""

from __future__ import annotations

import pytest

from tests.browser.axe import violations
from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect
from tests.browser.test_record import OLD, result, store
from tests.browser.test_seats import OPEN, set_table

pytestmark = pytest.mark.slow(seconds=25)


def both(visitor: Visitor) -> list[str]:
    """What axe finds on a phone, in dark colours, and at a desk, in light ones."""
    found = violations(visitor.page)
    with visitor.at_a_desk():
        return found + violations(visitor.page)


def test_axe_finds_nothing_on_any_page(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    store(visitor, seats=OLD, results=[result(n, "leduc", 1.0 - n % 2, minutes=n) for n in range(3)])
    shown = {
        "/": page.get_by_role("button", name="Play Monopoly Deal", exact=True),
        "/?game=kuhn": page.get_by_role("button", name="Play Kuhn against"),
        "/record": page.get_by_test_id("session"),
        "/strategy": page.get_by_label("Strategy"),
        "/strategy?agent=kuhn&show=list": page.get_by_role("list", name="Information sets"),
        "/runs": page.get_by_role("rowheader", name="careful"),
        "/runs/short": page.locator("path.recharts-line-curve").first,
        "/nowhere": page.get_by_text("There is nothing at this address."),
    }
    visitor.go()
    for path, there in shown.items():
        visitor.turn_to(path)
        expect(there).to_be_visible()
        assert both(visitor) == [], path


def test_what_stays_wrong_is_found_and_not_what_was_there_between_two_pages(visit: Visit) -> None:
    visitor = visit(alone=True)
    page = visitor.page
    visitor.go("/nowhere")
    expect(page.get_by_text("There is nothing at this address.")).to_be_visible()
    page.evaluate("""() => {
        const heading = document.querySelector("h1"), place = heading.parentElement;
        heading.remove();
        setTimeout(() => place.prepend(heading), 300);
        const picture = place.appendChild(document.createElement("img"));
        setTimeout(() => picture.remove(), 900);
    }""")
    assert violations(page) == []
    page.evaluate("document.querySelector('main').append(document.createElement('img'))")
    assert [found.partition(" | ")[0] for found in violations(page)] == ["image-alt"]


def test_axe_finds_nothing_on_the_way_to_a_table(visit: Visit) -> None:
    anna, ben = visit(390, "dark"), visit(390, "dark", quiet=False)
    link = set_table(anna, "Leduc", ["You", OPEN], clock="15 seconds")
    expect(anna.page.get_by_test_id("waiting")).to_be_visible()
    assert both(anna) == []
    ben.page.goto(link)
    expect(ben.page.get_by_test_id("preview")).to_contain_text("you can sit down")
    assert both(ben) == []
    ben.page.goto(link[:-5] + "aaaaa")
    expect(ben.page.get_by_role("alert")).to_contain_text("There is no table at this link.")
    assert both(ben) == []
    anna.page.get_by_role("button", name="Begin now").click()
    expect(anna.page.get_by_test_id("clock")).to_be_visible()
    anna.page.get_by_role("button", name="More").click()
    anna.page.get_by_text("Seats and links").click()
    anna.page.get_by_text("Go on in another browser").click()
    expect(anna.page.get_by_test_id("code")).to_be_visible()
    assert both(anna) == []
    ben.page.goto(link)
    expect(ben.page.get_by_test_id("preview")).to_contain_text("still running")
    assert both(ben) == []


def test_what_the_agent_did_is_said(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.take_seat("leduc", seed=3)
    visitor.ready()
    visitor.press("c")
    visitor.ready()
    last = page.get_by_role("list", name="History").get_by_role("listitem").filter(has_text="Random").last
    did = last.inner_text().split(":")[-1].strip()
    said = page.get_by_test_id("said")
    expect(said).to_have_attribute("aria-live", "polite")
    expect(said).to_contain_text(did)


def test_the_moves_are_one_tab_stop(visit: Visit) -> None:
    visitor = visit()
    visitor.take_seat("monopoly-deal", seed=4)
    visitor.ready()
    for group in ("[data-moves]", "[data-hand]"):
        stops = visitor.page.locator(f"{group} button:not(:disabled):not([tabindex='-1'])")
        expect(stops).to_have_count(1)


MOVED = """() => { window.moved = 0; const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) { window.moved++; return animate.apply(this, how); }; }"""


@pytest.mark.parametrize("calm", [True, False])
def test_cards_travel_unless_one_wants_it_calm(visit: Visit, calm: bool) -> None:
    visitor = visit(calm=calm)
    page = visitor.page
    visitor.take_seat("monopoly-deal", seed=4)
    visitor.ready()
    page.evaluate(MOVED)
    visitor.press("1")
    visitor.ready()
    assert (page.evaluate("window.moved") == 0) is calm


TONES = """window.tones = 0; const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };"""


def test_a_tone_says_that_it_is_ones_turn_unless_it_is_muted(visit: Visit) -> None:
    visitor = visit(alone=True)
    page = visitor.page
    page.context.add_init_script(TONES)
    visitor.take_seat("monopoly-deal", seed=4)
    visitor.ready()
    assert page.evaluate("window.tones") == 0  # nobody has touched anything yet
    page.keyboard.press("Shift")
    visitor.press("1")
    visitor.ready()
    page.wait_for_function("window.tones > 0")
    page.get_by_role("button", name="Sound is on").click()
    expect(page.get_by_role("button", name="Sound is off")).to_be_visible()
    before = page.evaluate("window.tones")
    visitor.press("1")
    visitor.ready()
    assert page.evaluate("window.tones") == before


def test_a_first_game_is_guided_and_can_be_skipped(visit: Visit) -> None:
    visitor = visit(390, guide=True)
    page = visitor.page
    visitor.take_seat("kuhn")
    guide = page.get_by_role("dialog", name="Guide")
    expect(guide).to_contain_text("This is your card")
    guide.get_by_role("button", name="Next").click()
    expect(guide).to_contain_text("2 of 4")
    assert violations(page) == []
    expect(guide).to_be_focused()
    page.keyboard.press("Escape")
    expect(guide).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("table")).to_be_visible()
    expect(guide).to_have_count(0)
    page.get_by_role("button", name="How to play").click()
    page.get_by_role("button", name="Show me around").click()
    expect(guide).to_contain_text("1 of 4")
