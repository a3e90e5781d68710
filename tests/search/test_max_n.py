"""Max-n: the values of a plain recursion, with and without pruning, and fewer states with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parlor import compile as compiler
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import make_agent
from parlor.game import CHANCE, OVER, Game, Position, State
from parlor.game.loading import load
from parlor.search.max_n import EXACT, LIMITED, NODES, NOTHING, max_n_probabilities, search

RULES = Path(__file__).with_name("gambles.py")
DUEL = load(f"{RULES}(stakes=4)")
THREE = load(f"{RULES}(players=3,stakes=2)")
PRUNING = ("none", "star1", "star2")


def values_by_recursion(game: Game, s: State, policy: CompiledAgent | None = None, me: int = 0) -> list[float]:
    """Max-n in the most obvious way: the first of the best moves; all but `me` follow the policy, if there is one."""
    rules, who = game.rules, game.rules.turn(s)
    if who == OVER:
        return [rules.payoff(s, q) for q in range(game.players)]
    moves, chances = list(range(game.actions)), [0.0] * (game.outcomes + game.actions)
    n = rules.odds(s, chances) if who == CHANCE else rules.legal(s, moves)
    if policy is not None and who >= 0 and who != me:
        chances[:n] = [chance for _, chance in policy.action_probabilities(Position(game, s, ()))]
        who = CHANCE
    found = []
    for move in moves[:n]:
        after = s.copy()
        rules.play(after, move)
        found.append(values_by_recursion(game, after, policy, me))
    if who == CHANCE:
        return [sum(chances[i] * found[i][q] for i in range(n)) for q in range(game.players)]
    return max(found, key=lambda value: value[who])


def decisions(game: Game, moves: int) -> list[Position]:
    """The first decision, and all others after so many moves and outcomes, up to that many."""
    level, found = [game.start()], [game.start()]
    for _ in range(moves):
        level = [position.after(name) for position in level for name in (position.legal or list(position.odds))]
        found += [position for position in level if position.turn >= 0]
    return found


def search_from(game: Game, position: Position, settings: str) -> tuple[list[float], int, bool]:
    """The values of a position by the search, the states it looked at, and whether it came to the end everywhere."""
    agent = make_agent(f"max-n(depth=20,nodes=1000000,{settings})", game)
    b: Any = agent.data(False)
    b.states[1].assign(position.state)
    b.needs[1][:] = [NOTHING] * game.players
    kernel = compiler.interpret(search, game, agent.bindings(False))
    assert kernel(b, position.turn, 19, 0, 0) == EXACT
    return b.values[1], b.counters[NODES], b.counters[LIMITED] == 0


@pytest.mark.parametrize("game", [DUEL, THREE], ids=["two", "three"])
def test_values_are_those_of_a_recursion_and_pruning_looks_at_fewer_states(game: Game) -> None:
    total = dict.fromkeys(PRUNING, 0)
    for position in decisions(game, 3)[1::9]:
        expected = values_by_recursion(game, position.state)
        for pruning in PRUNING:
            values, nodes, whole = search_from(game, position, f"pruning={pruning}")
            assert whole
            assert values == pytest.approx(expected, abs=1e-12)
            total[pruning] += nodes
    assert total["star1"] < 0.8 * total["none"]
    assert total["star2"] < 0.9 * total["none"]


@pytest.mark.slow(seconds=6)
def test_a_look_at_one_move_of_each_outcome_saves_states_where_there_are_many_moves() -> None:
    game = load(f"{RULES}(stakes=7)")
    star1, star2 = (search_from(game, game.start(), f"pruning={pruning}")[1] for pruning in ("star1", "star2"))
    assert star2 < 0.96 * star1


def test_the_others_may_follow_a_policy() -> None:
    """Then the best answer to it is found, which is not the same as against the best play."""
    policy = make_agent("random", DUEL)
    for position in decisions(DUEL, 2)[::4]:
        expected = values_by_recursion(DUEL, position.state, policy, position.turn)
        for pruning in PRUNING:
            values, _, _ = search_from(DUEL, position, f"others=policy,pruning={pruning}")
            assert values == pytest.approx(expected, abs=1e-12)
        assert expected[position.turn] > values_by_recursion(DUEL, position.state)[position.turn]


@pytest.mark.slow
@pytest.mark.parametrize("game", [DUEL, THREE], ids=["two", "three"])
def test_it_makes_the_best_move(game: Game) -> None:
    agent = replace(make_agent("max-n(depth=20,nodes=1000000)", game), slow=False)
    for position in decisions(game, 3)[1::12]:
        values = {m: values_by_recursion(game, position.after(m).state)[position.turn] for m in position.legal}
        chosen = max(agent(position), key=agent(position).__getitem__)
        assert values[chosen] == pytest.approx(max(values.values()), abs=1e-12)


def test_it_chooses_the_same_whatever_is_pruned_and_compiled_too() -> None:
    """At a limited depth, with rollouts below it."""
    agents = [make_agent(f"max-n(depth=3,nodes=1000000,rollouts=2,pruning={pruning})", THREE) for pruning in PRUNING]
    for position in decisions(THREE, 3)[::10]:
        plain = [replace(agent, slow=False)(position) for agent in agents]
        assert plain[0] == plain[1] == plain[2] == agents[2](position)


@pytest.mark.slow
def test_it_goes_as_deep_as_the_states_allow() -> None:
    state = DUEL.start().state

    def decided(depth: int, nodes: int) -> tuple[list[float], int]:
        agent = make_agent(f"max-n(depth={depth},nodes={nodes},rollouts=3)", DUEL)
        b: Any = agent.data(False)
        moves, out = [0] * DUEL.actions, [0.0] * DUEL.actions
        n = DUEL.rules.legal(state, moves)
        compiler.interpret(max_n_probabilities, DUEL, agent.bindings(False))(
            [state], 0, 0, moves, n, out, [1, 2, 3, 4], b
        )
        assert b.counters[NODES] <= max(nodes, n), "what comes after each move is always looked at"
        return out, b.counters[NODES]

    assert decided(20, 1) == decided(1, 10**6)
    deepest = max(depth for depth in range(1, 8) if decided(depth, 10**6)[1] <= 300)
    assert deepest > 1
    assert decided(20, 300)[0] == decided(deepest, 10**6)[0]
