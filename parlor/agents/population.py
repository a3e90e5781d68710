"""A population in a seat, in three ways that nobody who only sees moves can tell apart.

- `aggregate`: it plays the aggregate policy, the mean of its members by their posterior given its own moves so far. The
  file of a population is seated so. Where the game is small, that is a table.
- `sampled`: a member is drawn when the game begins, and followed.
- `self-posterior`: at each decision a member is drawn from the posterior.

See `parlor.solvers.population.population`. The members' weights are the agent's memory of a game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from parlor.agents import policy_table
from parlor.agents.agent import CompiledAgent, alike
from parlor.agents.listing import Listing, Setting
from parlor.game import Floats, Game, GameError, Ints
from parlor.games import load, parse
from parlor.kernel import key, remember
from parlor.rng import choose
from parlor.solvers.population.population import Population
from parlor.strategy import Strategy

# What the first number of a memory says of the others
NOTHING = 0.0  # the game begins
WEIGHTS = 1.0  # they are the posterior of its player's members
DRAWN = 2.0  # the next is the number of the member that it follows
LOST = 3.0  # no member would have moved so: it plays uniformly


class Members(NamedTuple):
    """What kernels read. P players, M members of all players, T different strategies."""

    first: Any  # [P+1] a player's members are first[p] .. first[p+1]
    prior: Any  # [M] how often each is played
    strategy: Any  # [M] which of the T it is
    begin: Any  # [T+1] its information sets are begin[t] .. begin[t+1]
    keys: Any  # ascending within each strategy
    starts: Any  # where each row begins …
    ends: Any  # … and ends
    probabilities: Any
    row: Any  # [actions] working memory


def weigh_member(states: Any, g: int, p: int, m: int, n: int, members: Members) -> bool:
    """Fill `members.row` as a member plays; false if its table is for other rules."""
    low = members.begin[members.strategy[m]]
    end = members.begin[members.strategy[m] + 1]
    row = members.row
    k = key(states[g], p) if low < end else 0
    high = end
    while low < high:
        middle = (low + high) >> 1
        if members.keys[middle] < k:
            low = middle + 1
        else:
            high = middle
    if low == end or members.keys[low] != k:
        alike(n, row)
        return True
    first = members.starts[low]
    for i in range(n):
        row[i] = members.probabilities[first + i]
    return bool(members.ends[low] - first == n)


def recall_weights(mine: Any, p: int, members: Members) -> int:
    """How many members player `p` has; at the beginning of a game, their weights are those of the mixture."""
    first = members.first[p]
    count = members.first[p + 1] - first
    if mine[0] == NOTHING:
        mine[0] = WEIGHTS
        for i in range(count):
            mine[1 + i] = members.prior[first + i]
    return int(count)


def weigh_aggregate(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The mean of the members by their weights."""
    memory, members = data
    mine = memory[g][p]
    count = recall_weights(mine, p, members)
    if mine[0] == LOST:
        alike(n, out)
        return
    for j in range(n):
        out[j] = 0.0
    for i in range(count):
        weight = mine[1 + i]
        if weight > 0.0:
            if not weigh_member(states, g, p, members.first[p] + i, n, members):
                out[0] = -1.0
                return
            for j in range(n):
                out[j] += weight * members.row[j]


