"""What section 5.1 of the paper reads in its figures, each sentence beside what our runs say."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from experiments.psro.games import COMMON_PAYOFF, GENERAL_SUM, PSRO_GAMES, TITLED
from experiments.psro.ranks import Games, Runs, better_than, chance_of_ranks, final, rank_table, scores, value_at

DYNAMICS = ("adidas", "regret-matching", "prd")
BARGAINING = ("nbs", "nbs-joint", "social-welfare")
EQUILIBRIA = ("mgce", "mgcce", "mnce", "mncce", "mwce", "mwcce", "mece", "mecce")
SURE, LIKELY = 0.05, 0.2  # by chance
#: What the first runs of this experiment found; those runs were made again.
MENDED = (
    " The first runs of this experiment did fail: MG(C)CE of four-player Kuhn poker came with a note, and α-rank broke"
    " off in both common-payoff games. Both were mended, and these runs made again."
)


@dataclass(frozen=True)
class Reading:
    """A sentence of the paper, what we see, and whether that is the same."""

    paper: str
    ours: str
    verdict: str


def readings(games: Mapping[str, Any]) -> Iterator[Reading]:
    """All that can be said of the runs that are there: game -> oracle -> solver -> runs."""
    exact = {game: found["exact"] for game, found in games.items() if len(found.get("exact", {})) == 16}
    competitive = {game: exact[game] for game in exact if PSRO_GAMES[game].kind not in (COMMON_PAYOFF, GENERAL_SUM)}
    if exact:
        yield faster_than_uniform(exact)
    if competitive:
        yield good_defaults(competitive)
        yield surprisingly_good(competitive)
        yield unstable(exact)
    single: dict[str, Callable[[Mapping[str, Any]], list[Reading]]] = {"sheriff": sheriff, "tiny-bridge": tiny_bridge}
    for game, read in single.items():
        for oracle, solvers in games.get(game, {}).items():
            if len(solvers) == 16:
                yield from read({"oracle": oracle, "solvers": solvers})
    both = games.get("leduc-3", {})
    if "dqn" in both and "exact" in both:
        yield order_of_magnitude(both)


def faster_than_uniform(games: Games) -> Reading:
    """All games, all solvers."""
    others = [one for one in next(iter(games.values())) if one != "uniform"]
    counts = {one: better_than(games, one, "uniform") for one in others}
    won, played = (sum(count[k] for count in counts.values()) for k in (0, 1))
    sure = [one for one, (better, all_, p) in counts.items() if p < SURE and better * 2 > all_]
    surest = [one for one in sure if counts[one][2] < SURE / len(others)]
    most = sum(better * 2 > all_ for better, all_, _ in counts.values())
    ours = (
        f"{most} of {len(others)} solvers are better in most games; of all pairs of a solver and a game {won} of "
        f"{played}. By a sign test over {len(games)} games: {code(sure) or 'none'} (p < .05 each; "
        f"corrected for {len(others)} tests: {code(surest) or 'none'})."
    )
    return Reading("Most solvers reduce NashConv faster than uniform.", ours, yes(most * 2 > len(others), bool(surest)))


def good_defaults(games: Games) -> Reading:
    """ADIDAS, regret matching, PRD in competitive games."""
    mean, chance = chance_of_ranks(games, DYNAMICS)
    solvers, area = rank_table(games, "area")
    order = sorted(solvers, key=lambda one: area.mean(axis=0)[solvers.index(one)])
    ours = (
        f"Their mean rank is {mean:.1f} of 16 (8.5 is average); {100 * chance:.0f} % of all trios of solvers do as "
        f"well. The best three by mean rank: {code(order[:3])}."
    )
    return Reading(
        "ADIDAS, regret matching and PRD are good defaults in competitive games.",
        ours,
        yes(chance < LIKELY, chance < SURE),
    )


def surprisingly_good(games: Games) -> Reading:
    """Equilibria in competitive games."""
    mean, chance = chance_of_ranks(games, EQUILIBRIA)
    counts = [better_than(games, one, "uniform") for one in EQUILIBRIA]
    ours = (
        f"The eight have the mean rank {mean:.1f}; {100 * chance:.1f} % of all choices of eight do as well. They beat "
        f"uniform in {sum(count[0] for count in counts)} of {sum(count[1] for count in counts)} cases."
    )
    return Reading(
        "The correlated equilibria are surprisingly good in competitive games.",
        ours,
        yes(chance < LIKELY, chance < SURE),
    )


def unstable(games: Games) -> Reading:
    """Whether anything fails."""
    runs = [run for solvers in games.values() for one in EQUILIBRIA for run in solvers[one]]
    short = sum(not run["over"] for run in runs)
    noted = sum(bool(run["notes"]) for run in runs)
    least = min((len(run["columns"]["nash_conv"]) for run in runs if not run["over"]), default=0)
    stopped = f" {short} were stopped by their time, the first after {least} iterations." if short else ""
    ours = f"None of these {len(runs)} runs failed; in {noted} an answer came with a note.{stopped}{MENDED}"
    return Reading("They can become unstable and even fail as the empirical game grows.", ours, "no failure here")


def sheriff(about: Mapping[str, Any]) -> list[Reading]:
    """NashConv and welfare."""
    solvers, oracle = about["solvers"], about["oracle"]
    found = scores(solvers)
    order = sorted(found, key=lambda one: found[one]["area"])
    places = {one: order.index(one) + 1 for one in ("regret-matching", "prd")}
    welfare = {one: final(runs, "social_welfare") for one, runs in solvers.items()}
    most = max(welfare.values())
    rest = [value for one, value in welfare.items() if one not in (*BARGAINING, "mnce", "mncce")]
    high = [one for one in BARGAINING if welfare[one] > max(rest)]
    first = (
        f"{TITLED[oracle]} oracles: places {places['regret-matching']} and {places['prd']} of 16 by area; the best are "
        f"{code(order[:3])}."
    )
    second = (
        f"{TITLED[oracle]} oracles: {', '.join(f'`{one}` {welfare[one]:.2f}' for one in BARGAINING)}; the others have "
        f"{min(rest):.2f} to {max(rest):.2f}, their median is {statistics.median(rest):.2f}; the most is {most:.2f}."
    )
    return [
        Reading("Sheriff: NashConv is noisy, RM and PRD do best.", first, yes(max(places.values()) <= 4, True)),
        Reading(
            "Sheriff: bargaining and social welfare reach far more welfare.",
            second,
            yes(len(high) >= 2, len(high) == 3),
        ),
    ]


def tiny_bridge(about: Mapping[str, Any]) -> list[Reading]:
    """Welfare."""
    solvers, oracle = about["solvers"], about["oracle"]
    named = ("nbs", "nbs-joint", "social-welfare", "regret-matching", "prd", "mnce", "mncce")
    welfare = {one: final(runs, "social_welfare") for one, runs in solvers.items()}
    most = max(welfare.values())
    near = sorted((one for one in welfare if welfare[one] >= most - 0.01 * abs(most)), key=lambda one: -welfare[one])
    hits = sum(one in named for one in near)
    ours = (
        f"{TITLED[oracle]} oracles: the most is {most:.2f}; within 1 % of it are {code(near)}: {hits} of the paper's "
        f"seven, {len(near) - hits} of the other nine."
    )
    return [
        Reading(
            "Tiny bridge: nearest to the best are NBS, NBS joint, social welfare, RM, PRD and MN(C)CE.",
            ours,
            yes(hits / 7 > (len(near) - hits) / 9, hits >= 6 and len(near) - hits <= 2),
        )
    ]


def order_of_magnitude(oracles: Mapping[str, Any]) -> Reading:
    """Exact against DQN oracles in three-player Leduc poker: at the end of both, and after as many iterations."""
    dqn, exact = oracles["dqn"], oracles["exact"]
    both = [one for one in dqn if one in exact]
    short = min(len(run["columns"]["nash_conv"]) for one in both for run in (*dqn[one], *exact[one]))
    whole = [one for one in both if all(run["over"] for run in exact[one])]
    at_end = sorted(final(dqn[one]) / max(final(exact[one]), 1e-9) for one in whole)
    early = sorted(after(dqn[one], short) / max(after(exact[one], short), 1e-9) for one in both)
    ours = (
        f"NashConv at the end is {statistics.median(at_end):.1f} times as large with DQN oracles (median of the "
        f"{len(whole)} solvers whose exact runs met no limit, {at_end[0]:.1f} to {at_end[-1]:.1f}), where exact runs "
        f"have ten times as many iterations. After {short} iterations of both it is {statistics.median(early):.1f} "
        f"times as large (all {len(both)}, {early[0]:.1f} to {early[-1]:.1f})."
    )
    return Reading(
        "Three-player Leduc: exact oracles reach a tenth of the NashConv of DQN.", ours,
        yes(statistics.median(at_end) > 5, at_end[0] > 5),
    )  # fmt: skip


def after(runs: Runs, iteration: int) -> float:
    """NashConv after some iterations, the mean over seeds."""
    return statistics.fmean(value_at(run, iteration) for run in runs)


def code(names: list[str]) -> str:
    """As a list."""
    return ", ".join(f"`{name}`" for name in names)


def yes(holds: bool, surely: bool) -> str:
    """In a word."""
    return ("yes" if surely else "yes, weakly") if holds else "no"
