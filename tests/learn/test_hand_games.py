"""Games that networks learn from, by hand: who plays, what is remembered, and what it is worth."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parlor import GameError
from parlor.compile import version
from parlor.learn.batched_games import BatchedGames
from parlor.learn.buffers import Buffers, new_buffers, settle
from parlor.learn.experience import LAST, Exploring, Ring, TrainingPlayer, new_ring
from parlor.policies.features import features
from parlor.policies.mixture import correlated
from parlor.policies.network import NetworkPolicy, remember
from parlor.policies.opponents import (
    ACTIONS,
    AFTERSTATES,
    LEARNER,
    TABLE,
    OpponentArrays,
    OpponentLineups,
    against_all,
    member_probabilities,
    opponent_arrays,
    opponent_bindings,
    self_play,
    shares_by_seat,
    workspace,
)
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.population.oracles import Task, opponents
from parlor.search.searches import SearchResults
from tests.search import plainly
from tests.search.plainly import PLEDGES, always, dealt, interpreted, pledging

uncompiled = plainly.uncompiled
pytestmark = pytest.mark.usefixtures("uncompiled")

SIZE = 22  # features: 0 1 the seat, 2–5 the card, 6–8 dealt, 9–12 moves, 13–15 16–18 19–21 what was made


def linear(outputs: int, bias: Any = None, **rows: Any) -> Any:
    """Weights without a hidden layer: by feature, as fNUMBER."""
    matrix = np.zeros((SIZE, outputs), np.float32)
    for name, row in rows.items():
        matrix[int(name[1:])] = row
    return np.concatenate([matrix.ravel(), np.array(bias or [0.0] * outputs, np.float32)])


def network(weights: Any, outputs: int = 3, **more: Any) -> NetworkPolicy:
    remember(PLEDGES)
    code = features(PLEDGES).code
    return NetworkPolicy(
        PLEDGES.name, version(PLEDGES), code, (SIZE, outputs), weights, 1.0, source=PLEDGES.source, **more
    )


# --------------------------------------------------------------------------------------------------- members


def weighed(members: OpponentArrays, m: int, position: Any) -> list[float]:
    """The probabilities of the moves of a member."""
    working = workspace(features(PLEDGES).code, 30, 3, [PLEDGES.new_state()])
    out, moves = np.full(3, 9.0), [0, 0, 0]
    n = PLEDGES.rules.legal(position.state, moves)
    kernel = interpreted(member_probabilities, PLEDGES, opponent_bindings(members))
    assert kernel(members, m, position.state, position.turn, moves, n, out, working)
    assert out[n:].tolist() == [9.0] * (3 - n)
    return out[:n].tolist()


def test_members_of_all_kinds_in_one_bundle() -> None:
    """Two tables, a network that values actions, one that values what follows, and a table between them."""
    one, two = (
        pledging({1: 0.1, 2: 0.2}, {1: 0.3, 2: 0.4, 3: 0.5}),
        pledging({1: 0.6, 2: 0.7}, {1: 0.8, 2: 0.9, 3: 1.0}),
    )
    acting = network(linear(3, [0.0, 0.0, 1.0], f1=[0.0, 3.0, 0.0]), temperature=0.5)
    after = network(linear(1, f15=[1.0], f18=[2.0]), 1, temperature=1.0, afterstates=True)
    bundle = opponent_arrays(PLEDGES, [[0, 1]], [1.0], [one, acting, two, after, Policy.uniform(PLEDGES)])
    assert bundle.network.tolist() == [TABLE, ACTIONS, TABLE, AFTERSTATES, TABLE]
    assert bundle.depth.tolist() == [0, 2, 0, 2, 0]
    assert bundle.begin.tolist() == [0, 0, 16, 69, 32]
    assert bundle.end.tolist() == [16, 69, 32, 92, 32]
    first, answer = dealt(2, 1), dealt(1, 3, 2)
    assert weighed(bundle, 0, first) == pytest.approx([0.8, 0.2])
    assert weighed(bundle, 0, answer) == pytest.approx([0.5, 0.5])
    assert weighed(bundle, 2, first) == pytest.approx([0.3, 0.7])
    assert weighed(bundle, 2, dealt(1, 2, 2)) == pytest.approx([0.1, 0.9])
    assert weighed(bundle, 2, dealt(1, 2, 2, 2)) == pytest.approx([1 / 3] * 3)
    assert weighed(bundle, 4, first) == [0.5, 0.5]  # an empty table
    low = 1 / (1 + math.exp(2.0))  # outputs 0 and 1 at temperature ½
    assert weighed(bundle, 1, first) == pytest.approx([low, 1.0 - low])
    high = 1 / (1 + math.exp(-4.0))  # 3 against 1
    assert weighed(bundle, 1, answer) == pytest.approx([high, 1.0 - high])
    assert weighed(bundle, 3, first) == pytest.approx([1 / (1 + math.e), math.e / (1 + math.e)])
    assert weighed(bundle, 3, answer) == pytest.approx([1 / (1 + math.e**2), 1 - 1 / (1 + math.e**2)])


def test_a_table_for_other_actions_is_refused() -> None:
    bad = Policy.from_rows(PLEDGES, np.array([dealt(2, 1).key(0)]), np.array([3]), np.ones(3) / 3)
    ring, how = new_ring(10, SIZE, 3), Exploring((0.0, 0.0), (0.0, 0.0), 1)
    others = opponent_arrays(PLEDGES, [[0, LEARNER]], [1.0], [bad])
    with pytest.raises(GameError, match="made for other actions"):
        TrainingPlayer(PLEDGES, features(PLEDGES).code, (SIZE, 3), others, False).play(
            ring, linear(3), how, 1.0, 1, 0, 20
        )
    games = BatchedGames(PLEDGES, others, 20)
    games.begin(1, 0)
    with pytest.raises(GameError, match="made for other actions"):
        games.advance(new_buffers(0, 0, 0, 0))
    with pytest.raises(GameError, match="cannot play"):
        opponent_arrays(PLEDGES, [[0, 0]], [1.0], [Policy("kuhn", "x", *(np.zeros(0, np.int64),) * 3)])  # type: ignore[arg-type]


def test_line_ups_of_opponents() -> None:
    """Each strategy is in the bundle once; a mixture is played as it is, the rest does not count."""
    one, two, three = always(0, 1, 0), always(2, 2, 2), always(0, 2, 1)
    found = OpponentLineups(PLEDGES)
    found.add({1: one}, 0.25)
    found.add({0: two}, 0.5)
    found.add({0: one, 1: two}, 0.25)
    assert (found.rows, found.shares) == ([[LEARNER, 0], [1, LEARNER], [0, 1]], [0.25, 0.5, 0.25])
    assert shares_by_seat(found.arrays()).tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    mixture = correlated(np.array([[0.1, 0.3], [0.0, 0.6]]))
    mixed = OpponentLineups(PLEDGES)
    mixed.add_mixture(0, [[one, two], [two, three]], mixture, 0.5)  # of player 1: 0.1 and 0.9
    mixed.add_mixture(1, [[one, two], [two, three]], mixture)  # of player 0: 0.4 and 0.6
    assert mixed.rows == [[LEARNER, 0], [LEARNER, 1], [2, LEARNER], [0, LEARNER]]
    assert mixed.shares == pytest.approx([0.05, 0.45, 0.4, 0.6])
    assert shares_by_seat(mixed.arrays()) == pytest.approx(np.array([[0.1, 0.9, 0.0, 0.0], [0.0, 0.0, 0.4, 0.6]]))
    task: Any = Task(PLEDGES, 1, 1, 1, [[one, two], [two, three]], mixture, None)
    assert opponents(task).lineups.tolist() == [[0, LEARNER], [1, LEARNER]]
    assert opponents(task).shares.tolist() == pytest.approx([0.4, 0.6])


def test_against_all_in_every_seat() -> None:
    one, two, three = always(0, 1, 0), always(2, 2, 2), always(0, 2, 1)
    population = Population.of([[one, two], [three, two]], [[1.0, 0.0], [0.25, 0.75]])
    found = against_all(PLEDGES, [three, population])
    assert found.lineups.tolist() == [[LEARNER, 0], [LEARNER, 0], [LEARNER, 1], [0, LEARNER], [2, LEARNER]]
    assert found.shares.tolist() == pytest.approx([0.25, 0.0625, 0.1875, 0.25, 0.25])
    seats = shares_by_seat(found)
    assert seats.sum(axis=1).tolist() == pytest.approx([1.0, 1.0])
    assert shares_by_seat(self_play(2)).tolist() == [[1.0], [1.0]]


# --------------------------------------------------------------------------------------------------- games into a ring


def played(
    members: OpponentArrays,
    weights: Any,
    how: Exploring,
    games: int = 1,
    first: int = 0,
    places: int = 500,
    scale: float = 1.0,
    seed: int = 1,
) -> Ring:
    ring = new_ring(places, SIZE, 3)
    player = TrainingPlayer(PLEDGES, features(PLEDGES).code, (SIZE, 3), members, compiled=False)
    assert player.play(ring, weights, how, scale, seed, first, games) == ring.count[0]
    return ring


GREEDY = Exploring((0.0, 0.0), (0.0, 0.0), 1)


def ones(word: int) -> list[int]:
    return [i for i in range(63) if word >> i & 1]


@pytest.mark.parametrize("answer", [1, 2])
def test_decisions_of_a_learner_in_seat_0(answer: int) -> None:
    """It begins with 2 and ends with 1; after an answer of 1 it has no choice, and nothing is remembered."""
    weights = linear(3, [0.0, 0.0, 1.0], f11=[0.0, 9.0, 0.0])  # feature 11: two moves were made
    ring = played(
        opponent_arrays(PLEDGES, [[LEARNER, 0]], [1.0], [always(0, answer, 0)]), weights, GREEDY, 30, scale=2.0
    )
    count = int(ring.count[0])
    assert count == (60 if answer == 2 else 30)
    cards = set()
    for i in range(count):
        seen, is_last = ones(ring.seen[i, 0]), answer == 1 or i % 2 == 1
        assert seen[0] == 0  # the seat
        cards.add(seen[1])
        assert ones(ring.legal[i, 0]) == ([0, 2] if answer == 1 or i % 2 == 0 else [0, 1, 2])
        assert ring.action[i] == (2 if answer == 1 or i % 2 == 0 else 1)
        assert ring.after[i] == (LAST if is_last else i + 1)
        if is_last:  # 2 + the other's card − 1, whose half is learned
            assert ring.payoff[i] in (1.0, 1.5, 2.0)
        else:
            assert ring.payoff[i] == 0.0
    assert cards == {3, 4}


def test_decisions_of_a_learner_in_seat_1() -> None:
    """It answers by its card: 2 with a 3, else 1; what it gets is its own payoff."""
    weights = linear(3, [0.0, 0.5, 0.0], f5=[0.0, 0.0, 2.0])
    ring = played(opponent_arrays(PLEDGES, [[0, LEARNER]], [1.0], [always(2, 1, 2)]), weights, GREEDY, 40)
    assert ring.count[0] == 40
    for i in range(40):
        seen = ones(ring.seen[i, 0])
        assert seen[0] == 1
        assert ring.action[i] == (2 if 5 in seen else 1)
        assert ring.after[i] == LAST
        assert ring.payoff[i] in ((4.0, 2.0) if 5 in seen else (2.0, 1.0))  # 5 + 3 − 2 c₀ − 2, or 5 − c₀ − 2


def test_both_seats_of_one_learner() -> None:
    """In self-play decisions of both are in the order of the game, each followed by its player's next one."""
    ring = played(self_play(2), linear(3, [0.0, 0.0, 1.0]), GREEDY, 10)
    assert ring.count[0] == 30
    assert ring.after[:6].tolist() == [2, LAST, LAST, 5, LAST, LAST]
    assert [ones(word)[0] for word in ring.seen[:6, 0].tolist()] == [0, 1, 0, 0, 1, 0]
    for i in range(0, 30, 3):
        c0, c1 = ones(ring.seen[i, 0])[1] - 2, ones(ring.seen[i + 1, 0])[1] - 2
        assert (ring.payoff[i + 2], ring.payoff[i + 1]) == (2 + 2 * c1 - 1, 5 - 2 * c0 + 3 - 2)


