"""Tuning by hand: places and values, scores, one generation of each search, and every decision of a run."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor.game.loading import load
from parlor.game.rng import mix
from parlor.runs.saved_agents import load_best, save_best
from parlor.tuning import tables as tables_module
from parlor.tuning.journal import TuningJournal
from parlor.tuning.options import TunedAgent, TunedParameter, tuned_agent
from parlor.tuning.run import measures_of
from parlor.tuning.search import CmaEs, Coordinate, SearchPlan, TuneConfig
from parlor.tuning.tables import Arena, Interrupted, Scores, Table, tables
from parlor.tuning.tuner import BestFound, Lucky, Tuner, usual_pool, won_from

# ------------------------------------------------------------------------------------------------------------ options


def test_places_and_values_by_hand() -> None:
    even, whole = TunedParameter(1.0, "", -2.0, 6.0, name="x"), TunedParameter(3, "", 2, 12, name="n")
    assert [even.place(value) for value in (-2.0, 0.0, 6.0)] == [0.0, 0.25, 1.0]
    assert even.value(0.333333) == 0.6667  # about four digits of the range
    assert TunedParameter(1.0, "", 0.0, 200.0, name="x").value(1 / 3) == 66.67
    assert TunedParameter(0.1, "", 0.0, 0.5, name="x").value(1 / 3) == 0.16667
    assert (whole.grid, even.grid) == (0.1, 0.0)
    assert [whole.value(place) for place in (0.0, 0.14, 0.16, 1.0)] == [2.0, 3.0, 4.0, 12.0]
    wide = TunedParameter(1.0, "", 1.0, 100.0, name="c", log=True)
    assert wide.place(10.0) == pytest.approx(0.5)
    assert wide.value(0.25) == pytest.approx(3.162)
    assert TunedParameter(10, "", 1, 100, name="n", log=True).grid == 0.0
    assert TunedParameter(10, "", 1, 100, name="n", log=True).value(0.25) == 3.0
    from_zero = TunedParameter(1.0, "", 0.0, 1000.0, name="c", log=True)  # one is added: ln 1 to ln 1001
    assert from_zero.place(1.0) == pytest.approx(math.log(2.0) / math.log(1001.0))
    assert from_zero.value(math.log(2.0) / math.log(1001.0)) == pytest.approx(1.0)
    assert (from_zero.value(-1.0), from_zero.value(2.0)) == (0.0, 1000.0)


def test_an_agent_at_a_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = TunedAgent(
        "some", {"fixed": "7"}, (TunedParameter(2.5, "", 0.0, 10.0, name="x"), TunedParameter(3, "", 0, 4, name="n"))
    )
    assert agent.start == [0.25, 0.75]
    assert agent.values([0.5, 0.4]) == {"x": 5.0, "n": 2.0}
    assert agent.name([0.5, 0.4]) == "some(fixed=7,x=5,n=2)"
    game = load("goofspiel")
    given = tuned_agent("matching(shift=3)", game, ["shift=0:2"])
    assert (given.options[0].start, given.fixed) == (2.0, {})  # within the range
    monkeypatch.chdir(tmp_path)
    Path("my.py").write_text("class Bold:\n    def __init__(self, risk=1.5, other=0):\n        pass\n")
    mine = tuned_agent("my.py:Bold(risk=0.25,other=1)", game, ["risk=0:1"])
    assert (mine.base, mine.fixed, mine.options) == (
        "my.py:Bold",
        {"other": "1"},
        (TunedParameter(0.25, "", 0.0, 1.0, name="risk"),),
    )
    assert tuned_agent("my.py:Bold", game, ["risk=0:3"]).options[0].start == 1.5
    assert tuned_agent("my.py:Bold", game, ["risk=1:3:log"]).options[0].log


# ------------------------------------------------------------------------------------------------------------- scores

#: Two candidates, two tables, three rounds.
VALUES = np.array([[[1.0, 0.0, 1.0], [0.0, 0.0, 4.0]], [[0.5, 1.0, 0.0], [1.0, 1.0, 2.0]]])
SCORES = np.array([[0.75, 0.0, 1.75], [0.625, 1.0, 0.5]])  # with weights ¾ and ¼


def test_scores_by_hand() -> None:
    found = Scores.of(VALUES, [0.75, 0.25])
    assert found.rounds == 3
    assert found.total.tolist() == pytest.approx([2.5, 2.125])
    assert found.means.tolist() == pytest.approx([2.5 / 3, 2.125 / 3])
    assert found.tables.tolist() == [[2.0, 4.0], [1.5, 4.0]]
    assert found.products == pytest.approx(SCORES @ SCORES.T)
    for weights in ((1.0, 0.0), (1.0, -1.0), (0.5, 0.5)):
        assert found.variance(np.array(weights)) == pytest.approx(float(np.var(weights @ SCORES, ddof=1)))
    difference = found.difference(0, 1)
    assert difference.value == pytest.approx(0.125)
    assert found.difference(1, 0).value == pytest.approx(-0.125)
    assert found.average(False).value == pytest.approx(4.625 / 6)
    assert found.estimate(1, False).value == pytest.approx(2.125 / 3)
    once = Scores.of(VALUES[:, :, :1], [0.75, 0.25])
    assert once.variance(np.array([1.0, 0.0])) == math.inf
    assert once.reliability == 0.0


def test_reliability_by_hand() -> None:
    """Means a and b apart by d have the variance d² / 2; luck is that of half their difference, twice, over rounds."""
    one, two = np.array([3.0, 4.0, 5.0, 4.0]), np.array([1.0, 2.0, 1.5, 2.5])
    found = Scores.of(np.stack([one, two])[:, None], [1.0])
    difference = one - two
    seen = difference.mean() ** 2 / 2
    noise = 2 * np.var(difference / 2, ddof=1) / (2 - 1) / 4
    assert found.reliability == pytest.approx(1 - noise / seen)
    assert Scores.of(np.stack([one, one])[:, None], [1.0]).reliability == 0.0
    three = np.stack([one, two, two[::-1]])
    centred = three - three.mean(axis=0)
    noise = sum(np.var(row, ddof=1) for row in centred) / 2 / 4
    assert Scores.of(three[:, None], [1.0]).reliability == pytest.approx(1 - noise / np.var(three.mean(axis=1), ddof=1))
    noisy = Scores.of(np.array([[[0.0, 10.0, -9.0]], [[1.0, -8.0, 7.5]]]), [1.0])
    assert noisy.reliability == 0.0  # never below


def test_scores_of_more_rounds_are_added() -> None:
    whole, first, rest = (Scores.of(VALUES[:, :, part], [0.75, 0.25]) for part in (slice(3), slice(1), slice(1, 3)))
    for found in (first + rest, Scores.read(json.loads(json.dumps(whole.data())))):
        assert found.rounds == 3
        assert found.total == pytest.approx(whole.total)
        assert found.products == pytest.approx(whole.products)
        assert found.tables == pytest.approx(whole.tables)
    other = Scores.of(VALUES[:, :1], [1.0])
    assert (whole + other).tables.tolist() == whole.tables.tolist()
    assert (whole + other).rounds == 6


# ------------------------------------------------------------------------------------------------------------- search


def test_one_coordinate_after_the_other() -> None:
    """Two options, five points: the best so far and a grid of four over the whole range; then half as wide."""
    search = Coordinate(
        SearchPlan(
            [TunedParameter(0.0, "", 0, 1, name="x"), TunedParameter(0.0, "", 0, 1, name="y")],
            [0.2, 0.9],
            1,
            population=5,
        )
    )
    assert (search.population, search.spread, search.centre) == (5, 0.5, [0.2, 0.9])
    points = search.ask()
    assert points[0] == [0.2, 0.9]
    assert [p[0] for p in points[1:]] == pytest.approx([0.0, 1 / 3, 2 / 3, 1.0])
    assert all(p[1] == 0.9 for p in points)
    search.tell(points, [0.0, 1.0, 5.0, 2.0, 1.0])
    assert search.centre == pytest.approx([1 / 3, 0.9])
    points = search.ask()
    assert points[0] == pytest.approx([1 / 3, 0.9])
    assert [p[1] for p in points[1:]] == pytest.approx([0.0, 1 / 3, 2 / 3, 1.0])
    assert all(p[0] == pytest.approx(1 / 3) for p in points)
    search.tell(points, [9.0, 1.0, 5.0, 2.0, 1.0])  # what it had is still the best
    assert search.spread == 0.25
    assert search.centre == pytest.approx([1 / 3, 0.9])
    assert [p[0] for p in search.ask()[1:]] == pytest.approx([1 / 12, 1 / 4, 5 / 12, 7 / 12])
    search.tell(search.ask(), [1.0, 0.0, 0.0, 0.0, 0.0])
    assert search.spread == 0.25
    assert [p[1] for p in search.ask()[1:]] == pytest.approx([0.5, 2 / 3, 5 / 6, 1.0])  # it stays within the range
    search.tell(search.ask(), [1.0, 0.0, 0.0, 0.0, 0.0])
    assert search.spread == 0.125
    assert Coordinate(SearchPlan([], [], 1)).population == 9
    assert Coordinate(SearchPlan([], [], 1, population=2)).population == 3


def strategy_parameters(n: int, size: int) -> dict[str, Any]:
    """Hansen, *The CMA evolution strategy: a tutorial* (2016), table 1; weights of the worse half are negative."""
    raw = np.array([math.log((size + 1) / 2) - math.log(i) for i in range(1, size + 1)])
    mu = size // 2
    mass, other = raw[:mu].sum() ** 2 / (raw[:mu] ** 2).sum(), raw[mu:].sum() ** 2 / (raw[mu:] ** 2).sum()
    c1 = 2 / ((n + 1.3) ** 2 + mass)
    cmu = min(1 - c1 - 1e-8, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
    least = min(1 + c1 / cmu, 1 + 2 * other / (mass + 2), (1 - c1 - cmu) / (n * cmu))
    positive, negative = raw[raw >= 0].sum(), -raw[raw < 0].sum()
    weights = np.where(raw >= 0, raw / positive, raw / negative * least)
    cs = (mass + 2) / (n + mass + 5)
    return {
        "mu": mu, "mass": mass, "c1": c1, "cmu": cmu, "weights": weights, "cs": cs,
        "ds": 1 + 2 * max(0.0, math.sqrt((mass - 1) / (n + 1)) - 1) + cs,
        "cc": (4 + mass / n) / (n + 4 + 2 * mass / n),
        "chi": math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n**2)),
    }  # fmt: skip


def test_a_generation_of_cma_es() -> None:
    """The mean, the step and the shape after one generation are those of the tutorial; high scores are good ones."""
    pytest.importorskip("cmaes")
    options = [TunedParameter(0.0, "", 0, 1, name="x"), TunedParameter(0.0, "", 0, 1, name="y")]
    search = CmaEs(SearchPlan(options, [0.4, 0.6], 5, 0.2, 8))
    assert (search.population, search.spread, search.centre) == (8, 0.2, [0.4, 0.6])
    points = search.ask()
    assert len(points) == 8
    assert search.spread == pytest.approx(np.std(points, axis=0).mean())
    scores = [-((x - 0.9) ** 2) - 2 * (y - 0.1) ** 2 for x, y in points]
    search.tell(points, scores)
    q = strategy_parameters(2, 8)
    order = np.argsort(scores)[::-1]
    steps = (np.array(points)[order] - [0.4, 0.6]) / 0.2
    mean = q["weights"][: q["mu"]] @ steps[: q["mu"]]
    assert search.centre == pytest.approx([0.4 + 0.2 * mean[0], 0.6 + 0.2 * mean[1]])
    path = math.sqrt(q["cs"] * (2 - q["cs"]) * q["mass"]) * mean
    sigma = 0.2 * math.exp(q["cs"] / q["ds"] * (np.linalg.norm(path) / q["chi"] - 1))
    assert search._cma._sigma == pytest.approx(sigma)
    h = np.linalg.norm(path) / math.sqrt(1 - (1 - q["cs"]) ** 4) < (1.4 + 2 / 3) * q["chi"]
    pc = h * math.sqrt(q["cc"] * (2 - q["cc"]) * q["mass"]) * mean
    w = np.where(q["weights"] >= 0, q["weights"], q["weights"] * 2 / (np.linalg.norm(steps, axis=1) ** 2 + 1e-8))
    shape = (1 + q["c1"] * (1 - h) * q["cc"] * (2 - q["cc"]) - q["c1"] - q["cmu"] * q["weights"].sum()) * np.eye(2)
    shape = shape + q["c1"] * np.outer(pc, pc) + q["cmu"] * (steps.T * w) @ steps
    assert pytest.approx(shape) == search._cma._C


def test_what_cma_es_draws() -> None:
    """Around the start, as far as the spread says, within the ranges, by its seed; whole numbers stay whole."""
    pytest.importorskip("cmaes")
    free = [TunedParameter(0.0, "", 0, 1, name="x"), TunedParameter(0.0, "", 0, 1, name="y")]
    many = np.array(CmaEs(SearchPlan(free, [0.5, 0.5], 3, 0.1, 900)).ask())
    assert many.mean(axis=0) == pytest.approx(np.array([0.5, 0.5]), abs=0.02)
    assert many.std(axis=0) == pytest.approx(np.array([0.1, 0.1]), abs=0.01)
    edge = np.array(CmaEs(SearchPlan(free, [0.0, 1.0], 3, 0.1, 400)).ask())
    assert ((edge >= 0.0) & (edge <= 1.0)).all()
    assert (edge[:, 0] == 0.0).mean() == pytest.approx(0.5, abs=0.1)  # what lies outside is moved to the edge
    one, again, other = (CmaEs(SearchPlan(free, [0.5, 0.5], seed)).ask() for seed in (3, 3 + 2**32, 4))
    assert one == again != other
    assert len(one) == 6  # 4 + 3 ln 2
    whole = CmaEs(SearchPlan([TunedParameter(5, "", 0, 10, name="n"), *free], [0.5, 0.5, 0.5], 3, 0.3, 40))
    points = whole.ask()
    assert all(10 * p[0] == pytest.approx(round(10 * p[0])) for p in points)
    assert any(10 * p[1] != pytest.approx(round(10 * p[1])) for p in points)
    before = whole.centre
    whole.tell(points, [p[0] + p[1] for p in points])
    assert whole.centre[0] > before[0]
    assert whole.centre[1] > before[1]


# ------------------------------------------------------------------------------------------------------------- tables


def test_tables_are_orders_of_the_pool() -> None:
    assert tables(list("abcd"), 2, 0) == [("a",), ("b",), ("c",), ("d",)]
    assert tables(["a", "b"], 3, 0) == [("a", "b"), ("b", "a")]
    some = tables(list("abcde"), 4, 3)  # 24 of 60
    assert len(some) == len(set(some)) == 24
    assert all(len(set(table)) == 3 for table in some)
    assert some == sorted(some)  # the rest stay in their order


def test_a_candidate_takes_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rounds of three seats: a score is the mean of a round; copies of one opponent are one."""
    seen: list[Any] = []

    class Match:
        def __init__(self, first: float) -> None:
            self.first = first

        def values(self, measure: str) -> Any:
            assert measure == "payoff"
            return self.first + np.array([0.0, 1.0, 2.0, 3.0, 4.0, 8.0, 6.0, 6.0, 6.0])

    def play(game: Any, agents: Any, games: int, seed: int, on_progress: Any) -> Match:
        seen.append((agents, games, seed))
        if on_progress(4):
            on_progress(9)
        return Match(10.0 * len(seen))

    arena = Arena(load("kuhn(players=3)"), "payoff")
    arena._load = lambda name: name  # type: ignore[assignment]
    monkeypatch.setattr(tables_module, "play_match", play)
    heard: list[int] = []

    def going(games: int) -> bool:
        heard.append(games)
        return True

    found = arena.play(["x", "y"], [("a", "b"), ("b", "b")], [0.5, 0.5], 3, 7, going)
    assert [agents for agents, _, _ in seen] == [["x", "a", "b"], ["x", "b"], ["y", "a", "b"], ["y", "b"]]
    assert {games for _, games, _ in seen} == {9}
    assert [seed for _, _, seed in seen] == [mix(7, 0), mix(7, 1)] * 2  # the same deals for all candidates
    assert heard == [4, 5] * 4
    assert found.tables == pytest.approx(np.array([[30 + 12.0, 60 + 12.0], [90 + 12.0, 120 + 12.0]]))
    assert found.total.tolist() == pytest.approx([57.0, 117.0])
    assert arena.games(2, 3, 4) == 72
    with pytest.raises(Interrupted):
        arena.play(["x"], [("a", "b")], [1.0], 3, 7, lambda games: False)


