"""The files of a PSRO run: each member once, in a file of its own, and checkpoints, which are populations.

    strategies/0-12.npz         the twelfth answer of player 0, by the file of its kind; 0-0 is uniform play
    checkpoints/00000012.npz    after so many iterations: the empirical game, the mixture, its members' files

A checkpoint grows with the empirical game, so only the newest two are kept, and those that the configuration asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from parlor.game import GameError
from parlor.game.loading.registry import files_of
from parlor.game.parameters import Settings, declared, setting
from parlor.policies.population import Population
from parlor.population.empirical.empirical_game import EXACT, EmpiricalGame
from parlor.population.meta import META_SOLVERS
from parlor.population.oracles import ORACLES
from parlor.population.psro import Psro, PsroSettings
from parlor.runs.files.container import UNREADABLE, FileError, environment, read_arrays
from parlor.runs.files.population_files import load_everybody
from parlor.runs.files.strategy_files import write_strategy
from parlor.runs.run import Damaged, check_head, checkpoints, save_checkpoint

OWN = ("meta_settings", "oracle_settings")  # entries of the configuration that are settings themselves


@dataclass(frozen=True)
class PsroConfig(PsroSettings):
    """The settings of a PSRO run: those of the loop, of its meta-solver and of its oracle."""

    game: str = setting("", "the game, with its options")
    games: int = setting(1000, "games of each cell, if payoffs are simulated", low=2)
    checkpoint_every: int = setting(
        0, "iterations between checkpoints that are kept for good; 0: only the newest two are kept", low=0
    )
    meta_settings: Any = None
    oracle_settings: Any = None
    files: Any = None  # name -> hash of the file, of code outside Parlor

    def __post_init__(self) -> None:
        """Refuse invalid settings, and fill in the defaults of the meta-solver and the oracle."""
        super().__post_init__()
        if self.meta_settings is None:
            object.__setattr__(self, "meta_settings", META_SOLVERS.row(self.meta).settings())
        if self.oracle_settings is None:
            object.__setattr__(self, "oracle_settings", ORACLES.row(self.oracle).settings())
        if self.files is None:
            object.__setattr__(self, "files", files_of((self.meta, self.evaluate, self.oracle)))

    @classmethod
    def of(cls, game: str, **values: Any) -> Self:
        """From values by name; meta-solver and oracle may carry settings, `meta="prd(iterations=1000)"`."""
        unknown = sorted(set(values) - {one.name for one in declared(cls)})
        if unknown:
            known = ", ".join(sorted(one.name for one in declared(cls)))
            raise GameError(f"psro has no setting {unknown[0]!r}; it has: {known}.")
        values = {"meta": cls.meta, "oracle": cls.oracle, **values}
        meta, meta_settings = META_SOLVERS.read(values["meta"])
        oracle, oracle_settings = ORACLES.read(values["oracle"])
        names = {"game": game, "meta": meta, "oracle": oracle}
        if values.get("evaluate"):
            names["evaluate"] = META_SOLVERS.name(values["evaluate"])
        given = values | names
        mine = {one.name: one.read(given[one.name]) for one in declared(cls) if one.name in given}
        return cls(**mine, meta_settings=meta_settings, oracle_settings=oracle_settings)

    @property
    def parts(self) -> dict[str, Settings]:
        """The settings of the meta-solver and of the oracle, by their entries."""
        return {name: getattr(self, name) for name in OWN}

    def data(self) -> dict[str, Any]:
        """As it goes to JSON."""
        files = {"files": self.files} if self.files else {}
        return super().data() | {name: part.data() for name, part in self.parts.items()} | files

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """As it comes from JSON."""
        if extra := set(data) - {one.name for one in declared(cls)} - {*OWN, "files"}:
            raise GameError(f"The configuration has unknown entries: {', '.join(sorted(extra))}.")
        mine = {one.name: one.read(data[one.name]) for one in declared(cls) if one.name in data}
        return cls(
            **mine,
            meta_settings=META_SOLVERS.recorded(mine.get("meta", cls.meta), data.get("meta_settings", {})),
            oracle_settings=ORACLES.recorded(mine.get("oracle", cls.oracle), data.get("oracle_settings", {})),
            files=dict(data.get("files", {})),
        )


STRATEGIES = "strategies"
KEPT = 2  # checkpoints: the newest, and the one before in case that is damaged


def save_population(folder: Path, psro: Psro, config: PsroConfig, head: Mapping[str, Any]) -> Path:
    """Write the members that are new, and the checkpoint; the one before remains, whatever happens."""
    files = [[f"{p}-{i}.npz" for i in range(len(some))] for p, some in enumerate(psro.members)]
    for some, names in zip(psro.members, files, strict=True):
        for strategy, name in zip(some, names, strict=True):
            path = folder / STRATEGIES / name
            if strategy is some[-1] or not path.exists():
                write_strategy(strategy, path, {"made": environment()})
    there = [[f"../{STRATEGIES}/{name}" for name in names] for names in files]
    head = {**head, "members": there}
    path = save_checkpoint(folder, head, psro.game, population_of(psro), [_arrays(psro.empirical)], "iteration")
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
        head, arrays = read_arrays(path, state=True)
        sums = arrays["sums"]
        arrays = {"squares": np.zeros_like(sums), "counts": np.full(sums.shape[1:], EXACT), **arrays}
        return head, EmpiricalGame.from_data({"game": head["game"], "labels": head["labels"], **arrays})
    except (FileError, GameError, *UNREADABLE) as error:
        raise Damaged(f"{path} is not a checkpoint of a PSRO run, or it is damaged ({type(error).__name__}).") from None


def load_saved(path: Path) -> tuple[dict[str, Any], tuple[EmpiricalGame, Population]]:
    """The header of a checkpoint, its empirical game, and the population with all members."""
    head, empirical = load_empirical(path)
    check_head(path, head, "iteration")
    try:
        return head, (empirical, load_everybody(path))
    except FileError as error:
        raise Damaged(str(error)) from None
