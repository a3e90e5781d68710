"""The algorithms as a training run sees them: go on to a game, say how it goes, be put away and taken out again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from parlor.game import Game, GameError
from parlor.poker.blueprint import Blueprint, blueprint
from parlor.poker.buckets import Buckets, card_buckets, cards_shown, deal_hands
from parlor.poker.public_mccfr import Dealer, PublicMccfr
from parlor.poker.public_tree import Layout, PublicTree, public_tree
from parlor.policy import Policy
from parlor.runs.config import Config
from parlor.solvers.infoset_table import InfosetTable, crowded, find
from parlor.solvers.mccfr import Mccfr
from parlor.solvers.rollout_cfr import RolloutCfr, Row
from parlor.solvers.rollouts import Settings, Simulator, Workers

#: Numbers about one information set, as they go to a checkpoint; `key` is among them.
Entry = dict[str, Any]


class Learner(Protocol):
    """What a training run needs of an algorithm."""

    @property
    def games(self) -> int:
        """Games learned from so far."""
        ...

    def run_to(self, games: int) -> None:
        """Go on until so many games have been learned from."""
        ...

    def policy(self) -> Policy | Blueprint:
        """What has been learned."""
        ...

    def statistics(self) -> dict[str, Any]:
        """How it goes."""
        ...

    def work(self) -> dict[str, int]:
        """What has been done since the program began, in units that make sense by the second."""
        ...

    def entries(self) -> Iterator[Entry]:
        """All that must be kept, in the order of the keys."""
        ...

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Go back to where the entries were taken."""
        ...


class RolloutLearner:
    """`rollout-cfr`."""

    def __init__(self, game: Game, config: Config, workers: Workers) -> None:
        self.solver = RolloutCfr(game, settings(config), config.seed)
        self.batch = {"none": 1, "batch-ordered": config.batch, "unordered": None}[config.parallel]
        self.workers = workers

    @property
    def games(self) -> int:
        """Games learned from so far."""
        return self.solver.games

    def run_to(self, games: int) -> None:
        """Go on until so many games have been learned from."""
        self.solver.run(games - self.games, self.batch, self.workers)

    def policy(self) -> Policy:
        """The average of the recent policies."""
        return self.solver.policy()

    def statistics(self) -> dict[str, Any]:
        """Regrets, updates, what is played."""
        told = self.solver.statistics()
        names: dict[int, str] = {}
        if (read := self.solver.game.decode_key) is not None:
            for row in self.solver.rows():
                names |= dict(zip(row.actions, read(row.key)["actions"], strict=True))
        return told | {"policy": {names.get(a, str(a)): share for a, share in told["policy"].items()}}

    def work(self) -> dict[str, int]:
        """Rollouts and steps."""
        return {"rollouts": self.solver.rollouts, "steps": self.solver.steps}

    def entries(self) -> Iterator[Entry]:
        """The rows of the table."""
        return (dict(vars(row)) for row in self.solver.rows())

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Put the rows back."""
        names = Row.__dataclass_fields__
        rows = ({name: entry[name] for name in names} for entry in entries)
        self.solver.restore((Row(**row) for row in rows), games)


class MccfrLearner:
    """`mccfr-external` and `mccfr-outcome`; a game is an iteration: one traversal for each player."""

    def __init__(self, game: Game, config: Config, threads: int) -> None:
        self.game = game
        sampling = config.algorithm.removeprefix("mccfr-")
        self.solver = Mccfr(game, sampling, config.seed, threads=threads, explore=config.explore)

    @property
    def games(self) -> int:
        """Iterations so far."""
        return self.solver.iterations

    def run_to(self, games: int) -> None:
        """Go on until so many iterations are done."""
        self.solver.run(games - self.games)

    def policy(self) -> Policy:
        """The average strategy."""
        return self.solver.policy().with_about(algorithm=self.solver.name, games=self.games, seed=self.solver.seed)

    def statistics(self) -> dict[str, Any]:
        """Regrets a traversal, and, where keys can be read, whose the information sets are and what is played there."""
        keys, begin, count = self.solver.table.index()
        floats, told = self.solver.table.floats, {}
        largest = [floats[begin[count == n][:, None] + 1 + np.arange(n)].max(axis=1) for n in np.unique(count).tolist()]
        if largest:
            mean = float(np.maximum(np.concatenate(largest), 0.0).mean()) / max(self.games, 1)
            told["regret"] = {"max_expected": mean}
        if self.game.decode_key is None:
            return told | {"infosets": [len(keys)]}
        players, shares = [0] * self.game.players, dict[str, list[float]]()
        policy = self.solver.policy()
        for i, key in enumerate(policy.keys.tolist()):
            read = self.game.decode_key(key)
            players[read["player"]] += 1
            for name, share in zip(read["actions"], policy.probabilities[policy.starts[i] :].tolist(), strict=False):
                if share > 0.0 and len(read["actions"]) > 1:
                    shares.setdefault(name, []).append(share)
        return told | {"infosets": players, "policy": {a: float(np.median(shares[a])) for a in sorted(shares)}}

    def work(self) -> dict[str, int]:
        """Nothing is counted but iterations."""
        return {}

    def entries(self) -> Iterator[Entry]:
        """Regrets and the weights of the average strategy."""
        floats = self.solver.table.floats
        for key, row, n in zip(*(a.tolist() for a in self.solver.table.index()), strict=True):
            regrets, weights = floats[row + 1 : row + 1 + n], floats[row + 1 + n : row + 1 + 2 * n]
            yield {"key": key, "regrets": regrets.tolist(), "weights": weights.tolist()}

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Put the rows back."""
        table = InfosetTable(2 * self.game.actions + 1)
        for entry in entries:
            if crowded(table.slots, table.ints, table.counters):
                table.grow()
            n = len(entry["regrets"])
            row = find(table.slots, table.ints, table.counters, entry["key"], n, 2 * n + 1)
            table.floats[row + 1 : row + 1 + 2 * n] = [*entry["regrets"], *entry["weights"]]
        self.solver.table = table
        self.solver.iterations = games


