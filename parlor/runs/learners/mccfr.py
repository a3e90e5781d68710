"""`mccfr-external`, `mccfr-outcome` and `mccfr-robust`: Monte-Carlo CFR, see `parlor.solvers.sampling.mccfr`.

A game is an iteration: one traversal for each player.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from parlor.policies.policy import Policy
from parlor.runs.learners.learner import NONE, UNORDERED, Job, LearnerRow, SolverLearner
from parlor.runs.measures import INFOSETS, POLICY, REGRET, MetricColumn
from parlor.solvers.sampling.mccfr import SAMPLINGS, Mccfr

PRUNED = MetricColumn("Actions with a regret low enough to be pruned", scale="share")


class MccfrLearner(SolverLearner):
    """A way of sampling, in a run."""

    def __init__(self, sampling: str, job: Job) -> None:
        self.game = job.game
        self.solver = Mccfr(job.game, sampling, job.seed, threads=job.workers, **job.settings.data())

    def policy(self) -> Policy:
        """The average strategy."""
        return self.solver.policy().with_about(algorithm=self.solver.name, games=self.games, seed=self.solver.seed)

    def statistics(self) -> dict[str, Any]:
        """Regrets a traversal, and, where keys can be decoded, infosets by player and median probabilities."""
        keys, begin, count = self.solver.table.index()
        floats, found = self.solver.table.floats, dict[str, Any]()
        regrets = [floats[begin[count == n][:, None] + 1 + np.arange(n)] for n in np.unique(count).tolist()]
        if regrets:
            largest = np.concatenate([some.max(axis=1) for some in regrets])
            found["regret"] = {"max_expected": float(np.maximum(largest, 0.0).mean()) / max(self.games, 1)}
            if limit := self.solver.limit:
                found["pruned"] = float(np.mean(np.concatenate([some.ravel() for some in regrets]) < -limit))
        if self.game.words.decode_key is None:
            return found | {"infosets": [len(keys)]}
        players, shares = [0] * self.game.players, dict[str, list[float]]()
        policy = self.solver.policy()
        for i, key in enumerate(policy.keys.tolist()):
            read = self.game.words.decode_key(key)
            players[read["player"]] += 1
            for name, share in zip(read["actions"], policy.probabilities[policy.starts[i] :].tolist(), strict=False):
                if share > 0.0 and len(read["actions"]) > 1:
                    shares.setdefault(name, []).append(share)
        return found | {"infosets": players, "policy": {a: float(np.median(shares[a])) for a in sorted(shares)}}

    def work(self) -> dict[str, int]:
        """Nodes of the game."""
        return {"nodes": self.solver.nodes}


def _row(sampling: str, summary: str) -> LearnerRow:
    measures = {"regret": REGRET, "infosets": INFOSETS, "policy": POLICY, "pruned": PRUNED}
    return LearnerRow(
        summary, SAMPLINGS[sampling], functools.partial(MccfrLearner, sampling), (NONE, UNORDERED), measures=measures
    )


EXTERNAL = _row(
    "external", "Monte-Carlo CFR that tries all actions of one player at a time; converges; for small games"
)
OUTCOME = _row("outcome", "Monte-Carlo CFR that plays single games; converges, slowly, on any size")
ROBUST = _row("robust", "Monte-Carlo CFR that tries a few actions of one player at a time; converges, on any size")
