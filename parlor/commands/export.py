"""Write games that were played at the server, or a blueprint, as files for others.

    games.csv     a line for each game: who, what, when, how it ended
    moves.csv     a line for each move: who, what, how long it took, by which version of the agent
    games.jsonl   a line for each game with its moves inside

Examples:
  parlor export games
  parlor export games --out analysis --database-url postgresql://me@localhost/parlor
  parlor export blueprint --run runs/holdem-fcpa-kmeans --out blueprint.npz
  parlor export blueprint --run runs/dissertation --out cfr_training.csv

Seat tokens are not kept as such and not written. Games in progress are written as they stand, hidden cards and all.
A blueprint is written without what is only needed to go on training, or, if its cards are suitless, as the file of the
dissertation has it: a line for each information set that was trained.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Annotated, Any, Literal

import tyro

from parlor.commands.screen import err, print_json
from parlor.game import GameError
from parlor.poker.blueprint import Blueprint
from parlor.runs.blueprint_files import dissertation_rows, save_blueprint
from parlor.runs.policy_files import writable
from parlor.runs.policy_files import write as write_file
from parlor.runs.saved_agents import read_policy
from parlor.server.settings import DATABASE

GAME = (
    *("id", "created", "ended", "game", "rules", "players", "seat", "player_name", "agent", "agent_version", "mind"),
    *("pace", "seed", "parent", "parent_ply", "imported", "resigned", "payoffs", "plies", "outcome"),
)
MOVE = ("table_id", "ply", "player", "by", "move", "at", "ms", "agent_version")


@dataclass(frozen=True)
class Options:
    """Options of `parlor export`."""

    what: Annotated[Literal["games", "blueprint"], tyro.conf.Positional]
    """What to write: games, or a blueprint."""
    run: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Of a blueprint: the run that trained it, or one of its checkpoints."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None
    """The folder for games (exported), in which files of these names are replaced; the .npz or .csv for a blueprint."""
    database_url: Annotated[str | None, tyro.conf.arg(metavar="URL")] = None
    """The server's database; DATABASE_URL, or the file in parlor-data/, if not given."""
    json: bool = False
    """Print JSON for machines."""


def run(options: Options) -> int:
    """Write the files and say how much there was."""
    if options.what == "blueprint":
        return _blueprint(options)
    url = options.database_url or os.environ.get("DATABASE_URL") or DATABASE
    folder = options.out or Path("exported")
    counts = asyncio.run(write(url, folder))
    if options.json:
        print_json({**counts, "folder": str(folder)})
    else:
        err.print(f"{counts['games']:,} games and {counts['moves']:,} moves are in {folder}")
    return 0


def _blueprint(options: Options) -> int:
    if options.run is None or options.out is None:
        raise GameError("Which blueprint, and where to? parlor export blueprint --run FOLDER --out FILE.")
    writable(options.out, {".npz": "compact", ".csv": "the dissertation's"})
    plan: Any = read_policy(options.run)
    if plan.kind != Blueprint.kind:
        raise GameError(f"{options.run} is a {plan.kind} for {plan.game}, not a blueprint.")
    rows = len(plan)
    if options.out.suffix == ".npz":
        save_blueprint(plan, options.out)
    else:
        rows = _write_rows(plan, options.out)
    if options.json:
        print_json({"infosets": rows, "file": str(options.out), "bytes": options.out.stat().st_size})
    else:
        err.print(f"{rows:,} information sets are in {options.out}, {options.out.stat().st_size / 1e6:.1f} MB")
    return 0


def _write_rows(plan: Blueprint, path: Path) -> int:
    count = 0

    def fill(file: IO[bytes]) -> None:
        nonlocal count
        text = io.TextIOWrapper(file, "utf-8", newline="")
        lines = csv.writer(text)
        lines.writerow(("info_set", "strategies"))
        for row in dissertation_rows(plan):
            lines.writerow(row)
            count += 1
        text.detach()  # the file stays open

    write_file(path, fill)
    return count


async def write(url: str, folder: Path) -> dict[str, int]:
    """Games and moves of a database as files in a folder."""
    from parlor.server.store import AWAY, Store

    store = Store(url)
    database = store.url.database
    if store.kind == "sqlite" and database and not Path(database).is_file():
        raise GameError(f"There is no database {database}; `parlor serve` makes it.")
    folder.mkdir(parents=True, exist_ok=True)
    counts = {"games": 0, "moves": 0}
    try:
        with (
            (folder / "games.csv").open("w", newline="", encoding="utf-8") as games_file,
            (folder / "moves.csv").open("w", newline="", encoding="utf-8") as moves_file,
            (folder / "games.jsonl").open("w", encoding="utf-8") as lines,
        ):
            games, moves = csv.DictWriter(games_file, GAME), csv.DictWriter(moves_file, MOVE)
            games.writeheader()
            moves.writeheader()
            for table in await store.tables():
                made = [_move(row, table) for row in await store.moves(table["id"])]
                game = _game(table, len(made))
                games.writerow({**game, "payoffs": json.dumps(game["payoffs"]), "player_name": _cell(game)})
                moves.writerows(made)
                lines.write(json.dumps({**game, "moves": made}, ensure_ascii=False) + "\n")
                counts["games"] += 1
                counts["moves"] += len(made)
    except AWAY as error:
        raise GameError(f"The database cannot be read: {type(error).__name__}.") from None
    finally:
        await store.close()
    return counts


def _game(table: dict[str, Any], plies: int) -> dict[str, Any]:
    row = {name: _plain(table[name]) for name in GAME if name in table}
    return row | {"plies": plies, "outcome": _outcome(table)}


def _outcome(table: dict[str, Any]) -> str:
    if table["ended"] is None:
        return "running"
    if table["resigned"]:
        return "resigned"
    payoffs = table["payoffs"]
    mine = payoffs[table["seat"]]
    return "drawn" if min(payoffs) == max(payoffs) else "won" if mine > 0 else "lost"


def _move(row: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    by = "chance" if row["player"] < 0 else "person" if row["player"] == table["seat"] else "agent"
    return {name: _plain(row[name]) for name in MOVE if name != "by"} | {"by": by}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _cell(game: dict[str, Any]) -> str:
    """A name that no spreadsheet takes for a formula."""
    name = str(game["player_name"])
    return f"'{name}" if name[:1] in ("=", "+", "-", "@") else name
