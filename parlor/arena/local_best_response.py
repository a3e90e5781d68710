"""Local best response: how much, at least, a player loses at poker to one who knows it.

Lisý and Bowling, *Equilibrium approximation quality of current no-limit poker bots* (2017). The responder sees its own
hand and knows the policy of the other, so that it can keep the exact probability of each hand that the other may hold.
At a decision it asks of each of its moves: how often would the other fold to it, and if not, what would a showdown
bring if nobody bet any more? It takes the best. No plan, no bluff with the next street in mind; so whatever it wins is
less than a best response would, and a lower bound of what the policy can lose.

On the streets before it begins to think it calls. It tries the bets that the other's own betting tree has, or
with `bets="pot"` bets of the pot and all-in at any time, which the other has to translate.

The mean is that of an estimator with less luck in it (Burch et al., *AIVAT*, 2018), of the same expectation. A hand of
the other stands for all hands it may hold. And with v, what a showdown would bring now, what comes to pass is compared
with what was to be expected, at every deal from that street on, and at every move of the other, whose probabilities are
known: the difference in v is luck, and is taken off.

Any agent can be measured whose probabilities depend on nothing but what it sees.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor import native as compiler
from parlor.agents.agent import CompiledAgent, check_answered, consider
from parlor.agents.holdem.blueprint import CARDS, node_at, weigh_blueprint
from parlor.agents.holdem.endgame import PLAN, SUMS, WHERE, read_solved, river_node, settle, weigh_endgame
from parlor.arena.match import OnProgress, in_order
from parlor.arena.poker import (
    all_legal,
    folds,
    give,
    held,
    holdem_sizes,
    outlook,
    possible,
    sizes,
    stake,
    street,
    words_of,
)
from parlor.arena.statistics import Estimate, mean
from parlor.game import CHANCE, OVER, GameError, State
from parlor.games.holdem.hand_buckets import all_buckets
from parlor.kernel import copy, legal, odds, payoff, play, public_history, resolve, start, turn
from parlor.poker.blueprint import read_row
from parlor.poker.public_tree import BASE, COUNT, SLOT
from parlor.rng import choose, seed_stream

STREETS = {"all": 0, "late": 2}  # where the responder begins to think
BETS = ("tree", "pot")
TRIED = 8  # moves of the responder
CHUNK = 64  # hands
BOARDS, FEWER_BOARDS = 256, 64  # random ones, where they cannot all be looked at: to decide by, and to know luck by
ERRATIC = -2
REAL, TRIAL, SPARE, BLANK = range(4)  # states
STREAMS = 4  # of a deal: chance, the seats, and the boards of an outlook


@dataclass(frozen=True, eq=False)
class Response:
    """What the responder won, in pairs of hands: the same deal from both seats."""

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
        """How many were played."""
        return len(self.won)

    @property
    def payoff(self) -> Estimate:
        """What it wins in a hand."""
        return mean(self.adjusted, 2)

    @property
    def plain(self) -> Estimate:
        """The same from the chips alone."""
        return mean(self.won, 2)

    def row(self) -> dict[str, Any]:
        """All of it as plain numbers, for machines."""
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
    """Play so many hands against an agent; the result does not depend on `threads`."""
    if streets not in STREETS:
        raise GameError(f"streets must be one of {', '.join(STREETS)}, not {streets!r}.")
    if bets not in BETS:
        raise GameError(f"bets must be one of {', '.join(BETS)}, not {bets!r}.")
    if hands < 2 or threads < 1:
        raise GameError(f"It takes at least two hands and one thread, not {hands} and {threads}.")
    concrete = agent.concrete_game
    if STREETS[streets] >= words_of(concrete).streets(concrete):
        raise GameError(f"{concrete.name} has no turn: let the responder think on all streets.")
    hands += hands % 2
    workspaces: SimpleQueue[Workspace] = SimpleQueue()
    threads = threads if compiled else 1
    for _ in range(threads):
        workspaces.put(Workspace(agent, bets, compiled))
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
    """Whether the moves that an agent thinks of are few enough to try them all."""
    return agent.game.concrete is not None or agent.concrete_game.actions <= TRIED


class Workspace:
    """What a thread needs. `slots` may put other functions into the place of those of the kernel."""

    def __init__(
        self,
        agent: CompiledAgent,
        bets: str,
        compiled: bool,
        slots: dict[Callable[..., Any], Callable[..., Any]] | None = None,
    ) -> None:
        self.agent = agent
        concrete, words = agent.concrete_game, words_of(agent.concrete_game)
        bound = {**agent.bindings(compiled), **words.slots, **(slots or {})}
        bound[all_legal] = concrete.rules.legal
        if bets == "pot" and concrete.name.startswith("holdem"):
            bound[sizes] = holdem_sizes
        if bets == "tree":
            bound |= BY_ROWS.get(agent.weigh, {})
        if bets == "tree" and not has_tree(agent):
            raise GameError(f"{agent.name} has no betting tree: the responder can bet the pot and all-in, bets=pot.")
        self._kernel = (compiler.native if compiled else compiler.interpret)(oppose, agent.game, bound)
        self._data = agent.data(compiled)
        most, n = max(agent.game.actions, concrete.actions), words.hands
        self._most = words.most(concrete)
        self._buffers = (
            compiler.states(concrete, 4, compiled), np.zeros((4, n)), np.zeros((TRIED, most, n)),
            np.zeros((TRIED, most), np.int64), np.zeros((4, most), np.int64), np.zeros(max(most, concrete.outcomes)),
            np.zeros((STREAMS, 4), np.int64), np.zeros(n, np.int64),
        )  # fmt: skip
        self.play(0, 0, 0, 0)  # compiles, if that has to be done

    def play(self, seed: int, first: int, hands: int, begin: int) -> npt.NDArray[np.float64]:
        """[hands, 2] what the responder wins in the hands `first` and on, and that with less luck."""
        won = np.zeros((hands, 2))
        failed = self._kernel(*self._buffers, self._most, seed, first, begin, won, self._data)
        if failed == ERRATIC:
            raise GameError(f"{self.agent.name} does not play by fixed probabilities, so nobody can know its range.")
        check_answered(failed, self.agent)
        return won


# --------------------------------------------------------------------------------------------------- the kernel


def oppose(
    states: Any,  # [4] see REAL
    ranges: Any,  # [4, hands] weights of the other's hands; expected signs against them; two to work with
    plays: Any,  # [tried, actions, hands] what the other answers to a move, with each hand
    acts: Any,  # [tried, actions] the concrete actions among these
    lists: Any,  # [4, actions] of moves
    chances: Any,
    streams: Any,
    groups: Any,  # [hands] see `sort_hands`
    most: float,
    seed: int,
    first: int,
    begin: int,
    won: Any,  # [hands, 2]
    data: Any,
) -> int:
    """Hands `first` and on, the responder changing seats; 0, or a negative number if the agent does not fit."""
    weights = ranges[0]
    signs = ranges[1]
    tried = lists[0]
    order = lists[2]
    counts = lists[3]  # of the answers to each move that was tried
    for g in range(len(won)):
        me = (first + g) % 2
        p = 1 - me
        for i in range(STREAMS):
            seed_stream(streams[i], seed, (first + g) // 2 * STREAMS + i)
        copy(states, REAL, states, BLANK)
        s = states[REAL]
        start(s)
        for h in range(len(weights)):
            weights[h] = 1.0
        luck = 0.0
        dealt = False
        shown = True  # until somebody folds
        answered = -1  # the move that was tried and made, if the other's answers to it are there
        while turn(s) != OVER:
            who = turn(s)
            if who == CHANCE:
                while turn(s) == CHANCE:
                    play(s, choose(streams[0], chances, odds(s, chances)))
                over = turn(s) == OVER
                # before there are hands both expect the same
                before = utility(s, weights, signs, most) if dealt else 0.0
                possible(s, p, ranges[2])
                for h in range(len(weights)):
                    weights[h] *= ranges[2][h]
                copy(states, SPARE, states, REAL)
                outlook(states[SPARE], me, signs, BOARDS if street(s) >= begin else FEWER_BOARDS, streams[3])
                luck += utility(s, weights, signs, most) - before
                dealt = True
                if not over:
                    sort_hands(s, data, groups)
            elif who == me:
                pick = respond(
                    states,
                    me,
                    ranges,
                    plays,
                    acts,
                    lists,
                    chances,
                    groups,
                    streams[1 + p],
                    most,
                    street(s) < begin,
                    data,
                )
                if pick < 0:
                    return pick
                shown = not folds(s, int(tried[pick]))
                play(s, int(tried[pick]))
                answered = pick if counts[pick] > 0 else -1
            else:
                if answered < 0:
                    answered = 0
                    copy(states, SPARE, states, REAL)
                    counts[0] = answer_with_every_hand(
                        states, SPARE, p, weights, plays[0], acts[0], lists[1], chances, groups, streams[1 + p], data
                    )
                    if counts[0] < 0:
                        return int(counts[0])
                n = int(counts[answered])
                answers = plays[answered]
                mine = held(s, p)
                total = 0.0
                sort_acts(acts[answered], n, order)  # the draw does not depend on which hand was asked first
                for j in range(n):
                    chances[j] = answers[order[j]][mine]
                    total += chances[j]
                if total < 0.5:
                    return ERRATIC
                pick = int(order[choose(streams[1 + p], chances, n)])
                a = int(acts[answered][pick])
                luck -= expected_before_move(states, me, ranges, answers, acts[answered], n, most)
                for h in range(len(weights)):
                    weights[h] *= answers[pick][h]
                shown = not folds(s, a)
                play(s, a)
                luck += utility(s, weights, signs, most) if shown else payoff(s, me)
                answered = -1
        won[g][0] = payoff(s, me)
        won[g][1] = (utility(s, weights, signs, most) if shown else won[g][0]) - luck
    return 0


def utility(s: State, weights: Any, signs: Any, most: float) -> float:
    """What a showdown would bring if all is called and nobody bets any more."""
    total = 0.0
    brought = 0.0
    for h in range(len(weights)):
        total += weights[h]
        brought += weights[h] * signs[h]
    return min(stake(s), most) * brought / total


def sort_acts(acts: Any, n: int, order: Any) -> None:
    """Where the actions are, from the lowest on."""
    for j in range(n):
        i = j
        while i > 0 and acts[order[i - 1]] > acts[j]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = j


def answer_with_every_hand(
    states: Any, g: int, p: int, weights: Any, plays: Any, acts: Any, moves: Any, chances: Any, groups: Any, r: Any,
    data: Any,
) -> int:  # fmt: skip
    """Fill what player `p` does in `states[g]` with each hand that has weight; the number of different actions."""
    count = 0
    for h in range(len(weights)):
        if weights[h] == 0.0:
            continue
        give(states[g], p, h)
        n = consider(states, g, p, moves, chances, r, data)
        if n < 0:
            return n
        for j in range(count):
            plays[j][h] = 0.0
        for i in range(n):
            if chances[i] == 0.0:
                continue
            a = resolve(states[g], int(moves[i]))
            j = 0
            while j < count and acts[j] != a:
                j += 1
            if j == count:
                acts[j] = a
                count += 1
                for k in range(len(weights)):
                    plays[j][k] = 0.0
            plays[j][h] += chances[i]
    return count


def sort_hands(s: State, data: Any, groups: Any) -> None:
    """A slot: what `ponder` may want to know of all hands once a deal."""


def sort_by_bucket(s: State, data: Any, groups: Any) -> None:
    """The buckets of a blueprint."""
    all_buckets(s, data[CARDS], groups)


def answer_from_rows(
    states: Any, g: int, p: int, weights: Any, plays: Any, acts: Any, moves: Any, chances: Any, groups: Any, r: Any,
    data: Any,
) -> int:  # fmt: skip
    """The same of a blueprint, when all moves were of its tree: then all hands are at one node, and have its rows."""
    codes, places, nodes, stride, sizes, play, _, _, _, _ = data
    n = legal(states[g], moves)
    node = node_at(codes, places, public_history(states[g], p))
    if node < 0 or nodes[node][COUNT] != n:
        return -1
    slot = nodes[node][SLOT]
    for i in range(n):
        acts[i] = resolve(states[g], int(moves[i]))
    for h in range(len(weights)):
        if weights[h] > 0.0:
            read_row(play, nodes[node][BASE], stride[slot], sizes[slot], groups[h], n, chances)
        for i in range(n):
            plays[i][h] = chances[i] if weights[h] > 0.0 else 0.0
    return n


def sort_by_its_bucket(s: State, data: Any, groups: Any) -> None:
    """The buckets of the blueprint of an endgame solver."""
    sort_by_bucket(s, data[PLAN], groups)


def answer_from_endgame(
    states: Any, g: int, p: int, weights: Any, plays: Any, acts: Any, moves: Any, chances: Any, groups: Any, r: Any,
    data: Any,
) -> int:  # fmt: skip
    """The same of an endgame solver: the rows of its blueprint, and on the river those of a solve."""
    n = legal(states[g], moves)
    node = river_node(states[g], p, n, data)
    if node < 0:
        return answer_from_rows(states, g, p, weights, plays, acts, moves, chances, groups, r, data[PLAN])
    root, at = settle(states[g], node, data)
    where = data[WHERE][at]
    sums = data[SUMS][at][node - root]
    for i in range(n):
        acts[i] = resolve(states[g], int(moves[i]))
    for h in range(len(weights)):
        if weights[h] > 0.0:
            read_solved(sums, where[h], n, chances)
        for i in range(n):
            plays[i][h] = chances[i] if weights[h] > 0.0 else 0.0
    return n


#: Agents whose rows can be read for all hands at once, when all moves were of their trees.
BY_ROWS: dict[Callable[..., Any], dict[Callable[..., Any], Callable[..., Any]]] = {
    weigh_blueprint: {answer_with_every_hand: answer_from_rows, sort_hands: sort_by_bucket},
    weigh_endgame: {answer_with_every_hand: answer_from_endgame, sort_hands: sort_by_its_bucket},
}


def respond(
    states: Any, me: int, ranges: Any, plays: Any, acts: Any, lists: Any, chances: Any, groups: Any, r: Any,
    most: float, calling: bool, data: Any,
) -> int:  # fmt: skip
    """Which of the moves, which are filled in, is locally best; when `calling`, the cheapest that is no fold."""
    weights = ranges[0]
    signs = ranges[1]
    tried = lists[0]
    counts = lists[3]
    p = 1 - me
    n = sizes(states[REAL], tried)
    best = -1
    highest = -math.inf
    for i in range(n):
        a = int(tried[i])
        counts[i] = 0
        copy(states, TRIAL, states, REAL)
        play(states[TRIAL], a)
        if folds(states[REAL], a):
            if calling:
                continue
            value = payoff(states[TRIAL], me)
        elif calling:
            value = -stake(states[TRIAL])
        else:
            value = utility(states[TRIAL], weights, signs, most)
            if turn(states[TRIAL]) == p and may_fold(states[TRIAL], lists[1]):
                copy(states, SPARE, states, TRIAL)
                m = answer_with_every_hand(
                    states, SPARE, p, weights, plays[i], acts[i], lists[1], chances, groups, r, data
                )
                if m < 0:
                    return m
                counts[i] = m
                value = against_folds(states, me, ranges, plays[i], acts[i], m, most)
        if value > highest:
            highest = value
            best = i
    return best


def may_fold(s: State, moves: Any) -> bool:
    """Whether a fold is among the moves."""
    found = False
    for i in range(legal(s, moves)):
        if folds(s, resolve(s, int(moves[i]))):
            found = True
    return found


def against_folds(states: Any, me: int, ranges: Any, plays: Any, acts: Any, m: int, most: float) -> float:
    """What the move that led to `states[TRIAL]` brings: the pot where the other folds, else a showdown."""
    weights = ranges[0]
    staying = ranges[2]
    total = 0.0
    stayed = 0.0
    value = 0.0
    for h in range(len(weights)):
        staying[h] = weights[h]
        total += weights[h]
    for j in range(m):
        if folds(states[TRIAL], int(acts[j])):
            for h in range(len(weights)):
                staying[h] -= weights[h] * plays[j][h]
            copy(states, SPARE, states, TRIAL)
            play(states[SPARE], int(acts[j]))
            value = payoff(states[SPARE], me)
    for h in range(len(weights)):
        stayed += staying[h]
    if stayed <= 0.0:
        return value
    return (value * (total - stayed) + utility(states[TRIAL], staying, ranges[1], most) * stayed) / total


def expected_before_move(states: Any, me: int, ranges: Any, plays: Any, acts: Any, n: int, most: float) -> float:
    """What was to be expected of the other's move in `states[REAL]`: of each action what comes of it."""
    weights = ranges[0]
    after = ranges[3]
    total = 0.0
    value = 0.0
    for h in range(len(weights)):
        total += weights[h]
    for j in range(n):
        part = 0.0
        for h in range(len(weights)):
            after[h] = weights[h] * plays[j][h]
            part += after[h]
        if part > 0.0:
            copy(states, SPARE, states, REAL)
            play(states[SPARE], int(acts[j]))
            if folds(states[REAL], int(acts[j])):
                value += part * payoff(states[SPARE], me)
            else:
                value += part * utility(states[SPARE], after, ranges[1], most)
    return value / total
