"""Parlor's games in OpenSpiel: its own checks pass, its own algorithms run, and they find the game we mean."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

from parlor.game import CHANCE, GameError
from parlor.game.loading import GAMES, load
from parlor.game.rng import below, seed_stream
from parlor.games.kuhn import rules as kuhn_rules
from parlor.interop.openspiel import register, to_openspiel
from parlor.policies import feature_vectors as features
from parlor.policies.feature_vectors import LIMIT, FeatureVectors, survey
from parlor.sequence_form.tree import tree
from parlor.solvers.best_response import evaluate
from parlor.solvers.cfr import Cfr

pytestmark = pytest.mark.slow(seconds=12)

VARIANTS = [
    *(name for name in GAMES if name not in ("monopoly-deal", "holdem", "clue", "deal-or-no-deal")),
    "deal-or-no-deal(least=3,most=3)",  # others have thousands of deals, which OpenSpiel writes down one by one
    "clue(preset=tiny)",
    "holdem(stack=9)",
    "monopoly-deal(preset=tiny)",
    "kuhn(players=3)",
    "kuhn(players=4)",
    "leduc(players=3)",
    "leduc/ranks",
    "goofspiel(players=3,order=random,returns=total-points)",
    "goofspiel(imperfect=false,returns=point-difference)",
]
SMALL = [
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "leduc/ranks",
    "goofspiel",
    "goofspiel(imperfect=false,returns=point-difference)",
]


@pytest.fixture(params=VARIANTS, scope="module")
def exported(request: pytest.FixtureRequest) -> Any:
    return to_openspiel(load(request.param))


def test_openspiels_own_simulation_passes(exported: Any) -> None:
    pyspiel.random_sim_test(exported, num_sims=3, serialize=True, verbose=False)


def test_numbers_agree(exported: Any) -> None:
    game = exported.parlor
    assert exported.num_players() == game.players
    assert exported.num_distinct_actions() == game.actions
    kinds = {"zero-sum": "ZERO_SUM", "general-sum": "GENERAL_SUM", "common-payoff": "IDENTICAL"}
    assert exported.get_type().utility.name == kinds[game.kind]
    assert exported.get_type().min_num_players <= game.players <= exported.get_type().max_num_players


@pytest.mark.parametrize("name", SMALL)
def test_the_tree_survives_the_way_there_and_back(name: str) -> None:
    """Export, then load the exported game through the adapter: the same histories, information sets and payoffs."""
    game = load(name)
    ours, theirs = tree(game, compiled=False), tree(load(f"openspiel:{to_openspiel(game)}"))
    assert (ours.histories, ours.endings, ours.infosets) == (theirs.histories, theirs.endings, theirs.infosets)
    for array in ("player", "parent", "count", "action", "entry_bounds", "other"):
        assert np.array_equal(getattr(ours, array), getattr(theirs, array)), array
    np.testing.assert_allclose(ours.weight, theirs.weight, rtol=0, atol=1e-12)


def test_openspiels_cfr_and_ours_agree_on_kuhn() -> None:
    game = load("kuhn")
    exported = to_openspiel(game)
    theirs = pyspiel.CFRSolver(exported)
    for _ in range(200):
        theirs.evaluate_and_update_policy()
    ours = Cfr(game, "cfr")
    ours.run(200)
    policy = theirs.average_policy()
    assert pyspiel.nash_conv(exported, policy) == pytest.approx(ours.nash_conv(), abs=1e-9)
    value = pyspiel.expected_returns(exported.new_initial_state(), policy, -1, True)[0]
    assert value == pytest.approx(evaluate(game, ours.policy()).values[0], abs=1e-9)
    assert value == pytest.approx(-1 / 18, abs=0.01)


def test_openspiels_python_algorithms_run_on_it() -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    exported = to_openspiel(load("kuhn"))
    uniform = policy.UniformRandomPolicy(exported)
    assert exploitability.nash_conv(exported, uniform) == pytest.approx(11 / 12)  # as of OpenSpiel's own Kuhn


def test_names_and_parameters() -> None:
    assert register() == [f"parlor_{name.replace('-', '_')}" for name in GAMES]
    game = pyspiel.load_game("parlor_leduc(players=3)")
    assert game.num_players() == 3
    assert game.parlor.name == "leduc(players=3)"
    game = pyspiel.load_game("parlor_goofspiel(returns=point-difference,imperfect=False)")
    assert game.parlor.name == "goofspiel(imperfect=false,returns=point-difference)"
    assert game.get_parameters()["imperfect"] is False
    assert pyspiel.load_game("parlor_kuhn").get_parameters() == {"players": 2}
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter"):
        pyspiel.load_game("parlor_leduc(decks=3)")
    with pytest.raises(GameError, match="players must be between 2 and 3"):
        pyspiel.load_game("parlor_leduc(players=9)")


def test_exporting_twice_is_exporting_once() -> None:
    first, second = to_openspiel(load("leduc")), to_openspiel(load("leduc"))
    assert str(first) == str(second) == "parlor_leduc(players=2)"


def test_rules_files_and_their_options_can_be_exported(tmp_path: Path) -> None:
    source = Path(kuhn_rules.__file__).read_text()
    (tmp_path / "mine.py").write_text(source)
    exported = to_openspiel(load(f"{tmp_path}/mine.py(players=3)"))
    assert str(exported) == "parlor_mine(players=3)"
    pyspiel.random_sim_test(exported, num_sims=2, serialize=True, verbose=False)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.py").write_text(source)
    with pytest.raises(GameError, match="OpenSpiel already knows another game"):
        to_openspiel(load(f"{tmp_path}/other/mine.py"))


def test_what_came_from_openspiel_does_not_go_back() -> None:
    with pytest.raises(GameError, match="belongs to another library"):
        to_openspiel(load("openspiel:kuhn_poker"))


def test_words_are_ours() -> None:
    state = to_openspiel(load("leduc")).new_initial_state()
    assert state.action_to_string(4) == "K♥ to player 0"
    for action in (4, 0):
        state.apply_action(action)
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["call", "raise"]
    assert state.information_state_string(0).startswith("player 0 holds K♥; pot 1 + 1; no move yet [")
    assert "J♥" in str(state)
    assert "J♥" not in state.information_state_string(0)


def test_an_abstraction_does_not_show_what_it_merges() -> None:
    states = []
    for card in (0, 1):  # both jacks
        state = to_openspiel(load("leduc/ranks")).new_initial_state()
        state.apply_action(card)
        state.apply_action(4)
        states.append(state)
    assert states[0].information_state_string(0) == states[1].information_state_string(0)
    assert states[0].information_state_tensor(0) == states[1].information_state_tensor(0)
    assert states[0].information_state_string(1) != states[0].information_state_string(0)


def test_tensors_tell_information_sets_apart() -> None:
    """As many different tensors as information sets, in a walk through all of Leduc's decisions."""
    exported = to_openspiel(load("leduc"))
    seen: dict[str, tuple[float, ...]] = {}
    pending = [exported.new_initial_state()]
    while pending:
        state = pending.pop()
        if state.is_player_node():
            tensor = tuple(state.information_state_tensor())
            assert seen.setdefault(state.information_state_string(), tensor) == tensor
        pending += [state.child(a) for a in state.legal_actions()]
    assert len(seen) == len(set(seen.values())) == 936
    assert exported.information_state_tensor_shape() == [len(next(iter(seen.values())))]


