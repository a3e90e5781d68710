"""The one filter of hidden information: what a player sees of a move or an outcome.

Everything comes from the player's view. The name of an outcome of chance is visible only if the view tells this outcome
from all others, whatever the game's `secret` says; a player's move is visible unless the game declares it
secret, and if the game declares nothing, it is treated like an outcome. A spectator (player None) sees a move only if
every player sees it, and of a state only the public fields. A game may have moves that a player does not even notice
(`unseen`): they are left out of all that this player gets, and of every count of it. The terminal, the server, exports,
agents and search all use this module.
"""

from __future__ import annotations

import dataclasses

from parlor.game.game import Position, secret_by_default
from parlor.game.schema import CHANCE, View, zeros


def visible_move(position: Position, move: str, player: int | None) -> str | None:
    """The name of a move or outcome here, if `player` sees it; if all players do, for a spectator."""
    if goes_unnoticed(position, move, player):
        return None
    if player is None:
        seen = all(visible_move(position, move, p) is not None for p in range(position.game.players))
        return move if seen else None
    turn = position.turn
    if turn == player:
        return move
    action = position.action(move)
    secret = position.game.hidden.secret(position.state, action, player)
    declared = position.game.hidden.secret is not secret_by_default  # undeclared moves may be visible in the view
    if declared and (secret or turn != CHANCE):
        return None if secret else move
    return move if _distinct(position, action, player) else None


def goes_unnoticed(position: Position, move: str, player: int | None) -> bool:
    """Whether `player` does not even notice that a move or outcome happens here; a spectator, if somebody does not."""
    unseen = position.game.hidden.unseen
    if unseen is None:
        return False
    action = position.action(move)
    if player is None:
        return any(unseen_by(position, action, p) for p in range(position.game.players))
    return unseen_by(position, action, player)


def unseen_by(position: Position, action: int, player: int) -> bool:
    """The same of an action and a player; everybody notices moves of its own."""
    unseen = position.game.hidden.unseen
    return unseen is not None and position.turn != player and bool(unseen(position.state, action, player))


def public_position(position: Position) -> Position | None:
    """A position with all fields cleared that not everybody sees, and without history; None if it has no fields."""
    game = position.game
    if game.schema is None:
        return None
    state = position.state.copy()
    for name, field in game.schema.items():
        if field.seen_by != "all":
            setattr(state, name, zeros(field.shape))
    return Position(game, state, ())


def public_view(position: Position) -> View | None:
    """Return a spectator's view: its player is None, with zeros where a player sees something of its own."""
    public = public_position(position)
    return public and dataclasses.replace(public.view(0), player=None)


def _distinct(position: Position, action: int, player: int) -> bool:
    """Whether `player` sees which outcome or move it is.

    All outcomes of the game count, also those that are impossible here: which ones are possible may be a secret too.
    """
    game, seen = position.game, _view_after(position, action, player)
    if game.schema is None:  # a game of another library: only possible outcomes can be tried
        others = [a for a in position.actions if a != action]
        return seen != position.view(player) and all(_view_after(position, a, player) != seen for a in others)
    number = game.outcomes if position.turn == CHANCE else game.actions
    return all(_view_after(position, a, player) != seen for a in range(number) if a != action)


def _view_after(position: Position, action: int, player: int) -> object:
    """The view of `player` after an outcome; None if the rules cannot apply it."""
    state = position.state.copy()
    try:
        position.game.rules.play(state, action)
        return position.game.view(state, player)
    except (ArithmeticError, LookupError, ValueError, TypeError):
        return None
