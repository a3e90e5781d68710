"""Measure a policy or an agent: exactly by best responses, by a local best response, or in games against others.

Without a flag it is measured exactly; an agent is asked at every decision of a game that can be enumerated. A larger
game, up to some 1e11 histories, is walked through by the information sets of each player; with --out the walk can be
stopped and resumed. That measures saved policies, networks and uniform play (random).

With --against, the policy (or any agent) plays games against each of the agents named. A win is a game in which
it gets more than the other; the rate is wins divided by games, so that a draw is no win. On duplicate deals, the
default, every deal is played twice with the seats exchanged. In a game of n players it plays alone against n - 1
copies of the other, and takes every seat in turn on each deal; a tie for the most is then a win that is split evenly.

Examples:
  parlor evaluate runs/leduc-cfr+.json
  parlor evaluate leduc my_agents.py:Cautious
  parlor evaluate runs/leduc-cfr+.json --against random --games 50000
  parlor evaluate 'monopoly-deal(preset=paper)' careful --against random risk-aware --start both
  parlor evaluate my_game.py policy.json --json
  parlor evaluate 'leduc(players=3)' runs/leduc3.json --against random
  parlor evaluate 'goofspiel(returns=total-points)' random --against random --measure welfare nash-product
  parlor evaluate leduc ranks.json               a policy for leduc/ranks, measured in the full game
  parlor evaluate phantom-tic-tac-toe random --out runs/phantom      exactly, though it has 2e10 histories
  parlor evaluate --resume runs/phantom
  parlor evaluate runs/holdem-fcpa-kmeans --lbr late --games 100000
  parlor evaluate rule-based --lbr all
  parlor evaluate runs/holdem-fcpa-kmeans --against fish rule-based --aivat
  parlor evaluate runs/holdem-fcpa-kmeans --probes --games 200000
  parlor evaluate monopoly-deal careful --best-response dqn
  parlor evaluate 'leodopoly' tuned --best-response search --budget 100 --games 200

A blueprint of hold'em is too large to be measured exactly. With --lbr a local best response, which knows its policy,
plays against it: on the turn and river (late; it checks and calls before) or on all streets. What that wins is a lower
bound on what a best response wins; if it wins nothing, that proves nothing. With --probes it plays against the agents
that the game declares as probes: each is simple and after one weakness, and a sound strategy loses to none of them.

With --best-response a response to the policy is made, in a game of any size and any number of players: dqn and ppo
learn one in games against it, search looks ahead with it as its model of the others. The response then plays on fresh
deals in each seat, the policy in all others. What it gets more than the policy itself does is a lower bound on what can
be won from it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import tyro
from rich.markup import escape
from rich.table import Table

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import is_path, make_agent
from parlor.arena.match import Match, play_match
from parlor.arena.measures import MEASURES
from parlor.cli.best_responses import print_best_response
from parlor.cli.flags import RunFlags, SeedFlag, ThreadsFlag
from parlor.cli.large_games import measure, policy_file, print_evaluation, resume, told
from parlor.cli.screen import Interruption, compiler_notes, err, games_bar, out, plain_table, print_json
from parlor.cli.seating import figure, game_named_first, percent, percents, points, seat_all
from parlor.compile import version
from parlor.game import Game, GameError
from parlor.game.loading import game_of, load, parse
from parlor.poker.measures.aivat import AIVAT
from parlor.poker.measures.local_best_response import has_tree, local_best_response
from parlor.policies.policy import Policy
from parlor.runs.saved_agents import read_policy, short_names
from parlor.sequence_form.enumeration import LIMIT, ImperfectRecall, TooLarge, too_large
from parlor.sequence_form.tree import tree
from parlor.solvers.abstraction import lift
from parlor.solvers.best_response import evaluate
from parlor.solvers.large import MEMORY
from parlor.solvers.policy_words import by_name, tree_words
from parlor.solvers.tabulate import tabulate

ABOUT_MEASURES = f"With --against, the measures to print: {', '.join(MEASURES)}; yours: my_file.py:NAME."
USUAL = ("payoff", "win-share", "welfare")  # the default for more than two players, or general-sum games


@dataclass(frozen=True, kw_only=True)
class Options(SeedFlag, ThreadsFlag, RunFlags):
    """Options of `parlor evaluate`."""

    agent: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[GAME] POLICY")] = ()
    """The game, unless the policy says it; then a saved policy, the folder of a run, or an agent (see `parlor
    agents`)."""
    game: Annotated[str | None, tyro.conf.arg(metavar="GAME")] = None
    """Another game than the one that the policy was made for."""
    against: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT …")] = ()
    """Agents and policies to play against; if omitted, it is measured exactly."""
    probes: bool = False
    """Play against the probes of the game, too, and say which of them win."""
    games: int = 10_000
    """Games against each of them."""
    start: Annotated[Literal["alternating", "first", "both"], tyro.conf.arg(metavar="alternating|first|both")] = (
        "alternating"
    )
    """Whether it changes seats (alternating) or always sits in seat 0 (first); both: one after the other."""
    lbr: Annotated[Literal["late", "all"] | None, tyro.conf.arg(metavar="late|all")] = None
    """For poker: let a local best response play against it, on the turn and river or on all streets."""
    bets: Annotated[Literal["tree", "pot"] | None, tyro.conf.arg(metavar="tree|pot")] = None
    """For --lbr: the bets of the policy's own tree, the default if it has one, or pot and all-in."""
    best_response: Annotated[
        Literal["ppo", "dqn", "search", "exact"] | None, tyro.conf.arg(metavar="ppo|dqn|search|exact")
    ] = None
    """Let a response that is made against it play against it; exact: by enumeration, the default of small games."""
    budget: int = 0
    """For --best-response: games that dqn learns from, decisions that ppo learns from, or simulations of a search;
    0: 50,000, 1,000,000 and 300."""
    no_duplicate: bool = False
    """Deal anew for every game; otherwise, when seats alternate, every deal is played with both seatings."""
    aivat: bool = False
    """For poker: reduce the variance of payoffs by AIVAT; slower, with narrower intervals and the same expectation."""
    measure: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME …", help=ABOUT_MEASURES)] = ()
    exact: bool = False
    """Measure exactly by a walk through the information sets, however large the game is."""
    memory: Annotated[float | None, tyro.conf.arg(metavar="GIB")] = None
    """The memory for that walk, of all threads together; 4 GiB if omitted."""


