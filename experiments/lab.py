"""What experiments share. What is measured is kept: one can be interrupted, and goes on where it was.

Every measurement has a name and is described by all that its result depends on; under the two it is kept as JSON. A
training run is kept in its own folder, and goes on from its newest checkpoint.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import tyro

from parlor.compile import version
from parlor.game import Game
from parlor.game.loading import load
from parlor.runs.config import Config
from parlor.runs.files.container import code_version, write
from parlor.runs.training import TrainingRun

HERE = Path(__file__).parent
PRESETS = ("paper",)  # options that change the defaults of others
NOT_FLAGS = ("only", "quick", "out", "kept", "threads", "share")  # of what a report was made by


class MissingError(Exception):
    """A measurement that is not there, and was not to be made."""


@dataclass
class Lab:
    """A folder with measurements."""

    folder: Path
    threads: int
    closed: bool = False  # only look at what is there
    codes: set[str] = field(default_factory=set)  # versions of the code that measured

    def keep(self, name: str, about: Mapping[str, Any], work: Callable[[], Any]) -> Any:
        """The result of `work`, from before if it is there; JSON can express it and `about`."""
        path = self.folder / "measured" / f"{name}-{digest(about)}.json"
        if path.exists():
            kept = json.loads(path.read_bytes())
            self.codes.add(kept["code"])
            return kept["result"]
        if self.closed:
            raise MissingError(name)
        began = time.perf_counter()
        print(f"  {name} …", end="", flush=True)
        kept = {"name": name, "about": about, "code": code_version(), "result": work()}
        kept["seconds"] = time.perf_counter() - began
        print(f" {kept['seconds']:.1f} s", flush=True)
        write(path, (json.dumps(kept, indent=1) + "\n").encode())
        self.codes.add(kept["code"])
        return json.loads(json.dumps(kept["result"]))

    def all_there(self, measured: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
        """The measurements of a part whose rows take long: where nothing is to be measured, those that are there."""
        found = {}
        for name, measure in measured.items():
            try:
                found[name] = measure()
            except MissingError:
                continue
        if not found:
            raise MissingError("nothing is there")
        return found

    def train(self, name: str, config: Config) -> Trained:
        """A training run."""
        about = {"config": config.data(), "rules": version(load(config.game))}
        folder = self.folder / "runs" / f"{name}-{digest(about)}"

        def work() -> dict[str, Any]:
            run = TrainingRun.resume(folder) if (folder / "config.json").exists() else TrainingRun.begin(folder, config)
            learner = run.run(workers=self.threads)
            assert run.last is not None
            return {"last": run.last.name, "games": learner.games, "seconds": run.seconds,
                    "infosets": len(learner.policy())}  # fmt: skip

        told = self.keep(f"train-{name}", about, work)
        return Trained(folder, folder / "checkpoints" / told["last"], told["games"], told["seconds"], told["infosets"])


@dataclass(frozen=True)
class Trained:
    """A training run that is over."""

    folder: Path
    checkpoint: Path
    games: int
    seconds: float  # of the last time it was begun or resumed
    infosets: int


@dataclass(frozen=True)
class LabOptions:
    """What all experiments can be told, besides their own numbers."""

    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Threads or processes at a time; no number depends on it, except where an agent is trained against the clock."""
    only: tuple[str, ...] = ()
    """Parts to do; all if not given."""
    quick: bool = False
    """Tiny numbers, to see that everything works; the report goes into the folder of the measurements."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Where the report and the figures go; if not given, into the experiment's folder."""
    kept: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Where measurements are kept, a folder in runs/experiments if not given; remove it to measure everything anew."""

    def small(self) -> LabOptions:
        """The numbers of a smoke test, where an experiment has smaller ones."""
        return self


def run_experiment(
    options: LabOptions,
    name: str,
    experiment: Callable[[Any, Lab, Path], object],
    parts: Sequence[str],
    report: Callable[[Any, dict[str, Any], Sequence[str]], str],
) -> None:
    """Measure what is asked for, and write the report of all that is there."""
    kept = options.kept or Path("runs/experiments") / name
    out = options.out or HERE / name
    if options.quick:
        options, kept, out = options.small(), kept / "quick", options.out or kept / "quick"
    lab = Lab(kept, options.threads)
    results = conduct(lab, options.only, parts_of(experiment(options, lab, out), parts))
    path = out / "report.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report(options, results, sorted(lab.codes)))
    print(path)


def conduct(lab: Lab, only: Sequence[str], parts: Mapping[str, tuple[str, Callable[[], Any]]]) -> dict[str, Any]:
    """Do `only` these parts, or all, each with a line that says what it is; of the others, what is there already."""
    if strange := set(only) - set(parts):
        raise SystemExit(f"There is no part {', '.join(sorted(strange))}; there are {', '.join(parts)}.")
    results = {}
    for name, (told, part) in parts.items():
        lab.closed = bool(only) and name not in only
        if not lab.closed:
            print(f"{name}: {told}", flush=True)
        began = time.perf_counter()
        try:
            results[name] = part()
        except MissingError:
            continue
        if not lab.closed:
            print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)
    return results


def parts_of(experiment: object, names: Sequence[str]) -> dict[str, tuple[str, Callable[[], Any]]]:
    """The methods of an experiment that are its parts, with what they say of themselves."""
    methods = {name: getattr(experiment, name) for name in names}
    return {name: (method.__doc__ or "", method) for name, method in methods.items()}


def assemble(
    head: list[str], sections: Mapping[str, Callable[[Any, Any], list[str]]], options: Any, results: Mapping[str, Any]
) -> str:
    """A report: its head, a section for each part that was measured, and what was not."""
    parts = list(head)
    for name, section in sections.items():
        parts += section(options, results[name]) if name in results else []
    missing = [name for name in sections if name not in results]
    if missing:
        parts.append(f"Not measured yet: part{'s' if len(missing) > 1 else ''} {', '.join(missing)}.")
    return "\n\n".join(parts) + "\n"


def command(name: str, options: Any) -> str:
    """What makes the same report; what a preset says is not said again."""
    preset = [name for name in PRESETS if getattr(options, name, False)]
    plain = type(options)(**dict.fromkeys(preset, True))
    plain = plain.small() if options.quick else plain
    flags = ["--quick"] if options.quick else []
    flags += [f"--{name}" for name in preset]
    for option in dataclasses.fields(options):
        value = getattr(options, option.name)
        if option.name not in NOT_FLAGS and value != getattr(plain, option.name):
            words = value if isinstance(value, tuple) else (value,)
            flags += [f"--{option.name.replace('_', '-')}", *map(str, words)]
    return shlex.join(["python", "-m", "experiments", name, *flags])


@cache
def loaded(name: str) -> tuple[Game, str]:
    """A game and the version of its rules, which hundreds of measurements ask for."""
    game = load(name)
    return game, version(game)


def digest(about: Mapping[str, Any]) -> str:
    """A short name for a description."""
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:10]


def versions() -> str:
    """What the numbers were made with, besides Parlor."""
    import numba
    import numpy

    return f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}, Numba {numba.__version__}"
