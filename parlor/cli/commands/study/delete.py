"""Delete what is stored of a participant, who has the right to ask for it.

Examples:
  parlor study delete study.toml P007
  parlor study delete study.toml 5f3a9c01b2 --yes         by the recruiting platform's id, without asking

Answers, the platform's id, the completion code, points and pay are deleted for good: pay first. Its moves, and games
with agents, are left out of all exports from now on; people it played with keep their own rows. In the database moves
stay, of somebody who cannot be named, until the database is deleted. Exports and backups that were made before are not
changed: export again, and delete the old ones. While the study runs, the same id may come again.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.markup import escape

from parlor.cli.flags import StudyFlags
from parlor.cli.screen import agreed, err, out
from parlor.study.data.deletion import find, remove
from parlor.study.data.reading import read
from parlor.study.data.store import opened
from parlor.study.design.files import read_study


@dataclass(frozen=True, kw_only=True)
class Options(StudyFlags):
    """Options of `parlor study delete`."""

    participant: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PARTICIPANT")]
    """The participant: its label in the data, P007, or the id of the recruiting platform."""
    yes: bool = False
    """Do not ask."""


def run(options: Options) -> int:
    """Ask, delete, and say what was done."""
    about = read_study(options.file)

    async def work() -> int:
        async with opened(options.file, options.database_url) as store:
            await read(store, about, answers=False, moves=False)  # it is this study, and everybody has a label
            found = await find(store, options.participant)
            err.print(f"{found.label}: stage {found.stage}, {found.answers} answers, {found.games} games.")
            if found.due is not None:
                err.print(f"[yellow]{found.due:.2f} {about.pay.currency} are due; afterwards nobody knows to whom.[/]")
            if not options.yes and not agreed(f"everything of {found.label}"):
                err.print("Nothing was deleted.")
                return 1
            left = await remove(store, found)
            out.print(
                f"Deleted of {found.label}: {found.answers} answers, the platform's id, the completion code, points "
                f"and pay. Its moves in {found.games} games are in no export from now on; people it played with keep "
                "their own rows."
            )
            if left:
                err.print(f"[yellow]{escape(left)}[/]", soft_wrap=True)
            out.print("Exports and backups that were made before still have it: delete those.")
            return 0

    return asyncio.run(work())