def run(options: Options) -> int:
    """Measure and print."""
    if options.resume:
        if options.agent or options.game or options.out:
            raise GameError("A resumed measurement has its game, its policy and its folder already.")
        return told(resume(options.resume, options.memory, options.threads, options.json), options.json)
    game, policies = game_named_first(options.agent, options.game)
    if len(policies) != 1:
        raise GameError("evaluate measures one policy: parlor evaluate runs/leduc-cfr+.json; name others in --against.")
    if options.budget and options.best_response in (None, "exact"):
        raise GameError("--budget is what a best response may cost: --best-response dqn, ppo or search.")
    if options.best_response:
        if options.against or options.probes or options.lbr:
            raise GameError("--best-response plays against its own response: omit --against, --probes and --lbr.")
        if options.best_response != "exact":
            return print_best_response(
                policies[0], game, options.best_response, options.games, options.budget, options.seed,
                options.threads, options.json,
            )  # fmt: skip
    if options.lbr:
        return by_response(options, policies[0], game)
    return (in_games if options.against or options.probes else exactly)(options, policies[0], game)


# --------------------------------------------------------------------------------------------------- in games


def in_games(options: Options, policy: str, named: str | None) -> int:
    """Play against each of the others."""
    for name in options.measure:
        MEASURES.find(name)  # raises an error, before anything is played
    starts = ("first", "alternating") if options.start == "both" else (options.start,)
    matches: list[Match] = []
    with compiler_notes():
        game, (agent, *others) = seat_all((policy, *options.against), named)
        probes = probes_of(game) if options.probes else ()
        others += [make_agent(probe, game) for probe in probes]
        total = options.games * len(others) * len(starts)
        with Interruption(lambda: None).caught() as interruption, games_bar(options.json) as show:
            for other in others:
                for start in starts:
                    before = options.games * len(matches)

                    def on_progress(done: int, name: str = other.name, before: int = before) -> bool:
                        show(f"against {name}", before + done, total)
                        return not interruption.requested

                    if not interruption.requested:
                        duplicate = not options.no_duplicate and start == "alternating"
                        matches.append(
                            play_match(
                                game,
                                [agent, other],
                                options.games,
                                options.seed,
                                start,
                                duplicate,
                                options.threads,
                                on_progress,
                                variance_reduction=AIVAT if options.aivat else None,
                            )
                        )
    probed = [m for m in matches if m.agents[1] in probes]
    lost = [m.agents[1] for m in probed if m.payoff.high < 0.0]
    open_ = [m.agents[1] for m in probed if m.payoff.low <= 0.0 <= m.payoff.high]
    if options.json:
        told = {
            "game": game.name,
            "matches": [m.row(options.measure) for m in matches],
            "interrupted": interruption.requested,
        }
        print_json(told | ({"probes": {"lost": lost, "undecided": open_}} if probes else {}))
    elif matches:
        _print(game, matches, options.measure)
        if lost:
            err.print(f"[yellow]It loses to {escape(', '.join(lost))}, which no sound strategy does.[/]")
        if open_:
            err.print(f"[yellow]Undecided against {escape(', '.join(open_))}: try more --games.[/]")
        if probed and not lost and not open_:
            out.print(f"It wins from all {len(probed)} probes.")
    if interruption.requested:
        err.print("[yellow]Interrupted: these are the games played so far.[/]")
    return 130 if interruption.requested else 0