class PublicLearner:
    """`mccfr-public`; a game is an iteration: one traversal for each player over one deal."""

    def __init__(self, plan: TrainingPlan, config: Config, threads: int) -> None:
        self.plan, self.config = plan, config
        self.solver = PublicMccfr(plan.tree, plan.dealer, config.seed, threads, prune=config.prune)

    @property
    def games(self) -> int:
        """Iterations so far."""
        return self.solver.iterations

    def run_to(self, games: int) -> None:
        """Go on until so many iterations are done."""
        self.solver.run(games - self.games)

    def policy(self) -> Blueprint:
        """The average strategy."""
        about = {
            "algorithm": self.solver.name, "games": self.games, "seed": self.solver.seed, "mark": self.plan.cards.mark,
        }  # fmt: skip
        return blueprint(self.solver, self.config.cards, self.config.buckets, about)

    def statistics(self) -> dict[str, Any]:
        """How many information sets have been met."""
        whole = self.solver.layout.infosets
        return {"infosets": [whole], "touched": round(whole * self.solver.touched())}

    def work(self) -> dict[str, int]:
        """Nothing is counted but iterations."""
        return {}

    def entries(self) -> Iterator[Entry]:
        """The whole table, as one."""
        yield {"cells": self.solver.cells}

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Put the table back."""
        [entry] = entries
        if entry["cells"].shape != self.solver.cells.shape:
            raise GameError("Its table has another size.")
        if entry.get("mark") not in (None, self.plan.cards.mark):
            raise GameError("Its hands were put into other buckets than they are now.")
        self.solver.cells[:] = entry["cells"]
        self.solver.iterations = games


@dataclass(frozen=True, eq=False)
class TrainingPlan:
    """What `mccfr-public` is going to train: known, with its cost, before it begins."""

    tree: PublicTree
    cards: Buckets
    layout: Layout

    @staticmethod
    def of(game: Game, config: Config) -> TrainingPlan:
        """The tree of the game's moves and its buckets."""
        if game.public_history is None:
            raise GameError(
                f"{config.algorithm} learns betting trees of hold'em, such as holdem/fcpa, not {game.name}."
            )
        tree = public_tree(game)
        cards = card_buckets(config.cards, config.buckets, tree.streets)
        return TrainingPlan(tree, cards, Layout(tree, (cards.counts,) * game.players))

    @property
    def dealer(self) -> Dealer:
        """Who deals."""
        return Dealer(self.layout.buckets, deal_hands, (cards_shown(self.tree.game.options), *self.cards.data))

    @property
    def memory(self) -> int:
        """Bytes that training takes, the strategy that is written included."""
        return self.layout.bytes + self.layout.bytes // 8 + self.cards.bytes

    @property
    def disk(self) -> int:
        """Bytes of two whole checkpoints and a draft."""
        return 3 * (self.layout.bytes + self.layout.bytes // 8)

    def __str__(self) -> str:
        buckets = " + ".join(f"{count:,}" for count in self.cards.counts)
        return (
            f"{len(self.tree):,} decisions in the tree, {buckets} buckets: {self.layout.infosets:,} information sets; "
            f"memory {self.layout.bytes / 1e6:,.0f} MB, and {self.cards.bytes / 1e6:,.0f} MB of card tables"
        )


def settings(config: Config) -> Settings:
    """What the learner by rollouts wants to know."""
    return Settings(config.rollouts, config.ring, config.explore, config.decay, config.horizon, config.clamp)


def simulator(game: Game, config: Config) -> Simulator:
    """Who plays the training games."""
    return Simulator(game, settings(config), config.seed)