# -------------------------------------------------------------------------------------------------------------- runs

CONFIG: dict[str, Any] = {
    "game": "goofspiel", "agent": "matching", "options": ("shift=-2:4",), "against": ("matching", "random"),
    "games": 100_000, "games_each": 40, "final_games": 400, "candidates": 6, "method": ("coordinate",),
    "seed": 1,
}  # fmt: skip


def tuner(score: Callable[[str, Table], float] = lambda name, table: 0.5, noise: float = 0.01, **more: Any) -> Tuner:
    """A run whose games are not played: what a candidate gets at a table is said, with some luck of its own."""
    made = Tuner(TuneConfig(**{**CONFIG, **more}))

    def play(names: Any, where: Any, weights: Any, rounds: int, seed: int, going: Any) -> Scores:
        luck = np.random.default_rng(seed % 2**32).normal(0.0, noise, (len(names), len(where), rounds))
        means = np.array([[score(name, table) for table in where] for name in names])
        return Scores.of(means[:, :, None] + luck, weights)

    made.arena.play = play  # type: ignore[method-assign, assignment]
    return made


def shift(name: str) -> float:
    return float(name.partition("shift=")[2].partition(")")[0].partition(",")[0]) if "shift=" in name else 1.0


def hill(name: str, table: Table) -> float:
    """Best at a shift of 3; everybody gets more from random."""
    return 0.5 - 0.05 * (shift(name) - 3.0) ** 2 + (0.25 if table == ("random",) else 0.0)


