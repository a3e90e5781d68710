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
from parlor.learn.batched_games import BatchedGames
from parlor.learn.buffers import new_buffers
from parlor.learn.network_search import NATIVE, NetworkSearch, search_seeds
from parlor.policies.opponents import OpponentLineups
from parlor.policies.population import Population
from parlor.policies.search_networks import SearchNetworks
from parlor.policies.strategy import Strategy

SEARCHING = 1  # names the random streams of searches; those of games have the seed itself


def play_batched_match(
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
    searchers: dict[int, NetworkSearch] = {}
    for p, one in enumerate(seats):
        search_networks = getattr(one, "search_networks", None)
        if rational and rational[p]:
            searchers[p] = NetworkSearch(
                game, _others(game, p, one), games, _newest(one, p), simulations, evaluate, belief="exact"
            )
        elif search_networks is not None and search_networks.others is not None:
            searchers[p] = NetworkSearch(game, search_networks.others, games, search_networks, simulations, evaluate)
    together = BatchedGames(game, _lineups(game, seats, searchers), games)
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


def _lineups(game: Game, seats: Sequence[Strategy], searchers: dict[int, NetworkSearch]) -> Any:
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
    return found.arrays()


def _others(game: Game, player: int, population: Strategy) -> Any:
    found = OpponentLineups(game)
    assert isinstance(population, Population)
    found.add_mixture(player, population.members, population.mixture)
    return found.arrays()


def _newest(population: Strategy, player: int) -> SearchNetworks:
    newest = population.newest[player] if isinstance(population, Population) else None
    search_networks: SearchNetworks | None = getattr(newest, "search_networks", None)
    if search_networks is None:
        raise GameError(f"The newest strategy of player {player} did not learn from search, so it cannot plan on.")
    return search_networks
