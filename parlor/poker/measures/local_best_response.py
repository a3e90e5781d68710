"""Local best response: a lower bound on what a player loses at poker to an opponent who knows its policy.

Lisý and Bowling, *Equilibrium approximation quality of current no-limit poker bots* (2017). The responder sees its own
hand and knows the policy of the other, so that it can track the exact probability of each hand that the other may hold.
At a decision it computes for each of its moves how often the other would fold, and if not, the value of a showdown
if nobody bet any more. It takes the best. It neither plans nor bluffs with the next street in mind; so it wins
less than a best response would, and what it wins is a lower bound on what the policy can lose.

On the streets before it begins to respond it calls. It tries the bets that the other's own betting tree has, or
with `bets="pot"` bets of the pot and all-in at any time, which the other has to translate.

The mean is that of an estimator with less variance (Burch et al., *AIVAT*, 2018) and the same expectation. A hand of
the other stands for all hands it may hold. And with v, the value of a showdown now, what happens is compared
with what was to be expected, at every deal from that street on, and at every move of the other, whose probabilities are
known: the difference in v is luck, and is subtracted.

Any agent can be measured whose probabilities depend only on what it sees.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.agents.agent import CompiledAgent, check_answered
from parlor.arena.match import OnProgress, in_order
from parlor.arena.statistics import Estimate, mean
from parlor.game import GameError
from parlor.poker.every_hand import HandAnswers
from parlor.poker.measures.local_best_response_kernel import ERRATIC, MOVES, STREAMS, TRIED, Workspace, oppose
from parlor.poker.poker_rules import bets_to_try, poker_rules

STREETS = {"all": 0, "late": 2}  # where the responder begins to respond
BETS = ("tree", "pot")
CHUNK = 64  # hands


@dataclass(frozen=True, eq=False)
class Response:
    """The responder's payoffs, in pairs of hands: the same deal from both seats."""

    game: str
    agent: str
    streets: str
    bets: str
    seed: int
    won: npt.NDArray[np.float64] = field(repr=False)  # [hands]
    adjusted: npt.NDArray[np.float64] = field(repr=False)  # [hands] the same with less luck
    seconds: float = 0.0
    units: Any = field(default_factory=dict)

    @property
    def hands(self) -> int:
        """Number of hands."""
        return len(self.won)

    @property
    def payoff(self) -> Estimate:
        """The responder's mean payoff a hand, with less variance."""
        return mean(self.adjusted, 2)

    @property
    def plain(self) -> Estimate:
        """The same from the chips alone."""
        return mean(self.won, 2)

    def row(self) -> dict[str, Any]:
        """All results as plain numbers, for JSON."""
        return {
            "game": self.game, "agent": self.agent, "streets": self.streets, "bets": self.bets, "seed": self.seed,
            "hands": self.hands, "payoff": vars(self.payoff), "plain": vars(self.plain),
            "in_units": {unit: vars(self.payoff * utility) for unit, utility in self.units.items()},
            "plain_in_units": {unit: vars(self.plain * utility) for unit, utility in self.units.items()},
            "seconds": self.seconds, "hands_per_second": self.hands / max(self.seconds, 1e-9),
        }  # fmt: skip


def local_best_response(
    agent: CompiledAgent,
    hands: int = 10_000,
    seed: int = 0,
    streets: str = "all",
    bets: str = "tree",
    threads: int = 1,
    on_progress: OnProgress | None = None,
    compiled: bool = True,
) -> Response:
    """Play hands against an agent; the result does not depend on `threads`."""
    if streets not in STREETS:
        raise GameError(f"streets must be one of {', '.join(STREETS)}, not {streets!r}.")
    if bets not in BETS:
        raise GameError(f"bets must be one of {', '.join(BETS)}, not {bets!r}.")
    if hands < 2 or threads < 1:
        raise GameError(f"hands must be at least 2 and threads at least 1, not {hands} and {threads}.")
    concrete = agent.concrete_game
    if STREETS[streets] >= poker_rules(concrete).streets:
        raise GameError(f"{concrete.name} has no turn and river: use streets=all.")
    hands += hands % 2
    workspaces: SimpleQueue[ResponseWorkspace] = SimpleQueue()
    threads = threads if compiled else 1
    for _ in range(threads):
        workspaces.put(ResponseWorkspace(agent, bets, compiled))
    began = time.perf_counter()

    def some(first: int) -> npt.NDArray[np.float64]:
        workspace = workspaces.get()
        won = workspace.play(seed, first, min(CHUNK, hands - first), STREETS[streets])
        workspaces.put(workspace)
        return won

    found, done = [], 0
    for won in in_order(some, range(0, hands, CHUNK), threads):
        found.append(won)
        done += len(won)
        if on_progress is not None and not on_progress(done):
            break
    both = np.concatenate(found)
    seconds = time.perf_counter() - began
    return Response(concrete.name, agent.name, streets, bets, seed, both[:, 0], both[:, 1], seconds, concrete.units)


def has_tree(agent: CompiledAgent) -> bool:
    """Whether the moves in an agent's tree are few enough to try them all."""
    return agent.game.concrete is not None or agent.concrete_game.actions <= TRIED


class ResponseWorkspace:
    """Working memory of a thread. `slots` may replace functions of the kernel."""

    def __init__(
        self,
        agent: CompiledAgent,
        bets: str,
        compiled: bool,
        slots: dict[Callable[..., Any], Callable[..., Any]] | None = None,
    ) -> None:
        if agent.memory:
            raise GameError(f"{agent.name} remembers its moves, so nothing can be said of it in other hands.")
        self.agent = agent
        concrete, rules = agent.concrete_game, poker_rules(agent.concrete_game)
        if bets == "tree" and not has_tree(agent):
            raise GameError(f"{agent.name} has no betting tree: use bets=pot, with the bets pot and all-in.")
        bound = {**agent.bindings(compiled), **rules.bindings, **(slots or {})}
        bound |= agent.every_hand if bets == "tree" else {bets_to_try: rules.pot_bets}
        self._kernel = (compiler.native if compiled else compiler.interpret)(oppose, agent.game, bound)
        self._data = agent.data(compiled)
        most, n = max(agent.game.actions, concrete.actions), rules.hands
        self._most = rules.highest_stake
        ranges, lists = np.zeros((4, n)), np.zeros((4, most), np.int64)
        chances, groups = np.zeros(max(most, concrete.outcomes)), np.zeros(n, np.int64)
        answers = tuple(
            HandAnswers(ranges[0], np.zeros((most, n)), np.zeros(most, np.int64), lists[MOVES], chances, groups)
            for _ in range(TRIED)
        )
        self._buffers = Workspace(
            compiler.states(concrete, 4, compiled), ranges, answers, lists, chances, np.zeros((STREAMS, 4), np.int64)
        )
        self.play(0, 0, 0, 0)  # compiles, if necessary

    def play(self, seed: int, first: int, hands: int, begin: int) -> npt.NDArray[np.float64]:
        """[hands, 2] the responder's payoffs in the hands `first` and on, and those with less variance."""
        won = np.zeros((hands, 2))
        failed = self._kernel(self._buffers, self._most, seed, first, begin, won, self._data)
        if failed == ERRATIC:
            raise GameError(f"{self.agent.name} does not play by fixed probabilities, so its range cannot be computed.")
        check_answered(failed, self.agent)
        return won
