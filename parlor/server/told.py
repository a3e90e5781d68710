"""What a seat is told about what happens, and what might be the case as far as it has been told.

Everything here comes from the seat's views. At a turn of chance the name of an outcome is told only if the view tells
this outcome from all others, whatever the game's words say about secrets; a player's move is told unless the game
keeps it secret. `worlds` are all the games that would have looked the same from the seat.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlor.game import CHANCE, Game, Position, unless_said


def told(position: Position, move: str, player: int) -> str | None:
    """The name of a move or outcome here, if `player` gets to know it."""
    turn = position.turn
    if turn == player:
        return move
    action = position.actions[position.legal.index(move)]
    secret = position.game.secret(position._state, action, player)
    declared = position.game.secret is not unless_said  # what a game does not say may still be seen
    if turn == CHANCE and not (declared and secret):
        return move if _distinct(position, action, player) else None
    return None if secret else move


def _distinct(position: Position, outcome: int, player: int) -> bool:
    """Whether `player` sees which outcome it is.

    All outcomes there are in the game count, also those that cannot happen here: which ones can may be a secret too.
    """
    seen = _looks(position, outcome, player)
    if position.game.schema is None:  # a game of another library, which can only be asked about what can happen
        others = [a for a in position.actions if a != outcome]
        return seen != position.view(player) and all(_looks(position, a, player) != seen for a in others)
    return all(_looks(position, a, player) != seen for a in range(position.game.outcomes) if a != outcome)


def _looks(position: Position, action: int, player: int) -> object:
    """What `player` would see after an outcome; None if the rules cannot imagine it."""
    state = position._state.copy()
    try:
        position.game.rules.play(state, action)
        return position.game.view(state, player)
    except (ArithmeticError, LookupError, ValueError, TypeError):
        return None


def worlds(game: Game, moves: Sequence[str], player: int, limit: int) -> list[tuple[Position, float]] | None:
    """All positions that look to `player` like the one after `moves`, with their odds; None if they are too many.

    The odds are those of chance alone: what the others' moves say about their cards is left out.
    """
    actual = game.start()
    possible = [(actual, 1.0)]
    for move in moves:
        turn, known = actual.turn, told(actual, move, player)
        after = actual.after(move)
        seen = after.view(player)
        grown: list[tuple[Position, float]] = []
        for world, weight in possible:
            if world.turn != turn:
                continue
            odds = world.odds if turn == CHANCE else dict.fromkeys(world.legal, 1.0)
            for name, chance in odds.items():
                if known is not None and turn != CHANCE and name != known:
                    continue
                follower = world.after(name)
                if follower.view(player) == seen:
                    grown.append((follower, weight * chance))
            if len(grown) > limit:
                return None
        actual, possible = after, grown
    total = sum(weight for _, weight in possible)
    return [(world, weight / total) for world, weight in possible]
