"""`mccfr-public`: external sampling over a tree of public moves, with hands in buckets (`parlor.poker.public_mccfr`).

A game is an iteration: one traversal for each player over one deal, of which there are millions a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from parlor.game import Game, GameError
from parlor.poker.blueprint import Blueprint, blueprint
from parlor.poker.buckets import ABSTRACTIONS, Buckets, usual_counts
from parlor.poker.public_mccfr import Dealer, PublicMccfr
from parlor.poker.public_tree import Layout, PublicTree, public_tree
from parlor.runs.learners.learner import NONE, UNORDERED, Entry, Job, LearnerRow
from parlor.runs.measures import INFOSETS, Measure
from parlor.settings import Settings, setting


@dataclass(frozen=True)
class PublicSettings(Settings):
    """How hands are told apart, and what is left out."""

    cards: str = setting(
        "kmeans", "how it sees its cards: the card abstraction", words=tuple(ABSTRACTIONS), flag="abstraction"
    )
    buckets: tuple[int, ...] = setting(
        (),
        f"kinds of hands on each street after the first, or one number for all of them; {usual_counts('')[0]}",
        of=int,
    )
    prune: float = setting(0.0, "leave out moves that are hopeless by so many of the largest pots; 0 for none", low=0.0)

    def __post_init__(self) -> None:
        """A card abstraction has its usual number of buckets if nobody says another."""
        super().__post_init__()
        if not self.buckets:
            object.__setattr__(self, "buckets", usual_counts(self.cards))


@dataclass(frozen=True, eq=False)
class TrainingPlan:
    """A tree of moves and its buckets."""

    tree: PublicTree
    cards: Buckets
    layout: Layout
    advice: str = "Choose fewer buckets, or an abstraction with fewer moves."

    @staticmethod
    def of(game: Game, settings: PublicSettings) -> TrainingPlan:
        """For an abstraction of a game."""
        if game.public_history is None or game.card_abstractions is None:
            raise GameError(
                f"{NAME} learns games of cards whose moves are all public, by an abstraction of their bets, "
                f"and {game.name} is none."
            )
        tree = public_tree(game)
        cards = game.card_abstractions.buckets(settings.cards, settings.buckets, tree.streets)
        return TrainingPlan(tree, cards, Layout(tree, (cards.counts,) * game.players))

    @property
    def dealer(self) -> Dealer:
        """Who deals."""
        cards = self.tree.game.card_abstractions
        return Dealer(self.layout.buckets, cards.deal, (cards.shown, *self.cards.data))

    @property
    def memory(self) -> int:
        """Bytes that training takes, the strategy that is written included."""
        return self.layout.bytes + self.layout.bytes // 8 + self.cards.bytes

    @property
    def disk(self) -> int:
        """Bytes of two whole checkpoints and a draft."""
        return 3 * (self.layout.bytes + self.layout.bytes // 8)

    def __str__(self) -> str:
        buckets = " + ".join(f"{count:,}" for count in self.cards.counts)
        return (
            f"{len(self.tree):,} decisions in the tree, {buckets} buckets: {self.layout.infosets:,} information sets; "
            f"memory {self.layout.bytes / 1e6:,.0f} MB, and {self.cards.bytes / 1e6:,.0f} MB of card tables"
        )


class PublicLearner:
    """A table over the public tree."""

    def __init__(self, job: Job) -> None:
        self.plan: TrainingPlan = job.plan or TrainingPlan.of(job.game, job.settings)
        self.settings: PublicSettings = job.settings
        self.solver = PublicMccfr(self.plan.tree, self.plan.dealer, job.seed, job.workers, prune=job.settings.prune)

    @property
    def games(self) -> int:
        """Iterations so far."""
        return self.solver.iterations

    def run_to(self, games: int) -> None:
        """Go on until so many iterations are done."""
        self.solver.run(games - self.games)

    def policy(self) -> Blueprint:
        """The average strategy."""
        about = {
            "algorithm": self.solver.name, "games": self.games, "seed": self.solver.seed, "mark": self.plan.cards.mark,
        }  # fmt: skip
        return blueprint(self.solver, self.settings.cards, self.settings.buckets, about)

    def statistics(self) -> dict[str, Any]:
        """How many information sets have been met."""
        whole = self.solver.layout.infosets
        return {"infosets": [whole], "touched": round(whole * self.solver.touched())}

    def work(self) -> dict[str, int]:
        """Nothing is counted but iterations."""
        return {}

    def entries(self) -> Iterator[Entry]:
        """The whole table, as one."""
        yield {"cells": self.solver.cells}

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Put the table back."""
        [entry] = entries
        if entry["cells"].shape != self.solver.cells.shape:
            raise GameError("Its table has another size.")
        if entry.get("mark") not in (None, self.plan.cards.mark):
            raise GameError("Its hands were put into other buckets than they are now.")
        self.solver.cells[:] = entry["cells"]
        self.solver.iterations = games

    def close(self) -> None:
        """Its threads end with every call."""


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
    measures={"infosets": INFOSETS, "touched": Measure("Information sets met", "higher")},
)  # fmt: skip
