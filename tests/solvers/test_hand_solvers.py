"""CFR and best responses against recursion: every variant, step by step, by walking the game itself."""

from __future__ import annotations

import functools
import itertools
import math
from collections import defaultdict

import numpy as np
import pytest

from parlor.game import CHANCE, Position
from parlor.game.keys import canonical, digest, key_in, key_of, name_of, paper_key
from parlor.game.loading import load
from parlor.policies.plans import normalised, uniform_strategy
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import tree
from parlor.solvers.best_response import best_response, evaluate
from parlor.solvers.cfr import Cfr
from parlor.solvers.solver import Evaluation
from parlor.solvers.tree_cfr.iteration import VARIANTS, average_weight, discounts_of, phase, share_kept

Strategy = dict[int, list[float]]


@functools.cache
def after(game: str, history: tuple[int, ...]) -> Position:
    return after(game, history[:-1]).after(history[-1]) if history else load(game).start()


def odds(position: Position) -> list[tuple[int, float]]:
    return list(zip(position.actions, position.odds.values(), strict=True))


def chances(strategy: Strategy, position: Position) -> list[float]:
    n = len(position.actions)
    return strategy.get(position.key(position.turn), [1 / n] * n)


def value(game: str, strategy: Strategy, p: int, history: tuple[int, ...] = ()) -> float:
    """What a player gets if all follow a strategy."""
    position = after(game, history)
    if position.over:
        return position.payoffs[p]
    ways = (
        odds(position) if position.turn == CHANCE else zip(position.actions, chances(strategy, position), strict=True)
    )
    return sum(chance * value(game, strategy, p, (*history, a)) for a, chance in ways)


def walked(name: str, variant: str, iterations: int) -> tuple[Strategy, Strategy]:
    """Regrets and the weights of the average after so many iterations, by recursion over histories."""
    row = VARIANTS[variant]
    players = load(name).players
    regret: Strategy = defaultdict(list)
    total: Strategy = defaultdict(list)
    now: Strategy = {}

    def keep(t: int, exponent: float) -> float:
        if t == 0 or exponent == math.inf:
            return 1.0
        return 0.0 if exponent == -math.inf else t**exponent / (t**exponent + row.slowness)

    share = 1.0  # of this iteration in the average
    for t in range(1, iterations + 1):
        fixed = dict(now)
        past = (t - 1) / row.horizon
        positive, negative = row.positive + row.positive_change * past, row.negative + row.negative_change * past
        if t > 1:
            share /= ((t - 1) / t) ** (row.average + row.average_change * past)
        for p in range(players):
            used = now if row.alternating else fixed
            worth: dict[int, list[float]] = defaultdict(list)
            own: dict[int, float] = {}

            def walk(history: tuple[int, ...], mine: float, others: float) -> float:
                """The value to p, times the others' reach; fills what each action at p's infosets is worth."""
                position = after(name, history)
                if position.over:
                    return others * position.payoffs[p]  # noqa: B023
                if position.turn == CHANCE:
                    return sum(walk((*history, a), mine, others * chance) for a, chance in odds(position))
                mix, key = chances(used, position), position.key(position.turn)  # noqa: B023
                if position.turn != p:  # noqa: B023
                    return sum(
                        walk((*history, a), mine, others * chance)
                        for a, chance in zip(position.actions, mix, strict=True)
                    )
                got = [
                    walk((*history, a), mine * chance, others) for a, chance in zip(position.actions, mix, strict=True)
                ]
                worth[key] = [x + y for x, y in zip(worth[key] or [0.0] * len(got), got, strict=True)]  # noqa: B023
                own[key] = mine  # noqa: B023
                return sum(chance * x for chance, x in zip(mix, got, strict=True))

            walk((), 1.0, 1.0)
            for key, got in worth.items():
                n = len(got)
                played = used.get(key, [1 / n] * n)
                old = total[key] or [0.0] * n
                total[key] = [x + share * own[key] * chance for x, chance in zip(old, played, strict=True)]
                mean = sum(chance * x for chance, x in zip(played, got, strict=True))
                before = regret[key] or [0.0] * n
                gains = [x - mean for x in got]
                regret[key] = [
                    r * keep(t - 1, positive if r > 0 else negative) + gain
                    for r, gain in zip(before, gains, strict=True)
                ]
                after_next = keep(t, positive)
                expected = [
                    max(max(r, 0.0) * after_next + row.predictive * gain if row.predictive else r, 0.0)
                    for r, gain in zip(regret[key], gains, strict=True)
                ]
                now[key] = [x / sum(expected) for x in expected] if sum(expected) > 0 else [1 / n] * n
    return regret, total


