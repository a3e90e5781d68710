"""A blueprint as an agent for hold'em.

It translates the bets so far to moves of its own tree (see `parlor.games.holdem.translation`), which gives a node, and
its cards to a bucket, and plays the row of both. A row that was never trained is replaced by that of the nearest
trained bucket at the same node. Where its tree has ended because it takes the chips for used up, it calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent, FastBatch, seated
from parlor.compile.kernel import legal, public_history, resolve
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.games.holdem.hand_buckets import all_buckets, bucket_at
from parlor.poker.blueprint import Blueprint, Lookup, cards_of, check_compatible, read_row
from parlor.poker.every_hand import HandAnswers, answer_with_every_hand, sort_hands
from parlor.poker.measures.duel import Duel
from parlor.poker.public_tree import BASE, COUNT, SLOT


def blueprint_probabilities(
    states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Lookup
) -> None:
    """The row of the node and the bucket."""
    node = node_at(data.codes, data.places, public_history(states[g], p))
    for i in range(n):
        out[i] = 0.0
    if node < 0:
        out[n - 1] = 1.0  # the chips are used up: fold or call, or nothing but call
        return
    nodes = data.nodes
    slot = nodes[node][SLOT]
    if nodes[node][COUNT] != n:
        out[0] = -1.0  # a tree of other rules
        return
    bucket = bucket_at(states[g], p, data.cards)
    read_row(data.play, nodes[node][BASE], data.stride[slot], data.sizes[slot], bucket, n, out)


def node_at(codes: Any, places: Any, code: int) -> int:
    """The node of a sequence of moves; -1 if nobody is to move there."""
    low = 0
    high = len(codes)
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return -1 if low == len(codes) or codes[low] != code else int(places[low])


def sort_by_bucket(s: State, data: Lookup, groups: Any) -> None:
    """The buckets of a blueprint."""
    all_buckets(s, data.cards, groups)


def answer_from_rows(states: Any, g: int, p: int, out: HandAnswers, r: Any, data: Lookup) -> int:
    """The same for a blueprint, if all moves were of its tree: then all hands are at one node and use its rows."""
    codes, places, nodes, stride, sizes, play, _, _, _, _ = data
    weights, plays, acts, moves, chances, groups = out
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


def make(concrete: Game, name: str, plan: Blueprint) -> CompiledAgent:
    """The blueprint as an agent for the game whose abstraction it was made for."""
    _, slash, bets = plan.game.rpartition("/")
    if not slash or bets not in concrete.abstractions:
        raise GameError(f"{name} is a blueprint for {plan.game}, but the game here is {concrete.name}.")
    note = check_compatible(plan, concrete.abstract(bets))
    cards = cards_of(plan, name)
    order = np.argsort(plan.code, kind="stable")
    codes = plan.code[order]
    if (codes[1:] == codes[:-1]).any():
        raise GameError(f"{plan.game} does not tell its lines of moves apart.")
    arrays = Lookup(
        codes, order, plan.nodes, plan.stride, plan.sizes, plan.play, cards.data, plan.child, plan.folds, plan.shows
    )
    return CompiledAgent(
        name, seated(concrete, bets), blueprint_probabilities, lambda compiled: arrays, note=note,
        every_hand={answer_with_every_hand: answer_from_rows, sort_hands: sort_by_bucket},
        fast_batch=FastBatch(Duel, codes),
    )  # fmt: skip
