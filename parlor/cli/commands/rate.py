"""Measure how strong the agents of a game are: everyone plays everyone, and each gets a level and a rating.

All agents that come with Parlor and play the game take part as a server would seat them, except for tree searches,
which take long; and so do the strategies in the folder that were made for it, of a training run the newest checkpoint.
The cross table is written into the folder, where `parlor serve` reads it: the page then shows levels and offers the
agent first that is hardest to beat.


Random play has level 1 and rating 0; level 10 is the best rating that was measured at the game. 400 points of rating
are ten times the odds of winning, or, where games are about points, of being ahead after 100 games.

Examples:
  parlor rate leduc
  parlor rate kuhn 'kuhn(players=3)' --agents runs/demo --seconds 0.5
  parlor rate holdem --agents /srv/agents --games 20000 --seconds 60
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.markup import escape

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import AGENTS, concrete_game, is_path
from parlor.arena.match import Match, play_match
from parlor.arena.ratings import hardest_to_beat, level, ratings, results_of
from parlor.arena.tournament import Tournament, pairs
from parlor.cli.flags import JsonFlag, SeedFlag, ThreadsFlag
from parlor.cli.screen import compiler_notes, err, file_name, games_bar, out, plain_table, print_json
from parlor.compile import NotCached
from parlor.game import Game, GameError
from parlor.game.loading import load
from parlor.game.loading.registry import is_python, split
from parlor.game.seats.python_agent import PythonAgent
from parlor.runs.files.container import make_folder, write
from parlor.runs.files.strategy_names import is_solved
from parlor.runs.saved_agents import load_agent
from parlor.server.catalogue.folders import Folders
from parlor.server.catalogue.standings import served

FOLDER = "tables"  # in the folder of the agents


@dataclass(frozen=True, kw_only=True)
class Options(SeedFlag, ThreadsFlag, JsonFlag):
    """Options of `parlor rate`."""

    games: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="GAME …")]
    """The games, with their options."""
    agents: Annotated[tuple[Path, ...], tyro.conf.arg(metavar="FOLDER …")] = (Path("runs"),)
    """Folders with saved strategies and training runs; the cross tables are written into the first."""
    rounds: Annotated[int, tyro.conf.arg(name="games", metavar="N")] = 2000
    """Games between every two agents, at most."""
    seconds: float = 5.0
    """Seconds for every two agents, at most; compiling is not counted."""


def run(options: Options) -> int:
    """Play, save and print."""
    if not options.games:
        raise GameError("Name the games to be measured: parlor rate leduc.")
    if options.rounds < 1 or options.seconds <= 0.0:
        raise GameError("games and seconds must be above 0.")
    games = [concrete_game(load(name)) for name in options.games]
    make_folder(options.agents[0] / FOLDER)
    folders = Folders(options.agents)
    rows = []
    for game in games:
        with compiler_notes(), games_bar(options.json) as show:
            agents = _agents(game, folders)
            total = len(pairs(game.players, len(agents))) * options.rounds
            result = _play(game, agents, options, functools.partial(_show, show, game.name, total))
        path = options.agents[0] / FOLDER / f"{file_name(game.name)}.json"
        write(path, json.dumps(result.row(), indent=1).encode())
        rows.append(_summary(result, folders) | {"table": str(path)})
        if not options.json:
            _print(rows[-1])
    if options.json:
        print_json(rows)
    return 0


def _agents(game: Game, folders: Folders) -> list[CompiledAgent | PythonAgent]:
    """Everybody who can play the game."""
    found = folders.found()
    newest = {run.checkpoints[-1].id for run in found.runs.values() if run.checkpoints}
    files = [
        (file, str(found.runs[file.run].path if file.run else file.path))
        for file in found.policies.values()
        if file.run is None or file.id in newest
    ]
    solved = any(file.game == game.name and is_solved(file.head) for file, _ in files)
    alone = {name: row for name, row in AGENTS.items() if row.game_of_file is None and row.rated and row.plays(game)}
    texts = [served(name) for name, spec in alone.items() if not (solved and spec.computes)]
    texts += [path for file, path in files if file.game == game.name or file.game.startswith(f"{game.name}/")]
    for name, spec in AGENTS.items():
        for file, path in files:
            keys = [key for key in spec.named("file") if spec.settings[key].file_kind in ("", file.kind)]
            if spec.rated and spec.game_of_file and keys and spec.game_of_file(file.game) == game.name:
                texts.append(served(f"{name}({keys[0]}={path})"))
    made = []
    for text in texts:
        try:
            made.append(load_agent(text, game))
        except (GameError, NotCached) as error:
            err.print(f"[yellow]{escape(text)} does not take part: {escape(str(error))}[/]", soft_wrap=True)
    return made


def _show(bar: Callable[[str, int, int], None], name: str, total: int, done: int) -> None:
    bar(name, done, total)


def _play(
    game: Game,
    agents: Sequence[CompiledAgent | PythonAgent],
    options: Options,
    on_progress: Callable[[int], None],
) -> Tournament:
    matches: dict[tuple[int, int], Match] = {}
    for number, (i, j) in enumerate(pairs(game.players, len(agents))):
        began = 0.0

        def going(done: int, number: int = number) -> bool:
            nonlocal began
            began = began or time.perf_counter()  # the first games waited for the compiler
            on_progress(number * options.rounds + done)
            return time.perf_counter() - began < options.seconds

        matches[i, j] = play_match(
            game, [agents[i], agents[j]], options.rounds, options.seed, threads=options.threads, on_progress=going
        )
    return Tournament(game.name, tuple(a.name for a in agents), matches, game.units, game.players)


def _summary(result: Tournament, folders: Folders) -> dict[str, object]:
    results = results_of(result.row())
    found = ratings(results)
    best = max((rating.value for rating in found.values()), default=0.0)
    first = hardest_to_beat(results)
    agents = [
        {
            "agent": text,
            "name": _name(text, folders),
            "level": level(rating.value, best),
            "rating": {"value": rating.value, "low": rating.low, "high": rating.high},
        }
        for text, rating in sorted(found.items(), key=lambda item: -item[1].value)
    ]
    return {"game": result.game, "hardest_to_beat": first[0] if first else None, "agents": agents}


def _name(text: str, folders: Folders) -> str:
    base, given = split(text) if not is_path(text) and not is_python(text) else (text, {})
    if base not in AGENTS:
        return folders.title(text)
    files = [folders.title(value) for key, value in given.items() if key in AGENTS[base].named("file")]
    return " with ".join([AGENTS[base].name, *files])


def _print(row: dict[str, object]) -> None:
    table = plain_table("", "level", "rating", "95 % interval")
    agents: list[dict[str, object]] = row["agents"]  # type: ignore[assignment]
    for agent in agents:
        rating: dict[str, float] = agent["rating"]  # type: ignore[assignment]
        mark = "  [green]hardest to beat[/]" if agent["agent"] == row["hardest_to_beat"] else ""
        interval = f"{rating['low']:.0f} to {rating['high']:.0f}"
        table.add_row(f"{escape(str(agent['name']))}{mark}", str(agent["level"]), f"{rating['value']:.0f}", interval)
    out.print(f"[bold]{escape(str(row['game']))}[/]", table, sep="\n")
