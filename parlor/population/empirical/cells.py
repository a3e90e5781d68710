"""Cells of an empirical game: the games of one combination of agents.

Agents sit where their cell says, agent p in seat p. Or seats are *drawn*: then every deal is played once with each
order of the agents, and a sample is the mean over them, so that much of the luck cancels.

Deals are numbered, and chance in deal n of a cell is named by the cell's seed and n. So games can be added later, and
played by anybody in any order: what comes of deal n is always the same.

Cells of empirical games that can be computed: expected payoffs, exactly, where the game can be enumerated.

That is for agents that are tables, or plain formulas. One that searches or samples when it decides is played, and so is
Python code, which may. Measures that are not linear in payoffs are not computed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import concrete_game
from parlor.arena.batch import new_batch, play_plainly
from parlor.arena.match import CHUNK, SMALL_CHUNK
from parlor.arena.measures import MEASURES, Lineups, Payoffs
from parlor.arena.statistics import means
from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.seats.play import Agent
from parlor.policies.plans import Plans, plan
from parlor.policies.policy import Policy
from parlor.runs.saved_agents import load_agent
from parlor.runs.workers import Pool, WorkerError
from parlor.sequence_form.tree import tree
from parlor.solvers.tabulate import tabulate

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Tally:
    """The results of some deals, measure by measure: for each player the sum over deals, and that of the squares."""

    deals: int
    games: int
    sums: dict[str, Array]  # [players]
    squares: dict[str, Array]


def cell_seed(seed: int, labels: Sequence[str], drawn: bool = False) -> int:
    """The seed of a cell, from that of all and the names of its agents; if seats are drawn, in any order."""
    named = sorted(labels) if drawn else list(labels)
    return int.from_bytes(hashlib.blake2b(json.dumps([seed, *named]).encode(), digest_size=8).digest()) >> 1


def seatings(labels: Sequence[str], drawn: bool) -> Lineups:
    """The orders in which the agents of a cell are seated on each deal, [orders, seats]; equal ones count once."""
    if not drawn:
        return np.arange(len(labels))[None, :]
    found = {tuple(labels[i] for i in order): order for order in permutations(range(len(labels)))}
    return np.array(list(found.values()))


def play_cell(
    game: Game,
    agents: Sequence[Agent],
    labels: Sequence[str],
    deals: int,
    seed: int,
    first: int = 0,
    drawn: bool = False,
) -> Tally:
    """Play deals `first` and on, of the seed of the cell; agents of equal labels are the same."""
    orders = seatings(labels, drawn)
    lineups = np.tile(orders, (deals, 1))
    payoffs = play_lineups(game, agents, lineups, seed, first * len(orders), len(orders))
    sums, squares = {}, {}
    for name, measure in MEASURES.items():
        values = np.stack([means(measure.of(payoffs, lineups, p), len(orders)) for p in range(len(agents))])
        if drawn:  # players of the same agent have the same
            values = np.stack([values[[q for q, other in enumerate(labels) if other == one]].mean(0) for one in labels])
        sums[name], squares[name] = values.sum(axis=1), (values**2).sum(axis=1)
    return Tally(deals, len(lineups), sums, squares)


def play_lineups(game: Game, agents: Sequence[Agent], lineups: Lineups, seed: int, first: int, each: int) -> Payoffs:
    """Games `first` and on with these line-ups, `each` in a row on the same deal; the payoff of each seat."""
    concrete = concrete_game(game)
    compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
    if not concrete.native or len(compiled) < len(agents):
        return play_plainly(concrete, agents, seed, first, each, lineups)
    chunk = SMALL_CHUNK if any(agent.slow for agent in compiled) else CHUNK
    workspace = new_batch(concrete, compiled, min(chunk, len(lineups)))
    parts = [workspace.play(seed, first + at, each, lineups[at : at + chunk]) for at in range(0, len(lineups), chunk)]
    return np.concatenate(parts)


def exact_payoffs(
    game: Game, labels: Sequence[Sequence[str]], agent: Callable[[str], Agent]
) -> tuple[list[list[int]], Any, dict[str, str]]:
    """For each player the agents that can be tabulated, the payoffs of their cells, and why the others cannot be.

    The payoffs are an array [players, agents of player 0, agents of player 1, …], or None if a player has none.
    """
    t, tables, reasons = tree(game), {}, {}
    for label in sorted({label for some in labels for label in some}):
        try:
            tables[label] = _table(game, agent(label))
        except GameError as error:
            reasons[label] = str(error)
    chosen = [[i for i, label in enumerate(some) if label in tables] for some in labels]
    if not all(chosen):
        return chosen, None, reasons
    plans = Plans(t)
    made = [[plan(t, tables[labels[p][i]], p) for i in some] for p, some in enumerate(chosen)]
    for player in range(1, game.players):
        for one in made[player]:
            plans.add_plan(player, one)
    return chosen, np.concatenate([plans.add(0, one) for one in made[0]], axis=1), reasons


def _table(game: Game, agent: Agent) -> Policy:
    if isinstance(agent, Policy):
        return agent
    if not isinstance(agent, CompiledAgent):
        raise GameError("it is Python code, which may be random.")
    if agent.thinks_long:
        raise GameError("it searches or samples when it decides.")
    return tabulate(game, agent)


@dataclass(frozen=True)
class CellTask:
    """Some deals of a cell."""

    game: Game | str
    agents: tuple[Agent | str, ...]
    labels: tuple[str, ...]
    deals: int
    seed: int
    first: int
    drawn: bool


def play_task(task: CellTask) -> Tally | str:
    """Play, here or in another process; a sentence if that is impossible."""
    try:
        agents = [_loaded(one, str(task.game)) if isinstance(one, str) else one for one in task.agents]
        return play_cell(as_game(task.game), agents, task.labels, task.deals, task.seed, task.first, task.drawn)
    except Exception as error:  # whatever somebody's agent does
        said = str(error) or "no message"
        return said if isinstance(error, GameError) else f"{type(error).__name__}: {said.rstrip('.')}."


def results_of(pool: Pool, tasks: Sequence[CellTask]) -> Generator[Tally | str, None, None]:
    """The results of tasks; if a worker dies again and again, one task at a time, to see which one it dies of."""
    done = 0
    try:
        for result in pool.map(play_task, tasks):
            yield result
            done += 1
    except WorkerError:
        for task in tasks[done:]:
            try:
                yield from pool.map(play_task, [task])
            except WorkerError:
                yield "The process that played it died, and so did others that tried."


@lru_cache(maxsize=1024)
def _loaded(text: str, game: str) -> Agent:
    return load_agent(text, concrete_game(as_game(game)))
