"""The measurements of a training run, and the files that hold them.

A run folder holds `metrics.jsonl`, one JSON object a line, one for each evaluation. Nothing in it depends on the clock:
the same seed gives the same bytes. Speed, which is never the same twice, is in `timing.jsonl` beside it.

    metrics.jsonl
        games     self-play games so far; the only key that must be there
        regret    {"max_expected", "mean_expected", "by_player": [one for each]}; of MCCFR only the first: the mean over
                  information sets of the largest regret a traversal
        exploitability  what a best response gains, exactly, if the game is small enough
        infosets  [the number of information sets visited, for each player]
        updates   {"0", "25", "50", "75", "90", "100"}: quantiles, in percent, of the updates an information set has had
        pruned    of MCCFR that prunes: the share of actions whose regret is low enough for it
        policy    {action: its median probability over the information sets with a choice in which it has any}
        wins      {opponent: {"first" or "alternating": {"rate", "low", "high", "games"}}}, a 95 % interval; "first"
                  when the agent always starts. Where games are about points also "payoff": {"value", "low", "high"}.
                  Among more than two players it is alone against copies, and the rate is its share of wins, ties split
    timing.jsonl
        games, seconds, games_per_s, rollouts_per_s, steps_per_s, nodes_per_s

An algorithm leaves out what it does not measure. A crash can tear the last line, which is then ignored.
On request, all of it goes to Weights & Biases or TensorBoard as well (`trackers.py`).

Trackers for the metrics of a run: Weights & Biases and TensorBoard, both loaded only on request.

Both get the same names, such as wins/random/first/rate, with the number of games as the step. The complete record
is `metrics.jsonl`. A resumed run continues in the same place: Weights & Biases knows it by the id stored in the
run folder and ignores old steps, TensorBoard reads a further event file, which says from which step on the
earlier ones are void.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import secrets
import time
from collections.abc import Collection, Mapping
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from parlor.runs.files.container import FileError, write

MODES = ("offline", "online")
PROJECT = "parlor"


class Tracker(Protocol):
    """Takes numbers at a step."""

    def log(self, step: int, scalars: Mapping[str, float]) -> None:
        """Log the numbers at a step."""


class TensorBoard:
    """Event files in RUN/tensorboard, written with the tensorboard package alone."""

    def __init__(self, folder: Path, keep: int | None) -> None:
        """Begin a new event file; `keep` as in `Metrics`."""
        try:
            from tensorboard.compat.proto.event_pb2 import Event, SessionLog
            from tensorboard.compat.proto.summary_pb2 import Summary
            from tensorboard.summary.writer.record_writer import RecordWriter
        except ImportError:
            raise FileError("TensorBoard is not installed: pip install 'parlor-games[tracking]'.") from None
        self._event, self._summary = Event, Summary
        place = folder / "tensorboard"
        try:
            place.mkdir(parents=True, exist_ok=True)
            number = len(
                list(place.glob("events.out.tfevents.*"))
            )  # TensorBoard reads them in the order of their names
            self._path = place / f"events.out.tfevents.{number:010d}"
            self._file = self._path.open("xb")
        except OSError as error:
            raise FileError(f"{place} cannot be written: {error.strerror}.") from None
        self._records = RecordWriter(self._file)
        start = 0 if keep is None else keep + 1
        self._write(Event(wall_time=time.time(), file_version="brain.Event:2"))
        self._write(Event(wall_time=time.time(), step=start, session_log=SessionLog(status=SessionLog.START)))

    def log(self, step: int, scalars: Mapping[str, float]) -> None:
        """Write the numbers to the event file."""
        values = [self._summary.Value(tag=name, simple_value=value) for name, value in scalars.items()]
        self._write(self._event(wall_time=time.time(), step=step, summary=self._summary(value=values)))

    def _write(self, event: Any) -> None:
        try:
            self._records.write(event.SerializeToString())
            self._records.flush()
        except OSError as error:
            raise FileError(f"{self._path} cannot be written: {error.strerror}. The run can be resumed.") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):  # write errors have been reported already
            self._file.close()


class WeightsAndBiases:
    """A run at Weights & Biases; its files are in RUN/wandb. Offline it needs no account and no network."""

    def __init__(self, folder: Path, keep: int | None, mode: str, config: Mapping[str, Any]) -> None:
        """Start the run, or continue it if `keep` is given and it has an id."""
        if mode not in MODES:
            raise FileError(f"Weights & Biases runs {' or '.join(MODES)}, not {mode!r}.")
        try:
            import wandb
        except ImportError:
            raise FileError("Weights & Biases is not installed: pip install 'parlor-games[tracking]'.") from None
        identity = folder / "wandb" / "run-id"
        if keep is None or not identity.exists():
            write(identity, secrets.token_hex(4).encode())
        try:
            self._run = wandb.init(
                project=PROJECT,
                name=folder.resolve().name,
                id=identity.read_text().strip(),
                resume="allow",
                dir=folder,
                mode="online" if mode == "online" else "offline",
                config=dict(config),
                settings=wandb.Settings(silent=True, console="off"),
            )
        except wandb.errors.Error as error:
            raise FileError(
                f"Weights & Biases could not be started: {str(error).rstrip('.')}. Offline it needs no account."
            ) from None

    def log(self, step: int, scalars: Mapping[str, float]) -> None:
        """Pass the numbers to wandb, which writes and sends them in the background."""
        self._run.log(dict(scalars), step=step)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._run.finish(exit_code=0 if kind is None else 1)


METRICS, TIMING = "metrics.jsonl", "timing.jsonl"
Row = dict[str, Any]


class Metrics:
    """The metrics of one run, open for writing; a context manager.

    A new run needs a folder without metrics. A run continued from its checkpoint at game N is opened with `keep=N`:
    later rows are dropped, because they will be measured again.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        keep: int | None = None,
        wandb: str | None = None,
        tensorboard: bool = False,
        config: Mapping[str, Any] | None = None,
        by: str = "games",
        untracked: Collection[str] = (),
    ) -> None:
        """Open; `wandb` is "offline" or "online", `config` is what Weights & Biases shows as the run's settings.

        `by` is the key that grows from row to row, and that `keep` is a value of; `untracked` columns are only in the
        file.
        """
        folder, self._by, self._untracked = Path(folder), by, {by, *untracked}
        if keep is None and (folder / METRICS).exists() and read_metrics(folder, by):
            raise FileError(f"{folder} holds the metrics of another run; resume that one or choose another folder.")
        with contextlib.ExitStack() as stack:
            self._metrics = stack.enter_context(_Lines(folder / METRICS, keep, by))
            self._timing = stack.enter_context(_Lines(folder / TIMING, keep, by))
            self._trackers: list[Tracker] = []
            if tensorboard:
                self._trackers.append(stack.enter_context(TensorBoard(folder, keep)))
            if wandb is not None:
                self._trackers.append(stack.enter_context(WeightsAndBiases(folder, keep, wandb, config or {})))
            self._open = stack.pop_all()

    def log(self, row: Mapping[str, Any]) -> None:
        """Add the row of an evaluation; it is on the disk when this returns."""
        self._log(self._metrics, row, "")

    def log_timing(self, row: Mapping[str, Any]) -> None:
        """Add a row about speed."""
        self._log(self._timing, row, "timing/")

    def close(self) -> None:
        """Close the files and finish the trackers."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._open.__exit__(kind, error, at)

    def _log(self, lines: _Lines, row: Mapping[str, Any], prefix: str) -> None:
        plain = _plain(row)
        if not lines.add(plain):
            return
        tracked = {name: value for name, value in plain.items() if name not in self._untracked}
        scalars = {prefix + name: value for name, value in flat(tracked).items()}
        for tracker in self._trackers:
            tracker.log(plain[self._by], scalars)


def read_metrics(folder: str | Path, by: str = "games") -> list[Row]:
    """The evaluations of a run, in order; also of one that is still running or was killed."""
    return _read(Path(folder), METRICS, by)


def read_timing(folder: str | Path, by: str = "games") -> list[Row]:
    """The speed of a run at each evaluation."""
    return _read(Path(folder), TIMING, by)


def flat(row: Mapping[str, Any]) -> dict[str, float]:
    """The numbers of a row under one name each: wins/random/first/rate, infosets/0."""
    numbers: dict[str, float] = {}
    for name, value in row.items():
        if isinstance(value, list):
            value = {str(i): entry for i, entry in enumerate(value)}
        if isinstance(value, Mapping):
            numbers |= {f"{name}/{inner}": number for inner, number in flat(value).items()}
        elif isinstance(value, (int, float)):
            numbers[name] = value
    return numbers


# ------------------------------------------------------------------------------------------------------------ on disk


class _Lines:
    """A file of JSON lines that grows by whole lines."""

    def __init__(self, path: Path, keep: int | None, by: str) -> None:
        self._path, self._by = path, by
        rows = [(at, line) for at, line, _ in _rows(path, by) if at <= keep] if keep is not None else []
        self._last = rows[-1][0] if rows else -1
        whole = b"".join(line + b"\n" for _, line in rows)
        if not path.exists() or path.read_bytes() != whole:
            write(path, whole)
        try:
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise FileError(f"{path} cannot be written: {error.strerror}.") from None

    def add(self, row: Row) -> bool:
        """Append a row; False if it is there already, as when a resumed run measures again where it starts."""
        if row[self._by] <= self._last:
            return False
        append_line(self._file, self._path, row)
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def append_line(file: FileIO, path: Path, row: Row) -> None:
    """Append a row to an open file; it is on the disk when this returns, or nothing of it is there."""
    data, size = json.dumps(row, ensure_ascii=False, allow_nan=False).encode() + b"\n", os.fstat(file.fileno())
    try:
        while data:
            data = data[file.write(data) :]
        os.fsync(file.fileno())
    except OSError as error:
        with contextlib.suppress(OSError):
            file.truncate(size.st_size)  # remove half a line
        raise FileError(
            f"{path} cannot be written: {error.strerror}. "
            "Earlier rows are complete, and the run can be resumed from its last checkpoint."
        ) from None


def _plain(value: Any) -> Any:
    """The value without NumPy types and without infinities, which JSON does not have."""
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _read(folder: Path, name: str, by: str) -> list[Row]:
    if not folder.is_dir():
        raise FileError(f"There is no run folder {folder}.")
    if not (folder / name).is_file():
        raise FileError(f"{folder} is not the folder of a training run: there is no {name} in it.")
    return [row for _, _, row in _rows(folder / name, by)]


def _rows(path: Path, by: str) -> list[tuple[int, bytes, Row]]:
    """The lines of a file, each with its number of games (or what it is ordered by) and as a row; no torn last line."""
    try:
        lines = path.read_bytes().split(b"\n") if path.exists() else []
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None
    while lines and not lines[-1]:
        lines.pop()
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            rows.append((int(row[by]), line, row))
        except (ValueError, TypeError, KeyError, RecursionError):
            if number < len(lines):
                raise FileError(f"{path} is damaged: line {number} is not a row of metrics.") from None
    return rows
