"""Code from outside Parlor is found by file, module, object and entry point, and refused in sentences."""

from __future__ import annotations

import importlib.metadata
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from parlor import GameError
from parlor.game.loading.registry import (
    Outside,
    Registry,
    absolute,
    check_files,
    files_of,
    installed,
    name_of,
    short_name,
    split,
)
from parlor.game.parameters import Settings

CODE = '''
"""Sums."""

from dataclasses import dataclass


def add(numbers, *, more: int = 1, factor=2.0, names=("a", "b"), anything=None):
    """The sum of numbers. And more."""
    return sum(numbers) * factor + more


class Adder:
    def __init__(self, more: int = 3):
        self.more = more

    def __call__(self, numbers):
        return sum(numbers) + self.more


class Silent:
    pass


def two(numbers, factor):
    return 0


def none():
    return 0


def broken(numbers):
    return numbers[0] / 0


SEVEN = 7
'''


@dataclass(frozen=True)
class SumRow:
    """A row of the registry here."""

    summary: str
    call: Callable[..., Any]
    settings: type[Settings] = Settings


def adapted(code: Outside) -> SumRow:
    return SumRow(code.summary, lambda numbers, settings: code.call(settings, numbers), code.settings("numbers"))


@pytest.fixture
def sums() -> Registry[SumRow]:
    registry = Registry("sum", "plain", "parlor.sums", SumRow, adapted)
    registry["plain"] = SumRow("the sum", lambda numbers, settings: sum(numbers))
    return registry


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_sums.py").write_text(CODE)
    return tmp_path


def computed(registry: Registry[SumRow], given: Any) -> float:
    name, settings = registry.read(given)
    return float(registry.row(name).call([1, 2], settings))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", 3.0),
        ("my_sums.py:add", 7.0),
        ("my_sums.py:add(more=5, factor=1)", 8.0),
        ("my_sums:add(more=0)", 6.0),
        ("my_sums.py:Adder", 6.0),
        ("my_sums.py:Adder(more=0)", 3.0),
    ],
)
def test_what_a_person_wrote_is_found(sums: Registry[SumRow], text: str, value: float) -> None:
    assert computed(sums, text) == value


def test_keyword_parameters_are_settings(sums: Registry[SumRow], folder: Path) -> None:
    name, settings = sums.read("my_sums.py:add(names=(c,d))")
    assert name == f"{folder}/my_sums.py:add"
    assert settings.data() == {"more": 1, "factor": 2.0, "names": ["c", "d"]}
    assert sums.row(name).summary == "The sum of numbers. And more"
    again = pickle.loads(pickle.dumps(settings))
    assert again.data() == settings.data()
    recorded = sums.recorded("/elsewhere/gone.py:add", settings.data())
    assert recorded.data() == settings.data()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("plian", "There is no sum 'plian'; there are: plain, and yours: my_file.py:NAME. Did you mean plain"),
        ("other", "There is no sum 'other'; there are: plain, and yours: my_file.py:NAME.$"),
        ("gone.py:add", "There is no file .*gone.py."),
        ("my_sums.py:ad", "There is no ad in .*my_sums.py; did you mean add?"),
        ("no_such_module:add", "There is no module no_such_module; code in a file is named with .py"),
        ("my_sums.py:SEVEN", "SEVEN is 7, not a sum: that is a function, a class or a row"),
        ("my_sums.py:two", "two is called with numbers, and needs 'factor' besides: give it a default"),
        ("my_sums.py:none", "none takes nothing, but is called with numbers"),
        ("my_sums.py:Silent", "Silent needs a method __call__, which is called with numbers"),
        ("my_sums.py:broken", "broken failed in my_sums.py, line 33, in broken: ZeroDivisionError: division by zero."),
        ("my_sums.py:add(less=1)", "add has no setting 'less'; it has: factor, more, names."),
        ("my_sums.py:add(more=x)", "more must be a whole number, not 'x'."),
        ("my_sums.py:add(more)", r"'more' in 'my_sums.py:add\(more\)' should read option=value."),
    ],
)
def test_bad_names_are_refused_in_a_sentence(sums: Registry[SumRow], text: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        computed(sums, text)


@pytest.mark.usefixtures("folder")
def test_names_from_the_network_run_no_code(sums: Registry[SumRow]) -> None:
    assert sums.read("plain", own=True)[0] == "plain"
    for text in ("my_sums.py:add", "my_sums:add", "os:system"):
        with pytest.raises(GameError, match="There is no sum"):
            sums.read(text, own=True)


def largest(numbers: list[int]) -> int:
    return max(numbers)


def test_functions_and_rows_are_accepted(sums: Registry[SumRow]) -> None:
    assert computed(sums, largest) == 2.0
    assert computed(sums, lambda numbers: 5.0) == 5.0
    assert computed(sums, SumRow("a row", lambda numbers, settings: 9.0)) == 9.0
    assert sums.name(largest) == name_of(largest) == f"{__name__}:largest"
    sums.check_lasting(sums.name(largest), "a run")
    with pytest.raises(GameError, match="lambda cannot be loaded again, as a run needs: define this sum at the top"):
        sums.check_lasting(sums.name(lambda numbers: 5.0), "a run")


def test_installed_packages_offer_theirs_by_name(
    sums: Registry[SumRow], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = importlib.metadata.EntryPoint("total", "my_sums:Adder", "parlor.sums")

    def entry_points(group: str, name: str) -> list[importlib.metadata.EntryPoint]:
        return [entry] if (group, name) == ("parlor.sums", "total") else []

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    installed.cache_clear()
    assert computed(sums, "total(more=1)") == 4.0
    with pytest.raises(GameError, match="There is no sum 'sum'"):
        sums.row("sum")
    with pytest.raises(GameError, match="There is no sum 'total'"):
        sums.read("total", own=True)


def test_a_changed_file_is_noticed(folder: Path) -> None:
    files = files_of(["plain", "", name := absolute("my_sums.py:add")])
    assert list(files) == [name]
    check_files(files)
    (folder / "my_sums.py").write_text(CODE + "\n")
    with pytest.raises(GameError, match=r"The file of .*my_sums.py:add has changed since the run began"):
        check_files(files)
    (folder / "my_sums.py").unlink()
    with pytest.raises(GameError, match="There is no file"):
        check_files(files)


def test_names_are_split_and_shortened() -> None:
    assert split("my.py:f(a=1, b=x(c=2,d=3))") == ("my.py:f", {"a": "1", "b": "x(c=2,d=3)"})
    assert short_name("/a/b/my.py:f") == "my.py:f"
    assert (short_name("nash"), absolute("nash"), absolute("pkg.mod:f")) == ("nash", "nash", "pkg.mod:f")
