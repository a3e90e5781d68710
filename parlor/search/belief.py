"""Belief: the positions that look to a player like the true one, and their probabilities.

A player has seen a sequence of events: whose turn it was, the name of the move if `visibility` shows it, and its view
afterwards. Belief depends on these events and on nothing else. There are three ways to it, and `believe` chooses:

- `worlds` enumerates every position that fits, where there are few: exact.
- `imagine_worlds` draws positions with the game's own `imagine`, if it has one.
- `sample_worlds` resamples along the events: a particle filter whose next step is drawn among the steps that fit the
  next event (Doucet, de Freitas and Gordon, 2001), with Metropolis moves on whole histories wherever the particles die
  out or have been copied (resample-move: Gilks and Berzuini, 2001). It works for every game.

The probability of a position: by *chance alone*, every move of the others counting the same whatever they hold; or by a
model of how the others play, if one is given. A game's own `imagine` uses chance alone too; where the others' moves
rule something out, its weights may differ from those of `worlds` (see `docs/belief.md`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from parlor.game import CHANCE, Game, GameError, Position
from parlor.game.rng import below, seed_stream, uniform
from parlor.search.seen_events import (
    Model,
    SeenEvent,
    Step,
    drawn_steps,
    drawn_unseen,
    events,
    pick,
    repeated_steps,
    steps,
    steps_with_unseen,
    unseen_steps,
)
from parlor.search.seen_events import (
    World as World,
)

MAX_ENUMERATED = 300  # the most worlds that are enumerated
SAMPLES = 60  # worlds that are drawn otherwise, by default
REPAIRS = 4000  # changes of histories that are tried where no particle fits the next event
SWEEPS = 10  # changes of each history at the end, so that copies differ

Item = TypeVar("Item")
Source = Literal["enumerated", "imagined", "sampled"]


class NoWorld(GameError):
    """No position was found that fits what a player has seen."""


@dataclass(frozen=True)
class Belief:
    """Positions that a player cannot tell from the true one, with weights that sum to 1."""

    worlds: Sequence[World]
    source: Source

    @property
    def exact(self) -> bool:
        """Whether these are all worlds."""
        return self.source == "enumerated"

    def __iter__(self) -> Iterator[World]:
        return iter(self.worlds)

    def __len__(self) -> int:
        return len(self.worlds)


def believe(
    position: Position,
    player: int,
    count: int = SAMPLES,
    others: Model | None = None,
    few: int = MAX_ENUMERATED,
    own: bool = True,
) -> Belief:
    """The belief of `player` at a position: all worlds if there are at most `few`, else `count` that are drawn.

    They are drawn by the game's own `imagine`, if it has one, no model of the others is given and `own` allows it; what
    the others remember may be missing in such worlds. The same events give the same worlds.
    """
    possible = worlds(position, player, few, others)
    if possible is not None:
        return Belief(possible, "enumerated")
    stream = [0, 0, 0, 0]
    seed_stream(stream, 0, position.key(player))  # by what is known, so that it does not depend on what is hidden
    if position.game.hidden.imagine is not None and others is None and own:
        return Belief(imagine_worlds(position, player, count, stream), "imagined")
    return Belief(sample_worlds(position, player, count, stream, others), "sampled")


# --------------------------------------------------------------------------------------------------- enumeration


def worlds(
    position: Position, player: int, few: int = MAX_ENUMERATED, others: Model | None = None
) -> list[World] | None:
    """All positions that look to `player` like this one, with their odds; None if at some time there were too many.

    With a model of the `others`, their moves say something about their cards, unless the model rules out all that
    happened. Otherwise the probabilities are those of chance alone.
    """
    possible = [(position.game.start(), 1.0)]
    for event in [*events(position, player), None]:
        grown: list[World] = []
        for world, weight in possible:
            for _, chance, after in steps_with_unseen(world, event, player, others):
                grown.append((after, weight * chance))
                if len(grown) > few:
                    return None
        possible = grown
    possible = [world for world in possible if world[0].turn == position.turn]
    total = sum(weight for _, weight in possible)
    if total <= 0.0 and others is not None:
        return worlds(position, player, few)
    return [(world, weight / total) for world, weight in possible]


def undisputed_worlds(position: Position, player: int, few: int = MAX_ENUMERATED) -> list[World] | None:
    """All worlds, if no move of the others has ruled one out or split one; None if it has, or if they are too many.

    There everybody who uses chance alone agrees on the probability of each world, however one reads the moves of the
    others: a game's own `imagine` can be checked against it.
    """
    possible = [(position.game.start(), 1.0)]
    for event in events(position, player):
        grown: list[World] = []
        for world, weight in possible:
            ways = steps(world, event, player, None)
            if any(True for _ in unseen_steps(world, player, None)):
                return None
            if event.turn not in (CHANCE, player) and len(ways) != 1:
                return None
            grown += [(after, weight * chance) for _, chance, after in ways]
            if len(grown) > few:
                return None
        possible = grown
    total = sum(weight for _, weight in possible)
    return [(world, weight / total) for world, weight in possible]


# --------------------------------------------------------------------------------------------------- the game's own


def imagine_worlds(position: Position, player: int, count: int, stream: list[int]) -> list[World]:
    """`count` worlds of equal weight, drawn by the game's `imagine` for `player`."""
    game = position.game
    assert game.hidden.imagine is not None
    found = []
    for _ in range(count):
        state = position.state.copy()
        game.hidden.imagine(state, player, stream)
        if game.hidden.forget is not None:
            game.hidden.forget(state, player)
        found.append((Position(game, state, ()), 1.0 / count))
    return found