def probes_of(game: Game) -> tuple[str, ...]:
    """The agents that a game declares as probes."""
    if not game.training.probes:
        raise GameError(f"{game.name} declares no probes; name agents to play against: --against random.")
    return game.training.probes


def _print(game: Game, matches: list[Match], measures: Sequence[str]) -> None:
    equals = f"equal agents would win {percent(1 / game.players)} %"
    alone = f", alone against {game.players - 1} of each; {equals}" if game.players > 2 else ""
    out.print(f"[bold]{escape(short_names(matches[0].agents[:1])[0])}[/] in {escape(game.name)}{alone}")
    table = plain_table("against", "start", left=2)
    table.columns[0].no_wrap, table.columns[0].overflow = False, "fold"
    if measures or game.players > 2 or game.kind != "zero-sum":
        _measured(table, matches, measures or [name for name in USUAL if name != "welfare" or game.kind != "zero-sum"])
    else:
        _counted(table, matches)
    out.print(table)
    speed = sum(m.games for m in matches) / max(sum(m.seconds for m in matches), 1e-9)
    deals = ", alternating ones on duplicate deals" if any(m.duplicate for m in matches) else ""
    fewest, most = (pick(m.games for m in matches) for pick in (min, max))
    games = f"{most:,} games each" if fewest == most else f"{fewest:,} to {most:,} games each"
    out.print(f"[dim]{games}{deals}, seed {matches[0].seed}; {speed:,.0f} a second[/]")


def _measured(table: Table, matches: list[Match], measures: Sequence[str]) -> None:
    """A line for each measure, also by seat; and the number of ties, where those are split."""
    seats = range(matches[0].players)
    table.add_column("measure", no_wrap=True)
    for column in ("", *(f"seat {p}" for p in seats)):
        table.add_column(column, justify="right", no_wrap=True)
    for m in matches:
        who = [escape(short_names(m.agents[1:])[0]), m.start]
        for name in measures:
            found, by_seat = m.measure(name), [m.measure(name, seat=p).value for p in seats]
            if MEASURES.find(name).share:
                interval = f"[bold]{percent(found.value)}[/] [dim]{percents(found)}[/]"
                table.add_row(*who, f"{name} %", interval, *map(percent, by_seat))
                table.add_row("", "", "ties, split", f"{m.ties:,}")
            else:
                table.add_row(*who, name, points(found), *map(figure, by_seat))
            who = ["", ""]


