"""A blueprint that solves the river anew, without buckets.

Until the river it plays the blueprint. There it computes the range of each player, from what the blueprint would have
done with every hand so far, and solves the rest of its betting tree for these ranges, hand by hand, so
that nothing of the board is lost. (Ganzfried and Sandholm, *Endgame solving in large imperfect-information games*,
2015.) It assumes that the opponent has played the blueprint, too.

The solve is CFR+ over all 1,081 hands that a board leaves, sorted from the weakest to the strongest. The value
of a showdown for every hand against a range then takes two running sums, one over all hands and one for each card.
The last few rivers are cached.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.agents.agent import CompiledAgent
from parlor.agents.every_hand import answer_with_every_hand, sort_hands
from parlor.agents.holdem.blueprint import answer_from_rows, node_at, sort_by_bucket, weigh_blueprint
from parlor.agents.holdem.blueprint import make as follow
from parlor.agents.listing import Listing, Setting
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.games import load, parse
from parlor.games.holdem.bets import STREET
from parlor.kernel import legal, public_history, resolve
from parlor.poker.blueprint import Blueprint, read_row
from parlor.poker.buckets import board_buckets
from parlor.poker.cards import DECK
from parlor.poker.equity_tables import _ranked  # under another name all card tables would have to be computed anew
from parlor.poker.isomorphism import CLASS_OF_HAND, HAND_CARDS, HANDS, board_place, hand_index
from parlor.poker.public_tree import BASE, COUNT, FIRST, SLOT

STREETS = 4
RIVER = STREETS - 1
DEALT = 1081  # hands that a board of five leaves
KEPT = 16  # rivers that are cached: of all the games that the arena plays at a time
STRAY = 1e-3  # the probability of any hand being in the range, whatever the blueprint says
WIDTH = 1 << 8  # more moves than any node has
PLAN, WHERE, SUMS = 0, 5, 6  # what is where in an agent's data: its blueprint; of each river the hands; their moves
HAND = 2  # the row of `order` with the hands by number
#: Of each hand: where those begin and end that are as strong; and, among the hands with its lower and higher card,
#: where these begin, where those of its strength begin and end, and where the last one ends.
FROM, TO, LOW, LOW_FROM, LOW_TO, LOW_END, HIGH, HIGH_FROM, HIGH_TO, HIGH_END = range(10)


def weigh_endgame(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The row of the blueprint, or on the river that of a solve."""
    node = river_node(states[g], p, n, data)
    if node < 0:
        weigh_blueprint(states, g, p, moves, n, out, r, data[PLAN])
        return
    s = states[g]
    root, at = settle(s, node, data)
    hand = data[WHERE][at][hand_index(s.hole[p][0], s.hole[p][1])]
    read_solved(data[SUMS][at][node - root], hand, n, out)


def river_node(s: State, p: int, n: int, data: Any) -> int:
    """The node of a river that can be solved; else -1: earlier streets, chips used up, a tree of other rules."""
    if s.betting[STREET] != RIVER:
        return -1
    codes, numbers, nodes, _, _, _, _, _, _, _ = data[PLAN]
    node = node_at(codes, numbers, public_history(s, p))
    return node if node >= 0 and nodes[node][COUNT] == n and nodes[node][SLOT] % STREETS == RIVER else -1


def read_solved(sums: Any, k: int, n: int, out: Any) -> None:
    """The average strategy of a hand."""
    total = 0.0
    for a in range(n):
        total += sums[a][k]
    for a in range(n):
        out[a] = sums[a][k] / total