def test_a_run_climbs_the_hill_and_reports_it() -> None:
    """Against the pool as it was and as it is; what it gains is what was said."""
    made = tuner(hill, restarts=0, patience=2, check_every=1)
    tuned = made.run()
    assert shift(tuned.agent) == pytest.approx(3.0, abs=0.1)
    [search] = made.searches
    assert made.agent.name(search.champions[0]) == "matching(shift=1)"
    assert len(search.champions) > 1
    assert search.pool[:2] == ["matching", "random"]
    assert search.pool[2:] == [made.agent.name(point) for point in search.champions[1:]]
    assert "2 checks in a row found no improvement" in tuned.report["searches"][0]["ended"]
    first, second = tuned.report["report"]
    assert (first["pool"], second["pool"]) == (["matching", "random"], search.pool)
    assert first["games"] == 400
    best, start = first["rows"]
    assert (best["from"], start["from"]) == (["coordinate"], ["start"])
    expected = hill(best["agent"], ("x",))
    assert best["score"]["value"] == pytest.approx(expected + 0.125, abs=0.01)
    assert best["gain"]["value"] == pytest.approx(expected - hill("matching(shift=1)", ("x",)), abs=0.01)
    assert start["gain"] is None
    assert best["by_opponent"] == pytest.approx({"matching": expected, "random": expected + 0.25}, abs=0.01)
    assert best["gain"]["low"] < best["gain"]["value"] < best["gain"]["high"]
    told = tuned.report["searches"][0]
    assert told["candidates"] == 6 * told["generations"] == 6 * search.generation
    assert told["games"] == search.games < made.games == tuned.report["games"]
    assert told["highest"]["fresh"]["value"] == pytest.approx(expected + 0.125, abs=0.1)
    assert made.so_far() == made.agent.name(search.champion)
    row = made.rows[0]
    assert (row["generation"], row["pool"], row["champions"], row["games_each"]) == (1, 2, 0, 40)
    assert row["search_games"] == row["games"] == 6 * 40


