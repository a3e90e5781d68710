"""A match: many games between agents, in a game of any number of players, and the results.

A *line-up* says which agent sits in each seat. Between two players it is one and the other. Among n players it is
either n agents, or, when two are given, the first alone against n - 1 copies of the second: the standard way to compare
two agents there. `start="alternating"`: from game to game everybody moves on by one seat; with `duplicate` every deal
is then played once with each of these n line-ups, from the same stream of chance, which cancels much of the luck.
`start="first"`: nobody changes seats; the first agent sits in seat 0.

A *win* is a game in which the first agent gets more than everybody else. `rate` is wins divided by games, as in the
paper: a draw is no win for anybody. `measure` gives other numbers: see `parlor.arena.measures`.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import concrete_game
from parlor.arena.batch import PlaysBatch, VarianceReduction, new_batch, play_plainly, shared_batch
from parlor.arena.measures import MEASURES, Lineups, Measure, Payoffs, Values, count, extremes, most
from parlor.arena.statistics import Bounds, Estimate, exactly, means, rate
from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.seats.play import Agent, Playable, as_agent, play_game, uniform_agent
from parlor.game.words import html_table


def summary(game: str, agents: Sequence[str], facts: Mapping[str, str]) -> str:
    """The game, the agents, and the first agent's results."""
    told = ", ".join(f"{name} {fact}" for name, fact in facts.items())
    return f"<match of {game}: {' against '.join(agents)}, {told}>"


def summary_html(game: str, agents: Sequence[str], facts: Mapping[str, str]) -> str:
    """The same as an HTML table."""
    return html_table(f"{game}: {' against '.join(agents)}", tuple(facts), [tuple(facts.values())])


def facts_of(games: int, rate: Estimate, payoff: Estimate) -> dict[str, str]:
    """The first agent's results, by their names."""
    return {
        "games": f"{games:,}",
        "win rate": f"{rate.value:.3f} ({rate.low:.3f} to {rate.high:.3f})",
        "payoff": f"{payoff.value:+.3f} ({payoff.low:+.3f} to {payoff.high:+.3f})",
    }


STARTS = ("first", "alternating")
CHUNK = 512  # games in a batch: their states fit into the cache
SMALL_CHUNK = 16  # for slow agents, and in plain Python
ROUNDED = 1e-9  # a difference of payoffs that is smaller comes of rounding
WORTH_COMPILING = 1.0  # seconds of plain Python: less than the compiler takes for most agents

#: Called with the number of games played so far; returns false to stop there.
OnProgress = Callable[[int], bool]


