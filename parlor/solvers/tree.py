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
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor import native as compiler
from parlor.game import CHANCE, OVER, Game, GameError
from parlor.games import as_game
from parlor.html import html_table
from parlor.kernel import copy, key, legal, odds, payoff, play, start, turn
from parlor.play import estimate_in_time
from parlor.rng import mix
from parlor.solvers.spot_check import broken_rules, spot_check

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.uint32]  # unsigned: compiled loops need no check for negative ones, and run twice as fast

NEAR = 1_000_000
CLEARLY_LARGE = 1e15  # estimated histories, from a few random games
LIMIT = 20_000_000  # histories: two seconds and about a gigabyte
PLAIN_LIMIT = 3_000_000  # for games that cannot be compiled: a minute

TINY = 1e-6  # the tolerance of odds around 1, and of payoffs around 0 in proportion to their size
DONE, NO_ROOM, TOO_MANY, TOO_LONG, FORGETS, DIFFERS, SHARED, BROKEN = range(8)


class TooLarge(GameError):
    """The game has too many histories to be enumerated."""


class ImperfectRecall(GameError):
    """A player forgets what it knew or did."""


@dataclass(frozen=True)
class Tree:
    """The flat arrays. I infosets, S sequences, Z distinct endings, P players."""

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
    def counts(self) -> Ints:
        """`count`, signed, for arithmetic."""
        return self.count.astype(np.int64)

    @cached_property
    def rows(self) -> Ints:
        """The sequences of all infosets' actions, infoset by infoset."""
        starts = np.cumsum(self.counts) - self.counts
        return np.repeat(self.first.astype(np.int64) - starts, self.counts) + np.arange(self.counts.sum())

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
    """Enumerate `game`; TooLarge if it has more than `limit` histories. The result is cached."""
    game = as_game(game)
    compiled = game.native if compiled is None else compiled
    limit = (LIMIT if compiled else PLAIN_LIMIT) if limit is None else limit
    name = "tree" if compiled else "plain tree"
    if name not in game.cache:
        if game.cache.get("more histories than", 0) >= limit:
            raise _too_large(game, limit)
        game.cache[name] = _enumerate(game, limit, compiled)
    found: Tree = game.cache[name]
    if found.histories > limit:
        raise TooLarge(f"{game.name} has {found.histories:,} histories, more than the limit of {limit:,}.")
    return found


def tree_if_small(game: Game) -> Tree | None:
    """The tree, if the game is enumerated already, or small enough for that to take a second; else None."""
    name = "tree" if game.native else "plain tree"
    if name in game.cache:
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


# --------------------------------------------------------------------------------------------------- enumeration


def _enumerate(game: Game, limit: int, compiled: bool) -> Tree:
    spot_check(game)
    kernel = compiler.native(enumerate_histories, game) if compiled else compiler.interpret(enumerate_histories, game)
    depth = game.length + 2
    if not compiled and _estimate(game)[0] > 20 * limit:  # no need to enumerate that far
        raise _too_large(game, limit)
    # Unused room costs nothing. Plain Python takes all it may need, so as not to start again.
    infosets, sequences, endings = (1 << 15, 1 << 17, 1 << 19) if compiled else (limit, limit + game.actions + 1, limit)
    trail = 1 << 20 if compiled else 20 * limit
    near = compiled  # first a small limit, to see whether the game has a reasonable size
    while True:
        slots = 1 << (2 * infosets - 1).bit_length()
        made: dict[str, Any] = {
            "states": compiler.states(game, depth, compiled),
            "moves": np.zeros((depth, game.actions), np.int64),
            "chances": np.zeros((depth, game.outcomes)),
            "stack": np.zeros((depth, 6), np.int64),
            "reach": np.zeros(depth),
            "last": np.zeros((depth, game.players), np.int64),
            "slots": np.zeros(slots, np.int64),
            "infoset": np.empty((infosets, 7), np.int64),
            "trail": np.empty(trail, np.int32),
            "action": np.empty((sequences, 2), np.int32),
            "ending": np.empty((endings, game.players), np.int32),
            "result": np.empty((endings, game.players + 1)),
            "counts": np.zeros(7, np.int64),
        }
        if not compiled:  # lists are faster where single numbers come and go
            made |= {name: made[name].tolist() for name in ("moves", "chances", "stack", "reach", "last", "counts")}
        status = kernel(*made.values(), min(limit, NEAR) if near else limit, game.kind == "zero-sum")
        counts = made["counts"]
        if near and status == TOO_MANY and limit > NEAR:
            near = False
            if _estimate(game)[0] > 20 * limit:
                break
            continue
        if status != NO_ROOM:
            break
        infosets *= 4 if counts[1] >= infosets else 1
        sequences *= 4 if counts[2] + game.actions >= sequences else 1
        endings *= 4 if counts[3] >= endings else 1
        trail *= 4 if counts[6] + game.length >= trail else 1
    if status == TOO_MANY:
        raise _too_large(game, limit)
    if status == TOO_LONG:
        raise GameError(f"{game.name} went on for more than LENGTH = {game.length} moves; raise LENGTH.")
    if status == BROKEN:
        raise broken_rules(game, [int(row[4]) for row in made["stack"][: int(counts[4])]])
    if status in (FORGETS, DIFFERS, SHARED):
        raise _imperfect(game, made, status)
    return _flatten(game, made)


