"""The files of a PSRO run: each member once, in a file of its own, and checkpoints, which are populations.

    strategies/0-12.npz         the twelfth answer of player 0, by the file of its kind; 0-0 is uniform play
    checkpoints/00000012.npz    after so many iterations: the empirical game, the mixture, its members' files

A checkpoint grows with the empirical game, so only the newest two are kept, and those that the configuration asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from parlor.compile import version
from parlor.game import GameError
from parlor.policies.population import Population
from parlor.population.empirical.empirical_game import EXACT, EmpiricalGame
from parlor.population.psro import Psro
from parlor.population.run.config import PsroConfig
from parlor.runs.checkpoints import CHECKPOINTS, Damaged, checkpoints
from parlor.runs.files.policy_files import UNREADABLE, FileError
from parlor.runs.files.population_files import load_everybody, read_extra, save_checkpoint
from parlor.runs.files.strategy_files import save

STRATEGIES = "strategies"
KEPT = 2  # checkpoints: the newest, and the one before in case that is damaged


@dataclass(frozen=True)
class Saved:
    """A checkpoint as it was read."""

    path: Path
    head: Mapping[str, Any]
    empirical: EmpiricalGame
    population: Population

    @property
    def state(self) -> dict[str, Any]:
        """As the loop restores it."""
        data = {"iteration": self.head["iteration"], "empirical": self.empirical.data()}
        return {**data, "mixture": self.population.mixture}


def save_population(folder: Path, psro: Psro, config: PsroConfig, code: str) -> Path:
    """Write the members that are new, and the checkpoint; the one before remains, whatever happens."""
    files = [[f"{p}-{i}.npz" for i in range(len(some))] for p, some in enumerate(psro.members)]
    for some, names in zip(psro.members, files, strict=True):
        for strategy, name in zip(some, names, strict=True):
            path = folder / STRATEGIES / name
            if strategy is some[-1] or not path.exists():
                save(strategy, path)
    path = folder / CHECKPOINTS / f"{psro.iteration:08d}.npz"
    head = {"code": code, "config": config.data(), "iteration": psro.iteration}
    there = [[f"../{STRATEGIES}/{name}" for name in names] for names in files]
    save_checkpoint(population_of(psro), path, there, head, _arrays(psro.empirical))
    for older in checkpoints(folder)[KEPT:]:
        if not config.checkpoint_every or int(older.stem) % config.checkpoint_every:
            older.unlink(missing_ok=True)
    return path


def population_of(psro: Psro) -> Population:
    """The population as a strategy, with its exact average policy where there is one."""
    s = psro.settings
    return Population(
        tuple(map(tuple, psro.members)),
        psro.mixture,
        {"algorithm": "psro", "meta": s.meta, "oracle": s.oracle, "iterations": psro.iteration},
        tuple(map(tuple, psro.empirical.labels)),
        psro.average() if psro.plans is not None else None,
    )


def _arrays(empirical: EmpiricalGame) -> dict[str, Any]:
    """The arrays of an empirical game; of one that is known exactly, the payoffs are all there is."""
    if (empirical.counts == EXACT).all():
        return {"sums": empirical.sums}
    return {"sums": empirical.sums, "squares": empirical.squares, "counts": empirical.counts}


def load_empirical(path: Path) -> tuple[dict[str, Any], EmpiricalGame]:
    """The header and the empirical game of a checkpoint."""
    try:
        head, arrays = read_extra(path)
        sums = arrays["sums"]
        arrays = {"squares": np.zeros_like(sums), "counts": np.full(sums.shape[1:], EXACT), **arrays}
        return head, EmpiricalGame.from_data({"game": head["game"], "labels": head["labels"], **arrays})
    except (FileError, GameError, *UNREADABLE) as error:
        raise Damaged(f"{path} is not a checkpoint of a PSRO run, or it is damaged ({type(error).__name__}).") from None


def load_saved(path: Path) -> Saved:
    """A checkpoint with all members."""
    head, empirical = load_empirical(path)
    if missing := {"iteration", "game", "rules", "code", "config"} - set(head):
        raise Damaged(f"{path} is not a complete checkpoint: it lacks {', '.join(sorted(missing))}.")
    if head["iteration"] != int(path.stem):
        raise Damaged(f"{path} is of iteration {head['iteration']:,}, which is not what its name says.")
    try:
        return Saved(path, head, empirical, load_everybody(path))
    except FileError as error:
        raise Damaged(str(error)) from None


def check_saved(saved: Saved, psro: Psro, config: PsroConfig) -> None:
    """Raise FileError for a checkpoint that is not of this run."""
    where, mine = f"{saved.path} is a checkpoint of another run:", config.data()
    rules = version(psro.game)
    if saved.head["game"] != psro.game.name or saved.head["rules"] != rules:
        raise FileError(
            f"{where} of {saved.head['game']} (rules {saved.head['rules']}), not {psro.game.name} (rules {rules})."
        )
    theirs = PsroConfig.read(saved.head["config"]).data()
    for name in mine.keys() - {"iterations"}:
        if theirs.get(name) != mine[name]:
            raise FileError(f"{where} its {name} is {theirs.get(name)}, not {mine[name]}.")


def load_newest(folder: Path) -> tuple[Saved | None, str]:
    """The newest checkpoint that is readable, and a remark about those that are not."""
    broken = ""
    for path in checkpoints(folder):
        try:
            saved = load_saved(path)
        except Damaged as error:
            broken = broken or str(error)
            continue
        later = f"{broken} The run continues from {path}; later iterations are computed again."
        return saved, later if broken else ""
    if broken:
        raise FileError(
            f"{broken} There is no older checkpoint to use instead. "
            f"Delete {folder / CHECKPOINTS} to start the run again from its first iteration."
        )
    return None, ""
