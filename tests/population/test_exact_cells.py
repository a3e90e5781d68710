"""Cells of empirical games: what is wanted, recorded, computed and read, number by number."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np
import pytest

import parlor
from parlor.arena.measures import MEASURES
from parlor.game import GameError
from parlor.game.rng import mix
from parlor.policies.policy import Policy
from parlor.population.empirical import cells, empirical_games
from parlor.population.empirical.cells import CellTask, Tally, play_task, results_of
from parlor.population.empirical.empirical_game import EXACT, EmpiricalGame, symmetrised
from parlor.population.empirical.empirical_game_files import from_cross_table, from_empirical
from parlor.population.empirical.empirical_games import SimulatedGame, add_agents, empirical_game
from parlor.population.run import asking
from parlor.population.run.asking import CELLS, CellSimulator, Share, name_of, play_share
from parlor.runs.workers import ThreadPool, WorkerError
from parlor.sequence_form.tree import tree
from parlor.solvers.best_response import evaluate

KUHN, THREE = parlor.load("kuhn"), parlor.load("kuhn(players=3)")


def game_of(name: str = "kuhn", players: int = 2, symmetric: bool = False, agents: str = "ab") -> SimulatedGame:
    made = SimulatedGame(name, players, 3, symmetric)
    for agent in agents:
        made.add(agent)
    return made


def everybody(cell: tuple[int, ...]) -> Any:
    return (slice(None), *cell)


def recorded(game: SimulatedGame, cell: tuple[int, ...], *samples: tuple[float, ...]) -> None:
    """Deals with these payoffs of all players; the other measures are those of the payoffs."""
    table = np.array(samples)
    lineups = np.tile(np.arange(table.shape[1]), (len(table), 1))
    sums, squares = {}, {}
    for name, measure in MEASURES.items():
        values = np.stack([measure.of(table, lineups, p) for p in range(table.shape[1])])
        sums[name], squares[name] = values.sum(axis=1), (values**2).sum(axis=1)
    game._record(cell, Tally(len(table), len(table), sums, squares))


# ------------------------------------------------------------------------------------------------- what is recorded


def test_where_seats_are_drawn_a_cell_stands_in_all_its_orders() -> None:
    game = game_of("kuhn(players=3)", 3, True)
    recorded(game, (0, 0, 1), (1.0, 1.0, -2.0), (2.0, 2.0, -4.0))
    payoffs = game.payoffs
    for order in set(itertools.permutations((0, 0, 1))):
        assert payoffs.counts[order] == 2
        assert payoffs.payoffs[everybody(order)].tolist() == [-3.0 if one else 1.5 for one in order]
        assert payoffs.squares[everybody(order)].tolist() == [20.0 if one else 5.0 for one in order]
    assert payoffs.counts[0, 0, 0] == payoffs.counts[0, 1, 1] == 0
    assert game.measured["inequity"].payoffs[0, 1, 0, 0] == pytest.approx((2.0 + 4.0) / 2)
    assert game.games == 2 * 3, "a deal in three orders"
    recorded(game, (1, 1, 1), (0.0, 0.0, 0.0))
    assert game.games == 7
    assert game.orders((0, 0, 1)) == 3
    assert game.cells() == [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]


def test_in_fixed_seats_a_cell_is_one() -> None:
    game = game_of()
    recorded(game, (0, 1), (2.0, -2.0), (1.0, -1.0), (0.0, 0.0))
    assert game.payoffs.counts.tolist() == [[0, 3], [0, 0]]
    assert game.games == 3
    assert game.cells() == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert game.orders((0, 1)) == 1
    assert game.named((1, 0)) == ("b", "a")
    game.payoffs.set_exact((0, 0), np.array([1.0, -1.0]))
    assert game.games == 3, "what was computed was not played"


# ---------------------------------------------------------------------------------------------- what is still wanted


def test_half_widths_of_a_cell_by_hand() -> None:
    """Payoffs 1, 2 and 6 of one player, with variance 7, and 0, 0, 1 of the other."""
    game = game_of()
    assert game.width((0, 0)) == math.inf
    recorded(game, (0, 0), (1.0, 0.0))
    assert game.width((0, 0)) == math.inf
    recorded(game, (0, 0), (2.0, 0.0), (6.0, 1.0))
    assert game.width((0, 0)) == pytest.approx(4.3027 * math.sqrt(7 / 3), rel=1e-6)
    recorded(game, (0, 1), *[(1.0, 1.0)] * 30)
    largest = math.sqrt(41 / 3)  # by the squares of the cell before
    assert game.width((0, 1)) == pytest.approx((1 - 0.025 ** (1 / 30)) * (largest + 1.0)), "all the same so far"
    game.payoffs.set_exact((1, 1), np.zeros(2))
    assert game.width((1, 1)) == 0.0
    drawn = game_of(symmetric=True)
    recorded(drawn, (0, 0), (0.0, 0.0), (0.0, 0.0))
    recorded(drawn, (0, 1), (0.0, 0.0), (0.0, 0.0))
    assert drawn.width((0, 0)) == 0.0, "of a zero-sum game with itself everybody has 0"
    assert drawn.width((0, 1)) == pytest.approx(1 - math.sqrt(0.025)), "a point more or less may come"


def test_how_many_more_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of()
    assert game._wanted((0, 0), 50, 0.0, 0) == 50
    assert game._wanted((0, 0), 50, 0.1, 0) == 100, "before an interval is looked at"
    assert game._wanted((0, 0), 150, 0.1, 0) == 150
    game.payoffs.counts[0, 0] = 120
    assert game._wanted((0, 0), 50, 0.0, 0) <= 0
    assert game._wanted((0, 0), 150, 0.1, 0) == 30
    for width, until, most, more in (
        (0.1, 0.1, 0, 0),
        (0.12, 0.1, 0, math.ceil(120 * 1.44 * 1.05) - 120),
        (0.5, 0.1, 0, 360),  # four times as many, at most
        (0.12, 0.1, 130, 10),
        (0.12, 0.1, 120, 0),
        (0.1001, 0.1, 0, math.ceil(120 * 1.001**2 * 1.05) - 120),
        (math.inf, 0.1, 0, 120),
    ):
        monkeypatch.setattr(SimulatedGame, "width", lambda self, cell, width=width: width)
        assert game._wanted((0, 0), 50, until, most) == more
    game.payoffs.counts[0, 0] = EXACT
    assert game._wanted((0, 0), 50, 0.1, 0) == 0
    game.failures["a", "b"] = "no"
    assert game._wanted((0, 1), 50, 0.1, 0) == 0


def test_games_are_deals_in_all_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("kuhn(players=3)", 3, True)
    assert [game._wanted(cell, 100, 0.0, 0) for cell in game.cells()] == [100, 34, 34, 100]
    game.payoffs.counts[0, 0, 1] = 34
    monkeypatch.setattr(SimulatedGame, "width", lambda self, cell: 1.0)
    assert game._wanted((0, 0, 1), 100, 0.9, 110) == 3, "110 games are 37 deals"


def test_the_next_deals_of_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of()
    monkeypatch.setattr(SimulatedGame, "agent", lambda self, label: f"agent {label}")
    monkeypatch.setattr(empirical_games, "cell_seed", lambda *names: names)
    game.payoffs.counts[0, 1] = 30
    tasks = list(game._tasks((0, 1), 45, 20, 10, "threads"))
    assert [(task.first, task.deals) for task in tasks] == [(30, 20), (50, 20), (70, 5)]
    assert tasks[0].agents == ("agent a", "agent b")
    assert tasks[0].seed == (3, ("a", "b"), False)  # type: ignore[comparison-overlap]
    assert not tasks[0].drawn
    assert [task.first for task in game._tasks((0, 1), 45, 20, 2, "threads")] == [30, 50]
    far = next(game._tasks((0, 1), 45, 20, 2, "processes"))
    assert (far.game, far.agents) == ("kuhn", ("a", "b"))


def test_play_goes_on_until_every_cell_has_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of all cells in turn; progress counts games, with those that were there before."""
    told: list[tuple[int, int]] = []
    made: list[tuple[tuple[str, ...], int, int]] = []

    def play(pool: Any, tasks: Any) -> Any:
        for task in tasks:
            made.append((task.labels, task.first, task.deals))
            zeros = {name: np.zeros(2) for name in MEASURES}
            yield "it broke" if task.labels == ("b", "b") else Tally(task.deals, task.deals, zeros, zeros)

    def progress(done: int, total: int) -> bool:
        told.append((done, total))
        return True

    monkeypatch.setattr(empirical_games, "results_of", lambda pool, tasks: (one for one in play(pool, tasks)))
    monkeypatch.setattr(empirical_games, "SLOW_BLOCK", 30)
    monkeypatch.setattr(SimulatedGame, "_compiled", lambda self: False)
    monkeypatch.setattr(SimulatedGame, "agent", lambda self, label: label)
    game = game_of()
    game.payoffs.counts[0, 0] = 10
    assert game.play(50, on_progress=progress)
    assert game.payoffs.counts.tolist() == [[50, 50], [50, 0]]
    assert game.failures == {("b", "b"): "it broke"}
    assert made[:4] == [(("a", "a"), 10, 30), (("a", "b"), 0, 30), (("b", "a"), 0, 30), (("b", "b"), 0, 30)]
    assert made[4:] == [(("a", "a"), 40, 10), (("a", "b"), 30, 20), (("b", "a"), 30, 20)]
    assert told == [(40, 200), (70, 200), (100, 200), (110, 200), (130, 200), (150, 200)]
    with pytest.raises(GameError, match="must not be negative"):
        game.play(-1)


