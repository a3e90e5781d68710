"""A run in its folder, whatever it computes: begun, stopped, killed and resumed as if nothing had happened.

    config.json               the configuration, and what it was begun with; written once nothing can be wrong with it
    checkpoints/00000250.json after so many steps: all that is needed to continue, and a strategy
    metrics.jsonl             a row for each measurement
    timing.jsonl              its speed: the one part that is never the same twice

A kind of run is a subclass: `TrainingRun`, `SolveRun`, `PsroRun`, `TuneRun`. It says how its work is made, how one step
of it is done and how it is kept. A run that was killed continues from its newest checkpoint that can be read; all
randomness is named by the seed and the number of a step, so the result is the same to the byte.

Checkpoints of training runs: everything that is needed to continue, readable by people.

A checkpoint is JSON, one information set a line: its text, its strategy, and the learner's numbers.
It carries the run's configuration with the seed, the version of the code and that of the rules. It is also a policy:
whatever reads policies reads checkpoints. Tables too large to read become NumPy files with the same header. Nothing in
a checkpoint depends on the clock or on who played the games: the same run gives the same bytes.
"""

from __future__ import annotations

import abc
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from parlor.compile import version
from parlor.game import Game, GameError
from parlor.game.loading import load
from parlor.game.loading.registry import check_files
from parlor.game.parameters import Settings
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.runs.files import table_files
from parlor.runs.files.container import (
    UNREADABLE,
    FileError,
    code_version,
    drop_state,
    environment,
    occasion,
    read_arrays,
    write,
)
from parlor.runs.files.strategy_files import FILES, header, write_strategy
from parlor.runs.learners.learner import Entry
from parlor.runs.metrics import Metrics, Row, read_metrics
from parlor.runs.workers import WorkerOptions

COMMANDS = {
    "training": "train",
    "solving": "solve",
    "psro": "psro",
    "tuning": "tune",
    "measuring": "evaluate",
}  # by the kind of run

Work = TypeVar("Work")
AnyConfig = TypeVar("AnyConfig", bound=Settings)


