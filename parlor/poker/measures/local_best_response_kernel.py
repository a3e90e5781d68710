"""The kernel of `local_best_response`: hands played one after the other, with the exact range of the other player."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from parlor.compile.kernel import copy, legal, odds, payoff, play, resolve, start, turn
from parlor.game import CHANCE, OVER, State
from parlor.game.rng import choose, seed_stream
from parlor.poker.every_hand import HandAnswers, answer_with_every_hand, sort_hands
from parlor.poker.poker_rules import bets_to_try, folds, hand_of, possible_hands, showdown_values, stake, street

TRIED = 8  # moves of the responder
BOARDS, FEWER_BOARDS = 256, 64  # random ones, where there are too many to enumerate: for decisions, and for the luck
ERRATIC = -2
REAL, TRIAL, SPARE, BLANK = range(4)  # states
TRIED_MOVES, MOVES, ORDER, ANSWERS = range(4)  # rows of `Workspace.lists`
STREAMS = 4  # of a deal: chance, the seats, and random boards


class Workspace(NamedTuple):
    """The working memory of a thread: A actions, H hands, T moves that are tried."""

    states: Any  # [4] see REAL
    ranges: Any  # [4, H] weights of the other's hands; expected signs against them; two to work with
    answers: tuple[HandAnswers, ...]  # [T] of the other to a move
    lists: Any  # [4, A] moves tried, moves of the other, an order, and how many answers each tried move has
    chances: Any
    streams: Any  # [4, 4] see STREAMS


def oppose(w: Workspace, most: float, seed: int, first: int, begin: int, won: Any, data: Any) -> int:
    """Hands `first` and on, [hands, 2], the responder changing seats; a negative number if the agent does not fit."""
    for g in range(len(won)):
        me = (first + g) % 2
        p = 1 - me
        for i in range(STREAMS):
            seed_stream(w.streams[i], seed, (first + g) // 2 * STREAMS + i)
        copy(w.states, REAL, w.states, BLANK)
        s = w.states[REAL]
        start(s)
        for h in range(len(w.ranges[0])):
            w.ranges[0][h] = 1.0
        luck = 0.0
        dealt = False
        shown = True  # until somebody folds
        answered = -1  # the move that was tried and made, if the other's answers to it are known
        while turn(s) != OVER:
            who = turn(s)
            if who == CHANCE:
                luck += deal(w, me, dealt, most, begin, data)
                dealt = True
            elif who == me:
                pick = respond(w, me, most, street(s) < begin, data)
                if pick < 0:
                    return pick
                a = int(w.lists[TRIED_MOVES][pick])
                shown = not folds(s, a)
                play(s, a)
                answered = pick if w.lists[ANSWERS][pick] > 0 else -1
            else:
                if answered < 0:
                    answered = 0
                    copy(w.states, SPARE, w.states, REAL)
                    n = ask(w, 0, p, data)
                    if n < 0:
                        return n
                pick = draw(w, answered, p)
                if pick < 0:
                    return pick
                a = int(w.answers[answered].acts[pick])
                chances = w.answers[answered].plays[pick]
                luck -= expected_before_move(w, me, answered, most)
                for h in range(len(w.ranges[0])):
                    w.ranges[0][h] *= chances[h]
                shown = not folds(s, a)
                play(s, a)
                luck += utility(s, w.ranges[0], w.ranges[1], most) if shown else payoff(s, me)
                answered = -1
        won[g][0] = payoff(s, me)
        won[g][1] = (utility(s, w.ranges[0], w.ranges[1], most) if shown else won[g][0]) - luck
    return 0


def deal(w: Workspace, me: int, dealt: bool, most: float, begin: int, data: Any) -> float:
    """Deal until somebody is to move; returns how much better the hand looks to the responder."""
    s = w.states[REAL]
    weights = w.ranges[0]
    signs = w.ranges[1]
    while turn(s) == CHANCE:
        play(s, choose(w.streams[0], w.chances, odds(s, w.chances)))
    # before there are hands both expect the same
    before = utility(s, weights, signs, most) if dealt else 0.0
    possible_hands(s, 1 - me, w.ranges[2])
    for h in range(len(weights)):
        weights[h] *= w.ranges[2][h]
    copy(w.states, SPARE, w.states, REAL)
    showdown_values(w.states[SPARE], me, signs, BOARDS if street(s) >= begin else FEWER_BOARDS, w.streams[3])
    change = utility(s, weights, signs, most) - before
    if turn(s) != OVER:
        sort_hands(s, data, w.answers[0].groups)
    return change


def ask(w: Workspace, i: int, p: int, data: Any) -> int:
    """Fill the other's answers to the move at `i` in `states[SPARE]`, with every hand; how many, or negative."""
    n = answer_with_every_hand(w.states, SPARE, p, w.answers[i], w.streams[1 + p], data)
    w.lists[ANSWERS][i] = n
    return int(n)


