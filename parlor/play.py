"""Playing: one game between seats, and many random ones at speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor import native as compiler
from parlor.game import CHANCE, OVER, Game, GameError, Position
from parlor.kernel import copy, key, legal, odds, payoff, play, start, turn
from parlor.rng import below, choose, mix, seed_stream

#: Whatever sits at a table: it is shown a position when it is its turn, and answers with a distribution over names.
Agent = Callable[[Position], Mapping[str, float]]


@dataclass(frozen=True)
class Record:
    """A finished game: everything that happened, by name, and the result. It replays with no seed."""

    game: str
    moves: tuple[str, ...]
    payoffs: tuple[float, ...]


def play_game(game: Game, agents: Sequence[Agent], seed: int = 0, index: int = 0) -> Record:
    """Play one game; `(seed, index)` names the random stream that deals and mixes."""
    if len(agents) != game.players:
        raise GameError(f"{game.name} has {game.players} seats, but there are {len(agents)} agents.")
    stream = [0, 0, 0, 0]
    seed_stream(stream, seed, index)
    position = game.start()
    while not position.over:
        position = position.after(sample(position, agents, stream))
    return Record(game.name, position.history, tuple(position.payoffs))


def sample(position: Position, agents: Sequence[Agent], stream: list[int]) -> str:
    """The next move or outcome, drawn from the odds or from the distribution of the agent to move."""
    choices = position.odds if position.turn == CHANCE else agents[position.turn](position)
    names = list(choices)
    return names[choose(stream, list(choices.values()), len(names))]


def replay(game: Game, moves: Sequence[str]) -> Position:
    """The position after the moves of a record."""
    return game.start().after(*moves)


def uniform_agent(position: Position) -> dict[str, float]:
    """Plays every legal move with the same probability."""
    names = position.legal
    return {name: 1.0 / len(names) for name in names}


# --------------------------------------------------------------------------------------------------- at speed


def random_games(
    states: Any, moves: Any, chances: Any, r: Any, seed: int, first: int, games: int, longest: int, totals: Any
) -> int:
    """Play `games` games at random; returns a hash of everything that happened in them, or -1 if one does not end.

    totals: 0 moves and outcomes, 1 longest game, 2 … payoffs of the players; the last is the sum over games of the
    number of histories each one suggests, 1 + b₁ + b₁b₂ + … with b the branching on its way (Knuth, 1975).
    """
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
            width = min(width, 1e200)  # larger than any number that would be told
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
    trace = kernel(
        compiler.states(game, 2, compiled),
        np.zeros(game.actions, np.int64),
        np.zeros(game.outcomes),
        np.zeros(4, np.int64),
        seed,
        0,
        games,
        game.length,
        totals,
    )
    if trace < 0:
        raise GameError(f"{game.name} went on for more than LENGTH = {game.length} moves; LENGTH must be raised.")
    return int(trace), totals


def estimate_histories(game: Game, games: int, seed: int = 0, compiled: bool | None = None) -> float:
    """Roughly how many histories the game has, from random games."""
    return float(run_random_games(game, games, seed, compiled)[1][-1] / games)


def estimate_in_time(game: Game, games: int, seconds: float = 2.0) -> tuple[float, bool]:
    """The same in plain Python, and whether there was time for it; if not, the game has at least about as many."""
    rules, r, moves, chances = game.rules, [0] * 4, [0] * game.actions, [0.0] * game.outcomes
    deadline = time.monotonic() + seconds
    total = 0.0
    for index in range(games):
        seed_stream(r, 0, index)
        s = game.new_state()
        rules.start(s)
        length, width, histories = 0, 1.0, 1.0
        while (who := rules.turn(s)) != OVER:
            if length >= game.length:
                raise GameError(
                    f"{game.name} went on for more than LENGTH = {game.length} moves; LENGTH must be raised."
                )
            if who == CHANCE:
                move = choose(r, chances, rules.odds(s, chances))
                width /= chances[move]
            else:
                n = rules.legal(s, moves)
                move = moves[below(r, n)]
                width *= n
            histories += width
            width = min(width, 1e200)  # larger than any number that would be told
            rules.play(s, move)
            length += 1
            if time.monotonic() > deadline:
                return (total + histories) / (index + 1), False
        total += histories
    return total / games, True
