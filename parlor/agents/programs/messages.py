"""The messages of the line protocol, version 1; see docs/programs.md. Each is one JSON object on a line of its own."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from parlor.agents.programs.process import ProgramFailure
from parlor.game import Game
from parlor.game.seats.observation import Event, Observation
from parlor.game.seats.python_agent import Answer

VERSION = 1
ANSWERS = {"move": str, "action": int, "probabilities": dict}  # and their types
SHOWN = 80  # characters of a wrong answer in a sentence


def line(message: dict[str, Any]) -> bytes:
    """A message as it is sent."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode()


def hello(game: Game) -> dict[str, Any]:
    """The first message: the protocol and the game."""
    return {
        "type": "hello",
        "protocol": VERSION,
        "game": game.name,
        "options": {name: str(value) for name, value in game.options.items()},
        "players": game.players,
        "actions": game.actions,
        "payoffs": game.kind,
    }


def readiness(message: dict[str, Any]) -> tuple[str, frozenset[str]]:
    """The name that a program gives itself and what it asks for, from its answer to hello; else ProgramFailure."""
    if message.get("type") != "ready":
        raise ProgramFailure("garbage", f"answered hello with {message!r:.80}, not with type ready")
    if message.get("protocol", VERSION) != VERSION:
        raise ProgramFailure("garbage", f"wants protocol {message['protocol']!r:.20}; this is {VERSION}")
    wants = frozenset(name for name in ("events", "history") if message.get(name) is True)
    return str(message.get("name", ""))[:80], wants


def begin(seat: int, player: int) -> dict[str, Any]:
    """A game begins, in which the program has a seat."""
    return {"type": "begin", "seat": seat, "player": player}


def event(seat: int, happened: Event) -> dict[str, Any]:
    """A move or an outcome, for programs that asked for them."""
    return {"type": "event", "seat": seat, "player": happened.player, "move": happened.move}


def act(id: int, seat: int, seen: Observation, history: bool) -> dict[str, Any]:
    """The question for a move."""
    known = observation(seen)
    if history:
        known["history"] = [[one.player, one.move] for one in seen.history]
    return {"type": "act", "id": id, "seat": seat, "observation": known}


def end(seat: int, payoffs: Sequence[float]) -> dict[str, Any]:
    """A game was played to its end."""
    return {"type": "end", "seat": seat, "payoffs": list(payoffs)}


def error(sentence: str) -> dict[str, Any]:
    """The last answer was refused, and the game is lost."""
    return {"type": "error", "error": sentence}


def observation(seen: Observation) -> dict[str, Any]:
    """All that a seat knows, as plain data; keys have 64 bits, which is too much for numbers of JSON."""
    return {
        "player": seen.player,
        "turn": seen.turn,
        "text": seen.text,
        "key": str(seen.key),
        "view": plain(seen.view),
        "legal": list(seen.legal),
        "actions": list(seen.actions),
    }


def plain(value: Any) -> Any:
    """A view as lists, objects and numbers."""
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value]


def parsed(written: bytes) -> dict[str, Any]:
    """A line of a program as an object; ProgramFailure if it is none."""
    try:
        message = json.loads(written)
    except (ValueError, RecursionError):
        raise ProgramFailure("garbage", f"wrote {shown(written)}, which is not JSON") from None
    if not isinstance(message, dict):
        raise ProgramFailure("garbage", f"wrote {shown(written)}, which is not an object")
    return message


def shown(written: bytes) -> str:
    """The beginning of a line, safe to print."""
    text = written[: 4 * SHOWN].decode(errors="replace")
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")


def answer_to(id: int, message: dict[str, Any]) -> Answer:
    """The answer to a question; ProgramFailure if it is to another one, or none."""
    if message.get("id") != id or isinstance(message.get("id"), bool):
        raise ProgramFailure("garbage", f"answered with id {message.get('id')!r:.40} where {id} was asked")
    return answer(message)


def answer(message: dict[str, Any]) -> Answer:
    """The answer in a message: a move, its id, or probabilities. Whether it is legal is for others to say."""
    given = [name for name in ANSWERS if name in message]
    if len(given) != 1:
        many = "has several of" if given else "has none of"
        raise ProgramFailure("garbage", f"sent an answer that {many} move, action and probabilities")
    value: Answer = message[given[0]]
    if isinstance(value, bool) or not isinstance(value, ANSWERS[given[0]]):
        raise ProgramFailure("garbage", f"sent the {given[0]} {value!r:.80}")
    return value
