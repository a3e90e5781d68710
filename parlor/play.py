"""Playing: one game between seats, and many random ones at speed.

There is one play loop, `play_on`. Every player takes a seat: a compiled agent, a policy, Python code that gets
observations (`parlor.python_agent`), a person at a terminal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from parlor import native as compiler
from parlor.distribution import check_distribution, draw_move
from parlor.game import CHANCE, OVER, Game, GameError, Position
from parlor.kernel import copy, key, legal, odds, payoff, play, start, turn
from parlor.python_agent import PythonAgent
from parlor.rng import below, choose, mix, seed_stream


class Seat(Protocol):
    """A player in one seat for one game. It gets whole positions, and must show only what its player may see."""

    def act(self, position: Position, stream: list[int]) -> str | int:
        """Its move, by name or id; `stream` is its random stream."""
        ...

    def observe(self, before: Position, move: str, after: Position) -> None:
        """Called after a move or an outcome, its own too."""
        ...

    def end(self, position: Position) -> None:
        """Called at the end."""
        ...


class Agent(Protocol):
    """Anything that can take a seat: `parlor.agents.CompiledAgent`, `PythonAgent`, `Policy`, or anything like them."""

    @property
    def name(self) -> str:
        """Its name in tables and messages."""
        ...

    def sit(self, position: Position, player: int) -> Seat:
        """Take the seat of `player` for a game that begins at `position`."""
        ...


#: An agent, or a class or a function that `PythonAgent` turns into one.
Playable = Agent | Callable[..., Any]


def as_agent(playable: Playable) -> Agent:
    """An agent unchanged; Python code as an agent."""
    if isinstance(playable, type) or not hasattr(playable, "sit"):
        return PythonAgent(playable)
    return playable  # type: ignore[return-value]


class PolicySeat:
    """A function from positions to distributions in a seat: a policy, which uses what its player knows."""

    def __init__(self, name: str, policy: Callable[[Position], Mapping[str, float]]) -> None:
        self.name, self.policy = name, policy

    def act(self, position: Position, stream: list[int]) -> str:
        """Draw from the distribution."""
        return draw_move(check_distribution(self.policy(position), position.legal, self.name), stream)

    def observe(self, before: Position, move: str, after: Position) -> None:
        """Do nothing: it uses positions alone."""

    def end(self, position: Position) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class Record:
    """A finished game: everything that happened, by name, and the result. It replays with no seed."""

    game: str
    moves: tuple[str, ...]
    payoffs: tuple[float, ...]


def play_game(game: Game, agents: Sequence[Playable], seed: int = 0, index: int = 0) -> Record:
    """Play one game; `(seed, index)` names the random stream."""
    stream = [0, 0, 0, 0]
    seed_stream(stream, seed, index)
    position = play_on(game.start(), [as_agent(agent) for agent in agents], [stream] * (game.players + 1))
    return Record(game.name, position.history, tuple(position.payoffs))


def play_on(position: Position, agents: Sequence[Agent], streams: Sequence[list[int]]) -> Position:
    """Play to the end, agent p in seat p; `streams` are those of the seats, and last that of chance."""
    game = position.game
    if len(agents) != game.players:
        raise GameError(f"{game.name} has {game.players} seats, but there are {len(agents)} agents.")
    seats = [agent.sit(position, player) for player, agent in enumerate(agents)]
    for _ in range(game.length):
        who = position.turn
        if who == OVER:
            break
        move = sample(position.odds, streams[-1]) if who == CHANCE else seats[who].act(position, streams[who])
        before, position = position, position.after(move)
        for seat in seats:
            seat.observe(before, position.history[-1], position)
    if not position.over:
        raise GameError(f"{game.name} went on for more than LENGTH = {game.length} moves.")
    for seat in seats:
        seat.end(position)
    return position


def sample(choices: Mapping[str, float], stream: list[int]) -> str:
    """Draw an outcome or a move; a random number is used even for a single one, as in compiled games."""
    names = list(choices)
    return names[choose(stream, list(choices.values()), len(names))]


def replay(game: Game, moves: Sequence[str]) -> Position:
    """The position after the moves of a record."""
    return game.start().after(*moves)


@dataclass(frozen=True)
class PositionAgent:
    """A function from positions to distributions as an agent. It gets whole positions, secrets included."""

    name: str
    policy: Callable[[Position], Mapping[str, float]]

    def __call__(self, position: Position) -> Mapping[str, float]:
        """The distribution at a position."""
        return self.policy(position)

    def sit(self, position: Position, player: int) -> PolicySeat:
        """Take a seat."""
        return PolicySeat(self.name, self.policy)


def uniform(position: Position) -> dict[str, float]:
    """Every legal move with the same probability."""
    names = position.legal
    return {name: 1.0 / len(names) for name in names}


uniform_agent = PositionAgent("uniform", uniform)


# --------------------------------------------------------------------------------------------------- at speed


class Scratch(NamedTuple):
    """What random games work with."""

    states: Any  # [2] the game, and how it starts
    moves: Any  # [actions]
    chances: Any  # [outcomes]
    stream: Any  # [4]


def random_games(scratch: Scratch, seed: int, first: int, games: int, longest: int, totals: Any) -> int:
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
    scratch = Scratch(
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
