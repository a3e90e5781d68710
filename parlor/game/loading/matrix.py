"""Games in normal form, from an array of payoffs: everybody chooses once, in secret.

`matrix_game(payoffs)` takes an array [players, actions of 0, actions of 1, …], a pair of matrices for two players
(which is the same), or one matrix: what the row player wins from the column player. The players choose one after the
other without seeing the others' choices, which is the same as choosing at once. `payoff_tensor(game)` is the inverse,
for any game in which everybody chooses once. The classics have names: `normal_form.py`.
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

from parlor.game import (
    CHANCE,
    OVER,
    RULES,
    Floats,
    Game,
    GameError,
    Ints,
    Position,
    State,
    View,
    from_module,
    private,
    public,
)
from parlor.game.loading.rules_file import ARRAYS
from parlor.game.words import TextTable, player

MAX_PLAYERS = 4
MAX_CELLS = 1_000_000
MAX_SHOWN = 400  # cells that people are shown

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


def secret(s: State, a: int, p: int) -> bool:
    """Everybody chooses in secret."""
    return True


def display(view: View) -> dict[str, Any]:
    """The actions of each player, the payoffs of each row by row, if they are few, and one's own choice."""
    few = CELLS <= MAX_SHOWN
    payoffs = [list(map(float, PAYOFFS[p * CELLS : (p + 1) * CELLS])) for p in range(PLAYERS)] if few else []
    return {"actions": [list(row) for row in ACTION_NAMES], "payoffs": payoffs, "choice": view.choice}


def table(view: View) -> TextTable:
    """The payoffs of two players, in rows and columns; of more, only their actions."""
    if PLAYERS > 2 or CELLS > MAX_SHOWN:
        rows = [[player(p), ", ".join(ACTION_NAMES[p])] for p in range(PLAYERS)]
        return TextTable(["player", "actions"], rows, [], show(view))
    cells = [f"{PAYOFFS[cell]:g}, {PAYOFFS[CELLS + cell]:g}" for cell in range(CELLS)]
    wide = COUNTS[1]
    rows = [[name, *cells[row * wide : (row + 1) * wide]] for row, name in enumerate(ACTION_NAMES[0])]
    lines = [f"{player(0, 'chooses')} the row and {player(1, 'chooses')} the column; payoffs in this order"]
    return TextTable(["", *ACTION_NAMES[1]], rows, lines, show(view))


def show(view: View) -> str:
    """The view of a player in words."""
    if view.choice == 0:
        return f"{player(view.player, 'has')} not chosen yet"
    return f"{player(view.player, 'has')} chosen {ACTION_NAMES[view.player][view.choice - 1]}"


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
    title = name or path or f"matrix-{'x'.join(map(str, table.shape[1:]))}-{_digest(table)}"
    summary = f"{' × '.join(map(str, table.shape[1:]))} payoffs, chosen at the same time."
    return from_module(SimpleNamespace(__doc__=summary, **rules_of(table, actions)), title)


def rules_of(table: npt.NDArray[np.float64], actions: Sequence[str] | Sequence[Sequence[str]] | None) -> dict[str, Any]:
    """The rules of a game in normal form by name: what a rules file would define."""
    players, counts = len(table), table.shape[1:]
    sums, scale = table.sum(axis=0), max(1.0, float(np.abs(table).max()))
    constants: dict[str, Any] = {
        "PLAYERS": players,
        "ACTIONS": max(counts),
        "OUTCOMES": 0,
        "LENGTH": players,
        "ZERO_SUM": bool((np.abs(sums) <= 1e-9 * scale).all()),
        "KIND": "common-payoff" if bool((table == table[0]).all()) else "general-sum",
        "STATE": {"chosen": public(), "choice": private(players)},
    }
    namespace = {
        **globals(),
        **constants,
        "COUNTS": tuple(int(n) for n in counts),
        "PAYOFFS": table.reshape(-1),
        "CELLS": int(np.prod(counts)),
        "ACTION_NAMES": _names(actions, counts),
    }
    names = (*RULES, "describe", "secret", "display", "table", "show")
    functions = {name: FunctionType(namespace[name].__code__, namespace, name) for name in names}
    namespace |= functions  # that they use each other
    return {**constants, **functions, "PAYOFFS": (float(table.min()), float(table.max()), float(sums.max()))}


def payoff_tensor(game: Game) -> npt.NDArray[np.float64]:
    """The payoffs [players, actions of 0, actions of 1, …] of a game in which everybody chooses once.

    Nobody may know anything of the others' choices; chance is averaged over. Meta-solvers take such arrays.
    """
    actions: dict[int, tuple[int, list[int]]] = {}  # of each player: its only information set, and what is legal there
    cells: list[tuple[dict[int, int], float, list[float]]] = []  # choices, probability, payoffs
    pending: list[tuple[Position, dict[int, int], float]] = [(game.start(), {}, 1.0)]
    while pending:
        position, chosen, chance = pending.pop()
        turn = position.turn
        if turn == CHANCE:
            pending += [(position.after(name), chosen, chance * odds) for name, odds in position.odds.items()]
        elif not position.over:
            here = position.key(turn), position.actions
            if turn in chosen or actions.setdefault(turn, here) != here:
                raise GameError(f"{game.name} has no payoff tensor: player {turn} decides at more than one place.")
            pending += [(position.after(a), {**chosen, turn: i}, chance) for i, a in enumerate(here[1])]
        else:
            cells.append((chosen, chance, position.payoffs))
        if len(pending) + len(cells) > MAX_CELLS:
            raise GameError(f"{game.name} is too large for a payoff tensor: there are more than {MAX_CELLS:,} cells.")
    table = np.zeros((game.players, *(len(actions[p][1]) if p in actions else 1 for p in range(game.players))))
    for chosen, chance, payoffs in cells:
        cell = tuple(chosen.get(p, 0) for p in range(game.players))
        for p, payoff in enumerate(payoffs):
            table[p][cell] += chance * payoff
    return table


def _digest(table: npt.NDArray[np.float64]) -> str:
    return hashlib.sha256(f"{table.shape}".encode() + table.tobytes()).hexdigest()[:8]


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
    if players > MAX_PLAYERS or table[0].size > MAX_CELLS or not table.size:
        raise GameError(
            f"{what} must be for 2 to {MAX_PLAYERS} players and have 1 to {MAX_CELLS:,} cells, not {table[0].size:,} "
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
