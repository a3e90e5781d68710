"""Whom to pay how much."""

from __future__ import annotations

from collections.abc import Sequence

from parlor.study.data.folder import Row, as_csv, harmless
from parlor.study.data.records import Person
from parlor.study.design.description import Pay

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
