"""What a decision is worth: the payoff its player can expect if everybody goes on as the agent would.

It is what can be expected by somebody who knows no more than a given player: the mean over the worlds that are possible
to that player. Where these worlds and all that may follow can be counted out, it is exact, and worlds count as much as
chance and the others' moves so far make them likely, the others taken to play as the agent does too. Elsewhere the game
is played on to the end in some of these worlds, the same luck for every action, and the error is told beside the mean.
No agent stores values; they are worked out when a mind is looked into, in plain Python, and kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from parlor.agents import Agent
from parlor.game import CHANCE, OVER, Position, State
from parlor.rng import choose, draw, seed_stream
from parlor.search.belief import World, imagined, worlds
from parlor.server.catalogue import LruCache, SeatedAgent

MOST_WORLDS = 300  # that are worth enumerating
MOST_NODES = 20_000  # of all that may follow
ROLLOUTS, WORLDS = 320, 16  # games played on in all; in so many worlds at least
MOST_STEPS = 24  # actions that are worth trying one by one
KEPT = 1000  # decisions an agent has given a value to

Kind = Literal["exact", "rollouts"]


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error, which is 0 where it is exact."""

    value: float
    error: float = 0.0


@dataclass(frozen=True)
class ExpectedValue:
    """The value of a decision, and of each action there, unless they are too many."""

    kind: Kind
    value: Mean
    actions: tuple[Mean, ...]


#: Actions with their chances; None is the whole decision, which is still to be made.
Steps = Sequence[tuple[int | None, float]]


class _TooMany(Exception):
    """More may follow than is worth counting out."""


def expected_value(opponent: SeatedAgent, position: Position, knower: int) -> ExpectedValue | None:
    """The value to the player who decides at `position`, as `knower` can expect it; None if nobody can tell.

    If the player itself is asked, the value of each of the agent's actions there comes with it.
    """
    kept: LruCache[ExpectedValue | None] = opponent.cache.setdefault("expected value", LruCache(KEPT))
    asked = (position.turn == knower, knower, position.key(knower))
    return kept.get_or(asked, lambda: _worked_out(opponent.agent, position, knower))


def _worked_out(agent: Agent, position: Position, knower: int) -> ExpectedValue | None:
    if agent.slots:
        return None  # it looks ahead at every step: far too slow to play on with
    # actions with their chances; to somebody else the whole decision is one step that is still to be made
    steps: Steps = agent.action_probabilities(position) if position.turn == knower else [(None, 1.0)]
    if len(steps) > MOST_STEPS:
        whole = _worked_out_of(agent, position, knower, [(None, 1.0)])
        return whole and replace(whole, actions=())
    return _worked_out_of(agent, position, knower, steps)


def _worked_out_of(agent: Agent, position: Position, knower: int, steps: Steps) -> ExpectedValue | None:
    possible = worlds(position.game, position.history, knower, MOST_WORLDS, agent)
    if possible:
        try:
            return _counted(agent, possible, steps)
        except _TooMany:
            pass
    elif agent.uses_history:
        return None  # what the others remember cannot be imagined
    else:
        possible = imagined(position, knower, ROLLOUTS)
    return _sampled(agent, possible, steps, position.key(knower)) if possible else None


# --------------------------------------------------------------------------------------------------- exactly


def _counted(agent: Agent, possible: Sequence[World], steps: Steps) -> ExpectedValue:
    nodes = [0]
    actions = []
    for action, _ in steps:
        mean = 0.0
        for world, weight in possible:
            mean += weight * _expected(agent, _stepped(agent, world, action), world.turn, nodes)
        actions.append(Mean(mean))
    return ExpectedValue(
        "exact", Mean(sum(c * mean.value for (_, c), mean in zip(steps, actions, strict=True))), tuple(actions)
    )


def _expected(agent: Agent, position: Position, player: int, nodes: list[int]) -> float:
    """The mean over all that may follow."""
    nodes[0] += 1
    if nodes[0] > MOST_NODES:
        raise _TooMany
    game, state, turn = position.game, position.state, position.turn
    if turn == OVER:
        return game.rules.payoff(state, player)
    if turn == CHANCE:
        ways = [(a, odds) for a, odds in enumerate(position._odds()) if odds > 0.0]
    else:
        ways = [
            (agent.game.resolve(state, a), chance) for a, chance in agent.action_probabilities(position) if chance > 0.0
        ]
    total = 0.0
    for action, chance in ways:
        after = state.copy()
        game.rules.play(after, action)
        total += chance * _expected(agent, Position(game, after, ()), player, nodes)
    return total


def _stepped(agent: Agent, world: Position, action: int | None) -> Position:
    if action is None:
        return world
    state = world.state.copy()
    world.game.rules.play(state, agent.game.resolve(world.state, action))
    return Position(world.game, state, ())


# --------------------------------------------------------------------------------------------------- by playing on


def _sampled(agent: Agent, possible: Sequence[World], steps: Steps, key: int) -> ExpectedValue:
    stream, luck = [0, 0, 0, 0], [0, 0, 0, 0]
    seed_stream(stream, 1, key)  # by what is known, so that it is the same whatever is hidden
    weights = [weight for _, weight in possible]
    games: list[list[float]] = []  # [world][action]
    for _ in range(max(WORLDS, ROLLOUTS // len(steps))):
        world, _ = possible[choose(stream, weights, len(weights))]
        seed = draw(stream)
        row = []
        for action, _ in steps:
            seed_stream(luck, seed, 0)
            row.append(_played_on(agent, _stepped(agent, world, action).state.copy(), world.turn, luck))
        games.append(row)
    actions = tuple(_mean(column) for column in zip(*games, strict=True))
    value = _mean([sum(c * x for (_, c), x in zip(steps, row, strict=True)) for row in games])
    return ExpectedValue("rollouts", value, actions)


def _played_on(agent: Agent, state: State, player: int, luck: list[int]) -> float:
    """What `player` gets at the end."""
    game, odds = agent.concrete_game, [0.0] * agent.concrete_game.outcomes
    rules = game.rules
    while (turn := rules.turn(state)) != OVER:
        if turn != CHANCE:
            action = agent.act(state, turn, luck)
        elif game.deal is not None:
            action = game.deal(state, odds, luck)
        else:
            action = choose(luck, odds, rules.odds(state, odds))
        rules.play(state, action)
    return rules.payoff(state, player)


def _mean(values: Sequence[float]) -> Mean:
    n, mean = len(values), math.fsum(values) / len(values)
    return Mean(mean, math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (n - 1) / n))
