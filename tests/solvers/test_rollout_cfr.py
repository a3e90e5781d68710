"""Learning by rollouts: the arithmetic by hand, and plain = native."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parlor.game import GameError
from parlor.game.loading import load
from parlor.solvers.sampling.rollout_cfr import RolloutCfr, Row
from parlor.solvers.sampling.rollouts import RolloutGames, RolloutSettings, Simulator, Threads

TINY = "monopoly-deal(preset=tiny)"
FEW = RolloutSettings(rollouts=1, ring=2)
PROGRESS, POINTLESS, OTHER = 2, 5, 13  # actions of the made-up games below


@pytest.fixture(scope="module")
def native() -> RolloutCfr:
    """Learned from a few games by compiled kernels."""
    learner = RolloutCfr(load(TINY), FEW, seed=3)
    learner.run(20, batch=10)
    return learner


def learner(**settings: Any) -> RolloutCfr:
    """One that knows nothing yet, and which actions make progress or are pointless."""
    made = RolloutCfr(load(TINY), RolloutSettings(**settings), compiled=False)
    if made.settings.clamp:
        made._update = made._update._replace(progress=1 << PROGRESS, pointless=1 << POINTLESS)
    return made


def played(*decisions: tuple[int, tuple[int, ...], list[float], list[float]], reach: float = 1.0) -> RolloutGames:
    """A game that never was: key, actions, strategy and values of its decisions; player 1 has the odd keys."""
    width = load(TINY).actions
    decided = np.zeros((len(decisions), 3 + width), np.int64)
    measured = np.zeros((len(decisions), 1 + 2 * width))
    for d, (key, actions, strategy, values) in enumerate(decisions):
        n = len(actions)
        decided[d, : 3 + n] = [key, key % 2, n, *actions]
        measured[d, : 1 + n] = [reach, *strategy]
        measured[d, 1 + width : 1 + width + n] = values
    return RolloutGames(0, decided, measured, 0, 0)


def only(made: RolloutCfr) -> Row:
    (row,) = made.rows()
    return row


# ------------------------------------------------------------------------------------------------------------ learning


def test_plain_and_native_learn_the_same(native: RolloutCfr) -> None:
    plain = RolloutCfr(load(TINY), FEW, seed=3, compiled=False)
    plain.run(20, batch=10)
    assert list(plain.rows()) == list(native.rows())
    assert (plain.rollouts, plain.steps) == (native.rollouts, native.steps)
    assert plain.policy() == native.policy()
    assert plain.statistics() == native.statistics()


def test_another_seed_learns_something_else(native: RolloutCfr) -> None:
    other = RolloutCfr(load(TINY), FEW, seed=4)
    other.run(20, batch=10)
    assert list(other.rows()) != list(native.rows())


def test_regrets_decay_before_new_ones_are_added() -> None:
    made = learner(decay=0.5, clamp=False)
    made.enter(played((4, (0, 1), [0.5, 0.5], [1.0, 0.0])))  # the policy is worth 0.5
    assert only(made).regrets == (0.5, -0.5)
    made.enter(played((4, (0, 1), [1.0, 0.0], [0.0, 1.0])))  # it is worth 0
    assert only(made).regrets == (0.25, 0.75)  # 0.5·0.5 + 0, 0.5·-0.5 + 1
    assert only(made).latest == (0.25, 0.75)
    assert only(made).updates == made.games == 2


def test_the_average_is_that_of_the_ring() -> None:
    made = learner(decay=0.0, ring=2, clamp=False)  # without memory, the latest policy is that of the latest regrets
    for values in ([1.0, 0.0], [0.0, 1.0], [0.0, 1.0]):
        made.enter(played((4, (0, 1), [0.5, 0.5], values)))
        row = only(made)
        assert row.latest == tuple(values)
    assert row.pushed == 3
    assert row.ring == ((0.0, 1.0), (0.0, 1.0))  # the third took the place of the first
    assert made.policy().probabilities.tolist() == [0.0, 1.0]
    made.enter(played((4, (0, 1), [0.5, 0.5], [1.0, 0.0])))
    assert made.policy().probabilities.tolist() == [0.5, 0.5]


def test_where_nothing_is_regretted_the_policy_stays() -> None:
    made = learner(decay=0.0, clamp=False)
    made.enter(played((4, (0, 1), [0.5, 0.5], [0.0, 0.0])))
    assert (only(made).pushed, only(made).ring, only(made).latest) == (0, (), (0.5, 0.5))  # uniform where unseen
    assert made.policy().probabilities.tolist() == [0.5, 0.5]
    made.enter(played((4, (0, 1), [0.5, 0.5], [1.0, 0.0])))
    made.enter(played((4, (0, 1), [1.0, 0.0], [1.0, 1.0])))
    assert (only(made).pushed, only(made).latest) == (1, (1.0, 0.0))


@pytest.mark.parametrize(
    ("clamp", "values", "latest"),
    [
        (True, [3.0, 6.0, 9.0], (0.0, 0.0, 1.0)),  # regrets -3, 0, 3: progress has none, pointless never counts
        (True, [6.0, 9.0, 9.0], (0.0, 0.0, 1.0)),  # -2, 1, 1
        (True, [9.0, 9.0, 6.0], (1.0, 0.0, 0.0)),  # 1, 1, -2
        (True, [8.0, 0.0, 7.0], (1.0, 0.0, 0.0)),  # 3, -5, 2: while progress has any, the others get no weight
        (False, [8.0, 0.0, 7.0], (0.6, 0.0, 0.4)),
        (False, [9.0, 9.0, 6.0], (0.5, 0.5, 0.0)),
        (True, [0.0, 9.0, 0.0], (1 / 3, 1 / 3, 1 / 3)),  # -3, 6, -3: nothing that counts
    ],
)
def test_clamping(clamp: bool, values: list[float], latest: tuple[float, ...]) -> None:
    made = learner(clamp=clamp)
    made.enter(played((4, (PROGRESS, POINTLESS, OTHER), [1 / 3, 1 / 3, 1 / 3], values)))
    assert only(made).latest == pytest.approx(latest)
    assert only(made).actions == (PROGRESS, POINTLESS, OTHER)


def test_a_key_comes_twice_in_a_game() -> None:
    made = learner(decay=1.0, clamp=False)
    twice = [(4, (0, 1), [0.5, 0.5], [1.0, 0.0])] * 2
    made.enter(played(*twice, reach=0.25))
    assert (only(made).updates, only(made).reach, only(made).regrets, made.games) == (2, 0.5, (1.0, -1.0), 1)


def test_the_table_grows_in_the_middle_of_a_game() -> None:
    made = learner(clamp=False)
    decisions = [(key, (0, 1), [0.5, 0.5], [1.0, 0.0]) for key in range(1, 3001)]
    made.enter(played(*decisions))
    assert [(row.key, row.regrets) for row in made.rows()] == [(key, (0.5, -0.5)) for key in range(1, 3001)]


# ---------------------------------------------------------------------------------------------------------- statistics


def test_statistics_by_hand() -> None:
    made = learner(decay=1.0, clamp=False)
    made.enter(played((2, (0, 1), [0.5, 0.5], [1.0, 0.0]), reach=0.5))
    made.enter(played((2, (0, 1), [1.0, 0.0], [0.0, 0.0]), reach=0.5))  # key 2: mean regrets 0.25, -0.25; reach 1
    made.enter(played((3, (0, 4), [0.5, 0.5], [0.0, 4.0]), reach=3.0))  # key 3: -2, 2; reach 3
    told = made.statistics()
    assert told["regret"] == {
        "max_expected": pytest.approx((1 * 0.25 + 3 * 2) / 4),
        "mean_expected": pytest.approx((1 * 0.125 + 3 * 1) / 4),  # the negative ones count as none
        "by_player": [0.25, 2.0],
    }
    assert told["infosets"] == [1, 1]
    assert told["updates"] == {"0": 1.0, "25": 1.25, "50": 1.5, "75": 1.75, "90": 1.9, "100": 2.0}  # of 2 and 1
    assert told["policy"] == {0: 1.0, 4: 1.0}  # action 0 has weight at key 2 only, action 1 nowhere


def test_the_policy_in_numbers_is_a_median() -> None:
    made = learner(decay=1.0, clamp=False)
    for key, values in ((2, [3.0, 0.0, 0.0]), (3, [4.0, 4.0, -8.0]), (4, [3.0, 1.0, -1.0])):
        made.enter(played((key, (0, 1, 2), [0.0, 0.0, 1.0], values)))
    # shares of action 0: 1, 0.5, 4/6; of action 1: 0, 0.5, 2/6 (regrets 4 and 2 against a value of -1)
    assert made.statistics()["policy"] == {0: pytest.approx(4 / 6), 1: pytest.approx((0.5 + 2 / 6) / 2)}


def test_statistics_of_nothing() -> None:
    told = learner().statistics()
    assert told["regret"] == {"max_expected": 0.0, "mean_expected": 0.0, "by_player": [0.0, 0.0]}
    assert (told["infosets"], told["policy"], set(told["updates"].values())) == ([0, 0], {}, {0.0})


# ------------------------------------------------------------------------------------------------------------- workers


def test_games_of_a_batch_start_from_the_same_table(native: RolloutCfr) -> None:
    again = RolloutCfr(load(TINY), FEW, seed=3)
    for _ in range(2):
        for game in [again.simulator.play(again.snapshot(), again.games + i) for i in range(10)]:
            again.enter(game)
    assert list(again.rows()) == list(native.rows())
    one = RolloutCfr(load(TINY), FEW, seed=3)
    one.run(20, batch=1)
    assert list(one.rows()) != list(native.rows())


def test_threads_make_no_difference_to_batches(native: RolloutCfr) -> None:
    again = RolloutCfr(load(TINY), FEW, seed=3)
    workers = Threads(again.simulator, 3)
    again.run(20, batch=10, workers=workers)
    workers.close()
    assert list(again.rows()) == list(native.rows())


def test_it_goes_on_from_its_rows(native: RolloutCfr) -> None:
    begun, again = (RolloutCfr(load(TINY), FEW, seed=3) for _ in range(2))
    begun.run(10, batch=10)
    again.restore(begun.rows(), begun.games)
    assert list(again.rows()) == list(begun.rows())
    assert again.policy() == begun.policy()
    again.run(10, batch=10)
    assert list(again.rows()) == list(native.rows())
    assert again.statistics() == native.statistics()


def test_rows_that_do_not_belong_together_are_refused(native: RolloutCfr) -> None:
    row = next(native.rows())
    again = RolloutCfr(load(TINY), FEW)
    for bad in ({"regrets": row.regrets[:1]}, {"ring": ((1.0,),)}, {"pushed": 0}):
        with pytest.raises(GameError, match="do not fit together"):
            again.restore([Row(**{**vars(row), **bad})], 1)


def test_too_many_actions_get_a_sentence() -> None:
    with pytest.raises(GameError, match="has 63 actions; learning by rollouts takes at most 62"):
        Simulator(replace(load(TINY), actions=63), FEW, 0)


def test_rollouts_follow_the_latest_policy_of_the_player_and_the_average_of_the_other() -> None:
    """Player 0 has the king. It bets by its latest policy and passes by its average; player 1 the other way round."""
    game = load("kuhn")
    bets, passes = (0.0, 1.0), (1.0, 0.0)
    rows = {}
    for cards in ("JQ", "JK", "QJ", "QK", "KJ", "KQ"):
        dealt = game.start().after(f"{cards[0]} to player 0", f"{cards[1]} to player 1")
        for history in ((), ("pass",), ("bet",), ("pass", "bet")):
            position = dealt.after(*history)
            player, key = position.turn, position.key(position.turn)
            latest, older = (bets, passes) if player == 0 else (passes, bets)
            # of eleven policies in the ring ten are the older one: the average passes where the latest bets
            rows[key] = Row(key, player, (0, 1), 11, 1.0, 11, (0.0, 0.0), (*[older] * 10, latest))
    simulator = Simulator(game, RolloutSettings(rollouts=40, ring=11, explore=0.0), seed=2, compiled=False)
    made = RolloutCfr(game, simulator.settings, compiled=False)
    made.restore(rows.values(), 0)
    values = []
    for number in range(40):
        played = simulator.play(made.snapshot(), number)
        king = game.start().after("K to player 0", "J to player 1").key(0)
        values += [row[3:5] for row, decided in zip(played.measured, played.decided, strict=True) if decided[0] == king]
    assert values
    passing, betting = np.mean(values, axis=0)
    # after a pass, player 1 bets ten times in eleven by its average, and the king calls by its latest: 2, else 1
    assert passing == pytest.approx((10 * 2 + 1 * 1) / 11, abs=0.06)
    assert betting == pytest.approx((10 * 2 + 1 * 1) / 11, abs=0.06)
