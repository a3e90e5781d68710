"""The health of the server, and its numbers."""

from __future__ import annotations

import time
from typing import Literal

from fastapi import APIRouter, Request, Response

import parlor
from parlor.server.api.routes.dependencies import TheStore, TheTables, TheThinking
from parlor.server.operations.watch import Watch
from parlor.server.refusal import Refusal
from parlor.server.schemas.common import PROBLEMS, Health

FAILED = 60.0  # seconds for which a write that failed makes the server unhealthy, unless another succeeds
FRESH = 1.0  # seconds for which an answer is good

router = APIRouter(responses=PROBLEMS)


@router.get("/api/health", operation_id="getHealth", tags=["health"])
async def get_health(request: Request, store: TheStore, thinking: TheThinking) -> Health:
    """Responds if the database can be written, and the last move or table could be."""
    state, watch = request.app.state, request.app.state.watch
    if watch.write_failed is not None and time.monotonic() - watch.write_failed < FAILED:
        raise Refusal(503, "The last change could not be written to the database.")
    if time.monotonic() - state.written > FRESH:
        await store.ping()
        state.written = time.monotonic()
    kind: Literal["sqlite", "postgresql"] = "sqlite" if store.kind == "sqlite" else "postgresql"
    stall = round(1000.0 * max(watch.stalls), 1)
    return Health(version=parlor.__version__, database=kind, full=thinking.full(), longest_stall_ms=stall)


@router.get("/metrics", include_in_schema=False)
async def get_metrics(request: Request, store: TheStore, tables: TheTables, thinking: TheThinking) -> Response:
    """Numbers for Prometheus."""
    watch: Watch = request.app.state.watch
    gauges = {"parlor_tables_in_memory": ("Tables in memory.", float(tables.in_memory))} | thinking.gauges()
    for name, (help, count) in (await store.counts()).items():
        gauges[f"parlor_{name}"] = (help, float(count))
    return Response(watch.text(gauges), media_type="text/plain; version=0.0.4; charset=utf-8")
