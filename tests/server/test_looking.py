"""Looking back and into minds: replay, branch, files, strategies, runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

from parlor.agents.registry import make_agent
from parlor.arena.tournament import play_tournament
from parlor.cli.main import main
from parlor.game.loading import load
from parlor.game.seats.play import uniform_agent
from parlor.policies.policy import Policy
from parlor.runs.files.strategy_files import load_policy, save
from parlor.runs.run import load_checkpoint
from parlor.server.catalogue import folders
from parlor.server.operations.settings import ServerSettings
from tests.server.people import Person, client_of, serving, sit

pytestmark = pytest.mark.usefixtures("hasty")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A training run with two checkpoints, a solved game, a cross table, and what is none of these."""
    folder = tmp_path_factory.mktemp("agents")
    run = ["train", "monopoly-deal", "--games", "40", "--checkpoint-every", "20", "--evaluate-every", "20"]
    assert main([*run, "--evaluate-games", "20", "--out", str(folder / "my run")]) == 0
    assert main(["solve", "leduc", "--iterations", "50", "--out", str(folder / "sub" / "leduc.json")]) == 0
    rate = {"value": 0.5, "low": 0.4, "high": 0.6}
    a, b = f"{folder}/my run/checkpoints/00000040.json", "look-ahead(rollouts=5,policy=/home/me/secret/other.json)"
    pair = {"agent": a, "against": b, "games": 9, "wins": 4, "draws": 1, "losses": 4, "rate": rate, "payoff": rate}
    table = {"game": "kuhn", "agents": [a, b, "other.json", "other"], "matches": [pair | {"seconds": 1.0}]}
    numbers = {name: [0.5, 0.5, 0.5, 0.5] for name in ("mean_rates", "mean_payoffs", "ratings")}
    (folder / "cross.json").write_text(json.dumps(table | numbers))
    (folder / "damaged.json").write_text('{"format": "parlor policy 1", "game": "kuhn", "about": {}, "infosets": {"x')
    (folder / "other.json").write_text("[1, 2")
    (folder / "link.json").symlink_to("/etc/hostname")
    return folder


