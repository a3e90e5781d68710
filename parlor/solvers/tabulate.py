"""Any agent as a table, so that exact measures work for it.

A function of positions is asked at every decision of an enumerable game; what it answers becomes a `Policy`. An answer
that differs within an information set has no place in such a table: the function has looked at something that its
player does not see, or it draws lots.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from parlor.game import CHANCE, OVER, Game, GameError, Position
from parlor.games import as_game
from parlor.policy import Policy
from parlor.solvers.tree import PLAIN_LIMIT, TooLarge, Tree, tree

#: Asked at a position, it answers with a distribution over the names of legal moves, or with the name of one.
Decision = Callable[[Position], Mapping[str, float] | str]

SAME = 1e-9  # two probabilities that differ by less are the same
ROUNDING = 1e-6  # a sum that is so close to 1 is meant to be 1


def tabulate(game: Game | str, function: Decision, *, every_history: bool = True) -> Policy:
    """What `function`, any agent, plays at each information set, as a policy.

    It is asked at every history of an information set, and must answer the same at all of them; with
    `every_history=False` it is asked only once for each, which is quicker and finds no inconsistency.
    """
    game = as_game(game)
    t = tree(game)
    if every_history and t.histories > PLAIN_LIMIT:
        raise TooLarge(
            f"{game.name} has {t.histories:,} histories, too many to ask at each of them; "
            f"every_history=False asks once for each information set."
        )
    place = {key: i for i, key in enumerate(t.keys.tolist())}
    first: list[tuple[Position, list[float]] | None] = [None] * t.infosets
    for position in _decisions(game) if every_history else _representatives(t):
        i = place[position.key(position.turn)]
        row = answer(function, position)
        known = first[i]
        if known is None:
            first[i] = (position, row)
        elif max(abs(a - b) for a, b in zip(known[1], row, strict=True)) > SAME:
            raise _inconsistent(function, known, (position, row))
    rows = [row for _, row in filter(None, first)]
    policy = Policy.from_rows(game, t.keys, t.counts, np.array([p for row in rows for p in row], np.float64))
    return policy.with_about(tabulated=name_of(function))


def answer(function: Decision, position: Position) -> list[float]:
    """The probabilities of the legal moves, in their order, as a function gives them; it is held to being right."""
    names, given = position.legal, function(position)
    if isinstance(given, str):
        given = {given: 1.0}
    who, where = name_of(function), f"where {position.show(position.turn)!r}"
    if not isinstance(given, Mapping):
        raise GameError(
            f"{who} answers with a {type(given).__name__} {where}; it must be a dictionary of probabilities by the "
            f"names of moves, or one name."
        )
    unknown = [name for name in given if name not in names]
    if unknown:
        raise GameError(f"{who} plays {unknown[0]!r} {where}; the legal moves are {', '.join(names)}.")
    row = [float(given.get(name, 0.0)) for name in names]
    if not all(math.isfinite(p) and p >= 0.0 for p in row):
        wrong = next(name for name, p in zip(names, row, strict=True) if not (math.isfinite(p) and p >= 0.0))
        raise GameError(f"{who} gives {wrong!r} the probability {given[wrong]} {where}; it must lie between 0 and 1.")
    total = math.fsum(row)
    if abs(total - 1.0) > ROUNDING:
        raise GameError(f"{who} gives probabilities that sum to {total:g} {where}; they must sum to 1.")
    return row if abs(total - 1.0) < SAME else [p / total for p in row]


def name_of(function: Decision) -> str:
    """What a function or an agent is called."""
    return str(getattr(function, "name", None) or getattr(function, "__name__", None) or type(function).__name__)


def _inconsistent(
    function: Decision, one: tuple[Position, list[float]], other: tuple[Position, list[float]]
) -> GameError:
    (a, before), (b, now) = one, other
    player, names = a.turn, a.legal
    i = max(range(len(names)), key=lambda i: abs(before[i] - now[i]))
    return GameError(
        f"{name_of(function)} plays {names[i]!r} with probability {before[i]:.6g} after {', '.join(a.history)}, "
        f"but with {now[i]:.6g} after {', '.join(b.history)}, which player {player} cannot tell apart "
        f"({a.show(player)}): it depends on hidden information or on chance."
    )


def _decisions(game: Game) -> Iterator[Position]:
    """All positions at which a player moves."""
    stack = [game.start()]
    while stack:
        position = stack.pop()
        turn = position.turn
        if turn == OVER:
            continue
        if turn != CHANCE:
            yield position
        children = zip(position.actions, position.legal, strict=True)
        stack += [_child(position, action, name) for action, name in children][::-1]


def _child(position: Position, action: int, name: str) -> Position:
    """The same as `position.after(action)`, of which it is known that it can be played."""
    state = position.state.copy()
    position.game.rules.play(state, action)
    return Position(position.game, state, (*position.history, name))


def _representatives(t: Tree) -> Iterator[Position]:
    """One position of each information set."""
    for i in range(t.infosets):
        yield t.game.start().after(*t.history(i))
