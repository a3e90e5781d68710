"""The tables at which candidates play: one candidate and opponents from the pool, in all orders.

Between two players a table is an opponent. Among n it is n - 1 different members of the pool in an order, which says
who sits next to whom; if the pool has fewer, some of them sit there more than once. The candidate takes every seat in
turn on the same deal. If there are many tables, some are drawn.
"""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.arena.match import play_match
from parlor.game import Game
from parlor.game.rng import below, mix, seed_stream
from parlor.game.seats.play import Agent
from parlor.runs.saved_agents import load_agent
from parlor.tuning.scores import Scores

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
