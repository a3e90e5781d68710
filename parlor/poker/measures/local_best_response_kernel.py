"""The kernel of `local_best_response`: hands played one after the other, with the exact range of the other player."""

from __future__ import annotations

import math
from typing import Any

from parlor.compile.kernel import copy, legal, odds, payoff, play, resolve, start, turn
from parlor.game import CHANCE, OVER, State
from parlor.game.rng import choose, seed_stream
from parlor.poker.every_hand import answer_with_every_hand, sort_hands
from parlor.poker.poker_rules import bets_to_try, folds, held, outlook, possible, stake, street

TRIED = 8  # moves of the responder
BOARDS, FEWER_BOARDS = 256, 64  # random ones, where there are too many to enumerate: for decisions, and for the luck
ERRATIC = -2
REAL, TRIAL, SPARE, BLANK = range(4)  # states
STREAMS = 4  # of a deal: chance, the seats, and random boards


def oppose(
    states: Any,  # [4] see REAL
    ranges: Any,  # [4, hands] weights of the other's hands; expected signs against them; two to work with
    plays: Any,  # [tried, actions, hands] the other's answer to a move, with each hand
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
        answered = -1  # the move that was tried and made, if the other's answers to it are known
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
                calling = street(s) < begin
                pick = respond(
                    states, me, ranges, plays, acts, lists, chances, groups, streams[1 + p], most, calling, data
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


def respond(
    states: Any, me: int, ranges: Any, plays: Any, acts: Any, lists: Any, chances: Any, groups: Any, r: Any,
    most: float, calling: bool, data: Any,
) -> int:  # fmt: skip
    """The index of the locally best move (moves are filled in); when `calling`, the cheapest that is no fold."""
    weights = ranges[0]
    signs = ranges[1]
    tried = lists[0]
    counts = lists[3]
    p = 1 - me
    n = bets_to_try(states[REAL], tried)
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
    """The value of the move that led to `states[TRIAL]`: the pot where the other folds, else a showdown."""
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
    """The expected value before the other's move in `states[REAL]`, over its actions."""
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
