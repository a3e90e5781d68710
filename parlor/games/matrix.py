"""Games in normal form, from an array of payoffs: everybody chooses once, in secret.

`matrix_game(payoffs)` takes an array [players, actions of 0, actions of 1, …], a pair of matrices for two players
(which is the same), or one matrix: what the row player wins from the column player. The players choose one after the
other without seeing the others' choices, which is the same as choosing at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.game import OVER, RULES, Floats, Game, GameError, Ints, State, View, from_module, private, public
from parlor.games import ARRAYS

MOST_PLAYERS = 4
MOST_CELLS = 1_000_000

# Constants of one game; the functions below are copied for each game, with these names set.
PLAYERS = 2
ACTIONS = 2
COUNTS: tuple[int, ...] = (2, 2)  # of each player's actions
PAYOFFS = np.zeros(8)  # [players * cells]
CELLS = 4
ACTION_NAMES: tuple[tuple[str, ...], ...] = ()


def start(s: State) -> None:
    """Nobody has chosen: the state begins with zeros."""


def turn(s: State) -> int:
    """One after the other."""
    if s.chosen == PLAYERS:
        return OVER
    return s.chosen


def odds(s: State, out: Floats) -> int:
    """There is no chance."""
    return 0


def legal(s: State, out: Ints) -> int:
    """Each of the player's actions."""
    n = COUNTS[s.chosen]
    for a in range(n):
        out[a] = a
    return n


def play(s: State, a: int) -> None:
    """Choose."""
    s.choice[s.chosen] = a + 1
    s.chosen += 1


def payoff(s: State, p: int) -> float:
    """The entry of the array."""
    cell = 0
    for q in range(PLAYERS):
        cell = cell * COUNTS[q] + s.choice[q] - 1
    return float(PAYOFFS[p * CELLS + cell])


def key(s: State, p: int) -> int:
    """The player, how many have chosen, and the player's own choice."""
    return p + PLAYERS * (s.chosen + (PLAYERS + 1) * s.choice[p])


def describe(s: State, a: int) -> str:
    """The name of an action."""
    return ACTION_NAMES[s.chosen][a]


def show(view: View) -> str:
    """What a player knows."""
    if view.choice == 0:
        return f"player {view.player} has not chosen yet"
    return f"player {view.player} has chosen {ACTION_NAMES[view.player][view.choice - 1]}"


def matrix_game(
    payoffs: npt.ArrayLike | str | Path,
    *,
    name: str | None = None,
    actions: Sequence[str] | Sequence[Sequence[str]] | None = None,
) -> Game:
    """The normal-form game of an array, or of a .npy, .json or .csv file that holds one.

    `actions` names them: one list for all players, or one for each. Without a name the game is called after its shape
    and a hash of its payoffs.
    """
    if isinstance(payoffs, str | Path):
        path, table = str(payoffs), _examined(_read(Path(payoffs)), str(payoffs))
    else:
        path, table = "", _examined(payoffs, "The payoffs")
    players, counts = len(table), table.shape[1:]
    digest = hashlib.sha256(f"{table.shape}".encode() + table.tobytes()).hexdigest()[:8]
    sums, scale = table.sum(axis=0), max(1.0, float(np.abs(table).max()))
    zero_sum = bool((np.abs(sums) <= 1e-9 * scale).all())
    namespace: dict[str, Any] = {
        **globals(),
        "__doc__": f"{' × '.join(map(str, counts))} payoffs, chosen at the same time.",
        "PLAYERS": players,
        "ACTIONS": max(counts),
        "OUTCOMES": 0,
        "LENGTH": players,
        "ZERO_SUM": zero_sum,
        "KIND": "common-payoff" if bool((table == table[0]).all()) else "general-sum",
        "STATE": {"chosen": public(), "choice": private(players)},
        "COUNTS": tuple(int(n) for n in counts),
        "PAYOFFS": table.reshape(-1),
        "CELLS": int(np.prod(counts)),
        "ACTION_NAMES": _names(actions, counts),
    }
    for function in (*RULES, "describe", "show"):
        namespace[function] = FunctionType(namespace[function].__code__, namespace, function)
    title = name or path or f"matrix-{'x'.join(map(str, counts))}-{digest}"
    return from_module(SimpleNamespace(**namespace), title)


def _examined(payoffs: npt.ArrayLike, what: str) -> npt.NDArray[np.float64]:
    """The array in the order [players, actions …]; GameError if it is none."""
    try:
        table = np.ascontiguousarray(payoffs, np.float64)
    except (TypeError, ValueError):
        raise GameError(f"{what} must be an array of numbers with rows of equal length.") from None
    if table.ndim == 2:
        table = np.stack([table, -table])
    players = table.ndim - 1
    if players < 2 or table.shape[0] != players:
        raise GameError(
            f"{what} must be one matrix (zero-sum), or have the shape [players, actions of 0, actions of 1, …], not "
            f"{list(table.shape)}."
        )
    if players > MOST_PLAYERS or table[0].size > MOST_CELLS or not table.size:
        raise GameError(
            f"{what} must be for 2 to {MOST_PLAYERS} players and have 1 to {MOST_CELLS:,} cells, not {table[0].size:,} "
            f"for {players}."
        )
    if not np.isfinite(table).all():
        raise GameError(f"{what} must be finite numbers.")
    return table + 0.0  # no negative zeros: they would make another hash


def _names(
    actions: Sequence[str] | Sequence[Sequence[str]] | None, counts: Sequence[int]
) -> tuple[tuple[str, ...], ...]:
    if actions is None:
        return tuple(tuple(map(str, range(n))) for n in counts)
    lists = [actions] * len(counts) if all(isinstance(a, str) for a in actions) else list(actions)
    names = tuple(tuple(str(a) for a in row) for row in lists)
    if tuple(map(len, names)) != tuple(counts) or any(len(set(row)) != len(row) for row in names):
        raise GameError(f"actions must name each of the {', '.join(map(str, counts))} actions of the players, once.")
    return names


def _read(path: Path) -> npt.ArrayLike:
    if path.suffix not in ARRAYS:
        raise GameError(f"{path} should end in {', '.join(ARRAYS[:-1])} or {ARRAYS[-1]} to hold payoffs.")
    if not path.is_file():
        raise GameError(f"There is no file {path}.")
    try:
        if path.suffix == ".npy":
            array: npt.ArrayLike = np.load(path, allow_pickle=False)
            return array
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            listed = json.loads(text)
            if isinstance(listed, dict):
                kind = listed.get("format", "something else")
                raise GameError(f"{path} does not hold an array of payoffs but {kind}.")
            payoffs: npt.ArrayLike = listed
            return payoffs
        return [[float(cell) for cell in line.split(",")] for line in text.splitlines() if line.strip()]
    except GameError:
        raise
    except (ValueError, OSError, EOFError) as error:
        raise GameError(f"{path} does not hold an array of numbers: {error}.") from None