def settle(s: State, node: int, data: Any) -> tuple[int, int]:
    """Where this river began in the tree, and where its solve is in the cache."""
    plan, parents, ends, iterations, known, where, sums, hands, met, room = data
    _, _, nodes, stride, sizes, play, cards, child, folds, shows = plan
    root = node
    while nodes[parents[root] // WIDTH][SLOT] % STREETS == RIVER:
        root = parents[root] // WIDTH
    flop = board_place(s.board, 3)
    turn = s.board[3]
    river = s.board[4]
    for i in range(KEPT):
        if known[i][0] == root and known[i][1] == flop and known[i][2] == turn and known[i][3] == river:
            return root, i
    at = int(known[KEPT][0])
    known[KEPT][0] = (at + 1) % KEPT
    known[at][0] = -1  # until it is solved
    order, places, members, ranges = hands
    _ranked(s.board, order)
    arrange(order, places, members, where[at])
    fill_ranges(s, root, parents, nodes, stride, sizes, play, cards, order, ranges, met)
    solve(root, ends[root], nodes, child, folds, shows, places, members, ranges, sums[at], room, iterations)
    known[at][0] = root
    known[at][1] = flop
    known[at][2] = turn
    known[at][3] = river
    return root, at


def sort_by_its_bucket(s: State, data: Any, groups: Any) -> None:
    """The buckets of the blueprint of an endgame solver."""
    sort_by_bucket(s, data[PLAN], groups)


def answer_from_endgame(
    states: Any, g: int, p: int, weights: Any, plays: Any, acts: Any, moves: Any, chances: Any, groups: Any, r: Any,
    data: Any,
) -> int:  # fmt: skip
    """The same for an endgame solver: the rows of its blueprint, and on the river those of a solve."""
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


# --------------------------------------------------------------------------------------------------- ranges


def arrange(order: Any, places: Any, members: Any, where: Any) -> None:
    """Fill the places of the hands, and `where` each hand is among them, from the weakest to the strongest.

    `order` is as `_ranked` leaves it, strength << 11 | hand in row 4; its row `HAND` gets the hands. In `members` are,
    card after card, the hands that have it.
    """
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


def fill_ranges(
    s: State, root: int, parents: Any, nodes: Any, stride: Any, sizes: Any, play: Any, cards: Any, order: Any,
    ranges: Any,  # [3, hands] of both players; working memory
    met: Any,  # [buckets] -1
) -> None:  # fmt: skip
    """The probability of each hand of each player at the river, if both play the blueprint."""
    flop, turn, _ = cards
    buckets = order[0]
    row = ranges[2]
    for p in range(2):
        for k in range(DEALT):
            ranges[p][k] = 1.0
    last = -1
    node = root
    while parents[node] >= 0:
        a = parents[node] % WIDTH
        node = parents[node] // WIDTH
        slot = nodes[node][SLOT]
        street = slot % STREETS
        if street != last:
            if street == 0:
                for h in range(HANDS):
                    buckets[h] = CLASS_OF_HAND[h]
            elif street == 1:
                board_buckets(flop, board_place(s.board, 3), buckets)
            else:
                board_buckets(turn, board_place(s.board, 4), buckets)
            last = street
        mine = ranges[slot // STREETS]
        for k in range(DEALT):
            bucket = buckets[order[HAND][k]]
            if met[bucket] < 0.0:
                read_row(play, nodes[node][BASE], stride[slot], sizes[slot], bucket, nodes[node][COUNT], row)
                met[bucket] = row[a]
            mine[k] *= met[bucket]
        for k in range(DEALT):
            met[buckets[order[HAND][k]]] = -1.0
    for p in range(2):
        total = 0.0
        for k in range(DEALT):
            total += ranges[p][k]
        for k in range(DEALT):
            ranges[p][k] = (ranges[p][k] / total if total > 0.0 else 0.0) + STRAY / DEALT


# --------------------------------------------------------------------------------------------------- the solve


def solve(
    root: int, end: int, nodes: Any, child: Any, folds: Any, shows: Any, places: Any, members: Any, ranges: Any,
    sums: Any,  # [nodes, actions, hands] of the mean strategy
    room: Any,
    iterations: int,
) -> None:  # fmt: skip
    """A slot: solve what follows a node."""
    raise RuntimeError


def solve_by_hands(
    root: int, end: int, nodes: Any, child: Any, folds: Any, shows: Any, places: Any, members: Any, ranges: Any,
    sums: Any, room: Any, iterations: int,
) -> None:  # fmt: skip
    """CFR+ with alternating updates; the average is weighted by the square of the iteration."""
    regrets, chosen, own, other, values, brought, overall, by_card = room
    theirs = brought[len(brought) - 1]
    total = brought[len(brought) - 2]
    for node in range(root, end):
        for a in range(nodes[node][COUNT]):
            for k in range(DEALT):
                regrets[node - root][a][k] = 0.0
                sums[node - root][a][k] = 0.0
                chosen[node - root][a][k] = 1.0 / nodes[node][COUNT]
    for t in range(2 * iterations):
        q = t % 2
        weight = float(t // 2 + 1) ** 2
        for k in range(DEALT):
            own[0][k] = 1.0  # how likely a hand is does not matter to what is done with it
            other[0][k] = ranges[1 - q][k]
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
        for node in range(end - 1, root - 1, -1):
            i = node - root
            n = nodes[node][COUNT]
            mine = nodes[node][SLOT] // STREETS == q
            value = values[i]
            for k in range(DEALT):
                value[k] = 0.0
                total[k] = 0.0
            for a in range(n):
                after = child[nodes[node][FIRST] + a]
                got = brought[a]
                if after >= 0:
                    for k in range(DEALT):
                        got[k] = values[after - root][k]
                else:
                    for k in range(DEALT):
                        theirs[k] = other[i][k] if mine else other[i][k] * chosen[i][a][k]
                    run_up(theirs, members, overall, by_card)
                    if shows[~after] != 0.0:
                        show_down(shows[~after], places, overall, by_card, got)
                    else:
                        give_up(folds[~after] if q == 0 else -folds[~after], theirs, places, overall, by_card, got)
                for k in range(DEALT):
                    value[k] += chosen[i][a][k] * got[k] if mine else got[k]
            if not mine:
                continue
            for a in range(n):
                for k in range(DEALT):
                    sums[i][a][k] += weight * own[i][k] * chosen[i][a][k]
                    regrets[i][a][k] = max(regrets[i][a][k] + brought[a][k] - value[k], 0.0)
                    total[k] += regrets[i][a][k]
            for a in range(n):
                for k in range(DEALT):
                    chosen[i][a][k] = regrets[i][a][k] / total[k] if total[k] > 0.0 else 1.0 / n


def run_up(theirs: Any, members: Any, overall: Any, by_card: Any) -> None:
    """Running sums of a range: over all hands, and over the hands with each card."""
    total = 0.0
    for k in range(DEALT):
        total += theirs[k]
        overall[k + 1] = total
    total = 0.0
    for k in range(2 * DEALT):
        total += theirs[members[k]]
        by_card[k + 1] = total


def give_up(utility: float, theirs: Any, places: Any, overall: Any, by_card: Any, out: Any) -> None:
    """The value of a fold for each hand: so much for each hand of the other player that shares no card with it."""
    for k in range(DEALT):
        low = by_card[places[LOW_END][k]] - by_card[places[LOW][k]]
        high = by_card[places[HIGH_END][k]] - by_card[places[HIGH][k]]
        out[k] = utility * (overall[DEALT] - low - high + theirs[k])  # its own was taken off twice


def show_down(utility: float, places: Any, overall: Any, by_card: Any, out: Any) -> None:
    """The value of a showdown for each hand: so much for each weaker hand, minus as much for each stronger one."""
    for k in range(DEALT):
        every = overall[places[FROM][k]] + overall[places[TO][k]] - overall[DEALT]
        low = by_card[places[LOW_FROM][k]] - by_card[places[LOW][k]]
        low += by_card[places[LOW_TO][k]] - by_card[places[LOW_END][k]]
        high = by_card[places[HIGH_FROM][k]] - by_card[places[HIGH][k]]
        high += by_card[places[HIGH_TO][k]] - by_card[places[HIGH_END][k]]
        out[k] = utility * (every - low - high)


def solve_by_arrays(
    root: int, end: int, nodes: Any, child: Any, folds: Any, shows: Any, places: Any, members: Any, ranges: Any,
    sums: Any, room: Any, iterations: int,
) -> None:  # fmt: skip
    """The same for plain Python, where a loop over hands would take seconds: all hands are one NumPy array."""
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


# --------------------------------------------------------------------------------------------------- the agent


@functools.cache
def table_for(game: str) -> str:
    """The game in which a blueprint for this one can be used; empty if it has no river."""
    try:
        base, options, bets = parse(game)
        concrete = load(base, **options) if base == "holdem" and bets else None
    except GameError:
        return ""
    return concrete.name if concrete is not None and concrete.options["streets"] == str(STREETS) else ""


def make(concrete: Game, name: str, blueprint: Blueprint, iterations: int) -> CompiledAgent:
    """The blueprint must be for the game that is played, with all streets."""
    if blueprint.streets != STREETS:
        raise GameError(
            f"{name} needs a blueprint of hold'em with {STREETS} streets; that one is for {blueprint.game}."
        )
    agent = follow(concrete, name, blueprint)
    parents, ends = _subtrees(blueprint)
    street = blueprint.nodes[:, SLOT] % STREETS
    roots = np.flatnonzero((street == RIVER) & (street[parents // WIDTH] < RIVER))
    nodes, actions = int((ends[roots] - roots).max()), int(blueprint.nodes[:, COUNT].max())

    def data(compiled: bool) -> tuple[Any, ...]:
        rows = (nodes, actions, DEALT)
        hands = (
            *(np.zeros((7, HANDS), np.int64), np.zeros((10, DEALT), np.int64), np.zeros(2 * DEALT, np.int64)),
            np.zeros((3, HANDS)),
        )
        room = (
            *(np.zeros(rows), np.zeros(rows), *np.zeros((3, nodes, DEALT))),
            *(np.zeros((actions + 2, DEALT)), np.zeros(DEALT + 1), np.zeros(2 * DEALT + 1)),
        )
        known = np.full((KEPT + 1, 4), -1)
        known[KEPT] = 0  # the next to be forgotten
        return (
            *(agent.data(compiled), parents, ends, iterations, known, np.zeros((KEPT, HANDS), np.int64)),
            *(np.zeros((KEPT, *rows)), hands, np.full(int(blueprint.sizes.max()), -1.0), room),
        )

    return CompiledAgent(
        name, agent.game, weigh_endgame, data, {solve: solve_by_hands}, {solve: solve_by_arrays}, slow=True,
        note=agent.note, every_hand={answer_with_every_hand: answer_from_endgame, sort_hands: sort_by_its_bucket},
    )  # fmt: skip


def _subtrees(plan: Blueprint) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """For each node its parent and the move from there, as one number (-1 at the root); and the end of its subtree.

    Nodes are numbered depth first, so that a subtree is a range of numbers.
    """
    n = len(plan.nodes)
    parents, ends = np.full(n, -1), np.arange(1, n + 1)
    before = np.repeat(np.arange(n), plan.nodes[:, COUNT])
    moves = np.arange(len(before)) - plan.nodes[before, FIRST]
    inner = plan.child >= 0
    parents[plan.child[inner]] = (before * WIDTH + moves)[inner]
    for node in range(n - 1, 0, -1):
        ends[parents[node] // WIDTH] = max(ends[parents[node] // WIDTH], ends[node])
    return parents, ends


LISTING = Listing(
    "a blueprint that solves the river anew, hand by hand, without buckets",
    make,
    ("holdem",),
    {
        "blueprint": Setting(
            "", "the run or file with the blueprint that it plays until the river", names="file", kind=Blueprint.kind
        ),
        "iterations": Setting(100, "iterations of CFR+ for each river", 1, 100_000, whole=True, server_limit=100),
    },
    takes=table_for,
)
