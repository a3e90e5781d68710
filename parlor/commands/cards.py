"""Compute the card tables that poker is looked up in, before anybody waits for them.

Training computes what it needs, and so does every agent that sits down on the command line. A server does not: there
somebody waits. On a machine where nothing was trained this computes, once, the equity of every hand on every board
(405 MB), and the buckets of all blueprints in the folders that are going to be served.

Examples:
  parlor cards                                       for the blueprints in runs/
  parlor cards blueprint.npz /srv/agents             for these
  PARLOR_CACHE=/srv/cache parlor cards /srv/agents   where the server will look, if it is started so
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.markup import escape

from parlor.commands.screen import compiler_notes, err, out
from parlor.game import GameError
from parlor.native import cache_folder
from parlor.poker.blueprint import Blueprint, cards_of
from parlor.poker.equity_tables import exact_equities
from parlor.runs.blueprint_files import one_of_each


@dataclass(frozen=True)
class Options:
    """Options of `parlor cards`."""

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FOLDER …")] = ("runs",)
    """Blueprints, training runs, or folders of them."""


def run(options: Options) -> int:
    """Compute what is not there yet, and say so."""
    for name in options.agents:
        if name != "runs" and not Path(name).exists():
            raise GameError(f"There is no file or folder {name}.")
    code = 0
    for what, look_up in wanted(options.agents).items():
        began = time.perf_counter()
        try:
            with compiler_notes():
                look_up()
        except GameError as error:
            err.print(f"[yellow]{escape(str(error))}[/]", soft_wrap=True)
            code = 1
            continue
        seconds = time.perf_counter() - began
        took = f" after {seconds:.0f} s" if seconds >= 1.0 else ""
        out.print(f"[bold]{escape(what)}[/]: ready{took}", soft_wrap=True)
    out.print(f"[dim]kept in {escape(str(cache_folder()))}[/]", soft_wrap=True)
    return code


def wanted(agents: Iterable[str]) -> dict[str, Callable[[], Any]]:
    """All that is looked up when poker is served with the agents in those folders, and how to look it up."""
    found: dict[str, Callable[[], Any]] = {"the equity of every hand on every board": exact_equities}
    for path, plan in one_of_each(agents):
        found[f"{_buckets(plan)}, of {path}"] = functools.partial(tables_of, path, plan)
    return found


def tables_of(path: Path, plan: Blueprint) -> tuple[Any, ...]:
    """Everything that is looked up for a blueprint."""
    return cards_of(plan, str(path)).data


def _buckets(plan: Blueprint) -> str:
    return f"{plan.cards}, {' + '.join(f'{count:,}' for count in plan.sizes[: plan.streets].tolist())} buckets"
