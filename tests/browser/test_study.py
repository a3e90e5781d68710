"""A study in the browser: from the link to the completion code, alone with agents and with another participant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page

from parlor.server.api.app import STATIC
from parlor.server.operations.settings import ServerSettings
from tests.browser.axe import violations
from tests.browser.conftest import Chromium, Visit, Visitor, visits
from tests.browser.expecting import expect
from tests.requirements import missing
from tests.server.people import serving
from tests.study.people import AGENTS, PEOPLE, PRACTICE, study_file

pytestmark = pytest.mark.slow(seconds=50)

SPEED = 10.0  # a partner that waits for two seconds answers after 0.2


@contextmanager
def study(folder: Path, conditions: str, episodes: int) -> Iterator[str]:
    """The address of a study: nobody is hurried there, but by what they click."""
    file = study_file(folder, conditions, episodes=episodes, seconds=3600, pause=300, more=PRACTICE)
    settings = ServerSettings(database_url=f"sqlite:///{folder}/study.db", study=str(file), speed=SPEED, rate=0)
    with serving(settings) as address:
        yield address


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """One with agents and one with people; both are there before the browser, which leaves no room for other loops."""
    if not (STATIC / "index.html").is_file():
        missing("page", "The page is not built: make page")
    folder = tmp_path_factory.mktemp
    with study(folder("agents"), AGENTS, 2) as agents, study(folder("people"), PEOPLE.format(group=2), 1) as people:
        yield agents, people


@pytest.fixture
def alone(studies: tuple[str, str], chromium: Chromium) -> Iterator[Visit]:
    with visits(chromium, studies[0]) as come:
        yield come


@pytest.fixture
def together(studies: tuple[str, str], chromium: Chromium) -> Iterator[Visit]:
    with visits(chromium, studies[1]) as come:
        yield come


def heading(page: Page, words: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text(words)


def press(page: Page, words: str) -> None:
    page.get_by_role("button", name=words, exact=True).click()


def check(visitor: Visitor) -> None:
    """That anybody can use this stage, at any width."""
    assert violations(visitor.page) == []
    assert visitor.overflow() == 0


def propose(visitor: Visitor) -> None:
    """Keep everything but the first type of things; the answer may end the game at once."""
    assert visitor.ready() == "you"
    before = visitor.ply
    visitor.page.keyboard.press("1")
    visitor.page.keyboard.press("o")
    expect(visitor.page.locator(f"[data-testid=table][data-ply='{before}']")).to_have_count(0)


def to_the_games(visitor: Visitor, name: str) -> None:
    """From the link through consent, tutorial and test, as quickly as one can."""
    page = visitor.page
    visitor.go(f"/study?PROLIFIC_PID={name}")
    press(page, "Yes, I take part")
    press(page, "Next")
    propose(visitor)
    press(page, "Next")
    page.get_by_role("radio", name="Both").check()
    press(page, "Send my answers")


def test_one_participant_goes_from_the_link_to_the_code(alone: Visit) -> None:
    visitor = alone(390, "dark")
    page = visitor.page
    visitor.go("/")  # a link without an id
    heading(page, "A small study")
    check(visitor)
    page.get_by_label("Your participant id").fill("ann")
    press(page, "Go on")
    heading(page, "Consent")
    check(visitor)
    visitor.go("/runs")
    heading(page, "Nothing here")
    visitor.go("/study?PROLIFIC_PID=ann")
    press(page, "Yes, I take part")

    heading(page, "First")
    check(visitor)
    press(page, "Next")
    heading(page, "Second")
    press(page, "Back")
    heading(page, "First")
    page.reload()
    heading(page, "Second")
    press(page, "First try it")  # it leads there
    expect(page.get_by_label("Something to try")).to_be_focused()
    expect(page.locator("#practice")).to_contain_text("Propose a split.")
    visitor.ready()
    check(visitor)
    propose(visitor)
    expect(page.locator("#practice")).to_contain_text("Done.")
    press(page, "Next")

    heading(page, "A short test")
    press(page, "Send my answers")
    expect(page.get_by_role("alert")).to_contain_text("One question is not answered yet.")
    check(visitor)
    page.get_by_role("radio", name="Both").check()
    press(page, "Send my answers")

    for game in (1, 2):
        heading(page, f"Game {game} of 2")
        expect(page.get_by_test_id("clock")).to_have_text(re.compile(r"^\d+:\d\d$"))
        visitor.ready()
        if game == 1:
            check(visitor)
            page.reload()
            visitor.ready()
        mine, score = page.locator("[data-turn=you]"), page.get_by_role("heading", name=f"Game {game}: ")
        agree = page.get_by_role("button", name=re.compile("^Agree you get"))
        while not score.is_visible():
            expect(mine.or_(score)).to_be_visible()
            if agree.is_visible():
                agree.click()
                expect(score).to_be_visible()
            elif mine.is_visible():
                propose(visitor)
        assert not {"Fair", "Greedy", "conceding", "stubborn"} & set(re.findall(r"\w+", page.content()))
        check(visitor)
        press(page, "Go on now")
    heading(page, "That was the last game")
    check(visitor)
    total = page.get_by_test_id("pay").locator("dd").last.inner_text()
    press(page, "Go on")

    heading(page, "Six decisions")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    for line in range(6):
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight" if line else "Space")
    amounts, fifth = page.get_by_test_id("amounts"), page.get_by_role("slider").nth(4)
    expect(amounts.nth(0)).to_have_text(re.compile("You: 85.*The other person: 50"))
    expect(amounts.nth(4)).to_have_text(re.compile("You: 69.*The other person: 81"))
    expect(fifth).to_have_attribute("aria-valuetext", "You get 69, the other person gets 81")
    check(visitor)
    page.reload()
    expect(fifth).to_have_value("5")
    page.get_by_role("slider").nth(5).focus()
    page.keyboard.press("Enter")

    heading(page, "Some questions")
    page.get_by_label("Your age?").fill("12")
    press(page, "Finish")
    expect(page.get_by_text("Please write a number from 18 to 120.")).to_be_visible()
    check(visitor)
    page.get_by_label("Your age?").fill("30")
    press(page, "Finish")
    heading(page, "Thank you")
    check(visitor)
    code = page.get_by_label("Completion code").input_value()
    expect(page.get_by_role("link")).to_have_attribute("href", f"https://example.org/done?cc={code}")
    expect(page.get_by_test_id("pay")).to_contain_text(total)
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('parlor.study'))") == []
    visitor.go("/study")
    heading(page, "Thank you")  # this window still knows the code; whoever comes to this computer next does not


def test_a_lost_connection_another_device_and_a_no(alone: Visit) -> None:
    desk, phone = alone(quiet=False), alone(390, quiet=False)
    page = desk.page
    desk.go("/study?PROLIFIC_PID=ben")
    page.get_by_role("button", name="Yes, I take part").wait_for()
    page.context.set_offline(True)
    press(page, "Yes, I take part")
    expect(page.get_by_role("alert")).to_contain_text("Connection lost.")
    page.context.set_offline(False)
    heading(page, "First")  # it was sent again by itself
    phone.go("/study?PROLIFIC_PID=ben")
    heading(phone.page, "First")
    expect(page.get_by_role("heading", level=2)).to_have_text("You went on in another window")
    check(desk)
    press(page, "Go on here instead")
    heading(page, "First")
    expect(phone.page.get_by_role("heading", level=2)).to_have_text("You went on in another window")
    phone.go("/study?PROLIFIC_PID=eve")
    press(phone.page, "No, I do not take part")
    heading(phone.page, "Goodbye")
    assert "link" not in phone.page.get_by_role("article").inner_text()  # there is none for those who say no
    expect(phone.page.get_by_role("link")).to_have_count(0)
    check(phone)


def test_two_participants_play_with_each_other(together: Visit) -> None:
    ann, ben = together(), together(390, "dark", alone=True)
    to_the_games(ann, "ann")
    heading(ann.page, "Waiting for the others")
    expect(ann.page.get_by_role("status").filter(has_text="people are here")).to_contain_text("1 of 2")
    check(ann)
    ben.page.clock.install()  # his device's clock will be wrong
    to_the_games(ben, "ben")
    for visitor in (ann, ben):
        heading(visitor.page, "Game 1 of 1")
        expect(visitor.page.get_by_test_id("table")).to_be_visible()
    first, second = (ann, ben) if ann.page.locator("[data-turn=you]").count() else (ben, ann)
    propose(first)
    assert second.ready() == "you"
    expect(second.page.get_by_test_id("said")).to_contain_text("Partner: ")
    expect(second.page.get_by_test_id("said")).to_contain_text("Your turn")
    expect(second.page.locator("[data-side=other]")).to_contain_text("?")
    clock = ben.page.get_by_test_id("clock")
    minutes, seconds = map(int, clock.inner_text().split(":"))
    ben.page.clock.fast_forward(int((60 * minutes + seconds - 20) * 1000 / SPEED))
    expect(ben.page.get_by_role("status").filter(has_text="seconds left.")).to_be_attached()
    ben.page.clock.fast_forward(3_000)
    expect(ben.page.get_by_text("The time is up.", exact=True).first).to_be_visible()
    ben.page.reload()  # the server's clock counts
    expect(clock).to_have_text(re.compile(r"^[1-6]\d:"))
    assert second.ready() == "you"
    second.page.get_by_role("button", name=re.compile("^Agree you get")).click()
    for visitor in (ann, ben):
        heading(visitor.page, "Game 1: ")
        press(visitor.page, "Go on now")
        heading(visitor.page, "That was the last game")
