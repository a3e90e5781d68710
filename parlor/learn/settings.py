"""Settings of DQN and Boltzmann DQN, as learners and as oracles of PSRO."""

from __future__ import annotations

from dataclasses import dataclass

from parlor.game.parameters import Settings, setting


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
