"""A tree that is written down as a game of Parlor: rules that read arrays, compiled as all others are."""

from __future__ import annotations

from fractions import Fraction
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from parlor.game import CHANCE, OVER, RULES, Floats, Game, Ints, State, View, from_module, hidden, private
from parlor.game.words import player
from parlor.interop.gambit.trees import GameTree, depth, totals

# Constants of one game; the functions below are copied for each game, with these names set.
PLAYERS = 2
MOVER = np.zeros(1, np.int64)  # of each node
COUNT = np.zeros(1, np.int64)  # of its children
FIRST = np.zeros(1, np.int64)  # where they are in CHILD and CHANCES
CHILD = np.zeros(1, np.int64)
CHANCES = np.zeros(1)
PAYOFF = np.zeros(2)  # [nodes * players]
KNOWN = np.zeros(2, np.int64)  # [nodes * players] what each player knows, see `_known`
NAMES: tuple[tuple[str, ...], ...] = ()  # of what can be done at each node
TEXTS: dict[tuple[int, int], str] = {}  # of what a player knows


def start(s: State) -> None:
    """At the root."""
    for p in range(PLAYERS):
        s.known[p] = KNOWN[p]


def turn(s: State) -> int:
    """Whose node it is."""
    return int(MOVER[s.node])


def odds(s: State, out: Floats) -> int:
    """The probabilities of a chance move."""
    n = int(COUNT[s.node])
    for i in range(n):
        out[i] = CHANCES[FIRST[s.node] + i]
    return n


def legal(s: State, out: Ints) -> int:
    """All actions of the information set."""
    n = int(COUNT[s.node])
    for a in range(n):
        out[a] = a
    return n


def play(s: State, a: int) -> None:
    """Go to a child."""
    s.node = int(CHILD[FIRST[s.node] + a])
    for p in range(PLAYERS):
        s.known[p] = int(KNOWN[s.node * PLAYERS + p])


def payoff(s: State, p: int) -> float:
    """The payoff at the terminal node."""
    return float(PAYOFF[s.node * PLAYERS + p])


def key(s: State, p: int) -> int:
    """The player and what it knows."""
    return s.known[p] * PLAYERS + p


def describe(s: State, a: int) -> str:
    """The name of an action or an outcome."""
    return NAMES[s.node][a]


def secret(s: State, a: int, p: int) -> bool:
    """Players see nothing but their own moves and the information sets that they come to."""
    return bool(MOVER[s.node] != p)


def unseen(s: State, a: int, p: int) -> bool:
    """Whether a move changes neither what a player knows nor whose turn it is."""
    child = CHILD[FIRST[s.node] + a]
    same = KNOWN[child * PLAYERS + p] == KNOWN[s.node * PLAYERS + p]
    return bool(MOVER[s.node] != p and same and MOVER[child] == MOVER[s.node])


def show(view: View) -> str:
    """The information set, or the own last move, in the tree's words."""
    text = TEXTS.get((view.player, view.known))
    return text or f"{player(view.player, 'has')} not moved yet"


def tree_game(tree: GameTree, name: str) -> Game:
    """The game of a tree."""
    nodes, players = tree.nodes, len(tree.players)
    counts = np.array([len(node.children) for node in nodes], np.int64)
    chances = [
        float(odds) if node.player == CHANCE else 1.0
        for node in nodes
        if node.player != OVER
        for odds in (tree.infosets[node.player, node.infoset].odds or [Fraction(1)] * len(node.children))
    ]
    payoffs = np.array([[float(one) for one in row] for row in totals(tree)])
    known, texts = _known(tree)
    endings = payoffs[[node.player == OVER for node in nodes]]
    sums, scale = endings.sum(axis=1), max(1.0, float(np.abs(endings).max()))
    constants: dict[str, Any] = {
        "TITLE": tree.title or name,
        "PLAYERS": players,
        "ACTIONS": max([1, *(len(node.children) for node in nodes if node.player >= 0)]),
        "OUTCOMES": max([0, *(len(node.children) for node in nodes if node.player == CHANCE)]),
        "LENGTH": max(depth(tree), 1),
        "ZERO_SUM": bool((np.abs(sums) <= 1e-9 * scale).all()),
        "STATE": {"node": hidden(), "known": private(players)},
    }
    namespace: dict[str, Any] = {
        **globals(),
        **constants,
        "MOVER": np.array([node.player for node in nodes], np.int64),
        "COUNT": counts,
        "FIRST": np.cumsum(counts) - counts,
        "CHILD": np.array([child for node in nodes for child in node.children] or [0], np.int64),
        "CHANCES": np.array(chances or [0.0]),
        "PAYOFF": payoffs.reshape(-1),
        "KNOWN": known.reshape(-1),
        "NAMES": tuple(tuple(tree.actions(node)) if node.player != OVER else () for node in nodes),
        "TEXTS": texts,
    }
    functions = {
        one: FunctionType(namespace[one].__code__, namespace, one)
        for one in (*RULES, "describe", "secret", "unseen", "show")
    }
    summary = tree.comment.partition("\n")[0] or f"{tree.title or name}, from a file of Gambit."
    return from_module(SimpleNamespace(__doc__=summary, **constants, **functions), name)


def _known(tree: GameTree) -> tuple[Any, dict[tuple[int, int], str]]:
    """Each player's knowledge at each node as a number, [nodes, P], and those numbers in words.

    0 before its first move, an odd number at each of its information sets, an even one after each of its moves.
    """
    players = len(tree.players)
    known = np.zeros((len(tree.nodes), players), np.int64)
    texts: dict[tuple[int, int], str] = {}
    places: dict[tuple[int, int], int] = {}
    moves: dict[tuple[int, int, int], int] = {}
    for i, node in enumerate(tree.nodes):
        p = node.player
        if p >= 0:
            number = places.setdefault((p, node.infoset), len(places))
            known[i, p] = 2 * number + 1
            name = tree.infosets[p, node.infoset].name or f"information set {node.infoset}"
            texts[p, int(known[i, p])] = f"{tree.players[p]}: {name}"
        for a, child in enumerate(node.children):
            known[child] = known[i]
            if p >= 0:
                known[child, p] = 2 * moves.setdefault((p, node.infoset, a), len(moves)) + 2
                texts[p, int(known[child, p])] = f"{tree.players[p]}: {tree.actions(node)[a]}"
    return known, texts
