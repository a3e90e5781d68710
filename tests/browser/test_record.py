"""One's tables and one's record, as this browser keeps them: continue first, a bin, intervals, a rating, a file."""

from __future__ import annotations

import json
import re
from math import floor
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest

from parlor.arena.ratings import Result, performance
from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect

pytestmark = pytest.mark.slow

OLD = [  # as seats were stored before tables had several agents
    {"id": "a" * 22, "token": "t", "game": "leduc", "agent": "random", "created": "2026-01-02T10:00:00+00:00",
     "ply": 4, "outcome": "", "branch": False},
    {"id": "b" * 22, "token": "t", "game": "kuhn(players=3)", "agent": "random", "created": "2026-01-01T10:00:00+00:00",
     "ply": 9, "outcome": "won", "ending": "You won", "branch": False},
]  # fmt: skip


def store(visitor: Visitor, **kept: Any) -> None:
    """Put into the browser's storage what an earlier visit has left there."""
    visitor.go("/nowhere")
    visitor.page.evaluate(
        "kept => Object.entries(kept).forEach(([key, value]) => localStorage.setItem('parlor.' + key, value))",
        {key: json.dumps(value) for key, value in kept.items()},
    )


def result(
    n: int, game: str, payoff: float, agent: str = "random", minutes: int = 0, aside: str = ""
) -> dict[str, Any]:
    outcome = "won" if payoff > 0 else "lost" if payoff < 0 else "drawn"
    return {
        "id": f"{n:022d}", "game": game, "opponents": [{"name": agent.capitalize(), "agent": agent}],
        "outcome": outcome, "payoff": payoff, "kind": "zero-sum", "aside": aside,
        "ended": f"2026-01-05T{10 + minutes // 60:02d}:{minutes % 60:02d}:00.000Z",
    }  # fmt: skip


def test_a_table_is_put_away_after_a_question_and_comes_back(visit: Visit) -> None:
    visitor = visit(quiet=False)
    page = visitor.page
    store(visitor, seats=OLD)
    visitor.go()
    going = page.get_by_role("region", name="Continue your game")
    expect(going).to_contain_text("Leduc against random")
    page.get_by_role("button", name="Put away the table Leduc against random").click()
    expect(page.get_by_text("This game still goes on. Put it away?")).to_be_visible()
    page.get_by_role("button", name="Keep it").click()
    expect(going).to_be_visible()
    page.get_by_role("button", name="Put away the table Leduc against random").click()
    page.get_by_role("button", name="Put away", exact=True).click()
    expect(going).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(going).to_be_visible()
    page.get_by_role("button", name="Put away the table Leduc against random").click()
    page.get_by_role("button", name="Put away", exact=True).click()
    page.reload()
    page.get_by_text("Put away (1)").click()
    page.get_by_role("button", name="Bring back the table Leduc against random").click()
    expect(going).to_be_visible()
    assert [seat["token"] for seat in json.loads(page.evaluate("localStorage['parlor.seats']"))] == ["t", "t"]


def test_what_an_old_browser_kept_is_not_lost(visit: Visit) -> None:
    visitor = visit(quiet=False)  # the server of these tables is gone
    page = visitor.page
    store(visitor, seats=OLD)
    visitor.go("/record")
    expect(page.get_by_role("region", name="Continue your game")).to_contain_text("Leduc against random")
    expect(page.get_by_test_id("record-row")).to_contain_text("1 game: 1 won, 0 lost")
    expect(page.get_by_role("heading", name="Kuhn · 3 players")).to_be_visible()


