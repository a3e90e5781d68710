"""A population in a seat, in three ways that nobody who only sees moves can tell apart.

- `aggregate`: it plays the aggregate policy, the mean of its members by their posterior given its own moves so far. The
  file of a population is seated so. Where the game is small, that is a table.
- `sampled`: a member is drawn when the game begins, and followed.
- `self-posterior`: at each decision a member is drawn from the posterior.

See `parlor.policies.population`. The members' weights are the agent's memory of a game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.agents import policy_table
from parlor.agents.agent import AgentSpec, CompiledAgent, alike, seat_for
from parlor.compile.kernel import remember
from parlor.game import Floats, Game, GameError, Ints
from parlor.game.loading import load, parse
from parlor.game.parameters import Parameter
from parlor.game.rng import choose
from parlor.policies.features import features
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import (
    NetworkWorkspace,
    OpponentArrays,
    member_probabilities,
    opponent_arrays,
    opponent_bindings,
    table_probabilities,
    workspace,
)
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy

# What the first number of a memory says of the others
NOTHING = 0.0  # the game begins
WEIGHTS = 1.0  # they are the posterior of its player's members
DRAWN = 2.0  # the next is the number of the member that it follows
LOST = 3.0  # no member would have moved so: it plays uniformly


class Mixed(NamedTuple):
    """The arrays of a population that kernels read. P players, M members of all players."""

    first: Any  # [P+1] a player's members are first[p] .. first[p+1]
    prior: Any  # [M] how often each is played
    strategy: Any  # [M] which of the different strategies it is
    strategies: OpponentArrays
    workspace: NetworkWorkspace  # working memory …
    row: Any  # [actions] … and more of it


def one_probabilities(states: Any, g: int, p: int, i: int, moves: Ints, n: int, out: Floats, mixed: Mixed) -> bool:
    """The probabilities of a player's member; false if its table is for other rules."""
    m = mixed.strategy[mixed.first[p] + i]
    return member_probabilities(mixed.strategies, m, states[g], p, moves, n, out, mixed.workspace)


def recall_weights(mine: Any, p: int, mixed: Mixed) -> int:
    """The number of members of player `p`; at the beginning of a game, set their weights to those of the mixture."""
    first = mixed.first[p]
    count = mixed.first[p + 1] - first
    if mine[0] == NOTHING:
        mine[0] = WEIGHTS
        for i in range(count):
            mine[1 + i] = mixed.prior[first + i]
    return int(count)


def aggregate_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The mean of the members by their weights."""
    memory, mixed = data
    mine = memory[g][p]
    count = recall_weights(mine, p, mixed)
    if mine[0] == LOST:
        alike(n, out)
        return
    for j in range(n):
        out[j] = 0.0
    for i in range(count):
        weight = mine[1 + i]
        if weight > 0.0:
            if not one_probabilities(states, g, p, i, moves, n, mixed.row, mixed):
                out[0] = -1.0
                return
            for j in range(n):
                out[j] += weight * mixed.row[j]


def drawn_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """A member drawn by the weights."""
    memory, mixed = data
    mine = memory[g][p]
    count = recall_weights(mine, p, mixed)
    if mine[0] == LOST:
        alike(n, out)
        return
    if not one_probabilities(states, g, p, int(choose(r, mine[1:], count)), moves, n, out, mixed):
        out[0] = -1.0


def sampled_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The member that was drawn at the first decision."""
    memory, mixed = data
    mine = memory[g][p]
    count = recall_weights(mine, p, mixed)
    if mine[0] == LOST:
        alike(n, out)
        return
    if mine[0] == WEIGHTS:
        mine[1] = float(choose(r, mine[1:], count))
        mine[0] = DRAWN
    if not one_probabilities(states, g, p, int(mine[1]), moves, n, out, mixed):
        out[0] = -1.0


def remember_weights(states: Any, g: int, p: int, moves: Ints, n: int, i: int, data: Any) -> None:
    """After a move, by Bayes' rule; unless a member is followed, then nothing changes."""
    memory, mixed = data
    mine = memory[g][p]
    count = recall_weights(mine, p, mixed)
    if mine[0] != WEIGHTS or n == 1:
        return
    total = 0.0
    for m in range(count):
        if mine[1 + m] > 0.0:
            one_probabilities(states, g, p, m, moves, n, mixed.row, mixed)
            mine[1 + m] *= mixed.row[i]
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
    return _remembering(concrete, name, population, aggregate_probabilities)


def make_sampled(concrete: Game, name: str, population: Population) -> CompiledAgent:
    """A member for each game."""
    return _remembering(concrete, name, population, sampled_probabilities)


def make_self_posterior(concrete: Game, name: str, population: Population) -> CompiledAgent:
    """A member for each decision."""
    return _remembering(concrete, name, population, drawn_probabilities)


def _remembering(
    concrete: Game, name: str, population: Population, action_probabilities: Callable[..., None]
) -> CompiledAgent:
    game, seat, note = seat_for(concrete, name, population)
    played = population.played()
    everybody = [one for some in played.members for one in some]
    distinct = list({id(one): one for one in everybody}.values())
    place = {id(one): t for t, one in enumerate(distinct)}
    nobody = np.zeros((0, game.players), np.int64)  # no line-ups: who plays is drawn here
    strategies = opponent_arrays(game, nobody, np.zeros(0), [fitting(game, one) for one in distinct])
    networks = bool(strategies.network.any())
    code = features(game).code if networks else np.zeros((0, 3), np.int64)

    def mixed(compiled: bool) -> tuple[Mixed]:
        worlds = compiler.states(seat, 1, compiled)
        working = workspace(code, int(strategies.sizes.max()), game.actions, worlds, game), np.zeros(game.actions)
        return (Mixed(first, prior, np.array([place[id(one)] for one in everybody]), strategies, *working),)

    first, prior = np.cumsum([0, *map(len, played.members)]), np.concatenate(played.mixture.marginals)
    return CompiledAgent(
        name,
        seat,
        action_probabilities,
        mixed,
        slots={
            remember: remember_weights,
            **(opponent_bindings(strategies) if networks else {member_probabilities: table_probabilities}),
        },
        note=note,
        uses_history=True,
        memory=1 + max(map(len, played.members)),
        on_average=None if action_probabilities is aggregate_probabilities else make(concrete, name, population),
    )


def fitting(game: Game, strategy: Strategy) -> Strategy:
    """A network as it is; anything else as a table."""
    if isinstance(strategy, NetworkPolicy):
        return replace(strategy, game=game.name)
    if (table := strategy.table) is None:
        raise GameError(
            f"A {strategy.kind} for {strategy.game} is no table and no network, so it cannot play in a population."
        )
    return policy_table.in_order(game, replace(table, game=game.name))


def table_for(game: str) -> str:
    """The game that is played with a population for `game`, which may be an abstraction."""
    try:
        base, options, _ = parse(game)
        return load(base, **options).name
    except GameError:
        return ""


SETTINGS = {
    "population": Parameter(
        "", "the folder of a PSRO run, or a population's file", names="file", file_kind="population"
    )
}

SAMPLED = AgentSpec(
    "draws a member of a population for each game, and follows it",
    make_sampled,
    settings=SETTINGS,
    game_of_file=table_for,
    quick=True,
    name="Sampled",
    made="Best responses, one after the other, and a mixture of them.",
)
SELF_POSTERIOR = AgentSpec(
    "draws a member of a population for each decision, as likely as its moves so far make it",
    make_self_posterior,
    settings=SETTINGS,
    game_of_file=table_for,
    quick=True,
    name="Self-posterior",
    made=SAMPLED.made,
)
