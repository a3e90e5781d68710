"""How many histories a game has, from a sample (Chen, *Heuristic sampling*, 1992).

Random games alone (Knuth, 1975) see too few of the long ones. Here all histories of a length are put into groups by who
acts and between how many moves; one of each group, drawn by weight, stands for all of it, and all its continuations are
looked at. Where those who act alike go on alike, the result is exact.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import NamedTuple

from parlor.game import CHANCE, OVER, Game, GameError, State

PASSES = 8


class Size(NamedTuple):
    """An estimate, two standard errors around it, and whether there was time for it; if not, a lower bound."""

    histories: float
    low: float
    high: float
    in_time: bool


def estimate_size(game: Game, seconds: float, passes: int = PASSES, seed: int = 0) -> Size:
    """About how many histories a game has, in plain Python."""
    generator = random.Random(seed)
    deadline = time.thread_time() + seconds
    found: list[float] = []
    while len(found) < passes:
        histories, in_time = _pass(game, generator, deadline)
        if not in_time:
            if len(found) > 1:
                break
            return Size(max([histories, *found]), 0.0, float("inf"), False)
        found.append(histories)
    mean = statistics.fmean(found)
    error = 2.0 * statistics.stdev(found) / len(found) ** 0.5
    return Size(mean, max(mean - error, 1.0), mean + error, True)


def _pass(game: Game, generator: random.Random, deadline: float) -> tuple[float, bool]:
    """One estimate; a part of it, if time was up."""
    rules, moves, chances = game.rules, [0] * game.actions, [0.0] * game.outcomes

    def open_moves(s: State) -> tuple[int, list[int]]:
        who = rules.turn(s)
        if who == OVER:
            return who, []
        if who == CHANCE:
            return who, [i for i in range(rules.odds(s, chances)) if chances[i] > 0.0]
        return who, moves[: rules.legal(s, moves)]

    first = game.new_state()
    rules.start(first)
    groups = {"": (1.0, first, open_moves(first)[1])}  # how many histories it stands for, one of them, its moves
    total = 1.0
    for _ in range(game.length + 1):
        after: dict[object, tuple[float, State, list[int]]] = {}
        for weight, state, choices in groups.values():
            for move in choices:
                s = game.new_state()
                s.assign(state)
                rules.play(s, move)
                total += weight
                who, then = open_moves(s)
                if not then:
                    continue
                seen = after.get((who, len(then)))
                whole = weight + (seen[0] if seen else 0.0)
                if seen is None or generator.random() * whole < weight:
                    after[who, len(then)] = (whole, s, then)
                else:
                    after[who, len(then)] = (whole, *seen[1:])
            if time.thread_time() > deadline:
                return total, False
        if not after:
            return total, True
        groups = after  # type: ignore[assignment]
    raise GameError(f"{game.name} went on for more than LENGTH = {game.length} moves; raise LENGTH.")
