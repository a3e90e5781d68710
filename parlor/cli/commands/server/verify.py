"""Verify a shuffle: that what chance drew in a game was fixed before the first move.

The server commits to a secret (its SHA-256) before it deals, and tells it when the game is over. This command compares
the two and draws again whatever chance has drawn. What you noted of the commitment before the game is given with
--commitment. docs/arena.md says how it works, and what it cannot show.

Examples:
  parlor verify http://localhost:8000/table/ID              a game that is over
  parlor verify http://localhost:8000/arena/match/ID        all deals of a match of the arena
  parlor verify match.json --commitment 5f0c…               a match that was saved as a file
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from parlor.agents.registry import concrete_game
from parlor.cli.commands.server.join import asked, server_of
from parlor.cli.flags import JsonFlag
from parlor.cli.screen import err, out, print_json
from parlor.compile import version
from parlor.game import GameError
from parlor.game.loading import load
from parlor.server.tables.shuffle import Draws, commitment, draw_again, draw_match_again

SHOWN = 5  # wrong draws that are listed


@dataclass(frozen=True, kw_only=True)
class Options(JsonFlag):
    """Options of `parlor verify`."""

    source: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="URL-OR-FILE")]
    """The address of a table or of a match, as the page has it, or the file of a match."""
    commitment: Annotated[str, tyro.conf.arg(metavar="HEX")] = ""
    """The commitment that you noted before the game; without it, that of the source is taken."""


def run(options: Options) -> int:
    """Verify and say what was found; 1 if something is wrong."""
    told, secret, draws, what = _found(options.source)
    noted = (options.commitment or told).lower()
    kept = commitment(secret) == noted
    if options.json:
        print_json({"commitment": noted, "fits": kept, "draws": draws.drawn, "wrong": draws.wrong})
        return 0 if kept and not draws.wrong else 1
    if not kept:
        err.print(f"The secret does not fit the commitment {noted}: it is not the one that was fixed before the game.")
    for sentence in draws.wrong[:SHOWN]:
        err.print(f"{sentence[0].upper()}{sentence[1:]}.", highlight=False)
    if len(draws.wrong) > SHOWN:
        err.print(f"… and {len(draws.wrong) - SHOWN:,} more.")
    if not kept or draws.wrong:
        return 1
    out.print(
        f"The secret fits the commitment, and all {draws.drawn:,} draws of {what} are what it gives.", highlight=False
    )
    return 0


def _found(source: str) -> tuple[str, str, Draws, str]:
    """The commitment, the secret, the draws, and what they are of, in words."""
    if not source.startswith(("http://", "https://")):
        try:
            return _of_match(json.loads(Path(source).read_text()))
        except (OSError, UnicodeDecodeError, ValueError):
            raise GameError(f"{source} cannot be read as the file of a match.") from None
    server, path = server_of(source)
    if match := re.fullmatch(r"/arena/match/([A-Za-z0-9_-]+)", path):
        return _of_match(asked(f"{server}/api/arena/matches/{match[1]}/record"))
    if table := re.fullmatch(r"/table/([A-Za-z0-9_-]+)", path):
        return _of_table(asked(f"{server}/api/tables/{table[1]}/shuffle"), f"{server}/api/tables/{table[1]}/record")
    raise GameError(f"{source} is neither a table (…/table/ID) nor a match (…/arena/match/ID).")


def _of_table(shuffle: dict[str, Any], record: str) -> tuple[str, str, Draws, str]:
    if shuffle["commitment"] is None:
        raise GameError("Nothing was committed to here: the seed was chosen, or the game came from a file.")
    if shuffle["secret"] is None:
        raise GameError("The secret is told when the game, and all that share its cards, are over.")
    played = asked(record)
    _warn_of_rules(played)
    moves = [move["move"] for move in played["moves"]]
    draws = draw_again(concrete_game(load(played["game"])), moves, shuffle["secret"], shuffle["since"])
    return shuffle["commitment"], shuffle["secret"], draws, "this game"


def _of_match(record: dict[str, Any]) -> tuple[str, str, Draws, str]:
    if not isinstance(record, dict) or record.get("format") != "parlor match 1":
        raise GameError("This is not the file of a match.")
    _warn_of_rules(record)
    games = [(game["deal"], game["moves"]) for game in record["games"]]
    draws = draw_match_again(concrete_game(load(record["game"])), record["secret"], games)
    return record["commitment"], record["secret"], draws, f"{len(games)} games"


def _warn_of_rules(record: dict[str, Any]) -> None:
    game = concrete_game(load(record["game"]))
    if version(game) != record["rules"]:
        err.print(f"[yellow]The rules of {game.name} have changed since it was played: draws may differ for that.[/]")
