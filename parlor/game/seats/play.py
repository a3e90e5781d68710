"""Playing: one game between seats.

There is one play loop, `play_on`. Every player takes a seat: a compiled agent, a policy, Python code that gets
observations (`parlor.game.seats.python_agent`), a person at a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from parlor.game.errors import GameError
from parlor.game.game import Game, Position
from parlor.game.rng import choose, seed_stream
from parlor.game.schema import CHANCE, OVER
from parlor.game.seats.distribution import check_distribution, draw_move
from parlor.game.seats.python_agent import PythonAgent


class AgentSeat(Protocol):
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
    """Anything that can take a seat: `CompiledAgent`, `PythonAgent`, `Policy`, or anything like them."""

    @property
    def name(self) -> str:
        """Its name in tables and messages."""
        ...

    def sit(self, position: Position, player: int) -> AgentSeat:
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
            seat.observe(before, position.last, position)
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
