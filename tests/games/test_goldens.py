"""Golden playthroughs and the hashes of whole trees."""

import json

import pytest

from tests.goldens import FOLDER, PLAYTHROUGHS, TREES, playthrough, summary

MANY = 40_000  # histories: up to so many, plain Python is faster than the compiler and its code


@pytest.mark.parametrize("title", PLAYTHROUGHS)
def test_playthrough(title: str) -> None:
    golden = json.loads((FOLDER / f"{title.split(':')[0]}.json").read_text())
    assert playthrough(*PLAYTHROUGHS[title]) == golden[title]


@pytest.mark.slow
@pytest.mark.parametrize("name", TREES)
def test_tree(name: str) -> None:
    golden = json.loads((FOLDER / "trees.json").read_text())[name]
    assert summary(name, compiled=golden["histories"] > MANY) == golden


def test_goldens_stay_readable() -> None:
    assert all(path.stat().st_size < 20_000 for path in FOLDER.glob("*.json"))