# --------------------------------------------------------------------------------------------------- resampling


class _Particle:
    """A history that fits the events so far; histories share their beginnings."""

    __slots__ = ("action", "actions", "chance", "fitted", "parent", "world")

    def __init__(
        self,
        world: Position,
        parent: _Particle | None = None,
        action: int = -1,
        chance: float = 1.0,
        path: tuple[int, ...] = (),
        fitted: float = 1.0,
    ) -> None:
        self.world = world
        self.parent = parent
        self.action = action  # that led here from the parent
        self.chance = chance  # of it there
        self.actions = path  # where there are unseen moves: all actions that led here
        self.fitted = fitted  # there: how likely it was that each of them was one that fitted

    def path(self) -> list[_Particle]:
        """From the start to here."""
        found: list[_Particle] = []
        node: _Particle | None = self
        while node is not None:
            found.append(node)
            node = node.parent
        return found[::-1]


def sample_worlds(
    position: Position, player: int, count: int, stream: list[int], others: Model | None = None
) -> list[World]:
    """`count` worlds with weights, drawn along what `player` has seen; `NoWorld` if none is found."""
    if count < 1:
        raise GameError(f"count must be at least 1, not {count}.")
    seen = events(position, player)
    sampler = _Sampler if position.game.hidden.unseen is None else _UnseenSampler
    try:
        return sampler(position.game, player, seen, count, stream, others).run(position.turn)
    except NoWorld:
        if others is None:
            raise
        return sampler(position.game, player, seen, count, stream, None).run(
            position.turn
        )  # the model rules out what happened


def resampled(items: Sequence[Item], weights: Sequence[float], count: int, stream: list[int]) -> list[Item]:
    """`count` of the items, each in proportion to its weight, and of equal weight: systematic resampling."""
    found = []
    mark, i, total = uniform(stream), 0, weights[0]
    for k in range(count):
        while (k + mark) / count >= total and i < len(items) - 1:
            i += 1
            total += weights[i]
        found.append(items[i])
    return found


class _Sampler:
    def __init__(
        self, game: Game, player: int, seen: Sequence[SeenEvent], count: int, stream: list[int], others: Model | None
    ) -> None:
        self.game = game
        self.player = player
        self.seen = seen
        self.hidden = [ply for ply, event in enumerate(seen) if event.move is None]
        self.count = count
        self.stream = stream
        self.others = others

    def run(self, turn: int) -> list[World]:
        """The worlds after all events, where it is the turn of the true position."""
        particles = [_Particle(self.game.start())] * self.count
        weights = [1.0 / self.count] * self.count
        copied = False
        for ply, event in enumerate(self.seen):
            grown = self._grown(list(zip(particles, weights, strict=True)), event)
            if not grown:
                grown = self._grown([(particle, 1.0) for particle in self._repaired(particles, ply)], event)
            if not grown:
                raise self._none(ply)
            total = sum(weight for _, weight in grown)
            particles, weights = [p for p, _ in grown], [weight / total for _, weight in grown]
            if len(particles) < self.count or 1.0 / sum(w * w for w in weights) < self.count / 2:
                particles = resampled(particles, weights, self.count, self.stream)
                weights = [1.0 / self.count] * self.count
                copied = True
        for _ in range(SWEEPS if copied and self.hidden else 0):
            particles = [self._changed(particle, len(self.seen)) for particle in particles]
        return self._at_last(list(zip(particles, weights, strict=True)), turn)

    def _grown(self, particles: Sequence[tuple[_Particle, float]], event: SeenEvent) -> list[tuple[_Particle, float]]:
        """The particles that fit `event`, each after a step to it, with their weights."""
        following: dict[_Particle, list[Step]] = {}
        for particle, _ in particles:
            if particle not in following:
                following[particle] = steps(particle.world, event, self.player, self.others)
        grown = []
        for particle, weight in particles:
            if ways := following[particle]:
                action, chance, world = ways[pick(self.stream, [chance for _, chance, _ in ways])]
                total = sum(chance for _, chance, _ in ways)
                grown.append((_Particle(world, particle, action, chance), weight * total))
        return grown

    def _at_last(self, particles: Sequence[tuple[_Particle, float]], turn: int) -> list[World]:
        """The worlds of the particles."""
        return [(particle.world, weight) for particle, weight in particles]

    def _fits(self, world: Position, ply: int) -> bool:
        """Whether event `ply` can follow in a world."""
        return bool(steps(world, self.seen[ply], self.player, self.others))

    def _none(self, ply: int) -> NoWorld:
        return NoWorld(
            f"No position of {self.game.name} was found that fits what player {self.player} has seen in "
            f"{ply + 1} moves and outcomes; more particles (count, now {self.count}) may find one."
        )

    def _repaired(self, particles: Sequence[_Particle], ply: int) -> list[_Particle]:
        """Histories changed so that they fit event `ply` too, which none of the particles did."""
        walkers = list(particles)
        found = []
        hidden = [i for i in self.hidden if i < ply]
        for _ in range(REPAIRS if hidden else 0):
            i = below(self.stream, len(walkers))
            changed = self._changed(walkers[i], ply)
            if changed is walkers[i]:
                continue
            walkers[i] = changed
            if self._fits(changed.world, ply):
                found.append(changed)
                if len(found) * 4 >= self.count:
                    break
        if not found:
            raise self._none(ply)
        return found

    def _changed(self, particle: _Particle, end: int) -> _Particle:
        """A Metropolis step: another history of `end` events that fits, or the same one.

        Either one hidden action is replaced by another that was possible there, or two hidden actions change places;
        both are as likely to be undone as to be done, so accepting by the ratio of the probabilities is right.
        """
        hidden = [i for i in self.hidden if i < end]
        if not hidden:
            return particle
        path = particle.path()
        actions = [node.action for node in path[1:]]
        i = hidden[below(self.stream, len(hidden))]
        if below(self.stream, 2):
            j = hidden[below(self.stream, len(hidden))]
            i, j = min(i, j), max(i, j)
            actions[i], actions[j] = actions[j], actions[i]
        else:
            possible = path[i].world.actions
            actions[i] = possible[below(self.stream, len(possible))]
        if actions[i] == path[i + 1].action:
            return particle
        node, ratio = path[i], 1.0
        for ply in range(i, end):
            ways = steps(node.world, self.seen[ply], self.player, self.others, actions[ply])
            if not ways:
                return particle
            action, chance, world = ways[0]
            node = _Particle(world, node, action, chance)
            ratio *= chance / path[ply + 1].chance
        return node if uniform(self.stream) < ratio else particle


