"""A match: many games between two agents, and what came of it.

A *win* is a game in which the first agent gets more than the second. `rate` is wins divided by games, as in the paper:
a draw is no win for either side. The mean payoff, beside it, counts what every game was worth.

`start="first"`: the first agent sits in seat 0 in every game. `start="alternating"`: it changes seats from game to
game; with `duplicate` every deal is then played twice, once with each seating, from the same stream of chance, which
cancels much of the luck.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.agents import CompiledAgent, concrete_game
from parlor.arena.aivat import AivatBatch, without_luck
from parlor.arena.batch import PLAYERS, Batch, play_plainly
from parlor.arena.duel import Duel, share_a_tree
from parlor.arena.statistics import Estimate, mean, rate
from parlor.game import Game, GameError
from parlor.play import Agent, Playable, as_agent

STARTS = ("first", "alternating")
CHUNK = 512  # games in a batch: their states fit into the cache
FEW = 16  # of agents that think for long, and in plain Python

Payoffs = npt.NDArray[np.float64]  # [games, players]

#: Told how many games are played; false to stop there.
OnProgress = Callable[[int], bool]


@dataclass(frozen=True, eq=False)
class Match:
    """The result of a match, seen from the first agent."""

    game: str
    agents: tuple[str, str]
    start: str
    duplicate: bool
    seed: int
    seats: npt.NDArray[np.int64] = field(repr=False)  # [G] where the first agent sat
    payoffs: npt.NDArray[np.float64] = field(repr=False)  # [G, 2] what the first and the second agent got
    seconds: float = 0.0
    units: Mapping[str, float] = field(default_factory=dict)  # of payoffs: how many of each a point is

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.seats)

    @property
    def _won(self) -> npt.NDArray[np.bool_]:
        return self.payoffs[:, 0] > self.payoffs[:, 1]

    @property
    def wins(self) -> int:
        """Games in which the first agent got more."""
        return int(self._won.sum())

    @property
    def losses(self) -> int:
        """Games in which the second agent got more."""
        return int((self.payoffs[:, 0] < self.payoffs[:, 1]).sum())

    @property
    def draws(self) -> int:
        """Games in which both got the same."""
        return self.games - self.wins - self.losses

    @property
    def _pair(self) -> int:
        return 2 if self.duplicate else 1

    @property
    def rate(self) -> Estimate:
        """Wins divided by games."""
        return rate(self._won, self._pair)

    @property
    def payoff(self) -> Estimate:
        """What the first agent got in a game."""
        return mean(self.payoffs[:, 0], self._pair)

    @property
    def in_points(self) -> bool:
        """Whether games are worth more or less than a win or a loss, so that the payoff says more than the rate."""
        return not np.isin(self.payoffs, (-1.0, 0.0, 1.0)).all()

    def seat(self, p: int) -> Estimate:
        """Wins divided by games when the first agent sat in seat `p`."""
        return rate(self._won[self.seats == p])

    @property
    def speed(self) -> float:
        """Games a second."""
        return self.games / max(self.seconds, 1e-9)

    def turned(self) -> Match:
        """The same match seen from the second agent."""
        return Match(
            self.game, self.agents[::-1], self.start, self.duplicate, self.seed, 1 - self.seats, self.payoffs[:, ::-1],
            self.seconds, self.units,
        )  # fmt: skip

    def row(self) -> dict[str, Any]:
        """All of it as plain numbers, for machines."""
        seats = {str(p): vars(self.seat(p)) for p in range(PLAYERS) if (self.seats == p).any()}
        return {
            "game": self.game, "agent": self.agents[0], "against": self.agents[1], "start": self.start,
            "duplicate": self.duplicate, "seed": self.seed, "games": self.games,
            "wins": self.wins, "draws": self.draws, "losses": self.losses,
            "rate": vars(self.rate), "payoff": vars(self.payoff), "by_seat": seats,
            "in_units": {unit: vars(self.payoff * scale) for unit, scale in self.units.items()},
            "seconds": self.seconds, "games_per_second": self.speed,
        }  # fmt: skip


def play_match(
    game: Game,
    agents: Sequence[Playable],
    games: int = 1000,
    seed: int = 0,
    start: str = "alternating",
    duplicate: bool | None = None,
    threads: int = 1,
    on_progress: OnProgress | None = None,
    compiled: bool | None = None,
    chunk: int | None = None,
    aivat: bool = False,
) -> Match:
    """Play so many games; the result does not depend on `threads`, `chunk` or whether the games are compiled.

    Agents may be Python classes and functions too: see `parlor.python_agent`. Then the games are not compiled.

    With `calm`, which is for poker, payoffs have less luck in them and the same expectation: see `parlor.arena.aivat`.
    """
    concrete = concrete_game(game)
    seated = [as_agent(agent) for agent in agents]
    duplicate = start == "alternating" if duplicate is None else duplicate
    _examine(concrete, seated, games, seed, start, duplicate, threads)
    native = concrete.native and all(isinstance(agent, CompiledAgent) for agent in seated)
    compiled = native if compiled is None else compiled
    if compiled and not native:
        raise GameError(f"This match of {concrete.name} cannot be compiled.")
    if aivat and not native:
        raise GameError(f"A match of {concrete.name} with less luck must be compiled.")
    if chunk is None:
        slow = not compiled or any(getattr(agent, "heavy", False) for agent in seated)
        chunk = FEW if slow else CHUNK
    each = 2 if duplicate else 1
    games += games % each  # pairs are whole
    chunk += chunk % each
    minds = [agent for agent in seated if isinstance(agent, CompiledAgent)]
    workspaces: SimpleQueue[Batch | Duel] = SimpleQueue()
    for _ in range(threads if compiled else 0):
        if share_a_tree(minds) and not aivat:
            workspaces.put(Duel(concrete, minds))
        else:
            workspaces.put((AivatBatch if aivat else Batch)(concrete, minds, min(chunk, games)))
    began = time.perf_counter()

    def some(first: int) -> Payoffs:
        places = _seats(first, min(first + chunk, games), start)
        if not compiled:
            return play_plainly(concrete, seated, seed, first, each, places)
        workspace = workspaces.get()
        payoffs = workspace.play(seed, first, each, places)
        workspaces.put(workspace)
        return payoffs

    done, found = 0, []
    for payoffs in in_order(some, range(0, games, chunk), threads if compiled else 1):
        found.append(payoffs)
        done += len(payoffs)
        if on_progress is not None and not on_progress(done):
            break
    names, seats = (seated[0].name, seated[1].name), _seats(0, done, start)
    both = np.concatenate(found)
    mine = np.take_along_axis(both, np.stack([seats, 1 - seats], axis=1), axis=1)
    if aivat:
        luck = both[:, PLAYERS:].reshape(done, PLAYERS, -1)[np.arange(done), seats]
        left = without_luck(mine[:, 0], luck, each)
        mine = np.stack([left, -left], axis=1)
    return Match(concrete.name, names, start, duplicate, seed, seats, mine, time.perf_counter() - began, concrete.units)


def _seats(first: int, end: int, start: str) -> npt.NDArray[np.int64]:
    """Where the first agent sits in the games from `first` up to before `end`."""
    return np.arange(first, end) % 2 if start == "alternating" else np.zeros(end - first, np.int64)


def in_order(work: Callable[[int], Payoffs], items: Sequence[int], threads: int) -> Iterator[Payoffs]:
    """The results in the order of the items, `threads` of them being worked out at a time."""
    if threads == 1:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        ahead: list[Future[Payoffs]] = []
        try:
            for item in items:
                ahead.append(pool.submit(work, item))
                if len(ahead) > 2 * threads:
                    yield ahead.pop(0).result()
            while ahead:
                yield ahead.pop(0).result()
        finally:
            for future in ahead:
                future.cancel()


def _examine(
    concrete: Game,
    agents: Sequence[Agent],
    games: int,
    seed: int,
    start: str,
    duplicate: bool,
    threads: int,
) -> None:
    """Complain about what cannot be played."""
    if concrete.players != PLAYERS:
        raise GameError(f"A match is between two; {concrete.name} has {concrete.players} players.")
    if len(agents) != PLAYERS:
        raise GameError(f"A match is between two agents, not {len(agents)}.")
    if games < 1:
        raise GameError(f"games must be at least 1, not {games}.")
    if not 0 <= seed < 2**63:
        raise GameError(f"seed must lie between 0 and 2**63 - 1, not {seed}.")
    if start not in STARTS:
        raise GameError(f"start must be one of {', '.join(STARTS)}, not {start!r}.")
    if duplicate and start != "alternating":
        raise GameError("Duplicate deals are played with both seatings, so they need start=alternating.")
    if not 1 <= threads <= 4 * (os.cpu_count() or 1):
        raise GameError(f"threads must lie between 1 and {4 * (os.cpu_count() or 1)}, not {threads}.")
    for agent in agents:
        if isinstance(agent, CompiledAgent) and agent.concrete_game.name != concrete.name:
            raise GameError(f"{agent.name} plays {agent.concrete_game.name}, but the game here is {concrete.name}.")
