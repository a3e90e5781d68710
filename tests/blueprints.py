"""A blueprint that is trained in no time, for tests of what is made of it."""

from __future__ import annotations

import functools

from parlor.game.loading import load
from parlor.poker.blueprint import Blueprint
from parlor.poker.public_tree import public_tree
from parlor.runs.learners.learner import Job
from parlor.runs.learners.mccfr_public import PublicLearner, PublicSettings

GAMES = 4000


@functools.cache
def tiny_blueprint(
    game: str = "holdem(stack=20,streets=2)/pot", cards: str = "suitless", buckets: tuple[int, ...] = ()
) -> Blueprint:
    """Two streets of hold'em with few chips; most of its rows on the flop are never met."""
    return trained_blueprint(game, cards, buckets, GAMES)


def trained_blueprint(game: str, cards: str, buckets: tuple[int, ...], games: int) -> Blueprint:
    """A blueprint after so many games."""
    table = load(game)
    public_tree(table, compiled=False)  # so small that compiling would take longer
    learner = PublicLearner(Job(table, PublicSettings(cards, buckets)))
    learner.run_to(games)
    return learner.policy()


def tiny_river(game: str = "holdem(stack=20)/fcpa") -> Blueprint:
    """The same with all four streets and a few buckets."""
    return tiny_blueprint(game, "ehs", (10,))
