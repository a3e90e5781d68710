"""Gradient steps of a learned belief: maximum likelihood of what was hidden, and of what chance alone draws.

The loss is −log P(numbers | seen) of both voices of `parlor.policies.field_belief`, each of its own rows. Every round
plays some games, and draws batches from the latest decisions. What was learned is tried in games that were held out:
there the true world is to be recognized among worlds that chance alone has drawn. `trust` is the power of the weights
with which that goes best. Everything random is named by the seed, the number of the game or of the round, so that a run
that was interrupted goes on as if it had not been.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from parlor.compile import native, version
from parlor.compile.kernel import FloatArray
from parlor.game import Game
from parlor.game.parameters import Settings, setting
from parlor.game.rng import mix
from parlor.learn.belief.hidden_rows import CONTRASTS, HELD_ROWS, HiddenGames, HiddenRows, new_rows, unpack
from parlor.learn.gradients import LossTrainer, libraries
from parlor.policies.features import features
from parlor.policies.field_belief import CHANCE_VOICE, REAL_VOICE, FieldBelief, first_weights
from parlor.policies.hidden_numbers import LOW, WHOLE, WIDTH, hidden_numbers
from parlor.policies.nets import apply, parameters
from parlor.search.searches import OwnPolicy

if TYPE_CHECKING:
    from jax import Array

PLAYING, DRAWING, WEIGHTS = range(3)  # name the random streams
POWERS = np.linspace(0.0, 1.0, 41)  # that are tried as `trust`


@dataclass(frozen=True)
class FieldBeliefSettings(Settings):
    """Settings of a belief over the hidden fields of any game."""

    layers: tuple[int, ...] = setting((128,), "hidden layers of what is made of a view", low=1, high=4096, items=int)
    units: int = setting(64, "units that go from one hidden number to the next", low=1, high=4096)
    round: int = setting(256, "games between two trainings", low=1)
    updates: int = setting(32, "gradient steps of a training", low=1)
    batch: int = setting(128, "decisions in a gradient step", low=1)
    replay: int = setting(50_000, "decisions that are remembered", low=16)
    rate: float = setting(0.002, "the learning rate of Adam at the beginning", low=0.0)
    rate_end: float = setting(0.0002, "the learning rate at the end of the schedule", low=0.0)
    schedule: int = setting(20_000, "games in which the learning rate goes down", low=1)
    l2: float = setting(1e-6, "the cost of large weights", low=0.0)


class FieldBeliefTrainer:
    """The network of a belief, and the rows that it learns from."""

    def __init__(self, game: Game, settings: FieldBeliefSettings, seed: int) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        self.code, self.seen = hidden_numbers(game).code, features(game)
        self.sizes = (self.seen.size + 1, *settings.layers, settings.units)
        first = first_weights(self.sizes, int(self.code[:, WIDTH].sum()), mix(mix(0, seed), WEIGHTS))
        static = tuple(self.code[:, [WIDTH, WHOLE]].ravel().tolist())
        self.network = LossTrainer(belief_likelihood_loss, self.sizes, first, l2=settings.l2, heads=static)
        self.rows = new_rows(game, settings.replay, 1)
        self.held = new_rows(game, HELD_ROWS, CONTRASTS)
        self.trained = 0  # rounds
        self.loss = 0.0

    def train(self, rate: float) -> None:
        """The gradient steps of a round, if there is enough to learn from."""
        s = self.settings
        self.trained += 1
        full = int(min(self.rows.count[0], s.replay))
        if full < s.batch:
            return
        random = np.random.Generator(np.random.PCG64(mix(mix(self.seed, DRAWING), self.trained)))
        chosen = random.integers(0, full, (s.updates, s.batch))
        self.loss = self.network.train(self._batch(self.rows, chosen), rate)

    def _batch(self, rows: HiddenRows, chosen: npt.NDArray[np.int64]) -> dict[str, Any]:
        flat = chosen.ravel()
        seen = np.zeros((len(flat), self.seen.size), np.uint8)
        native(unpack)(np.ascontiguousarray(rows.seen[flat]), seen)
        real, drawn = (self.limited(one[flat]) for one in (rows.real, rows.drawn[:, 0]))
        shape = chosen.shape
        return {
            "seen": seen.reshape(*shape, -1),
            "real": real.reshape(*shape, -1),
            "drawn": drawn.reshape(*shape, -1),
        }

    def limited(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Hidden numbers from their least values on, within their ranges."""
        width = self.code[:, WIDTH]
        top = np.where(self.code[:, WHOLE] == 1, width - 1, (1 << width) - 1)
        return np.clip(numbers - self.code[:, LOW], 0, np.maximum(top, 0)).astype(np.int32)

    def ratios(self) -> FloatArray:
        """[N, 1 + D] how much likelier worlds are than by chance, of decisions held out; the true world first."""
        n = int(min(self.held.count[0], HELD_ROWS))
        seen = np.zeros((n, self.seen.size), np.uint8)
        if n == 0:
            return np.zeros((0, 1 + CONTRASTS))
        native(unpack)(self.held.seen[:n], seen)
        numbers = self.limited(np.concatenate([self.held.real[:n, None], self.held.drawn[:n]], axis=1))
        jax, _ = libraries()
        static = tuple(self.code[:, [WIDTH, WHOLE]].ravel().tolist())
        found = [
            np.asarray(log_likelihoods(jax, self.sizes, static, self.network.weights, seen, numbers[:, k], voice))
            for voice in (REAL_VOICE, CHANCE_VOICE)
            for k in range(1 + CONTRASTS)
        ]
        both = np.array(found, np.float64).reshape(2, 1 + CONTRASTS, n)
        return np.ascontiguousarray((both[0] - both[1]).T)

    def belief(self, **about: Any) -> FieldBelief:
        """The belief learned so far, weighted by its score on held-out games."""
        trust, score = best_power(self.ratios())
        return FieldBelief(
            self.game.name,
            version(self.game),
            self.seen.code,
            self.code,
            self.sizes,
            self.network.weights,
            trust,
            {"seed": self.seed, "gain": round(score, 4), **about},
            self.game.source,
        )

    def state(self, prefix: str = "") -> dict[str, Any]:
        """Everything that is needed to continue, as arrays."""
        found = self.network.state(f"{prefix}network.")
        for name, rows in (("rows", self.rows), ("held", self.held)):
            full = int(min(rows.count[0], len(rows.seen)))
            found |= {f"{prefix}{name}.{key}": array[:full] for key, array in rows._asdict().items() if key != "count"}
            found[f"{prefix}{name}.count"] = rows.count
        return found | {f"{prefix}trained": np.array([self.trained, self.loss])}

    def restore(self, state: Mapping[str, Any], prefix: str = "") -> None:
        """As it was when `state` was called."""
        self.network.restore(state, f"{prefix}network.")
        for name, rows in (("rows", self.rows), ("held", self.held)):
            for key, array in rows._asdict().items():
                some = np.asarray(state[f"{prefix}{name}.{key}"])
                array[: len(some)] = some
        trained, self.loss = state[f"{prefix}trained"].tolist()
        self.trained = int(trained)


