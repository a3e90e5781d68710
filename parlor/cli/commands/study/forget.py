"""Forget who the participants were, when the study is over and everybody is paid.

Examples:
  parlor study forget study.toml
  parlor study forget study.toml --yes         without asking

The recruiting platform's ids and the completion codes of everybody who has come to the end are deleted for good; games,
answers and amounts of pay stay, under labels such as P007. Pay first, and keep the pay list apart for as long as your
accounts need it: afterwards nobody can be paid, or be found by the platform's id. Exports with ids, and backups, that
were made before are not changed: delete them.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rich.markup import escape

from parlor.cli.flags import StudyFlags
from parlor.cli.screen import agreed, err, out
from parlor.study.data.deletion import count, forget
from parlor.study.data.reading import read
from parlor.study.data.store import opened
from parlor.study.design.files import read_study


@dataclass(frozen=True, kw_only=True)
class Options(StudyFlags):
    """Options of `parlor study forget`."""

    yes: bool = False
    """Do not ask."""


def run(options: Options) -> int:
    """Ask, delete, and say what was done."""
    about = read_study(options.file)

    async def work() -> int:
        async with opened(options.file, options.database_url) as store:
            await read(store, about, answers=False, moves=False)  # it is this study, and everybody has a label
            known = await count(store)
            due = f"{known.due:,.2f} {about.pay.currency}"
            err.print(f"{known.ended:,} participants have come to the end, and get {due} in all: pay them first.")
            if not options.yes and not agreed(f"the ids of {known.ended:,} participants"):
                err.print("Nothing was deleted.")
                return 1
            done, left = await forget(store)
            out.print(f"Deleted the platform's ids and the completion codes of {done:,} participants.")
            if left:
                err.print(f"[yellow]{escape(left)}[/]", soft_wrap=True)
            if known.others:
                out.print(f"{known.others:,} have not come to the end, and are known yet: try again in an hour.")
            out.print("Pay lists, exports with ids and backups that were made before still have them: delete those.")
            return 0

    return asyncio.run(work())
