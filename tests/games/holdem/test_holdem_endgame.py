"""The river solved anew: whose hands, how well, and what is played of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from parlor import Game, GameError, Position
from parlor.agents.agent import CompiledAgent, consider
from parlor.agents.registry import make_agent, policy_agent
from parlor.arena.match import play_match
from parlor.compile import interpret, native, states
from parlor.game.loading import load
from parlor.game.schema import fields_of
from parlor.games.holdem.agents import endgame
from parlor.games.holdem.agents.endgame import KEPT, RIVER, STRAY, EndgameData
from parlor.games.holdem.agents.river_solver import DEALT, HAND
from parlor.poker.blueprint import Blueprint, cards_of
from parlor.poker.every_hand import HandAnswers, answer_with_every_hand
from parlor.poker.hands.buckets import board_buckets
from parlor.poker.hands.cards import cards
from parlor.poker.hands.hand_strength import strength
from parlor.poker.hands.isomorphism import CLASS_OF_HAND, HAND_CARDS, HANDS, board_place, hand_index
from parlor.poker.measures.local_best_response import local_best_response
from tests.blueprints import tiny_blueprint, tiny_river

pytestmark = pytest.mark.slow(seconds=70)

GAME = load("holdem(stack=20)")
CALL, POT = 1, 2
BOARD = cards("Ad9c4h2sKc")
Rows = npt.NDArray[np.float64]


def agent(iterations: int = 20, game: Game = GAME, plan: Blueprint | None = None) -> CompiledAgent:
    made = make_agent(f"endgame(blueprint=there,iterations={iterations})", game, lambda path: plan or tiny_river())
    return replace(made, slow=False)


def river(hands: str = "AsKs7h7d", board: str = "Ad9c4h2sKc", raised: bool = False, game: Game = GAME) -> Position:
    """Both call or check, or the button raises and is called before the flop."""
    flop, turn, last = cards(board)[:3], cards(board)[3:4], cards(board)[4:]
    opened = (7, CALL) if raised else (CALL, CALL)  # an action is one more than the chips
    return game.start().after(*cards(hands), *opened, *flop, CALL, CALL, *turn, CALL, CALL, *last)


def solved(asked: CompiledAgent, position: Position) -> tuple[int, int, EndgameData]:
    """Where a river begins and ends in the tree, and what the agent has then in mind."""
    asked(position)
    data = asked._plain_mind[1]
    assert isinstance(data, EndgameData)
    root = int(data.known[0, 0])
    return root, int(data.ends[root]), data


def matchups(order: Any) -> tuple[Rows, Rows]:
    """Of every two hands: whether both can be held, and who wins."""
    hands = [HAND_CARDS[h].tolist() for h in order[HAND][:DEALT]]
    strengths = np.array([strength([*BOARD, *hand], 7) for hand in hands])
    low, high = np.array(hands).T
    apart = (low[:, None] != low) & (low[:, None] != high) & (high[:, None] != low) & (high[:, None] != high)
    return apart.astype(float), apart * np.sign(strengths[:, None] - strengths)


@pytest.mark.parametrize("name", ["stack=20)/fcpa", "stack=20,other_stack=12,order=engine)/half-pot"])
def test_the_solve_is_close_to_an_equilibrium_against_every_hand(name: str) -> None:
    """Nobody gains by another strategy, counted hand by hand without any running sums."""
    plan = tiny_river(f"holdem({name}")
    game = load(plan.game.partition("/")[0])
    root, end, data = solved(agent(150, game, plan), river(game=game))
    (order, _, _, ranges), sums = data.hands, data.sums[0]
    apart, wins = matchups(order)

    def value(q: int, node: int, theirs: Rows, best: bool) -> Rows:
        """What each hand of a player brings: with its best moves, or with those of the solve."""
        mine, strategy = plan.slot(node)[0] == q, sums[node - root] / sums[node - root].sum(0)
        got = []
        for a, move in enumerate(plan.actions(node)):
            after, reach = plan.after(node, move), theirs if mine else theirs * strategy[a]
            if after >= 0:
                got.append(value(q, after, reach, best))
            elif plan.shows[~after]:
                got.append(plan.shows[~after] * wins @ reach)
            else:
                got.append((1 - 2 * q) * plan.folds[~after] * apart @ reach)
        if not mine:
            return np.sum(got, 0)
        return np.max(got, 0) if best else (strategy[: len(got)] * got).sum(0)

    assert end - root > 3
    both = [
        [float(ranges[q, :DEALT] @ value(q, root, ranges[1 - q, :DEALT], best)) for q in range(2)]
        for best in (False, True)
    ]
    assert sum(both[0]) == pytest.approx(0.0, abs=1e-9)
    assert -1e-9 < sum(both[1]) < 0.02  # of a pot of 4


def test_ranges_are_what_the_blueprint_would_have_come_with() -> None:
    plan = tiny_river()
    root, _, data = solved(agent(), river(raised=True))
    buckets = cards_of(plan, "it").data
    expected, node = np.ones((2, DEALT)), 0
    order, _, _, ranges = data.hands
    hands = order[HAND][:DEALT]
    for move in (POT, CALL, CALL, CALL, CALL, CALL):
        player, street = plan.slot(node)
        of = CLASS_OF_HAND.tolist()
        if street > 0:
            board_buckets(buckets[street - 1], board_place(BOARD, street + 2), of)
        rows, _ = plan.played(node)
        expected[player] *= rows[np.array(of)[hands], plan.actions(node).index(move)]
        node = plan.after(node, move)
    assert node == root
    assert plan.slot(root)[1] == RIVER
    expected = expected / expected.sum(1, keepdims=True) + STRAY / DEALT
    assert np.allclose(ranges[:2, :DEALT], expected)


def ask(states: Any, out: HandAnswers, r: Any, data: Any) -> int:
    """All that a kernel may ask: what it does with every hand, and with its own."""
    answer_with_every_hand(states, 0, 0, out, r, data)
    return consider(states, 0, 0, out.moves, out.chances, r, data)


def test_loops_and_arrays_solve_alike_and_compiled_answers_are_the_plain_ones() -> None:
    asked, position = agent(iterations=10), river().after("big blind bets 4")
    root, end, data = solved(asked, position)
    states, n, compiled = record(position), GAME.actions, asked.data(True)
    weights, plays, acts, chances = np.ones(HANDS), np.zeros((n, HANDS)), np.zeros(n, np.int64), np.zeros(n)
    kernel = native(ask, asked.game, {**asked.bindings(True), **asked.every_hand})
    out = HandAnswers(weights, plays, acts, np.zeros(n, np.int64), chances, np.zeros(HANDS, np.int64))
    weights[[h for h, hand in enumerate(HAND_CARDS.tolist()) if {*hand} & {*BOARD}]] = 0.0
    count = kernel(states, out, np.zeros(4, np.int64), compiled)
    assert isinstance(compiled, EndgameData)
    for node in range(root, end):
        moves = len(tiny_river().actions(node))
        assert np.array_equal(data.sums[0][node - root][:moves], compiled.sums[0][node - root][:moves])
    assert [*chances[:count].tolist()] == [chance for _, chance in asked.action_probabilities(position)]
    answers, _ = every_answer(asked, position, weights)
    assert np.array_equal(plays[:count], answers)


def test_every_thread_has_a_memory_of_its_own() -> None:
    one, other = (agent().data(True) for _ in range(2))
    assert isinstance(one, EndgameData)
    assert isinstance(other, EndgameData)
    for mine, theirs in zip(
        (one.known, one.where, one.sums, one.met, *one.hands, *one.room),
        (other.known, other.where, other.sums, other.met, *other.hands, *other.room),
        strict=True,
    ):
        assert not np.shares_memory(mine, theirs)


def test_it_is_the_blueprint_until_the_river() -> None:
    plain, asked = policy_agent(tiny_river(), GAME), agent()
    opened = GAME.start().after(*cards("AsKs7h7d"))
    turn = opened.after(CALL, CALL, *BOARD[:3], CALL, CALL, BOARD[3])
    assert asked(opened) == plain(opened)
    assert asked(turn) == plain(turn)
    assert asked(river()) != plain(river())


def test_what_it_plays_does_not_depend_on_what_it_has_solved_before() -> None:
    boards = ["Ad9c4hKc2s", *(f"{first}d9c4h2s{last}c" for first in "AJ56" for last in "K3")]
    positions = [river(board=board, raised=raised) for board in boards for raised in (False, True)]
    assert len(positions) > KEPT
    asked = agent(iterations=3)
    first = [asked(position) for position in positions]
    assert [asked(position) for position in reversed(positions)] == first[::-1]
    assert [agent(iterations=3)(position) for position in positions[:3]] == first[:3]
    assert asked(river(board="Ad9c4h2sKc")) != asked(river(board="Ad9c4hKc2s"))  # the turn was another card


def test_many_may_ask_at_once() -> None:
    asked, alone = agent(iterations=3), agent(iterations=3)
    positions = [river(board=board) for board in ("Ad9c4h2sKc", "Jd9c4h2sKc", "Ad9c4h2sQc")] * 4
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(asked, positions)) == [alone(position) for position in positions]


def record(position: Position) -> Any:
    """The state of a position for compiled code."""
    made = states(GAME, 1, True)
    for name, value in fields_of(position.state).items():
        made[0][name] = value
    return made


def every_answer(asked: CompiledAgent, position: Position, weights: Rows) -> tuple[Rows, list[str]]:
    """What it does with every hand of these weights, in plain Python, and the names of the moves."""
    n, state = GAME.actions, position.state.copy()
    plays, acts = np.zeros((n, HANDS)), np.zeros(n, np.int64)
    answer = interpret(endgame.answer_from_endgame, asked.game, asked.bindings(False))
    known = asked._plain_mind[1]
    count = answer([state], 0, 0, HandAnswers(weights, plays, acts, [0] * n, [0.0] * n, [0] * HANDS), [0] * 4, known)
    return plays[:count], [GAME.words.describe(state, int(acts[i])) for i in range(count)]


def test_a_responder_reads_all_hands_at_once() -> None:
    asked, position = agent(iterations=5), river().after("big blind bets 4")
    weights = np.array([0.0 if {*hand} & {*BOARD} else 1.0 for hand in HAND_CARDS.tolist()])
    plays, names = every_answer(asked, position, weights)
    assert len(names) == 4
    for hand in ("AsKs", "7h7d", "2c2d"):
        alone = asked(river(hand + "3h3d").after("big blind bets 4"))
        assert [alone[name] for name in names] == plays[:, hand_index(*cards(hand))].tolist()
    assert plays[:, weights > 0].sum(0) == pytest.approx(1.0)
    assert not plays[:, weights == 0].any()


def test_it_plays_in_the_arena_and_against_a_responder() -> None:
    """In plain Python; what it remembers of one batch does not matter to the next."""
    asked = agent(iterations=5)
    pair = [asked, policy_agent(tiny_river(), GAME)]
    one, two = (play_match(GAME, pair, 48, seed=1, compiled=False, chunk=chunk) for chunk in (48, 6))
    assert np.array_equal(one.payoffs, two.payoffs)
    assert len(np.unique(one.payoffs)) > 4
    response = local_best_response(asked, 6, 2, "late", compiled=False)
    assert response.payoff.high - response.payoff.low < response.plain.high - response.plain.low


def test_bets_that_its_tree_does_not_have_are_taken_for_those_it_has() -> None:
    position = river().after("big blind bets 3")
    chances = agent()(position)
    assert sum(chances.values()) == pytest.approx(1.0)
    assert set(chances) == set(position.legal)


def test_what_does_not_fit_gets_a_sentence() -> None:
    with pytest.raises(GameError, match=r"endgame needs a blueprint: endgame\(blueprint=…\)"):
        make_agent("endgame", GAME, lambda path: tiny_river())
    with pytest.raises(GameError, match="needs a blueprint of hold'em with 4 streets; that one is for holdem"):
        make_agent("endgame(blueprint=there)", GAME, lambda path: tiny_blueprint())
    with pytest.raises(GameError, match="the game here is holdem"):
        make_agent("endgame(blueprint=there)", load("holdem"), lambda path: tiny_river())
    assert endgame.table_for("holdem(stack=20)/fcpa") == GAME.name
    assert endgame.table_for("holdem(stack=20,streets=2)/fcpa") == ""
    for game in ("kuhn", "holdem", "holdem(stack=999999)/fcpa", "holdem(x=1)/fcpa"):
        assert endgame.table_for(game) == ""
