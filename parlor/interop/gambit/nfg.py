"""Gambit's format of games in normal form, .nfg: read and written.

The payoffs of all players cell by cell; of the cells, those of the first player's strategies come one after the other.
In the other version of the format, cells name outcomes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np
import numpy.typing as npt

from parlor.game import GameError
from parlor.interop.gambit.tokens import TokenReader, quoted
from parlor.interop.gambit.trees import fraction


@dataclass(frozen=True)
class StrategicGame:
    """A game in normal form."""

    title: str
    players: list[str]
    strategies: list[list[str]]  # of each player
    payoffs: npt.NDArray[np.float64]  # [players, strategies of 0, strategies of 1, …]
    comment: str = ""


def read_nfg(text: str, where: str) -> StrategicGame:
    """The game in a text; `where` names it in errors."""
    words = TokenReader(text, where)
    words.word("NFG")
    words.word("1")
    words.word("R", "D")
    title, players = words.text(), words.texts()
    words.open()
    strategies: list[list[str]] = []
    while not words.sees("}"):
        strategies.append(words.texts() if words.sees("{") else [str(i + 1) for i in range(words.whole())])
    words.close()
    comment = words.text() if words.sees('"') else ""
    if len(strategies) != len(players) or not all(strategies):
        raise GameError(f"{where} should say what each of its {len(players)} players can do.")
    counts = [len(own) for own in strategies]
    cells = _by_outcome(words, len(players)) if words.sees("{") else _by_cell(words, len(players))
    if len(cells) != prod(counts):
        raise GameError(f"{where} has payoffs for {len(cells)} cells where {prod(counts)} are needed.")
    numbers = np.array([[float(payoff) for payoff in cell] for cell in cells])
    table = np.stack([own.reshape(counts, order="F") for own in numbers.T])
    return StrategicGame(title, players, strategies, table, comment)


def _by_cell(words: TokenReader, players: int) -> list[list[Fraction]]:
    """Payoffs until the end."""
    found: list[list[Fraction]] = []
    while not words.over:
        found.append([words.number() for _ in range(players)])
    return found


def _by_outcome(words: TokenReader, players: int) -> list[list[Fraction]]:
    """Outcomes in braces, then the number of one for each cell; 0 pays nothing."""
    outcomes = [[Fraction(0)] * players]
    words.open()
    while not words.sees("}"):
        words.open()
        words.text()
        outcomes.append([words.number() for _ in range(players)])
        words.close()
    words.close()
    cells = []
    while not words.over:
        number = words.whole()
        if not 0 <= number < len(outcomes):
            raise GameError(f"{words.where} has {len(outcomes) - 1} outcomes, and a cell with outcome {number}.")
        cells.append(outcomes[number])
    return cells


def write_nfg(game: StrategicGame) -> str:
    """The game as a text."""
    strategies = " ".join(f"{{ {' '.join(map(quoted, own))} }}" for own in game.strategies)
    lines = [
        f"NFG 1 R {quoted(game.title)} {{ {' '.join(map(quoted, game.players))} }}",
        f"{{ {strategies} }}",
        quoted(game.comment),
        "",
    ]
    for cell in zip(*(own.reshape(-1, order="F").tolist() for own in game.payoffs), strict=True):
        lines.append(" ".join(str(fraction(payoff)) for payoff in cell))
    return "\n".join(lines) + "\n"
