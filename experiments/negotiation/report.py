"""The report of the tournament of negotiators: numbers in, Markdown out. Every number of ours comes from `results`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.lab import assemble, command, versions
from experiments.markdown import table, text
from experiments.negotiation.selection import best_first
from parlor.runs.figures import COLOURS, new_sheet

#: Tables 6 to 8 of the paper: what the row gets from the column, what both get, the product of what they get.
NAMES = ("IndRL", "Comp1", "Comp2", "Coop", "Fair")
PAPER = {
    "payoff": (
        (4.85, 4.98, 5.02, 7.05, 6.96), (3.75, 4.97, 4.66, 7.19, 6.70), (3.20, 5.30, 5.04, 6.84, 6.86),
        (5.63, 4.43, 4.32, 6.67, 6.64), (5.47, 4.43, 4.19, 6.59, 6.52),
    ),
    "welfare": (
        (9.70, 8.73, 8.22, 12.68, 12.42), (8.73, 9.94, 9.96, 11.62, 11.12), (8.22, 9.96, 10.09, 11.16, 11.05),
        (12.68, 11.62, 11.16, 13.34, 13.22), (12.42, 11.12, 11.05, 13.22, 13.05),
    ),
    "product": (
        (23.48, 18.69, 16.05, 39.66, 38.02), (18.69, 24.70, 24.68, 31.84, 29.63), (16.05, 24.68, 25.44, 29.57, 28.73),
        (39.66, 31.84, 29.57, 44.51, 43.70), (38.02, 29.63, 28.74, 43.70, 42.56),
    ),
}  # fmt: skip
TABLES = {
    "payoff": ("Table 6", "What the row gets from the column"),
    "welfare": ("Table 7", "What both get together"),
    "product": ("Table 8", "The product of what both get on average"),
}
#: The agents that the paper chose.
CHOSEN = {
    "Comp1": "mgce, inequity, SP", "Comp2": "mgcce, own, SP", "Coop": "uniform, nash-product, RP",
    "Fair": "mgce, nash-product, RP",
}  # fmt: skip
#: Options that `--paper` sets, if they are not given, and what they are without it.
USUAL = {"episodes": 5_000, "simulations": 64, "entries": 200, "rational": 64, "exploit_episodes": 5_000}
TABLE_5 = {"episodes": 10_000, "simulations": 300, "entries": 200, "rational": 300, "exploit_episodes": 10_000}
PEOPLE, MOST = 13.86, 15.06  # welfare: what people reach among themselves, and the most there is on average
LABELS = {"episodes": "games that a response learns from", "simulations": "simulations of a search"}
TOP = 8  # rows of a ranking
SOME = ("backend", "address")  # options on which no result depends


def report(options: Any, results: dict[str, Any], codes: Sequence[str]) -> str:
    """All of it."""
    sections: dict[str, Callable[[Any, Any], list[str]]] = {
        "train": training, "pool": pool, "select": selection, "tables": tables, "exploit": exploit,
        "curve": curve,
    }  # fmt: skip
    return assemble(head(options, codes), sections, options, results)


def head(options: Any, codes: Sequence[str]) -> list[str]:
    """What this is, and how it was made."""
    o = options
    warning = ["**A smoke test with tiny numbers: nothing below means anything.**"] if o.quick else []
    return ["# A tournament of agents that negotiate", *warning, text(
        "Section 5.3.2 and appendix E.2 of Li et al., *Combining tree-search, generative models, and Nash bargaining "
        "concepts in game-theoretic reinforcement learning* (2023), anew: PSRO runs on Deal or No Deal whose oracle is "
        f"search with learned values, policies and beliefs. {count(len(o.solvers), 'meta-solver')} × "
        f"{count(len(o.backups), 'value')} that search backs up × two agents of each run, self-posterior (SP) and "
        "rational planning (RP), and DQN in self-play (IndRL) play every pair; from that empirical game four are "
        "chosen.",
    ), text(
        f"Made by `{made_by(o)}`, with Parlor {', '.join(codes)}; "
        f"{versions()}. A run has {count(o.iterations, 'iteration')}; a response learns from {o.episodes:,} games with "
        f"{o.simulations} simulations of each search, an entry of the run's empirical game has {o.entries} games, "
        f"rational planning has {o.rational} simulations. "
        f"{'All other settings are those of table 5.' if o.paper else PAPER_HAS} Intervals are 95 %.",
    )]  # fmt: skip


def made_by(options: Any) -> str:
    """The command that makes the same report; what the paper's preset says is not said again."""
    plain = type(options)()
    same = dataclasses.replace(options, **{name: getattr(plain, name) for name in SOME})
    return command("negotiation", options if options.quick else same)


PAPER_HAS = "Table 5 of the paper has 10,000 games, 300 simulations and 200 games of an entry: `--paper`."