# --------------------------------------------------------------------------------------------------------- estimates


def test_estimates_by_hand() -> None:
    game = game_of()
    for cell in game.cells():
        recorded(game, cell, (1.0 + cell[0], 2.0), (3.0, 5.0 + cell[1]))
    found = game.estimates()
    assert found.means[0].tolist() == [[2.0, 2.0], [2.5, 2.5]]
    assert found.means[1].tolist() == [[3.5, 4.0], [3.5, 4.0]]
    wide = 12.7062 / 1.959964  # Student's, of two deals
    assert found.errors[1] == pytest.approx(wide * np.array([[1.5, 2.0], [1.5, 2.0]]))
    assert found.correlation == pytest.approx(np.ones((2, 2)))  # of two deals, both of which go up
    less = game.estimates("inequity")
    assert less.means[0] == pytest.approx(np.array([[-1.5, -2.0], [-1.0, -1.5]]))
    assert less.errors[0] == pytest.approx(wide * np.array([[0.5, 1.0], [1.0, 1.5]]))
    assert game.estimates("welfare").means[1].tolist() == [[5.5, 6.0], [6.0, 6.5]]
    both = game.estimates(symmetric=True)
    assert both.payoffs == pytest.approx(symmetrised(found.means))
    assert not game.estimates().shared
    assert game.estimates(only=["b"]).means.ravel().tolist() == [2.5, 4.0]
    with pytest.raises(GameError, match="c is not in the empirical game"):
        game.estimates(only=["c"])
    products = game.estimates("nash-product", of_means=True)
    assert products.payoffs[0] == pytest.approx(np.array([[7.0, 8.0], [8.75, 10.0]]))
    apart = game.estimates("inequity", of_means=True)
    assert apart.payoffs[1] == pytest.approx(np.array([[-1.5, -2.0], [-1.0, -1.5]]))
    [mine, theirs] = game.rank("mean", resamples=3)
    assert (mine.scores.tolist(), theirs.scores.tolist()) == ([2.0, 2.5], [3.5, 4.0])
    assert game.solve("social-welfare").joint[1, 1] == 1.0


