"""Empirical games, of PSRO runs and saved ones: what is told of them is what was computed, within limits."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

from parlor.policies.mixture import correlated, independent
from parlor.population.empirical.empirical_game import EmpiricalGame
from parlor.population.empirical.empirical_game_files import load_empirical_game
from parlor.population.empirical.empirical_game_writer import save_empirical_game
from parlor.population.empirical.empirical_games import empirical_game
from parlor.population.empirical.rankings import RANKINGS
from parlor.population.meta import META_SOLVERS, solve
from parlor.population.run.checkpoints import PsroConfig, load_empirical
from parlor.population.run.run import PsroRun
from parlor.server.catalogue import meta_solving
from parlor.server.catalogue.empirical_games import Known, matrix
from parlor.server.operations.settings import ServerSettings
from parlor.server.refusal import Refusal
from tests.server.people import client_of

pytestmark = pytest.mark.slow

SAVED = Path(__file__).parent.parent / "golden" / "saved"
ITERATIONS = 6


@pytest.fixture(autouse=True)
def as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a process alone may take twenty seconds to start."""
    monkeypatch.setattr(meta_solving, "TIMEOUT", 600.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    PsroRun.begin(folder / "grown", PsroConfig.of("kuhn", iterations=ITERATIONS)).run()
    agents = ["random", str(folder / "grown" / "strategies" / "0-3.npz")]
    save_empirical_game(empirical_game("kuhn", agents, games=200), folder / "agents.json")
    save_empirical_game(empirical_game("kuhn", agents, games=200, symmetric=True), folder / "shared.npz")
    for labels in (7, [["a"], ["b"]], None):
        head = {"format": "parlor empirical game 1", "game": "kuhn", "labels": labels}
        (folder / f"damaged-{labels and str(labels)[:1]}.json").write_text(json.dumps(head))
    return folder


@pytest.fixture(scope="module")
def http(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    database = f"sqlite:///{tmp_path_factory.mktemp('data')}/parlor.db"
    short = next(path for path in sorted(SAVED.iterdir()) if path.is_dir())
    with client_of(ServerSettings(database_url=database, agents=(str(folder), str(short)), rate=0)) as client:
        yield client


def refused(http: httpx.Client, path: str, status: int) -> str:
    answer = http.get(path)
    assert answer.status_code == status, answer.text
    return str(answer.json()["detail"])


def test_a_psro_run_is_told_with_its_curves_and_mixtures(http: httpx.Client, folder: Path) -> None:
    run = http.get("/api/runs/grown").json()
    assert (run["kind"], run["state"], run["steps"]) == ("psro", "finished", "iterations")
    assert (run["reached"], run["goal"], run["resume"]) == (ITERATIONS, ITERATIONS, "parlor psro --resume")
    assert run["config"]["algorithm"] == "PSRO with regret-matching"
    settings = run["config"]["settings"]
    assert (settings["iterations"], settings["regret-matching iterations"]) == (ITERATIONS, 100_000)
    told = http.get("/api/runs/grown/metrics", params={"after": 2}).json()
    rows = [json.loads(line) for line in (folder / "grown" / "metrics.jsonl").read_text().splitlines()]
    assert [row["at"] for row in told["rows"]] == [3, 4, 5, 6]
    assert [row["values"]["nash_conv"][""] for row in told["rows"]] == [row["nash_conv"] for row in rows[-4:]]
    assert [one["name"] for one in told["measures"]][:3] == ["nash_conv", "meta_nash_conv", "social_welfare"]
    assert told["measures"][0]["scale"] == "log-log"
    assert "mixture" not in {one["name"] for one in told["measures"]}
    for row in rows:
        mixture = http.get("/api/runs/grown/mixture", params={"at": row["iteration"]}).json()
        assert mixture["strategies"] == row["strategies"]
        for player, shares in enumerate(mixture["players"]):
            assert {one["strategy"]: one["share"] for one in shares} == {
                i: share for i, share in enumerate(row["mixture"][player]) if share
            }
    newest = http.get("/api/runs/grown/mixture").json()
    assert newest["at"] == ITERATIONS
    assert {one["label"] for one in newest["players"][0]} <= {"uniform", *(f"exact {i}" for i in range(1, 7))}
    assert refused(http, "/api/runs/grown/mixture?at=99", 404) == "grown has no mixture after 99 iterations."


def test_the_payoffs_are_those_of_the_newest_checkpoint(http: httpx.Client, folder: Path) -> None:
    empirical = load_empirical(folder / "grown" / "checkpoints" / f"{ITERATIONS:08d}.npz")[1]
    told = http.get("/api/empirical-games/grown").json()
    assert told["labels"] == empirical.labels
    assert (told["cells"], told["known"], told["games"]) == (49, 49, 0)
    shown = http.get("/api/empirical-games/grown/matrix").json()
    assert np.allclose(shown["payoffs"], empirical.payoffs, atol=1e-5)
    assert (shown["intervals"], shown["row_labels"]) == (None, empirical.labels[0])
    turned = http.get("/api/empirical-games/grown/matrix", params={"rows": 1, "columns": 0}).json()
    assert np.allclose(turned["payoffs"], empirical.payoffs.transpose(0, 2, 1), atol=1e-5)


def test_bad_input_gets_a_sentence(http: httpx.Client) -> None:
    where = "/api/empirical-games"
    assert refused(http, f"{where}/grown/matrix?rows=1", 422).startswith("Rows and columns must be two different")
    assert refused(http, f"{where}/grown/matrix?columns=2", 422).startswith("Rows and columns must be two different")
    assert refused(http, f"{where}/grown/matrix?others=1&others=2&others=3&others=4&others=5", 422)
    assert refused(http, f"{where}/..%2Fgrown", 404)
    assert refused(http, f"{where}/nothing", 404) == "There is no empirical game 'nothing' here."
    [other] = (run["id"] for run in http.get("/api/runs").json() if run["kind"] == "training")
    assert refused(http, f"{where}/{other}/matrix", 404).endswith("has no empirical game: it is not a run of PSRO.")
    assert refused(http, f"/api/runs/{other}/mixture", 404).endswith("they are measured by runs of PSRO.")
    for damaged in ("damaged-7", "damaged-None", "damaged"):
        assert "cannot be read, or it is damaged" in refused(http, f"{where}/{damaged}", 409)


def test_saved_games_are_listed_and_no_label_says_where_a_file_lies(http: httpx.Client, folder: Path) -> None:
    listed = {one["id"]: one for one in http.get("/api/empirical-games").json()}
    assert listed.keys() == {"agents", "shared"}
    assert (listed["agents"]["cells"], listed["agents"]["games"]) == (4, 800)
    shown = http.get("/api/empirical-games/agents/matrix").json()
    assert str(folder) not in json.dumps([listed, shown])
    assert all(width > 0 for width in shown["intervals"][0][0])


def test_what_is_solved_is_what_the_solver_says(http: httpx.Client, folder: Path) -> None:
    told = {one["name"]: one for one in http.get("/api/meta-solvers").json()}
    assert told.keys() == META_SOLVERS.keys()
    [points] = (one for one in told["nbs"]["settings"] if one["name"] == "points")
    assert (points["type"], points["default"]) == ("floats", [])
    payoffs = load_empirical(folder / "grown" / "checkpoints" / f"{ITERATIONS:08d}.npz")[1].payoffs
    answer = http.get("/api/empirical-games/grown/solution", params={"meta": "nash"}).json()
    mixture = solve("nash", payoffs)
    for player, strategies in enumerate(answer["players"]):
        shares = {one["strategy"]: one["share"] for one in strategies}
        assert np.allclose([shares[i] for i in range(7)], mixture.marginals[player])
        assert [one["share"] for one in strategies] == sorted(shares.values(), reverse=True)
        assert max(one["payoff"] for one in strategies) == pytest.approx(answer["payoffs"][player])  # an equilibrium
    assert (answer["kind"], answer["nash_conv"]) == ("independent", pytest.approx(0.0, abs=1e-9))
    unknown = refused(http, "/api/empirical-games/grown/solution?meta=magic", 422)
    assert unknown.startswith("There is no meta-solver 'magic'; there are: uniform, prd")
    warm = http.get("/api/empirical-games/grown/solution", params={"meta": "quantal-response(temperature=1000)"}).json()
    assert warm["meta"] == "quantal-response(temperature=1000)"
    assert [one["share"] for one in warm["players"][0]] == pytest.approx([1 / 7] * 7, abs=1e-3)
    for wrong, sentence in (
        ("nash(luck=1)", "nash has no setting 'luck'; it has: pivots, supports."),
        ("nash(pivots=no)", "pivots must be a whole number, not 'no'."),
        ("nash(", "'nash(' is not the name of a meta-solver; write it like nash or prd(iterations=1000)."),
    ):
        assert refused(http, f"/api/empirical-games/grown/solution?meta={wrong}", 422) == sentence


def test_what_is_ranked_is_what_the_ranking_says_with_its_intervals(http: httpx.Client, folder: Path) -> None:
    assert [one["name"] for one in http.get("/api/rankings").json()] == list(RANKINGS)
    for id, game in (("agents", load_empirical_game(folder / "agents.json")), ("shared", None)):
        told = http.get(f"/api/empirical-games/{id}/ranking", params={"by": "mean"}).json()
        assert (told["shared"], told["uncertain"], len(told["players"])) == (
            game is None,
            True,
            1 if game is None else 2,
        )
        for player, rows in enumerate(told["players"]):
            assert [one["place"] for one in rows] == sorted(one["place"] for one in rows)
            assert all(one["low"] < one["score"] < one["high"] for one in rows)
            if game is not None:
                mine = game.rank("mean")[player]
                assert [one["strategy"] for one in rows] == mine.order
                assert [one["score"] for one in rows] == pytest.approx(mine.scores[mine.order])
                assert [one["low"] for one in rows] == pytest.approx(mine.low[mine.order])
                assert [one["worst_place"] for one in rows] == mine.worst_places[mine.order].tolist()
    exact = http.get("/api/empirical-games/grown/ranking", params={"by": "nash"}).json()
    assert not exact["uncertain"]
    assert all(one["low"] == one["score"] == one["high"] for rows in exact["players"] for one in rows)
    unknown = refused(http, "/api/empirical-games/grown/ranking?by=magic", 422)
    assert unknown.startswith("There is no ranking 'magic'; there are mean, alpha-rank")


def test_what_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def sentence(meta: str, payoffs: object) -> str:
        with pytest.raises(Refusal) as refusal:
            meta_solving.solved(meta, np.asarray(payoffs))
        return refusal.value.sentence

    assert "has 10,201 combinations; at most 10,000 are solved here" in sentence("uniform", np.zeros((2, 101, 101)))
    assert sentence("nash", np.zeros((3, 2, 2, 2))) == "nash is for 2 players at most; here are 3."
    assert "1 of 4 combinations have no payoff yet" in sentence("nash", [[[1, np.nan], [0, 1]]] * 2)
    monkeypatch.setattr(meta_solving, "TIMEOUT", 0.05)
    assert sentence("nash", np.ones((2, 2, 2))) == "nash took more than 0 seconds; choose another."


def three_players(sizes: tuple[int, int, int] = (2, 3, 4)) -> EmpiricalGame:
    game = EmpiricalGame("kuhn(players=3)", 3)
    for player, n in enumerate(sizes):
        for i in range(n):
            game.add(player, f"{player}{i}")
    game.set_exact((slice(None),) * 3, np.random.default_rng(1).normal(size=(3, *sizes)))
    return game


def test_of_three_players_one_is_fixed_or_averaged() -> None:
    game = three_players()
    joint = np.random.default_rng(2).random((2, 3, 4))
    mixture = correlated(joint)
    fixed = matrix(Known("x", "x", 0, game, mixture, game.labels), 2, 0, [None, 1, None])
    assert np.allclose(np.array(fixed.payoffs, float), game.payoffs[:, :, 1].transpose(0, 2, 1), atol=1e-5)
    assert (fixed.others, fixed.row_labels) == ([None, 1, None], ["20", "21", "22", "23"])
    mixed = matrix(Known("x", "x", 0, game, mixture, game.labels), 0, 1, [])
    weights = joint.sum(axis=(0, 1)) / joint.sum()
    assert np.allclose(np.array(mixed.payoffs, float), game.payoffs @ weights, atol=1e-5)
    even = matrix(Known("x", "x", 0, game, None, game.labels), 0, 1, [])
    assert np.allclose(np.array(even.payoffs, float), game.payoffs.mean(axis=3), atol=1e-5)
    with pytest.raises(Refusal, match="Player 1 has the strategies 0 to 2, not 3"):
        matrix(Known("x", "x", 0, game, mixture, game.labels), 2, 0, [None, 3, None])


def test_a_cell_that_is_not_known_counts_only_where_it_is_played() -> None:
    game = three_players()
    game.counts[0, 0, 3] = 0
    game.sums[:, 0, 0, 3] = 0.0
    game.counts[1, 1, 1], game.sums[:, 1, 1, 1], game.squares[:, 1, 1, 1] = 4, 2.0, 3.0
    last, never = ([0.0, 0.0, 0.0, 1.0], [0.5, 0.5, 0.0, 0.0])
    one, two = (independent([[1, 0], [1, 0, 0], some]) for some in (last, never))
    shown = matrix(Known("x", "x", 0, game, one, game.labels), 0, 1, [])
    assert shown.payoffs[0][0][0] is None
    assert shown.payoffs[0][0][1] is not None
    shown = matrix(Known("x", "x", 0, game, two, game.labels), 0, 1, [])
    assert shown.payoffs[0][0][0] == pytest.approx(game.payoffs[0, 0, 0, :2].mean(), rel=1e-4)
    assert shown.intervals is not None
    assert shown.intervals[0][1][1] == pytest.approx(0.5 * game.half_widths()[0, 1, 1, 1], rel=1e-4)
    assert shown.intervals[0][0][1] == 0.0


def test_of_many_strategies_some_are_shown() -> None:
    game = three_players((300, 2, 2))
    shown = matrix(Known("x", "x", 0, game, None, game.labels), 0, 1, [])
    assert (len(shown.rows), shown.rows[0], shown.rows[-1], shown.sizes) == (163, 0, 299, [300, 2, 2])
    assert sorted(set(shown.rows)) == shown.rows
    assert np.allclose(np.array(shown.payoffs[1][-1], float), game.payoffs[1, 299].mean(axis=1), atol=1e-5)
