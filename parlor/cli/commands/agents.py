"""List the agents, what they do and their options; with a game, those that play it.

Examples:
  parlor agents
  parlor agents leduc
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.markup import escape

from parlor.agents.agent import AgentSpec
from parlor.agents.registry import AGENTS, concrete_game, opponent
from parlor.cli.flags import JsonFlag, OptionalGame
from parlor.cli.screen import out, plain_table, print_json
from parlor.game.loading import load


@dataclass(frozen=True, kw_only=True)
class Options(JsonFlag):
    """Options of `parlor agents`."""

    game: OptionalGame = None
    """Only those that play this game."""


def run(options: Options) -> int:
    """Print the list."""
    game = concrete_game(load(options.game)) if options.game else None
    shown = {name: spec for name, spec in AGENTS.items() if game is None or spec.plays(game)}
    if options.json:
        print_json([_row(name, spec) for name, spec in shown.items()])
        return 0
    table = plain_table("agent", "plays", "what it does and its options", left=3, wrap=True)
    first = opponent(game) if game else ""
    for name, spec in shown.items():
        settings = [
            f"{key}={escape(_written(s.default))} [dim]({escape(s.help)})[/]" for key, s in spec.settings.items()
        ]
        plays = ", ".join(spec.games) or "any game"
        called = f"[bold]{spec.name or name}[/] {spec.summary}{'; [green]seated first[/]' if name == first else ''}"
        table.add_row(f"[bold cyan]{name}[/]", plays, "\n".join([called, f"[dim]{spec.made}[/]", *settings]))
    out.print(table)
    out.print(
        "\nOptions are written [cyan]'risk-aware(aggressiveness=0.7)'[/]. A policy saved by parlor is an agent too: "
        "[cyan]runs/policy.json[/]; so is a class or a function of your own: [cyan]my_agents.py:Cautious[/]."
    )
    return 0


def _written(value: float | str) -> str:
    return value or "…" if isinstance(value, str) else f"{value:g}"


def _row(name: str, spec: AgentSpec) -> dict[str, object]:
    settings = {key: {"default": s.default, "help": s.help} for key, s in spec.settings.items()}
    words = {"name": name, "called": spec.name or name, "summary": spec.summary, "made": spec.made}
    return {**words, "games": list(spec.games), "options": settings}