def test_who_has_not_played_all_is_left_out() -> None:
    game = game_of(agents="abc")
    for cell in game.cells():
        if cell not in ((1, 2), (1, 1)):
            recorded(game, cell, (1.0, 2.0), (3.0, 5.0))
    assert game.estimates().labels == [["a", "c"], ["a", "b", "c"]]
    assert game.estimates(symmetric=True).labels == [["a", "c"]] * 2
    with pytest.raises(GameError, match="play some"):
        game_of().estimates()


def test_lists_of_agents() -> None:
    game = SimulatedGame("kuhn", 2)
    add_agents(game, [["a"], ["b", "c"]])
    assert game.labels == [["a"], ["b", "c"]]
    add_agents(game, [["a", "d"], ["b"]], known=True)
    assert game.labels == [["a", "d"], ["b", "c"]]
    assert not game.shared
    with pytest.raises(GameError, match="between 0"):
        SimulatedGame("kuhn", 2, -1)


# ------------------------------------------------------------------------------------------------------ exact cells


def some_policy(game: Any, seed: int) -> Policy:
    t = tree(game)
    draw = np.random.default_rng(seed)
    return Policy.from_rows(game, t.keys, t.counts, np.concatenate([draw.dirichlet(np.ones(n)) for n in t.counts]))


