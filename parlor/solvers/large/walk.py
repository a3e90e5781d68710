"""The walk through a player's information sets, depth first, each with the set of its histories.

The histories of an information set are states with a weight, the probability that chance and the other players lead
there. After each action of the player they grow into the histories of the information sets that follow. Their values
are added up on the way back: the best action's for a best response, the mean for the player's own policy. So only the
sets between the root and the information set that is looked at are in memory, and no history is met twice.

Histories of one set that are the same in all that is kept (see `records`) are one, with the sum of their weights.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor.compile.kernel import copy, inlined, key, legal, odds, payoff, play, start, turn
from parlor.game import CHANCE, OVER
from parlor.game.rng import mix
from parlor.policies.opponents import NetworkWorkspace, OpponentArrays, member_probabilities

DONE, NO_ROOM, STOPPED, TOO_LONG, UNFIT, CROWDED = range(6)
TOP, GROUPS, STAMP, MASK, HISTORIES, INFOSETS, MERGED, SUBTREES, CHOICES, HELD, SETS = range(11)  # in `counts`
FIRST_MASK = 255  # places in the tables of a new set
BEGIN, GROUP_BEGIN, GROUP_END, NEXT, OPEN, ACTION, ACTIONS, CHOICE = range(8)  # in `level`
SET_BEST, SET_VALUE, BEST, VALUE = range(4)  # in `value`


class Sets(NamedTuple):
    """The working memory. N histories, G information sets, H places in tables, L decisions of the player."""

    states: Any  # [N]
    words: Any  # [N, W] the same memory as numbers
    keep: Any  # [W] -1, or 0 for numbers that nobody plays by
    weight: Any  # [N]
    entry: Any  # [N, 3] 0 who is to move, 1 the next history of the same information set, 2 the hash
    groups: Any  # [G, 3] 0 key, 1 first history, 2 last history
    slots: Any  # [H, 2] 0 the stamp of a set, 1 history: tells equal ones
    group_slots: Any  # [H, 2] 0 the number of a set, 1 information set
    level: Any  # [L, 8]
    value: Any  # [L, 4]
    moves: Any  # [L, A] the player's actions
    row: Any  # [L, A] their probabilities in its own policy
    others: Any  # [A] actions of the others
    chances: Any  # [A] their probabilities
    outcomes: Any  # [outcomes]
    counts: Any  # [11]
    choices: Any  # [R, 3] of the best response: key, number of actions, the best; no rows if they are not wanted


class Subtrees(NamedTuple):
    """The information sets at a depth, at which the walk is cut into tasks. T of them, D decisions above."""

    path: Any  # [T, D+1, 2] 0 the number of the information set in its set, 1 the action there
    result: Any  # [T, 2] best response, own policy
    depth: int
    task: int  # the one to walk through; -1: all that is above them, with their results


def walk_infosets(
    sets: Sets, members: OpponentArrays, spaces: NetworkWorkspace, player: int, merging: bool, cut: Subtrees, stop: Any
) -> int:
    """Fill `cut.result` of a task, or the values of the root in `sets.value[0]`; a status."""
    level, value, groups, counts = sets.level, sets.value, sets.groups, sets.counts
    for i in range(len(counts)):
        counts[i] = counts[i] if i in (STAMP, SETS) else 0
    begin_set(sets, 0)
    start(sets.states[0])
    status = enter(sets, 0, 0, 1.0, player, merging)
    if status == DONE:
        status = grow(sets, 0, 0, members, spaces, player, merging)
    depth = 0
    while status == DONE:
        here = level[depth]
        above = cut.task >= 0 and depth <= cut.depth
        if here[OPEN] == 0:
            if here[NEXT] >= here[GROUP_END]:
                counts[TOP] = here[BEGIN]
                counts[GROUPS] = here[GROUP_BEGIN]
                if depth == 0:
                    return DONE
                depth -= 1
                close_action(sets, depth)
                continue
            if above:
                here[NEXT] = here[GROUP_BEGIN] + cut.path[cut.task, depth, 0]
            here[NEXT] += 1
            if cut.task < 0 and depth == cut.depth:
                status = add_subtree(sets, cut)
                continue
            if above and depth == cut.depth:  # what is above is not counted again
                counts[HISTORIES] = counts[INFOSETS] = counts[MERGED] = 0
            status = open_infoset(sets, depth, members, spaces, player, not above or depth == cut.depth)
            if above and depth < cut.depth:
                here[ACTION] = cut.path[cut.task, depth, 1]
        elif here[ACTION] >= here[ACTIONS]:
            close_infoset(sets, depth)
            if above:
                cut.result[cut.task, 0] = value[depth, BEST]
                cut.result[cut.task, 1] = value[depth, VALUE]
                return DONE
        elif stop[0] != 0:
            status = STOPPED
        else:
            first = groups[here[NEXT] - 1, 1]
            depth += 1
            status = follow(sets, depth, first, members, spaces, player, merging)
    return status


@inlined
def add_subtree(sets: Sets, cut: Subtrees) -> int:
    """Write down the way to the information set that is next at the depth of the cut, and take its result."""
    t = sets.counts[SUBTREES]
    if t >= len(cut.path):
        return CROWDED
    for d in range(cut.depth + 1):
        cut.path[t, d, 0] = sets.level[d, NEXT] - sets.level[d, GROUP_BEGIN] - 1
        cut.path[t, d, 1] = sets.level[d, ACTION]
    sets.value[cut.depth, SET_BEST] += cut.result[t, 0]
    sets.value[cut.depth, SET_VALUE] += cut.result[t, 1]
    sets.counts[SUBTREES] = t + 1
    return DONE


@inlined
def open_infoset(
    sets: Sets, depth: int, members: OpponentArrays, spaces: NetworkWorkspace, player: int, told: bool
) -> int:
    """Look at what the player can do at the information set that is next, and at what its policy does."""
    here, worth = sets.level[depth], sets.value[depth]
    s = sets.states[sets.groups[here[NEXT] - 1, 1]]
    n = legal(s, sets.moves[depth])
    sets.counts[INFOSETS] += 1
    here[OPEN] = 1
    here[ACTION] = 0
    here[ACTIONS] = n
    worth[BEST] = -np.inf
    worth[VALUE] = 0.0
    if depth + 2 >= len(sets.level):
        return TOO_LONG
    here[CHOICE] = -1
    if told and len(sets.choices) > 0:
        c = sets.counts[CHOICES]
        if c >= len(sets.choices):
            return NO_ROOM
        here[CHOICE] = c
        sets.choices[c, 0] = sets.groups[here[NEXT] - 1, 0]
        sets.choices[c, 1] = n
        sets.choices[c, 2] = 0
        sets.counts[CHOICES] = c + 1
    known = member_probabilities(members, player, s, player, sets.moves[depth], n, sets.row[depth], spaces)
    return DONE if known else UNFIT


@inlined
def close_action(sets: Sets, depth: int) -> None:
    """The values after an action are known."""
    here, worth, below = sets.level[depth], sets.value[depth], sets.value[depth + 1]
    if below[SET_BEST] > worth[BEST]:
        worth[BEST] = below[SET_BEST]
        if here[CHOICE] >= 0:
            sets.choices[here[CHOICE], 2] = here[ACTION]
    worth[VALUE] += sets.row[depth, here[ACTION]] * below[SET_VALUE]
    here[ACTION] += 1


@inlined
def close_infoset(sets: Sets, depth: int) -> None:
    """The values of an information set are known."""
    worth = sets.value[depth]
    worth[SET_BEST] += worth[BEST]
    worth[SET_VALUE] += worth[VALUE]
    sets.level[depth, OPEN] = 0


@inlined
def begin_set(sets: Sets, depth: int) -> None:
    """An empty set of histories on top of all others."""
    counts, here = sets.counts, sets.level[depth]
    here[BEGIN] = counts[TOP]
    here[GROUP_BEGIN] = counts[GROUPS]
    here[GROUP_END] = counts[GROUPS]
    here[NEXT] = counts[GROUPS]
    here[OPEN] = 0
    here[ACTION] = 0
    sets.value[depth, SET_BEST] = 0.0
    sets.value[depth, SET_VALUE] = 0.0
    counts[STAMP] += 1
    counts[SETS] += 1
    counts[MASK] = FIRST_MASK


def follow(
    sets: Sets, depth: int, first: int, members: OpponentArrays, spaces: NetworkWorkspace, player: int, merging: bool
) -> int:
    """Make the set of what follows the action at the information set above, whose histories begin with `first`."""
    begin_set(sets, depth)
    move = sets.moves[depth - 1, sets.level[depth - 1, ACTION]]
    begin = sets.counts[TOP]
    i = first
    while i >= 0:
        top = sets.counts[TOP]
        if top >= len(sets.weight):
            return NO_ROOM
        copy(sets.states, top, sets.states, i)
        play(sets.states[top], int(move))
        status = enter(sets, depth, begin, sets.weight[i], player, merging)
        if status != DONE:
            return status
        i = sets.entry[i, 1]
    return grow(sets, depth, begin, members, spaces, player, merging)


def grow(
    sets: Sets, depth: int, head: int, members: OpponentArrays, spaces: NetworkWorkspace, player: int, merging: bool
) -> int:
    """Let chance and the others play on in the newest set, until the player is to move everywhere."""
    states, weight, counts = sets.states, sets.weight, sets.counts
    while head < counts[TOP]:
        who = sets.entry[head, 0]
        if who == player:
            head += 1
            continue
        chances = sets.outcomes
        if who == CHANCE:
            n = odds(states[head], sets.outcomes)
        else:
            chances = sets.chances
            n = legal(states[head], sets.others)
            if not member_probabilities(members, who, states[head], who, sets.others, n, chances, spaces):
                return UNFIT
        reach = weight[head]
        head += 1
        for j in range(n):
            chance = chances[j]
            if chance <= 0.0:
                continue
            top = counts[TOP]
            if top >= len(weight):
                return NO_ROOM
            copy(states, top, states, head - 1)
            play(states[top], j if who == CHANCE else int(sets.others[j]))
            status = enter(sets, depth, head, reach * chance, player, merging)
            if status != DONE:
                return status
    return DONE


@inlined
def enter(sets: Sets, depth: int, head: int, weight: float, player: int, merging: bool) -> int:
    """Take the history on top into the set: it ends, or equals another one, or is one more; a status.

    Histories before `head` at which somebody else is to move have been played on already.
    """
    counts, entry = sets.counts, sets.entry
    top = counts[TOP]
    s = sets.states[top]
    who = turn(s)
    counts[HISTORIES] += 1
    if who == OVER:
        u = weight * payoff(s, player)
        sets.value[depth, SET_BEST] += u
        sets.value[depth, SET_VALUE] += u
        return DONE
    sets.weight[top] = weight
    entry[top, 0] = who
    entry[top, 1] = -1
    if merging:
        before = equal_history(sets, depth, head, player)
        if before >= 0:
            sets.weight[before] += weight
            counts[MERGED] += 1
            return DONE
    counts[TOP] = top + 1
    counts[HELD] = max(counts[HELD], top + 1)
    return join_infoset(sets, depth, key(s, player)) if who == player else DONE


@inlined
def equal_history(sets: Sets, depth: int, head: int, player: int) -> int:
    """The history of the newest set that equals the one on top; that one is entered, and -1, if there is none."""
    counts, entry, words, slots = sets.counts, sets.entry, sets.words, sets.slots
    top = counts[TOP]
    mine = words[top]
    h = 0
    for w in range(len(sets.keep)):
        mine[w] &= sets.keep[w]
        h = (h ^ mine[w]) * 0x2545F4914F6CDD1D
        h ^= h >> 29
    entry[top, 2] = h
    begin = sets.level[depth, BEGIN]
    if 2 * (top - begin) > counts[MASK] and counts[MASK] + 1 < len(slots):
        widen(sets, begin)
    stamp = counts[STAMP]
    slot = h & counts[MASK]
    while slots[slot, 0] == stamp:
        i = slots[slot, 1]
        if entry[i, 2] == h and same(words[i], mine):
            if i >= head or entry[i, 0] == player:
                return int(i)
            slots[slot, 1] = top
            return -1
        slot = (slot + 1) & counts[MASK]
    slots[slot, 0] = stamp
    slots[slot, 1] = top
    return -1


def widen(sets: Sets, begin: int) -> None:
    """Four times as many places for the histories of the newest set."""
    counts, slots = sets.counts, sets.slots
    counts[STAMP] += 1
    counts[MASK] = min(4 * counts[MASK] + 3, len(slots) - 1)
    for i in range(begin, counts[TOP]):
        slot = sets.entry[i, 2] & counts[MASK]
        while slots[slot, 0] == counts[STAMP]:
            slot = (slot + 1) & counts[MASK]
        slots[slot, 0] = counts[STAMP]
        slots[slot, 1] = i


@inlined
def same(one: Any, other: Any) -> bool:
    """Whether two rows of numbers are equal."""
    different = 0
    for w in range(len(one)):
        different |= one[w] ^ other[w]
    return bool(different == 0)


@inlined
def join_infoset(sets: Sets, depth: int, k: int) -> int:
    """Put the newest history into its information set; a status."""
    counts, groups, here, slots = sets.counts, sets.groups, sets.level[depth], sets.group_slots
    i = counts[TOP] - 1
    mask = len(slots) - 1
    stamp = counts[SETS]
    slot = mix(0, k) & mask
    while slots[slot, 0] == stamp and groups[slots[slot, 1], 0] != k:
        slot = (slot + 1) & mask
    if slots[slot, 0] == stamp:
        g = slots[slot, 1]
        sets.entry[groups[g, 2], 1] = i
        groups[g, 2] = i
        return DONE
    g = counts[GROUPS]
    if g >= len(groups):
        return NO_ROOM
    slots[slot, 0] = stamp
    slots[slot, 1] = g
    groups[g, 0] = k
    groups[g, 1] = i
    groups[g, 2] = i
    counts[GROUPS] = g + 1
    here[GROUP_END] = g + 1
    return DONE
