"""Matches of poker with less variance and the same expectation.

After AIVAT (Burch et al., *AIVAT: a new variance reduction technique for agent evaluation in imperfect information
games*, 2018). Let v be the value of a showdown of the two hands if everything is called and nobody bets any more. What
happens is compared with what was to be expected. At a deal that is v itself, a mean over the cards to
come; at a move it is the mean of v over the probabilities that the agent gave to its moves. Every difference is luck,
with the expectation 0 whatever v is; it is added up for deals and for moves of each street.

AIVAT subtracts all of it from the payoff, with a v as good as possible. Ours ignores future bets, so that a
lucky flop is worth more than it says and a lucky bluff less; hence each of the ten sums is subtracted with the factor
that leaves the least variance (control variates by least squares), the factors for one half of the deals being those of
the other half, so that they are independent of the luck they are applied to and the expectation is unchanged. All-in,
what is left is the equity. Averages over hands that were not dealt, the rest of AIVAT, cost more than the games they
save.

`AivatBatch` is a `Batch` that also returns the luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.agents.agent import CompiledAgent
from parlor.arena.batch import Batch, VarianceReduction, note_deal, note_move
from parlor.arena.measures import Lineups, Payoffs
from parlor.compile.kernel import copy, payoff, play, resolve
from parlor.game import Floats, Game, Ints, State
from parlor.poker.poker_rules import folds, poker_rules, showdown_value, stake, street

STREETS = 5  # with the one after the last, on which there is nothing more to bet
KINDS = 2 * STREETS  # of luck: at deals, at moves
MIN_PAIRS = 200  # pairs of games needed to find factors


class AivatBatch(Batch):
    """Working memory for games of poker between two agents."""

    def __init__(self, concrete: Game, agents: Sequence[CompiledAgent], size: int) -> None:
        rules = poker_rules(concrete)
        self.slots = {**rules.bindings, note_deal: luck_of_deal, note_move: luck_of_move}
        #: a state to try moves on; for each game the luck so far, and the expected sign of its showdown
        self.watch = (compiler.states(concrete, 1, True), np.zeros((size, KINDS + 1)), rules.highest_stake)
        super().__init__(concrete, agents, size)

    def play(self, seed: int, first: int, each: int, lineups: Lineups) -> Payoffs:
        """As in `Batch`, followed by the luck of each seat: [games, players * (1 + kinds)]."""
        notes = self.watch[1]
        notes[:] = 0.0
        payoffs = super().play(seed, first, each, lineups)
        luck = notes[: len(lineups), :KINDS]
        return np.concatenate([payoffs, luck, -luck], axis=1)


def without_luck(
    payoffs: npt.NDArray[np.float64], luck: npt.NDArray[np.float64], pair: int
) -> npt.NDArray[np.float64]:  # fmt: skip
    """Payoffs of an agent [games] minus its luck [games, kinds]; games come in independent groups of `pair`."""
    together = luck.reshape(-1, pair, luck.shape[1]).mean(axis=1)
    results = payoffs.reshape(-1, pair).mean(axis=1)
    half = np.arange(len(results)) % 2 == 0
    left = payoffs.reshape(-1, pair).copy()
    for mine in (half, ~half):
        if (~mine).sum() >= MIN_PAIRS:
            fit = np.column_stack([together[~mine], np.ones((~mine).sum())])
            factors = np.linalg.lstsq(fit, results[~mine], rcond=None)[0][:-1]
            left[mine] -= luck.reshape(-1, pair, luck.shape[1])[mine] @ factors
    return left.ravel()


def utility(s: State, sign: float, gone: bool, most: float) -> float:
    """The expected payoff of player 0: the payoff if somebody folded, else that of a showdown."""
    return payoff(s, 0) if gone else min(stake(s), most) * sign


def luck_of_deal(states: Any, g: int, r: Ints, watch: Any) -> None:
    """The change of the expected value by the cards; before there are hands, it is 0."""
    trial, notes, most = watch
    s = states[g]
    before = notes[g][KINDS]
    copy(trial, 0, states, g)
    notes[g][KINDS] = showdown_value(trial[0], r)
    notes[g][street(s)] += notes[g][KINDS] * min(stake(s), most) - before * min(stake(s), most)


def luck_of_move(states: Any, g: int, moves: Ints, weights: Floats, n: int, i: int, watch: Any) -> None:
    """The value of the move drawn minus the mean over the moves that might have been drawn."""
    trial, notes, most = watch
    s = states[g]
    for j in range(n if n > 1 else 0):
        if weights[j] > 0.0:
            a = int(resolve(s, int(moves[j])))
            copy(trial, 0, states, g)
            play(trial[0], a)
            value = utility(trial[0], notes[g][KINDS], folds(s, a), most)
            notes[g][STREETS + street(s)] += (1.0 if i == j else 0.0) * value - weights[j] * value


AIVAT = VarianceReduction("AIVAT", AivatBatch, without_luck)
