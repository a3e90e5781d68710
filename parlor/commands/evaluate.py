"""Measure a saved policy exactly: what it is worth, and what a best response makes of it.

Examples:
  parlor evaluate runs/leduc-cfr+.json
  parlor evaluate policy.json --game my_game.py --json
  parlor evaluate ranks.json --game leduc               a policy for leduc/ranks, measured in the full game
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro
from rich.table import Table

from parlor.commands.screen import compiler_notes, err, out, print_json
from parlor.game import GameError
from parlor.games import load
from parlor.native import version
from parlor.runs.checkpoint import load_policy
from parlor.solvers.abstraction import lift
from parlor.solvers.best_response import evaluate
from parlor.solvers.tree import tree
from parlor.solvers.words import by_name


@dataclass(frozen=True)
class Options:
    """Options of `parlor evaluate`."""

    policy: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="POLICY")]
    """A policy saved by `parlor solve`."""
    game: Annotated[str | None, tyro.conf.arg(metavar="GAME")] = None
    """The game to measure it in, if not the one it was made for."""
    json: bool = False
    """Print JSON for machines."""


def run(options: Options) -> int:
    """Measure and print."""
    policy = load_policy(options.policy)
    made = policy.game
    game = load(options.game or policy.game)
    made_for = load(policy.game) if "/" in policy.game and policy.game.startswith(f"{game.name}/") else game
    same_rules = policy.rules == version(made_for)
    with compiler_notes():
        policy = by_name(made_for, policy)
        if made_for is not game:
            policy = lift(game, made_for, policy)
        policy = replace(policy, game=game.name)  # it was asked for
        t = tree(game)
        known = sum(key in policy for key in t.keys.tolist())
        if not known:
            raise GameError(f"{options.policy} knows no information set of {game.name}; it was made for {made}.")
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
        err.print(f"[yellow]The rules of {game.name} are not the ones this policy was made for.[/]")
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("player")
    for column in ("value", "best response", "gain"):
        table.add_column(column, justify="right")
    for p, (value, best) in enumerate(zip(measured.values, measured.best_responses, strict=True)):
        table.add_row(str(p), f"{value:+.6f}", f"{best:+.6f}", f"{best - value:.6f}")
    out.print(f"[bold]{game.name}[/], {', '.join(f'{k} {v}' for k, v in policy.about.items())}")
    out.print(table)
    out.print(f"NashConv {measured.nash_conv:.6g}, exploitability [bold]{measured.exploitability:.6g}[/]")
    if known < t.infosets:
        out.print(
            f"[dim]{t.infosets - known:,} of {t.infosets:,} information sets are unknown to it: played uniformly[/]"
        )
    return 0