@pytest.fixture(scope="module")
def http(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    database = f"sqlite:///{tmp_path_factory.mktemp('looking')}/parlor.db"
    settings = ServerSettings(database_url=database, agents=(str(folder),), rate=0)
    with client_of(settings) as client:
        yield client


# ----------------------------------------------------------------------------------------------------------- minds


@pytest.mark.slow
def test_a_mind_shows_what_the_checkpoint_has_learned(http: httpx.Client, folder: Path) -> None:
    person = sit(http, agent="my-run.00000040", seat=1, mind="end", seed=1)
    person.play(20)
    assert person.get("/mind").json()["plies"] == []
    assert person.get("/mind/12").status_code == 403
    person.play()
    entries = {e["key"]: e for e in load_checkpoint(folder / "my run" / "checkpoints" / "00000040.json")[1]}
    history = person.get().json()["history"]
    seen = 0
    for ply in person.get("/mind").json()["plies"]:
        mind = person.get(f"/mind/{ply}").json()
        assert mind["chosen"] == history[ply]["move"]
        assert mind["detail"] == "inside"
        assert sum(m["probability"] for m in mind["moves"]) == pytest.approx(1)
        assert next(m for m in mind["moves"] if m["move"] == mind["chosen"])["probability"] > 0 or mind["own"]
        assert mind["infoset"].startswith("you" if mind["player"] == 1 else person.state["names"][0])
        if mind["known"]:
            regrets = [a["regret"] for a in mind["actions"]]
            assert any(e["updates"] == mind["visits"] and list(e["regrets"]) == regrets for e in entries.values())
        values = [a["value"] for a in mind["actions"]]
        assert mind["value_kind"] in ("rollouts", "exact")
        assert min(values) - 1e-6 <= mind["value"] <= max(values) + 1e-6
        assert mind["value_error"] >= 0
        if mind["known"]:
            seen += 1
    assert seen > 3
    assert person.get("/mind/0").status_code == 404  # a draw


def test_when_a_mind_is_shown(http: httpx.Client) -> None:
    never = sit(http, "leduc", seat=0, mind="never")
    never.play()
    assert never.get("/mind/2").json() == {"detail": "At this table the agent's mind is never shown."}
    always = sit(http, "leduc", "sub-leduc", seat=0, mind="always", pace="step")
    assert always.get("/mind/2").status_code == 409  # not before the move
    always.move("call")
    own = always.get("/mind/2").json()
    assert (own["own"], own["detail"], own["chosen"]["name"]) == (True, "inside", "call")
    assert own["infoset"].startswith("you hold ")
    always.advance()
    other = always.get("/mind/3").json()
    assert (other["own"], other["detail"], other["worlds"]) == (False, "outside", 5)
    assert (other["infoset"], other["actions"], other["visits"]) == (None, [], None)
    for mind in (own, other):
        assert (mind["value_kind"], mind["value_error"]) == ("exact", 0)
        assert -13 < mind["value"] < 13


# ----------------------------------------------------------------------------------------------------------- back


def test_replay_shows_every_ply_as_it_was_seen(http: httpx.Client) -> None:
    person = sit(http, seat=0, pace="step")
    shown = {person.state["ply"]: person.state}
    while person.state["turn"] != "over":
        assert (person.move() if person.state["turn"] == "you" else person.advance()).status_code == 200
        shown[person.state["ply"]] = person.state
        if person.state["ply"] > 60:
            person.post("/resign", {})
            break
    for ply, state in list(shown.items())[:-1]:
        again = person.get(f"/replay/{ply}").json()
        assert {k: again[k] for k in ("view", "picture", "legal", "turn")} == {
            k: state[k] for k in ("view", "picture", "legal", "turn")
        }
    assert len(person.get("/replay/12").json()["sides"]) == 2


def test_branches_go_on_from_any_ply_of_a_finished_game(http: httpx.Client) -> None:
    person = sit(http, seat=0)
    person.play(50)
    here = person.state["ply"]
    refused = person.post("/branch", {"ply": 5})
    assert (refused.status_code, refused.json()["detail"][:34]) == (409, "A running game cannot be branched:")
    person.post("/resign", {})
    old = person.get().json()["history"]
    for ply in (0, 5, 23, here):
        made = person.post("/branch", {"ply": ply, "agent": "careful"}).json()
        branch = Person(http, made["state"], made["token"])
        assert branch.state["branch_of"] == {"table": person.state["id"], "ply": ply}
        assert branch.state["seats"][1]["agent"]["id"] == "careful"
        names = [event["move"] and event["move"]["name"] for event in branch.state["history"][:ply]]
        assert all(name in (None, event["move"]["name"]) for name, event in zip(names, old, strict=False))
        assert http.get(branch.path, headers=person.headers).status_code == 403, "a token is for one table"
        branch.play(ply + 10)
        assert person.get().json()["open"], "what was open stays open"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["leduc", "goofspiel", "monopoly-deal"])
