"""ADIDAS: an approximate Nash equilibrium of a game that is only sampled (Gemp et al., 2021).

The players descend the average deviation incentive: what each could gain by a soft best response to what it has seen so
far, at a temperature that is halved whenever the incentive is small. That follows the branch of quantal response
equilibria towards the limiting logit equilibrium. In each round a few combinations are drawn from the current mixtures,
and only payoffs around them are asked for: all strategies of one player against the rest.

As in OpenSpiel's `qre_anneal`, except that best responses are drawn where they matter instead of uniformly, that
payoffs are scaled by what was seen of their range, and that the answer is an average over the second half of rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from parlor.game.parameters import Settings, setting
from parlor.policies.mixture import Array, Mixture, checked, independent
from parlor.population.meta.quantal_response import softmax


class Sampler(Protocol):
    """A game that tells single payoffs, exact or estimated."""

    sizes: tuple[int, ...]  # strategies by player

    def __call__(self, combinations: NDArray[np.int64]) -> Array:
        """Payoffs [rows, players] of combinations [rows, players]."""
        ...


class TensorSampler:
    """The payoffs of a tensor, and how many of its cells were asked for."""

    def __init__(self, payoffs: Any) -> None:
        self.payoffs = checked(payoffs)
        self.sizes = self.payoffs.shape[1:]
        self.asked = np.zeros(self.sizes, bool)

    def __call__(self, combinations: NDArray[np.int64]) -> Array:
        """Payoffs of combinations."""
        at = tuple(combinations.T)
        self.asked[at] = True
        return np.asarray(self.payoffs[(slice(None), *at)].T)


@dataclass(frozen=True)
class Adidas(Settings):
    """Settings of ADIDAS."""

    iterations: int = setting(1000, "rounds", low=1, high=1_000_000_000)
    samples: int = setting(8, "combinations drawn in a round", low=1, high=100_000)
    temperature: float = setting(1.0, "at the start, as a share of the range of payoffs", low=1e-4, high=1e6)
    threshold: float = setting(0.01, "the incentive at which the temperature is halved", low=0.0, high=1e6)
    rate: float = setting(0.1, "of the strategies", low=1e-9, high=100.0)
    memory: float = setting(0.05, "the weight of a new sample in what is remembered of payoffs", low=1e-6, high=1.0)
    seed: int = setting(0, "of the draws", low=0, high=2**63 - 1)


def adidas(game: Any, settings: Adidas) -> Mixture:
    """The average mixtures of the second half of the rounds."""
    sampler: Sampler = game if callable(game) else TensorSampler(game)
    return AdidasDescent(sampler, settings).run()


class AdidasDescent:
    """A descent in progress."""

    def __init__(self, sampler: Sampler, settings: Adidas) -> None:
        self.sampler, self.settings = sampler, settings
        self.sizes = sampler.sizes
        self.players = range(len(self.sizes))
        self.random = np.random.default_rng(settings.seed)
        self.strategies = [np.full(n, 1.0 / n) for n in self.sizes]
        self.low, self.high = np.full(len(self.sizes), np.inf), np.full(len(self.sizes), -np.inf)
        self._ask(self._drawn(64))
        self.seen = [np.zeros(n) for n in self.sizes]  # payoffs against the others, remembered
        self.temperature = settings.temperature

    def run(self) -> Mixture:
        """All rounds."""
        since, rounds = 0, self.settings.iterations
        total = [np.zeros(n) for n in self.sizes]
        for t in range(rounds):
            incentive = self.round(max(self.settings.memory, 1.0 / (t + 1)))
            since += 1
            if incentive < self.settings.threshold and since >= 1.0 / self.settings.memory:
                self.temperature = max(self.temperature / 2.0, 1e-4)
                since = 0
            if 2 * t >= rounds:
                for i in self.players:
                    total[i] += self.strategies[i]
        return independent(total)

    def round(self, memory: float) -> float:
        """Sample, and move all players; the average deviation incentive as it is estimated."""
        drawn = self._drawn(self.settings.samples)
        replies, effects, slopes = [], [], []
        incentive = 0.0
        for i in self.players:
            value = self._around(drawn, i)[i]
            self.seen[i] += memory * (value - self.seen[i])
            reply = softmax(self.seen[i] / self.temperature)
            mine = self.strategies[i]
            replies.append(reply)
            effects.append(reply - mine)
            slopes.append(self.temperature * (np.log(mine) + 1.0) - value)
            gain = self.seen[i] @ (reply - mine)
            gain += self.temperature * (mine @ np.log(mine) - reply @ np.log(np.maximum(reply, 1e-300)))
            incentive += float(gain) / len(self.sizes)
        for j in self.players:
            size = np.abs(effects[j])
            if (mass := size.sum()) <= 1e-12:
                continue
            told = drawn.copy()
            told[:, j] = self._choose(size / mass, len(drawn))
            signs = mass * np.sign(effects[j][told[:, j]])
            for i in self.players:
                if i != j:
                    slopes[i] = slopes[i] + self._around(told, i, signs)[j]
        for i, slope in enumerate(slopes):
            logits = np.log(self.strategies[i]) - self.settings.rate * slope
            self.strategies[i] = np.maximum(softmax(logits), 1e-12)
            self.strategies[i] /= self.strategies[i].sum()
        return incentive

    def _drawn(self, count: int) -> NDArray[np.int64]:
        return np.stack([self._choose(p, count) for p in self.strategies], axis=1)

    def _choose(self, p: Array, count: int) -> NDArray[np.int64]:
        return np.minimum(np.searchsorted(np.cumsum(p), self.random.random(count)), len(p) - 1)

    def _around(self, drawn: NDArray[np.int64], player: int, weights: Array | None = None) -> Array:
        """Mean payoffs [players, own strategies] where one player tries all of its strategies."""
        n = self.sizes[player]
        asked = np.repeat(drawn, n, axis=0)
        asked[:, player] = np.tile(np.arange(n), len(drawn))
        get = self._ask(asked).reshape(len(drawn), n, -1)
        if weights is not None:
            get = get * weights[:, None, None]
        return np.asarray(get.mean(axis=0).T)

    def _ask(self, combinations: NDArray[np.int64]) -> Array:
        """Payoffs in shares of the range that was seen so far."""
        get = self.sampler(combinations)
        self.low, self.high = np.minimum(self.low, get.min(axis=0)), np.maximum(self.high, get.max(axis=0))
        spread = self.high - self.low
        return (get - self.low) / np.where(spread > 0, spread, 1.0)
