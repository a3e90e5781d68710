"""Training runs, what they measure, and saved cross tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, create_model

from parlor.runs.config import Config
from parlor.runs.tuning.config import TuneConfig
from parlor.server.schemas.common import Shape
from parlor.settings import declared

RunState = Literal["finished", "running", "stopped"]
SettingValue = bool | int | float | str | list[int] | list[str]


class AlgorithmSetting(Shape):
    """A setting of every run, or of a learner."""

    name: str
    type: str = Field(description="bool, int, float, str, ints or strs.")
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


class _LearnerSettings(Shape):
    settings: dict[str, SettingValue] = Field(
        description="The settings of its learner, which /api/algorithms explains; or those of tuning."
    )


if TYPE_CHECKING:
    RunConfig = _LearnerSettings
else:
    _TYPES = {"strs": list[str], "ints": list[int]}
    _EVERY = {"algorithm", *(one.name for one in declared(TuneConfig))}  # others are null in tuning runs
    RunConfig = create_model(
        "RunConfig",
        __base__=_LearnerSettings,
        __doc__="The configuration of a training run, or of a tuning run, which has not all of these settings.",
        **{
            one.name: (
                _TYPES.get(one.kind, one.type) if one.name in _EVERY else _TYPES.get(one.kind, one.type) | None,
                Field(description=one.help),
            )
            for one in declared(Config)
        },
    )


class CheckpointInfo(Shape):
    """A checkpoint, which can play as an agent."""

    games: int
    agent: str
    bytes: int


class RunInfo(Shape):
    """A training run, or a tuning run."""

    id: str
    name: str
    config: RunConfig
    code: str
    rules: str
    games: int = Field(description="Games it has got to, as far as was measured.")
    minutes: float = Field(description="That took, for runs by the clock, as far as there are checkpoints.")
    state: RunState
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
    """What one evaluation of a run measured."""

    games: int
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
    scale: Literal["linear", "log", "share"]
    lines: list[MeasureLine]


class RunMetrics(Shape):
    """The evaluations after game `after`."""

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
