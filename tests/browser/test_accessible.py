"""For who cannot see it, has no mouse, or is made dizzy: axe-core finds nothing on any page or at any table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.test_one_screen import TABLES

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
FOUND = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.map(
    ({ id, nodes }) => [id, ...nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message}`)]
    .join(" | "))"""
BOTH = pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])


def violations(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())  # not by a script tag: the content security policy forbids it, as it should
    found: list[str] = page.evaluate(FOUND)
    return found


@BOTH
@pytest.mark.parametrize("path", ["/", "/strategy", "/strategy?agent=kuhn", "/runs", "/runs/short", "/nowhere"])
def test_axe_finds_nothing_on_any_page(visit: Visit, path: str, width: int, scheme: str) -> None:
    visitor = visit(width, scheme)
    visitor.go(path)
    expect(visitor.page.get_by_role("main")).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    assert violations(visitor.page) == []


@BOTH
@pytest.mark.parametrize(("game", "options"), TABLES, ids=lambda value: str(value))
def test_axe_finds_nothing_at_any_table(
    visit: Visit, game: str, options: dict[str, Any], width: int, scheme: str
) -> None:
    visitor = visit(width, scheme)
    page = visitor.page
    visitor.take_seat(game, options=options, seed=7)
    visitor.ready()
    assert violations(page) == []
    for _ in range(200):
        if visitor.ready() == "over":
            break
        visitor.first_move()
    expect(page.get_by_role("dialog", name="Result")).to_be_visible()
    assert violations(page) == []
    visitor.go(page.url.removeprefix(visitor.address) + "/replay")
    expect(page.get_by_test_id("next")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert violations(page) == []


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
    visitor = visit()
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
    guide = page.get_by_role("note", name="Guide")
    expect(guide).to_contain_text("This is your card")
    guide.get_by_role("button", name="Next").click()
    expect(guide).to_contain_text("2 of 4")
    assert violations(page) == []
    guide.get_by_role("button", name="Skip").click()
    expect(guide).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("table")).to_be_visible()
    expect(guide).to_have_count(0)
    page.get_by_role("button", name="How to play").click()
    page.get_by_role("button", name="Show me around").click()
    expect(guide).to_contain_text("1 of 4")
