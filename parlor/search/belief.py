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

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from parlor.game import CHANCE, Game, GameError, Position, View
from parlor.game.rng import below, seed_stream, uniform
from parlor.game.seats.visibility import visible_move

MAX_ENUMERATED = 300  # the most worlds that are enumerated
SAMPLES = 60  # worlds that are drawn otherwise, by default
REPAIRS = 4000  # changes of histories that are tried where no particle fits the next event
SWEEPS = 10  # changes of each history at the end, so that copies differ

#: A model of the others: the distribution over the names of the legal moves at a position.
Model = Callable[[Position], Mapping[str, float]]

#: A possible position, and its probability.
World = tuple[Position, float]

Item = TypeVar("Item")
Source = Literal["enumerated", "imagined", "sampled"]


class NoWorld(GameError):
    """No position was found that fits what a player has seen."""


class SeenEvent(NamedTuple):
    """A move or an outcome as one player sees it."""

    turn: int  # who acted
    move: str | None  # its name, if the player sees it
    view: View  # what the player sees afterwards


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


def events(position: Position, player: int) -> list[SeenEvent]:
    """Everything that has happened, as `player` has seen it."""
    actual = position.game.start()
    seen = []
    for move in position.history:
        turn, known = actual.turn, visible_move(actual, move, player)
        actual = actual.after(move)
        seen.append(SeenEvent(turn, known, actual.view(player)))
    if actual.turn != position.turn or actual.view(player) != position.view(player):
        raise GameError(
            f"Belief follows from what was seen, and this position of {position.game.name} has no "
            f"history; play to it from start()."
        )
    return seen


# --------------------------------------------------------------------------------------------------- enumeration


def worlds(
    position: Position, player: int, few: int = MAX_ENUMERATED, others: Model | None = None
) -> list[World] | None:
    """All positions that look to `player` like this one, with their odds; None if at some time there were too many.

    With a model of the `others`, their moves say something about their cards, unless the model rules out all that
    happened. Otherwise the probabilities are those of chance alone.
    """
    possible = [(position.game.start(), 1.0)]
    for event in events(position, player):
        grown: list[World] = []
        for world, weight in possible:
            grown += [(after, weight * chance) for _, chance, after in _steps(world, event, player, others)]
            if len(grown) > few:
                return None
        possible = grown
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
            steps = _steps(world, event, player, None)
            if event.turn not in (CHANCE, player) and len(steps) != 1:
                return None
            grown += [(after, weight * chance) for _, chance, after in steps]
            if len(grown) > few:
                return None
        possible = grown
    total = sum(weight for _, weight in possible)
    return [(world, weight / total) for world, weight in possible]


def _steps(
    world: Position, event: SeenEvent, player: int, others: Model | None, only: int | None = None
) -> list[tuple[int, float, Position]]:
    """The possible steps in a world if the player saw `event`: action, its probability, and the world after it.

    With `only`, no other action is considered.
    """
    game, state, turn = world.game, world.state, world.turn
    if turn != event.turn:
        return []
    if turn == CHANCE:
        odds = _odds(world)
        ways = [(a, odds[a]) for a in range(len(odds)) if odds[a] > 0.0]
        if event.move is not None:
            ways = [(a, chance) for a, chance in ways if game.words.describe(state, a) == event.move]
    else:
        actions = world.actions
        if event.move is not None:
            actions = [a for a in actions if game.words.describe(state, a) == event.move]
        ways = [(a, 1.0) for a in actions]
        if others is not None and turn != player:
            model = others(world)
            ways = [(a, model.get(game.words.describe(state, a), 0.0)) for a in actions]
    found = []
    for action, chance in ways:
        if chance <= 0.0 or (only is not None and action != only):
            continue
        after = state.copy()
        game.rules.play(after, action)
        if game.view(after, player) == event.view:
            name = game.words.describe(state, action)
            found.append((action, chance, Position(game, after, (*world.history, name))))
    return found


def _odds(world: Position) -> list[float]:
    out = [0.0] * world.game.outcomes
    return out[: world.game.rules.odds(world.state, out)]


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

    __slots__ = ("action", "chance", "parent", "world")

    def __init__(self, world: Position, parent: _Particle | None = None, action: int = -1, chance: float = 1.0) -> None:
        self.world = world
        self.parent = parent
        self.action = action  # that led here from the parent
        self.chance = chance  # of it there

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
    try:
        return _Sampler(position.game, player, seen, count, stream, others).run()
    except NoWorld:
        if others is None:
            raise
        return _Sampler(position.game, player, seen, count, stream, None).run()  # the model rules out what happened


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

    def run(self) -> list[World]:
        particles = [_Particle(self.game.start())] * self.count
        weights = [1.0 / self.count] * self.count
        copied = False
        for ply, event in enumerate(self.seen):
            following: dict[_Particle, list[tuple[int, float, Position]]] = {}
            for particle in particles:
                if particle not in following:
                    following[particle] = _steps(particle.world, event, self.player, self.others)
            alive = [(p, w) for p, w in zip(particles, weights, strict=True) if following[p]]
            if not alive:
                found = self._repaired(particles, ply)
                following |= dict(found)
                alive = [(particle, 1.0) for particle, _ in found]
            grown = []
            for particle, weight in alive:
                ways = following[particle]
                action, chance, world = ways[_pick(self.stream, [chance for _, chance, _ in ways])]
                total = sum(chance for _, chance, _ in ways)
                grown.append((_Particle(world, particle, action, chance), weight * total))
            total = sum(weight for _, weight in grown)
            particles, weights = [p for p, _ in grown], [weight / total for _, weight in grown]
            if len(particles) < self.count or 1.0 / sum(w * w for w in weights) < self.count / 2:
                particles = resampled(particles, weights, self.count, self.stream)
                weights = [1.0 / self.count] * self.count
                copied = True
        for _ in range(SWEEPS if copied and self.hidden else 0):
            particles = [self._changed(particle, len(self.seen)) for particle in particles]
        return [(particle.world, weight) for particle, weight in zip(particles, weights, strict=True)]

    def _repaired(
        self, particles: Sequence[_Particle], ply: int
    ) -> list[tuple[_Particle, list[tuple[int, float, Position]]]]:
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
            ways = _steps(changed.world, self.seen[ply], self.player, self.others)
            if ways:
                found.append((changed, ways))
                if len(found) * 4 >= self.count:
                    break
        if not found:
            raise NoWorld(
                f"No position of {self.game.name} was found that fits what player {self.player} has seen in "
                f"{ply + 1} moves and outcomes; more particles (count, now {self.count}) may find one."
            )
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
            steps = _steps(node.world, self.seen[ply], self.player, self.others, actions[ply])
            if not steps:
                return particle
            action, chance, world = steps[0]
            node = _Particle(world, node, action, chance)
            ratio *= chance / path[ply + 1].chance
        return node if uniform(self.stream) < ratio else particle


def _pick(stream: list[int], weights: Sequence[float]) -> int:
    """An index, as likely as its weight; the weights need not sum to one."""
    left = uniform(stream) * sum(weights)
    for i, weight in enumerate(weights):
        left -= weight
        if left < 0.0:
            return i
    return len(weights) - 1
