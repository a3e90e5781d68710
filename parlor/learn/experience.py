"""Games that a network learns from, played in one compiled loop: the learner explores, members play their strategies.

Every game has a random stream of its own, named by the seed and the number of the game, so that it is the same game
wherever it is played.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import copy, deal, legal, payoff, play, start, turn
from parlor.game import CHANCE, OVER, Game, GameError
from parlor.game.rng import below, choose, seed_stream, uniform
from parlor.learn.replay import LAST, Ring, write_decision
from parlor.policies.members import LEARNER, MemberMind, Members, look, mind, slots_of, value_moves, weigh_member
from parlor.policies.nets import softmax

TOO_LONG, OTHER_RULES = -1, -2


class Exploring(NamedTuple):
    """The exploration of the learner: softmax at a temperature, greedy at 0; and random moves with a probability.

    Both go down linearly, from one number to the other, in the first games.
    """

    random: tuple[float, float]
    temperature: tuple[float, float]
    games: int


class ExperienceScratch(NamedTuple):
    """Working memory of the loop."""

    states: Any  # [3] the game, how it starts, and a blank one
    moves: Any  # [A]
    weights: Any  # [A]
    chances: Any  # [outcomes]
    stream: Any  # [4]
    last: Any  # [P] the place of each player's last decision


class TrainingPlayer:
    """Plays games into a ring."""

    def __init__(self, game: Game, code: Any, sizes: Any, members: Members, compiled: bool = True) -> None:
        self.game, self.members = game, members
        self._kernel = (compiler.native if compiled else compiler.interpret)(play_games, game, slots_of(members))
        self._sizes = np.array(sizes, np.int64)
        self._mind = mind(
            code, max(max(sizes), int(members.sizes.max(initial=0))), game.actions, compiler.states(game, 1, compiled)
        )
        self._scratch = ExperienceScratch(
            compiler.states(game, 3, compiled),
            np.zeros(game.actions, np.int64),
            np.zeros(game.actions),
            np.zeros(game.outcomes),
            np.zeros(4, np.int64),
            np.zeros(game.players, np.int64),
        )

    def play(self, ring: Ring, weights: Any, how: Exploring, scale: float, seed: int, first: int, games: int) -> int:
        """Games `first` and on; returns how many decisions were written into the ring."""
        done = self._kernel(
            self._scratch, self._mind, ring, self._sizes, weights, self.members, how, 1.0 / scale,
            self.game.length, seed, first, games,
        )  # fmt: skip
        if done == TOO_LONG:
            raise GameError(f"{self.game.name} went on for more than LENGTH = {self.game.length} moves.")
        if done == OTHER_RULES:
            raise GameError(f"An opponent's table does not fit {self.game.name}: it was made for other actions.")
        return int(done)


def play_games(
    scratch: ExperienceScratch,
    mind: MemberMind,
    ring: Ring,
    sizes: Any,
    weights: Any,
    members: Members,
    how: Exploring,
    unit: float,
    longest: int,
    seed: int,
    first: int,
    games: int,
) -> int:
    """Play games into the ring; how many decisions of the learner there were, or a negative number on failure."""
    states, moves, chances_of_moves, chances, r, last = scratch
    players = len(last)
    written = 0
    copy(states, 1, states, 2)  # `start` wants a blank state, also the second time
    start(states[1])
    for index in range(first, first + games):
        seed_stream(r, seed, index)
        copy(states, 0, states, 1)
        s = states[0]
        lineup = members.lineups[choose(r, members.shares, len(members.shares)) if len(members.shares) > 1 else 0]
        fresh = max(0.0, 1.0 - index / how.games)
        explore = how.random[1] + (how.random[0] - how.random[1]) * fresh
        temperature = how.temperature[1] + (how.temperature[0] - how.temperature[1]) * fresh
        for p in range(players):
            last[p] = LAST
        length = 0
        room = len(ring.action)  # a game longer than the ring must not run over its own beginning
        who = turn(s)
        while who != OVER:
            if length >= longest:
                return TOO_LONG
            length += 1
            if who == CHANCE:
                play(s, deal(s, chances, r))
                who = turn(s)
                continue
            n = legal(s, moves)
            i = 0
            if n > 1 and lineup[who] == LEARNER:
                count = look(s, who, mind)
                if explore > 0.0 and uniform(r) < explore:
                    i = below(r, n)
                else:
                    value_moves(sizes, weights, count, moves, n, mind)
                    softmax(mind.values, n, temperature, chances_of_moves)
                    i = choose(r, chances_of_moves, n)
                if room > 0:
                    room -= 1
                    place = write_decision(ring, mind.active, count, moves, n, i)
                    if last[who] != LAST:
                        ring.after[last[who]] = place
                    last[who] = place
                    written += 1
            elif n > 1:
                if not weigh_member(members, lineup[who], s, who, moves, n, chances_of_moves, mind):
                    return OTHER_RULES
                i = choose(r, chances_of_moves, n)
            play(s, int(moves[i]))
            who = turn(s)
        for p in range(players):
            if last[p] != LAST:
                ring.payoff[last[p]] = payoff(s, p) * unit
    return written
