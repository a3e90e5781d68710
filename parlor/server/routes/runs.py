"""Training runs: what they are, how far they have got, what they measure; and saved cross tables."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from itertools import count
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import ValidationError

from parlor.runs.blueprint_files import read_head
from parlor.runs.checkpoints import load_config
from parlor.runs.metrics import METRICS, Row, read_metrics
from parlor.runs.policy_files import UNREADABLE, FileError
from parlor.server.catalogue import Catalogue, File, Run
from parlor.server.refusal import Refusal
from parlor.server.routes.dependencies import Id, TheCatalogue
from parlor.server.schemas import CheckpointInfo, CrossTable, MetricsRow, PairResult, RunConfig, RunInfo, RunMetrics

router = APIRouter(tags=["runs"])


@router.get("/api/runs", operation_id="listRuns")
async def list_runs(catalogue: TheCatalogue) -> list[RunInfo]:
    """All runs in the server's folders."""
    return await asyncio.to_thread(_all, catalogue)


@router.get("/api/runs/{run}", operation_id="getRun")
async def get_run(run: Id, catalogue: TheCatalogue) -> RunInfo:
    """A run, its configuration and its checkpoints."""
    return await asyncio.to_thread(lambda: _info(catalogue, catalogue.run(run)))


@router.get("/api/runs/{run}/metrics", operation_id="getRunMetrics")
async def get_run_metrics(
    run: Id,
    catalogue: TheCatalogue,
    after: Annotated[int, Query(ge=-1, le=2**53, description="Only what was measured after this game.")] = -1,
) -> RunMetrics:
    """What a run has measured; asked again with `after`, only what is new."""
    return await asyncio.to_thread(lambda: _metrics(catalogue, catalogue.run(run), after))


@router.get("/api/cross-tables", operation_id="listCrossTables")
async def list_cross_tables(catalogue: TheCatalogue) -> list[CrossTable]:
    """Results of `parlor compare --json` that were saved into the server's folders."""
    return await asyncio.to_thread(_cross_tables, catalogue)


def _all(catalogue: Catalogue) -> list[RunInfo]:
    found = []
    for run in catalogue.found().runs.values():
        try:
            found.append(_info(catalogue, run))
        except Refusal:
            continue  # not a run we can read
    return found


def _info(catalogue: Catalogue, run: Run) -> RunInfo:
    try:
        config, head = load_config(run.path)
    except FileError:
        raise Refusal(409, f"The configuration of {run.name} cannot be read.") from None
    rows = _rows(run)
    reached = max([row["games"] for row in rows[-1:]] + [file.trained or 0 for file in run.checkpoints], default=0)
    minutes = _minutes(run.checkpoints[-1]) if config.minutes and run.checkpoints else 0.0
    unit, scale = catalogue.unit(config.game)
    kept = [CheckpointInfo(games=f.trained or 0, agent=f.id, bytes=f.stamp[1]) for f in run.checkpoints]
    return RunInfo(
        id=run.id,
        name=run.name,
        config=RunConfig(**config.data()),
        code=str(head.get("code", "")),
        rules=str(head.get("rules", "")),
        games=reached,
        minutes=minutes,
        finished=reached >= config.goal or bool(config.minutes and minutes >= config.minutes),
        action_words=catalogue.action_words(config.game),
        unit=unit,
        scale=scale,
        checkpoints=kept,
    )


def _minutes(checkpoint: File) -> float:
    """How long a run by the clock had taken by then."""
    try:
        return float(read_head(checkpoint.path).get("seconds", 0.0)) / 60.0
    except UNREADABLE:
        return 0.0


def _rows(run: Run) -> list[Row]:
    if not (run.path / METRICS).is_file():
        return []
    try:
        return read_metrics(run.path)
    except FileError:
        raise Refusal(409, f"The metrics of {run.name} are damaged.") from None


def _metrics(catalogue: Catalogue, run: Run, after: int) -> RunMetrics:
    info = _info(catalogue, run)
    names = set(MetricsRow.model_fields)
    rows = [
        MetricsRow(**{name: value for name, value in row.items() if name in names})
        for row in _rows(run)
        if row["games"] > after
    ]
    last = rows[-1].games if rows else after
    return RunMetrics(run=run.id, after=after, last=last, finished=info.finished, rows=rows)


def _cross_tables(catalogue: Catalogue) -> list[CrossTable]:
    found = []
    for file in catalogue.found().tables.values():
        try:
            data = json.loads(file.path.read_bytes())
            titles = _titles(catalogue, data["agents"])
            pairs = [
                PairResult(
                    **{name: match[name] for name in PairResult.model_fields}
                    | {name: titles[match[name]] for name in ("agent", "against")}
                )
                for match in data["matches"]
            ]
            numbers = {name: data[name] for name in ("mean_rates", "mean_payoffs", "ratings")}
            agents = [titles[name] for name in data["agents"]]
            found.append(CrossTable(id=file.id, game=data["game"], agents=agents, matches=pairs, **numbers))
        except (*UNREADABLE, ValidationError):
            continue  # something else
    return found


def _titles(catalogue: Catalogue, names: Sequence[str]) -> dict[str, str]:
    """What agents are called, each one differently."""
    titles: dict[str, str] = {}
    for name in names:
        title = alone = catalogue.title(name)
        for number in count(2):
            if title not in titles.values():
                break
            title = f"{alone} ({number})"
        titles[name] = title
    return titles
