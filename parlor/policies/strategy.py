"""A strategy: anything learned that gives a distribution at a position.

Tables by information set (`parlor.policies.policy`), blueprints of public trees (`parlor.poker.blueprint`), networks
(`parlor.policies.network`), populations (`parlor.policies.population`). A kind of strategy is a class like this
and a row in each of two registries, by its `kind`: `parlor.agents.registry.SEATS` makes an agent of it,
`parlor.runs.files.strategy_files.FILES` says how it is written and read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from parlor.game.game import Position

if TYPE_CHECKING:
    from parlor.policies.policy import Policy


class Strategy(Protocol):
    """The interface of a strategy."""

    kind: ClassVar[str]  # names its rows in the registries

    @property
    def game(self) -> str:
        """The game it is for, with its options and its abstraction."""
        ...

    @property
    def rules(self) -> str:
        """The version of that game's rules."""
        ...

    @property
    def about(self) -> Mapping[str, Any]:
        """The origin of the strategy: algorithm, games, seed, …"""
        ...

    @property
    def table(self) -> Policy | None:
        """The same by information sets, as exact measures and the strategy browser read it; None if too large."""
        ...

    def __call__(self, position: Position) -> dict[str, float]:
        """The probability of each legal move at a position of its game, by name."""
        ...

    def __len__(self) -> int:
        """Number of information sets."""
        ...

    def describe(self) -> str:
        """Describe the strategy in a few words."""
        ...
