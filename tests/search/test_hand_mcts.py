"""UCT by hand: which move is tried, for whom it counts; rollouts, and which moves are proposed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from parlor import compile as compiler
from parlor.agents.registry import make_agent
from parlor.compile import Bindings
from parlor.game import CHANCE, OVER
from parlor.game.loading import load
from parlor.game.rng import choose, draw, seed_stream
from parlor.search import mcts
from parlor.search.mcts import EDGES, NODES, add_node, choose_edge, find_slot, findings_of, mcts_probabilities
from parlor.search.rollout import (
    array,
    estimate,
    move_by_policy,
    new_rollout,
    policy_chances,
    propose,
    rank_moves,
    roll_out,
    rollout_decide,
    rollout_legal,
    rollout_play,
    rollout_probabilities,
)
from parlor.search.world_table import is_open, keep_state, sample_world
from tests.search import plainly
from tests.search.plainly import PLEDGES, dealt

uncompiled = plainly.uncompiled
pytestmark = pytest.mark.usefixtures("uncompiled")

GAMBLES = load(f"{Path(__file__).with_name('gambles.py')}(players=3,stakes=2,rounds=1)")


def tree(
    settings: str = "simulations=20", tries: Any = (), totals: Any = (), visits: int = 0, span: Any = (0, 0)
) -> Any:
    """A tree whose second node has these edges, the first of which is number 2 of all."""
    b: Any = make_agent(f"mcts({settings})", GAMBLES).data(False)
    b.first[1], b.width[1], b.visits[1] = 2, len(tries), visits
    b.tries[2 : 2 + len(tries)], b.totals[2 : 2 + len(tries)], b.span[:] = list(tries), list(totals), list(span)
    return b


# --------------------------------------------------------------------------------------------------- choosing


def test_untried_moves_come_first() -> None:
    b = tree(tries=[1, 0, 5, 0], totals=[9.0, 0.0, 9.0, 0.0], visits=6, span=[0.0, 9.0])
    assert choose_edge(b, 1) == 3
    b.tries[3] = 1
    assert choose_edge(b, 1) == 5
    b.tries[5] = 1
    assert choose_edge(b, 1) in (2, 4)


def test_a_bound_is_the_scaled_mean_and_a_bonus() -> None:
    """Payoffs from −10 to 10, 8 visits: means 2, 6 and 4 are 0.6, 0.8 and 0.7 on the scale."""
    for exploration in (0.0, 0.05, 0.2, 0.7, 2.0):
        b = tree(f"simulations=20,exploration={exploration}", [1, 5, 2], [2.0, 30.0, 8.0], 8, [-10.0, 10.0])
        bounds = [mean + exploration * math.sqrt(math.log(8) / n) for mean, n in ((0.6, 1), (0.8, 5), (0.7, 2))]
        assert choose_edge(b, 1) == 2 + bounds.index(max(bounds))
    # where the bonus turns it: 0.05 · (√ln 8 − √(ln 8 / 5)) is 0.04, and 0.7 · … is 0.55
    assert choose_edge(tree("simulations=20,exploration=0.2", [1, 5], [2.0, 30.0], 8, [-10.0, 10.0]), 1) == 3
    assert choose_edge(tree("simulations=20,exploration=0.3", [1, 5], [2.0, 30.0], 8, [-10.0, 10.0]), 1) == 2
    # with half the distance of payoffs, differences count twice
    assert choose_edge(tree("simulations=20,exploration=0.3", [1, 5], [2.0, 30.0], 8, [0.0, 10.0]), 1) == 3
    # and by the visits of the node: ln 3 instead of ln 8
    assert choose_edge(tree("simulations=20,exploration=0.3", [1, 5], [2.0, 30.0], 3, [-10.0, 10.0]), 1) == 3
    # where all payoffs were equal only the bonus counts; of equal bounds the first
    assert choose_edge(tree(tries=[2, 1, 1], totals=[4.0, 2.0, 2.0], visits=4, span=[2.0, 2.0]), 1) == 3


def test_widening_tries_a_power_of_the_visits() -> None:
    """With ½: 2 moves after one visit and after three, 3 after four, 4 after nine."""
    for visits, count in ((1, 2), (3, 2), (4, 3), (8, 3), (9, 4)):
        b = tree("simulations=20,widening=0.5", [3] * count + [0] * (4 - count), [0.0] * 4, visits)
        assert choose_edge(b, 1) < 2 + count
        b.tries[1 + count] = 0
        assert choose_edge(b, 1) == 1 + count
    assert choose_edge(tree("simulations=20,widening=1", [3, 0, 0], [0.0] * 3, 0), 1) == 3


# --------------------------------------------------------------------------------------------------- simulations


def test_every_player_counts_its_own_payoff() -> None:
    """Simulations are played again, move by move: tries, visits, payoffs of whoever decides, and the span."""
    b: Any = make_agent("mcts(simulations=25,exploration=0.5)", GAMBLES).data(False)
    bindings = make_agent("mcts(simulations=25)", GAMBLES).bindings(False)
    state, rules = GAMBLES.start().state, GAMBLES.rules
    seen: list[tuple[list[tuple[int, int, int]], list[float]]] = []
    simulate = compiler.interpret(mcts.simulate, GAMBLES, bindings)

    def noting(*arguments: Any) -> None:
        before, visits = list(b.tries), list(b.visits)
        simulate(*arguments)
        length = sum(b.tries) - sum(before)
        assert sum(b.visits[: b.counters[NODES]]) - sum(visits[: b.counters[NODES]]) == length
        seen.append(([tuple(row) for row in b.path[:length]], list(b.values)))

    moves, out = [0] * GAMBLES.actions, [0.0] * GAMBLES.actions
    n = rules.legal(state, moves)
    compiler.interpret(mcts_probabilities, GAMBLES, {**bindings, mcts.simulate: noting})(
        [state], 0, 0, moves, n, out, [1, 2, 3, 4], b
    )
    assert len(seen) == 25
    tries, totals, visits = [0] * len(b.tries), [0.0] * len(b.totals), [0] * len(b.visits)
    for path, values in seen:
        assert path[0][2] == 0
        assert [player for _, _, player in path] == list(range(len(path)))  # in turn
        for node, edge, player in path:
            assert b.first[node] <= edge < b.first[node] + b.width[node]
            visits[node] += 1
            tries[edge] += 1
            totals[edge] += values[player]
    assert (tries, visits) == (b.tries, b.visits)
    assert totals == pytest.approx(b.totals)
    everything = [value for _, values in seen for value in values]
    assert b.span == [min(everything), max(everything)]
    best = max(range(n), key=lambda e: (b.tries[e], b.totals[e], -e))
    assert [move for move, chance in zip(moves, out, strict=True) if chance] == [b.moves[best]]
    told = findings_of(b).moves
    assert [(m.action, m.visits) for m in told] == [(b.moves[e], tries[e]) for e in range(n)]
    assert [m.value for m in told] == pytest.approx([totals[e] / tries[e] for e in range(n)])


def test_the_span_is_that_of_all_players_and_the_most_tried_move_is_made() -> None:
    """Seat 1 of Pledges gets from 2 to 8, seat 0 also less; then tries and totals that disagree are written down."""
    agent = make_agent("mcts(simulations=30)", PLEDGES)
    b: Any = agent.data(False)
    everything: list[float] = []
    simulate = compiler.interpret(mcts.simulate, PLEDGES, agent.bindings(False))

    def noting(*arguments: Any) -> None:
        simulate(*arguments)
        everything.extend(b.values)

    position, out = dealt(1, 3, 0), [0.0, 0.0]
    for way in (noting, None):
        for tries, totals, best in (([5, 3], [1.0, 9.0], 0), ([3, 5], [9.0, 1.0], 1), ([4, 4], [1.0, 2.0], 1)):

            def writing(*arguments: Any, tries: Any = tries, totals: Any = totals) -> None:
                b.tries[:2], b.totals[:2] = tries, totals

            slots = {**agent.bindings(False), mcts.simulate: way or writing}
            kernel = compiler.interpret(mcts_probabilities, PLEDGES, slots)
            kernel([position.state], 0, 1, [1, 2], 2, out, [1, 2, 3, 4], b)
            if way is None:
                assert out == [float(best == 0), float(best == 1)]
            else:
                assert b.span == [min(everything), max(everything)]
                assert min(everything) < 2.0
                everything.clear()


def test_simulations_of_all_root_moves_share_their_luck() -> None:
    """The n-th one of each move has the same stream: it is named by the seed and how often the move was tried."""
    named: list[tuple[int, int]] = []

    def noting(worlds: Any, i: int, states: Any, g: int, p: int, r: Any, belief: Any) -> None:
        fresh = [0] * 4
        for index in range(30):
            seed_stream(fresh, seed, index)
            if fresh == r:
                named.append((index, p))
        worlds[i].assign(states[g])

    agent = make_agent("mcts(simulations=12)", GAMBLES)
    b: Any = agent.data(False)
    state, moves, out, r = GAMBLES.start().state, [0] * 4, [0.0] * 4, [1, 2, 3, 4]
    seed = draw(list(r))
    n = GAMBLES.rules.legal(state, moves)
    kernel = compiler.interpret(mcts_probabilities, GAMBLES, {**agent.bindings(False), sample_world: noting})
    kernel([state], 0, 0, moves, n, out, r, b)
    assert [index for index, _ in named][:n] == [0] * n
    assert sorted(index for index, _ in named) == sorted(k for e in range(n) for k in range(b.tries[e]))


def test_nodes_are_found_and_added_while_there_is_room() -> None:
    b = tree("simulations=3")
    agent = make_agent("mcts(simulations=3)", GAMBLES)
    add = compiler.interpret(add_node, GAMBLES, agent.bindings(False))
    state, moves = GAMBLES.start().state, [7, 8, 9]
    assert len(b.rows) == 8
    for node, key in enumerate((6, 14, 22)):
        slot = find_slot(b, key)
        assert slot == (6 + node) % 8
        assert b.rows[slot] == 0
        assert add(b, slot, key, [state], 0, 0, moves, 3)
        assert (b.first[node], b.width[node], b.visits[node]) == (3 * node, 3, 0)
        assert b.moves[3 * node : 3 * node + 3] == moves
        assert (b.rows[slot], b.keys[slot]) == (node + 1, key)
    assert [find_slot(b, key) for key in (6, 14, 22)] == [6, 7, 0]
    assert b.counters[:2] == [3, 9]
    b.counters[EDGES] = len(b.moves) - 2
    assert not add(b, find_slot(b, 30), 30, [state], 0, 0, moves, 3)
    b.counters[EDGES] = len(b.moves) - 3
    assert add(b, find_slot(b, 30), 30, [state], 0, 0, moves, 3)
    assert not add(b, find_slot(b, 31), 31, [state], 0, 0, moves, 0)  # four nodes are all


# --------------------------------------------------------------------------------------------------- rollouts


def proposing(scores: list[float]) -> Any:
    def fill(states: Any, g: int, p: int, moves: Any, n: int, out: Any, r: Any, data: Any) -> None:
        out[:n] = scores[:n]

    return fill


@pytest.mark.parametrize(
    ("scores", "most", "order"),
    [
        ([0.2, 0.5, 0.3], 0, [0, 1, 2]),  # all in their own order
        ([0.2, 0.5, 0.3], 2, [1, 2]),  # the best first
        ([0.2, 0.5, 0.3], 5, [1, 2, 0]),
        ([0.4, 0.2, 0.4], 3, [0, 2, 1]),  # of equals the first
        ([0.0, 0.7, 0.0], 3, [1]),  # never what is not proposed
        ([-1.0, 0.7, 0.0], 1, [0, 1, 2]),  # the policy does not know the place
    ],
)
def test_moves_are_ranked_as_they_are_proposed(scores: list[float], most: int, order: list[int]) -> None:
    b = new_rollout(PLEDGES, 5, (), False)
    rank = compiler.interpret(rank_moves, PLEDGES, {propose: proposing(scores)})
    assert b.order[: rank([None], 0, 0, [0, 1, 2], 3, most, b)] == order


def test_a_rollout_ends_with_the_game_or_with_an_estimate() -> None:
    """Everybody plays the last of its moves; cards are dealt by the stream of the rollout."""

    def last(states: Any, g: int, p: int, moves: Any, n: int, r: Any, data: Any) -> int:
        return n - 1

    def guessed(states: Any, g: int, values: Any, data: Any) -> None:
        values[:] = [data, 10.0 * states[g].moves]

    rules = PLEDGES.rules
    slots: Bindings = {
        rollout_legal: rules.legal, rollout_play: rules.play, rollout_decide: last, estimate: guessed,
    }  # fmt: skip
    kernel = compiler.interpret(roll_out, PLEDGES, slots)
    for horizon, expected in ((3, [2 + 3 * 2 - 1, 5 - 4 + 3 - 2]), (2, [7.5, 20.0]), (0, [7.5, 0.0])):
        b, values, states = new_rollout(PLEDGES, horizon, 7.5, False), [0.0, 0.0], [None, dealt(2, 3).state.copy()]
        kernel(states, 1, values, b)
        assert values == expected
    for index in range(6):
        b, states, mine = new_rollout(PLEDGES, 2, 7.5, False), [PLEDGES.start().state.copy()], [0] * 4
        seed_stream(b.luck, 1, index)
        seed_stream(mine, 1, index)
        kernel(states, 0, [0.0, 0.0], b)
        cards = [choose(mine, [0.25, 0.75], 2) + 1, choose(mine, [0.5, 0.3, 0.2], 3) + 1]
        assert list(states[0].card) == cards
    assert (CHANCE, OVER) == (-1, -2)
    without = compiler.interpret(roll_out, PLEDGES, {**slots, estimate: estimate})
    values = [5.0, 5.0]
    without([dealt(2, 3).state.copy()], 0, values, new_rollout(PLEDGES, 1, (), False))
    assert values == [0.0, 0.0]  # nothing is known


def test_a_policy_that_draws_is_drawn_from() -> None:
    rules, unknown = PLEDGES.rules, [-1.0, 0.0, 0.0]
    never = [0.0, 0.25, 0.75]  # a move that is never made is not a place that is not known
    for scores, expected in (([0.2, 0.3, 0.5], [0.2, 0.3, 0.5]), (never, never), (unknown, [1 / 3] * 3)):
        slots: Bindings = {
            rollout_legal: rules.legal, rollout_play: rules.play, rollout_probabilities: proposing(scores),
        }  # fmt: skip
        b, chances = new_rollout(PLEDGES, 5, (), False), [0.0] * 3
        compiler.interpret(policy_chances, PLEDGES, slots)([None], 0, 0, [0, 1, 2], 3, chances, b)
        assert chances == pytest.approx(expected)
        for index in range(12):
            states, mine = [dealt(1, 1, 0, 2).state.copy()], [0] * 4
            seed_stream(b.luck, 1, index)
            seed_stream(mine, 1, index)
            compiler.interpret(move_by_policy, PLEDGES, slots)(states, 0, 0, b)
            assert states[0].made[2] == choose(mine, expected, 3)
    states = [dealt(1, 1, 0, 1).state.copy()]
    compiler.interpret(move_by_policy, PLEDGES, {**slots, rollout_probabilities: rollout_probabilities})(
        states, 0, 0, b
    )
    assert states[0].made[2] == 1  # nobody is asked where there is no choice


def test_working_memory_has_the_sizes_of_the_game() -> None:
    b = new_rollout(PLEDGES, 9, "mine", True)
    assert [len(b.options), len(b.chances), len(b.odds), len(b.luck), len(b.order), len(b.scores)] == [3, 3, 3, 4, 3, 3]
    assert (b.horizon, b.policy, b.options.dtype.kind, b.chances.dtype.kind) == (9, "mine", "i", "f")
    assert array(False, 2, 1) == [[0.0], [0.0]]


def test_where_nothing_is_hidden_the_state_is_the_world() -> None:
    assert is_open(GAMBLES)
    assert not is_open(PLEDGES)
    worlds, truth = compiler.states(PLEDGES, 2, False), dealt(2, 3, 0)
    compiler.interpret(keep_state, PLEDGES)(worlds, 1, [truth.state], 0, 0, [], ())
    assert (worlds[1].card, worlds[1].moves) == (truth.state.card, 1)
