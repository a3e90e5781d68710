"""A game enumerated once into flat arrays, in sequence form.

A *sequence* of a player is what it has done so far: one action at one information set, after the sequence that led
there. With perfect recall every information set has exactly one such parent, so a strategy is a number for each
sequence and a history that ends the game matters only through the sequences it ends in (Koller, Megiddo and von
Stengel, 1996; von Stengel 1996). Solvers then never walk the game again: an iteration is a few passes over arrays.

Sequences of all players share one numbering: player p's are `bounds[p] .. bounds[p+1]`, the first of them empty.
Information sets likewise, ordered so that a parent always comes before its children.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor.compile.random_games import estimate_in_time
from parlor.game import Game
from parlor.game.loading import as_game
from parlor.game.words import html_table
from parlor.sequence_form.enumeration import (
    LIMIT,
    PLAIN_LIMIT,
    ImperfectRecall,
    TooLarge,
    Walked,
    spot_check,
    too_large,
    walk,
)

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.uint32]  # unsigned: compiled loops need no check for negative ones, and run twice as fast

PLAIN_HISTORIES = 20_000  # histories: a third of a second in plain Python, about half of what the compiler would take
CLEARLY_LARGE = 1e15  # histories, as a few random games suggest them
_NAMES = {True: "tree", False: "plain tree"}  # in a game's cache, by whether it was enumerated by compiled code


class Sequences(NamedTuple):
    """The arrays of a tree that kernels read, see `Tree`. I infosets, S sequences, E entries, P players."""

    parent: Any  # [I]
    first: Any  # [I]
    count: Any  # [I]
    infoset_bounds: Any  # [P+1]
    bounds: Any  # [P+1]
    entry_bounds: Any  # [S+1]
    other: Any  # [E, P-1]
    weight: Any  # [E]


@dataclass(frozen=True)
class Tree:
    """The flat arrays. I infosets, S sequences, Z distinct endings (of a large game, those that pay), P players."""

    game: Game
    histories: int
    endings: int  # terminal histories
    keys: Ints  # [I] the game's key of each infoset
    player: Ints  # [I]
    parent: Indices  # [I] the sequence that leads here
    first: Indices  # [I] the sequence of the first action; the others follow
    count: Indices  # [I] how many actions
    infoset_bounds: Ints  # [P+1]
    bounds: Ints  # [P+1] sequences of each player
    action: Ints  # [S] action id, -1 for an empty sequence
    entry_bounds: Indices  # [S+1] the endings in which each sequence is the last of its player
    other: Indices  # [P*Z, P-1] there, the last sequences of the other players
    weight: Floats  # [P*Z] there, probability of chance times payoff of the player
    trail: npt.NDArray[np.int32]  # one history that leads to each infoset, one after the other
    trail_begin: Ints  # [I] where it begins there
    trail_length: Ints  # [I]

    @property
    def infosets(self) -> int:
        """Number of information sets."""
        return len(self.keys)

    @property
    def sequences(self) -> int:
        """Number of sequences, the empty ones included."""
        return len(self.action)

    @cached_property
    def sequence_form(self) -> Sequences:
        """The arrays of solvers, in a bundle."""
        return Sequences(*(getattr(self, name) for name in Sequences._fields))

    @cached_property
    def counts(self) -> Ints:
        """`count`, signed, for arithmetic."""
        return self.count.astype(np.int64)

    @cached_property
    def rows(self) -> Ints:
        """The sequences of all infosets' actions, infoset by infoset."""
        starts = np.cumsum(self.counts) - self.counts
        return np.repeat(self.first.astype(np.int64) - starts, self.counts) + np.arange(self.counts.sum())

    def entries_of(self, player: int) -> tuple[slice, Ints]:
        """The places of a player's entries, and its own last sequence in each."""
        low, high = self.bounds[player : player + 2].tolist()
        starts = self.entry_bounds[low : high + 1].astype(np.int64)
        return slice(int(starts[0]), int(starts[-1])), np.repeat(np.arange(low, high), starts[1:] - starts[:-1])

    def history(self, infoset: int) -> list[int]:
        """The moves and outcomes of one history that leads to an infoset."""
        begin = self.trail_begin[infoset]
        return self.trail[begin : begin + self.trail_length[infoset]].tolist()

    def __repr__(self) -> str:
        return (
            f"<tree of {self.game.name}: {self.histories:,} histories, {self.endings:,} endings, "
            f"{self.infosets:,} information sets, {self.sequences:,} sequences>"
        )

    def _repr_html_(self) -> str:
        rows = [
            (p, f"{infosets:,}", f"{sequences:,}")
            for p, (infosets, sequences) in enumerate(
                zip(np.diff(self.infoset_bounds).tolist(), np.diff(self.bounds).tolist(), strict=True)
            )
        ]
        caption = f"tree of {self.game.name}: {self.histories:,} histories, {self.endings:,} endings"
        return html_table(caption, ("player", "information sets", "sequences"), rows)

    def digest(self) -> str:
        """A hash of the whole tree: any change of any rule shows here."""
        h = hashlib.sha256(f"{self.histories} {self.endings}".encode())
        for array in (self.keys, self.player, self.parent, self.first, self.action, self.entry_bounds, self.other):
            h.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
        h.update(np.round(self.weight, 12).tobytes())
        return h.hexdigest()[:16]


