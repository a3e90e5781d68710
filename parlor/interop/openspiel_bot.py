"""Bots of OpenSpiel as agents: `from_openspiel_bot(lambda game, player: UniformRandomBot(player, rng))`.

A bot gets a whole state of OpenSpiel, and our agents never see one. So it gets the state of a world that
its seat cannot tell from the true one: all that the seat has seen is the same, what is hidden is drawn anew at each
decision. A bot that uses its information state (a policy, a network) plays as it always does; one that reads what is
hidden (a search with perfect information) reads a guess, and plays worse than it would by cheating. Bots are not
informed of the others' moves (`inform_action`): they are in the state of the next decision.
"""

from __future__ import annotations

import dataclasses
import functools
import random
from typing import Any, TypeAlias

from parlor.game import CHANCE, Game, GameError, Position
from parlor.game.loading import load
from parlor.game.seats.observation import Event, Observation
from parlor.game.seats.python_agent import PythonAgent
from parlor.game.seats.visibility import goes_unnoticed
from parlor.interop.openspiel import to_openspiel

MAX_TRIES = 20_000  # steps in the search for a world that fits

#: A bot that always sits in the seat it was made for, or a function that makes one for a `pyspiel.Game` and a seat.
Bot: TypeAlias = Any


def from_openspiel_bot(bot: Bot, name: str = "") -> PythonAgent:
    """A bot as an agent for games of ours and of OpenSpiel (`parlor.load("openspiel:leduc_poker")`).

    Most bots need to know their seat: give a function of a `pyspiel.Game` and a seat, which makes a bot for every
    seat of every game. A bot itself plays in the seat it was made for, and is restarted for each game.
    """
    made = bot if hasattr(bot, "step") else None
    called = name or type(made).__name__ if made is not None else name or "bot"
    return PythonAgent(functools.partial(_BotPlayer, bot), called)


class _BotPlayer:
    """A bot in one seat of one game."""

    def __init__(self, bot: Bot) -> None:
        self.made = bot

    def begin(self, player: int, observation: Observation) -> None:
        self.game, self.exported = _games(observation.game)
        self.bot: Any = self.made if hasattr(self.made, "step") else self.made(self.exported, player)
        self.bot.restart()
        self.seen = [observation]

    def observe(self, event: Event, observation: Observation) -> None:
        self.seen.append(observation)

    def act(self, observation: Observation) -> dict[int, float] | int:
        state = self._state(indistinguishable(self.game, self.seen))
        if self.bot.provides_policy():
            return dict(self.bot.step_with_policy(state)[0])  # we draw the move, so that games can be repeated
        return int(self.bot.step(state))

    def _state(self, world: Position) -> Any:
        """A world as a state of OpenSpiel."""
        if not self.game.native:
            return world.state.state.clone()
        state, here = self.exported.new_initial_state(), self.game.start()
        for move in world.history:
            state.apply_action(here.action(move))
            here = here.after(move)
        return state


@functools.lru_cache(16)
def _games(name: str) -> tuple[Game, Any]:
    """The game of that name, and its counterpart in OpenSpiel."""
    game = load(name)
    return game, to_openspiel(game) if game.native else game.start().state.state.get_game()


def _fits(world: Position, seen: Observation) -> bool:
    """Whether a position fits what the player has seen. Views of a game that was loaded twice are equal."""
    if world.turn != seen.turn or world.key(seen.player) != seen.key:
        return False
    view = world.view(seen.player)
    return view == seen.view or dataclasses.asdict(view) == dataclasses.asdict(seen.view)


def indistinguishable(game: Game, seen: list[Observation]) -> Position:
    """A random position that a player who has `seen` all this cannot tell from the true one."""
    luck = random.Random(seen[-1].key)
    history, player = seen[-1].history, seen[-1].player
    # where the game may have been, the moves still to be tried there, and how many events there were before
    path: list[tuple[Position, list[str], int]] = []
    world, noticed = game.start(), 0
    for _ in range(MAX_TRIES):
        if _fits(world, seen[noticed]):
            if noticed == len(history):
                return world
            path.append((world, _ways(world, history[noticed], player, luck), noticed))
        while path and not path[-1][1]:
            path.pop()
        if not path:
            break
        before, ways, noticed = path[-1]
        move = ways.pop()
        noticed += not goes_unnoticed(before, move, player)
        world = before.after(move)
    raise GameError(f"No position of {game.name} was found that fits what player {player} has seen.")


def _ways(world: Position, event: Event, player: int, luck: random.Random) -> list[str]:
    """Possible moves in random order, and last, since it is tried first, the one that the player saw."""
    names = world.legal
    if event.move in names and event.player != CHANCE:
        return [*(name for name in names if goes_unnoticed(world, name, player)), event.move]
    luck.shuffle(names)
    return sorted(names, key=lambda name: name == event.move)
