"""People and agents at one table: links, open seats, spectators, codes, and a server that is killed in between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect
from tests.browser.mortal import kill, process
from tests.browser.test_connection import history
from tests.server.databases import without_games
from tests.server.test_crashes import free_port

pytestmark = pytest.mark.slow(seconds=50)

OPEN = "Open for a friend"
#: Who comes by a link likes agents to answer at once, and needs no guide.
AT_ONCE = """localStorage["parlor.taste"] = JSON.stringify(
    { guided: ["leduc", "kuhn"], ...JSON.parse(localStorage["parlor.taste"] ?? "{}"), seconds: 0 })"""


def set_table(
    visitor: Visitor, game: str, seats: Sequence[str], name: str = "Anna", watch: bool = False, clock: str = ""
) -> str:
    """Through the lobby to a table with these seats; the link to it."""
    page = visitor.page
    visitor.choose(game)
    if len(seats) > 2:
        page.get_by_role("radio", name=str(len(seats)), exact=True).press(" ")
    page.get_by_role("radio", name="With people").press(" ")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("slider", name="Pace of the agent").fill("0")
    for seat, wish in enumerate(seats):
        page.get_by_label(f"Player {seat + 1}", exact=True).select_option(wish)
    page.get_by_label("Others may watch").set_checked(watch)
    if clock:
        page.get_by_label("Clock: time for a decision").select_option(clock)
    page.get_by_role("button", name=re.compile("^Set (a|the) table")).click()
    expect(page).to_have_url(re.compile(r"/table/[\w-]{22}$"))
    return page.url


def sit_down(visitor: Visitor, link: str, name: str) -> None:
    """Somebody opens the link and takes a seat."""
    page = visitor.page
    with page.add_init_script(AT_ONCE):
        page.goto(link)
    expect(page.get_by_test_id("preview")).to_contain_text("you can sit down")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_test_id("preview")).to_have_count(0)


def move(visitor: Visitor) -> None:
    """The first move that can be made, whatever its key is."""
    before = visitor.ply
    visitor.page.locator("[data-moves] button:enabled").first.click()
    expect(visitor.page.get_by_test_id("table")).not_to_have_attribute("data-ply", str(before))


def play_out(people: Sequence[Visitor]) -> None:
    """Everybody plays the first move whenever it is their turn, until it is over for all."""
    turn = "[data-testid=table][data-turn={}]"
    for _ in range(200):
        if all(visitor.page.locator(turn.format("over")).count() for visitor in people):
            return
        for visitor in people:
            if visitor.page.locator(turn.format("you")).count():
                move(visitor)
        people[0].page.wait_for_timeout(50)
    raise AssertionError("the game does not end")


def test_people_sit_down_by_a_link_and_the_game_begins_by_itself(visit: Visit) -> None:
    anna, ben = visit(), visit(390, "dark", quiet=False)
    link = set_table(anna, "Leduc", ["You", OPEN])
    room = anna.page.get_by_test_id("waiting")
    expect(room).to_contain_text("Waiting for 1 player.")
    expect(room.get_by_label("Link to this table")).to_have_value(link)
    assert anna.overflow() == 0
    ben.page.goto(link)
    expect(ben.page.get_by_role("heading", name="Anna invites you to play")).to_be_visible()
    assert ben.overflow() == 0
    sit_down(ben, link, "Ben")
    for one, other in ((anna, "Ben"), (ben, "Anna")):
        expect(one.page.get_by_test_id("table").get_by_text(other, exact=True).first).to_be_visible()
    play_out([anna, ben])
    expect(anna.page.get_by_test_id("result")).to_be_visible()
    anna.go("/record")
    expect(anna.page.get_by_test_id("record-row")).to_contain_text("against Ben")


def test_open_seats_are_filled_with_agents_on_demand(visit: Visit) -> None:
    anna = visit()
    set_table(anna, "Goofspiel", ["You", OPEN, OPEN])
    anna.page.get_by_role("button", name="Begin now").click()
    expect(anna.page.get_by_test_id("table")).to_be_visible()
    assert anna.ready() == "you"
    play_out([anna])


def test_a_stranger_reads_what_a_link_is(visit: Visit) -> None:
    anna, stranger = visit(), visit(quiet=False)
    page = stranger.page
    link = set_table(anna, "Leduc", ["You", "random"])
    anna.ready()
    page.goto(link)
    expect(page.get_by_test_id("preview")).to_contain_text("still running, and it is not open to spectators")
    page.goto(link[:-5] + "aaaaa")
    expect(page.get_by_role("alert")).to_contain_text("There is no table at this link.")
    page.goto(link + "x")
    expect(page.get_by_role("alert")).to_contain_text("There is no table at this link.")
    play_out([anna])
    page.goto(link)
    expect(page).to_have_url(re.compile("/replay"))  # open for anyone, to read only
    page.get_by_role("slider", name="Moves so far").fill("1")
    expect(page).to_have_url(re.compile("ply=1"))
    assert page.evaluate("localStorage['parlor.seats'] ?? '[]'") == "[]"


def test_spectators_see_no_hidden_card_and_only_if_they_may(visit: Visit) -> None:
    anna, ben, watcher = visit(), visit(quiet=False), visit(quiet=False)
    link = set_table(anna, "Kuhn", ["You", OPEN], watch=True)
    sit_down(ben, link, "Ben")
    anna.ready()
    watcher.page.goto(link)
    table = watcher.page.get_by_test_id("table")
    expect(table).to_have_attribute("data-turn", "person")
    expect(table.get_by_role("img", name="a hidden card")).to_have_count(2)
    expect(watcher.page.get_by_role("button", name=re.compile("^Resign"))).to_have_count(0)
    before = table.get_attribute("data-ply")
    move(anna)
    expect(table).not_to_have_attribute("data-ply", before or "")
    seen = watcher.page.evaluate(
        "async () => (await (await fetch('/api' + location.pathname.replace('table', 'tables'))).json()).history"
    )
    assert all(event["move"] is None for event in seen if event["by"] == "chance")


def test_a_seat_moves_to_another_browser_by_a_code(visit: Visit) -> None:
    anna, phone = visit(quiet=False), visit(390, quiet=False)
    link = set_table(anna, "Leduc", ["You", "random"])
    anna.ready()
    anna.page.get_by_text("Seats and links").click()
    anna.page.get_by_text("Go on in another browser").click()
    code = anna.page.get_by_test_id("code").inner_text()
    with phone.page.add_init_script(AT_ONCE):
        phone.page.goto(link)
    phone.page.get_by_text("I have a seat here, in another browser").click()
    phone.page.get_by_label("Code").fill("WRONG234")
    phone.page.get_by_role("button", name="Take my seat").click()
    expect(phone.page.get_by_role("alert")).to_contain_text("This code is not valid")
    phone.page.get_by_label("Code").fill(code.lower())
    phone.page.get_by_role("button", name="Take my seat").click()
    assert phone.ready() == "you"
    move(phone)
    anna.page.reload()
    expect(anna.page.get_by_test_id("preview")).to_contain_text("taken to another browser")
    anna.page.get_by_role("button", name="Forget the old seat").click()
    expect(anna.page.get_by_test_id("preview")).not_to_contain_text("taken to another browser")


def test_who_leaves_can_be_replaced_and_come_back(visit: Visit) -> None:
    anna, ben = visit(), visit(quiet=False)
    link = set_table(anna, "Leduc", [OPEN, "You"], name="Anna")
    sit_down(ben, link, "Ben")
    ben.ready()
    ben.page.get_by_text("Seats and links").click()
    ben.page.get_by_role("button", name="Leave the table").click()
    expect(ben.page.get_by_text("You have left this table.")).to_be_visible()
    expect(anna.page.get_by_text("has left")).to_be_visible()
    anna.page.get_by_role("button", name="Seat it at seat 1").click()
    expect(ben.page.get_by_text("plays for you.")).to_be_visible()
    ben.page.get_by_role("button", name="Take my seat again").click()
    expect(ben.page.get_by_text("plays for you.")).to_have_count(0)
    play_out([anna, ben])


def test_when_the_time_is_up_an_agent_decides_and_the_table_goes_on(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = visit()
    page = visitor.page
    monkeypatch.setattr("parlor.server.tables.session.timedelta", lambda seconds: timedelta(seconds=seconds / 10))
    visitor.take_seat("leduc", clock=20, seed=3)
    expect(page.get_by_role("timer", name="Time left")).to_be_visible()
    expect(page.get_by_test_id("result")).to_be_visible()  # nobody has touched anything
    made = [event for event in history(page) if event["actor"] == 0]
    assert made
    assert {event["by"] for event in made} == {"agent"}


@pytest.mark.slow
def test_two_people_and_two_agents_in_four_browsers_and_the_server_is_killed(visit: Visit, tmp_path: Path) -> None:
    database, port = without_games(tmp_path / "parlor.db"), free_port()
    everybody = [visit(quiet=False, at=f"http://127.0.0.1:{port}") for _ in range(4)]
    anna, ben, *watchers = everybody
    people = [anna, ben]
    lost = [visitor.page.get_by_text("Connection lost") for visitor in everybody]

    def told() -> list[list[tuple[int, int | None, str]]]:
        """What happened by the server's word to each of the two; of what one decided, also what it was."""
        return [
            [(e["ply"], e["actor"], e["text"] if e["by"] == "you" else "") for e in history(visitor.page)]
            for visitor in people
        ]

    with process(database, port) as server:
        link = set_table(anna, "Kuhn", ["You", "random", OPEN, "random"], watch=True)
        sit_down(ben, link, "Ben")
        for watcher in watchers:
            watcher.page.goto(link)
            expect(watcher.page.get_by_test_id("table")).to_be_visible()
        assert anna.ready() == "you"
        move(anna)
        assert ben.ready() == "you"
        before = told()
        for watcher in watchers:
            expect(watcher.page.get_by_test_id("table")).to_have_attribute("data-ply", str(ben.ply))
        kill(server)
        for one in lost:
            expect(one).to_be_visible()
    with process(database, port):
        for one in lost:
            expect(one).to_have_count(0)
        assert told() == before  # nothing lost, nothing doubled
        assert ben.ready() == "you"
        play_out(people)
        for after, earlier in zip(told(), before, strict=True):
            assert after[: len(earlier)] == earlier
            assert [ply for ply, *_ in after] == list(range(len(after)))
        for watcher in watchers:
            expect(watcher.page).to_have_url(re.compile("/replay"))
            expect(watcher.page.get_by_role("slider", name="Moves so far")).to_have_value(str(anna.ply))
