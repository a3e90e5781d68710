"""Walking once through all histories of a game, and what is wrong with one that cannot be enumerated."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor import native as compiler
from parlor.game import CHANCE, OVER, Game, GameError
from parlor.kernel import copy, inlined, key, legal, odds, payoff, play, start, turn
from parlor.play import estimate_in_time
from parlor.rng import mix
from parlor.solvers.spot_check import broken_rules, spot_check

NEAR = 1_000_000
LIMIT = 20_000_000  # histories: two seconds and about a gigabyte
PLAIN_LIMIT = 3_000_000  # for games that cannot be compiled: a minute

TINY = 1e-6  # by how much odds may miss 1, and payoffs 0 in proportion to their size
DONE, NO_ROOM, TOO_MANY, TOO_LONG, FORGETS, DIFFERS, SHARED, BROKEN = range(8)


class TooLarge(GameError):
    """The game has too many histories to be enumerated."""


class ImperfectRecall(GameError):
    """A player forgets what it knew or did."""


class Walked(NamedTuple):
    """What the walk through all histories works with, and what it finds. Sequences count from 1, 0 is empty."""

    moves: Any  # [D, A] along the history that is being looked at; D: two more than the longest game
    chances: Any  # [D, outcomes]
    stack: Any  # [D, 6] 0 who acts, 1 children, 2 next child, 3 infoset, 4 the move that leads on
    reach: Any  # [D] the probability of chance
    last: Any  # [D, P] the last sequence of each player
    payoffs: Any  # [P] where it ends
    slots: Any  # infosets by key
    infoset: Any  # [I, 7] 0 key, 1 player, 2 parent, 3 first sequence, 4 count, 5 and 6 begin and length in the trail
    trail: Any
    action: Any  # [S, 2] action id, infoset
    ending: Any  # [Z, P] last sequences
    result: Any  # [Z, P+1] payoffs, probability of chance
    counts: Any  # [7] 0 histories, 1 infosets, 2 sequences, 3 endings, 4 and 5 key and player of an error (4: depth,
    # where the rules are broken), 6 length of the trail


def walk(game: Game, limit: int, compiled: bool) -> Walked:
    """Walk through all histories, or say why that cannot be done."""
    spot_check(game)
    kernel = compiler.native(enumerate_histories, game) if compiled else compiler.interpret(enumerate_histories, game)
    depth = game.length + 2
    if not compiled and _estimate(game)[0] > 20 * limit:  # no need to walk that far to see it
        raise too_large(game, limit)
    # Room that is never used costs nothing. Plain Python takes all it may need, for it would not like to begin again.
    infosets, sequences, endings = (1 << 15, 1 << 17, 1 << 19) if compiled else (limit, limit + game.actions + 1, limit)
    trail = 1 << 20 if compiled else 20 * limit
    near = compiled  # first not far, to see whether the game is of a sensible size
    while True:
        slots = 1 << (2 * infosets - 1).bit_length()
        walked = Walked(
            moves=np.zeros((depth, game.actions), np.int64),
            chances=np.zeros((depth, game.outcomes)),
            stack=np.zeros((depth, 6), np.int64),
            reach=np.zeros(depth),
            last=np.zeros((depth, game.players), np.int64),
            payoffs=np.zeros(game.players),
            slots=np.zeros(slots, np.int64),
            infoset=np.empty((infosets, 7), np.int64),
            trail=np.empty(trail, np.int32),
            action=np.empty((sequences, 2), np.int32),
            ending=np.empty((endings, game.players), np.int32),
            result=np.empty((endings, game.players + 1)),
            counts=np.zeros(7, np.int64),
        )
        if not compiled:  # lists are faster where single numbers come and go
            names = ("moves", "chances", "stack", "reach", "last", "payoffs", "counts")
            walked = walked._replace(**{name: getattr(walked, name).tolist() for name in names})
        states = compiler.states(game, depth, compiled)
        status = kernel(states, walked, min(limit, NEAR) if near else limit, game.kind == "zero-sum")
        counts = walked.counts
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
        raise too_large(game, limit)
    if status == TOO_LONG:
        raise GameError(f"{game.name} went on for more than LENGTH = {game.length} moves; LENGTH must be raised.")
    if status == BROKEN:
        raise broken_rules(game, [int(row[4]) for row in walked.stack[: int(counts[4])]])
    if status in (FORGETS, DIFFERS, SHARED):
        raise _imperfect(game, walked, status)
    return walked


def _estimate(game: Game) -> tuple[float, bool]:
    """About how many histories the game has, and whether there was time to see; in plain Python, without compiling."""
    if "estimate" not in game.cache:
        game.cache["estimate"] = estimate_in_time(game, 200)
    histories, in_time = game.cache["estimate"]
    return float(histories), bool(in_time)


def too_large(game: Game, limit: int) -> TooLarge:
    """So that nobody walks that far again."""
    game.cache["more histories than"] = max(limit, game.cache.get("more histories than", 0))
    histories, in_time = _estimate(game)
    return TooLarge(
        f"{game.name} is too large to enumerate: {'about' if in_time else 'at least'} {max(histories, limit):.1e} "
        f"histories, more than the limit of {limit:,}. mccfr-outcome samples it without enumeration; so does "
        f"mccfr-external, if its games are short."
    )


def _imperfect(game: Game, walked: Walked, status: int) -> GameError:
    key_ = int(walked.counts[4])
    player = int(walked.counts[5])
    if status == DIFFERS:
        return GameError(
            f"{game.name}: player {player} has two positions with the same key {key_} but different legal actions."
        )
    if status == SHARED:
        return GameError(f"{game.name}: the key {key_} belongs to two players; a key must say whose it is.")
    return ImperfectRecall(
        f"{game.name}: player {player} forgets what it knew or did before (key {key_} is reached in two ways that "
        f"differ in its own past); exact solvers need perfect recall. Sampling works without."
    )


def enumerate_histories(states: Any, walked: Walked, limit: int, zero_sum: bool) -> int:
    """Walk through all histories, depth first, without recursion. `states`: those of the history that is looked at.

    What needs no rules is left to functions that do not see the states: they are compiled once for all games.
    """
    start(states[0])
    walked.reach[0] = 1.0
    depth = 0
    while depth >= 0:
        s = states[depth]
        who = turn(s)
        n = 0
        k = 0
        if who == OVER:
            for p in range(len(walked.payoffs)):
                walked.payoffs[p] = payoff(s, p)
        elif depth >= len(walked.stack) - 2:
            return TOO_LONG
        elif who == CHANCE:
            n = odds(s, walked.chances[depth])
        elif 0 <= who < len(walked.payoffs):
            n = legal(s, walked.moves[depth])
            k = key(s, who)
        status = visit(walked, depth, who, n, k, limit, zero_sum)
        if status != DONE:
            return status
        depth = next_child(walked, depth)
        if depth > 0:
            copy(states, depth, states, depth - 1)
            play(states[depth], walked.stack[depth - 1][4])
    return DONE


@inlined
def visit(walked: Walked, depth: int, who: int, n: int, k: int, limit: int, zero_sum: bool) -> int:
    """Note a history at which `who` acts with `n` children, and its key if a player acts there."""
    counts = walked.counts
    counts[0] += 1
    if counts[0] > limit:
        return TOO_MANY
    stack = walked.stack[depth]
    stack[0] = who
    stack[1] = n
    stack[2] = 0
    status = DONE
    if who == OVER:
        status = visit_ending(walked, depth, zero_sum)
    elif who == CHANCE:
        chances = walked.chances[depth]
        total = 0.0
        if 1 <= n <= len(chances):
            for i in range(n):
                total += chances[i] if chances[i] >= 0.0 else np.inf
        if not abs(total - 1.0) <= TINY:
            status = BROKEN
    elif 1 <= n <= len(walked.moves[depth]):
        status = visit_infoset(walked, depth, who, n, k)
    else:
        status = BROKEN
    if status == BROKEN:
        counts[4] = depth
    return status


def visit_ending(walked: Walked, depth: int, zero_sum: bool) -> int:
    """Note the end of a game."""
    z = walked.counts[3]
    if z >= len(walked.ending):
        return NO_ROOM
    players = len(walked.payoffs)
    total = 0.0
    size = 1.0
    for p in range(players):
        u = walked.payoffs[p]
        walked.ending[z][p] = walked.last[depth][p]
        walked.result[z][p] = u
        total += u
        size += abs(u)
    if not size < np.inf or (zero_sum and abs(total) > TINY * size):
        return BROKEN
    walked.result[z][players] = walked.reach[depth]
    walked.counts[3] = z + 1
    return DONE


def visit_infoset(walked: Walked, depth: int, who: int, n: int, k: int) -> int:
    """Note the information set of a decision, or hold the decision to what is known of it."""
    moves = walked.moves[depth]
    slots = walked.slots
    infoset = walked.infoset
    action = walked.action
    counts = walked.counts
    mask = len(slots) - 1
    slot = mix(0, k) & mask
    while slots[slot] != 0 and infoset[slots[slot] - 1][0] != k:
        slot = (slot + 1) & mask
    i = slots[slot] - 1
    if i < 0:
        i = counts[1]
        if i >= len(infoset) or counts[2] + n >= len(action) or counts[6] + depth >= len(walked.trail):
            return NO_ROOM
        counts[1] = i + 1
        slots[slot] = i + 1
        infoset[i][0] = k
        infoset[i][1] = who
        infoset[i][2] = walked.last[depth][who]
        infoset[i][3] = counts[2] + 1
        infoset[i][4] = n
        for j in range(n):
            move = moves[j]
            broken = move < 0 or move >= len(moves)
            for before in range(j):
                broken = broken or moves[before] == move
            if broken:
                return BROKEN
            action[counts[2] + 1 + j][0] = move
            action[counts[2] + 1 + j][1] = i
        counts[2] += n
        infoset[i][5] = counts[6]
        infoset[i][6] = depth
        for d in range(depth):
            walked.trail[counts[6] + d] = walked.stack[d][4]
        counts[6] += depth
    else:
        counts[4] = k
        counts[5] = who
        if infoset[i][1] != who:
            return SHARED
        if infoset[i][4] != n:
            return DIFFERS
        for j in range(n):
            if action[infoset[i][3] + j][0] != moves[j]:
                return DIFFERS
        if infoset[i][2] != walked.last[depth][who]:
            return FORGETS
    walked.stack[depth][3] = i
    return DONE


@inlined
def next_child(walked: Walked, depth: int) -> int:
    """The depth of the next history: a child of the one at `depth`, else of its parent and so on; -1 at the end."""
    stack = walked.stack
    reach = walked.reach
    while depth >= 0:
        child = stack[depth][2]
        if child >= stack[depth][1]:
            depth -= 1
            continue
        stack[depth][2] = child + 1
        who = stack[depth][0]
        if who == CHANCE and walked.chances[depth][child] <= 0.0:
            continue
        for p in range(len(walked.payoffs)):
            walked.last[depth + 1][p] = walked.last[depth][p]
        if who == CHANCE:
            stack[depth][4] = child
            reach[depth + 1] = reach[depth] * walked.chances[depth][child]
        else:
            stack[depth][4] = int(walked.moves[depth][child])
            reach[depth + 1] = reach[depth]
            walked.last[depth + 1][who] = walked.infoset[stack[depth][3]][3] + child
        return depth + 1
    return -1
