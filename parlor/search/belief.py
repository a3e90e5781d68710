"""What a player may believe: the positions that look to it like the true one, and how likely each is.

`worlds` lists them all, where they are few; `imagined` draws some with the game's own `imagine`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from parlor.game import CHANCE, Game, Position
from parlor.rng import seed_stream
from parlor.visibility import visible_move

#: How the others are taken to play: the distribution over the names of the legal moves at a position.
Model = Callable[[Position], Mapping[str, float]]

#: A position that may be the case, and how likely it is.
World = tuple[Position, float]


def worlds(
    game: Game, moves: Sequence[str], player: int, limit: int, others: Model | None = None
) -> list[World] | None:
    """All positions that look to `player` like the one after `moves`, with their odds; None if they are too many.

    If the `others` are taken to play like an agent, their moves say something about their cards, unless it would never
    have come to this. Otherwise the odds are those of chance alone.
    """
    actual = game.start()
    possible = [(actual, 1.0)]
    for move in moves:
        turn, known = actual.turn, visible_move(actual, move, player)
        after = actual.after(move)
        seen = after.view(player)
        grown: list[World] = []
        for world, weight in possible:
            if world.turn != turn:
                continue
            for name, chance in _ways(world, player, others).items():
                if known is not None and turn != CHANCE and name != known:
                    continue
                follower = world.after(name)
                if chance > 0.0 and follower.view(player) == seen:
                    grown.append((follower, weight * chance))
            if len(grown) > limit:
                return None
        actual, possible = after, grown
    total = sum(weight for _, weight in possible)
    if total <= 0.0 and others is not None:
        return worlds(game, moves, player, limit)
    return [(world, weight / total) for world, weight in possible]


def _ways(world: Position, player: int, others: Model | None) -> Mapping[str, float]:
    """What may happen, as likely as `player` takes it to be."""
    if world.turn == CHANCE:
        return world.odds
    return dict.fromkeys(world.legal, 1.0) if others is None or world.turn == player else others(world)


def imagined(position: Position, player: int, count: int) -> list[World]:
    """Worlds as the game imagines them for `player`; none if it cannot."""
    game = position.game
    if game.imagine is None:
        return []
    stream = [0, 0, 0, 0]
    seed_stream(stream, 0, position.key(player))  # by what is known, so that it is the same whatever is hidden
    found = []
    for _ in range(count):
        state = position.state.copy()
        game.imagine(state, player, stream)
        if game.forget is not None:
            game.forget(state, player)
        found.append((Position(game, state, ()), 1.0 / count))
    return found
