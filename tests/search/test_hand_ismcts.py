"""Searches of a game whose numbers are known: what every seat learns by every backup, visit by visit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from parlor import compile as compiler
from parlor.agents.registry import make_agent
from parlor.game import Position
from parlor.game.rng import seed_stream
from parlor.learn.network_search import evaluation
from parlor.policies.features import features
from parlor.policies.nets import initial_weights
from parlor.policies.opponents import LEARNER, opponent_arrays
from parlor.policies.policy import Policy
from parlor.search.backups import BACKUPS, backup_of
from parlor.search.ismcts import (
    choose_root,
    findings_of,
    init_trees,
    outcome,
    policy_probabilities,
    share_priors,
    simulate_all,
)
from parlor.search.posterior import OpponentModel, opponent_model
from parlor.search.rollout import estimate, rollout_probabilities
from parlor.search.search_policy import searched_policy, states_at
from parlor.search.searches import OwnPolicy, Searches, SearchResults, SearchSettings, uniform_policy
from parlor.sequence_form.tree import tree
from parlor.solvers.best_response import evaluate
from tests.search import plainly
from tests.search.plainly import PLEDGES, always, dealt, pledging

uncompiled = plainly.uncompiled
pytestmark = pytest.mark.usefixtures("uncompiled")


def against(*policies: Policy, shares: Any = (1.0,)) -> OpponentModel:
    """The same policy in both seats of each line-up."""
    lineups = [[i, i] for i in range(len(policies))]
    return opponent_model(PLEDGES, opponent_arrays(PLEDGES, lineups, shares, policies))


def searches(policy: Policy, trees: int = 1, own: OwnPolicy | None = None, network: Any = None, **how: Any) -> Searches:
    return Searches(PLEDGES, against(policy), trees, SearchSettings(**how), own, compiled=False, network=network)


def run(made: Searches, *positions: Position, evaluate: Any = None) -> SearchResults:
    states, players = [p.state.copy() for p in positions], [p.turn for p in positions]
    return made.run(states, players, list(range(len(positions))), evaluate)


# --------------------------------------------------------------------------------------------------- what is backed up


@pytest.mark.parametrize(
    ("end", "payoffs", "expected"),
    [  # by backup what player 0 and player 1 learn
        ((1, 2, 0, 2, 2), (3.0, 6.0), [(3, 6), (1.5, 6), (9, 9), (18, 18)]),
        ((2, 3, 2, 2, 2), (7.0, 2.0), [(7, 2), (7, -0.5), (9, 9), (14, 14)]),
        ((1, 1, 0, 2, 0), (-1.0, 8.0), [(-1, 8), (-5.5, 8), (7, 7), (0, 0)]),
    ],
)
def test_the_end_of_a_game_is_worth_what_is_backed_up(
    end: tuple[int, ...], payoffs: tuple[float, float], expected: list[tuple[float, float]]
) -> None:
    position = dealt(*end)
    assert tuple(position.payoffs) == payoffs
    for name, pair in zip(("own", "inequity", "welfare", "nash-product"), expected, strict=True):
        b = searches(always(0, 1, 0), trees=2, backup=name)._b
        b.worlds[1].assign(position.state)
        kernel = compiler.interpret(outcome, PLEDGES)
        assert (kernel(b, 1, 0), kernel(b, 1, 1)) == pair


@pytest.mark.parametrize(
    ("backup", "first", "last", "seat_0"),
    [  # seat 1 answers 1 or 2 to a 2, if the other's card is 1, or 2; seat 0 chooses 0, 1 or 2, and the card is 3
        ("own", (2.0, 4.0), (1.0, 2.0), (-1.0, 2.0, 5.0)),
        ("inequity", (1.0, 2.5), (-0.5, -0.5), (-5.5, 0.0, 5.0)),
        ("welfare", (6.0, 11.0), (5.0, 9.0), (7.0, 8.0, 9.0)),
        ("nash-product", (8.0, 28.0), (4.0, 14.0), (0.0, 12.0, 20.0)),
    ],
)
def test_each_seat_finds_the_values_of_its_moves(backup: str, first: Any, last: Any, seat_0: Any) -> None:
    """The other always ends with 2; where one world is believed, every simulation of a move is the same."""
    policy = always(2, 2, 2)
    for belief, expected in (("first", first), ("last", last)):
        found = run(searches(policy, backup=backup, belief=belief, simulations=12), dealt(1, 3, 2))
        assert found.values[0].tolist() == pytest.approx([0.0, *expected])
        assert found.visits[0].tolist()[0] == 0
        assert found.visits[0].sum() == 11
        if expected[0] != expected[1]:
            assert found.moves[0] == 2
    for belief in ("last", "true"):
        found = run(searches(policy, backup=backup, belief=belief, simulations=12), dealt(2, 3, 0, 2))
        assert found.values[0].tolist() == pytest.approx(seat_0)
        assert found.moves[0] == 2


def test_values_are_means_over_what_may_be_hidden() -> None:
    """The card of the other is 1 once in four times, 2 else: what each move is worth to seat 1 follows."""
    found = run(searches(always(2, 2, 2), simulations=1000, c=6.0), dealt(1, 3, 2))
    assert found.values[0, 1:].tolist() == pytest.approx([1.25, 2.5], abs=0.1)
    found = run(searches(always(2, 2, 2), simulations=1000, c=9.0), dealt(2, 1, 2, 2))  # mean card 1.7
    assert found.values[0].tolist() == pytest.approx([1.0, 2.7, 4.4], abs=0.2)


# --------------------------------------------------------------------------------------------------- visit by visit


class Reference:
    """The same search of player 0 with card 1 against card 1 and an answer of 2, in the most obvious way."""

    def __init__(self, backup: str, c: float, greedy: bool, logits: Any, value: Any) -> None:
        self.backup, self.c, self.greedy, self.logits, self.value = backup, c, greedy, logits, value
        self.nodes: dict[Any, Any] = {}
        self.seen: list[float] = []

    def simulate(self) -> None:
        path, made = [], [0, 2, 0]
        for place, moves in ((0, (0, 2)), (2, (0, 1, 2))):
            key = (place, made[0])
            if key not in self.nodes:
                shares = np.exp([self.logits[move] for move in moves])
                priors, returns = shares / shares.sum(), self.value(place, made[0])
                self.nodes[key] = {"n": 1, "w": returns, "edges": [[0, 0.0, prior] for prior in priors]}
                break
            node = self.nodes[key]
            c = self.c or (max(self.seen) - min(self.seen)) or 1.0
            scores = [
                (w / n if n else node["w"] / node["n"]) + c * prior * math.sqrt(node["n"]) / (n + 1)
                for n, w, prior in node["edges"]
            ]
            k = scores.index(max(scores))
            path.append((node, k))
            made[place] = moves[k]
        else:
            pair = made[0] + made[2] - 1.0, 8.0 - made[2] - made[0]
            less = {"own": pair[0], "inequity": pair[0] - 0.5 * max(pair[1] - pair[0], 0.0), "welfare": sum(pair)}
            returns = {**less, "nash-product": max(pair[0], 0.0) * max(pair[1], 0.0)}[self.backup]
        self.seen.append(returns)
        for node, k in reversed(path):
            node["n"] += 1
            node["w"] += returns
            node["edges"][k][0] += 1
            node["edges"][k][1] += returns
            if self.greedy:
                most = max(n for n, _, _ in node["edges"])
                returns = max(w / n for n, w, _ in node["edges"] if 4 * n >= most)


@pytest.mark.parametrize("backup", BACKUPS)
@pytest.mark.parametrize(("c", "operator"), [(0.0, "mean"), (1.5, "mean"), (0.0, "max"), (4.0, "max")])
def test_a_search_visits_what_it_should(backup: str, c: float, operator: str) -> None:
    """Leaves are evaluated from outside: the root is worth 1.5, what follows a 2 more than what follows a 0."""
    logits, found = [0.3, -0.4, 0.1], features(PLEDGES)
    after_2 = int(found.code[4, 0]) + 2  # the feature that the first move was 2
    place = {0: int(found.code[3, 0]), 2: int(found.code[3, 0]) + 2}  # that no move, or two moves were made

    def evaluate(seen: Any) -> tuple[Any, Any]:
        assert set(np.unique(seen)) <= {0.0, 1.0}
        returns = np.where(seen[:, place[0]] > 0, 1.5, np.where(seen[:, after_2] > 0, 2.25, 0.75))
        assert ((seen[:, place[0]] > 0) | (seen[:, place[2]] > 0)).all()
        return np.tile(logits, (len(seen), 1)), returns

    reference = Reference(backup, c, operator == "max", logits, lambda p, m: 1.5 if p == 0 else 2.25 if m else 0.75)
    made = searches(always(0, 2, 0), backup=backup, belief="first", simulations=40, c=c, operator=operator)
    got = run(made, dealt(1, 3), evaluate=evaluate)
    for _ in range(40):
        reference.simulate()
    (n0, w0, _), (n2, w2, _) = reference.nodes[0, 0]["edges"]
    assert got.visits[0].tolist() == [n0, 0, n2]
    assert got.values[0].tolist() == pytest.approx([w0 / n0, 0.0, w2 / n2])
    assert got.simulations[0] == 40
    assert got.policy[0].tolist() == pytest.approx([n0 / 39, 0.0, n2 / 39])


def test_a_network_in_the_kernel_finds_what_it_finds_outside() -> None:
    """Logits by action ids, the last output is the value, times the scale."""
    sizes = (features(PLEDGES).size, 5, 4)
    weights = initial_weights(sizes, 3) * np.float32(4.0)
    for position in (dealt(1, 3), dealt(2, 1, 2), dealt(2, 2, 0, 2)):
        inside = run(searches(always(0, 2, 2), network=(sizes, weights, 2.5), simulations=30), position)
        outside = run(
            searches(always(0, 2, 2), simulations=30), position, evaluate=evaluation(sizes, weights, 2.5, "numpy")
        )
        assert inside.visits.tolist() == outside.visits.tolist()
        assert inside.values == pytest.approx(outside.values, rel=1e-5)


def test_searches_in_one_call_are_those_of_several() -> None:
    """Three positions, two trees at a time; the second one has nothing to choose."""
    positions = [dealt(1, 3, 2), dealt(2, 3, 0, 1), dealt(2, 3, 0, 2)]
    policy = pledging({1: 0.3, 2: 0.7}, {1: 0.2, 2: 0.5, 3: 0.8})
    together = run(searches(policy, trees=2, simulations=20), *positions)
    assert together.visits[1].tolist() == [0, 0, 0]
    assert (together.moves[1], together.policy[1].tolist()) == (1, [0.0, 1.0, 0.0])
    for i, position in enumerate(positions):
        made = searches(policy, simulations=20)
        alone = made.run([position.state.copy()], [position.turn], [i])
        assert alone.visits[0].tolist() == together.visits[i].tolist()
        assert alone.values[0].tolist() == together.values[i].tolist()
        assert alone.moves[0] == together.moves[i]


def test_a_search_is_named_by_its_seed() -> None:
    """Its stream begins there, and goes on where it was put away."""
    made = searches(always(2, 2, 2), trees=2)
    states = [dealt(1, 3, 2).state.copy(), dealt(2, 3, 2).state.copy()]
    made._kernel(init_trees)(made._b, states, 0, 2, [1, 1], [17, 23])
    for t, seed in enumerate((17, 23)):
        fresh = [0] * 4
        seed_stream(fresh, seed, 0)
        assert made._b.streams[t] == fresh
        assert (made._b.done[t], made._b.options[t], made._b.moves[t, :2].tolist()) == (0, 2, [1, 2])
    policy = pledging({1: 0.5, 2: 0.5}, {1: 0.5, 2: 0.5, 3: 0.5})
    one, other = (
        searches(policy, simulations=30).run([dealt(1, 3).state.copy()], [0], [seed]).values.tolist() for seed in (1, 2)
    )
    assert one != other
    halves = searches(policy, simulations=40)
    halves._room(200)
    halves._kernel(init_trees)(halves._b, [dealt(1, 3).state.copy()], 0, 1, [0], [1])
    for _ in range(4):
        halves._kernel(simulate_all)(halves._b, [dealt(1, 3).state.copy()], 0, 1, [0], 10)
    whole = searches(policy, simulations=40)
    whole.run([dealt(1, 3).state.copy()], [0], [1])
    assert halves._b.forest.sums[:2].tolist() == whole._b.forest.sums[:2].tolist()


# --------------------------------------------------------------------------------------------------- leaves


def test_a_leaf_without_a_network_is_played_on_or_estimated() -> None:
    """Seat 1 at its decision: to the end it is worth what was played; after no move what the policy estimates."""

    def expect(states: Any, g: int, values: Any, data: Any) -> None:
        values[0], values[1] = 6.0, 2.0 + states[g].moves

    slots = {**uniform_policy(PLEDGES).slots, estimate: expect}
    for backup, after_none, after_one in (("own", 3.0, 4.0), ("inequity", 1.5, 3.0), ("nash-product", 18.0, 24.0)):
        for horizon, returns in ((0, after_none), (1, after_one)):
            own = OwnPolicy(slots, lambda compiled: (), horizon)
            made = searches(always(2, 2, 2), own=own, backup=backup, simulations=1)
            run(made, dealt(1, 3, 2))
            assert made._b.forest.totals[0, 0] == returns
    own = OwnPolicy(slots, lambda compiled: (), 2)  # then it is over, and the estimate does not count
    made = searches(always(2, 2, 2), own=own, belief="first", simulations=1)
    run(made, dealt(2, 3, 2))
    assert made._b.forest.totals[0, 0] in (2.0, 4.0)


def test_what_is_proposed_counts_half() -> None:
    priors = np.array([1.0, 3.0, -2.0, 0.0, 9.0])
    share_priors(priors, 4)
    assert priors.tolist() == [0.25, 0.5, 0.125, 0.125, 9.0]
    nothing = np.array([0.0, -1.0, 5.0])
    share_priors(nothing, 2)
    assert nothing.tolist() == [0.5, 0.5, 5.0]


def test_a_policy_that_knows_nothing_plays_anything() -> None:
    def nothing(states: Any, g: int, p: int, moves: Any, n: int, out: Any, r: Any, data: Any) -> None:
        out[0] = -1.0

    def something(states: Any, g: int, p: int, moves: Any, n: int, out: Any, r: Any, data: Any) -> None:
        out[:3] = [0.0, 0.75, 0.25]

    for action_probabilities, expected in ((nothing, [1 / 3] * 3), (something, [0.0, 0.75, 0.25])):
        out = [7.0] * 4
        kernel = compiler.interpret(policy_probabilities, PLEDGES, {rollout_probabilities: action_probabilities})
        kernel([None], 0, 0, 0, [0, 1, 2], 3, out, [], None)
        assert out == [*expected, 7.0]


# --------------------------------------------------------------------------------------------------- who the others are


def test_the_others_are_who_they_are_believed_to_be() -> None:
    """Two line-ups: one that ends with 0, one that ends with 2; a seat 1 that answers 2 gets 5 + 3 − 2 c₀ or 8."""
    policies = [always(0, 1, 0), always(0, 1, 2)]
    both = opponent_model(PLEDGES, opponent_arrays(PLEDGES, [[0, LEARNER], [1, LEARNER]], [0.25, 0.75], policies))
    made = Searches(PLEDGES, both, 1, SearchSettings(simulations=1000, belief="last", c=6.0), compiled=False)
    found = run(made, dealt(1, 3, 0))
    assert found.values[0, 1] == pytest.approx(5 - 2)  # no choice was left
    assert found.values[0, 2] == pytest.approx(0.25 * 8 + 0.75 * (8 - 4), abs=0.1)


def test_the_answer_to_a_policy_is_a_best_response() -> None:
    policy = pledging({1: 0.3, 2: 0.7}, {1: 0.2, 2: 0.5, 3: 0.8}, (0.2, 0.3, 0.5))
    answer = searched_policy(PLEDGES, against(policy), SearchSettings(150, c=3.0), compiled=False)
    best = evaluate(PLEDGES, policy).best_responses
    assert evaluate(PLEDGES, [answer, policy]).values[0] == pytest.approx(best[0], abs=1e-9)
    assert evaluate(PLEDGES, [policy, answer]).values[1] == pytest.approx(best[1], abs=1e-9)
    assert set(answer.probabilities) <= {0.0, 1.0, 0.5, 1 / 3}


def test_states_of_information_sets_have_their_keys() -> None:
    t, some = tree(PLEDGES), np.array([1, 4, 9, 12, 15])
    for state, i in zip(states_at(t, some, False), some.tolist(), strict=True):
        assert PLEDGES.rules.key(state, int(t.player[i])) == t.keys[i]


# --------------------------------------------------------------------------------------------------- as an agent


def test_what_an_agent_tells_is_what_it_found() -> None:
    made = searches(always(2, 2, 2), belief="last", simulations=9, backup="welfare")
    found = run(made, dealt(1, 3, 2))
    told = findings_of(made._b)
    assert told.goal == "welfare"
    assert [(move.action, move.visits) for move in told.moves] == [(1, found.visits[0, 1]), (2, found.visits[0, 2])]
    assert [move.value for move in told.moves] == [5.0, 9.0]
    assert told.belief == ((0, 0.0), (1, 1.0))
    few = searches(always(2, 2, 2), belief="last", simulations=2)
    run(few, dealt(1, 3, 2))
    assert [move.visits for move in findings_of(few._b).moves if move.value in (1.0, 2.0)] == [1]
    assert [move.value for move in findings_of(few._b).moves if not move.visits] == [None]
    forced = searches(always(2, 2, 2), simulations=9)
    run(forced, dealt(1, 3, 2, 1))
    assert findings_of(forced._b).moves == ()
    out = [9.0] * 4
    made._b.best[0] = 1
    choose_root(made._b, 3, out)
    assert out == [0.0, 1.0, 0.0, 9.0]


def test_an_agent_searches_as_the_kernels_do() -> None:
    """With the backup it was given, for the seat it has."""
    for backup in BACKUPS:
        agent = make_agent(f"search(simulations=200,backup={backup},c=5)", PLEDGES)
        b: Any = agent.data(False)
        assert (b.backup, b.c, b.simulations) == (backup_of(backup).number, 5.0, 200)
        position, out, moves = dealt(1, 3, 2, 2), [0.0] * 3, [0, 1, 2]
        compiler.interpret(agent.fill_probabilities, PLEDGES, agent.bindings(False))(
            [position.state.copy()], 0, 0, moves, 3, out, [1, 2, 3, 4], b
        )
        assert out == [0.0, 0.0, 1.0]
        assert int(b.done[0]) == 200
