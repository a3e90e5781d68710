"""The tutorial is true: its code blocks are a game that keeps the contract, and its numbers are what comes out."""

import doctest
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor.contract import check
from parlor.game import CHANCE, Game, Position
from parlor.game.loading import load
from parlor.sequence_form.tree import tree
from parlor.solvers.best_response import evaluate
from parlor.solvers.cfr import Cfr

pytestmark = pytest.mark.slow

DOC = (Path(__file__).parents[2] / "docs" / "your-game.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOC, re.M | re.S)


FILE = "\n\n".join(block for block in blocks("python") if block.startswith("# pretenders.py"))
MISTAKES = re.findall(r"^\*\*(.*?)\*\*.*?^```diff\n(.*?)^```\n\n```text\n(.*?)^```$", DOC, re.M | re.S)


@pytest.fixture(autouse=True)
def game_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "pretenders.py"
    path.write_text(FILE)
    return path


def test_all_blocks_are_in_the_file() -> None:
    assert len(blocks("python")) == FILE.count("# pretenders.py") == 9


@pytest.mark.slow
def test_the_check_prints_what_the_tutorial_shows() -> None:
    console = next(block for block in blocks("console") if "parlor check" in block)
    command, *lines = console.splitlines()
    findings = check(load(command.split()[-1]))
    assert all(finding.ok is not False for finding in findings)
    assert lines == [str(finding) for finding in findings]


@pytest.mark.slow
def test_the_sessions_run_as_shown() -> None:
    session = doctest.DocTestParser().get_doctest("\n".join(blocks("pycon")), {}, "your-game.md", None, 0)
    assert len(session.examples) > 15
    told: list[str] = []
    doctest.DocTestRunner().run(session, out=told.append)
    assert not told, "".join(told)


@pytest.mark.parametrize(("diff", "text"), [m[1:] for m in MISTAKES], ids=[m[0] for m in MISTAKES])
def test_mistakes_are_explained_as_shown(diff: str, text: str, game_file: Path) -> None:
    game_file.write_text(changed(FILE, diff))
    assert [str(f) for f in check(load("pretenders.py")) if f.ok is False] == text.splitlines()


def changed(text: str, diff: str) -> str:
    """Each group of lines with a minus becomes the group with a plus that follows it."""
    for old, new in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)+)", diff, re.M):
        before, after = (re.sub(r"^.", "", lines, flags=re.M) for lines in (old, new))
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


def test_every_mistake_was_found() -> None:
    assert len(MISTAKES) == len(blocks("diff")) == len(blocks("text")) >= 10


# -------------------------------------------------------------------------------------------------- the numbers


@pytest.mark.slow
@pytest.mark.parametrize(("name", "histories", "value"), [
    ("pretenders.py", 3_377, 25 / 108),
    ("pretenders.py(turns=6)", 30_593, 91 / 216),
])  # fmt: skip
def test_sizes_and_values(name: str, histories: int, value: float) -> None:
    game = load(name)
    assert tree(game).histories == histories
    assert f"{histories:,}" in DOC
    solve = Cfr(game, "pcfr+")
    solve.run(3000)
    assert solve.nash_conv() < 1e-5
    assert evaluate(game, solve.policy()).values[0] == pytest.approx(value, abs=1e-5)
    assert "25/108" in DOC
    assert "91/216" in DOC


def test_the_value_by_linear_programming() -> None:
    """Independent of the solvers and of the tree: the sequence form, written out from positions."""
    assert sequence_form_value(load("pretenders.py")) == pytest.approx(25 / 108, abs=1e-9)


def sequence_form_value(game: Game) -> float:
    """The value of a two-player zero-sum game (Koller, Megiddo and von Stengel, 1996).

    max q₀  subject to  E x = e,  x ≥ 0,  Fᵀ q ≤ Aᵀ x, with q₀ the worth of the other's empty sequence.
    """
    linprog: Any = pytest.importorskip("scipy.optimize").linprog
    sequences: list[dict[tuple[int, str], int]] = [{(-1, ""): 0} for _ in range(2)]
    infosets: list[dict[int, tuple[int, list[int]]]] = [{}, {}]
    paid: dict[tuple[int, int], float] = {}

    def walk(position: Position, chance: float, last: tuple[int, int]) -> None:
        if position.over:
            paid[last] = paid.get(last, 0.0) + chance * position.payoffs[0]
            return
        p = position.turn
        if p == CHANCE:
            for name, odds in position.odds.items():
                walk(position.after(name), chance * odds, last)
            return
        key = position.key(p)
        steps = [sequences[p].setdefault((key, name), len(sequences[p])) for name in position.legal]
        infosets[p][key] = (last[p], steps)
        for name, step in zip(position.legal, steps, strict=True):
            walk(position.after(name), chance, (step, last[1]) if p == 0 else (last[0], step))

    walk(game.start(), 1.0, (0, 0))
    n, m = len(sequences[0]), len(sequences[1])
    payoff = np.zeros((n, m))
    for (i, j), u in paid.items():
        payoff[i, j] = u
    constraints = []
    for p, size in enumerate((n, m)):
        matrix = np.zeros((1 + len(infosets[p]), size))
        matrix[0, 0] = 1.0
        for row, (parent, steps) in enumerate(infosets[p].values(), 1):
            matrix[row, parent] = -1.0
            matrix[row, steps] = 1.0
        constraints.append(matrix)
    e, f = constraints
    rows = len(f)
    found = linprog(
        np.concatenate([np.zeros(n), [-1.0], np.zeros(rows - 1)]),
        A_ub=np.hstack([-payoff.T, f.T]),
        b_ub=np.zeros(m),
        A_eq=np.hstack([e, np.zeros((len(e), rows))]),
        b_eq=np.eye(len(e))[0],
        bounds=[(0, None)] * n + [(None, None)] * rows,
    )
    assert found.success
    return -float(found.fun)
