"""Games: the names that rules files import, and names for everybody else; see `parlor.game.game`."""

from parlor.game.errors import GameError
from parlor.game.game import (
    RULES,
    Abstraction,
    ActionHead,
    Game,
    HiddenInformation,
    HiddenWorlds,
    OwnFeatures,
    Position,
    Rules,
    Words,
    describe_by_number,
    same_action,
    secret_by_default,
)
from parlor.game.parameters import Word, choice, file, option, switch
from parlor.game.rules_module import CONSTANTS, from_module, title_of
from parlor.game.schema import CHANCE, OVER, Field, Floats, Ints, State, View, hidden, private, public

__all__ = [
    "CHANCE",
    "CONSTANTS",
    "OVER",
    "RULES",
    "Abstraction",
    "ActionHead",
    "Field",
    "Floats",
    "Game",
    "GameError",
    "HiddenInformation",
    "HiddenWorlds",
    "Ints",
    "OwnFeatures",
    "Position",
    "Rules",
    "State",
    "View",
    "Word",
    "Words",
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
