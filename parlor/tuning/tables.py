"""The tables at which candidates play: one candidate and opponents from the pool, in all orders.

Between two players a table is an opponent. Among n it is n - 1 different members of the pool in an order, which says
who sits next to whom; if the pool has fewer, some of them sit there more than once. The candidate takes every seat in
turn on the same deal. If there are many tables, some are drawn.

The scores of candidates on the same deals, so that any two can be compared deal by deal.

A *round* is one deal at each table: the candidate takes every seat in turn, and its score is the weighted mean of what
it got. Rounds are independent; the candidates of one round share its luck. Only sums and products over rounds are kept:
they give every mean and every difference of two candidates, with intervals, and can be added to those of more rounds.
"""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from parlor.agents.agent import CompiledAgent
from parlor.arena.match import play_match
from parlor.arena.statistics import ROUNDING, Estimate, mean_from, rate_from
from parlor.game import Game
from parlor.game.rng import below, mix, seed_stream
from parlor.game.seats.play import Agent
from parlor.runs.saved_agents import load_agent

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of K candidates in shared rounds at T tables."""

    rounds: int
    total: Array  # [K] sums over rounds
    products: Array  # [K, K] sums over rounds of the products of two candidates' scores
    tables: Array  # [K, T] sums over rounds of what they got at each table, unweighted

    @classmethod
    def of(cls, values: Array, weights: Sequence[float]) -> Self:
        """From what each candidate got at each table in each round, [K, T, rounds]."""
        scores = np.einsum("ktr,t->kr", values, np.asarray(weights))
        return cls(scores.shape[1], scores.sum(axis=1), scores @ scores.T, values.sum(axis=2))

    def __add__(self, other: Scores) -> Scores:
        """The scores of both; the tables are those of the first, if they are not the same."""
        tables = self.tables + other.tables if self.tables.shape == other.tables.shape else self.tables
        return Scores(self.rounds + other.rounds, self.total + other.total, self.products + other.products, tables)

    @property
    def means(self) -> Array:
        """The mean score of each candidate, [K]."""
        return self.total / self.rounds

    def variance(self, weights: Array) -> float:
        """The variance, over rounds, of a weighted sum of the candidates' scores."""
        if self.rounds < 2:
            return math.inf
        mean = float(weights @ self.means)
        return max(float(weights @ self.products @ weights) - self.rounds * mean * mean, 0.0) / (self.rounds - 1)

    def estimate(self, candidate: int, share: bool) -> Estimate:
        """The score of a candidate; `share` if scores are shares, from 0 to 1."""
        return self._of(np.eye(len(self.total))[candidate], share)

    def average(self, share: bool) -> Estimate:
        """The mean score of all candidates."""
        return self._of(np.full(len(self.total), 1.0 / len(self.total)), share)

    def difference(self, one: int, other: int) -> Estimate:
        """The mean score of one candidate less that of another."""
        weights = np.zeros(len(self.total))
        weights[one] += 1.0
        weights[other] -= 1.0
        return self._of(weights, False)

    def _of(self, weights: Array, share: bool) -> Estimate:
        mean, variance = float(weights @ self.means), self.variance(weights)
        if share:
            return rate_from(mean, variance, self.rounds)
        if variance > ROUNDING:
            return mean_from(mean, variance, self.rounds)
        largest = float(np.abs(weights) @ np.sqrt(self.products.diagonal() / self.rounds)) or 1.0
        return mean_from(mean, 0.0, self.rounds, (-largest, largest))  # all rounds alike: as large as others were

    @property
    def reliability(self) -> float:
        """Which part of the differences between candidates is not luck, from 0 to 1: how far ranks can be trusted.

        The variance of their means, less what the deals explain of it, divided by that variance.
        """
        count = len(self.total)
        if count < 2 or self.rounds < 2:
            return 0.0
        seen = float(self.means.var(ddof=1))
        luck = [self.variance(np.eye(count)[i] - 1.0 / count) for i in range(count)]
        noise = sum(luck) / (count - 1) / self.rounds
        return max(1.0 - noise / seen, 0.0) if seen > 0.0 else 0.0

    def data(self) -> dict[str, Any]:
        """As it goes to JSON."""
        return {
            "rounds": self.rounds,
            "total": self.total.tolist(),
            "products": self.products[np.tril_indices(len(self.total))].tolist(),
            "tables": self.tables.tolist(),
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """As it comes from JSON."""
        total = np.array(data["total"], np.float64)
        products = np.zeros((len(total), len(total)))
        products[np.tril_indices(len(total))] = data["products"]
        products = products + np.tril(products, -1).T
        return cls(int(data["rounds"]), total, products, np.array(data["tables"], np.float64))


MAX_TABLES = 24  # tables
LISTED = 10_000  # more than this are not listed

Table = tuple[str, ...]  # the opponents


class Interrupted(Exception):
    """Somebody wants to stop."""


def tables(pool: Sequence[str], players: int, seed: int) -> list[Table]:
    """The tables of a pool."""
    others = players - 1
    stream = [0, 0, 0, 0]
    seed_stream(stream, seed, 0)
    if math.perm(len(pool), others) > LISTED:
        return _dealt(pool, others, stream)
    orders = itertools.permutations(pool, others) if len(pool) >= others else itertools.product(pool, repeat=others)
    found = list(orders)
    while len(found) > MAX_TABLES:
        found.pop(below(stream, len(found)))
    return found


def _dealt(pool: Sequence[str], others: int, stream: list[int]) -> list[Table]:
    """Tables of a pool that has too many to list them: its members are shuffled and dealt, again and again."""
    found: dict[Table, None] = {}
    while len(found) < MAX_TABLES:
        deck = list(pool)
        shuffled = [deck.pop(below(stream, len(deck))) for _ in pool]
        tables = [tuple(shuffled[i : i + others]) for i in range(0, len(pool) - others + 1, others)]
        found.update(dict.fromkeys(tables))
    return list(found)[:MAX_TABLES]


class Arena:
    """Plays candidates at tables."""

    def __init__(self, game: Game, measure: str, threads: int = 1) -> None:
        self.game, self.measure, self.threads = game, measure, threads
        self._load = lru_cache(maxsize=256)(lambda name: load_agent(name, game))

    def games(self, candidates: int, tables: int, rounds: int) -> int:
        """The number of games in so many rounds of all candidates at all tables."""
        return candidates * tables * rounds * self.game.players

    def play(
        self,
        candidates: Sequence[str],
        tables: Sequence[Table],
        weights: Sequence[float],
        rounds: int,
        seed: int,
        going: Callable[[int], bool] = lambda games: True,
    ) -> Scores:
        """Rounds on the same deals for all candidates; `going` hears of games that were played, and may stop it."""
        values = np.zeros((len(candidates), len(tables), rounds))
        players, stopped, lock = self.game.players, threading.Event(), threading.Lock()

        def one(job: tuple[int, int]) -> None:
            if stopped.is_set():
                return
            k, t = job
            before = 0

            def on_progress(done: int) -> bool:
                nonlocal before
                with lock:
                    if not stopped.is_set() and not going(done - before):
                        stopped.set()
                before = done
                return not stopped.is_set()

            table = tables[t] if len(set(tables[t])) > 1 else tables[t][:1]  # copies of one opponent
            agents: list[Agent] = [self._load(candidates[k]), *map(self._load, table)]
            try:
                match = play_match(self.game, agents, rounds * players, mix(seed, t), on_progress=on_progress)
            except Exception as error:
                error.add_note(f"It happened while {candidates[k]} played.")
                raise
            if not stopped.is_set():
                values[k, t] = match.values(self.measure).reshape(rounds, players).mean(axis=1)

        jobs = list(itertools.product(range(len(candidates)), range(len(tables))))
        names = {*candidates, *itertools.chain(*tables)}
        compiled = all(isinstance(self._load(name), CompiledAgent) for name in names)
        if self.threads == 1 or not (compiled and self.game.native):
            for job in jobs:
                one(job)
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(one, jobs))
        if stopped.is_set():
            raise Interrupted
        return Scores.of(values, weights)
