"""Tune an agent's parameters: candidates play a pool of opponents, which grows with each new champion.

Examples:
  parlor tune monopoly-deal risk-aware
  parlor tune goofspiel matching --against random matching --games 50000
  parlor tune monopoly-deal careful --options near begun=0:10 --method cma-es coordinate
  parlor tune 'liars-dice(dice=2)' 'counting(jump=0)' --measure payoff --minutes 2
  parlor tune leduc my_agents.py:Cautious --options risk=0:1
  parlor tune --resume runs/tune-monopoly-deal-risk-aware
  parlor compare monopoly-deal runs/tune-monopoly-deal-risk-aware careful

All numeric options of the agent are tuned, or those that are named; one that stands in its name keeps its value. The
final choice is made on deals that were never used before, and the numbers in the last table are on other fresh ones.
Ctrl-C stops; what was played is kept.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from parlor.arena.statistics import Estimate
from parlor.cli.flags import OptionalGame, RunFlags, ThreadsFlag, by_flag, more_for_run, settings_given, with_flags
from parlor.cli.screen import Interruption, compiler_notes, err, file_name, free_path, out, plain_table, print_json
from parlor.cli.seating import percent, percents, points
from parlor.game import GameError
from parlor.game.loading import load
from parlor.game.loading.registry import is_python, split
from parlor.game.parameters import declared
from parlor.tuning.run import TuneRun
from parlor.tuning.search import TuneConfig
from parlor.tuning.tuner import Row, Tuned, Tuner

LAST = 8  # generations that the live table shows
BARS = "▁▂▃▄▅▆▇█"
WIDTH = 60  # of the chart
ENDS = ("games", "minutes", "generations")  # what a run may have more of when it is resumed


@dataclass(frozen=True, kw_only=True)
class TuneCommand(ThreadsFlag, RunFlags):
    """The command's flags besides the settings of tuning runs, which become flags too."""

    game: OptionalGame = None
    """The game, with its options."""
    agent: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="[AGENT]")] = None
    """The agent; see `parlor agents`."""


OWNERS = by_flag(("", one) for one in declared(TuneConfig) if one.name not in ("game", "agent"))
Options = with_flags(TuneCommand, OWNERS)


def run(options: TuneCommand) -> int:
    """Tune, showing how it goes; print what was found."""
    with compiler_notes(), Interruption(lambda: None).caught() as interruption:
        tuning = (
            TuneRun.resume(options.resume, **more_for_run(options, OWNERS, ENDS)) if options.resume else _begun(options)
        )
        for remark in tuning.remarks:
            err.print(f"[yellow]{escape(remark)}[/]", soft_wrap=True)
        picture = TunePicture(tuning)
        shown = err.is_terminal and not options.json
        with Live(get_renderable=picture.draw, console=err, transient=True) if shown else nullcontext():

            def on_progress(tuning: TuneRun, tuner: Tuner) -> bool:
                picture.tuner = tuner
                return not interruption.requested

            tuner = tuning.run(workers=options.threads, on_progress=on_progress)
    tuned = tuner.tuned
    if options.json:
        found = dict(tuned.report) if tuned else {"agent": tuner.so_far(), "games": tuner.games}
        print_json({"run": str(tuning.folder), **found, "interrupted": tuned is None})
    elif tuned:
        _print(tuning, tuner, tuned)
    if tuned is None:
        if not options.json:
            out.print(f"best so far [bold]{escape(tuner.so_far())}[/]", soft_wrap=True)
        told = f"Stopped early after {tuner.games:,} games; parlor tune --resume {tuning.folder} continues the run."
        err.print(f"[yellow]{escape(told)}[/]", soft_wrap=True)
    return 0 if tuned else 130


def _begun(options: TuneCommand) -> TuneRun:
    if options.game is None or options.agent is None:
        raise GameError("Name a game and an agent: parlor tune GAME AGENT …, or parlor tune --resume FOLDER.")
    asked = settings_given(options, OWNERS)
    if "games" not in asked and ("minutes" in asked or "generations" in asked):
        asked["games"] = 0  # a run with one of them does not stop at the others
    config = TuneConfig(game=load(options.game).name, agent=options.agent, **asked)
    who = options.agent.rpartition(":")[2] if is_python(options.agent) else options.agent
    stem = f"tune-{file_name(config.game)}-{split(who)[0]}"
    return TuneRun.begin(options.out or free_path(Path("runs"), stem, ""), config)


# ------------------------------------------------------------------------------------------------------ while it runs


