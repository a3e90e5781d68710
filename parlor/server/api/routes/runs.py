"""Runs: their configuration, progress and metrics; and saved cross tables."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import ValidationError

from parlor.game.parameters import Parameter, declared
from parlor.runs.config import Config
from parlor.runs.files.container import UNREADABLE, FileError
from parlor.runs.files.strategy_files import read_header
from parlor.runs.learners.learner import LearnerRow
from parlor.runs.learners.registry import LEARNERS
from parlor.runs.measures import MetricColumn, lines_of, measure
from parlor.runs.metrics import METRICS, Row, read_metrics
from parlor.runs.run import run_kind, under_way
from parlor.server.api.routes.dependencies import Id, TheCatalogue, sent
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.folders import File, RunFolder
from parlor.server.catalogue.run_kinds import RUN_KINDS, RunAbout, RunKind
from parlor.server.operations.threads import in_thread
from parlor.server.refusal import Refusal
from parlor.server.schemas.common import PROBLEMS
from parlor.server.schemas.empirical_games import MixtureAt, StrategyShare
from parlor.server.schemas.runs import (
    AlgorithmInfo,
    AlgorithmSetting,
    CheckpointInfo,
    CrossTable,
    Interval,
    MeasureInfo,
    MeasureLine,
    MetricsRow,
    PairResult,
    RunConfig,
    RunInfo,
    RunMetrics,
)

router = APIRouter(responses=PROBLEMS, tags=["runs"])


@router.get("/api/algorithms", operation_id="listAlgorithms", response_model=list[AlgorithmInfo])
async def list_algorithms() -> Response:
    """The learners and their settings."""
    return await in_thread(lambda: sent(_algorithms(tuple(LEARNERS))))


@router.get("/api/runs", operation_id="listRuns", response_model=list[RunInfo])
async def list_runs(catalogue: TheCatalogue) -> Response:
    """All runs in the server's folders."""
    return await in_thread(lambda: sent(_all(catalogue)))


@router.get("/api/runs/{run}", operation_id="getRun")
async def get_run(run: Id, catalogue: TheCatalogue) -> RunInfo:
    """A run, its configuration and its checkpoints."""
    return await in_thread(lambda: _info(catalogue, catalogue.folders.run(run)))


@router.get("/api/runs/{run}/metrics", operation_id="getRunMetrics")
async def get_run_metrics(
    run: Id,
    catalogue: TheCatalogue,
    after: Annotated[int, Query(ge=-1, le=2**53, description="Only evaluations after this step.")] = -1,
) -> RunMetrics:
    """The metrics of a run; with `after`, only new ones."""
    return await in_thread(lambda: _metrics(catalogue, catalogue.folders.run(run), after))


@router.get("/api/runs/{run}/mixture", operation_id="getRunMixture")
async def get_run_mixture(
    run: Id,
    catalogue: TheCatalogue,
    at: Annotated[int, Query(ge=-1, le=2**53, description="After this iteration; -1 for the newest.")] = -1,
) -> MixtureAt:
    """The mixture over the strategies of a PSRO run's population."""
    return await in_thread(lambda: _mixture(catalogue.folders.run(run), at))


@router.get("/api/cross-tables", operation_id="listCrossTables", response_model=list[CrossTable])
async def list_cross_tables(catalogue: TheCatalogue) -> Response:
    """Results of `parlor compare --json` that were saved into the server's folders."""
    return await in_thread(lambda: sent(_cross_tables(catalogue)))


@functools.lru_cache(1)
def _algorithms(names: tuple[str, ...]) -> list[AlgorithmInfo]:
    return [_algorithm(name, LEARNERS[name]) for name in names]


def _algorithm(name: str, row: LearnerRow) -> AlgorithmInfo:
    return AlgorithmInfo(
        name=name,
        summary=row.summary,
        parallel=list(row.parallel),
        backends=list(row.backends),
        settings=[setting_info(one) for one in declared(row.settings)],
        common=[setting_info(replace(one, default=row.usual.get(one.name, one.default))) for one in declared(Config)],
    )


