"""The public tree of a game in which all moves are public and chance only deals.

In such a game, poker above all, the possible moves do not depend on what was dealt: everybody sees one tree of
moves, and cards matter only for which row of a node a player uses and for who wins a showdown. So the tree is
walked once, by the game's own rules, with a handful of deals side by side that must agree on every turn, every list of
legal actions and every fold; where their payoffs differ, the same deals must win everywhere, and it is a showdown.
Nodes are numbered depth first. A move without a choice is no node.

A *street* is what lies between two deals. A player's *bucket* on a street is what it knows of the cards then, or as
much of it as an abstraction keeps. `Layout` gives every (node, bucket) a row, without keys or hashing. The rows
of one bucket are together, node by node as the tree is walked: a traversal, whose buckets are fixed, reads a street as
one short stretch of memory after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile.kernel import copy, deal, legal, payoff, play, public_history, start, turn
from parlor.game import CHANCE, OVER, Game, GameError
from parlor.game.rng import below, choose, seed_stream

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

PROBES = 16  # deals side by side; that all of them have the same winner is as good as impossible
LIMIT = 1 << 24  # nodes and endings
PLAIN_LIMIT = 80  # of either: at most a fifth of a second in plain Python
_NAMES = {True: "public tree", False: "plain public tree"}  # in a game's cache, by whether compiled code walked it
MAX_CELLS = 1 << 31  # what an int32 can point at: 8 GiB

NO_ROOM, HIDDEN, PAYOFFS, TOO_LONG = -1, -2, -3, -4
COMPLAINTS = {
    HIDDEN: "{0} has moves that depend on what was dealt, or that are hidden: it has no public tree.",
    PAYOFFS: "{0} has endings that are neither a fold nor a showdown for equal stakes: it has no public tree.",
    TOO_LONG: "{0} went on for more than LENGTH = {1} moves.",
}
UNKNOWN = 2.0  # who wins a showdown
SLOT, COUNT, BASE, FIRST = range(4)  # columns of a packed node
STREET, DEALT, LENGTH = range(3)  # numbers about the place where a walk is


@dataclass(frozen=True, eq=False)
class PublicTree:
    """N nodes with E edges, T endings; children are nodes, or endings as ~ending."""

    game: Game
    streets: int
    player: Ints  # [N]
    street: Ints  # [N]
    count: Ints  # [N] legal actions
    first: Ints  # [N] the edge of the first of them
    code: Ints  # the game's code of the moves that lead here, if it has any
    action: Ints  # [E] action ids
    child: Ints  # [E]
    folds: Floats  # [T] what player 0 gets at a fold, 0 at a showdown
    shows: Floats  # [T] what the winner gets at a showdown, 0 at a fold

    def __len__(self) -> int:
        return len(self.count)

    @cached_property
    def parent(self) -> Ints:
        """[N] the edge that leads to each node; -1 for the root."""
        parent = np.full(len(self), -1)
        inner = self.child >= 0
        parent[self.child[inner]] = np.flatnonzero(inner)
        return parent

    @cached_property
    def owner(self) -> Ints:
        """[E] the node of each edge."""
        return np.repeat(np.arange(len(self)), self.count)

    def line(self, edge: int) -> list[int]:
        """The actions that lead along an edge, from the beginning; none for -1."""
        actions: list[int] = []
        while edge >= 0:
            actions.append(int(self.action[edge]))
            edge = int(self.parent[self.owner[edge]])
        return actions[::-1]

    def positions(self, edge: int, outcomes: Sequence[int] = ()) -> Iterator[Any]:
        """The plain states along a line, before each of its moves and at the end, with these outcomes of chance.

        When they are used up, states go no further; so the last one may be at a chance turn.
        """
        rules, state = self.game.rules, self.game.new_state()
        rules.start(state)
        dealt, moves, buffer = iter(outcomes), iter(self.line(edge)), [0] * self.game.actions
        while True:
            yield state
            who = rules.turn(state)
            if who == OVER:
                return
            if who == CHANCE:
                step = next(dealt, None)
            else:
                step = buffer[0] if rules.legal(state, buffer) == 1 else next(moves, None)
            if step is None:
                return
            rules.play(state, step)


def public_tree(game: Game, compiled: bool | None = None) -> PublicTree:
    """Walk the moves of `game`; GameError if they are not public. The result is cached.

    Unless `compiled` says otherwise, a tree of few nodes is walked through in plain Python, without the compiler.
    """
    if game.players != 2 or game.kind != "zero-sum":
        raise GameError(f"{game.name} is not a zero-sum game between two players.")
    if compiled is None:
        compiled = game.native
        if compiled and not any(name in game.cache for name in _NAMES.values()):
            _walk_into_cache(game, False, PLAIN_LIMIT)
        compiled = compiled and _NAMES[False] not in game.cache
    if _NAMES[compiled] not in game.cache and not _walk_into_cache(game, compiled, LIMIT):
        raise GameError(f"{game.name} has more than {LIMIT:,} lines of public moves: use fewer bets.")
    found: PublicTree = game.cache[_NAMES[compiled]]
    return found


def _hides(game: Game, games: int = 16) -> bool:
    """Whether a player does not see a move of the other, in a few random games."""
    r, moves, chances, rules = [0] * 4, [0] * game.actions, [0.0] * game.outcomes, game.rules
    for index in range(games):
        seed_stream(r, 0, index)
        s = game.new_state()
        rules.start(s)
        while (who := rules.turn(s)) != OVER:
            if who == CHANCE:
                move = choose(r, chances, rules.odds(s, chances))
            elif game.hidden.secret(s, move := moves[below(r, rules.legal(s, moves))], 1 - who):
                return True
            rules.play(s, move)
    return False


def _walk_into_cache(game: Game, compiled: bool, most: int) -> bool:
    """Walk the moves; false if there are more than `most` nodes or endings."""
    if _hides(game):
        raise GameError(COMPLAINTS[HIDDEN].format(game.name))
    kernel = compiler.native(walk, game) if compiled else compiler.interpret(walk, game)
    depth, room, reached = game.length + 1, min(1 << 12, most), NO_ROOM
    while reached == NO_ROOM:
        if room > most:
            return False
        nodes, edges = np.zeros((room, 5), np.int64), np.zeros((2 * room, 2), np.int64)
        ends, sizes = np.zeros((room, 2)), np.zeros(4, np.int64)
        walked = PublicWalk(
            compiler.states(game, (depth + 1) * PROBES, compiled), np.zeros((depth + 1, game.actions), np.int64),
            np.zeros(game.actions, np.int64), np.zeros((depth, 5), np.int64), np.zeros(4, np.int64),
            np.zeros(game.outcomes), np.full(PROBES, UNKNOWN), nodes, edges, ends, sizes, np.zeros(3, np.int64),
        )  # fmt: skip
        reached = kernel(walked)
        room *= 4
    if reached < 0:
        raise GameError(COMPLAINTS[reached].format(game.name, game.length))
    n, e, t, streets = sizes.tolist()
    if n == 0:
        raise GameError(f"{game.name} has no decisions.")
    game.cache[_NAMES[compiled]] = PublicTree(
        game, streets, *nodes[:n].T.copy(), *edges[:e].T.copy(), *ends[:t].T.copy()
    )
    return True


class PublicWalk(NamedTuple):
    """The working memory and the results of the walk, by `PROBES` deals side by side."""

    states: Any  # [(depth + 1) * PROBES]
    moves: Any  # [depth + 1, actions]
    others: Any  # [actions]
    stack: Any  # [depth, 5] node, number of actions, next one, street, outcomes so far
    r: Any
    chances: Any
    winners: Any  # [PROBES] 1, 0 or -1: what player 0 gets of the stakes
    nodes: Any  # [room, 5] player, street, number of actions, first edge, code
    edges: Any  # [2 * room, 2] action, child
    ends: Any  # [room, 2] folds, shows
    sizes: Any  # nodes, edges, endings, streets
    place: Any  # street, outcomes so far, the moves and outcomes on this line


def walk(w: PublicWalk) -> int:
    """Walk all lines of public moves depth first, with so many deals side by side; a negative number on failure."""
    for k in range(PROBES):
        start(w.states[k])
    depth = 0
    w.place[STREET] = -1
    parent = -1  # the edge that led here
    while True:
        n = next_choice(w, depth)
        if n > 0:
            status = add_node(w, depth, parent, n)
            depth += 1
        else:
            status = n if n < 0 else add_ending(w, depth, parent)
        if status < 0:
            return status
        while depth > 0 and w.stack[depth - 1][2] == w.stack[depth - 1][1]:
            depth -= 1
        if depth == 0:
            return int(w.sizes[0])
        d = depth - 1
        i = w.stack[d][2]
        w.stack[d][2] = i + 1
        w.place[STREET] = w.stack[d][3]
        w.place[DEALT] = w.stack[d][4]
        w.place[LENGTH] = depth
        parent = w.nodes[w.stack[d][0]][3] + i
        for k in range(PROBES):
            copy(w.states, depth * PROBES + k, w.states, d * PROBES + k)
            play(w.states[depth * PROBES + k], int(w.moves[d][i]))


def next_choice(w: PublicWalk, depth: int) -> int:
    """Play all deals on to the next choice; the number of its actions, 0 at the end, a negative number on failure."""
    base = depth * PROBES
    dealing = False
    who = turn(w.states[base])
    while who != OVER:
        w.place[LENGTH] += 1
        if w.place[LENGTH] > len(w.stack) * 2:
            return TOO_LONG
        if who == CHANCE:
            if not dealing:
                w.place[STREET] += 1
            dealing = True
            w.place[DEALT] += 1
            for k in range(PROBES):
                s = w.states[base + k]
                if turn(s) != CHANCE:
                    return HIDDEN
                seed_stream(w.r, int(w.place[DEALT]), k)  # a deal is the same whatever was played before
                play(s, deal(s, w.chances, w.r))
        else:
            dealing = False
            n = legal(w.states[base], w.moves[depth])
            for k in range(1, PROBES):
                if turn(w.states[base + k]) != who or legal(w.states[base + k], w.others) != n:
                    return HIDDEN
                for i in range(n):
                    if w.others[i] != w.moves[depth][i]:
                        return HIDDEN
            if n != 1:
                return n
            for k in range(PROBES):
                play(w.states[base + k], int(w.moves[depth][0]))
        who = turn(w.states[base])
    return 0


def add_node(w: PublicWalk, depth: int, parent: int, n: int) -> int:
    """A node with `n` actions; a negative number on failure."""
    node, edge = w.sizes[0], w.sizes[1]
    if depth >= len(w.stack):
        return TOO_LONG
    if node == len(w.nodes) or edge + n > len(w.edges):
        return NO_ROOM
    street, s = w.place[STREET], w.states[depth * PROBES]
    who = turn(s)
    w.nodes[node][0] = who
    w.nodes[node][1] = street
    w.nodes[node][2] = n
    w.nodes[node][3] = edge
    w.nodes[node][4] = public_history(s, who)
    for i in range(n):
        w.edges[edge + i][0] = w.moves[depth][i]
    if parent >= 0:
        w.edges[parent][1] = node
    w.stack[depth][0] = node
    w.stack[depth][1] = n
    w.stack[depth][2] = 0
    w.stack[depth][3] = street
    w.stack[depth][4] = w.place[DEALT]
    w.sizes[0] += 1
    w.sizes[1] += n
    w.sizes[3] = max(w.sizes[3], street + 1)
    return 0


def add_ending(w: PublicWalk, depth: int, parent: int) -> int:
    """A fold, if all deals pay the same, or a showdown for equal stakes; a negative number on failure."""
    end = w.sizes[2]
    base = depth * PROBES
    if end == len(w.ends):
        return NO_ROOM
    low = payoff(w.states[base], 0)
    high = low
    for k in range(PROBES):
        if turn(w.states[base + k]) != OVER:
            return HIDDEN
        low = min(low, payoff(w.states[base + k], 0))
        high = max(high, payoff(w.states[base + k], 0))
    if low == high:
        w.ends[end][0] = low
    else:
        if low != -high:
            return PAYOFFS
        for k in range(PROBES):
            won = payoff(w.states[base + k], 0) / high
            if won not in (-1.0, 0.0, 1.0) or (w.winners[k] != won and w.winners[k] != UNKNOWN):
                return PAYOFFS
            w.winners[k] = won
        w.ends[end][1] = high
    if parent >= 0:
        w.edges[parent][1] = ~end
    w.sizes[2] += 1
    return 0


# --------------------------------------------------------------------------------------------------- rows


@dataclass(frozen=True, eq=False)
class Layout:
    """The index of each row of a tree, for the numbers of buckets of each player on each street.

    A row is as many regrets as there are actions and as many weights of the average strategy, side by side.
    """

    tree: PublicTree
    buckets: tuple[tuple[int, ...], ...]  # [players][streets]

    def __post_init__(self) -> None:
        """Raise GameError for numbers that do not fit the tree, and for too many rows."""
        if [len(b) for b in self.buckets] != [self.tree.streets] * 2 or min(map(min, self.buckets)) < 1:
            raise GameError(f"{self.tree.game.name} has {self.tree.streets} streets, not the buckets {self.buckets}.")
        if self.cells > MAX_CELLS:
            raise GameError(
                f"{self.infosets:,} information sets need {4 * self.cells / 1e9:.1f} GB; a table holds at most "
                f"{4 * MAX_CELLS / 1e9:.1f} GB. Use fewer bets or fewer buckets."
            )

    @cached_property
    def slot(self) -> Ints:
        """[N] player and street as one number."""
        return self.tree.player * self.tree.streets + self.tree.street

    @cached_property
    def sizes(self) -> Ints:
        """[2 * streets] how many buckets a slot has."""
        return np.array(self.buckets).ravel()

    @cached_property
    def stride(self) -> Ints:
        """[2 * streets] cells from a bucket of a slot to the next."""
        return np.bincount(self.slot, 2 * self.tree.count, len(self.sizes)).astype(np.int64)

    @cached_property
    def base(self) -> Ints:
        """[N] where the row of bucket 0 begins."""
        width = 2 * self.tree.count
        base = np.zeros(len(self.tree), np.int64)
        begin = 0
        for slot, (stride, size) in enumerate(zip(self.stride.tolist(), self.sizes.tolist(), strict=True)):
            mine = self.slot == slot
            base[mine] = begin + np.cumsum(width[mine]) - width[mine]
            begin += stride * size
        return base

    @property
    def cells(self) -> int:
        """The size of the table in numbers."""
        return int((self.stride * self.sizes).sum())

    @property
    def infosets(self) -> int:
        """Number of rows."""
        return int((np.bincount(self.slot, minlength=len(self.sizes)) * self.sizes).sum())

    @property
    def bytes(self) -> int:
        """Memory of the table."""
        return 4 * self.cells

    @cached_property
    def packed(self) -> npt.NDArray[np.int32]:
        """[N, 4] slot, actions, base and first edge of each node, for kernels."""
        return np.stack([self.slot, self.tree.count, self.base, self.tree.first], axis=1).astype(np.int32)

    def rows(self, node: int) -> Ints:
        """[buckets] where the rows of a node begin."""
        slot = self.slot[node]
        return self.base[node] + self.stride[slot] * np.arange(self.sizes[slot])