class Run(abc.ABC, Generic[AnyConfig, Work]):
    """A run in its folder; `run` goes on to its end, or until `on_progress` returns false."""

    kind: ClassVar[str]
    config_type: type[AnyConfig]
    by: ClassVar[str] = "games"  # counts steps, in metrics and checkpoints
    ends: ClassVar[tuple[str, ...]] = ()  # settings that may be others when it is resumed
    untracked: ClassVar[Collection[str]] = ()  # columns of the metrics that trackers do not get

    def __init__(self, folder: str | Path, config: AnyConfig) -> None:
        self.folder, self.config = Path(folder), config
        self.game: Game = load(config.data()["game"])
        self.code = code_version()
        self.last: Path | None = None  # the newest checkpoint
        self.rows: list[Row] = []  # the metrics
        self.seconds = 0.0
        self.remarks: list[str] = []
        self.metrics: Metrics
        self._begun: AnyConfig | None = None  # as it is in the folder
        self._loaded: Any = None  # the newest checkpoint, until it is needed

    @classmethod
    def begin(cls, folder: str | Path, config: AnyConfig) -> Self:
        """A new run; nothing is written before `run`."""
        _check_vacant(Path(folder))
        return cls(folder, config)

    @classmethod
    def resume(cls, folder: str | Path, **more: Any) -> Self:
        """A run that exists already, perhaps with more steps: values of the settings named in `ends`."""
        folder = Path(folder)
        begun, head = cls.load_config(folder)
        run = cls(folder, cls.extended(begun, {name: value for name, value in more.items() if value is not None}))
        run._begun = begun
        if head.get("rules") != version(run.game):
            raise FileError(
                f"The run in {folder} was made with other rules of {run.game.name} (version {head.get('rules')}, "
                f"now {version(run.game)}); it cannot continue. Start a new one."
            )
        check_files(begun.data().get("files", {}))
        if head.get("code") != run.code:
            run.remarks.append(f"The run was started with version {head.get('code')}, this is {run.code}.")
        run._load_newest()
        return run

    @classmethod
    def load_config(cls, folder: Path) -> tuple[AnyConfig, dict[str, Any]]:
        """The configuration of such a run in a folder, and the whole content of its file."""
        return load_config(cls.config_type, folder, cls.kind)

    @classmethod
    def extended(cls, begun: AnyConfig, more: dict[str, Any]) -> AnyConfig:
        """The configuration with other values for where it ends."""
        return replace(begun, **more)

    def run(
        self,
        *,
        backend: str = "threads",
        workers: int = 1,
        address: str | None = None,
        wandb: str | None = None,
        tensorboard: bool = False,
        on_progress: Callable[[Self, Work], bool] = lambda run, work: True,
    ) -> Work:
        """Go on to the end; `on_progress` is told of every step, and stops the run by returning false: it is saved."""
        with ExitStack() as stack:
            work = self.make(WorkerOptions(backend, workers, address), stack, lambda: on_progress(self, work))
            stack.enter_context(locked_folder(self.folder))
            for draft in self.folder.glob("*/.*.draft"):
                draft.unlink(missing_ok=True)  # of a run that was killed while writing
            loaded, self._loaded = self._loaded or (self.last and self.read_checkpoint(self.last)), None
            self.restore(work, loaded, stack)
            keep = self.keep(work) if self._begun is not None else None
            about = self.config.data() | {"code": self.code}
            self._write_config()
            with (
                self._saying_what_is_left(),
                Metrics(
                    self.folder, keep=keep, wandb=wandb, tensorboard=tensorboard, config=about, by=self.by,
                    untracked=self.untracked,
                ) as self.metrics,
            ):  # fmt: skip
                self.rows = read_metrics(self.folder, self.by)
                self.start(work)
                while on_progress(self, work) and not self.over(work):
                    self.step(work)
                if self.last is None or int(self.last.stem) != self.done(work):
                    self.checkpoint(work)
        return work

    # --------------------------------------------------------------------------------------- what a kind of run says

    @abc.abstractmethod
    def make(self, workers: WorkerOptions, stack: ExitStack, going: Callable[[], bool]) -> Work:
        """The work; on the stack goes what must be closed in the end. In a long step `going` may be asked."""

    @abc.abstractmethod
    def restore(self, work: Work, loaded: Any, stack: ExitStack) -> None:
        """Restore what `read_checkpoint` gave; None in a new run."""

    @abc.abstractmethod
    def done(self, work: Work) -> int:
        """The number of steps done."""

    @abc.abstractmethod
    def over(self, work: Work) -> bool:
        """Whether the work is done."""

    @abc.abstractmethod
    def step(self, work: Work) -> None:
        """Do a step, log it, and make a checkpoint if it is time."""

    @abc.abstractmethod
    def checkpoint(self, work: Work) -> None:
        """Save everything; the checkpoint before remains, whatever happens."""

    def start(self, work: Work) -> None:
        """Measure what there is before the first step."""
        return

    def read_checkpoint(self, path: Path) -> tuple[dict[str, Any], Any]:
        """The header of a checkpoint and its content; `Damaged` if it cannot be read."""
        return load_checkpoint(path, self.by)

    def keep(self, work: Work) -> int:
        """The last step whose metrics are still true when the run is resumed."""
        return self.done(work)

    @property
    def goal(self) -> int:
        """The number of steps at which the run ends, if nothing else ends it."""
        return int(getattr(self.config, self.ends[0]))

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do, as far as is known."""
        return self.last is not None and int(self.last.stem) >= self.goal

    # ------------------------------------------------------------------------------------------------------- inside

    @property
    def row(self) -> Row:
        """The newest metrics."""
        return self.rows[-1] if self.rows else {}

    def log(self, row: Row) -> None:
        """Add a row to the metrics."""
        self.metrics.log(row)
        self.rows.append(row)

    def head(self, work: Work) -> dict[str, Any]:
        """The entries of a checkpoint's header that say what run it is of."""
        return {"code": self.code, "config": self.config.data(), self.by: self.done(work)}

    def _load_newest(self) -> None:
        """Read the newest checkpoint that is readable, and examine whether it is of this run."""
        steps, broken = "iterations" if self.by == "iteration" else self.by, ""
        for path in checkpoints(self.folder):
            try:
                self._loaded, self.last = self.read_checkpoint(path), path
                break
            except Damaged as error:
                broken = broken or str(error)
        if broken and self.last is None:
            raise FileError(
                f"{broken} There is no older checkpoint to use instead. "
                f"Delete {self.folder / CHECKPOINTS} to start the run again from its first {steps[:-1]}."
            )
        if broken:
            self.remarks.append(f"{broken} The run continues from {self.last}; later {steps} are computed again.")
        if self._loaded is not None:
            self.examine(self._loaded[0])
            if (done := self._loaded[0][self.by]) > self.goal:
                raise GameError(f"The run has {done:,} {steps} already, more than {self.goal:,}.")

    def examine(self, head: dict[str, Any]) -> None:
        """Raise FileError for a checkpoint that is not of this run."""
        where, mine = f"{self.last} is a checkpoint of another run:", self.config.data()
        rules = version(self.game)
        if head["game"] != self.game.name or head["rules"] != rules:
            raise FileError(f"{where} of {head['game']} (rules {head['rules']}), not {self.game.name} (rules {rules}).")
        theirs = self.config_type.read(head["config"]).data()
        for name in mine.keys() - set(self.ends):
            if theirs.get(name) != mine[name]:
                raise FileError(f"{where} its {name} is {theirs.get(name)}, not {mine[name]}.")

    def _write_config(self) -> None:
        """Write the configuration, once nothing can be wrong with it any more."""
        if self._begun is None:
            _check_vacant(self.folder)
        if self._begun != self.config:
            before = self.load_config(self.folder)[1] if self._begun else None
            save_config(self.folder, self.game, self.config, self.kind, before)
            self._begun = self.config

    @contextlib.contextmanager
    def _saying_what_is_left(self) -> Iterator[None]:
        """Within this, an error says what is saved and how the run continues."""
        try:
            yield
        except (GameError, FileError) as error:
            raise type(error)(f"{error} {self.what_is_left()}") from None
        except Exception as error:
            error.add_note(self.what_is_left())
            raise

    def what_is_left(self) -> str:
        """Say what is saved, and how the run continues."""
        how = f"`parlor {COMMANDS[self.kind]} --resume {self.folder}`"
        if self.last is None:
            step = self.by.removesuffix("s")
            return f"There is no checkpoint yet; {how} starts again from the first {step}."
        return f"Everything up to {self.last} is saved; {how} continues from there."


