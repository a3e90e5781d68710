"""Players that come with Parlor, trained: networks that lie beside the rules of their games, in a folder `trained`.

Each consists of two files. NAME.npz is the network, in half precision, in the format of all saved strategies. NAME.json
is its card: the command that trained it, the commit, the seed, its decisions and settings, and how it did on fresh
deals against the agents of its game. Whatever lies there is an agent called NAME; `parlor export player` writes both.

A player whose rules have changed since takes no seat any more: it would have to be trained anew.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from parlor.agents import network
from parlor.agents.agent import CompiledAgent
from parlor.agents.spec import AgentSpec
from parlor.compile import version
from parlor.game import Game
from parlor.policies.network import NetworkPolicy, unpack
from parlor.search.backups import BACKUPS, OWN_PAYOFF

FOLDER = "trained"  # beside the rules of a game
SUMMARY = "plays what it has learned in games against itself"


def trained_players(folder: Path) -> dict[str, AgentSpec]:
    """The players in a folder, by name."""
    return {card.stem: _spec(card) for card in sorted(folder.glob("*.json"))}


def _spec(path: Path) -> AgentSpec:
    card = json.loads(path.read_text(encoding="utf-8"))
    read = functools.cache(functools.partial(read_network, path.with_suffix(".npz")))

    def make(concrete: Game, name: str) -> CompiledAgent:
        """The network, in a seat."""
        return network.make(concrete, name, read())

    def supports(game: Game) -> bool:
        """Whether the game has these options, and its rules are still those it has learned."""
        return game.name == card["game"] and version(game) == card["rules"]

    base = str(card["game"]).partition("(")[0]
    return AgentSpec(
        summary_of(card),
        make,
        (base,),
        quick=True,
        name=card["title"],
        made=how_trained(card),
        supports=supports,
        network=read,
    )


def summary_of(card: Mapping[str, Any]) -> str:
    """In a few words: against whom it has learned, and what it was paid for, if not its own payoff."""
    settings = card.get("settings", {})
    former = " and its former versions" if settings.get("past") else ""
    objective = settings.get("objective", OWN_PAYOFF)
    return SUMMARY + former + (f", paid {BACKUPS[objective].summary}" if objective != OWN_PAYOFF else "")


def read_network(path: Path) -> NetworkPolicy:
    """The network in a file."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        found = {name: arrays[name] for name in arrays.files}
    return unpack(json.loads(found.pop("header").tobytes()), found)


def how_trained(card: Mapping[str, Any]) -> str:
    """The sentences of a card: how it was trained, and what it has done."""
    learned = f"Learned by {card['algorithm']}: {card['decisions']:,} decisions."
    return " ".join([learned, *map(_sentence, card["measured"])])


def _sentence(result: Mapping[str, Any]) -> str:
    """The result against one agent."""
    others = "" if result["players"] == 2 else f"{result['players'] - 1} × "
    if not result["in_points"]:
        won = _figure(result["win_share"], 100.0, 1)
        return f"Against {others}{result['against']} it wins {won} % of {result['games']:,} games."
    mine, theirs = _figure(result["payoff"], 1.0, 2), _figure(result["their_payoff"], 1.0, 2)
    return f"Against {others}{result['against']} it gets {mine} in {result['games']:,} games, the other {theirs}."


def _figure(estimate: Mapping[str, float], factor: float, digits: int) -> str:
    value, low, high = (f"{factor * estimate[name]:.{digits}f}" for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"
