"""The MCP server, by the SDK's own client: whole games, and nothing hidden on the wire."""

import asyncio
import json
import sys
from typing import Any

import pytest

import parlor
from parlor.interop.mcp_server import MAX_TABLES, McpTables, Table, server

mcp = pytest.importorskip("mcp")


def told(result: Any) -> Any:
    """What a tool returned."""
    content = result.structured_content
    return content["result"] if set(content) == {"result"} else content


async def whole_game(client: Any, game: str) -> tuple[dict[str, Any], list[str]]:
    """Play the first legal move to the end; returns the last answer and everything on the wire."""
    seen = await client.call_tool("sit_down", {"game": game, "opponents": ["random"], "seed": 3})
    wire = [str(seen.structured_content)]
    shown = told(seen)
    token = shown["token"]
    while not shown["over"]:
        answer = await client.call_tool("play", {"token": token, "move": shown["legal"][0]})
        wire.append(str(answer.structured_content))
        shown = told(answer)
    return shown, wire


FAMILIES = ("kuhn(players=3)", "liars-dice", "sheriff", "trade-comm", "deal-or-no-deal", "monopoly-deal(preset=tiny)")


def test_a_client_plays_a_whole_game_of_each_family() -> None:
    async def work() -> None:
        async with mcp.Client(server()) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == {"list_games", "rules", "sit_down", "look", "play"}
            listed = told(await client.call_tool("list_games", {}))
            assert {row["game"] for row in listed} >= {"kuhn", "clue"}
            rules = told(await client.call_tool("rules", {"game": "leduc"}))
            assert "two rounds" in rules["rules"]
            assert rules["usual_opponent"] in rules["agents"]
            for game in FAMILIES:
                shown, wire = await whole_game(client, game)
                assert len(shown["payoffs"]) == parlor.load(game).players
                assert wire[1:] == (await whole_game(client, game))[1][1:]  # the same seed, the same game

    asyncio.run(work())


def test_wrong_requests_get_a_sentence() -> None:
    async def work() -> None:
        async with mcp.Client(server()) as client:
            for tool, arguments, sentence in [
                ("sit_down", {"game": "chess"}, "There is no game 'chess'"),
                ("sit_down", {"game": "/etc/passwd.py"}, "There is no game"),
                ("sit_down", {"game": "kuhn", "player": 2}, "player must be from 0 to 1"),
                ("sit_down", {"game": "kuhn", "opponents": ["agents.py:Mine"]}, "not compiled"),
                ("sit_down", {"game": "kuhn", "opponents": ["random"] * 3}, "one agent or 1"),
                ("look", {"token": "guess"}, "no seat with this token"),
            ]:
                result = await client.call_tool(tool, arguments)
                assert result.is_error
                assert sentence in result.content[0].text
            seat = told(await client.call_tool("sit_down", {"game": "kuhn", "seed": 1}))
            wrong = await client.call_tool("play", {"token": seat["token"], "move": "castle"})
            assert "legal moves: pass, bet" in wrong.content[0].text

    asyncio.run(work())


@pytest.mark.parametrize(("game", "mine"), [("kuhn", "Q"), ("leduc", "Q♠")])
def test_other_hidden_cards_are_the_same_bytes(game: str, mine: str) -> None:
    """One's own card and all that is public being the same, nothing that is sent depends on the other's card."""
    loaded, sent = parlor.load(game), set()
    for outcome in loaded.start().odds:
        if outcome.startswith(mine):
            continue
        table = Table.__new__(Table)
        table.game, table.player = loaded, 1
        table.position = loaded.start().after(outcome, f"{mine} to player 1")
        sent.add(json.dumps(table.shown(), ensure_ascii=False))
    assert len(sent) == 1


def test_the_oldest_table_goes_when_there_are_too_many() -> None:
    tables = McpTables()
    tokens = [tables.sit_down("kuhn", seed=i, opponents=["random"])[0] for i in range(MAX_TABLES + 1)]
    assert tables.at(tokens[-1])
    with pytest.raises(parlor.GameError):
        tables.at(tokens[0])


@pytest.mark.slow
def test_the_command_serves_over_standard_input_and_output() -> None:
    async def work() -> None:
        command = mcp.StdioServerParameters(command=sys.executable, args=["-m", "parlor", "mcp"])
        async with mcp.Client(mcp.stdio_client(command, errlog=sys.__stderr__)) as client:
            shown, _ = await whole_game(client, "kuhn")
            assert sum(shown["payoffs"]) == 0

    asyncio.run(work())