def _check_vacant(folder: Path) -> None:
    if (folder / CONFIG).exists():
        kind = run_kind(folder)
        how = f"`parlor {COMMANDS[kind]} --resume {folder}` continues it, or c" if kind in COMMANDS else "c"
        raise FileError(f"{folder} holds a {kind} run already; {how}hoose another folder.")


CONFIG, CHECKPOINTS = "config.json", "checkpoints"


def save_config(folder: Path, game: Game, config: Settings, kind: str, before: Mapping[str, Any] | None = None) -> None:
    """Write the configuration of a run; `before` is what was written when it began, if it goes on with another."""
    begun = before or {"code": code_version(), "made": environment() | occasion()}
    head = {"kind": kind, "code": begun.get("code"), "rules": version(game), "options": dict(game.options)}
    head |= {"config": config.data(), "made": begun.get("made", {})}
    write(folder / CONFIG, (json.dumps(head, indent=1, ensure_ascii=False) + "\n").encode())


def run_kind(folder: Path) -> str:
    """The kind of the run in a folder: training, solving, psro or tuning; empty where there is none."""
    try:
        return str(json.loads((folder / CONFIG).read_bytes()).get("kind", "training"))
    except UNREADABLE:
        return ""


def load_config(config_type: type[AnyConfig], folder: Path, kind: str) -> tuple[AnyConfig, dict[str, Any]]:
    """The configuration of the run of a kind in a folder, and the whole content of its file."""
    if run_kind(folder) not in (kind, ""):
        raise FileError(f"The run in {folder} is not a {kind} run but a {run_kind(folder)} run.")
    try:
        head = json.loads((folder / CONFIG).read_bytes())
        return config_type.read(head["config"]), head
    except FileNotFoundError:
        raise FileError(f"There is no {kind} run in {folder}: it has no {CONFIG}.") from None
    except GameError as error:
        raise FileError(f"{folder / CONFIG} is not a usable configuration: {error}") from None
    except UNREADABLE as error:
        raise FileError(f"{folder / CONFIG} cannot be read, or it is damaged ({type(error).__name__}).") from None


