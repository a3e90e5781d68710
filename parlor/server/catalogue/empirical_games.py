"""Empirical games in the server's folders: those that were saved, and those of PSRO runs; and matrices of them."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from parlor.game import GameError
from parlor.policies.mixture import Array, Mixture
from parlor.population.empirical.empirical_game import EXACT, EmpiricalGame
from parlor.population.empirical.empirical_game_files import load_empirical_game
from parlor.population.empirical.empirical_games import SimulatedGame
from parlor.population.empirical.estimates import estimates
from parlor.population.meta import META_SOLVERS
from parlor.population.run.checkpoints import load_empirical
from parlor.population.run.run import PsroRun
from parlor.runs.files.container import UNREADABLE, FileError
from parlor.runs.files.population_files import read_mixture
from parlor.runs.run import newest, run_kind
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.folders import File, Unknown
from parlor.server.catalogue.meta_solving import MAX_CELLS, check_solvable, ranked, solved
from parlor.server.operations.lru_cache import LruCache
from parlor.server.refusal import Refusal
from parlor.server.schemas.empirical_games import (
    PayoffMatrix,
    Payoffs,
    RankedStrategy,
    RankingOfGame,
    RatedShare,
    Solution,
)

MAX_NUMBERS = 80_000  # of a matrix: 200 × 200 for two players
DIGITS = 6
_solved: LruCache[Solution] = LruCache(64)
_ranked: LruCache[RankingOfGame] = LruCache(64)


@dataclass(frozen=True)
class Known:
    """An empirical game of the server, and the mixture that a run has found in it."""

    id: str
    name: str
    stamp: Any  # another stamp, another content
    empirical: EmpiricalGame
    mixture: Mixture | None = None
    labels: Sequence[Sequence[str]] = ()  # of each player's strategies, for people
    simulated: SimulatedGame | None = None  # with all measures, if it was saved and is small enough to be ranked


# ------------------------------------------------------------------------------------------------------ reading


@dataclass(frozen=True)
class _Files:
    """A kind of file: how it is read, up to how many cells, and how many are kept in memory."""

    load: Callable[[Path], tuple[EmpiricalGame, Mixture | None, SimulatedGame | None]]
    most: int
    kept: LruCache[Known]


def _saved(path: Path) -> tuple[EmpiricalGame, None, SimulatedGame | None]:
    game = load_empirical_game(path)
    return game.table("payoff"), None, game if game.payoffs.counts.size <= MAX_CELLS else None


def _of_run(checkpoint: Path) -> tuple[EmpiricalGame, Mixture, None]:
    return load_empirical(checkpoint)[1], read_mixture(checkpoint), None


SAVED = _Files(_saved, 100_000, LruCache(64))
CHECKPOINTS = _Files(_of_run, 2_000_000, LruCache(4))


def saved(catalogue: Catalogue) -> list[Known]:
    """The empirical games that were saved; files that cannot be read are left out."""
    found = []
    for file in catalogue.folders.found().empirical.values():
        with contextlib.suppress(Refusal):
            found.append(_titled(catalogue, _known(SAVED, file, file.id, file.name)))
    return found


def saved_or_of_run(catalogue: Catalogue, id: str) -> Known:
    """The saved empirical game of that id, or that of the run of that id at its newest checkpoint."""
    found = catalogue.folders.found()
    if file := found.empirical.get(id):
        return _titled(catalogue, _known(SAVED, file, id, file.name))
    run = found.runs.get(id)
    if run is None:
        raise Unknown(f"There is no empirical game {id[:60]!r} here.")
    if run_kind(run.path) != PsroRun.kind:
        raise Refusal(404, f"{run.name} has no empirical game: it is not a run of PSRO.")
    if not run.checkpoints:
        raise Refusal(404, f"{run.name} has no checkpoint yet.")
    return _known(CHECKPOINTS, run.checkpoints[-1], id, run.name)


def _titled(catalogue: Catalogue, known: Known) -> Known:
    """With the agents' titles instead of names, which may contain the paths of files."""
    titles = catalogue.titles(list(dict.fromkeys(label for some in known.empirical.labels for label in some)))
    return replace(known, labels=[[titles[label] for label in some] for some in known.empirical.labels])


def _known(files: _Files, file: File, id: str, name: str) -> Known:
    def read() -> Known:
        try:
            cells = math.prod(len(some) for some in file.head["labels"])
            if cells > files.most:
                sentence = f"{name} has {cells:,} combinations of strategies; at most {files.most:,} can be shown."
                raise Refusal(422, sentence)
            path = file.path
            if not path.exists():  # a run that goes on keeps only its newest checkpoints
                path = newest(path.parent.parent) or path
            empirical, mixture, simulated = files.load(path)
            return Known(id, name, (file.path, file.stamp), empirical, mixture, empirical.labels, simulated)
        except (FileError, GameError, *UNREADABLE):
            raise Refusal(409, f"The empirical game of {name} cannot be read, or it is damaged.") from None

    return files.kept.get_or((file.path, file.stamp), read)


# ------------------------------------------------------------------------------------------------------ solving


def solution(known: Known, meta: str) -> Solution:
    """The mixture of a meta-solver, the most played strategies first; the same is computed once."""
    return _solved.get_or((known.stamp, meta), lambda: _solution(known, meta))


