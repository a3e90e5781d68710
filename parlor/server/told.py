"""What a seat is told about what happens, and what might be the case as far as it has been told.

Everything here comes from the seat's views. The name of an outcome is told only if the view tells this outcome from
all others, whatever the game's words say about secrets; a player's move is told unless the game keeps it secret, and if
the game does not say, it is told like an outcome. `worlds` are all the games that would have looked the same from the
seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parlor.agents import Agent
from parlor.game import CHANCE, Game, Position, unless_said
from parlor.rng import seed_stream
from parlor.server.views import drawing


def told(position: Position, move: str, player: int) -> str | None:
    """The name of a move or outcome here, if `player` gets to know it."""
    turn = position.turn
    if turn == player:
        return move
    action = position.actions[position.legal.index(move)]
    secret = position.game.secret(position._state, action, player)
    declared = position.game.secret is not unless_said  # what a game does not say may still be seen
    if declared and (secret or turn != CHANCE):
        return None if secret else move
    return move if _distinct(position, action, player) else None


def _distinct(position: Position, action: int, player: int) -> bool:
    """Whether `player` sees which outcome or move it is.

    All that there are in the game count, also those that cannot happen here: which ones can may be a secret too.
    """
    game, seen = position.game, _looks(position, action, player)
    if game.schema is None:  # a game of another library, which can only be asked about what can happen
        others = [a for a in position.actions if a != action]
        return seen != position.view(player) and all(_looks(position, a, player) != seen for a in others)
    number = game.outcomes if position.turn == CHANCE else game.actions
    return all(_looks(position, a, player) != seen for a in range(number) if a != action)


def _looks(position: Position, action: int, player: int) -> object:
    """What `player` would see after an outcome; None if the rules cannot imagine it."""
    state = position._state.copy()
    try:
        position.game.rules.play(state, action)
        return position.game.view(state, player)
    except (ArithmeticError, LookupError, ValueError, TypeError):
        return None


#: A position that may be the case, and how likely it is.
World = tuple[Position, float]


def worlds(
    game: Game, moves: Sequence[str], player: int, limit: int, others: Agent | None = None
) -> list[World] | None:
    """All positions that look to `player` like the one after `moves`, with their odds; None if they are too many.

    If the `others` are taken to play like an agent, their moves say something about their cards, unless it would never
    have come to this. Otherwise the odds are those of chance alone.
    """
    actual = game.start()
    possible = [(actual, 1.0)]
    for move in moves:
        turn, known = actual.turn, told(actual, move, player)
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


def _ways(world: Position, player: int, others: Agent | None) -> Mapping[str, float]:
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
        state = position._state.copy()
        game.imagine(state, player, stream)
        drawing(game).forget(state, player)
        found.append((Position(game, state, ()), 1.0 / count))
    return found
