"""The page's own unit tests (`make test-page`), and small mistakes that they must notice."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import missing

pytestmark = pytest.mark.slow(seconds=10)

WEB = Path(__file__).parents[2] / "web"
CONFIGURATION = ("vitest.config.ts", "tsconfig.json", "package.json")
#: A file, what stands there once, what is planted instead, and the file of tests that must fail.
MISTAKES = [
    ("format/numbers.ts", "x > 0 && x < 0.0005", "x < 0.0005", "format"),
    ("moves/amount.tsx", "(value - part.least) % part.step === 0", "true", "moves"),
    ("table/merge-state.ts", "next.since > old.history.length", "next.since >= old.history.length", "replay"),
    ("record/statistics.ts", "1 / (error ** 2 + misfit ** 2)", "1", "record"),
    ("store/seats.ts", "!isOver(seat) || ++finished <= MAX_FINISHED", "++finished <= MAX_FINISHED", "store"),
    ("games/battleship/sea.ts", "!seen.has(cell) && seen.add(cell) &&", "", "games"),
    ("runs/curves.tsx", "if (logSteps && x <= 0) continue;", "", "pages"),
    ("queries/agents.ts", "(one.rating_high ?? Infinity) <", "(one.rating ?? Infinity) <", "agents"),
    ("games/holdem/ending.ts", 'cards === view.board.length ? view.made : ""', "view.made", "endings"),
    ("mind/cost.ts", "gain >= Z * Math.hypot(best.error, made.error)", "true", "cost"),
    ("api/live.ts", "if (!isUnreachable(error)) return fail(error);", "", "client"),
]


def outcomes(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The tests of each file, with their status, as Vitest reports them."""
    command = ["npx", "vitest", "run", "--reporter=json", "--outputFile=report.json"]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"CI": "1"}, capture_output=True, text=True, check=False
    )
    report = folder / "report.json"
    assert report.is_file(), done.stdout + done.stderr
    files = json.loads(report.read_text())["testResults"]
    return {Path(file["name"]).name.removesuffix(".test.ts"): file["assertionResults"] for file in files}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources of the page with what tests them."""
    if not (WEB / "node_modules" / "vitest").is_dir():
        missing("page", "What tests the page is not installed: make page")
    for folder in ("src", "tests"):
        shutil.copytree(WEB / folder, tmp_path / folder)
    for name in CONFIGURATION:
        shutil.copy(WEB / name, tmp_path / name)
    (tmp_path / "node_modules").symlink_to(WEB / "node_modules")
    return tmp_path


def test_what_is_logic_in_the_page_works(copy: Path) -> None:
    tests = [test for file in outcomes(copy).values() for test in file]
    failed = [(test["fullName"], *test["failureMessages"]) for test in tests if test["status"] != "passed"]
    assert failed == []
    assert len(tests) > 100


def test_planted_mistakes_are_noticed(copy: Path) -> None:
    for name, right, wrong, _ in MISTAKES:
        path = copy / "src" / name
        text = path.read_text()
        assert text.count(right) == 1, (name, right)
        path.write_text(text.replace(right, wrong))
    found = outcomes(copy)
    for name, _, _, file in MISTAKES:
        assert any(test["status"] == "failed" for test in found[file]), f"Nothing in {file} noticed {name}."
