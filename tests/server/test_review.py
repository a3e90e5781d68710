"""Reviews: exact where games are small, honest elsewhere, and never before everything is open."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from parlor.game import CHANCE, Position
from parlor.game.loading import load
from parlor.game.seats.play import sample, uniform_agent
from parlor.runs.files.strategy_files import save
from parlor.search.belief import worlds
from parlor.search.tracking import track
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.explain import review
from parlor.server.explain.review import Reviewing
from parlor.server.explain.sentences import in_digits
from parlor.server.operations.settings import ServerSettings
from parlor.solvers.solve import solve
from tests.server.people import Person, client_of, sit
from tests.server.test_secrets import another_world


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("agents")
    for name in ("kuhn", "leduc"):
        save(solve(load(name), "cfr+", iterations=200)[0], made / f"{name}.json")
    return made


@pytest.fixture(scope="module")
def http(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    database = f"sqlite:///{tmp_path_factory.mktemp('data')}/parlor.db"
    with client_of(ServerSettings(database_url=database, agents=(str(folder),), rate=0)) as client:
        yield client


def reviewed(folder: Path, game: str, *moves: str, seat: int = 0) -> tuple[Reviewing, Position]:
    catalogue = Catalogue([folder])
    loaded = catalogue.game(game)
    work = Reviewing(loaded, moves, seat, catalogue.seat(game, loaded), ["you", "the agent"])
    work.work()
    return work, loaded.start().after(*moves)


def test_a_folded_king_costs_three_chips(folder: Path) -> None:
    work, _ = reviewed(folder, "kuhn", "K to player 0", "J to player 1", "pass", "bet", "pass")
    shown = work.shown
    assert (shown.done, shown.scale, shown.unit, shown.playouts) == (True, "points", "chips", 0)
    (fold,) = [one for one in shown.costliest if one.ply == 4]
    # a fold loses the ante, a call wins two chips whatever the other has
    assert (fold.value, fold.cost, fold.low, fold.high) == pytest.approx((-1.0, 3.0, 3.0, 3.0))
    assert (fold.chosen.name, fold.better.name, fold.exact) == ("pass", "bet", True)
    assert shown.costliest[0] is fold
    assert fold.text == f"You chose {fold.chosen.text}; {fold.better.text} was better. It cost 3 chips."
    values = {point.ply: point.value for point in shown.points}
    assert values[4] == pytest.approx(2.0, abs=0.01)  # it would call
    assert values[5] == -1.0
    assert "exactly" in shown.basis


def test_a_sound_game_has_no_mistakes(folder: Path) -> None:
    work, _ = reviewed(folder, "kuhn", "K to player 0", "J to player 1", "pass", "bet", "bet")
    assert [one for one in work.shown.costliest if one.cost > 0.05] == []


def test_a_pair_in_leduc_is_counted_out(folder: Path) -> None:
    """A pair with the board wins for sure: a call gets five chips, a raise nine or five, a fold loses one."""
    before = ("K♥ to player 0", "J♥ to player 1", "call", "call", "board K♠", "call", "raise")
    start = load("leduc").start()
    names = {name: start.after(*before[:ply]).legal for ply, name in enumerate(before)}
    assert all(name in legal for name, legal in names.items()), names
    work, end = reviewed(folder, "leduc", *before, "fold")
    fold = next(one for one in work.shown.costliest if one.ply == 7)
    faced = load("leduc").start().after(*before)
    answers = []
    for card in ("J", "Q"):
        for suit in ("♥", "♠"):
            deal = (f"{card}{suit} to player 1" if name.endswith("player 1") else name for name in before)
            world = start.after(*deal)
            agent = work.agent
            likely = agent(start.after(*world.history[:3]))["call"] * agent(start.after(*world.history[:6]))["raise"]
            folds = agent(world.after("raise")).get("fold", 0.0)
            answers.append((likely, 5.0 * folds + 9.0 * (1.0 - folds)))
    raised = sum(weight * value for weight, value in answers) / sum(weight for weight, _ in answers)
    assert fold.value == pytest.approx(-1.0)
    assert fold.cost == pytest.approx(max(5.0, raised) + 1.0, abs=1e-4)
    assert fold.better.name == ("raise" if raised > 5.0 else "call")
    assert end.over
    assert faced.turn == 0


@pytest.mark.parametrize(
    ("game", "agent", "plies"),
    [("kuhn", "kuhn", 4), ("leduc", "leduc", 6), ("liars-dice", "random", 5), ("monopoly-deal", "careful", 16)],
)
def test_a_review_depends_on_nothing_that_its_seat_did_not_know(
    folder: Path, monkeypatch: pytest.MonkeyPatch, game: str, agent: str, plies: int
) -> None:
    """Of a game that was resigned, in which nothing came to light."""
    monkeypatch.setattr(review, "MAX_GAMES", 8)
    monkeypatch.setattr(review, "BUDGET", 1e9)
    catalogue, dice, others = Catalogue([folder]), random.Random(3), 0
    loaded = catalogue.game(game)
    for seat in (0, 1):
        position, stream = loaded.start(), [seat, 2, 3, 4]
        while len(position.history) < plies:
            chances = position.odds if position.turn == CHANCE else uniform_agent(position)
            if (after := position.after(sample(chances, stream))).over:
                break
            position = after
        told = []
        for moves in (position.history, another_world(loaded, position.history, seat, dice)):
            work = Reviewing(loaded, moves, seat, catalogue.seat(agent, loaded), ["you", "the agent"])
            work.work()
            told.append((moves, work.shown.model_dump_json()))
        (moves, first), (world, second) = told
        others += list(moves) != list(world)
        assert first == second
        assert work.shown.points
    assert others == 2, "nothing was hidden, so nothing was tested"


def test_worlds_that_are_carried_along_agree_with_all_of_them(folder: Path) -> None:
    catalogue = Catalogue([folder])
    game = catalogue.game("leduc")
    agent = catalogue.seat("leduc", game).agent
    start = game.start()
    position = start.after(start.legal[4])
    position = position.after(position.legal[0]).after("raise", "call")
    exact: dict[tuple[int, ...], float] = {}
    for world, weight in worlds(position, 0, 300, agent) or ():
        exact[tuple(world.state.card)] = exact.get(tuple(world.state.card), 0.0) + weight
    tracked = track(position, 0, 4000, agent, [1, 2, 3, 4])[-1]
    assert tracked is not None
    found: dict[tuple[int, ...], float] = {}
    for world, weight in tracked:
        found[tuple(world.state.card)] = found.get(tuple(world.state.card), 0.0) + weight
    assert found.keys() <= exact.keys()
    for cards, weight in exact.items():
        assert found.get(cards, 0.0) == pytest.approx(weight, abs=0.04)


def waited(person: Person) -> dict[str, object]:
    for _ in range(6000):
        response = person.get("/review")
        assert response.status_code == 200, response.text
        if response.json()["done"]:
            return dict(response.json())
        time.sleep(0.01)
    raise AssertionError("it is never done")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "agent"), [("monopoly-deal", "careful"), ("holdem", "fish"), ("kuhn", "kuhn")])
def test_a_review_comes_when_the_game_is_open_and_not_before(
    http: httpx.Client, game: str, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review, "BUDGET", 0.5)
    person = sit(http, game, agent, seat=0)
    refused = person.get("/review")
    assert refused.status_code == 409
    assert refused.json()["detail"] == "A game can be reviewed when it, and all that share its cards, are over."
    person.play()
    found = waited(person)
    points = found["points"]
    assert isinstance(points, list)
    assert points[-1]["ply"] == person.state["ply"]
    assert all(point["low"] <= point["value"] <= point["high"] for point in points)
    payoff = person.state["result"]["payoffs"][0]
    assert points[-1]["value"] == ((1 + payoff) / 2 if found["scale"] == "chance" else payoff)
    assert found["scale"] == ("chance" if game == "monopoly-deal" else "points")
    decided = {event["ply"] for event in person.state["history"] if event["by"] == "you"}
    costly = found["costliest"]
    assert isinstance(costly, list)
    assert len(costly) <= 3
    assert all(one["ply"] in decided and one["low"] > 0.0 for one in costly)
    assert person.get("/review").json() == found, "it is kept"


def test_random_play_is_no_reference_agent_for_whoever_beat_it(http: httpx.Client) -> None:
    """The one that is recommended is, and the review says that it did not sit there."""
    person = sit(http, "kuhn", "random", seat=0)
    person.play()
    found = waited(person)
    listed = http.get("/api/agents", params={"game": "kuhn"}).json()
    (first,) = [agent for agent in listed if agent["recommended"]]
    reference_agent = found["reference_agent"]
    assert isinstance(reference_agent, dict)
    assert reference_agent["id"] == first["id"] != "random"
    assert f"as {reference_agent['name']} (who was not at this table) would" in str(found["basis"])


def test_a_mistake_whose_interval_includes_zero_is_none() -> None:
    dealt = load("kuhn").start().after("K to player 0", "J to player 1")
    spot = review.Spot(0, dealt, [0, 1], [0.5, 0.5], samples=[review.ReviewSample(), review.ReviewSample()], better=1)
    for x in (-1.0, 1.0, 1.0, -1.0) * 20:
        spot.gain.add(x + 0.1)
    work = Reviewing(load("kuhn"), (), 0, Catalogue([]).seat("random", load("kuhn")), ["you", "the agent"])
    assert work._costly(spot) is None
    for x in (0.4, 0.6) * 200:
        spot.gain.add(x)
    assert work._costly(spot) is not None


def test_large_amounts_are_written_out() -> None:
    assert [in_digits(points) for points in (0.444, -1.0, 9.96, 110.4, 12345.6)] == [
        "0.44",
        "-1",
        "10",
        "110",
        "12,346",
    ]
