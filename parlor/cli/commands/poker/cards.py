"""Compute the card tables of poker in advance.

Training computes what it needs, and so does every agent on the command line. A server does not, because requests
wait for it. On a machine where nothing was trained this computes, once, the equity of every hand on every board
(405 MB), and the buckets of all blueprints in the folders that will be served.

Examples:
  parlor cards                                       for the blueprints in runs/
  parlor cards blueprint.npz /srv/agents             for these
  PARLOR_CACHE=/srv/cache parlor cards /srv/agents   for a server with that cache
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

from parlor.cli.screen import compiler_notes, err, out
from parlor.compile import cache_folder
from parlor.game import GameError
from parlor.poker.blueprint import Blueprint, cards_of
from parlor.poker.hands.equity_tables import exact_equities
from parlor.runs.files.strategy_files import blueprints_among


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of `parlor cards`."""

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FOLDER …")] = ("runs",)
    """Blueprints, training runs, or folders of them."""


def run(options: Options) -> int:
    """Compute what is missing, and print it."""
    for name in options.agents:
        if name != "runs" and not Path(name).exists():
            raise GameError(f"There is no file or folder {name}.")
    code = 0
    for what, look_up in tables_needed(options.agents).items():
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
    out.print(f"[dim]saved in {escape(str(cache_folder()))}[/]", soft_wrap=True)
    return code


def tables_needed(agents: Iterable[str]) -> dict[str, Callable[[], Any]]:
    """All tables that serving poker with the agents in those folders needs, and how to look each up."""
    found: dict[str, Callable[[], Any]] = {"the equity of every hand on every board": exact_equities}
    for path, plan in blueprints_among(agents):
        found[f"{_buckets(plan)}, of {path}"] = functools.partial(tables_of, path, plan)
    return found


def tables_of(path: Path, plan: Blueprint) -> tuple[Any, ...]:
    """All tables that a blueprint needs."""
    return cards_of(plan, str(path)).data


def _buckets(plan: Blueprint) -> str:
    return f"{plan.cards}, {' + '.join(f'{count:,}' for count in plan.sizes[: plan.streets].tolist())} buckets"
