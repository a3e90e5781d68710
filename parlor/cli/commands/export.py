"""Write a game, games that were played on the server, a blueprint, or a trained player, to files.

    games.csv     a line for each game: who (seats, as JSON), what, when, and the result for its host
    moves.csv     a line for each move: who, what, how long it took, by which version of the agent
    games.jsonl   a line for each game with its moves inside

Examples:
  parlor export game kuhn --out kuhn.efg
  parlor export games
  parlor export games --out analysis --database-url postgresql://me@localhost/parlor
  parlor export blueprint --run runs/holdem-fcpa-kmeans --out blueprint.npz
  parlor export blueprint --run runs/suitless --out cfr_training.csv
  parlor export player --run runs/deal --out deal.npz --title 'Self-taught Selma' --against careful risk-aware

Seat tokens are not exported. Games in progress are exported as they are, hidden cards included. If an export fails,
the files of the one before remain. A blueprint is exported as .npz without what only training needs, or, if
its cards are suitless, as .csv with a line for each information set that was trained. A game is written for Gambit: its
tree to .efg, or its payoffs, if everybody chooses once, to .nfg.

A player is the network of a training run, in half precision, with a card beside it (.json): how it was trained, and how
it does on fresh deals against the agents named. Both in the folder `trained` of a game make a player that comes with
Parlor, called by the name of the file.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Literal

import tyro

from parlor.agents.network import how_trained
from parlor.cli.flags import DatabaseFlag, Folder, JsonFlag, OptionalGame, ThreadsFlag
from parlor.cli.screen import compiler_notes, err, print_json
from parlor.game import GameError
from parlor.poker.blueprint import Blueprint
from parlor.runs.files.blueprint_files import suitless_rows
from parlor.runs.files.container import FileError, draft_of, writable
from parlor.runs.files.container import write as write_file
from parlor.runs.files.game_files import save_game
from parlor.runs.files.strategy_files import save
from parlor.runs.measuring.trained_players import Measuring, export_player
from parlor.runs.saved_agents import read_policy
from parlor.server.operations.settings import DATABASE

if TYPE_CHECKING:
    from parlor.server.tables.store import Store

GAME = (
    *("id", "created", "ended", "game", "rules", "players", "seats", "host", "mind", "pace", "clock", "seed"),
    *("seed_chosen", "parent", "parent_ply", "undone", "replaced_by", "imported", "resigned_by", "payoffs", "plies"),
    "outcome",
)
MOVE = ("table_id", "ply", "player", "by", "move", "at", "ms", "agent", "agent_version")


@dataclass(frozen=True, kw_only=True)
class Options(DatabaseFlag, ThreadsFlag, JsonFlag):
    """Options of `parlor export`."""

    what: Annotated[
        Literal["game", "games", "blueprint", "player"], tyro.conf.Positional, tyro.conf.arg(metavar="WHAT")
    ]
    """What to write: a game, games that were played, a blueprint, or a trained player."""
    game: OptionalGame = None
    """For a game: which one."""
    run: Folder = None
    """For a blueprint: the training run, or one of its checkpoints; for a player: the training run."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None
    """For games: the folder (exported if omitted), whose files of these names are replaced when the export is complete;
    for a blueprint: the .npz or .csv file; for a game: the .efg or .nfg file; for a player: the .npz file."""
    title: Annotated[str, tyro.conf.arg(metavar="NAME")] = ""
    """For a player: its name for people."""
    against: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT …")] = ()
    """For a player: the agents that it is measured against."""
    temperature: Annotated[float | None, tyro.conf.arg(metavar="X")] = None
    """For a player: below 1 it plays more often what it prefers, 0 always; as it was trained if omitted."""
    rounds: Annotated[int, tyro.conf.arg(name="games", metavar="N")] = 4000
    """For a player: games against each of them."""
    seed: int = 0
    """For a player: the seed of their deals, which the training has not seen."""


def run(options: Options) -> int:
    """Write the files and print how much there was."""
    if options.game and options.what != "game":
        raise GameError(
            f"parlor export {options.what} takes no game; parlor export game {options.game} writes its rules."
        )
    if options.what == "blueprint":
        return _blueprint(options)
    if options.what == "game":
        return _rules(options)
    if options.what == "player":
        return _player(options)
    url = options.database_url or os.environ.get("DATABASE_URL") or DATABASE
    folder = options.out or Path("exported")
    counts = asyncio.run(write(url, folder))
    if options.json:
        print_json({**counts, "folder": str(folder)})
    else:
        err.print(f"{counts['games']:,} games and {counts['moves']:,} moves are in {folder}")
    return 0


def _rules(options: Options) -> int:
    """Write a game for Gambit."""
    if options.game is None or options.out is None:
        raise GameError("Name the game and the file: parlor export game kuhn --out kuhn.efg.")
    path = save_game(options.game, options.out)
    if options.json:
        print_json({"game": options.game, "path": str(path)})
    else:
        err.print(f"{options.game} is in {path}")
    return 0


