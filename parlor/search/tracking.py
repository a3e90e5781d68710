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
from parlor.search.belief import Model, SeenEvent, World, events, resampled

MIN_WORLDS = 12  # different worlds: with fewer it is no belief


def track(position: Position, player: int, count: int, others: Model, stream: list[int]) -> list[list[World] | None]:
    """The worlds of `player` after each number of events, from none to all; None from where too few fit."""
    game = position.game
    particles: list[World] = [(game.start(), 1.0 / count)] * count
    found: list[list[World] | None] = [particles]
    actual = game.start()
    for event, name in zip(events(position, player), position.history, strict=True):
        action = actual.action(name)
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
        if event.move is None or id(world) not in known:
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
    game, state, turn = world.game, world.state, world.turn
    if turn != event.turn:
        return None
    chance = 1.0
    if turn == CHANCE:
        odds = [0.0] * game.outcomes
        n = game.rules.odds(state, odds)
        if event.move is None:
            action = choose(stream, odds, n)
        else:
            chance = odds[action]
    elif turn != player:
        model = others(world)
        names = {game.words.describe(state, a): a for a in world.actions}
        if event.move is None:
            chances = [model.get(name, 0.0) for name in names]
            action = list(names.values())[choose(stream, chances, len(chances))]
        else:
            chance, action = model.get(event.move, 0.0), names.get(event.move, -1)
    if chance <= 0.0 or action < 0:
        return None
    name = game.words.describe(state, action)
    if event.move is not None and name != event.move:
        return None
    after = state.copy()
    game.rules.play(after, action)
    if game.view(after, player) != event.view:
        return None
    return Position(game, after, (*world.history, name)), chance


def _resampled(particles: Sequence[World], count: int, stream: list[int]) -> list[World]:
    """`count` worlds of equal weight, each in proportion to its own."""
    worlds, weights = [world for world, _ in particles], [weight for _, weight in particles]
    return [(world, 1.0 / count) for world in resampled(worlds, weights, count, stream)]