def weigh_drawn(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """A member drawn by the weights."""
    memory, members = data
    mine = memory[g][p]
    count = recall_weights(mine, p, members)
    if mine[0] == LOST:
        alike(n, out)
        return
    follow(states, g, p, int(choose(r, mine[1:], count)), n, out, members)


def weigh_sampled(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The member that was drawn at the first decision."""
    memory, members = data
    mine = memory[g][p]
    count = recall_weights(mine, p, members)
    if mine[0] == LOST:
        alike(n, out)
        return
    if mine[0] == WEIGHTS:
        mine[1] = float(choose(r, mine[1:], count))
        mine[0] = DRAWN
    follow(states, g, p, int(mine[1]), n, out, members)


def follow(states: Any, g: int, p: int, i: int, n: int, out: Floats, members: Members) -> None:
    """The probabilities of a player's member."""
    if not weigh_member(states, g, p, members.first[p] + i, n, members):
        out[0] = -1.0
        return
    for j in range(n):
        out[j] = members.row[j]


def remember_weights(states: Any, g: int, p: int, moves: Ints, n: int, i: int, data: Any) -> None:
    """After a move, by Bayes' rule; unless a member is followed, then nothing changes."""
    memory, members = data
    mine = memory[g][p]
    count = recall_weights(mine, p, members)
    if mine[0] != WEIGHTS or n == 1:
        return
    total = 0.0
    for m in range(count):
        if mine[1 + m] > 0.0:
            weigh_member(states, g, p, members.first[p] + m, n, members)
            mine[1 + m] *= members.row[i]
            total += mine[1 + m]
    if total == 0.0:
        mine[0] = LOST
        return
    for m in range(count):
        mine[1 + m] /= total


# --------------------------------------------------------------------------------------------------- as agents


def make(concrete: Game, name: str, population: Population) -> CompiledAgent:
    """The aggregate policy: a table where the game is small, else computed along its own moves."""
    if population.table is not None:
        return policy_table.make(concrete, name, population.table)
    return _remembering(concrete, name, population, weigh_aggregate)


def make_sampled(concrete: Game, name: str, population: Population) -> CompiledAgent:
    """A member for each game."""
    return _remembering(concrete, name, population, weigh_sampled)


def make_self_posterior(concrete: Game, name: str, population: Population) -> CompiledAgent:
    """A member for each decision."""
    return _remembering(concrete, name, population, weigh_drawn)


def _remembering(concrete: Game, name: str, population: Population, weigh: Callable[..., None]) -> CompiledAgent:
    played = population.played()
    players = played.members
    distinct = list({id(one): one for some in players for one in some}.values())
    place = {id(one): t for t, one in enumerate(distinct)}
    seated = [policy_table.make(concrete, name, _table(one)) for one in distinct]
    tables = [agent.data(True) for agent in seated]
    offsets = np.cumsum([0, *(len(probabilities) for _, _, probabilities in tables)])
    bundle = Members(
        np.cumsum([0, *map(len, players)]),
        np.concatenate(played.mixture.marginals),
        np.array([place[id(one)] for some in players for one in some]),
        np.cumsum([0, *(len(keys) for keys, _, _ in tables)]),
        np.concatenate([keys for keys, _, _ in tables]),
        np.concatenate([starts[:-1] + at for (_, starts, _), at in zip(tables, offsets[:-1], strict=True)]),
        np.concatenate([starts[1:] + at for (_, starts, _), at in zip(tables, offsets[:-1], strict=True)]),
        np.concatenate([probabilities for _, _, probabilities in tables]),
        np.zeros(concrete.actions),
    )
    return CompiledAgent(
        name,
        seated[0].game,
        weigh,
        lambda compiled: (bundle._replace(row=np.zeros(concrete.actions)),),  # one for each thread
        slots={remember: remember_weights},
        note=seated[0].note,
        uses_history=True,
        memory=1 + max(map(len, players)),
        on_average=None if weigh is weigh_aggregate else make(concrete, name, population),
    )


def _table(strategy: Strategy) -> Any:
    if (table := strategy.table) is None:
        raise GameError(f"A {strategy.kind} for {strategy.game} is no table, so it cannot play in a population.")
    return table


def table_for(game: str) -> str:
    """The game that is played with a population for `game`, which may be an abstraction."""
    try:
        base, options, _ = parse(game)
        return load(base, **options).name
    except GameError:
        return ""


SETTINGS = {
    "population": Setting("", "the folder of a PSRO run, or a population's file", names="file", kind="population")
}

SAMPLED = Listing(
    "draws a member of a population for each game, and follows it",
    make_sampled,
    settings=SETTINGS,
    takes=table_for,
    quick=True,
    name="Sampled",
    made="Best responses, one after the other, and a mixture of them.",
)
SELF_POSTERIOR = Listing(
    "draws a member of a population for each decision, as likely as its moves so far make it",
    make_self_posterior,
    settings=SETTINGS,
    takes=table_for,
    quick=True,
    name="Self-posterior",
    made=SAMPLED.made,
)
