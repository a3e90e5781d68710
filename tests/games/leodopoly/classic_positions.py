"""Positions of the classic game, set up by hand, for its tests."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from parlor.game import Game, Position
from parlor.game.loading import load

MEDITERRANEAN, BALTIC, READING, ORIENTAL, VERMONT, CONNECTICUT = 1, 3, 5, 6, 8, 9
JAIL, ST_CHARLES, ELECTRIC, STATES, VIRGINIA, PENNSYLVANIA_RR = 10, 11, 12, 13, 14, 15
FREE_PARKING, ILLINOIS, B_AND_O, WATER, GO_TO_JAIL, SHORT_LINE, PARK_PLACE, BOARDWALK = 20, 24, 25, 28, 30, 35, 37, 39
SELLING, DICE = 0, 3
BROWN = {MEDITERRANEAN: 0, BALTIC: 0}  # of player 0
BLUE = {ORIENTAL: 0, VERMONT: 0, CONNECTICUT: 0}
NONE: Mapping[int, int] = {}


@functools.cache
def classic(**options: int | str) -> Game:
    return load("leodopoly", preset="classic", **({"players": 3} | options))


def table(
    owners: Mapping[int, int] = NONE,
    money: Sequence[int] = (1500, 1500, 1500),
    at: int = 0,
    levels: Mapping[int, int] = NONE,
    mortgaged: Iterable[int] = (),
    jailed: int = 0,
    pardon: int = 0,
    phase: int = DICE,
    round: int = 0,
    actor: int = 0,
    game: Game | None = None,
) -> Position:
    """A player is on a space, about to roll or to do business; `owners` and `levels` are by space."""
    game = game or classic()
    state = game.start().state.copy()
    for space, player in owners.items():
        state.owner[space] = player + 1
    for space, level in levels.items():
        state.level[space] = level
    for space in mortgaged:
        state.mortgaged |= 1 << space
    state.money[:] = list(money)
    state.bank = len(money) * int(game.options["money"]) - sum(money)
    state.position[actor] = at
    state.jailed[actor] = jailed
    state.pardon[0] = pardon
    state.actor, state.phase, state.round = actor, phase, round
    return Position(game, state, ())


def business(*args: Any, **options: Any) -> Position:
    """The same before rolling."""
    return table(*args, **(options | {"phase": SELLING}))


def names(position: Position) -> set[str]:
    return {move.name for move in position.moves}


def money(position: Position) -> list[int]:
    return list(position.state.money)


def owner(position: Position, space: int) -> int:
    return int(position.state.owner[space]) - 1


def drawn(card: str, at: int = 7, **options: Any) -> Position:
    """Player 0 has drawn a card: of Chance on 7, 22 and 36, of Community Chest on 2, 17 and 33."""
    return table(at=at - 3, **options).after("dice 1 2").after(card)
