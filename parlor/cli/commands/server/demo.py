"""See Parlor at work: the page, with opponents for every game that are trained, solved and measured on this machine.

Examples:
  parlor demo                      serve the page at once; opponents appear on it as they are ready
  parlor demo --first              make the opponents first, which takes about seven minutes, then serve the page
  parlor demo --first --no-serve   only make them
  parlor demo --port 9000

What is ready stays: stopped by Ctrl-C and started again, it goes on with what is missing.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.markup import escape

from parlor.cli.commands.server import serve
from parlor.cli.screen import err, out
from parlor.game import GameError
from parlor.runs.files.container import make_folder, write
from parlor.versions import commit, installed

PLAN = "demo.toml"
_YIELDING = ["nice"] if shutil.which("nice") else []  # the page and its moves come first
DONE = "demo.json"  # in the folder: which commands have ended, and at which commit


@dataclass(frozen=True, kw_only=True)
class Options(serve.ServerFlags):
    """Options of `parlor demo`."""

    out: Annotated[Path, tyro.conf.arg(metavar="FOLDER")] = Path("runs/demo")
    """The folder for the opponents."""
    first: bool = False
    """Make the opponents before the page is served, and show how it goes."""
    serve: bool = True
    """Do not serve the page: only make the opponents."""


def run(options: Options) -> int:
    """Make the opponents that are missing, before the page is served or meanwhile."""
    demo = Demo(options.out)
    if options.first or not options.serve:
        code = demo.make()
        if code or not options.serve:
            return code
        _recommend()
    with demo.meanwhile():
        shared = {name: getattr(options, name) for name in serve.ServerFlags.__dataclass_fields__}
        return serve.run(serve.Options(**shared, agents=(str(options.out),)))


class Demo:
    """The folder of a demo, and which of its commands have ended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.plan = tomllib.loads(files(__package__).joinpath(PLAN).read_text())["part"]
        make_folder(folder, folder)
        self.done = self._done()

    def missing(self) -> list[Mapping[str, Any]]:
        """The parts of the plan that can be made here, with those of their commands that have not ended."""
        able = [part for part in self.plan if all(map(installed, part.get("needs", ())))]
        parts = [part | {"run": [line for line in part["run"] if line not in self.done]} for part in able]
        return [part for part in parts if part["run"]]

    def make(self) -> int:
        """Run the commands that are missing; the exit code is that of the first one that fails."""
        for part in self.missing():
            out.print(f"\n{escape(part['say'].strip())}")
            for line in part["run"]:
                if code := self._run(self._arguments(line), part.get("quiet", False)):
                    return code
                self.done.append(line)
                write(self.folder / DONE, json.dumps({"commit": commit(), "done": self.done}, indent=1).encode())
        return 0

    @contextmanager
    def meanwhile(self) -> Iterator[None]:
        """Within this, another process makes what is missing, and writes what it says to a file."""
        if not self.missing():
            yield
            return
        log = self.folder / "demo.log"
        command = [sys.executable, "-m", "parlor", "demo", "--no-serve", "--out", str(self.folder)]
        with log.open("ab") as file:
            process = subprocess.Popen(
                [*_YIELDING, *command], stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True
            )
        out.print(
            f"[dim]Opponents are trained, solved and measured meanwhile, for about seven minutes; "
            f"{escape(str(log))} says how far they are.[/]"
        )
        before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, before)
            _end(process)

    def _arguments(self, line: str) -> list[str]:
        return [word.replace("DIR", str(self.folder)) for word in shlex.split(line)]

    def _run(self, arguments: Sequence[str], quiet: bool) -> int:
        if "--out" in arguments:  # what a command left that did not end
            left = Path(arguments[arguments.index("--out") + 1])
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)
        if quiet:
            out.print(f"  {escape(arguments[1])}")
        command = [sys.executable, "-m", "parlor", *arguments]
        done = subprocess.run(command, stdout=subprocess.DEVNULL if quiet else None, check=False)
        if done.returncode not in (0, 130):
            err.print(f"[red]This has failed:[/] {escape(shlex.join(['parlor', *arguments]))}")
        return done.returncode

    def _done(self) -> list[str]:
        try:
            kept = json.loads((self.folder / DONE).read_bytes())
        except FileNotFoundError:
            return []
        except (OSError, ValueError):
            raise GameError(f"{self.folder / DONE} cannot be read; delete {self.folder} to begin anew.") from None
        return list(kept["done"]) if kept["commit"] == commit() else []


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it has started; they were told, and need not be asked twice."""
    for number, patience in ((signal.SIGINT, 10), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
            return


def _recommend() -> None:
    out.print(
        "\nWhat to try next, besides the page below:\n"
        "  parlor games                      list the games\n"
        "  parlor play leduc                 play in the terminal\n"
        "  parlor solve leduc --until 1e-6   solve a small game to a millionth\n"
        "  README.md and docs/your-game.md   read on; write your own game\n"
    )
