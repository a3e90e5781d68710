"""From the folder of a study's data to its report."""

from __future__ import annotations

import csv
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor.cli.main import main
from parlor.game import GameError
from parlor.population.empirical.empirical_game_writer import save_empirical_game
from parlor.population.empirical.empirical_games import SimulatedGame
from parlor.runs.files.container import FileError
from parlor.runs.workers import start_pool
from parlor.study.analysis.cross import read_cross_table
from parlor.study.analysis.findings import StudyFindings, analyse
from parlor.study.analysis.folder import StudyTables, read_folder
from parlor.study.analysis.power import measure_power
from parlor.study.analysis.report import write_report
from parlor.study.analysis.simulated import PAPER, PlantedMeans, planted_by, simulated_data

SMALL = replace(PAPER, human={"Comp1": 5.0, "Fair": 8.0}, agent={"Comp1": 6.0, "Fair": 6.0}, residual=(1.0, 1.0))


def found(data: StudyTables, **options: Any) -> StudyFindings:
    return analyse(data, start_pool(), **{"resamples": 10, **options})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study") / "data"
    simulated_data(replace(SMALL, non_responsive=0.1), 30, seed=3, folder=folder, people=12)
    return folder


@pytest.fixture(scope="module")
def data(folder: Path) -> StudyTables:
    return read_folder(folder)


@pytest.fixture(scope="module")
def findings(data: StudyTables) -> StudyFindings:
    return found(data)


# -------------------------------------------------------------------------------------------------------- the findings


@pytest.mark.slow
def test_the_planted_means_are_found(findings: StudyFindings) -> None:
    (agents,), (people,) = findings.with_agents, findings.with_people
    assert agents.agents == ("Comp1", "Fair")  # in the order of the study
    for name, means in SMALL.means.items():
        for agent, planted, one, error in zip(
            agents.agents, means.values(), agents.means[name], agents.fits[name].errors, strict=True
        ):
            assert abs(one.value - planted) < 4 * error, (name, agent)
            assert one.low < one.value < one.high
    assert agents.fits["human"].residual_deviation == pytest.approx(1.0, abs=0.3)
    assert people.mean.value == pytest.approx(SMALL.people, abs=1.5)


def test_products_and_differences_are_those_of_the_means(findings: StudyFindings) -> None:
    (agents,) = findings.with_agents
    human, agent = (agents.fits[name].means for name in ("human", "agent"))
    assert [one.value for one in agents.nash] == pytest.approx(human * agent)
    (difference,) = agents.differences
    assert (difference.first, difference.second) == ("Fair", "Comp1")
    assert difference.returns["human"].value == pytest.approx(human[1] - human[0])
    assert difference.returns["human"].low > 0  # 3 points were planted
    width = difference.returns["human"].high - difference.returns["human"].low
    assert width < sum(one.high - one.low for one in agents.means["human"])


def test_games_are_counted(data: StudyTables, findings: StudyFindings) -> None:
    (agents,), (people,) = findings.with_agents, findings.with_people
    kept = data.kept(data.exclude)[0].episodes
    assert sum(agents.games) == (kept["condition"] == "agents").sum()
    assert people.games == kept.loc[kept["condition"] == "people", "episode"].nunique()  # one player of each
    assert people.fit.games == people.games
    played = data.episodes.drop_duplicates("episode")
    assert sum(one.games for one in findings.time_outs) == len(played)
    assert sum(one.timed_out for one in findings.time_outs) == (played["status"] == "timed-out").sum()
    assert [one.partner for one in findings.time_outs] == ["people", "Comp1", "Fair"]
    assert findings.people["came"] == 42
    left = agents.participants + people.participants
    assert left + sum(len(step.participants) for step in findings.excluded) == 42
    assert agents.all_deals is not None
    assert agents.all_deals.value == pytest.approx(kept.loc[kept["condition"] == "agents", "deal"].mean())


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers(data: StudyTables, findings: StudyFindings) -> None:
    again = found(data)
    assert again.with_agents[0].means == findings.with_agents[0].means
    assert again.with_people[0].mean == findings.with_people[0].mean
    other = found(data, seed=1)
    assert other.with_agents[0].means != findings.with_agents[0].means
    assert other.with_people[0].mean.value != findings.with_people[0].mean.value  # others are chosen


def test_orientation_is_a_covariate(data: StudyTables) -> None:
    """A return that rises by 2 points with ten degrees."""
    angle = data.participants.set_index("participant").loc[data.episodes["participant"], "svo_angle"].to_numpy()
    steep = replace(data, episodes=data.episodes.assign(points=data.episodes["points"] + 0.2 * angle))
    (agents,) = found(steep, resamples=2).with_agents
    slopes = {line.of: line.slope for line in agents.slopes}
    assert slopes["human"].low < 2.0 < slopes["human"].high
    assert slopes["human"].low > 1.0
    assert slopes["agent"].low < 0.0 < slopes["agent"].high
    types = {kind.name: kind.mean.value for kind in agents.types}
    assert types["prosocial"] > types["individualist"]
    unknown = replace(data, participants=data.participants.assign(svo_angle=np.nan, svo_type=""))
    (agents,) = found(unknown, resamples=2).with_agents
    assert (agents.slopes, agents.types) == ((), ())


