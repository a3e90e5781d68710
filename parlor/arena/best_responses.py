"""A best response to any agent, in any game with any number of players: a lower bound on what can be won from it.

A response is made against the agent in all other seats: DQN or PPO learn one (`parlor.learn`), or tree search answers
it, with the agent as its model of the others. Then it plays on fresh deals in each seat in turn, the agent in all
others; and the agent itself plays in all seats on the same deals. What the response gets more, seat by seat, is its
gain. A true best response gains at least as much, so these are lower bounds, each with an interval; the sum over the
seats is one of NashConv. That a response gains nothing proves nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.agents.agent import CompiledAgent
from parlor.agents.as_opponent import against_agent
from parlor.agents.registry import policy_agent
from parlor.agents.searching import search
from parlor.arena.match import play_match
from parlor.arena.statistics import Estimate, mean
from parlor.game import Game, GameError
from parlor.game.rng import mix
from parlor.game.seats.play import Agent
from parlor.learn.dqn import Dqn, DqnSettings
from parlor.learn.gradient.actors import GamesAgainst
from parlor.learn.gradient.learner import PolicyGradient
from parlor.learn.gradient.settings import PpoSettings

LEARNING, PLAYING = range(2)  # name the random streams

#: Called with what is being done, how much of it is done, and how much there is; false stops it.
Progress = Callable[[str, int, int], bool]


@dataclass(frozen=True)
class ResponseKind:
    """A way to respond: what its budget is of, and the usual one."""

    unit: str
    budget: int
    make: Callable[[Game, CompiledAgent, int, int, Progress], Agent]


@dataclass(frozen=True)
class BestResponse:
    """A response and what it gained."""

    game: str
    agent: str
    kind: str
    budget: int
    games: int  # in each seat
    seed: int
    payoffs: tuple[Estimate, ...]  # of the response, by its seat
    own: tuple[Estimate, ...]  # of the agent among its own kind
    gains: tuple[Estimate, ...]
    nash_conv: Estimate  # the sum of gains
    units: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    def row(self) -> dict[str, Any]:
        """As it goes to JSON."""
        named = ("game", "agent", "kind", "budget", "games", "seed", "seconds")
        lists = {name: [vars(one) for one in getattr(self, name)] for name in ("payoffs", "own", "gains")}
        return {name: getattr(self, name) for name in named} | lists | {"nash_conv": vars(self.nash_conv)}


def best_response(
    game: Game,
    agent: CompiledAgent,
    kind: str,
    games: int = 10_000,
    budget: int = 0,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> BestResponse:
    """Make a response of that kind and play so many games in each seat; without a budget, with the usual one."""
    if kind not in RESPONSES:
        raise GameError(f"There is no best response {kind!r}; there are: {', '.join(RESPONSES)}.")
    if not isinstance(agent, CompiledAgent):
        raise GameError(f"A response is made against compiled agents, which {agent.name} is not.")
    if game.players < 2:
        raise GameError(f"{game.name} has one player, so there is nobody to respond to.")
    show, began = progress or (lambda what, done, total: True), time.perf_counter()
    row = RESPONSES[kind]
    budget = budget or row.budget
    response = row.make(game, agent, budget, mix(mix(0, seed), LEARNING), show)
    deals = mix(mix(0, seed), PLAYING)

    def played(seat: int) -> npt.NDArray[np.float64]:
        seats = [response if q == seat else agent for q in range(game.players)]
        what = f"{kind} in seat {seat}" if seat >= 0 else "itself"

        def on_progress(done: int) -> bool:
            return show(what, done, games)

        match = play_match(game, seats, games, deals, "first", False, threads, on_progress)
        if match.games < games:
            raise KeyboardInterrupt
        return match.payoffs

    own = played(-1)
    theirs = np.stack([played(p)[:, p] for p in range(game.players)], axis=1)
    return BestResponse(
        game.name,
        agent.name,
        kind,
        budget,
        games,
        seed,
        tuple(mean(one) for one in theirs.T),
        tuple(mean(one) for one in own.T),
        tuple(mean(one) for one in (theirs - own).T),
        mean((theirs - own).sum(axis=1)),
        game.units,
        time.perf_counter() - began,
    )


# --------------------------------------------------------------------------------------------------- responses


def by_search(game: Game, agent: CompiledAgent, budget: int, seed: int, show: Progress) -> Agent:
    """Tree search that takes the others to be the agent, and plays on as it does."""
    return search.make(game, f"search(simulations={budget},policy={agent.name})", agent, simulations=budget)


def by_dqn(game: Game, agent: CompiledAgent, budget: int, seed: int, show: Progress) -> Agent:
    """DQN after so many games."""
    members, slots = against_agent(game, agent, seed)
    settings = DqnSettings(round=min(DqnSettings.round, max(budget // 8, 1)), schedule=budget)
    learner = Dqn(game, settings, seed, members, slots)
    while learner.games < budget:
        if not show("dqn learns", learner.games, budget):
            raise KeyboardInterrupt
        learner.run_to(min(budget, learner.games + settings.round))
    return policy_agent(learner.network(), game, "dqn")


def by_ppo(game: Game, agent: CompiledAgent, budget: int, seed: int, show: Progress) -> Agent:
    """PPO after so many decisions of its own."""
    settings = PpoSettings(decisions=budget, lockstep=64, minibatches=8)
    always = GamesAgainst(1.0, lambda: against_agent(game, agent, seed))
    learner = PolicyGradient(game, "ppo", settings, seed, against=[always])
    while learner.decisions < budget:
        if not show("ppo learns", learner.decisions, budget):
            raise KeyboardInterrupt
        learner.run_to(learner.rounds + 1)
    learner.close()
    return policy_agent(learner.network().with_temperature(0.0), game, "ppo")


#: The kinds of responses by name. `exact` is `parlor.solvers.best_response`.
RESPONSES: Mapping[str, ResponseKind] = {
    "dqn": ResponseKind("games", 50_000, by_dqn),
    "ppo": ResponseKind("decisions", 1_000_000, by_ppo),
    "search": ResponseKind("simulations", 300, by_search),
}
