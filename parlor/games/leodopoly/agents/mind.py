"""The memory of a strategy: its parameters, the game it plays, and working space.

All of it is one record, as a state is: compiled functions then get a pointer to it, where a dozen of arrays would be
copied with each call, and one compiled agent serves all parameters.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from parlor.game import Game
from parlor.games.leodopoly.boards import board

SIDES = 6
FACTS = 13  # see `heuristic.py`

#: players, spaces, rounds; unit: of amounts
#: cost, rent, kind, house [space]; rents [space, houses - 1]; group [space]: the spaces of its set, a bit each
#: sealed: auctions are; rows: offers for several properties are open at the same time
#: sells: it puts up its properties; by_gain: it sells for a gain, not for a value
#: fears_all: jeopardy also counts what nobody owns; able_only: rivals count only if they can pay
#: at_price: a raise is judged by what it would cost, not by the bid that stands
#: weight [parameter]
#: next_roll [distance]: how likely it is that one roll goes so far; landings [turns, distance]: see below
#: Situations are rows: a player has the lot, or, last, everything is as it is.
#: facts [row, FACTS]; due [row, space]: rents that could be due, 0 on own spaces; free [row]: what nobody owns, by bits
#: deeds [player + 1]: of nobody and of the players, a bit each
Mind = Any


def new_mind(concrete: Game, w: Sequence[float], turns: int, sells: bool | None, compiled: bool) -> Any:
    """A mind in a list or an array of one. Properties are put up where deals count, unless `sells` says otherwise."""
    options, players = concrete.options, concrete.players
    every = board(options["board"] == "classic", options["cards"] == "true", options["jail"] == "true")
    spaces, dice = len(every), int(options["dice"])
    fields: Mapping[str, Any] = {
        "players": players,
        "spaces": spaces,
        "rounds": int(options["rounds"]),
        "unit": int(options["unit"]),
        "cost": [space.cost for space in every],
        "rent": [space.rent for space in every],
        "kind": [space.kind for space in every],
        "house": [space.house for space in every],
        "rents": [list(space.rents) for space in every],
        "group": [
            sum(1 << k for k, other in enumerate(every) if space.group and other.group == space.group)
            for space in every
        ],
        "sealed": int(options["auction"] == "sealed"),
        "rows": int(options["offers"] == "before"),
        "sells": int(options["deals"] == "applied" if sells is None else sells),
        "by_gain": int(options["accepts"] == "gain"),
        "fears_all": int(options["jeopardy"] == "all"),
        "able_only": int(options["rivals"] == "able"),
        "at_price": int(options["judges"] == "price"),
        "weight": [float(number) for number in w],
        "next_roll": landings(spaces, 1, dice)[1],
        "landings": landings(spaces, turns, dice),
        "facts": [[0.0] * FACTS for _ in range(players + 1)],
        "due": [[0] * spaces for _ in range(players + 1)],
        "free": [0] * (players + 1),
        "deeds": [0] * (players + 1),
    }
    if not compiled:
        return [SimpleNamespace(**fields)]
    arrays = {name: np.array(value) for name, value in fields.items()}
    mind = np.zeros(1, np.dtype([(name, array.dtype, array.shape) for name, array in arrays.items()]))
    for name, array in arrays.items():
        mind[name] = array
    return mind


MAX_TURNS = 40


def landings(spaces: int, turns: int, dice: int = 1) -> list[list[float]]:
    """[n, distance] how often n rolls land so far from here on average; the same for all n above `turns`.

    That doubles roll again, and what cards and the jail do, is left out.
    """
    rolls = [sum(faces) for faces in itertools.product(range(1, SIDES + 1), repeat=dice)]
    once = [sum(steps % spaces == d for steps in rolls) / len(rolls) for d in range(spaces)]
    now = [float(d == 0) for d in range(spaces)]
    visits = [[0.0] * spaces]
    for n in range(1, MAX_TURNS + 1):
        if n <= turns:
            now = [sum(now[(d - step) % spaces] * once[step] for step in range(spaces)) for d in range(spaces)]
            visits.append([seen + chance for seen, chance in zip(visits[-1], now, strict=True)])
        else:
            visits.append(visits[-1])
    return visits