@dataclass(frozen=True, eq=False)
class Match:
    """The result of a match, seen from the first agent, which has one seat in every game."""

    game: str
    agents: tuple[str, ...]
    start: str
    duplicate: bool
    seed: int
    lineups: Lineups = field(repr=False)  # [G, P] which agent sat in each seat
    payoffs: Payoffs = field(repr=False)  # [G, P] what each seat got
    seconds: float = 0.0
    units: Mapping[str, float] = field(default_factory=dict)  # of payoffs: how many of each a point is
    corrected: Payoffs | None = field(
        default=None, repr=False
    )  # payoffs of the same expectation with less luck in them
    declared: Bounds | None = None  # the least and the most that a player can get, if the game says so

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.payoffs)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.payoffs.shape[1]

    @cached_property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat of the first agent, [G]."""
        return self.lineups.argmin(axis=1)

    @cached_property
    def _shares(self) -> Values:
        """The first agent's share of the win, [G]: 1 if it won alone, 0 if it lost."""
        return self.values("win-share")

    @property
    def wins(self) -> int:
        """Games in which the first agent got more than everybody else."""
        return int((self._shares == 1.0).sum())

    @property
    def losses(self) -> int:
        """Games in which somebody got more than the first agent."""
        return int((self._shares == 0.0).sum())

    @property
    def draws(self) -> int:
        """Games in which the first agent got the most, and so did somebody else."""
        return self.games - self.wins - self.losses

    @property
    def ties(self) -> int:
        """Games in which several players got the most, whoever they were."""
        return int((count(most(self.payoffs)) > 1).sum())

    def values(self, measure: str | Measure | Callable[..., Any], agent: int = 0) -> Values:
        """A measure of an agent, or of all players, in each game; by name or as a function."""
        row = MEASURES.find(measure)
        payoffs = self.corrected if row.linear and self.corrected is not None else self.payoffs
        return row.of(payoffs, self.lineups, agent)

    def measure(self, measure: str | Measure | Callable[..., Any], agent: int = 0, seat: int | None = None) -> Estimate:
        """The mean of a measure; with a seat, over the games in which the first agent sat there."""
        row = MEASURES.find(measure)
        return self._estimate(row, self.values(row, agent), seat)

    def _estimate(self, measure: Measure, values: Values, seat: int | None = None) -> Estimate:
        bounds = measure.bounds(self._extremes)
        if seat is not None:
            return measure.estimate(values[self.seats == seat], 1, bounds)  # each deal has one game there
        if self.duplicate and len(set(self.agents)) == 1 and np.ptp(groups := means(values, self._group)) <= ROUNDED:
            return exactly(float(groups.mean()))  # an agent and itself play every deal alike from all seats
        return measure.estimate(values, self._group, bounds)

    @cached_property
    def _extremes(self) -> Payoffs:
        """The extremes of the payoffs: those that are declared, and those that were seen."""
        low, high = self.declared or (math.inf, -math.inf)
        low, high = min(low, float(self.payoffs.min())), max(high, float(self.payoffs.max()))
        zero_sum = bool(np.abs(self.payoffs.sum(axis=1)).max() <= ROUNDED)
        return extremes(low, high, self.players, zero_sum)

    @property
    def _group(self) -> int:
        """Games that share a deal."""
        return self.players if self.duplicate else 1

    @property
    def rate(self) -> Estimate:
        """Wins divided by games."""
        return self._estimate(MEASURES.own("win-share"), (self._shares == 1.0).astype(np.float64))

    @property
    def score(self) -> Estimate:
        """The number in a cross table: between two players the rate, among more the win share."""
        return self.rate if self.players == 2 else self.measure("win-share")

    @property
    def payoff(self) -> Estimate:
        """The first agent's mean payoff."""
        return self.measure("payoff")

    @property
    def in_points(self) -> bool:
        """Whether payoffs are more than a win or a loss, so that the payoff says more than the rate."""
        return beyond_wins(self.payoffs)

    def seat(self, p: int) -> Estimate:
        """Wins divided by games when the first agent sat in seat `p`."""
        return rate(self._shares[self.seats == p] == 1.0)

    @property
    def speed(self) -> float:
        """Games a second."""
        return self.games / max(self.seconds, 1e-9)

    def turned(self) -> Match:
        """The same match of two players seen from the second agent."""
        if self.players != 2:
            raise GameError(f"Among {self.players} players a match can only be seen from the agent that sat alone.")
        return replace(self, agents=self.agents[::-1], lineups=1 - self.lineups)

    def __repr__(self) -> str:
        return summary(self.game, self.agents, facts_of(self.games, self.rate, self.payoff))

    def _repr_html_(self) -> str:
        return summary_html(self.game, self.agents, facts_of(self.games, self.rate, self.payoff))

    def row(self, measures: Sequence[str] = ()) -> dict[str, Any]:
        """All results as plain numbers, for JSON; with more measures than Parlor's."""
        seats = [p for p in range(self.players) if (self.seats == p).any()]
        others = self.agents[1:]
        row: dict[str, Any] = {
            "game": self.game, "agent": self.agents[0], "against": others[0] if len(others) == 1 else list(others),
            "start": self.start, "duplicate": self.duplicate, "seed": self.seed, "games": self.games,
            "wins": self.wins, "draws": self.draws, "losses": self.losses,
            "rate": vars(self.rate), "payoff": vars(self.payoff),
            "by_seat": {str(p): vars(self.seat(p)) for p in seats},
            "in_units": {unit: vars(self.payoff * scale) for unit, scale in self.units.items()},
            "seconds": self.seconds, "games_per_second": self.speed,
            "players": self.players, "ties": self.ties, "deviation": float(self.values("payoff").std()), "measures": {},
        }  # fmt: skip
        for name in dict.fromkeys((*MEASURES, *measures)):
            measure = MEASURES.find(name)
            values = self.values(measure)
            by_seat = {str(p): vars(self._estimate(measure, values, p)) for p in seats}
            row["measures"][name] = vars(self._estimate(measure, values)) | {"by_seat": by_seat}
        row["by_agent"] = [
            {"agent": agent} | {name: vars(self.measure(name, i)) for name in ("payoff", "win-share")}
            for i, agent in enumerate(self.agents)
        ]
        return row


