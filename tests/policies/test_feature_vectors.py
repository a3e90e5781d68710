"""A game's own features, in place of the bits of its view."""

from pathlib import Path

import numpy as np
import pytest

from parlor import GameError, load
from parlor.game import Game
from parlor.games.kuhn import rules as kuhn_rules
from parlor.policies.feature_vectors import FeatureVectors

KUHN = Path(kuhn_rules.__file__).read_text()


def kuhn(tmp_path: Path, features: str) -> Game:
    (tmp_path / "my_kuhn.py").write_text(f"{KUHN}\n\n{features}\n")
    return load(f"{tmp_path}/my_kuhn.py")


def test_the_exporters_show_a_games_own_features(tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("pettingzoo")
    from parlor.interop.openspiel import to_openspiel
    from parlor.interop.pettingzoo import to_pettingzoo

    game = kuhn(tmp_path, "def features(view):\n    return [view.card / 3, -view.moves, view.player]")
    state = to_openspiel(game).new_initial_state()
    for move in (2, 0, 1):  # a king, a jack, a bet
        state.apply_action(move)
    assert state.information_state_tensor(0) == pytest.approx([1.0, -1.0, 0.0])
    assert state.information_state_tensor(1) == pytest.approx([1 / 3, -1.0, 1.0])
    assert state.information_state_tensor(1) == state.observation_tensor(1)
    pyspiel.random_sim_test(to_openspiel(game), num_sims=2, serialize=True, verbose=False)
    environment = to_pettingzoo(game, seed=1)
    environment.reset(seed=1)
    seen = environment.observe("player_0")["observation"]
    assert seen.shape == (3,)
    assert environment.observation_space("player_0")["observation"].contains(seen)
    environment.step(1)
    seen = environment.observe("player_1")["observation"]
    assert seen[1:].tolist() == [-1.0, 1.0]  # below 0, and still in its space
    assert environment.observation_space("player_1")["observation"].contains(seen)


def test_an_abstraction_does_not_show_what_it_merges() -> None:
    """Features of the concrete view would tell apart what the abstraction does not."""
    game = load("leduc")
    assert game.abstract("ranks").features is None
    assert list(FeatureVectors(game.abstract("ranks")).pieces) == ["player", "key"]


def test_features_do_not_change_the_rules(tmp_path: Path) -> None:
    from parlor.compile import version

    assert version(kuhn(tmp_path, "def features(view):\n    return [view.card]")) == version(load("kuhn"))


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("[1.0] * (1 + view.moves)", "features gave 2 numbers where it first gave 1"),
        ("['king']", "features must return a list of numbers"),
        ("[]", "a flat list of finite numbers, at least one"),
        ("[[1, 2]]", "a flat list of finite numbers, at least one"),
        ("[float('nan')]", "a flat list of finite numbers, at least one"),
    ],
)
def test_features_that_are_none_get_a_sentence(tmp_path: Path, body: str, sentence: str) -> None:
    game = kuhn(tmp_path, f"def features(view):\n    return {body}")
    position = game.start().after("K to player 0", "J to player 1", "bet")
    with pytest.raises(GameError) as error:
        FeatureVectors(game)(position.view(1), position.key(1))
    assert sentence in str(error.value)


def test_any_sequence_of_numbers_will_do(tmp_path: Path) -> None:
    game = kuhn(tmp_path, "import numpy as np\n\ndef features(view):\n    return np.eye(4)[view.card]")
    position = game.start().after("K to player 0", "J to player 1")
    vector = FeatureVectors(game)(position.view(0), position.key(0))
    assert vector.dtype == np.float32
    assert vector.tolist() == [0.0, 0.0, 0.0, 1.0]
