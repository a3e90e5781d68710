"""Grow a population of strategies by best responses to a mixture of its members: policy-space response oracles.

Examples:
  parlor psro kuhn --iterations 30
  parlor psro leduc --meta nash --iterations 60
  parlor psro 'leduc(players=3)' --meta mgcce --iterations 30      correlated strategies, answered as such
  parlor psro 'goofspiel(cards=4)' --meta 'prd(iterations=20000)' --population shared
  parlor psro leduc --payoffs simulated --games 2000 --threads 2 --backend processes
  parlor psro --resume runs/psro-leduc-nash                        go on with a run that was stopped or killed
  parlor psro --resume runs/psro-leduc-nash --iterations 120       or with more iterations
  parlor compare leduc runs/psro-leduc-nash random          the result as an agent
  parlor figures runs/psro-leduc-nash

Each player begins with uniform play. An iteration solves the empirical game, the payoffs of all combinations of
strategies so far, by a meta-solver; an oracle then finds a best response to the mixture for each player. Ctrl-C stops
after the iteration; nothing that was finished is lost.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from parlor.cli.flags import (
    OptionalGame,
    RunFlags,
    TrackersFlags,
    WorkersFlags,
    by_flag,
    check_words,
    more_for_run,
    settings_given,
    with_flags,
)
from parlor.cli.screen import Interruption, compiler_notes, err, file_name, free_path, out, plain_table, print_json
from parlor.game import GameError
from parlor.game.loading import load
from parlor.game.loading.registry import short_name
from parlor.game.parameters import declared
from parlor.population.meta import META_SOLVERS
from parlor.population.oracles import ORACLES
from parlor.population.psro import Psro, Row
from parlor.population.run.checkpoints import PsroConfig
from parlor.population.run.run import PsroRun
from parlor.runs.metrics import MODES
from parlor.runs.workers import BACKENDS

LAST = 8  # iterations that the live table shows
MAX_NAMED = 6  # strategies of a player that are named
BARS = "▁▂▃▄▅▆▇█"
WIDTH = 60  # of the chart
ENDS = ("iterations",)  # what a run may have more of when it is resumed


def _listed(title: str, rows: Mapping[str, Any]) -> str:
    lines = []
    for name, row in rows.items():
        own = " ".join(one.name for one in declared(row.settings))
        lines.append(f"  {name:16}  {row.summary}{f'; settings: {own}' if own else ''}")
    return "\n".join([f"\n{title}", *lines, ""])


__doc__ += _listed("Meta-solvers, --meta NAME or --meta 'NAME(setting=value,…)':", META_SOLVERS)
__doc__ += _listed("Oracles, --oracle NAME or --oracle 'NAME(setting=value,…)':", ORACLES)


@dataclass(frozen=True, kw_only=True)
class PsroCommand(WorkersFlags, TrackersFlags, RunFlags):
    """The command's flags besides the settings of PSRO runs, which become flags too."""

    game: OptionalGame = None
    """The game, with its options."""


OWNERS = by_flag(("", one) for one in declared(PsroConfig) if one.name != "game")
Options = with_flags(PsroCommand, OWNERS)


def run(options: PsroCommand) -> int:
    """Grow the population, showing how it goes; print what came of it."""
    check_words(options, backend=BACKENDS, wandb=MODES)
    with compiler_notes(), Interruption(lambda: None).caught() as interruption:
        growing = (
            PsroRun.resume(options.resume, **more_for_run(options, OWNERS, ENDS)) if options.resume else _begun(options)
        )
        if growing.finished:
            growing.remarks.append("The run is finished; continue it with more --iterations.")
        for remark in growing.remarks:
            err.print(f"[yellow]{escape(remark)}[/]", soft_wrap=True)
        picture = PsroPicture(growing)
        shown = err.is_terminal and not options.json
        with Live(get_renderable=picture.draw, console=err, transient=True) if shown else nullcontext():

            def on_progress(growing: PsroRun, psro: Psro) -> bool:
                picture.psro = psro
                return not interruption.requested

            psro = growing.run(
                backend=options.backend or BACKENDS[0], workers=options.threads, address=options.address,
                wandb=options.wandb, tensorboard=options.tensorboard, on_progress=on_progress,
            )  # fmt: skip
    stopped = psro.iteration < growing.config.iterations
    if options.json:
        told = {"run": str(growing.folder), "checkpoint": str(growing.last), "seconds": growing.seconds}
        print_json(told | {"metrics": growing.rows[-1], "interrupted": stopped})
    else:
        _print(growing, psro)
    if stopped:
        how = f"Stopped early; parlor psro --resume {growing.folder} continues the run."
        err.print(f"[yellow]{escape(how)}[/]", soft_wrap=True)
    return 130 if stopped else 0


def _begun(options: PsroCommand) -> PsroRun:
    if options.game is None:
        raise GameError("Name a game or a run: parlor psro GAME …, or parlor psro --resume FOLDER.")
    config = PsroConfig.of(load(options.game).name, **settings_given(options, OWNERS))
    stem = f"psro-{file_name(config.game)}-{file_name(short_name(config.meta).replace('.py:', '-'))}"
    return PsroRun.begin(options.out or free_path(Path("runs"), stem, ""), config)


