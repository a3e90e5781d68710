"""Agents from files: those made from a blueprint are offered with every one that fits; networks show their mind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from parlor import GameError, load, save
from parlor.compile import version
from parlor.poker.hands.cards import cards
from parlor.policies.features import features
from parlor.policies.nets import apply, initial_weights
from parlor.policies.network import NetworkPolicy
from parlor.policies.search_networks import SearchNetworks
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.folders import Unknown
from parlor.server.explain.mind import inside
from tests.blueprints import tiny_blueprint, tiny_river

TABLE = "holdem(stack=20)"


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    save(tiny_blueprint(), tmp_path / "tiny.npz")
    save(tiny_blueprint("holdem(stack=20,streets=2)/fcpa"), tmp_path / "other.npz")
    save(tiny_river(), tmp_path / "river.npz")
    return Catalogue([tmp_path])


@pytest.mark.slow
def test_they_are_offered_where_their_file_fits(catalogue: Catalogue) -> None:
    names = {info.id: info.name for info in catalogue.agents(TABLE)}
    made = {id: name for id, name in names.items() if id.startswith("cfr-")}
    plan = "Hold'em learner (20 stack, 2 streets, 4,000 games) (tiny)"
    people = {"cfr-v1": "Quick Quentin", "cfr-v2": "Patient Petra"}
    assert made == {f"{id}(blueprint=tiny)": f"{name} with {plan}" for id, name in people.items()}
    assert not any(info.id.startswith("cfr-") for info in catalogue.agents("holdem"))
    assert catalogue.agent_info("cfr-v1(blueprint=tiny)").games == [TABLE]


def test_they_sit_down_and_play(catalogue: Catalogue) -> None:
    game = catalogue.game(TABLE)
    opponent = catalogue.seat("cfr-v1(blueprint=tiny)", game)
    assert opponent.name == catalogue.agent_info("cfr-v1(blueprint=tiny)").character
    assert catalogue.seat(opponent.id, game).version == opponent.version  # as a server finds it after a restart
    chances = opponent.agent(game.start().after(0, 4, 9, 14))
    assert sum(chances.values()) == pytest.approx(1.0)


def test_one_that_solves_the_river_is_offered_with_blueprints_of_four_streets(catalogue: Catalogue) -> None:
    made = {info.id: info.name for info in catalogue.agents(TABLE) if info.id.startswith("endgame")}
    assert made == {"endgame(blueprint=river)": "Endgame Edda with Hold'em learner (20 stack, 4,000 games)"}
    game = catalogue.game(TABLE)
    opponent = catalogue.seat("endgame(blueprint=river)", game)
    turn = game.start().after(*cards("AsKs7h7d"), 1, 1, *cards("Ad9c4h"), 1, 1, *cards("2s"))
    river = turn.after(1, 1, *cards("Kc"))
    told = [inside(opponent, position, 0, None, False) for position in (turn, river)]
    assert [mind.facts[0].name for mind in told] == ["bucket on the turn", "the river"]
    assert told[1].facts[0].text == "solved anew, hand by hand, for all 1,081 possible hands"
    assert [action.text for action in told[1].actions] == ["check", "pot", "all-in"]
    assert sum(action.probability for action in told[1].actions) == pytest.approx(1.0)
    assert told[1].value is None  # it would have to solve a river in every world
    with pytest.raises(GameError, match="its iterations must be at most 100"):
        catalogue.seat("endgame(blueprint=river,iterations=5000)", game)


def test_no_name_makes_the_server_read_a_file(catalogue: Catalogue, tmp_path: Path) -> None:
    game = catalogue.game(TABLE)
    with pytest.raises(Unknown, match="There is no agent"):
        catalogue.seat(f"cfr-v1(blueprint={tmp_path / 'tiny.npz'})", game)
    with pytest.raises(GameError, match="needs a blueprint"):
        catalogue.seat("cfr-v1", game)


def test_a_network_sits_down_and_shows_what_it_thinks(tmp_path: Path) -> None:
    """Its probabilities and its own estimates; nothing is enumerated or looked up for it."""
    game = load("kuhn")
    code, sizes = features(game).code, (22, 8, 2)
    network = NetworkPolicy("kuhn", version(game), code, sizes, initial_weights(sizes, 1), 1.5, 0.25)
    save(network, tmp_path / "net.npz")
    catalogue = Catalogue([tmp_path])
    opponent = catalogue.seat("net", catalogue.game("kuhn"))
    position = catalogue.game("kuhn").start().after("Q to player 0", "K to player 1", "bet")
    mind = inside(opponent, position, 3, None, False)
    assert [action.probability for action in mind.actions] == pytest.approx(list(network(position).values()))
    worth = network.values(position)
    assert [(fact.name, fact.text) for fact in mind.facts] == [
        ("Its own estimates", f"fold {worth['pass']:+.3g}, call {worth['bet']:+.3g}")
    ]
    assert mind.known is None


def test_a_learned_policy_says_what_it_expects_to_get(tmp_path: Path) -> None:
    """Its outputs are no values of moves: what it estimates is the position, in points."""
    game = load("kuhn")
    whole = SearchNetworks((22, 8, 3), initial_weights((22, 8, 3), 1), 1.5, "own", "uniform", 16, 2.0)
    sizes, weights = whole.policy
    code = features(game).code
    network = NetworkPolicy("kuhn", version(game), code, sizes, weights, 1.0, 1.0, search_networks=whole, logits=True)
    save(network, tmp_path / "policy.npz")
    catalogue = Catalogue([tmp_path])
    opponent = catalogue.seat("policy", catalogue.game("kuhn"))
    position = catalogue.game("kuhn").start().after("Q to player 0", "K to player 1", "bet")
    expected = network.expectation(position)
    seen = np.zeros(22, np.float32)
    seen[features(game).active(game, position, 1)] = 1.0
    assert expected == pytest.approx(1.5 * apply(whole.sizes, whole.weights, seen)[-1], rel=1e-5)
    mind = inside(opponent, position, 3, None, False)
    assert [(fact.name, fact.text) for fact in mind.facts] == [("The payoff it expects", f"{expected:+.3g}")]
