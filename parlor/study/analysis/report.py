"""The report of a study: what was done, what was found, and what was checked, in words, tables and figures."""

from __future__ import annotations

import json
import math
import platform
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import kurtosis, skew

import parlor
from parlor.arena.statistics import Estimate
from parlor.runs.files.container import draft_of
from parlor.study.analysis.cross import PlayedCrossTable
from parlor.study.analysis.document import Block, Figure, Heading, Paragraph, ReportTable, html, markdown
from parlor.study.analysis.figures import draw_orientation, draw_plane, draw_residuals, draw_returns
from parlor.study.analysis.findings import COMBINED, RETURNS, StudyFindings, WithAgents, WithPeople
from parlor.study.analysis.folder import StudyTables
from parlor.study.analysis.models import Fit

REPORT_HTML, REPORT_MARKDOWN, NUMBERS = "report.html", "report.md", "numbers.json"
LIBRARIES = ("statsmodels", "scipy", "numpy", "pandas")
SMALL_STUDY = 20  # participants
MODEL = (
    "Each return is modelled by a linear mixed model, `value ~ C(partner) - 1`, with one random intercept a "
    "participant, fitted by restricted maximum likelihood (statsmodels MixedLM). Brackets are 95 % intervals: "
    "percentiles over {} resamples of the participants, each with all of its games, the same resamples for all three "
    "models (seed {}). In a resample the same likelihood of statsmodels is maximised over the intraclass correlation, "
    "starting from the fit of all data."
)
PEOPLE_MODEL = (
    "For each game the return of one player, chosen at random, is modelled by a mean and one random intercept a "
    "participant, fitted and resampled as above."
)


def write_report(
    folder: Path, data: StudyTables, findings: StudyFindings, cross: PlayedCrossTable | None = None
) -> list[Path]:
    """Write report.html, report.md, numbers.json and the figures, all or none; `data` is without the excluded."""
    with draft_of(folder) as draft:
        blocks = report(data, findings, cross, draft)
        title = str(findings.study.get("title", "A study"))
        (draft / REPORT_HTML).write_text(html(title, blocks), encoding="utf-8")
        (draft / REPORT_MARKDOWN).write_text(markdown(blocks), encoding="utf-8")
        (draft / NUMBERS).write_text(json.dumps(numbers(findings, cross), indent=1) + "\n", encoding="utf-8")
        written = sorted(path.name for path in draft.iterdir())
    return [folder / name for name in written]


def report(data: StudyTables, findings: StudyFindings, cross: PlayedCrossTable | None, figures: Path) -> list[Block]:
    """The whole report; figures are drawn into a folder."""
    people = findings.with_people[0].mean.value if findings.with_people else None
    blocks: list[Block] = [Heading(str(findings.study.get("title", "A study")), 1)]
    blocks += [Heading("In short"), *_summary(findings), Heading("The study"), *_study(findings)]
    blocks += [Heading("Participants and exclusions"), *_exclusions(findings)]
    for number, found in enumerate(findings.with_agents, 1):
        blocks += [Heading(f"Returns with agents: {found.condition}"), *_with_agents(found, findings.seed)]
        drawn = draw_returns(found, people, figures / f"returns-{number}.svg")
        blocks.append(Figure(drawn, f"Mean points a game in {found.condition}, with 95 % intervals."))
        drawn = draw_plane(found, people, figures / f"plane-{number}.svg")
        blocks.append(Figure(drawn, "Both returns; grey lines join equal Nash bargaining scores."))
        blocks += _differences(found)
        if cross:
            blocks += _cross(found, cross)
    for one in findings.with_people:
        blocks += [Heading(f"People among themselves: {one.condition}"), *_with_people(one)]
    blocks += [Heading("Deals and time-outs"), *_deals(findings)]
    blocks += [Heading("Social Value Orientation and return"), *_orientation(findings)]
    if any(one.slopes for one in findings.conditions):
        drawn = draw_orientation(data, figures / "orientation.svg")
        blocks.append(Figure(drawn, "Each participant's mean points a game against its orientation."))
    blocks += [Heading("Checks"), *_checks(findings)]
    blocks.append(Figure(draw_residuals(findings, figures / "residuals.svg"), "Residuals of each model."))
    return blocks


