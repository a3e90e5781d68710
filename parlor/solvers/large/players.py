"""The strategies of all players in one bundle, as the walk reads them: tables by hash, networks as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from parlor import compile as compiler
from parlor.compile import Bindings
from parlor.compile.kernel import IntArray, key
from parlor.game import Floats, Game, Ints, State
from parlor.game.rng import mix
from parlor.policies.opponents import (
    NetworkWorkspace,
    OpponentArrays,
    member_probabilities,
    opponent_arrays,
    opponent_bindings,
    table_probabilities,
    workspace,
)
from parlor.policies.strategy import Strategy

EMPTY = -1  # the key of a place that has no row


def players_arrays(game: Game, strategies: Sequence[Strategy]) -> OpponentArrays:
    """The strategy of each player, each of them in memory once; the rows of a table lie at the hashes of their keys."""
    different = list({id(one): one for one in strategies}.values())
    found = opponent_arrays(game, [list(range(game.players))], [1.0], different)
    begin, end, parts, places = found.begin.copy(), found.end.copy(), [], 0
    for m in np.flatnonzero(found.network == 0):
        rows = slice(begin[m], end[m])
        size = 1 << (2 * (end[m] - begin[m]) - 1).item().bit_length() if end[m] > begin[m] else 0
        part = np.full(size, EMPTY, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64)
        compiler.native(hash_rows)(found.keys[rows], found.first[rows], found.count[rows], *part)
        parts.append(part)
        begin[m], end[m] = places, places + size
        places += size
    empty = np.zeros(0, np.int64)
    keys, first, count = (np.concatenate([empty, *(part[i] for part in parts)]) for i in range(3))
    found = found._replace(begin=begin, end=end, keys=keys, first=first, count=count)
    seats = [next(i for i, other in enumerate(different) if other is one) for one in strategies]
    by_member = ("network", "begin", "end", "sizes", "depth", "temperature")
    return found._replace(**{name: getattr(found, name)[seats] for name in by_member})


def players_bindings(members: OpponentArrays) -> Bindings:
    """The bindings of kernels that ask these players."""
    if not members.network.any():
        return {member_probabilities: hashed_probabilities}
    return {table_probabilities: hashed_probabilities, **opponent_bindings(members)}


def players_workspaces(game: Game, strategies: Sequence[Strategy]) -> Callable[[], NetworkWorkspace]:
    """A function that makes the working memory of networks, for each thread anew."""
    networks: list[Any] = [one for one in strategies if one.kind == "network"]
    code = networks[0].code if networks else np.zeros((0, 3), np.int64)
    widest = max([1, *(max(one.sizes) for one in networks)])
    tries = any(one.afterstates for one in networks)
    return lambda: workspace(code, widest, game.actions, compiler.states(game, 1, True) if tries else None)


def hash_rows(
    keys: IntArray, first: IntArray, count: IntArray, places: IntArray, first_at: IntArray, count_at: IntArray
) -> None:
    """Put rows at the hashes of their keys; the number of places is a power of two."""
    mask = len(places) - 1
    for i in range(len(keys)):
        at = mix(0, int(keys[i])) & mask
        while places[at] != EMPTY:
            at = (at + 1) & mask
        places[at] = keys[i]
        first_at[at] = first[i]
        count_at[at] = count[i]


def hashed_probabilities(
    members: OpponentArrays, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, spaces: NetworkWorkspace
) -> bool:
    """The row of a table, uniform if it is unknown; false if it is of another length."""
    begin = members.begin[m]
    size = members.end[m] - begin
    if size > 0:
        k = key(s, p)
        at = mix(0, k) & (size - 1)
        while members.keys[begin + at] != EMPTY and members.keys[begin + at] != k:
            at = (at + 1) & (size - 1)
        if members.keys[begin + at] == k:
            first = members.first[begin + at]
            for i in range(n):
                out[i] = members.probabilities[first + i] if i < members.count[begin + at] else 0.0
            return bool(members.count[begin + at] == n)
    for i in range(n):
        out[i] = 1.0 / n
    return True