def tree(game: Game | str, limit: int | None = None, compiled: bool | None = None) -> Tree:
    """Enumerate `game`; TooLarge if it has more than `limit` histories. The result is cached.

    Unless `compiled` says otherwise, a game of few histories is walked through in plain Python: there the compiler
    would take longer than the walk.
    """
    game = as_game(game)
    if compiled is None:
        compiled = game.native and not _few(game)
        if game.cache.get("histories suggested", 0.0) > CLEARLY_LARGE:  # nothing is compiled to see it
            raise too_large(game, limit or LIMIT)
    name = _NAMES[compiled]
    limit = (LIMIT if compiled else PLAIN_LIMIT) if limit is None else limit
    if name not in game.cache:
        if game.cache.get("more histories than", 0) >= limit:
            raise too_large(game, limit)
        game.cache[name] = _flatten(game, walk(game, limit, compiled))
    found: Tree = game.cache[name]
    if found.histories > limit:
        raise TooLarge(f"{game.name} has {found.histories:,} histories, more than the limit of {limit:,}.")
    return found


def _few(game: Game) -> bool:
    """Whether the game has few histories: it is tried, if random games suggest it."""
    if _NAMES[True] in game.cache:
        return False
    if "few histories" not in game.cache:
        spot_check(game)
        histories, in_time = estimate_in_time(game, 20, 0.1)
        game.cache["histories suggested"] = histories
        game.cache["few histories"] = in_time and histories < PLAIN_HISTORIES
        if game.cache["few histories"]:
            try:
                tree(game, 3 * PLAIN_HISTORIES, compiled=False)
            except TooLarge:
                game.cache["few histories"] = False
    return bool(game.cache["few histories"])


def tree_if_small(game: Game) -> Tree | None:
    """The tree, if the game is enumerated already, or small enough for that to take a second; else None."""
    if any(name in game.cache for name in _NAMES.values()):
        return tree(game)
    if "in passing" not in game.cache:  # a few games in plain Python decide whether to compile anything
        histories, in_time = estimate_in_time(game, 4)
        game.cache["in passing"] = in_time and histories < CLEARLY_LARGE
    if not game.cache["in passing"]:
        return None
    try:
        return tree(game, 2_000_000 if game.native else 50_000)
    except (TooLarge, ImperfectRecall):
        return None


def _groups(columns: list[Ints], size: int) -> tuple[Ints, Ints]:
    """Rows in the order of their columns (numbers below `size`), and where each group of equal ones begins."""
    code = columns[0]
    for column in columns[1:]:
        if int(code.max(initial=0)) >= 2**62 // size:  # a number would no longer do: rank the columns so far
            code = np.unique(code, return_inverse=True)[1]
        code = code * size + column
    order = np.argsort(code, kind="stable")
    ordered = code[order]
    return order, np.flatnonzero(np.concatenate([[len(ordered) > 0], ordered[1:] != ordered[:-1]]))


class Numbering(NamedTuple):
    """The infosets of a walk in the order of their players, and the sequences as a tree numbers them."""

    infoset: Any  # [I, 7] as in `Walked`
    bounds: Ints  # [P+1]
    infoset_bounds: Ints  # [P+1]
    first: Ints  # [I]
    new: Ints  # [S] by the number in the walk
    owned: Ints  # [Z, P] the last sequences in each ending