def test_poor_data_are_analysed_as_far_as_they_go(data: StudyTables) -> None:
    episodes = data.episodes
    one = found(replace(data, episodes=episodes[episodes["partner"] == "Fair"]))
    assert one.with_agents[0].agents == ("Fair",)
    assert one.with_agents[0].differences == ()
    assert "one game" in one.with_agents[0].fits["human"].remarks[0]
    assert one.empty == ("people",)
    equal = found(replace(data, episodes=episodes.assign(points=5.0, partner_points=5.0)))
    for mean in equal.with_agents[0].means["human"]:
        assert [mean.value, mean.low, mean.high] == pytest.approx([5.0, 5.0, 5.0])
    assert equal.with_people[0].fit.singular
    with pytest.raises(GameError, match="No games are left"):
        found(replace(data, episodes=episodes.assign(status="timed-out")))
    with pytest.raises(GameError, match="no exclusion 'late'"):
        found(data, exclude=("late",))
    with pytest.raises(GameError, match="resamples must be at least 2"):
        found(data, resamples=1)


# ---------------------------------------------------------------------------------------------------------- the folder


def edited(folder: Path, copy: Path, file: str, edit: Any) -> Path:
    """A copy of the folder with one cell or column changed."""
    shutil.copytree(folder, copy)
    rows = list(csv.reader((copy / file).read_text().splitlines()))
    edit(rows)
    with (copy / file).open("w", newline="") as out:
        csv.writer(out).writerows(rows)
    return copy


def test_mistakes_in_the_folder_are_sentences(folder: Path, tmp_path: Path) -> None:
    def fails(path: Path, said: str) -> None:
        with pytest.raises(FileError, match=said):
            read_folder(path)

    fails(tmp_path / "nothing", "There is no folder")
    (tmp_path / "empty").mkdir()
    fails(tmp_path / "empty", "has no study.json")
    column = {name: i for i, name in enumerate((folder / "episodes.csv").read_text().splitlines()[0].split(","))}

    def put(name: str, text: str) -> Any:
        return lambda rows: rows[1].__setitem__(column[name], text)

    for number, (edit, said) in enumerate(
        [
            (lambda rows: [row.pop(column["points"]) for row in rows], "has no column 'points'"),
            (put("points", "many"), "line 2: points should be a number, not 'many'"),
            (put("points", ""), "line 2: points is missing"),
            (put("status", "over"), "line 2: status should be absent, ended, timed-out, not 'over'"),
            (put("participant", "P999"), "names P999, who is not in participants.csv"),
            (lambda rows: rows.append(rows[-1]), "a second row of the same participant and episode"),
            (lambda rows: rows.__delitem__(slice(1, None)), "has no episodes"),
        ]
    ):
        fails(edited(folder, tmp_path / str(number), "episodes.csv", edit), said)
    (tmp_path / "0" / "study.json").write_text("[1")
    fails(tmp_path / "0", "study.json is not JSON")


# ---------------------------------------------------------------------------------------------------------- the report


@pytest.mark.slow
def test_the_report_has_the_numbers_and_the_checks(data: StudyTables, findings: StudyFindings, tmp_path: Path) -> None:
    strange = replace(findings, study={**findings.study, "title": "Cats & <b>dogs</b>", "hash": "abc123", "speed": 60})
    written = write_report(tmp_path / "report", data.kept(data.exclude)[0], strange)
    names = {path.name for path in written}
    assert names == {
        *("report.html", "report.md", "numbers.json"),
        *("returns-1.svg", "plane-1.svg", "residuals.svg", "orientation.svg"),
    }
    text = (tmp_path / "report" / "report.md").read_text()
    (agents,), (people,) = findings.with_agents, findings.with_people
    assert people.fit.participants < people.participants, "not everybody is chosen in some game"
    mean = agents.means["human"][1]
    assert f"{mean.value:.2f} [{mean.low:.2f}, {mean.high:.2f}]" in text
    for said in (
        "value ~ C(partner) - 1",
        "10 resamples",
        "abc123",
        "60 times as fast",
        "statsmodels 0.",
        "Fair − Comp1",
        "as if all games were independent",
        f"{people.games} | {people.participants} | {people.fit.participants} | {people.mean.value:.2f}",
    ):
        assert said in text, said
    for step in findings.excluded:
        assert re.search(rf"\| {step.name} \| {re.escape(step.sentence)} \| {step.games} \|", text)
    page = (tmp_path / "report" / "report.html").read_text()
    assert "Cats &amp; &lt;b&gt;dogs" in page
    assert page.count("<svg") == 4
    assert not re.search(r'(src|href)="(?!#|data:)', page)  # needs nothing else
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    numbers = json.loads((tmp_path / "report" / "numbers.json").read_text())
    assert numbers["with_agents"][0]["means"]["human"][1]["value"] == pytest.approx(mean.value)


