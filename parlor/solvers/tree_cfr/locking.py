"""Strategies that are given instead of learned: locked information sets, restricted responses, warm starts.

With weight 1 the information sets of a `Lock` play as it says, always, and the rest of the game is solved around them
(*node locking*). With a smaller weight p the players of the lock are bound to its whole strategy in a share p of all
games and free in the others; who meets them does not know which it is. What the others learn is the restricted Nash
response of Johanson, Zinkevich and Bowling (*Computing robust counter-strategies*, 2007): at 0 an equilibrium, towards
1 a best response. In sequence form both are simple: the others meet the plan p · bound + (1 − p) · free.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.game import GameError
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Floats, Tree
from parlor.solvers.best_response import NOT_LOCKED, reaches, respond, sequence_strategy
from parlor.solvers.evaluation import Evaluation
from parlor.solvers.tree_cfr.iteration import LockArrays

FREE = LockArrays(np.zeros(0, np.bool_), np.zeros(0), np.zeros(1))
EARLIER = 100  # iterations for which a warm start counts
CAUTION = 0.2  # of the largest regret that so many iterations could leave: how firmly a warm start is held


@dataclass(frozen=True)
class Lock:
    """A policy that is kept, by which players (all that it knows, if none are named) and in which share of games."""

    policy: Policy
    weight: float = 1.0
    players: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a weight that is no probability."""
        if not 0.0 <= self.weight <= 1.0:
            raise GameError(f"The weight of a lock must be between 0 and 1, not {self.weight}.")


def nothing_locked(t: Tree) -> LockArrays:
    """The arrays where everything is learned."""
    return FREE._replace(share=np.zeros(t.game.players))


def lock_arrays(t: Tree, lock: Lock) -> tuple[LockArrays, Floats]:
    """The arrays of a lock, and its strategy at the information sets of its players."""
    strategy = sequence_strategy(t, lock.policy)
    for player in lock.players:
        if not 0 <= player < t.game.players:
            raise GameError(f"{t.game.name} has players 0 to {t.game.players - 1}, not {player}.")
    locked = _locked(t, lock)
    if not locked.any():
        raise GameError(f"The locked policy has no information set of {_those(lock.players)} in {t.game.name}.")
    bound = sorted(set(t.player[locked].tolist()))
    if lock.weight == 1.0:
        if not (~locked & (t.counts > 1)).any():
            raise GameError("All information sets are locked, so that nothing is left to solve: name the players whose "
                            "are, such as --lock-players 1.")  # fmt: skip
        return nothing_locked(t)._replace(locked=locked), strategy
    if len(bound) == t.game.players:
        raise GameError("The locked policy plays for everybody: with a weight below 1, name the players that are bound "
                        "to it, such as --lock-players 1.")  # fmt: skip
    shares = np.where(np.isin(np.arange(t.game.players), bound), lock.weight, 0.0)
    return nothing_locked(t)._replace(bound=reaches(t, strategy), share=shares), strategy


def _locked(t: Tree, lock: Lock) -> npt.NDArray[np.bool_]:
    """Which information sets the policy of a lock knows, of those players that keep it."""
    named = np.isin(t.player, lock.players) if lock.players else np.ones(t.infosets, np.bool_)
    return np.asarray(named & np.isin(t.keys, lock.policy.keys))


def _those(players: tuple[int, ...]) -> str:
    return f"player {' or '.join(map(str, players))}" if players else "anybody"


def described(t: Tree, lock: Lock) -> str:
    """A lock in a sentence for people."""
    locked = _locked(t, lock)
    if lock.weight == 1.0:
        return f"{int(locked.sum()):,} information sets play as they are told"
    names = " and ".join(map(str, sorted(set(t.player[locked].tolist()))))
    return f"player {names}, in {100 * lock.weight:g} % of all games"


def plan_met(t: Tree, arrays: LockArrays, reach: Floats) -> Floats:
    """The realisation plans as the other players meet them."""
    if not len(arrays.bound):
        return reach
    share = np.repeat(arrays.share, np.diff(t.bounds))
    return np.asarray(share * arrays.bound + (1.0 - share) * reach)


def restricted(t: Tree, arrays: LockArrays, strategy: Floats) -> Evaluation:
    """Values and best responses in the game that is solved: locks hold for those who respond, too."""
    best, values = np.zeros(t.sequences), np.zeros(t.sequences)
    met = plan_met(t, arrays, reaches(t, strategy))
    compiler.native(respond)(t.sequence_form, strategy, met, arrays.locked, best, values)
    empty = t.bounds[:-1]
    return Evaluation(tuple(values[empty].tolist()), tuple(best[empty].tolist()))


def substitute_regrets(t: Tree, arrays: LockArrays, strategy: Floats) -> Floats:
    """Regrets that make regret matching play a strategy, as large as if it had been found by EARLIER iterations.

    Brown and Sandholm, *Strategy-based warm starting for regret minimization in games* (2016), derive such regrets from
    what each action is worth; these are proportional to the strategy, and to what is at stake at the information set.
    """
    stakes, unused = np.zeros(t.sequences), np.zeros(t.sequences)
    met = plan_met(t, arrays, reaches(t, strategy))
    absolute = t.sequence_form._replace(weight=np.abs(t.weight))
    compiler.native(respond)(absolute, strategy, met, NOT_LOCKED, stakes, unused)
    starts = np.cumsum(t.counts) - t.counts
    largest = np.maximum.reduceat(stakes[t.rows], starts) if t.infosets else np.zeros(0)
    regret = np.zeros(t.sequences)
    regret[t.rows] = CAUTION * math.sqrt(EARLIER) * np.repeat(largest, t.counts) * strategy[t.rows]
    return regret
