"""The report of the Clue experiments: numbers in, Markdown out. Every number comes from `results`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from experiments.lab import assemble, command, versions
from experiments.markdown import share, table, text

Row = Mapping[str, Any]


def report(options: Any, results: dict[str, Any], codes: Sequence[str]) -> str:
    """All of it."""
    sections: dict[str, Callable[[Any, Any], list[str]]] = {
        "a": curve, "b": at_the_end, "c": everybody, "d": many, "e": tiny,
    }  # fmt: skip
    return assemble(head(options, codes), sections, options, results)


def head(options: Any, codes: Sequence[str]) -> list[str]:
    """What this is, and how it was made."""
    o = options
    warning = ["**A smoke test with tiny numbers: nothing below means anything.**"] if o.quick else []
    return ["# Clue", *warning, text(
        "The experiment of Martin, *Monte Carlo counterfactual regret minimization applied to Clue* (2020), anew, and "
        "what lies beyond it.",
    ), text(
        f"Made by `{command('clue', o)}`, seed {o.seed}, with Parlor {', '.join(codes)}; {versions()}.",
    ), text(
        "Rules of the thesis: no board, a suggestion of the three cards of the file wins. One player sits against "
        "copies of another; every deal is played from every seat. Numbers are win shares with 95 % intervals by deals; "
        "a third is what everybody gets among three equals. *Trained* is the agent `planner`: a policy of "
        "`clue/plans`, learned by `mccfr-robust` in self-play, whose plans are carried out with exact counting. One "
        "traversal for each player is a game of training.",
    )]  # fmt: skip


def curve(options: Any, result: Row) -> list[str]:
    """Part a."""
    others = list(result["curve"])
    rows = []
    for n, told in result["trained"].items():
        shares = [share(result["curve"][other][n]["share"]) for other in others]
        rows.append([f"{int(n):,}", f"{told['infosets']:,}", f"{told['seconds']:.1f}", *shares])
    columns = ["games of training", "information sets", "seconds", *(f"v 2 {other}" for other in others)]
    return ["## a. The curve", text(
        f"Figures 5 to 7 of the thesis, and two opponents more: {options.curve_games:,} games for each number. "
        "[As a figure](curve.svg).",
    ), table(columns, rows)]  # fmt: skip


def at_the_end(options: Any, result: Row) -> list[str]:
    """Part b."""
    rows = [[f"2 {other}", share(row["share"]), *map(share, row["seats"]), f"{row['games']:,}"]
            for other, row in result.items()]  # fmt: skip
    verdicts = []
    for other, bar in (("model-counting", 0.6), ("believer", 1 / 3), ("detective", 1 / 3), ("bluffer", 1 / 3)):
        found = result[other]["share"]
        above = found["low"] > bar
        below = found["high"] < bar
        words = "above" if above else "below" if below else "not told apart from"
        verdicts.append(f"{words} {100 * bar:.1f} % against two {other}")
    return ["## b. At the end of training", text(
        f"After {options.trained[-1]:,} games of training; a third of the games from each seat.",
    ), table(["against", "win share", "seat 1", "seat 2", "seat 3", "games"], rows),
        text(f"By its intervals it is {'; '.join(verdicts)}.")]  # fmt: skip


def everybody(options: Any, rows: Mapping[str, Row]) -> list[str]:
    """Part c."""
    return ["## c. Everybody against everybody", text(
        f"The row alone against two of the column: {options.cross_games:,} games, and below them the shares by seat.",
    ), cross(rows)]  # fmt: skip


def many(options: Any, result: Row) -> list[str]:
    """Part d."""
    parts = ["## d. Four to six players", text(
        f"The row alone against all others of the column: {options.many_games:,} games, too few to tell much, because "
        f"counting takes long; the trained player had {options.many_trained:,} games of training with as many players.",
    )]  # fmt: skip
    for players, rows in result.items():
        parts += [f"With {players} players; among equals everybody gets {100 / int(players):.1f} %:", cross(rows)]
    return parts


def cross(rows: Mapping[str, Row]) -> str:
    """A cross table."""
    names = list(dict.fromkeys(pair.split(" ")[0] for pair in rows))
    lines = []
    for a in names:
        cells = [f"{share(row['share'])}<br>{seats(row)}" if (row := rows.get(f"{a} {b}")) else "–" for b in names]
        lines.append([f"`{a}`", *cells])
    return table(["", *(f"`{name}`" for name in names)], lines)


def tiny(options: Any, result: Row) -> list[str]:
    """Part e."""
    sizes, rows = result["infosets"], []
    for name, row in result["agents"].items():
        pairs = zip(row["values"], row["best"], strict=True)
        rows.append([name, f"{row['nash_conv']:.4f}", *(f"{value:.3f} / {best:.3f}" for value, best in pairs)])
    return ["## e. How far from an equilibrium", text(
        f"The preset `tiny`, three players, {result['histories']:,} histories and {sizes['full']:,} information sets; "
        f"{sizes['symmetric']:,} up to the names of cards, {sizes['plans']:,} by plans. NashConv is what the three "
        "players together would gain if each alone changed to a best response. It is measured up to the names of "
        "cards, which makes no difference. A win is worth 3, a loss −1. By seat: the value, and that of a best "
        f"response. MCCFR by external sampling with linear weights, {options.tiny_games:,} games; CFR+ "
        f"{options.tiny_iterations:,} iterations. With three players none of them is certain to reach an equilibrium.",
    ), table(["player", "NashConv", "seat 1", "seat 2", "seat 3"], rows)]  # fmt: skip


# ----------------------------------------------------------------------------------------------------------- in words


def seats(row: Row) -> str:
    """By seat, without intervals."""
    return " / ".join(f"{100 * seat['value']:.0f}" for seat in row["seats"])
