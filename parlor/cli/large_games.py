"""Exact measures of a game that is too large to be enumerated: progress, Ctrl-C, a folder to go on from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from parlor.agents.random import NO_ROWS
from parlor.agents.registry import is_path
from parlor.cli.screen import Interruption, err, out, plain_table, print_json
from parlor.cli.seating import seat_all
from parlor.compile.random_games import estimate_in_time
from parlor.game import Game, GameError
from parlor.game.loading import load
from parlor.runs.measuring.run import MeasureConfig, MeasureRun, content_of, strategy_in
from parlor.runs.saved_agents import read_policy
from parlor.solvers.best_response import FEASIBLE, of_each_player
from parlor.solvers.large.measurement import Measurement
from parlor.solvers.solver import Evaluation


@dataclass(frozen=True)
class Measured:
    """The result of the walk so far."""

    game: Game
    policy: str  # empty: uniform play
    found: Evaluation | None  # None, if it was stopped
    histories: int
    infosets: int
    tasks: int
    done: int


def measure(
    game: Game, policy: str, threads: int, memory: float, folder: Path | None, quiet: bool, long: bool
) -> Measured:
    """Walk through the information sets of a game; with a folder, so that it can be resumed."""
    histories = estimate_in_time(game, 200)[0]
    if histories > FEASIBLE and not long:
        raise GameError(
            f"{game.name} is too large to be measured exactly in an hour or two: about {histories:.1e} histories. "
            f"Say --exact to try all the same, or measure it in games: --against random."
        )
    err.print(
        f"[dim]{escape(game.name)} has about {histories:.1e} histories: its information sets are walked through.[/]",
        soft_wrap=True,
    )
    if folder is not None:
        content = content_of(policy) if policy else ""
        path = str(Path(policy).absolute()) if policy else ""
        return run(MeasureRun.begin(folder, MeasureConfig(game.name, path, content, memory)), threads, quiet)
    work = Measurement(game, of_each_player(game, strategy_in(game, policy)), threads, memory)
    with Interruption(lambda: None).caught() as interruption, bar(quiet) as show:

        def on_progress(measurement: Measurement) -> bool:
            show(measurement)
            return not interruption.requested

        work.run(on_progress)
    return _measured(game, policy, work)


def resume(folder: Path, memory: float | None, threads: int, quiet: bool) -> Measured:
    """Go on in a folder."""
    found = MeasureRun.resume(folder, memory=memory)
    for remark in found.remarks:
        err.print(f"[yellow]{escape(remark)}[/]", soft_wrap=True)
    return run(found, threads, quiet)


def run(measuring: MeasureRun, threads: int, quiet: bool) -> Measured:
    """A run to its end, or until Ctrl-C."""
    with Interruption(lambda: None).caught() as interruption, bar(quiet) as show:

        def on_progress(run: MeasureRun, work: Measurement) -> bool:
            show(work)
            return not interruption.requested

        work = measuring.run(workers=threads, on_progress=on_progress)
    if not work.finished:
        err.print(f"[yellow]{escape(measuring.what_is_left())}[/]", soft_wrap=True)
    return _measured(measuring.game, measuring.config.policy, work)


def _measured(game: Game, policy: str, work: Measurement) -> Measured:
    found = work.evaluation() if work.finished else None
    return Measured(game, policy, found, work.histories, work.infosets, work.tasks, work.done)


@contextmanager
def bar(quiet: bool) -> Iterator[Callable[[Measurement], None]]:
    """Within this, a bar shows how many tasks are done; the function it gives updates it."""
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=16), TimeRemainingColumn())
    with Progress(*columns, console=err, disable=quiet or not err.is_terminal, transient=True) as progress:
        task = progress.add_task("", total=None)

        def show(work: Measurement) -> None:
            line = f"{work.done:,} of {work.tasks:,} subtrees, {work.infosets:,} information sets"
            progress.update(task, completed=work.done, total=work.tasks, description=line)

        yield show


def policy_file(name: str, named: str | None) -> tuple[Game, str]:
    """The game to measure in and the file of a policy; empty for an agent that plays uniformly."""
    if is_path(name) or os.path.isdir(name):
        strategy = read_policy(name)
        return load(named or strategy.game), name
    game, [agent] = seat_all([name], named)
    data: Any = getattr(agent, "data", None)
    if data is None or data(True) is not NO_ROWS or getattr(agent, "game", None) is not game:
        raise GameError(
            f"{game.name} is too large to measure {name} exactly; play games: --against random. "
            f"Saved policies, networks and random can be measured."
        )
    return game, ""


def told(measured: Measured, as_json: bool) -> int:
    """Print what the walk through a large game has found."""
    found = measured.found
    if as_json:
        print_json(
            {
                "game": measured.game.name,
                "exploitability": found and found.exploitability,
                "nash_conv": found and found.nash_conv,
                "values": found and list(found.values),
                "best_responses": found and list(found.best_responses),
                "infosets": measured.infosets,
                "histories": measured.histories,
                "interrupted": found is None,
            }
        )
    elif found is None:
        err.print(f"[yellow]Interrupted after {measured.done:,} of {measured.tasks:,} subtrees.[/]")
    else:
        out.print(f"[bold]{escape(measured.game.name)}[/], {escape(measured.policy or 'uniform play')}")
        print_evaluation(found)
        merged = f"{measured.histories:,} histories looked at, equal ones once"
        out.print(f"[dim]{measured.infosets:,} information sets; {merged}[/]")
    return 0 if found else 130


def print_evaluation(found: Evaluation) -> None:
    """Values, best responses and what they add up to."""
    table = plain_table("player", "value", "best response", "gain")
    for p, (value, best) in enumerate(zip(found.values, found.best_responses, strict=True)):
        table.add_row(str(p), f"{value:+.6f}", f"{best:+.6f}", f"{best - value:.6f}")
    out.print(table)
    out.print(f"NashConv {found.nash_conv:.6g}, exploitability [bold]{found.exploitability:.6g}[/]")