def training(options: Any, result: Mapping[str, Any]) -> list[str]:
    """The runs: what both players get in the mixture that each has found."""
    runs = result["runs"]
    by = {(run["solver"], run["backup"]): run for run in runs.values()}
    rows = [
        [f"`{solver}`", *(mixture_of(by.get((solver, backup))) for backup in options.backups)]
        for solver in options.solvers
    ]
    spent = sum(sum(run["seconds"].values()) for run in runs.values())
    failed = [f"{name} failed, and is left out: {said}" for name, said in result["failed"].items()]
    return ["## The runs", text(
        "What both players get together in the mixture that a run has found, by the games of its empirical game. "
        f"{len(runs)} runs took {minutes(result['wall'])} with "
        f"{count(result['threads'], 'worker')}, DQN included; {minutes(spent)} if one did all of them.",
    ), table(["welfare", *(f"`{backup}`" for backup in options.backups)], rows), *map(text, failed)]  # fmt: skip


def mixture_of(run: Mapping[str, Any] | None) -> str:
    """The welfare of a run's last mixture."""
    return "–" if run is None else f"{run['welfare'][-1]:.2f}"


def pool(options: Any, result: Mapping[str, Any]) -> list[str]:
    """Who gets the most from everybody."""
    rows = [
        [f"{place}", row["agent"], f"{row['payoff']:.2f} ± {row['half_width']:.2f}", f"{row['other']:.2f}",
         f"{row['welfare']:.2f}", f"{row['itself']:.2f}"]
        for place, row in enumerate(result["against_all"], 1)
        if place <= TOP or row["agent"] == "IndRL"
    ]  # fmt: skip
    left = [f"Left out, because games failed: {sentence}" for sentence in result["failures"]]
    return ["## The pool", text(
        f"{result['agents']} agents; {result['games']:,} games in {minutes(result['wall'])}, {options.games} of each "
        f"pair, every deal from both seats. The best against all of them alike. `parlor empirical-game "
        f"{result['file']}` has every pair.",
    ), table(["", "agent", "gets", "the others", "together", "with itself"], rows), *map(text, left)]  # fmt: skip


def selection(options: Any, result: Mapping[str, Any]) -> list[str]:
    """The rankings by which agents are chosen."""
    chosen = result["chosen"]
    lines = ["## Who is chosen", text(
        "An agent's score is its expected payoff against the equilibrium of a meta-solver in the empirical game: of "
        "payoffs, of welfare, of products and of negative differences of the mean payoffs of a pair. Chosen are those "
        "with the best mean place, Fair from the half of the pool with whom both get more together: whoever never "
        "agrees is always equal, at nothing. *Again* is how often the place would be among the best if payoffs were "
        "drawn anew within their errors, by the rankings that are quick to compute.",
    ), table(["", "here", "in the paper", "gets from the pool", "place there"], [
        [name, agent, CHOSEN.get(name, "–"), f"{row['payoff']:.2f} ± {row['half_width']:.2f}", f"{row['place']}"]
        for name, agent in chosen.items() for row in [result["pool"][agent]]])]  # fmt: skip
    for name, ranked in result["criteria"].items():
        rows = []
        for agent in best_first(ranked)[:TOP]:
            row = ranked["agents"][agent]
            called = [key for key, one in chosen.items() if one == agent]
            shown = [f"{place} ({score:.2f})" for place, score in zip(row["places"], row["scores"], strict=True)]
            rows.append([", ".join([agent, *called]), f"{row['mean_place']:.1f}", *shown, f"{row['chosen']:.0%}"])
        lines += [f"### {name.capitalize()}", table(["agent", "mean place", *ranked["rankings"], "again"], rows)]
    seats = "\n".join(f"- {name}: `{agent}`" for name, agent in result["written"].items())
    return [*lines, "They are kept in folders of their own:", seats]


def tables(options: Any, result: Mapping[str, Any]) -> list[str]:
    """Tables 6 to 8, and what was to be reached."""
    lines = ["## The chosen agents among themselves", text(
        f"{result['games']:,} games of each pair, other ones than those by which they were chosen, in "
        f"{minutes(result['wall'])}. In brackets: the paper's.",
    )]  # fmt: skip
    for key, (title, what) in TABLES.items():
        lines += [f"### {title}: {what[0].lower()}{what[1:]}", cross_table(result, key)]
    lines += ["### Game by game", text(
        "The mean difference between the two, and the mean product, which is another number than the product of means.",
    ), cross_table(result, "difference"), cross_table(result, "product of games")]  # fmt: skip
    return [*lines, *bars(result)]


def cross_table(result: Mapping[str, Any], key: str) -> str:
    """A number of each pair with its interval, and the paper's."""
    names, paper = result["names"], PAPER.get(key)
    rows = []
    for i, name in enumerate(names):
        row = [name]
        for j, other in enumerate(names):
            mean, width = abs(result[key]["mean"][i][j]), result[key]["half_width"][i][j]
            theirs = f" ({paper[NAMES.index(name)][NAMES.index(other)]:.2f})" if paper else ""
            row.append(f"{mean:.2f} ± {width:.2f}{theirs}")
        rows.append(row)
    return table(["", *names], rows)


