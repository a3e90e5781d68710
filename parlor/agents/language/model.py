"""A language model as an agent, over any endpoint that speaks OpenAI's chat protocol.

    llm(model=NAME,url=http://localhost:8080/v1)      a model that is served here or elsewhere
    llm(model=NAME,url=…,temperature=0.5,rethinks=1)  asked again once, with the reason, if it answers an illegal move

Nothing is called unless somebody names a model and an address. A key is read from $PARLOR_LLM_KEY and sent only to that
address. The prompt is made from the rules and from what the seat sees; the answer is a JSON object with `move`. What a
seat costs is counted beside what it wins: tokens, seconds, illegal answers. With `relabel` the game is told in invented
words, the same tree: what a model then plays worse, it knew by heart (`relabel.py`).
"""

from __future__ import annotations

import functools
import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from parlor.agents.language.prompt import legal_moves, question, rules_text
from parlor.agents.language.relabel import Relabelling
from parlor.game import Game, GameError
from parlor.game.errors import AgentError, Forfeit
from parlor.game.loading.registry import split
from parlor.game.parameters import Parameter
from parlor.game.seats.observation import Observation
from parlor.game.seats.python_agent import PythonAgent

KEY = "PARLOR_LLM_KEY"  # the environment variable that has the key
MAX_ANSWER = 1 << 20  # bytes

SYSTEM = """You play a game. Its rules:

{rules}

You are asked for one move at a time. Think briefly, then answer with one JSON object on the last line and nothing after
it: {{"move": "…"}}, where the move is one of the legal moves, letter by letter."""
RETHINK = "{error} Answer again with one JSON object whose move is one of the legal moves."

SETTINGS: Mapping[str, Parameter] = {
    "model": Parameter("", "the model's name, as its server knows it", name="model"),
    "url": Parameter("", "the address of the server, up to and with /v1", name="url"),
    "temperature": Parameter(0.0, "of its sampling", 0.0, 2.0, name="temperature"),
    "tokens": Parameter(1024, "the most that an answer may have", 16, 100_000, name="tokens"),
    "seconds": Parameter(120.0, "for an answer", 0.1, 3600.0, name="seconds"),
    "relabel": Parameter(0, "a seed: tell the game in invented words; 0: in its own", 0, 2**31, name="relabel"),
    "rethinks": Parameter(1, "how often it is asked again after an illegal answer", 0, 5, name="rethinks"),
}


@dataclass
class Usage:
    """The cost of a model so far."""

    decisions: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    illegal: int = 0  # answers that were refused, those that it could mend too
    lost: int = 0  # games that it lost by them

    def row(self) -> dict[str, float]:
        """The same as plain numbers."""
        return dict(vars(self))


@dataclass(frozen=True)
class Endpoint:
    """A model at an address, and what it has cost."""

    game: Game
    settings: Mapping[str, Any]
    usage: Usage = field(default_factory=Usage)

    @functools.cached_property
    def relabelling(self) -> Relabelling | None:
        """The game's invented words, if it is to be told in such."""
        return Relabelling(self.game, self.settings["relabel"]) if self.settings["relabel"] else None

    @functools.cached_property
    def system(self) -> str:
        """The first message: the rules, and how to answer."""
        return SYSTEM.format(rules=self.told(rules_text(self.game)))

    def told(self, text: str) -> str:
        """A text as the model gets it."""
        return self.relabelling.text(text) if self.relabelling else text

    def complete(self, messages: list[dict[str, str]]) -> str:
        """The model's next message."""
        body = {
            "model": self.settings["model"],
            "messages": messages,
            "temperature": self.settings["temperature"],
            "max_tokens": self.settings["tokens"],
        }
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(KEY):
            headers["Authorization"] = f"Bearer {key}"
        address = self.settings["url"].rstrip("/") + "/chat/completions"
        request = urllib.request.Request(address, json.dumps(body).encode(), headers)
        began = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=self.settings["seconds"]) as reply:
                answer = json.loads(reply.read(MAX_ANSWER))
            text = answer["choices"][0]["message"]["content"]
        except urllib.error.HTTPError as error:
            raise AgentError(f"{address} answered with HTTP status {error.code}.") from None
        except (OSError, TimeoutError) as error:
            reason = getattr(error, "reason", error)
            raise AgentError(f"{address} could not be reached: {reason}.") from None
        except (ValueError, LookupError, TypeError):
            raise AgentError(f"{address} did not answer as a chat completion.") from None
        finally:
            self.usage.seconds += time.monotonic() - began
            self.usage.calls += 1
        used = answer.get("usage") or {}
        self.usage.tokens_in += int(used.get("prompt_tokens") or 0)
        self.usage.tokens_out += int(used.get("completion_tokens") or 0)
        return str(text)


