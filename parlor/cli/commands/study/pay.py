"""List whom to pay how much, as CSV: the platform's id, base pay, bonus, total, completion code, and how far one came.

Examples:
  parlor study pay study.toml > pay.csv
  parlor study pay study.toml --out pay.csv

Everybody is listed whose pay is due by now. The list has personal data.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from parlor.cli.flags import File, StudyFlags
from parlor.cli.screen import err
from parlor.runs.files.container import write
from parlor.study.data.folder import pay_list, pay_text
from parlor.study.data.reading import read_all
from parlor.study.design.files import read_study


@dataclass(frozen=True, kw_only=True)
class Options(StudyFlags):
    """Options of `parlor study pay`."""

    out: File = None
    """Where to write it; if omitted, the standard output."""


def run(options: Options) -> int:
    """Print the list, and beside it the sum."""
    currency = read_study(options.file).pay.currency
    rows = pay_list(read_all(options.file, options.database_url).people)
    if options.out is None:
        sys.stdout.write(pay_text(rows))
    else:
        write(options.out, pay_text(rows).encode())
    total = sum(float(row["total"]) for row in rows)
    err.print(f"{len(rows):,} participants get {total:,.2f} {currency} in all.")
    return 0
