"""Check a study file. Mistakes are listed with their lines; of a file without any, it says what the study means.

Examples:
  parlor study check study.toml
  parlor study check study.toml --participants 346
  parlor study check study.toml --json

It says what participants will do, how long that takes, and what it costs. The expected pay assumes that participants
get as many points as the agents of the study get from each other.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from rich.markup import escape

from parlor.cli.flags import JsonFlag, StudyArgument
from parlor.cli.screen import out, print_json
from parlor.game import GameError
from parlor.study.design.description import Description
from parlor.study.design.files import read_study
from parlor.study.design.summary import Money, minutes, money, remarks, steps


@dataclass(frozen=True, kw_only=True)
class Options(JsonFlag):
    """Options of `parlor study check`."""

    file: StudyArgument
    """The study file."""
    participants: int | None = None
    """How many are to finish, for what all of them cost."""


def run(options: Options) -> int:
    """Print the mistakes, or what the study means."""
    if options.participants is not None and options.participants < 1:
        raise GameError(f"--participants must be at least 1, not {options.participants}.")
    study = read_study(options.file)
    time, cost = minutes(study), money(study)
    if options.json:
        print_json(
            {
                **{"title": study.title, "game": study.game, "hash": study.hash, "steps": list(steps(study))},
                **{"minutes": asdict(time), "currency": study.pay.currency, "pay": asdict(cost)},
                "remarks": list(remarks(study)),
            }
        )
        return 0
    out.print(f"[bold]{escape(study.title)}[/]: {escape(study.game)}, seed {study.seed}. No mistakes were found.\n")
    out.print("Participants")
    for number, step in enumerate(steps(study), 1):
        first, *more = escape(step).splitlines()
        out.print(f" {number:2}. {first}", *(f"     {line}" for line in more), sep="\n")
    out.print(f"\nIt takes about {time.about:.0f} minutes; the games take {time.games:.0f} at most.", end="")
    out.print(f" Nobody waits longer than {time.waiting:.0f} minutes for others." if time.waiting else "")
    for line in _costs(study, cost, options.participants):
        out.print(line)
    for remark in remarks(study):
        out.print(f"[yellow]Note:[/] {escape(remark)}")
    return 0


def _costs(study: Description, cost: Money, participants: int | None) -> list[str]:
    def written(amount: float) -> str:
        return f"{study.pay.currency} {amount:,.2f}"

    most = "" if cost.most is None else f" and {written(cost.most)} at most"
    lines = [
        f"Who finishes gets {written(cost.least)} at least{most}; about {written(cost.about)}, with "
        f"{cost.points:.1f} points a game, as in {cost.games} games among agents.",
        f"Who does not pass the test gets {written(study.pay.show_up)}.",
    ]
    if participants:
        bound = "" if cost.most is None else f", and at most {written(participants * cost.most)}"
        lines.append(f"{participants:,} who finish cost about {written(participants * cost.about)}{bound}.")
    return lines