def _estimate(game: Game) -> tuple[float, bool]:
    """About how many histories the game has, and whether there was time for it; in plain Python."""
    if "estimate" not in game.cache:
        game.cache["estimate"] = estimate_in_time(game, 200)
    histories, in_time = game.cache["estimate"]
    return float(histories), bool(in_time)


def _too_large(game: Game, limit: int) -> TooLarge:
    game.cache["more histories than"] = max(limit, game.cache.get("more histories than", 0))
    histories, in_time = _estimate(game)
    return TooLarge(
        f"{game.name} is too large to enumerate: {'about' if in_time else 'at least'} {max(histories, limit):.1e} "
        f"histories, more than the limit of {limit:,}. Use mccfr-outcome, which samples it without enumeration, or "
        f"mccfr-external, if its games are short."
    )


def _imperfect(game: Game, made: dict[str, Any], status: int) -> GameError:
    key_ = int(made["counts"][4])
    player = int(made["counts"][5])
    if status == DIFFERS:
        return GameError(
            f"{game.name}: player {player} has two positions with the same key {key_} but different legal actions."
        )
    if status == SHARED:
        return GameError(f"{game.name}: the key {key_} belongs to two players; put the player's number into its keys.")
    return ImperfectRecall(
        f"{game.name}: player {player} forgets what it knew or did before (key {key_} is reached in two ways that "
        f"differ in its own past); exact solvers need perfect recall. Use a sampling algorithm, which does not."
    )


