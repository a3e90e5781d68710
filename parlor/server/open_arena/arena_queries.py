"""The public side of the arena: its games, standings, matches, and a finished match as a file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

from parlor.game import Game, GameError
from parlor.server.open_arena.open_arena import GAMES, SECONDS, OpenArena
from parlor.server.open_arena.standings_of import against_people, interval, match_of, standings
from parlor.server.operations.threads import in_thread
from parlor.server.refusal import Refusal
from parlor.server.schemas.arena import (
    ArenaGame,
    ArenaInfo,
    ArenaMatch,
    ArenaMatchGames,
    ArenaStandings,
    MatchGame,
    MatchRecord,
    MatchRecordGame,
)
from parlor.server.tables.shuffle import commitment
from parlor.server.tables.store import Row

KEPT = 3.0  # seconds for which standings are good
KEPT_GAMES = 64


async def info(arena: OpenArena) -> ArenaInfo:
    """The games at which agents have been registered, those with most agents first."""
    agents = Counter(row["game"] for row in await arena.store.agents())
    connected = Counter(row["game"] for row in arena.connected_rows())
    played = await arena.store.played()
    games = [
        ArenaGame(game=name, title=title, agents=count, connected=connected[name], games=played.get(name, 0))
        for name, count in agents.most_common()
        if (title := await _title(arena, name)) is not None
    ]
    return ArenaInfo(games=games, seconds=SECONDS, duplicate=arena.duplicate, pair_games=GAMES)


async def table_of(arena: OpenArena, name: str) -> ArenaStandings:
    """The standings at a game."""
    game = await _game(arena, name)
    async with arena.reckoning:
        until, found = arena.standings.get(game.name, (0.0, None))
        if found is None or time.monotonic() >= until:
            found = await _standings(arena, game)
            arena.standings.pop(game.name, None)  # the oldest come first
            arena.standings[game.name] = time.monotonic() + KEPT, found
            while len(arena.standings) > KEPT_GAMES:
                del arena.standings[next(iter(arena.standings))]
        return found


async def _standings(arena: OpenArena, game: Game) -> ArenaStandings:
    agents, matches = await arena.store.agents(game.name), await arena.store.matches(game.name)
    seats = await arena.store.peoples(game.name)
    connected = {row["id"] for row in arena.connected_rows()}

    def work() -> ArenaStandings:
        ids = {seat["agent"] for seat in seats if seat["kind"] == "agent"}
        names = {agent.id: agent.name for agent in arena.catalogue.agents(game.name) if agent.id in ids}
        return standings(game, agents, matches, connected, against_people(seats, names))

    return await in_thread(work)


async def matches(arena: OpenArena, name: str, agent: str | None, most: int) -> list[ArenaMatch]:
    """The newest matches of a game, or of an agent."""
    game = await _game(arena, name)
    rows = await arena.store.matches(game.name, agent, most)
    names = _names(await arena.store.agents(game.name))  # after them, so that nobody who plays is missing
    return await in_thread(lambda: [_match(game, row, names) for row in rows])


async def games(arena: OpenArena, id: str) -> ArenaMatchGames:
    """A match and its games."""
    row, game, names = await _found(arena, id)
    tables = await arena.store.games(id)
    listed = [
        MatchGame(
            table=table["id"], deal=_deal(row, game, i), seats=_seats(row, game, names, i), payoffs=_payoffs(table)
        )
        for i, table in enumerate(tables)
    ]
    return ArenaMatchGames(match=_match(game, row, names), games=listed)


async def record(arena: OpenArena, id: str) -> MatchRecord:
    """A match that is over, as a file."""
    row, game, names = await _found(arena, id)
    if row["ended"] is None:
        raise Refusal(409, "A match can be verified when it is over: then the secret of its deals is told.")
    moves = await arena.store.moves(id)
    tables = await arena.store.games(id)
    return MatchRecord(
        format="parlor match 1",
        id=id,
        game=row["game"],
        rules=row["rules"],
        agents=[names[row["one"]], names[row["other"]]],
        commitment=commitment(row["secret"]),
        secret=row["secret"],
        games=[
            MatchRecordGame(
                table=table["id"],
                deal=_deal(row, game, i),
                seats=_seats(row, game, names, i),
                payoffs=_payoffs(table),
                moves=[move["move"] for move in moves.get(table["id"], [])],
            )
            for i, table in enumerate(tables)
        ],
    )


async def _title(arena: OpenArena, name: str) -> str | None:
    try:
        return (await _game(arena, name)).words.title
    except GameError:
        return None  # it is offered no more


async def _game(arena: OpenArena, name: str) -> Game:
    return await in_thread(lambda: arena.catalogue.game(name))


async def _found(arena: OpenArena, id: str) -> tuple[Row, Game, dict[str, str]]:
    row = await arena.store.match(id)
    if row is None:
        raise Refusal(404, "There is no such match.")
    return row, await _game(arena, row["game"]), _names(await arena.store.agents(row["game"]))


def _names(agents: Sequence[Row]) -> dict[str, str]:
    return {agent["id"]: agent["name"] for agent in agents}


def _seats(row: Row, game: Game, names: dict[str, str], index: int) -> list[str]:
    """The names of who sat where in the game of this number."""
    alone = index % game.players
    return [names[row["one"]] if p == alone else names[row["other"]] for p in range(game.players)]


def _deal(row: Row, game: Game, index: int) -> int:
    """The number of the deal of a game."""
    return index // game.players if row["duplicate"] else index


def _payoffs(table: Row) -> list[float]:
    return list(table["payoffs"] or [])


def _match(game: Game, row: Row, names: dict[str, str]) -> ArenaMatch:
    payoffs, over = row["payoffs"], row["ended"] is not None
    return ArenaMatch(
        id=row["id"],
        game=row["game"],
        agents=[names[row["one"]], names[row["other"]]],
        created=row["created"].isoformat(timespec="seconds"),
        state="running" if not over else "ended early" if row["why"] else "over",
        why=row["why"],
        games=len(payoffs),
        payoff=interval(match_of(game, (row["one"], row["other"]), payoffs).payoff) if payoffs else None,
        failures={names[agent]: kinds for agent, kinds in row["failures"].items()},
        commitment=commitment(row["secret"]),
        secret=row["secret"] if over else None,
    )