def test_a_game_does_not_run_over_its_own_beginning() -> None:
    ring = played(self_play(2), linear(3, [0.0, 0.0, 1.0]), GREEDY, 1, places=2)
    assert ring.count[0] == 2
    assert ring.after.tolist() == [LAST, LAST]
    assert ring.payoff[0] != 0.0  # the last one that was remembered is paid


@pytest.mark.slow
def test_how_much_is_explored_goes_down_with_the_number_of_the_game() -> None:
    """Of moves in the first decision, 0 is as good as never best: it comes from exploring, or from the temperature."""
    opponent = opponent_arrays(PLEDGES, [[LEARNER, 0]], [1.0], [always(0, 1, 0)])
    weights = linear(3, [0.0, 0.0, 1.0])

    def worse(how: Exploring, first: int) -> float:
        rings = [played(opponent, weights, how, 1, first, seed=seed) for seed in range(400)]
        return float(np.mean([ring.action[0] == 0 for ring in rings]))

    for first, explore in ((0, 0.8), (10, 0.5), (20, 0.2), (50, 0.2)):
        assert worse(Exploring((0.8, 0.2), (0.0, 0.0), 20), first) == pytest.approx(explore / 2, abs=0.06)
    for first, temperature in ((0, 2.0), (10, 1.25), (20, 0.5), (99, 0.5)):
        chance = 1.0 / (1.0 + math.exp(1.0 / temperature))
        assert worse(Exploring((0.0, 0.0), (2.0, 0.5), 20), first) == pytest.approx(chance, abs=0.06)