def enumerate_histories(
    states: Any,
    moves: Any,
    chances: Any,
    stack: Any,
    reach: Any,
    last: Any,
    slots: Any,
    infoset: Any,
    trail: Any,
    action: Any,
    ending: Any,
    result: Any,
    counts: Any,
    limit: int,
    zero_sum: bool,
) -> int:
    """Walk through all histories, depth first, without recursion.

    stack[d]: 0 who acts, 1 children, 2 next child, 3 infoset, 4 the move that leads on.
    infoset[i]: 0 key, 1 player, 2 parent sequence, 3 first sequence, 4 count, 5 and 6 begin and length in the trail.
    Sequences count from 1, 0 is empty.
    counts: 0 histories, 1 infosets, 2 sequences, 3 endings, 4 and 5 key and player of an error, 6 length of the trail;
    where the rules are broken, 4 is the depth.
    """
    players = len(last[0])
    actions = len(moves[0])
    mask = len(slots) - 1
    start(states[0])
    reach[0] = 1.0
    depth = 0
    fresh = True  # the node at `depth` has not been visited
    while True:
        if fresh:
            fresh = False
            counts[0] += 1
            if counts[0] > limit:
                return TOO_MANY
            s = states[depth]
            who = turn(s)
            stack[depth][0] = who
            stack[depth][1] = 0
            stack[depth][2] = 0
            if who == OVER:
                z = counts[3]
                if z >= len(ending):
                    return NO_ROOM
                total = 0.0
                size = 1.0
                for p in range(players):
                    u = payoff(s, p)
                    ending[z][p] = last[depth][p]
                    result[z][p] = u
                    total += u
                    size += abs(u)
                if not size < np.inf or (zero_sum and abs(total) > TINY * size):
                    counts[4] = depth
                    return BROKEN
                result[z][players] = reach[depth]
                counts[3] = z + 1
            elif depth >= len(stack) - 2:
                return TOO_LONG
            elif who == CHANCE:
                n = odds(s, chances[depth])
                total = 0.0
                if 1 <= n <= len(chances[depth]):
                    for i in range(n):
                        total += chances[depth][i] if chances[depth][i] >= 0.0 else np.inf
                if not abs(total - 1.0) <= TINY:
                    counts[4] = depth
                    return BROKEN
                stack[depth][1] = n
            else:
                n = legal(s, moves[depth]) if 0 <= who < players else 0
                if not 1 <= n <= actions:
                    counts[4] = depth
                    return BROKEN
                stack[depth][1] = n
                k = key(s, who)
                slot = mix(0, k) & mask
                while slots[slot] != 0 and infoset[slots[slot] - 1][0] != k:
                    slot = (slot + 1) & mask
                i = slots[slot] - 1
                if i < 0:
                    i = counts[1]
                    if i >= len(infoset) or counts[2] + n >= len(action) or counts[6] + depth >= len(trail):
                        return NO_ROOM
                    counts[1] = i + 1
                    slots[slot] = i + 1
                    infoset[i][0] = k
                    infoset[i][1] = who
                    infoset[i][2] = last[depth][who]
                    infoset[i][3] = counts[2] + 1
                    infoset[i][4] = n
                    for j in range(n):
                        move = moves[depth][j]
                        broken = move < 0 or move >= actions
                        for before in range(j):
                            broken = broken or moves[depth][before] == move
                        if broken:
                            counts[4] = depth
                            return BROKEN
                        action[counts[2] + 1 + j][0] = move
                        action[counts[2] + 1 + j][1] = i
                    counts[2] += n
                    infoset[i][5] = counts[6]
                    infoset[i][6] = depth
                    for d in range(depth):
                        trail[counts[6] + d] = stack[d][4]
                    counts[6] += depth
                else:
                    counts[4] = k
                    counts[5] = who
                    if infoset[i][1] != who:
                        return SHARED
                    if infoset[i][4] != n:
                        return DIFFERS
                    for j in range(n):
                        if action[infoset[i][3] + j][0] != moves[depth][j]:
                            return DIFFERS
                    if infoset[i][2] != last[depth][who]:
                        return FORGETS
                stack[depth][3] = i
        if stack[depth][2] >= stack[depth][1]:
            depth -= 1
            if depth < 0:
                return DONE
            continue
        child = stack[depth][2]
        stack[depth][2] = child + 1
        who = stack[depth][0]
        if who == CHANCE and chances[depth][child] <= 0.0:
            continue
        copy(states, depth + 1, states, depth)
        for p in range(players):
            last[depth + 1][p] = last[depth][p]
        if who == CHANCE:
            move = child
            reach[depth + 1] = reach[depth] * chances[depth][child]
        else:
            move = int(moves[depth][child])
            reach[depth + 1] = reach[depth]
            last[depth + 1][who] = infoset[stack[depth][3]][3] + child
        stack[depth][4] = move
        play(states[depth + 1], move)
        depth += 1
        fresh = True


def _groups(columns: list[Ints], size: int) -> tuple[Ints, Ints]:
    """Rows in the order of their columns (numbers below `size`), and where each group of equal ones begins."""
    code = columns[0]
    for column in columns[1:]:
        if int(code.max(initial=0)) >= 2**62 // size:  # a number would no longer do: rank the columns so far
            code = np.unique(code, return_inverse=True)[1]
        code = code * size + column
    order = np.argsort(code, kind="stable")
    ordered = code[order]
    return order, np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))


def _flatten(game: Game, made: dict[str, Any]) -> Tree:
    """Give each player its own range of sequences and list the endings by sequence."""
    histories, infosets, sequences, endings = (int(n) for n in made["counts"][:4])
    infoset = made["infoset"][:infosets]
    action = made["action"][: sequences + 1]
    ending = made["ending"][:endings]
    result = made["result"][:endings]
    players = game.players

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
    parent = np.where(infoset[:, 2] == 0, bounds[infoset[:, 1]], new[infoset[:, 2]])
    actions = np.full(int(bounds[-1]), -1, np.int64)
    actions[new[1:]] = action[1:, 0]

    owned = np.where(ending == 0, bounds[:-1], new[ending])  # [Z, P]
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
        endings=endings,
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
        trail=made["trail"][: made["counts"][6]].copy(),
        trail_begin=np.ascontiguousarray(infoset[:, 5]),
        trail_length=np.ascontiguousarray(infoset[:, 6]),
    )