class LanguageSeat:
    """A model in one seat of one game. It remembers nothing: each question holds all that the seat has seen."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint

    def act(self, observation: Observation) -> str:
        """Ask for a move, again if it is illegal; a model that finds no legal one loses the game."""
        usage = self.endpoint.usage
        usage.decisions += 1
        relabelling = self.endpoint.relabelling
        names = {relabelling.name(move) if relabelling else move: move for move in observation.legal}
        if len(names) < len(observation.legal):  # words that differ only in their case
            names = {move: move for move in observation.legal}
        messages = [
            {"role": "system", "content": self.endpoint.system},
            {"role": "user", "content": self._question(observation, names)},
        ]
        wrong = ""
        for _ in range(1 + self.endpoint.settings["rethinks"]):
            answer = self.endpoint.complete(messages)
            move, wrong = move_in(answer, names)
            if move:
                return names[move]
            usage.illegal += 1
            messages += [
                {"role": "assistant", "content": answer},
                {"role": "user", "content": RETHINK.format(error=wrong)},
            ]
        usage.lost += 1
        raise Forfeit(f"{self.endpoint.settings['model']} lost the game: {wrong}", observation.player)

    def _question(self, seen: Observation, legal: Iterable[str]) -> str:
        """The question for a move, in the words that the model knows."""
        return self.endpoint.told(question(seen)) + legal_moves(legal)


def move_in(answer: str, legal: Container[str]) -> tuple[str, str]:
    """The legal move in an answer, or an empty text and what is wrong: the last JSON object with a move counts."""
    for written in reversed(re.findall(r"\{[^{}]*\}", answer)):
        try:
            move = json.loads(written).get("move")
        except ValueError:
            continue
        if move is None:
            continue
        if isinstance(move, str) and move in legal:
            return move, ""
        return "", f"{move!r:.80} cannot be played here."
    return "", "There was no JSON object with a move in the answer."


@dataclass(frozen=True, eq=False, repr=False)
class LanguageAgent(PythonAgent):
    """A language model as an agent."""

    endpoint: Endpoint = field(kw_only=True)

    def failure_report(self) -> str:
        """A sentence about what it has cost, and the games it has lost by failing."""
        used = self.endpoint.usage
        if not used.calls:
            return ""
        return (
            f"{self.name}: {used.decisions:,} decisions, {used.calls:,} calls, {used.tokens_in:,} tokens in and "
            f"{used.tokens_out:,} out, {used.seconds:,.1f} s, {used.illegal:,} illegal answers, "
            f"{used.lost:,} games lost by them."
        )

    @property
    def failures(self) -> dict[str, float]:
        """The same as numbers."""
        return self.endpoint.usage.row()


def language_agent(text: str, game: Game) -> LanguageAgent:
    """The agent that a text names."""
    _, given = split(text, "a model", "llm(model=NAME,url=http://localhost:8080/v1)")
    if unknown := set(given) - set(SETTINGS):
        raise GameError(f"llm has no option {min(unknown)!r}; it has: {', '.join(SETTINGS)}.")
    if missing := [name for name in ("model", "url") if not given.get(name)]:
        raise GameError(f"llm needs a {missing[0]}: llm(model=NAME,url=http://localhost:8080/v1).")
    if not given["url"].startswith(("http://", "https://")):
        raise GameError(f"The url of llm must begin with http:// or https://, not {given['url']!r}.")
    settings = {name: row.parse(given[name]) if name in given else row.default for name, row in SETTINGS.items()}
    endpoint = Endpoint(game, settings)
    return LanguageAgent(functools.partial(LanguageSeat, endpoint), text.strip(), endpoint=endpoint)