def setting_info(one: Parameter) -> AlgorithmSetting:
    """A declared setting, as the API tells it."""
    default = list(one.default) if isinstance(one.default, tuple) else one.default
    words = [word for word in one.words if word]
    return AlgorithmSetting(
        name=one.name, type=one.kind, default=default, low=one.low, high=one.high, words=words, help=one.help
    )


def _all(catalogue: Catalogue) -> list[RunInfo]:
    found = []
    for run in catalogue.folders.found().runs.values():
        try:
            found.append(_info(catalogue, run))
        except Refusal:
            continue  # not a readable run
    return found


def _info(catalogue: Catalogue, run: RunFolder) -> RunInfo:
    kind, rows = _rows(run)
    about = _about(run, kind, rows)
    reached = max([row[kind.column] for row in rows[-1:]] + [file.trained or 0 for file in run.checkpoints], default=0)
    minutes = _minutes(run.checkpoints[-1]) if about.minutes and run.checkpoints else 0.0
    done = (about.goal is not None and reached >= about.goal) or bool(about.minutes and minutes >= about.minutes)
    finished = done if about.finished is None else about.finished
    unit, scale = catalogue.unit(about.game)
    return RunInfo(
        id=run.id,
        name=run.name,
        kind=kind.name,
        config=_config(about),
        code=str(about.head.get("code", "")),
        rules=str(about.head.get("rules", "")),
        steps=kind.steps,
        reached=reached,
        goal=about.goal,
        minutes=minutes,
        goal_minutes=about.minutes or None,
        state="finished" if finished else "running" if under_way(run.path) else "stopped",
        resume=kind.resume,
        action_words=catalogue.action_words(about.game),
        unit=unit,
        scale=scale,
        checkpoints=[_checkpoint(file) for file in run.checkpoints],
    )


def _config(about: RunAbout) -> RunConfig:
    named = {"game", "algorithm", "seed"}
    others = [(one, value) for one, value in about.settings if one.name not in named]
    return RunConfig(
        game=about.game,
        algorithm=about.algorithm,
        seed=next((value for one, value in about.settings if one.name == "seed"), 0),
        settings={one.name: value for one, value in others},
        help={one.name: one.help for one, _ in others},
    )


def _checkpoint(file: File) -> CheckpointInfo:
    return CheckpointInfo(at=file.trained or 0, agent=file.id, bytes=file.stamp[1])


def _minutes(checkpoint: File) -> float:
    """The minutes of a run by the clock until a checkpoint."""
    try:
        return float(read_header(checkpoint.path).get("seconds", 0.0)) / 60.0
    except UNREADABLE:
        return 0.0


def _about(run: RunFolder, kind: RunKind, rows: Sequence[Row]) -> RunAbout:
    try:
        return kind.read(run.path, rows)
    except FileError:
        raise Refusal(409, f"The configuration of {run.name} cannot be read.") from None


def _rows(run: RunFolder) -> tuple[RunKind, list[Row]]:
    """The kind of a run and its metrics."""
    kind = RUN_KINDS.get(run_kind(run.path))
    if kind is None:
        raise Refusal(409, f"The configuration of {run.name} cannot be read.")
    if not (run.path / METRICS).is_file():
        return kind, []
    try:
        return kind, read_metrics(run.path, kind.column)
    except FileError:
        raise Refusal(409, f"The metrics of {run.name} are damaged.") from None


def _metrics(catalogue: Catalogue, run: RunFolder, after: int) -> RunMetrics:
    info = _info(catalogue, run)
    (kind, measured), found = _rows(run), dict[str, dict[str, str]]()
    about = _about(run, kind, measured)
    curves = [lines_of(row, kind.hidden) for row in measured]
    for columns in curves:
        for name, lines in columns.items():
            known = measure(name, about.measures)
            found.setdefault(name, {}).update({line: known.called(line) for line in lines})
    rows = [
        MetricsRow(at=row[kind.column], values=columns, wins=row.get("wins", {}))
        for row, columns in zip(measured, curves, strict=True)
        if row[kind.column] > after
    ]
    last = rows[-1].at if rows else after
    order = list(about.measures)  # as they were declared, after those that were not
    names = sorted(found, key=lambda name: order.index(name) if name in order else -1)
    measures = [_measure(name, measure(name, about.measures), found[name]) for name in names]
    return RunMetrics(run=run.id, after=after, last=last, state=info.state, measures=measures, rows=rows)


