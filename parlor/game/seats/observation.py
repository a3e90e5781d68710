"""The observation of a seat: all that an agent written in Python gets.

An observation is made from the player's view and from what the one filter (`parlor.game.seats.visibility`) shows it of
every move and outcome. It holds names and numbers and nothing from which the true state could be reached.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from parlor.game.game import Game, Position
from parlor.game.schema import CHANCE, OVER, State, View
from parlor.game.seats.visibility import goes_unnoticed, visible_move


def own_numbers(game: Game, state: State, player: int) -> tuple[float, ...]:
    """A game's own features of a state for a player, as 32-bit floats; empty if it declares none.

    They are for decisions and ends of games: zeros while chance is to act.
    """
    own = game.features
    if own is None:
        return ()
    out = np.zeros(own.count, np.float32)
    if game.rules.turn(state) != CHANCE:
        takes_work = len(inspect.signature(own.fill).parameters) > 3
        own.fill(state, player, out, *([np.zeros(own.work, np.int64)] if takes_work else []))
    return tuple(out.tolist())


@dataclass(frozen=True)
class Event:
    """A move or an outcome that has happened, as one player sees it."""

    player: int  # who acted, or CHANCE
    move: str | None  # its name; None if it is secret


@dataclass(frozen=True)
class Observation:
    """A position as one player sees it."""

    game: str  # its name with its options
    options: Mapping[str, str]
    players: int  # how many there are
    player: int  # who sees this
    turn: int  # the player to act, CHANCE or OVER
    view: View  # the game's own object
    text: str  # the same in one line
    key: int  # of the player's information set
    legal: tuple[str, ...]  # names of its legal moves; empty while somebody else acts
    actions: tuple[int, ...]  # their ids, in the same order
    history: tuple[Event, ...]  # what has happened, without what the player does not even notice
    payoffs: tuple[float, ...] | None  # of all players, at the end
    numbers: tuple[float, ...] = ()  # at its turn: what the game computes for networks, if it does

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn == OVER

    def show(self) -> str:
        """Return the player's view in one line."""
        return self.text


def observe(position: Position, player: int, history: tuple[Event, ...] | None = None) -> Observation:
    """Return the observation of `player` at a position; without `history` the game is replayed."""
    game, turn, view = position.game, position.turn, position.view(player)
    mine = turn == player
    return Observation(
        game=game.name,
        options=MappingProxyType(dict(game.options)),
        players=game.players,
        player=player,
        turn=turn,
        view=view,
        text=game.words.show(view),
        key=position.key(player),
        legal=tuple(position.legal) if mine else (),
        actions=tuple(position.actions) if mine else (),
        history=tuple(events(position, player)) if history is None else history,
        payoffs=tuple(position.payoffs) if turn == OVER else None,
        numbers=own_numbers(game, position.state, player) if mine else (),
    )


def events(position: Position, player: int) -> Iterator[Event]:
    """Yield the events up to a position, as `player` has seen them."""
    before = position.game.start()
    for move in position.history:
        happened = event(before, move, player)
        if happened is not None:
            yield happened
        before = before.after(move)


def event(before: Position, move: str, player: int) -> Event | None:
    """A move or an outcome at the position `before`, as `player` sees it; None if it does not even notice it."""
    if goes_unnoticed(before, move, player):
        return None
    return Event(before.turn, visible_move(before, move, player))
