"""The data of a study as a folder of files: written all or nothing, from rows whose columns `columns.py` declares."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parlor.game import GameError
from parlor.runs.files.container import FileError, draft_of
from parlor.study.data.columns import FILES, codebook, codebook_text, columns_of
from parlor.study.data.records import Person
from parlor.study.design.description import Pay

Row = Mapping[str, Any]


@dataclass(frozen=True)
class StudyData:
    """The data of a study: its metadata in study.json, and the rows of its files."""

    study: Mapping[str, Any]
    participants: Sequence[Row] = ()
    episodes: Sequence[Row] = ()
    moves: Sequence[Row] = ()
    answers: Sequence[Row] = ()
    games: Sequence[Mapping[str, Any]] = field(default=())

    @property
    def platform_ids(self) -> bool:
        """Whether it has the ids of the recruiting platform."""
        return not self.study["anonymous"]


def write(folder: Path, data: StudyData) -> None:
    """Write the files; those of an earlier export are replaced when all new ones are ready."""
    try:
        with draft_of(folder) as draft:
            for name, text in files_of(data).items():
                (draft / name).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise FileError(f"{folder} cannot be written: {error.strerror}.") from None


def files_of(data: StudyData) -> dict[str, str]:
    """The files by name."""
    ids = data.platform_ids
    tables = {file: _csv(file, getattr(data, file.removesuffix(".csv")), ids) for file in FILES}
    return tables | {
        "study.json": json.dumps(data.study, ensure_ascii=False, indent=1) + "\n",
        "games.jsonl": "".join(json.dumps(game, ensure_ascii=False) + "\n" for game in data.games),
        "codebook.json": json.dumps(codebook(ids), ensure_ascii=False, indent=1) + "\n",
        "codebook.md": codebook_text(data.study["title"], ids),
    }


def _csv(file: str, rows: Sequence[Row], platform_ids: bool) -> str:
    try:
        return as_csv([column.name for column in columns_of(file, platform_ids)], rows)
    except ValueError as error:
        raise GameError(f"A row for {file} has a column that is not declared: {error}.") from None


def as_csv(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """Rows as text, without those columns that a row does not have."""
    text = io.StringIO(newline="")
    lines = csv.DictWriter(text, columns, lineterminator="\n")
    lines.writeheader()
    lines.writerows({name: _plain(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _plain(value: Any) -> Any:
    """As it is written: 1 and 0 for yes and no, whole numbers without a point, a few digits."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else round(value, 6)
    return value


def harmless(value: Any) -> Any:
    """A text that a stranger wrote, so that no spreadsheet takes it for a formula."""
    if not isinstance(value, str):
        return value
    with contextlib.suppress(ValueError):
        float(value)
        return value
    separated = re.sub(r"([;,\t|]\s*)(?=[=+\-@])", r"\1'", value)  # where a program makes a cell begin
    return (
        f"'{separated}" if separated.lstrip().startswith(("=", "+", "-", "@")) or value[:1] in "\t\r\n" else separated
    )


COLUMNS = ("platform_id", "base", "bonus", "total", "completion_code", "status")


def bonus_of(pay: Pay, points: float) -> float:
    """Return the bonus for a number of points, rounded to cents and never negative."""
    return max(0.0, round(pay.point * points + 1e-9, 2))


def pay_list(people: Sequence[Person]) -> list[dict[str, str]]:
    """Whom to pay how much: everybody whose pay is due and who is known."""
    due = [person for person in people if person.base is not None and person.code]  # empty once forgotten
    rows = []
    for person in sorted(due, key=lambda person: person.platform_id):
        base, bonus = person.base or 0.0, person.bonus or 0.0
        total = base + bonus
        rows.append(
            {
                "platform_id": harmless(person.platform_id),
                "base": f"{base:.2f}",
                "bonus": f"{bonus:.2f}",
                "total": f"{total:.2f}",
                "completion_code": person.code or "",
                "status": person.stage,
            }
        )
    return rows


def pay_text(rows: Sequence[Row]) -> str:
    """The list as CSV."""
    return as_csv(COLUMNS, rows)
