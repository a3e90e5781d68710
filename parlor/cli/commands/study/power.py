"""Find how many participants a study takes: simulated studies with planted means, analysed as people's data are.

Every simulated study is drawn from the mixed model and goes through exclusions, models and bootstrap. Printed are how
often the 95 % intervals cover the planted means, how often planted differences between agents are found, and how many
participants it takes to find which difference. The planted means are those of the paper's Table 3; of the agents of a
study FILE that are not in it, the mean of the table. Of a FOLDER that `parlor study data` has written (a pilot, a
rehearsal) they are what was found there.

Examples:
  parlor study power                                100 studies of the paper's size
  parlor study power study.toml --participants 60 --studies 40
  parlor study power pilot --participants 200       as the data of a pilot suggest
  parlor study power --people 228                   with people who meet each other, too

100 studies with 200 resamples take five to ten minutes on two cores. Ctrl-C stops early and prints what has been done.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from parlor.cli.flags import JsonFlag, Name, SeedFlag, ThreadsFlag
from parlor.cli.screen import Interruption, err, out, plain_table, print_json
from parlor.game import GameError
from parlor.runs.workers import start_pool
from parlor.study.analysis.findings import RETURNS, analyse
from parlor.study.analysis.folder import read_folder
from parlor.study.analysis.power import DIFFERENCES, POWERS, Power, measure_power
from parlor.study.analysis.simulated import PAPER, PAPER_PARTICIPANTS, PlantedMeans, planted_by, planted_for
from parlor.study.design.files import read_study

STUDY_FILES = (".toml", ".py")


@dataclass(frozen=True, kw_only=True)
class Options(SeedFlag, ThreadsFlag, JsonFlag):
    """Options of `parlor study power`."""

    source: Annotated[Path | None, tyro.conf.Positional, tyro.conf.arg(metavar="FOLDER|FILE")] = None
    """The data of a pilot or a rehearsal, or a study file; if omitted, Table 3 of the paper."""
    participants: int | None = None
    """Participants who meet the agents in each study; if omitted, the paper's 130, or the folder's."""
    people: int = 0
    """Participants who meet each other, in groups of six."""
    studies: int = 100
    """How many studies are simulated."""
    resamples: int = 200
    """Resamples for the intervals of each; an analysis has 500."""
    condition: Name = None
    """The condition of the folder to take, if it has several with agents."""


def run(options: Options) -> int:
    """Simulate and print."""
    planted, participants = _planted(options)
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=16), TimeRemainingColumn())
    with (
        start_pool("threads" if options.threads == 1 else "processes", options.threads) as pool,
        Interruption(lambda: None).caught() as interruption,
        Progress(*columns, console=err, disable=options.json or not err.is_terminal, transient=True) as progress,
    ):
        task = progress.add_task("simulated studies", total=options.studies)

        def on_progress(done: int) -> bool:
            progress.update(task, completed=done, description=f"{done} of {options.studies} simulated studies")
            return not interruption.requested

        power = measure_power(
            planted,
            participants,
            pool,
            options.studies,
            options.resamples,
            options.seed,
            on_progress,
            people=options.people,
        )
    if options.json:
        print_json(power.data() | {"interrupted": interruption.requested})
    else:
        _print(power)
    if interruption.requested:
        err.print("[yellow]Interrupted: these are the studies done so far.[/]")
    return 130 if interruption.requested else 0


def _planted(options: Options) -> tuple[PlantedMeans, int]:
    """Return the planted parameters and the number of participants."""
    if options.source is None:
        return PAPER, options.participants or PAPER_PARTICIPANTS
    if options.source.suffix in STUDY_FILES:
        return planted_for(_agents_of(options.source)), options.participants or PAPER_PARTICIPANTS
    findings = analyse(read_folder(options.source), start_pool(), resamples=2)
    known = {one.condition: one for one in findings.with_agents}
    if not known:
        raise GameError(f"{options.source} has no games with agents.")
    if options.condition is None and len(known) > 1:
        raise GameError(f"{options.source} has several conditions with agents: --condition {' or '.join(known)}.")
    name = options.condition or next(iter(known))
    if name not in known:
        raise GameError(f"There is no condition {name!r} with agents; there are {', '.join(known)}.")
    outs = [one for one in findings.time_outs if one.condition == name]
    timed_out = sum(one.timed_out for one in outs) / max(sum(one.games for one in outs), 1)
    return planted_by(known[name], timed_out), options.participants or known[name].participants


def _agents_of(path: Path) -> tuple[str, ...]:
    """The agents that participants of a study meet."""
    study = read_study(path)
    met = [one for one in study.conditions if one.partners == "agents"]
    everybody = tuple(agent.name for agent in study.agents)
    return tuple(name for name in everybody if any(not one.agents or name in one.agents for one in met))


def _print(power: Power) -> None:
    out.print(
        f"[bold]{power.studies} simulated studies[/] of {power.participants} participants, {power.games:.0f} games "
        f"left in the mean, {power.resamples} resamples, seed {power.seed}"
    )
    out.print(
        f"95 % intervals of the means cover what was planted in {100 * power.coverage:.1f} %, "
        f"the least of them in {100 * power.least_coverage:.1f} %; planted means (times covered):"
    )
    covered = plain_table("agent", *RETURNS)
    for j, agent in enumerate(power.agents):
        covered.add_row(
            escape(agent),
            *(f"{power.planted.means[name][agent]:.2f} ({power.covered[i, j]:.0f})" for i, name in enumerate(RETURNS)),
        )
    out.print(covered)
    if power.people:
        times = f"{power.people_covered} of {power.studies} times"
        out.print(f"{power.people} people among themselves: {power.planted.people:.2f}, covered {times}")
    out.print("\nPlanted differences, and in how many % of the studies their interval excluded zero (formula):")
    found = plain_table("difference", *RETURNS)
    pairs = len(power.differences) // len(RETURNS)
    for k in range(pairs):
        some = power.differences[k::pairs]
        cells = [f"{one.size:+.2f}  {100 * one.found.value:.0f} ({100 * one.expected:.0f})" for one in some]
        found.add_row(escape(f"{some[0].first} - {some[0].second}"), *cells)
    out.print(found)
    out.print(f"\nParticipants it takes to find a difference with a power of {' / '.join(f'{p:.0%}' for p in POWERS)}:")
    needed = plain_table("points", *RETURNS)
    for size in DIFFERENCES:
        cells = [" / ".join(f"{power.needed(i, size, p):,}" for p in POWERS) for i in range(len(RETURNS))]
        needed.add_row(f"{size:.2f}", *cells)
    out.print(needed)
