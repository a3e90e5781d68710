"""Agents' payoffs with people and among themselves: a study's findings beside a cross table that was played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from parlor.population.empirical.empirical_game_files import load_empirical_game
from parlor.runs.files.container import FileError

NASH = "nash-product"


@dataclass(frozen=True)
class PlayedCrossTable:
    """Nash bargaining scores, the products of mean payoffs, of agents who play each other; seats are drawn."""

    agents: tuple[str, ...]  # by their names in the study
    scores: tuple[tuple[float, ...], ...]  # [agent][opponent]
    returns: tuple[tuple[float, ...], ...]  # the mean payoff of the agent against the opponent


def read_cross_table(path: Path, agents: Mapping[str, str]) -> PlayedCrossTable:
    """Read what `parlor empirical-game … --out FILE` has written; `agents` are the study's, by their names in it."""
    game = load_empirical_game(path)
    if game.players != 2:
        raise FileError(f"{path} is of a game for {game.players} players; a cross table has pairs.")
    played = set(game.labels[0]) & set(game.labels[1])
    known = {name: label for name, agent in agents.items() for label in (agent, name) if label in played}
    if not known:
        raise FileError(
            f"{path} has none of the study's agents ({', '.join(agents.values()) or 'it has none'}); "
            f"it has {', '.join(game.labels[0])}."
        )
    payoffs = game.estimates(symmetric=True, only=tuple(known.values()))
    names = {label: name for name, label in known.items()}
    order = [payoffs.labels[0].index(label) for label in known.values() if label in payoffs.labels[0]]
    own, other = payoffs.means
    return PlayedCrossTable(
        tuple(names[payoffs.labels[0][i]] for i in order),
        tuple(tuple(float(own[i, j] * other[i, j]) for j in order) for i in order),
        tuple(tuple(float(own[i, j]) for j in order) for i in order),
    )
