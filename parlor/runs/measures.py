"""What the columns of metrics are called and how they are drawn, on the page and in figures.

A column that nobody has declared is drawn as well, under its own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


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
