"""The events of a game that a player has observed, and the steps consistent with them in a possible world.

An event is a move or an outcome that the player notices. In games with moves that nobody but their maker notices
(`unseen`), any number of them may lie between two events: a world then goes on by a sequence of steps, of which the
last is the one that was seen. There a move of the others counts as a uniform draw among all their moves, so that the
more they could have done unseen the less each of it weighs; elsewhere every move of the others counts 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from parlor.game import CHANCE, OVER, GameError, Position, View
from parlor.game.rng import uniform
from parlor.game.seats.visibility import goes_unnoticed, unseen_by, visible_move

#: A model of the others: the distribution over the names of the legal moves at a position.
Model = Callable[[Position], Mapping[str, float]]

#: A possible position, and its probability.
World = tuple[Position, float]

#: A step in a world: the action, how likely it was, and the world after it.
Step = tuple[int, float, Position]

#: Several steps: the actions, how likely all of them were, and the world after them.
Steps = tuple[tuple[int, ...], float, Position]


class SeenEvent(NamedTuple):
    """A move or an outcome as one player sees it."""

    turn: int  # who acted
    move: str | None  # its name, if the player sees it
    view: View  # what the player sees afterwards


def events(position: Position, player: int) -> list[SeenEvent]:
    """Everything that has happened, as `player` has seen it."""
    actual = position.game.start()
    seen = []
    for move in position.history:
        before, actual = actual, actual.after(move)
        if not goes_unnoticed(before, move, player):
            seen.append(SeenEvent(before.turn, visible_move(before, move, player), actual.view(player)))
    if actual.turn != position.turn or actual.view(player) != position.view(player):
        raise GameError(
            f"Belief follows from what was seen, and this position of {position.game.name} has no "
            f"history; play to it from start()."
        )
    return seen


def steps(world: Position, event: SeenEvent, player: int, others: Model | None, only: int | None = None) -> list[Step]:
    """The possible steps in a world if the player saw `event`: action, its probability, and the world after it.

    With `only`, no other action is considered.
    """
    if world.turn != event.turn:
        return []
    ways = _chances(world, player, others)
    if event.move is not None:
        ways = [(a, chance) for a, chance in ways if world.game.words.describe(world.state, a) == event.move]
    ways = [(a, chance) for a, chance in ways if chance > 0.0 and only in (None, a) and not unseen_by(world, a, player)]
    return [step for step in _after(world, ways) if step[2].view(player) == event.view]


def unseen_steps(world: Position, player: int, others: Model | None) -> Iterator[Step]:
    """The steps in a world that the player would not notice."""
    if world.game.hidden.unseen is None or world.turn in (OVER, player):
        return
    ways = [(a, chance) for a, chance in _chances(world, player, others) if chance > 0.0]
    yield from _after(world, [(a, chance) for a, chance in ways if unseen_by(world, a, player)])


def steps_with_unseen(world: Position, event: SeenEvent | None, player: int, others: Model | None) -> Iterator[Steps]:
    """All ways from a world through unseen steps to `event`; without an event, only the unseen steps."""
    waiting: list[Steps] = [((), 1.0, world)]
    while waiting:
        path, weight, here = waiting.pop()
        if event is None:
            yield path, weight, here
        else:
            for action, chance, after in steps(here, event, player, others):
                yield (*path, action), weight * chance, after
        unseen = list(unseen_steps(here, player, others))
        waiting += [((*path, action), weight * chance, after) for action, chance, after in reversed(unseen)]


def drawn_steps(
    world: Position, event: SeenEvent, player: int, others: Model | None, stream: list[int]
) -> tuple[Steps, float] | None:
    """Draw steps to `event`, one after the other, each as likely as it is among those that fit.

    Also how likely it was on the way that a step fitted: what the world weighs more or less by. None if none did.
    """
    path: tuple[int, ...] = ()
    weight = fitted = 1.0
    while True:
        seen, unseen = steps(world, event, player, others), list(unseen_steps(world, player, others))
        ways = seen + unseen
        total = sum(chance for _, chance, _ in ways)
        if total <= 0.0:
            return None
        i = pick(stream, [chance for _, chance, _ in ways])
        action, chance, world = ways[i]
        path, weight, fitted = (*path, action), weight * chance, fitted * total
        if i < len(seen):
            return (path, weight, world), fitted


def drawn_unseen(world: Position, player: int, others: Model | None, stream: list[int]) -> tuple[Position, float]:
    """Draw what may have happened unnoticed in a world since the last event, and what it weighs more by.

    After each step it may be over: that and all further steps together are taken as likely as 1 to their sum `u`, so
    what was drawn with the chance of a step divided by 1 + u weighs as much more.
    """
    factor = 1.0
    while True:
        ways = list(unseen_steps(world, player, others))
        total = 1.0 + sum(chance for _, chance, _ in ways)
        factor *= total
        i = pick(stream, [1.0, *(chance for _, chance, _ in ways)]) if ways else 0
        if i == 0:
            return world, factor
        world = ways[i - 1][2]


def repeated_steps(
    world: Position, event: SeenEvent, player: int, others: Model | None, path: Sequence[int]
) -> tuple[Steps, float] | None:
    """The steps with these actions from another world to `event`, as `drawn_steps`; None if they do not fit there."""
    weight = fitted = 1.0
    for place, action in enumerate(path):
        seen, unseen = steps(world, event, player, others), list(unseen_steps(world, player, others))
        wanted = seen if place == len(path) - 1 else unseen
        step = next((step for step in wanted if step[0] == action), None)
        if step is None:
            return None
        weight, world = weight * step[1], step[2]
        fitted *= sum(chance for _, chance, _ in seen + unseen)
    return (tuple(path), weight, world), fitted


def pick(stream: list[int], weights: Sequence[float]) -> int:
    """An index, as likely as its weight; the weights need not sum to one."""
    left = uniform(stream) * sum(weights)
    for i, weight in enumerate(weights):
        left -= weight
        if left < 0.0:
            return i
    return len(weights) - 1


def _chances(world: Position, player: int, others: Model | None) -> list[tuple[int, float]]:
    """The actions possible in a world with their probabilities: chance's, the model's, or uniform."""
    game, state, turn = world.game, world.state, world.turn
    if turn == CHANCE:
        odds = [0.0] * game.outcomes
        return list(enumerate(odds[: game.rules.odds(state, odds)]))
    actions = world.actions
    if turn == player:
        return [(a, 1.0) for a in actions]
    if others is not None:
        model = others(world)
        return [(a, model.get(game.words.describe(state, a), 0.0)) for a in actions]
    alike = 1.0 if game.hidden.unseen is None else 1.0 / len(actions)
    return [(a, alike) for a in actions]


def _after(world: Position, ways: Sequence[tuple[int, float]]) -> list[Step]:
    """The steps that are made of actions and their probabilities."""
    game, found = world.game, []
    for action, chance in ways:
        after = world.state.copy()
        game.rules.play(after, action)
        name = game.words.describe(world.state, action)
        found.append((action, chance, Position(game, after, (*world.history, name))))
    return found
