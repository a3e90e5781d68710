"""Write everything that a study has collected: participants, games, moves and answers, with a codebook.

    participants.csv   a line for each participant
    episodes.csv       a line for each participant and game
    moves.csv          a line for each move, with its time
    answers.csv        a line for each answer
    games.jsonl        a line for each game, to replay it
    study.json         which study it is: its file's hash, the rules, the seed, the versions
    codebook.md        what every column means; codebook.json for programs

Examples:
  parlor study data study.toml
  parlor study data study.toml --out analysis/data
  parlor study data study.toml --database-url postgresql://me@localhost/study

Nobody can be recognised in it, unless you ask for --with-platform-ids: keep such a folder to yourself. The study may be
running; games in progress are left out. If an export fails, the files of the one before remain.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from parlor.cli.flags import Folder, JsonFlag, StudyFlags
from parlor.cli.screen import err, print_json
from parlor.server.tables.store import now
from parlor.study.data import folder
from parlor.study.data.data import collect
from parlor.study.data.reading import read_all


@dataclass(frozen=True, kw_only=True)
class Options(StudyFlags, JsonFlag):
    """Options of `parlor study data`."""

    out: Folder = None
    """The folder; if omitted, the name of the study file with -data."""
    with_platform_ids: bool = False
    """Add the ids by which the recruiting platform knows participants: personal data."""


def run(options: Options) -> int:
    """Write the folder and print how much there is."""
    data = collect(read_all(options.file, options.database_url), now(), options.with_platform_ids)
    where = options.out or Path(f"{options.file.stem}-data")
    folder.write(where, data)
    counts = {
        "participants": len(data.participants),
        "games": len(data.games),
        "moves": len(data.moves),
        "answers": len(data.answers),
    }
    if options.json:
        print_json({**counts, "folder": str(where)})
    else:
        listed = ", ".join(f"{count:,} {name}" for name, count in counts.items())
        err.print(f"{listed} are in {where}; codebook.md there explains every column.")
        if options.with_platform_ids:
            err.print("[yellow]It has ids of the recruiting platform: personal data. Do not pass it on.[/]")
    return 0
