"""The report of the Leodopoly experiments: numbers in, Markdown out. Every number of ours comes from `results`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from experiments.lab import assemble, command, versions
from experiments.markdown import share, table, text

Row = Mapping[str, Any]
PRESETS = ("published", "text", "corrected")
#: line-up -> percent of wins in the dissertation
SAID: Mapping[str, tuple[int, ...]] = {
    "greedy / tight / optimal": (29, 25, 46),
    "optimal / random-tester-1 / tight": (45, 39, 16),
    "optimal / random-tester-1 / greedy": (53, 24, 23),
    "optimal / random-tester-1 / random-tester-2": (48, 11, 41),
    "optimal / random-tester-3 / random-tester-1": (55, 20, 25),
}
FEW = 1000  # games of each of its tests


def report(options: Any, results: dict[str, Any], codes: Sequence[str]) -> str:
    """All of it."""
    sections: dict[str, Callable[[Any, Any], list[str]]] = {
        "tables": tables, "round1": round1, "rounds": rounds, "tuning": tuning, "tuned": tuned, "search": search,
    }  # fmt: skip
    body = assemble(head(options, codes), sections, options, results)
    if {"tables", "round1", "rounds"} <= set(results):
        body += "\n" + "\n\n".join(conclusions(results)) + "\n"
    return body


def head(options: Any, codes: Sequence[str]) -> list[str]:
    """What this is, and how it was made."""
    o = options
    warning = ["**A smoke test with tiny numbers: nothing below means anything.**"] if o.quick else []
    return ["# Leodopoly", *warning, text(
        "The tests of Khan, *AI for Board Games* (University of Leeds, 2019), chapter 7 and appendix C, anew, and what "
        "lies beyond them.",
    ), text(
        f"Made by `{command('leodopoly', o)}`, seed {o.seed}, with Parlor {', '.join(codes)}; {versions()}.",
    ), text(
        "Numbers are percent of games won, with 95 % intervals by deals of the dice: each sequence of dice is played "
        "from every seat, and all orders around the table take part. `published` plays as the dissertation's code "
        "does, `text` as its text says, `corrected` is ours; see [the rules](../../docs/leodopoly.md). "
        "In the first two a tie is nobody's win, so that the numbers of a table need not add up to 100. The "
        f"dissertation says that it shows the worst of several runs of {FEW:,} games; with so few games an interval is "
        "about ± 3 wide, and it printed no intervals.",
    )]  # fmt: skip


# ------------------------------------------------------------------------------------------------------------- tables


def tables(options: Any, result: Mapping[str, Row]) -> list[str]:
    """The five tables."""
    rows = []
    inside = apart = 0
    for lineup, found in result.items():
        other = found.get("other greedy")
        for i, name in enumerate(lineup.split(" / ")):
            said = SAID[lineup][i]
            ours = found["published"]["players"][i]
            close = within(said, ours, FEW)
            inside, apart = inside + close, apart + (not close)
            rows.append([
                f"**{lineup}**" if i == 0 else "", f"`{name}`", str(said), share(found["as few"]["players"][i]),
                share(ours) + ("" if close else " (differs)"),
                share(other["players"][i]) if other else "–",
                *(share(found[preset]["players"][i]) if preset in found else "–" for preset in PRESETS[1:]),
            ])  # fmt: skip
    columns = ["table", "strategy", "dissertation", "as few games", "published", "greedy=text", *PRESETS[1:]]
    return ["## Its five tables", text(
        f"Figure 7.14 and the last two tables of appendix C: the dissertation's number; ours from as many games as it "
        f"had ({options.published_games:,}); ours from {options.games:,}: in its published rules, in these with the "
        "numbers that its text gives the greedy strategy, and in the two other presets. Of "
        f"{inside + apart} published numbers, {inside} lie within the 95 % interval of {FEW:,} games around ours; "
        f"{apart} do not, and are marked. Our games in published rules are those of its code, decision by decision "
        f"(`tests/games/leodopoly/test_leodopoly_published.py`), so that these {apart} were not made by the printed "
        f"code, or not "
        "by the strategies that are named.",
    ), table(columns, rows)]  # fmt: skip


def within(said: float, ours: Mapping[str, float], games: int) -> bool:
    """Whether a percentage, rounded, from so many games could come from the share that we find."""
    p = ours["value"]
    reach = 196 * (p * (1 - p) / games) ** 0.5 + 50 * (ours["high"] - ours["low"]) + 0.5
    return abs(said - 100 * p) <= reach


# ------------------------------------------------------------------------------------------------------------- rounds


def round1(options: Any, result: Mapping[str, Mapping[str, Row]]) -> list[str]:
    """Figures 7.1 to 7.3."""
    rows = []
    for figure, lineups in result.items():
        for lineup, found in lineups.items():
            names = lineup.split(" / ")
            alike = len(set(names)) == 1
            for preset in PRESETS:
                players = found[preset]["players"]
                first = [share(player) for player in players]
                both = "–" if alike else share(found[preset]["first two"])
                rows.append([figure, lineup, preset, *first, both])
    return ["## Round 1: the three boundaries", text(
        f"Four players, {options.sweep_games:,} games for each row. The last column adds the two players with the same "
        "strategy on the left. Players with the same strategy must have the same share: where the dissertation's "
        "graphs show one of two equal players ahead of the other, that is luck of the dice or of the order.",
    ), table(["figure", "players", "preset", "1", "2", "3", "4", "1 and 2"], rows)]  # fmt: skip


def rounds(options: Any, result: Sequence[Row]) -> list[str]:
    """Figures 7.4 to 7.13 and the graphs of appendix C."""
    parts = ["## Rounds 2 to 9: one parameter after the other", text(
        "Two players with the strategy that is being improved against two of another one: what the first two win "
        f"together, {options.sweep_games:,} games for each number, and in published rules also from "
        f"{options.published_games:,} games, as the dissertation had. Its graphs have no numbers; it names the value "
        "it took forward, which is marked *. The strategy has the values taken forward before (where the "
        "dissertation's list of players differs from that, as in rounds 4 to 9, we follow what it says was taken "
        "forward). Bold: the best of the column, or not to be told apart from it by their intervals.",
    )]  # fmt: skip
    for sweep in result:
        columns = {preset: {v: row[preset]["first two"] for v, row in sweep["rows"].items()} for preset in PRESETS}
        columns["as few"] = {v: row["as few"]["first two"] for v, row in sweep["rows"].items()}
        lines = []
        for value in sweep["rows"]:
            mark = "\\*" if float(value) == sweep["forward"] else ""
            cells = [cell(column, value) for column in columns.values()]
            lines.append([value + mark, cells[3], *cells[:3]])
        parts += [f"**`{sweep['name']}` against two `{sweep['against']}`** (figures {sweep['figures']})",
                  table([sweep["name"], "published, as few games", *PRESETS], lines)]  # fmt: skip
    return parts


def cell(column: Mapping[str, Mapping[str, float]], value: str) -> str:
    """A share, bold if it is among the best of its column."""
    words = share(column[value])
    return f"**{words}**" if value in best(column) else words


def best(column: Mapping[str, Mapping[str, float]]) -> set[str]:
    """The values whose shares cannot be told apart from the highest."""
    top = max(column.values(), key=lambda found: found["value"])
    return {value for value, found in column.items() if found["high"] >= top["low"]}


# -------------------------------------------------------------------------------------------------------------- tuned


def tuning(options: Any, result: Mapping[str, Row]) -> list[str]:
    """CMA-ES beside one parameter after the other."""
    rows = []
    for preset, found in result.items():
        looked = {search["method"]: search for search in found["searches"]}
        for row in found["report"][0]["rows"]:
            for method in row["from"]:
                search = looked.get(method)
                rows.append([
                    preset, method, share(row["score"]), share(row["gain"]) if row["gain"] else "–",
                    f"{search['candidates']:,}" if search else "–", f"{search['games']:,}" if search else "–",
                ])  # fmt: skip
    return ["## Tuning", text(
        "`parlor tune` from the published optimum, all sixteen parameters: CMA-ES, and the dissertation's way, one "
        f"parameter after the other over a grid; {options.tune_games:,} games each, against the seven published "
        "strategies and what was found on the way. Scores are win shares at tables with two of the seven, on dice that "
        "neither search has seen; a tie is split. *More* is against the start, on the same dice.",
    ), table(["preset", "found by", "score", "more than the start", "candidates", "games"], rows), text(
        "The numbers of `tuned` come from longer runs of the same kind, one for each preset: `parlor tune "
        "'leodopoly(preset=PRESET)' strategy --against tight greedy optimal random-tester-1 random-tester-2 "
        "random-tester-3 irrational --games 3000000 --games-each 1200 --final-games 20000`.",
    )]  # fmt: skip


def tuned(options: Any, result: Mapping[str, Mapping[str, Row]]) -> list[str]:
    """At one table with each two of the published ones."""
    rows, failed = [], []
    for preset, pairs in result.items():
        for pair, found in pairs.items():
            mine, *others = found["players"]
            names = pair.split(" / ")
            ahead = mine["low"] > max(other["high"] for other in others)
            if not ahead:
                failed.append(f"{pair} in {preset}")
            shown = " / ".join(f"`{name}` {share(other)}" for name, other in zip(names, others, strict=True))
            rows.append([preset, share(mine), shown, "yes" if ahead else "**no**"])
    number = sum(map(len, result.values()))
    verdict = (
        f"In all {number} line-ups the lower end of its interval lies above the upper ends of both others."
        if not failed
        else f"In {number - len(failed)} of {number} line-ups the lower end of its interval lies above the upper ends "
        f"of both others; not so with {'; '.join(failed)}."
    )
    return ["## The tuned strategy", text(
        f"`tuned` at one table with each two of the seven published strategies, {options.pair_games:,} games each, on "
        f"dice that the tuner has never seen. {verdict}",
    ), table(["preset", "`tuned`", "the others", "ahead of both"], rows)]  # fmt: skip


def search(options: Any, result: Mapping[str, Row]) -> list[str]:
    """At one table with the tuned strategy."""
    rows = []
    for name, found in result.items():
        preset, _, lineup = name.partition(": ")
        agent, *others = lineup.split(" / ")
        mine, *theirs = found["players"]
        pairs = zip(others, theirs, strict=True)
        shown = " / ".join(f"`{other}` {share(their)}" for other, their in pairs)
        milliseconds = 1000 * found["seconds"] / found["games"]
        rows.append([preset, f"`{agent}`", share(mine), shown, f"{found['games']:,}", f"{milliseconds:.0f}",
                     verdict(ahead(mine, theirs))])  # fmt: skip
    return ["## Search", text(
        "Search at one table with the tuned strategy, which also plays its simulated games to the end. The second last "
        f"column is milliseconds a game, {options.threads} games at a time. The searches take everybody to play as "
        "`tuned` does: they are to be judged with two of it at the table. With `optimal` there they plan for moves "
        "that it does not make.",
    ), table(["preset", "search", "wins", "the others", "games", "ms", "ahead of both"], rows)]  # fmt: skip


# -------------------------------------------------------------------------------------------------------- conclusions


def conclusions(results: Mapping[str, Any]) -> list[str]:
    """What the dissertation concludes, and whether it holds."""
    first = results["round1"]
    rows = [
        ["Irrational loses to tight and to greedy (7.2)", *(verdict(loses(first["7.2"], p)) for p in PRESETS)],
        ["Greedy beats tight (7.3)", *(verdict(greedy(first["7.3"], p)) for p in PRESETS)],
    ]
    for sweep in results["rounds"]:
        cells = []
        for preset in PRESETS:
            column = {v: row[preset]["first two"] for v, row in sweep["rows"].items()}
            among, taken = best(column), f"{sweep['forward']:g}"
            alike = "no value is better than another" if len(among) == len(column) else ""
            cells.append(alike or ("yes" if taken in among else f"no: {', '.join(sorted(among, key=float))}"))
        rows.append([f"{sweep['name']} = {sweep['forward']:g} is best against {sweep['against']} "
                     f"({sweep['figures']})", *cells])  # fmt: skip
    for lineup, found in results["tables"].items():
        mine = lineup.split(" / ").index("optimal")
        cells = []
        for preset in PRESETS:
            players = found[preset]["players"]
            others = [player for i, player in enumerate(players) if i != mine]
            cells.append(verdict(ahead(players[mine], others)))
        rows.append([f"Optimal wins at the table {lineup}", *cells])
    return ["## Which conclusions survive", text(
        "Each conclusion of the dissertation under its own rules, with enough games, and under the two others. *yes* "
        "and *no* are by 95 % intervals; *open* means that they overlap. For a parameter: whether the value taken "
        "forward is among those that cannot be told apart from the best; if not, which are.",
    ), table(["conclusion", *PRESETS], rows)]  # fmt: skip


def loses(lineups: Mapping[str, Row], preset: str) -> int:
    """Whether the two irrational players win less than the two others in both line-ups."""
    found = [ahead(row[preset]["players"][0], row[preset]["players"][2:]) for row in lineups.values()]
    return min(found)


def greedy(lineups: Mapping[str, Row], preset: str) -> int:
    """Whether greedy players win more than tight ones."""
    players = next(iter(lineups.values()))[preset]["players"]
    return ahead(players[2], players[:2])


def ahead(mine: Mapping[str, float], others: Sequence[Mapping[str, float]]) -> int:
    """1 if a share is above all others, -1 if one of them is above it, 0 if that cannot be told."""
    if mine["low"] > max(other["high"] for other in others):
        return 1
    return -1 if mine["high"] < max(other["low"] for other in others) else 0


def verdict(found: int) -> str:
    """In a cell."""
    return {1: "yes", 0: "open", -1: "no"}[found]
