"""Tuning: what is asked of an agent's options, scores that can be compared, searches, and runs that can be killed."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlor
from parlor.arena.statistics import mean, rate
from parlor.game import GameError
from parlor.game.loading import load
from parlor.runs.files.container import FileError
from parlor.runs.metrics import read_metrics
from parlor.runs.saved_agents import load_agent
from parlor.runs.training import TrainingRun
from parlor.tuning.journal import TuningJournal
from parlor.tuning.options import TunedParameter, tuned_agent
from parlor.tuning.run import TuneRun
from parlor.tuning.search import METHODS, SearchPlan, TuneConfig
from parlor.tuning.tables import MAX_TABLES, Arena, Interrupted, Scores, tables
from parlor.tuning.tuner import Tuner, won_from
from tests.lasting import lasting

GOOFSPIEL = "goofspiel"
SMALL: dict[str, Any] = {
    "game": GOOFSPIEL, "agent": "matching", "games": 6000, "games_each": 100, "final_games": 400, "check_every": 2,
    "method": ("cma-es", "coordinate"), "against": ("matching", "random"),
}  # fmt: skip

MY_AGENTS = """
class Bold:
    def __init__(self, risk=0.5):
        self.risk = risk

    def act(self, observation):
        return {"bet": self.risk, "pass": 1 - self.risk}
