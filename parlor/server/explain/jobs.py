"""Long computations as functions for other processes; they get names and numbers, and load games and agents themselves.

Of a generator, each value is the result so far: when the time is up, the last one counts.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from parlor.agents.registry import AGENTS
from parlor.compile import NotCached
from parlor.game import Game, GameError, Position
from parlor.game.loading.registry import split
from parlor.game.seats.python_agent import PythonAgent
from parlor.game.words import players_named
from parlor.page.seated_agent import SeatedAgent
from parlor.page.shapes import Frontier, MoveInfo, Shape
from parlor.runs.files.container import FileError
from parlor.server.catalogue.catalogue import Catalogue, Offered
from parlor.server.catalogue.displays import display_of
from parlor.server.catalogue.seating import lacking, limits_of, tables_there
from parlor.server.explain import mind as minded
from parlor.server.explain.quiz import question
from parlor.server.explain.review import Reviewing, is_reference_agent, nothing
from parlor.server.explain.strategy import Apart, InfosetQuery, Order, browse, compare
from parlor.server.refusal import Refusal
from parlor.server.schemas.mind import Mind
from parlor.server.schemas.quiz import QuizQuestion
from parlor.server.schemas.review import Review
from parlor.server.schemas.strategies import ComparisonPage, InfosetPage

RANDOM = "random"
TOLD = 0.3  # seconds between two states of a review
FIRST_ANSWER_DIVISOR = 8  # a search gets a first answer from so many times less work
NOBODY = "There is no agent here with which this game could be played on, so there is nothing to measure it by."


@functools.lru_cache(4)
def catalogue_of(offered: Offered) -> Catalogue:
    """The catalogue of a server, in this process."""
    return Catalogue(*offered)


@dataclass(frozen=True)
class Played:
    """A game as far as it has come, and who reads of it by which names."""

    offered: Offered
    game: str
    moves: tuple[str, ...]
    names: tuple[str, ...] = ()  # of the players, as the reader calls them

    @property
    def catalogue(self) -> Catalogue:
        """Games and agents."""
        return catalogue_of(self.offered)

    @property
    def loaded(self) -> Game:
        """The game."""
        return self.catalogue.game(self.game)

    def position(self) -> Position:
        """The current position."""
        return self.loaded.start().after(*self.moves)


def seat(catalogue: Catalogue, id: str, game: Game) -> SeatedAgent:
    """An agent with everything that it needs to decide."""
    seated = catalogue.seat(id, game)
    if not isinstance(seated.player, PythonAgent):
        with tables_there(seated.name):
            seated.player.prepare()
    return seated


# --------------------------------------------------------------------------------------------------- decisions


@dataclass(frozen=True)
class Decided:
    """A decision to be made by an agent."""

    played: Played
    agent: str


def decide(task: Decided) -> Generator[dict[str, float]]:
    """The distribution over the moves: of an agent that searches first one that comes sooner, from less work."""
    catalogue, position = task.played.catalogue, task.played.position()
    seated = seat(catalogue, task.agent, position.game)
    if not isinstance(seated.player, PythonAgent) and seated.player.thinks_long:
        for id in sooner(task.agent):
            try:
                yield minded.decide(seat(catalogue, id, position.game), position)
            except (GameError, FileError, OSError):
                continue
    yield minded.decide(seated, position)


def sooner(id: str) -> list[str]:
    """Agents that answer sooner than one that searches: those it plays on with, and itself with less work."""
    base, given = split(id)
    if base not in AGENTS:
        return []
    named = [given.get(key, str(AGENTS[base].settings[key].default)) for key in AGENTS[base].named("agent")]
    found = [agent for agent in named if agent != RANDOM]
    less = {
        key: str(max(AGENTS[base].settings[key].server_low, 1, int(given.get(key, most)) // FIRST_ANSWER_DIVISOR))
        for key, most in limits_of(base).items()
    }
    if less and {key: given.get(key, str(most)) for key, most in limits_of(base).items()} != less:
        found.append(f"{base}({','.join(f'{key}={value}' for key, value in (given | less).items())})")
    return found


# --------------------------------------------------------------------------------------------------- minds, reviews


@dataclass(frozen=True)
class Explained:
    """A decision to be explained: from inside, or as `seat` could expect it."""

    played: Played  # up to the decision
    agent: str
    ply: int  # of the decision, as the reader counts
    chosen: MoveInfo | None
    own: bool
    thought: bool
    seat: int | None  # None: from inside


def explain(task: Explained) -> Generator[Mind]:
    """The mind, first without what takes longest."""
    position = task.played.position()
    agent = seat(task.played.catalogue, task.agent, position.game)
    python = isinstance(agent.player, PythonAgent)
    stages = (True,) if python else (False, True)
    with players_named(task.played.names):
        for whole in stages:
            if task.seat is None:
                yield minded.inside(agent, position, task.ply, task.chosen, task.own, task.thought, whole)
            else:
                yield minded.outside(agent, position, task.seat, task.ply, task.chosen, task.thought, whole)


@dataclass(frozen=True)
class Reviewed:
    """An open game to review from a seat, and the agents that sat there."""

    played: Played
    seat: int
    agents: tuple[str, ...]


def review(task: Reviewed) -> Generator[Review]:
    """The review of a game, again and again, as far as it has come."""
    game = task.played.loaded
    agent = reference_agent(task.played.catalogue, game, task.agents)
    if agent is None:
        yield nothing(game, task.seat, NOBODY)
        return
    work = Reviewing(game, task.played.moves, task.seat, agent, task.played.names, agent.id not in task.agents)
    failed: list[Exception] = []

    def run() -> None:
        try:
            work.work()
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(TOLD)
        yield work.shown
    if failed:
        raise failed[0]
    yield work.shown


def reference_agent(catalogue: Catalogue, game: Game, seated: tuple[str, ...]) -> SeatedAgent | None:
    """An agent with which games can be played on: one at the table, or else the one that is recommended.

    Random play is no measure of anything, so it is the last resort, also where it sat at the table.
    """
    listed = [info for info in catalogue.agents(game.name) if info.newest]
    listed.sort(key=lambda info: (not info.recommended, info.kind == "built-in", -(info.level or 0)))
    for id in sorted(dict.fromkeys([*seated, *(info.id for info in listed)]), key=lambda id: id == RANDOM):
        try:
            agent = seat(catalogue, id, game)
        except (GameError, FileError, OSError):
            continue
        if is_reference_agent(agent):
            return agent
    return None


# --------------------------------------------------------------------------------------------------- pages


def notes(task: tuple[Played, int]) -> Any:
    """The notes of a player; None before there is anything."""
    played, player = task
    deduce = display_of(played.game).notes
    return deduce(played.position(), player) if deduce else None


def frontier(played: Played) -> Frontier | None:
    """The payoffs that were possible in a game that is over."""
    possible = display_of(played.game).frontier
    with players_named(played.names):
        return possible(played.position()) if possible else None


def asked(task: tuple[Offered, str, int]) -> QuizQuestion:
    """A question of the quiz."""
    offered, agent, seed = task
    return question(catalogue_of(offered).own_game(agent), seed)


def browsed(task: tuple[Offered, str, InfosetQuery, Order, int, int]) -> InfosetPage:
    """A page of a strategy's information sets."""
    offered, agent, query, sort, offset, limit = task
    return browse(catalogue_of(offered).own_game(agent), query, sort, offset, limit)


def compared(task: tuple[Offered, str, str, InfosetQuery, Apart, int, int]) -> ComparisonPage:
    """A page of the information sets of two strategies."""
    offered, agent, other, query, sort, offset, limit = task
    catalogue = catalogue_of(offered)
    return compare(catalogue.own_game(agent), catalogue.own_game(other), query, sort, offset, limit)


def grid(task: tuple[Offered, str, str, str]) -> Shape:
    """An agent's strategy for all hands."""
    offered, agent, line, board = task
    opponent = catalogue_of(offered).own_game(agent)
    strategy = display_of(opponent.agent.game.name).strategy
    if strategy is None:
        raise Refusal(422, f"{opponent.name} has no grid: {opponent.agent.game.name} has no display for strategies.")
    try:
        return strategy(opponent, line, board)
    except NotCached as error:
        raise Refusal(409, lacking(error, opponent.name)) from None
