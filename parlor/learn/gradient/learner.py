"""Learning by policy gradients: play a window, estimate advantages, update the network, again and again.

Rudolph et al., *Reevaluating policy gradient methods for imperfect-information games* (2025), found that these, with
much entropy, do as well as or better than deep methods made for such games. One network learns for all seats that the
learner sits in: all of them in self-play; some games may be played against former versions of itself, or against given
strategies. Payoffs are divided by their standard deviation in random games.

A round is a window and an update. On a CPU everything random is named by the seed and the number of the round or game,
and a run that was interrupted goes on as if it had not been.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from parlor.compile import version
from parlor.game import Game, GameError
from parlor.game.rng import mix
from parlor.learn.gradient.actors import NOT_OVER, Actors, GamesAgainst, Window
from parlor.learn.gradient.advantages import advantages
from parlor.learn.gradient.past import Past
from parlor.learn.gradient.settings import AUTO, EITHER, JAX, GradientSettings
from parlor.learn.gradient.updates import ROWS, Decisions, GradientTrainer, NetworkShape, compiled_decision
from parlor.learn.gradients import libraries
from parlor.policies.features import network_inputs, sample
from parlor.policies.heads import policy_head
from parlor.policies.nets import initial_weights, shape
from parlor.policies.network import NetworkPolicy, remember
from parlor.policies.search_networks import SearchNetworks, some_outputs
from parlor.policies.strategy import Strategy

PLAYING, UPDATING, WEIGHTS, ACTING = range(4)  # name the random streams
GROUPS = 2  # of games, if all of them wait for a GPU: one is played while the other waits
C = 2.0  # how much a search with the network explores, in units of the learner


class PolicyGradient:
    """A network that learns."""

    def __init__(
        self,
        game: Game,
        algorithm: str,
        settings: GradientSettings,
        seed: int,
        *,
        threads: int = 1,
        rivals: Sequence[Strategy] = (),
        progress: Callable[[], float] | None = None,
        against: Sequence[GamesAgainst] = (),
    ) -> None:
        self.game, self.algorithm, self.settings, self.seed = game, algorithm, settings, seed
        self._progress = progress
        remember(game)
        s, row = settings, ROWS[algorithm]
        self.inputs, head = network_inputs(game), policy_head(game)
        self.scale = sample(game).scale
        jax, _ = libraries()
        gpu = jax.default_backend() != "cpu"
        self.together = s.acting == JAX or (s.acting == AUTO and gpu)
        critics = game.actions if row.critics else 1
        self.sizes = shape(self.inputs.size, s.layers, head.outputs + critics)
        self.shape = NetworkShape(self.sizes, self.inputs.bits, head, gpu and s.half, settings)
        weights = initial_weights(self.sizes, mix(mix(0, seed), WEIGHTS))
        self.trainer = GradientTrainer(algorithm, self.shape, weights)
        self.weights = weights
        self.mean = weights  # of late, if the settings ask for it; else they are the newest
        self.past = Past(game, s, rivals, self.sizes, weights, sum(one.share for one in against))
        self.actors = Actors(
            game, self.past.members(), s.lockstep, sizes=self.sizes, unit=1.0 / self.scale, seed=mix(seed, PLAYING),
            threads=threads, against=against,
        )  # fmt: skip
        self.window = self.actors.new_window(s.window)
        self._opposed = s.bootstrap == EITHER and game.players == 2 and game.kind == "zero-sum"
        self.rounds = 0
        self.finished = 0  # games that are over
        self.measured: dict[str, float] = {}  # in the last round
        if self.together:
            self._decide = compiled_decision(self.shape)
            self._key = jax.random.key(mix(seed, ACTING) & 0x7FFFFFFF)

    @property
    def decisions(self) -> int:
        """Decisions of the learner so far."""
        return self.rounds * self.settings.window * self.settings.lockstep

    def run_to(self, rounds: int) -> None:
        """Continue until there were so many rounds."""
        while self.rounds < rounds:
            self.play()
            self.learn()

    def play(self) -> None:
        """Fill the window."""
        if self.together:
            self._play_together(self.window)
        else:
            self.actors.play(self.window, self.weights)

    def _play_together(self, window: Window) -> None:
        """Play all games of a group to their next decision, while those of the other one are computed."""
        steps, waiting = self.settings.window, [None] * GROUPS
        weights = self.trainer.arrays["weights"]
        groups = min(GROUPS, self.actors.slices)
        for t in range(steps + 1):
            for group in range(groups):
                part = self.actors.part(group, groups)
                if t:
                    found = np.asarray(waiting[group])
                    window.action[t - 1, part] = found[0]
                    window.chance[t - 1, part] = found[1]
                    window.value[t - 1, part] = found[2]
                self.actors.step(window, t, group, groups)
                if t < steps:
                    number = np.uint32(((self.rounds * steps + t) * groups + group) & 0xFFFFFFFF)
                    seen = Decisions(*(array[t, part] for array in window[:4]), *[None] * 5)
                    waiting[group] = self._decide(weights, seen, self._key, number)

    def learn(self) -> None:
        """Update the network from the window; keep it as a former version, if it is time."""
        jax, _ = libraries()
        window, s = self.window, self.settings
        found = advantages(window, s.fading, self._opposed)
        arrays = (*window[:4], window.action, window.chance, *found)
        flat = Decisions(*(array.reshape(s.window * s.lockstep, *array.shape[2:]) for array in arrays))
        left = self.left
        key = jax.random.key(mix(mix(self.seed, UPDATING), self.rounds) & 0x7FFFFFFF)
        rate, entropy = s.rate_end + (s.rate - s.rate_end) * left, s.entropy_end + (s.entropy - s.entropy_end) * left
        self.measured = self.trainer.update(flat, rate, entropy, key)
        self.weights = self.trainer.weights
        nearer = max(s.averaging, 1.0 / (self.rounds + 1))  # at first, the mean of all
        self.mean = self.mean + nearer * (self.weights - self.mean) if s.averaging else self.weights
        if not np.isfinite(self.measured["loss"]):
            raise GameError("The training has diverged: its loss is not finite. Try a smaller rate.")
        ended = window.over != NOT_OVER
        self.finished += int(ended.sum())
        self.rounds += 1
        if self.past.note(window, self.actors.own, self.rounds, self.weights):
            self.actors.use(self.past.members())

    @property
    def left(self) -> float:
        """The share of the schedule that is left, from 1 down to 0."""
        if self.settings.decisions:
            return max(0.0, 1.0 - self.decisions / self.settings.decisions)
        return max(0.0, 1.0 - self._progress()) if self._progress is not None else 1.0

    def network(self, **about: Any) -> NetworkPolicy:
        """The policy so far, as a network that plays a softmax; with its value, for searches."""
        sizes, weights = some_outputs(self.sizes, self.mean, 0, self.shape.head.outputs)
        search = None
        if self.sizes[-1] == sizes[-1] + 1:
            search = SearchNetworks(self.sizes, self.mean, self.scale, "own", "uniform", 64, C * self.scale)
        return NetworkPolicy(
            self.game.name,
            version(self.game),
            self.inputs.code,
            sizes,
            weights,
            1.0,
            1.0,
            {"rounds": self.rounds, "decisions": self.decisions, "seed": self.seed, **about},
            self.game.source,
            search_networks=search,
            declared=self.inputs.digest,
            logits=True,
        )

    def state(self) -> dict[str, Any]:
        """Everything that is needed to continue, as arrays."""
        found = self.trainer.state() | self.actors.state() | self.past.state()
        found |= {"mean": self.mean} if self.settings.averaging else {}
        return found | {"finished": np.int64(self.finished), "measured": np.array(list(self.measured.values()))}

    def restore(self, state: Mapping[str, Any], rounds: int) -> None:
        """As it was when `state` was called, after so many rounds."""
        self.trainer.restore(state)
        self.weights = self.trainer.weights
        self.mean = np.array(state.get("mean", self.weights), np.float32)
        self.past.restore(state)
        self.actors.use(self.past.members())
        self.actors.restore(state)
        self.finished, self.rounds = int(state["finished"]), rounds
        self.measured = dict(zip(MEASURED, state["measured"].tolist(), strict=False))

    def close(self) -> None:
        """Stop the threads."""
        self.actors.close()


MEASURED = ("change", "entropy", "loss", "value_error")