def _numbering(walked: Walked, players: int) -> Numbering:
    """Give each player its own range of sequences."""
    infosets, sequences, kept = (int(n) for n in walked.counts[1:4])
    infoset, ending = walked.infoset[:infosets], walked.ending[:kept]
    order = np.argsort(infoset[:, 1], kind="stable")  # by player, discovery order within
    infoset = infoset[order]
    infoset_bounds = np.searchsorted(infoset[:, 1], np.arange(players + 1))
    # old sequence number -> new: the player's empty sequence, then its infosets' actions in their order
    count = infoset[:, 4]
    before = np.concatenate([[0], np.cumsum(count)])  # actions of earlier infosets
    first = before[:-1] + infoset[:, 1] + 1
    bounds = before[infoset_bounds] + np.arange(players + 1)
    new = np.zeros(sequences + 1, np.int64)
    ordinal = np.arange(before[-1]) - np.repeat(before[:-1], count)
    new[np.repeat(infoset[:, 3], count) + ordinal] = np.repeat(first, count) + ordinal
    owned = np.where(ending == 0, bounds[:-1], new[ending])
    return Numbering(infoset, bounds, infoset_bounds, first, new, owned)


class Endings(NamedTuple):
    """The endings of a game one by one, as a `Tree` keeps them only by the sequences that they end in."""

    last: Ints  # [Z, P] the last sequences of the players
    chance: Floats  # [Z]
    payoffs: Floats  # [Z, P]


def endings(t: Tree) -> Endings:
    """The endings of an enumerated game, which is walked through once more; of a large one, those that pay."""
    walked = walk(t.game, t.histories, compiled=_NAMES[True] in t.game.cache)
    result = np.asarray(walked.result[: int(walked.counts[3])])
    return Endings(_numbering(walked, t.game.players).owned, result[:, -1].copy(), result[:, :-1].copy())


def _flatten(game: Game, walked: Walked) -> Tree:
    """Give each player its own range of sequences and list the endings by sequence."""
    histories, _, sequences, kept = (int(n) for n in walked.counts[:4])
    action, result, players = walked.action[: sequences + 1], walked.result[:kept], game.players
    infoset, bounds, infoset_bounds, first, new, owned = _numbering(walked, players)
    count = infoset[:, 4]
    parent = np.where(infoset[:, 2] == 0, bounds[infoset[:, 1]], new[infoset[:, 2]])
    actions = np.full(int(bounds[-1]), -1, np.int64)
    actions[new[1:]] = action[1:, 0]

    chance = result[:, players]
    entry_bounds, other, weight = [np.zeros(1, np.int64)], [], []
    for p in range(players):
        utility = chance * result[:, p]
        mine, rest = owned[:, p], np.delete(owned, p, axis=1)
        order_of, starts = _groups([mine, *rest.T], int(bounds[-1]))  # endings that differ only by chance are one entry
        mine, rest, utility = mine[order_of[starts]], rest[order_of[starts]], np.add.reduceat(utility[order_of], starts)
        offset = entry_bounds[-1][-1]
        entry_bounds.append(offset + np.searchsorted(mine, np.arange(bounds[p] + 1, bounds[p + 1] + 1)))
        other.append(rest)
        weight.append(utility)
    return Tree(
        game=game,
        histories=histories,
        endings=int(walked.counts[7]),
        keys=np.ascontiguousarray(infoset[:, 0]),
        player=np.ascontiguousarray(infoset[:, 1]),
        parent=parent.astype(np.uint32),
        first=first.astype(np.uint32),
        count=count.astype(np.uint32),
        infoset_bounds=infoset_bounds,
        bounds=bounds,
        action=actions,
        entry_bounds=np.concatenate(entry_bounds).astype(np.uint32),
        other=np.concatenate(other).astype(np.uint32),
        weight=np.concatenate(weight),
        trail=walked.trail[: walked.counts[6]].copy(),
        trail_begin=np.ascontiguousarray(infoset[:, 5]),
        trail_length=np.ascontiguousarray(infoset[:, 6]),
    )