# ------------------------------------------------------------------------------------------------------ while it runs


class PsroPicture:
    """The live picture: the last iterations, the curve of NashConv, who is played, and what is being done."""

    def __init__(self, growing: PsroRun) -> None:
        self.growing = growing
        self.psro: Psro | None = None
        self._began = time.perf_counter()

    def draw(self) -> RenderableType:
        """The picture now."""
        psro, rows = self.psro, self.growing.rows
        if psro is None or not rows:
            return Text("preparing; compiling, if necessary", style="dim")
        config, elapsed = self.growing.config, time.perf_counter() - self._began
        head = Text.assemble(
            (f"{config.game} ", "bold"), (f"{short_name(config.meta)}, {short_name(config.oracle)} ", "bold cyan"),
            f"iteration {psro.iteration:,} of {config.iterations:,}", (f"  {elapsed:,.0f} s{self._simulated()}", "dim"),
        )  # fmt: skip
        return Group(head, _table(rows[-LAST:]), _chart(rows), *_played(rows[-1]))

    def _simulated(self) -> str:
        simulator = self.growing.simulator
        if simulator is None or simulator.done == simulator.total:
            return ""
        return f", {simulator.done:,} of {simulator.total:,} new cells simulated"


def _table(rows: Sequence[Row]) -> Table:
    columns = ("iteration", "NashConv", "meta NashConv", "welfare", "played", "strategies", "cells", "games")
    table = plain_table(*columns, left=0)
    for row in rows:
        table.add_row(
            f"{row['iteration']:,}", number(row.get("nash_conv")), number(row.get("meta_nash_conv")),
            number(row["social_welfare"]), _each(row["support"]), _each(row["strategies"]), f"{row['cells']:,}",
            f"{row['games']:,}" if row["games"] else "exact",
        )  # fmt: skip
    return table


def number(value: float | None) -> str:
    """A number in four digits; nothing if it was not measured; rounding errors are 0."""
    if value is None:
        return "–"
    return "0" if abs(value) < 1e-12 else f"{value:.4g}"


def _each(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _chart(rows: Sequence[Row]) -> Text:
    """NashConv from iteration to iteration, as bars on a logarithmic scale; social welfare if that is not known."""
    name = "nash_conv" if "nash_conv" in rows[-1] else "social_welfare"
    values = [float(row[name]) for row in rows if name in row][-WIDTH:]
    heights = [math.log(max(value, 1e-12)) for value in values] if name == "nash_conv" else values
    low, high = min(heights), max(heights)
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    bars = "".join(BARS[round(scale * (height - low))] for height in heights)
    title = "NashConv" if name == "nash_conv" else "welfare"
    return Text.assemble((f"{title} ", "dim"), (bars, "green"), (f" {number(values[-1])}", "dim"))


def _played(row: Row) -> list[Text]:
    """The strategies that each player plays most, by their numbers."""
    lines = []
    for player, weights in enumerate(row["mixture"]):
        most = sorted(range(len(weights)), key=lambda i: -weights[i])[:MAX_NAMED]
        shown = "  ".join(f"{i}: {100 * weights[i]:.0f} %" for i in most if weights[i] >= 0.005)
        lines.append(Text.assemble((f"player {player} plays ", "dim"), (shown, "cyan")))
    return lines


# -------------------------------------------------------------------------------------------------------- at the end


def _print(growing: PsroRun, psro: Psro) -> None:
    row, config = growing.rows[-1], growing.config
    meta, oracle = short_name(config.meta), short_name(config.oracle)
    what = f"PSRO, {meta}, {oracle} oracles, {psro.iteration:,} iterations, seed {config.seed}"
    out.print(f"[bold]{escape(config.game)}[/]: {escape(what)}", soft_wrap=True)
    out.print(_table(_landmarks(growing.rows)))
    for player, (some, of) in enumerate(zip(row["support"], row["strategies"], strict=True)):
        value = f", value {number(row['values'][player])}"
        gain = f", could gain {number(row['gains'][player])}" if "gains" in row else ""
        out.print(f"player {player} plays {some} of {of} strategies{value}{gain}")
    if "nash_conv" in row:
        exploitability = number(row["nash_conv"] / len(row["values"]))
        out.print(f"NashConv {number(row['nash_conv'])}, exploitability {exploitability} a game and player")
    if "note" in row:
        out.print(f"[yellow]{escape(row['note'])}[/]", soft_wrap=True)
    folder = escape(str(growing.folder))
    out.print(f"[dim]run   [/] {folder}; parlor figures {folder}", soft_wrap=True)


def _landmarks(rows: Sequence[Row]) -> list[Row]:
    """The first rows and the last, and those at 1, 2, 5, 10, 20, 50, …: what a logarithmic axis shows."""
    marks = {base * 10**power for base in (1, 2, 5) for power in range(9)}
    return [row for row in rows if row["iteration"] in marks or row is rows[0] or row is rows[-1]]
