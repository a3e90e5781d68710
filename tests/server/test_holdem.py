"""Hold'em over the API: bets as a range, blueprints as agents, their minds, and their strategy as a grid of hands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

from parlor.agents.registry import policy_agent
from parlor.compile import NotCached, cache_only, cached_array
from parlor.game import GameError
from parlor.game.loading import load
from parlor.game.rng import below
from parlor.poker.blueprint import Blueprint, read_row
from parlor.runs.config import Config
from parlor.runs.files.strategy_files import load_strategy
from parlor.runs.training import TrainingRun
from parlor.server.catalogue import seating
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.operations.settings import ServerSettings
from tests.server.people import Person, client_of, sit

pytestmark = pytest.mark.usefixtures("hasty")

TABLE = "holdem(stack=20,streets=2)"
TINY = Config.of(
    f"{TABLE}/pot",
    "mccfr-public",
    games=6000,
    parallel="none",
    evaluate_every=0,
    checkpoint_every=3000,
    cards="suitless",
)  # fmt: skip
ID = "tiny.00006000"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A blueprint of two streets, which needs no tables of equity."""
    folder = tmp_path_factory.mktemp("agents")
    TrainingRun.begin(folder / "tiny", TINY).run()
    return folder


@pytest.fixture(scope="module")
def plan(folder: Path) -> Blueprint:
    plan = load_strategy(folder / "tiny" / "checkpoints" / "00006000.npz")
    assert isinstance(plan, Blueprint)
    return plan


