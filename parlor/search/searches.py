"""Information-set Monte-Carlo tree search for many states at once, see `parlor.search.ismcts`.

    others = others_of(game, members)                       # line-ups and their shares, parlor.search.posterior
    searches = Searches(game, others, 256, SearchSettings(simulations=300, backup="own", belief="exact"))
    found = searches.run(states, players, seeds, evaluate)  # states[i]: players[i] is to move
    found.moves, found.visits, found.values

Every search has a random stream of its own, named by its seed: what it finds depends on nothing but its seed, what its
player knows, and the answers of `evaluate`.

Leaves are rolled out inside the kernel; or a network evaluates them there (`network`); or, for the leaves of all
searches together, `evaluate` does: from features [B, F] to logits [B, actions] and values [B].
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile import Bindings
from parlor.game import Game, GameError
from parlor.game.parameters import Settings, setting
from parlor.policies.features import features
from parlor.policies.opponents import workspace
from parlor.search.backups import BACKUPS, backup_of
from parlor.search.forest import OPERATORS, new_forest, with_room
from parlor.search.ismcts import (
    BY_CODE,
    LeafNetwork,
    Leaves,
    Search,
    advance,
    evaluate_leaf,
    evaluate_leaf_by_network,
    init_trees,
    simulate_all,
    uniform_probabilities,
    update_beliefs,
)
from parlor.search.posterior import BELIEFS, OpponentModel, PosteriorBelief, PosteriorScratch, belief_of, new_belief
from parlor.search.rollout import Rollout, array, new_rollout, rollout_legal, rollout_play, rollout_probabilities
from parlor.search.world_table import concrete_key

STEP = 16  # simulations of each search between two looks at the clock

#: From features [B, F] of what searchers see at leaves to logits [B, actions] and values [B], in points of payoff.
Evaluate = Callable[[npt.NDArray[np.float32]], tuple[npt.NDArray[Any], npt.NDArray[Any]]]


@dataclass(frozen=True)
class SearchSettings(Settings):
    """The settings of a search."""

    simulations: int = setting(300, "simulated games for each decision", low=1)
    c: float = setting(0.0, "how much is tried that has not done well; 0: the distance of values seen", low=0.0)
    backup: str = setting("own", "what is made as large as possible", words=tuple(BACKUPS))
    belief: str = setting("exact", "what is believed of hidden things", words=tuple(BELIEFS))
    operator: str = setting(
        "mean", "what a decision passes up: of all its simulations, or its best move", words=OPERATORS
    )


class SearchResults(NamedTuple):
    """The results of N searches, by action ids."""

    moves: npt.NDArray[np.int64]  # [N] the move that was tried most
    visits: npt.NDArray[np.int64]  # [N, actions]
    values: npt.NDArray[np.float64]  # [N, actions] means of what was backed up; 0 for what was not tried
    simulations: npt.NDArray[np.int64]  # [N] there was time for

    @property
    def policy(self) -> npt.NDArray[np.float64]:
        """[N, actions] the shares of visits; all on the move where there was nothing to search."""
        shares = self.visits.astype(np.float64)
        bare = self.visits.sum(axis=1) == 0
        shares[bare, self.moves[bare]] = 1.0
        return shares / shares.sum(axis=1, keepdims=True)


@dataclass(frozen=True, eq=False)
class OwnPolicy:
    """The policy of the searcher's own moves in rollouts: functions for the slots, and the data they get."""

    slots: Bindings
    data: Callable[[bool], Any]
    horizon: int


def uniform_policy(game: Game) -> OwnPolicy:
    """Every legal move with the same probability."""
    slots: Bindings = {
        rollout_legal: game.rules.legal,
        rollout_play: game.rules.play,
        rollout_probabilities: uniform_probabilities,
    }
    return OwnPolicy(slots, lambda compiled: (), game.length)


def new_search(
    game: Game,
    how: SearchSettings,
    trees: int,
    compiled: bool,
    rollout: Rollout,
    belief: tuple[Any, ...],
    shares: npt.ArrayLike,
    others: Any,
    leaf: tuple[Any, ...] = (),
) -> Search:
    """Working memory; `others` are the data of `opponent_probabilities`, `leaf` those of `evaluate_leaf`."""
    actions = game.actions
    moves, chances = array(compiled, actions, whole=True), array(compiled, actions)
    return Search(
        new_forest(trees, how.simulations, actions, game.length),
        compiler.states(game, trees, compiled),
        PosteriorScratch(compiler.states(game, 1, compiled), moves, chances, rollout.odds, rollout.luck),
        belief,
        np.zeros(trees, np.int64),
        array(compiled, trees, 4, whole=True),
        np.zeros(trees, np.int64),
        np.zeros(1, np.int64),
        np.zeros(actions),
        array(compiled, game.players),
        np.ascontiguousarray(shares, np.float64),
        np.zeros((trees, actions), np.int64),
        np.zeros(trees, np.int64),
        np.zeros(trees, np.int64),
        others,
        rollout,
        leaf,
        how.simulations,
        how.c,
        backup_of(how.backup).number,
        belief_of(how.belief).number,
        how.operator == "max",
    )