def test_a_record_has_intervals_rates_sessions_and_what_does_not_count(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    hands = [result(n, "holdem", 2.0 if n % 2 else -4.0, minutes=n) for n in range(10)]
    games = [result(20 + n, "leduc", 1.0, minutes=300 + n) for n in range(3)]
    undone = [result(30, "leduc", 1.0, minutes=303, aside="a move was taken back")]
    store(visitor, results=[*hands, *games, *undone])
    visitor.go("/record")
    rows = page.get_by_test_id("record-row")
    # 5 of 10: Wilson's interval is 0.237 to 0.763; a mean of -1 chip is -50 big blinds of 2 in 100 hands
    expect(rows.filter(has_text="bb/100")).to_contain_text("50 % 24 % to 76 %")
    expect(rows.filter(has_text="bb/100")).to_contain_text(re.compile("−50 ± 113 bb/100, −10 in all"))
    expect(rows.filter(has_text="3 games: 3 won")).to_contain_text("100 % 44 % to 100 %")
    expect(page.get_by_text("because a move was taken back: Leduc")).to_be_visible()
    expect(page.get_by_test_id("session")).to_have_count(2)
    assert visitor.overflow() == 0


def measured(payoffs: list[float]) -> Result:
    """As the arena takes them: as games that are won or lost, or about points."""
    n = len(payoffs)
    if set(payoffs) == {-1.0, 1.0}:
        return Result(n, share=payoffs.count(1.0) / n)
    return Result(n, share=0.5, payoff=fmean(payoffs), deviation=pstdev(payoffs))


def test_ones_rating_is_what_the_arena_computes(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    wins = {"random": [1.0] * 57 + [-1.0] * 3, "careful": [1.0] * 15 + [-1.0] * 25}
    points = {"random": [2.0, 1.0, -1.0, 2.0, 1.0, -2.0], "kuhn": [1.0, -2.0, -1.0, 1.0, -1.0]}
    played = {"monopoly-deal": wins, "kuhn": points}
    games = [(game, x, agent) for game, those in played.items() for agent, payoffs in those.items() for x in payoffs]
    store(visitor, results=[result(n, *one) for n, one in enumerate(games)])
    visitor.go("/record")
    for game, those in played.items():
        listed = page.request.get(f"{visitor.address}/api/agents?game={game}").json()
        ratings = {agent["id"]: agent["rating"] for agent in listed}
        expected = performance([(ratings[agent], measured(payoffs)) for agent, payoffs in those.items()])
        assert expected is not None
        value, low, high = (floor(x + 0.5) for x in (expected.value, expected.low, expected.high))
        title = "Kuhn" if game == "kuhn" else "Monopoly Deal"
        section = page.locator("section", has=page.get_by_role("heading", name=title))
        if high - low > 600:  # it would say nothing
            assert game == "kuhn"
            expect(section).to_contain_text("A rating comes after a few more games")
            continue
        shown = section.get_by_test_id("rating")
        expect(shown).to_contain_text(f"Your rating {value}{low} to {high}, from {sum(map(len, those.values()))} games")


def test_a_record_goes_to_another_browser_as_a_file(visit: Visit, tmp_path: Path) -> None:
    here, there = visit(quiet=False), visit(quiet=False)
    store(here, seats=OLD, results=[result(1, "leduc", 1.0)])
    here.go("/record")
    with here.page.expect_download() as download:
        here.page.get_by_role("button", name="Save my record").click()
    download.value.save_as(tmp_path / "record.json")
    there.go("/record")
    there.page.get_by_label("A record to add").set_input_files(tmp_path / "record.json")
    expect(there.page.get_by_role("status")).to_have_text("Added 1 result and 2 seats.")
    expect(there.page.get_by_test_id("record-row")).to_contain_text("against Random")
    (tmp_path / "other.json").write_text('{"format": "parlor game 1"}')
    there.page.get_by_label("A record to add").set_input_files(tmp_path / "other.json")
    expect(there.page.get_by_role("alert")).to_contain_text("not a record that was saved here")


def test_a_file_that_is_no_game_is_refused_in_words(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    (tmp_path / "other.json").write_text('{"anything": 1}')
    visitor.go()
    visitor.page.get_by_label("A game file to import").set_input_files(tmp_path / "other.json")
    expect(visitor.page.get_by_role("alert")).to_contain_text("This file is not a saved game")


def test_random_play_is_never_chosen_silently(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    for game in ("Monopoly Deal", "Kuhn", "Leduc", "Liar's Dice", "Goofspiel", "Hold'em"):
        drawer = visitor.choose(game)
        expect(
            drawer.get_by_role("button", name=re.compile(f"^Play {re.escape(game)} against (?!Random)"))
        ).to_be_enabled()
        expect(page.get_by_text("recommended", exact=True)).to_have_count(1)
