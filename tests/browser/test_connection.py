"""The server goes away under an open page: it says so, comes back by itself, and no move is lost or made twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import TIMEOUT, expect
from tests.browser.mortal import kill, process
from tests.server.databases import without_games
from tests.server.test_crashes import free_port

pytestmark = pytest.mark.slow(seconds=40)

MOVES = "**/api/tables/*/moves*"


def history(page: Page) -> list[dict[str, Any]]:
    """Of the table as the server has it, asked with the token that the page keeps."""
    asked = """async () => {
        const id = location.pathname.split("/")[2];
        const seat = JSON.parse(localStorage["parlor.seats"]).find((one) => one.id === id);
        const answer = await fetch(`/api/tables/${id}`, { headers: { Authorization: `Bearer ${seat.token}` } });
        return (await answer.json()).history;
    }"""
    events: list[dict[str, Any]] = page.evaluate(asked)
    return events


def mine(page: Page) -> list[str]:
    """The moves one has made, as the server has them."""
    return [event["text"] for event in history(page) if event["by"] == "you"]


@pytest.mark.slow
@pytest.mark.parametrize("when", ["between moves", "before a move comes", "before it is answered"])
def test_the_server_is_killed_and_started_again(visit: Visit, tmp_path: Path, when: str) -> None:
    database, port = without_games(tmp_path / "parlor.db"), free_port()
    visitor = visit(quiet=False, at=f"http://127.0.0.1:{port}")
    page, alert = visitor.page, visitor.page.get_by_role("alert")
    with process(database, port) as server:
        visitor.sit("Monopoly Deal", agent="Careful Carla")
        visitor.ready()
        visitor.press("1")
        visitor.ready()
        before, made = visitor.ply, mine(page)

        def interrupt(route: Route) -> None:
            if when == "before it is answered":
                route.fetch()
            kill(server)
            route.abort()

        if when == "between moves":
            kill(server)
        else:
            visitor.intercept(MOVES, interrupt, times=1)
            page.keyboard.press("1")
        expect(alert.first).to_contain_text("Connection lost", timeout=4 * TIMEOUT)  # the request is sent from here
        for button in page.get_by_role("region", name="What you can do").get_by_role("button").all():
            expect(button).to_be_disabled()
        if when != "before it is answered":  # then it may have been seen by the WebSocket
            assert visitor.ply == before
    with process(database, port):
        expect(alert).to_have_count(0)
        if when == "between moves":
            visitor.ready()
            assert visitor.ply == before
            assert mine(page) == made
            visitor.press("1")
        expect(page.get_by_test_id("table")).not_to_have_attribute("data-ply", str(before))
        visitor.ready()
        assert mine(page)[:-1] == made  # exactly one move more
        visitor.press("1")


def test_a_move_that_got_no_answer_is_made_when_the_server_is_back(visit: Visit) -> None:
    visitor = visit(quiet=False, alone=True)
    page = visitor.page
    visitor.sit("Monopoly Deal", agent="Careful Carla")
    visitor.ready()
    before = visitor.ply
    visitor.intercept("**/api/**", lambda route: route.abort())
    page.keyboard.press("1")
    expect(page.get_by_role("alert").first).to_contain_text("The server cannot be reached")
    assert visitor.ply == before
    page.unroute("**/api/**")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_test_id("table")).not_to_have_attribute("data-ply", str(before))
    assert len(mine(page)) == 1


def test_a_page_that_nobody_can_be_reached_from_asks_again_by_itself(visit: Visit) -> None:
    visitor = visit(quiet=False, alone=True)
    page = visitor.page
    visitor.intercept("**/api/**", lambda route: route.abort())
    visitor.go("/runs")
    expect(page.get_by_role("alert").first).to_contain_text("The server cannot be reached")
    page.unroute("**/api/**")
    expect(page.get_by_role("link", name="short")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_refused_move_says_why(visit: Visit) -> None:
    visitor = visit(quiet=False, alone=True)
    page = visitor.page
    visitor.sit("Kuhn")
    visitor.ready()
    before = visitor.ply
    visitor.intercept(MOVES, lambda route: route.continue_(post_data=f'{{"ply": {before}, "move": "fold"}}'))
    page.keyboard.press("c")  # a page that gets no answer in time sends it again
    expect(page.get_by_role("alert")).to_contain_text("'fold' cannot be played here; legal moves: pass, bet.")
    assert visitor.ply == before
    page.unroute(MOVES)
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    visitor.press("c")


def test_who_sits_in_two_windows_sees_the_same_table(visit: Visit) -> None:
    visitor = visit()
    visitor.sit("Monopoly Deal", agent="Careful Carla")
    visitor.ready()
    other = Visitor(visitor.page.context.new_page(), visitor.address)
    other.page.goto(visitor.page.url)
    other.ready()
    visitor.press("1")
    visitor.ready()
    expect(other.page.get_by_test_id("table")).to_have_attribute("data-ply", str(visitor.ply))
    other.press("1")
    other.ready()
    expect(visitor.page.get_by_test_id("table")).to_have_attribute("data-ply", str(other.ply))
