"""The people of rehearsals: models with known traits, which play the same from a view as from a position."""

from __future__ import annotations

from typing import Any

import pytest

from parlor.agents.behaviour import state_known
from parlor.agents.registry import PEOPLE
from parlor.game import Game
from parlor.game.loading import load
from parlor.game.rng import seed_stream
from parlor.game.seats.play import play_on, sample
from parlor.study.design.description import Condition, Description, StudyAgent
from parlor.study.rehearsal.people import CAREFUL, Habits, draw_person, legal_ids, person_agent
from parlor.study.rehearsal.truth import Meetings, planted_means


@pytest.fixture(scope="module")
def game() -> Game:
    return load("deal-or-no-deal")


def stream_of(index: int) -> list[int]:
    stream = [0, 0, 0, 0]
    seed_stream(stream, 1, index)
    return stream


def test_a_person_is_drawn_from_the_seed_alone(game: Game) -> None:
    first, again, other = (draw_person(seed, 7, game, Habits()) for seed in (1, 1, 2))
    assert first.traits == again.traits != other.traits
    assert [first.thinking_seconds() for _ in range(5)] == [again.thinking_seconds() for _ in range(5)]


def test_traits_vary_as_declared(game: Game) -> None:
    people = [draw_person(3, number, game, Habits()) for number in range(2000)]
    for name, trait in PEOPLE["deal-or-no-deal"].traits.items():
        values = [person.traits[name] for person in people]
        mean = sum(values) / len(values)
        deviation = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5
        assert mean == pytest.approx(trait.mean, abs=5 * trait.deviation / 2000**0.5 + 0.03 * trait.deviation)
        assert deviation == pytest.approx(trait.deviation, rel=0.1)
    assert sum(person.fails for person in people) / 2000 == pytest.approx(0.286, abs=0.04)
    assert not any(draw_person(3, n, game, CAREFUL).fails for n in range(50))


def test_from_a_view_a_person_plays_as_from_the_position(game: Game) -> None:
    """What the server shows a seat is enough, and what is hidden from it is not used."""
    person = draw_person(5, 0, game, CAREFUL)
    agent, decisions = person.agent(game), 0
    for deal in range(12):
        stream, position = stream_of(deal), game.start()
        while not position.over:
            if position.turn < 0:
                position = position.after(sample(position.odds, stream))
                continue
            view = position.view(position.turn)
            fields = {name: getattr(view, name) for name in game.schema or {}}
            known = state_known(game, fields, position.turn)
            luck = stream_of(1000 + decisions)
            action = agent.act(position.state, position.turn, list(luck))
            assert agent.act(known, position.turn, list(luck)) == action
            assert not any(known.values[1 - position.turn])
            decisions += 1
            position = position.after(action)
    assert decisions > 24


def test_those_who_open_higher_get_more_or_nothing(game: Game) -> None:
    """A trait does what it says: demanding people, against a mild one, get more when there is a deal."""
    traits = {name: trait.mean for name, trait in PEOPLE["deal-or-no-deal"].traits.items()}
    mild = person_agent(game, "mild", PEOPLE["deal-or-no-deal"], traits | {"opening": 5.0})

    def payoffs(opening: float) -> list[tuple[float, ...]]:
        one = person_agent(game, "one", PEOPLE["deal-or-no-deal"], traits | {"opening": opening, "concession": 0.2})
        return [tuple(play_on(game.start(), [one, mild], [stream_of(i)] * 3).payoffs) for i in range(40)]

    def mean_of_deals(results: list[tuple[float, ...]]) -> float:
        deals = [mine for mine, other in results if mine + other > 0]
        return sum(deals) / len(deals)

    assert mean_of_deals(payoffs(9.5)) > mean_of_deals(payoffs(5.5)) + 1.0


def test_every_legal_move_has_its_id() -> None:
    plain: dict[str, Any] = {"range": None, "choices": []}
    legal: list[dict[str, Any]] = [
        {"id": 3, **plain},
        {"id": 10, "range": {"least": 2, "most": 8, "step": 3, "id_step": 2}, "choices": []},
        {"id": 20, "range": None, "choices": [{"name": "a", "values": [0, 1]}, {"name": "b", "values": [0, 1, 2]}]},
    ]
    assert legal_ids(legal) == [3, 10, 12, 14, 20, 21, 22, 23, 24, 25]


def test_in_a_game_without_a_model_people_move_at_random() -> None:
    kuhn = load("kuhn")
    person = draw_person(1, 0, kuhn, CAREFUL)
    legal: list[dict[str, Any]] = [{"id": 0, "range": None, "choices": []}, {"id": 1, "range": None, "choices": []}]
    chosen = {person.choose(kuhn, {"legal": legal}) for _ in range(50)}
    assert chosen == {0, 1}


@pytest.mark.slow
def test_what_is_planted_is_computed_from_games_of_the_same_people(game: Game) -> None:
    """Against one who gives more, people get more; both sides of people among themselves get the same."""
    agents = (StudyAgent("Mild", "generous"), StudyAgent("Hard", "stubborn"))
    study = Description("", game.name, 1, (Condition("all", 1.0, "people"),), agents)
    planted = planted_means(study, game, Meetings(people=12, games=4, compiled=False))
    assert list(planted) == ["Mild", "Hard", "people"]
    assert planted["Mild"].human > planted["Hard"].human + 1.0
    assert planted["people"].human == pytest.approx(planted["people"].partner_mean, abs=2.0)
    assert planted["Mild"].people == 12