# ------------------------------------------------------------------------------------------------------ the sections


def _summary(findings: StudyFindings) -> list[Block]:
    said = []
    for found in findings.with_agents:
        combined = [one.value for one in found.means[COMBINED]]
        best, worst = int(np.argmax(combined)), int(np.argmin(combined))
        line = f"{found.condition}: {sum(found.games)} games of {found.participants} participants with agents. "
        if best == worst:
            said.append(f"{line}The combined return with {found.agents[0]} is {shown(found.means[COMBINED][0])}.")
            continue
        ends = [f"{found.agents[i]} ({shown(found.means[COMBINED][i])})" for i in (best, worst)]
        line += f"The combined return is highest with {ends[0]} and lowest with {ends[1]}; "
        clear = [one for one in found.differences if excludes_zero(one.returns[COMBINED])]
        said.append(f"{line}{len(clear)} of {len(found.differences)} differences have an interval without zero.")
    for one in findings.with_people:
        line = f"{one.condition}: {one.games} games of {one.participants} participants with each other"
        said.append(f"{line}; the mean return is {shown(one.mean)}.")
    return [Paragraph(line) for line in said]


def _study(findings: StudyFindings) -> list[Block]:
    study = findings.study
    speed = float(study.get("speed") or 1.0)
    rows = [
        ("Game", str(study.get("game", ""))),
        ("Rules", str(study.get("rules", ""))),
        ("Study file (SHA-256)", str(study.get("hash", ""))),
        ("Seed of the study", str(study.get("seed", ""))),
        ("Data written", str(study.get("written", ""))),
        ("Data written with", f"Parlor {study.get('parlor', '')}"),
        ("Agents", ", ".join(f"{name} {' and '.join(found)}" for name, found in study.get("agents", {}).items())),
        ("Analysed with", ", ".join(f"{name} {number}" for name, number in versions().items())),
        ("Resamples and seed of the analysis", f"{findings.resamples}, seed {findings.seed}"),
    ]
    blocks: list[Block] = [
        ReportTable("What was analysed", ("", ""), [(name, f"`{said}`" if said else "–") for name, said in rows])
    ]
    if speed != 1.0:
        blocks.append(Paragraph(f"This was a rehearsal: the study's time ran {speed:g} times as fast as real time."))
    if findings.empty:
        names = ", ".join(findings.empty)
        blocks.append(Paragraph(f"No games are left of: {names}. Nothing can be said of them."))
    return blocks


def _exclusions(findings: StudyFindings) -> list[Block]:
    said = ", ".join(f"{count} {name}" for name, count in findings.people.items())
    conditions = sorted({name for step in findings.excluded for name in step.by_condition})
    rows = [
        (
            step.name,
            step.sentence,
            str(step.games),
            *(str(step.by_condition.get(name, 0)) for name in conditions),
            str(len(step.participants)),
        )
        for step in findings.excluded
    ]
    left = [(one.condition, sum(one.games), one.participants) for one in findings.with_agents]
    left += [(one.condition, one.games, one.participants) for one in findings.with_people]
    headers = ("exclusion", "what is left out", "games", *conditions, "participants without games")
    return [
        Paragraph(f"Participants: {said}."),
        ReportTable("Exclusions, one after the other", headers, rows),
        ReportTable("What is left", ("condition", "games", "participants"), [(a, str(b), str(c)) for a, b, c in left]),
    ]


def _with_agents(found: WithAgents, seed: int) -> list[Block]:
    rows = [
        (name, str(found.games[i]), *(shown(found.means[which][i]) for which in RETURNS), shown(found.nash[i]))
        for i, name in enumerate(found.agents)
    ]
    return [
        Paragraph(MODEL.format(found.resamples, seed)),
        ReportTable(
            f"Mean points a game: {found.participants} participants, {sum(found.games)} games",
            ("agent", "games", "human return", "agent return", "combined return", "Nash bargaining score"),
            rows,
        ),
        Paragraph(
            "The combined return of a game is the mean of the two returns; the Nash bargaining score is the product of "
            "the two estimated means."
        ),
    ]


