"""Many random games at speed: how long they are, what they pay, and how large a game roughly is."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import copy, key, legal, odds, payoff, play, start, turn
from parlor.game import CHANCE, OVER, Game, GameError
from parlor.game.rng import below, choose, mix, seed_stream


class RandomGamesScratch(NamedTuple):
    """The working memory of random games."""

    states: Any  # [2] the game, and how it starts
    moves: Any  # [actions]
    chances: Any  # [outcomes]
    stream: Any  # [4]


def random_games(scratch: RandomGamesScratch, seed: int, first: int, games: int, longest: int, totals: Any) -> int:
    """Play `games` games at random; returns a hash of everything that happened in them, or -1 if one does not end.

    totals: 0 moves and outcomes, 1 longest game, 2 … payoffs of the players; the last is the sum over games of the
    number of histories each one suggests, 1 + b₁ + b₁b₂ + … with b the branching on its way (Knuth, 1975).
    """
    states, moves, chances, r = scratch
    trace = 0
    players = len(totals) - 3
    start(states[1])
    for index in range(first, first + games):
        seed_stream(r, seed, index)
        copy(states, 0, states, 1)
        s = states[0]
        length = 0
        width = 1.0
        histories = 1.0
        who = turn(s)
        while who != OVER:
            if length >= longest:
                return -1
            if who == CHANCE:
                n = odds(s, chances)
                move = int(choose(r, chances, n))
                width /= chances[move]
            else:
                n = legal(s, moves)
                move = int(moves[below(r, n)])
                width *= n
                trace = mix(trace, key(s, who))
            histories += width
            width = min(width, 1e200)  # larger than any number that is shown
            trace = mix(mix(trace, who), move)
            play(s, move)
            length += 1
            who = turn(s)
        for p in range(players):
            u = payoff(s, p)
            totals[2 + p] += u
            trace = mix(trace, int(u * 65536.0))
        totals[0] += length
        totals[1] = max(totals[1], length)
        totals[players + 2] += histories
    return trace


def run_random_games(game: Game, games: int, seed: int, compiled: bool | None = None) -> tuple[int, Any]:
    """`random_games` with its buffers: the trace and the totals."""
    compiled = game.native if compiled is None else compiled
    kernel = compiler.native(random_games, game) if compiled else compiler.interpret(random_games, game)
    totals = np.zeros(game.players + 3)
    scratch = RandomGamesScratch(
        compiler.states(game, 2, compiled),
        np.zeros(game.actions, np.int64),
        np.zeros(game.outcomes),
        np.zeros(4, np.int64),
    )
    trace = kernel(scratch, seed, 0, games, game.length, totals)
    if trace < 0:
        raise GameError(f"{game.name} went on for more than LENGTH = {game.length} moves; raise LENGTH.")
    return int(trace), totals


def estimate_histories(game: Game, games: int, seed: int = 0, compiled: bool | None = None) -> float:
    """Roughly how many histories the game has, from random games."""
    return float(run_random_games(game, games, seed, compiled)[1][-1] / games)


def estimate_in_time(game: Game, games: int, seconds: float = 2.0) -> tuple[float, bool]:
    """The same in plain Python, and whether there was time for it; if not, a rough lower bound."""
    rules, r, moves, chances = game.rules, [0] * 4, [0] * game.actions, [0.0] * game.outcomes
    deadline = time.thread_time() + seconds
    total = 0.0
    for index in range(games):
        seed_stream(r, 0, index)
        s = game.new_state()
        rules.start(s)
        length, width, histories = 0, 1.0, 1.0
        while (who := rules.turn(s)) != OVER:
            if length >= game.length:
                raise GameError(f"{game.name} went on for more than LENGTH = {game.length} moves; raise LENGTH.")
            if who == CHANCE:
                move = choose(r, chances, rules.odds(s, chances))
                width /= chances[move]
            else:
                n = rules.legal(s, moves)
                move = moves[below(r, n)]
                width *= n
            histories += width
            width = min(width, 1e200)  # larger than any number that is shown
            rules.play(s, move)
            length += 1
            if time.thread_time() > deadline:
                return (total + histories) / (index + 1), False
        total += histories
    return total / games, True