def test_rounds_and_budgets() -> None:
    made = tuner(games=10_000, minutes=1.0)
    found = made._begun("coordinate")
    assert (found.tables, found.weights, found.champion) == ([("matching",), ("random",)], [0.5, 0.5], made.agent.start)
    assert found.each == 40
    for each, rounds in ((40, 10), (41, 11), (3, 4)):  # of two tables and two seats; at least four
        found.each = each
        assert made._rounds(found) == rounds
    found.games = 10_000 - 4 * 5 * 6
    assert made._affords(found, 6, 5)
    assert not made._affords(found, 6, 6)
    found.games, found.seconds = 0, 59.9
    assert made._affords(found, 6, 5)
    found.seconds = 60.0
    assert not made._affords(found, 6, 5)
    endless = tuner(games=0, generations=3)
    assert endless._affords(found, 10**6, 10**6)
    assert len(list(endless._search("coordinate"))) == endless.searches[0].generation == 3
    assert endless.searches[0].why == "its budget was spent"


def test_a_restart_has_twice_the_candidates_half_as_far() -> None:
    made = tuner(spread=0.2)
    found = made._begun("cma-es")
    sizes = [made._new_search(found, restarts) for restarts in (0, 1, 2)]
    assert [search.population for search in sizes] == [6, 12, 24]
    assert [search.spread for search in sizes] == pytest.approx([0.2, 0.1, 0.05])
    assert len({str(search.ask()[:5]) for search in sizes}) == 3
    assert made._new_search(found, 1).ask() == made._new_search(found, 1).ask()
    found.champions.append([0.75])
    assert made._new_search(found, 0).centre == [0.75]
    stuck = tuner(restarts=2, patience=1, check_every=1, games=0, generations=50)
    assert list(stuck._search("coordinate"))
    assert stuck.searches[0].candidates == 6 + 12 + 24
    assert "1 checks in a row" in stuck.searches[0].why