def save_checkpoint(
    folder: Path,
    head: Mapping[str, Any],
    game: Game,
    strategy: Strategy,
    entries: Iterable[Mapping[str, Any]],
    by: str = "games",
) -> Path:
    """Write a checkpoint of so many steps as `head[by]` says; the one before remains, whatever happens."""
    path, head = folder / CHECKPOINTS / f"{head[by]:08d}", {**head, "made": environment()}
    if isinstance(strategy, Policy) and len(strategy) <= table_files.LARGE:
        path = path.with_suffix(".json")
        table_files.write_checkpoint_json(path, header(strategy, path) | head, game, strategy, entries)
        return path
    path = path.with_suffix(".npz")
    state = table_files.pack_entries(entries) if isinstance(strategy, Policy) else dict(next(iter(entries)))
    write_strategy(strategy, path, head, state)
    if FILES[strategy.kind].slim:  # the one before remains complete, in case this one is damaged
        for older in checkpoints(folder)[2:]:
            with contextlib.suppress(*UNREADABLE):
                drop_state(older)
    return path


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Within this, the run in the folder is locked: two processes would overwrite each other."""
    if sys.platform == "win32":  # which has no such locks
        yield
        return
    import fcntl

    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise FileError(f"{folder} cannot be written: {error.strerror}.") from None
    try:
        with contextlib.suppress(OSError):  # some file systems have no locks either
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.1)  # it may be that somebody only looks, see `under_way`
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    message = f"The run in {folder} is running in another process; stop that one first."
                    raise FileError(message) from None
        yield
    finally:
        os.close(handle)


def under_way(folder: Path) -> bool:
    """Whether a process has the run in a folder to itself; also where that cannot be found out."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:  # somebody has it, or there are no locks
        return True
    finally:
        os.close(handle)
    return False


def checkpoints(folder: Path) -> list[Path]:
    """The checkpoints of a run, the one with the most games first."""
    found = [p for p in (folder / CHECKPOINTS).glob("*") if p.suffix in (".json", ".npz") and p.stem.isdigit()]
    return sorted(found, key=lambda p: int(p.stem), reverse=True)


def newest(folder: Path) -> Path | None:
    """The checkpoint with the most games."""
    return next(iter(checkpoints(folder)), None)


class Damaged(FileError):
    """A checkpoint that cannot be read."""


def load_checkpoint(path: Path, by: str = "games") -> tuple[dict[str, Any], list[Entry]]:
    """The header and the entries of a checkpoint."""
    try:
        if path.suffix == ".npz":
            head, state = read_arrays(path, state=True)
            entries = table_files.unpack_entries(state) if "key" in state else [state]
        else:
            head = json.loads(path.read_bytes())
            entries = list(head.pop("infosets", {}).values())
        if "config" not in head and head["format"] != table_files.CHECKPOINT:
            raise FileError(f"{path} is not a checkpoint, but a {head['format']!r}.")
        check_head(path, head, by)
    except FileError:
        raise
    except UNREADABLE as error:
        raise Damaged(f"{path} is not a checkpoint, or it is damaged ({type(error).__name__}).") from None
    return head, entries


def check_head(path: Path, head: Mapping[str, Any], by: str) -> None:
    """Raise Damaged for a checkpoint whose header is not complete, or is that of another file."""
    if missing := {by, "game", "rules", "code", "config"} - set(head):
        raise Damaged(f"{path} is not a complete checkpoint: it lacks {', '.join(sorted(missing))}.")
    if head[by] != int(path.stem):
        steps = by if by.endswith("s") else f"{by}s"
        raise Damaged(f"{path} has {head[by]:,} {steps} in it, which is not what its name says.")
