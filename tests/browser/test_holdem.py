"""Hold'em in the browser: a whole hand with bets of any size, the showdown, the next hand, a blueprint's grid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlor.runs.config import Config
from parlor.runs.training import TrainingRun
from parlor.server.operations.settings import ServerSettings
from tests.browser.axe import violations
from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect
from tests.server.people import serving

pytestmark = pytest.mark.slow

TINY = Config.of(
    "holdem(stack=20,streets=2)/pot", "mccfr-public", games=400, parallel="none", evaluate_every=0,
    checkpoint_every=200, cards="suitless",
)  # fmt: skip

FISH = "Calling Colin"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a blueprint of two streets, which needs no tables of equity."""
    folder = tmp_path_factory.mktemp("holdem")
    TrainingRun.begin(folder / "tiny", TINY).run()
    return folder


@pytest.fixture(scope="module")
def address(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = f"sqlite:///{tmp_path_factory.mktemp('data')}/parlor.db"
    with serving(ServerSettings(database_url=database, agents=(str(tiny),), rate=0)) as where:
        yield where


def moved(visitor: Visitor, before: int) -> None:
    expect(visitor.page.get_by_test_id("table")).not_to_have_attribute("data-ply", str(before))
    visitor.ready()


def test_a_whole_hand_by_slider_field_and_buttons(visit: Visit, address: str) -> None:
    visitor = visit(390, "dark", at=address)
    page = visitor.page
    visitor.sit("Hold'em", FISH, seat="First")
    visitor.ready()
    pot, amount = page.get_by_test_id("pot"), page.get_by_role("spinbutton", name="Raise to, in chips")
    expect(pot).to_have_text("3")
    assert page.locator("[data-moves] button").count() < 12  # and not one for each chip
    page.get_by_role("slider", name="Raise to, by a slider").fill("30")
    expect(amount).to_have_value("30")
    page.get_by_role("button", name="pot", exact=True).click()
    expect(amount).to_have_value("6")
    amount.fill("3")  # less than the least raise
    expect(page.get_by_role("button", name="4 to 200")).to_be_disabled()
    amount.fill("10")
    before = visitor.ply
    amount.press("Enter")
    moved(visitor, before)
    expect(pot).to_have_text("20")  # a fish calls
    expect(page.get_by_role("group", name="Board").get_by_role("img")).to_have_count(3)
    assert visitor.overflow() == 0

    before = visitor.ply
    page.keyboard.press("r")  # a range: one is asked how much
    expect(page.get_by_role("spinbutton", name="Bet, in chips")).to_be_focused()
    page.get_by_role("button", name="½ pot").click()
    page.get_by_role("button", name=re.compile("^Bet 10")).click()
    moved(visitor, before)
    expect(pot).to_have_text("40")
    for _ in range(2):
        before = visitor.ply
        page.get_by_role("button", name=re.compile("^Check")).click()
        moved(visitor, before)

    result = page.get_by_test_id("result")
    expect(result).to_contain_text(
        re.compile(rf"You have .+; {FISH} has .+\. (You (win|lose) 20 chips \(10 bb\)|The pot is)")
    )
    expect(page.get_by_role("region", name=FISH).get_by_role("img", name="a hidden card")).to_have_count(0)
    expect(page.get_by_test_id("tally")).to_contain_text(re.compile("^Hand 1 of 10: .+ chips"))
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("list", name="The hand so far").get_by_role("listitem")).to_have_count(4)
    expect(page.get_by_test_id("mind")).to_contain_text("chose")
    assert visitor.overflow() == 0
    with visitor.at_a_desk():
        assert visitor.overflow() == 0
    page.get_by_role("button", name="Table", exact=True).click()

    page.get_by_role("button", name="Next hand").click()
    expect(page.get_by_text("seat 2 of 2")).to_be_attached()
    visitor.ready()
    expect(page.get_by_role("region", name=FISH).get_by_role("img", name="dealer's button")).to_be_visible()
    before = visitor.ply
    page.get_by_role("button", name="all-in", exact=True).click()
    page.get_by_role("button", name=re.compile("all-in$")).last.click()
    expect(page.get_by_test_id("result")).to_be_visible()
    expect(page.get_by_test_id("tally")).to_contain_text("Hand 2 of 10")
    page.reload()
    expect(page.get_by_test_id("tally")).to_contain_text("Hand 2 of 10")  # and not a third


def test_the_grid_is_walked_along_the_tree_and_compared(visit: Visit, address: str) -> None:
    visitor = visit(390, "dark", at=address)
    page = visitor.page
    visitor.go("/strategy?agent=tiny.00000400")
    cells = page.get_by_role("grid", name="Kinds of hands").get_by_role("button")
    expect(cells).to_have_count(169)
    expect(page.get_by_text("Button to move, before the flop; pot 3.")).to_be_visible()
    cells.nth(13).click()
    expect(page.get_by_test_id("cell")).to_contain_text("AKo")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_test_id("cell")).to_contain_text("AQo")
    page.get_by_role("button", name=re.compile("^Pot ")).click()
    expect(page.get_by_text("Big blind to move, before the flop; pot 8.")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Call ")).click()
    expect(page.get_by_text("The flop has 3 cards on the board")).to_be_visible()
    page.get_by_role("button", name="Choose cards").click()
    for card in ("Q of spades", "7 of spades", "2 of hearts"):
        page.get_by_role("button", name=card).click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("Q♠ 7♠ 2♥")).to_be_visible()
    expect(cells).to_have_count(169)
    assert visitor.overflow() == 0
    with visitor.at_a_desk():
        assert visitor.overflow() == 0
    page.get_by_role("navigation", name="Line of moves").get_by_role("button", name="button raises to 6").click()
    expect(page.get_by_text("Big blind to move, before the flop; pot 8.")).to_be_visible()
    page.get_by_label("Compare with").select_option("tiny.00000200")
    expect(page.get_by_test_id("grid")).to_have_count(2)
    assert visitor.overflow() == 0
    assert violations(page) == []
