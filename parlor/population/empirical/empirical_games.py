"""Empirical games that are played: agents of any kind, every combination of them, as many games as are asked for.

    game = parlor.empirical_game("leduc", ["random", "look-ahead", "runs/leduc-cfr+.json"], games=2000)
    game.solve("mgcce"), game.rank("nash-average"), game.save("leduc-agents.json")

Each player has a list of agents, the same for all or one each, and a cell is one agent for each player. With
`symmetric`, for one list, seats are drawn: a cell is who plays, not who sits where, and every deal is played in each
order. A cell's games are numbered, and named by the seed and its agents, so it does not matter who plays them when.
Every measure of the arena is taken game by game: what is good for all together can be analysed as a game of its own.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import concrete_game
from parlor.arena.match import ROUNDED
from parlor.arena.measures import MEASURES, extremes
from parlor.compile import version
from parlor.game import Game, GameError
from parlor.game.loading import as_game, load, loadable_name
from parlor.game.seats.play import Agent, Playable, as_agent
from parlor.game.words import html_table
from parlor.policies.mixture import Mixture
from parlor.population.empirical.agent_versions import agent_version
from parlor.population.empirical.cells import CellTask, Tally, cell_seed, exact_payoffs, results_of, seatings
from parlor.population.empirical.empirical_game import EXACT, Cell, EmpiricalGame, symmetrised
from parlor.population.empirical.empirical_game_writer import save_empirical_game
from parlor.population.empirical.estimates import Estimates, complete_part, estimates
from parlor.population.empirical.rankings import Ranking, rank
from parlor.population.meta import solve
from parlor.runs.saved_agents import load_agent
from parlor.runs.workers import Pool, start_pool

BLOCK, SLOW_BLOCK = 1000, 20  # deals that are played at a time: of compiled games, and of slow ones
GROWTH = 4  # times the games of a cell, at most, before its interval is looked at again
FIRST = 100  # games of a cell, before its interval is looked at

#: Called with the games played and those planned so far; returns false to stop.
OnProgress = Callable[[int, int], bool]


@dataclass
class SimulatedGame:
    """An empirical game and its agents. `failures` says of cells that could not be played why, in the last attempt."""

    name: str  # of the game in which they meet
    players: int
    seed: int = 0
    symmetric: bool = False  # seats are drawn
    measured: dict[str, EmpiricalGame] = field(default_factory=dict)  # by measure; all have the same cells
    versions: dict[str, str] = field(default_factory=dict)  # of the agents that are files, by label
    failures: dict[tuple[str, ...], str] = field(default_factory=dict)
    source: str = ""  # the full path of the game's rules file, if it has one
    rules: str = ""  # the version of the rules by which it was played; empty: not yet
    kept: bool = True  # read from a file of its own, in which it can be kept
    _game: Game | None = None
    _agents: dict[str, Agent] = field(default_factory=dict)

    @staticmethod
    def of(game: Game | str, seed: int = 0, symmetric: bool = False) -> SimulatedGame:
        """One without agents."""
        concrete = concrete_game(as_game(game))
        made = SimulatedGame(concrete.name, concrete.players, seed, symmetric, source=concrete.source)
        made._game = concrete
        return made

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**63:
            raise GameError(f"seed must be between 0 and 2**63 - 1, not {self.seed}.")
        for name in MEASURES:
            self.measured.setdefault(name, EmpiricalGame(self.name, self.players))

    # ------------------------------------------------------------------------------------------------------- its agents

    @property
    def game(self) -> Game:
        """The game, loaded when it is first needed."""
        if self._game is None:
            self._game = load(loadable_name(_Named(self.name, self.source)))
        return self._game

    @property
    def payoffs(self) -> EmpiricalGame:
        """The payoffs."""
        return self.measured["payoff"]

    @property
    def labels(self) -> list[list[str]]:
        """The names of each player's agents."""
        return self.payoffs.labels

    @property
    def shared(self) -> bool:
        """Whether all players have the same list of agents."""
        return all(some == self.labels[0] for some in self.labels)

    def add(self, agent: Playable | str, player: int | None = None) -> None:
        """One more agent, for all players or for one; its cells are not played yet."""
        if player is not None and self.symmetric:
            raise GameError("In a symmetric game all players have the same agents.")
        made = None if isinstance(agent, str) else as_agent(agent)
        label = agent.strip() if isinstance(agent, str) else made.name if made else ""
        players = range(self.players) if player is None else [player]
        if any(label in self.labels[p] for p in players):
            raise GameError(f"{label} is in the empirical game already; each agent is listed once.")
        if made is not None:
            self._agents[label] = made
        for p in players:
            for table in self.measured.values():
                table.add(p, label)

    def agent(self, label: str) -> Agent:
        """The agent of that name, loaded when it is first needed; an error if its file has changed meanwhile."""
        if label not in self._agents:
            now = agent_version(label)
            if self.versions.setdefault(label, now) != now:
                raise GameError(f"{label} has changed since its games were played; begin a new empirical game with it.")
            self._agents[label] = load_agent(label, self.game)
        return self._agents[label]

    def load_agents(self) -> list[Agent]:
        """All agents; an error if one of them cannot be loaded."""
        return [self.agent(label) for label in sorted({label for some in self.labels for label in some})]

    # ---------------------------------------------------------------------------------------------------------- playing

    def cells(self) -> list[Cell]:
        """The cells that are played; where seats are drawn, one for all orders of its agents."""
        counts = self.payoffs.shape
        if self.symmetric:
            return list(itertools.combinations_with_replacement(range(counts[0]), self.players))
        return list(itertools.product(*map(range, counts)))

    def named(self, cell: Cell) -> tuple[str, ...]:
        """The names of the agents of a cell."""
        return tuple(self.labels[p][i] for p, i in enumerate(cell))

    def orders(self, cell: Cell) -> int:
        """Games in which a deal is played."""
        return len(seatings(self.named(cell), self.symmetric))

    @property
    def games(self) -> int:
        """Games played in all."""
        counts = ((cell, int(self.payoffs.counts[cell])) for cell in self.cells())
        return sum(self.orders(cell) * count for cell, count in counts if count != EXACT)

    def play(
        self,
        games: int = 1000,
        until: float = 0.0,
        most: int = 0,
        workers: int = 1,
        backend: str = "",
        address: str | None = None,
        on_progress: OnProgress | None = None,
        on_block: Callable[[], None] = lambda: None,
    ) -> bool:
        """Play so many games in each cell that has fewer, and then more where intervals are wide.

        With `until`, cells are played on until no interval of a payoff is wider than ± that, or a cell has `most`
        games. `backend` is threads, processes or ray; empty: threads, or processes if agents are Python code.
        `on_block` is called after some games were added. Returns false if `on_progress` has stopped it.
        """
        if games < 0 or until < 0.0 or most < 0:
            raise GameError("games, until and most must not be negative.")
        self.failures = {}
        self._check_rules()
        backend = backend or self._backend(workers)
        if backend == "threads" and not self._compiled():
            workers = 1  # Python runs one thread at a time
        with start_pool(backend, workers, address) as pool:
            while True:
                plan = {cell: more for cell in self.cells() if (more := self._wanted(cell, games, until, most)) > 0}
                if not plan:
                    return True
                if not self._play(plan, pool, backend, on_progress, on_block):
                    return False

    def compute(self) -> dict[str, str]:
        """Compute the expected payoffs of cells exactly, where that is possible; says of other agents why it is not."""
        self._check_rules()
        chosen, payoffs, reasons = exact_payoffs(self.game, self.labels, self.agent)
        if payoffs is not None:
            payoffs = symmetrised(payoffs) if self.symmetric else payoffs
            cells = np.ix_(*chosen)
            self.payoffs.set_exact(cells, payoffs)
            self.measured["welfare"].set_exact(cells, np.broadcast_to(payoffs.sum(axis=0), payoffs.shape))
        return reasons

    def _check_rules(self) -> None:
        """Refuse to mix games of other rules."""
        now = version(self.game)
        if self.rules not in ("", now):
            raise GameError(f"The rules of {self.name} have changed since its games were played; begin a new one.")
        self.rules = now

    def _wanted(self, cell: Cell, games: int, until: float, most: int) -> int:
        """Return the number of deals that a cell still needs."""
        have, orders = int(self.payoffs.counts[cell]), self.orders(cell)
        if have == EXACT or self.named(cell) in self.failures:
            return 0
        least = -(-max(games, FIRST if until else 0) // orders)
        if have < least or not until:
            return least - have
        limit = -(-most // orders) if most else EXACT
        width = self.width(cell)
        if width <= until or have >= limit:
            return 0
        enough = have * min((width / until) ** 2 * 1.05, GROWTH) if math.isfinite(width) else 2 * have
        return max(1, min(math.ceil(enough), limit) - have)

    def width(self, cell: Cell) -> float:
        """Half the widest 95 % interval of a payoff of a cell; infinite while nothing is known of the variance."""
        part = self.measured["payoff"].restricted([[i] for i in cell])
        part.limits, part.exact_alike = self.payoffs.bounds, self.symmetric and self.game.kind == "zero-sum"
        return float(part.half_widths().max())

    def table(self, measure: str) -> EmpiricalGame:
        """A copy of the cells of a measure, with what is known of its values."""
        row, everything = MEASURES.own(measure), [list(range(n)) for n in self.payoffs.shape]
        cells = extremes(*self.payoffs.bounds, self.players, self._zero_sum)
        table = self.measured[measure].restricted(everything)
        table.limits = row.bounds(cells)
        table.exact_alike = self.symmetric and bool(np.ptp(row.of_cells(cells.T).mean(axis=0)) <= ROUNDED)
        return table

    @property
    def _zero_sum(self) -> bool:
        """Whether payoffs sum to zero; of a game that has not been loaded, whether all have that were seen."""
        if self._game is not None:
            return self._game.kind == "zero-sum"
        sums = self.payoffs.sums
        return float(np.abs(sums.sum(axis=0)).max(initial=0.0)) <= ROUNDED * float(np.abs(sums).max(initial=0.0))

    def _compiled(self) -> bool:
        return self.game.native and all(isinstance(agent, CompiledAgent) for agent in self.load_agents())

    def _backend(self, workers: int) -> str:
        """Processes for Python code, which must then be known by name to be found there."""
        if self._compiled() or workers == 1:
            return "threads"
        return "processes" if all(label in self.versions for some in self.labels for label in some) else "threads"

    def _play(
        self,
        plan: dict[Cell, int],
        pool: Pool,
        backend: str,
        on_progress: OnProgress | None,
        on_block: Callable[[], None],
    ) -> bool:
        """Play the plan, some deals of every cell at a time."""
        slow = not self._compiled() or any(getattr(agent, "slow", False) for agent in self._agents.values())
        block = SLOW_BLOCK if slow else BLOCK
        before, total = self.games, sum(more * self.orders(cell) for cell, more in plan.items())
        done = 0
        left = dict(plan)
        while left:
            rounds = max(1, -(-2 * pool.workers // len(left)))  # all workers have something to do
            batch = [
                (cell, task) for cell, more in left.items() for task in self._tasks(cell, more, block, rounds, backend)
            ]
            with closing(results_of(pool, [task for _, task in batch])) as results:
                for (cell, _), found in zip(batch, results, strict=True):
                    name = self.named(cell)
                    if name in self.failures:
                        continue
                    if isinstance(found, str):
                        self.failures[name] = found
                        left.pop(cell, None)
                        continue
                    self._record(cell, found)
                    done += found.games
                    left[cell] -= found.deals
                    on_block()
                    if on_progress is not None and not on_progress(before + done, before + total):
                        return False
            left = {cell: more for cell, more in left.items() if more > 0}
        return True

    def _tasks(self, cell: Cell, more: int, block: int, rounds: int, backend: str) -> Iterator[CellTask]:
        """The next blocks of a cell."""
        labels, far = self.named(cell), backend != "threads"
        agents = tuple(label if far else self.agent(label) for label in labels)
        game = loadable_name(_Named(self.name, self.source)) if far else self.game
        seed, first = cell_seed(self.seed, labels, self.symmetric), int(self.payoffs.counts[cell])
        for start in range(first, first + min(more, rounds * block), block):
            yield CellTask(game, agents, labels, min(block, first + more - start), seed, start, self.symmetric)

    def _record(self, cell: Cell, found: Tally) -> None:
        orders = set(itertools.permutations(range(len(cell)))) if self.symmetric else [tuple(range(len(cell)))]
        places = {tuple(cell[i] for i in order): list(order) for order in orders}
        for place, order in places.items():
            for name, table in self.measured.items():
                table.record(place, found.deals, found.sums[name][order], found.squares[name][order])

    # --------------------------------------------------------------------------------------------------------- analysis

    def estimates(
        self,
        measure: str = "payoff",
        symmetric: bool | None = None,
        only: Sequence[str] = (),
        of_means: bool = False,
    ) -> Estimates:
        """Return estimates of the game in which a measure is the payoff; agents with unplayed cells are left out.

        With `only`, it is the game of these agents. Of a measure of which less is better, such as inequity, it is the
        negative. With `symmetric`, the mean over seats is taken also of a game that was played in fixed seats. With
        `of_means` the measure is that of the mean payoffs of a cell, not the mean over its games.
        """
        row = MEASURES.find(measure)
        if of_means:
            better = -1.0 if row.less else 1.0
            known = self.estimates("payoff", symmetric, only)
            return replace(known, derive=lambda payoffs: better * row.of_cells(payoffs))
        if measure not in self.measured:
            raise GameError(f"{measure} is not among the measures of its games; --of-means computes it from payoffs.")
        shared = self.symmetric if symmetric is None else symmetric
        if unknown := [label for label in only if not any(label in some for some in self.labels)]:
            raise GameError(f"{unknown[0]} is not in the empirical game.")
        some = [[i for i, label in enumerate(mine) if not only or label in only] for mine in self.labels]
        measured = self.table(measure)
        part = complete_part(measured.restricted(some), shared)
        chosen = [[mine[i] for i in left] for mine, left in zip(some, part, strict=True)]
        if min(map(len, chosen)) == 0:
            raise GameError(f"No agents of {self.name} have all of their games yet: play some, with --games N.")
        table = measured.restricted(chosen)
        total = self.table("welfare").restricted(chosen) if measure == "payoff" else None
        if total is not None and not total.complete:
            total = None
        if row.less:
            table.sums, table.limits = -table.sums, table.limits and (-table.limits[1], -table.limits[0])
        return estimates(table, total, shared, self.symmetric)

    def solve(self, meta: str, measure: str = "payoff", symmetric: bool | None = None, **settings: Any) -> Mixture:
        """The mixture of a meta-solver."""
        return solve(meta, self.estimates(measure, symmetric).payoffs, **settings)

    def rank(
        self,
        name: str,
        measure: str = "payoff",
        symmetric: bool | None = None,
        resamples: int = 100,
        of_means: bool = False,
    ) -> list[Ranking]:
        """A ranking of each player's agents; a single one where seats are drawn."""
        return rank(self.estimates(measure, symmetric, of_means=of_means), name, resamples, self.seed)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file that ends in .json (readable) or .npz (compact)."""
        save_empirical_game(self, path)

    def draw(self, path: str | os.PathLike[str], kind: str = "heat-map", **options: Any) -> None:
        """Draw it: `heat-map`, `replicator` or `polytope`."""
        from parlor.population.empirical.empirical_figures import draw_estimates

        draw_estimates(self.estimates(**options), path, kind)

    def __repr__(self) -> str:
        return f"{repr(self.payoffs)[:-1]}, {self.games:,} games>"

    def _repr_html_(self) -> str:
        known = self.payoffs.payoffs
        rows = [
            (" · ".join(self.named(cell)), *(f"{known[(p, *cell)]:+.3f}" for p in range(self.players)))
            for cell in self.cells()
        ]
        return html_table(str(self), ("cell", *(f"player {p}" for p in range(self.players))), rows)


@dataclass(frozen=True)
class _Named:
    """A game by its name, for `loadable_name`."""

    game: str
    source: str


def empirical_game(
    game: Game | str,
    agents: Sequence[Any],
    games: int = 1000,
    *,
    seed: int = 0,
    symmetric: bool = False,
    until: float = 0.0,
    most: int = 0,
    exact: bool = False,
    workers: int = 1,
) -> SimulatedGame:
    """Let every combination of agents play `games` games; one list of agents for all players, or a list for each.

    With `exact`, what can be computed is computed, see `SimulatedGame.compute`.
    """
    made = SimulatedGame.of(game, seed, symmetric)
    add_agents(made, agents)
    if exact:
        made.compute()
    made.play(games, until, most, workers)
    return made


def add_agents(made: SimulatedGame, agents: Sequence[Any], known: bool = False) -> None:
    """One list for all players, or a list of lists, one for each; with `known` those it has are passed over."""
    lists = [agents] if not agents or not isinstance(agents[0], list | tuple) else list(agents)
    if len(lists) not in (1, made.players):
        raise GameError(f"{made.name} has {made.players} players, but there are {len(lists)} lists of agents.")
    for player, some in enumerate(lists):
        for agent in some:
            if not (known and agent in made.labels[player]):
                made.add(agent, player if len(lists) > 1 else None)
