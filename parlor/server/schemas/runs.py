"""Training runs, what they measure, and saved cross tables."""

from __future__ import annotations

from pydantic import Field

from parlor.server.schemas.common import Shape


class RunConfig(Shape):
    """What a training run is."""

    game: str
    algorithm: str
    games: int
    seed: int
    rollouts: int
    ring: int
    explore: float
    decay: float
    horizon: int
    clamp: bool
    parallel: str
    batch: int
    evaluate_every: int
    evaluate_games: int
    against: list[str]
    checkpoint_every: int
    minutes: float
    checkpoint_minutes: float
    cards: str
    buckets: list[int]
    prune: float


class CheckpointInfo(Shape):
    """A checkpoint, which can sit down as an agent."""

    games: int
    agent: str
    bytes: int


class RunInfo(Shape):
    """A training run."""

    id: str
    name: str
    config: RunConfig
    code: str
    rules: str
    games: int = Field(description="Games it has got to, as far as was measured.")
    minutes: float = Field(description="That took, for runs by the clock, as far as there are checkpoints.")
    finished: bool
    unit: str = Field(description="What its payoffs are told in.")
    scale: float = Field(description="How many of the unit a point in its metrics is.")
    checkpoints: list[CheckpointInfo]


class RegretRow(Shape):
    """Expected regrets."""

    max_expected: float | None = None
    mean_expected: float | None = None
    by_player: list[float | None] = []


class Interval(Shape):
    """A value with its 95 % interval."""

    value: float | None
    low: float | None
    high: float | None


class WinRate(Shape):
    """With a 95 % interval."""

    rate: float | None
    low: float | None
    high: float | None
    games: int
    payoff: Interval | None = None


class MetricsRow(Shape):
    """What one evaluation of a run measured."""

    games: int
    regret: RegretRow | None = None
    infosets: list[int] = []
    updates: dict[str, float | None] = {}
    policy: dict[str, float | None] = {}
    wins: dict[str, dict[str, WinRate]] = {}


class RunMetrics(Shape):
    """The evaluations after game `after`."""

    run: str
    after: int
    last: int = Field(description="Ask for what comes after this next time.")
    finished: bool
    rows: list[MetricsRow]


class PairResult(Shape):
    """What one agent did against another."""

    agent: str
    against: str
    games: int
    wins: int
    draws: int
    losses: int
    rate: Interval
    payoff: Interval
    share: Interval = Field(description="Of wins, a tie being split evenly.")


class CrossTable(Shape):
    """A saved result of `parlor compare --json`."""

    id: str
    game: str
    players: int = Field(description="Among more than two, a result is the agent's alone against copies of the other.")
    agents: list[str]
    mean_rates: list[float | None]
    mean_payoffs: list[float | None]
    ratings: list[float | None] = Field(description="Empty among more than two players.")
    matches: list[PairResult]
