"""A check of rules in plain Python before compiled code relies on them.

Compiled code does not notice an index that is out of range, and a solver takes whatever odds, actions and payoffs it is
given: broken rules would give wrong numbers instead of an error. So a few random games are played slowly first, in
which every answer of every rule is checked against the contract. An enumeration then checks everything it visits.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from parlor.game import CHANCE, OVER, Game, GameError
from parlor.game.position_checks import Broken, Place, PositionChecks
from parlor.game.rng import below, choose, seed_stream

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
