"""The report of the hold'em experiments: numbers in, Markdown out. Every number of ours comes from `results`."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from experiments.lab import assemble, command, versions

PLAYERS = ("Fish", "Honest", "Random", "Rule-based", "Monte-Carlo", "CFRv1", "CFRv2")
#: Its table 2, sb/h of the row against the column. That of Monte-Carlo against CFRv2 contradicts its own mirror, which
#: its text goes by: CFRv2 loses 1.75.
PUBLISHED = (
    (0.00, 0.81, 68.65, -6.08, -2.00, -1.56, -1.56),
    (-0.81, 0.00, 16.04, -0.48, -1.99, -0.82, -0.81),
    (-68.65, -16.04, 0.00, 1.00, -44.31, -5.95, -11.51),
    (6.08, 0.48, -1.00, 0.00, -2.00, -0.06, -0.09),
    (2.00, 1.99, 44.31, 2.00, 0.00, 2.75, 1.75),
    (1.56, 0.82, 5.95, 0.06, -2.75, 0.00, -2.13),
    (1.56, 0.81, 11.51, 0.09, -1.75, 2.13, 0.00),
)
SB, MBB = "sb/h", "mbb/h"
Row = dict[str, Any]


def report(options: Any, results: dict[str, Any], codes: Sequence[str]) -> str:
    """All of it."""
    sections: dict[str, Callable[[Any, Any], list[str]]] = {
        "ours": ours, "engine": engine, "strength": strength, "checkpoints": checkpoints, "lbr": lbr,
        "endgame": endgame, "luck": luck,
    }  # fmt: skip
    return assemble(head(options, codes), sections, options, results)


def head(o: Any, codes: Sequence[str]) -> list[str]:
    """What this is, and how it was made."""
    warning = ["**A smoke test with tiny numbers: nothing below means anything.**"] if o.quick else []
    return ["# Heads-up no-limit hold'em", *warning, text(
        "Mendes da Luz (*Poker AI: using Monte-Carlo CFR with Monte-Carlo simulations*, Cardiff University, 2025) "
        "built a bot by MCCFR for two streets and simulations after them, and let it meet six others "
        "inside PyPokerEngine: 100,000 hands a pair, 1,000 chips, blinds 5 and 10. Here are its table and ours, and "
        "what can be said about a blueprint of all four streets.",
    ), text(
        f"Made by `{command('holdem', o)}` with Parlor {', '.join(codes) or '–'}; {versions()}. Every deal is "
        "played twice, with the seats exchanged; ± is half a 95 % interval, from the variance between deals.",
    ), text(
        "His seats were fixed, so that who had the better one is in the numbers. He gave ±0.03 sb/h, "
        "which is limit hold'em's; at 15 to 44 small blinds a hand 100,000 hands leave ±0.1 to ±0.27.",
    )]  # fmt: skip


# --------------------------------------------------------------------------------------------------- cross tables


def ours(o: Any, found: Any) -> list[str]:
    """By our rules."""
    quick = (
        f"{o.hands:,} hands a pair, {o.slow_hands:,} where one simulates. Honest and Monte-Carlo read exact tables "
        "instead of simulating: the same player without its noise, but for ties, which are half a win to it."
    )
    note = (
        "Its cell of Monte-Carlo against CFRv2 is printed as -1.75, against its mirror and its text, which we follow."
    )
    return [
        "## The published table", theirs(), text(note), "## By our rules", text(quick), trained(o, found["run"]),
        cross(found), *beside(found), text(
            f"From Monte-Carlo with 10,000 simulations a decision the blueprint wins {shown(found['simulating'], SB)} "
            f"sb/h, in {found['simulating']['games']:,} hands."
        ),
    ]  # fmt: skip


def engine(o: Any, found: Any) -> list[str]:
    """Inside PyPokerEngine."""
    how = (
        f"{o.engine_hands:,} hands a pair. The engine has the small blind act first on every street, counts A2345 as "
        "a high card and does not always share a shared pot; the blueprint was trained for its order."
    )
    return ["## Inside PyPokerEngine", text(how), trained(o, found["run"]), cross(found), *beside(found)]


def theirs() -> str:
    """Its table 2."""
    rows = [[name, *("" if i == j else f"{x:+.2f}" for j, x in enumerate(PUBLISHED[i]))]
            for i, name in enumerate(PLAYERS)]  # fmt: skip
    return table([SB, *PLAYERS], rows)


def trained(o: Any, run: Any) -> str:
    """Where the blueprint comes from."""
    return text(
        f"Blueprint: `{o.bets}`, {o.cards} with {o.buckets} buckets a street, {run['infosets']:,} information sets; "
        f"{run['iterations']:,} iterations in {run['seconds'] / 60:.1f} minutes on {o.threads} threads."
    )


def cross(found: Any) -> str:
    """Everyone against everyone."""
    names = found["players"]
    rows = [[one, *(cell(found["cells"], one, other) for other in names)] for one in names]
    return table([SB, *names], rows)


def cell(cells: Any, one: str, other: str) -> str:
    """The row against the column."""
    if f"{one}/{other}" in cells:
        return shown(cells[f"{one}/{other}"], SB)
    return shown(cells[f"{other}/{one}"], SB, -1.0) if f"{other}/{one}" in cells else ""


def beside(found: Any) -> list[str]:
    """The blueprint beside the published bots."""
    cells = found["cells"]
    rows = [[name, shown(cells[f"{name}/Blueprint"], SB, -1.0), *(f"{PUBLISHED[i][j]:+.2f}" for i in (5, 6))]
            for j, name in enumerate(PLAYERS[:5]) if f"{name}/Blueprint" in cells]  # fmt: skip
    return [table(["against", "our blueprint", "its CFRv1", "its CFRv2"], rows)] if rows else []


# --------------------------------------------------------------------------------------------------- the blueprint


def strength(o: Any, found: Any) -> list[str]:
    """By minutes of training."""
    last = max(map(int, found["rows"]))
    minutes = found["run"]["seconds"] / 60
    bots = list(next(iter(found["rows"].values())))
    rows = [[f"{int(n):,}", f"{minutes * int(n) / last:.1f}", *(shown(row[bot], SB) for bot in bots)]
            for n, row in found["rows"].items()]  # fmt: skip
    return ["## While it trains", text(
        f"The blueprint of our rules at its checkpoints, {o.hands:,} hands each, sb/h. Minutes are by iterations. "
        "How much is won from weak players says little about how far a strategy has converged."
    ), table(["iterations", "minutes", *bots], rows)]  # fmt: skip


def checkpoints(o: Any, found: Any) -> list[str]:
    """Against the last."""
    rows = [[f"{int(n):,}", shown(row, SB), shown(row, MBB)] for n, row in found.items()]
    return ["## Checkpoints against the last one", table(["iterations", SB, MBB], rows)]


def lbr(o: Any, found: Any) -> list[str]:
    """Buckets and iterations."""
    rows = [[f"{b:,}", f"{found['runs'][b]['infosets']:,}",
             *(shown(found["cells"][f"{b}/{n}"], MBB) for n in o.lbr_iterations)] for b in o.lbr_buckets]  # fmt: skip
    best = found["cells"][f"{found['best']}/{max(o.lbr_iterations)}"]
    plain = [row["plain_in_units"][MBB] for row in found["cells"].values()]
    narrower = sum(width(row["in_units"][MBB]) for row in found["cells"].values()) / sum(map(width, plain))
    return ["## Local best response", text(
        f"What one who knows the blueprint wins from it, in mbb/h: a lower bound on what it can lose. Blinds 1 and 2, "
        f"200 chips, `{o.lbr_bets}`, {o.cards}; bets of its tree on turn and river, calls before, {o.lbr_hands:,} "
        f"hands. By the names of the columns, iterations. Intervals are {100 * (1 - narrower):.0f} % narrower than "
        "those of the chips alone.",
    ), table(["buckets", "information sets", *(f"{n:,}" for n in o.lbr_iterations)], rows), text(
        "Few iterations may look better than they are: such a blueprint still bets at random, and this responder, who "
        "only calls before the turn, pays for it. So the best is looked for among those with most iterations. It has "
        f"{found['best']:,} buckets and loses {shown(best, MBB)} mbb/h: {bound(best)}. Against it, further:",
    ), further(found["more"])]  # fmt: skip


def endgame(o: Any, found: Any) -> list[str]:
    """Rivers solved anew."""
    rows = [[f"{buckets:,}", shown(row, MBB)] for buckets, row in found["cells"].items()]
    best = found["cells"][found["best"]]
    return ["### With the river solved anew", text(
        f"The same blueprints after {max(o.lbr_iterations):,} iterations; on the river `endgame` solves what is left "
        f"of their tree for the hands that they may hold there, each by itself ({o.endgame_iterations} iterations). "
        f"The same responder, {o.endgame_hands:,} hands.",
    ), table(["buckets before the river", MBB], rows), text(
        f"The best has {found['best']:,} buckets and loses {shown(best, MBB)} mbb/h: {bound(best)}. From the blueprint "
        f"itself it wins {shown(found['duel'], MBB)} mbb/h in {found['duel']['games']:,} hands. Against it, further:",
    ), further(found["more"])]  # fmt: skip


def bound(row: Row) -> str:
    """Whether one may say that nothing is lost."""
    high = row["in_units"][MBB]["high"]
    return f"the upper end of its interval is {high:+,.0f}, {'at or below' if high <= 0.0 else 'above'} 0"


def further(found: Any) -> str:
    """Responders who do more."""
    ways = {"late/pot": "turn and river, pot and all-in at any time", "all/tree": "all streets, bets of its tree",
            "all/pot": "all streets, pot and all-in at any time"}  # fmt: skip
    return table(
        ["responder", "hands", MBB],
        [[ways[way], f"{row['hands']:,}", shown(row, MBB)] for way, row in found.items()],
    )


def luck(o: Any, found: Any) -> list[str]:
    """With and without."""
    rows = []
    for name, (plain, aivat) in found.items():
        narrower = 1.0 - width(aivat["in_units"][SB]) / width(plain["in_units"][SB])
        rows.append([
            name, shown(plain, SB), shown(aivat, SB), f"{100 * narrower:.0f} %",
            f"{plain['games_per_second']:,.0f}", f"{aivat['games_per_second']:,.0f}",
        ])  # fmt: skip
    return ["## Luck taken off", text(
        f"The blueprint in {o.luck_hands:,} hands on the same deals, by the chips and with luck taken off "
        "(`--aivat`): the same expectation, a narrower interval, and hands a second.",
    ), table(["against", f"{SB}, chips", f"{SB}, less luck", "narrower", "hands/s", "less luck"], rows)]  # fmt: skip


# --------------------------------------------------------------------------------------------------- words


def shown(row: Row, unit: str, sign: float = 1.0) -> str:
    """A result with half its interval."""
    estimate = row["in_units"][unit]
    digits = 0 if unit == MBB else 2
    return f"{sign * estimate['value']:+,.{digits}f} ± {width(estimate) / 2:,.{digits}f}"


def width(estimate: Any) -> float:
    """Of an interval."""
    return float(estimate["high"] - estimate["low"])


def table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """In Markdown."""
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def text(*sentences: str) -> str:
    """A paragraph."""
    return textwrap.fill(" ".join(sentences), 120, break_long_words=False, break_on_hyphens=False)