def test_line_ups_are_drawn_by_their_shares() -> None:
    both = opponent_arrays(PLEDGES, [[LEARNER, 0], [LEARNER, 1]], [0.25, 0.75], [always(0, 1, 0), always(0, 2, 0)])
    rings = played(both, linear(3, [0.0, 0.0, 1.0]), GREEDY, 600, places=2000)
    longer = (rings.after[: int(rings.count[0])] != LAST).sum()  # games with an answer of 2 have a second decision
    assert longer / 600 == pytest.approx(0.75, abs=0.05)


# --------------------------------------------------------------------------------------------------- games in lockstep


def looked(word: int) -> tuple[int, int, list[int]]:
    """Who saw it, its card, and what was made by then."""
    seen = ones(word)
    card = next(f for f in seen if 2 <= f <= 5) - 2
    moves = next(f for f in seen if 9 <= f <= 12) - 9
    return seen[0], card, [next(f for f in seen if 13 + 3 * k <= f <= 15 + 3 * k) - 13 - 3 * k for k in range(moves)]


def decided(games: BatchedGames, waiting: Any, move: Any, buffers: Buffers, **how: Any) -> None:
    """All choose a move; they have visited all actions 3, 1 and 4 times, worth 1, 2 and 3."""
    n = len(waiting)
    moves = np.array([move(games.games.turn[g]) for g in waiting])
    found = SearchResults(moves, np.tile([3, 1, 4], (n, 1)), np.tile([1.0, 2.0, 3.0], (n, 1)), np.zeros(n, np.int64))
    games.decide(waiting, found, buffers, **how)