def test_games_of_a_generation_follow_the_reliability() -> None:
    """By half more below ½, by a third fewer above 0.8; much luck is played on at once, twice at most."""
    for noise, apart, each, played in ((1e-9, 0.1, 40.0, 10), (2.0, 0.0, 60.0, 40)):
        made = tuner(lambda name, table, apart=apart: apart * shift(name), noise)  # type: ignore[misc]
        found = made._begun("coordinate")
        made._generation(made._new_search(found, 0), found)
        assert found.each == each
        assert found.games == 6 * 4 * played
        assert (found.generation, found.candidates) == (1, 6)
    found.each = 90.0
    made = tuner(lambda name, table: shift(name), 1e-9)
    made._generation(made._new_search(found, 0), found)
    assert found.each == 60.0
    limited = tuner(noise=2.0, games=6000)
    found = limited._begun("coordinate")
    limited._generation(limited._new_search(found, 0), found)
    assert found.each == 6000 // (20 * 6)  # a twentieth of what there is, for all candidates


def test_the_luckiest_is_remembered_with_its_tables() -> None:
    made = tuner(hill, 1e-9)
    found = made._begun("coordinate")
    search = made._new_search(found, 0)
    made._generation(search, found)
    assert found.lucky is not None
    assert shift(made.agent.name(found.lucky.point)) == pytest.approx(2.5)
    assert found.lucky.score == pytest.approx(hill("shift=2.5)", ("x",)) + 0.125, abs=1e-6)
    assert found.centre == search.centre == found.lucky.point
    found.lucky = Lucky(0.9, [0.0], found.tables)
    made._generation(search, found)
    assert found.lucky.score == 0.9
    found.lucky = Lucky(0.9, [0.0], [("others",)])  # of other tables: it does not count any more
    made._generation(search, found)
    assert found.lucky.tables == found.tables
    assert found.lucky.score < 0.9


