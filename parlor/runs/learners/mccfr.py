"""`mccfr-external` and `mccfr-outcome`: Monte-Carlo CFR, see `parlor.solvers.mccfr`.

A game is an iteration: one traversal for each player.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.policy import Policy
from parlor.runs.learners.learner import NONE, UNORDERED, Entry, Job, LearnerRow
from parlor.runs.measures import INFOSETS, POLICY, REGRET
from parlor.settings import Settings, setting
from parlor.solvers.infoset_table import InfosetTable, crowded, find
from parlor.solvers.mccfr import Mccfr


@dataclass(frozen=True)
class ExternalSettings(Settings):
    """The weights of iterations."""

    linear: bool = setting(False, "give later iterations more weight")


@dataclass(frozen=True)
class OutcomeSettings(ExternalSettings):
    """Outcome sampling plays single games, with some random moves."""

    explore: float = setting(0.6, "probability of a random training move", low=0.0, high=1.0)


class MccfrLearner:
    """External or outcome sampling."""

    def __init__(self, sampling: str, job: Job) -> None:
        self.game = job.game
        self.solver = Mccfr(job.game, sampling, job.seed, threads=job.workers, **job.settings.data())

    @property
    def games(self) -> int:
        """Iterations so far."""
        return self.solver.iterations

    def run_to(self, games: int) -> None:
        """Continue until so many iterations are done."""
        self.solver.run(games - self.games)

    def policy(self) -> Policy:
        """The average strategy."""
        return self.solver.policy().with_about(algorithm=self.solver.name, games=self.games, seed=self.solver.seed)

    def statistics(self) -> dict[str, Any]:
        """Regrets a traversal, and, where keys can be decoded, infosets by player and median probabilities."""
        keys, begin, count = self.solver.table.index()
        floats, found = self.solver.table.floats, {}
        largest = [floats[begin[count == n][:, None] + 1 + np.arange(n)].max(axis=1) for n in np.unique(count).tolist()]
        if largest:
            mean = float(np.maximum(np.concatenate(largest), 0.0).mean()) / max(self.games, 1)
            found["regret"] = {"max_expected": mean}
        if self.game.decode_key is None:
            return found | {"infosets": [len(keys)]}
        players, shares = [0] * self.game.players, dict[str, list[float]]()
        policy = self.solver.policy()
        for i, key in enumerate(policy.keys.tolist()):
            read = self.game.decode_key(key)
            players[read["player"]] += 1
            for name, share in zip(read["actions"], policy.probabilities[policy.starts[i] :].tolist(), strict=False):
                if share > 0.0 and len(read["actions"]) > 1:
                    shares.setdefault(name, []).append(share)
        return found | {"infosets": players, "policy": {a: float(np.median(shares[a])) for a in sorted(shares)}}

    def work(self) -> dict[str, int]:
        """No other work is counted than iterations."""
        return {}

    def entries(self) -> Iterator[Entry]:
        """Regrets and the weights of the average strategy."""
        floats = self.solver.table.floats
        for key, row, n in zip(*(a.tolist() for a in self.solver.table.index()), strict=True):
            regrets, weights = floats[row + 1 : row + 1 + n], floats[row + 1 + n : row + 1 + 2 * n]
            yield {"key": key, "regrets": regrets.tolist(), "weights": weights.tolist()}

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Restore the rows."""
        table = InfosetTable(2 * self.game.actions + 1)
        for entry in entries:
            if crowded(table.slots, table.ints, table.counters):
                table.grow()
            n = len(entry["regrets"])
            row = find(table.slots, table.ints, table.counters, entry["key"], n, 2 * n + 1)
            table.floats[row + 1 : row + 1 + 2 * n] = [*entry["regrets"], *entry["weights"]]
        self.solver.table = table
        self.solver.iterations = games

    def close(self) -> None:
        """Do nothing: its threads end with every call."""


def _row(sampling: str, summary: str, settings: type[Settings]) -> LearnerRow:
    measures = {"regret": REGRET, "infosets": INFOSETS, "policy": POLICY}
    return LearnerRow(
        summary, settings, functools.partial(MccfrLearner, sampling), (NONE, UNORDERED), measures=measures
    )


EXTERNAL = _row(
    "external",
    "Monte-Carlo CFR that tries all actions of one player at a time; converges; for small games",
    ExternalSettings,
)
OUTCOME = _row("outcome", "Monte-Carlo CFR that plays single games; converges, slowly, on any size", OutcomeSettings)