def draw(w: Workspace, answered: int, p: int) -> int:
    """The index of the move that the other makes with its hand, or ERRATIC."""
    order = w.lists[ORDER]
    n = int(w.lists[ANSWERS][answered])
    mine = hand_of(w.states[REAL], p)
    total = 0.0
    sort_acts(w.answers[answered].acts, n, order)  # the draw does not depend on which hand was asked first
    for j in range(n):
        w.chances[j] = w.answers[answered].plays[order[j]][mine]
        total += w.chances[j]
    if total < 0.5:
        return ERRATIC
    return int(order[choose(w.streams[1 + p], w.chances, n)])


def utility(s: State, weights: Any, signs: Any, most: float) -> float:
    """The value of a showdown if everything is called and nobody bets any more."""
    total = 0.0
    brought = 0.0
    for h in range(len(weights)):
        total += weights[h]
        brought += weights[h] * signs[h]
    return min(stake(s), most) * brought / total


def sort_acts(acts: Any, n: int, order: Any) -> None:
    """The indexes of the actions in ascending order."""
    for j in range(n):
        i = j
        while i > 0 and acts[order[i - 1]] > acts[j]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = j


def respond(w: Workspace, me: int, most: float, calling: bool, data: Any) -> int:
    """The index of the locally best move (moves are filled in); when `calling`, the cheapest that is no fold."""
    states = w.states
    tried = w.lists[TRIED_MOVES]
    p = 1 - me
    n = bets_to_try(states[REAL], tried)
    best = -1
    highest = -math.inf
    for i in range(n):
        a = int(tried[i])
        w.lists[ANSWERS][i] = 0
        copy(states, TRIAL, states, REAL)
        play(states[TRIAL], a)
        if folds(states[REAL], a):
            if calling:
                continue
            value = payoff(states[TRIAL], me)
        elif calling:
            value = -stake(states[TRIAL])
        else:
            value = utility(states[TRIAL], w.ranges[0], w.ranges[1], most)
            if turn(states[TRIAL]) == p and may_fold(states[TRIAL], w.lists[MOVES]):
                copy(states, SPARE, states, TRIAL)
                m = ask(w, i, p, data)
                if m < 0:
                    return m
                value = against_folds(w, me, i, most)
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


def against_folds(w: Workspace, me: int, i: int, most: float) -> float:
    """The value of the move at `i`, which led to `states[TRIAL]`: the pot where the other folds, else a showdown."""
    states = w.states
    acts = w.answers[i].acts
    plays = w.answers[i].plays
    weights = w.ranges[0]
    staying = w.ranges[2]
    total = 0.0
    stayed = 0.0
    value = 0.0
    for h in range(len(weights)):
        staying[h] = weights[h]
        total += weights[h]
    for j in range(w.lists[ANSWERS][i]):
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
    return (value * (total - stayed) + utility(states[TRIAL], staying, w.ranges[1], most) * stayed) / total


def expected_before_move(w: Workspace, me: int, answered: int, most: float) -> float:
    """The expected value before the other's move in `states[REAL]`, over its answers to a move."""
    states = w.states
    acts = w.answers[answered].acts
    plays = w.answers[answered].plays
    weights = w.ranges[0]
    after = w.ranges[3]
    total = 0.0
    value = 0.0
    for h in range(len(weights)):
        total += weights[h]
    for j in range(w.lists[ANSWERS][answered]):
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
                value += part * utility(states[SPARE], after, w.ranges[1], most)
    return value / total