def test_a_game_can_be_taken_away_and_brought_again(http: httpx.Client, game: str) -> None:
    person = sit(http, game, seat=1, player_name="Ann")
    person.play()
    record = person.get("/record").json()
    response = http.post("/api/tables/import", json=record)
    assert response.status_code == 201
    again = Person(http, response.json()["state"], response.json()["token"])
    assert again.state["imported"]
    old = person.get().json()
    for name in ("history", "view", "sides", "result", "picture", "seats"):
        assert again.state[name] == old[name]
    assert again.get("/record").json() == record
    half = record | {"moves": record["moves"][: len(record["moves"]) // 2], "payoffs": None}
    unfinished = http.post("/api/tables/import", json=half).json()
    played_on = Person(http, unfinished["state"], unfinished["token"])
    played_on.play()
    assert played_on.state["result"]


def test_a_game_without_words_is_told_by_its_view_and_can_be_taken_away(tmp_path: Path) -> None:
    """It declares no `secret`: a move is told if the view shows it. Here the first is shown, the second is not."""
    rules = tmp_path / "quiet.py"
    rules.write_text(
        """
from parlor.game import CHANCE, OVER, hidden, public

PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM = 2, 3, 0, 4, True
STATE = {"shown": public(), "kept": hidden(), "moves": public()}

def start(s): pass
def turn(s): return (0, 0, 1, 1, OVER)[s.moves]
def odds(s, out): return 0
def legal(s, out):
    for a in range(3):
        out[a] = a
    return 3
def play(s, a):
    if s.moves % 2 == 0:
        s.shown = a + 1
    else:
        s.kept = a
    s.moves += 1
def payoff(s, p): return float(s.kept - 1) * (1 - 2 * p)
def key(s, p): return (s.moves * 4 + s.shown) * 2 + p
"""
    )
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", games=(str(rules),), rate=0)
    with client_of(settings) as http:
        person = sit(http, str(rules), seat=1)
        first, second = person.state["history"]
        assert (first["secret"], second["secret"], second["text"]) == (False, True, "a move you do not see")
        assert first["move"]["name"] == str(person.state["view"]["fields"]["shown"] - 1)
        person.play()
        record = person.get("/record").json()
        seated = http.post("/api/tables/import", json=record)
        assert seated.status_code == 201, seated.text
        assert [e["move"]["name"] for e in seated.json()["state"]["history"]] == [m["move"] for m in record["moves"]]


def test_garbage_is_refused_in_a_sentence(http: httpx.Client) -> None:
    person = sit(http, "leduc", seat=1)
    person.play()
    record = person.get("/record").json()
    first, *rest = record["moves"]
    for sentence, change in (
        ("parlor game 2", {"format": "something else"}),
        ("no game", {"game": "chess"}),
        ("no seat", {"seat": 5}),
        ("cannot be played there", {"moves": [first | {"move": "A♠ to player 0"}, *rest]}),
        ("whose turn it is not", {"moves": [first | {"player": 1}, *rest]}),
        ("whose turn it is not", {"moves": [*record["moves"], first]}),
        ("No game of leduc has", {"moves": record["moves"] * 50}),
        ("at most 10,000 are replayed", {"moves": [first] * 10_001}),
        ("but it ended", {"payoffs": [9.0, -9.0]}),
        ("is not known here", {"surprise": 1}),
    ):
        answer = http.post("/api/tables/import", json=record | change)
        assert answer.status_code in (404, 422), answer.text
        assert sentence in answer.json()["detail"]
    assert http.post("/api/tables/import", content=b"x" * 2_100_000).status_code == 413


# ----------------------------------------------------------------------------------------------------------- agents


def test_agents_are_those_that_were_found(http: httpx.Client) -> None:
    agents = {a["id"]: a for a in http.get("/api/agents").json()}
    assert {"random", "careful", "sub-leduc", "my-run.00000040"} <= set(agents)
    of_runs = {id: agent["newest"] for id, agent in agents.items() if agent["run"]}
    assert of_runs == {"my-run.00000020": False, "my-run.00000040": True}
    assert agents["careful"]["newest"]
    assert not agents["careful"]["settings"]  # nineteen numbers, which are for tuners
    assert [one["name"] for one in agents["risk-aware"]["settings"]] == ["aggressiveness", "temperature"]
    newest, older = (agents[f"my-run.000000{games}"] for games in (40, 20))
    assert newest["name"] == "Monopoly Deal learner (40 games)"
    assert newest["character"].startswith("Self-taught ")
    assert sit(http, agent=older["id"], seat=0).state["names"][1] == f"{newest['character']} (20 games)"
    assert http.get("/api/agents/my-run.00000020").json()["trained"] == 20
    assert agents["my-run.00000040"]["games"] == ["monopoly-deal"]
    of_leduc = {a["id"] for a in http.get("/api/agents", params={"game": "leduc"}).json()}
    assert of_leduc == {"random", "look-ahead", "max-n", "mcts", "search", "solver", "sub-leduc"}
    for id in ("nobody", "..%2F..%2Fetc%2Fpasswd", "link", "other"):
        assert http.get(f"/api/agents/{id}").status_code == 404
    answer = http.get("/api/agents/damaged/infosets")
    assert (answer.status_code, "damaged" in answer.json()["detail"]) in ((409, True), (404, False))
    games = {g["name"]: g for g in http.get("/api/games").json()}
    words = next(o for o in games["monopoly-deal"]["options"] if o["name"] == "preset")["words"]
    assert [word["title"] for word in words] == ["Standard", "Paper", "Small", "Large", "Tiny"]
    assert "Three colours" in words[0]["meaning"]
    assert "two full sets win" in words[0]["meaning"]
    assert games["kuhn"]["presets"] == {}
    presets, defaults = games["monopoly-deal"]["presets"], {o["name"]: o for o in games["monopoly-deal"]["options"]}
    assert presets["standard"] == {name: option["default"] for name, option in defaults.items() if name != "preset"}
    for preset, chosen in presets.items():
        assert load("monopoly-deal", preset=preset).options == chosen | {"preset": preset}


def test_strategies_can_be_looked_through(http: httpx.Client, folder: Path) -> None:
    def ask(agent: str, **wanted: object) -> dict[str, object]:
        answer = http.get(f"/api/agents/{agent}/infosets", params=wanted)  # type: ignore[arg-type]
        assert answer.status_code == 200, answer.text
        found: dict[str, object] = answer.json()
        return found

    policy = load_policy(folder / "sub" / "leduc.json")
    page = ask("sub-leduc", limit=200)
    assert page["all"] == page["total"] == len(policy) == 936
    shown = {
        k: seen.replace("player 1", "player 2").replace("player 0", "player 1") for k, (seen, _) in policy.words.items()
    }
    words = {shown[k]: policy.rows(np.array([k]), np.array([len(policy.words[k][1])])) for k in policy.words}
    for item in page["items"]:  # type: ignore[attr-defined]
        assert [a["probability"] for a in item["actions"]] == pytest.approx(list(words[item["words"]]))
    some = ask("sub-leduc", text="k♠ raise", player=1, action="fold", sort="-entropy", limit=200)
    assert 0 < some["total"] < 300  # type: ignore[operator]
    entropies = [item["entropy"] for item in some["items"]]  # type: ignore[attr-defined]
    assert entropies == sorted(entropies, reverse=True)
    for item in some["items"]:  # type: ignore[attr-defined]
        assert item["player"] == 1
        assert "K♠" in item["words"]
        assert "fold" in [a["name"] for a in item["actions"]]
    trained = ask("my-run.00000040", sort="-visits", limit=5)
    visits = [item["visits"] for item in trained["items"]]  # type: ignore[attr-defined]
    assert visits == sorted(visits, reverse=True)
    assert visits[0] > 0
    assert http.get("/api/agents/careful/infosets").status_code == 404


def test_checkpoints_can_be_compared(http: httpx.Client) -> None:
    page = http.get("/api/agents/my-run.00000020/compare/my-run.00000040").json()
    distances = [item["distance"] for item in page["items"]]
    assert distances == sorted(distances, reverse=True)
    assert 0 < distances[0] <= 1
    same = http.get("/api/agents/my-run.00000040/compare/my-run.00000040").json()
    assert same["mean_distance"] == 0
    assert http.get("/api/agents/my-run.00000040/compare/sub-leduc").status_code == 409
    action = next(iter(page["action_words"]))
    wanted: dict[str, str | int] = {"action": action, "player": 1, "limit": 200}
    some = http.get("/api/agents/my-run.00000020/compare/my-run.00000040", params=wanted).json()
    assert 0 < some["total"] < page["total"] == page["all"] == some["all"]
    assert all(item["player"] == 1 and action in item["names"] for item in some["items"])
    mean = sum(item["distance"] for item in some["items"]) / some["total"]
    assert some["total"] > 200 or some["mean_distance"] == pytest.approx(mean, abs=1e-5)


@pytest.mark.slow
def test_a_policy_in_another_order_is_not_played_wrongly(
    http: httpx.Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person may edit a file; the server does not enumerate games to put it right, so it must say no."""
    monkeypatch.setattr(folders, "FRESH", 0.0)
    policy = load_policy(folder / "sub" / "leduc.json")
    turned = {key: (seen, names[::-1]) for key, (seen, names) in policy.words.items()}
    arrays = (policy.keys, policy.starts, policy.probabilities)
    save(Policy(policy.game, policy.rules, *arrays, policy.about, turned), folder / "turned.json")
    try:
        person = sit(http, "leduc", "turned", seat=1)
        assert "lists its actions as" in person.state["trouble"]
    finally:
        (folder / "turned.json").unlink()


def test_runs_are_told_as_they_grow(http: httpx.Client, folder: Path) -> None:
    [run] = http.get("/api/runs").json()
    assert (run["id"], run["reached"], run["goal"], run["state"]) == ("my-run", 40, 40, "finished")
    assert [c["agent"] for c in run["checkpoints"]][-1] == "my-run.00000040"
    assert run["config"]["game"] == "monopoly-deal/intent"
    assert (run["unit"], run["scale"]) == ("payoff", 1.0)
    metrics = http.get("/api/runs/my-run/metrics").json()
    [regret] = [one for one in metrics["measures"] if one["name"] == "regret"]
    assert [line["called"] for line in regret["lines"]] == [
        "largest",
        "mean",
        "largest of player 1",
        "largest of player 2",
    ]
    assert [row["at"] for row in metrics["rows"]][-1] == metrics["last"] == 40
    assert metrics["rows"][-1]["wins"]["random"]["first"]["games"] > 0
    later = http.get("/api/runs/my-run/metrics", params={"after": 20}).json()
    assert [row["at"] for row in later["rows"]] == [40]
    assert http.get("/api/runs/my-run/metrics", params={"after": 40}).json()["rows"] == []
    assert http.get("/api/runs/..%2Fmy-run").status_code == 404
    [table] = http.get("/api/cross-tables").json()
    names = ["Monopoly Deal learner (40 games)", "Look-ahead Lou (policy other)", "other", "other (2)"]
    assert (table["id"], table["agents"]) == ("cross", names), "no name says where a file lies"
    assert (table["matches"][0]["agent"], table["matches"][0]["against"]) == (names[0], names[1])
    assert (table["players"], table["in_points"], table["matches"][0]["against_payoff"]) == (2, True, None)
    assert table["matches"][0]["share"] == {"value": 0.5, "low": None, "high": None}, "a draw counts half"


def test_a_cross_table_among_three_is_shown_with_shares(tmp_path: Path) -> None:
    game = load("kuhn(players=3)")
    result = play_tournament(game, [make_agent("random", game), uniform_agent], 30).row()
    (tmp_path / "three.json").write_text(json.dumps(result | {"notes": "x" * (1 << 16)}))  # also of many agents
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", agents=(str(tmp_path),), rate=0)
    with serving(settings) as address:
        [table] = httpx.get(f"{address}/api/cross-tables", timeout=600).json()
    assert (table["players"], table["ratings"], len(table["matches"]), table["in_points"]) == (3, [], 2, True)
    assert [pair["share"]["value"] for pair in table["matches"]] == [
        pair["measures"]["win-share"]["value"] for pair in result["matches"]
    ]


@pytest.mark.slow
def test_every_game_of_the_list_loads(http: httpx.Client) -> None:
    for game in http.get("/api/games").json():
        assert load(game["name"]).players == game["players"]
