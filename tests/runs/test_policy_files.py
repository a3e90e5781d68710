"""Policies on disk: exact, readable, whole or not there."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlor
from parlor.game.loading import load
from parlor.policies.policy import Policy
from parlor.runs.files.container import FileError, write
from parlor.runs.files.strategy_files import load_policy, save


@pytest.fixture(scope="module")
def policy() -> Policy:
    game = load("leduc")
    return parlor.with_words(game, parlor.solve(game, "mccfr-external", iterations=2000, seed=4).policy)


@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_a_round_trip_is_exact(policy: Policy, tmp_path: Path, suffix: str) -> None:
    path = save(policy, tmp_path / "deep" / f"policy{suffix}")
    again = load_policy(path)
    assert again == policy
    assert again.rules == policy.rules
    assert (
        again.about == policy.about == {"algorithm": "mccfr-external", "iterations": 2000, "seed": 4, "linear": False}
    )
    assert again.words == (policy.words if suffix == ".json" else {})
    assert save(again, tmp_path / f"again{suffix}").read_bytes() == path.read_bytes()


@pytest.mark.slow
@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=6), st.integers(0, 2**63 - 1))
def test_any_numbers_survive(weights: list[float], key: int) -> None:
    import tempfile

    row = np.array(weights) / sum(weights) if sum(weights) > 0 else np.full(len(weights), 1 / len(weights))
    one = Policy("kuhn", "x", np.array([key]), np.array([0, len(row)]), row)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("p.json", "p.npz"):
            assert load_policy(save(one, Path(folder) / name)) == one


def test_a_person_can_read_it(policy: Policy, tmp_path: Path) -> None:
    text = save(policy, tmp_path / "policy.json").read_text()
    content = json.loads(text)
    assert content["game"] == "leduc"
    entries = list(content["infosets"].values())
    assert len(entries) == len(policy)
    assert any(e["sees"] == "player 0 holds J♥; pot 1 + 1; no move yet" and set(e["play"]) == {"call", "raise"}
               for e in entries)  # fmt: skip
    assert len(text.splitlines()) < len(policy) + 15  # one line each


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    files = []
    for i in range(2):
        game = load("leduc")
        solved = parlor.with_words(game, parlor.solve(game, "mccfr-outcome", iterations=5000, seed=9).policy)
        files.append(save(solved, tmp_path / f"{i}{suffix}").read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda t: t[: len(t) // 2], "is not a policy file, or it is damaged"),
        (lambda t: "hello", "is not a policy file, or it is damaged"),
        (lambda t: "[1, 2]", "it has no format entry"),
        (lambda t: t.replace("parlor policy 1", "parlor policy 9"), "its format is 'parlor policy 9'"),
        (lambda t: t.replace('"call": ', '"call": 1'), "are not a distribution"),
        (lambda t: t.replace('"call": 0', '"call": -0'), "are not a distribution"),
        (lambda t: t.replace('"game": "leduc"', '"game": 3'), "it lacks the game it is for"),
        (lambda t: t.replace('"infosets"', '"sets"'), "is not a policy file, or it is damaged"),
        (lambda t: t.replace('"infosets": {', '"infosets": {"' + str(2**70) + '": {"play": [1.0]},'), "it is damaged"),
        (lambda t: "[" * 100_000, "it is damaged"),
    ],
)
def test_a_damaged_file_gets_a_sentence(policy: Policy, tmp_path: Path, damage: Any, sentence: str) -> None:
    path = save(policy, tmp_path / "policy.json")
    path.write_text(damage(path.read_text()))
    with pytest.raises(FileError) as error:
        load_policy(path)
    assert sentence in str(error.value)
    assert str(path) in str(error.value)


def test_a_damaged_archive_gets_a_sentence(policy: Policy, tmp_path: Path) -> None:
    path = save(policy, tmp_path / "policy.npz")
    whole = path.read_bytes()
    for data in (b"", whole[:1000], b"PK" + whole[100:], whole[:-200]):
        path.write_bytes(data)
        with pytest.raises(FileError, match="is not a"):
            load_policy(path)


def test_wrong_places_get_a_sentence(policy: Policy, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"should end in \.json \(readable\) or \.npz \(compact\)"):
        save(policy, tmp_path / "policy.txt")
    with pytest.raises(FileError, match="There is no file"):
        load_policy(tmp_path / "none.json")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        save(policy, tmp_path / "file" / "policy.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(FileError, match="cannot be read"):
        load_policy(tmp_path / "folder.json")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "policy.json"
    write(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FileError, match="No space left on device"):
        write(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written beside its place and moved there in one step, so that nobody ever reads half of it."""
    path = tmp_path / "policy.json"
    path.write_text("what was there before")

    def crash(self: Path, target: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", crash)
    with pytest.raises(KeyboardInterrupt):
        parlor.save(parlor.Policy.uniform(parlor.load("kuhn")), str(path))
    assert path.read_text() == "what was there before"