@pytest.fixture
def cross_table(tmp_path: Path) -> Path:
    """Three agents among themselves."""
    game = SimulatedGame("kuhn", 2, symmetric=True)
    for name in ("Fair", "somebody", "Comp1"):
        game.add(name)
    for table in game.measured.values():
        for i in range(3):
            for j in range(3):
                table.set_exact((i, j), np.array([6.0 + i, 6.0 + j]))
    return save_empirical_game(game, tmp_path / "cross.json")


def test_a_cross_table_is_read_by_the_names_of_the_study(cross_table: Path) -> None:
    cross = read_cross_table(cross_table, {"Comp1": "Comp1", "Fair": "Fair", "Coop": "x"})
    assert cross.agents == ("Comp1", "Fair")
    assert cross.scores == ((64.0, 48.0), (48.0, 36.0))
    assert cross.returns == ((8.0, 8.0), (6.0, 6.0))
    with pytest.raises(FileError, match="none of the study's agents"):
        read_cross_table(cross_table, {"Coop": "x"})


@pytest.mark.slow
def test_the_command_prints_the_table_or_a_sentence(
    folder: Path, findings: StudyFindings, cross_table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["study", "analyse", str(folder), "--out", str(tmp_path / "out"), "--resamples", "10", "--threads", "1"]
    assert main([*words, "--cross-table", str(cross_table)]) == 0
    assert "| Fair | 48.00 | 36.00 | 6.00 |" in (tmp_path / "out" / "report.md").read_text()
    said = capsys.readouterr().out
    for one in findings.with_agents[0].means["combined"]:
        assert f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]" in said
    assert main([*words, "--exclude", "late"]) == 1
    assert "There is no exclusion 'late'" in capsys.readouterr().err
    assert main(["study", "analyse", str(tmp_path / "nowhere")]) == 1
    assert "There is no folder" in capsys.readouterr().err


# --------------------------------------------------------------------------------------------------------------- power


@pytest.mark.slow
def test_power_counts_what_intervals_cover_and_find() -> None:
    """3 points between agents, whose deviation is 1, are always found; and the formula agrees."""
    power = measure_power(SMALL, 12, start_pool(), studies=3, resamples=10, seed=1, people=6)
    assert power.people_covered in (1, 2, 3)
    assert power.covered.shape == (3, 2)
    assert power.coverage > 0.5
    human = next(one for one in power.differences if one.of == "human")
    assert (human.first, human.second, human.size) == ("Fair", "Comp1", 3.0)
    assert human.found.value == 1.0
    assert human.expected > 0.99
    assert power.needed(0, 0.5, 0.8) == pytest.approx(4 * power.needed(0, 1.0, 0.8), rel=0.1)
    assert power.needed(0, 0.5, 0.9) > power.needed(0, 0.5, 0.8)
    again = measure_power(SMALL, 12, start_pool(), 3, 10, 1, on_progress=lambda done: done < 2)
    assert again.studies == 2  # stopped


def test_a_pilot_tells_what_to_plant(findings: StudyFindings) -> None:
    (agents,) = findings.with_agents
    planted = planted_by(agents, timed_out=0.1)
    assert isinstance(planted, PlantedMeans)
    assert planted.means["human"] == pytest.approx(dict(zip(agents.agents, agents.fits["human"].means, strict=True)))
    both = agents.fits["combined"].residual_deviation
    first, second = planted.residual
    implied = np.sqrt(first**2 + second**2 + 2 * planted.residual_correlation * first * second) / 2
    assert implied == pytest.approx(both, rel=1e-6)


STUDY = """
from parlor.study.design.description import StudyAgent, Condition, Description, Screen
STUDY = Description(
    title="t", game="deal-or-no-deal", seed=1, conditions=(Condition("agents", 1.0, "agents"),), episodes=2,
    agents=(StudyAgent("Fair", "random"), StudyAgent("mine", "random")), consent=Screen("Consent", "Yes?"),
)
"""


@pytest.mark.slow
def test_the_power_command_prints_tables(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--studies", "2", "--resamples", "4", "--participants", "10", "--threads", "1"]
    assert main(["study", "power", str(folder), *few]) == 0
    said = capsys.readouterr().out
    assert "2 simulated studies of 10 participants" in said
    assert "Fair - Comp1" in said
    (tmp_path / "study.py").write_text(STUDY)
    assert main(["study", "power", str(tmp_path / "study.py"), *few, "--json"]) == 0
    planted = {one["agent"]: one["planted"] for one in json.loads(capsys.readouterr().out)["means"][:2]}
    assert planted == {"Fair": 7.39, "mine": pytest.approx(6.22)}  # of the paper, and the mean of the paper's
    assert main(["study", "power", "--studies", "1"]) == 1
    assert "studies must be at least 2" in capsys.readouterr().err