def _player(options: Options) -> int:
    """Write a trained player and its card."""
    if options.run is None or options.out is None or not options.title:
        raise GameError(
            "Name the training run, the file and the player: "
            "parlor export player --run FOLDER --out FILE.npz --title NAME --against AGENT …."
        )
    if options.temperature is not None and not 0.0 <= options.temperature < 100.0:
        raise GameError(f"temperature must be from 0 to 100, not {options.temperature:g}.")
    measuring = Measuring(options.against, options.rounds, options.seed, options.threads)
    with compiler_notes():
        card = export_player(options.run, options.out, options.title, measuring, options.temperature)
    if options.json:
        print_json(card | {"file": str(options.out), "bytes": options.out.stat().st_size})
    else:
        err.print(f"{card['title']} is in {options.out}, {options.out.stat().st_size / 1e6:.2f} MB")
        err.print(how_trained(card))
    return 0


def _blueprint(options: Options) -> int:
    if options.run is None or options.out is None:
        raise GameError("Name the blueprint and the file: parlor export blueprint --run FOLDER --out FILE.")
    writable(options.out, {".npz": "compact", ".csv": "that of Mendes da Luz (2025)"})
    plan: Any = read_policy(options.run)
    if plan.kind != Blueprint.kind:
        raise GameError(f"{options.run} is a {plan.kind} for {plan.game}, not a blueprint.")
    rows = len(plan)
    if options.out.suffix == ".npz":
        save(plan, options.out)
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
        for row in suitless_rows(plan):
            lines.writerow(row)
            count += 1
        text.detach()  # the file stays open

    write_file(path, fill)
    return count


async def write(url: str, folder: Path) -> dict[str, int]:
    """Write games and moves of a database to files in a folder; old files are replaced when all new ones are ready."""
    from parlor.server.tables.store import Store

    try:
        store = Store(url)
    except Exception as error:  # drivers raise all kinds of errors
        raise GameError(f"This is not the address of a database: {str(error).rstrip('.')}.") from None
    try:
        database = store.url.database
        if store.kind == "sqlite" and database and not Path(database).is_file():
            raise GameError(f"There is no database {database}; `parlor serve` makes it.")
        with draft_of(folder) as draft:
            return await _write(store, draft)
    except OSError as error:
        raise FileError(f"{folder} cannot be written: {error.strerror}.") from None
    finally:
        await store.close()


async def _games(store: Store) -> AsyncIterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The games of a database, each with its moves."""
    from parlor.server.tables.store import AWAY

    try:
        for table in await store.tables():
            table["seats"] = [_seat(row) for row in await store.seats(table["id"])]
            yield table, [_move(row) for row in await store.moves(table["id"])]
    except AWAY as error:
        raise GameError(f"The database cannot be read: {type(error).__name__}.") from None


async def _write(store: Store, folder: Path) -> dict[str, int]:
    counts = {"games": 0, "moves": 0}
    with (
        (folder / "games.csv").open("w", newline="", encoding="utf-8") as games_file,
        (folder / "moves.csv").open("w", newline="", encoding="utf-8") as moves_file,
        (folder / "games.jsonl").open("w", encoding="utf-8") as lines,
    ):
        games, moves = csv.DictWriter(games_file, GAME), csv.DictWriter(moves_file, MOVE)
        games.writeheader()
        moves.writeheader()
        async for table, made in _games(store):
            game = _game(table, len(made))
            lists = {name: json.dumps(game[name], ensure_ascii=False) for name in ("payoffs", "seats")}
            games.writerow({**game, **lists})
            moves.writerows(made)
            lines.write(json.dumps({**game, "moves": made}, ensure_ascii=False) + "\n")
            counts["games"] += 1
            counts["moves"] += len(made)
    return counts


def _game(table: dict[str, Any], plies: int) -> dict[str, Any]:
    row = {name: _plain(table[name]) for name in GAME if name in table}
    return row | {"plies": plies, "outcome": _outcome(table)}


def _seat(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("seat", "kind", "name", "agent", "agent_version")}


def _outcome(table: dict[str, Any]) -> str:
    """For the host: whoever made the table."""
    if table["ended"] is None:
        return "running"
    if table["resigned_by"] is not None:
        return "resigned" if table["resigned_by"] == table["host"] else "won"
    payoffs = table["payoffs"]
    if payoffs is None:
        return "ended"
    mine = payoffs[table["host"]]
    return "drawn" if min(payoffs) == max(payoffs) else "won" if mine > 0 else "lost"


def _move(row: dict[str, Any]) -> dict[str, Any]:
    agent = row["agent"] is not None or row["agent_version"] is not None
    by = "chance" if row["player"] < 0 else "agent" if agent else "person"
    return {name: _plain(row[name]) for name in MOVE if name != "by"} | {"by": by}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
