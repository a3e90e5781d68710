"""The configuration of a PSRO run: everything that its result depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from parlor.agents.registry import split
from parlor.game import GameError
from parlor.game.settings import Settings, declared, setting
from parlor.population.meta import META_SOLVERS
from parlor.population.oracles import oracle_row
from parlor.population.psro import PsroSettings

OWN = ("meta_settings", "oracle_settings")  # entries of the configuration that are settings themselves


def read_meta_solver(text: str) -> tuple[str, Settings]:
    """A meta-solver as a person writes it, `prd(iterations=1000)`: its name and its settings."""
    name, texts = split(text, "a meta-solver", "nash or prd(iterations=1000)")
    if name not in META_SOLVERS:
        raise GameError(f"There is no meta-solver {name[:60]!r}; there are: {', '.join(META_SOLVERS)}.")
    return name, META_SOLVERS[name].settings.from_texts(name, texts)


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

    def __post_init__(self) -> None:
        """Refuse invalid settings, and fill in the defaults of the meta-solver and the oracle."""
        super().__post_init__()
        if self.meta_settings is None:
            object.__setattr__(self, "meta_settings", META_SOLVERS[self.meta].settings())
        if self.oracle_settings is None:
            object.__setattr__(self, "oracle_settings", oracle_row(self.oracle).settings())

    @classmethod
    def of(cls, game: str, **values: Any) -> Self:
        """From values by name; meta-solver and oracle may carry settings, `meta="prd(iterations=1000)"`."""
        unknown = sorted(set(values) - {one.name for one in declared(cls)})
        if unknown:
            known = ", ".join(sorted(one.name for one in declared(cls)))
            raise GameError(f"psro has no setting {unknown[0]!r}; it has: {known}.")
        values = {"meta": cls.meta, "oracle": cls.oracle, **values}
        meta, meta_settings = read_meta_solver(str(values["meta"]))
        oracle, oracle_texts = split(str(values["oracle"]), "an oracle", "exact")
        mine = {one.name: one.read(values[one.name]) for one in declared(cls) if one.name in values}
        return cls(
            **{**mine, "game": game, "meta": meta, "oracle": oracle},
            meta_settings=meta_settings,
            oracle_settings=oracle_row(oracle).settings.from_texts(oracle, oracle_texts),
        )

    @property
    def parts(self) -> dict[str, Settings]:
        """The settings of the meta-solver and of the oracle, by their entries."""
        return {name: getattr(self, name) for name in OWN}

    def data(self) -> dict[str, Any]:
        """As it goes to JSON."""
        return super().data() | {name: part.data() for name, part in self.parts.items()}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """As it comes from JSON."""
        if extra := set(data) - {one.name for one in declared(cls)} - set(OWN):
            raise GameError(f"The configuration has unknown entries: {', '.join(sorted(extra))}.")
        mine = {one.name: one.read(data[one.name]) for one in declared(cls) if one.name in data}
        first = cls(**mine)
        parts: dict[str, Any] = {
            name: type(default).for_owner(first.meta if name == "meta_settings" else first.oracle, data.get(name, {}))
            for name, default in first.parts.items()
        }
        return cls(**mine, **parts)
