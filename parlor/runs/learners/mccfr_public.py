"""`mccfr-public`: external sampling over a tree of public moves, with hands in buckets (`parlor.poker.public_mccfr`).

A game is an iteration: one traversal for each player over one deal, of which there are millions a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.game import Game, GameError
from parlor.game.parameters import Settings, setting
from parlor.poker.blueprint import Blueprint, blueprint
from parlor.poker.hands.buckets import ABSTRACTIONS, Buckets, default_counts
from parlor.poker.public_mccfr import Dealer, PublicMccfr
from parlor.poker.public_tree import Layout, PublicTree, public_tree
from parlor.runs.learners.learner import NONE, UNORDERED, Entry, Job, LearnerRow, SolverLearner
from parlor.runs.measures import INFOSETS, MetricColumn


@dataclass(frozen=True)
class PublicSettings(Settings):
    """The card abstraction, and pruning."""

    cards: str = setting("kmeans", "the card abstraction", words=tuple(ABSTRACTIONS), flag="abstraction")
    buckets: tuple[int, ...] = setting(
        (),
        f"buckets on each street after the first, or one number for all of them; {default_counts('')[0]}",
        items=int,
    )
    prune: float = setting(
        0.0, "prune moves whose regret is below minus this many times the largest pot; 0 for none", low=0.0
    )

    def __post_init__(self) -> None:
        """Fill in the default number of buckets of the card abstraction."""
        super().__post_init__()
        if not self.buckets:
            object.__setattr__(self, "buckets", default_counts(self.cards))


@dataclass(frozen=True, eq=False)
class TrainingPlan:
    """A tree of moves and its buckets."""

    tree: PublicTree
    cards: Buckets
    layout: Layout
    advice: str = "Choose fewer buckets, or an abstraction with fewer moves."

    @staticmethod
    def of(game: Game, settings: PublicSettings) -> TrainingPlan:
        """The plan for an abstraction of a game."""
        if game.abstraction.public_history is None or game.poker is None or game.poker.card_abstractions is None:
            raise GameError(
                f"{NAME} needs an abstraction of the bets of a card game whose moves are all public, "
                f"and {game.name} is not one."
            )
        tree = public_tree(game)
        cards = game.poker.card_abstractions.buckets(settings.cards, settings.buckets, tree.streets)
        return TrainingPlan(tree, cards, Layout(tree, (cards.counts,) * game.players))

    @property
    def dealer(self) -> Dealer:
        """The dealer of the game's card abstraction."""
        cards = self.tree.game.poker.card_abstractions
        return Dealer(self.layout.buckets, cards.deal, (cards.shown, *self.cards.data))

    @property
    def memory(self) -> int:
        """Bytes of memory that training needs, the blueprint included."""
        return self.layout.bytes + self.layout.bytes // 8 + self.cards.bytes

    @property
    def disk(self) -> int:
        """Bytes of two complete checkpoints and a draft."""
        return 3 * (self.layout.bytes + self.layout.bytes // 8)

    def __str__(self) -> str:
        buckets = " + ".join(f"{count:,}" for count in self.cards.counts)
        return (
            f"{len(self.tree):,} decisions in the tree, {buckets} buckets: {self.layout.infosets:,} information sets; "
            f"memory {self.layout.bytes / 1e6:,.0f} MB, and {self.cards.bytes / 1e6:,.0f} MB of card tables"
        )


class PublicLearner(SolverLearner):
    """A table over the public tree."""

    def __init__(self, job: Job) -> None:
        self.plan: TrainingPlan = job.plan or TrainingPlan.of(job.game, job.settings)
        self.settings: PublicSettings = job.settings
        self.solver = PublicMccfr(self.plan.tree, self.plan.dealer, job.seed, job.workers, prune=job.settings.prune)

    @property
    def _mark(self) -> Any:
        """The mark of the buckets, as an array."""
        return np.frombuffer(self.plan.cards.mark.encode(), np.uint8)

    def policy(self) -> Blueprint:
        """The average strategy."""
        about = {
            "algorithm": self.solver.name, "games": self.games, "seed": self.solver.seed, "mark": self.plan.cards.mark,
        }  # fmt: skip
        return blueprint(self.solver, self.settings.cards, self.settings.buckets, about)

    def statistics(self) -> dict[str, Any]:
        """The share of information sets that have been visited."""
        whole = self.solver.layout.infosets
        return {"infosets": [whole], "touched": round(whole * self.solver.touched())}

    def entries(self) -> Iterator[Entry]:
        """The whole table, as one entry."""
        yield {"cells": self.solver.cells, "mark": self._mark}

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Restore the table."""
        [entry] = entries
        if entry["cells"].shape != self.solver.cells.shape:
            raise GameError("Its table has a different size.")
        if not np.array_equal(entry["mark"], self._mark):
            raise GameError("Its buckets are not those of this version.")
        self.solver.cells[:] = entry["cells"]
        self.solver.iterations = games


NAME = PublicMccfr.name
ROW = LearnerRow(
    "Monte-Carlo CFR over a tree of public moves, with cards in buckets; for poker",
    PublicSettings,
    PublicLearner,
    (UNORDERED, NONE),
    usual={
        "games": 0, "minutes": 10.0, "evaluate_every": 0, "evaluate_games": 50_000, "checkpoint_every": 0,
        "checkpoint_minutes": 5.0,
    },
    plan=TrainingPlan.of,
    measures={"infosets": INFOSETS, "touched": MetricColumn("Information sets visited", "higher")},
)  # fmt: skip
