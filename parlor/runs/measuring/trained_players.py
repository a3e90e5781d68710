"""A player that comes with Parlor, made from a training run: its network in half precision, and its card.

What is measured is the network as it is written, on fresh deals; see `parlor.agents.network` for how it is read.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from parlor.agents.network import read_network
from parlor.agents.registry import policy_agent
from parlor.arena.match import Match, play_match
from parlor.compile import version
from parlor.game import Game, GameError
from parlor.game.loading import game_of
from parlor.policies.network import FORMAT, NetworkPolicy, pack
from parlor.runs.files.container import UNREADABLE, FileError, write, write_arrays
from parlor.runs.run import CONFIG
from parlor.runs.saved_agents import load_agent, read_policy

OWN_FLAGS = ("--out", "--threads")  # of the command of a run: they change nothing that was learned


@dataclass(frozen=True)
class Measuring:
    """The games by which a player is measured."""

    against: Sequence[str]  # agents
    games: int = 4000
    seed: int = 0
    threads: int = 1


def export_player(
    run: Path, out: Path, title: str, measuring: Measuring, temperature: float | None = None
) -> dict[str, Any]:
    """Write the network of a run to `out`, and its card beside it; the card.

    With a temperature, the player plays a softmax at this one; else as it was trained.
    """
    if out.suffix != ".npz":
        raise FileError(f"{out} should end in .npz: it is saved as NumPy arrays.")
    begun = _begun(run)
    found = read_policy(run)
    if not isinstance(found, NetworkPolicy):
        raise GameError(f"{run} is a {found.kind} for {found.game}; players that come with Parlor are networks.")
    game = game_of(found)
    if found.rules != version(game):
        raise GameError(f"The rules of {game.name} are not the ones that {run} was made for. Train it anew.")
    if temperature is not None:
        found = found.with_temperature(temperature)
    write_half(found, out, begun["code"])
    card = {
        "title": title,
        "game": game.name,
        "rules": found.rules,
        "algorithm": begun["config"]["algorithm"],
        "command": command_of(begun["made"]["command"]),
        "code": begun["code"],
        "seed": begun["config"]["seed"],
        "decisions": int(found.about.get("decisions", 0)),
        "settings": begun["config"],
        "temperature": found.temperature,
        "measured": measured(game, out, measuring),
    }
    write(out.with_suffix(".json"), (json.dumps(card, indent=1, ensure_ascii=False) + "\n").encode())
    return card


def _begun(run: Path) -> Mapping[str, Any]:
    """The configuration of a run, and with what it began."""
    try:
        begun: Mapping[str, Any] = json.loads((run / CONFIG).read_bytes())
        return {name: begun[name] for name in ("config", "code", "made")}
    except UNREADABLE:
        raise FileError(f"{run} is not the folder of a training run.") from None


def write_half(network: NetworkPolicy, path: Path, code: str) -> None:
    """Write a network with 16 bits for each weight, without what was only of the machine that trained it."""
    entries, arrays = pack(network, {})
    head = {"format": FORMAT, "game": network.game, "rules": network.rules, "about": dict(network.about), "code": code}
    half = {name: one.astype(np.float16) if one.dtype == np.float32 else one for name, one in arrays.items()}
    write_arrays(path, head | entries, half, compressed=True)


def command_of(command: str) -> str:
    """The command of a run as anybody would type it: without the path of the program, and without `OWN_FLAGS`."""
    _, *words = shlex.split(command)
    kept, at = ["parlor"], 0
    while at < len(words):
        name, equals, _ = words[at].partition("=")
        if name in OWN_FLAGS:
            at += 1 if equals else 2
        else:
            kept.append(words[at])
            at += 1
    return shlex.join(kept)


def measured(game: Game, out: Path, measuring: Measuring) -> list[dict[str, Any]]:
    """The results of the network in a file against each agent; among several players, alone against copies of it."""
    player = policy_agent(read_network(out), game, out.stem)
    rows = []
    for name in measuring.against:
        other = load_agent(name, game)
        pair = [player, other]
        row = {"against": name, "players": game.players, "seed": measuring.seed} | _result(game, pair, measuring)
        row["command"] = shlex.join(
            [
                *("parlor", "evaluate", game.name, out.stem, "--against", name),
                *("--games", str(row["games"]), "--seed", str(measuring.seed)),
            ]
        )
        if game.players > 2:
            row["other_alone"] = _result(game, pair[::-1], measuring)
        rows.append(row)
    return rows


def _result(game: Game, agents: Sequence[Any], measuring: Measuring) -> dict[str, Any]:
    match: Match = play_match(game, agents, measuring.games, measuring.seed, "alternating", threads=measuring.threads)
    return {
        "games": match.games,
        "in_points": match.in_points,
        "win_share": _plain(match.score),
        "payoff": _plain(match.payoff),
        "their_payoff": _plain(match.measure("payoff", 1)),
    }


def _plain(estimate: Any) -> dict[str, float]:
    return {name: round(getattr(estimate, name), 4) for name in ("value", "low", "high")}
