"""Approximate best response with search: algorithm 2 of Li et al. (2023).

Li et al., *Combining tree-search, generative models, and Nash bargaining concepts in game-theoretic reinforcement
learning*, after Timbers et al., *Approximate exploitability* (2022), and AlphaZero (Silver et al., 2018). One player
learns against others who are drawn, game by game, from fixed strategies. At each of its decisions it searches
(`parlor.search.ismcts`), with its own networks: the policy says what to try first, the value ends simulations, the
belief says what may be hidden. What it sees and what came of it go into three buffers (`parlor.learn.buffers`), from
which the networks learn (`parlor.learn.gradients`).

Departures: a round of games is played together with the same delayed copies of the networks, and the gradient steps
follow it, so that thousands of leaves are evaluated in one batch. Information states that follow one another without
the learner having moved or being asked count once: values are learned of what it sees at its decisions, after its moves
and at the end. With `normalise`, values are divided by their standard deviation in random games.

Everything random is named by the seed, the number of the game or of the round, so that a run that was interrupted goes
on as if it had not been.

Whether values of what a player sees after its moves are fair: moves are tried in the true state to find it out.

So they are, where what a player sees right after a move follows from what it saw before. Where a move at once shows
something hidden, its player would know that before it moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from parlor.compile import native, version
from parlor.game import CHANCE, OVER, Game, GameError, State, View
from parlor.game.rng import below, choose, mix, seed_stream
from parlor.learn.abr_settings import SEARCH, VALUE, AbrSettings
from parlor.learn.batched_games import BatchedGames
from parlor.learn.buffers import BufferSizes, draw_batches, new_buffers, restore, saved, settle
from parlor.learn.gradients import BELIEF_LOSSES, LossTrainer, policy_value_loss
from parlor.learn.network_search import NetworkSearch, search_seeds
from parlor.policies.beliefs import HEADS, NETWORKS, BeliefNetwork, codes_of
from parlor.policies.features import features
from parlor.policies.nets import initial_weights, shape
from parlor.policies.network import NetworkPolicy, remember
from parlor.policies.opponents import LEARNER, OpponentArrays, opponent_arrays
from parlor.policies.policy import Policy
from parlor.policies.search_networks import SearchNetworks
from parlor.search.backups import payoffs_as

GAMES, MOVES, CODES = 10, 12, 6  # random games; moves and codes at a position, at most


def check_afterstates(game: Game) -> None:
    """Raise GameError if a move that shows something hidden is found in random games."""
    if found := revealing_move(game):
        raise GameError(
            f"In {game.name} a move can show at once what was hidden ({found}). Values of what is seen after moves "
            "would tell it before the move: choose returns=policy or returns=search, and tried=0."
        )


def revealing_move(game: Game) -> str:
    """The name of a move after which a player sees what depends on the code of what was hidden; empty if none is found.

    A game without codes has none.
    """
    if game.hidden.worlds is None:
        return ""
    rules, stream = game.rules, [0] * 4
    odds, moves = [0.0] * game.outcomes, [0] * game.actions
    codes, weights = [0] * game.hidden.worlds.count, [0.0] * game.hidden.worlds.count
    for number in range(GAMES):
        seed_stream(stream, 0, number)
        state = game.start().state.copy()
        while (who := rules.turn(state)) != OVER:
            if who == CHANCE:
                rules.play(state, choose(stream, odds, rules.odds(state, odds)))
                continue
            n, m = rules.legal(state, moves), game.hidden.worlds.possible(state, who, codes, weights)
            step = n // MOVES + 1
            for move in moves[below(stream, step) : n : step]:
                sights = [_seen_after(game, state, who, code, move) for code in codes[: m : m // CODES + 1]]
                if any(seen != sights[0] for seen in sights):
                    return game.words.describe(state, move)
            rules.play(state, moves[below(stream, n)])
    return ""


def _seen_after(game: Game, state: State, p: int, code: int, move: int) -> tuple[View, int]:
    """The view and the information set of a player after its move, in the world of a code."""
    assert game.hidden.worlds is not None
    world = state.copy()
    game.hidden.worlds.set_hidden_state(world, p, code)
    game.rules.play(world, move)
    return game.view(world, p), game.rules.key(world, p)


PLAYING, DRAWING, WEIGHTS, BELIEF, SEARCHING = range(5)  # name the random streams
SAMPLE = 2_000  # random games, to see how far values are apart


class Abr:
    """A best response that learns."""

    def __init__(self, game: Game, settings: AbrSettings, seed: int, members: OpponentArrays) -> None:
        self.game, self.settings, self.seed, self.members = game, settings, seed, members
        if settings.returns == VALUE or settings.tried:
            check_afterstates(game)
        remember(game)
        s, self.features = settings, features(game)
        self.scale = payoff_std(game, s.backup) if s.normalise else 1.0
        sizes = shape(self.features.size, s.layers, game.actions + 1)
        first = initial_weights(sizes, mix(mix(0, seed), WEIGHTS))
        self.network = LossTrainer(policy_value_loss, sizes, first, s.optimiser, s.l2)
        self.belief: LossTrainer | None = None
        self._codes = codes_of(game, s.belief) if s.belief in NETWORKS else None
        if self._codes is not None:
            sizes = shape(self.features.size, s.belief_layers, self._codes.outputs(s.belief))
            first = initial_weights(sizes, mix(mix(0, seed), BELIEF))
            self.belief = LossTrainer(
                BELIEF_LOSSES[s.belief], sizes, first, s.optimiser, s.belief_l2, self._codes.heads
            )
        self.bits = BufferSizes(self.features.size, game.actions, game.hidden.worlds.count if game.hidden.worlds else 0)
        self.buffers = new_buffers(s.replay, *self.bits)
        self.batch = BatchedGames(game, members, s.round)
        self.games = 0
        self.loss = self.belief_loss = self.payoff = 0.0  # of the last round
        self.search_networks = self.latest()  # the delayed copies
        self.searcher = NetworkSearch(game, members, s.round, self.search_networks, evaluate=s.evaluate)

    def latest(self, others: OpponentArrays | None = None) -> SearchNetworks:
        """The networks as they are now."""
        s, belief = self.settings, None
        if self.belief is not None:
            belief = BeliefNetwork(s.belief, self.belief.sizes, self.belief.weights)
        return SearchNetworks(
            self.network.sizes, self.network.weights, self.scale, s.backup, s.belief, s.simulations,
            s.c * self.scale, belief, others,
        )  # fmt: skip

    @property
    def decisions(self) -> int:
        """Searches so far."""
        return int(self.buffers.count[1])

    def run_to(self, games: int) -> None:
        """Continue until so many games have been played, in whole rounds."""
        while self.games < games:
            self.play_round()
            self.train()

    def play_round(self) -> None:
        """Play a round of games into the buffers."""
        games, s = self.batch.games, self.settings
        self.batch.begin(mix(self.seed, PLAYING), self.games)
        while len(waiting := self.batch.advance(self.buffers)):
            seeds = search_seeds(mix(self.seed, SEARCHING), self.games + waiting, games.length[waiting])
            found = self.searcher.run(games.states[waiting], games.turn[waiting], seeds)
            self.batch.decide(waiting, found, self.buffers, s.explore, s.tried, 1.0 / self.scale)
        returns = self._returns()
        native(settle)(self.buffers, returns.astype(np.float32))
        self.games += self.settings.round

    def _returns(self) -> Any:
        """[games × players] what came of the round, as it is backed up, for every player."""
        payoffs, players = self.batch.games.payoffs, self.game.players
        mine = self.members.lineups[self.batch.games.lineup] == LEARNER
        self.payoff = float(payoffs[mine].mean())
        returns = [[payoffs_as(self.settings.backup, row, p) for p in range(players)] for row in payoffs]
        return np.array(returns).ravel() / self.scale

    def train(self) -> None:
        """Gradient steps after a round, and new delayed copies if it is time for them."""
        s, number = self.settings, self.games // self.settings.round
        steps = max(1, round(s.gradient_steps * s.round))
        batch, hidden = draw_batches(self.buffers, self.bits, steps, s.batch, mix(self.seed, DRAWING), number)
        self.loss = self.network.train(batch, s.rate)
        if self.belief is not None and self._codes is not None:
            if s.belief == HEADS:
                hidden["numbers"] = self._codes.numbers[hidden["code"]].astype(np.int32)
            self.belief_loss = self.belief.train(hidden, s.belief_rate)
        if self.games // s.delay > (self.games - s.round) // s.delay:
            self._replace(self.latest())

    def _replace(self, search_networks: SearchNetworks) -> None:
        self.search_networks = search_networks
        self.searcher.use(search_networks)

    def strategy(self, **about: Any) -> NetworkPolicy:
        """The current policy."""
        s = self.settings
        search_networks = self.latest(self.members if s.returns == SEARCH else None)
        sizes, weights = search_networks.value if s.returns == VALUE else search_networks.policy
        return NetworkPolicy(
            self.game.name,
            version(self.game),
            self.features.code,
            sizes,
            weights,
            self.scale if s.returns == VALUE else 1.0,
            0.0 if s.returns == VALUE else s.temperature,
            {"games": self.games, "seed": self.seed, **about},
            self.game.source,
            s.returns == VALUE,
            search_networks,
            logits=s.returns != VALUE,
        )

    def state(self) -> dict[str, Any]:
        """Everything that is needed to continue, as arrays."""
        arrays = saved(self.buffers) | self.network.state("network.") | {"delayed": self.search_networks.weights}
        if self.belief is not None and self.search_networks.network is not None:
            arrays |= self.belief.state("belief.") | {"delayed_belief": self.search_networks.network.weights}
        return arrays | {"measured": np.array([self.loss, self.belief_loss, self.payoff])}

    def restore(self, state: Mapping[str, Any], games: int) -> None:
        """As it was when `state` was called, after so many games."""
        restore(self.buffers, state)
        self.network.restore(state, "network.")
        delayed = np.array(state["delayed"], np.float32)
        belief = None
        if self.belief is not None:
            self.belief.restore(state, "belief.")
            weights = np.array(state["delayed_belief"], np.float32)
            belief = BeliefNetwork(self.settings.belief, self.belief.sizes, weights)
        latest = self.latest()
        self.loss, self.belief_loss, self.payoff = state["measured"].tolist()
        self.games = games
        self._replace(
            SearchNetworks(
                latest.sizes, delayed, self.scale, latest.backup, latest.belief, latest.simulations, latest.c, belief
            )
        )


def payoff_std(game: Game, backup: str) -> float:
    """The standard deviation of what is backed up, in random games: always the same ones."""
    uniform = opponent_arrays(game, [[0] * game.players], [1.0], [Policy.uniform(game)])
    games = BatchedGames(game, uniform, SAMPLE)
    games.begin(0, 0)
    games.advance(new_buffers(0, 0, 0, 0))
    found = [payoffs_as(backup, row, p) for row in games.games.payoffs for p in range(game.players)]
    return float(np.std(found)) or 1.0