@pytest.fixture(scope="module")
def http(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    database = f"sqlite:///{tmp_path_factory.mktemp('holdem')}/parlor.db"
    settings = ServerSettings(database_url=database, agents=(str(folder),), rate=0)
    with client_of(settings) as client:
        yield client


# ----------------------------------------------------------------------------------------------------------- bets


def test_many_bets_are_one_range_and_any_of_them_can_be_made(http: httpx.Client) -> None:
    person = sit(http, "holdem(preset=dissertation)", "fish", seat=0)
    fold, call, raises, all_in = person.state["legal"]
    assert [move["name"] for move in (fold, call, all_in)] == [
        "button folds",
        "button calls 5",
        "button raises to 1000, all-in",
    ]
    assert raises["name"] == "button raises to 20"
    assert (raises["verb"], raises["amount"], raises["actor"], raises["details"]) == ("raise", 20, 0, {})
    assert raises["range"] == {"least": 20, "most": 999, "step": 1, "id_step": 1}
    assert (fold["verb"], fold["amount"], fold["range"]) == ("fold", None, None)
    assert (call["verb"], call["amount"]) == ("call", 5)
    assert (all_in["amount"], all_in["details"]) == (1000, {"all_in": "all-in"})
    refused = person.move("button raises to 19")
    assert refused.status_code == 422
    assert "button raises to 20 … button raises to 999, button raises to 1000, all-in." in refused.json()["detail"]
    ply, id = person.state["ply"], raises["id"] + 117 * raises["range"]["id_step"]
    assert person.move(id).status_code == 200
    for same in (id, "button raises to 137"):  # by its id or by its name: the same move, made once
        again = person.post("/moves", {"ply": ply, "move": same})
        assert again.status_code == 200
        assert again.json()["ply"] == person.state["ply"]
    other = person.post("/moves", {"ply": ply, "move": id + 1})
    assert other.json() == {"detail": f"At ply {ply} you have already played 'button raises to 137'."}
    made = [event["move"] for event in person.state["history"][4:6]]
    assert [move["name"] for move in made] == ["button raises to 137", "big blind calls 127"]
    assert [(move["actor"], move["verb"], move["amount"], move["text"]) for move in made] == [
        (0, "raise", 137, "raise to 137"),
        (1, "call", 127, "call 127"),
    ]
    table = person.state["view"]
    assert table["kind"] == "holdem"
    assert [move["player"] for move in table["history"][0]["moves"]] == [0, 1]
    assert (table["pot"], table["bets"], table["stacks"], table["street"]) == (274, [0, 0], [863, 863], "flop")
    assert len(table["board"]) == 3


def test_what_was_made_is_told_at_the_showdown_and_the_other_hand_not_before(http: httpx.Client) -> None:
    person = sit(http, "holdem", "fish", seat=1, seed=3)
    while person.state["turn"] != "over":
        assert person.state["sides"] == []
        check = next(m["id"] for m in person.state["legal"] if m["verb"] in ("check", "call"))
        assert person.move(check).status_code == 200
    sides = person.state["sides"]
    assert [len(side["cards"]) for side in sides] == [2, 2]
    assert sides[0]["board"] == sides[1]["board"]
    assert all(side["made"] for side in sides)
    assert sides[0]["cards"] != sides[1]["cards"]
    assert len(sides[1]["history"]) == 4


# ----------------------------------------------------------------------------------------------------------- minds


def play_on(person: Person) -> None:
    while person.state["turn"] != "over":
        names = [m["name"] for m in person.state["legal"]]
        assert person.move(next(n for n in names if not n.endswith("folds"))).status_code == 200


def test_a_blueprint_tells_its_bucket_and_its_own_moves(http: httpx.Client, plan: Blueprint) -> None:
    person = sit(http, TABLE, ID, seat=0, mind="always")
    assert person.move("button calls 1").status_code == 200
    during = person.get("/mind/5").json() if person.state["turn"] != "over" else None
    if during:
        assert (during["detail"], during["facts"], during["actions"]) == ("outside", [], [])
    own = person.get("/mind/4").json()
    assert own["detail"] == "inside"
    assert [action["text"] for action in own["actions"]] == ["fold", "call", "pot"]
    play_on(person)
    for ply in person.get("/mind").json()["plies"]:
        mind = person.get(f"/mind/{ply}").json()
        facts = {fact["name"]: fact["text"] for fact in mind["facts"]}
        street = "before the flop" if ply < 8 else "on the flop"
        assert f"one of {169 if ply < 8 else plan.sizes[1]:,} kinds" in facts[f"bucket {street}"]
        assert "trained" in facts
        assert "equity against any hand" not in facts  # with three cards on the board it would be another one
        assert mind["value"] is not None
        assert len(mind["moves"]) < 12


def test_who_simulates_tells_its_estimate(http: httpx.Client) -> None:
    person = sit(http, "holdem", "monte-carlo", seat=1, mind="end", seed=5)
    play_on(person)
    ply = next(p for p in person.get("/mind").json()["plies"] if person.state["history"][p]["by"] == "agent")
    facts = {fact["name"]: fact["text"] for fact in person.get(f"/mind/{ply}").json()["facts"]}
    assert facts["its own estimate"].endswith("% of 200 simulated deals")
    assert facts["equity against any hand"]
    too_many = http.post("/api/tables", json={"game": "holdem", "agent": "monte-carlo(simulations=5000)"})
    assert too_many.status_code == 422
    assert "at most 200" in too_many.json()["detail"]
    listed = http.get("/api/agents/monte-carlo").json()
    assert {s["name"]: s["high"] for s in listed["settings"]}["simulations"] == 200


def test_what_is_not_in_the_cache_is_not_made_while_somebody_waits(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLOR_CACHE", str(tmp_path))

    def fill(out: object) -> None:
        raise AssertionError("it is made")

    with cache_only(), pytest.raises(NotCached, match="has not been computed on this machine"):
        cached_array("something", below, (3,), np.int64, fill)
    with pytest.raises(AssertionError, match="it is made"):
        cached_array("something", below, (3,), np.int64, fill)
    monkeypatch.setattr(seating, "policy_agent", lambda *_: cached_array("something", below, (3,), np.int64, fill))
    with pytest.raises(GameError, match=r"6,000 games\) needs them: `parlor cards`"):
        Catalogue([folder]).own_game(ID)


# ----------------------------------------------------------------------------------------------------------- the grid


def test_before_the_flop_every_kind_of_hand_has_its_own_row(http: httpx.Client, plan: Blueprint) -> None:
    grid = http.get(f"/api/agents/{ID}/grid").json()
    assert (grid["street"], grid["position"], grid["pot"], grid["line"], grid["weighting"]) == (
        *("pre-flop", "button", 3),
        *([], "reach"),
    )
    cells = grid["cells"]
    assert [cells[i]["hand"] for i in (0, 1, 13, 168)] == ["AA", "AKs", "AKo", "22"]
    assert [cells[i]["combos"] for i in (0, 1, 13)] == [6, 4, 12]
    assert sum(cell["combos"] for cell in cells) == 1326
    rows = plan.strategy(0)
    for which, cell in zip(reversed(range(169)), cells, strict=True):
        assert cell["chances"] == pytest.approx(rows[which].tolist(), abs=1e-4)
    mean = np.average(rows[::-1], axis=0, weights=[cell["combos"] for cell in cells])
    assert [action["share"] for action in grid["actions"]] == pytest.approx(mean.tolist(), abs=2e-4)
    assert [(a["code"], a["kind"], a["ends"]) for a in grid["actions"]] == [
        ("f", "fold", True),
        ("c", "call", False),
        ("b100", "bet", False),
    ]


def test_on_a_board_hands_are_weighted_by_how_often_they_get_there(http: httpx.Client, plan: Blueprint) -> None:
    """Equal to what the agent itself does with one hand, and never with a card of the board."""
    bare = http.get(f"/api/agents/{ID}/grid", params={"line": "b100-c"}).json()
    assert (bare["board_needed"], bare["cells"], bare["weighting"]) == (3, [], "buckets")
    grid = http.get(f"/api/agents/{ID}/grid", params={"line": "b100-c", "board": "Qs7s 2h"}).json()
    assert (grid["street"], grid["position"], grid["board"]) == ("flop", "big blind", ["Q♠", "7♠", "2♥"])
    assert [step["text"] for step in grid["line"]] == ["button raises to 6", "big blind calls 4"]
    cells = {cell["hand"]: cell for cell in grid["cells"]}
    assert (cells["QQ"]["combos"], cells["AA"]["combos"], cells["Q7s"]["combos"]) == (3, 6, 3)
    assert cells["AA"]["reach"] == pytest.approx(plan.strategy(plan.after(0, 2))[168][1], abs=1e-4)
    agent = policy_agent(plan, load(TABLE))
    # suits do not count in this abstraction, so that all hands of a cell are played alike
    hand = ("5♣ to the button", "4♣ to the button", "A♣ to the big blind", "A♦ to the big blind")
    position = load(TABLE).start().after(*hand, "button raises to 6", "big blind calls 4")
    position = position.after("flop Q♠", "flop 7♠", "flop 2♥")
    chances = [chance for _, chance in agent.action_probabilities(position)]
    assert cells["AA"]["chances"] == pytest.approx(chances, abs=1e-4)
    total = sum(c["combos"] * c["reach"] for c in grid["cells"])
    for i, action in enumerate(grid["actions"]):
        mean = sum(c["combos"] * c["reach"] * c["chances"][i] for c in grid["cells"]) / total
        assert action["share"] == pytest.approx(mean, abs=2e-3)


@pytest.mark.parametrize(
    ("line", "board", "sentence"),
    [
        ("b50", "", "'b50' is not in the tree here; there are f, c, b100."),
        ("f", "", "After f the hand is over"),
        ("c-x" * 50, "", "is not in the tree here"),
        ("", "Qs", "three, four or five cards"),
        ("", "QsQs2h", "Qs occurs twice"),
        ("", "no board", "is no card"),
        ("c-c", "<script>", "is no card"),
    ],
)
def test_nonsense_gets_a_sentence(http: httpx.Client, line: str, board: str, sentence: str) -> None:
    answer = http.get(f"/api/agents/{ID}/grid", params={"line": line, "board": board})
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]


def test_who_is_no_blueprint_has_no_grid(http: httpx.Client) -> None:
    assert http.get("/api/agents/none/grid").status_code == 404
    assert http.get("/api/agents/fish/grid").status_code == 404
    assert http.get(f"/api/agents/{ID}/infosets").status_code == 404
    listed = {agent["id"]: agent for agent in http.get("/api/agents", params={"game": TABLE}).json()}
    assert listed[ID]["grid"]
    assert not listed[ID]["infosets"]
    assert listed[ID]["newest"]
    assert not listed["tiny.00003000"]["newest"]
    assert "careful" not in listed


def test_a_run_of_hold_em_is_a_run_like_any_other(http: httpx.Client) -> None:
    run = http.get("/api/runs/tiny").json()
    assert (run["config"]["settings"]["cards"], run["reached"], run["state"]) == ("suitless", 6000, "finished")
    assert (run["unit"], run["scale"]) == ("sb/h", 1.0)
    assert http.get("/api/runs/tiny/metrics").status_code == 200
    assert [one["at"] for one in run["checkpoints"]] == [3000, 6000]


def test_untrained_buckets_are_played_as_the_nearest_trained_one(plan: Blueprint) -> None:
    rng, untrained = np.random.default_rng(1), 0
    for node in (0, plan.after(0, 1), len(plan.nodes) - 1):
        rows, trained = plan.played(node)
        untrained += int((~trained).sum())
        some = rng.choice(len(rows), min(len(rows), 100), replace=False)
        slot, n, base, _ = plan.nodes[node].tolist()
        for bucket in some.tolist():
            read_row(plan.play, base, int(plan.stride[slot]), len(rows), bucket, n, chances := [0.0] * n)
            assert rows[bucket].tolist() == chances
    assert untrained > 0
