"""Titles of the columns of metrics and how they are drawn, on the page and in figures.

An undeclared column is drawn as well, under its own name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class MetricColumn:
    """A column of metrics: one number, or a line for each name or player."""

    title: str
    better: Literal["lower", "higher", ""] = ""
    scale: Literal["linear", "log", "log-log", "share"] = "linear"
    lines: Mapping[str, str] = field(default_factory=dict)  # name in the column -> title of the line

    def called(self, line: str) -> str:
        """The label of a line; players are counted from one."""
        of, _, number = line.rpartition("player ")
        what = {"": "", **self.lines}.get(of.strip())
        if line in self.lines or what is None or not number.isdecimal():
            return self.lines.get(line, line)
        return f"{what} player {int(number) + 1}".strip()


GAMES, RESULTS = "games", "wins"  # columns that are not drawn as such

#: The measures of every run.
EXPLOITABILITY = MetricColumn("Exploitability", "lower", "log")
INFOSETS = MetricColumn("Information sets")
REGRET = MetricColumn(
    "Expected regret",
    "lower",
    lines={"max_expected": "largest", "mean_expected": "mean", "by_player": "largest of"},
)
POLICY = MetricColumn("Median probability of each action", scale="share")


def measure(name: str, declared: Mapping[str, MetricColumn]) -> MetricColumn:
    """The declared measure of a column, or a default."""
    usual = {"exploitability": EXPLOITABILITY}
    return declared.get(name) or usual.get(name) or MetricColumn(name.replace("_", " ").capitalize())


def lines_of(row: Mapping[str, Any], hidden: Collection[str] = ()) -> dict[str, dict[str, float]]:
    """The columns of numbers of an evaluation, each as its lines; a single number is a line without a name.

    Results of matches, which have intervals, are not among them, nor are columns that are hidden.
    """
    left_out = {GAMES, RESULTS, *hidden}
    return {name: lines for name, value in row.items() if name not in left_out and (lines := _lines(value))}


def _lines(value: Any, name: str = "") -> dict[str, float]:
    if isinstance(value, Mapping):
        parts = (_lines(one, f"{name} {inner}".strip()) for inner, one in value.items())
    elif isinstance(value, list) and len(value) > 1:
        parts = (_lines(one, f"{name} player {i}".strip()) for i, one in enumerate(value))
    elif isinstance(value, list):
        parts = (_lines(one, name) for one in value)
    else:
        return {name: value} if isinstance(value, int | float) else {}
    return {line: number for part in parts for line, number in part.items()}