def play_match(
    game: Game | str,
    agents: Sequence[Playable],
    games: int = 1000,
    seed: int = 0,
    start: str = "alternating",
    duplicate: bool | None = None,
    threads: int = 1,
    on_progress: OnProgress | None = None,
    compiled: bool | None = None,
    chunk: int | None = None,
    variance_reduction: VarianceReduction | None = None,
) -> Match:
    """Play `games` games; the result does not depend on `threads`, `chunk` or whether the games are compiled.

    The agents are as many as the game has players, or two: then the first plays alone against copies of the second.
    They may be Python classes and functions too, see `parlor.game.seats.python_agent`: then the games are not compiled.
    With a `variance_reduction`, `parlor.poker.measures.aivat.AIVAT` for poker between two, payoffs are also corrected
    for luck.
    """
    concrete = concrete_game(as_game(game))
    seated = [as_agent(agent) for agent in agents]
    duplicate = start == "alternating" if duplicate is None else duplicate
    _examine(concrete, seated, games, seed, start, duplicate, threads)
    native = concrete.native and all(isinstance(agent, CompiledAgent) for agent in seated)
    undecided = compiled is None and chunk is None and native  # a short match may not be worth compiling
    compiled = native if compiled is None else compiled
    if compiled and not native:
        raise GameError(f"This match of {concrete.name} cannot be compiled: omit compiled=True.")
    if variance_reduction is not None and not compiled:
        name = variance_reduction.name
        raise GameError(f"{name} needs compiled games, and this match cannot be compiled: omit {name.lower()}.")
    each = concrete.players if duplicate else 1
    games += -games % each  # every deal is played with all of its line-ups
    if chunk is None:
        slow = not compiled or any(getattr(agent, "slow", False) for agent in seated)
        chunk = SMALL_CHUNK if slow else CHUNK
    chunk += -chunk % each
    began = time.perf_counter()
    played = _Played(concrete, seated, seed, start, games, each, chunk, threads, compiled, variance_reduction)
    done, found = 0, []
    for payoffs in played.chunks(undecided):
        found.append(payoffs)
        done += len(payoffs)
        if on_progress is not None and not on_progress(done):
            break
    payoffs, luck = np.split(np.concatenate(found), [concrete.players], axis=1)
    match = Match(
        concrete.name, tuple(agent.name for agent in seated), start, duplicate, seed,
        played.lineups(0, done), payoffs, time.perf_counter() - began, concrete.units,
        declared=concrete.payoffs and concrete.payoffs[:2],
    )  # fmt: skip
    if variance_reduction is None:
        return match
    mine = (np.arange(done), match.seats)
    left = variance_reduction.correct(payoffs[mine], luck.reshape(done, concrete.players, -1)[mine], each)
    return replace(match, corrected=np.where(match.lineups == 0, left[:, None], -left[:, None]))


@dataclass(frozen=True)
class _Played:
    """The games of a match, a chunk at a time."""

    concrete: Game
    agents: Sequence[Agent]
    seed: int
    start: str
    games: int
    each: int  # games that share a deal
    chunk: int
    threads: int
    compiled: bool
    variance_reduction: VarianceReduction | None
    workspaces: SimpleQueue[PlaysBatch] = field(default_factory=SimpleQueue)

    def lineups(self, first: int, end: int) -> Lineups:
        """The line-ups of the games from `first` up to before `end`."""
        return rotated(len(self.agents), self.concrete.players, first, min(end, self.games), self.start)

    def play(self, first: int, end: int) -> Payoffs:
        """The payoffs of these games."""
        lineups = self.lineups(first, end)
        if not self.compiled:
            return play_plainly(self.concrete, self.agents, self.seed, first, self.each, lineups)
        workspace = self.workspaces.get()
        payoffs = workspace.play(self.seed, first, self.each, lineups)
        self.workspaces.put(workspace)
        return payoffs

    def chunks(self, undecided: bool) -> Iterator[Payoffs]:
        """The payoffs of all games; if it is `undecided`, short matches are played without the compiler."""
        compiled = [agent for agent in self.agents if isinstance(agent, CompiledAgent)]
        slow = any(agent.slow for agent in compiled) or self.variance_reduction is not None
        first, begun = 0, np.empty((0, self.concrete.players))
        while undecided and not slow and not shared_batch(compiled) and first < self.games and not len(begun):
            lineups = self.lineups(first, first + self.chunk)
            begun = _while_it_is_quick(
                self.concrete, self.agents, self.seed, self.each, first, lineups, self.games
            )  # fmt: skip
            if len(begun) == len(lineups):
                yield begun
                first, begun = first + self.chunk, begun[:0]
            elif not len(begun):
                break
        for _ in range(self.threads if self.compiled and first < self.games else 0):
            size = min(self.chunk, self.games)
            reduction = self.variance_reduction
            make = new_batch if reduction is None else reduction.batch
            self.workspaces.put(make(self.concrete, compiled, size))
        if len(begun):
            yield np.concatenate([begun, self.play(first + len(begun), first + self.chunk)])
            first += self.chunk
        starts = range(first, self.games, self.chunk)
        yield from in_order(lambda at: self.play(at, at + self.chunk), starts, self.threads if self.compiled else 1)