def bars(result: Mapping[str, Any]) -> list[str]:
    """Whether welfare among one's own kind reaches the paper's, and what people reach."""
    names, rows = result["names"], []
    for name, paper in (("Fair", 13.05), ("Coop", 13.34)):
        if name in names:
            i = names.index(name)
            mean, width = result["welfare"]["mean"][i][i], result["welfare"]["half_width"][i][i]
            rows.append([f"{name} with {name}", f"{mean:.2f} ± {width:.2f}", *(
                f"{bar:.2f}: {verdict(mean, width, bar)}" for bar in (paper, PEOPLE))])  # fmt: skip
    return ["### What was to be reached", text(
        f"Welfare among one's own kind; the most there is, knowing all values, is {MOST} on average.",
    ), table(["", "here", "the paper", "people"], rows)]  # fmt: skip


def exploit(options: Any, result: Mapping[str, Any]) -> list[str]:
    """Figure 13."""
    rows = [
        [name, f"{one['itself']:.2f}", f"{one['won']:.2f} ± {one['won_half_width']:.2f}",
         f"{one['nash_conv']:.2f} ± {one['half_width']:.2f}"]
        for name, one in result.items()
    ]  # fmt: skip
    return ["## What can be won from them (figure 13)", "![Approximate NashConv](figure13.svg)", text(
        "An approximate best response by search with uniform beliefs, which never infers the other's values, learns "
        f"from {options.exploit_episodes:,} games against an agent: against the members of a population as they are "
        "mixed; against an agent that searches, with the policies that its newest networks have learned from search. "
        "Then it plays the agent itself. Approximate NashConv is what it gets more than the agent gets from itself, "
        "in both seats together; a better response may win more.",
    ), table(["", "gets from itself", "the response gets", "approximate NashConv"], rows)]  # fmt: skip


def curve(options: Any, result: Mapping[str, Any]) -> list[str]:
    """What more games and simulations bring."""
    rows = [
        [row["run"], row["kind"], f"{row['episodes']:,}", f"{row['simulations']}", minutes(row["seconds"]),
         f"{row['welfare']:.2f} ± {row['width']:.2f}", f"{row['payoff']:.2f} ± {row['payoff_width']:.2f}"]
        for row in result["rows"]
    ]  # fmt: skip
    figure = "![Welfare by games and simulations](curve.svg)"
    return ["## What more games and simulations bring", figure, text(
        "Two of the runs again, with fewer and more games that a response learns from, and fewer and more simulations "
        "of a search, also of rational planning. Welfare is with the agent's own kind; what it gets is against all "
        f"agents of this table alike, {result['games']:,} games of each pair. Time is of one process.",
    ), table(["run", "agent", "games", "simulations", "time", "welfare", "gets"], rows)]  # fmt: skip


def draw(path: Path, result: Mapping[str, Any]) -> None:
    """Figure 13: a bar for each agent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_sheet(path) as [axes]:
        heights, widths = ([one[key] for one in result.values()] for key in ("nash_conv", "half_width"))
        axes.bar(list(result), heights, yerr=widths, color=COLOURS[0], width=0.6, capsize=4)
        axes.set(ylabel="approximate NashConv")


def draw_curve(path: Path, rows: Sequence[Mapping[str, Any]], usual: Mapping[str, int]) -> None:
    """Welfare by games to learn from, and by simulations: one number changes, the other is the usual one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_sheet(path, 2) as sheet:
        for axes, x, other in zip(sheet, ("episodes", "simulations"), ("simulations", "episodes"), strict=True):
            for i, (run, kind) in enumerate(dict.fromkeys((row["run"], row["kind"]) for row in rows)):
                some = [row for row in rows if (row["run"], row["kind"], row[other]) == (run, kind, usual[other])]
                points = ([row[key] for row in some] for key in (x, "welfare", "width"))
                axes.errorbar(*points, color=COLOURS[i], marker="o", capsize=3, label=f"{run}, {kind}")
            axes.set(xscale="log", xlabel=LABELS[x], ylabel="welfare with its own kind")
        sheet[0].legend(fontsize="small")


def verdict(mean: float, width: float, bar: float) -> str:
    """Whether a bar is reached, and whether that is sure."""
    sure = abs(mean - bar) > width
    return f"{'reached' if mean >= bar else 'not reached'}{'' if sure else ', within the interval'}"


def count(number: int, what: str) -> str:
    """So many of something."""
    return f"{number:,} {what}{'s' if number != 1 else ''}"


def minutes(seconds: float) -> str:
    """A time for people."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min" if seconds < 7200 else (
        f"{seconds / 3600:.1f} h"
    )  # fmt: skip
