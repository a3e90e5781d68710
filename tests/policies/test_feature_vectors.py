"""A game's own numbers, behind the bits of its view or in their place, as exporters show them."""

from pathlib import Path

import pytest

from parlor import GameError, load
from parlor.game import Game
from parlor.game.seats.observation import own_numbers
from parlor.games.kuhn import rules as kuhn_rules
from parlor.policies.feature_vectors import FeatureVectors

KUHN = Path(kuhn_rules.__file__).read_text()
FILL = """
from parlor.game import ActionHead, OwnFeatures

def features(s, p, out):
    out[0] = s.card[p] / 3
    out[1] = -s.moves
    out[2] = p

FEATURES = OwnFeatures(3, features, replaces_view={replaces})
"""


def kuhn(tmp_path: Path, more: str) -> Game:
    (tmp_path / "my_kuhn.py").write_text(f"{KUHN}\n\n{more}\n")
    return load(f"{tmp_path}/my_kuhn.py")


def test_the_exporters_show_a_games_own_features(tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("pettingzoo")
    from parlor.interop.openspiel import to_openspiel
    from parlor.interop.pettingzoo import to_pettingzoo

    game = kuhn(tmp_path, FILL.format(replaces=True))
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


def test_numbers_follow_the_bits_of_the_view(tmp_path: Path) -> None:
    game, plain = kuhn(tmp_path, FILL.format(replaces=False)), load("kuhn")
    vectors, bits = FeatureVectors(game), FeatureVectors(plain)
    position = game.start().after("K to player 0", "J to player 1", "bet")
    own = own_numbers(game, position.state, 1)
    assert own == pytest.approx((1 / 3, -1.0, 1.0))
    seen = position.view(1), position.key(1)
    assert vectors(*seen, own).tolist() == [*bits(*seen).tolist(), *own]
    assert vectors.pieces == {**bits.pieces, "features": slice(bits.size, bits.size + 3)}
    with pytest.raises(GameError, match="computes 3 numbers, not 0: see own_numbers"):
        vectors(*seen)


def test_there_are_zeros_while_chance_is_to_act(tmp_path: Path) -> None:
    game = kuhn(tmp_path, FILL.format(replaces=True))
    assert own_numbers(game, game.start().after("K to player 0").state, 0) == (0.0, 0.0, 0.0)
    assert own_numbers(load("kuhn"), load("kuhn").start().state, 0) == ()


def test_an_abstraction_does_not_show_what_it_merges(tmp_path: Path) -> None:
    """Features of the concrete view would tell apart what the abstraction does not."""
    game = load("leduc")
    assert game.abstract("ranks").features is None
    assert list(FeatureVectors(game.abstract("ranks")).pieces) == ["player", "key"]


def test_features_do_not_change_the_rules(tmp_path: Path) -> None:
    from parlor.compile import version

    assert version(kuhn(tmp_path, FILL.format(replaces=True))) == version(load("kuhn"))


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ("FEATURES = OwnFeatures(0, features)", "with at least one number"),
        ("FEATURES = features", "FEATURES must be parlor.game.OwnFeatures"),
        ("HEAD = ActionHead(((0,),))", "with a row for each of the actions"),
        ("HEAD = ActionHead(((0,), (0, 1)))", "must be of one length"),
        ("HEAD = ActionHead(((0,), (-2,)))", "or -1 for none"),
    ],
)
def test_declarations_that_are_none_get_a_sentence(tmp_path: Path, declared: str, sentence: str) -> None:
    with pytest.raises(GameError) as error:
        kuhn(tmp_path, f"{FILL.format(replaces=True)}\n{declared}")
    assert sentence in str(error.value)
