"""Matches of poker with less luck in them, of the same expectation: AIVAT for players whose probabilities are known.

Burch et al., *AIVAT: a new variance reduction technique for agent evaluation in imperfect information games* (2018).
With v, what a showdown of the two hands would bring if all is called and nobody bets any more, what comes to pass is
compared with what was to be expected. At a deal that is v itself, which is a mean over the cards to come; at a move it
is the mean of v over the probabilities that the agent gave to its moves. The sum of the differences is luck of known
expectation 0, and is taken off the payoff. All-in, what is left is the equity.

Here both hands are seen, as the arena sees them, and both agents are asked; that is all of AIVAT but its averages over
hands that were not dealt, which cost a thousand times as much. An agent that draws its move by dice of its own and says
only what came of it is not adjusted for that, which leaves luck in, not bias.

`Calm` is a `Batch` that does this: its payoffs are the adjusted ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from parlor import native as compiler
from parlor.agents.agent import Agent, consider
from parlor.arena.batch import PLAYERS, TOO_LONG, Batch
from parlor.arena.poker import folds, share, stake, words_of
from parlor.game import CHANCE, OVER, Game, State
from parlor.kernel import copy, odds, payoff, play, resolve, turn
from parlor.rng import choose


class Calm(Batch):
    """Room for so many games of poker between two agents at a time."""

    def __init__(self, table: Game, agents: Sequence[Agent], size: int) -> None:
        words = words_of(table)
        self.slots = dict(words.slots)
        self.kernel = sit_calmly
        #: a state to try moves on; of each game the sign to expect of its showdown, and its luck so far
        self.more = (compiler.states(table, 1, True), np.zeros((size, 2)), words.most(table))
        super().__init__(table, agents, size)


def worth(s: State, sign: float, gone: bool, most: float) -> float:
    """What player 0 can expect: the payoff if somebody folded, else that of a showdown."""
    return payoff(s, 0) if gone else min(stake(s), most) * sign


def sit_calmly(
    states: Any,
    seats: Any,
    lengths: Any,
    over: Any,
    deals: Any,
    minds: Any,
    payoffs: Any,
    moves: Any,
    weights: Any,
    chances: Any,
    longest: int,
    games: int,
    data: Any,
) -> int:
    """As `batch.sit`, which says what the arguments are, taking luck off the payoffs."""
    mine, trial, notes, most = data
    going = 0
    for g in range(games):
        if over[g] != 0:
            continue
        s = states[g]
        p = seats[g]
        if lengths[g] == 0:
            notes[g][0] = 0.0
            notes[g][1] = 0.0
        who = turn(s)
        while who != OVER:
            if who == CHANCE:
                before = notes[g][0] * min(stake(s), most)  # 0 when there are no hands yet: both expect the same
                while who == CHANCE:
                    play(s, int(choose(deals[g], chances, odds(s, chances))))
                    lengths[g] += 1
                    who = turn(s)
                copy(trial, 0, states, g)
                notes[g][0] = share(trial[0], minds[g][PLAYERS])
                notes[g][1] += notes[g][0] * min(stake(s), most) - before
                continue
            if who != p:
                break
            n = consider(states, g, p, moves, weights, minds[g][p], mine)
            if n < 0:
                return n
            i = choose(minds[g][p], weights, n) if n > 1 else 0
            if n > 1:
                for j in range(n):
                    if weights[j] > 0.0:
                        a = int(resolve(s, int(moves[j])))
                        copy(trial, 0, states, g)
                        play(trial[0], a)
                        value = worth(trial[0], notes[g][0], folds(s, a), most)
                        notes[g][1] += (1.0 if i == j else 0.0) * value - weights[j] * value
            play(s, int(resolve(s, int(moves[i]))))
            lengths[g] += 1
            if lengths[g] > longest:
                return TOO_LONG
            who = turn(s)
        if who == OVER:
            over[g] = 1
            payoffs[g][0] = payoff(s, 0) - notes[g][1]
            payoffs[g][1] = payoff(s, 1) + notes[g][1]
        else:
            going += 1
    return going
