"""A population: some strategies for each player, and how often each is played.

Who plays a population draws a member before the game and follows it to the end. Others see only its moves, which say
what member it may have been: after each of its own moves, the members are as likely as Bayes' rule makes them. To draw
a member anew at each decision from this *posterior*, or to play the posterior's mean, the *aggregate policy*, is for a
player who forgets nothing the same strategy (Kuhn, 1953; Li et al., 2023): nobody can tell the three apart.
In a small game the aggregate policy is a table: the mean of the members' realisation plans, divided by the parent's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from parlor.game.errors import GameError
from parlor.game.game import Position
from parlor.game.loading import game_of
from parlor.policies.mixture import Array, Mixture, correlated, independent
from parlor.policies.plans import Plans, plan, sequence_policy
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.sequence_form.tree import Tree, tree_if_small


@dataclass(frozen=True, eq=False)
class Population:
    """Members by player and their mixture; of a joint mixture, a player alone follows its marginals."""

    kind: ClassVar[str] = "population"

    members: tuple[tuple[Strategy, ...], ...]  # of each player
    mixture: Mixture
    about: Mapping[str, Any] = field(default_factory=dict)  # how it was made: algorithm, iterations, …
    labels: tuple[tuple[str, ...], ...] = ()  # what each member is called; without them they are numbered
    average: Policy | None = None  # the aggregate policy, if somebody has computed it already
    newest: tuple[Strategy, ...] = ()  # the last of each player, played or not; if empty, of the members

    def __post_init__(self) -> None:
        """Raise GameError for what does not fit together."""
        sizes = tuple(map(len, self.members))
        if self.mixture.joint.shape != sizes or 0 in sizes:
            wanted, given = (" × ".join(map(str, shape)) for shape in (sizes, self.mixture.joint.shape))
            raise GameError(f"The members are {wanted}, but the mixture is of {given} strategies.")
        games = {(one.game, one.rules) for one in self._all()}
        if len(games) > 1:
            names = " and ".join(sorted({game for game, _ in games}))
            raise GameError(f"The members of a population must be for one game and one version of its rules: {names}.")
        if not self.labels:
            object.__setattr__(self, "labels", tuple(tuple(map(str, range(n))) for n in sizes))
        if not self.newest:
            object.__setattr__(self, "newest", tuple(some[-1] for some in self.members))

    @staticmethod
    def of(members: Sequence[Sequence[Strategy]], mixture: Mixture | Sequence[Any], **about: Any) -> Population:
        """From lists of members, and a mixture or the players' own distributions."""
        mixed = mixture if isinstance(mixture, Mixture) else independent(mixture)
        return Population(tuple(map(tuple, members)), mixed, about)

    def _all(self) -> Iterable[Strategy]:
        return (one for some in self.members for one in some)

    @property
    def game(self) -> str:
        """The game of its members."""
        return self.members[0][0].game

    @property
    def rules(self) -> str:
        """The version of that game's rules."""
        return self.members[0][0].rules

    @property
    def source(self) -> str:
        """The full path of the game's rules file; empty for games that have none."""
        return str(getattr(self.members[0][0], "source", ""))

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.members)

    def played(self) -> Population:
        """The same without the members that are never played."""
        kept = support(self.mixture)
        if sum(map(len, kept)) == sum(map(len, self.members)):
            return self
        members, labels = (chosen(given, kept) for given in (self.members, self.labels))
        return replace(self, members=members, mixture=part_of(self.mixture, kept), labels=labels)

    # ------------------------------------------------------------------------------------------- what it plays

    @cached_property
    def table(self) -> Policy | None:
        """The aggregate policy, exact; None if the game is too large to be enumerated."""
        if self.average is not None:
            return self.average
        t = tree_if_small(game_of(self))
        return None if t is None else aggregate(t, self)

    def posterior(self, position: Position) -> Array:
        """Return the posterior over the members of the player to move, given that player's own moves so far.

        All are 0 if no member would have made them.
        """
        player = position.turn
        weights = self.mixture.marginals[player]
        before = position.game.start()
        for name in position.history:
            if before.turn == player and len(before.legal) > 1:
                weights = weights * [
                    one(before).get(name, 0.0) if weight > 0.0 else 0.0
                    for one, weight in zip(self.members[player], weights, strict=True)
                ]
                if not weights.any():
                    break
                weights = weights / weights.sum()
            before = before.after(name)
        return weights

    def __call__(self, position: Position) -> dict[str, float]:
        """The probability of each legal move: the members' mean, by the posterior; uniform where no member goes."""
        weights = self.posterior(position).tolist()
        chances = dict.fromkeys(position.legal, 0.0 if any(weights) else 1.0 / len(position.legal))
        for one, weight in zip(self.members[position.turn], weights, strict=True):
            if weight > 0.0:
                for name, chance in one(position).items():
                    chances[name] += weight * chance
        return chances

    def __len__(self) -> int:
        return len(self.table) if self.table is not None else max(map(len, self._all()))

    def describe(self) -> str:
        """Describe the population in a few words."""
        return f"population for {self.game}: {' and '.join(str(len(some)) for some in self.members)} strategies"

    def __repr__(self) -> str:
        return f"<{self.describe()}>"


def support(mixture: Mixture) -> list[list[int]]:
    """The strategies of each player that are played at all."""
    return [np.flatnonzero(marginal > 0.0).tolist() for marginal in mixture.marginals]


def part_of(mixture: Mixture, kept: Sequence[Sequence[int]]) -> Mixture:
    """The mixture of some of each player's strategies."""
    if tuple(map(len, kept)) == mixture.joint.shape:
        return mixture
    if mixture.independent:
        return independent([all_[some] for all_, some in zip(mixture.marginals, kept, strict=True)], mixture.note)
    return correlated(mixture.joint[np.ix_(*kept)], mixture.note)


def chosen(given: Sequence[Sequence[Any]], kept: Sequence[Sequence[int]]) -> tuple[tuple[Any, ...], ...]:
    """Some of what each player has."""
    return tuple(tuple(own[i] for i in some) for own, some in zip(given, kept, strict=True))


def aggregate(t: Tree, population: Population) -> Policy | None:
    """The aggregate policy as a table, uniform where no member goes by its own moves; None if a member is no table."""
    population = population.played()
    plans = Plans(t)
    for player, members in enumerate(population.members):
        for one in members:
            if one.table is None:
                return None
            plans.add_plan(player, plan(t, one, player))
    return sequence_policy(t, plans.average(population.mixture.marginals)).with_about(**population.about)
