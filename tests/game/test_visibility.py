"""What a seat is shown: names and numbers that depend on what it knows, and nothing that leads to the state."""

import gc
from types import FunctionType, ModuleType
from typing import Any

import pytest

from parlor.game import CHANCE, Game, Position
from parlor.game.loading import load
from parlor.game.schema import PlainState
from parlor.game.seats.observation import Event, Observation, observe
from parlor.game.seats.play import play_game, replay, uniform_agent
from parlor.search.belief import worlds

GAMES = [
    "kuhn(players=3)",
    "leduc",
    "leduc/ranks",
    "goofspiel(cards=3)",
    "liars-dice(dice=1,faces=3)",
    "monopoly-deal(preset=tiny)",
    "holdem(stack=20)",
    "clue(preset=tiny)",
    "openspiel:kuhn_poker",
]


def positions(game: Game, games: int) -> list[Position]:
    found = []
    for index in range(games):
        moves = play_game(game, [uniform_agent] * game.players, 7, index).moves
        found += [replay(game, moves[:n]) for n in range(0, len(moves) + 1, 1 + len(moves) // 12)]
    return found


def reachable(thing: Any) -> list[Any]:
    """Everything that can be got hold of from an object; classes and modules are not looked into."""
    found: dict[int, Any] = {}
    left = [thing]
    while left:
        one = left.pop()
        if id(one) in found or isinstance(one, type | ModuleType):
            continue
        found[id(one)] = one
        left += gc.get_referents(one)
    return list(found.values())


@pytest.mark.parametrize("name", GAMES)
def test_no_state_can_be_reached_from_an_observation(name: str) -> None:
    if name.startswith("openspiel:"):
        pytest.importorskip("pyspiel")
    game = load(name)
    hidden = (Position, Game, PlainState, FunctionType, type(game.start().state))
    for position in positions(game, 2):
        for player in range(game.players):
            for thing in reachable(observe(position, player)):
                assert not isinstance(thing, hidden), thing
                assert type(thing).__name__ != "State", thing


@pytest.mark.parametrize(
    "name", ["kuhn(players=3)", "leduc", "goofspiel(cards=3)", "liars-dice(dice=1,faces=3)", "clue(preset=tiny)"]
)
def test_positions_that_a_player_cannot_tell_apart_are_observed_alike(name: str) -> None:
    game = load(name)
    told_apart = 0
    for position in positions(game, 6):
        for player in range(game.players):
            possible = worlds(position, player, 1000)
            assert possible is not None
            seen = observe(position, player)
            if position.over:  # payoffs, which are told then, may tell hands apart that the view does not
                continue
            assert all(observe(world, player) == seen for world, _ in possible)
            told_apart += len(possible) - 1
    assert told_apart > 20


def test_an_observation_has_what_a_player_may_go_by() -> None:
    game = load("leduc")
    position = game.start().after("J♥ to player 0", "Q♠ to player 1", "raise")
    seen = observe(position, 1)
    assert (seen.game, seen.players, seen.player, seen.turn, seen.over) == ("leduc", 2, 1, 1, False)
    assert seen.options == game.options
    assert seen.legal == ("fold", "call", "raise")
    assert [game.words.describe(position.state, a) for a in seen.actions] == list(seen.legal)
    assert seen.history == (Event(CHANCE, None), Event(CHANCE, "Q♠ to player 1"), Event(0, "raise"))
    assert seen.view == position.view(1)
    assert seen.key == position.key(1)
    assert seen.show() == position.show(1)
    assert seen.payoffs is None
    other = observe(position, 0)
    assert (other.legal, other.actions) == ((), ())
    assert other.history[:2] == (Event(CHANCE, "J♥ to player 0"), Event(CHANCE, None))
    end = observe(position.after("fold"), 1)
    assert end.over
    assert end.payoffs == (1.0, -1.0)


def test_a_secret_bid_is_not_in_the_history() -> None:
    game = load("goofspiel(cards=3)")
    position = game.start()
    position = position.after(position.legal[0])
    seen: Observation = observe(position, 1)
    assert seen.history[-1].move is None
    assert observe(position, 0).history[-1].move == position.history[-1]


def test_an_observation_cannot_be_changed() -> None:
    seen = observe(load("leduc").start(), 0)
    with pytest.raises(TypeError):
        seen.options["players"] = "3"  # type: ignore[index]
    with pytest.raises(AttributeError):
        seen.key = 0  # type: ignore[misc]