def _differences(found: WithAgents) -> list[Block]:
    if not found.differences:
        return [Paragraph("There is one agent only, so there are no differences between agents.")]
    rows = [
        (f"{one.first} − {one.second}", *(shown(one.returns[name], marked=True) for name in RETURNS))
        for one in found.differences
    ]
    return [
        ReportTable(
            "Differences between agents; * marks an interval without zero",
            ("difference", *(f"{name} return" for name in RETURNS)),
            rows,
        ),
        Paragraph("The intervals are those of single differences; nothing was adjusted for looking at several."),
    ]


def _cross(found: WithAgents, cross: PlayedCrossTable) -> list[Block]:
    rows = []
    for i, name in enumerate(cross.agents):
        if name in found.agents:
            with_people = shown(found.nash[found.agents.index(name)])
            rows.append(
                (name, *(f"{score:.2f}" for score in cross.scores[i]), f"{cross.returns[i][i]:.2f}", with_people)
            )
    headers = ("agent", *(f"with {name}" for name in cross.agents), "return among its own", "with people")
    return [ReportTable("Nash bargaining scores of agents among themselves and with people", headers, rows)]


def _with_people(found: WithPeople) -> list[Block]:
    return [
        Paragraph(PEOPLE_MODEL),
        ReportTable(
            "Mean points a game",
            ("condition", "games", "participants", "of them chosen", "return"),
            [
                (
                    found.condition,
                    *(str(count) for count in (found.games, found.participants, found.fit.participants)),
                    shown(found.mean),
                )
            ],
        ),
    ]


def _deals(findings: StudyFindings) -> list[Block]:
    deals: list[tuple[str, str, str, str]] = []
    for found in findings.with_agents:
        known = zip(found.agents, found.games, found.deals, strict=True)
        deals += [(found.condition, name, str(n), percent(rate)) for name, n, rate in known if rate]
        if found.all_deals:
            deals.append((found.condition, "all agents", str(sum(found.games)), percent(found.all_deals)))
    deals += [
        (one.condition, "people", str(one.games), percent(one.deals)) for one in findings.with_people if one.deals
    ]
    outs = [
        (one.condition, one.partner, str(one.games), str(one.timed_out), percent(one.rate))
        for one in findings.time_outs
    ]
    first: Block = Paragraph("The data do not say of any game whether a deal was made.")
    if deals:
        first = ReportTable(
            "Games that ended in a deal, after the exclusions", ("condition", "partner", "games", "deals"), deals
        )
    headers = ("condition", "partner", "games that began", "timed out", "share")
    return [
        first,
        ReportTable("Time-outs, before the exclusions", headers, outs),
        Paragraph("Shares have Wilson's interval, as if all games were independent."),
    ]


def _orientation(findings: StudyFindings) -> list[Block]:
    both = findings.conditions
    slopes = [
        (one.condition, f"{line.of} return", shown(line.slope), str(line.participants), str(line.games))
        for one in both
        for line in one.slopes
    ]
    if not slopes:
        return [Paragraph("The orientation of too few participants is known, or all have the same: nothing to model.")]
    types = [
        (one.condition, kind.name, shown(kind.mean), str(kind.participants), str(kind.games))
        for one in both
        for kind in one.types
    ]
    blocks: list[Block] = [
        Paragraph(
            "The angle of the slider measure is added to the mixed models as a covariate; types are compared by a "
            "mixed model of their own. Intervals are 1.96 standard errors of statsmodels."
        ),
        ReportTable(
            "Change of the return with ten degrees more",
            ("condition", "of", "points a game", "participants", "games"),
            slopes,
        ),
    ]
    if types:
        headers = ("condition", "type", "human return", "participants", "games")
        blocks.append(ReportTable("Mean return by type (types of three participants or more)", headers, types))
    return blocks


