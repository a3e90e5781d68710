"""Games: the names that rules files import, and names for everybody else; see `parlor.game.game`."""

from parlor.game.errors import GameError
from parlor.game.game import (
    CONSTANTS,
    RULES,
    Game,
    HiddenWorlds,
    Rules,
    describe_by_number,
    from_module,
    same_action,
    secret_by_default,
    title_of,
)
from parlor.game.options import choice, file, option, switch
from parlor.game.parameters import Word
from parlor.game.position import Position
from parlor.game.schema import CHANCE, OVER, Field, Floats, Ints, State, View, hidden, private, public

__all__ = [
    "CHANCE",
    "CONSTANTS",
    "OVER",
    "RULES",
    "Field",
    "Floats",
    "Game",
    "GameError",
    "HiddenWorlds",
    "Ints",
    "Position",
    "Rules",
    "State",
    "View",
    "Word",
    "choice",
    "describe_by_number",
    "file",
    "from_module",
    "hidden",
    "option",
    "private",
    "public",
    "same_action",
    "secret_by_default",
    "switch",
    "title_of",
]
