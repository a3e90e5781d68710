"""Populations on disk: with their members, or naming their files; whole or a sentence."""

import json
from pathlib import Path

import numpy as np
import pytest

import parlor
from parlor.cli.main import main
from parlor.policies.mixture import correlated
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.runs.files.container import FileError, read_arrays
from parlor.runs.files.population_files import load_everybody
from parlor.runs.files.strategy_files import FILES, read_header, write_strategy
from tests.populations import as_run, grown


@pytest.fixture(scope="module")
def population() -> Population:
    return grown("kuhn", 3)


def test_a_population_is_saved_with_the_members_it_plays(population: Population, tmp_path: Path) -> None:
    path = parlor.save(population, tmp_path / "deep" / "population.npz")
    again = parlor.load_strategy(path)
    assert isinstance(again, Population)
    assert again.members == population.played().members
    assert [[*map(float, some)] for some in again.mixture.marginals] == [[1 / 6, 2 / 6, 3 / 6]] * 2
    assert again.labels == (("1", "2", "3"),) * 2
    assert again.average == population.table  # nothing is enumerated to play it
    assert again.about == {"algorithm": "psro", "iterations": 3}
    assert parlor.save(again, tmp_path / "again.npz").read_bytes() == path.read_bytes()
    with pytest.raises(FileError, match=r"population\.json should end in \.npz"):
        parlor.save(population, tmp_path / "population.json")


def test_a_checkpoint_names_the_files_of_all_members(population: Population, tmp_path: Path) -> None:
    path = as_run(population, tmp_path)
    assert parlor.load_strategy(path).table == population.table
    assert load_everybody(path).members == population.members
    head, extra = read_arrays(path, state=True)
    assert head == read_header(path)
    assert head["config"] == {"game": "kuhn"}
    assert head["iteration"] == 4
    assert extra["sums"].tolist() == [0.0, 1.0, 2.0, 3.0]


def test_a_joint_mixture_stays_joint(population: Population, tmp_path: Path) -> None:
    joint = correlated(np.eye(4), "a remark")
    path = parlor.save(Population.of(population.members, joint), tmp_path / "joint.npz")
    again = parlor.load_strategy(path)
    assert isinstance(again, Population)
    assert not again.mixture.independent
    assert again.mixture.note == "a remark"
    assert again.mixture.joint.tolist() == joint.joint.tolist()


def test_the_version_is_that_of_what_is_played(population: Population, tmp_path: Path) -> None:
    version = FILES["population"].version
    path = as_run(population, tmp_path)
    first = version(path)
    write_strategy(population, path, {"members": read_header(path)["members"]})
    assert version(path) == first
    parlor.save(population.members[0][0], path.parent / "../strategies/0-2.npz")
    assert version(path) != first


def test_damage_is_told_in_a_sentence(population: Population, tmp_path: Path) -> None:
    path = as_run(population, tmp_path)
    with pytest.raises(FileError, match=r"There is no file .*nothing\.npz\."):
        FILES["population"].load(tmp_path / "nothing.npz")
    whole = path.read_bytes()
    for size in (0, 100, len(whole) // 2, len(whole) - 30):
        path.write_bytes(whole[:size])
        with pytest.raises(FileError, match=r"00000004\.npz is not a "):
            FILES["population"].load(path)
    path.write_bytes(whole)
    member = tmp_path / "strategies" / "1-3.npz"
    member.write_bytes(member.read_bytes()[:200])
    with pytest.raises(FileError, match=r"00000004\.npz is not a usable population: .*1-3\.npz is not a policy file"):
        parlor.load_strategy(path)
    member.unlink()
    with pytest.raises(FileError, match=r"00000004\.npz is not a usable population: there is no file .*1-3\.npz"):
        parlor.load_strategy(path)
    (tmp_path / "strategies" / "1-0.npz").unlink()  # it is not played
    parlor.save(population.members[1][3], member)
    parlor.load_strategy(path)
    parlor.save(Policy.uniform(parlor.load("leduc")), member)
    with pytest.raises(FileError, match="must be for one game"):
        parlor.load_strategy(path)


def test_commands_read_the_folder_of_a_run(
    population: Population, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    as_run(population, tmp_path / "run")
    folder = str(tmp_path / "run")
    assert main(["evaluate", folder, "--json"]) == 0
    assert population.table is not None
    exact = parlor.exploitability("kuhn", population.table)
    assert json.loads(capsys.readouterr().out)["exploitability"] == pytest.approx(exact)
    agents = [folder, f"sampled(population={folder})", "random"]
    assert main(["compare", *agents, "--games", "200", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agents"] == agents
    assert main(["play", "kuhn", "--against", f"self-posterior(population={tmp_path})"]) == 1
    assert "There is no policy in the folder" in capsys.readouterr().err