@pytest.mark.parametrize(
    ("name", "iterations", "variant"),
    [
        *(("kuhn", 6, variant) for variant in VARIANTS),
        *(("kuhn(players=3)", 3, variant) for variant in ("cfr", "cfr+", "dcfr")),
    ],
)
def test_every_variant_is_what_recursion_does(name: str, iterations: int, variant: str) -> None:
    regret, total = walked(name, variant, iterations)
    solver = Cfr(load(name), variant, compiled=False)
    solver.run(1)
    solver.run(iterations - 1)
    t = solver.tree
    assert set(regret) == set(t.keys.tolist())
    for i, key in enumerate(t.keys.tolist()):
        place = slice(int(t.first[i]), int(t.first[i] + t.count[i]))
        assert solver.learned.regret[place].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert solver.learned.total[place].tolist() == pytest.approx(total[key], rel=1e-12, abs=1e-9)
        row = solver.policy().row(key)
        assert row is not None
        weights = total[key]
        n = len(weights)
        expected = [x / sum(weights) for x in weights] if sum(weights) > 0 else [1 / n] * n
        assert row.tolist() == pytest.approx(expected)
    assert solver.iterations == iterations


def test_the_new_rows_by_hand() -> None:
    """The numbers of the papers, worked out."""
    assert VARIANTS["dcfr+"].slowness == 1.5
    assert share_kept(2, 1.5, 1.5) == pytest.approx(2.8284271 / 4.3284271)
    assert discounts_of(3, VARIANTS["pdcfr+"]) == pytest.approx(
        (4.92458 / 5.92458, 0.0, 12.5135 / 13.5135, 1.0), abs=1e-5
    )
    halfway = discounts_of(501, VARIANTS["hs-dcfr"])  # a = 1 + 3/2, b = -1 - 2/2
    assert halfway[:2] == pytest.approx((500**2.5 / (500**2.5 + 1), 500**-2.0 / (500**-2.0 + 1)))
    weights = [average_weight(t, VARIANTS["hs-pcfr+"]._replace(horizon=2.0)) for t in (1, 2, 3, 4)]
    assert weights == pytest.approx([1.0, 2**27.5, 2**27.5 * 1.5**25, 2**27.5 * 2**25])  # g: 30 - 5/2, then 25
    assert average_weight(7, VARIANTS["dcfr"]) == 49.0


def test_restarts_begin_anew_from_the_average_in_phases_that_grow() -> None:
    row = VARIANTS["restarted-cfr"]
    phases = [phase(done, row) for done in (0, 19, 20, 45, 46, 78, 79)]  # 20, 26, 33 (of 33.8), 43 (of 43.94) …
    assert phases == [(0, 20), (0, 20), (20, 46), (20, 46), (46, 79), (46, 79), (79, 122)]
    assert phase(10**12, VARIANTS["cfr+"]) == (0, math.inf)
    solver = Cfr(load("kuhn"), row._replace(restart=3.0), compiled=False)
    solver.run(3)
    t, average, before = solver.tree, solver.average(), solver.learned.regret.copy()
    other = Cfr(load("kuhn"), row._replace(restart=3.0), compiled=False)
    other.run(4)
    assert other.average() == pytest.approx(average)  # it is what was played first
    solver._restart()
    first, second = int(t.first[0]), int(t.first[0]) + 1  # of an infoset with two actions
    size = max(before[first], 0.0) + max(before[second], 0.0)
    assert size > 0.0
    assert solver.learned.regret[[first, second]] == pytest.approx(size * average[[first, second]])
    assert np.array_equal(solver.learned.strategy, average)


