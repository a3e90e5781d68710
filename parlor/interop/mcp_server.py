"""Games for whoever speaks the Model Context Protocol: list them, read the rules, sit down, move, see the result.

A table lives in this process. Whoever sits down gets a token, which is the only way to the seat; what is shown comes
from the same filter of hidden information as everywhere. Other seats are taken by agents that come with Parlor: a
client can name them, but no files and no code. The protocol itself is left to its official SDK.
"""

from __future__ import annotations

import functools
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from parlor.agents.language.prompt import rules_text
from parlor.agents.programs.messages import observation
from parlor.agents.registry import AGENTS, concrete_game, make_agent, opponent
from parlor.game import CHANCE, Game, GameError, Position
from parlor.game.loading import GAMES, load_once
from parlor.game.rng import seed_stream
from parlor.game.seats.observation import observe
from parlor.game.seats.play import AgentSeat, sample

MAX_TABLES = 64  # the one that was used longest ago goes first
MAX_SHOWN = 200  # events of the history that are sent
INSTRUCTIONS = (
    "Play games of imperfect information. list_games, then rules, then sit_down: it returns a token. "
    "play(token, move) makes one of the legal moves and lets the others move; look(token) shows the position again."
)


@dataclass
class Table:
    """A game that goes on, seen from one seat; the others are agents."""

    game: Game
    player: int
    seats: Mapping[int, AgentSeat]
    streams: Sequence[list[int]]  # of the seats, and last that of chance
    position: Position = field(init=False)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Play on to the first decision of the one who sits here."""
        self.position = self.game.start()
        self.advance()

    def play(self, move: str) -> None:
        """Make a move; GameError if it is not one's turn or the move is not legal."""
        if self.position.over:
            raise GameError("The game is over.")
        if move not in self.position.legal:
            raise GameError(f"{move!r:.80} cannot be played here; legal moves: {', '.join(self.position.legal[:40])}.")
        self._after(move)
        self.advance()

    def advance(self) -> None:
        """Let chance and the agents move until it is one's turn, or the end."""
        while not self.position.over and self.position.turn != self.player:
            who = self.position.turn
            stream = self.streams[who if who != CHANCE else -1]
            move = sample(self.position.odds, stream) if who == CHANCE else self.seats[who].act(self.position, stream)
            self._after(move)

    def _after(self, move: str | int) -> None:
        before, self.position = self.position, self.position.after(move)
        for seat in self.seats.values():
            seat.observe(before, self.position.history[-1], self.position)

    def shown(self) -> dict[str, Any]:
        """The observation of the seat, with the history, and payoffs at the end."""
        seen = observe(self.position, self.player)
        happened = [[event.player, event.move] for event in seen.history[-MAX_SHOWN:]]
        result = {"payoffs": list(seen.payoffs)} if seen.payoffs is not None else {}
        return {"over": self.position.over, **observation(seen), "history": happened, **result}


class McpTables:
    """The tables of one server, by token."""

    def __init__(self) -> None:
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    def sit_down(
        self, name: str, player: int = 0, opponents: Sequence[str] = (), seed: int | None = None
    ) -> tuple[str, Table]:
        """A new table and the token of its seat."""
        game = concrete_game(_game(name))
        if not 0 <= player < game.players:
            raise GameError(f"player must be from 0 to {game.players - 1}, not {player}.")
        others = [p for p in range(game.players) if p != player]
        named = list(opponents) or [opponent(game)]
        if len(named) not in (1, len(others)):
            raise GameError(f"opponents must be one agent or {len(others)}, not {len(named)}.")
        agents = [make_agent(text, game) for text in named * (len(others) if len(named) == 1 else 1)]
        streams = [[0, 0, 0, 0] for _ in range(game.players + 1)]
        for i, stream in enumerate(streams):
            seed_stream(stream, secrets.randbits(62) if seed is None else seed, i)
        start = game.start()
        seats = {p: agent.sit(start, p) for p, agent in zip(others, agents, strict=True)}
        token, table = secrets.token_urlsafe(18), Table(game, player, seats, streams)
        with self._lock:
            self._tables[token] = table
            while len(self._tables) > MAX_TABLES:
                self._tables.popitem(last=False)
        return token, table

    def at(self, token: str) -> Table:
        """The table of a token."""
        with self._lock:
            if token not in self._tables:
                raise GameError("There is no seat with this token: sit down first.")
            self._tables.move_to_end(token)
            return self._tables[token]


def _game(name: str) -> Game:
    """A game that comes with Parlor, perhaps with options; no files."""
    base = name.partition("(")[0].partition("/")[0].strip()
    if base not in GAMES:
        raise GameError(f"There is no game {base[:60]!r}; there are {', '.join(GAMES)}.")
    return load_once(name)


def games() -> list[dict[str, Any]]:
    """All games, with what they are in a line."""
    found = []
    for name in GAMES:
        game = _game(name)
        found.append({"game": name, "players": game.players, "kind": game.kind, "summary": game.words.summary})
    return found


def rules(name: str) -> dict[str, Any]:
    """A game's rules in words, its options, and the agents that play it."""
    game = concrete_game(_game(name))
    agents = {agent: spec.summary for agent, spec in AGENTS.items() if spec.plays(game) and not spec.game_of_file}
    return {
        "game": game.name,
        "players": game.players,
        "rules": rules_text(game),
        "options": {key: str(value) for key, value in game.options.items()},
        "agents": agents,
        "usual_opponent": opponent(game),
    }


class Tools:
    """The tools of the server. Their docstrings are told to the client."""

    def __init__(self) -> None:
        self._tables = McpTables()

    def list_games(self) -> list[dict[str, Any]]:
        """List the games: name, players, kind, and a line about each."""
        return games()

    def rules(self, game: str) -> dict[str, Any]:
        """Tell the rules of a game, such as leduc or leduc(players=3), its options and the agents that play it."""
        return rules(game)

    def sit_down(
        self, game: str, player: int = 0, opponents: list[str] | None = None, seed: int | None = None
    ) -> dict[str, Any]:
        """Begin a game in a seat; returns its token and what it sees. Opponents: one agent, or one for each seat."""
        token, table = self._tables.sit_down(game, player, opponents or (), seed)
        return {"token": token, **table.shown()}

    def look(self, token: str) -> dict[str, Any]:
        """Show what the seat sees: view, history, legal moves, and payoffs when the game is over."""
        return self._tables.at(token).shown()

    def play(self, token: str, move: str) -> dict[str, Any]:
        """Make a legal move, by its name; returns what the seat sees when it is its turn again, or the game is over."""
        table = self._tables.at(token)
        with table.lock:
            table.play(move)
            return table.shown()


def server() -> Any:
    """The server; `run()` serves it over standard input and output. Tools run in threads of their own."""
    try:
        import anyio.to_thread
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError:
        raise GameError("The MCP server needs the MCP SDK: pip install 'parlor-games[mcp]'.") from None

    made, tools = MCPServer("parlor", instructions=INSTRUCTIONS, log_level="WARNING"), Tools()

    def add(work: Callable[..., Any]) -> None:
        @functools.wraps(work)
        async def done(**arguments: Any) -> Any:
            try:
                return await anyio.to_thread.run_sync(functools.partial(work, **arguments))
            except GameError as error:
                raise ToolError(str(error)) from None

        made.tool()(done)

    for work in (tools.list_games, tools.rules, tools.sit_down, tools.look, tools.play):
        add(work)
    return made
