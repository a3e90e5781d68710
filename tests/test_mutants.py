"""The list of planted mistakes fits the code: `make mutants` plants them and sees whether they are caught."""

import ast
from pathlib import Path

import pytest

from tests.mutants.__main__ import CAUGHT, GOT_AWAY, NOT_RUN, Clean, judge, run_clean
from tests.mutants.mistake import ROOT, Mistake
from tests.mutants.mistakes import MISTAKES

CODE = """
def total(rows, share):
    found = 0.0
    for row in rows:  # of one player
        found += share * row.weight
    return found
"""


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: f"{m.file}: {m.name}")
def test_a_mistake_can_be_planted_and_has_tests_that_may_notice(mistake: Mistake) -> None:
    place = mistake.place()
    text = (ROOT / place.file).read_text()
    planted = mistake.planted(place, text)
    assert planted.split() != text.split()
    ast.parse(planted)
    assert mistake.test_files()


def planted(folder: Path, mistake: Mistake, **files: str) -> str:
    for name, text in files.items():
        (folder / "parlor").mkdir(exist_ok=True)
        (folder / "parlor" / f"{name}.py").write_text(text)
    place = mistake.place(folder)
    return mistake.planted(place, (folder / place.file).read_text())


WEIGHT = Mistake("no weight", "parlor/sums.py", "found += share*row.weight", "found += share", ("tests/test_sums.py",))
LOOP = Mistake(
    "only the last",
    "parlor/sums.py",
    "for row in rows:\n    found += share * row.weight",
    "for row in rows:\n    found = share * row.weight",
    ("tests/test_sums.py",),
)


def test_layout_and_comments_do_not_matter(tmp_path: Path) -> None:
    assert planted(tmp_path, WEIGHT, sums=CODE) == CODE.replace("share * row.weight", "share")
    wrapped = CODE.replace("share * row.weight", "(\n            share\n            * row.weight  # of this\n        )")
    bare = Mistake("no weight", "parlor/sums.py", "share * row.weight", "share", ())
    assert ast.dump(ast.parse(planted(tmp_path, bare, sums=wrapped))) == ast.dump(
        ast.parse(CODE.replace("share * row.weight", "share"))
    )


def test_code_that_moved_is_found_and_lines_keep_their_depth(tmp_path: Path) -> None:
    text = planted(tmp_path, LOOP, sums="", moved="class Sums:\n" + CODE.replace("\n", "\n    "))
    assert "        for row in rows:\n            found = share * row.weight\n" in text


def test_renamed_code_is_found_and_gets_its_own_names(tmp_path: Path) -> None:
    renamed = (
        CODE.replace("row.", "entry.").replace("share", "part").replace("found", "result").replace("row in", "entry in")
    )
    assert "        result += part\n" in planted(tmp_path, WEIGHT, sums=renamed)
    swapped = CODE.replace("share * row", "row * row")  # not the same code under other names
    with pytest.raises(ValueError, match="must stand once"):
        planted(tmp_path, WEIGHT, sums=swapped)


def test_code_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="it is there 2 times"):
        planted(tmp_path, WEIGHT, sums=CODE + CODE)


def test_a_test_file_that_moved_is_found(tmp_path: Path) -> None:
    (tmp_path / "tests" / "sums").mkdir(parents=True)
    (tmp_path / "tests" / "sums" / "test_sums.py").touch()
    assert WEIGHT.test_files(tmp_path) == ["tests/sums/test_sums.py"]
    (tmp_path / "tests" / "test_sums.py").touch()
    assert WEIGHT.test_files(tmp_path) == ["tests/test_sums.py"]


NOTICED = """
import pytest
from parlor.sums import total

def test_of_a_sum():
    assert total([], 2) == 0

def test_that_needs_more():
    pytest.skip("there is no browser")
"""


@pytest.mark.slow(seconds=11)
def test_what_cannot_run_here_is_not_said_to_have_missed_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "parlor").mkdir()
    (tmp_path / "parlor" / "__init__.py").touch()
    (tmp_path / "parlor" / "sums.py").write_text(CODE)
    (tmp_path / "tests").mkdir()
    whole, noticing = "tests/test_sums.py", "tests/test_sums.py::test_of_a_sum"
    (tmp_path / whole).write_text(NOTICED)
    clean = {whole: run_clean(whole, tmp_path), noticing: Clean({noticing: "passed"}, 0)}
    assert clean[whole].outcomes == {
        noticing: "passed",
        f"{whole}::test_that_needs_more": "skipped: Skipped: there is no browser",
    }

    def outcome(old: str, new: str, tests: str) -> str:
        return judge(Mistake("one", "parlor/sums.py", old, new, (tests,)), clean, tmp_path).outcome

    assert outcome("found = 0.0", "found = 1.0", whole) == CAUGHT
    assert outcome("share * row.weight", "share", whole) == NOT_RUN
    assert outcome("share * row.weight", "share", noticing) == GOT_AWAY
    clean[whole] = Clean({f"{whole}::test_that_needs_more": "skipped"}, 0)
    assert outcome("found = 0.0", "found = 1.0", whole) == NOT_RUN
    assert (tmp_path / "parlor" / "sums.py").read_text() == CODE
