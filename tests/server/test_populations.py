"""A population at the server: offered in three ways, and its mind says which members may be playing."""

from __future__ import annotations

from pathlib import Path

import pytest

import parlor
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.explain.mind import inside, outside
from parlor.server.explain.strategy import entries
from tests.populations import as_run, grown

NAME = "Kuhn learner (4 iterations)"


@pytest.fixture(scope="module")
def population() -> Population:
    found = grown("kuhn", 4)
    return Population(found.members, found.mixture, {**found.about, "meta": "uniform", "oracle": "exact"})


@pytest.fixture
def catalogue(population: Population, tmp_path: Path) -> Catalogue:
    """A folder with a run of PSRO."""
    as_run(population, tmp_path / "run")
    return Catalogue([tmp_path])


def test_its_run_is_offered_as_three_agents_and_its_members_are_not(catalogue: Catalogue) -> None:
    offered = {info.id: info.name for info in catalogue.agents("kuhn") if "run" in info.id}
    assert offered == {
        "run.00000004": NAME,
        "sampled(population=run.00000004)": f"Sampled with {NAME}",
        "self-posterior(population=run.00000004)": f"Self-posterior with {NAME}",
    }
    info = catalogue.agent_info("run.00000004")
    assert info.made == "A population of best responses (exact), mixed by uniform: 4 iterations of PSRO."
    assert info.infosets


def test_all_three_play_the_aggregate_policy_and_tell_their_members(
    catalogue: Catalogue, population: Population
) -> None:
    game = catalogue.game("kuhn")
    start = game.start().after("Q to player 0", "K to player 1")
    later = start.after("pass", "bet")
    assert population.table is not None
    for id in ("run.00000004", "sampled(population=run.00000004)", "self-posterior(population=run.00000004)"):
        opponent = catalogue.seat(id, game)
        assert catalogue.seat(id, game).version == opponent.version
        told = [inside(opponent, position, 0, None, False) for position in (start, later)]
        for mind, position in zip(told, (start, later), strict=True):
            assert [one.probability for one in mind.moves] == pytest.approx(list(population.table(position).values()))
            assert mind.value_kind == "exact"
        [[first], [second]] = [mind.facts for mind in told]
        assert first.name == "strategies of its population, by the moves so far"
        assert first.text == "4: 40 %, 3: 30 %, 2: 20 %, 1: 10 %"
        likely = sorted(zip(population.posterior(later).tolist(), population.labels[0], strict=True), reverse=True)
        assert second.text == ", ".join(f"{label}: {100 * weight:.0f} %" for weight, label in likely if weight > 0.0)
        assert second.text != first.text
        assert outside(opponent, later, 1, 0, None).facts == []  # they would tell its card


def test_the_strategy_browser_shows_its_aggregate_policy(catalogue: Catalogue, population: Population) -> None:
    shown = entries(catalogue.own_game("run.00000004"))
    position = parlor.load("kuhn").start().after("Q to player 0", "K to player 1", "pass", "bet")
    [entry] = [entry for entry in shown if entry.key == position.key(0)]
    assert (entry.player, entry.words, entry.actions) == (0, "player 1 holds Q; pass bet", ("pass", "bet"))
    assert entry.row == pytest.approx(tuple(population(position).values()))


@pytest.mark.slow
def test_a_game_without_a_table_is_played_along_its_own_moves(tmp_path: Path) -> None:
    """Monopoly Deal is too large for a table; members that play uniformly are all the same."""
    game = parlor.load("monopoly-deal(preset=paper)")
    even = [[Policy.uniform(game), Policy.uniform(game)]] * 2
    parlor.save(Population.of(even, [[0.5, 0.5]] * 2), tmp_path / "even.npz")
    opponent = Catalogue([tmp_path]).seat("sampled(population=even)", game)
    position = game.start()
    while position.turn < 0:
        position = position.after(position.legal[0])
    mind = inside(opponent, position, 0, None, False)
    assert {one.probability for one in mind.moves} == {1.0 / len(position.legal)}
    assert mind.value_kind is None
    assert [fact.text for fact in mind.facts if fact.name.startswith("strategies")] == ["1: 50 %, 0: 50 %"]
