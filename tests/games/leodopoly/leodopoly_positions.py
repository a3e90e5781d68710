"""Positions of Leodopoly, set up by hand, for its tests."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from parlor.game import CHANCE, Game, Position
from parlor.game.loading import load

PRESETS = ("published", "text", "corrected")
SPACES = (
    "Millennium Square", "Woodhouse Street", "Melville Place", "Quarry Mount", "Leeds University", "Hyde Park Road",
    "Brudenell Road", "Victoria Road", "Notre Dame", "Bearpit Gardens", "North Lane",
)  # fmt: skip
SQUARE, WOODHOUSE, MELVILLE, QUARRY, UNIVERSITY, HYDE_PARK, BRUDENELL, VICTORIA, NOTRE_DAME, BEARPIT, NORTH = range(11)


@functools.cache
def leodopoly(preset: str = "published", **options: int | str) -> Game:
    return load("leodopoly", preset=preset, **options)


def board(
    game: Game,
    owners: Mapping[int, int] | None = None,
    money: Sequence[int] | None = None,
    places: Sequence[int] | None = None,
    actor: int = 0,
    round: int = 0,
) -> Position:
    """Player `actor` is about to roll; `owners` is space -> player, and what is not in a pocket is in the bank."""
    state = game.start().state.copy()
    for space, player in (owners or {}).items():
        state.owner[space] = player + 1
    for player in range(game.players):
        state.money[player] = money[player] if money else state.money[player]
        state.position[player] = places[player] if places else 0
    state.bank = game.players * int(game.options["money"]) - sum(state.money)
    state.actor, state.round = actor, round
    position = Position(game, state, ())
    assert position.turn == CHANCE
    return position


def selling(game: Game, owners: Mapping[int, int], money: Sequence[int] | None = None) -> Position:
    """Player 0 may put up its properties: before that the last player has gone to the square."""
    places = [SQUARE] * (game.players - 1) + [NORTH]
    return board(game, owners, money, places, actor=game.players - 1).after("die 1")


def named(position: Position, limits: Sequence[int]) -> Position:
    """Everybody who is asked names its limit."""
    while position.turn != CHANCE and not position.over and any(move.verb == "limit" for move in position.moves):
        position = position.after(limits[position.turn])
    return position


def owners(position: Position) -> dict[int, int]:
    """Space -> player, of what somebody owns."""
    return {space: owner - 1 for space, owner in enumerate(position.state.owner) if owner}


def money(position: Position) -> list[int]:
    return list(position.state.money)