@pytest.mark.parametrize("symmetric", [False, True])
def test_cells_are_computed_exactly(symmetric: bool) -> None:
    """Against the value of each combination in the tree; of drawn seats, the mean over them."""
    policies = {"a": some_policy(THREE, 1), "b": some_policy(THREE, 2)}
    game = SimulatedGame.of(THREE, symmetric=symmetric)
    for label, policy in policies.items():
        game.add(label)
        game._agents[label] = policy
    assert game.compute() == {}
    assert (game.payoffs.counts == EXACT).all()
    expected = np.zeros((3, 2, 2, 2))
    for cell in itertools.product(range(2), repeat=3):
        expected[everybody(cell)] = evaluate(THREE, [policies["ab"[i]] for i in cell]).values
    expected = symmetrised(expected) if symmetric else expected
    assert game.payoffs.payoffs == pytest.approx(expected, abs=1e-12)
    assert game.measured["welfare"].payoffs == pytest.approx(np.zeros((3, 2, 2, 2)), abs=1e-12)
    assert not game.measured["inequity"].counts.any(), "not linear in payoffs"


def test_whoever_cannot_be_computed_is_named() -> None:
    game = SimulatedGame.of(KUHN)

    def guesses(position: Any) -> dict[str, float]:
        return {"pass": 1.0}

    game.add(guesses)
    game.add("a")
    game._agents["a"] = some_policy(KUHN, 1)
    assert game.compute() == {"guesses": "it is Python code, which may be random."}
    assert game.payoffs.counts.tolist() == [[0, 0], [0, EXACT]]
    assert game.payoffs.payoffs[:, 1, 1] == pytest.approx(evaluate(KUHN, some_policy(KUHN, 1)).values)


# ------------------------------------------------------------------------------------------------------ other sources


def match_row(players: int, games: int) -> dict[str, Any]:
    def estimate(value: float, half: float) -> dict[str, float]:
        return {"value": value, "low": value - half, "high": value + half}

    by_agent = [
        {"payoff": estimate(0.5, 0.2), "win-share": estimate(0.6, 0.1)},
        {"payoff": estimate(-0.5 / (players - 1), 0.1), "win-share": estimate(0.4, 0.1)},
    ]
    measures = {name: estimate(k + 1.0, 0.3) for k, name in enumerate(MEASURES)}
    return {"agent": "b", "against": "a", "games": games, "by_agent": by_agent, "measures": measures}


@pytest.mark.parametrize("players", [2, 3])
def test_a_cross_table_has_the_same_errors(players: int) -> None:
    name = "kuhn" if players == 2 else "kuhn(players=3)"
    game = from_cross_table({"game": name, "agents": ["a", "b"], "matches": [match_row(players, 70 * players)]})
    assert game.symmetric
    cell = (1, *[0] * (players - 1))
    payoffs = game.payoffs
    assert payoffs.counts[cell] == 70
    share = -0.5 / (players - 1)
    assert payoffs.payoffs[everybody(cell)] == pytest.approx([0.5, *[share] * (players - 1)])
    assert payoffs.payoffs[everybody(cell[::-1])] == pytest.approx([*[share] * (players - 1), 0.5])
    assert payoffs.half_widths()[(0, *cell)] == pytest.approx(0.2)
    assert game.measured["inequity"].payoffs[(0, *cell)] == 5.0
    game.measured["inequity"].limits = (0.0, 8.0)
    assert game.measured["inequity"].half_widths()[(1, *cell)] == pytest.approx(0.3)
    same = (1,) * players
    assert payoffs.payoffs[everybody(same)].tolist() == [0.0] * players
    assert game.measured["win-share"].payoffs[(0, *same)] == pytest.approx(1 / players)
    assert game.measured["inequity"].counts[same] == 0
    few = from_cross_table({"game": name, "agents": ["a", "b"], "matches": [match_row(players, players)]})
    assert few.payoffs.counts[cell] == 0, "one deal tells nothing of its error"


