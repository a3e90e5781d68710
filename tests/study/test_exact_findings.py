"""What an analysis tells of a small study: counts, percentiles, percentages, power, each by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from parlor.arena.statistics import Estimate, wilson
from parlor.game import GameError
from parlor.runs.files.container import FileError
from parlor.runs.workers import start_pool
from parlor.study.analysis import findings as module
from parlor.study.analysis import power as power_module
from parlor.study.analysis.cross import PlayedCrossTable
from parlor.study.analysis.document import Block, Figure, Heading, Paragraph, ReportTable, html, markdown
from parlor.study.analysis.findings import (
    StudyFindings,
    TimeOuts,
    Type,
    WithAgents,
    _interval,
    _slope,
    _types,
    _wald,
    analyse,
)
from parlor.study.analysis.folder import StudyTables, parse
from parlor.study.analysis.models import Fit
from parlor.study.analysis.power import Power, _summed, measure_power
from parlor.study.analysis.report import (
    _checks,
    _cross,
    _deals,
    _differences,
    _exclusions,
    _orientation,
    _summary,
    _with_agents,
    excludes_zero,
    numbers,
    percent,
    shape,
    shown,
)
from parlor.study.analysis.simulated import PAPER, PlantedMeans, planted_by, planted_for, simulated
from parlor.study.data.folder import files_of

# ------------------------------------------------------------------------------------------------------- percentiles


def test_intervals_are_percentiles_of_what_is_known() -> None:
    """Of 0 to 40, an interval without the first and the last; what could not be fitted does not count."""
    sample = np.random.default_rng(1).permutation(np.arange(41.0))
    assert _interval(7.0, sample) == Estimate(7.0, 1.0, 39.0)
    assert _interval(7.0, np.append(sample, [np.nan] * 30)) == Estimate(7.0, 1.0, 39.0)
    two = _interval(0.0, np.array([2.0, 1.0]))
    assert (two.low, two.high) == pytest.approx((1.025, 1.975))
    none = _interval(7.0, np.array([np.nan]))
    assert none.value == 7.0
    assert math.isnan(none.low)
    assert math.isnan(none.high)


def test_wald_intervals() -> None:
    zeros = np.zeros(2)
    found = Fit(
        ("a", "b"), np.array([1.0, 3.0]), np.diag([4.0, 0.25]), 1.0, 1.0, 2, True, False, (), zeros, zeros, zeros
    )
    last = _wald(found, -1)
    assert (last.value, last.low, last.high) == pytest.approx((3.0, 3 - 0.979982, 3 + 0.979982))
    assert _wald(found, 0).high == pytest.approx(1 + 2 * 1.959964)


# ------------------------------------------------------------------------------------------------------ a small study

PEOPLE = pd.DataFrame(
    [
        ("P1", 1, 1, 0, 10.0, "individualist"),
        ("P2", 1, 1, 0, 30.0, "prosocial"),
        ("P3", 1, 0, 0, 20.0, "individualist"),
        ("P4", 1, 1, 0, np.nan, ""),
        ("P5", 0, 0, 0, np.nan, ""),
        ("P6", 1, 1, 1, 40.0, "prosocial"),
    ],
    columns=["participant", "passed", "finished", "non_responsive", "svo_angle", "svo_type"],
)
COLUMNS = [
    "episode",
    "condition",
    "participant",
    "partner_kind",
    "partner",
    "status",
    "deal",
    "points",
    "partner_points",
]
EPISODES = pd.DataFrame(
    [
        ("E1", "HvA", "P1", "agent", "Fair", "ended", 1, 6.0, 4.0),
        ("E2", "HvA", "P1", "agent", "Greedy", "ended", 0, 1.0, 9.0),
        ("E3", "HvA", "P2", "agent", "Fair", "ended", 1, 8.0, 5.0),
        ("E4", "HvA", "P2", "agent", "Greedy", "ended", 1, 3.0, 8.0),
        ("E5", "HvA", "P3", "agent", "Fair", "ended", 1, 7.0, 6.0),
        ("E6", "HvA", "P3", "agent", "Greedy", "timed-out", None, 0.0, 0.0),
        ("E7", "HvH", "P1", "person", "P2", "ended", 1, 5.0, 7.0),
        ("E7", "HvH", "P2", "person", "P1", "ended", 1, 7.0, 5.0),
        ("E8", "HvH", "P3", "person", "P4", "ended", 0, 2.0, 3.0),
        ("E8", "HvH", "P4", "person", "P3", "ended", 0, 3.0, 2.0),
        ("E9", "HvH", "P1", "person", "P4", "timed-out", None, 0.0, 0.0),
        ("E9", "HvH", "P4", "person", "P1", "timed-out", None, 0.0, 0.0),
        ("EA", "HvH", "P1", "person", "P3", "absent", None, np.nan, np.nan),
        ("EB", "HvA", "P6", "agent", "Fair", "ended", 0, 0.0, 9.0),
    ],
    columns=COLUMNS,
)
STUDY = {
    "title": "Small",
    "description": {
        "exclude": ["timed-out", "non-responsive"],
        "conditions": [{"name": "HvH"}, {"name": "HvA"}, {"name": "empty"}],
        "agents": [{"name": "Greedy", "agent": "g"}, {"name": "Fair", "agent": "f"}],
    },
}
DATA = StudyTables(STUDY, PEOPLE, EPISODES)


def told(values: Any, design: Any, who: Any, shares: Any, draws: Any, pool: Any, progress: Any) -> Any:
    """Resamples that are told: human means of Greedy k, of Fair 3 k; what the agents have, 10 − k and 2."""
    k = np.arange(len(draws), dtype=float)
    progress(len(draws))
    if values.shape[1] == 1:
        return 100.0 + k[:, None, None]
    means = np.stack([[k, 3 * k], [10 - k, 2 + 0 * k], [5 + 0 * k, 1.5 * k + 1]]).transpose(2, 0, 1).copy()
    means[0, 0, 0] = np.nan
    return means


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "bootstrap", told)


@pytest.fixture(scope="module")
def found() -> Iterator[StudyFindings]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "bootstrap", told)
        yield analyse(DATA, start_pool(), resamples=42, seed=5)


def test_means_with_agents_by_hand(found: StudyFindings) -> None:
    [agents] = found.with_agents
    assert agents.agents == ("Greedy", "Fair"), "in the order of the study"
    assert agents.games == (2, 3)
    assert agents.participants == 3
    assert agents.fits["human"].games == 5
    # P3 has a game with Fair only, and gets as much as the mean of the others with it: nothing to adjust
    human, agent, both = (agents.fits[name].means for name in ("human", "agent", "combined"))
    assert human == pytest.approx([2.0, 7.0], abs=0.05)
    assert both == pytest.approx((human + agent) / 2, abs=0.2)
    values = [one.value for one in agents.means["human"]]
    assert values == pytest.approx(human)
    # resamples 0 to 41: of k the first is not known; percentiles of 1 to 41, and of three times 0 to 41
    assert (agents.means["human"][0].low, agents.means["human"][0].high) == pytest.approx((2.0, 40.0))
    assert (agents.means["human"][1].low, agents.means["human"][1].high) == pytest.approx((3 * 1.025, 3 * 39.975))
    assert (agents.means["agent"][0].low, agents.means["agent"][0].high) == pytest.approx((-29.975, 8.975))
    assert (agents.means["combined"][1].low, agents.means["combined"][1].high) == pytest.approx((2.5375, 60.9625))
    assert agents.incomplete == 1
    assert agents.resamples == 42


def test_products_and_differences_by_hand(found: StudyFindings) -> None:
    [agents] = found.with_agents
    human, agent = (agents.fits[name].means for name in ("human", "agent"))
    assert [one.value for one in agents.nash] == pytest.approx(human * agent)
    products = [k * (10 - k) for k in range(1, 42)]
    assert (agents.nash[0].low, agents.nash[0].high) == pytest.approx(tuple(np.percentile(products, [2.5, 97.5])))
    assert (agents.nash[1].low, agents.nash[1].high) == pytest.approx((6 * 1.025, 6 * 39.975))
    [difference] = agents.differences
    assert (difference.first, difference.second) == ("Fair", "Greedy")
    assert difference.returns["human"].value == pytest.approx(human[1] - human[0])
    assert difference.returns["human"].low == pytest.approx(2 * 2.0)  # 3 k − k of 1 to 41
    assert difference.returns["agent"].value == pytest.approx(agent[1] - agent[0])
    assert difference.returns["agent"].high == pytest.approx(39.975 - 8)
    assert difference.returns["combined"].low == pytest.approx(1.5 * 1.025 - 4)


def test_deals_and_time_outs_by_hand(found: StudyFindings) -> None:
    [agents], [people] = found.with_agents, found.with_people
    assert agents.deals == (wilson(1, 2), wilson(3, 3))
    assert agents.all_deals == wilson(4, 5)
    assert people.deals == wilson(1, 2), "of two games, each counted once"
    assert [(one.condition, one.partner, one.timed_out, one.games) for one in found.time_outs] == [
        ("HvH", "people", 1, 3),
        ("HvA", "Greedy", 1, 3),
        ("HvA", "Fair", 0, 4),
    ]
    assert found.time_outs[1].rate == wilson(1, 3)
    assert found.people == {"came": 6, "passed the test": 5, "played": 5, "finished": 4, "non-responsive": 1}
    assert found.empty == ("empty",)
    assert (found.resamples, found.seed) == (42, 5)


def test_one_of_each_game_among_people(found: StudyFindings) -> None:
    [people] = found.with_people
    assert (people.games, people.participants, people.fit.games) == (2, 4, 2)
    assert round(people.mean.value, 9) in (3.5, 4.0, 4.5, 5.0)  # 5 or 7, and 2 or 3
    assert (people.mean.low, people.mean.high) == pytest.approx((101.025, 139.975))


@pytest.mark.usefixtures("quick")
def test_anybody_may_be_chosen() -> None:
    alone = replace(DATA, episodes=EPISODES[EPISODES["condition"] == "HvH"])
    chosen = {round(analyse(alone, start_pool(), 2, seed).with_people[0].mean.value, 9) for seed in range(12)}
    assert chosen == {3.5, 4.0, 4.5, 5.0}


@pytest.mark.usefixtures("quick")
def test_other_exclusions_may_be_asked_for(found: StudyFindings) -> None:
    assert [step.name for step in found.excluded] == ["absent", "timed-out", "non-responsive"]
    other = analyse(DATA, start_pool(), resamples=2, exclude=["timed-out"])
    assert other.with_agents[0].games == (2, 4)
    assert [step.name for step in other.excluded] == ["absent", "timed-out"]
    told: list[tuple[str, int, int]] = []
    analyse(DATA, start_pool(), resamples=2, on_progress=lambda *values: told.append(values))
    assert told == [("HvH", 2, 2), ("HvA", 2, 2)]


@pytest.mark.usefixtures("quick")
def test_agents_that_the_study_does_not_name_come_last(found: StudyFindings) -> None:
    some = StudyTables(
        {"description": {"conditions": [], "agents": [{"name": "Greedy", "agent": "g"}]}}, PEOPLE, EPISODES
    )
    assert some.conditions == ["HvA", "HvH"]
    assert some.exclude == ("timed-out", "non-responsive")
    assert analyse(some, start_pool(), resamples=2).with_agents[0].agents == ("Greedy", "Fair")
    assert some.agents == {"Greedy": "g"}
    assert found.study is STUDY


# ------------------------------------------------------------------------------------------------------- orientation


def test_slopes_are_of_ten_degrees() -> None:
    """Four participants with a game each, 2 points more with ten degrees; one whose angle is not known."""
    angles = np.array([0.0, 10.0, 20.0, 40.0, np.nan])
    values = np.array([1.0, 3.1, 4.9, 9.0, 100.0])
    slope = _slope("human", values, np.ones((5, 1)), np.arange(5), angles)
    assert slope is not None
    x = np.array([0.0, 1.0, 2.0, 4.0])
    by_hand, level = np.polyfit(x, values[:4], 1)
    assert slope.slope.value == pytest.approx(by_hand)
    left = values[:4] - by_hand * x - level
    error = math.sqrt(left @ left / 2 / ((x - x.mean()) ** 2).sum())
    assert slope.slope.high - slope.slope.value == pytest.approx(1.959964 * error, rel=1e-5)
    assert (slope.of, slope.participants, slope.games) == ("human", 4, 4)
    assert _slope("human", values, np.ones((5, 1)), np.arange(5), np.array([1.0, 2.0] + [np.nan] * 3)) is None
    assert _slope("human", values, np.ones((5, 1)), np.arange(5), np.full(5, 8.0)) is None
    two = np.stack([np.array([1.0, 1, 1, 1, 0]), np.array([0.0, 0, 0, 0, 1])], axis=1)
    cell = _slope("agent", values, two, np.arange(5), angles)  # nobody of known angle in the second cell
    assert cell is not None
    assert cell.slope.value == pytest.approx(by_hand)


def test_types_have_three_participants_or_more() -> None:
    types = ["prosocial"] * 4 + ["altruist"] * 3 + ["individualist"] * 2 + [""]
    who = np.array([0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
    values = np.array([1.0, 1, 2, 6, 5, 7, 12, 50, 50, 99])
    found = _types(values, who, types)
    assert [(one.name, one.participants, one.games) for one in found] == [("altruist", 3, 3), ("prosocial", 3, 4)]
    assert found[0].mean.value == pytest.approx(8.0)
    assert _types(values[7:], who[7:], types[7:]) == ()
    fewer = _types(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1]), ["prosocial"] * 4)
    assert fewer == (), "four games of two participants"


# ---------------------------------------------------------------------------------------------------------- in words


def test_numbers_are_shown() -> None:
    assert shown(Estimate(6.694, 6.336, 7.006)) == "6.69 [6.34, 7.01]"
    assert shown(Estimate(1.0, 0.5, 2.0), marked=True) == "1.00 [0.50, 2.00]*"
    assert shown(Estimate(-1.0, -2.0, -0.5), marked=True) == "-1.00 [-2.00, -0.50]*"
    assert shown(Estimate(0.2, -0.5, 2.0), marked=True) == "0.20 [-0.50, 2.00]"
    assert shown(Estimate(1.0, 0.5, 2.0)) == "1.00 [0.50, 2.00]"
    assert not excludes_zero(Estimate(1.0, 0.0, 2.0))
    assert not excludes_zero(Estimate(-1.0, -2.0, 0.0))
    assert percent(Estimate(0.9617, 0.9421, 0.9749)) == "96.2 % [94.2, 97.5]"
    assert percent(None) == "–"
    assert shape(np.array([-1.0, 1.0, -1.0, 1.0])) == pytest.approx((0.0, -2.0))
    assert shape(np.array([0.0, 0.0, 0.0, 4.0]))[0] == pytest.approx(2 / math.sqrt(3))
    assert shape(np.full(4, 2.0)) == (0.0, 0.0)


def rows_of(blocks: Any, caption: str) -> list[tuple[str, ...]]:
    [table] = [one for one in blocks if isinstance(one, ReportTable) and one.caption.startswith(caption)]
    return [tuple(row) for row in table.rows]


def some_agents(found: StudyFindings) -> WithAgents:
    """With two agents, told means."""
    means = {
        "human": (Estimate(2.0, 1.0, 3.0), Estimate(7.0, 6.0, 8.0)),
        "agent": (Estimate(8.5, 8.0, 9.0), Estimate(5.0, 4.0, 6.0)),
        "combined": (Estimate(5.25, 5.0, 5.5), Estimate(6.0, 5.8, 6.2)),
    }
    nash = (Estimate(17.0, 8.0, 27.0), Estimate(35.0, 24.0, 48.0))
    [agents] = found.with_agents
    return replace(agents, means=means, nash=nash)


def test_tables_of_returns(found: StudyFindings) -> None:
    agents = some_agents(found)
    assert rows_of(_with_agents(agents, 5), "Mean points a game: 3 participants, 5 games") == [
        ("Greedy", "2", "2.00 [1.00, 3.00]", "8.50 [8.00, 9.00]", "5.25 [5.00, 5.50]", "17.00 [8.00, 27.00]"),
        ("Fair", "3", "7.00 [6.00, 8.00]", "5.00 [4.00, 6.00]", "6.00 [5.80, 6.20]", "35.00 [24.00, 48.00]"),
    ]
    first = _summary(replace(found, with_agents=(agents,)))[0]
    assert isinstance(first, Paragraph)
    assert first.text.startswith(
        "HvA: 5 games of 3 participants with agents. The combined return is highest with Fair (6.00 [5.80, 6.20]) and "
        "lowest with Greedy (5.25 [5.00, 5.50]); "
    )
    clear = excludes_zero(agents.differences[0].returns["combined"])
    assert first.text.endswith(f"; {int(clear)} of 1 differences have an interval without zero.")
    [row] = rows_of(_differences(agents), "Differences")
    assert row[0] == "Fair − Greedy"
    assert row[1] == shown(agents.differences[0].returns["human"], marked=True)
    alone = _differences(replace(agents, differences=()))
    assert isinstance(alone[0], Paragraph)
    cross = PlayedCrossTable(("Fair", "Nobody"), ((36.0, 48.125), (1.0, 2.0)), ((6.0, 5.5), (4.0, 3.0)))
    assert rows_of(_cross(agents, cross), "Nash") == [("Fair", "36.00", "48.12", "6.00", "35.00 [24.00, 48.00]")]


def test_tables_of_counts(found: StudyFindings) -> None:
    blocks = _deals(found)
    assert rows_of(blocks, "Games that ended") == [
        ("HvA", "Greedy", "2", percent(wilson(1, 2))),
        ("HvA", "Fair", "3", percent(wilson(3, 3))),
        ("HvA", "all agents", "5", percent(wilson(4, 5))),
        ("HvH", "people", "2", percent(wilson(1, 2))),
    ]
    assert rows_of(blocks, "Time-outs")[1] == ("HvA", "Greedy", "3", "1", percent(wilson(1, 3)))
    blocks = _exclusions(found)
    assert isinstance(blocks[0], Paragraph)
    assert blocks[0].text == "Participants: 6 came, 5 passed the test, 5 played, 4 finished, 1 non-responsive."
    steps = rows_of(blocks, "Exclusions")
    assert [(row[0], *row[2:]) for row in steps] == [
        ("absent", "1", "0", "1", "0"),
        ("timed-out", "2", "1", "1", "0"),
        ("non-responsive", "1", "1", "0", "1"),
    ]
    assert rows_of(blocks, "What is left") == [("HvA", "5", "3"), ("HvH", "2", "4")]


def test_tables_of_checks_and_orientation(found: StudyFindings) -> None:
    [agents], _ = found.with_agents, found.with_people
    zeros = np.zeros(3)
    fit = Fit(
        ("a",), zeros, np.zeros((3, 3)), 1.0, 2.0, 3, False, True, ("so so",), np.array([0.0, 0, 0, 4]), zeros, zeros
    )
    few = replace(found, with_agents=(replace(agents, fits=dict.fromkeys(("human", "agent", "combined"), fit)),))
    blocks = _checks(few)
    assert rows_of(blocks, "Models")[0] == (
        *("HvA: human", "4", "3", "1.000", "2.000", "0.200", "NO", "yes", "+1.15", "-0.67", "1 of 42"),
    )
    said = [one.text for one in blocks if isinstance(one, Paragraph)]
    assert "HvA: human: so so" in said
    assert "HvA: fewer than 20 participants; intervals by resampling so few are too narrow." in said
    assert rows_of(blocks, "Games in each cell") == [("HvA", "Greedy", "2"), ("HvA", "Fair", "3")]
    many = _checks(replace(few, with_agents=(replace(few.with_agents[0], participants=20),), with_people=()))
    assert not any("fewer than" in one.text for one in many if isinstance(one, Paragraph))
    typed = replace(agents, types=(Type("prosocial", Estimate(5.0, 4.0, 6.0), 3, 9),))
    blocks = _orientation(replace(found, with_agents=(typed,)))
    slope = agents.slopes[0]
    assert rows_of(blocks, "Change")[0] == ("HvA", "human return", shown(slope.slope), "3", "5")
    assert rows_of(blocks, "Mean return by type") == [("HvA", "prosocial", "5.00 [4.00, 6.00]", "3", "9")]


def test_numbers_for_programs(found: StudyFindings) -> None:
    data = numbers(
        replace(found, time_outs=(TimeOuts("c", "p", 1, 4),)), PlayedCrossTable(("a",), ((math.nan,),), ((2.0,),))
    )
    assert data["cross_table"] == {"agents": ["a"], "scores": [[None]], "returns": [[2.0]]}
    assert data["time_outs"] == [{"condition": "c", "partner": "p", "timed_out": 1, "games": 4}]
    assert data["people"]["came"] == 6
    assert "residuals" not in data["with_agents"][0]["fits"]["human"]
    assert "description" not in data["study"]
    assert data["with_agents"][0]["means"]["human"][0]["low"] == pytest.approx(2.0)
    assert data["excluded"][1]["games"] == 2


def test_documents(tmp_path: Path) -> None:
    table = ReportTable("What | was", ("who", "n", "how"), [("a|b", "1.5", "`x`"), ("c", "-2", "–")])
    drawing = tmp_path / "one.svg"
    drawing.write_text('<?xml?><svg><g id="x"/><use href="#x" fill="url(#x)"/></svg>')
    blocks: list[Block] = [Heading("Title", 1), Paragraph("a < `b`"), table, Figure(drawing, 'a "figure"')]
    assert markdown(blocks) == (
        "# Title\n\na < `b`\n\n**What | was**\n\n| who | n | how |\n| --- | ---: | --- |\n| a\\|b | 1.5 | `x` |\n"
        '| c | -2 | – |\n\n![a "figure"](one.svg)\n'
    )
    page = html("T & t", blocks)
    assert "<title>T &amp; t</title>" in page
    assert "<p>a &lt; <code>b</code></p>" in page
    assert '<td class="left">a|b</td><td>1.5</td><td class="left"><code>x</code></td>' in page
    assert '<g id="one-x"/><use href="#one-x" fill="url(#one-x)"/>' in page
    assert 'aria-label="a &quot;figure&quot;"' in page


# -------------------------------------------------------------------------------------------------------------- power

TWO = PlantedMeans(human={"a": 5.0, "b": 6.0}, agent={"a": 4.0, "b": 4.5}, people=7.0)


def result(differences: Any, found: Any, covered: Any, games: int, people: bool) -> Any:
    ones = np.array(covered, float)
    return power_module._Result(games, ones, 2.0 * ones + 1, np.array(differences), np.array(found, float), people)


def test_power_is_summed_by_hand() -> None:
    """Two studies: estimated differences 1 and 3 of people, 0.5 and 0.7 of agents, 1 and 2 of both."""
    studies = [
        result([[1.0], [0.5], [1.0]], [[1], [0], [1]], [[1, 1], [1, 0], [0, 1]], 10, True),
        result([[3.0], [0.7], [2.0]], [[1], [0], [0]], [[1, 0], [1, 0], [1, 1]], 13, False),
    ]
    power = _summed(TWO, 40, 200, 3, studies)
    assert power.deviations == pytest.approx((math.sqrt(2.0), math.sqrt(0.02), math.sqrt(0.5)))
    assert power.games == 11.5
    assert power.covered.tolist() == [[2, 1], [2, 0], [1, 2]]
    assert power.widths.tolist() == [[3, 2], [3, 1], [2, 3]]
    assert power.coverage == pytest.approx(8 / 12)
    assert power.least_coverage == 0.0
    human, agent, both = power.differences
    assert (human.first, human.second, human.of, human.size) == ("b", "a", "human", 1.0)
    assert human.found == wilson(2, 2)
    ratio = 1.0 / math.sqrt(2.0)
    assert human.expected == pytest.approx(norm.cdf(ratio - 1.959964) + norm.cdf(-ratio - 1.959964), rel=1e-5)
    assert (agent.size, agent.found) == (0.5, wilson(0, 2))
    assert (both.size, both.found) == (0.75, wilson(1, 2))
    # 40 ((1.96 + 0.8416) √2 / 1)², and for nine in ten 1.2816
    assert power.needed(0, 1.0, 0.8) == math.ceil(40 * (1.959964 + 0.841621) ** 2 * 2)
    assert power.needed(2, 0.5, 0.9) == math.ceil(40 * (1.959964 + 1.281552) ** 2 * 2)
    assert power.needed(2, 100.0, 0.8) == 2, "two at least"
    data = power.data()
    assert data["means"][3] == {"agent": "b", "return": "agent", "planted": 4.5, "covered": 0, "width": 1.0}
    assert data["differences"][2]["found"] == 0.5
    assert data["needed"][1]["participants"] == power.needed(0, 0.25, 0.9)
    assert (data["participants"], data["studies"], data["resamples"], data["seed"]) == (40, 2, 200, 3)


def test_a_simulated_study_is_judged_by_what_was_planted(monkeypatch: pytest.MonkeyPatch, found: StudyFindings) -> None:
    means = {name: (Estimate(5.0, 4.0, 5.5), Estimate(6.0, 5.0, 5.9)) for name in ("human", "agent", "combined")}
    [agents], [people] = found.with_agents, found.with_people
    returns = {
        "human": Estimate(1.0, 0.1, 2.0),
        "agent": Estimate(-1.0, -2.0, -0.1),
        "combined": Estimate(0.1, -0.5, 0.6),
    }
    pair = replace(agents.differences[0], returns=returns)
    told = replace(agents, agents=("a", "b"), games=(7, 8), means=means, differences=(pair,))
    met = replace(people, mean=Estimate(6.0, 5.0, 7.0))
    monkeypatch.setattr(power_module, "analyse", lambda *_: replace(found, with_agents=(told,), with_people=(met,)))
    one = power_module._study(power_module._Task(TWO, 6, 2, 1, 0))
    assert one.games == 15
    assert one.covered.tolist() == [[1.0, 0.0], [1.0, 0.0], [1.0, 1.0]]  # 5 and 6, 4 and 4.5, 4.5 and 5.25
    assert one.widths == pytest.approx(np.array([[1.5, 0.9]] * 3))
    assert one.differences.ravel().tolist() == [1.0, -1.0, 0.1]
    assert one.found.ravel().tolist() == [1.0, 1.0, 0.0]
    assert one.people_covered, "an end is within"
    with pytest.raises(GameError, match="studies must be at least 2"):
        measure_power(TWO, 6, start_pool(), studies=1)
    with pytest.raises(GameError, match="participants must be at least 5"):
        measure_power(TWO, 4, start_pool())
    with pytest.raises(GameError, match="at least two agents"):
        measure_power(replace(TWO, human={"a": 1.0}, agent={"a": 1.0}), 6, start_pool())


def test_studies_are_counted_in_the_order_of_their_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def study(task: Any) -> Any:
        seeds.append(task.seed)
        k = float(len(seeds))
        return result([[k]] * 3, [[1]] * 3, [[1, 1]] * 3, 10, len(seeds) == 2)

    monkeypatch.setattr(power_module, "_study", study)
    power = measure_power(TWO, 9, start_pool(), studies=3, resamples=5, seed=4, people=6)
    assert seeds == np.random.SeedSequence(4).generate_state(3).tolist()
    assert (power.people, power.people_covered, power.studies, power.participants) == (6, 1, 3, 9)
    assert power.deviations == pytest.approx((1.0, 1.0, 1.0))
    with pytest.raises(GameError, match="stopped before two studies"):
        measure_power(TWO, 9, start_pool(), studies=3, on_progress=lambda done: False)
    assert isinstance(power, Power)


# ---------------------------------------------------------------------------------------------------------- simulated


def test_what_is_planted() -> None:
    assert TWO.means["combined"] == {"a": 4.5, "b": 5.25}
    own = planted_for(["Fair", "mine"])
    assert own.human == {"Fair": 7.39, "mine": pytest.approx((5.86 + 5.14 + 6.0 + 6.71 + 7.39) / 5)}
    assert own.agent == {"Fair": 5.98, "mine": pytest.approx((6.5 + 5.49 + 5.54 + 6.17 + 5.98) / 5)}
    with pytest.raises(GameError, match="nobody meets an agent"):
        planted_for([])


def test_a_pilot_is_planted_by_hand(found: StudyFindings) -> None:
    """Deviations 3 and 4 whose mean has 2: (16 − 9 − 16) / 24; 1 and 2 whose mean has 1.5: 4 / 4, but below 1."""
    [agents] = found.with_agents
    zeros = np.zeros(2)

    def fit(between: float, within: float, means: tuple[float, float]) -> Fit:
        return Fit(("a", "b"), np.array(means), np.eye(2), between, within, 9, True, False, (), zeros, zeros, zeros)

    fits = {
        "human": fit(3.0, 1.0, (5.0, 6.0)),
        "agent": fit(4.0, 2.0, (7.0, 8.0)),
        "combined": fit(2.0, 1.5, (0.0, 0.0)),
    }
    planted = planted_by(replace(agents, agents=("a", "b"), fits=fits), 0.25)
    assert (planted.human, planted.agent) == ({"a": 5.0, "b": 6.0}, {"a": 7.0, "b": 8.0})
    assert (planted.participant, planted.residual) == ((3.0, 4.0), (1.0, 2.0))
    assert planted.participant_correlation == pytest.approx(-9 / 24)
    assert planted.residual_correlation == 0.95
    assert (planted.timed_out, planted.non_responsive, planted.deals) == (0.25, 0.0, 0.8)
    fits["human"] = fit(0.0, 1.0, (5.0, 6.0))
    alone = planted_by(replace(agents, agents=("a", "b"), fits=fits, all_deals=None), 0.0)
    assert (alone.participant_correlation, alone.deals) == (0.0, 1.0)


def test_a_simulated_study_is_drawn_as_it_was_planted() -> None:
    planted = replace(TWO, participant=(2.0, 1.0), residual=(1.0, 3.0), residual_correlation=0.6, non_responsive=0.0)
    data = simulated(planted, 1500, 1)
    rows = pd.DataFrame(data.episodes)
    assert len(rows) == 3000
    assert (rows["status"] == "timed-out").mean() == pytest.approx(0.152, abs=0.02)
    assert not rows.loc[rows["status"] == "timed-out", ["points", "partner_points"]].any(axis=None)
    ended = rows[rows["status"] == "ended"]
    assert ended["deal"].mean() == pytest.approx(0.962, abs=0.01)
    for agent, human, theirs in (("a", 5.0, 4.0), ("b", 6.0, 4.5)):
        some = ended[ended["partner"] == agent]
        assert some["points"].mean() == pytest.approx(human, abs=0.2)
        assert some["partner_points"].mean() == pytest.approx(theirs, abs=0.25)
        assert some["points"].std() == pytest.approx(math.sqrt(5.0), rel=0.06)
        assert some["partner_points"].std() == pytest.approx(math.sqrt(10.0), rel=0.06)
    left = (
        ended["points"] - ended["partner"].map(planted.human),
        ended["partner_points"] - ended["partner"].map(planted.agent),
    )
    both = pd.DataFrame({"who": ended["participant"], "mine": left[0], "theirs": left[1]})
    pair = both.groupby("who").filter(lambda one: len(one) == 2).groupby("who")[["mine", "theirs"]]
    apart = pair.apply(lambda one: one.iloc[0] - one.iloc[1])
    assert np.corrcoef(apart["mine"], apart["theirs"])[0, 1] == pytest.approx(0.6, abs=0.06)
    assert apart["mine"].std() == pytest.approx(math.sqrt(2.0), rel=0.07)
    means = pair.mean()
    between = np.cov(means["mine"], means["theirs"])[0, 1] - 0.6 * 3.0 / 2
    assert between == pytest.approx(-0.5 * 2.0 * 1.0, abs=0.35)
    people = pd.DataFrame(data.participants)
    assert people["svo_angle"].mean() == pytest.approx(25.0, abs=1.2)
    assert people["svo_angle"].std() == pytest.approx(13.0, rel=0.06)
    total = rows.groupby("participant")["points"].sum()
    assert people.set_index("participant")["points"].to_dict() == pytest.approx(total.to_dict())


def test_people_who_meet_each_other() -> None:
    planted = replace(TWO, people=7.0, people_deviations=(0.0, 2.0), people_timed_out=0.25, non_responsive=0.0)
    data = simulated(planted, 0, 2, people=60)
    rows = pd.DataFrame(data.episodes)
    assert len(rows) == 2 * 10 * 15
    assert set(rows.groupby("episode")["participant"].count()) == {2}
    one = rows[rows["episode"] == rows["episode"].iloc[0]]
    assert one["points"].tolist() == one["partner_points"].tolist()[::-1]
    assert one["participant"].tolist() == one["partner"].tolist()[::-1]
    games = rows.drop_duplicates("episode")
    assert (games["status"] == "timed-out").mean() == pytest.approx(0.25, abs=0.1)
    assert games.loc[games["status"] == "ended", "points"].mean() == pytest.approx(7.0, abs=0.6)
    assert rows.groupby("participant")["partner"].nunique().eq(5).all()
    with pytest.raises(GameError, match="groups of 6"):
        simulated(planted, 0, 2, people=7)
    with pytest.raises(GameError, match="at least two participants"):
        simulated(planted, 1, 2)


def test_whoever_does_nothing_has_a_game_without_moves() -> None:
    data = simulated(replace(TWO, non_responsive=1.0), 20, 3, people=6)
    rows = pd.DataFrame(data.episodes)
    with_agents = rows[rows["partner_kind"] == "agent"]
    first = with_agents[with_agents["round"] == 1]
    assert (first["moves"] == 0).all()
    assert (first["status"] == "timed-out").all()
    assert (with_agents.loc[with_agents["round"] == 2, "moves"] == 1).all()
    assert all(one["non_responsive"] == 1 for one in data.participants)
    idle = rows[(rows["partner_kind"] == "person") & (rows["moves"] == 0)]
    assert len(idle) == 10, "the games of one with five others, both rows"
    assert PAPER.non_responsive == pytest.approx(1 / 130)


# ---------------------------------------------------------------------------------------------------------- the files


def test_what_is_read_is_what_was_written() -> None:
    data = parse(files_of(simulated(replace(TWO, non_responsive=0.0), 3, 1)))
    assert data.conditions == ["agents"]
    assert list(data.participants["participant"]) == ["P001", "P002", "P003"]
    assert data.episodes["points"].dtype == float
    texts = files_of(simulated(replace(TWO, non_responsive=0.0), 3, 1))
    lines = texts["episodes.csv"].splitlines()
    kind = lines[0].split(",").index("partner_kind")
    broken = lines[2].split(",")
    broken[kind] = "robot"
    with pytest.raises(FileError, match="line 3: partner_kind should be agent, person, not 'robot'"):
        parse({**texts, "episodes.csv": "\n".join([*lines[:2], ",".join(broken), *lines[3:]])})
    with pytest.raises(FileError, match=r"study\.json should be a JSON object"):
        parse({**texts, "study.json": "[]"})
