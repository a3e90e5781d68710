"""Colored Trails as JSON: as every game, and at the end what every trade would have brought on this very board."""

from __future__ import annotations

from typing import Any

from parlor.game import Position
from parlor.game.words import player
from parlor.games.colored_trails.boards import COUNT_BITS, PLACE_BITS, PROPOSERS, RESPONDER, Board
from parlor.games.colored_trails.frontier import all_trades_on, upper_right
from parlor.games.colored_trails.paths import COLOURS, TILE_BITS
from parlor.page.display import Display
from parlor.page.shapes import Frontier, MarkedResult, PossibleResult

NAMES = ("red", "yellow", "green", "blue", "purple")


def hidden(seen: Any) -> str:
    """Text for the deal."""
    return "a board is laid out, and everybody gets chips"


def in_words(chips: list[int]) -> str:
    """Two red, one blue."""
    return ", ".join(f"{count} {name}" for name, count in zip(NAMES, chips, strict=True) if count)


def board_of(state: Any) -> Board:
    """The board, packed."""
    tiles = sum(int(colour) << TILE_BITS * i for i, colour in enumerate(state.tiles))
    places = sum(i << PLACE_BITS * (piece - 1) for i, piece in enumerate(state.pieces) if piece)
    held = [*state.chips[RESPONDER], state.stock]
    chips = sum(int(held[p][c]) << COUNT_BITS * (p * COLOURS + c) for p in range(PROPOSERS + 1) for c in range(COLOURS))
    return tiles, places, chips


def frontier(position: Position) -> Frontier:
    """Every trade that costs nobody anything, between the responder and whoever it has dealt with, or the first."""
    state = position.state
    q = max(int(state.answer) - 1, 0)
    found = {(0.0, 0.0): "no trade"}
    if state.moves:
        for gives, gets, outcome in all_trades_on(board_of(state), q):
            if min(outcome) >= 0:
                found.setdefault(outcome, f"{player(q, 'gives')} {in_words(gives)} for {in_words(gets)}")
    fair = max(found, key=lambda pair: (pair[0] * pair[1], sum(pair)))
    most = max(found, key=lambda pair: (sum(pair), min(pair)))
    marks = {"The Nash bargaining solution": fair, "The most for both together": most}
    return Frontier(
        players=[q, RESPONDER],
        possible=[PossibleResult(text=text, payoffs=list(pair)) for pair, text in found.items()],
        frontier=[list(pair) for pair in upper_right(found)],
        marks=[MarkedResult(name=name, text=found[pair], payoffs=list(pair)) for name, pair in marks.items()],
        reached=reached(position, q),
    )


def reached(position: Position, q: int) -> PossibleResult | None:
    """The result of a finished game; None before its end."""
    if not position.over:
        return None
    state = position.state
    text = "no trade"
    if state.answer:
        gives, gets = ([int(n) for n in side] for side in state.offers[RESPONDER][q])
        text = f"{player(q, 'gives')} {in_words(gives)} for {in_words(gets)}"
    return PossibleResult(text=text, payoffs=[position.payoffs[q], position.payoffs[RESPONDER]])


DISPLAY = Display(hidden=hidden, secret_move="an offer that you do not see", frontier=frontier)