class FieldBeliefLearner:
    """A belief that learns from games of some policies, each of them in all seats of a round of games in turn."""

    def __init__(self, game: Game, settings: FieldBeliefSettings, seed: int, players: Sequence[OwnPolicy]) -> None:
        self.settings, self.seed = settings, seed
        self.trainer = FieldBeliefTrainer(game, settings, seed)
        self.players = [HiddenGames(game, player) for player in players]
        self.games = 0

    @property
    def decisions(self) -> int:
        """Decisions so far."""
        return int(self.trainer.rows.count[0] + self.trainer.held.count[0])

    def run_to(self, games: int) -> None:
        """Continue until so many games have been played."""
        s, trainer = self.settings, self.trainer
        while self.games < games:
            end = min(games, (self.games // s.round + 1) * s.round)
            player = self.players[self.games // s.round % len(self.players)]
            player.play(trainer.rows, trainer.held, mix(self.seed, PLAYING), self.games, end - self.games)
            self.games = end
            if self.games % s.round == 0:
                left = max(0.0, 1.0 - self.games / s.schedule)
                trainer.train(s.rate_end + (s.rate - s.rate_end) * left)

    def state(self) -> dict[str, Any]:
        """Everything that is needed to continue, as arrays."""
        return self.trainer.state()

    def restore(self, state: Mapping[str, Any], games: int) -> None:
        """As it was when `state` was called, after so many games."""
        self.trainer.restore(state)
        self.games = games


def best_power(ratios: FloatArray) -> tuple[float, float]:
    """The power of the weights by which the first of each row is recognized best, and how many nats that is worth.

    Chance alone recognizes it with the logarithm of one over their number.
    """
    if not len(ratios):
        return 1.0, 0.0
    scores = [recognition(ratios * power) for power in POWERS]
    best = int(np.argmax(scores))
    return float(POWERS[best]), float(scores[best])


def recognition(ratios: FloatArray) -> float:
    """The mean log-probability of the first of each row, above that of chance alone."""
    top = ratios.max(axis=1, keepdims=True)
    total = np.log(np.exp(ratios - top).sum(axis=1)) + top[:, 0]
    return float((ratios[:, 0] - total).mean() + np.log(ratios.shape[1]))


# --------------------------------------------------------------------------------------------------- the loss


def belief_likelihood_loss(
    jax: ModuleType, sizes: tuple[int, ...], heads: tuple[int, ...], weights: Array, batch: Mapping[str, Array]
) -> Array:
    """Of what was `seen`, the numbers that were `real` and those `drawn` by chance alone."""
    real = log_likelihoods(jax, sizes, heads, weights, batch["seen"], batch["real"], REAL_VOICE)
    drawn = log_likelihoods(jax, sizes, heads, weights, batch["seen"], batch["drawn"], CHANCE_VOICE)
    return -(real + drawn).mean()


def log_likelihoods(
    jax: ModuleType, sizes: tuple[int, ...], heads: tuple[int, ...], weights: Any, seen: Any, numbers: Any, voice: int
) -> Any:
    """[B] the log-probability of hidden numbers [B, J], from their least values on, by one of the voices."""
    numpy = jax.numpy
    widths, wholes = heads[0::2], heads[1::2]
    symbols, units, begin = sum(widths), sizes[-1], parameters(sizes)
    end = begin + symbols * units
    rows_of = numpy.concatenate([weights[begin:end].reshape(symbols, units), numpy.zeros((1, units))])
    outputs, biases = weights[end : end + symbols * units].reshape(symbols, units), weights[end + symbols * units :]
    said = numpy.full((len(seen), 1), float(voice))
    context = apply(sizes, weights[:begin], numpy.concatenate([seen.astype(numpy.float32), said], axis=1))
    rows: list[Any] = []
    chosen: list[Any] = []
    step_of: list[int] = []
    bits: list[bool] = []
    first = 0
    for j, (width, whole) in enumerate(zip(widths, wholes, strict=True)):
        for i in range(min(width, 1) if whole else width):
            one = (numbers[:, j] >> i) & 1
            rows.append(first + numbers[:, j] if whole else numpy.where(one == 1, first + i, symbols))
            chosen.append(first + numbers[:, j] if whole else one)
            step_of += [len(bits)] * (width if whole else 1)
            bits.append(whole == 0)
        first += width
    steps, is_bit = np.array(step_of), np.array(bits)
    added = rows_of[numpy.stack(rows, axis=1)]  # [B, steps, units]
    hidden = jax.nn.relu(context[:, None] + numpy.cumsum(added, axis=1) - added)
    logits = (hidden[:, steps] * outputs).sum(axis=2) + biases  # [B, symbols]
    total = _logs_of_sums(jax, logits, steps, len(bits))
    picked = numpy.stack(chosen, axis=1)
    first_of = np.searchsorted(steps, np.arange(len(bits)))
    single = logits[:, first_of]
    by_bit = -jax.nn.softplus(numpy.where(picked == 1, -single, single))
    by_softmax = numpy.take_along_axis(logits, numpy.where(is_bit, 0, picked), axis=1) - total
    return numpy.where(is_bit, by_bit, by_softmax).sum(axis=1)


def _logs_of_sums(jax: ModuleType, logits: Any, steps: Any, count: int) -> Any:
    """[B, steps] the logarithm of the sum of exponentials of the logits of each step."""
    top = jax.lax.stop_gradient(jax.ops.segment_max(logits.T, steps, count)).T
    sums = jax.ops.segment_sum(jax.numpy.exp(logits - top[:, steps]).T, steps, count).T
    return jax.numpy.log(sums) + top