def _checks(findings: StudyFindings) -> list[Block]:
    models = [(f"{one.condition}: {name}", one.fits[name], one) for one in findings.with_agents for name in RETURNS]
    everything: list[tuple[str, Fit, WithAgents | WithPeople]] = [*models]
    everything += [(one.condition, one.fit, one) for one in findings.with_people]
    rows = [
        (
            title,
            str(model.games),
            str(model.participants),
            f"{model.participant_deviation:.3f}",
            f"{model.residual_deviation:.3f}",
            f"{model.share:.3f}",
            "yes" if model.converged else "NO",
            "yes" if model.singular else "no",
            *(f"{number:+.2f}" for number in shape(model.residuals)),
            f"{one.incomplete} of {one.resamples}",
        )
        for title, model, one in everything
    ]
    remarks = [f"{title}: {remark}" for title, model, _ in everything for remark in model.remarks]
    cells = [
        (one.condition, name, str(games))
        for one in findings.with_agents
        for name, games in zip(one.agents, one.games, strict=True)
    ]
    headers = (
        *("model", "games", "participants", "participant deviation", "residual deviation", "intraclass correlation"),
        *("converged", "singular", "skewness", "excess kurtosis", "incomplete resamples"),
    )
    few = [one.condition for one in findings.conditions if one.participants < SMALL_STUDY]
    remarks += [
        f"{name}: fewer than {SMALL_STUDY} participants; intervals by resampling so few are too narrow." for name in few
    ]
    blocks: list[Block] = [ReportTable("Models", headers, rows), *map(Paragraph, remarks)]
    if cells:
        blocks.append(ReportTable("Games in each cell", ("condition", "agent", "games"), cells))
    blocks.append(
        Paragraph(
            "Skewness and kurtosis are of the residuals, 0 if they are normal. A resample is incomplete if it has no "
            "game with some agent or could not be fitted; its other means count."
        )
    )
    return blocks


# ----------------------------------------------------------------------------------------------------- numbers, words


def shown(one: Estimate, marked: bool = False) -> str:
    """As in 6.69 [6.34, 7.01]; if it is marked, with a star where zero is outside."""
    star = "*" if marked and excludes_zero(one) else ""
    return f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]{star}"


def excludes_zero(one: Estimate) -> bool:
    """Whether the interval is on one side of zero."""
    return one.low > 0 or one.high < 0


def percent(one: Estimate | None) -> str:
    """As in 96.2 % [94.2, 97.5]."""
    return f"{100 * one.value:.1f} % [{100 * one.low:.1f}, {100 * one.high:.1f}]" if one else "–"


def shape(residuals: Any) -> tuple[float, float]:
    """Skewness and excess kurtosis; zero where nothing varies."""
    if np.ptp(residuals) < 1e-9:
        return 0.0, 0.0
    return float(skew(residuals)), float(kurtosis(residuals))


def versions() -> dict[str, str]:
    """Of everything that the numbers depend on."""
    return {
        "Parlor": parlor.__version__,
        "Python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }


def numbers(findings: StudyFindings, cross: PlayedCrossTable | None = None) -> dict[str, Any]:
    """Everything that was found, for JSON; NaN is null."""
    study = {name: entry for name, entry in findings.study.items() if name != "description"}
    found = {
        "study": study,
        "versions": versions(),
        "people": dict(findings.people),
        "excluded": [asdict(one) for one in findings.excluded],
        "with_agents": [_data(one) for one in findings.with_agents],
        "with_people": [_data(one) for one in findings.with_people],
        "time_outs": [asdict(one) for one in findings.time_outs],
        "empty": list(findings.empty),
        "resamples": findings.resamples,
        "seed": findings.seed,
        "cross_table": asdict(cross) if cross else None,
    }
    return _plain(found)


def _data(one: WithAgents | WithPeople) -> dict[str, Any]:
    data = asdict(one)
    for model in data.get("fits", {"": data.get("fit")}).values():
        for name in ("residuals", "fitted", "intercepts"):
            del model[name]
    return data


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _plain(entry) for name, entry in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
