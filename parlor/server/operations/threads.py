"""Threads for what blocks, some for each kind of work: what may take long holds up nothing that is quick."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal, TypeVar

T = TypeVar("T")

#: Quick: reading files, replaying games. Seating may wait for a game to be solved, solving for an empirical one; at
#: most two of each wait at a time (`OneJobAtATime`), so that there is always a thread left.
Kind = Literal["quick", "seating", "solving"]
_THREADS: Final = {kind: ThreadPoolExecutor(4, f"parlor-{kind}") for kind in ("quick", "seating", "solving")}


async def in_thread(work: Callable[[], T], kind: Kind = "quick") -> T:
    """Run the work in a thread, so that other requests go on."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(_THREADS[kind], lambda: context.run(work))
