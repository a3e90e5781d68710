"""Parlor's games in PettingZoo: its own tests pass, hidden things stay hidden, mistakes are said."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from parlor.game import GameError
from parlor.game.loading import GAMES, load
from parlor.game.seats.play import replay
from parlor.interop.pettingzoo import Environment, to_pettingzoo

pytestmark = pytest.mark.slow(seconds=7)

VARIANTS = [
    *(name for name in GAMES if name not in ("monopoly-deal", "holdem", "clue")),
    "clue(preset=tiny)",
    "holdem(stack=9)",
    "monopoly-deal(preset=tiny)",
    "kuhn(players=4)",
    "leduc(players=3)",
    "leduc/ranks",
    "goofspiel(players=3,order=random,returns=total-points)",
]
# PettingZoo warns about observations with masks unless they belong to its own environments
MASKED = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


def finish(environment: Environment, seed: int) -> dict[str, float]:
    """Play the game out at random; what each agent was told it got."""
    random = np.random.default_rng(seed)
    totals = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, over, _, _ = environment.last()
        totals[agent] += reward
        environment.step(None if over else int(random.choice(np.flatnonzero(observation["action_mask"]))))
    return totals


@pytest.mark.parametrize("name", [pytest.param(name, marks=MASKED) for name in VARIANTS])
def test_pettingzoos_own_tests_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = load(name)
    api_test(to_pettingzoo(game, seed=1), num_cycles=100)
    seed_test(lambda: to_pettingzoo(game), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", VARIANTS)
def test_agents_get_the_payoffs_of_the_game(name: str) -> None:
    game = load(name)
    environment = to_pettingzoo(game, seed=7)
    for seed in range(5):
        environment.reset()
        totals = finish(environment, seed)
        assert list(totals.values()) == replay(game, environment.position.history).payoffs
        assert environment.agents == []


def test_the_seed_names_the_deals() -> None:
    """A reset with a seed starts its series of games; later resets go on with it."""

    def deals(environment: Environment, games: int) -> list[tuple[str, ...]]:
        dealt = []
        for _ in range(games):
            environment.reset()
            dealt.append(environment.position.history)
        return dealt

    environment = to_pettingzoo(load("leduc"), seed=3)
    series = deals(environment, 20)
    assert len(set(series)) > 10
    assert deals(to_pettingzoo(load("leduc"), seed=3), 20) == series
    assert deals(to_pettingzoo(load("leduc"), seed=4), 20) != series
    environment.reset(seed=3)
    assert environment.position.history == series[0]
    assert deals(environment, 19) == series[1:]


def test_an_observation_is_what_the_agent_may_see() -> None:
    """Two deals that differ in the other's card look the same; two that differ in one's own do not."""
    environment = to_pettingzoo(load("kuhn"))
    seen: dict[tuple[str, ...], Any] = {}
    while len(seen) < 6:
        environment.reset()
        seen[environment.position.history] = environment.observe("player_0")["observation"]
    jack_queen, jack_king, queen_king = (seen[f"{a} to player 0", f"{b} to player 1"] for a, b in ("JQ", "JK", "QK"))
    assert np.array_equal(jack_queen, jack_king)
    assert not np.array_equal(jack_king, queen_king)


def test_every_agent_observes_from_its_own_seat() -> None:
    environment = to_pettingzoo(load("leduc(players=3)"))
    environment.reset()
    for player, agent in enumerate(environment.possible_agents):
        position = environment.position
        expected = environment.features(position.view(player), position.key(player))
        assert np.array_equal(environment.observe(agent)["observation"], expected)
        assert expected[:3].tolist() == [float(p == player) for p in range(3)]


def test_the_mask_belongs_to_the_agent_whose_turn_it_is() -> None:
    environment = to_pettingzoo(load("leduc"))
    environment.reset()
    assert environment.agent_selection == "player_0"
    assert environment.observe("player_0")["action_mask"].tolist() == [0, 1, 1]  # nothing to fold to yet
    assert environment.observe("player_1")["action_mask"].tolist() == [0, 0, 0]
    environment.step(2)
    assert environment.agent_selection == "player_1"
    assert environment.observe("player_1")["action_mask"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("action", [0, 3, -1, None])
def test_an_illegal_action_is_an_error_and_changes_nothing(action: int | None) -> None:
    environment = to_pettingzoo(load("leduc"))
    environment.reset()
    before = environment.position
    said = f"player_0 cannot play action {action} here; legal actions are 1 (call), 2 (raise)."
    with pytest.raises(GameError, match=re.escape(said)):
        environment.step(action)
    assert environment.position is before
    environment.step(1)


def test_pettingzoos_wrapper_punishes_illegal_actions_instead() -> None:
    environment = TerminateIllegalWrapper(to_pettingzoo(load("leduc")), illegal_reward=-5)
    environment.reset(seed=1)
    environment.last()
    environment.step(0)
    assert all(environment.terminations.values())
    assert environment.rewards["player_0"] == -5


def test_it_can_be_shown_as_text() -> None:
    environment = to_pettingzoo(load("kuhn"), render_mode="ansi")
    environment.reset(seed=2)
    assert re.fullmatch(r"player 0 holds [JQK]; no move yet", environment.render() or "")
    assert to_pettingzoo(load("kuhn")).render_mode is None
    with pytest.raises(GameError, match="shown as text only"):
        to_pettingzoo(load("kuhn"), render_mode="human")


def test_games_of_openspiel_are_not_exported() -> None:
    with pytest.raises(GameError, match="belongs to another library"):
        to_pettingzoo(load("openspiel:kuhn_poker"))


def test_it_has_a_name() -> None:
    assert str(to_pettingzoo(load("leduc(players=3)"))) == "parlor_leduc_players_3_v0"
