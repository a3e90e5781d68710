"""Walking once through all histories of a game, and what is wrong with one that cannot be enumerated.

A check of rules in plain Python before compiled code relies on them.

Compiled code does not notice an index that is out of range, and a solver takes whatever odds, actions and payoffs it is
given: broken rules would give wrong numbers instead of an error. So a few random games are played slowly first, in
which every answer of every rule is checked against the contract. An enumeration then checks everything it visits.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import copy, inlined, key, legal, odds, payoff, play, start, turn
from parlor.compile.random_games import estimate_in_time
from parlor.game import CHANCE, OVER, Game, GameError
from parlor.game.position_checks import Broken, Place, PositionChecks
from parlor.game.rng import below, choose, mix, seed_stream

GAMES = 100
SECONDS = 0.05  # after which no further game is started


def spot_check(game: Game) -> None:
    """Play a few random games in plain Python, once for a game; rules that break the contract are an error."""
    if "spot check" in game.cache:
        return
    game.cache["spot check"] = True
    stream, deadline = [0, 0, 0, 0], time.thread_time() + SECONDS
    for index in range(GAMES):
        seed_stream(stream, 0, index)
        wrong = _wrong(game, None, stream)
        if wrong:
            del game.cache["spot check"]
            raise GameError(f"{game.name}: {wrong}")
        if time.thread_time() > deadline:
            break


def broken_rules(game: Game, moves: Sequence[int]) -> GameError:
    """The error in the rules after these moves, where an enumeration has found that something is wrong."""
    wrong = _wrong(game, moves, [0, 0, 0, 0]) or (
        f"after the moves {', '.join(map(str, moves)) or 'none'} the rules broke the contract, but not when they were "
        f"called again; `parlor check` says more."
    )
    return GameError(f"{game.name}: {wrong}")


def _wrong(game: Game, moves: Sequence[int] | None, stream: list[int]) -> str:
    """The first error along the given moves, or along a random game; empty if there is none."""
    checks, made = PositionChecks(game), list[int]()
    try:
        with checks.watched():
            return _walk_along(checks, moves, stream, made)
    except Broken as broken:
        return broken.sentence


def _walk_along(checks: PositionChecks, moves: Sequence[int] | None, stream: list[int], made: list[int]) -> str:
    place, state = Place(made, 0), checks.game.new_state()
    checks.call("start", place, state)
    while True:
        look = checks.look(state, place)
        if look.turn == OVER or checks.failures or (moves is not None and len(made) == len(moves)):
            return next(iter(checks.failures.values()), "")
        if look.turn != CHANCE:
            checks.key(state, look.turn, place)
        if moves is not None:
            move = int(moves[len(made)])
        elif look.turn == CHANCE:
            move = look.options[choose(stream, look.numbers, len(look.options))]
        else:
            move = look.options[below(stream, len(look.options))]
        checks.call("play", place, state, move)
        made.append(move)
        place = Place(made, len(made))


NEAR = 1_000_000
ROOM = 20_000_000  # histories of which all endings are kept, and whatever is kept of larger games: about a gigabyte
LIMIT = 200_000_000  # histories: half a minute
LARGEST = 1_000_000_000  # information sets, sequences or endings that pay, where there is memory for them
BYTES = 250  # of each, at the time when most are kept twice
PLAIN_LIMIT = 3_000_000  # for games that cannot be compiled: a minute

TINY = 1e-6  # by how much odds may miss 1, and payoffs 0 in proportion to their size
DONE, NO_ROOM, TOO_MANY, TOO_LONG, FORGETS, DIFFERS, SHARED, BROKEN = range(8)


class TooLarge(GameError):
    """The game has too many histories to be enumerated."""


class ImperfectRecall(GameError):
    """A player forgets what it knew or did."""


class Walked(NamedTuple):
    """The working memory and the results of the walk through all histories. Sequences count from 1, 0 is empty."""

    states: Any  # [D] the history that is being looked at; D: two more than the longest game
    moves: Any  # [D, A]
    chances: Any  # [D, outcomes]
    stack: Any  # [D, 6] 0 who acts, 1 children, 2 next child, 3 infoset, 4 the move that leads on
    reach: Any  # [D] the probability of chance
    last: Any  # [D, P] the last sequence of each player
    slots: Any  # infosets by key
    infoset: Any  # [I, 7] 0 key, 1 player, 2 parent, 3 first sequence, 4 count, 5 and 6 begin and length in the trail
    trail: Any
    action: Any  # [S, 2] action id, infoset
    ending: Any  # [Z, P] last sequences, of the endings that are kept
    result: Any  # [Z, P+1] payoffs, probability of chance
    counts: Any  # [8] 0 histories, 1 infosets, 2 sequences, 3 kept endings, 4 and 5 key and player of an error (4:
    # depth, where the rules are broken), 6 length of the trail, 7 all endings


class ArraySizes(NamedTuple):
    """The sizes of the arrays of results."""

    infosets: int
    sequences: int
    endings: int
    trail: int


def walk(game: Game, limit: int, compiled: bool) -> Walked:
    """Walk through all histories, or say why that cannot be done.

    Of a game with more than ROOM histories, only endings that pay somebody are kept: the others change no value.
    """
    spot_check(game)
    kernel = compiler.native(enumerate_histories, game) if compiled else compiler.interpret(enumerate_histories, game)
    if not compiled and _estimate(game)[0] > 20 * limit:  # no need to walk that far to see it
        raise too_large(game, limit)
    # Room that is never used costs nothing. Plain Python takes all it may need, for it would not like to begin again.
    room = ArraySizes(1 << 15, 1 << 17, 1 << 19, 1 << 20)
    if not compiled:
        room = ArraySizes(limit, limit + game.actions + 1, limit, 20 * limit)
    fits = capacity() if compiled else ROOM
    near = compiled  # first not far, to see whether the game is of a sensible size
    keep_all = True
    while True:
        walked = _new_walk(game, room, compiled)
        most = min(limit, NEAR if near else ROOM) if keep_all else limit
        status = kernel(walked, most, game.kind == "zero-sum", keep_all)
        counts = walked.counts
        if status == TOO_MANY and most < limit:
            histories = _estimate(game)[0]
            if histories > 20 * limit:
                break
            keep_all = near and (histories <= ROOM or limit <= ROOM)
            near = False
            if not keep_all:  # to begin again would take long
                room = ArraySizes(1 << 20, ROOM, ROOM, 1 << 24)
        elif status == DONE and not keep_all and counts[0] <= ROOM:  # the estimate was too high
            keep_all = True
        elif status == NO_ROOM:
            if max(counts[1], counts[2] + game.actions, counts[3]) >= fits:
                raise too_large(game, limit, fits)
            room = ArraySizes(
                min(4 * room.infosets, fits) if counts[1] >= room.infosets else room.infosets,
                min(4 * room.sequences, fits) if counts[2] + game.actions >= room.sequences else room.sequences,
                min(4 * room.endings, fits) if counts[3] >= room.endings else room.endings,
                room.trail * (4 if counts[6] + game.length >= room.trail else 1),
            )
        else:
            break
    if status != DONE:
        raise _failure(game, walked, status, limit)
    return walked


def _new_walk(game: Game, room: ArraySizes, compiled: bool) -> Walked:
    """Working memory and room for results."""
    depth = game.length + 2
    walked = Walked(
        states=compiler.states(game, depth, compiled),
        moves=np.zeros((depth, game.actions), np.int64),
        chances=np.zeros((depth, game.outcomes)),
        stack=np.zeros((depth, 6), np.int64),
        reach=np.zeros(depth),
        last=np.zeros((depth, game.players), np.int64),
        slots=np.zeros(1 << (2 * room.infosets - 1).bit_length(), np.int64),
        infoset=np.empty((room.infosets, 7), np.int64),
        trail=np.empty(room.trail, np.int32),
        action=np.empty((room.sequences, 2), np.int32),
        ending=np.empty((room.endings, game.players), np.int32),
        result=np.empty((room.endings, game.players + 1)),
        counts=np.zeros(8, np.int64),
    )
    if not compiled:  # lists are faster where single numbers come and go
        names = ("moves", "chances", "stack", "reach", "last", "counts")
        walked = walked._replace(**{name: getattr(walked, name).tolist() for name in names})
    return walked


def _failure(game: Game, walked: Walked, status: int, limit: int) -> GameError:
    """Say why the walk did not come to its end."""
    if status == TOO_MANY:
        return too_large(game, limit)
    if status == TOO_LONG:
        return GameError(f"{game.name} went on for more than LENGTH = {game.length} moves; LENGTH must be raised.")
    if status == BROKEN:
        return broken_rules(game, [int(row[4]) for row in walked.stack[: int(walked.counts[4])]])
    return _imperfect(game, walked, status)


def _estimate(game: Game) -> tuple[float, bool]:
    """About how many histories the game has, and whether there was time to see; in plain Python, without compiling."""
    if "estimate" not in game.cache:
        game.cache["estimate"] = estimate_in_time(game, 200)
    histories, in_time = game.cache["estimate"]
    return float(histories), bool(in_time)


def capacity() -> int:
    """So many information sets, sequences and endings fit into half of the memory that is free; ROOM at least."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not on this system
        return ROOM
    return max(ROOM, min(LARGEST, free // 2 // BYTES))


def too_large(game: Game, limit: int, fits: int = 0) -> TooLarge:
    """So that nobody walks that far again; `fits`, if there was time but room for so many only."""
    game.cache["more histories than"] = max(limit, game.cache.get("more histories than", 0))
    game.cache["more than there is room for"] = fits or game.cache.get("more than there is room for", 0)
    histories, in_time = _estimate(game)
    size = f"{max(histories, limit):.1e} histories, more than the limit of {limit:,}"
    if fits := game.cache["more than there is room for"]:
        size = f"{histories:.1e} histories, with more than {fits:,} information sets, sequences or endings that pay"
    return TooLarge(
        f"{game.name} is too large to enumerate: {'about' if in_time else 'at least'} {size}. "
        f"mccfr-outcome samples it without enumeration; so does mccfr-external, if its games are short."
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


def enumerate_histories(walked: Walked, limit: int, zero_sum: bool, keep_all: bool) -> int:
    """Walk through all histories, depth first, without recursion; endings that pay nobody need not be kept."""
    states, moves, chances, stack, reach, last, _, infoset, _, _, _, _, counts = walked
    start(states[0])
    reach[0] = 1.0
    depth = 0
    fresh = True  # the node at `depth` has not been looked at
    while True:
        if fresh:
            fresh = False
            counts[0] += 1
            if counts[0] > limit:
                return TOO_MANY
            status = look_at(walked, depth, zero_sum, keep_all)
            if status != DONE:
                return status
        node = stack[depth]
        child = node[2]
        if child >= node[1]:
            depth -= 1
            if depth < 0:
                return DONE
            continue
        node[2] = child + 1
        who = node[0]
        if who == CHANCE and chances[depth][child] <= 0.0:
            continue
        copy(states, depth + 1, states, depth)
        own = last[depth]
        then = last[depth + 1]
        for p in range(len(then)):
            then[p] = own[p]
        if who == CHANCE:
            move = child
            reach[depth + 1] = reach[depth] * chances[depth][child]
        else:
            move = int(moves[depth][child])
            reach[depth + 1] = reach[depth]
            then[who] = infoset[node[3]][3] + child
        node[4] = move
        play(states[depth + 1], move)
        depth += 1
        fresh = True


@inlined
def look_at(walked: Walked, depth: int, zero_sum: bool, keep_all: bool) -> int:
    """Enter a new node on the stack, and its infoset or its ending among the results; a status."""
    node = walked.stack[depth]
    s = walked.states[depth]
    who = turn(s)
    node[0] = who
    node[1] = 0
    node[2] = 0
    if who == OVER:
        return add_ending(walked, depth, zero_sum, keep_all)
    if depth >= len(walked.stack) - 2:
        return TOO_LONG
    if who == CHANCE:
        outcomes = walked.chances[depth]
        n = odds(s, outcomes)
        total = 0.0
        if 1 <= n <= len(outcomes):
            for i in range(n):
                total += outcomes[i] if outcomes[i] >= 0.0 else np.inf
        if not abs(total - 1.0) <= TINY:
            walked.counts[4] = depth
            return BROKEN
        node[1] = n
        return DONE
    choices = walked.moves[depth]
    n = legal(s, choices) if 0 <= who < len(walked.last[depth]) else 0
    if not 1 <= n <= len(choices):
        walked.counts[4] = depth
        return BROKEN
    node[1] = n
    return meet_infoset(walked, depth, key(s, who))


@inlined
def add_ending(walked: Walked, depth: int, zero_sum: bool, keep_all: bool) -> int:
    """Write the payoffs of an ending; a status."""
    counts, own, s = walked.counts, walked.last[depth], walked.states[depth]
    players = len(own)
    z = counts[3]
    if z >= len(walked.ending):
        return NO_ROOM
    sequences = walked.ending[z]
    payoffs = walked.result[z]
    total = 0.0
    size = 1.0
    for p in range(players):
        u = payoff(s, p)
        sequences[p] = own[p]
        payoffs[p] = u
        total += u
        size += abs(u)
    if not size < np.inf or (zero_sum and abs(total) > TINY * size):
        counts[4] = depth
        return BROKEN
    payoffs[players] = walked.reach[depth]
    counts[7] += 1
    if keep_all or size > 1.0:
        counts[3] = z + 1
    return DONE


@inlined
def meet_infoset(walked: Walked, depth: int, k: int) -> int:
    """Find the infoset of a key, or enter a new one; a status, DONE if all is well."""
    slots, infoset, action, counts = walked.slots, walked.infoset, walked.action, walked.counts
    node, choices = walked.stack[depth], walked.moves[depth]
    mask = len(slots) - 1
    slot = mix(0, k) & mask
    while slots[slot] != 0 and infoset[slots[slot] - 1][0] != k:
        slot = (slot + 1) & mask
    i = slots[slot] - 1
    if i < 0:
        i = counts[1]
        status = add_infoset(walked, depth, k)
        if status != DONE:
            return status
        slots[slot] = i + 1
    else:
        known = infoset[i]
        counts[4] = k
        counts[5] = node[0]
        if known[1] != node[0]:
            return SHARED
        if known[4] != node[1]:
            return DIFFERS
        for j in range(node[1]):
            if action[known[3] + j][0] != choices[j]:
                return DIFFERS
        if known[2] != walked.last[depth][node[0]]:
            return FORGETS
    node[3] = i
    return DONE


def add_infoset(walked: Walked, depth: int, k: int) -> int:
    """Enter a new infoset; a status."""
    infoset, trail, action, counts = walked.infoset, walked.trail, walked.action, walked.counts
    node, choices = walked.stack[depth], walked.moves[depth]
    n = node[1]
    i = counts[1]
    first = counts[2] + 1
    begin = counts[6]
    if i >= len(infoset) or first + n > len(action) or begin + depth >= len(trail):
        return NO_ROOM
    counts[1] = i + 1
    known = infoset[i]
    known[0] = k
    known[1] = node[0]
    known[2] = walked.last[depth][node[0]]
    known[3] = first
    known[4] = n
    for j in range(n):
        move = choices[j]
        broken = move < 0 or move >= len(choices)
        for before in range(j):
            broken = broken or choices[before] == move
        if broken:
            counts[4] = depth
            return BROKEN
        made = action[first + j]
        made[0] = move
        made[1] = i
    counts[2] += n
    known[5] = begin
    known[6] = depth
    for d in range(depth):
        trail[begin + d] = walked.stack[d][4]
    counts[6] = begin + depth
    return DONE
