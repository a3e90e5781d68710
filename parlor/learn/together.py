"""Matches of those who search, many games at once: all searches of a seat advance together.

The same moves as at a table, in less time where searches are many; matches of `parlor.arena` take any agents instead.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from parlor.game import Game
from parlor.game.errors import GameError
from parlor.game.rng import mix
from parlor.learn.buffers import new_buffers
from parlor.learn.lockstep import Lockstep
from parlor.learn.searcher import NATIVE, Searcher, search_seeds
from parlor.policies.opponents import OpponentLineups
from parlor.policies.planner import Planner
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy

SEARCHING = 1  # names the random streams of searches; those of games have the seed itself


def play_together(
    game: Game,
    seats: Sequence[Strategy],
    games: int,
    seed: int,
    rational: Sequence[bool] = (),
    simulations: int = 0,
    evaluate: str = NATIVE,
) -> Any:
    """[games, players] payoffs of strategies in their seats.

    A population draws a member for each game; where `rational`, it plans against the others' members instead. A network
    that was trained to search when it plays does so; with the belief `true` it searches in the true world, to measure
    what knowing it is worth. `simulations` is 0 for as many as they learned with.
    """
    searchers: dict[int, Searcher] = {}
    for p, one in enumerate(seats):
        planner = getattr(one, "planner", None)
        if rational and rational[p]:
            searchers[p] = Searcher(
                game, _others(game, p, one), games, _newest(one, p), simulations, evaluate, belief="exact"
            )
        elif planner is not None and planner.others is not None:
            searchers[p] = Searcher(game, planner.others, games, planner, simulations, evaluate)
    together = Lockstep(game, _lineups(game, seats, searchers), games)
    together.begin(seed, 0)
    nothing, played = new_buffers(0, 0, 0, 0), together.games
    while len(waiting := together.advance(nothing)):
        for p, searcher in searchers.items():
            mine = waiting[played.turn[waiting] == p]
            if len(mine):
                seeds = search_seeds(mix(seed, SEARCHING), mine, played.length[mine])
                found = searcher.run(played.states[mine], played.turn[mine], seeds)
                together.decide(mine, found, nothing)
    return played.payoffs.copy()


def _lineups(game: Game, seats: Sequence[Strategy], searchers: dict[int, Searcher]) -> Any:
    """The line-ups of seats that do not search: of populations each member with its probability in the mixture."""
    fixed = [p for p in range(game.players) if p not in searchers]
    choices = []
    for p in fixed:
        one = seats[p]
        mixed = [(one, 1.0)]
        if isinstance(one, Population):
            mixed = list(zip(one.members[p], one.mixture.marginals[p].tolist(), strict=True))
        choices.append([(member, share) for member, share in mixed if share > 0.0])
    found = OpponentLineups(game)
    for chosen in itertools.product(*choices):
        share = float(np.prod([share for _, share in chosen]))
        found.add({p: member for p, (member, _) in zip(fixed, chosen, strict=True)}, share)
    return found.members()


def _others(game: Game, player: int, population: Strategy) -> Any:
    found = OpponentLineups(game)
    assert isinstance(population, Population)
    found.add_mixture(player, population.members, population.mixture)
    return found.members()


def _newest(population: Strategy, player: int) -> Planner:
    newest = population.newest[player] if isinstance(population, Population) else None
    planner: Planner | None = getattr(newest, "planner", None)
    if planner is None:
        raise GameError(f"The newest strategy of player {player} did not learn from search, so it cannot plan on.")
    return planner
