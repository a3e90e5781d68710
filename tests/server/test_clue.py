"""Clue at the server: a suggestion is three choices and not 324 moves; notes are one's own until the game is over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from parlor.server.operations.settings import ServerSettings
from tests.server.people import Person, serving, sit
from tests.server.test_seats import OPEN, YOU, host, join, refresh

SMALL = "clue(preset=small)"


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path_factory.mktemp('clue')}/parlor.db", rate=0)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=600) as client:
        yield client


def deck(view: dict[str, Any]) -> list[str]:
    return [*view["suspects"], *view["weapons"], *view["rooms"]]


@pytest.mark.parametrize("preset", ["thesis", "standard"])
def test_all_suggestions_are_one_move_with_three_choices(http: httpx.Client, preset: str) -> None:
    person = sit(http, f"clue(preset={preset})", "random", seat=0, seed=1)
    legal = {move["verb"]: move for move in person.state["legal"]}
    assert set(legal) == ({"suggest", "accuse"} if preset == "standard" else {"suggest"})
    view = person.state["view"]
    for number, move in enumerate(legal.values()):
        assert [choice["name"] for choice in move["choices"]] == ["suspect", "weapon", "room"]
        assert [value for choice in move["choices"] for value in choice["values"]] == deck(view)
        assert move["id"] == 324 * number
    assert len(person.get().content) < 16_000
    person.move((4 * 6 + 1) * 9 + 8)
    assert person.state["history"][-1 - person.state["ply"] :]
    asked = person.state["view"]["suggestions"][0]
    assert [deck(view)[card] for card in asked["cards"]] == ["Mrs. Peacock", "Knife", "Study"]


def test_what_cannot_be_done_has_a_reason(http: httpx.Client) -> None:
    person = sit(http, "clue(preset=standard)", "random", seat=0, seed=1)
    assert [(one["verb"], one["reason"]) for one in person.state["blocked"]] == [
        ("end", "A turn needs a suggestion or an accusation.")
    ]
    person.move(0)
    assert {move["verb"] for move in person.state["legal"]} == {"accuse", "end"}
    assert [(one["verb"], one["reason"]) for one in person.state["blocked"]] == [
        ("suggest", "You have made the suggestion of this turn.")
    ]


def test_only_the_two_see_which_card_was_shown(http: httpx.Client) -> None:
    """Three people and somebody who watches."""
    ann = host(http, SMALL, [YOU, OPEN, OPEN], watch=True)
    people = [ann, join(ann, player_name="Ben"), join(ann, player_name="Cleo")]
    refresh(*people)
    for _ in range(8):
        [mover] = [one for one in people if one.state["turn"] == "you"]
        [*_, last] = mover.state["legal"]
        mover.move(last["id"] + (7 * mover.state["ply"]) % 60 if last["choices"] else last["id"])
        refresh(*people)
        if ann.state["turn"] == "over":
            break
    watcher = http.get(ann.path).json()
    seen = [one.state["view"]["suggestions"] for one in people]
    shown = 0
    for number, entry in enumerate(seen[0]):
        knows = {p for p in range(3) if seen[p][number]["shown"] is not None}
        answered = entry["refuter"] is not None and ann.state["view"]["answering"] is None
        shown += answered
        if answered or number < len(seen[0]) - 1:
            assert knows == (set() if entry["refuter"] is None else {entry["by"], entry["refuter"]})
        assert watcher["view"]["suggestions"][number]["shown"] is None
    assert shown
    assert watcher["view"]["hand"] == []
    assert all("show" not in (event["move"] or {}).get("verb", "") for event in watcher["history"])


def notes(person: Person, ply: int, seat: int | None = None) -> httpx.Response:
    return person.get(f"/notes/{ply}" + (f"?seat={seat}" if seat is not None else ""))


def test_notes_are_ones_own_until_the_game_is_over(http: httpx.Client) -> None:
    person = sit(http, SMALL, "random", seat=1, seed=3)
    ply, view = person.state["ply"], person.state["view"]
    answer = notes(person, ply).json()
    assert answer == notes(person, ply, 1).json()
    assert answer["player"] == 1
    cards = answer["cards"]
    assert [card for card, row in enumerate(cards) if row[1] == 1.0] == view["hand"]
    assert [sum(row[p] for row in cards) for p in range(4)] == pytest.approx([3, 3, 3, 3], abs=0.01)
    assert sum(answer["solutions"]) == pytest.approx(1.0, abs=0.01)
    assert int(answer["deals"]) > 1
    refused = notes(person, ply, 0)
    assert (refused.status_code, "when the game" in refused.json()["detail"]) == (403, True)
    assert notes(person, ply, 3).status_code == 404
    assert notes(person, ply + 1).status_code == 409
    assert notes(person, 3).json()["detail"] == "There is nothing to note yet."
    assert http.get(f"{person.path}/notes/{ply}").status_code == 403
    person.play()
    assert person.state["open"]
    for seat in range(3):
        theirs = notes(person, ply, seat).json()["cards"]
        hand = person.state["sides"][seat]["hand"]
        assert [card for card, row in enumerate(theirs) if row[seat] == 1.0] == hand
    assert http.get(f"{person.path}/notes/{ply}?seat=2").status_code == 200
    other = sit(http, "kuhn", "random", seat=0)
    assert notes(other, 2).status_code == 404


def test_the_record_of_a_game_tells_the_file(http: httpx.Client) -> None:
    person = sit(http, "clue(preset=tiny)", "random", seat=0, seed=2)
    told = json.dumps([event["move"] for event in person.state["history"]])
    assert "file" not in told
    person.play()
    filed = [event["move"]["card"] for event in person.state["history"] if event["move"]["verb"] == "file"]
    assert len(filed) == 3


@pytest.mark.slow
def test_an_agents_mind_is_its_notepad(http: httpx.Client) -> None:
    """With what it believes; to others only when the game is over."""
    person = sit(http, SMALL, "detective", seat=0, seed=4, mind="always")
    person.play(24)  # the deal, and some suggestions
    agents = [event for event in person.state["history"] if event["by"] == "agent" and event["move"]]
    decisions = [event for event in agents if event["move"]["verb"] == "suggest"]
    ply, player = decisions[-1]["ply"], decisions[-1]["actor"]
    assert decisions[-1]["ply"] < person.state["ply"]
    if not person.state["open"]:
        assert person.get(f"/mind/{ply}").json()["notes"] is None
    person.play()
    mind = person.get(f"/mind/{ply}").json()
    assert mind["notes"]["player"] == player
    assert mind["notes"]["believed"]
    hand = person.state["sides"][player]["hand"]
    assert [card for card, row in enumerate(mind["notes"]["cards"]) if row[player] == 1.0] == hand
    known = notes(person, ply, player).json()
    assert known["deals"] == mind["notes"]["deals"]
    assert not known["believed"]
    possible = [index for index, chance in enumerate(known["solutions"]) if chance > 0.0]
    assert [index for index, chance in enumerate(mind["notes"]["solutions"]) if chance > 0.0] == possible
    assert mind["moves"][0]["move"]["details"].keys() == {"suspect", "weapon", "room"}
    assert "the chance that this lies in the file was" in mind["sentence"] or "do not know that" in mind["sentence"]
