"""Positions: a state of a game with its history, immutable, for people and their programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlor.game.errors import GameError
from parlor.game.html import html_table
from parlor.game.moves import Move, listed, move_of
from parlor.game.schema import CHANCE, OVER, State, View

if TYPE_CHECKING:
    from parlor.game.game import Game


RECENT = 8  # moves that a position prints


class Position:
    """A state of a game, immutable, with its history, for people: `position.after("bet").legal`.

    `state` is what the rules work on, hidden information included: copy it before you play on it. What a player may
    see of it is `view(player)`. Whose turn it is and what can be played are computed once.
    """

    __slots__ = ("_actions", "_names", "_turn", "game", "history", "state")

    def __init__(self, game: Game, state: State, history: tuple[str, ...]) -> None:
        self.game = game
        self.state = state
        self.history = history
        self._turn: int | None = None
        self._actions: list[int] | None = None
        self._names: list[str] | None = None

    @property
    def turn(self) -> int:
        """The player to act, CHANCE or OVER."""
        if self._turn is None:
            self._turn = self.game.rules.turn(self.state)
        return self._turn

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn == OVER

    @property
    def actions(self) -> list[int]:
        """The ids that can be played here: legal actions, or the outcomes of chance that can happen."""
        if self._actions is None:
            self._actions = self._playable()
        return self._actions.copy()

    def _playable(self) -> list[int]:
        turn = self.turn
        if turn == OVER:
            return []
        if turn == CHANCE:
            return [a for a, odds in enumerate(self._odds()) if odds > 0.0]
        buffer = [0] * self.game.actions
        return buffer[: self.game.rules.legal(self.state, buffer)]

    @property
    def legal(self) -> list[str]:
        """The names of what can be played here."""
        if self._names is None:
            self._names = [self.game.describe(self.state, a) for a in self.actions]
        return self._names.copy()

    def action(self, name: str) -> int:
        """The id of a legal move or a possible outcome, by its name."""
        return self.actions[self.legal.index(name)]

    @property
    def moves(self) -> list[Move]:
        """The legal moves or outcomes as data: what each does, with its name and its text."""
        return [self.move(a) for a in self.actions]

    def move(self, action: int) -> Move:
        """An action here as a move."""
        return move_of(self.game, self.state, action, self.turn)

    @property
    def odds(self) -> dict[str, float]:
        """At a chance turn: the probability of each outcome."""
        if self.turn != CHANCE:
            raise GameError(f"It is not chance's turn in {self.game.name}, so there are no odds to list.")
        odds = self._odds()
        return {name: odds[a] for name, a in zip(self.legal, self.actions, strict=True)}

    def _odds(self) -> list[float]:
        buffer = [0.0] * self.game.outcomes
        return buffer[: self.game.rules.odds(self.state, buffer)]

    def after(self, *moves: str | int) -> Position:
        """The position after these moves or outcomes, by name (or id); a move that is not legal is an error."""
        position = self
        for move in moves:
            position = position._after(move)
        return position

    def _after(self, move: str | int) -> Position:
        actions, names = self.actions, self.legal
        if isinstance(move, str) and move in names:
            index = names.index(move)
        elif not isinstance(move, str) and move in actions:
            index = actions.index(move)
        elif self.over:
            raise GameError(f"The game is over; {move!r} cannot be played.")
        else:
            raise GameError(f"{move!r} cannot be played here; legal moves: {listed(self.moves)}.")
        state = self.state.copy()
        self.game.rules.play(state, actions[index])
        return Position(self.game, state, (*self.history, names[index]))

    def view(self, player: int) -> View:
        """Return the view of `player`."""
        if not 0 <= player < self.game.players:
            raise GameError(f"{self.game.name} has the players 0 to {self.game.players - 1}, not {player}.")
        return self.game.view(self.state, player)

    def key(self, player: int) -> int:
        """The key of what `player` knows."""
        return self.game.rules.key(self.state, player)

    def show(self, player: int) -> str:
        """Return the view of `player` in a line."""
        return self.game.show(self.view(player))

    @property
    def payoffs(self) -> list[float]:
        """At the end: the payoff of each player."""
        if not self.over:
            raise GameError(f"{self.game.name} is not over yet, so there are no payoffs.")
        return [self.game.rules.payoff(self.state, p) for p in range(self.game.players)]

    def __repr__(self) -> str:
        recent = self.history[-RECENT:]
        before = len(self.history) - len(recent)
        moves = [*([f"{before} moves"] if before else []), *recent]
        return f"<{self.game.name} after {', '.join(moves) or 'nothing'}>"

    def _repr_html_(self) -> str:
        rows = [(p, self.show(p), listed(self.moves) if p == self.turn else "") for p in range(self.game.players)]
        return html_table(repr(self)[1:-1], ("player", "sees", "can play"), rows)