@dataclass(eq=False)
class Searches:
    """Searches of one game, `trees` of them at a time: few for rollouts, hundreds if leaves are evaluated together.

    It is working memory: one for each thread. The game must say what is hidden as a code.
    """

    game: Game
    others: OpponentModel
    trees: int
    how: SearchSettings = field(default_factory=SearchSettings)
    own: OwnPolicy | None = None  # of rollouts; None: uniform
    compiled: bool = True
    network: tuple[Any, Any, float] | None = None  # of `LeafNetwork`: sizes, weights, scale; then no `evaluate`

    def __post_init__(self) -> None:
        if self.game.hidden.worlds is None:
            raise GameError(f"{self.game.name} has no codes for what is hidden, which these searches need.")
        own = self.own or uniform_policy(self.game)
        belief = new_belief(self.game, self.trees, self.others.shares.shape[1])
        slots: dict[Any, Any] = {concrete_key: self.game.rules.key, **BY_CODE, **own.slots, **self.others.slots}
        leaf: Any = ()
        if self.network is not None:
            sizes, weights, scale = self.network
            working = workspace(features(self.game).code, max(sizes), sizes[-1])
            leaf = LeafNetwork(np.array(sizes, np.int64), weights, working, scale)
            slots[evaluate_leaf] = evaluate_leaf_by_network
        self._slots: Bindings = slots
        rollout = new_rollout(self.game, own.horizon, own.data(self.compiled), self.compiled)
        others = self.others.data(self.compiled)
        self._b = new_search(
            self.game, self.how, self.trees, self.compiled, rollout, belief, self.others.shares, others, leaf
        )

    @property
    def belief(self) -> PosteriorBelief:
        """The beliefs of the last call's searches, or of those that were prepared by `believe`."""
        found: PosteriorBelief = self._b.belief
        return found

    def _kernel(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        return (compiler.native if self.compiled else compiler.interpret)(kernel, self.game, self._slots)

    def believe(self, states: Any, players: Any) -> PosteriorBelief:
        """Compute and return the beliefs in the states, at most `trees` of them, without a search."""
        self._kernel(update_beliefs)(self._b, states, 0, len(players), players)
        return self.belief

    def run(
        self,
        states: Any,
        players: Any,
        seeds: Any,
        evaluate: Evaluate | None = None,
        seconds: float = 0.0,
        believing: Callable[[int, int, PosteriorBelief], None] | None = None,
    ) -> SearchResults:
        """Search in each of the states, for the player to move there; by rollouts if nobody evaluates.

        With `seconds`, all together end after that time, even if there were fewer simulations. `believing(first, count,
        belief)` may change what the searches of states[first : first + count] believe before they begin.
        """
        count, actions = len(players), self.game.actions
        found = SearchResults(
            np.zeros(count, np.int64),
            np.zeros((count, actions), np.int64),
            np.zeros((count, actions)),
            np.zeros(count, np.int64),
        )
        begun = time.monotonic()
        for first in range(0, count, self.trees):
            n = min(self.trees, count - first)
            end = begun + seconds * (first + n) / count if seconds else np.inf
            self._kernel(init_trees)(self._b, states, first, n, players, seeds)
            if believing is not None:
                believing(first, n, self.belief)
            if evaluate is None:
                self._roll_out(states, first, n, players, end)
            else:
                self._evaluate(states, first, n, players, end, evaluate)
            self._report(first, n, found)
        return found

    def _room(self, edges: int) -> None:
        self._b = self._b._replace(forest=with_room(self._b.forest, edges))

    def _roll_out(self, states: Any, first: int, n: int, players: Any, end: float) -> None:
        step = self._kernel(simulate_all)
        while self._b.done[:n].min() < self.how.simulations:
            self._room(n * STEP * self.game.actions)
            step(self._b, states, first, n, players, STEP)
            if time.monotonic() >= end:
                break

    def _evaluate(self, states: Any, first: int, n: int, players: Any, end: float, evaluate: Evaluate) -> None:
        step, leaves = self._kernel(advance), self._leaves
        leaves.count[0] = 0
        while True:
            self._room(n * self.game.actions)
            step(self._b, states, first, n, players, leaves)
            count = int(leaves.count[0])
            if count == 0 or time.monotonic() >= end:
                break
            leaves.logits[:count], leaves.values[:count] = evaluate(leaves.features[:count])

    @cached_property
    def _leaves(self) -> Leaves:
        size, actions = features(self.game).size, self.game.actions
        return Leaves(
            np.zeros(1, np.int64),
            np.zeros(self.trees, np.int64),
            np.zeros((self.trees, size), np.float32),
            np.zeros((self.trees, actions), np.float32),
            np.zeros(self.trees, np.float32),
            workspace(features(self.game).code, 1, actions),
        )

    def _report(self, first: int, n: int, found: SearchResults) -> None:
        """Write the results of the searches into `found`, by action ids."""
        b, mine = self._b, slice(first, first + n)
        f, which = b.forest, np.arange(n)
        found.moves[mine] = b.moves[which, b.best[:n]]
        found.simulations[mine] = b.done[:n]
        tree, place = np.nonzero((np.arange(b.moves.shape[1]) < b.options[:n, None]) & (f.nodes[:n, None] > 0))
        edge, move = f.first[tree, 0] + place, b.moves[tree, place]
        found.visits[first + tree, move] = f.tries[edge]
        found.values[first + tree, move] = f.sums[edge] / np.maximum(f.tries[edge], 1)
