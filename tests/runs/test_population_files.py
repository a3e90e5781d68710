"""Populations on disk: with their members, or naming their files; whole or a sentence."""

from pathlib import Path

import numpy as np
import pytest

import parlor
from parlor.policy import Policy
from parlor.runs import population_files
from parlor.runs.policy_files import FileError
from parlor.runs.population_files import load_everybody, read_extra, save_checkpoint
from parlor.runs.strategy_files import FILES, read_header
from parlor.solvers.population.meta.mixture import correlated
from parlor.solvers.population.population import Population
from tests.populations import grown


@pytest.fixture(scope="module")
def population() -> Population:
    return grown("kuhn", 3)


def checkpoint(population: Population, folder: Path) -> Path:
    """As a PSRO run writes it: each member in a file of its own."""
    names = [[f"../strategies/{p}-{i:05d}.npz" for i in range(len(some))] for p, some in enumerate(population.members)]
    path = folder / "checkpoints" / "00000003.npz"
    for some, called in zip(population.members, names, strict=True):
        for one, name in zip(some, called, strict=True):
            parlor.save(one, path.parent / name)
    head = {"config": {"game": "kuhn"}, "code": "1", "iteration": 3, "format": "its own entries stand"}
    save_checkpoint(population, path, names, head, {"payoffs": np.arange(4.0)})
    return path


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
    path = checkpoint(population, tmp_path)
    assert parlor.load_strategy(path).table == population.table
    assert load_everybody(path).members == population.members
    head, extra = read_extra(path)
    assert head == read_header(path)
    assert head["config"] == {"game": "kuhn"}
    assert head["iteration"] == 3
    assert extra["payoffs"].tolist() == [0.0, 1.0, 2.0, 3.0]


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
    path = checkpoint(population, tmp_path)
    first = version(path, population)
    save_checkpoint(population, path, read_header(path)["members"], {}, {})
    assert version(path, population) == first
    parlor.save(population.members[0][0], path.parent / "../strategies/0-00002.npz")
    assert version(path, population) != first


def test_damage_is_told_in_a_sentence(population: Population, tmp_path: Path) -> None:
    path = checkpoint(population, tmp_path)
    with pytest.raises(FileError, match=r"There is no file .*nothing\.npz\."):
        population_files.load_population(tmp_path / "nothing.npz")
    whole = path.read_bytes()
    for size in (0, 100, len(whole) // 2, len(whole) - 30):
        path.write_bytes(whole[:size])
        with pytest.raises(FileError, match=r"00000003\.npz is not a "):
            population_files.load_population(path)
    path.write_bytes(whole)
    member = tmp_path / "strategies" / "1-00003.npz"
    member.write_bytes(member.read_bytes()[:200])
    with pytest.raises(
        FileError, match=r"00000003\.npz is not a usable population: .*1-00003\.npz is not a policy file"
    ):
        parlor.load_strategy(path)
    member.unlink()
    with pytest.raises(FileError, match=r"00000003\.npz is not a usable population: there is no file .*1-00003\.npz"):
        parlor.load_strategy(path)
    (tmp_path / "strategies" / "1-00000.npz").unlink()  # it is not played
    parlor.save(population.members[1][3], member)
    parlor.load_strategy(path)
    parlor.save(Policy.uniform(parlor.load("leduc")), member)
    with pytest.raises(FileError, match="must be for one game"):
        parlor.load_strategy(path)
