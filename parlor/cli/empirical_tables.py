"""Tables of empirical games: payoffs, mixtures, rankings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.markup import escape

from parlor.arena.measures import MEASURES
from parlor.cli.cross_table import Cross, print_crosses
from parlor.cli.screen import out, plain_table
from parlor.policies.mixture import social_welfare
from parlor.population.empirical.empirical_games import SimulatedGame
from parlor.population.empirical.estimates import SAME, Estimates
from parlor.population.empirical.rankings import Ranking, find_ranking
from parlor.population.empirical.solutions import MetaSolution
from parlor.runs.saved_agents import short_names

LISTED = 40  # cells
COMMON = 5  # combinations of a joint mixture
RARE = 0.0005  # probabilities below are not shown


def print_payoffs(game: SimulatedGame, estimates: Estimates, measure: str, file: Path | None) -> None:
    """The payoffs with their intervals: as a cross table where two players share their agents, else cell by cell."""
    size = " × ".join(str(len(some)) for some in estimates.labels)
    seats = ", seats drawn" if estimates.shared else ""
    played = f"{game.games:,} games, seed {game.seed}, 95 % intervals" if game.games else "known exactly"
    what = f"negative {measure}" if MEASURES.find(measure).less else measure
    what = f"{what} of mean payoffs" if estimates.derive else f"{what} of the row" if _one_table(estimates) else what
    out.print(f"[bold]{escape(estimates.game)}[/], {size} strategies{seats}; {what}; {played}", soft_wrap=True)
    payoffs, widths = estimates.payoffs, estimates.half_widths
    if _one_table(estimates):
        cells = [
            [_pair(payoffs[0, i, j], widths[0, i, j]) for j in range(payoffs.shape[2])] for i in range(payoffs.shape[1])
        ]
        print_crosses(
            short_names(estimates.labels[0]), [Cross("", cells, {"mean": [_number(row.mean()) for row in payoffs[0]]})]
        )
    else:
        _print_cells(estimates, payoffs, widths)
    if file is not None:
        out.print(f"[dim]kept in[/] {escape(str(file))}", soft_wrap=True)


def _one_table(estimates: Estimates) -> bool:
    """Whether what the row gets says everything, with the same names for rows and columns."""
    means = estimates.payoffs
    opposed = float(np.abs(means.sum(axis=0)).max()) <= SAME * max(float(np.abs(means).max()), 1e-300)
    return estimates.players == 2 and estimates.labels[0] == estimates.labels[1] and (estimates.shared or opposed)


def _print_cells(estimates: Estimates, payoffs: Any, widths: Any) -> None:
    players = range(estimates.players)
    names = [short_names(some) for some in estimates.labels]
    headers = [f"player {p}" for p in players] + [f"gets {p}" for p in players]
    table = plain_table(*headers, left=estimates.players)
    cells = [c for c in np.ndindex(*payoffs.shape[1:]) if not estimates.shared or list(c) == sorted(c)]
    for cell in cells[:LISTED]:
        numbers = [" ".join(_pair(payoffs[(p, *cell)], widths[(p, *cell)])) for p in players]
        table.add_row(*(escape(names[p][i]) for p, i in enumerate(cell)), *numbers)
    out.print(table)
    if len(cells) > LISTED:
        out.print(f"[dim]… and {len(cells) - LISTED:,} more cells; --json has all of them, --figure shows them[/]")


def print_solution(estimates: Estimates, solution: MetaSolution, text: str) -> None:
    """A mixture: how often each strategy is played, what it gets, and what could be gained."""
    mixture = solution.mixture
    kind = "independent" if mixture.independent else "joint"
    out.print(f"\n[bold]{escape(text)}[/], {kind}", soft_wrap=True)
    if mixture.note:
        out.print(f"[yellow]{escape(mixture.note)}[/]", soft_wrap=True)
    alike = estimates.shared and all(np.allclose(one, mixture.marginals[0], atol=1e-6) for one in mixture.marginals)
    certain = not estimates.uncertain
    table = plain_table("", "player", "probability", *([] if certain else ["interval"]), "payoff")
    for p in [0] if alike else range(estimates.players):
        names, (low, high) = short_names(estimates.labels[p]), solution.marginals[p]
        for i in np.argsort(-mixture.marginals[p].round(6), kind="stable"):
            interval = [] if certain else [f"{low[i]:.3f}–{high[i]:.3f}"]
            who = "all" if alike else str(p)
            table.add_row(
                escape(names[i]), who, f"{mixture.marginals[p][i]:.3f}", *interval, _number(solution.responses[p][i])
            )
    out.print(table)
    if not mixture.independent:
        _print_joint(estimates, mixture.joint)
    welfare = _number(social_welfare(mixture, estimates.payoffs))
    low, high = solution.payoff_interval
    gets = (
        _number(value) if certain else f"{_number(value)} ({_number(low[p])} to {_number(high[p])})"
        for p, value in enumerate(solution.payoffs)
    )
    out.print(f"expected payoffs {', '.join(gets)}; social welfare {welfare}", soft_wrap=True)
    gaps = solution.gaps
    out.print(
        f"gain by deviating: {_small(gaps['nash_conv'])} if all mix on their own (NashConv), "
        f"{_small(gaps['ce_gap'])} when told a strategy (CE), {_small(gaps['cce_gap'])} before (CCE)",
        soft_wrap=True,
    )


def _print_joint(estimates: Estimates, joint: Any) -> None:
    names = [short_names(some) for some in estimates.labels]
    order = np.argsort(-joint.ravel().round(6), kind="stable")[:COMMON]
    some = [(np.unravel_index(k, joint.shape), joint.ravel()[k]) for k in order if joint.ravel()[k] > RARE]
    told = [f"{' · '.join(names[p][i] for p, i in enumerate(cell))} {share:.3f}" for cell, share in some]
    left = int((joint > RARE).sum()) - len(some)
    out.print(f"together: {escape('; '.join(told))}{f'; and {left} more' if left > 0 else ''}", soft_wrap=True)


def print_rankings(estimates: Estimates, ranked: Mapping[str, Sequence[Ranking]]) -> None:
    """Scores with their intervals, and the places that are possible; ordered by the first ranking."""
    first = next(iter(ranked.values()))
    for number, lead in enumerate(first):
        whose = "" if lead.player is None else f" of player {lead.player}"
        what = "score (95 % interval), place (and those it may have)" if estimates.uncertain else "score, place"
        out.print(f"\n[bold]ranking[/]{whose}; {what}", soft_wrap=True)
        names = short_names(lead.labels)
        wide = {
            name: [_ranked(some[number], i, estimates.uncertain) for i in lead.order] for name, some in ranked.items()
        }
        for some in _fitting(wide, max(map(len, names))):
            table = plain_table("", *some)
            for row, i in enumerate(lead.order):
                table.add_row(escape(names[i]), *(wide[name][row] for name in some))
            out.print(table)


def _fitting(columns: Mapping[str, Sequence[str]], first: int) -> list[list[str]]:
    """The columns, as many at a time as fit."""
    parts: list[list[str]] = [[]]
    used = first
    for name, column in columns.items():
        width = 2 + max(len(name), *map(len, column))
        if parts[-1] and used + width > out.width:
            parts.append([])
            used = first
        parts[-1].append(name)
        used += width
    return parts


def _ranked(one: Ranking, i: int, uncertain: bool) -> str:
    shown = _number if find_ranking(one.name).in_payoffs else "{:.3f}".format
    if not uncertain:
        return f"{shown(one.scores[i])}  {one.places[i]}."
    best, worst = one.best_places[i], one.worst_places[i]
    may = f" ({best}–{worst})" if best != worst else ""
    return f"{shown(one.scores[i])} ({shown(one.low[i])} to {shown(one.high[i])})  {one.places[i]}.{may}"


def _pair(value: float, width: float) -> tuple[str, str]:
    return _number(value), f"± {width:.3f}" if 0.0 < width < math.inf else ""


def _number(value: float) -> str:
    return f"{value + 0.0:+.3f}" if abs(value) >= 0.0005 else "0.000"


def _small(value: float) -> str:
    return "0" if value < 1e-7 else f"{value:.3g}"
