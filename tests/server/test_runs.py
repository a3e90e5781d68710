"""The page is told every setting and every column that a run has measured, by nobody's list but the learner's."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from parlor.game.parameters import declared
from parlor.runs.learners.registry import LEARNERS
from parlor.runs.metrics import flat
from parlor.runs.run import locked_folder
from parlor.server.operations.settings import ServerSettings
from parlor.tuning.run import TuneRun
from parlor.tuning.search import TuneConfig
from tests.server.people import client_of

SAVED = Path(__file__).parent.parent / "golden" / "saved"


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    database = f"sqlite:///{tmp_path_factory.mktemp('runs')}/parlor.db"
    settings = ServerSettings(database_url=database, agents=(str(SAVED),), rate=0)
    with client_of(settings) as client:
        yield client


def test_algorithms_explain_their_settings(http: httpx.Client) -> None:
    told = {one["name"]: one for one in http.get("/api/algorithms").json()}
    assert list(told) == list(LEARNERS)
    for name, row in LEARNERS.items():
        assert [one["name"] for one in told[name]["settings"]] == [one.name for one in declared(row.settings)]
        assert all(one["help"] for one in (*told[name]["settings"], *told[name]["common"]))
    [explore] = (one for one in told["mccfr-outcome"]["settings"] if one["name"] == "explore")
    assert {"type": "float", "default": 0.6, "low": 0.0, "high": 1.0}.items() <= explore.items()
    minutes = {name: next(o["default"] for o in one["common"] if o["name"] == "minutes") for name, one in told.items()}
    assert (minutes["mccfr-external"], minutes["mccfr-public"]) == (0.0, 10.0)


def test_a_run_is_running_only_while_somebody_has_its_folder(tmp_path: Path) -> None:
    saved = min(path for path in SAVED.iterdir() if path.is_dir())
    folder = shutil.copytree(saved, tmp_path / "cut")
    head = json.loads((folder / "config.json").read_text())
    head["config"] |= {"games": 10**9, "minutes": 0.0}
    (folder / "config.json").write_text(json.dumps(head))
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", agents=(str(tmp_path),), rate=0)
    with client_of(settings) as http:
        assert http.get("/api/runs/cut").json()["state"] == "stopped"
        with locked_folder(folder):
            assert http.get("/api/runs/cut").json()["state"] == "running"
            assert http.get("/api/runs/cut/metrics").json()["state"] == "running"
        assert http.get("/api/runs/cut").json()["state"] == "stopped"


@pytest.mark.parametrize("run", sorted(path.name for path in SAVED.iterdir() if path.is_dir()))
def test_nothing_that_was_measured_is_lost(http: httpx.Client, run: str) -> None:
    config = http.get(f"/api/runs/{run}").json()["config"]
    written = json.loads((SAVED / run / "config.json").read_text())["config"]
    assert config["settings"].keys() == config["help"].keys()
    assert config["settings"].keys() >= {one.name for one in declared(LEARNERS[config["algorithm"]].settings)}
    mine = config | config["settings"]
    assert {name: mine[name] for name in written if name in mine} == {k: v for k, v in written.items() if k in mine}
    told = http.get(f"/api/runs/{run}/metrics").json()
    lines = [json.loads(line) for line in (SAVED / run / "metrics.jsonl").read_text().splitlines()]
    for row, line in zip(told["rows"], lines, strict=True):
        numbers = sorted(value for name, value in flat(line).items() if not name.startswith(("games", "wins/")))
        assert sorted(value for column in row["values"].values() for value in column.values()) == numbers
    drawn = {one["name"]: one for one in told["measures"]}
    assert drawn.keys() == {name for row in told["rows"] for name in row["values"]}
    if "exploitability" in drawn:
        assert (drawn["exploitability"]["better"], drawn["exploitability"]["scale"]) == ("lower", "log")
    assert ("touched" in drawn) == (config["algorithm"] == "mccfr-public")


def test_a_tuning_run_is_shown_with_its_curve(tmp_path: Path) -> None:
    config = TuneConfig(game="goofspiel", agent="matching", games=0, generations=2, games_each=20, final_games=100)
    TuneRun.begin(tmp_path / "searched", config).run(on_progress=lambda run, tuner: tuner.games < 200)
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", agents=(str(tmp_path),), rate=0)
    with client_of(settings) as http:
        [run] = http.get("/api/runs").json()
        assert (run["state"], run["config"]["algorithm"]) == ("stopped", "tuning matching")
        TuneRun.resume(tmp_path / "searched").run()
        run = http.get("/api/runs/searched").json()
        assert run["state"] == "finished"
        assert "evaluate_every" not in run["config"]["settings"]
        assert run["config"]["settings"]["measure"] == "win-share"
        told = http.get("/api/runs/searched/metrics").json()
        assert [row["values"]["generation"][""] for row in told["rows"]] == [1, 2]
        [score] = (one for one in told["measures"] if one["name"] == "score")
        assert (score["title"], score["scale"]) == ("Score of a generation: win-share", "share")