@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_searcher_sees_and_what_came_of_it(seat: int) -> None:
    """Seat 0 begins with 2 and ends with 0; seat 1 answers with 2. Three games; the others begin with 0, end with 1."""
    lineup = [LEARNER, 0] if seat == 0 else [0, LEARNER]
    games = BatchedGames(PLEDGES, opponent_arrays(PLEDGES, [lineup], [1.0], [always(0, 2, 1)]), 3)
    buffers, moves = new_buffers(40, SIZE, 3, 3), iter([2, 0] if seat == 0 else [2])
    games.begin(1, 0)
    rounds = 0
    while len(waiting := games.advance(buffers)):
        assert waiting.tolist() == [0, 1, 2]
        assert games.games.turn.tolist() == [seat] * 3
        assert games.games.length.tolist() == [2 + 2 * rounds + seat] * 3
        move = next(moves)
        decided(games, waiting, lambda p, move=move: move, buffers)
        rounds += 1
    assert rounds == (2 if seat == 0 else 1)
    assert games.games.length.tolist() == [5] * 3
    states = int(buffers.count[0])
    assert (states, int(buffers.count[1])) == ((4 * 3, 6) if seat == 0 else (3 * 3, 3))
    for i in range(states):
        who, card, made = looked(buffers.states[i, 0])
        g = int(buffers.game[i]) // 2
        assert (who, int(buffers.game[i]) % 2) == (seat, seat)
        assert card == games.games.states[g].card[seat]
        whole = [2, 2, 0] if seat == 0 else [0, 2, 1]
        assert made == whole[: len(made)]
    lengths = sorted(len(looked(word)[2]) for word in buffers.states[:states, 0].tolist())
    # at decisions, after moves unless the game is over, and at the end
    assert lengths == sorted([0, 1, 2, 3] * 3 if seat == 0 else [1, 2, 3] * 3)
    for i in range(int(buffers.count[1])):
        who, _, made = looked(buffers.decisions[i, 0])
        legal = [0, 2] if not made else [1, 2] if len(made) == 1 else [0, 1, 2]
        assert who == seat
        assert ones(buffers.legal[i, 0]) == legal
        assert buffers.visits[i].tolist() == [n if a in legal else 0 for a, n in enumerate((3, 1, 4))]
        assert ones(buffers.possible[i, 0]) == ([0, 1, 2] if seat == 0 else [0, 1])
        assert buffers.code[i] == games.games.states[i % 3].card[1 - seat] - 1
    for g in range(3):
        state = games.games.states[g]
        assert games.games.payoffs[g].tolist() == [PLEDGES.rules.payoff(state, p) for p in (0, 1)]
    returns = games.games.payoffs.ravel().astype(np.float32)
    before = buffers.game.copy()
    settle(buffers, returns)
    assert all(buffers.target[i] == games.games.payoffs[before[i] // 2, seat] for i in range(states))


def test_a_forced_move_is_made_without_a_search() -> None:
    games = BatchedGames(PLEDGES, opponent_arrays(PLEDGES, [[LEARNER, 0]], [1.0], [always(0, 1, 1)]), 2)
    buffers = new_buffers(40, SIZE, 3, 3)
    games.begin(1, 0)
    decided(games, games.advance(buffers), lambda p: 0, buffers)
    assert len(games.advance(buffers)) == 0
    assert games.games.length.tolist() == [5, 5]
    assert buffers.count.tolist() == [6, 2]


def test_moves_are_drawn_by_their_visits_so_often() -> None:
    """Of 0 and 2, visited 3 and 4 times, the search has found 0: with ½, 2 comes in 2 of 7 games."""
    games = BatchedGames(PLEDGES, opponent_arrays(PLEDGES, [[LEARNER, 0]], [1.0], [always(0, 1, 1)]), 800)
    nothing = new_buffers(0, 0, 0, 0)
    for explore in (0.0, 0.5, 1.0):
        games.begin(3, 0)
        decided(games, games.advance(nothing), lambda p: 0, nothing, explore=explore)
        twos = np.mean([games.games.states[g].made[0] == 2 for g in range(800)])
        assert twos == pytest.approx(explore * 4 / 7, abs=0.05)


def test_values_of_moves_that_were_tried_are_learned_too() -> None:
    """What is seen after them, with their value times the unit; what was not visited says nothing."""
    games = BatchedGames(PLEDGES, opponent_arrays(PLEDGES, [[0, LEARNER]], [1.0], [always(2, 1, 1)]), 6)
    buffers = new_buffers(200, SIZE, 3, 3)
    games.begin(1, 0)
    decided(games, games.advance(buffers), lambda p: 1, buffers, tried=4, unit=0.5)
    known = [i for i in range(int(buffers.count[0])) if buffers.game[i] < 0]
    assert len(known) == 24
    seen = set()
    for i in known:
        who, _, made = looked(buffers.states[i, 0])
        assert (who, made[0], len(made)) == (1, 2, 2)
        assert buffers.target[i] == {1: 1.0, 2: 1.5}[made[1]]
        seen.add(made[1])
    assert seen == {1, 2}
    assert all(games.games.states[g].made[1] == 1 for g in range(6))  # trying changes nothing
    games.begin(1, 0)
    waiting, buffers = games.advance(buffers), new_buffers(200, SIZE, 3, 3)
    visits = np.tile([0, 5, 0], (6, 1))
    games.decide(waiting, SearchResults(np.ones(6, np.int64), visits, np.ones((6, 3)), np.ones(6)), buffers, tried=4)  # type: ignore[arg-type]
    known = [i for i in range(int(buffers.count[0])) if buffers.game[i] < 0]
    assert 0 < len(known) < 24
    assert all(looked(buffers.states[i, 0])[2] == [2, 1] for i in known)


def test_line_ups_and_games_have_their_numbers() -> None:
    """Drawn by their shares, or given; the same game in whatever company."""
    both = opponent_arrays(PLEDGES, [[LEARNER, 0], [LEARNER, 1]], [0.25, 0.75], [always(0, 1, 0), always(0, 2, 0)])
    many, few = BatchedGames(PLEDGES, both, 600), BatchedGames(PLEDGES, both, 10)
    many.begin(7, 0)
    assert many.games.lineup.mean() == pytest.approx(0.75, abs=0.05)
    few.begin(7, 100)
    assert few.games.lineup.tolist() == many.games.lineup[100:110].tolist()
    nothing = new_buffers(0, 0, 0, 0)
    many.advance(nothing)
    few.advance(nothing)
    assert [list(few.games.states[g].card) for g in range(10)] == [
        list(many.games.states[100 + g].card) for g in range(10)
    ]
    few.begin(7, 0, lineups=[1, 0] * 5)
    assert few.games.lineup.tolist() == [1, 0] * 5
    assert few.games.length.tolist() == [0] * 10


def test_a_game_that_does_not_end_is_stopped() -> None:
    short = replace(PLEDGES, length=4)
    games = BatchedGames(short, opponent_arrays(short, [[0, 0]], [1.0], [Policy.uniform(PLEDGES)]), 2)
    games.begin(1, 0)
    with pytest.raises(GameError, match="went on for more than LENGTH = 4 moves"):
        games.advance(new_buffers(0, 0, 0, 0))
    player = TrainingPlayer(short, features(PLEDGES).code, (SIZE, 3), self_play(2), False)
    with pytest.raises(GameError, match="went on for more than LENGTH = 4 moves"):
        player.play(new_ring(9, SIZE, 3), linear(3), GREEDY, 1.0, 1, 0, 1)
