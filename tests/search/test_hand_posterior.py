"""Bayes' rule by hand: what is hidden, and who plays, for either seat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from parlor import compile as compiler
from parlor.game.rng import seed_stream, uniform
from parlor.policies.opponents import LEARNER, opponent_arrays
from parlor.policies.policy import Policy
from parlor.search.posterior import PosteriorBelief, belief_of, opponent_model, opponent_model_by_seat, sample_by_code
from parlor.search.searches import Searches, SearchSettings
from tests.search import plainly
from tests.search.plainly import PLEDGES, dealt, pledging

uncompiled = plainly.uncompiled
pytestmark = pytest.mark.usefixtures("uncompiled")

#: How likely each begins with 2, by its card, and answers with 2.
ONE = pledging({1: 0.6, 2: 0.2}, {1: 0.1, 2: 0.5, 3: 0.9})
TWO = pledging({1: 0.3, 2: 0.9}, {1: 0.8, 2: 0.2, 3: 0.4})


def believed(
    seat: int, moves: tuple[int, ...], belief: str, lineups: Any, shares: Any, *policies: Policy, cards: Any = (2, 2)
) -> PosteriorBelief:
    """What a seat believes as the second of two searchers."""
    bundle = opponent_arrays(PLEDGES, lineups, [1.0 / len(lineups)] * len(lineups), policies)
    others = opponent_model_by_seat(PLEDGES, bundle, np.array(shares))
    made = Searches(PLEDGES, others, 2, SearchSettings(belief=belief), compiled=False)
    return made.believe([dealt(2, 1, 0, 2).state.copy(), dealt(*cards, *moves).state.copy()], [0, seat])


def shares_of(numbers: Any) -> Any:
    return pytest.approx((np.array(numbers) / sum(numbers)).tolist())


def test_one_opponent_is_read_by_either_seat() -> None:
    """Seat 0 saw an answer of 2: ½ · 0.1, 0.3 · 0.5, 0.2 · 0.9. Seat 1 saw a 0: ¼ · 0.4, ¾ · 0.8."""
    found = believed(0, (2, 2), "exact", [[0, 0]], [[1.0], [1.0]], ONE)
    assert (found.count[1], found.codes[1].tolist()) == (3, [0, 1, 2])
    assert found.chances[1].tolist() == shares_of([0.05, 0.15, 0.18])
    assert found.evidence[1].tolist() == pytest.approx([0.1, 0.5, 0.9])
    found = believed(0, (2, 1), "exact", [[0, 0]], [[1.0], [1.0]], ONE)
    assert found.chances[1].tolist() == shares_of([0.45, 0.15, 0.02])
    found = believed(1, (0,), "exact", [[0, 0]], [[1.0], [1.0]], ONE)
    assert (found.count[1], found.codes[1, :2].tolist()) == (2, [0, 1])
    assert found.chances[1, :2].tolist() == shares_of([0.25 * 0.4, 0.75 * 0.8])
    assert found.evidence[1, :2].tolist() == pytest.approx([0.4, 0.8])
    found = believed(
        1, (2, 2, 2), "exact", [[0, 0]], [[1.0], [1.0]], pledging({1: 0.6, 2: 0.2}, {1: 0, 2: 0, 3: 0}, (0, 0.5, 0.5))
    )
    assert found.chances[1, :2].tolist() == shares_of([0.25 * 0.6 * 0.5, 0.75 * 0.2 * 0.5])  # both its moves count


def test_before_anybody_has_moved_chance_alone_counts() -> None:
    found = believed(0, (), "exact", [[0, 0]], [[1.0], [1.0]], ONE)
    assert found.chances[1].tolist() == pytest.approx([0.5, 0.3, 0.2])
    assert found.types[1].tolist() == [[1.0]] * 3


def test_two_line_ups_by_their_shares_for_the_seat() -> None:
    """Three quarters ONE in the other's seat if seat 0 searches, one quarter if seat 1 does."""
    lineups, shares = [[0, 1], [1, 0]], [[0.75, 0.25], [0.25, 0.75]]
    found = believed(0, (0, 2), "exact", lineups, shares, TWO, ONE)  # line-up 0 has ONE in seat 1
    joint = np.array([[0.75 * 0.1, 0.25 * 0.8], [0.75 * 0.5, 0.25 * 0.2], [0.75 * 0.9, 0.25 * 0.4]])
    assert found.chances[1].tolist() == shares_of(joint.sum(axis=1) * [0.5, 0.3, 0.2])
    assert found.types[1] == pytest.approx(joint / joint.sum(axis=1, keepdims=True))
    assert found.evidence[1] == pytest.approx(joint.sum(axis=1))
    found = believed(1, (2,), "exact", lineups, shares, TWO, ONE)  # line-up 0 has TWO in seat 0
    joint = np.array([[0.25 * 0.3, 0.75 * 0.6], [0.25 * 0.9, 0.75 * 0.2]])
    assert found.chances[1, :2].tolist() == shares_of(joint.sum(axis=1) * [0.25, 0.75])
    assert found.types[1, :2] == pytest.approx(joint / joint.sum(axis=1, keepdims=True))


