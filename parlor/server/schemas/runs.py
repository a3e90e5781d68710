"""Training runs, what they measure, and saved cross tables."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.page.shapes import Shape

RunState = Literal["finished", "running", "stopped"]
SettingValue = bool | int | float | str | list[int] | list[float] | list[str]


class AlgorithmSetting(Shape):
    """A setting of every run, or of a learner."""

    name: str
    type: str = Field(description="bool, int, float, str, ints, floats or strs.")
    default: SettingValue
    low: float | None
    high: float | None
    words: list[str] = Field(description="Allowed values of a text; empty: anything.")
    help: str


class AlgorithmInfo(Shape):
    """A learner."""

    name: str
    summary: str
    parallel: list[str] = Field(description="The modes it runs in, the default first.")
    backends: list[str]
    settings: list[AlgorithmSetting]
    common: list[AlgorithmSetting] = Field(description="The settings of every run, with the defaults of this learner.")


class RunConfig(Shape):
    """The configuration of a run."""

    game: str
    algorithm: str = Field(description="How it learns.")
    seed: int
    settings: dict[str, SettingValue] = Field(description="All other settings.")
    help: dict[str, str] = Field(description="What each of them means.")


class CheckpointInfo(Shape):
    """A checkpoint, which can play as an agent."""

    at: int = Field(description="Games or iterations, see `steps` of the run.")
    agent: str
    bytes: int


class RunInfo(Shape):
    """A run: of training, of tuning, or of a population."""

    id: str
    name: str
    kind: Literal["training", "tuning", "psro"]
    config: RunConfig
    code: str
    rules: str
    steps: Literal["games", "iterations"] = Field(description="What its progress is counted in.")
    reached: int = Field(description="Steps it has got to, as far as was measured.")
    goal: int | None = Field(description="Steps it is to make; null: it ends by the clock.")
    minutes: float = Field(description="That took, for runs by the clock, as far as there are checkpoints.")
    goal_minutes: float | None = Field(description="Minutes it is to take, for runs by the clock.")
    state: RunState
    resume: str = Field(description="The command that continues it, given its folder.")
    action_words: dict[str, str] = Field(description="Names of actions that people read otherwise.")
    unit: str = Field(description="What its payoffs are told in.")
    scale: float = Field(description="How many of the unit a point in its metrics is.")
    checkpoints: list[CheckpointInfo]


class Interval(Shape):
    """A value with its 95 % interval."""

    value: float | None
    low: float | None
    high: float | None


class WinRate(Shape):
    """A win rate with its 95 % interval."""

    rate: float | None
    low: float | None
    high: float | None
    games: int
    payoff: Interval | None = None


class MetricsRow(Shape):
    """The measurements of one evaluation of a run."""

    at: int = Field(description="After how many games or iterations, see `steps` of the run.")
    values: dict[str, dict[str, float]] = Field(
        description="Every column of numbers: a value for each of its lines; a single number is a line without a name."
    )
    wins: dict[str, dict[str, WinRate]] = {}


class MeasureLine(Shape):
    """A line of a column: its name in `values`, and its title; empty, if it is the only one."""

    name: str
    called: str


class MeasureInfo(Shape):
    """A column of metrics: its title and how it is drawn."""

    name: str
    title: str
    better: Literal["lower", "higher", ""] = Field(description="Which way is better, if any.")
    scale: Literal["linear", "log", "log-log", "share"]
    lines: list[MeasureLine]


class RunMetrics(Shape):
    """The evaluations after step `after`."""

    run: str
    after: int
    last: int = Field(description="Ask for what comes after this next time.")
    state: RunState
    measures: list[MeasureInfo] = Field(description="The columns of `values`, of all evaluations so far.")
    rows: list[MetricsRow]


class PairResult(Shape):
    """The result of one agent against another."""

    agent: str
    against: str
    games: int
    wins: int
    draws: int
    losses: int
    rate: Interval
    payoff: Interval
    share: Interval = Field(description="Of wins, a tie being split evenly.")
    against_payoff: Interval | None = Field(description="What the other got; null: the table does not say it.")


class CrossTable(Shape):
    """A saved result of `parlor compare --json`."""

    id: str
    game: str
    players: int = Field(description="Among more than two, a result is the agent's alone against copies of the other.")
    in_points: bool = Field(description="Whether payoffs say more than who won.")
    unit: str = Field(description="What its payoffs are told in.")
    scale: float = Field(description="How many of the unit a point is.")
    agents: list[str]
    mean_rates: list[float | None]
    mean_payoffs: list[float | None]
    ratings: list[float | None] = Field(description="Empty among more than two players.")
    matches: list[PairResult]