def _solution(known: Known, meta: str) -> Solution:
    told = solved(meta, known.empirical.payoffs)
    players = []
    for labels, shares, against in zip(known.labels, told["shares"], told["against"], strict=True):
        parts = [
            RatedShare(strategy=i, label=label, share=shares[i], payoff=against[i]) for i, label in enumerate(labels)
        ]
        players.append(sorted(parts, key=lambda one: (-one.share, -one.payoff)))
    return Solution(
        id=known.id,
        meta=meta,
        kind="joint" if META_SOLVERS[meta.partition("(")[0].strip()].joint else "independent",
        players=players,
        payoffs=told["payoffs"],
        social_welfare=sum(told["payoffs"]),
        nash_conv=told["nash_conv"],
        cce_gap=told["cce_gap"],
        note=told["note"],
    )


def ranking(known: Known, by: str) -> RankingOfGame:
    """The strategies of each player by their scores, the best first; the same is computed once."""
    return _ranked.get_or((known.stamp, by), lambda: _ranking(known, by))


def _ranking(known: Known, by: str) -> RankingOfGame:
    check_solvable(known.empirical.payoffs)
    game = known.simulated.estimates() if known.simulated else estimates(known.empirical)
    told = ranked(by, game)
    players = []
    for labels, one in zip(known.labels, told["players"], strict=False):
        parts = [RankedStrategy(strategy=i, label=labels[i], **row) for i, row in enumerate(one)]
        players.append(sorted(parts, key=lambda one: (one.place, -one.score)))
    return RankingOfGame(id=known.id, by=by, shared=game.shared, uncertain=told["uncertain"], players=players)


# ----------------------------------------------------------------------------------------------------- matrices


def matrix(known: Known, rows: int, columns: int, others: Sequence[int | None]) -> PayoffMatrix:
    """The payoffs of two players' strategies; `others` says what each other player plays, None for the mixture."""
    game = known.empirical
    chosen = _chosen(game, rows, columns, others)
    most = int((MAX_NUMBERS / game.players) ** 0.5)
    shown = {player: _thinned(game.shape[player], most) for player in (rows, columns)}
    part = game.restricted([shown[p] if p in shown else _played(chosen[p], n) for p, n in enumerate(game.shape)])
    weights = _weights(known.mixture, game.shape, (rows, columns), chosen)
    payoffs = _averaged(part.payoffs, weights, rows, columns)
    exact = bool((part.counts == EXACT).all())
    widths = None if exact else np.sqrt(_averaged(part.half_widths() ** 2, weights**2, rows, columns))
    return PayoffMatrix(
        id=known.id,
        row_player=rows,
        column_player=columns,
        others=chosen,
        rows=shown[rows],
        columns=shown[columns],
        row_labels=[known.labels[rows][i] for i in shown[rows]],
        column_labels=[known.labels[columns][i] for i in shown[columns]],
        sizes=list(game.shape),
        payoffs=[_numbers(one) for one in payoffs],
        intervals=None if widths is None else [_numbers(one) for one in widths],
    )


def _chosen(game: EmpiricalGame, rows: int, columns: int, others: Sequence[int | None]) -> list[int | None]:
    """Check and return the strategy fixed for each player; None for rows, columns and players who mix."""
    if rows == columns or not (0 <= rows < game.players and 0 <= columns < game.players):
        raise Refusal(422, f"Rows and columns must be two different players from 0 to {game.players - 1}.")
    chosen = [*others, *[None] * game.players][: game.players]
    for player, strategy in enumerate(chosen):
        if player in (rows, columns):
            chosen[player] = None
        elif strategy is not None and not 0 <= strategy < game.shape[player]:
            raise Refusal(422, f"Player {player} has the strategies 0 to {game.shape[player] - 1}, not {strategy}.")
    return chosen


def _played(strategy: int | None, n: int) -> list[int]:
    return list(range(n)) if strategy is None else [strategy]


def _thinned(n: int, most: int) -> list[int]:
    """All of n strategies, or of many some at even distances, the first and the last among them."""
    return list(range(n)) if n <= most else np.linspace(0, n - 1, most).round().astype(int).tolist()


def _weights(
    mixture: Mixture | None, shape: tuple[int, ...], two: tuple[int, int], chosen: Sequence[int | None]
) -> Array:
    """Return the mixture's marginal over the players who mix (uniform without one); other axes have length 1."""
    single = tuple(p for p in range(len(shape)) if p in two or chosen[p] is not None)
    sizes = tuple(1 if p in single else n for p, n in enumerate(shape))
    if mixture is None:
        return np.full(sizes, 1.0 / np.prod(sizes))
    return np.asarray(mixture.joint.sum(axis=single, keepdims=True))


def _averaged(tensor: Array, weights: Array, rows: int, columns: int) -> Array:
    """The weighted sum over all players but two: [players, rows, columns]; nan where something that counts is nan."""
    summed = np.where(weights > 0.0, tensor, 0.0) * weights
    axes = tuple(1 + p for p in range(weights.ndim) if p not in (rows, columns))
    two = np.asarray(summed.sum(axis=axes))
    return two if rows < columns else np.swapaxes(two, 1, 2)


def _numbers(two: Array) -> Payoffs:
    """With a few significant digits, and None for what is not finite."""
    size = np.floor(np.log10(np.where(np.isfinite(two) & (two != 0.0), np.abs(two), 1.0)))
    scale = 10.0 ** (DIGITS - 1 - size)
    rounded: list[list[float]] = (np.round(two * scale) / scale).tolist()
    return [[x if math.isfinite(x) else None for x in row] for row in rounded]
