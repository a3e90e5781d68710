"""Cells of an empirical game: the games of one combination of agents.

Agents sit where their cell says, agent p in seat p. Or seats are *drawn*: then every deal is played once with each
order of the agents, and a sample is the mean over them, so that much of the luck cancels.

Deals are numbered, and chance in deal n of a cell is named by the cell's seed and n. So games can be added later, and
played by anybody in any order: what comes of deal n is always the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import concrete_game
from parlor.arena.batch import new_batch, play_plainly
from parlor.arena.match import CHUNK, SMALL_CHUNK
from parlor.arena.measures import MEASURES, Lineups, Payoffs
from parlor.arena.statistics import means
from parlor.game import Game
from parlor.game.seats.play import Agent

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