class TunePicture:
    """The live picture: the last generations, the curve of the scores, and where the search is."""

    def __init__(self, tuning: TuneRun) -> None:
        self.tuning = tuning
        self.tuner: Tuner | None = None
        self._began = time.perf_counter()

    def draw(self) -> RenderableType:
        """The picture now."""
        tuner = self.tuner
        if tuner is None:
            return Text("preparing; compiling, if necessary", style="dim")
        elapsed = time.perf_counter() - self._began
        head = Text.assemble(
            (f"{tuner.config.game} ", "bold"), (f"{tuner.agent.base} ", "bold cyan"), tuner.stage,
            (f"  {tuner.games:,} games, {elapsed:,.0f} s", "dim"),
        )  # fmt: skip
        if not self._rows:
            return head
        return Group(head, self._generations(), self._chart(), self._options())

    def _generations(self) -> Table:
        method = self._rows[-1]["method"]
        table = plain_table("generation", "games", method, "best", "spread", "trust", "games each", "pool", left=0)
        for row in self._rows[-LAST:]:
            table.add_row(
                str(row["generation"]), f"{row['games']:,}", self._number(row["score"]),
                percent(row["best"]) if self._share else f"{row['best']:.3f}", f"{row['spread']:.3f}",
                percent(row["reliability"]), f"{row['games_each']:,}", str(row["pool"]),
            )  # fmt: skip
        return table

    @property
    def _rows(self) -> list[Row]:
        return self.tuner.rows if self.tuner else []

    @property
    def _share(self) -> bool:
        return self.tuner is not None and self.tuner.share

    def _number(self, score: Mapping[str, float]) -> str:
        return scored(Estimate(**score), self._share)

    def _chart(self) -> Text:
        """The mean scores of the generations of this search, as bars."""
        method = self._rows[-1]["method"]
        scores = [row["score"]["value"] for row in self._rows if row["method"] == method][-WIDTH:]
        low, high = min(scores), max(scores)
        bars = "".join(
            BARS[round((len(BARS) - 1) * (s - low) / (high - low))] if high > low else BARS[0] for s in scores
        )
        ends = (percent(low), percent(high)) if self._share else (f"{low:.3f}", f"{high:.3f}")
        return Text.assemble((f"{ends[0]} ", "dim"), (bars, "green"), (f" {ends[1]}", "dim"))

    def _options(self) -> Text:
        """The options at the centre of the search."""
        return Text("  ".join(f"{name} {value:g}" for name, value in self._rows[-1]["option"].items()), style="cyan")


# -------------------------------------------------------------------------------------------------------- at the end


def scored(estimate: Estimate, share: bool) -> str:
    """A score with its interval."""
    return f"{percent(estimate.value)} % ({percents(estimate)})" if share else points(estimate)


def _gain(numbers: Mapping[str, float] | None, share: bool) -> str:
    if numbers is None:
        return ""
    gain = Estimate(**numbers)
    return f"{100 * gain.value:+.1f} ± {50 * (gain.high - gain.low):.1f} points" if share else points(gain)


def _print(tuning: TuneRun, tuner: Tuner, tuned: Tuned) -> None:
    share, report = tuner.share, tuned.report
    out.print(f"[bold]{escape(report['game'])}[/]: {escape(tuner.agent.base)} after {report['games']:,} games, "
              f"seed {tuning.config.seed}", soft_wrap=True)  # fmt: skip
    for part in report["report"]:
        own = len(part["pool"]) == len(tuner.against)
        joined = len(part["pool"]) - len(tuner.against)
        pool = ", ".join(_called(tuner, name) for name in part["pool"])
        pool = pool if own else f"the same and the {joined} that joined the pool"
        out.print(f"{tuning.config.measure} against {escape(pool)}", soft_wrap=True)
        table = plain_table("found by", "score", "more than the start")
        for row in part["rows"]:
            mark = "[bold]" if row["agent"] == tuned.agent else ""
            table.add_row(
                f"{mark}{', '.join(row['from'])}", scored(Estimate(**row["score"]), share), _gain(row["gain"], share)
            )
        out.print(table)
        out.print(f"[dim]{part['games']:,} games each on fresh deals, 95 % intervals[/]")
        by = next(row["by_opponent"] for row in part["rows"] if row["agent"] == tuned.agent)
        if len(by) > 1:
            worst = min(by, key=lambda name: by[name])
            score = f"{percent(by[worst])} %" if share else f"{by[worst]:.3f}"
            out.print(f"its lowest score is {score}, where {escape(_called(tuner, worst))} sits", soft_wrap=True)
    for search in report["searches"]:
        out.print(_about(search, share), soft_wrap=True)
    out.print(f"[dim]agent [/] [bold]{escape(shlex.quote(tuned.agent))}[/]", soft_wrap=True)
    out.print(
        f"[dim]run   [/] {escape(str(tuning.folder))}; parlor figures {escape(str(tuning.folder))}", soft_wrap=True
    )


def _called(tuner: Tuner, name: str) -> str:
    """A member of the pool, in few words."""
    if name == tuner.start:
        return f"{tuner.agent.base} as it was"
    joined = list(dict.fromkeys(name for found in tuner.searches for name in found.pool[len(tuner.against) :]))
    return f"number {joined.index(name) + 1} that joined" if name in joined else name


def _about(search: Mapping[str, Any], share: bool) -> str:
    """Describe a search, and how much of its highest score was luck."""
    told = (
        f"{search['method']} looked at {search['candidates']:,} candidates in {search['generations']:,} generations, "
        f"{search['games']:,} games. {search['ended']}"
    )
    highest = search["highest"]
    fresh = Estimate(**highest["fresh"])
    seen, luck = highest["seen"], highest["seen"] - fresh.value
    numbers = (f"{percent(seen)} %", f"{100 * luck:+.1f} points") if share else (f"{seen:.3f}", f"{luck:+.3f}")
    return (
        f"{told} The highest score it saw was {numbers[0]}; on fresh deals that candidate has "
        f"{scored(fresh, share)}: luck {numbers[1]}."
    )
