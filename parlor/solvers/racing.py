"""The algorithm `auto`: some variants of CFR race for a few iterations, and the best of them solves the game."""

from __future__ import annotations

from typing import NamedTuple

from parlor.game import Game
from parlor.sequence_form.enumeration import ImperfectRecall, TooLarge
from parlor.sequence_form.tree import tree
from parlor.solvers.cfr import Cfr
from parlor.solvers.sampling.mccfr import traversal

AUTO = "auto"
RACERS = ("cfr+", "dcfr", "dcfr+", "pcfr+", "pdcfr+", "hs-pcfr+")
LAPS = range(20, 301)  # iterations of each: predictive variants need some hundreds to show what they can do
WORK = 5e8  # entries of the tree for each, unless the game is so large that this is too few iterations
SHORT = 1e6  # lines of a player's moves that external sampling visits in a second or so


class Choice(NamedTuple):
    """The algorithm of a game, and the reason for it."""

    algorithm: str
    reason: str


def race(game: Game) -> Choice:
    """Which algorithm suits a game: by its size alone if it cannot be enumerated, else by a race.

    The race depends on nothing but the game, so that the choice can be repeated.
    """
    try:
        t = tree(game)
    except (TooLarge, ImperfectRecall) as error:
        why = "is too large to be enumerated" if isinstance(error, TooLarge) else "has imperfect recall"
        short = game.players > 1 and traversal(game) <= SHORT
        name = "mccfr-external" if short else "mccfr-outcome"
        return Choice(name, f"{name}, since {game.name} {why} and its games are {'short' if short else 'long'}")
    laps = min(max(int(WORK / max(len(t.weight), 1)), LAPS[0]), LAPS[-1])
    reached = {}
    for name in RACERS:
        runner = Cfr(game, name)
        runner.run(laps)
        reached[name] = max(runner.nash_conv(), 0.0) / game.players
    best = min(reached, key=lambda name: reached[name])
    others = ", ".join(f"{name} {reached[name]:.2g}" for name in RACERS if name != best)
    return Choice(best, f"{best}: after {laps} iterations its exploitability is {reached[best]:.2g} ({others})")