def _while_it_is_quick(
    concrete: Game, agents: Sequence[Agent], seed: int, each: int, first: int, lineups: Lineups, games: int
) -> Payoffs:
    """Games in plain Python, for as long as that takes less time than the compiler would: all of a short match.

    What earlier matches of the game have taken counts too, so that many short ones are compiled after a while.
    """
    found = [np.empty((0, concrete.players))]
    for done in range(0, len(lineups), each):
        began, before = time.thread_time(), concrete.cache.get("plain seconds", 0.0)
        all_games = before * games / (first + done) if first + done else 0.0
        if before > WORTH_COMPILING or (before > WORTH_COMPILING / 4 and all_games > 2 * WORTH_COMPILING):
            break
        found.append(play_plainly(concrete, agents, seed, first + done, each, lineups[done : done + each]))
        concrete.cache["plain seconds"] = before + time.thread_time() - began
    return np.concatenate(found)


def rotated(agents: int, players: int, first: int, end: int, start: str) -> Lineups:
    """The line-ups of the games from `first` up to before `end`: [games, players] which agent sits in each seat."""
    lineup = np.minimum(np.arange(players), agents - 1)  # missing agents are copies of the last
    moved = np.arange(first, end) if start == "alternating" else np.zeros(end - first, np.int64)
    return lineup[(np.arange(players) - moved[:, None]) % players]


def in_order(work: Callable[[int], Payoffs], items: Sequence[int], threads: int) -> Iterator[Payoffs]:
    """The results in the order of the items, computed by `threads` threads."""
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
    """Raise GameError for arguments that cannot be played."""
    if concrete.players < 2:
        raise GameError(f"A match is between two players or more; {concrete.name} has {concrete.players}.")
    if len(agents) not in (2, concrete.players):
        many = f" or {concrete.players}" if concrete.players > 2 else ""
        raise GameError(f"A match of {concrete.name} is between two{many} agents, not {len(agents)}.")
    if games < 1:
        raise GameError(f"games must be at least 1, not {games}.")
    if not 0 <= seed < 2**63:
        raise GameError(f"seed must be between 0 and 2**63 - 1, not {seed}.")
    if start not in STARTS:
        raise GameError(f"start must be one of {', '.join(STARTS)}, not {start!r}.")
    if duplicate and start != "alternating":
        raise GameError("Duplicate deals are played with every line-up: use start=alternating with duplicate.")
    if not 1 <= threads <= 4 * (os.cpu_count() or 1):
        raise GameError(f"threads must be between 1 and {4 * (os.cpu_count() or 1)}, not {threads}.")
    for agent in agents:
        if isinstance(agent, CompiledAgent) and agent.concrete_game.name != concrete.name:
            raise GameError(f"{agent.name} plays {agent.concrete_game.name}, but the game here is {concrete.name}.")


def beyond_wins(payoffs: npt.NDArray[np.float64]) -> bool:
    """Whether the payoffs of some games, [games, players], are more than wins and losses."""
    if payoffs.shape[1] == 2:
        return not np.isin(payoffs, (-1.0, 0.0, 1.0)).all()
    first = most(payoffs)
    winners = count(first)
    for many in np.unique(winners):  # among more players a shared win may be worth less
        games = winners == many
        if any(len(np.unique(payoffs[games][won])) > 1 for won in (first[games], ~first[games])):
            return True
    return False


def about_points(game: Game, games: int = 30) -> bool:
    """Whether a game is about points rather than about winning: random games show it."""
    played = [play_game(game, [uniform_agent] * game.players, index=index).payoffs for index in range(games)]
    return beyond_wins(np.array(played))
