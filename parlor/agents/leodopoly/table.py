"""What a strategy must know of the game it plays: board, die, and the options that say how strategies reason."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor.game import Game
from parlor.games.leodopoly.boards import LEEDS

SIDES = 6


class Table(NamedTuple):
    """A game in numbers, so that one compiled agent serves any numbers."""

    players: int
    spaces: int
    rounds: int
    cost: Any  # [space]
    rent: Any  # [space]
    group: Any  # [space] the spaces of its set, a bit each
    next_roll: Any  # [distance] how likely it is that one roll goes so far
    sealed: int  # auctions
    sells: int  # it puts up its properties
    by_gain: int  # a seller asks for a gain, not for a value
    fears_all: int  # jeopardy also counts what nobody owns
    at_price: int  # a raise is judged by what it would cost, not by the bid that stands
    able_only: int  # rivals count only if they can pay
    rows: int  # offers for several properties are open at the same time


def table_of(concrete: Game, compiled: bool, sells: bool | None = None) -> Table:
    """The game in numbers. Strategies put up properties where deals are more than announced, unless `sells` says so."""
    options = concrete.options
    board = LEEDS
    groups = [sum(1 << j for j, one in enumerate(board) if one.group == space.group) for space in board]
    arrays = (
        np.array([space.cost for space in board], np.int64),
        np.array([space.rent for space in board], np.int64),
        np.array([group if space.group else 0 for group, space in zip(groups, board, strict=True)], np.int64),
        distances(len(board)),
    )
    cost, rent, group, next_roll = arrays if compiled else [array.tolist() for array in arrays]
    return Table(
        concrete.players,
        len(board),
        int(options["rounds"]),
        cost,
        rent,
        group,
        next_roll,
        int(options["auction"] == "sealed"),
        int(options["deals"] == "applied" if sells is None else sells),
        int(options["accepts"] == "gain"),
        int(options["jeopardy"] == "all"),
        int(options["judges"] == "price"),
        int(options["rivals"] == "able"),
        int(options["offers"] == "before"),
    )


def distances(spaces: int) -> Any:
    """How likely one roll goes so far, by the distance around the board."""
    chances = np.zeros(spaces)
    for steps in range(1, SIDES + 1):
        chances[steps % spaces] += 1.0 / SIDES
    return chances


def landings(spaces: int, turns: int) -> Any:
    """[n, distance] how often n rolls land so far from here on average, for all n up to `turns`."""
    once = distances(spaces)
    now = np.zeros(spaces)
    now[0] = 1.0
    visits = np.zeros((turns + 1, spaces))
    for n in range(1, turns + 1):
        now = np.array([sum(now[(d - step) % spaces] * once[step] for step in range(spaces)) for d in range(spaces)])
        visits[n] = visits[n - 1] + now
    return visits
