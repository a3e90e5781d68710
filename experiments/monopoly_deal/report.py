"""The report of the Monopoly Deal experiments: numbers in, Markdown out. Every number of ours comes from `results`."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from typing import Any

from scipy import stats

from experiments.lab import assemble, command, versions
from experiments.markdown import table, text
from parlor.arena.statistics import Estimate

STARTS = {"first": "agent first", "alternating": "alternating"}
#: opponent/start -> the paper, its public code, the same with its two rollout defects mended
BEFORE = {
    "random/first": ("≈ 1.00", "–", "–"),
    "random/alternating": ("≈ 1.00", ".973, .983", ".984 – .988"),
    "risk-aware/first": ("≈ .75", ".825, .864", ".89 – .90"),
    "risk-aware/alternating": ("–", ".763, .804", ".84 – .85"),
}
#: figure 5: the first is preferred to the second, as the paper reads it
PREFERRED = (
    *(("JustSayNo", "GiveOpponentProperty"), ("GiveOpponentCash", "GiveOpponentProperty")),
    *(("AddToPropertySet", "Cash"), ("CompletePropertySet", "Cash")),
)
Rows = list[dict[str, Any]]


def report(options: Any, results: dict[str, Any], codes: Sequence[str]) -> str:
    """All of it."""
    sections: dict[str, Callable[[Any, Any], list[str]]] = {
        "a": paper_rules, "b": standard_rules, "c": figures, "d": finer, "e": tiny, "f": ablations,
    }  # fmt: skip
    return assemble(head(options, codes), sections, options, results)


def head(options: Any, codes: Sequence[str]) -> list[str]:
    """What this is, and how it was made."""
    o = options
    warning = ["**A smoke test with tiny numbers: nothing below means anything.**"] if o.quick else []
    return ["# Monopoly Deal", *warning, text(
        "The training run of Wolf, *Monopoly Deal: a benchmark environment for bounded one-sided response games* "
        "(2025), anew, and what lies beyond it.",
    ), text(
        f"Made by `{command('monopoly_deal', o)}`, seeds 1 to {o.seeds}, with Parlor {', '.join(codes)}; "
        f"{versions()}.",
    ), text(
        f"Unless said otherwise: {o.games:,} games of self-play, {o.rollouts} rollouts for each action, a ring of 10 "
        "policies, 10 % exploration, the intent abstraction and its greedy resolver, all as in the paper, and its "
        "code's decay of regrets by .99. Runs are `batch-ordered`, ten games at a time, which can be repeated to the "
        "bit; the paper's were unordered on 8 cores. Win rates are wins divided by games, of "
        f"{o.evaluate:,} games for each seed and start; with alternating start every deal is played twice, with the "
        "seats exchanged. Intervals (±) are 95 % intervals of the mean over seeds by Student's t, unless they are said "
        "to be of games.",
    )]  # fmt: skip


# ------------------------------------------------------------------------------------------------------- the sections


def paper_rules(options: Any, rates: dict[str, list[float]]) -> list[str]:
    """Part a."""
    rows = [[*who(name), over_seeds(values), each(values), *BEFORE[name]] for name, values in rates.items()]
    columns = ["against", "start", "Parlor", "each seed", "paper", "its code", "its code, mended"]
    return ["## a. The paper's run on the paper's rules", table(columns, rows), text(
        "*Paper*: read off its figure 3, which rests on 20 games for each point. *Its code*: two runs of the public "
        "code. *Mended*: the same code without two defects of its rollouts, that cards drawn by the other side could "
        "be lost and that all rollouts of an action shared one shuffle. Both with 4,000 games for each number, and "
        "quoted, not measured here. Parlor's rollouts have neither defect.",
    )]  # fmt: skip


def standard_rules(options: Any, rates: dict[str, list[float]]) -> list[str]:
    """Part b."""
    rows = [[*who(name), over_seeds(values), each(values)] for name, values in rates.items()]
    return ["## b. The same on our standard rules", text(
        "A refusal must come before any payment, properties that are paid stay properties, rent needs a property of "
        "its colour, and a game in which nobody can do anything any more is a draw.",
    ), table(["against", "start", "Parlor", "each seed"], rows)]  # fmt: skip


def figures(options: Any, told: dict[str, Any]) -> list[str]:
    """Part c."""
    parts = ["## c. Figures 2 to 5", text(
        "From the runs of a and b, mean and range over the seeds; win rates there are of "
        f"{options.evaluate_during:,} games for each point. The paper's reading is in our words. For figure 5 we look "
        "at information sets in which both actions are possible, weighted by how often they were updated: the median "
        "that the figure shows is also over sets in which an action is the only one. *Alike* means: regret is lower at "
        "the end than at first and changes by less than a tenth of its highest value in the last quarter; win rates "
        "are within .05; updates are within a factor of 2; the order of two actions is the same.",
    )]  # fmt: skip
    titles = {"paper": "On the paper's rules", "standard": "On our standard rules"}
    names = {"2": "regret", "3": "win-rates", "4": "updates", "5": "policy"}
    for rules, both in told.items():
        seeds, learned = both["metrics"], both["infosets"]
        links = ", ".join(f"[figure {n}]({rules}/{name}.svg)" for n, name in names.items())
        rows = [regret(seeds), wins(seeds), updates(seeds), *(preferred(learned, *words) for words in PREFERRED)]
        parts += [f"### {titles[rules]}", links, table(["figure", "the paper", "Parlor", "alike"], rows), text(
            f"The figure's own numbers after {options.games:,} games, the median probability of each action over the "
            "information sets in which it has any:",
        ), table(*medians(seeds))]  # fmt: skip
    return parts


def regret(seeds: list[Rows]) -> list[str]:
    """Figure 2: whether it declines, and whether it has come to rest."""
    curves = [[(row["games"], row["regret"]["max_expected"]) for row in rows if row["games"]] for rows in seeds]
    curve = [(column[0][0], statistics.mean(y for _, y in column)) for column in zip(*curves, strict=True)]
    last = curve[-1][0]
    shown = [curve[0], *(point for point in curve if point[0] in (last // 4, last // 2, 3 * last // 4)), curve[-1]]
    top, end, before = max(y for _, y in curve), curve[-1][1], dict(curve).get(3 * last // 4, curve[0][1])
    settled = abs(end - before) < 0.1 * top
    words = ", ".join(f"{y:.4f} at {games:,}" for games, y in shown)
    rests = f"in the last quarter it changes by {100 * abs(end - before) / top:.0f} % of its highest value, {top:.4f}"
    return ["2, regret", "declines early, then stays low and steady within 1,000 games", f"{words}; {rests}",
            yes(end < curve[0][1] and settled)]  # fmt: skip


def wins(seeds: list[Rows]) -> list[str]:
    """Figure 3: how high they end."""
    ends = {
        who: statistics.mean(rows[-1]["wins"][who]["first"]["rate"] for rows in seeds) for who in seeds[0][-1]["wins"]
    }
    words = ", ".join(f"{rate:.3f} against {who}" for who, rate in ends.items())
    far = {"random": ends["random"] - 1.0, "risk-aware": ends["risk-aware"] - 0.75}
    apart = [f"{'higher' if gap > 0 else 'lower'} against {who}" for who, gap in far.items() if abs(gap) >= 0.05]
    return ["3, win rates", "nearly 1.00 against random, about .75 against risk-aware",
            f"agent first: {words}", f"no: {', '.join(apart)}" if apart else "yes"]  # fmt: skip


def updates(seeds: list[Rows]) -> list[str]:
    """Figure 4: how often an information set was updated."""
    ends = [rows[-1] for rows in seeds]
    middle, most = (statistics.mean(row["updates"][q] for row in ends) for q in ("50", "100"))
    infosets = statistics.mean(sum(row["infosets"]) for row in ends)
    alike = 25 <= middle <= 100 and 1000 <= most <= 4000
    return ["4, updates", "median about 50, most about 2,000",
            f"median {middle:.0f}, most {most:,.0f}, over {infosets:.0f} information sets of both players",
            yes(alike)]  # fmt: skip


def preferred(learned: list[Rows], better: str, worse: str) -> list[str]:
    """Figure 5: what is preferred to what, where both are possible."""
    pairs, sets = [], 0
    for infosets in learned:
        both = [entry for entry in infosets if better in entry["play"] and worse in entry["play"]]
        weight = sum(entry["updates"] for entry in both)
        sets += len(both)
        if weight:
            pairs.append([sum(e["updates"] * e["play"][name] for e in both) / weight for name in (better, worse)])
    words = ["5, actions", f"{better} preferred to {worse}"]
    if not pairs:
        return [*words, "never both possible", "–"]
    more, less = (statistics.mean(column) for column in zip(*pairs, strict=True))
    where = f"in {sets / len(learned):.0f} information sets with both"
    return [*words, f"{better} {more:.3f}, {worse} {less:.3f}, {where}", yes(more > less)]


def medians(seeds: list[Rows]) -> tuple[list[str], list[list[str]]]:
    """Every action with its median probability at the end."""
    names = list(dict.fromkeys(name for rows in seeds for name in rows[-1]["policy"]))
    names.sort(key=lambda name: -ending(seeds, name))
    rows = []
    for name in names:
        values = [run[-1]["policy"].get(name, math.nan) for run in seeds]
        rows.append([name, f"{ending(seeds, name):.3f}", each(values)])
    return ["action", "mean", "each seed"], rows


def ending(seeds: list[Rows], action: str) -> float:
    """The median probability of an action at the end, a mean over the runs in which it is played at all."""
    found = [rows[-1]["policy"][action] for rows in seeds if action in rows[-1]["policy"]]
    return statistics.mean(found) if found else 0.0


def finer(options: Any, result: dict[str, Any]) -> list[str]:
    """Part d."""
    rows = []
    for name, told in result["finer"].items():
        rates = [rate["value"] for rate in told["against_intent"]]
        share = f"{100 * told['unknown']:.1f} %" if "unknown" in told else "–"
        rows.append([f"`{name}`", f"{told['games']:,}", str(told["rollouts"]), f"{told['seconds'] / 60:.1f}",
                     f"{told['infosets']:,}", share, over_seeds(rates),
                     of_games(told["against_intent"][0])])  # fmt: skip
    columns = ["agent", "games", "rollouts", "minutes", "information sets", "met for the first time",
               "wins against intent", "against seed 1, interval of games"]  # fmt: skip
    everyone = {"beat": lambda rate: rate["low"] > 0.5, "lose to": lambda rate: rate["high"] < 0.5}
    verdicts = []
    for words, so in everyone.items():
        some = [f"`{name}`" for name, told in result["finer"].items() if all(map(so, told["against_intent"]))]
        verdicts += [f"{' and '.join(some)} {words} every one of them"] if some else []
    return ["## d. Other abstractions, and a cross table", text(
        "On our standard rules, all with seed 1. `intent+careful` knows what the paper's abstraction knows, but turns "
        "intents into cards with more thought; `counts` also knows the sets in progress, cash, rents and refusals. The "
        f"two with `counts` were trained on {options.threads} threads, unordered, for at most "
        f"{options.finer_minutes:g} minutes each. *Met for the first time*: the share of decisions, in further games "
        f"of self-play, that training had not met. Wins: the mean over the {options.seeds} intent agents of b, "
        f"{options.evaluate:,} games each on duplicate deals.",
    ), table(columns, rows), text(
        f"Against the intent agents, by intervals of games: {'; '.join(verdicts) or 'no clear winner'}.",
    ), text(
        f"Everyone against everyone: win rate of the row, with intervals of games; {options.evaluate:,} games a pair, "
        f"{options.look_ahead_games:,} with look-ahead. Ratings: 400 points are odds of ten to one.",
    ), cross_table(result["cross"])]  # fmt: skip


def cross_table(cross: dict[str, Any]) -> str:
    """Everyone against everyone."""
    names = [f"`{name}`" for name in cross["agents"]]
    rows = []
    for i, name in enumerate(names):
        rates = [cross["rates"].get(f"{i} {j}") for j in range(len(names))]
        cells = ["–" if rate is None else of_games(rate) for rate in rates]
        rows.append([name, *cells, f"{cross['mean_rates'][i]:.3f}", f"{cross['ratings'][i]:+.0f}"])
    return table(["", *names, "mean", "rating"], rows)


def tiny(options: Any, result: dict[str, Any]) -> list[str]:
    """Part e."""
    learners, curve = result["learners"], result["curve"]
    rows = [[f"{games:,}", *(small(*(run[i][1] for run in runs)) for runs in learners.values())]
            for i, games in enumerate(result["games"])]  # fmt: skip
    shown = curve[:: max(1, len(curve) // 6)]
    shown += [] if shown[-1] == curve[-1] else [curve[-1]]
    ends = "; ".join(f"{name} {statistics.mean(run[-1][1] for run in runs):.1e}" for name, runs in learners.items())
    return ["## e. How far from an equilibrium", text(
        f"The preset `tiny` has a deck small enough to be enumerated, {result['infosets']:,} information sets, so that "
        "it is known exactly what a best response wins. A win is worth 1, a loss −1; exploitability is what a best "
        "response gains, as a mean over the two seats. The value of the game, to within the exploitability of CFR+ "
        f"at the end, is {result['value']:.6f} for the first player; playing every action alike has exploitability "
        f"{result['uniform']:.4f}. The policy of the intent abstraction is measured in the concrete game, with its "
        "intents resolved there. *Bare*: without decay and clamping, and with a ring of 100.",
    ), table(["games", *learners], rows),
        table(["iterations of CFR+", "exploitability"], [[f"{n:,}", f"{y:.2e}"] for n, y in shown]),
        text(f"[Both in a figure](tiny.svg). At the end: {ends}; CFR+ {curve[-1][1]:.1e}.")]  # fmt: skip


def ablations(options: Any, result: dict[str, dict[str, list[float]]]) -> list[str]:
    """Part f."""
    base, *_ = result.values()
    rows, gaps = [], []
    for name, rates in result.items():
        rows.append([name, *map(over_seeds, rates.values())])
        pairs = [[x - y for x, y in zip(rates[kind], base[kind], strict=True)] for kind in base]
        gaps += [[name, *(over_seeds(pair, signed=True) for pair in pairs)]] if rates is not base else []
    columns = ["", *(", ".join(who(kind)) for kind in base)]
    return ["## f. Ablations", "On the paper's rules: win rates, mean over seeds.", table(columns, rows),
            "The difference to the paper's settings, seed by seed:", table(columns, gaps)]  # fmt: skip


# ----------------------------------------------------------------------------------------------------------- in words


def interval(values: Sequence[float]) -> Estimate:
    """The mean of independent values, by Student's t."""
    value = statistics.mean(values)
    if len(values) < 2:
        return Estimate(value, -math.inf, math.inf)
    reach = float(stats.t.ppf(0.975, len(values) - 1)) * statistics.stdev(values) / math.sqrt(len(values))
    return Estimate(value, value - reach, value + reach)


def over_seeds(values: Sequence[float], digits: int = 3, signed: bool = False) -> str:
    """Mean ± half the interval."""
    found, sign = interval(values), "+" if signed else ""
    reach = "" if math.isinf(found.high) else f" ± {found.high - found.value:.{digits}f}"
    return f"{found.value:{sign}.{digits}f}{reach}"


def small(*values: float) -> str:
    """Mean ± half the interval of numbers that may be very small."""
    found = interval(values)
    digits = max(4, 1 - math.floor(math.log10(found.value))) if found.value > 0.0 else 4
    return over_seeds(values, digits)


def each(values: Sequence[float]) -> str:
    """One after the other."""
    return ", ".join("–" if math.isnan(value) else f"{value:.3f}".removeprefix("0") for value in values)


def of_games(rate: dict[str, float]) -> str:
    """A rate with its interval."""
    return str(Estimate(**rate))


def who(name: str) -> tuple[str, str]:
    """Opponent and start."""
    opponent, _, start = name.partition("/")
    return opponent, STARTS[start]


def yes(alike: bool) -> str:
    """In a cell of a table."""
    return "yes" if alike else "no"
