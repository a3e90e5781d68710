"""All mistakes, room by room."""

from __future__ import annotations

from importlib import import_module

from tests.mutants.mistake import Mistake

ROOMS = (
    "accounting",
    "agents",
    "analysis",
    "arena",
    "foundation",
    "games",
    "learn",
    "linking",
    "open_arena",
    "poker",
    "psro",
    "runs",
    "search",
    "server",
    "solvers",
    "study",
    "tables",
    "tune",
)

MISTAKES: list[Mistake] = [mistake for room in ROOMS for mistake in import_module(f"tests.mutants.{room}").MISTAKES]
