"""Payoffs of cells from games: every member of a cell sits in its own seat, and nobody changes seats.

The games of a cell are named by the seed and the cell, so that they are the same whoever plays them, in whatever order.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from parlor.agents.registry import policy_agent
from parlor.game import Game, GameError
from parlor.game.loading import as_game, load
from parlor.game.rng import mix
from parlor.policies.strategy import Strategy
from parlor.population.empirical import cells
from parlor.population.empirical.empirical_game import Cell
from parlor.population.psro import OpponentArrays
from parlor.runs.workers import Pool, ThreadPool

CELLS = 2  # names the random streams of cells
SHARES = 4  # of the cells, for each worker

Played = tuple[int, list[float], list[float]]  # games, sums, sums of squares


@dataclass(frozen=True)
class Share:
    """Some cells for one worker, with the members in them by player and number."""

    game: Game | str
    members: dict[tuple[int, int], Strategy]
    cells: Sequence[Cell]
    games: int
    seed: int


class CellSimulator:
    """Plays cells; `done` of `total` are played."""

    def __init__(self, game: Game, games: int, seed: int, pool: Pool | None = None) -> None:
        self.game, self.games, self.seed = game, games, mix(mix(0, seed), CELLS)
        self.pool: Pool = pool or ThreadPool(1)
        self.done = self.total = 0

    def __call__(self, cells: Sequence[Cell], members: OpponentArrays) -> list[Played]:
        """For each cell, how many games were played, and the sums of the payoffs and of their squares."""
        here = isinstance(self.pool, ThreadPool)
        size = max(1, -(-len(cells) // (SHARES * self.pool.workers)))
        shares = [
            Share(
                self.game if here else self.game.name,
                {(p, i): members[p][i] for cell in some for p, i in enumerate(cell)},
                some,
                self.games,
                self.seed,
            )
            for some in (cells[at : at + size] for at in range(0, len(cells), size))
        ]
        self.done, self.total = 0, len(cells)
        played: list[Played] = []
        for some in self.pool.map(play_share, shares):
            played += some
            self.done = len(played)
        return played


def play_share(share: Share) -> list[Played]:
    """Play the cells of a share."""
    game = loaded(share.game) if isinstance(share.game, str) else share.game
    agents = {place: policy_agent(one, game, name_of(*place)) for place, one in share.members.items()}
    played: list[Played] = []
    for cell in share.cells:
        names = [name_of(*place) for place in enumerate(cell)]
        seated = [agents[place] for place in enumerate(cell)]
        try:
            tally = cells.play_cell(game, seated, names, share.games, functools.reduce(mix, cell, share.seed))
        except GameError as error:
            raise GameError(f"The games between {', '.join(names)} could not be played: {error}") from None
        played.append((tally.games, tally.sums["payoff"].tolist(), tally.squares["payoff"].tolist()))
    return played


def name_of(player: int, number: int) -> str:
    """A member, for people; strategy 0 is uniform play."""
    return f"strategy {number} of player {player}"


@functools.lru_cache(maxsize=4)
def loaded(name: str) -> Game:
    """One game for each worker process, so that nothing is compiled twice."""
    return as_game(load(name))
