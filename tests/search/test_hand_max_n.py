"""Max-n to a limited depth: the values of a recursion that stops where it does, whatever is pruned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from parlor import compile as compiler
from parlor.agents.registry import make_agent
from parlor.game import CHANCE, OVER, Game, State
from parlor.game.loading import load
from parlor.game.rng import mix
from parlor.search.max_n import (
    EXACT,
    LIMITED,
    NODES,
    NOTHING,
    SPENT,
    judge,
    listed,
    max_n_probabilities,
    search,
    search_moves,
)
from parlor.search.rollout import estimate, propose, roll_out
from tests.search import plainly
from tests.search.plainly import PLEDGES, dealt

uncompiled = plainly.uncompiled
pytestmark = pytest.mark.usefixtures("uncompiled")

RULES = Path(__file__).with_name("gambles.py")
DUEL, THREE = load(f"{RULES}(stakes=3)"), load(f"{RULES}(players=3,stakes=2)")


SALT = [0]  # another one, other estimates


def expected(s: State, players: int) -> list[float]:
    """An estimate that is different almost everywhere, and of the sum that payoffs have."""
    numbers = [mix(SALT[0], 100 * s.points[q] + 10 * s.moves + s.risk + 1000 * q) for q in range(players)]
    tilt = [(1 + number % 11) / 12 for number in numbers]
    return [tilt[0] - 0.5, 0.5 - tilt[0]] if players == 2 else [value / sum(tilt) for value in tilt]


def guessing(states: Any, g: int, values: Any, data: Any) -> None:
    values[:] = expected(states[g], len(values))


def by_recursion(game: Game, s: State, left: int, me: int, others: bool) -> list[float]:
    """The first of the best moves; forced ones are free; at the end of the depth the estimate."""
    rules, who = game.rules, game.rules.turn(s)
    if who == OVER:
        return [rules.payoff(s, q) for q in range(game.players)]
    if left == 0:
        return expected(s, game.players)
    moves, chances = list(range(game.actions)), [0.0] * (game.outcomes + game.actions)
    n = rules.odds(s, chances) if who == CHANCE else rules.legal(s, moves)
    if others and who not in (CHANCE, me):
        chances, who = [1.0 / n] * n, CHANCE
    found = []
    for move in moves[:n]:
        after = s.copy()
        rules.play(after, move)
        found.append(by_recursion(game, after, left - (n > 1), me, others))
    if who == CHANCE:
        return [sum(chances[i] * found[i][q] for i in range(n)) for q in range(game.players)]
    return max(found, key=lambda value: value[who])


def made(game: Game, settings: str) -> tuple[Any, Any]:
    agent = make_agent(f"max-n({settings})", game)
    b: Any = agent.data(False)
    return b._replace(rollout=b.rollout._replace(horizon=0)), {**agent.bindings(False), estimate: guessing}


@pytest.mark.parametrize("game", [DUEL, THREE], ids=["two", "three"])
@pytest.mark.parametrize("pruning", ["none", "star1", "star2"])
@pytest.mark.parametrize("others", ["maximise", "policy"])
def test_values_at_a_depth(game: Game, pruning: str, others: str) -> None:
    """From the decision of every player, with one to four moves and outcomes below."""
    b, slots = made(game, f"depth=5,nodes=100000,rollouts=2,others={others},pruning={pruning}")
    kernel = compiler.interpret(search, game, slots)
    for moves in ((), (1,), (1, 2, 1)):
        position = game.start().after(*moves)
        for depth in range(5):
            b.states[1].assign(position.state)
            b.needs[1][:] = [NOTHING] * game.players
            b.counters[:] = [0, 0]
            assert kernel(b, position.turn, depth, 0, 0) == EXACT
            wanted = by_recursion(game, position.state, depth, position.turn, others == "policy")
            assert b.values[1] == pytest.approx(wanted, abs=1e-12)
            assert b.counters[LIMITED] == 1 or depth > 1


@pytest.mark.parametrize("game", [DUEL, THREE], ids=["two", "three"])
@pytest.mark.parametrize("pruning", ["star1", "star2"])
def test_nothing_is_pruned_that_matters(game: Game, pruning: str) -> None:
    """Decisions and chance in turn, with many different estimates below; some, where needs from above would mislead."""
    b, slots = made(game, f"depth=5,nodes=100000,pruning={pruning}")
    kernel, position = compiler.interpret(search, game, slots), game.start().after(1)
    for salt, depth in [(salt, 3) for salt in range(1, 15)] + [(salt, 4) for salt in (3, 23, 29, 36, 40)]:
        SALT[0] = salt
        b.states[1].assign(position.state)
        b.needs[1][:] = [NOTHING] * game.players
        b.counters[:] = [0, 0]
        assert kernel(b, position.turn, depth, 0, 0) == EXACT
        wanted = by_recursion(game, position.state, depth, position.turn, False)
        assert b.values[1] == pytest.approx(wanted, abs=1e-12)
    SALT[0] = 0


@pytest.mark.parametrize("pruning", ["none", "star1", "star2"])
def test_a_player_who_does_not_get_what_it_needs_is_named(pruning: str) -> None:
    """What is needed may be just less, or just as much."""
    b, slots = made(DUEL, f"depth=5,nodes=100000,pruning={pruning}")
    kernel = compiler.interpret(search, DUEL, slots)
    for moves in ((1,), (3,), (3, 1)):
        position = DUEL.start().after(*moves)
        value = by_recursion(DUEL, position.state, 3, 0, False)[0]
        for apart, ended in ((-1e-9, EXACT), (1e-9, 0)):
            b.states[1].assign(position.state)
            b.needs[1][:] = [value + apart, NOTHING]
            found = kernel(b, 0, 3, 0, 0)
            assert found == ended if pruning != "none" or position.turn == 0 else found in (EXACT, 0)
            if ended == EXACT:
                assert b.values[1][0] == pytest.approx(value)


@pytest.mark.parametrize("game", [DUEL, THREE], ids=["two", "three"])
@pytest.mark.parametrize("pruning", ["none", "star2"])
def test_the_best_move_at_a_depth(game: Game, pruning: str) -> None:
    """The move itself, and so much below it; the deepest search counts."""
    for depth in (1, 2, 3):
        b, slots = made(game, f"depth={depth},nodes=100000,pruning={pruning}")
        kernel = compiler.interpret(max_n_probabilities, game, slots)
        for moves in ((), (1,)):
            position, legal, out = game.start().after(*moves), [0] * game.actions, [9.0] * game.actions
            n = game.rules.legal(position.state, legal)
            kernel([position.state], 0, position.turn, legal, n, out, [1, 2, 3, 4], b)
            values = []
            for move in legal[:n]:
                after = position.state.copy()
                game.rules.play(after, move)
                values.append(by_recursion(game, after, depth - 1, position.turn, False)[position.turn])
            assert out[:n] == [1.0 if i == values.index(max(values)) else 0.0 for i in range(n)]


def test_worlds_are_added_up() -> None:
    """Player 0 chooses 0, 1 or 2 last: its card matters less than what is hidden; and no world decides alone."""
    agent = make_agent("max-n(depth=3,worlds=3,nodes=1000)", PLEDGES)
    b: Any = agent.data(False)
    kernel = compiler.interpret(search_moves, PLEDGES, agent.bindings(False))
    for w, card in enumerate((1, 3, 2)):
        b.worlds[w].assign(dealt(2, card, 0, 2).state)
    assert kernel(b, 0, [0, 1, 2], [0, 1, 2], 3, 0, 0) == 2
    assert b.totals[:3] == [-3.0, 3.0, 9.0]  # sums of made₀ + card · move − 1 over the three
    assert kernel(b, 0, [2, 0, 1], [1, 2, 0], 2, 0, 0) == 1  # places in what is tried: moves 0 and 1
    assert b.totals[:2] == [-3.0, 3.0]
    assert b.counters[LIMITED] == 0
    kernel = compiler.interpret(search_moves, PLEDGES, agent.bindings(False))
    for w in range(3):
        b.worlds[w].assign(dealt(2, 3, 0).state)
    assert kernel(b, 1, [1, 2], [0, 1], 2, 2, 0) == 1  # player 0 would answer with 2: 5 − 1 · 2 against 5 − 4 + 3
    assert b.totals[:2] == [9.0, 12.0]


def test_states_are_counted_and_the_budget_ends_a_search() -> None:
    b, slots = made(DUEL, "depth=4,nodes=10,pruning=none")
    kernel = compiler.interpret(search_moves, DUEL, slots)
    b.worlds[0].assign(DUEL.start().state)
    b.counters[NODES] = 0
    moves = [3, 2, 1, 0]
    assert kernel(b, 0, moves, [0, 1, 2], 3, 0, 0) >= 0
    assert b.counters[NODES] == 3
    assert kernel(b, 0, moves, [0, 1, 2], 3, 2, 0) == SPENT
    assert b.counters[NODES] == 10


def test_an_estimate_is_the_mean_of_rollouts() -> None:
    b, slots = made(DUEL, "depth=2,rollouts=4")
    given = iter([[1.0, -1.0], [0.5, -0.5], [0.0, 0.0], [-0.5, 0.5]])

    def rolled(states: Any, g: int, values: Any, rollout: Any) -> None:
        assert g == len(b.states) - 1
        assert states[g].points == b.states[2].points
        values[:] = next(given)

    b.states[2].points[0] = 5
    compiler.interpret(judge, DUEL, {**slots, roll_out: rolled})(b, 2, 0, 0)
    assert b.values[2] == [0.25, -0.25]
    assert b.counters[LIMITED] == 1


def test_only_what_is_possible_is_listed() -> None:
    moves, chances = [7, 8, 9, 6], [0.0, 0.25, 0.0, 0.75]
    assert listed(moves, chances, 4, False) == 2
    assert (moves[:2], chances[:2]) == ([8, 6], [0.25, 0.75])
    moves, chances = [7, 8, 9, 6], [0.0, 0.25, 0.0, 0.75]
    assert listed(moves, chances, 4, True) == 2
    assert (moves[:2], chances[:2]) == ([1, 3], [0.25, 0.75])


def test_few_moves_are_those_that_are_proposed() -> None:
    """Everywhere only the one that robs, or takes: the search follows it."""

    def last(states: Any, g: int, p: int, moves: Any, n: int, out: Any, r: Any, data: Any) -> None:
        for i in range(n):
            out[i] = float(i + 1)

    b, slots = made(DUEL, "depth=3,moves=1,nodes=1000,pruning=none")
    kernel = compiler.interpret(max_n_probabilities, DUEL, {**slots, propose: last})
    legal, out = [0] * DUEL.actions, [9.0] * DUEL.actions
    n = DUEL.rules.legal(DUEL.start().state, legal)
    kernel([DUEL.start().state], 0, 0, legal, n, out, [1, 2, 3, 4], b)
    assert out[:n] == [0.0] * (n - 1) + [1.0]
    b, slots = made(DUEL, "depth=4,moves=2,nodes=1000,pruning=none")
    kernel = compiler.interpret(search, DUEL, {**slots, propose: last})
    b.states[1].assign(DUEL.start().after(1).state)  # one each: of four moves the last two, to rob and to take
    b.needs[1][:] = [NOTHING] * 2
    assert kernel(b, 0, 1, 0, 0) == EXACT
    after = []
    for move in (0, 1):
        state = DUEL.start().after(1).state.copy()
        DUEL.rules.play(state, move)
        after.append(expected(state, 2))
    assert b.values[1] == max(after, key=lambda pair: pair[1])
