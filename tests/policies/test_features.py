"""What networks see."""

from typing import Any

import numpy as np
import pytest

from parlor import GameError, load
from parlor.compile import bindings, native, states
from parlor.compile.kernel import see
from parlor.game import CHANCE, Game, Position
from parlor.game.rng import below, seed_stream
from parlor.game.schema import fields_of
from parlor.policies.feature_vectors import FeatureVectors as ExportedFeatures
from parlor.policies.feature_vectors import Survey
from parlor.policies.features import Features, features

GAMES = ("kuhn(players=3)", "leduc", "goofspiel", "leduc/ranks", "monopoly-deal")


def game_of(name: str) -> Game:
    """Large games as if they had been walked through in vain, for which nothing has to be compiled."""
    game = load(name)
    if game.length > 1000:
        game.cache["survey"] = Survey({}, -np.inf, np.inf)
    return game


def positions(game: Game) -> list[Position]:
    """Those of a random game."""
    r = [0, 0, 0, 0]
    seed_stream(r, 3, 1)
    found = [game.start()]
    while not found[-1].over:
        actions = found[-1].actions
        found.append(found[-1].after(actions[below(r, len(actions))]))
    return found


def numbers(game: Game, position: Position, player: int) -> list[int]:
    seen = [0] * 300
    return seen[: bindings(game)[see](position.state, player, seen)]


@pytest.mark.parametrize("name", GAMES)
def test_the_numbers_are_those_of_the_view(name: str) -> None:
    game = game_of(name)
    exported = ExportedFeatures(game)
    for position in positions(game)[:20]:
        for player in range(game.players):
            view = position.view(player)
            assert numbers(game, position, player) == exported.numbers(view, position.key(player))


def test_features_say_what_the_numbers_are() -> None:
    """From the features of a player one can read all it sees: nothing is lost."""
    game = load("leduc")
    found = features(game)
    for position in positions(game):
        for player in range(2):
            active, back = set(found.active(game, position, player)), []
            for first, width, each in found.code.tolist():
                some = [i for i in range(width) if first + i in active]
                back.append(some[0] if each else sum(1 << i for i in some))
            assert back == numbers(game, position, player)


def test_a_number_of_few_values_has_a_feature_for_each() -> None:
    code = features(load("kuhn")).code.tolist()
    assert code[0] == [0, 2, 0]  # the player, a bit each
    assert code[1] == [2, 4, 1]  # the card: 0 … 3


def test_what_is_hidden_is_not_seen() -> None:
    game = load("leduc")
    one, two = (game.start().after(f"{card} to player 0", "Q♠ to player 1", "call") for card in ("J♥", "K♠"))
    found = features(game)
    assert found.active(game, one, 1) == found.active(game, two, 1)
    assert found.active(game, one, 0) != found.active(game, two, 0)


def test_compiled_rules_show_the_same_numbers() -> None:
    game = load("kuhn")
    position = game.start().after("K to player 0", "J to player 1", "pass")
    state, seen = states(game, 1, compiled=True), np.zeros(9, np.int64)
    for name, value in fields_of(position.state).items():
        state[0][name] = value
    count = native(see_one, game)(state, 1, seen)
    assert seen[:count].tolist() == numbers(game, position, 1)


def see_one(states: Any, p: int, out: Any) -> int:
    return see(states[0], p, out)


@pytest.mark.slow
def test_a_game_too_large_to_walk_is_played_some_times() -> None:
    """Numbers that random games make larger than sixteen get a bit to spare."""
    game = game_of("monopoly-deal")
    found = features(game)
    assert found.size < 64 * len(found.code) / 4
    assert Features(found.code).size == found.size
    assert CHANCE not in found.active(game, positions(game)[40], 0)


def test_games_of_other_libraries_get_a_sentence() -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(GameError, match="networks can be trained for Parlor's own games only"):
        features(load("openspiel:tic_tac_toe"))