def improving(noise: float = 0.01, **more: Any) -> tuple[Tuner, BestFound]:
    made = tuner(hill, noise, **more)
    found = made._begun("coordinate")
    found.centre = [5 / 6]  # a shift of 3
    return made, found


def test_a_champion_is_replaced_with_confidence_only() -> None:
    made, found = improving()
    assert made._improved(found)
    assert found.champions == [made.agent.start, [5 / 6]]
    assert found.pool == ["matching", "random", "matching(shift=3)"]
    assert found.tables == [("matching",), ("random",), ("matching(shift=3)",)]
    assert found.games == 2 * 4 * 4 * 10  # four times the rounds, for two
    assert not made._improved(found)  # it is the champion
    assert found.games == 2 * 4 * 4 * 10
    worse, found = improving()
    found.champions = [[5 / 6]]
    found.centre = worse.agent.start
    assert not worse._improved(found)
    assert found.games == 2 * 4 * 40  # it does not look again where it is worse
    lucky, found = improving()

    def up_and_down(names: Any, where: Any, weights: Any, rounds: int, seed: int, going: Any) -> Scores:
        apart = np.tile([1.0, -0.9], rounds // 2)  # 0.05 more, but not more than luck in 160 rounds
        return Scores.of(np.stack([apart, np.zeros(rounds)])[:, None].repeat(2, axis=1), weights)

    lucky.arena.play = up_and_down  # type: ignore[method-assign, assignment]
    assert not lucky._improved(found)
    assert (len(found.champions), len(found.pool)) == (1, 2)
    assert found.games == 2 * 4 * 160  # it looked three times, each time with as much again
    fixed, found = improving(grow=False)
    assert fixed._improved(found)
    assert (found.pool, len(found.champions)) == (["matching", "random"], 2)
    poor, found = improving(games=300)
    assert not poor._improved(found)
    assert found.games == 0


def test_only_the_newest_stay_in_the_pool() -> None:
    made, found = improving()
    found.pool = ["matching", "random", *(f"old{i}" for i in range(8))]
    made._set_tables(found)
    assert made._improved(found)
    assert found.pool == ["matching", "random", *(f"old{i}" for i in range(1, 8)), "matching(shift=3)"]


def test_hard_opponents_weigh_by_their_rank() -> None:
    """From matching 0.5 was won, from random 0.75: the new one has rank 3, matching 2, random 1."""
    made, found = improving(weights="hard")
    assert made._improved(found)
    assert dict(zip(found.tables, found.weights, strict=True)) == pytest.approx(
        {("matching",): 2 / 6, ("random",): 1 / 6, ("matching(shift=3)",): 3 / 6}
    )


def test_what_was_won_from_each() -> None:
    scores = Scores(2, np.zeros(2), np.zeros((2, 2)), np.array([[2.0, 4.0, 6.0], [1.0, 1.0, 5.0]]))
    where = [("a", "b"), ("a", "c"), ("b", "c")]
    assert won_from(["a", "b", "c", "d"], where, scores) == {"a": 1.5, "b": 2.0, "c": 2.5}
    assert won_from(["a"], where, scores, 1) == {"a": 0.5}


def test_finalists_are_the_last_champions_the_centre_the_luckiest_and_the_start() -> None:
    made = tuner(hill, 1e-6)
    found = made._begun("coordinate")
    found.champions = [made.agent.start, [0.1], [0.2], [0.3], [0.4]]
    found.centre, found.lucky, found.why = [0.82], Lucky(0.99, [0.9], found.tables), "it was time"
    point, told = made._choose(found)
    assert point == [0.82]
    assert told["finalists"] == 6
    assert told["agent"] == made.agent.name([0.82])
    assert told["chosen_at"]["value"] == pytest.approx(hill(told["agent"], ("x",)) + 0.125, abs=1e-3)
    assert told["highest"]["seen"] == 0.99
    assert told["highest"]["agent"] == made.agent.name([0.9])
    assert told["highest"]["fresh"]["value"] == pytest.approx(hill(made.agent.name([0.9]), ("x",)) + 0.125, abs=1e-3)
    assert told["ended"] == "It ended because it was time."
    before = made.games
    found.lucky = Lucky(0.99, [0.9], [("random",)])
    _, told = made._choose(found)
    assert told["highest"]["fresh"]["value"] == pytest.approx(hill(made.agent.name([0.9]), ("random",)), abs=1e-3)
    assert made.games - before == 6 * 2 * 2 * 100 + 2 * 200  # 400 games each, and of the luckiest at its own table


def test_the_best_of_several_methods_is_measured_on_deals_of_its_own() -> None:
    made = tuner(hill, 1e-6, method=("cma-es", "coordinate"))
    for method in made.config.method:
        made.searches.append(made._begun(method))
    made.searches[1].pool = ["matching", "random", "more"]
    worse, better = made.agent.name([0.6]), made.agent.name([0.8])
    tuned = made._measure({"cma-es": ([0.6], {"agent": worse}), "coordinate": ([0.8], {"agent": better})})
    assert tuned.agent == better == str(tuned)
    assert [row["from"] for row in tuned.report["report"][0]["rows"]] == [["cma-es"], ["coordinate"], ["start"]]
    assert [part["pool"] for part in tuned.report["report"]] == [["matching", "random"], ["matching", "random", "more"]]
    start = hill(made.start, ("x",))
    first, second, last = (row["gain"] for row in tuned.report["report"][0]["rows"])
    assert first["value"] == pytest.approx(hill(worse, ("x",)) - start, abs=1e-3)
    assert second["value"] == pytest.approx(hill(better, ("x",)) - start, abs=1e-3)
    assert last is None


# ------------------------------------------------------------------------------------------------- what was played


def test_blocks_are_taken_from_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long evaluations are cut into blocks, each with a seed of its own; a known one is not played again."""
    monkeypatch.setattr("parlor.tuning.tuner.BLOCK", 48)
    made, played = tuner(hill), list[tuple[int, int]]()
    play = made.arena.play

    def noting(names: Any, where: Any, weights: Any, rounds: int, seed: int, going: Any) -> Scores:
        played.append((rounds, seed))
        return play(names, where, weights, rounds, seed, going)

    made.arena.play = noting  # type: ignore[method-assign, assignment]
    found = made._begun("coordinate")
    scores = made._play(["matching", "random"], found.tables, found.weights, 15, found)
    assert [rounds for rounds, _ in played] == [6, 6, 3]  # 48 games for two candidates at two tables in two seats
    stream = mix(mix(mix(0, 1), 1), 1)
    assert [seed for _, seed in played] == [mix(stream, number) for number in range(3)]
    assert (scores.rounds, made.games, found.games) == (15, 120, 120)
    again = tuner(hill)
    again.journal, again.arena.play = made.journal, None  # type: ignore[assignment, method-assign]
    same = again._play(["matching", "random"], found.tables, found.weights, 15)
    assert same.data() == scores.data()
    assert again.games == 120
    played.clear()
    made._play(["matching"], found.tables, found.weights, 4)
    assert played == [(4, mix(mix(mix(mix(0, 1), 1), 2), 0))]  # the next evaluation has other deals


def test_a_journal_knows_requests_by_all_of_them(tmp_path: Path) -> None:
    request = {"candidates": ["a"], "rounds": 4, "seed": 255}
    with TuningJournal(tmp_path / "journal.jsonl") as journal:
        assert journal.find(request) is None
        row = journal.add(request, {"total": [1.5]})
        assert row["key"].startswith("ff-")
        assert journal.find(dict(reversed(request.items()))) == row
        assert journal.find({**request, "rounds": 5}) is None
    with (tmp_path / "journal.jsonl").open("ab") as file:
        file.write(b'{"key": "torn')
    with TuningJournal(tmp_path / "journal.jsonl") as journal:
        assert journal.find(request) == row
        journal.add({**request, "seed": 256}, {"total": [2.5]})
    lines = (tmp_path / "journal.jsonl").read_text().splitlines()
    assert [json.loads(line)["total"] for line in lines] == [[1.5], [2.5]]


def test_the_usual_pool_and_what_is_found(tmp_path: Path) -> None:
    game = load("goofspiel")
    pool = usual_pool(game, "matching(shift=2)")
    assert pool[-1] == "matching(shift=2)"
    assert "matching" not in pool
    assert load_best(tmp_path) is None
    save_best(tmp_path, {"game": "goofspiel", "agent": "matching"})
    assert json.loads((tmp_path / "best.json").read_bytes()) == {"game": "goofspiel", "agent": "matching"}


def test_columns_are_drawn_as_their_measure_is() -> None:
    shares, points = (measures_of(TuneConfig(**{**CONFIG, "measure": name})) for name in ("win-share", "payoff"))
    assert [one["score"].scale for one in (shares, points)] == ["share", "linear"]
    assert [one["best"].scale for one in (shares, points)] == ["share", "linear"]
    assert set(shares) == {"score", "best", "spread", "reliability", "option"}
