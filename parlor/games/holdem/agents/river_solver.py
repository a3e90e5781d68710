"""A river solved with every hand by itself.

The solve is CFR+ over all 1,081 hands that a board leaves, side by side from the weakest to the strongest. Then what a
showdown brings every hand against a range is a matter of two running sums, one over all hands and one card by card.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor.poker.blueprint import Lookup
from parlor.poker.hands.cards import DECK
from parlor.poker.hands.isomorphism import HAND_CARDS
from parlor.poker.public_tree import COUNT, FIRST, SLOT

STREETS = 4
DEALT = 1081  # hands that a board of five leaves
HAND = 2  # the row of `order` with the hands by number
#: Of each hand: where those begin and end that are as strong; and, among the hands with its lower and higher card,
#: where these begin, where those of its strength begin and end, and where the last one ends.
FROM, TO, LOW, LOW_FROM, LOW_TO, LOW_END, HIGH, HIGH_FROM, HIGH_TO, HIGH_END = range(10)


class Hands(NamedTuple):
    """The hands on a river, see `arrange`."""

    order: Any  # [7, hands]
    places: Any  # [10, dealt] see FROM
    members: Any  # [2 * dealt]
    ranges: Any  # [3, hands] of both players; some room


class RiverWorkspace(NamedTuple):
    """The working memory of a solve. N nodes, A actions, D hands that are dealt."""

    regrets: Any  # [N, A, D]
    chosen: Any  # [N, A, D] the strategy
    own: Any  # [N, D] how likely the player's own moves are
    other: Any  # [N, D] the range of the other
    values: Any  # [N, D]
    brought: Any  # [A + 2, D] by each action; two rows to work with
    overall: Any  # [D + 1] see `run_up`
    by_card: Any  # [2 D + 1]


def arrange(hands: Hands, where: Any) -> None:
    """Fill the places of the hands, and `where` each hand is among them, from the weakest to the strongest.

    `order` is as `_ranked` leaves it, strength << 11 | hand in row 4; its row `HAND` gets the hands. In `members` are,
    card after card, the hands that have it.
    """
    order, places, members, _ = hands
    begun = order[0]
    seen = order[1]
    hand = order[HAND]
    for c in range(DECK + 1):
        begun[c] = 0
    for k in range(DEALT):
        h = order[4][k] & 2047
        hand[k] = h
        where[h] = k
        begun[HAND_CARDS[h][0] + 1] += 1
        begun[HAND_CARDS[h][1] + 1] += 1
    for c in range(DECK):
        begun[c + 1] += begun[c]
        seen[c] = begun[c]
    start = 0
    while start < DEALT:
        stop = start
        while stop < DEALT and order[4][stop] >> 11 == order[4][start] >> 11:
            stop += 1
        for k in range(start, stop):
            places[FROM][k] = start
            places[TO][k] = stop
            for i in range(2):
                card = HAND_CARDS[hand[k]][i]
                places[LOW + 4 * i][k] = begun[card]
                places[LOW_FROM + 4 * i][k] = seen[card]
                places[LOW_END + 4 * i][k] = begun[card + 1]
        for k in range(start, stop):
            for i in range(2):
                card = HAND_CARDS[hand[k]][i]
                members[seen[card]] = k
                seen[card] += 1
        for k in range(start, stop):
            for i in range(2):
                places[LOW_TO + 4 * i][k] = seen[HAND_CARDS[hand[k]][i]]
        start = stop


def solve(root: int, end: int, plan: Lookup, hands: Hands, sums: Any, room: RiverWorkspace, iterations: int) -> None:
    """A slot: solve what follows a node."""
    raise RuntimeError


def solve_by_hands(
    root: int, end: int, plan: Lookup, hands: Hands, sums: Any, room: RiverWorkspace, iterations: int
) -> None:
    """CFR+, the players by turns; the mean is weighted by the square of the iteration."""
    nodes = plan.nodes
    for node in range(root, end):
        for a in range(nodes[node][COUNT]):
            for k in range(DEALT):
                room.regrets[node - root][a][k] = 0.0
                sums[node - root][a][k] = 0.0
                room.chosen[node - root][a][k] = 1.0 / nodes[node][COUNT]
    for t in range(2 * iterations):
        q = t % 2
        weight = float(t // 2 + 1) ** 2
        reach(root, end, q, plan, hands, room)
        for node in range(end - 1, root - 1, -1):
            value_node(node, root, q, plan, hands, room)
            if nodes[node][SLOT] // STREETS == q:
                update_node(node - root, nodes[node][COUNT], weight, sums, room)


def reach(root: int, end: int, q: int, plan: Lookup, hands: Hands, room: RiverWorkspace) -> None:
    """Fill the reach of each node by player `q` with each hand, and the range of the other there."""
    nodes, child = plan.nodes, plan.child
    chosen, own, other = room.chosen, room.own, room.other
    for k in range(DEALT):
        own[0][k] = 1.0  # how likely a hand is does not matter to what is done with it
        other[0][k] = hands.ranges[1 - q][k]
    for node in range(root, end):
        i = node - root
        mine = nodes[node][SLOT] // STREETS == q
        for a in range(nodes[node][COUNT]):
            j = child[nodes[node][FIRST] + a] - root
            if j > 0 and mine:
                for k in range(DEALT):
                    own[j][k] = own[i][k] * chosen[i][a][k]
                    other[j][k] = other[i][k]
            elif j > 0:
                for k in range(DEALT):
                    own[j][k] = own[i][k]
                    other[j][k] = other[i][k] * chosen[i][a][k]


def value_node(node: int, root: int, q: int, plan: Lookup, hands: Hands, room: RiverWorkspace) -> None:
    """The values of a node for player `q` with each hand, from those of the nodes after it."""
    nodes, child, shows = plan.nodes, plan.child, plan.shows
    chosen, other, brought = room.chosen, room.other, room.brought
    theirs = brought[len(brought) - 1]
    i = node - root
    mine = nodes[node][SLOT] // STREETS == q
    value = room.values[i]
    for k in range(DEALT):
        value[k] = 0.0
    for a in range(nodes[node][COUNT]):
        after = child[nodes[node][FIRST] + a]
        got = brought[a]
        if after >= 0:
            for k in range(DEALT):
                got[k] = room.values[after - root][k]
        else:
            for k in range(DEALT):
                theirs[k] = other[i][k] if mine else other[i][k] * chosen[i][a][k]
            run_up(theirs, hands.members, room)
            if shows[~after] != 0.0:
                show_down(shows[~after], hands.places, room, got)
            else:
                give_up(plan.folds[~after] if q == 0 else -plan.folds[~after], theirs, hands.places, room, got)
        for k in range(DEALT):
            value[k] += chosen[i][a][k] * got[k] if mine else got[k]


def update_node(i: int, n: int, weight: float, sums: Any, room: RiverWorkspace) -> None:
    """Regret matching at a node of `n` actions, whose values are known."""
    regrets, chosen, own, brought = room.regrets, room.chosen, room.own, room.brought
    value = room.values[i]
    total = brought[len(brought) - 2]
    for k in range(DEALT):
        total[k] = 0.0
    for a in range(n):
        for k in range(DEALT):
            sums[i][a][k] += weight * own[i][k] * chosen[i][a][k]
            regrets[i][a][k] = max(regrets[i][a][k] + brought[a][k] - value[k], 0.0)
            total[k] += regrets[i][a][k]
    for a in range(n):
        for k in range(DEALT):
            chosen[i][a][k] = regrets[i][a][k] / total[k] if total[k] > 0.0 else 1.0 / n


def run_up(theirs: Any, members: Any, room: RiverWorkspace) -> None:
    """Running sums of a range: over all hands, and over the hands with each card."""
    overall, by_card = room.overall, room.by_card
    total = 0.0
    for k in range(DEALT):
        total += theirs[k]
        overall[k + 1] = total
    total = 0.0
    for k in range(2 * DEALT):
        total += theirs[members[k]]
        by_card[k + 1] = total


def give_up(utility: float, theirs: Any, places: Any, room: RiverWorkspace, out: Any) -> None:
    """The value of a fold for each hand: `utility` times the weight of the other's hands that share no card with it."""
    overall, by_card = room.overall, room.by_card
    for k in range(DEALT):
        low = by_card[places[LOW_END][k]] - by_card[places[LOW][k]]
        high = by_card[places[HIGH_END][k]] - by_card[places[HIGH][k]]
        out[k] = utility * (overall[DEALT] - low - high + theirs[k])  # its own was taken off twice