def test_a_line_up_without_a_share_is_nobody() -> None:
    found = believed(0, (0, 2), "exact", [[0, 0], [1, 1]], [[0.0, 1.0], [1.0, 0.0]], ONE, TWO)
    assert found.types[1].tolist() == [[0.0, 1.0]] * 3
    assert found.chances[1].tolist() == shares_of([0.5 * 0.8, 0.3 * 0.2, 0.2 * 0.4])
    found = believed(0, (0, 2), "uniform", [[0, 0], [1, 1]], [[0.0, 1.0], [1.0, 0.0]], ONE, TWO)
    assert found.types[1].tolist() == [[0.0, 1.0]] * 3
    assert found.chances[1].tolist() == pytest.approx([0.5, 0.3, 0.2])


@pytest.mark.parametrize(
    ("belief", "chances"),
    [("uniform", [0.5, 0.3, 0.2]), ("first", [1, 0, 0]), ("last", [0, 0, 1]), ("true", [0, 1, 0])],
)
def test_beliefs_that_are_not_exact_still_know_who_plays(belief: str, chances: list[float]) -> None:
    found = believed(0, (0, 2), belief, [[0, 0], [1, 1]], [[0.75, 0.25]] * 2, ONE, TWO)
    assert found.chances[1].tolist() == pytest.approx(chances)
    joint = np.array([[0.75 * 0.1, 0.25 * 0.8], [0.75 * 0.5, 0.25 * 0.2], [0.75 * 0.9, 0.25 * 0.4]])
    assert found.types[1] == pytest.approx(joint / joint.sum(axis=1, keepdims=True))
    alone = believed(0, (0, 2), belief, [[0, 0]], [[1.0], [1.0]], ONE)
    assert alone.chances[1].tolist() == pytest.approx(chances)
    assert alone.types[1].tolist() == [[1.0]] * 3
    assert alone.evidence[1].tolist() == [1.0] * 3  # moves say nothing


def test_the_truth_of_either_seat() -> None:
    found = believed(1, (0,), "true", [[0, 0]], [[1.0], [1.0]], ONE, cards=(1, 3))
    assert found.chances[1, :2].tolist() == [1.0, 0.0]
    found = believed(0, (0, 2), "true", [[0, 0]], [[1.0], [1.0]], ONE, cards=(1, 3))
    assert found.chances[1].tolist() == [0.0, 0.0, 1.0]


def test_what_rules_out_everything_leaves_chance_and_shares() -> None:
    never = pledging({1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0, 3: 0.0})
    found = believed(0, (0, 2), "exact", [[0, 0], [0, 0]], [[0.75, 0.25]] * 2, never)
    assert found.chances[1].tolist() == pytest.approx([0.5, 0.3, 0.2])
    assert found.types[1].tolist() == [[0.75, 0.25]] * 3
    some = pledging({1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0, 3: 0.5})
    found = believed(0, (0, 2), "exact", [[0, 0], [0, 0]], [[0.75, 0.25]] * 2, some)
    assert found.chances[1].tolist() == [0.0, 0.0, 1.0]
    assert found.types[1].tolist() == [[0.75, 0.25]] * 3  # given a card that cannot be, too


def test_nobody_in_a_seat_plays_anything() -> None:
    found = believed(0, (0, 2), "exact", [[LEARNER, LEARNER]], [[1.0], [1.0]])
    assert found.chances[1].tolist() == pytest.approx([0.5, 0.3, 0.2])
    assert found.evidence[1].tolist() == [0.5] * 3


def test_shares_are_the_same_for_all_who_search_unless_they_are_given() -> None:
    bundle = opponent_arrays(PLEDGES, [[0, 1], [1, 0]], [0.6, 0.4], [ONE, TWO])
    assert opponent_model(PLEDGES, bundle).shares.tolist() == [[0.6, 0.4], [0.6, 0.4]]


def test_a_world_is_drawn_by_its_chance_and_only_the_hidden_changes() -> None:
    """The second searcher: codes 1, 2 and 0, of which the first is half the line, by the number that is drawn."""
    zeros = np.zeros((2, 3))
    belief = PosteriorBelief(
        np.array([0, 3]), np.array([[0, 0, 0], [1, 2, 0]]), zeros.copy(), zeros, zeros, np.array([9, 9])
    )
    belief.chances[1] = [0.5, 0.25, 0.25]
    guess = compiler.interpret(sample_by_code, PLEDGES)
    truth, r, copy = dealt(2, 3, 0, 2), [0] * 4, [0] * 4
    worlds, found = compiler.states(PLEDGES, 2, False), set()
    for index in range(40):
        seed_stream(r, 3, index)
        seed_stream(copy, 3, index)
        u = uniform(copy)
        guess(worlds, 1, [None, truth.state], 1, 0, r, belief)
        place = 0 if u < 0.5 else 1 if u < 0.75 else 2
        assert (belief.drawn[1], worlds[1].card[1]) == (place, (2, 3, 1)[place])
        assert (worlds[1].card[0], worlds[1].moves, list(worlds[1].made)) == (2, 2, [0, 2, 0])
        found.add(place)
    assert found == {0, 1, 2}
    assert belief.drawn[0] == 9
    assert truth.state.card[1] == 3


def test_who_may_believe_what() -> None:
    assert [belief_of(name).fair for name in ("exact", "uniform", "first", "last", "true")] == [True] * 4 + [False]
    assert len({belief_of(name).number for name in ("exact", "uniform", "first", "last", "true")}) == 5
