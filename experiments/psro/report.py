"""The report of the PSRO experiment: numbers in, Markdown out. Every number of ours comes from `results`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from experiments.lab import assemble, command, versions
from experiments.markdown import table, text
from experiments.psro.games import PSRO_GAMES, TITLED
from experiments.psro.ranks import Rank, Runs, final, ranks, value_at
from experiments.psro.readings import readings

TITLES = {
    "figure7": "Two-player zero-sum games (figure 7)",
    "figure8": "Zero-sum games of three and four players (figure 8)",
    "figure9": "Common-payoff games (figure 9)",
    "figure10": "General-sum games (figure 10)",
}
#: What the paper calls competitive, cooperative and mixed.
CLASSES = {"competitive": ("figure7", "figure8"), "cooperative": ("figure9",), "mixed": ("figure10",)}
MARKS = (10, 30)
SOME = ("games", "solvers", "oracle")  # options that say which runs are made first


def report(options: Any, results: dict[str, Any], codes: Sequence[str]) -> str:
    """All of it."""
    sections: dict[str, Callable[[Any, Any], list[str]]] = {part: section(part) for part in TITLES}
    games = {game: found for part in results.values() for game, found in part.items()}
    first = [*head(options, codes), *summary(games), *who_wins(results)]
    return assemble(first, sections, options, results)


def head(options: Any, codes: Sequence[str]) -> list[str]:
    """What this is, and how it was made."""
    o = options
    all_runs = dataclasses.replace(o, **{name: getattr(type(o)(), name) for name in SOME}) if not o.quick else o
    warning = ["**A smoke test with tiny numbers: nothing below means anything.**"] if o.quick else []
    return ["# PSRO with sixteen meta-solvers", *warning, text(
        "Section 5.1 of Li et al., *Combining tree-search, generative models, and Nash bargaining concepts in "
        "game-theoretic reinforcement learning* (2023), anew: PSRO on twelve benchmark games with each of sixteen "
        "meta-solvers, all with the settings that Parlor has for them.",
    ), text(
        f"Made by `{command('psro', all_runs)}`, with Parlor {', '.join(codes)}; {versions()}. A run has "
        f"{o.iterations} iterations or as many as the paper's figure, if that has fewer; it ends before that at an "
        f"equilibrium (NashConv below 1e-9), or after {o.seconds:g} s of processor time (payoffs of n strategies are a "
        "tensor of n³ or n⁴ numbers with three or four players, of which not all solvers come far; on three-player "
        "Leduc poker solvers other than the equilibria have thirty times as much). Tables say at which iteration a run "
        f"ended and why: `=` an equilibrium, `…` its time. A DQN oracle learns a response from {o.response_games:,} "
        f"games, and such a run, by `--oracle dqn`, has {o.dqn_seconds:g} s.",
    ), text(
        "NashConv is that of the exact average policy of the mixture; with exact oracles nothing is random except "
        f"ADIDAS, which draws samples (mean over {o.seeds} seed{'s' if o.seeds > 1 else ''}). *Fixed* is the "
        "NashConv that another solver finds in the "
        "same population at the end: Nash for two players, regret matching "
        "for more. The paper measures with the solver that also drives the search, and says that a fixed one would be "
        "firmer.",
    )]  # fmt: skip


# ----------------------------------------------------------------------------------------------------------- the games


def section(part: str) -> Callable[[Any, Any], list[str]]:
    """The figure of a part, and a table for each game and oracle."""

    def write(options: Any, result: Mapping[str, Any]) -> list[str]:
        lines = [f"## {TITLES[part]}", f"![NashConv along the iterations]({part}.svg)"]
        for game, oracles in result.items():
            for oracle, solvers in oracles.items():
                lines += [f"### {PSRO_GAMES[game].title}, {TITLED[oracle]} oracles", game_table(solvers)]
        return lines

    return write


def game_table(solvers: Mapping[str, Runs]) -> str:
    """A row for each solver, the best first."""
    order = sorted(solvers, key=lambda solver: (final(solvers[solver]), solver))
    rows = [
        [
            f"`{solver}`",
            *(reached(solvers[solver], mark) for mark in MARKS),
            number(final(solvers[solver])),
            last_fixed(solvers[solver]),
            number(final(solvers[solver], "social_welfare")),
            ended(solvers[solver]),
            f"{sum(run['columns']['seconds'][-1] for run in solvers[solver]) / len(solvers[solver]):.0f}",
        ]
        for solver in order
    ]
    columns = ["solver", *(f"NashConv at {mark}" for mark in MARKS), "at the end", "fixed", "welfare", "ended", "s"]
    return table(columns, rows)


def number(value: float) -> str:
    """Three digits; nothing is smaller than 1e-9."""
    return "0" if abs(value) < 1e-9 else f"{value:.3g}"


def reached(runs: Runs, mark: int) -> str:
    """NashConv at an iteration; an equilibrium stays one, and a run that was stopped has none."""
    whole = all(len(run["columns"]["nash_conv"]) >= mark or run["found"] for run in runs)
    return number(sum(value_at(run, mark) for run in runs) / len(runs)) if whole else "–"


def last_fixed(runs: Runs) -> str:
    """NashConv by the fixed solver at the end."""
    found = [list(run["fixed"].values())[-1] for run in runs if run["fixed"]]
    return number(max(sum(found) / len(found), 0.0)) if found else "–"


def ended(runs: Runs) -> str:
    """After which iteration, and why."""
    shortest = min(runs, key=lambda run: len(run["columns"]["nash_conv"]))
    why = "=" if shortest["found"] else "" if shortest["over"] else "…"
    return f"{len(shortest['columns']['nash_conv'])}{why}"


# ---------------------------------------------------------------------------------------------------------- all of them


def summary(games: Mapping[str, Any]) -> list[str]:
    """What the paper says of its figures, and what ours say."""
    rows = [[one.paper, one.ours, one.verdict] for one in readings(games)]
    if not rows:
        return []
    sample = "![A sample of the games, as in figure 3](figure3.svg)"
    return ["## The paper's reading beside ours", sample, table(["the paper", "here", "does it hold?"], rows), text(
        f"{complete(games)} {limits(games)} Tests are not corrected for being many, and the words *yes*, *weakly* and "
        "*no* follow thresholds of ours (`psro_readings.py`). So few games are weak evidence: intervals are "
        "bootstrapped over games, and tests are sign tests over games or exact permutations of the solvers' names. "
        "They say how sure one can be that the order would be the same in *other games of this kind*, not in these, "
        "where nothing but ADIDAS and learning is random.",
    )]  # fmt: skip


def complete(games: Mapping[str, Any]) -> str:
    """Which games have all solvers with exact oracles, and which do not."""
    whole = [game for game, found in games.items() if len(found.get("exact", {})) == 16]
    missing = [PSRO_GAMES[game].title for game in PSRO_GAMES if game not in whole]
    rest = f"; not yet complete, and left out here: {', '.join(missing)}" if missing else ""
    return f"{len(whole)} of {len(PSRO_GAMES)} games have runs of all sixteen solvers{rest}."


def limits(games: Mapping[str, Any]) -> str:
    """How many runs were stopped by their time."""
    said = []
    for oracle in ("exact", "dqn"):
        every = [run for found in games.values() for runs in found.get(oracle, {}).values() for run in runs]
        if every:
            said.append(f"{sum(not run['over'] for run in every)} of {len(every)} runs with {TITLED[oracle]} oracles")
    return f"Their time stopped {' and '.join(said)}."


def who_wins(results: Mapping[str, Any]) -> list[str]:
    """Mean ranks by class."""
    lines = []
    every = [found.get("exact", {}) for part in results.values() for found in part.values()]
    most = max((len(solvers) for solvers in every), default=0)
    for name, parts in CLASSES.items():
        all_games = {game: found.get("exact", {}) for part in parts for game, found in results.get(part, {}).items()}
        games = {game: solvers for game, solvers in all_games.items() if len(solvers) == most > 2}
        if not games:
            continue
        found = ranks(games)
        rows = [
            [
                f"`{one.solver}`",
                interval(one) if len(games) > 2 else f"{one.area:.1f}",
                f"{one.final:.1f}",
                f"{one.fixed:.1f}",
                f"{one.wins}",
            ]
            for one in found
        ]
        lines += [f"### {name.capitalize()} games: {', '.join(PSRO_GAMES[game].title for game in games)}", table(
            ["solver", "mean rank by area", "at the end", "fixed", "first in"], rows)]  # fmt: skip
    if not lines:
        return []
    return ["## Who wins", text(
        "Ranks of the solvers with exact oracles, 1 is the best, averaged over the games; in brackets a 95 % interval, "
        "bootstrapped over games where there are three or more. *By area*: the mean of log NashConv over the "
        "iterations that all runs of a game have, small for those who come down fast and stay there; *at the end*: "
        "NashConv after a run's last iteration, of which those that met their limit have fewer; *fixed*: the same, as "
        "the fixed solver finds it. What is below a thousandth of the first iteration's NashConv counts as solved, and "
        "ties share their ranks. *First in*: so many games, by area, alone or not.",
    ), *lines]  # fmt: skip


def interval(rank: Rank) -> str:
    """With its interval."""
    return f"{rank.area:.1f} [{rank.low:.1f}, {rank.high:.1f}]"
