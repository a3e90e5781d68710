"""Strategies that are given: locked information sets, restricted responses, warm starts; and a race of variants."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import parlor
from parlor import GameError, Policy
from parlor.cli.main import main
from parlor.game.loading import load
from parlor.policies.plans import sequence_policy, uniform_strategy
from parlor.sequence_form.tree import tree
from parlor.solvers.cfr import Cfr
from parlor.solvers.solve import race
from parlor.solvers.tree_cfr.iteration import Lock

KUHN = load("kuhn")
UNIFORM = sequence_policy(tree(KUHN), uniform_strategy(tree(KUHN)))


def some(*infosets: int, weight: float = 0.25) -> Policy:
    """A policy that knows some information sets only, where it takes the first action so often."""
    keys = tree(KUHN).keys[list(infosets)]
    return Policy.from_rows(KUHN, keys, np.full(len(keys), 2), np.tile([weight, 1 - weight], len(keys)))


def test_a_locked_set_keeps_its_probabilities_and_the_rest_is_a_best_answer() -> None:
    told = some(0, 5, 7)
    policy, report = parlor.solve(KUHN, "pcfr+", iterations=3000, lock=told)
    for key in told.keys.tolist():
        assert np.array_equal(policy.row(key), told.row(key))  # type: ignore[arg-type]
    assert report.exploitability is not None
    assert report.exploitability < 1e-6  # nobody gains by playing otherwise where it may
    assert parlor.exploitability(KUHN, policy) > 0.01  # but it would elsewhere
    assert "3 information sets play as they are told; in the whole game the exploitability" in report.facts["locked"]


def test_a_lock_on_a_player_makes_the_other_its_best_response() -> None:
    best = parlor.evaluate(KUHN, UNIFORM).best_responses[0]
    policy = parlor.solve(KUHN, "cfr+", iterations=2000, lock=Lock(UNIFORM, players=(1,))).policy
    assert parlor.evaluate(KUHN, [policy, UNIFORM]).values[0] == pytest.approx(best, abs=1e-4)


def test_a_restricted_nash_response_lies_between_an_equilibrium_and_a_best_response() -> None:
    won, lost = [], []
    for weight in (0.0, 0.3, 0.8, 1.0):
        policy, report = parlor.solve(KUHN, "pcfr+", iterations=2000, lock=Lock(UNIFORM, weight, (1,)))
        assert report.exploitability is not None
        assert report.exploitability < 1e-4
        won.append(parlor.evaluate(KUHN, [policy, UNIFORM]).values[0])
        lost.append(parlor.evaluate(KUHN, policy).best_responses[1])
    assert won == sorted(won)
    assert lost == pytest.approx(sorted(lost), abs=1e-6)
    assert lost[0] == pytest.approx(1 / 18, abs=1e-6)  # the value of the game: nothing is risked
    assert won[-1] == pytest.approx(parlor.evaluate(KUHN, UNIFORM).best_responses[0], abs=1e-4)
    assert won[1] > won[0] + 0.01
    assert lost[2] > lost[1] + 0.01


def test_bound_in_no_game_is_not_bound() -> None:
    free, bound = Cfr(KUHN, "dcfr", compiled=False), Cfr(KUHN, "dcfr", compiled=False)
    bound.keep(Lock(UNIFORM, 0.0, (0,)))
    for solver in (free, bound):
        solver.run(20)
    assert free.policy() == bound.policy()


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr", "pcfr+"])
def test_a_warm_start_is_closer_than_a_cold_one(algorithm: str) -> None:
    game = load("leduc")
    known = parlor.solve(game, "cfr+", iterations=200).policy
    warm = parlor.solve(game, algorithm, iterations=60, warm=known).report.exploitability
    cold = parlor.solve(game, algorithm, iterations=60).report.exploitability
    assert warm is not None
    assert cold is not None
    assert warm < 0.7 * cold


def test_a_warm_start_begins_with_its_policy() -> None:
    known = some(1, 3)
    solver = Cfr(KUHN, "cfr+", compiled=False)
    solver.warm(known)
    assert solver.policy().distance(known) == pytest.approx(0.0, abs=1e-12)
    assert solver.iterations == 0
    solver.run(1)
    with pytest.raises(GameError, match="before the first iteration only"):
        solver.warm(known)


@pytest.mark.parametrize(
    ("algorithm", "lock", "sentence"),
    [
        ("cfr+", Lock(UNIFORM), "nothing is left to solve: name the players whose are, such as --lock-players 1."),
        ("cfr+", Lock(UNIFORM, 0.5), "plays for everybody: with a weight below 1, name the players"),
        ("cfr+", Lock(UNIFORM, players=(2,)), "kuhn has players 0 to 1, not 2."),
        ("cfr+", Lock(Policy.uniform(KUHN)), "has no information set of anybody in kuhn."),
        ("mccfr-outcome", Lock(UNIFORM), "lock can be given to cfr, .* not to mccfr-outcome."),
    ],
)
def test_a_lock_that_makes_no_sense_gets_a_sentence(algorithm: str, lock: Lock, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        parlor.solve(KUHN, algorithm, iterations=1, lock=lock)
    with pytest.raises(GameError, match=r"between 0 and 1, not 1\.5"):
        Lock(UNIFORM, 1.5)


def test_the_command_keeps_and_begins_and_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = some(0, 5, 7)
    parlor.save(told, tmp_path / "told.json")
    given = ["--lock", str(tmp_path / "told.json"), "--iterations", "40", "--json"]
    assert main(["solve", "kuhn", *given, "--out", str(tmp_path / "p.json")]) == 0
    facts = json.loads(capsys.readouterr().out)["facts"]
    assert "3 information sets play as they are told" in facts["locked"]
    about = parlor.load_policy(tmp_path / "p.json").about
    assert about["lock"] == {"weight": 1.0, "players": []}
    assert "exploitability" not in about  # what was measured is that of the game with its locks
    assert main(["solve", "kuhn", *given[:2], "--iterations", "25", "--out", str(tmp_path / "run")]) == 0
    assert main(["solve", "--resume", str(tmp_path / "run"), "--iterations", "40", "--json"]) == 0
    whole, resumed = (parlor.load_policy(p) for p in (tmp_path / "p.json", *(tmp_path / "run").rglob("*40.json")))
    assert whole.distance(resumed) == 0.0
    capsys.readouterr()
    for arguments, sentence in (
        (["--lock-weight", "0.5"], "belong to a lock, and there is none."),
        ([*given, "--lock-players", "x"], "--lock-players must be numbers such as 0,1, not 'x'."),
        (["--warm", str(tmp_path / "none.json")], "none.json"),
    ):
        assert main(["solve", "kuhn", *arguments]) == 1
        assert sentence in capsys.readouterr().err.replace("\n", " ")


def test_auto_says_what_it_chose_and_chooses_the_same_again() -> None:
    choice = race(KUHN)
    assert choice == race(load("kuhn"))
    assert choice.algorithm == "hs-pcfr+"
    assert choice.reason.startswith("hs-pcfr+: after 300 iterations its exploitability is")
    policy, report = parlor.solve(KUHN, "auto", iterations=30)
    assert report.facts["chosen"] == choice.reason
    assert policy == parlor.solve(KUHN, "hs-pcfr+", iterations=30).policy
