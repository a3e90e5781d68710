"""Leodopoly at the server: amounts are one range, events are told, limits stay sealed, minds are taken apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from parlor.server.operations.settings import ServerSettings
from tests.server.people import Person, serving, sit
from tests.server.test_seats import OPEN, YOU, host, join, refresh

pytestmark = pytest.mark.slow

STEPS = 80  # in which there are auctions and offers


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path_factory.mktemp('leodopoly')}/parlor.db", rate=0)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=600) as client:
        yield client


def answer(state: dict[str, Any], amount: int) -> int:
    """A move of a person who buys nothing, sells nothing, and names the same amount for everything."""
    wanted = {"roll", "decline", "refuse"}
    for move in state["legal"]:
        if move["verb"] in wanted:
            return int(move["id"])
    first = state["legal"][0]
    return int(first["id"]) + (min(amount, first["range"]["most"]) if first["range"] else 0)


def test_all_amounts_are_one_move(http: httpx.Client) -> None:
    person = sit(http, "leodopoly(players=6)", "random", seat=0, seed=3)
    person.move(answer(person.state, 0))
    while [move["verb"] for move in person.state["legal"]] != ["limit"]:
        person.move(answer(person.state, 0))
    [move] = person.state["legal"]
    assert move["range"] == {"least": 0, "most": person.state["view"]["players"][0]["money"], "step": 1, "id_step": 1}
    assert len(json.dumps(person.state["legal"])) < 1000
    person.move(move["id"] + 7)
    mine = [event for event in person.state["history"] if event["by"] == "you"][-1]
    assert (mine["move"]["amount"], mine["text"]) == (7, f"bid up to £7 for {mine['move']['card']}")


def tellings(person: Person) -> list[str]:
    """All that has happened, in the game's own words."""
    return [told for event in person.state["history"] for told in event["told"]]


def test_a_limit_is_seen_by_nobody_else_and_what_comes_of_it_is_told_to_all(http: httpx.Client) -> None:
    ann = host(http, "leodopoly", [YOU, OPEN, OPEN], watch=True)
    people = [ann, join(ann, player_name="Ben"), join(ann, player_name="Cleo")]
    amounts, sold = [120, 61, 90], ""
    while not sold:
        refresh(*people)
        [mover] = [one for one in people if one.state["turn"] == "you"]
        mover.move(answer(mover.state, amounts[people.index(mover)]))
        refresh(*people)
        view = ann.state["view"]
        if view["phase"] == "bidding":
            named = set(view["bidding"]) - {ann.state["player"]}
            assert [one.state["view"]["limit"] for one in people] == [
                amounts[p] if p in named else 0 for p in range(len(people))
            ]
            assert http.get(ann.path).json()["view"]["limit"] == 0
        sold = next((told for told in tellings(ann) if "buy" in told), "")
    assert sold.startswith("you buy ")  # at what it takes to outbid 90
    assert sold.endswith((" for £90", " for £91"))
    seen = [event for event in people[1].state["history"] if event["text"] == "name a limit"]
    assert len(seen) == 2
    assert all(event["secret"] and event["move"] is None for event in seen)
    assert sold.replace("you buy", "Player 1 buys") in tellings(people[1])


def minds(person: Person) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Of each verb the first decision of the person and of an agent, with what the agent thought or advises."""
    seen = set()
    for event in person.state["history"]:
        verb = event["move"]["verb"] if event["move"] else "limit"
        if event["by"] != "chance" and (verb, event["by"]) not in seen:
            seen.add((verb, event["by"]))
            yield verb, event, person.get(f"/mind/{event['ply']}").json()


def test_a_strategy_is_taken_apart_term_by_term(http: httpx.Client) -> None:
    person = sit(http, "leodopoly", "optimal", seat=0, seed=3, mind="always")
    while person.state["ply"] < STEPS and person.state["turn"] != "over":
        person.move(answer(person.state, 40))
    verbs = set()
    for verb, event, mind in minds(person):
        parts = mind["terms"]
        verbs.add(verb)
        assert parts["situations"][0] == "now"
        assert {"money", "own rents", "opponents' rents", "jeopardy"} <= {term["name"] for term in parts["terms"]}
        for number, value in enumerate(parts["values"]):
            assert sum(term["values"][number] for term in parts["terms"]) == pytest.approx(value)
        bought = [name for name in parts["situations"] if name.startswith("it buys for £")]
        assert len(bought) == (verb in ("buy", "decline", "offer", "limit"))
        if mind["detail"] == "outside" and verb == "offer":
            assert bought == [f"it buys for £{event['move']['amount']}"]
    assert {"limit", "offer", "put up"} <= verbs
    assert verbs & {"buy", "decline"}


def test_agents_without_terms_have_none(http: httpx.Client) -> None:
    person = sit(http, "leodopoly", "random", seat=0, seed=3, mind="always")
    person.move()
    assert next(minds(person))[2]["terms"] is None


def test_a_classic_game_can_be_sent_whole(http: httpx.Client) -> None:
    """Houses, jail, cards, trades: whatever comes up, to spectators too."""
    person = sit(http, "leodopoly(preset=classic)", "random", seat=0, seed=8, watch=True)
    phases = set()
    while person.state["ply"] < 200 and person.state["turn"] != "over":
        phases.add(person.state["view"]["phase"])
        person.move()
    assert http.get(person.path).json()["view"] == person.state["view"] | {"player": None, "limit": 0}
    view = person.state["view"]
    assert len(view["spaces"]) == 40
    assert {"selling", "offering"} <= phases
    assert len(view["dice"]) == 2
    assert [pile["name"] for pile in view["piles"]] == ["Chance", "Community Chest"]


def test_the_minds_of_sealed_bids_are_shown_after_ones_own(http: httpx.Client) -> None:
    """Before, they would tell how much is enough."""
    person = sit(http, "leodopoly", "tight", seat=0, seed=3, mind="always")
    while True:
        hidden = [event["ply"] for event in person.state["history"] if event["secret"] and event["actor"]]
        if hidden and person.state["legal"][0]["verb"] == "limit":
            break
        assert person.move(answer(person.state, 0)).status_code == 200
    late = hidden[-1]
    assert late not in person.get("/mind").json()["plies"]
    refused = person.get(f"/mind/{late}")
    assert refused.status_code == 403
    assert refused.json()["detail"].endswith("its mind is shown when you have decided, too.")
    person.move(answer(person.state, 5))
    assert late in person.get("/mind").json()["plies"]
    assert "limit" in json.dumps(person.get(f"/mind/{late}").json()["moves"])
