"""A game and a position in words, for a language model: only what the seat may see."""

from __future__ import annotations

import json
from collections.abc import Iterable

from parlor.agents.programs.messages import plain
from parlor.game import CHANCE, Game
from parlor.game.seats.observation import Event, Observation

MAX_EVENTS = 60  # the last ones; the view has what follows from the others


def rules_text(game: Game) -> str:
    """The rules in words: the line about the game, what its rules module says of itself, its options."""
    own = str(game.rules.play.__globals__.get("__doc__") or "").strip()
    options = ", ".join(f"{name}={value}" for name, value in game.options.items())
    parts = [game.words.summary, own, f"Options: {options}." if options else "", payoff_text(game)]
    return "\n\n".join(part for part in dict.fromkeys(parts) if part)


def payoff_text(game: Game) -> str:
    """The players' aim, in a sentence."""
    sums = {
        "zero-sum": "what one player wins the others lose",
        "common-payoff": "all players always get the same",
        "general-sum": "payoffs need not sum to zero: all players may gain, or all may lose",
    }
    return f"{game.players} players; {sums[game.kind]}. You want the highest expected payoff for yourself."


def question(seen: Observation) -> str:
    """The question for a move: all that the seat has seen."""
    happened = [told(event, seen.player) for event in seen.history[-MAX_EVENTS:]]
    earlier = len(seen.history) - len(happened)
    return "\n".join(
        [
            f"You are player {seen.player}.",
            *([f"({earlier} earlier moves are left out.)"] if earlier else []),
            *(happened and ["So far:", *happened]),
            f"You see: {seen.text}",
            f"As data: {json.dumps(plain(seen.view), separators=(',', ':'))}",
            "",
        ]
    )


def legal_moves(names: Iterable[str]) -> str:
    """The end of the question: the legal moves as JSON."""
    return f"Legal moves: {json.dumps(list(names), ensure_ascii=False)}"


def told(event: Event, player: int) -> str:
    """A move or an outcome in a line."""
    who = "chance" if event.player == CHANCE else "you" if event.player == player else f"player {event.player}"
    return f"- {who}: {'(hidden from you)' if event.move is None else event.move}"
