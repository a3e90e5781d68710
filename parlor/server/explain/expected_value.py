"""The value of a decision: the payoff its player can expect if everybody continues as the agent would.

It is what can be expected with the knowledge of a given player: the mean over the worlds that are possible
to that player. Where these worlds and all that may follow can be enumerated, it is exact, and worlds are weighted by
chance and the others' moves so far, the others being assumed to play as the agent does too. Elsewhere the game
is played on to the end in some of these worlds, weighted by chance alone, with the same random numbers for every
action, and the error is given beside the mean.
No agent stores values; they are computed on request, in plain Python, and cached.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from parlor.agents.agent import CompiledAgent
from parlor.game import CHANCE, OVER, Position, State
from parlor.game.rng import choose, draw, seed_stream
from parlor.game.seats.python_agent import PythonAgent
from parlor.page.seated_agent import SeatedAgent
from parlor.search.belief import NoWorld, World, believe, worlds
from parlor.server.operations.lru_cache import LruCache

MAX_WORLDS = 300  # that are enumerated
MAX_NODES = 20_000  # of all that may follow
MAX_DEPTH = 200  # moves and outcomes, one after the other, of all that may follow
ROLLOUTS, WORLDS = 320, 16  # games played on in all; in at least so many worlds
MAX_LEGAL = 400_000  # legal moves in all of these together; then no more than the least number of games
MAX_LEGAL_A_GAME = 20_000  # legal moves in one of them: with more it takes too long to play on at all
MAX_STEPS = 24  # actions that are tried one by one
KEPT = 1000  # cached decisions of an agent

Kind = Literal["exact", "rollouts"]


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error, which is 0 where it is exact."""

    value: float
    error: float = 0.0


@dataclass(frozen=True)
class ExpectedValue:
    """The value of a decision, and of each action there, unless there are too many."""

    kind: Kind
    value: Mean
    actions: tuple[Mean, ...]


#: Actions with their probabilities; None is the whole decision, which is still to be made.
Steps = Sequence[tuple[int | None, float]]


class TooMany(Exception):
    """Too much may follow to be enumerated."""


def expected_value(opponent: SeatedAgent, position: Position, knower: int) -> ExpectedValue | None:
    """The value to the player who decides at `position`, as `knower` can expect it; None if it is unknown.

    If the knower is that player, the value of each of the agent's actions there comes with it.
    """
    if isinstance(opponent.player, PythonAgent):
        return None  # its behaviour in an imagined world is unknown
    cached: LruCache[ExpectedValue | None] = opponent.cache.setdefault("expected value", LruCache(KEPT))
    question = (position.turn == knower, knower, position.key(knower))
    return cached.get_or(question, lambda: _worked_out(opponent.agent, position, knower))


def _worked_out(agent: CompiledAgent, position: Position, knower: int) -> ExpectedValue | None:
    if agent.thinks_long:
        return None  # it looks ahead at every step: too slow to play on with
    # actions with their probabilities; to another player the whole decision is one step that is still to be made
    steps: Steps = agent.action_probabilities(position) if position.turn == knower else [(None, 1.0)]
    if len(steps) > MAX_STEPS:
        whole = _worked_out_of(agent, position, knower, [(None, 1.0)])
        return whole and replace(whole, actions=())
    return _worked_out_of(agent, position, knower, steps)


def _worked_out_of(agent: CompiledAgent, position: Position, knower: int, steps: Steps) -> ExpectedValue | None:
    listed = worlds(position, knower, MAX_WORLDS, agent)
    if listed is not None:
        try:
            return _counted(agent, listed, steps)
        except TooMany:
            return _sampled(agent, listed, steps, position.key(knower))
    try:
        drawn = believe(position, knower, ROLLOUTS, few=0, own=not agent.uses_history)
    except NoWorld:
        return None
    return _sampled(agent, drawn.worlds, steps, position.key(knower))


# --------------------------------------------------------------------------------------------------- exactly


def _counted(agent: CompiledAgent, possible: Sequence[World], steps: Steps) -> ExpectedValue:
    nodes = [0]
    actions = []
    for action, _ in steps:
        mean = 0.0
        for world, weight in possible:
            mean += weight * enumerated(agent, _stepped(agent, world, action), world.turn, nodes)
        actions.append(Mean(mean))
    return ExpectedValue(
        "exact", Mean(sum(c * mean.value for (_, c), mean in zip(steps, actions, strict=True))), tuple(actions)
    )


def enumerated(agent: CompiledAgent, position: Position, player: int, nodes: list[int], depth: int = 0) -> float:
    """The mean over all that may follow."""
    nodes[0] += 1
    if nodes[0] > MAX_NODES or depth > MAX_DEPTH:
        raise TooMany
    game, state, turn = position.game, position.state, position.turn
    if turn == OVER:
        return game.rules.payoff(state, player)
    if turn == CHANCE:
        ways = [(a, odds) for a, odds in enumerate(position._odds()) if odds > 0.0]
    else:
        ways = [
            (agent.game.abstraction.resolve(state, a), chance)
            for a, chance in agent.action_probabilities(position)
            if chance > 0.0
        ]
    total = 0.0
    for action, chance in ways:
        after = state.copy()
        game.rules.play(after, action)
        total += chance * enumerated(agent, Position(game, after, ()), player, nodes, depth + 1)
    return total


def _stepped(agent: CompiledAgent, world: Position, action: int | None) -> Position:
    if action is None:
        return world
    state = world.state.copy()
    world.game.rules.play(state, agent.game.abstraction.resolve(world.state, action))
    return Position(world.game, state, ())


# --------------------------------------------------------------------------------------------------- by playing on


def _sampled(agent: CompiledAgent, possible: Sequence[World], steps: Steps, key: int) -> ExpectedValue | None:
    stream, luck = [0, 0, 0, 0], [0, 0, 0, 0]
    seed_stream(stream, 1, key)  # by what is known, so that it does not depend on what is hidden
    weights = [weight for _, weight in possible]
    games: list[list[float]] = []  # [world][action]
    work = [0]
    for number in range(max(WORLDS, ROLLOUTS // len(steps))):
        if work[0] > MAX_LEGAL_A_GAME * number * len(steps):
            return None
        if number >= WORLDS and work[0] > MAX_LEGAL:
            break
        world, _ = possible[choose(stream, weights, len(weights))]
        seed = draw(stream)
        row = []
        for action, _ in steps:
            seed_stream(luck, seed, 0)
            row.append(played_on(agent, _stepped(agent, world, action).state.copy(), world.turn, luck, work))
        games.append(row)
    actions = tuple(_mean(column) for column in zip(*games, strict=True))
    value = _mean([sum(c * x for (_, c), x in zip(steps, row, strict=True)) for row in games])
    return ExpectedValue("rollouts", value, actions)


def played_on(agent: CompiledAgent, state: State, player: int, luck: list[int], work: list[int] | None = None) -> float:
    """The payoff of `player` at the end; the legal moves on the way are added to the `work`."""
    game, odds = agent.concrete_game, [0.0] * agent.concrete_game.outcomes
    rules, legal = game.rules, [0] * game.actions
    while (turn := rules.turn(state)) != OVER:
        if turn != CHANCE:
            if work is not None:
                work[0] += rules.legal(state, legal)
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
