"""A blueprint that solves the river anew, without buckets.

Until the river it plays the blueprint. There it computes the range of each player, from what the blueprint would have
done with every hand so far, and solves the rest of its betting tree for these ranges, hand by hand, so
that nothing of the board is lost. (Ganzfried and Sandholm, *Endgame solving in large imperfect-information games*,
2015.) It assumes that the opponent has played the blueprint, too.

The last few rivers are remembered.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.compile.kernel import legal, public_history, resolve
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.game.loading import load, parse
from parlor.game.parameters import Parameter
from parlor.games.holdem.agents.blueprint import answer_from_rows, blueprint_probabilities, node_at, sort_by_bucket
from parlor.games.holdem.agents.blueprint import make as follow
from parlor.games.holdem.agents.river_solver import (
    DEALT,
    HAND,
    STREETS,
    Hands,
    RiverWorkspace,
    arrange,
    solve,
    solve_by_arrays,
    solve_by_hands,
)
from parlor.games.holdem.bets import STREET
from parlor.poker.blueprint import Blueprint, Lookup, read_row
from parlor.poker.every_hand import HandAnswers, answer_with_every_hand, sort_hands
from parlor.poker.hands.buckets import board_buckets
from parlor.poker.hands.equity_tables import (
    _ranked,  # under another name all card tables would have to be computed anew
)
from parlor.poker.hands.isomorphism import CLASS_OF_HAND, HANDS, board_place, hand_index
from parlor.poker.public_tree import BASE, COUNT, FIRST, SLOT

RIVER = STREETS - 1
KEPT = 16  # rivers that are remembered: of all the games that the arena plays side by side
STRAY = 1e-3  # how likely a player is to have come here with any hand, whatever the blueprint says
WIDTH = 1 << 8  # more moves than any node has


class EndgameData(NamedTuple):
    """The agent's blueprint, its memory of solved rivers, and its working memory. K rivers."""

    plan: Lookup
    parents: Any  # [nodes] see `_subtrees`
    ends: Any  # [nodes]
    iterations: int
    known: Any  # [K + 1, 4] the root and the board of each river; the next to be forgotten
    where: Any  # [K, hands] where each hand is among those that are dealt
    sums: Any  # [K, N, A, D] of the mean strategy
    hands: Hands
    met: Any  # [buckets] -1
    room: RiverWorkspace


def endgame_probabilities(
    states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: EndgameData
) -> None:
    """The row of the blueprint, or on the river that of a solve."""
    node = river_node(states[g], p, n, data)
    if node < 0:
        blueprint_probabilities(states, g, p, moves, n, out, r, data.plan)
        return
    s = states[g]
    root, at = settle(s, node, data)
    hand = data.where[at][hand_index(s.hole[p][0], s.hole[p][1])]
    read_solved(data.sums[at][node - root], hand, n, out)


def river_node(s: State, p: int, n: int, data: EndgameData) -> int:
    """The node of a river that can be solved; else -1: earlier streets, chips used up, a tree of other rules."""
    if s.betting[STREET] != RIVER:
        return -1
    nodes = data.plan.nodes
    node = node_at(data.plan.codes, data.plan.places, public_history(s, p))
    return node if node >= 0 and nodes[node][COUNT] == n and nodes[node][SLOT] % STREETS == RIVER else -1


def read_solved(sums: Any, k: int, n: int, out: Any) -> None:
    """The average strategy of a hand."""
    total = 0.0
    for a in range(n):
        total += sums[a][k]
    for a in range(n):
        out[a] = sums[a][k] / total


def settle(s: State, node: int, data: EndgameData) -> tuple[int, int]:
    """The root of this river in the tree, and the index of its solution, which is computed if it is not remembered."""
    plan, parents, ends, iterations, known, where, sums, hands, met, room = data
    nodes = plan.nodes
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
    _ranked(s.board, hands.order)
    arrange(hands, where[at])
    fill_ranges(s, root, parents, plan, hands, met)
    solve(root, ends[root], plan, hands, sums[at], room, iterations)
    known[at][0] = root
    known[at][1] = flop
    known[at][2] = turn
    known[at][3] = river
    return root, at


def sort_by_its_bucket(s: State, data: EndgameData, groups: Any) -> None:
    """The buckets of the blueprint of an endgame solver."""
    sort_by_bucket(s, data.plan, groups)


def answer_from_endgame(states: Any, g: int, p: int, out: HandAnswers, r: Any, data: EndgameData) -> int:
    """The same for an endgame solver: the rows of its blueprint, and on the river those of a solve."""
    weights, plays, acts, moves, chances, _ = out
    n = legal(states[g], moves)
    node = river_node(states[g], p, n, data)
    if node < 0:
        return answer_from_rows(states, g, p, out, r, data.plan)
    root, river = settle(states[g], node, data)
    where = data.where[river]
    sums = data.sums[river][node - root]
    for i in range(n):
        acts[i] = resolve(states[g], int(moves[i]))
    for h in range(len(weights)):
        if weights[h] > 0.0:
            read_solved(sums, where[h], n, chances)
        for i in range(n):
            plays[i][h] = chances[i] if weights[h] > 0.0 else 0.0
    return n


# --------------------------------------------------------------------------------------------------- ranges


def fill_ranges(s: State, root: int, parents: Any, plan: Lookup, hands: Hands, met: Any) -> None:
    """Fill the players' ranges on the river: the probability that the blueprint comes there with each hand."""
    _, _, nodes, stride, sizes, play, cards, _, _, _ = plan
    order, _, _, ranges = hands
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

    def data(compiled: bool) -> EndgameData:
        rows = (nodes, actions, DEALT)
        hands = Hands(
            order=np.zeros((7, HANDS), np.int64),
            places=np.zeros((10, DEALT), np.int64),
            members=np.zeros(2 * DEALT, np.int64),
            ranges=np.zeros((3, HANDS)),
        )
        room = RiverWorkspace(
            regrets=np.zeros(rows),
            chosen=np.zeros(rows),
            own=np.zeros((nodes, DEALT)),
            other=np.zeros((nodes, DEALT)),
            values=np.zeros((nodes, DEALT)),
            brought=np.zeros((actions + 2, DEALT)),
            overall=np.zeros(DEALT + 1),
            by_card=np.zeros(2 * DEALT + 1),
        )
        known = np.full((KEPT + 1, 4), -1)
        known[KEPT] = 0  # the next to be forgotten
        return EndgameData(
            plan=Lookup(*agent.data(compiled)),
            parents=parents,
            ends=ends,
            iterations=iterations,
            known=known,
            where=np.zeros((KEPT, HANDS), np.int64),
            sums=np.zeros((KEPT, *rows)),
            hands=hands,
            met=np.full(int(blueprint.sizes.max()), -1.0),
            room=room,
        )

    return CompiledAgent(
        name, agent.game, endgame_probabilities, data, {solve: solve_by_hands}, {solve: solve_by_arrays}, slow=True,
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


SPEC = AgentSpec(
    "a blueprint that solves the river anew, hand by hand, without buckets",
    make,
    ("holdem",),
    {
        "blueprint": Parameter(
            "",
            "the run or file with the blueprint that it plays until the river",
            names="file",
            file_kind=Blueprint.kind,
        ),
        "iterations": Parameter(100, "iterations of CFR+ for each river", 1, 100_000, server_limit=100),
    },
    game_of_file=table_for,
    name="Endgame Edda",
    made="Learned up to the turn; every river is solved anew at the table.",
)
