"""The tuner: it looks for the options of an agent with which it does best against a pool that grows with what is found.

A generation of candidates plays the same deals, fresh ones each time. How far their ranks can be trusted decides how
many games they play: more while luck explains most of the differences (`Scores.reliability`). Every few generations the
centre of the search and the best so far, the *champion*, play at the same tables on fresh deals. Only if the centre
does better with confidence, the lower end of the 95 % interval of the difference above 0, it becomes the champion and
joins the pool, so that the next ones must do well against it too: a fixed pool could be exploited.

Whoever looks at many candidates finds one that was lucky. So the final choice is among a few finalists on deals never
used before, and the final numbers are on other fresh deals.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import AGENTS, concrete_game
from parlor.arena.match import about_points
from parlor.arena.measures import MEASURES
from parlor.game import Game, GameError
from parlor.game.loading import load
from parlor.game.rng import mix
from parlor.runs.saved_agents import load_agent
from parlor.tuning.journal import TuningJournal
from parlor.tuning.options import Point, tuned_agent
from parlor.tuning.search import METHODS, PointSearch, SearchPlan, TuneConfig
from parlor.tuning.tables import Arena, Scores, Table, tables

BLOCK = 20_000  # games, about, that are played before they are put into the journal
UNSURE, SURE = 0.5, 0.8  # reliability of ranks: below the first, more games; above the second, fewer
LUCK = 0.3  # below this a generation plays on at once
LOOKS = 3  # times that a check may go on with twice the games
MIN_ROUNDS = 4  # rounds
UNLIMITED = 1_000_000  # games of a search that does not end by games, for what depends on them
NEWEST = 8  # of those that have joined the pool, so many stay

Row = dict[str, Any]


@dataclass(frozen=True)
class Lucky:
    """The highest score that was seen at the newest tables, and whose it was."""

    score: float
    point: Point
    tables: list[Table]


@dataclass
class BestFound:
    """A search by one method: what it knows, and what it has found."""

    method: str
    pool: list[str]
    champions: list[Point]  # the start, and every one that has improved on the one before
    tables: list[Table]
    weights: list[float]
    each: float  # games of a candidate in a generation
    games: int = 0
    seconds: float = 0.0
    generation: int = 0
    centre: Point = field(default_factory=list)
    lucky: Lucky | None = None
    candidates: int = 0
    why: str = ""  # it has ended

    @property
    def champion(self) -> Point:
        """The best so far."""
        return self.champions[-1]


@dataclass(frozen=True)
class Tuned:
    """The result of a tuning run."""

    agent: str  # with its options: the name it can be made from
    report: Mapping[str, Any]  # all numbers, as they go to JSON

    def __str__(self) -> str:
        return self.agent

    def __repr__(self) -> str:
        return f"<tuned: {self.agent}>"


class Tuner:
    """A tuning run in memory; `run` goes through all of it, taking from the journal what was played before."""

    def __init__(
        self,
        config: TuneConfig,
        journal: TuningJournal | None = None,
        threads: int = 1,
        going: Callable[[], bool] = lambda: True,
    ) -> None:
        self.game = concrete_game(load(config.game))
        if not config.measure:
            config = replace(config, measure="payoff" if about_points(self.game) else "win-share")
        self.config = config
        self.agent = tuned_agent(config.agent, self.game, config.options)
        self.start = self.agent.name(self.agent.start)
        load_agent(self.start, self.game)  # an error for an agent that does not play the game
        self.against = list(config.against or usual_pool(self.game, self.start))
        for name in self.against:
            load_agent(name, self.game)
        self.share = MEASURES.own(config.measure).share
        self.arena = Arena(self.game, config.measure, threads)
        self.journal = journal or TuningJournal()
        self._going = going  # asked while it plays; false stops it
        self._evaluations = 0
        self.searches: list[BestFound] = []
        self.games = 0  # all that were played
        self.stage = ""  # what is going on, in words
        self.rows: list[Row] = []  # the metrics, one for each generation
        self.tuned: Tuned | None = None  # the result
        for method in config.method:
            self._check_budget(method)

    def run(self) -> Tuned:
        """Go through all of it."""
        for _ in self.steps():
            pass
        assert self.tuned is not None
        return self.tuned

    def steps(self) -> Iterator[Row]:
        """Search by every method, giving the row of each generation; choose, and measure."""
        chosen: dict[str, tuple[Point, Row]] = {}
        for method in self.config.method:
            yield from self._search(method)
            chosen[method] = self._choose(self.searches[-1])
        self.tuned = self._measure(chosen)

    # ------------------------------------------------------------------------------------------------------ searching

    def _check_budget(self, method: str) -> None:
        c, found = self.config, self._begun(method)
        size = self._new_search(found, 0).population
        least = self.arena.games(size, len(found.tables), self._rounds(found))
        if c.games and c.games < least:
            raise GameError(
                f"One generation of {method} has {size} candidates and takes {least:,} games, so games must be at "
                f"least {least:,}, not {c.games:,}."
            )

    def _begun(self, method: str) -> BestFound:
        found = BestFound(method, list(self.against), [self.agent.start], [], [], self.config.games_each)
        self._set_tables(found)
        return found

    def _set_tables(self, found: BestFound, strength: Mapping[str, float] | None = None) -> None:
        """The tables of the pool, and their weights: those of members against whom little was won, if hard."""
        found.tables = tables(found.pool, self.game.players, mix(self.config.seed, len(found.pool)))
        found.weights = [1.0 / len(found.tables)] * len(found.tables)
        if strength is not None:
            ranked = sorted(found.pool, key=lambda name: strength.get(name, -math.inf))  # new members come first
            ranks = {name: len(ranked) - i for i, name in enumerate(ranked)}
            hard = [sum(ranks[name] for name in table) for table in found.tables]
            found.weights = [weight / sum(hard) for weight in hard]

    def _new_search(self, found: BestFound, restarts: int) -> PointSearch:
        """A search from the champion; a restart has twice the candidates, half as far from it."""
        c, make = self.config, METHODS[found.method]
        seed = mix(mix(mix(0, c.seed), list(METHODS).index(found.method)), restarts)
        plan = SearchPlan(self.agent.options, found.champion, seed, c.spread / 2**restarts, c.candidates)
        return make(replace(plan, population=make(plan).population << restarts))

    def _rounds(self, found: BestFound) -> int:
        """Rounds of a generation."""
        return max(MIN_ROUNDS, math.ceil(found.each / (len(found.tables) * self.game.players)))

    def _affords(self, found: BestFound, candidates: int, rounds: int) -> bool:
        """Whether so much more fits into the budget of a search."""
        c = self.config
        games = found.games + self.arena.games(candidates, len(found.tables), rounds)
        return not ((c.games and games > c.games) or (c.minutes and found.seconds >= 60.0 * c.minutes))

    def _search(self, method: str) -> Iterator[Row]:
        c, found = self.config, self._begun(method)
        self.searches.append(found)
        restarts = failures = 0
        search = self._new_search(found, 0)
        while True:
            if (
                not self._affords(found, search.population, self._rounds(found))
                or found.generation == c.generations > 0
            ):
                found.why = "its budget was spent"
                break
            if failures >= c.patience:
                if restarts >= c.restarts:
                    found.why = f"{failures} checks in a row found no improvement that was more than luck"
                    break
                restarts, failures = restarts + 1, 0
                search = self._new_search(found, restarts)
                continue
            yield self._generation(search, found)
            if found.generation % c.check_every == 0:
                failures = 0 if self._improved(found) else failures + 1

    def _generation(self, search: PointSearch, found: BestFound) -> Row:
        """Ask, play, tell; the row of metrics."""
        self.stage = f"{found.method}, generation {found.generation + 1}"
        points = search.ask()
        names = [self.agent.name(point) for point in points]
        rounds = self._rounds(found)
        scores = self._play(names, found.tables, found.weights, rounds, found)
        for _ in range(2):
            if scores.reliability >= LUCK or not self._affords(found, len(names), scores.rounds):
                break
            scores += self._play(names, found.tables, found.weights, scores.rounds, found)
        search.tell(points, scores.means.tolist())
        found.generation += 1
        found.candidates += len(names)
        found.centre = search.centre
        best = int(scores.means.argmax())
        plain = float(scores.tables[best].mean()) / scores.rounds
        if found.lucky is None or found.lucky.tables != found.tables or plain > found.lucky.score:
            found.lucky = Lucky(plain, points[best], found.tables)
        most = max(self.config.games_each, (self.config.games or UNLIMITED) // (20 * len(names)))
        if scores.reliability < UNSURE:
            found.each = min(1.5 * found.each, most)
        elif scores.reliability > SURE:
            found.each = max(found.each / 1.5, self.config.games_each)
        self.rows.append(self._row(found, search, scores))
        return self.rows[-1]

    def _row(self, found: BestFound, search: PointSearch, scores: Scores) -> Row:
        average = scores.average(self.share)
        return {
            "games": self.games, "method": found.method, "generation": found.generation, "search_games": found.games,
            "score": {"value": average.value, "low": average.low, "high": average.high},
            "best": float(scores.means.max()), "spread": search.spread, "reliability": scores.reliability,
            "games_each": self.arena.games(1, len(found.tables), scores.rounds),
            "pool": len(found.pool), "champions": len(found.champions) - 1,
            "option": self.agent.values(search.centre),
        }  # fmt: skip

    def _improved(self, found: BestFound) -> bool:
        """Whether the centre is better than the champion, with confidence; then it takes its place."""
        names = [self.agent.name(found.centre), self.agent.name(found.champion)]
        rounds = 4 * self._rounds(found)
        if names[0] == names[1] or not self._affords(found, 2, rounds):
            return False
        self.stage = f"{found.method}, is it better than the champion?"
        scores = self._play(names, found.tables, found.weights, rounds, found)
        for _ in range(LOOKS - 1):
            gain = scores.difference(0, 1)
            if gain.low > 0.0 or gain.value <= 0.0 or not self._affords(found, 2, scores.rounds):
                break
            scores += self._play(names, found.tables, found.weights, scores.rounds, found)
        if scores.difference(0, 1).low <= 0.0:
            return False
        found.champions.append(found.centre)
        strength = won_from(found.pool, found.tables, scores) if self.config.weights == "hard" else None
        if self.config.grow and names[0] not in found.pool:
            joined = [*found.pool[len(self.against) :], names[0]]
            found.pool = [*self.against, *joined[-NEWEST:]]
        self._set_tables(found, strength)
        return True

    # ---------------------------------------------------------------------------------------- choosing and measuring

    def _final(self, names: Sequence[str], where: Sequence[Table]) -> Scores:
        rounds = max(MIN_ROUNDS, math.ceil(self.config.final_games / (len(where) * self.game.players)))
        return self._play(names, where, [1.0 / len(where)] * len(where), rounds)

    def _choose(self, found: BestFound) -> tuple[Point, Row]:
        """The best of the finalists on fresh deals, and what there is to say about it."""
        self.stage = f"{found.method}, choosing among the finalists"
        assert found.lucky is not None
        points = [*found.champions[-3:], found.centre, found.lucky.point, self.agent.start]
        finalists = {self.agent.name(point): point for point in points}
        names = list(finalists)
        scores = self._final(names, found.tables)
        best = int(scores.means.argmax())
        told: Row = {
            "method": found.method, "ended": f"It ended because {found.why}.", "games": found.games,
            "generations": found.generation, "candidates": found.candidates, "finalists": len(names),
            "pool": found.pool, "agent": names[best], "chosen_at": vars(scores.estimate(best, self.share)),
        }  # fmt: skip
        lucky = self.agent.name(found.lucky.point)
        if found.lucky.tables == found.tables:
            fresh = scores.estimate(names.index(lucky), self.share)
        else:  # the pool has changed since
            fresh = self._final([lucky], found.lucky.tables).estimate(0, self.share)
        told["highest"] = {"agent": lucky, "seen": found.lucky.score, "fresh": vars(fresh)}
        return finalists[names[best]], told

    def _measure(self, chosen: Mapping[str, tuple[Point, Row]]) -> Tuned:
        """The last numbers, on fresh deals: everybody chosen and the start, against the pool as it was and as it is."""
        everybody = list(dict.fromkeys([*self.against, *(name for found in self.searches for name in found.pool)]))
        names = list(dict.fromkeys([*(told["agent"] for _, told in chosen.values()), self.start]))
        winner = names[0]
        if len(names) > 2:  # chosen by several methods: who is the best is a choice, so it has deals of its own
            self.stage = "choosing among the methods"
            scores = self._final(names, self._tables_of(everybody))
            winner = names[int(scores.means.argmax())]
        self.stage = "measuring on fresh deals"
        report: list[Row] = []
        for pool in [self.against, *([everybody] if len(everybody) > len(self.against) else [])]:
            where = self._tables_of(pool)
            scores = self._final(names, where)
            start = names.index(self.start)
            rows = [
                {
                    "agent": name,
                    "from": [method for method, (_, told) in chosen.items() if told["agent"] == name]
                    + ["start"] * (i == start),
                    "score": vars(scores.estimate(i, self.share)),
                    "gain": None if i == start else vars(scores.difference(i, start)),
                    "by_opponent": won_from(pool, where, scores, i),
                }
                for i, name in enumerate(names)
            ]
            games = self.arena.games(1, len(where), scores.rounds)
            report.append({"pool": pool, "games": games, "rows": rows})
        return Tuned(
            winner,
            {
                "game": self.game.name, "agent": winner, "start": self.start, "measure": self.config.measure,
                "games": self.games, "searches": [told for _, told in chosen.values()], "report": report,
            },
        )  # fmt: skip

    def _tables_of(self, pool: Sequence[str]) -> list[Table]:
        return tables(pool, self.game.players, mix(self.config.seed, len(pool)))

    # ---------------------------------------------------------------------------------------------------- playing

    def _play(
        self,
        names: Sequence[str],
        where: Sequence[Table],
        weights: Sequence[float],
        rounds: int,
        found: BestFound | None = None,
    ) -> Scores:
        """Scores in fresh rounds, block by block, each from the journal if it is there."""
        self._evaluations += 1
        seed = mix(mix(mix(0, self.config.seed), 1), self._evaluations)
        at_once = max(MIN_ROUNDS, BLOCK // self.arena.games(len(names), len(where), 1))
        scores: Scores | None = None
        for number, first in enumerate(range(0, rounds, at_once)):
            some = min(at_once, rounds - first)
            request: Row = {"candidates": list(names), "tables": list(where), "weights": list(weights), "rounds": some,
                       "seed": mix(seed, number)}  # fmt: skip
            row = self.journal.find(request)
            if row is None:
                began = time.perf_counter()
                part = self.arena.play(names, where, weights, some, request["seed"], lambda games: self._going())
                timed = {"seconds": time.perf_counter() - began} if self.config.minutes else {}
                row = self.journal.add(request, part.data() | timed)
            played = self.arena.games(len(names), len(where), some)
            self.games += played
            if found is not None:
                found.games += played
                found.seconds += row.get("seconds", 0.0)
            part = Scores.read(row)
            scores = part if scores is None else scores + part
        assert scores is not None
        return scores

    def so_far(self) -> str:
        """The best agent that was found so far."""
        return self.agent.name(self.searches[-1].champion) if self.searches else self.start


def usual_pool(game: Game, start: str) -> list[str]:
    """The agents that are made for the game, unless they are slow, or those it declares; and the start."""
    own = [
        name
        for name, row in AGENTS.items()
        if row.games and row.plays(game) and not row.named("file") and not row.computes
    ]
    quick = [name for name in own if isinstance(made := load_agent(name, game), CompiledAgent) and not made.slow]
    base = start.partition("(")[0]
    others = [name for name in quick if name != base] or [name for name in game.training.against if name != base]
    return [*(others or ["random"]), start]


def won_from(pool: Sequence[str], where: Sequence[Table], scores: Scores, candidate: int = 0) -> dict[str, float]:
    """The mean payoff of a candidate at the tables of each member of the pool."""
    got = dict(zip(where, (scores.tables[candidate] / scores.rounds).tolist(), strict=True))
    at = {name: [value for table, value in got.items() if name in table] for name in pool}
    return {name: sum(values) / len(values) for name, values in at.items() if values}