def test_of_any_empirical_game_the_sums_are_known_where_it_is_exact() -> None:
    made = EmpiricalGame("kuhn", 2)
    for player in range(2):
        for label in "ab":
            made.add(player, label)
    made.set_exact((0, 1), np.array([2.0, 5.0]))
    made.record((0, 0), 4, [4.0, 8.0], [5.0, 20.0])
    game = from_empirical(made)
    assert game.measured["welfare"].counts.tolist() == [[0, EXACT], [0, 0]]
    assert game.measured["welfare"].payoffs[:, 0, 1].tolist() == [7.0, 7.0]
    assert not game.kept
    assert game.payoffs is made


# ----------------------------------------------------------------------------------------------------------- workers


def test_members_play_in_their_own_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell's games are named by the run's seed and the cell."""
    told: list[Any] = []

    def play_cell(game: Any, agents: Any, labels: Any, deals: int, seed: int) -> Tally:
        told.append(([agent.name for agent in agents], list(labels), deals, seed))
        k = len(told)
        return Tally(deals, deals, {"payoff": np.array([k, -k], float)}, {"payoff": np.array([10.0 * k, k])})

    monkeypatch.setattr(cells, "play_cell", play_cell)
    members: Any = [[some_policy(KUHN, 1), some_policy(KUHN, 2)], [some_policy(KUHN, 3), some_policy(KUHN, 4)]]
    simulator = CellSimulator(KUHN, 40, 8)
    found = simulator([(1, 0), (0, 1), (1, 1)], members)
    assert found == [(40, [k, -k], [10.0 * k, k]) for k in (1.0, 2.0, 3.0)]
    base = mix(mix(0, 8), CELLS)
    assert [one[3] for one in told] == [functools.reduce(mix, cell, base) for cell in ((1, 0), (0, 1), (1, 1))]
    assert told[0][:3] == (["strategy 1 of player 0", "strategy 0 of player 1"],) * 2 + (40,)
    assert (simulator.done, simulator.total) == (3, 3)
    assert name_of(1, 4) == "strategy 4 of player 1"


def test_cells_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Share] = []

    def share_of(share: Share) -> list[Any]:
        given.append(share)
        return [(1, list(cell), []) for cell in share.cells]

    monkeypatch.setattr(asking, "play_share", share_of)
    members: Any = [[f"{p}{i}" for i in range(4)] for p in range(2)]
    cells = list(itertools.product(range(4), repeat=2))[:9]
    found = CellSimulator(KUHN, 10, 1, ThreadPool(1))(cells, members)
    assert [len(one.cells) for one in given] == [3, 3, 3], "four shares of a worker, as far as there are"
    assert [one[1] for one in found] == [list(cell) for cell in cells]
    members_of_second: dict[Any, Any] = given[1].members
    assert members_of_second == {(0, 0): "00", (1, 3): "13", (0, 1): "01", (1, 0): "10", (1, 1): "11"}
    assert play_share is not asking.play_share


def test_a_task_tells_what_broke(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Tally:
        raise KeyError("x")

    task = CellTask(KUHN, (), ("a",), 1, 2, 3, False)
    monkeypatch.setattr(cells, "play_cell", broken)
    assert play_task(task) == "KeyError: 'x'."
    monkeypatch.setattr(cells, "play_cell", lambda *values: values)
    assert play_task(task) == (KUHN, [], ("a",), 1, 2, 3, False)  # type: ignore[comparison-overlap]


def test_when_workers_die_tasks_are_played_one_by_one() -> None:
    class Fragile:
        workers = 1

        def map(self, function: Any, tasks: Any) -> Any:
            for k, task in enumerate(tasks):
                if task == "bad":
                    raise WorkerError("gone")
                yield f"{task} {k}"

    found = list(results_of(Fragile(), ["a", "b", "bad", "c"]))  # type: ignore[arg-type, list-item]
    assert found == ["a 0", "b 1", "The process that played it died, and so did others that tried.", "c 0"]


def test_an_empirical_game_is_computed_and_played(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(SimulatedGame, "compute", lambda self: told.append("computed"))
    monkeypatch.setattr(SimulatedGame, "play", lambda self, *values: told.append(values))
    made = empirical_game("kuhn", ["x", "y"], 12, seed=4, symmetric=True, until=0.5, most=9, exact=True, workers=2)
    assert told == ["computed", (12, 0.5, 9, 2)]
    assert (made.labels, made.seed, made.symmetric) == ([["x", "y"]] * 2, 4, True)
    empirical_game("kuhn", ["x"], 12)
    assert told[2:] == [(12, 0.0, 0, 1)]