def show_down(utility: float, places: Any, room: RiverWorkspace, out: Any) -> None:
    """The value of a showdown for each hand: `utility` times the weight of weaker hands less that of stronger ones."""
    overall, by_card = room.overall, room.by_card
    for k in range(DEALT):
        every = overall[places[FROM][k]] + overall[places[TO][k]] - overall[DEALT]
        low = by_card[places[LOW_FROM][k]] - by_card[places[LOW][k]]
        low += by_card[places[LOW_TO][k]] - by_card[places[LOW_END][k]]
        high = by_card[places[HIGH_FROM][k]] - by_card[places[HIGH][k]]
        high += by_card[places[HIGH_TO][k]] - by_card[places[HIGH_END][k]]
        out[k] = utility * (every - low - high)


def solve_by_arrays(
    root: int, end: int, plan: Lookup, hands: Hands, sums: Any, room: RiverWorkspace, iterations: int
) -> None:
    """The same for plain Python, where a loop over hands would take seconds: all hands are one array of NumPy's."""
    _, _, nodes, _, _, _, _, child, folds, shows = plan
    _, places, members, ranges = hands
    regrets, chosen, own, other, values, brought, overall, by_card = room
    for node in range(root, end):
        regrets[node - root] = sums[node - root] = 0.0
        chosen[node - root] = 1.0 / nodes[node][COUNT]
    for t in range(2 * iterations):
        q, weight = t % 2, (t // 2 + 1.0) ** 2
        own[0], other[0] = 1.0, ranges[1 - q][:DEALT]
        for node in range(root, end):
            _, n, _, first = nodes[node]
            mine, i = nodes[node][SLOT] // STREETS == q, node - root
            for a, j in enumerate(child[first : first + n] - root):
                if j > 0:
                    own[j] = own[i] * chosen[i, a] if mine else own[i]
                    other[j] = other[i] if mine else other[i] * chosen[i, a]
        for node in range(end - 1, root - 1, -1):
            _, n, _, first = nodes[node]
            mine, i = nodes[node][SLOT] // STREETS == q, node - root
            for a, after in enumerate(child[first : first + n]):
                if after >= 0:
                    brought[a] = values[after - root]
                    continue
                theirs = other[i] if mine else other[i] * chosen[i, a]
                overall[1:], by_card[1:] = np.cumsum(theirs), np.cumsum(theirs[members])
                cards = by_card[places[LOW:]]  # four rows of the lower card, four of the higher one
                if shows[~after] != 0.0:
                    every = overall[places[FROM]] + overall[places[TO]] - overall[DEALT]
                    low, high = (cards[1::4] - cards[0::4]) + (cards[2::4] - cards[3::4])
                    brought[a] = shows[~after] * (every - low - high)
                else:
                    low, high = cards[3::4] - cards[0::4]
                    brought[a] = (folds[~after] if q == 0 else -folds[~after]) * (overall[DEALT] - low - high + theirs)
            values[i] = (chosen[i, :n] * brought[:n]).sum(0) if mine else brought[:n].sum(0)
            if mine:
                sums[i, :n] += weight * own[i] * chosen[i, :n]
                regrets[i, :n] = np.maximum(regrets[i, :n] + brought[:n] - values[i], 0.0)
                total = regrets[i, :n].sum(0)
                chosen[i, :n] = np.where(total > 0.0, regrets[i, :n] / np.maximum(total, 1e-300), 1.0 / n)
