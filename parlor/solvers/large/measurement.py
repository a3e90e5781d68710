"""Exact values and best responses in a game of any size: the walk through information sets, cut into tasks.

One walk for each player (`walk`), cut at a few hundred information sets near the root. Threads take them one by one;
each is a pair of numbers when it is done, so a measurement can be stopped and go on later. What is needed in memory is
the histories of the information sets on the way to one of them, for each thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import FloatArray, IntArray
from parlor.game import Game, GameError
from parlor.policies.opponents import NetworkWorkspace
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.sequence_form.enumeration import spot_check
from parlor.solvers.large import MEMORY
from parlor.solvers.large.players import players_arrays, players_bindings, players_workspaces
from parlor.solvers.large.records import kept
from parlor.solvers.large.walk import (
    CHOICES,
    CROWDED,
    DONE,
    HELD,
    HISTORIES,
    INFOSETS,
    MERGED,
    NO_ROOM,
    STOPPED,
    SUBTREES,
    TOO_LONG,
    Sets,
    Subtrees,
    walk_infosets,
)
from parlor.solvers.solver import Evaluation

TASKS = 200  # at least, if the game has as many information sets near its root
ROOM_FOR_TASKS = 1 << 16
ROOM = 1 << 12  # histories, at first
PROGRESS = 0.2  # seconds


@dataclass
class PlayersWalk:
    """The tasks of one player, and what is known of them."""

    player: int
    path: IntArray
    result: FloatArray  # [T, 2] best response, own policy
    done: Any  # [T] bool
    depth: int
    merging: bool
    keep: IntArray
    counts: IntArray = field(default_factory=lambda: np.zeros(2, np.int64))  # histories, information sets, in tasks
    above: IntArray = field(default_factory=lambda: np.zeros(2, np.int64))  # the same above the tasks
    choices: list[IntArray] = field(default_factory=list)  # of the best response
    value: tuple[float, float] = (0.0, 0.0)  # best response, own policy; in the end


class Measurement:
    """The values of policies and of best responses to them; `run` goes on until all is done or `on_progress` says no.

    `players` are those whose best responses are wanted; with `choices`, what they do at each information set is kept.
    """

    def __init__(
        self,
        game: Game,
        strategies: Sequence[Strategy],
        threads: int = 1,
        memory: float = MEMORY,
        players: Sequence[int] | None = None,
        choices: bool = False,
    ) -> None:
        if not game.native:
            raise GameError(
                f"{game.name} belongs to another library, and is too large to be measured without compiling."
            )
        spot_check(game)
        self.game, self.threads, self.memory, self.keeps_choices = game, threads, memory, choices
        self.members, self._make_space = players_arrays(game, strategies), players_workspaces(game, strategies)
        self._kernel = compiler.native(walk_infosets, game, players_bindings(self.members))
        self._idle = [self._new_sets(ROOM, 1 << 10, 1 << 10) for _ in range(threads)]
        self._spaces, self._counting = threading.local(), threading.Lock()
        self._stop = np.zeros(1, np.int64)
        self.finished = False
        self.held = 0  # most histories in memory of one thread
        uniform = [p for p, one in enumerate(strategies) if isinstance(one, Policy) and not len(one)]
        chosen = range(game.players) if players is None else players
        self.walks = [self._planned(p, kept(game, p, uniform)) for p in chosen]

    # ---------------------------------------------------------------------------------------------------- progress

    @property
    def tasks(self) -> int:
        """The number of tasks."""
        return sum(len(walk.done) for walk in self.walks)

    @property
    def done(self) -> int:
        """The number of tasks that are done."""
        return int(sum(walk.done.sum() for walk in self.walks))

    @property
    def histories(self) -> int:
        """Histories looked at so far; equal ones that were merged before they were played on count once."""
        return int(sum(walk.counts[0] + walk.above[0] for walk in self.walks))

    @property
    def infosets(self) -> int:
        """Information sets looked at so far, of the players who respond."""
        return int(sum(walk.counts[1] + walk.above[1] for walk in self.walks))

    @property
    def merging(self) -> bool:
        """Whether equal histories of an information set are counted as one."""
        return any(walk.merging for walk in self.walks)

    def entries(self) -> dict[str, Any]:
        """The results so far, to be restored in another process."""
        return {
            f"{name} {walk.player}": value
            for walk in self.walks
            for name, value in (
                ("result", walk.result),
                ("done", walk.done.astype(np.int64)),
                ("counts", walk.counts.copy()),
            )
        }

    def restore(self, entries: Mapping[str, Any]) -> None:
        """Go on from results of the same measurement."""
        if self.keeps_choices:
            raise GameError("Best responses that are written down cannot be resumed, only their values.")
        for walk in self.walks:
            result, done = entries[f"result {walk.player}"], entries[f"done {walk.player}"]
            if result.shape != walk.result.shape:
                raise GameError(f"{self.game.name} was cut into other tasks when this measurement was begun.")
            walk.result[:], walk.done[:], walk.counts[:] = result, done != 0, entries[f"counts {walk.player}"]

    # -------------------------------------------------------------------------------------------------------- work

    def run(self, on_progress: Callable[[Measurement], bool] = lambda measurement: True) -> bool:
        """Do what is left; false if `on_progress` has stopped it."""
        self._stop[0] = 0
        tasks = [(walk, t) for walk in self.walks for t in np.flatnonzero(~walk.done).tolist()][::-1]
        going = True
        with ThreadPoolExecutor(self.threads, "parlor-walk") as pool:
            waiting: set[Future[None]] = set()
            try:
                while (tasks or waiting) and going:
                    while tasks and len(waiting) < self.threads:
                        waiting.add(pool.submit(self._do, *tasks.pop()))
                    over, waiting = wait(waiting, timeout=PROGRESS, return_when=FIRST_COMPLETED)
                    for one in over:
                        one.result()
                    going = on_progress(self)
            finally:
                self._stop[0] = 1
        if going:
            self._stop[0] = 0
            for walk in self.walks:
                self._finish(walk)
            self.finished = True
        return going

    def evaluation(self) -> Evaluation:
        """The values of all players, once everything is done."""
        values = {walk.player: walk.value for walk in self.walks}
        players = range(self.game.players)
        return Evaluation(tuple(values[p][1] for p in players), tuple(values[p][0] for p in players))

    def response(self, player: int) -> Policy:
        """A best response: one action at each information set that the others let it reach."""
        [walk] = (walk for walk in self.walks if walk.player == player)
        rows = np.concatenate([np.zeros((0, 3), np.int64), *walk.choices])
        probabilities = np.zeros(int(rows[:, 1].sum()))
        probabilities[np.cumsum(rows[:, 1]) - rows[:, 1] + rows[:, 2]] = 1.0
        return Policy.from_rows(self.game, rows[:, 0], rows[:, 1], probabilities)

    def _planned(self, player: int, keep: IntArray) -> PlayersWalk:
        """Cut the walk at the smallest depth with enough information sets."""
        merging = True
        best = PlayersWalk(player, np.zeros((0, 1, 2), np.int64), np.zeros((0, 2)), np.zeros(0, bool), 0, merging, keep)
        for depth in range(self.game.length):
            path = np.zeros((ROOM_FOR_TASKS, depth + 1, 2), np.int64)
            made = PlayersWalk(player, path, np.zeros((ROOM_FOR_TASKS, 2)), np.zeros(0, bool), depth, merging, keep)
            status, sets = self._walked(made, -1)
            count = int(sets.counts[SUBTREES])
            if status == CROWDED or count < len(best.done):
                break
            made.path, made.result, made.done = path[:count].copy(), np.zeros((count, 2)), np.zeros(count, bool)
            made.merging = bool((keep == 0).any() or 20 * sets.counts[MERGED] > sets.counts[HISTORIES])
            enough = count >= TASKS or (count == len(best.done) and depth > 0)
            best = made
            if enough:
                break
        return best

    def _do(self, walk: PlayersWalk, task: int) -> None:
        """One task."""
        status, sets = self._walked(walk, task)
        if status == DONE:
            with self._counting:
                walk.done[task] = True
                walk.counts += self._counted(walk, sets)

    def _finish(self, walk: PlayersWalk) -> None:
        """Walk through the histories above the tasks."""
        _, sets = self._walked(walk, -1)
        walk.value = (float(sets.value[0, 0]), float(sets.value[0, 1]))
        walk.above[:] = self._counted(walk, sets)

    def _counted(self, walk: PlayersWalk, sets: Sets) -> IntArray:
        """Histories and information sets of a walk that is over; its arrays can be used again."""
        counted: IntArray = sets.counts[[HISTORIES, INFOSETS]].copy()
        self.held = max(self.held, int(sets.counts[HELD]))
        if self.keeps_choices:
            walk.choices.append(sets.choices[: sets.counts[CHOICES]].copy())
        self._idle.append(sets)
        return counted

    def _walked(self, walk: PlayersWalk, task: int) -> tuple[int, Sets]:
        """Walk in arrays that are as large as it needs; a status and the arrays."""
        sets = self._idle.pop()
        spaces = self._space()
        while True:
            cut = Subtrees(walk.path, walk.result, walk.depth, task)
            sets.keep[:] = walk.keep
            status = self._kernel(sets, self.members, spaces, walk.player, walk.merging, cut, self._stop)
            if status != NO_ROOM:
                break
            sets = self._larger(sets)
        if status not in (DONE, STOPPED, CROWDED):
            raise GameError(_wrong(self.game, status))
        if status != DONE or not len(walk.done):
            self._idle.append(sets)
        return status, sets

    def _space(self) -> NetworkWorkspace:
        """The working memory of networks, of this thread."""
        if not hasattr(self._spaces, "made"):
            self._spaces.made = self._make_space()
        made: NetworkWorkspace = self._spaces.made
        return made

    # ------------------------------------------------------------------------------------------------------ memory

    def _new_sets(self, histories: int, groups: int, choices: int) -> Sets:
        game, levels = self.game, self.game.length + 3
        size = histories * (compiler.record_type(game).itemsize + 8 + 24 + 32)
        if size * self.threads > self.memory * 2**30:
            raise GameError(
                f"{game.name} has information sets with so many histories that {histories:,} have to be kept, which "
                f"need more than {self.memory:g} GiB on {self.threads} threads; allow more memory, or fewer threads."
            )
        states = compiler.states(game, histories, True)
        actions = max(game.actions, 1)
        return Sets(
            states=states,
            words=states.view(np.int64).reshape(histories, -1),
            keep=np.full(states.dtype.itemsize // 8, -1, np.int64),
            weight=np.zeros(histories),
            entry=np.zeros((histories, 3), np.int64),
            groups=np.zeros((groups, 3), np.int64),
            slots=np.zeros((2 * histories, 2), np.int64),
            group_slots=np.zeros((2 * groups, 2), np.int64),
            level=np.zeros((levels, 8), np.int64),
            value=np.zeros((levels, 4)),
            moves=np.zeros((levels, actions), np.int64),
            row=np.zeros((levels, actions)),
            others=np.zeros(actions, np.int64),
            chances=np.zeros(actions),
            outcomes=np.zeros(game.outcomes),
            counts=np.zeros(11, np.int64),
            choices=np.zeros((choices if self.keeps_choices else 0, 3), np.int64),
        )

    def _larger(self, sets: Sets) -> Sets:
        """Arrays of twice the size where there was no room."""
        histories, groups, choices = len(sets.weight), len(sets.groups), len(sets.choices)
        top, used, chosen = (int(sets.counts[i]) for i in (0, 1, CHOICES))
        histories *= 2 if top >= histories else 1
        groups *= 2 if used >= groups else 1
        choices *= 2 if self.keeps_choices and chosen >= choices else 1
        return self._new_sets(histories, groups, choices)


def _wrong(game: Game, status: int) -> str:
    if status == TOO_LONG:
        return f"{game.name} went on for more than LENGTH = {game.length} moves; LENGTH must be raised."
    return f"The policy is for another version of {game.name}: its actions differ."
