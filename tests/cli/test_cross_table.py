"""Cross tables on screens of any width: nothing is cut, and nothing wraps."""

import io
import re

import pytest
from rich.console import Console

from parlor.cli import cross_table
from parlor.cli.cross_table import Cross, print_crosses

NAMES = ["fish", "runs/a[1]", *(f"monte-carlo(style=sane,simulations={i})" for i in range(6))]
AGENTS = range(len(NAMES))
CELLS = [[None if i == j else (f"+{i}.{j}00", f"± {j}{i}.000") for j in AGENTS] for i in AGENTS]
CROSSES = [Cross(unit, CELLS, {"mean": [f"+{i}.777" for i in AGENTS]}) for unit in ("sb/h", "mbb/h")]


def shown(monkeypatch: pytest.MonkeyPatch, width: int) -> list[str]:
    """The lines on a screen of that width."""
    screen = Console(file=io.StringIO(), width=width, highlight=False)
    monkeypatch.setattr(cross_table, "out", screen)
    print_crosses(NAMES, CROSSES)
    assert isinstance(screen.file, io.StringIO)
    return [line.rstrip() for line in screen.file.getvalue().splitlines()]


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_a_narrow_screen_has_numbers_and_a_list_of_names(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    lines = shown(monkeypatch, width)
    assert max(map(len, lines)) <= width
    assert width < 80 or [line.split()[1] for line in lines[1 : 1 + len(NAMES)]] == NAMES  # whole
    everything = re.sub(r"\s+", " ", "\n".join(lines))
    assert "…" not in everything
    for i, row in enumerate(CELLS):
        for value, reach in filter(None, row):
            assert everything.count(f" {value}") == everything.count(reach) == len(CROSSES)
        assert everything.count(f"+{i}.777") == len(CROSSES)


def test_columns_that_do_not_fit_come_below(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = [line.split() for line in shown(monkeypatch, 45) if line.startswith(("sb/h ", "mbb/h "))]
    assert heads == [[unit, *map(str, some)] for unit in ("sb/h", "mbb/h") for some in (range(1, 5), range(5, 9))]


def test_a_wide_screen_has_names_and_intervals_beside_results(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(monkeypatch, 400)
    assert len(lines) == len(CROSSES) * (1 + len(NAMES))
    assert lines[0].split() == ["sb/h", *NAMES, "mean"]
    assert lines[1].split()[:5] == ["fish", "–", "+0.100", "±", "10.000"]
