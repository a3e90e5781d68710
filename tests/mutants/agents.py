"""Mistakes in agents and the arena."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

TRAINED = "tests/agents/test_trained.py"

MISTAKES: list[Mistake] = [
    *of(
        "agents/network.py",
        ("a player plays on by other rules", ' and version(game) == card["rules"]', "", TRAINED),
        (
            "shares are not percents",
            '_figure(result["win_share"], 100.0, 1)',
            '_figure(result["win_share"], 1.0, 1)',
            TRAINED,
        ),
    ),
    *of(
        "agents/registry.py",
        (
            "what was written by hand sits down before what was trained",
            "next(iter([*solving, *trained]), concrete.training.opponent or LAST_RESORT)",
            "next(iter(solving), concrete.training.opponent or LAST_RESORT)",
            TRAINED,
        ),
    ),
    *of(
        "runs/measuring/trained_players.py",
        ("a card tells of one machine", 'OWN_FLAGS = ("--out", "--threads")', 'OWN_FLAGS = ("--out",)', TRAINED),
        ("a player is as large as it was", "one.astype(np.float16)", "one", TRAINED),
    ),
    *of(
        "policies/network.py",
        (
            "weights without those of the value are the first of all",
            "some_outputs(planner.sizes, planner.weights, 0, sizes[-1])[1]}",
            "planner.weights[: parameters(sizes)]}",
            TRAINED,
        ),
    ),
    *of(
        "agents/network.py",
        (
            "values of leaves are in the network's units",
            "- 1] * data.scale)",
            "- 1])",
            "tests/agents/test_network_leaves.py",
        ),
        (
            "the first player's value is everybody's",
            "first = max(who, 0)",
            "first = 0",
            "tests/agents/test_network_leaves.py",
        ),
    ),
    *of(
        "policies/plans.py",
        (
            "a joint target is answered by its marginals",
            "if mixture.independent or len(others) == 1:",
            "if True:",
            "tests/population/test_psro.py",
        ),
        (
            "the average forgets how likely it is to be there",
            "np.where(before > 0.0, reach[t.rows] / before, uniform)",
            "np.where(before > 0.0, reach[t.rows], uniform)",
            "tests/population/test_psro.py",
        ),
        (
            "one of several equally good answers is always preferred",
            "strategy[q] = 1.0 / ties",
            "strategy[q] = 1.0 if ties == 1 else float(q == first[i])",
            "tests/population/test_psro.py",
        ),
    ),
    *of(
        "population/empirical/empirical_game.py",
        (
            "seats are drawn but payoffs stay with the seat",
            "np.transpose(payoffs[order[i]], order)",
            "np.transpose(payoffs[i], order)",
            "tests/population/test_psro.py",
        ),
    ),
    *of(
        "agents/searching/look_ahead.py",
        (
            "look-ahead rolls out for the wrong seat",
            "out[order[k]] += data.values[p]",
            "out[order[k]] += data.values[1 - p]",
            "tests/agents/test_agents.py tests/agents/test_look_ahead.py",
        ),
    ),
    *of(
        "arena/statistics.py",
        (
            "pairs are taken for independent games",
            "groups = means(values, group)",
            "groups = values",
            "tests/arena/test_statistics.py tests/arena/test_match.py",
        ),
        ("intervals are too narrow", "Z = 1.959963984540054", "Z = 1.0", "tests/arena/test_statistics.py"),
    ),
    *of(
        "poker/measures/local_best_response_kernel.py",
        (
            "local best response thinks on the wrong street",
            "most, street(s) < begin, data",
            "most, street(s) <= begin, data",
            "tests/poker/test_local_best_response.py",
        ),
        (
            "local best response learns nothing from a move",
            "w.ranges[0][h] *= chances[h]",
            "w.ranges[0][h] *= 1.0",
            "tests/poker/test_local_best_response.py",
        ),
    ),
    *of(
        "poker/measures/aivat.py",
        (
            "luck that is expected is taken off",
            "(1.0 if i == j else 0.0) * value - weights[j] * value",
            "(1.0 if i == j else 0.0) * value",
            "tests/poker/test_aivat.py",
        ),
    ),
]
