"""The configuration of a PSRO run: everything that its result depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from parlor.game import GameError
from parlor.game.loading.registry import files_of
from parlor.game.parameters import Settings, declared, setting
from parlor.population.meta import META_SOLVERS
from parlor.population.oracles import ORACLES
from parlor.population.psro import PsroSettings

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
