"""DQN and Boltzmann DQN: play, remember, and move the values of actions towards what came of them.

Mnih et al., *Human-level control through deep reinforcement learning* (2015), with the targets of double DQN (van
Hasselt et al., 2016). Boltzmann DQN (Cui and Koeppl, 2021) plays a softmax of the values, while it learns and
afterwards; DQN plays the best action, and while it learns now and then any. For games of several players a transition
goes from one decision of a player to its next one; payoffs come at the end and are not discounted. Decisions without a
choice are left out.

One network learns for all seats that the learner sits in: all of them in self-play, or one against given strategies.
A round is some games, played by compiled code with the weights as they are, and then some gradient steps. Everything
random is named by the seed, the number of the game or the number of the round, so that a run that was interrupted goes
on as if it had not been.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.compile import Bindings, version
from parlor.game import Game
from parlor.game.parameters import Settings, setting
from parlor.game.rng import mix
from parlor.learn.experience import Exploring, Ring, TrainingPlayer, draw_batch, new_ring
from parlor.learn.gradients import DqnTrainer
from parlor.policies.features import features, sample
from parlor.policies.nets import initial_weights, shape
from parlor.policies.network import NetworkPolicy, remember
from parlor.policies.opponents import OpponentArrays, self_play

PLAYING, DRAWING, WEIGHTS = 0, 1, 2  # name the random streams


@dataclass(frozen=True)
class DqnSettings(Settings):
    """Settings of both."""

    layers: tuple[int, ...] = setting((128, 128), "the hidden layers of the network", low=1, high=4096, items=int)
    round: int = setting(512, "games between two trainings", low=1)
    updates: int = setting(16, "gradient steps of a training", low=1)
    batch: int = setting(256, "transitions in a gradient step", low=1)
    replay: int = setting(400_000, "decisions that are remembered", low=16)
    rate: float = setting(0.001, "the learning rate of Adam at the beginning", low=0.0)
    rate_end: float = setting(0.00003, "the learning rate at the end of the schedule", low=0.0)
    target: int = setting(100, "gradient steps between two updates of the target network", low=1)
    steps: int = setting(1, "decisions of a player until a target estimates the rest; more in long games", low=1)
    schedule: int = setting(200_000, "games in which exploration, temperature and learning rate go down", low=1)
    explore: float = setting(0.5, "probability of a random move at the beginning", low=0.0, high=1.0)
    explore_end: float = setting(0.05, "probability of a random move at the end of the schedule", low=0.0, high=1.0)


@dataclass(frozen=True)
class BoltzmannSettings(DqnSettings):
    """The same, and temperatures; random moves are not needed."""

    explore: float = setting(0.0, "probability of a random move at the beginning", low=0.0, high=1.0)
    explore_end: float = setting(0.0, "probability of a random move at the end of the schedule", low=0.0, high=1.0)
    temperature: float = setting(
        1.0, "temperature at the beginning, in standard deviations of random games' payoffs", low=0.001
    )
    temperature_end: float = setting(0.05, "temperature at the end of the schedule, which the result has too", low=0.0)


@dataclass(frozen=True)
class DqnOracle(DqnSettings):
    """DQN's settings, with shorter schedules."""

    games: int = setting(50_000, "games that a response learns from", low=1)
    schedule: int = setting(50_000, "games in which exploration, temperature and learning rate go down", low=1)


@dataclass(frozen=True)
class BoltzmannOracle(BoltzmannSettings):
    """Boltzmann DQN's settings, with shorter schedules."""

    games: int = setting(50_000, "games that a response learns from", low=1)
    schedule: int = setting(50_000, "games in which exploration, temperature and learning rate go down", low=1)


class Dqn:
    """A network that learns."""

    def __init__(
        self,
        game: Game,
        settings: DqnSettings,
        seed: int,
        members: OpponentArrays | None = None,
        slots: Bindings | None = None,
    ) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        remember(game)
        self.features = features(game)
        self.scale = sample(game).scale
        self.sizes = shape(self.features.size, settings.layers, game.actions)
        weights = initial_weights(self.sizes, mix(mix(0, seed), WEIGHTS))
        self.trainer = DqnTrainer(self.sizes, weights, settings.target)
        self.weights = weights
        self.ring = new_ring(settings.replay, self.features.size, game.actions)
        self.player = TrainingPlayer(
            game,
            self.features.code,
            self.sizes,
            members if members is not None else self_play(game.players),
            slots=slots,  # of members that are no tables and networks
        )
        self.exploring = Exploring(
            (settings.explore, settings.explore_end),
            (getattr(settings, "temperature", 0.0), getattr(settings, "temperature_end", 0.0)),
            settings.schedule,
        )
        self.games = 0
        self.loss = 0.0  # of the last training

    @property
    def decisions(self) -> int:
        """Decisions of the learner so far."""
        return int(self.ring.count[0])

    def run_to(self, games: int) -> None:
        """Continue until so many games have been played."""
        s = self.settings
        while self.games < games:
            some = min(games, (self.games // s.round + 1) * s.round) - self.games
            self.player.play(
                self.ring, self.weights, self.exploring, self.scale, mix(self.seed, PLAYING), self.games, some
            )
            self.games += some
            if self.games % s.round == 0 and self.decisions >= s.batch:
                self._train()

    def _train(self) -> None:
        s = self.settings
        number = self.games // s.round
        batch = draw_batch(
            self.ring, self.sizes[0], self.game.actions, s.updates, s.batch, mix(self.seed, DRAWING), number, s.steps
        )
        self.loss = self.trainer.train(batch, self.at_now(s.rate, s.rate_end))
        self.weights = self.trainer.weights

    def at_now(self, begin: float, end: float) -> float:
        """A number that goes down linearly in the games of the schedule."""
        return end + (begin - end) * max(0.0, 1.0 - self.games / self.settings.schedule)

    @property
    def exploration(self) -> dict[str, float]:
        """The probability of a random move and, of a softmax, the temperature in the games to come."""
        how = self.exploring
        found = {"explore": self.at_now(*how.random)}
        return found | ({"temperature": self.at_now(*how.temperature)} if any(how.temperature) else {})

    def network(self, **about: Any) -> NetworkPolicy:
        """The current policy, as a network."""
        return NetworkPolicy(
            self.game.name,
            version(self.game),
            self.features.code,
            self.sizes,
            self.weights,
            self.scale,
            getattr(self.settings, "temperature_end", 0.0),
            {"games": self.games, "seed": self.seed, **about},
            self.game.source,
        )

    def state(self) -> dict[str, Any]:
        """Everything that is needed to continue, as arrays."""
        full = min(self.decisions, self.settings.replay)
        ring = {f"ring.{name}": array[:full] for name, array in zip(Ring._fields, self.ring, strict=True)}
        return ring | self.trainer.state() | {"ring.count": self.ring.count, "loss": np.float64(self.loss)}

    def restore(self, state: Mapping[str, Any], games: int) -> None:
        """As it was when `state` was called, after so many games."""
        for name, array in zip(Ring._fields, self.ring, strict=True):
            some = np.asarray(state[f"ring.{name}"])
            array[: len(some)] = some
        self.trainer.restore(state)
        self.weights = self.trainer.weights
        self.loss, self.games = float(state["loss"]), games
