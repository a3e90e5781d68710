"""Exact measures by the walk through information sets: those of enumerated games, OpenSpiel's, and of a large game."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability as spiel_exploitability

import parlor
from parlor.game import Game, GameError
from parlor.game.loading import load
from parlor.policies.features import features
from parlor.policies.nets import parameters
from parlor.policies.network import NetworkPolicy
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import tree
from parlor.solvers.large.measurement import Measurement
from parlor.solvers.large.records import kept, records

BOARD = "phantom-tic-tac-toe(width=3,height=2,row=2)"


def some_policy(game: Game, seed: int) -> Policy:
    """Any probabilities, some of them 0, and no rows at some information sets."""
    t = tree(game)
    rng = np.random.default_rng(seed)
    rows = [np.maximum(rng.dirichlet(np.ones(n)) - 0.1, 0.0) for n in t.counts.tolist()]
    rows = [row / row.sum() if row.sum() else np.full(len(row), 1.0 / len(row)) for row in rows]
    kept = [i for i in range(t.infosets) if i % 5]
    return Policy.from_rows(game, t.keys[kept], t.counts[kept], np.concatenate([rows[i] for i in kept]))


@pytest.mark.parametrize("name", ["kuhn(players=3)", "leduc", "liars-dice(faces=3)", "goofspiel", BOARD])
def test_the_walk_finds_what_the_tree_says(name: str) -> None:
    game = load(name)
    for policy in (Policy.uniform(game), [some_policy(game, seed) for seed in range(game.players)]):
        wanted = parlor.evaluate(game, policy, enumerated=True)
        found = parlor.evaluate(game, policy, enumerated=False, threads=2)
        np.testing.assert_allclose(found.values, wanted.values, rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.best_responses, wanted.best_responses, rtol=0, atol=1e-12)


def test_uniform_play_of_dark_hex_is_as_exploitable_as_openspiel_says() -> None:
    theirs = pyspiel.load_game("dark_hex(num_cols=2,num_rows=2,obstype=reveal-numturns)")
    game = load("dark-hex(width=2,height=2,sees=turns)")
    wanted = spiel_exploitability.nash_conv(theirs, spiel_policy.UniformRandomPolicy(theirs))
    assert parlor.nash_conv(game, Policy.uniform(game), enumerated=False) == pytest.approx(wanted, abs=1e-12)


def test_a_best_response_wins_what_is_said_of_it() -> None:
    game = load(BOARD)
    others = some_policy(game, 1)
    for player in range(2):
        best = parlor.best_response(game, others, player, enumerated=False)
        seats = [best if p == player else others for p in range(2)]
        said = parlor.evaluate(game, others).best_responses[player]
        assert parlor.evaluate(game, seats).values[player] == pytest.approx(said, abs=1e-12)


@pytest.mark.slow(seconds=20)
def test_a_network_is_measured_as_its_table_is() -> None:
    game = load("leduc")
    code = features(game).code
    sizes = (int(code[:, 1].sum()), 4, game.actions)
    weights = np.random.default_rng(0).normal(size=parameters(sizes)).astype(np.float32)
    network = NetworkPolicy(game.name, tree_version(game), code, sizes, weights, 1.0, temperature=0.5)
    assert network.table is not None
    wanted = parlor.evaluate(game, network.table)
    found = parlor.evaluate(game, [network, network.table], enumerated=False)
    np.testing.assert_allclose(found.best_responses, wanted.best_responses, rtol=0, atol=1e-12)


def tree_version(game: Game) -> str:
    return Policy.uniform(game).rules


def test_a_measurement_goes_on_where_it_was_stopped() -> None:
    game = load(BOARD)
    policies = [some_policy(game, 2)] * 2
    first = Measurement(game, policies)
    assert not first.run(lambda measurement: measurement.done < 30)
    second = Measurement(game, policies)
    second.restore(first.entries())
    assert 30 <= second.done < second.tasks
    counted = second.histories
    assert second.run()
    whole = Measurement(game, policies)
    whole.run()
    assert second.evaluation() == whole.evaluation()
    assert second.histories == whole.histories > counted


def test_equal_histories_are_merged_only_where_nobody_plays_by_the_difference() -> None:
    game = load(BOARD)
    assert records(game) == {"trail", "tries"}
    uniform = Measurement(game, [Policy.uniform(game)] * 2)
    uniform.run()
    t = tree(game)
    rows = np.concatenate([np.random.default_rng(3).dirichlet(np.ones(n)) for n in t.counts.tolist()])
    trained = Measurement(game, [Policy.from_rows(game, t.keys, t.counts, rows)] * 2)
    trained.run()
    assert uniform.histories < 0.6 * trained.histories
    assert trained.histories == 2 * t.histories  # each once for each player
    names = [name for name, field in (game.schema or {}).items() for _ in range(int(np.prod(field.shape)))]
    forgotten = [i for i, word in enumerate(kept(game, 0, [0, 1]).tolist()) if word == 0]
    assert forgotten == [names.index("trail") + 1]  # the other's; its own are in its keys
    assert kept(game, 0, [0]).all()


RULES = """
from parlor.game import OVER, private, public
PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM = 2, 2, 0, 4, True
STATE = {"moves": public(), "log": private(PLAYERS), "sum": private(PLAYERS), "mark": private(PLAYERS)}
def start(s): pass
def turn(s): return OVER if s.moves == 4 else s.moves % 2
def odds(s, out): return 0
def legal(s, out):
    out[0], out[1] = 0, 1
    return 2
def play(s, a):
    p = s.moves % 2
    s.log[p] = s.log[p] * 3 + a + 1
    s.sum[p] += a
    note(s, p, a)
    s.moves += 1
def note(s, p, a):
    s.mark[p] = s.mark[1 - p] * 2 + a
def payoff(s, p): return float((s.sum[0] - s.sum[1]) * (1 - 2 * p))
def key(s, p): return (s.log[p] * 8 + s.moves) * 2 + p
"""


def test_a_field_that_the_rules_read_is_no_record(tmp_path: Path) -> None:
    (tmp_path / "adding.py").write_text(RULES)
    assert records(load(str(tmp_path / "adding.py"))) == {"log"}  # `sum` pays, `mark` passes on what the other did


def test_memory_is_bounded_in_a_sentence() -> None:
    game = load("liars-dice(faces=3)")
    with pytest.raises(GameError, match="need more than 1e-06 GiB"):
        Measurement(game, [Policy.uniform(game)] * 2, memory=1e-6).run()


def test_a_policy_for_other_actions_is_refused() -> None:
    game = load(BOARD)
    policy = some_policy(game, 4)
    wrong = dataclasses.replace(policy, keys=policy.keys[::-1].copy())  # rows of other lengths
    with pytest.raises(GameError, match="its actions differ"):
        Measurement(game, [wrong, wrong]).run()
