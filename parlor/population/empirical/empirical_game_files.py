"""Empirical games on disk: readable JSON, one cell a line, or NumPy arrays if the file's name ends in .npz.

Cross tables, as `parlor compare --json` and `parlor rate` write them, can be opened too: a match of two is a cell of
the game in which seats are drawn. So can the payoffs of a matrix game.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parlor.arena.measures import MEASURES
from parlor.arena.statistics import student
from parlor.game import CHANCE, Game
from parlor.game.loading import load
from parlor.game.loading.matrix import payoff_tensor
from parlor.population.empirical.empirical_game import EXACT, EmpiricalGame
from parlor.population.empirical.empirical_game_writer import ENDINGS, FORMAT
from parlor.population.empirical.empirical_games import SimulatedGame
from parlor.population.run.checkpoints import load_empirical
from parlor.runs.files.container import FileError, ending, explained, read_arrays, source_of
from parlor.runs.run import newest


def load_empirical_game(path: str | os.PathLike[str]) -> SimulatedGame:
    """Read an empirical game, or open a cross table or a matrix of payoffs as one."""
    path = Path(path)
    if path.is_dir():
        return _from_run(path)
    kind = ending(path, ENDINGS)
    with explained(path, "empirical game"):
        if kind == ".npz":
            head, arrays = read_arrays(path)
            return _from_arrays(_made(head, path), arrays)
        content = json.loads(path.read_bytes())
        if isinstance(content, list):
            return dataclasses.replace(from_one_shot(load(str(path))), kept=False)
        if "matches" in content:
            return dataclasses.replace(from_cross_table(content), kept=False)
        return _from_json(_made(content, path), content)


# --------------------------------------------------------------------------------------------------- the two formats


def _made(head: Mapping[str, Any], path: Path) -> SimulatedGame:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        said = head.get("format", "none") if isinstance(head, dict) else "none"
        raise FileError(f"its format is {said!r}, this version reads {FORMAT!r}.")
    labels = head["labels"]
    made = SimulatedGame(
        str(head["game"]),
        len(labels),
        int(head["seed"]),
        bool(head["symmetric"]),
        rules=str(head["rules"]),
        versions=dict(head["versions"]),
        source=source_of(head, path),
    )
    _add_labels(made, labels)
    return made


def _add_labels(made: SimulatedGame, labels: Sequence[Sequence[str]]) -> None:
    for player, some in enumerate(labels):
        for label in some:
            for table in made.measured.values():
                table.add(player, str(label))


def _from_json(made: SimulatedGame, content: Mapping[str, Any]) -> SimulatedGame:
    for entry in content["cells"]:
        cell = tuple(made.labels[p].index(label) for p, label in enumerate(entry["agents"]))
        for name in made.measured.keys() & entry.keys():
            known = entry[name]
            deals = EXACT if "exact" in known else int(known["deals"])
            sums = np.array(known.get("exact", known.get("sums")), np.float64)
            _fill(made, name, cell, deals, sums, np.array(known.get("squares", np.zeros(len(cell))), np.float64))
    return made


def _fill(made: SimulatedGame, name: str, cell: tuple[int, ...], deals: int, sums: Any, squares: Any) -> None:
    """Put numbers into a cell; where seats are drawn, into all orders of it."""
    for order in itertools.permutations(range(made.players)) if made.symmetric else [tuple(range(made.players))]:
        place, table = tuple(cell[i] for i in order), made.measured[name]
        table.counts[place] = deals
        at: Any = (slice(None), *place)
        table.sums[at], table.squares[at] = sums[list(order)], squares[list(order)]


def _from_arrays(made: SimulatedGame, arrays: Mapping[str, Any]) -> SimulatedGame:
    for name in made.measured:
        if f"{name}/counts" in arrays:
            parts = {part: arrays[f"{name}/{part}"] for part in ("counts", "sums", "squares")}
            made.measured[name] = EmpiricalGame.from_data({"game": made.name, "labels": made.labels, **parts})
    return made


# ------------------------------------------------------------------------------------------------------- other files


def from_one_shot(game: Game) -> SimulatedGame:
    """A game in which everybody chooses once: its strategies are its actions, and everything is known exactly."""
    exact = one_shot_game(game)
    made = SimulatedGame.of(game)
    _add_labels(made, exact.labels)
    everywhere = (slice(None),) * made.players
    for name, measure in MEASURES.items():
        made.measured[name].set_exact(everywhere, measure.of_cells(exact.payoffs))
    return made


def from_empirical(game: EmpiricalGame) -> SimulatedGame:
    """Any empirical game; of the measures only the payoffs are known, and where these are exact, their sum."""
    made = SimulatedGame(game.game, game.players, kept=False)
    _add_labels(made, game.labels)
    made.measured["payoff"] = game
    exact = np.where(game.counts == EXACT, EXACT, 0)
    made.measured["welfare"].counts = exact
    made.measured["welfare"].sums = np.where(exact > 0, np.broadcast_to(game.sums.sum(axis=0), game.sums.shape), 0.0)
    return made


def _from_run(folder: Path) -> SimulatedGame:
    """The empirical game of a PSRO run, as it was at the newest checkpoint."""
    if (checkpoint := newest(folder)) is None:
        raise FileError(f"{folder} has no checkpoint of a PSRO run.")
    return from_empirical(load_empirical(checkpoint)[1])


def from_cross_table(content: Mapping[str, Any]) -> SimulatedGame:
    """The matches of a tournament: one agent and copies of another, in all seats on each deal."""
    game = load(str(content["game"]))
    made = SimulatedGame.of(game, symmetric=True)
    for agent in content["agents"]:
        made.add(str(agent))
    labels, players = made.labels[0], made.players
    for match in content["matches"]:
        cell = (labels.index(match["agent"]), *[labels.index(match["against"])] * (players - 1))
        deals = int(match["games"]) // players
        for name in MEASURES:
            by_agent = [one[name] if name in one else match["measures"][name] for one in match["by_agent"]]
            known = [by_agent[0], *by_agent[1:] * (players - 1)]
            if deals > 1 and all(_finite(one) for one in known):
                means = np.array([one["value"] for one in known])
                errors = np.array([(one["high"] - one["low"]) / 2 / student(deals - 1) for one in known])
                squares = deals * (deals - 1) * errors**2 + deals * means**2
                _fill(made, name, cell, deals, deals * means, squares)
    if game.kind == "zero-sum":  # among copies nobody has an advantage
        for i in range(len(labels)):
            for name, value in (("payoff", 0.0), ("win-share", 1.0 / players), ("welfare", 0.0)):
                made.measured[name].set_exact((i,) * players, np.full(players, value))
    return made


def _finite(one: Mapping[str, Any]) -> bool:
    return all(isinstance(one[side], int | float) and math.isfinite(one[side]) for side in ("value", "low", "high"))


def one_shot_game(game: Game) -> EmpiricalGame:
    """Its payoffs by actions; GameError if somebody decides more than once."""
    payoffs = payoff_tensor(game)
    labels = [["–"] for _ in range(game.players)]  # of a player who never decides
    position = game.start()
    while not position.over:
        if position.turn != CHANCE:
            labels[position.turn] = list(position.legal)
        position = position.after(next(iter(position.odds)) if position.turn == CHANCE else position.legal[0])
    found = EmpiricalGame(game.name, game.players)
    for player, some in enumerate(labels):
        for label in some:
            found.add(player, label)
    found.set_exact((slice(None),) * game.players, payoffs)
    return found
