"""Serve Parlor's games over the Model Context Protocol, so that an assistant can play them.

The client starts this command itself and talks to it over standard input and output. Its tools: list_games, rules,
sit_down, look, play. A seat sees what its player may see, and nothing else; see docs/programs.md.

Examples:
  parlor mcp
"""

from __future__ import annotations

from dataclasses import dataclass

from parlor.interop.mcp_server import server


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of `parlor mcp`."""


def run(options: Options) -> int:
    """Serve until the client goes."""
    server().run("stdio")
    return 0
