"""Trackers for the metrics of a run: Weights & Biases and TensorBoard, both loaded only on request.

Both get the same names, such as wins/random/first/rate, with the number of games as the step. The complete record
is `metrics.jsonl`. A resumed run continues in the same place: Weights & Biases knows it by the id stored in the
run folder and ignores old steps, TensorBoard reads a further event file, which says from which step on the
earlier ones are void.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, Self

from parlor.runs.files.policy_files import FileError, write

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
