"""Deal or No Deal at the server: what the other values stays hidden until the end; then everything is drawn."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from parlor.game.loading import load
from parlor.server.catalogue.displays import display_of
from parlor.server.operations.settings import ServerSettings
from tests.server.people import Person, client_of, sit
from tests.server.test_secrets import everything, rewrite, written

GAME = "deal-or-no-deal"
ITEMS = ("book", "hat", "basketball")
SEARCH = "search(simulations=4)"

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("hasty")]


def alike(dealt: str, seat: int | None) -> str:
    """Another deal that looks the same from a seat, or to a spectator."""
    pool, *values = dealt.split()
    for other in load(GAME).start().legal:
        found, *theirs = other.split()
        same = [found == pool, *(theirs[p] == values[p] for p in range(2) if p == seat)]
        if all(same) and all(theirs[p] != values[p] for p in range(2) if p != seat):
            return other
    raise AssertionError(f"no deal is like {dealt}")


def offer(person: Person, *kept: int) -> None:
    assert person.move(f"keep {','.join(map(str, kept))}").status_code == 200


def test_nothing_that_is_sent_depends_on_what_the_other_values(tmp_path: Path) -> None:
    """To a person with an agent that searches, whose mind is asked for, and to somebody who watches."""
    database = f"sqlite:///{tmp_path}/parlor.db"
    settings = ServerSettings(database_url=database, rate=0)
    with client_of(settings) as http:
        person = sit(http, GAME, SEARCH, seat=1, seed=4, mind="always", watch=True)
        offer(person, 0, 1, 1)
        assert not person.state["open"]
        viewers = [person, Person(http, http.get(person.path).json(), "")]
        plies = [one.state["ply"] for one in viewers]
        before = [everything(one, http, ply) | asked(one) for one, ply in zip(viewers, plies, strict=True)]
    for one, answers, ply in zip(viewers, before, plies, strict=True):
        moves = written(database, one.state["id"])
        world = [alike(moves[0], one.state["seat"]), *moves[1:]]
        rewrite(database, one.state["id"], world)
        with client_of(settings) as http:
            one.http = http
            after = everything(one, http, ply) | asked(one)
        rewrite(database, one.state["id"], moves)
        assert answers == after, [name for name in answers if answers[name] != after[name]]


def asked(person: Person) -> dict[str, bytes]:
    return {"/frontier": person.get("/frontier").content, "/outside": person.get("/mind/1?outside=true").content}


def possible(dealt: str) -> set[tuple[int, int]]:
    """What both can get, from the name of a deal."""
    pool, mine, theirs = ([int(n) for n in part.split(",")] for part in dealt.split())
    return {
        (
            sum(v * k for v, k in zip(mine, kept, strict=True)),
            sum(v * (n - k) for v, n, k in zip(theirs, pool, kept, strict=True)),
        )
        for kept in itertools.product(*(range(n + 1) for n in pool))
    }


def test_what_was_possible_is_shown_when_the_game_is_over(tmp_path: Path) -> None:
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)) as http:
        person = sit(http, GAME, "random", seat=1, seed=4)
        refused = person.get("/frontier")
        assert (refused.status_code, refused.json()["detail"]) == (
            409,
            "What was possible is shown when the game, and all that share its cards, are over.",
        )
        person.move("agree")
        told: dict[str, Any] = person.get("/frontier").json()
        watched = http.get(f"{person.path}/frontier").json()
        assert watched["frontier"] == told["frontier"]
        assert not any("you" in one["text"] for one in watched["possible"])
        pairs = possible(person.state["history"][0]["move"]["name"])
        assert sorted(tuple(one["payoffs"]) for one in told["possible"]) == sorted(pairs)
        corners = [tuple(pair) for pair in told["frontier"]]
        assert corners == sorted(p for p in pairs if not any(q != p and q[0] >= p[0] and q[1] >= p[1] for q in pairs))
        nash, together = (tuple(mark["payoffs"]) for mark in told["marks"])
        assert nash[0] * nash[1] == max(a * b for a, b in pairs)
        assert sum(together) == max(a + b for a, b in pairs)
        assert told["reached"]["payoffs"] == person.state["result"]["payoffs"]
        assert told["reached"]["text"].startswith("you get")
        ended = sit(http, GAME, "random", seat=1, seed=4)
        ended.post("/resign", {})
        assert ended.get("/frontier").json()["reached"] is None
        other = sit(http, "kuhn", "random", seat=0)
        assert other.get("/frontier").status_code == 404


def test_a_mind_that_searches_shows_its_moves_and_what_it_believes(tmp_path: Path) -> None:
    """To the other when the game is over; in one's own place at once, by what oneself has seen."""
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)) as http:
        person = sit(http, GAME, SEARCH, seat=1, seed=4, mind="always")
        offer(person, 0, 1, 1)
        running = person.get("/mind/1").json()
        assert (running["detail"], running["search"]) == ("outside", None)
        assert [one["name"] for one in running["beliefs"]] == [f"a {item} is worth to you" for item in ITEMS]
        own, sam = person.get("/mind/2").json(), person.state["names"][0]
        assert [one["name"] for one in own["beliefs"]] == [f"a {item} is worth to {sam}" for item in ITEMS]
        while person.state["turn"] != "over":
            person.move("agree")
        mind = person.get("/mind/1").json()
        visits = [one["visits"] for one in mind["search"]["moves"]]
        assert visits == sorted(visits, reverse=True)
        assert 0 < sum(visits) <= mind["search"]["visits"] <= 4
        for one in mind["beliefs"]:
            assert one["name"].endswith(" is worth to you")
            chances = [value["probability"] for value in one["values"]]
            assert sum(chances) == pytest.approx(1.0, abs=1e-4)
            mean = sum(int(value["text"]) * value["probability"] for value in one["values"])
            assert one["mean"] == pytest.approx(mean, abs=1e-3)


def test_an_agent_that_reads_proposals_believes_that_one_wants_what_one_keeps(tmp_path: Path) -> None:
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)) as http:
        means = []
        for read in (0, 2):
            person = sit(http, GAME, f"reader(read={read})", seat=0, seed=4, mind="always")
            pool = person.state["view"]["display"]["pool"]
            offer(person, 0, 0, pool[2])
            ply = person.state["ply"] - 1
            outside = person.get(f"/mind/{ply}").json()
            person.move("agree")
            inside = person.get(f"/mind/{ply}").json()
            assert inside["search"] is None
            means.append([one["mean"] for mind in (outside, inside) for one in mind["beliefs"]])
        assert len(means[0]) == len(means[1]) == 6
        assert means[1][2] > means[0][2]
        assert means[1][5] > means[0][5]


def test_what_is_believed_of_a_game_that_has_no_words_for_it_is_told_as_a_whole() -> None:
    position = load("kuhn").start().after("K to player 0", "J to player 1")
    [belief] = display_of("kuhn").beliefs(position, [(0, 0.25), (1, 0.75)])
    assert [(value.text, value.probability) for value in belief.values] == [("Q", 0.75), ("J", 0.25)]
    assert display_of("kuhn").beliefs(position, []) == []
    assert display_of("goofspiel").beliefs(load("goofspiel").start(), [(0, 1.0)]) == []