def _counted(table: Table, matches: list[Match]) -> None:
    """A line for each match of a game that one of two wins and the other loses."""
    in_points = any(m.in_points for m in matches)  # then a win is not all that counts
    rows = [_columns(m, in_points) for m in matches]
    for column in rows[0]:
        table.add_column(column, justify="right", no_wrap=True)
    for m, row in zip(matches, rows, strict=True):
        table.add_row(escape(short_names(m.agents[1:])[0]), m.start, *row.values())


def _columns(m: Match, in_points: bool) -> dict[str, str]:
    """The columns of a match: the more units its payoffs have, the fewer columns about wins."""
    row = {"wins %": f"[bold]{100 * m.rate.value:.1f}[/]"}
    if in_points and m.units:
        return row | {unit: points(m.payoff, scale) for unit, scale in m.units.items()}
    row["95 %"] = percents(m.rate)
    row |= {f"seat {p}": percent(m.seat(p).value) for p in range(2)}
    if in_points:
        return row | {"payoff": points(m.payoff)}
    return row | {"won": f"{m.wins:,}", "drawn": f"{m.draws:,}", "lost": f"{m.losses:,}"}


# --------------------------------------------------------------------------------------------------- by a response


def by_response(options: Options, policy: str, named: str | None) -> int:
    """Let a local best response play against it."""
    if options.against or options.probes or options.aivat:
        raise GameError(
            "--lbr plays against its own response, with reduced variance already: omit --against, --probes and --aivat."
        )
    assert options.lbr is not None
    with compiler_notes():
        _, [agent] = seat_all([policy], named)
        if not isinstance(agent, CompiledAgent):
            raise GameError(f"--lbr needs a compiled agent, which {agent.name} is not; use --against instead.")
        bets = options.bets or ("tree" if has_tree(agent) else "pot")
        with Interruption(lambda: None).caught() as interruption, games_bar(options.json) as show:

            def on_progress(done: int) -> bool:
                show("local best response", done, options.games)
                return not interruption.requested

            found = local_best_response(
                agent, options.games, options.seed, options.lbr, bets, options.threads, on_progress
            )
    if options.json:
        print_json(found.row() | {"interrupted": interruption.requested})
        return 130 if interruption.requested else 0
    out.print(f"[bold]{escape(short_names([found.agent])[0])}[/] in {escape(found.game)}: it loses at least")
    units = found.units or {"payoff": 1.0}
    table = plain_table("to local best response", *units)
    table.add_row("reduced variance", *(f"[bold]{points(found.payoff, scale)}[/]" for scale in units.values()))
    table.add_row("by the chips", *(points(found.plain, scale) for scale in units.values()))
    out.print(table)
    betting = "bets of its tree" if found.bets == "tree" else "pot and all-in"
    where = "on all streets" if found.streets == "all" else "on turn and river"
    speed = found.hands / max(found.seconds, 1e-9)
    out.print(
        f"[dim]{found.hands:,} hands, {betting} {where}, duplicate deals, seed {found.seed}; {speed:,.0f} a second[/]"
    )
    if interruption.requested:
        err.print("[yellow]Interrupted: these are the hands played so far.[/]")
    return 130 if interruption.requested else 0


# --------------------------------------------------------------------------------------------------- exactly


def _enumerable(game: Game) -> Game:
    """The game to measure in: an abstraction that forgets cannot be enumerated, its concrete game can, if small."""
    if game.concrete is None:
        return game
    try:
        tree(game)
    except (ImperfectRecall, TooLarge):
        return game.concrete
    return game


def _base(name: str) -> str:
    """The name of a game without its options, with its abstraction; of a rules file, without its folder."""
    if name.startswith("openspiel:"):
        return name.partition("(")[0]
    base, _, abstraction = parse(name)
    return f"{Path(base).name if base.endswith('.py') else base}/{abstraction}"


