"""Let agents play each other, everyone against everyone, and print the cross table.

Every pair plays the same deals, each twice with the seats exchanged, so that luck is shared. The table has the win rate
of the row against the column; a draw is no win for either. Where games are about points, as in poker, it has the mean
payoff of the row instead, in the game's units: small blinds a hand, thousandths of a big blind.

In a game of n players the row plays alone against n - 1 copies of the column, and takes every seat in turn on each
deal. The table has its win share, in which a tie is split evenly, or its mean payoff where games are about points;
equal agents have 100 / n %.

Examples:
  parlor compare 'monopoly-deal(preset=paper)' random risk-aware careful
  parlor compare runs/a.json runs/b.json careful --games 50000 --threads 2
  parlor compare leduc runs/leduc-cfr+.json random --json
  parlor compare leduc my_agents.py:Cautious 'my_agents.py:Cautious(risk=0.5)'
  parlor compare leduc 'program:./mybot --level 3' solver
  parlor compare holdem fish rule-based 'monte-carlo(simulations=0)' --games 100000
  parlor compare runs/blueprint 'monte-carlo(simulations=0)' --aivat
  parlor compare 'leduc(players=3)' runs/leduc3.json random

Ctrl-C stops early and prints what has been played.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.markup import escape

from parlor.arena.match import Match
from parlor.arena.tournament import Tournament, pairs, play_tournament
from parlor.cli.cross_table import Cross, print_crosses
from parlor.cli.flags import JsonFlag, SeedFlag, ThreadsFlag
from parlor.cli.screen import Interruption, compiler_notes, err, games_bar, out, print_json
from parlor.cli.seating import failures, figure, game_named_first, percent, percents, print_failures, reach, seat_all
from parlor.game import GameError
from parlor.poker.measures.aivat import AIVAT
from parlor.runs.saved_agents import short_names


@dataclass(frozen=True, kw_only=True)
class Options(SeedFlag, ThreadsFlag, JsonFlag):
    """Options of `parlor compare`."""

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[GAME] AGENT …")]
    """The game, unless the first policy file says it; then agents (see `parlor agents`), policy files, folders of runs,
    your own Python code (FILE.py:NAME), other programs ('program:./mybot')."""
    game: Annotated[str | None, tyro.conf.arg(metavar="GAME")] = None
    """Another game than the one that the first policy file was made for."""
    games: int = 10_000
    """Games between every two agents."""
    aivat: bool = False
    """For poker: reduce the variance of payoffs by AIVAT; slower, with narrower intervals and the same expectation."""


def run(options: Options) -> int:
    """Play and print."""
    named, texts = game_named_first(options.agents, options.game)
    if len(texts) < 2:
        raise GameError("compare needs at least two agents: parlor compare monopoly-deal random careful.")
    with compiler_notes():
        game, agents = seat_all(texts, named)
        count = len(pairs(game.players, len(agents)))
        with Interruption(lambda: None).caught() as interruption, games_bar(options.json) as show:

            def on_progress(pair: int, done: int) -> bool:
                show(f"pair {pair + 1} of {count}", pair * options.games + done, count * options.games)
                return not interruption.requested

            result = play_tournament(
                game,
                agents,
                options.games,
                options.seed,
                options.threads,
                on_progress,
                AIVAT if options.aivat else None,
            )
    if options.json:
        print_json(result.row() | {"interrupted": interruption.requested, "failures": failures(agents)})
    else:
        _print(result)
    print_failures(agents)
    if interruption.requested:
        err.print("[yellow]Interrupted: these are the games played so far.[/]")
    return 130 if interruption.requested else 0


def _print(result: Tournament) -> None:
    if not result.matches:
        out.print(f"[bold]{escape(result.game)}[/]: no games were played")
        return
    what = "mean payoff of the row" if result.in_points else _about_shares(result)
    alone = "" if result.players == 2 else f", which plays alone against {result.players - 1} of the column"
    out.print(f"[bold]{escape(result.game)}[/], {_played(result)}, duplicate deals; {what}{alone}, 95 % intervals")
    units = (result.units or {"": 1.0}).items()
    crosses = [_in_points(result, unit, scale) for unit, scale in units] if result.in_points else [_in_shares(result)]
    print_crosses(short_names(result.agents), crosses)


def _played(result: Tournament) -> str:
    """The number of games; and of pairs, if not all were reached."""
    games, count = [match.games for match in result.matches.values()], len(pairs(result.players, len(result.agents)))
    most = f"{'' if min(games) == max(games) else 'at most '}{max(games):,} games a pair"
    return most if len(games) == count else f"{most}, {len(games)} of {count} pairs"


def _about_shares(result: Tournament) -> str:
    if result.players == 2:
        return "win rate in % of the row"
    matches = result.matches.values()
    ties = sum(match.ties for match in matches) / sum(match.games for match in matches)
    return (
        f"win share in % (of equals {percent(1 / result.players)}; ties, {percent(ties)} % of games, split) of the row"
    )


def _in_points(result: Tournament, unit: str, scale: float) -> Cross:
    means = [figure(result.mean_payoff(i), scale) for i in range(len(result.agents))]
    cells = _cells(result, lambda match: (figure(match.payoff.value, scale), reach(match.payoff, scale)))
    return Cross(unit, cells, {"mean": means})


def _in_shares(result: Tournament) -> Cross:
    ends = {"mean": [percent(result.mean_rate(i)) for i in range(len(result.agents))]}
    if result.players == 2:
        ends["rating"] = [f"{rating:+.0f}" if math.isfinite(rating) else "–" for rating in result.ratings()]
    return Cross("", _cells(result, lambda match: (percent(match.score.value), percents(match.score))), ends)


def _cells(result: Tournament, shown: Callable[[Match], tuple[str, str]]) -> list[list[tuple[str, str] | None]]:
    agents = range(len(result.agents))
    return [[shown(match) if (match := result.match(i, j)) else None for j in agents] for i in agents]
