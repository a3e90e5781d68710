"""Learning by policy gradients: play a window, estimate advantages, update the network, again and again.

Rudolph et al., *Reevaluating policy gradient methods for imperfect-information games* (2025), found that these, with
much entropy, do as well as or better than deep methods made for such games. One network learns for all seats that the
learner sits in: all of them in self-play; some games may be played against former versions of itself, or against given
strategies. Payoffs are divided by their standard deviation in random games.

A round is a window and an update. On a CPU everything random is named by the seed and the number of the round or game,
and a run that was interrupted goes on as if it had not been.

Advantages: how much better a decision turned out than its player expected, estimated over many lengths.

Schulman et al., *High-dimensional continuous control using generalized advantage estimation* (2016), for any number of
players: a player's transition goes from one of its decisions to its next one in that game, whatever the others do in
between. Walking backwards through a window, what each player gets from here on is kept for each game and seat. Payoffs
come at the end of a game and are not discounted. A decision whose successor lies beyond the window is left out.

Between two players whose payoffs sum to zero, what one expects is what the other expects with the sign turned: there
the successor of a decision is the next one of either player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile import version
from parlor.compile.kernel import IntArray
from parlor.game import Game, GameError
from parlor.game.rng import mix
from parlor.learn.gradient.actors import NOT_OVER, Actors, GamesAgainst, Window
from parlor.learn.gradient.past import Past
from parlor.learn.gradient.settings import AUTO, EITHER, JAX, GradientSettings
from parlor.learn.gradient.updates import ROWS, Decisions, GradientTrainer, NetworkShape, compiled_decision
from parlor.learn.gradients import libraries
from parlor.policies.features import network_inputs, sample
from parlor.policies.nets import initial_weights, policy_head, shape
from parlor.policies.network import NetworkPolicy, remember
from parlor.policies.search_networks import SearchNetworks, some_outputs
from parlor.policies.strategy import Strategy
from parlor.search.backups import OWN_PAYOFF, payoffs_as


class Advantages(NamedTuple):
    """Of T decisions of G games, float32."""

    advantage: Any  # [T, G] in units of the learner
    goal: Any  # [T, G] what its value should have been
    known: Any  # [T, G] 1, or 0 if it is left out


class Successors(NamedTuple):
    """Of each player: the next decision, or the end."""

    known: Any  # [P] whether there is one in the window
    payoff: Any  # [P] what was got until then
    value: Any  # [P] what was expected there; 0 at the end
    advantage: Any  # [P] of it


def advantages(window: Window, fading: float, zero_sum: bool) -> Advantages:
    """Of all decisions in a window; `fading` is λ, `zero_sum` if there are two players whose payoffs sum to zero."""
    found = Advantages(*(np.zeros(window.value.shape, np.float32) for _ in Advantages._fields))
    players = window.payoffs.shape[2]
    after = Successors(np.zeros(players, np.int64), *(np.zeros(players) for _ in range(3)))
    compiler.native(fill_advantages)(
        window.player, window.value, window.over, window.payoffs, fading, zero_sum, after, found
    )
    return found


def fill_advantages(
    player: IntArray,
    value: Any,
    over: IntArray,
    payoffs: Any,
    fading: float,
    zero_sum: bool,
    after: Successors,
    out: Advantages,
) -> None:
    """Walk backwards through every game."""
    steps, games, players = payoffs.shape
    for g in range(games):
        for p in range(players):
            after.known[p] = 0
        for t in range(steps - 1, -1, -1):
            if over[t, g] != NOT_OVER:
                for p in range(players):
                    after.known[p] = 1
                    after.payoff[p] = payoffs[t, g, p]
                    after.value[p] = 0.0
                    after.advantage[p] = 0.0
            p = player[t, g]
            here = float(value[t, g])
            advantage = 0.0
            if after.known[p] == 1:
                advantage = after.payoff[p] + after.value[p] - here + fading * after.advantage[p]
                out.advantage[t, g] = advantage
                out.goal[t, g] = advantage + here
                out.known[t, g] = 1.0
            after.known[p] = 1
            after.payoff[p] = 0.0
            after.value[p] = here
            after.advantage[p] = advantage
            if zero_sum:
                after.known[1 - p] = 1
                after.payoff[1 - p] = 0.0
                after.value[1 - p] = -here
                after.advantage[1 - p] = -advantage


PLAYING, UPDATING, WEIGHTS, ACTING = range(4)  # name the random streams
GROUPS = 2  # of games, if all of them wait for a GPU: one is played while the other waits
NOTHING = 1e-9  # a standard deviation that comes of rounding
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
        self.scale = objective_scale(game, s.objective)
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
            game, self.past.members(), s.lockstep, sizes=self.sizes, unit=1.0 / self.scale, objective=s.objective,
            seed=mix(seed, PLAYING), threads=threads, against=against,
        )  # fmt: skip
        self.window = self.actors.new_window(s.window)
        among_two = game.players == 2 and game.kind == "zero-sum" and s.objective == OWN_PAYOFF
        self._opposed = s.bootstrap == EITHER and among_two
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
            objective = self.settings.objective
            search = SearchNetworks(self.sizes, self.mean, self.scale, objective, "uniform", 64, C * self.scale)
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


def objective_scale(game: Game, objective: str) -> float:
    """The standard deviation in random games of what a learner with that objective is paid."""
    if objective == OWN_PAYOFF:
        return sample(game).scale
    paid = [payoffs_as(objective, row, p) for row in sample(game).payoffs for p in range(game.players)]
    found = float(np.std(paid))
    if found < NOTHING:
        raise GameError(f"Nothing can be learned in {game.name} with the objective {objective}: it is always the same.")
    return found


MEASURED = ("change", "entropy", "loss", "value_error")
