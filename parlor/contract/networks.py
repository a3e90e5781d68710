"""Checks what a game declares for networks: its own features and given logits (`OwnFeatures`, `ActionHead`).

At decisions of the playthrough they are computed with working memory that holds anything, and must fill just the places
they have, with finite numbers, and change nothing else. With the same key, they must be the same to the bit: in other
positions that were met, and in worlds that the player cannot tell from the true one, drawn by the game's own
`imagine` or by its codes for what is hidden. So no feature knows more than its player.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import deal, given_logits, legal, own_features, play, start, turn
from parlor.contract.imagination import spread
from parlor.contract.playthrough import Observed, Playthrough
from parlor.game import CHANCE, OVER, Game, State
from parlor.game.position_checks import Broken, PositionChecks
from parlor.game.rng import below, mix, seed_stream

LOOKS = 120  # decisions at which all is checked
DRAWS = 3  # other worlds at each of them
AGAIN = 400  # decisions whose key was met before, at which they are compared
MARGIN = 4  # places behind the last one, which must stay as they are
TRACED = 3  # random games that are played by compiled and by plain rules


def check_networks(playthrough: Playthrough) -> str:
    """The first mistake in what is declared for networks, in a sentence; empty if nothing was found."""
    checker = _NetworkChecker(playthrough)
    decisions = [seen for seen in playthrough.sights if seen.legal is not None]
    try:
        for seen in spread(decisions, LOOKS):
            checker.looks_the_same(seen)
        checker.same_for_one_key(decisions)
    except Broken as broken:
        return broken.sentence
    return ""


class Computed(NamedTuple):
    """The numbers computed at a decision, network inputs and given logits, as 32-bit floats."""

    features: tuple[float, ...]
    given: tuple[float, ...]


class _NetworkChecker:
    def __init__(self, playthrough: Playthrough) -> None:
        self.game: Game = playthrough.game
        self.checks = PositionChecks(self.game)
        bound = compiler.bindings(self.game)
        self._fill, self._give = bound.get(own_features, own_features), bound.get(given_logits, given_logits)
        own = self.game.features
        self._count, self._room = own.count if own else 0, own.work if own else 0
        self._terms = self.game.head.terms if self.game.head else 1
        self._stream = [0, 0, 0, 0]
        seed_stream(self._stream, 0, 0)

    def compute(self, state: State, seen: Observed, garbage: int) -> Computed:
        """Both, with `garbage` in the working memory and where the results are to be."""
        moves, before, p = list(seen.legal or ()), self.checks.copy(state), seen.player
        out = np.full(self._count + MARGIN, np.nan, np.float32)
        given = np.full(len(moves) * self._terms + MARGIN, np.nan, np.float32)
        work = np.full(self._room, garbage, np.int64)
        with np.errstate(all="ignore"):
            self._fill(state, p, out, work)
            self._give(state, p, np.array(moves, np.int64), len(moves), given, work)
        for what, found, count in (("features", out, self._count), ("given logits", given, len(moves) * self._terms)):
            bad = [i for i in range(count) if not math.isfinite(found[i])]
            if bad:
                self._fail(f"number {bad[0]} of the {what} of player {p} is {found[bad[0]]}", seen, "fill all of them")
            if not np.isnan(found[count:]).all():
                self._fail(f"more than {count} {what} are filled for player {p}", seen, f"there are {count}")
        if change := self.checks.difference(before, state):
            self._fail(f"{change[0]} is changed from {change[1]} to {change[2]}", seen, "only start and play do that")
        return Computed(tuple(out[: self._count].tolist()), tuple(given[: len(moves) * self._terms].tolist()))

    def looks_the_same(self, seen: Observed) -> None:
        """Whatever is in the working memory, and in every world that the player cannot tell from the true one."""
        state = self.checks.state(seen.place)
        true = self.compute(self.checks.copy(state), seen, 0)
        if self.compute(self.checks.copy(state), seen, -7) != true:
            self._fail(
                f"what is computed for player {seen.player} depends on what the working memory held", seen, "clear it"
            )
        for world in self._worlds(state, seen):
            self._compare(true, self.compute(world, seen, 0), seen, f"in another world that player {seen.player} sees")

    def same_for_one_key(self, decisions: list[Observed]) -> None:
        """Positions of the playthrough with one key give the same."""
        first: dict[int | None, Observed] = {}
        again = [seen for seen in decisions if first.setdefault(seen.key, seen) is not seen]
        for seen in spread(again, AGAIN):
            one, other = (self.compute(self.checks.state(which.place), which, 0) for which in (first[seen.key], seen))
            self._compare(one, other, seen, self.checks.story(first[seen.key].place))

    def _worlds(self, state: State, seen: Observed) -> list[State]:
        found, hidden = [], self.game.hidden
        if hidden.imagine is not None:
            for _ in range(DRAWS):
                found.append(self.checks.copy(state))
                hidden.imagine(found[-1], seen.player, self._stream)
        if hidden.worlds is not None:
            codes, weights = [0] * (hidden.worlds.count + 1), [0.0] * (hidden.worlds.count + 1)
            n = hidden.worlds.possible(self.checks.copy(state), seen.player, codes, weights)
            for code in codes[: n : max(1, n // DRAWS)]:
                found.append(self.checks.copy(state))
                hidden.worlds.set_hidden_state(found[-1], seen.player, code)
        return found

    def _compare(self, one: Computed, other: Computed, seen: Observed, where: str) -> None:
        for what, mine, theirs in (("feature", one.features, other.features), ("given logit", one.given, other.given)):
            for i, (a, b) in enumerate(zip(mine, theirs, strict=True)):
                if np.float32(a).tobytes() != np.float32(b).tobytes():
                    self._fail(
                        f"{what} {i} of player {seen.player} is {a:g} and {b:g}, though its key is the same", seen,
                        f"the other is {where}: it may use only what the player knows",
                    )  # fmt: skip

    def _fail(self, what: str, seen: Observed, right: str) -> None:
        raise Broken("networks", f"{what} {self.checks.story(seen.place)}; {right}.")


# --------------------------------------------------------------------------------------------------- compiled


class TraceScratch(NamedTuple):
    """Working memory of `trace_inputs`."""

    states: Any  # [1]
    moves: Any  # [A]
    chances: Any  # [outcomes]
    stream: Any  # [4]
    features: Any  # float32
    features_bits: Any  # the same memory as 32-bit integers
    given: Any  # [A × K] float32
    given_bits: Any
    work: Any


def trace_inputs(scratch: TraceScratch, seed: int) -> int:
    """Play a game at random; a hash of all that was computed for networks in it."""
    states, moves, chances, r, features, features_bits, given, given_bits, work = scratch
    s = states[0]
    start(s)
    seed_stream(r, seed, 0)
    trace = 0
    who = turn(s)
    while who != OVER:
        if who == CHANCE:
            play(s, deal(s, chances, r))
        else:
            n = legal(s, moves)
            own_features(s, who, features, work)
            given_logits(s, who, moves, n, given, work)
            for i in range(len(features)):
                trace = mix(trace, int(features_bits[i]))
            for i in range(n * (len(given_bits) // len(moves))):
                trace = mix(trace, int(given_bits[i]))
            play(s, int(moves[below(r, n)]))
        who = turn(s)
    return trace


def traces(game: Game, compiled: bool) -> list[int]:
    """The hashes of some random games, by compiled or by plain rules."""
    kernel = (compiler.native if compiled else compiler.interpret)(trace_inputs, game)
    own, found = game.features, []
    for seed in range(TRACED):
        features = np.zeros(own.count if own else 0, np.float32)
        given = np.zeros(game.actions * (game.head.terms if game.head else 1), np.float32)
        scratch = TraceScratch(
            compiler.states(game, 1, compiled), np.zeros(game.actions, np.int64), np.zeros(game.outcomes),
            np.zeros(4, np.int64), features, features.view(np.int32), given, given.view(np.int32),
            np.zeros(own.work if own else 0, np.int64),
        )  # fmt: skip
        found.append(int(kernel(scratch, seed)))
    return found