"""


# ------------------------------------------------------------------------------------------------------------ options


def test_code_of_ones_own_begins_with_its_own_numbers(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(MY_AGENTS + "\n\nclass Blank(Bold):\n    def __init__(self, risk):\n        self.risk = risk\n")
    kuhn = load("kuhn")
    mine = tuned_agent(f"{path}:Bold", kuhn, ["risk=0:2"])
    assert mine.name(mine.start) == f"{path}:Bold(risk=0.5)"
    told = tuned_agent(f"{path}:Bold(risk=0.25)", kuhn, ["risk=0:2"])
    assert told.name(told.start) == f"{path}:Bold(risk=0.25)"
    with pytest.raises(GameError, match=r"risk is 0.5, where the search would start, and that is outside of 0.6:1"):
        tuned_agent(f"{path}:Bold", kuhn, ["risk=0.6:1"])
    with pytest.raises(GameError, match=r"gives risk no value of its own: write where to start"):
        tuned_agent(f"{path}:Blank", kuhn, ["risk=0:1"])


def test_a_tuned_agent_meets_others_and_is_measured_as_its_game_is(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MY_AGENTS)
    mine: dict[str, Any] = {"agent": f"{tmp_path}/mine.py:Bold", "options": ("risk=0:1",), "games": 20_000}
    leduc, goofspiel = Tuner(TuneConfig(game="leduc", **mine)), Tuner(TuneConfig(**{**SMALL, "against": ()}))
    assert leduc.against == ["random", f"{tmp_path}/mine.py:Bold(risk=0.5)"]
    assert (leduc.config.measure, goofspiel.config.measure) == ("payoff", "win-share")


def test_a_smaller_budget_takes_nothing_back(tmp_path: Path) -> None:
    config = TuneConfig(**{**SMALL, "method": ("coordinate",), "against": ("random",)})
    TuneRun.begin(tmp_path / "run", config).run()
    before = (tmp_path / "run" / "metrics.jsonl").read_bytes()
    most = read_metrics(tmp_path / "run")[-1]["search_games"]
    with pytest.raises(GameError, match=f"has played {most:,} games already, so games must be at least"):
        TuneRun.resume(tmp_path / "run", games=2000)
    assert (tmp_path / "run" / "metrics.jsonl").read_bytes() == before


def test_an_option_and_its_place_on_the_scale() -> None:
    even = TunedParameter(1.0, "", -2.0, 6.0, name="x")
    assert [even.value(place) for place in (-1.0, 0.0, 0.25, 1.0, 7.0)] == [-2.0, -2.0, 0.0, 6.0, 6.0]
    wide = TunedParameter(1.0, "", 1.0, 10_000.0, name="x", log=True)
    assert [wide.value(place) for place in (0.0, 0.25, 0.5, 1.0)] == [1.0, 10.0, 100.0, 10_000.0]
    from_nothing = TunedParameter(1.0, "", 0.0, 1000.0, name="x", log=True)
    assert from_nothing.value(0.0) == 0.0
    assert from_nothing.value(0.5) == pytest.approx(1000**0.5, rel=0.05)
    whole = TunedParameter(3, "", 0, 9, name="x")
    assert [whole.value(place) for place in (0.0, 0.3, 0.39, 1.0)] == [0, 3, 4, 9]
    for option in (even, wide, from_nothing, whole):
        for place in (0.0, 1 / 3, 1.0):
            value = option.value(place)
            assert option.value(option.place(value)) == value


def test_an_agent_is_what_its_name_says() -> None:
    game = load(GOOFSPIEL)
    agent = tuned_agent("matching(give_up=0.1)", game)
    assert [option.name for option in agent.options] == ["shift", "spread"]
    assert agent.name(agent.start) == "matching(give_up=0.1,shift=1,spread=1.2)"
    load_agent(agent.name([0.123456789, 0.987654321]), game)
    some = tuned_agent("matching(shift=2)", game, ["shift=0:3,give_up=0.1:0.5:log"])
    assert [(o.name, o.low, o.high, o.start, o.log) for o in some.options] == [
        ("shift", 0.0, 3.0, 2.0, False),
        ("give_up", 0.1, 0.5, 0.2, True),
    ]


@pytest.mark.parametrize(
    ("agent", "options", "sentence"),
    [
        ("matching", ["bravery"], "matching has no option 'bravery'; it has: shift, spread, give_up."),
        ("matching(bravery=1)", [], "matching has no option 'bravery'"),
        ("matching", ["shift=0:9"], "The range of shift must lie between -2 and 4, not 0:9."),
        ("matching", ["shift=3:1"], "The range of shift must go from low to high, not from 3 to 1."),
        ("matching", ["shift=3"], "A range is written like shift=0:10 or shift=0.1:10:log, not 'shift=3'."),
        ("matching", ["shift=0:x"], "A range is written like"),
        ("matching", ["shift=-1:1:log"], "shift has negative values in its range"),
        ("matching(shift=1,spread=1,give_up=0)", [], "matching has no option that is a number in a range left"),
        ("random", [], "random has no option that is a number in a range, so nothing can be tuned."),
        ("random", ["abstraction"], "abstraction is not a number in a range, so it cannot be tuned."),
        ("nobody", [], "There is no agent 'nobody' to tune; at goofspiel there are"),
        ("my.py:Bold", [], "my.py:Bold does not say what its options may be: write --options NAME=LOW:HIGH."),
        ("my.py:Bold(risk=much)", ["risk=0:1"], "risk must be a number, not 'much'."),
        ("matching(shift=9)", ["shift"], "shift must be between -2 and 4, not 9."),
    ],
)
def test_options_that_cannot_be_tuned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str, options: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.py").write_text(MY_AGENTS)
    with pytest.raises(GameError) as error:
        tuned_agent(agent, load(GOOFSPIEL), options)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"games": 100}, "One generation of cma-es has 7 candidates and takes 1,400 games, so games must be at least"),
        ({"games": 0}, "A search needs an end: games, minutes or generations must be above 0."),
        ({"against": ("careful",)}, "careful plays monopoly-deal, not goofspiel."),
        ({"against": ("nobody",)}, "There is no agent 'nobody'"),
        ({"agent": "careful"}, "careful plays monopoly-deal, not goofspiel."),
        ({"measure": "luck"}, "There is no measure 'luck'"),
        ({"method": ("guess",)}, "method must be one of cma-es, coordinate, not 'guess'."),
        ({"method": ()}, "method must be at least one of"),
    ],
)
def test_settings_that_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError) as error:
        Tuner(TuneConfig(**{"game": GOOFSPIEL, "agent": "matching", **settings}))
    assert sentence in str(error.value)


# ------------------------------------------------------------------------------------------------------------- scores


def test_scores_have_the_intervals_of_the_arena() -> None:
    values = np.random.default_rng(1).integers(0, 3, (3, 2, 400)) / 2.0  # [candidates, tables, rounds]
    weights = [0.25, 0.75]
    scores = Scores.of(values, weights)
    got = np.einsum("ktr,t->kr", values, weights)
    for i in range(3):
        for share, direct in ((True, rate), (False, mean)):
            assert vars(scores.estimate(i, share)) == pytest.approx(vars(direct(np.repeat(got[i], 2), 2)))
    assert vars(scores.difference(2, 0)) == pytest.approx(vars(mean(got[2] - got[0])))
    assert vars(scores.average(False)) == pytest.approx(vars(mean(got.mean(axis=0))))
    both = Scores.of(values[:, :, :150], weights) + Scores.of(values[:, :, 150:], weights)
    for one in (both, Scores.read(json.loads(json.dumps(scores.data())))):
        assert one.rounds == 400
        assert np.allclose(one.products, scores.products)
        assert np.allclose(one.tables, scores.tables)


def test_ranks_are_trusted_as_far_as_they_are_not_luck() -> None:
    draw = np.random.default_rng(2)
    luck = draw.normal(size=(100, 1, 500))
    true = np.linspace(0.0, 1.0, 100)[:, None, None]
    found = [
        Scores.of(luck + scale * true, [1.0]).reliability for scale in (0.0, 0.1, 1.0)
    ]  # noise of a mean: 1 / sqrt(500) = 0.045, against a spread of 0, 0.03 and 0.33
    assert found[0] < 0.4 < found[2]
    assert found[2] > 0.95
    assert found == sorted(found)
    shared = draw.normal(size=(1, 1, 500))  # luck that all have in common does no harm
    assert Scores.of(100.0 * shared + luck + true, [1.0]).reliability == pytest.approx(found[2])


def test_tables() -> None:
    assert tables(["a", "b", "c"], 2, 0) == [("a",), ("b",), ("c",)]
    assert tables(["a", "b", "c"], 3, 0) == [("a", "b"), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "a"), ("c", "b")]
    assert tables(["a"], 4, 0) == [("a", "a", "a")]
    assert tables(["a", "b"], 4, 0)[1] == ("a", "a", "b")
    many = tables(list("abcdef"), 6, 1)
    assert len(many) == len(set(many)) == MAX_TABLES
    assert many == tables(list("abcdef"), 6, 1) != tables(list("abcdef"), 6, 2)
    dealt = tables([str(i) for i in range(17)], 6, 1)  # of 742,560
    assert len(dealt) == len(set(dealt)) == MAX_TABLES
    assert all(len(set(table)) == 5 for table in dealt)
    often = [sum(str(i) in table for table in dealt) for i in range(17)]
    assert max(often) - min(often) <= 4


def test_hard_opponents_are_those_from_whom_little_was_won() -> None:
    where = tables(["a", "b", "c"], 3, 0)
    scores = Scores.of(np.array([[[0.9], [0.5], [0.9], [0.1], [0.5], [0.1]]]), [1 / 6] * 6)
    assert won_from(["a", "b", "c"], where, scores) == pytest.approx({"a": 0.7, "b": 0.5, "c": 0.3})
    tuner = Tuner(TuneConfig(game="goofspiel(players=3)", agent="matching", against=("random",), weights="hard"))
    found = tuner._begun("cma-es")
    found.pool = ["a", "b", "c", "new"]
    tuner._set_tables(found, {"a": 0.7, "b": 0.5, "c": 0.3})
    weights = dict(zip(found.tables, found.weights, strict=True))
    assert sum(weights.values()) == pytest.approx(1.0)
    assert weights["c", "new"] > weights["b", "new"] > weights["a", "b"]


def test_candidates_share_their_luck_and_numbers_compile_nothing(caplog: pytest.LogCaptureFixture) -> None:
    arena = Arena(load(GOOFSPIEL), "win-share")
    where = [("random",), ("matching",)]
    arena.play(["matching"], where, [0.5, 0.5], 4, 1)
    with caplog.at_level(logging.INFO, "parlor.compile"):
        names = ["matching(shift=0)", "matching(shift=0.0)", "matching(spread=3,give_up=0.9)"]
        scores = arena.play(names, where, [0.5, 0.5], 50, 1)
    assert not [record for record in caplog.records if "compiling" in record.getMessage()]
    assert scores.means[0] == scores.means[1] != scores.means[2]
    assert scores.difference(0, 1).value == 0.0
    several = Arena(load(GOOFSPIEL), "win-share", threads=2).play(names, where, [0.5, 0.5], 50, 1)
    assert several.data() == scores.data()
    other = arena.play(names, where, [0.5, 0.5], 50, 2)
    assert other.data() != scores.data()


# ------------------------------------------------------------------------------------------------------------- search


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("whole", [False, True])
def test_a_search_finds_the_best_point(method: str, whole: bool) -> None:
    options = [
        TunedParameter(10 if whole else 10.0, "", 0, 20, name="x"),
        TunedParameter(0.5, "", 0.0, 1.0, name="y"),
        TunedParameter(0.0, "", 0.0, 1.0, name="z"),
    ]
    best, draw = np.array([0.25, 0.8, 0.0]), np.random.default_rng(3)  # one of them at the edge
    search = METHODS[method](SearchPlan(options, [0.5, 0.5, 0.0], seed=1))
    for _ in range(60):
        points = search.ask()
        assert len(points) == search.population
        assert all(0.0 <= place <= 1.0 for point in points for place in point)
        if whole and method == "cma-es":
            assert all(20 * point[0] == pytest.approx(round(20 * point[0])) for point in points)
        search.tell(points, [-float(((np.array(p) - best) ** 2).sum()) + 1e-4 * draw.normal() for p in points])
    assert np.allclose(search.centre, best, atol=0.06)
    assert search.spread < 0.1


def test_without_the_library_there_is_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cmaes", None)
    with pytest.raises(
        GameError, match=r"needs cmaes: pip install 'parlor-games\[learn\]', or use --method coordinate"
    ):
        Tuner(TuneConfig(game=GOOFSPIEL, agent="matching"))
    Tuner(TuneConfig(game=GOOFSPIEL, agent="matching", method=("coordinate",)))


# -------------------------------------------------------------------------------------------------------------- runs


def contents(folder: Path) -> dict[str, bytes]:
    """What must be the same to the byte, whatever happened on the way."""
    return {name: lasting(folder / name) for name in ("config.json", "journal.jsonl", "metrics.jsonl", "best.json")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tune") / "whole"
    TuneRun.begin(folder, TuneConfig(**SMALL)).run()
    return folder


def stops_after(number: int) -> Callable[[TuneRun, Tuner], bool]:
    """Progress that stops at the so-manieth call."""
    calls = iter(range(number))
    return lambda run, tuner: next(calls, None) is not None


def test_what_is_found_is_better_on_fresh_deals(whole: Path) -> None:
    best = json.loads((whole / "best.json").read_bytes())
    assert [search["method"] for search in best["searches"]] == ["cma-es", "coordinate"]
    for search in best["searches"]:
        assert search["games"] <= SMALL["games"]
        assert search["candidates"] > 20
        assert search["pool"][:2] == ["matching", "random"]
        assert search["highest"]["seen"] > 0.5
    first, *rest = best["report"]
    assert first["pool"] == ["matching", "random"]
    assert all(set(part["pool"]) > {"matching", "random"} for part in rest)
    rows = {tuple(row["from"]): row for row in first["rows"]}
    assert rows["start",]["gain"] is None
    assert rows["start",]["by_opponent"]["matching"] == 0.5  # against itself on duplicate deals
    assert rows["cma-es",]["gain"]["low"] > 0.0
    seeds = [json.loads(line)["key"] for line in (whole / "journal.jsonl").read_text().splitlines()]
    assert len(set(seeds)) == len(seeds)
    rows_of_metrics = read_metrics(whole)
    assert {row["method"] for row in rows_of_metrics} == {"cma-es", "coordinate"}
    assert set(rows_of_metrics[0]["option"]) == {"shift", "spread", "give_up"}
    agent = load_agent(str(whole), GOOFSPIEL)
    match = parlor.play_match(GOOFSPIEL, [agent, load_agent(best["agent"], GOOFSPIEL)], 100)
    assert match.agents[0] == str(whole)
    assert match.measure("win-share").value == 0.5  # they are one


def test_no_deals_are_used_twice(whole: Path) -> None:
    keys = [json.loads(line)["key"] for line in (whole / "journal.jsonl").read_bytes().splitlines()]
    seeds = [key.partition("-")[0] for key in keys]
    assert len(seeds) == len(set(seeds)) > 10  # those of the final table too


@pytest.mark.slow(seconds=17)
def test_stopped_anywhere_it_ends_as_if_it_had_not_been(whole: Path, tmp_path: Path) -> None:
    folder, stops = tmp_path / "run", 0
    run = TuneRun.begin(folder, TuneConfig(**SMALL))
    for calls in (0, 1, 5, 20, 60, 100, 30, 30, 30, 50):
        tuned = run.run(workers=1 + stops % 2, on_progress=stops_after(calls)).tuned
        if tuned:
            break
        stops += 1
        assert load_agent(str(folder), GOOFSPIEL)
        assert json.loads((folder / "best.json").read_bytes())["unfinished"]
        run = TuneRun.resume(folder)
    assert stops > 5
    run.run()
    assert contents(folder) == contents(whole)


@pytest.mark.slow
def test_what_a_kill_tears_is_mended(whole: Path, tmp_path: Path) -> None:
    lines = (whole / "journal.jsonl").read_bytes().splitlines(keepends=True)
    for kept, torn in ((0, 0), (3, 7), (len(lines) - 1, 40), (len(lines), 0)):
        folder = tmp_path / f"{kept}"
        folder.mkdir()
        (folder / "config.json").write_bytes((whole / "config.json").read_bytes())
        rest = lines[kept][:torn] if torn else b""
        (folder / "journal.jsonl").write_bytes(b"".join(lines[:kept]) + rest)
        (folder / "metrics.jsonl").write_bytes((whole / "metrics.jsonl").read_bytes()[: 400 * kept] + rest)
        TuneRun.resume(folder).run()
        assert contents(folder) == contents(whole)


@pytest.mark.slow
def test_more_games(whole: Path, tmp_path: Path) -> None:
    longer = {**SMALL, "games": 9000}
    direct, later = tmp_path / "direct", tmp_path / "later"
    TuneRun.begin(direct, TuneConfig(**longer)).run()
    TuneRun.begin(later, TuneConfig(**SMALL)).run()
    TuneRun.resume(later, games=9000).run()
    for name in ("config.json", "metrics.jsonl", "best.json"):
        assert lasting(direct / name) == lasting(later / name)


def test_a_fixed_pool_and_generations(tmp_path: Path) -> None:
    config = {**SMALL, "method": ("cma-es",), "grow": False, "games": 0, "generations": 3}
    tuner = TuneRun.begin(tmp_path / "run", TuneConfig(**config)).run()
    assert tuner.tuned is not None
    assert tuner.searches[0].generation == 3
    assert tuner.searches[0].pool == ["matching", "random"]
    assert len(tuner.tuned.report["report"]) == 1


def test_by_the_clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What a search took is in the journal, so that a resumed run ends where it would have ended."""
    config = TuneConfig(**{**SMALL, "method": ("coordinate",), "games": 0, "minutes": 0.1})
    clock = iter(np.arange(0.0, 1e6, 1.0))
    monkeypatch.setattr("parlor.tuning.tuner.time.perf_counter", lambda: next(clock))  # a second each time
    TuneRun.begin(tmp_path / "run", config).run()
    before = contents(tmp_path / "run")
    tuner = TuneRun.resume(tmp_path / "run").run()
    assert tuner.searches[0].seconds > 6.0
    assert contents(tmp_path / "run") == before