class _UnseenSampler(_Sampler):
    """The same where moves may go unnoticed between two events: a step becomes a sequence of steps."""

    def __init__(
        self, game: Game, player: int, seen: Sequence[SeenEvent], count: int, stream: list[int], others: Model | None
    ) -> None:
        super().__init__(game, player, seen, count, stream, others)
        self.hidden = [ply for ply, event in enumerate(seen) if event.turn != player or event.move is None]

    def _grown(self, particles: Sequence[tuple[_Particle, float]], event: SeenEvent) -> list[tuple[_Particle, float]]:
        grown = []
        for particle, weight in particles:
            drawn = drawn_steps(particle.world, event, self.player, self.others, self.stream)
            if drawn is not None:
                (actions, chance, world), fitted = drawn
                grown.append((_Particle(world, particle, -1, chance, actions, fitted), weight * fitted))
        return grown

    def _at_last(self, particles: Sequence[tuple[_Particle, float]], turn: int) -> list[World]:
        """Add what may have happened unnoticed since the last event."""
        found = []
        for particle, weight in particles:
            world, factor = drawn_unseen(particle.world, self.player, self.others, self.stream)
            if world.turn == turn:
                found.append((world, weight * factor))
        total = sum(weight for _, weight in found)
        if total <= 0.0:
            raise self._none(len(self.seen) - 1)
        return [(world, weight / total) for world, weight in found]

    def _fits(self, world: Position, ply: int) -> bool:
        return next(steps_with_unseen(world, self.seen[ply], self.player, self.others), None) is not None

    def _changed(self, particle: _Particle, end: int) -> _Particle:
        """A Metropolis step: the steps to one event are drawn anew, or those to two events change places.

        What is drawn anew is drawn in proportion to its probability among what fits, so it is accepted by the ratio of
        how likely it was that something fitted.
        """
        hidden = [i for i in self.hidden if i < end]
        if not hidden:
            return particle
        path = particle.path()
        taken = [node.actions for node in path[1:]]
        i = hidden[below(self.stream, len(hidden))]
        node, ratio, first = path[i], 1.0, i
        if below(self.stream, 2):
            j = hidden[below(self.stream, len(hidden))]
            i, j = min(i, j), max(i, j)
            node, first = path[i], i
            taken[i], taken[j] = taken[j], taken[i]
        else:
            drawn = drawn_steps(node.world, self.seen[i], self.player, self.others, self.stream)
            if drawn is None:
                return particle
            (taken[i], chance, world), fitted = drawn
            node, ratio, first = (
                _Particle(world, node, -1, chance, taken[i], fitted),
                fitted / path[i + 1].fitted,
                i + 1,
            )
        if taken[i] == path[i + 1].actions:
            return particle
        for ply in range(first, end):
            step = repeated_steps(node.world, self.seen[ply], self.player, self.others, taken[ply])
            if step is None:
                return particle
            (actions, chance, world), fitted = step
            node = _Particle(world, node, -1, chance, actions, fitted)
            ratio *= chance / path[ply + 1].chance
        return node if uniform(self.stream) < ratio else particle
