"""The one call, and the same thing step by step."""

import pytest

import parlor
from parlor import GameError
from parlor.game.loading import load
from parlor.solvers.solve import ALGORITHMS, Solve


@pytest.mark.parametrize("algorithm", [name for name, row in ALGORITHMS.items() if not row.made])
def test_every_algorithm_by_name(algorithm: str) -> None:
    game = load("kuhn")
    policy, report = parlor.solve(game, algorithm, iterations=3000)
    assert report.iterations == 3000
    assert report.algorithm == policy.about["algorithm"] == algorithm
    assert report.exploitability == pytest.approx(parlor.exploitability(game, policy), abs=1e-15)
    assert report.exploitability is not None
    assert report.exploitability < 0.1
    assert report.curve[-1] == (3000, report.exploitability)


def test_until_stops_at_the_first_measurement_that_is_good_enough() -> None:
    report = parlor.solve(load("leduc"), "cfr+", until=0.01).report
    assert report.curve[-1][1] <= 0.01
    assert all(e > 0.01 for _, e in report.curve[:-1])
    both = parlor.solve(load("leduc"), "cfr+", until=1e-9, iterations=50).report
    assert both.iterations == 50


@pytest.mark.slow(seconds=8)
@pytest.mark.parametrize("algorithm", ["cfr+", "mccfr-external"])
def test_the_clock_does_not_change_the_result(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = parlor.solve(load("leduc"), algorithm, until=0.5)
    monkeypatch.setattr("parlor.solvers.solve.YIELD_EVERY", 1e-6)  # a sign of life after every iteration
    pieces = parlor.solve(load("leduc"), algorithm, until=0.5)
    assert whole.policy == pieces.policy
    assert whole.report.curve == pieces.report.curve


@pytest.mark.slow
def test_a_solve_can_be_left_and_looked_at_in_the_middle() -> None:
    work = Solve(load("leduc"), "cfr+", iterations=10_000)
    for step in work.steps():
        if step.done >= 100:
            break
    policy, report = work.solution()
    assert 100 <= report.iterations < 10_000
    assert len(policy) == 936
    for _ in work.steps():  # and go on
        pass
    assert work.policy() == parlor.solve(load("leduc"), "cfr+", iterations=10_000).policy


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"algorithm": "cfr++"}, "There is no algorithm 'cfr++'; there are: cfr,"),
        ({"algorithm": "mccfr"}, "There is no algorithm 'mccfr'"),
        ({"iterations": 0}, "iterations must be a whole number and at least 1, not 0."),
        ({"until": 0.0}, "until must be an exploitability above 0, not 0.0."),
        ({"algorithm": "exact", "threads": 2}, "threads can be set for cfr, cfr-simultaneous,"),
        ({"baseline": 0.5}, "baseline can be set for mccfr-external, mccfr-outcome, mccfr-robust, not for cfr+."),
        ({"algorithm": "mccfr-outcome", "keep": 2}, "keep can be set for mccfr-robust, not for mccfr-outcome."),
        ({"algorithm": "mccfr-robust", "keep": 0}, "keep must be between 1 and 131071, not 0."),
        ({"speed": 3}, "No algorithm has a setting 'speed'."),
    ],
)
def test_wrong_settings_get_a_sentence(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(GameError) as error:
        parlor.solve(load("kuhn"), **settings)  # type: ignore[arg-type]
    assert sentence in str(error.value)


@pytest.mark.slow
def test_a_large_game_is_sampled_but_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlor.sequence_form.tree.LIMIT", 1_000_000)  # found out sooner
    game = load("goofspiel(cards=7)")
    report = parlor.solve(game, "mccfr-external", iterations=20).report
    assert report.exploitability is None
    assert report.infosets > 1000
    with pytest.raises(GameError, match="too large to measure its exploitability exactly"):
        parlor.solve(game, "mccfr-external", until=0.1)
    with pytest.raises(parlor.TooLarge):
        parlor.solve(game, "cfr+")
