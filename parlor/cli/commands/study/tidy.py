"""Overwrite what was deleted in the study's database, if another program kept that from being done at once.

Examples:
  parlor study tidy study.toml

`parlor study delete` and `parlor study forget` do it by themselves, and say when they could not.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rich.markup import escape

from parlor.cli.flags import StudyFlags
from parlor.cli.screen import err, out
from parlor.study.data.deletion import tidy
from parlor.study.data.store import opened


@dataclass(frozen=True, kw_only=True)
class Options(StudyFlags):
    """Options of `parlor study tidy`."""


def run(options: Options) -> int:
    """Do it, and say what remains."""

    async def work() -> str:
        async with opened(options.file, options.database_url) as store:
            return await tidy(store)

    if left := asyncio.run(work()):
        err.print(f"[yellow]{escape(left)}[/]", soft_wrap=True)
        return 1
    out.print("Nothing that was deleted is left in the files of the database.")
    return 0
