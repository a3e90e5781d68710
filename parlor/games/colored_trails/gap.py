"""The Pareto gap of play in Colored Trails: how far what comes about on each board stays behind its frontier.

Any agents can be measured; a line-up says who sits in each seat of a game, so that strategies of a population can be
drawn together. Strategies that were learned on one set of boards are measured on another by `moved`: its rules differ
in nothing but the boards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.arena.batch import Batch, note_deal
from parlor.arena.measures import Lineups, Payoffs
from parlor.arena.statistics import Estimate, mean
from parlor.compile import version
from parlor.game import Game, Ints
from parlor.games.colored_trails.boards import COUNT_BITS, PLACE_BITS, PROPOSERS, RESPONDER, Board
from parlor.games.colored_trails.frontier import Outcome, frontier, gap
from parlor.games.colored_trails.paths import COLOURS, TILE_BITS, TILES


@dataclass(frozen=True)
class BoardOutcome:
    """The mean outcome of the games on a board."""

    board: Board
    outcome: Outcome
    games: int

    @property
    def gap(self) -> float:
        """The distance to the board's frontier."""
        return gap(self.outcome, frontier(self.board))


@dataclass(frozen=True)
class ParetoGap:
    """Play on some boards, in the order of the boards' numbers."""

    boards: tuple[BoardOutcome, ...]

    @property
    def estimate(self) -> Estimate:
        """The mean over boards, with an interval for boards like these."""
        return mean(np.array([one.gap for one in self.boards]), 1)

    @property
    def outcome(self) -> Outcome:
        """The mean gains of the proposer with the deal and of the responder, over boards."""
        return mean_outcome([one.outcome for one in self.boards])


def no_deal(boards: Sequence[Board]) -> ParetoGap:
    """If nobody ever trades."""
    return ParetoGap(tuple(BoardOutcome(board, (0.0, 0.0), 0) for board in boards))


def note_board(states: Any, g: int, r: Ints, watch: Any) -> None:
    """An observer: write down the board, packed as `boards` does it."""
    s = states[g]
    tiles, places, chips = 0, 0, 0
    for i in range(TILES):
        tiles |= s.tiles[i] << TILE_BITS * i
        if s.pieces[i] > 0:
            places |= i << PLACE_BITS * (s.pieces[i] - 1)
    for colour in range(COLOURS):
        chips |= s.stock[colour] << COUNT_BITS * (RESPONDER * COLOURS + colour)
        for q in range(PROPOSERS):
            chips |= s.chips[RESPONDER][q][colour] << COUNT_BITS * (q * COLOURS + colour)
    noted = watch[0]
    noted[g, 0], noted[g, 1], noted[g, 2] = tiles, places, chips


class BoardBatch(Batch):
    """Games, and the boards that they were played on."""

    def __init__(self, concrete: Game, agents: Sequence[CompiledAgent], size: int) -> None:
        self.boards = np.zeros((size, 3), np.int64)
        self.slots = {note_deal: note_board}
        self.watch = (self.boards,)
        super().__init__(concrete, agents, size)


def pareto_gap(game: Game, agents: Sequence[CompiledAgent], lineups: Lineups, seed: int = 0) -> ParetoGap:
    """Play a game with each line-up [games, 3], on boards that are dealt at random."""
    batch = BoardBatch(game, agents, len(lineups))
    return of_games(batch.play(seed, 0, 1, lineups), batch.boards)


def of_games(payoffs: Payoffs, boards: Any) -> ParetoGap:
    """The outcomes by board; of two proposers only the one whose offer was accepted gains anything."""
    by_board: dict[Board, list[Outcome]] = defaultdict(list)
    for (first, second, responder), (tiles, places, chips) in zip(payoffs.tolist(), boards.tolist(), strict=True):
        by_board[tiles, places, chips].append((first + second, responder))
    return ParetoGap(
        tuple(BoardOutcome(board, mean_outcome(found), len(found)) for board, found in sorted(by_board.items()))
    )


def mean_outcome(found: Sequence[Outcome]) -> Outcome:
    """The mean of both numbers."""
    gains = np.mean(found, axis=0)
    return float(gains[0]), float(gains[1])


def moved(strategy: Any, game: Game) -> Any:
    """A network for Colored Trails with other boards of it: it reads and does the same on all of them."""
    return replace(strategy, game=game.name, rules=version(game))
