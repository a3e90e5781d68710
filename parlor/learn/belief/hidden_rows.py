"""Decisions for a belief to learn from: what a player saw, what was hidden, and what chance alone would have drawn.

Games are played by a policy in all seats, in one compiled loop. Every eighth game is held out: nothing is learned from
it, and more worlds are drawn at its decisions, so that it can be told how well the true one is recognized among them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import States, copy, deal, legal, play, start, turn
from parlor.game import CHANCE, OVER, Game, Ints, State
from parlor.game.rng import mix, seed_stream
from parlor.learn.experience import pack, spread
from parlor.policies.features import features
from parlor.policies.hidden_numbers import forget_memory, hidden_numbers, read_hidden
from parlor.policies.opponents import NetworkWorkspace, encode_view, workspace
from parlor.search.learned.weighed_worlds import proposal, proposal_data, propose_world
from parlor.search.rollout import Rollout, move_by_policy, new_rollout
from parlor.search.searches import OwnPolicy

HELD_OUT = 8  # every so many games one that nothing is learned from
CONTRASTS = 31  # worlds that are drawn at a decision of such a game
HELD_ROWS = 512  # decisions of such games that are kept


class HiddenRows(NamedTuple):
    """N decisions, the latest ones; D worlds drawn for each."""

    seen: Any  # [N, ⌈F/63⌉] features, as bits
    real: Any  # [N, J] the hidden numbers
    drawn: Any  # [N, D, J] those of worlds by chance alone
    count: Any  # [1] ever written


class RowScratch(NamedTuple):
    """Working memory of the kernels."""

    states: Any  # [4] the game, how it starts, a blank one, and a world
    moves: Any  # [A]
    odds: Any  # [outcomes]
    draws: Any  # [4] the random stream of worlds
    numbers: Any  # [J]
    workspace: NetworkWorkspace
    source: Any  # what `propose_world` gets


def new_rows(game: Game, places: int, worlds: int) -> HiddenRows:
    """Room for so many decisions."""
    numbers = len(hidden_numbers(game).code)
    return HiddenRows(
        np.zeros((places, max(-(-features(game).size // 63), 1)), np.int64),
        np.zeros((places, numbers), np.int64),
        np.zeros((places, worlds, numbers), np.int64),
        np.zeros(1, np.int64),
    )


def row_scratch(game: Game) -> RowScratch:
    """Working memory for compiled kernels."""
    return RowScratch(
        compiler.states(game, 4, True),
        np.zeros(game.actions, np.int64),
        np.zeros(game.outcomes),
        np.zeros(4, np.int64),
        np.zeros(len(hidden_numbers(game).code), np.int64),
        workspace(features(game).code, 1, game.actions),
        proposal_data(game, True),
    )


class HiddenGames:
    """Plays games of one policy into rows."""

    def __init__(self, game: Game, player: OwnPolicy) -> None:
        self._scratch = row_scratch(game)
        self._rollout = new_rollout(game, game.length, player.data(True), True)
        self._play = compiler.native(play_for_rows, game, {**player.slots, **proposal(game)})

    def play(self, rows: HiddenRows, held: HiddenRows, seed: int, first: int, games: int) -> None:
        """Games `first` and on."""
        self._play(self._scratch, self._rollout, rows, held, seed, first, games, mix(seed, 1))


# --------------------------------------------------------------------------------------------------- kernels


def play_for_rows(
    scratch: RowScratch,
    rollout: Rollout,
    rows: HiddenRows,
    held: HiddenRows,
    seed: int,
    first: int,
    games: int,
    drawing: int,
) -> None:
    """Play games, and write all decisions where there is a choice."""
    states = scratch.states
    copy(states, 1, states, 2)  # `start` wants a blank state, also the second time
    start(states[1])
    for index in range(first, first + games):
        seed_stream(rollout.luck, seed, index)
        seed_stream(scratch.draws, drawing, index)
        copy(states, 0, states, 1)
        s = states[0]
        who = turn(s)
        while who != OVER:
            if who == CHANCE:
                play(s, int(deal(s, scratch.odds, rollout.luck)))
            else:
                if legal(s, scratch.moves) > 1:
                    write_row(scratch, held if index % HELD_OUT == HELD_OUT - 1 else rows, states, 0, who)
                move_by_policy(states, 0, who, rollout)
            who = turn(s)


def write_row(scratch: RowScratch, rows: HiddenRows, states: States, g: int, p: int) -> None:
    """Write what player `p` sees in `states[g]`, what is hidden, and what might be."""
    i = rows.count[0] % len(rows.seen)
    rows.count[0] += 1
    pack(scratch.workspace.active, encode_view(states[g], p, scratch.workspace), rows.seen[i])
    copy(scratch.states, 3, states, g)
    write_hidden(scratch.states[3], p, scratch.numbers, rows.real[i])
    for k in range(rows.drawn.shape[1]):
        propose_world(scratch.states, 3, states, g, p, scratch.draws, scratch.source)
        write_hidden(scratch.states[3], p, scratch.numbers, rows.drawn[i, k])


def write_hidden(s: State, p: int, numbers: Ints, out: Ints) -> None:
    """Write the numbers that are hidden from a player, when the others have forgotten what they only remember."""
    forget_memory(s, p)
    read_hidden(s, p, numbers)
    for j in range(len(out)):
        out[j] = numbers[j]


def unpack(seen: Any, out: Any) -> None:
    """Features of many rows as zeros and ones."""
    for i in range(len(seen)):
        spread(seen[i], out[i])
