"""Belief along a whole game: possible worlds after every event, from one pass over what a player has seen.

`parlor.search.belief` looks at one position. Whoever wants the belief at every position of a game, as a review of it
does, would repeat the beginning each time. Here some worlds are carried along (a bootstrap particle filter): hidden
outcomes and moves are drawn, visible ones are followed, and the others' moves say something about their cards, by a
model of how they play. Worlds that do not fit are left behind; if hardly any are left, there is no belief.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlor.game import CHANCE, Position
from parlor.game.rng import choose
from parlor.game.seats.visibility import goes_unnoticed, unseen_by
from parlor.search.belief import resampled
from parlor.search.seen_events import Model, SeenEvent, World, events

MIN_WORLDS = 12  # different worlds: with fewer it is no belief


def track(position: Position, player: int, count: int, others: Model, stream: list[int]) -> list[list[World] | None]:
    """The worlds of `player` after each number of moves and outcomes, from none to all; None from where too few fit."""
    game = position.game
    particles: list[World] = [(game.start(), 1.0 / count)] * count
    found: list[list[World] | None] = [particles]
    actual = game.start()
    seen = iter(events(position, player))
    for name in position.history:
        action = actual.action(name)
        if goes_unnoticed(actual, name, player):
            actual = actual.after(name)
            found.append(particles)
            continue
        event = next(seen)
        particles = _follow(particles, event, action, others, player, stream)
        if not particles or (_different(particles) < MIN_WORLDS and _different(found[-1] or ()) > 1):
            return found + [None] * (len(position.history) + 1 - len(found))
        if 1.0 / sum(weight * weight for _, weight in particles) < count / 2:
            particles = _resampled(particles, count, stream)
        found.append(particles)
        actual = actual.after(name)
    return found


def _different(particles: Sequence[World]) -> int:
    return len({id(world) for world, _ in particles})


def _follow(
    particles: Sequence[World], event: SeenEvent, action: int, others: Model, player: int, stream: list[int]
) -> list[World]:
    """The worlds after an event, of which `action` was the true one, with weights that sum to 1."""
    known: dict[int, World | None] = {}  # what is visible has the same consequence for copies of a world
    grown: list[World] = []
    for world, weight in particles:
        if event.move is None or world.game.hidden.unseen is not None or id(world) not in known:
            known[id(world)] = _step(world, event, action, others, player, stream)
        step = known[id(world)]
        if step is not None and step[1] > 0.0:
            grown.append((step[0], weight * step[1]))
    total = sum(weight for _, weight in grown)
    return [(world, weight / total) for world, weight in grown]


def _step(
    world: Position, event: SeenEvent, action: int, others: Model, player: int, stream: list[int]
) -> World | None:
    """The world after an event and how likely that was there; None if it does not fit."""
    weight = 1.0
    while True:
        if world.turn != event.turn:
            return None
        drawn = _drawn(world, event, action, others, player, stream)
        if drawn is None:
            return None
        made, chance = drawn
        noticed = not unseen_by(world, made, player)
        weight *= chance
        world = world.after(made)
        if noticed:
            return (world, weight) if world.view(player) == event.view else None


def _drawn(
    world: Position, event: SeenEvent, action: int, others: Model, player: int, stream: list[int]
) -> tuple[int, float] | None:
    """The action of a step to an event, or one that goes unnoticed before it, and what the world weighs by it."""
    game, state, turn = world.game, world.state, world.turn
    if turn == player:
        return (action, 1.0) if game.words.describe(state, action) == event.move else None
    if turn == CHANCE:
        odds = [0.0] * game.outcomes
        chances = dict(enumerate(odds[: game.rules.odds(state, odds)]))
    else:
        model = others(world)
        chances = {a: model.get(game.words.describe(state, a), 0.0) for a in world.actions}
    if event.move is not None:  # only what was seen fits, or what was not noticed
        same = {a: chance for a, chance in chances.items() if chance > 0.0 and _fits(world, a, event.move, player)}
        if len(same) == 1:
            return next(iter(same.items()))
        chances = same
    total = sum(chances.values())
    if total <= 0.0:
        return None
    drawn = list(chances)[choose(stream, list(chances.values()), len(chances))]
    return (drawn, total if event.move is not None else 1.0) if chances[drawn] > 0.0 else None


def _fits(world: Position, action: int, seen: str, player: int) -> bool:
    """Whether a step has the name that was seen, or goes unnoticed."""
    return unseen_by(world, action, player) or world.game.words.describe(world.state, action) == seen


def _resampled(particles: Sequence[World], count: int, stream: list[int]) -> list[World]:
    """`count` worlds of equal weight, each in proportion to its own."""
    worlds, weights = [world for world, _ in particles], [weight for _, weight in particles]
    return [(world, 1.0 / count) for world in resampled(worlds, weights, count, stream)]
