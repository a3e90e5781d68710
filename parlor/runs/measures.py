"""What the columns of metrics are called and how they are drawn, on the page and in figures.

A column that nobody has declared is drawn as well, under its own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Measure:
    """A column of metrics: one number, or a line for each name or player."""

    title: str
    better: Literal["lower", "higher", ""] = ""
    scale: Literal["linear", "log", "share"] = "linear"
    lines: Mapping[str, str] = field(default_factory=dict)  # name in the column -> what the line is called


#: What a run measures, whoever learns.
EXPLOITABILITY = Measure("Exploitability", "lower", "log")
INFOSETS = Measure("Information sets")
REGRET = Measure("Expected regret", "lower", lines={"max_expected": "largest", "mean_expected": "mean"})
POLICY = Measure("Median probability of each action", scale="share")


def measure(name: str, declared: Mapping[str, Measure]) -> Measure:
    """What is known about a column."""
    usual = {"exploitability": EXPLOITABILITY}
    return declared.get(name) or usual.get(name) or Measure(name.replace("_", " ").capitalize())


def lines_of(row: Mapping[str, Any]) -> dict[str, dict[str, float | None]]:
    """The columns of numbers of an evaluation, each as its lines; a single number is the line of no name.

    Results of matches, which have intervals, are not among them.
    """
    found: dict[str, dict[str, float | None]] = {}
    for name, value in row.items():
        if isinstance(value, list):
            players = [""] if len(value) == 1 else [f"player {i}" for i in range(len(value))]
            value = dict(zip(players, value, strict=True))
        elif not isinstance(value, Mapping):
            value = {"": value}
        lines = {line: one for line, one in value.items() if one is None or isinstance(one, int | float)}
        if name != "games" and any(one is not None for one in lines.values()):
            found[name] = lines
    return found
