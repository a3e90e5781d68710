"""Many games at once, natively: the agents take turns with the whole batch.

Each agent is compiled into a loop of its own. It gets all games of the batch and plays on in every one where it is
its turn, dealing for chance on the way, until another agent is to move or the game is over; then the next agent
gets them. So no kernel contains two agents, and a new agent is compiled once, not for each opponent. A line-up says
which agent sits in each seat; one agent may have several.

Chance draws from a stream that belongs to the deal, and each seat from one that belongs to the deal and the seat: the
same deal is the same luck whoever sits where, and nothing depends on the batch.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np

from parlor import compile as compiler
from parlor.agents.agent import CompiledAgent, check_answered, distribute, with_memory
from parlor.arena.measures import Lineups, Payoffs
from parlor.compile import Bindings
from parlor.compile.kernel import decide, legal, odds, payoff, play, remember, resolve, turn
from parlor.game import CHANCE, OVER, Floats, Game, GameError, Ints
from parlor.game.errors import Forfeit
from parlor.game.rng import choose, seed_stream
from parlor.game.schema import fields_of
from parlor.game.seats.play import Agent, play_game, play_on, uniform_agent

RANDOM_GAMES = 400


def forfeited(game: Game, loser: int) -> list[float]:
    """The payoffs of a game that a seat has lost by failing, whatever had happened in it.

    The seat gets the least that the game pays. Where payoffs sum to zero, the others share what it loses; elsewhere
    they get what they would have got on average had everybody moved at random.
    """
    least, means = random_payoffs(game)
    if game.kind == "zero-sum":
        means = [-least / (game.players - 1)] * game.players
    return [least if p == loser else means[p] for p in range(game.players)]


def random_payoffs(game: Game) -> tuple[float, list[float]]:
    """The least payoff, declared or else seen in random games, and the mean of each seat there; cached."""
    if "random payoffs" not in game.cache:
        agents = [uniform_agent] * game.players
        seen = np.array([play_game(game, agents, 0, i).payoffs for i in range(RANDOM_GAMES)])
        least = game.payoffs[0] if game.payoffs else float(seen.min())
        game.cache["random payoffs"] = (least, seen.mean(axis=0).tolist())
    found: tuple[float, list[float]] = game.cache["random payoffs"]
    return found


TOO_LONG = -2


def seed_games(deals: Any, seat_streams: Any, seed: int, first: int, each: int, games: int) -> None:
    """Seed the streams of the games `first` and on, whatever the game; `each` in a row share a deal."""
    players = len(seat_streams[0]) - 1
    for g in range(games):
        deal = (first + g) // each
        seed_stream(deals[g], seed, deal * (players + 1))
        for p in range(players):
            seed_stream(seat_streams[g][p], seed, deal * (players + 1) + 1 + p)
        seed_stream(seat_streams[g][players], seed, -1 - deal)


def note_deal(states: Any, g: int, r: Ints, watch: Any) -> None:
    """A slot: an observer, with a random stream of its own, sees what chance has dealt, once it is complete."""


def note_move(states: Any, g: int, moves: Ints, weights: Floats, n: int, i: int, watch: Any) -> None:
    """A slot: an observer sees that of `n` moves the agent will make the one at `i`."""


class Games(NamedTuple):
    """G games of P players, and working memory."""

    states: Any
    lineups: Any  # [G, P] which agent sits in each seat
    lengths: Any  # [G] moves and outcomes so far
    over: Any  # [G] 1 when the game is over
    deals: Any  # [G, 4] the stream of chance
    seat_streams: Any  # [G, P + 1, 4] the streams of the seats, and one for the observer
    payoffs: Any  # [G, P]
    moves: Any
    weights: Any
    chances: Any


def play_turns(games: Games, count: int, me: int, longest: int, data: Any, watch: Any) -> int:
    """Play on where it is the turn of agent `me`, with its `data`; `watch` is the observer's.

    Returns how many of the `count` games continue, or a negative number on failure.
    """
    states, lineups, lengths, over, deals, seat_streams, payoffs, moves, weights, chances = games
    going = 0
    for g in range(count):
        if over[g] != 0:
            continue
        s = states[g]
        lineup = lineups[g]
        players = len(lineup)
        who = turn(s)
        while who != OVER:
            dealing = who == CHANCE
            if dealing:
                n = odds(s, chances)
                play(s, int(choose(deals[g], chances, n)))
            elif lineup[who] == me:
                r = seat_streams[g][who]
                n = legal(s, moves)
                i = decide(states, g, who, moves, n, r, data) if n > 1 else -1
                if i < 0:
                    n = distribute(states, g, who, moves, n, weights, r, data)
                    if n < 0:
                        return n
                    i = choose(r, weights, n) if n > 1 else 0
                note_move(states, g, moves, weights, n, i, watch)
                remember(states, g, who, moves, n, i, data)
                play(s, int(resolve(s, int(moves[i]))))
            else:
                break
            lengths[g] += 1
            if lengths[g] > longest:
                return TOO_LONG
            who = turn(s)
            if dealing and who != CHANCE:
                note_deal(states, g, seat_streams[g][players], watch)
        if who == OVER:
            over[g] = 1
            for q in range(players):
                payoffs[g][q] = payoff(s, q)
        else:
            going += 1
    return going


class Batch:
    """Working memory for games between agents. One for each thread."""

    slots: Bindings = MappingProxyType({})  # of the observer
    watch: tuple[Any, ...] = ()  # its data

    def __init__(self, concrete: Game, agents: Sequence[CompiledAgent], size: int) -> None:
        self.concrete_game = concrete
        self.agents = agents
        slots = dict(self.slots)
        if note_move in slots:
            slots[decide] = decide  # nobody does: the observer needs the weights
        self._play_turns = [
            compiler.native(play_turns, agent.game, {**agent.bindings(True), **slots}) for agent in agents
        ]
        self._memories = [agent.new_memory(size) for agent in agents]
        self._data = [
            with_memory(memory, agent.data(True)) for agent, memory in zip(agents, self._memories, strict=True)
        ]
        self._states = compiler.states(concrete, size, True)
        root = compiler.states(concrete, 1, True)
        for name, value in fields_of(concrete.start().state).items():
            root[0][name] = value
        self._root = root.view(np.int64)
        self._deals = np.zeros((size, 4), np.int64)
        self._minds = np.zeros((size, concrete.players + 1, 4), np.int64)
        self._buffers = (np.zeros(concrete.actions, np.int64), np.zeros(concrete.actions), np.zeros(concrete.outcomes))
        self.play(0, 0, 1, np.zeros((0, concrete.players), np.int64))  # compiles, if necessary

    def play(self, seed: int, first: int, each: int, lineups: Lineups) -> Payoffs:
        """Games `first` and on with those line-ups; the payoff of each seat."""
        games = len(lineups)
        payoffs = np.zeros(lineups.shape)
        lengths, over = np.zeros(games, np.int64), np.zeros(games, np.int64)
        self._states.view(np.int64).reshape(-1, len(self._root))[:games] = self._root
        compiler.native(seed_games)(self._deals, self._minds, seed, first, each, games)
        for memory in itertools.chain(*self._memories):
            memory[:games] = 0.0
        state = Games(self._states, lineups, lengths, over, self._deals, self._minds, payoffs, *self._buffers)
        me, going, turns = 0, 1, 0
        while going > 0 or turns < len(self.agents):  # every agent has a turn at least once, so that each is compiled
            going = self._play_turns[me](state, games, me, self.concrete_game.length, self._data[me], self.watch)
            if going == TOO_LONG:
                raise GameError(
                    f"{self.concrete_game.name} went on for more than LENGTH = {self.concrete_game.length} moves."
                )
            check_answered(going, self.agents[me], self._buffers[1])
            me, turns = (me + 1) % len(self.agents), turns + 1
        return payoffs


class PlaysBatch(Protocol):
    """A `Batch`, or the faster one that agents offer among themselves."""

    def play(self, seed: int, first: int, each: int, lineups: Lineups) -> Payoffs:
        """Games `first` and on with those line-ups; the payoff of each seat."""


@dataclass(frozen=True)
class VarianceReduction:
    """A batch that returns the luck beside the payoffs, and a function that subtracts it: see `play_match`."""

    name: str
    batch: Callable[[Game, Sequence[CompiledAgent], int], PlaysBatch]  # payoffs [G, P], then the luck of each seat
    correct: Callable[
        [Payoffs, Payoffs, int], Payoffs
    ]  # payoffs [G] without luck [G, kinds], games in groups of `each`


def shared_batch(agents: Sequence[CompiledAgent]) -> Callable[..., PlaysBatch] | None:
    """The faster batch that all of the agents offer among themselves."""
    first, *others = (agent.fast_batch for agent in agents)
    same = first is not None and all(other is not None and first.plays_with(other) for other in others)
    return first.make if first is not None and same else None


def new_batch(concrete: Game, agents: Sequence[CompiledAgent], size: int) -> PlaysBatch:
    """Working memory for games between the agents, the fastest that they can play in."""
    make = shared_batch(agents)
    return Batch(concrete, agents, size) if make is None else make(concrete, agents)


def play_plainly(
    concrete: Game, agents: Sequence[Agent], seed: int, first: int, each: int, lineups: Lineups
) -> Payoffs:
    """The same games in plain Python, one after the other, if the game or an agent cannot be compiled."""
    payoffs = np.zeros(lineups.shape)
    for g, lineup in enumerate(lineups.tolist()):
        streams = [[0, 0, 0, 0] for _ in range(concrete.players + 1)]
        for i, stream in enumerate(streams):
            seed_stream(stream, seed, (first + g) // each * (concrete.players + 1) + i)
        chance, *seats = streams
        try:
            payoffs[g] = play_on(concrete.start(), [agents[i] for i in lineup], [*seats, chance]).payoffs
        except Forfeit as lost:
            payoffs[g] = forfeited(concrete, lost.player)
    return payoffs
