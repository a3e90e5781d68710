"""A blueprint at a table of hold'em.

It takes the bets so far for moves of its own tree (see `parlor.games.holdem.abstraction`), which names a node, and its
cards for a bucket, and plays the row of both. A row in which nothing was learned is played as that of the nearest
bucket at the same node in which something was; and where its tree has nothing more to say, because it takes the chips
for used up, it calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent, seated
from parlor.game import Floats, Game, GameError, Ints
from parlor.games.holdem.hand_buckets import bucket_at
from parlor.kernel import public_history
from parlor.poker.blueprint import Blueprint, check_fits, read_row
from parlor.poker.buckets import Buckets, card_buckets
from parlor.poker.public_tree import BASE, COUNT, SLOT

CARDS = 6  # where the tables of its buckets are in an agent's data


def weigh_blueprint(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The row of the node and the bucket."""
    codes, places, nodes, stride, sizes, play, cards, _, _, _ = data
    node = node_at(codes, places, public_history(states[g], p))
    for i in range(n):
        out[i] = 0.0
    if node < 0:
        out[n - 1] = 1.0  # the chips are used up: fold or call, or nothing but call
        return
    slot = nodes[node][SLOT]
    if nodes[node][COUNT] != n:
        out[0] = -1.0  # a tree of other rules
        return
    read_row(play, nodes[node][BASE], stride[slot], sizes[slot], bucket_at(states[g], p, cards), n, out)


def node_at(codes: Any, places: Any, code: int) -> int:
    """The node of a line of moves; -1 if nobody is to move there."""
    low = 0
    high = len(codes)
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return -1 if low == len(codes) or codes[low] != code else int(places[low])


def make(concrete: Game, name: str, plan: Blueprint) -> CompiledAgent:
    """The blueprint at a table of the game whose abstraction it was made for."""
    _, slash, bets = plan.game.rpartition("/")
    if not slash or bets not in concrete.abstractions:
        raise GameError(f"{name} is a blueprint for {plan.game}, but the game here is {concrete.name}.")
    note = check_fits(plan, concrete.abstract(bets))
    cards = cards_of(plan, name)
    order = np.argsort(plan.code, kind="stable")
    codes = plan.code[order]
    if (codes[1:] == codes[:-1]).any():
        raise GameError(f"{plan.game} does not tell its lines of moves apart.")
    arrays = (
        *(codes, order, plan.nodes, plan.stride, plan.sizes, plan.play, cards.data),
        *(plan.child, plan.folds, plan.shows),  # for two of them on one tree, see `parlor.arena.duel`
    )
    return CompiledAgent(name, seated(concrete, bets), weigh_blueprint, lambda compiled: arrays, note=note)


def cards_of(plan: Blueprint, name: str) -> Buckets:
    """The card abstraction that its rows are for."""
    cards = card_buckets(plan.cards, plan.buckets, plan.streets)
    if tuple(plan.sizes.tolist()) != cards.counts * 2 or plan.about.get("mark", cards.mark) != cards.mark:
        raise GameError(f"{name} has other buckets than {plan.cards} has now: it was trained by another version.")
    return cards
