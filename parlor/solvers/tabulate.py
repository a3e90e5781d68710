"""Any agent as a table, so that exact measures work for it.

An agent is called at every decision of an enumerable game; its answers become a `Policy`. An answer
that differs within an information set cannot be in such a table: the function has used something that its
player does not see, or it is random.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from parlor.game import CHANCE, OVER, Game, GameError, Position
from parlor.game.loading import as_game
from parlor.game.seats.distribution import check_distribution
from parlor.game.seats.play import Agent, Playable, as_agent
from parlor.policies.policy import Policy
from parlor.sequence_form.enumeration import PLAIN_LIMIT, TooLarge
from parlor.sequence_form.tree import Tree, tree

SAME = 1e-9  # two probabilities that differ by less are the same


def tabulate(game: Game | str, agent: Playable, *, every_history: bool = True) -> Policy:
    """The distributions of an agent, or of a class or a function that is one, at all information sets, as a policy.

    It is called at every history of an information set, and must answer the same at all of them; with
    `every_history=False` it is called only once for each, which is quicker and finds no inconsistency.
    """
    game, agent = as_game(game), as_agent(agent)
    t = tree(game)
    if every_history and t.histories > PLAIN_LIMIT:
        raise TooLarge(
            f"{game.name} has {t.histories:,} histories, too many to call the agent at each; "
            f"with every_history=False it is called once for each information set."
        )
    place = {key: i for i, key in enumerate(t.keys.tolist())}
    first: list[tuple[Position, list[float]] | None] = [None] * t.infosets
    for position in _decisions(game) if every_history else _representatives(t):
        i = place[position.key(position.turn)]
        row = answer(agent, position)
        known = first[i]
        if known is None:
            first[i] = (position, row)
        elif max(abs(a - b) for a, b in zip(known[1], row, strict=True)) > SAME:
            raise _inconsistent(agent.name, known, (position, row))
    rows = [row for _, row in filter(None, first)]
    policy = Policy.from_rows(game, t.keys, t.counts, np.array([p for row in rows for p in row], np.float64))
    return policy.with_about(tabulated=agent.name)


def answer(agent: Agent, position: Position) -> list[float]:
    """The checked probabilities of the legal moves, in their order."""
    names = position.legal
    chances = check_distribution(agent(position), names, agent.name)  # type: ignore[operator]
    row = [chances.get(name, 0.0) for name in names]
    total = math.fsum(row)
    return row if abs(total - 1.0) < SAME else [p / total for p in row]


def _inconsistent(name: str, one: tuple[Position, list[float]], other: tuple[Position, list[float]]) -> GameError:
    (a, before), (b, now) = one, other
    player, names = a.turn, a.legal
    i = max(range(len(names)), key=lambda i: abs(before[i] - now[i]))
    return GameError(
        f"{name} plays {names[i]!r} with probability {before[i]:.6g} after {', '.join(a.history)}, "
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
    """The same as `position.after(action)` for an action that is known to be legal."""
    state = position.state.copy()
    position.game.rules.play(state, action)
    return Position(position.game, state, (*position.history, name))


def _representatives(t: Tree) -> Iterator[Position]:
    """One position of each information set."""
    for i in range(t.infosets):
        yield t.game.start().after(*t.history(i))
