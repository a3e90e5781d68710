"""Robust sampling, baselines and pruning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import CHANCE, OVER, Game, GameError, Position
from parlor.compile import Bindings, interpret
from parlor.game.loading import load
from parlor.game.rng import below, choose
from parlor.solvers.sampling.chance_sampling import every_action
from parlor.solvers.sampling.infoset_table import find, lookup
from parlor.solvers.sampling.mccfr import SAMPLINGS, Mccfr
from parlor.solvers.sampling.traversals import (
    FLOOR,
    Iterations,
    TraversalScratch,
    prune,
    robust,
    run_iterations,
    traverse,
)

EVERYTHING: dict[str, Any] = {"keep": 2, "baseline": 0.1, "prune": 50.0, "linear": True}


# ---------------------------------------------------------------------------------------------------- both ends of keep


@pytest.mark.parametrize("name", ["leduc", "kuhn(players=3)"])
@pytest.mark.parametrize("linear", [False, True])
def test_keeping_all_actions_is_external_sampling_to_the_bit(name: str, linear: bool) -> None:
    game = load(name)
    all_of_them, some = Mccfr(game, "external", seed=3, linear=linear), Mccfr(game, "robust", 3, keep=3, linear=linear)
    for solve in (all_of_them, some):
        solve.run(2000)
    assert all_of_them.table.ints.tobytes() == some.table.ints.tobytes()
    assert all_of_them.nodes == some.nodes > 2000


def test_keeping_one_action_is_outcome_sampling_that_explores_always() -> None:
    game = load("leduc")
    one, outcome = Mccfr(game, "robust", seed=3, keep=1), Mccfr(game, "outcome", seed=3, explore=1.0)
    for solve in (one, outcome):
        solve.run(40)
    (keys, begin, count), other = one.table.index(), outcome.table.index()
    assert [keys.tolist(), count.tolist()] == [other[0].tolist(), other[2].tolist()]
    for row, same, n in zip(begin, other[1], count, strict=True):
        assert one.table.floats[row + 1 :][: 2 * n] == pytest.approx(outcome.table.floats[same + 1 :][: 2 * n])
    assert one.nodes == outcome.nodes


# ---------------------------------------------------------------------------------- right on average, by enumeration


class Script:
    """Random choices as a script says, so that all of them can be gone through; the probability of what was drawn."""

    def __init__(self) -> None:
        self.choices: list[tuple[int, tuple[int, ...]]] = []  # which was taken, and what could be
        self.at = 0
        self.probability = 1.0

    def pick(self, weights: Sequence[float]) -> int:
        """One of those that are possible."""
        if self.at == len(self.choices):
            self.choices.append((0, tuple(i for i, weight in enumerate(weights) if weight > 0.0)))
        taken, possible = self.choices[self.at]
        self.at += 1
        self.probability *= weights[possible[taken]]
        return possible[taken]

    def runs(self) -> Iterator[None]:
        """Until every sequence of choices has been taken."""
        while True:
            self.at, self.probability = 0, 1.0
            yield
            while self.choices and self.choices[-1][0] + 1 == len(self.choices[-1][1]):
                self.choices.pop()
            if not self.choices:
                return
            taken, possible = self.choices.pop()
            self.choices.append((taken + 1, possible))


SCRIPT = Script()


def scripted_choose(r: Any, weights: Any, n: int) -> int:
    return SCRIPT.pick([weights[i] for i in range(n)])


def scripted_below(r: Any, n: int) -> int:
    return SCRIPT.pick([1.0 / n] * n)


Values = dict[int, list[float]]  # by key


def counterfactual_regrets(game: Game, strategy: Mapping[int, Sequence[float]], player: int) -> Values:
    """The exact ones, by walking through the whole game."""
    regrets: Values = {}

    def value(position: Position, others: float) -> float:
        """To the player, if everybody plays so; `others` is the probability that the others and chance came here."""
        if position.turn == OVER:
            return position.payoffs[player]
        if position.turn == CHANCE:
            return sum(p * value(position.after(o), others * p) for o, p in position.odds.items())
        key = position.key(position.turn)
        chosen = strategy[key]
        theirs = position.turn != player
        each = [
            value(position.after(a), others * p if theirs else others)
            for a, p in zip(position.legal, chosen, strict=True)
        ]
        mean = sum(p * v for p, v in zip(chosen, each, strict=True))
        if not theirs:
            known = regrets.setdefault(key, [0.0] * len(each))
            regrets[key] = [r + others * (v - mean) for r, v in zip(known, each, strict=True)]
        return mean

    value(game.start(), 1.0)
    return regrets


def filled(game: Game, sampling: str, settings: Mapping[str, Any]) -> Mccfr:
    """A solve, in plain Python, whose regrets and baselines are any numbers."""
    solve = Mccfr(game, sampling, compiled=False, **settings)
    numbers, tree = np.random.default_rng(5), parlor.tree(game)
    table = solve.table
    for key, n in zip(tree.keys.tolist(), tree.count.tolist(), strict=True):
        row = find(table.slots, table.ints, table.counters, key, n, solve.row_words(n))
        table.floats[row + 1 : row + 1 + n] = numbers.normal(0.3, 1.0, n)
        table.floats[row + 1 + 2 * n : row + solve.words(n)] = numbers.normal(0.0, 2.0, solve.baselines * n)
    return solve


def strategies(solve: Mccfr) -> Values:
    """By regret matching."""
    found = {}
    for key, row, n in zip(*(column.tolist() for column in solve.table.index()), strict=True):
        positive = np.maximum(solve.table.floats[row + 1 : row + 1 + n], 0.0)
        found[key] = (positive / positive.sum() if positive.any() else np.full(n, 1.0 / n)).tolist()
    return found


def sampled_regrets(solve: Mccfr) -> tuple[Values, float]:
    """What a traversal of player 0 adds to the regrets: its mean over all samples, and its mean square."""
    entry, options = solve.settings.kernel()
    assert entry in (robust, every_action)
    slots: Bindings = {traverse: entry, choose: scripted_choose, below: scripted_below}
    kernel = interpret(run_iterations, solve.game, slots)
    table, scratch = solve.table, solve._make_scratch(False)
    before = table.floats.copy()
    places = {key: slice(row + 1, row + 1 + n) for key, row, n in zip(*table.index(), strict=True)}
    mean, square, whole = {key: np.zeros(place.stop - place.start) for key, place in places.items()}, 0.0, 0.0
    for _ in SCRIPT.runs():
        table.floats[:] = before
        kernel(
            table.arrays, scratch, Iterations(1, 0, 0, 1, 1, False), options
        )  # one player: the others do not traverse
        for key, place in places.items():
            added = table.floats[place] - before[place]
            mean[key] += SCRIPT.probability * added
            square += SCRIPT.probability * float((added**2).sum())
        whole += SCRIPT.probability
    table.floats[:] = before
    assert whole == pytest.approx(1.0)
    return {key: values.tolist() for key, values in mean.items()}, square


@pytest.mark.parametrize("name", ["kuhn", "kuhn(players=3)"])
@pytest.mark.parametrize(
    ("sampling", "settings"),
    [
        ("external", {"baseline": 0.3}),
        ("outcome", {"baseline": 0.3}),
        ("robust", {"keep": 1}),
        ("robust", {"keep": 1, "baseline": 0.3}),
        ("chance", {}),
    ],
)
def test_regrets_are_right_on_average_whatever_the_baselines(
    name: str, sampling: str, settings: dict[str, Any]
) -> None:
    solve = filled(load(name), sampling, settings)
    exact = counterfactual_regrets(solve.game, strategies(solve), 0)
    mean, _ = sampled_regrets(solve)
    assert {key for key, values in mean.items() if any(values)} <= set(exact)
    for key, values in exact.items():
        assert mean[key] == pytest.approx(values, abs=1e-12)


def test_chance_sampling_is_cfr_where_there_is_no_chance() -> None:
    """Also where an information set is met after several actions of the other player: its strategy stays the same."""
    game = load("goofspiel(cards=3)")
    sampled, whole = Mccfr(game, "chance", compiled=False), parlor.Cfr(game, "cfr", compiled=False)
    sampled.run(12)
    whole.run(12)
    assert sampled.policy().distance(whole.policy()) < 1e-12


def test_two_of_three_actions_are_right_on_average() -> None:
    solve = filled(load("goofspiel(cards=3)"), "robust", {"keep": 2, "baseline": 0.3})
    exact = counterfactual_regrets(solve.game, strategies(solve), 0)
    mean, _ = sampled_regrets(solve)
    assert max(map(len, exact.values())) == 3
    for key, values in exact.items():
        assert mean[key] == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize("sampling", ["outcome", "robust"])
def test_learned_baselines_reduce_variance(sampling: str) -> None:
    solve = Mccfr(load("kuhn"), sampling, seed=1, compiled=False, baseline=0.05)
    solve.run(1500)
    _, low = sampled_regrets(solve)
    for row, n in zip(*solve.table.index()[1:], strict=True):
        solve.table.floats[row + 1 + 2 * n : row + solve.words(n)] = 0.0
    _, high = sampled_regrets(solve)
    assert low < 0.6 * high


def test_a_baseline_is_what_an_action_is_worth_to_each_player() -> None:
    """The last fold to a bet ends the game: the bettor wins the antes of the two others."""
    game = load("kuhn(players=3)")
    solve = Mccfr(game, "outcome", seed=1, baseline=0.1)
    solve.run(100_000)
    folding = game.start().after("T to player 0", "J to player 1", "Q to player 2", "bet", "pass")
    row = lookup(solve.table.slots, solve.table.ints, folding.key(2), 2)
    baselines = solve.table.floats[row + 1 + 2 * 2 : row + solve.words(2)].reshape(3, 2)
    assert baselines[:, 0] == pytest.approx([2.0, -1.0, -1.0])


# -------------------------------------------------------------------------------------------------------------- pruning


def test_only_hopeless_actions_that_go_on_are_pruned() -> None:
    """In Kuhn a fold ends the game, a check does not."""
    game = load("kuhn")
    kernel = interpret(prune, game)

    def pruned(position: Position, strategy: list[float], regrets: list[float]) -> tuple[int, list[int]]:
        states, tried = [None, None, position.state, game.new_state()], [9, 9]
        moves, stack = [position.actions], [[0, 2]]
        scratch = TraversalScratch(states, moves, [strategy], None, stack, None, None, None, [tried], None)
        return kernel([0.0, *regrets], scratch, 0, -10.0), tried

    first = game.start().after("K to player 0", "Q to player 1")
    assert pruned(first, [0.0, 1.0], [-11.0, 5.0]) == (1, [1, 0])
    assert pruned(first, [0.0, 1.0], [-9.0, 5.0]) == (2, [0, 1])
    assert pruned(first, [0.5, 0.5], [-11.0, -12.0]) == (2, [0, 1])  # they are played, for want of better ones
    assert pruned(first.after("bet"), [0.0, 1.0], [-11.0, 5.0]) == (2, [0, 1])


def test_pruning_visits_less_and_regrets_have_a_floor() -> None:
    game = load("leduc")
    everything, some = Mccfr(game, "external", seed=1), Mccfr(game, "external", seed=1, prune=100.0)
    for solve in (everything, some):
        solve.run(60_000)
    assert some.nodes < 0.9 * everything.nodes
    lowest = []
    for table in (everything.table, some.table):
        lowest.append(min(table.floats[row + 1 : row + 1 + n].min() for row, n in zip(*table.index()[1:], strict=True)))
    assert lowest[0] < 10 * -100.0
    assert lowest[1] == pytest.approx(-FLOOR * 100.0)
    assert parlor.nash_conv(game, some.policy()) < 0.35


# ------------------------------------------------------------------------------------------------------- all of them


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sampling", "iterations", "settings"),
    [
        ("external", 100_000, {"baseline": 0.1, "prune": 1000.0}),
        ("outcome", 1_000_000, {"baseline": 0.1}),
        ("robust", 150_000, EVERYTHING),
    ],
)
def test_options_converge_on_leduc(sampling: str, iterations: int, settings: dict[str, Any]) -> None:
    game = load("leduc")
    solve = Mccfr(game, sampling, seed=1, **settings)
    solve.run(iterations)
    assert parlor.nash_conv(game, solve.policy()) < 0.25


def test_three_players_come_close_with_everything() -> None:
    game = load("kuhn(players=3)")
    solve = Mccfr(game, "robust", seed=1, **EVERYTHING)
    solve.run(300_000)
    assert parlor.nash_conv(game, solve.policy()) < 0.08


@pytest.mark.parametrize("sampling", [name for name in SAMPLINGS if name != "chance"])
def test_pieces_make_the_whole_with_baselines(sampling: str) -> None:
    whole, pieces = (Mccfr(load("kuhn(players=3)"), sampling, seed=5, baseline=0.2) for _ in range(2))
    whole.run(1500)
    for n in (1, 10, 989, 500):
        pieces.run(n)
    assert whole.table.ints[: len(pieces.table.ints)].tobytes() == pieces.table.ints.tobytes()


@pytest.mark.slow
def test_two_threads_reach_what_one_reaches_with_everything() -> None:
    game = load("leduc")
    reached = {1: 0.0, 2: 0.0}
    for threads in reached:
        for seed in (1, 2, 3):
            solve = Mccfr(game, "robust", seed=seed, threads=threads, **EVERYTHING)
            solve.run(50_000)
            reached[threads] += parlor.nash_conv(game, solve.policy())
    assert reached[2] == pytest.approx(reached[1], rel=0.4)


@pytest.mark.parametrize(
    ("sampling", "settings", "sentence"),
    [
        ("robust", {"keep": 0}, "keep must be between 1 and 131071, not 0."),
        ("robust", {"keep": 1.5}, "keep must be a whole number, not 1.5."),
        ("robust", {"explore": 0.5}, "mccfr-robust has no setting 'explore'; it has: baseline, keep, linear, prune."),
        ("external", {"prune": -1.0}, "prune must be at least 0, not -1.0."),
        ("outcome", {"baseline": 2.0}, "baseline must be between 0 and 1, not 2.0."),
        ("chance", {"baseline": 0.1}, "mccfr-chance has no setting 'baseline'; it has: linear."),
        ("outcome", {"prune": 1.0}, "mccfr-outcome has no setting 'prune'; it has: baseline, explore, linear."),
    ],
)
def test_wrong_settings_get_a_sentence(sampling: str, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError) as error:
        Mccfr(load("kuhn"), sampling, **settings)
    assert sentence == str(error.value)


def test_keeping_many_actions_of_a_large_game_is_refused() -> None:
    with pytest.raises(GameError, match=r"robust sampling visits many lines .* it would not end\. Use mccfr-outcome"):
        Mccfr(load("goofspiel(cards=13)"), "robust", keep=12)