def test_a_search_that_finds_nothing_ends_by_itself() -> None:
    config = TuneConfig(
        game=GOOFSPIEL, agent="matching(shift=3.33,spread=0.2)", options=("give_up=0:0.0001",), games=10**9, patience=1,
        games_each=20, check_every=1, final_games=200, restarts=1, candidates=4, method=("coordinate",),
    )  # fmt: skip
    tuner = Tuner(config)
    tuned = tuner.run()
    assert "1 checks in a row found no improvement that was more than luck" in tuned.report["searches"][0]["ended"]


@pytest.mark.slow
def test_python_agents_among_three(tmp_path: Path) -> None:
    """Who always bets at Kuhn wins most often against players who know nothing."""
    (tmp_path / "bold.py").write_text(MY_AGENTS)
    tuned = parlor.tune(
        "kuhn(players=3)", f"{tmp_path}/bold.py:Bold", options=["risk=0:1"], against=["random"], games=3000,
        games_each=30, final_games=120, method="coordinate", folder=tmp_path / "run",
    )  # fmt: skip
    assert tuned.agent.startswith(f"{tmp_path}/bold.py:Bold(risk=")
    assert float(tuned.agent.partition("risk=")[2].rstrip(")")) > 0.6


def test_folders_that_are_not_runs(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"holds a tuning run already; `parlor tune --resume .*` continues it, or"):
        TuneRun.begin(whole, TuneConfig(**SMALL))
    with pytest.raises(FileError, match="There is no tuning run in"):
        TuneRun.resume(tmp_path)
    with pytest.raises(FileError, match="is not a training run but a tuning run"):
        TrainingRun.load_config(whole)
    (tmp_path / "journal.jsonl").write_text('{"key": "1"}\nnonsense\n{"key": "2"}\n')
    with pytest.raises(FileError, match=r"journal.jsonl is damaged: line 2 is not a row of the journal"):
        TuningJournal(tmp_path / "journal.jsonl")


def test_interruption_leaves_no_half_scores() -> None:
    arena = Arena(load(GOOFSPIEL), "win-share", threads=2)
    with pytest.raises(Interrupted):
        arena.play(["matching", "random"], [("random",)], [1.0], 10, 1, lambda games: False)