def test_how_much_is_kept() -> None:
    assert [share_kept(t, 1.5) for t in (0, 1, 4)] == [1.0, 0.5, 8 / 9]
    assert [share_kept(t, 0.0) for t in (1, 9)] == [0.5, 0.5]
    assert [share_kept(5, exponent) for exponent in (math.inf, -math.inf, 1.0)] == [1.0, 0.0, 5 / 6]


def test_weights_become_probabilities_and_nothing_becomes_uniform() -> None:
    t = tree(load("kuhn"))
    total = np.zeros(t.sequences)
    total[t.rows[:2]] = [1.0, 3.0]
    found = normalised(t, total)
    assert found[t.rows].tolist() == pytest.approx([0.25, 0.75] + [0.5] * 22)
    assert uniform_strategy(t)[t.rows].tolist() == [0.5] * 24


@pytest.mark.parametrize(("name", "seed"), [("kuhn", 1), ("kuhn", 2), ("kuhn(players=3)", 3)])
def test_a_best_response_is_the_best_of_all_pure_strategies(name: str, seed: int) -> None:
    game = load(name)
    t = tree(game)
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet([1, 1], size=t.infosets)
    policy = Policy.from_rows(game, t.keys, t.counts, rows.ravel())
    known: Strategy = {key: row.tolist() for key, row in zip(t.keys.tolist(), rows, strict=True)}
    found = evaluate(game, policy)
    for p in range(game.players):
        assert found.values[p] == pytest.approx(value(name, known, p))
        mine = [key for key, player in zip(t.keys.tolist(), t.player.tolist(), strict=True) if player == p]
        answer = best_response(game, policy, p)
        assert set(answer.keys.tolist()) == set(mine)
        pure = {key: [float(x) for x in answer.row(key)] for key in mine}  # type: ignore[union-attr]
        assert all(sorted(row) == [0.0, 1.0] for row in pure.values())
        assert value(name, known | pure, p) == pytest.approx(found.best_responses[p])
        if name == "kuhn":
            best = max(
                value(name, known | dict(zip(mine, choice, strict=True)), p)
                for choice in itertools.product(([1.0, 0.0], [0.0, 1.0]), repeat=len(mine))
            )
            assert found.best_responses[p] == pytest.approx(best)
    gains = [b - v for b, v in zip(found.best_responses, found.values, strict=True)]
    assert min(gains) >= -1e-12
    assert found.nash_conv == pytest.approx(sum(gains))
    assert found.exploitability == pytest.approx(sum(gains) / game.players)


def test_policies_of_several_players_are_each_played_by_their_own() -> None:
    game = load("kuhn")
    t = tree(game)
    one, two = (Policy.from_rows(game, t.keys, t.counts, np.tile([p, 1 - p], t.infosets)) for p in (0.2, 0.9))
    mixed: Strategy = {
        key: [0.2, 0.8] if player == 0 else [0.9, 0.1]
        for key, player in zip(t.keys.tolist(), t.player.tolist(), strict=True)
    }
    found = evaluate(game, [one, two])
    assert found.values == pytest.approx([value("kuhn", mixed, p) for p in range(2)])
    assert evaluate(game, [two, one]).values != pytest.approx(found.values)
    assert Evaluation((1.0, -1.0), (1.5, -0.5)).nash_conv == 1.0


# -------------------------------------------------------------------------------------------- names of information sets


def test_names_of_information_sets_lead_back_to_their_keys() -> None:
    game = load("kuhn")
    keys = tree(game).keys.tolist()
    for key in keys:
        name = name_of(game, 1, key)
        assert name == f"1@none@{key:016x}"
        assert key_in(name) == key
        assert key_of(game, name, keys) == key
    assert key_in("0@intent@" + "a" * 32) is None
    assert canonical({"b": 1, "a": [1, {"d": 2, "c": 3}]}) == '{"a":[1,{"c":3,"d":2}],"b":1}'
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1}) != digest({"a": 2, "b": 1})
    assert paper_key("intent", {"player": 1, "streak": 0}) == f"1@intent@{digest({'streak': 0})}"
    intent = load("monopoly-deal(preset=tiny)/intent")
    assert intent.words.decode_key is not None
    assert name_of(intent, 0, 1 << 20 | 3) == paper_key("intent", intent.words.decode_key(1 << 20 | 3))