def _mixture(run: RunFolder, at: int) -> MixtureAt:
    kind, rows = _rows(run)
    mixed = [row for row in rows if "mixture" in row]
    if not mixed:
        raise Refusal(404, f"{run.name} has no mixtures: they are measured by runs of PSRO.")
    row = mixed[-1] if at == -1 else next((one for one in mixed if one[kind.column] == at), None)
    if row is None:
        raise Refusal(404, f"{run.name} has no mixture after {at:,} {kind.steps}.")
    labels = run.checkpoints[-1].head.get("labels", []) if run.checkpoints else []
    try:
        players = [
            [
                StrategyShare(strategy=i, label=_label(labels, player, i), share=share)
                for i, share in enumerate(shares)
                if share > 0.0
            ]
            for player, shares in enumerate(row["mixture"])
        ]
        strategies = list(map(len, row["mixture"]))
    except (TypeError, ValidationError):
        raise Refusal(409, f"The metrics of {run.name} are damaged.") from None
    return MixtureAt(
        run=run.id, at=row[kind.column], strategies=strategies, players=players, note=str(row.get("note", ""))
    )


def _label(labels: Sequence[Sequence[str]], player: int, strategy: int) -> str:
    """Return a strategy's label: its number if the newest checkpoint does not have it yet."""
    known = labels[player] if player < len(labels) else ()
    return str(known[strategy]) if strategy < len(known) else str(strategy)


def _measure(name: str, known: MetricColumn, lines: dict[str, str]) -> MeasureInfo:
    ordered = {line: known.lines[line] for line in known.lines if line in lines} | lines
    shown = [MeasureLine(name=line, called=called) for line, called in ordered.items()]
    return MeasureInfo(name=name, title=known.title, better=known.better, scale=known.scale, lines=shown)


def _cross_tables(catalogue: Catalogue) -> list[CrossTable]:
    found = []
    for file in catalogue.folders.found().tables.values():
        try:
            data = json.loads(file.path.read_bytes())
            titles = catalogue.titles(data["agents"])
            pairs = [_pair(match, titles) for match in data["matches"]]
            numbers = {name: data[name] for name in ("mean_rates", "mean_payoffs", "ratings")}
            agents = [titles[name] for name in data["agents"]]
            players = data.get("players", 2)  # old tables do not say it
            in_points = data["in_points"] if "in_points" in data else _beyond_wins(pairs, players)
            unit, scale = catalogue.unit(data["game"])
            found.append(
                CrossTable(
                    id=file.id,
                    game=data["game"],
                    players=players,
                    in_points=in_points,
                    unit=unit,
                    scale=scale,
                    agents=agents,
                    matches=pairs,
                    **numbers,
                )
            )
        except (*UNREADABLE, ValidationError):
            continue  # another file
    return found


def _pair(match: Mapping[str, Any], titles: Mapping[str, str]) -> PairResult:
    share = match.get("measures", {}).get("win-share")
    if share is None:  # old tables have only the rate, to which draws count nothing
        split = {"value": (match["wins"] + match["draws"] / 2) / max(match["games"], 1), "low": None, "high": None}
        share = split if match["draws"] else match["rate"]
    given = {name: match[name] for name in PairResult.model_fields if name in match}
    given |= {name: titles[match[name]] for name in ("agent", "against")}
    others = [_interval(one["payoff"]) for one in match.get("by_agent", [])[1:]]
    return PairResult(**given, share=_interval(share), against_payoff=others[0] if others else None)


def _interval(told: Mapping[str, Any]) -> Interval:
    return Interval(**{name: told[name] for name in Interval.model_fields})


def _beyond_wins(pairs: Sequence[PairResult], players: int) -> bool:
    """Whether the payoffs in an old table of two players cannot be wins and losses alone."""
    means = [(pair.payoff.value, (pair.wins - pair.losses) / pair.games) for pair in pairs if pair.games]
    return players == 2 and any(mean is not None and abs(mean - wins) > 1e-9 for mean, wins in means)