def _same_words(policy: Policy, game: Game) -> Policy:
    """The part of a policy for other options of the game that applies to this one.

    Equal keys may be an accident: what is seen there, and what can be done, must be the same in words.
    """
    words = policy.words or tree_words(tree(load(policy.game)))
    here = tree_words(tree(game))
    shared = [i for i, key in enumerate(policy.keys.tolist()) if key in here and words.get(key) == here[key]]
    rows = [policy.probabilities[policy.starts[i] : policy.starts[i + 1]] for i in shared]
    known = Policy.from_rows(
        game, policy.keys[shared], np.array([len(row) for row in rows], np.int64), np.concatenate([[], *rows])
    )
    return known.with_about(**policy.about)


def exactly(options: Options, name: str, named: str | None) -> int:
    """Measure by best responses: in the enumerated game, or where it is too large, by its information sets."""
    if not options.exact and options.out is None:
        try:
            return by_enumeration(options, name, named)
        except TooLarge:
            pass
    with compiler_notes():
        game, policy = policy_file(name, named)
        memory = options.memory or MEMORY
        found = measure(game, policy, options.threads, memory, options.out, options.json, options.exact)
    return told(found, options.json)


def by_enumeration(options: Options, name: str, named: str | None) -> int:
    """Enumerate the game and compute best responses."""
    with compiler_notes():
        made = _table(name, named)
        game = load(named) if named else _enumerable(game_of(made))
        policy, same_rules = _in_game(name, made, game)
        t = tree(game)
        known = sum(key in policy for key in t.keys.tolist())
        if not known:
            raise GameError(f"{name} has no information set of {game.name}; it was made for {made.game}.")
        measured = evaluate(game, policy)
    if options.json:
        print_json(
            {
                "game": game.name,
                "exploitability": measured.exploitability,
                "nash_conv": measured.nash_conv,
                "values": list(measured.values),
                "best_responses": list(measured.best_responses),
                "infosets": t.infosets,
                "known_infosets": known,
                "same_rules": same_rules,
                "about": dict(policy.about),
            }
        )
        return 0
    if not same_rules:
        err.print(f"[yellow]The rules of {game.name} have changed since this policy was made.[/]")
    out.print(f"[bold]{game.name}[/], {', '.join(f'{k} {v}' for k, v in policy.about.items())}")
    print_evaluation(measured)
    if known < t.infosets:
        out.print(f"[dim]{t.infosets - known:,} of {t.infosets:,} information sets are not in it: played uniformly[/]")
    return 0


def _table(name: str, named: str | None) -> Policy:
    """The policy in a file or in the folder of a run; or what an agent plays at every decision of a small game."""
    if not is_path(name) and not os.path.isdir(name):
        game, [agent] = seat_all([name], named)
        return tabulate(game, agent)
    strategy = read_policy(name)
    if strategy.table is None and strategy.kind == "network":
        raise too_large(load(strategy.game), LIMIT)
    if strategy.table is None:
        against = " ".join(load(strategy.game).training.against)
        raise GameError(
            f"{name} is a {strategy.kind} for {strategy.game}, which is too large to be measured exactly. "
            f"Measure it by a local best response, --lbr all, or in games, --against {against}."
        )
    return strategy.table


def _in_game(name: str, policy: Policy, game: Game) -> tuple[Policy, bool]:
    """A policy in the game that it is measured in, and whether the rules are those it was made for."""
    lifted = "/" in policy.game and policy.game.startswith(f"{game.name}/")
    if not lifted and _base(game.name) != _base(policy.game) and policy.rules != version(game):
        raise GameError(f"{name} is a policy for {policy.game}, not for {game.name}.")
    made_for = game_of(policy) if lifted else game
    same_rules = policy.rules == version(made_for)
    tree(game)
    if lifted:
        found = lift(game, made_for, by_name(made_for, policy))
    elif game.name == policy.game or same_rules:
        found = by_name(game, policy)
    else:
        found = _same_words(policy, game)
    return replace(found, game=game.name), same_rules
