"""The game and the agents that a command names, and numbers for its tables."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

from rich.markup import escape

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import AGENTS, concrete_game, is_path
from parlor.arena.statistics import Estimate
from parlor.cli.screen import err
from parlor.game import Game, GameError
from parlor.game.loading import GAMES, load, loadable_name
from parlor.game.loading.registry import installed, is_foreign, split
from parlor.game.seats.python_agent import PythonAgent
from parlor.runs.saved_agents import load_agent, load_best, read_policy


def seat_all(texts: Sequence[str], game: str | None) -> tuple[Game, list[CompiledAgent | PythonAgent]]:
    """The game and the agents that texts name; without a game, that of the first policy file or of all agents."""
    if game is None:
        game = next(filter(None, map(_game_of, texts)), None) or _only_game(texts)
    concrete = concrete_game(load(game))
    agents = [load_agent(text, concrete) for text in texts]
    for agent in agents:
        if agent.note:
            err.print(f"[yellow]{agent.note}[/]")
    return concrete, agents


def game_named_first(texts: Sequence[str], game: str | None = None) -> tuple[str | None, tuple[str, ...]]:
    """The game, if it stands before the agents or is given otherwise; and the agents."""
    if not texts or not _names_game(texts[0]):
        return game, tuple(texts)
    if game is not None:
        raise GameError(f"The game is named twice: {texts[0]}, and --game {game}.")
    return texts[0], tuple(texts[1:])


def _names_game(text: str) -> bool:
    """Whether a text names a game, not an agent: one of ours or of OpenSpiel, a rules file, an array of payoffs."""
    base = text.partition("(")[0]
    if text.startswith("openspiel:") or base.endswith((".py", ".npy", ".csv", ".efg", ".nfg")):
        return True
    name = base.partition("/")[0]
    if name in AGENTS or os.path.exists(text):
        return False
    return name in GAMES or bool(installed("parlor.games", name))


def _game_of(text: str) -> str:
    """The game of an agent that is a file, or is made from one; else empty."""
    if is_foreign(text):
        return ""
    if os.path.isdir(text) and (tuned := load_best(text)):
        return str(tuned["game"])
    if is_path(text) or os.path.isdir(text):
        return loadable_name(read_policy(text))
    base, given = split(text)
    spec = AGENTS.get(base)
    if spec is None or spec.game_of_file is None:
        return ""
    files = [given[name] for name in spec.named("file") if name in given]
    return spec.game_of_file(read_policy(files[0]).game) if files else ""


def _only_game(texts: Sequence[str]) -> str:
    """The only game that these agents have in common."""
    bases = [split(text)[0] for text in texts if not is_foreign(text)]
    listed = [AGENTS[base].games for base in bases if base in AGENTS and AGENTS[base].games]
    if not listed or any(games != listed[0] for games in listed) or len(listed[0]) != 1:
        raise GameError("Name the game first, for instance leduc, and then the agents.")
    return listed[0][0]


def print_failures(agents: Sequence[object]) -> None:
    """Say which agents have lost games by failing."""
    for agent in agents:
        if isinstance(agent, PythonAgent) and (report := agent.failure_report()):
            err.print(f"[yellow]{escape(report)}[/]")


def failures(agents: Sequence[object]) -> dict[str, dict[str, float]]:
    """The same for JSON, of agents that are not compiled."""
    return {agent.name: agent.failures for agent in agents if isinstance(agent, PythonAgent)}


def points(payoff: Estimate, scale: float = 1.0) -> str:
    """A payoff with half the width of its interval, in a unit of which a point has `scale`."""
    return f"{figure(payoff.value, scale)} {reach(payoff, scale)}"


def reach(payoff: Estimate, scale: float = 1.0) -> str:
    """Half the width of a payoff's interval."""
    return f"± {figure((payoff.high - payoff.low) / 2, scale).removeprefix('+')}"


def figure(value: float, scale: float = 1.0) -> str:
    """A number of points in a unit; in a tiny one, without decimals. A dash where nothing is known."""
    return f"{value * scale:+,.{0 if scale >= 100 else 3}f}" if math.isfinite(value) else "–"


def percent(share: float) -> str:
    """A share in percent, or a dash where nothing is known."""
    return f"{100 * share:.1f}" if math.isfinite(share) else "–"


def percents(share: Estimate) -> str:
    """The interval of a share."""
    return f"{percent(share.low)}–{percent(share.high)}"
