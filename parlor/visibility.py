"""The one filter of hidden information: what a player gets to know of what happens.

Everything comes from the player's view. The name of an outcome of chance is visible only if the view tells this outcome
from all others, whatever the game's words say about secrets; a player's move is visible unless the game keeps it
secret, and if the game does not say, it is treated like an outcome. The terminal, the server, exports, agents and
search all ask here.
"""

from __future__ import annotations

from parlor.game import secret_by_default
from parlor.position import Position
from parlor.schema import CHANCE


def visible_move(position: Position, move: str, player: int) -> str | None:
    """The name of a move or outcome here, if `player` gets to know it."""
    turn = position.turn
    if turn == player:
        return move
    action = position.actions[position.legal.index(move)]
    secret = position.game.secret(position.state, action, player)
    declared = position.game.secret is not secret_by_default  # what a game does not say may still be seen
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
    state = position.state.copy()
    try:
        position.game.rules.play(state, action)
        return position.game.view(state, player)
    except (ArithmeticError, LookupError, ValueError, TypeError):
        return None
