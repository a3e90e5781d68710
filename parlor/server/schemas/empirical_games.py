"""Empirical games: payoffs of combinations of strategies, mixtures of them, and who computes these."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.page.shapes import Shape
from parlor.server.schemas.runs import AlgorithmSetting


class MetaSolverInfo(Shape):
    """A meta-solver: from payoffs to a mixture of strategies."""

    name: str
    summary: str
    paper: str
    kind: Literal["joint", "independent"] = Field(description="Of its answers: one distribution, or one a player.")
    guarantee: str = Field(description="What holds of an answer.")
    players: int = Field(description="At most.")
    settings: list[AlgorithmSetting]


class EmpiricalGameInfo(Shape):
    """The payoffs of every combination of some strategies, as far as they are known."""

    id: str
    name: str
    game: str
    labels: list[list[str]] = Field(description="Of the strategies of each player.")
    cells: int = Field(description="Combinations of strategies.")
    known: int = Field(description="Combinations whose payoffs are known.")
    games: int = Field(description="That were simulated; 0 if all payoffs are exact.")
    unit: str = Field(description="What its payoffs are told in.")
    scale: float = Field(description="How many of the unit a point is.")


Payoffs = list[list[float | None]]


class PayoffMatrix(Shape):
    """Payoffs of two players' strategies: rows against columns.

    Any other player plays one of its strategies, or its part of the mixture: of a run its newest mixture, of a saved
    game all strategies equally often.
    """

    id: str
    row_player: int
    column_player: int
    others: list[int | None] = Field(
        description="For each player the strategy that it plays, null for the mixture; null for rows and columns too."
    )
    rows: list[int] = Field(description="The numbers of the strategies: all, or of many some at even distances.")
    columns: list[int]
    row_labels: list[str]
    column_labels: list[str]
    sizes: list[int] = Field(description="How many strategies each player has.")
    payoffs: list[Payoffs] = Field(description="Of each player [rows][columns]; null: not known yet.")
    intervals: list[Payoffs] | None = Field(
        description="Half of the width of their 95 % intervals, null where there is none; null if all are exact."
    )


class StrategyShare(Shape):
    """A strategy of a player, with its probability in the mixture."""

    strategy: int
    label: str
    share: float


class RatedShare(StrategyShare):
    """With what the strategy gets."""

    payoff: float = Field(description="What this strategy gets against the mixture of the others.")


class MixtureAt(Shape):
    """The mixture of a population after an iteration: the strategies that are played."""

    run: str
    at: int
    strategies: list[int] = Field(description="How many each player had.")
    players: list[list[StrategyShare]] = Field(description="Those with a share above 0, of each player.")
    note: str = Field(description="What the meta-solver said of it, if anything.")


class Solution(Shape):
    """A meta-solver's solution of an empirical game."""

    id: str
    meta: str = Field(description="As it was asked for, with its settings.")
    kind: Literal["joint", "independent"]
    players: list[list[RatedShare]] = Field(description="All strategies of each player, the most played first.")
    payoffs: list[float] = Field(description="What each player gets.")
    social_welfare: float
    nash_conv: float = Field(description="What all could gain, if each mixed on its own by these shares.")
    cce_gap: float = Field(description="What all could gain by a strategy chosen before they are told theirs.")
    note: str = Field(description="What the meta-solver says of its answer, if anything.")


class RankingInfo(Shape):
    """A way to rank strategies."""

    name: str
    summary: str
    paper: str


class RankedStrategy(Shape):
    """A strategy in a ranking; intervals hold 95 % of what payoffs give that are drawn anew within their errors."""

    strategy: int
    label: str
    score: float
    low: float
    high: float
    place: int = Field(description="1 for the best; equal scores share a place.")
    best_place: int
    worst_place: int


class RankingOfGame(Shape):
    """The strategies of an empirical game, ranked."""

    id: str
    by: str
    shared: bool = Field(description="All players have the same strategies, and there is one list for all.")
    uncertain: bool = Field(description="Whether payoffs have errors; if not, intervals have no width.")
    players: list[list[RankedStrategy]] = Field(description="The strategies of each player, the best first.")