def test_a_copy_goes_its_own_way() -> None:
    state = to_openspiel(load("leduc")).new_initial_state()
    copy = state.clone()
    copy.apply_action(3)
    assert state.history() == []
    assert state.table.card == [0, 0]
    assert copy.table.card == [4, 0]


def test_games_and_states_can_be_pickled_into_another_process(tmp_path: Path) -> None:
    state = to_openspiel(load("kuhn(players=3)")).new_initial_state()
    for action in (2, 0, 1, 1):
        state.apply_action(action)
    (tmp_path / "state").write_bytes(pickle.dumps(state))
    code = f"""if True:
        import pathlib, pickle
        state = pickle.loads(pathlib.Path({str(tmp_path / "state")!r}).read_bytes())
        print(state.get_game(), state.history(), state.legal_actions(), state.table.card)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.strip() == "parlor_kuhn(players=3) [2, 0, 1, 1] [0, 1] [3, 1, 2]"
    assert done.stderr == ""  # a wrong reference to the game's class would kill the interpreter at its end


@pytest.mark.parametrize(("public", "private"), [(False, "SINGLE_PLAYER"), (True, "NONE"), (True, "ALL_PLAYERS")])
def test_parts_of_an_observation_are_refused(public: bool, private: str) -> None:
    kind = pyspiel.IIGObservationType(
        perfect_recall=True, public_info=public, private_info=pyspiel.PrivateInfoType.__members__[private]
    )
    with pytest.raises(ValueError, match="are always everything"):
        to_openspiel(load("kuhn")).make_py_observer(kind)


# --------------------------------------------------------------------------------------------------- features


def test_a_survey_finds_the_payoffs_and_the_bits() -> None:
    found = survey(load("kuhn(players=4)"))
    assert (found.lowest, found.highest) == (-2.0, 6.0)  # a bet lost; four bets of two, less one's own
    assert found.bits == {"card": 3, "dealt": 3, "moves": 3, "bets": 7}  # cards 1 … 5; at most 7 moves


@pytest.mark.parametrize("name", ["kuhn(players=3)", "goofspiel(cards=3,returns=point-difference)"])
def test_a_survey_is_the_same_plain_and_compiled(name: str) -> None:
    game = load(name)
    plain, compiled = (walk(game, LIMIT) for walk in (features._walk_plainly, features._walk_compiled))
    assert plain == compiled
    assert features._walk_plainly(game, 50) == features._walk_compiled(game, 50) == ([], [])


def test_nothing_is_compiled_for_games_that_are_small_or_far_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(features, "_walk_compiled")
    assert survey(load("kuhn")).bits["card"] == 2
    assert survey(load("holdem")) == features.TOO_LARGE


def test_a_game_too_large_to_walk_gets_all_bits_and_no_bounds() -> None:
    game = load("goofspiel")
    found = survey(game, limit=1000)  # it has 1,077 histories
    assert (found.lowest, found.highest, found.bits) == (-np.inf, np.inf, {})
    assert FeatureVectors(game).size == 2 + 64 * 13  # eleven fields, two of them for both players
    exported = to_openspiel(game)
    assert exported.max_utility() == np.inf
    pyspiel.random_sim_test(exported, num_sims=1, serialize=True, verbose=False)
    to_openspiel(load("goofspiel"))  # so that later tests find the whole survey


@pytest.mark.parametrize("name", ["kuhn(players=3)", "leduc", "goofspiel(imperfect=false,returns=point-difference)"])
def test_a_vector_is_the_view_in_bits(name: str) -> None:
    """Reading the bits back gives the numbers of the view."""
    game = load(name)
    vectors = FeatureVectors(game)
    r = [0, 0, 0, 0]
    seed_stream(r, 1, 1)
    position = game.start()
    while not position.over:
        for player in range(game.players):
            view = position.view(player)
            vector = vectors(view, position.key(player))
            assert vector[: game.players].tolist() == [float(p == player) for p in range(game.players)]
            for field, piece in vectors.pieces.items():
                if field == "player":
                    continue
                numbers = np.atleast_1d(getattr(view, field))
                bits = vector[piece].reshape(len(numbers), -1)
                assert (bits @ (2.0 ** np.arange(bits.shape[1]))).tolist() == numbers.tolist()
        choices = position.actions
        position = position.after(choices[below(r, len(choices))])
        assert position.turn >= CHANCE or position.over
