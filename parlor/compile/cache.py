"""The cache of compiled kernels and of arrays that take long to compute."""

from __future__ import annotations

import functools
import hashlib
import logging
import math
import os
import shutil
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np

from parlor.compile.link import fingerprint
from parlor.game import GameError

log = logging.getLogger("parlor.compile")


def cache_folder() -> Path:
    """The folder of the cache: $PARLOR_CACHE, else the user's cache folder, else a temporary one."""
    base = os.environ.get("PARLOR_CACHE")
    if not base:
        base = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "parlor")
    folder = Path(base)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return _temporary_folder()


@functools.cache
def _temporary_folder() -> Path:
    """A folder in the system's temporary one that nobody else can write: what lies in the cache is executed.

    Its name can be guessed, so somebody else may have made it: then a fresh one is used, for this process.
    """
    folder = Path(tempfile.gettempdir()) / f"parlor-cache-{os.getuid()}"
    with suppress(OSError):
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077:
            return folder
    fresh = Path(tempfile.mkdtemp(prefix="parlor-cache-"))
    log.warning("%s belongs to somebody else or is open to others; the cache of this process is %s", folder, fresh)
    return fresh


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Within this, other processes that need the same file wait, and then find it in the cache."""
    try:
        import fcntl

        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except (ImportError, OSError):  # no such locks here: then both processes do the work
        yield
        return
    try:
        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class NotCached(GameError):
    """An array that is not in the cache, where it must not be computed."""


_may_compute = ContextVar("may_compute", default=True)


@contextmanager
def cache_only() -> Iterator[None]:
    """Within this, `cached_array` computes nothing: what is not in the cache raises `NotCached`."""
    token = _may_compute.set(False)
    try:
        yield
    finally:
        _may_compute.reset(token)


def cached_array(
    name: str,
    kernel: Callable[..., Any],
    shape: tuple[int, ...],
    dtype: Any,
    fill: Callable[[Any], None],
    after: Sequence[Callable[..., Any]] = (),
) -> np.ndarray[Any, Any]:
    """An array that takes long to compute: `fill` computes it once, later it is mapped into memory from the cache.

    Its file is named, by the hash of what it comes from: the kernel that computes it and
    the kernels `after` which it comes, whose results it needs.
    """
    text = f"{fingerprint([kernel, *after])}\0{np.dtype(dtype)}\0{shape}"
    path = cache_folder() / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:20]}.npy"
    if not path.exists():
        if not _may_compute.get():
            raise NotCached(f"{name} has not been computed on this machine yet.")
        with one_at_a_time(path.with_suffix(".lock")):
            if not path.exists():
                _compute(name, path, shape, np.dtype(dtype), fill)
    return np.load(path, mmap_mode="r")


def _compute(name: str, path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], fill: Callable[[Any], None]) -> None:
    """Compute an array into a draft, and rename it when it is complete."""
    size, room = math.prod(shape) * dtype.itemsize, shutil.disk_usage(path.parent).free
    if room < size + (1 << 20):
        raise GameError(
            f"{path.parent} has {room >> 20} MB free, and {name} needs {size >> 20} MB; "
            f"set the environment variable PARLOR_CACHE to another folder."
        )
    how_large = f", {size >> 20} MB" if size >> 20 else ""
    log.info("computing %s%s (once; then it is cached)", name, how_large)
    draft = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.draft")
    try:
        array: Any = np.lib.format.open_memmap(draft, mode="w+", dtype=dtype, shape=shape)
        fill(array)
        array.flush()
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
