"""A study under load, under fire and on its truth: the paper's study, played by bots through the real server.

Four parts, each of which is measured once and kept in a file, so that an interrupted run goes on where it was:

study     346 participants in the paper's conditions, 1,030 games and more, in accelerated time; nobody may be stuck
load      60 participants at once in real time: how long a move takes
kills     the server is killed 50 times while games are played, half of them on PostgreSQL where it is installed, which
          is killed then too: no move, answer or payment may be lost or doubled, nobody may meet anybody twice, and time
          limits hold within a second
coverage  100 simulated studies of the paper's size: how many of the 95 % intervals cover the planted means

The last line is JSON; a part that was not run is null.

    python benchmarks/study.py                     all parts, about 40 minutes on two cores
    python benchmarks/study.py --quick             a small one of each, about ten minutes
    python benchmarks/study.py --only load kills
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
os.environ["PYTHONPATH"] = str(ROOT)

from parlor.game.loading import load as load_game  # noqa: E402
from parlor.study.design.files import read_study  # noqa: E402
from parlor.study.rehearsal.checking import RehearsalFindings, Rows, check, read_rows  # noqa: E402
from parlor.study.rehearsal.people import Habits  # noqa: E402
from parlor.study.rehearsal.rehearsal import Rehearsal, RehearsalPlan, RehearsalReport  # noqa: E402
from parlor.study.rehearsal.server_process import ServerProcess  # noqa: E402
from parlor.study.rehearsal.walker import Visit  # noqa: E402
from tests.server.databases import Missing, Postgres, postgres  # noqa: E402

STUDY = ROOT / "parlor" / "study" / "examples" / "paper.toml"
ROBUST = Habits(declines=0, fails=0, silent=0, leaves=0)
Kill = Callable[[int], Awaitable[None]]


def rehearse(
    folder: Path,
    url: str,
    speed: float,
    plan: RehearsalPlan,
    haste: float = 1.0,
    kill: Callable[[ServerProcess], Kill] | None = None,
) -> tuple[RehearsalReport, RehearsalFindings, Rows]:
    """Bots through a server of their own; what came of it, and what was wrong with it."""
    study = read_study(STUDY)
    server = ServerProcess(STUDY, url, speed, folder / "server.log")
    last = 0.0

    def show(line: str) -> None:
        nonlocal last
        if time.monotonic() - last > 15:
            last = time.monotonic()
            print(f"  {line}", flush=True)

    async def work() -> RehearsalReport:
        await server.start()
        rehearsal = Rehearsal(Visit(study, load_game(study.game), speed, haste), plan, server, kill and kill(server))
        return await rehearsal.run(show)

    with server.running():
        report = asyncio.run(work())
    rows = read_rows(url)
    findings = check(report.journal, rows, study, server.away)
    for sentence in [*findings.sentences, *report.journal.troubles][:20]:
        print(f"  WRONG: {sentence}", flush=True)
    return report, findings, rows


def counted(findings: RehearsalFindings, report: RehearsalReport) -> dict[str, Any]:
    return {
        "lost": len(findings.lost),
        "doubled": len(findings.doubled),
        "late": len(findings.late) + len(findings.overdue),
        "met_twice": len(findings.twice),
        "left_open": len(findings.open),
        "troubles": len(report.journal.troubles),
        "stuck": report.stuck,
        "checked": dict(findings.checked),
        "where": dict(report.where),
    }


def games_of(rows: Rows) -> dict[str, int]:
    ended: dict[str, int] = {}
    for status in {row["id"]: str(row["status"]) for row in rows.episodes}.values():
        ended[status] = ended.get(status, 0) + 1
    return ended


def study_part(folder: Path, quick: bool, speed: float | None) -> dict[str, Any]:
    """Everybody, in accelerated time."""
    plan = RehearsalPlan(24 if quick else 346, seed=18, gap=4.0 if quick else 8.0)
    report, findings, rows = rehearse(folder, f"sqlite:///{folder}/study.db", speed or 10.0, plan)
    games = games_of(rows)
    return {
        "participants": report.passed,
        "came": report.people,
        "games": sum(games.values()),
        "games_by_status": games,
        "minutes": round(report.seconds / 60, 2),
        "at_once": report.at_once,
        "p99_ms_fast": report.journal.percentile(0.99),
        **counted(findings, report),
    }


def load_part(folder: Path, quick: bool) -> dict[str, Any]:
    """So many at once, in real time."""
    count = 18 if quick else 60
    plan = RehearsalPlan(count, seed=60, gap=0.2, habits=ROBUST, minutes=0.75 if quick else 3.5)
    report, findings, _ = rehearse(folder, f"sqlite:///{folder}/load.db", 1.0, plan, haste=40.0)
    journal = report.journal
    return {
        "at_once": report.at_once,
        "moves": len(journal.moves),
        "p50_ms": journal.percentile(0.5),
        "p99_ms": journal.percentile(0.99),
        "polled": journal.polled,
        **counted(findings, report),
    }


def kills_part(folder: Path, quick: bool) -> dict[str, Any]:
    """Kill the server, and the database where it is a process of its own."""
    total = 6 if quick else 50
    plan = RehearsalPlan(36, seed=50, gap=4.0, kills=total, habits=Habits(fails=0.05))
    with contextlib.ExitStack() as stack:
        cluster: Postgres | None = None
        try:
            cluster = stack.enter_context(postgres())
        except Missing as error:
            print(f"  {error}; so only on SQLite", flush=True)
        return _kills(folder, plan, cluster)


def _kills(folder: Path, plan: RehearsalPlan, cluster: Postgres | None) -> dict[str, Any]:
    half = plan.kills // 2 if cluster else plan.kills
    found = {"sqlite": _killed(folder, "sqlite", f"sqlite:///{folder}/kills.db", replace(plan, kills=half), None)}
    if cluster is not None:
        url = cluster.create("kills", schema=False)
        found["postgresql"] = _killed(folder, "postgresql", url, replace(plan, kills=plan.kills - half), cluster)
    total: dict[str, Any] = {
        name: sum(row[name] for row in found.values())
        for name in ("kills", "database_kills", "lost", "doubled", "late", "met_twice", "troubles", "stuck")
    }
    return total | {"by_database": found}


def _killed(folder: Path, name: str, url: str, plan: RehearsalPlan, cluster: Postgres | None) -> dict[str, Any]:
    print(f"  {plan.kills} kills on {name}", flush=True)
    database_kills = 0

    def kill(server: ServerProcess) -> Kill:
        async def one(number: int) -> None:
            nonlocal database_kills
            if cluster is None or number % 2 == 0:
                await server.kill()
            else:
                at = datetime.now(UTC)
                await asyncio.to_thread(cluster.kill)
                server.away.append((at, datetime.now(UTC)))
                database_kills += 1

        return one

    where = folder / name
    where.mkdir(exist_ok=True)
    report, findings, rows = rehearse(where, url, 4.0, plan, haste=4.0, kill=kill)
    return {
        "kills": plan.kills,
        "database_kills": database_kills,
        "games": games_of(rows),
        "minutes": round(report.seconds / 60, 2),
        "retries": report.retries,
        **counted(findings, report),
    }


def coverage_part(folder: Path, quick: bool) -> dict[str, Any]:
    """How often the analysis finds what was planted."""
    command = [sys.executable, "-m", "parlor", "study", "power", str(STUDY), "--json"]
    command += ["--studies", "6", "--resamples", "50"] if quick else ["--studies", "100"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def parts(arguments: argparse.Namespace, folder: Path) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    quick = bool(arguments.quick)
    rows: dict[str, Callable[[], dict[str, Any]]] = {
        "study": lambda: study_part(folder, quick, arguments.speed),
        "load": lambda: load_part(folder, quick),
        "kills": lambda: kills_part(folder, quick),
        "coverage": lambda: coverage_part(folder, quick),
    }
    for name, part in rows.items():
        if name in (arguments.only or rows):
            yield name, part


def summary(found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The numbers of the issue; null where a part is missing."""
    study, load, kills, coverage = (found.get(name, {}) for name in ("study", "load", "kills", "coverage"))
    checked = [part for part in (study, load, kills) if part]

    def total(name: str) -> int | None:
        return sum(part[name] for part in checked) if checked else None

    return {
        "participants": study.get("participants"),
        "games": study.get("games"),
        "minutes": study.get("minutes"),
        "p99_ms": load.get("p99_ms") and round(load["p99_ms"], 1),
        "lost": total("lost"),
        "doubled": total("doubled"),
        "coverage": coverage.get("coverage"),
        "stuck": total("stuck"),
        "least_coverage": coverage.get("least_coverage"),
        "late": total("late"),
        "met_twice": total("met_twice"),
        "troubles": total("troubles"),
        "kills": kills.get("kills"),
        "at_once": load.get("at_once"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a small one of each part")
    parser.add_argument("--only", nargs="+", choices=["study", "load", "kills", "coverage"], help="only these parts")
    parser.add_argument("--again", action="store_true", help="measure anew what was measured before")
    parser.add_argument("--speed", type=float, help="of the study's time, in the part study; 10 if omitted")
    parser.add_argument("--out", default="runs/benchmarks/study", help="the folder for results and databases")
    arguments = parser.parse_args()
    out = Path(arguments.out) / ("quick" if arguments.quick else "full")
    found: dict[str, dict[str, Any]] = {}
    for name, part in parts(arguments, out / "work"):
        kept = out / f"{name}.json"
        if kept.exists() and not arguments.again:
            found[name] = json.loads(kept.read_text())
            print(f"{name}: measured before, in {kept} (--again measures anew)", flush=True)
            continue
        print(f"{name}:", flush=True)
        shutil.rmtree(out / "work", ignore_errors=True)
        (out / "work").mkdir(parents=True)
        found[name] = part()
        kept.write_text(json.dumps(found[name], indent=1) + "\n")
        print(f"  {json.dumps(found[name])}", flush=True)
    shutil.rmtree(out / "work", ignore_errors=True)
    print(json.dumps(summary(found)))


if __name__ == "__main__":
    main()
