"""Luck that is subtracted, cells of empirical games, and gaps on boards: single games by hand."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import Position
from parlor import compile as compiler
from parlor.agents.registry import make_agent, policy_agent
from parlor.arena.batch import Games, note_deal, note_move, play_plainly, play_turns
from parlor.arena.match import play_match, rotated
from parlor.arena.statistics import mean
from parlor.game import Game
from parlor.game.rng import choose
from parlor.game.seats.play import as_agent
from parlor.games.colored_trails import gap as colored_trails_gap
from parlor.games.colored_trails.boards import LETTERS, count_of, place_of
from parlor.games.colored_trails.gap import BoardOutcome, ParetoGap, mean_outcome, no_deal, note_board, of_games
from parlor.games.colored_trails.paths import COLOURS, TILE_BITS, TILES
from parlor.poker.measures import aivat
from parlor.poker.measures.aivat import (
    AIVAT,
    KINDS,
    MIN_PAIRS,
    STREETS,
    luck_of_deal,
    luck_of_move,
    utility,
    without_luck,
)
from parlor.poker.poker_rules import poker_rules, showdown_value
from parlor.policies.policy import Policy
from parlor.population.empirical import cells
from parlor.population.empirical.cells import cell_seed, play_cell, play_lineups, seatings

KUHN, THREE = parlor.load("kuhn"), parlor.load("kuhn(players=3)")


# ----------------------------------------------------------------------------------------------------- luck of a hand


def luck_of(game: Game, policies: Sequence[Policy], names: Sequence[str]) -> tuple[float, list[float]]:
    """The payoff of player 0 and its luck of each kind, if these outcomes and moves come about."""
    script = [game.start().after(*names[:k]) for k in range(len(names))]
    taken = [p.action(name) if p.turn < 0 else list(p.legal).index(name) for p, name in zip(script, names, strict=True)]
    at = 0

    def follow(r: Any, weights: Any, n: int) -> int:
        nonlocal at
        at += 1
        return taken[at - 1]

    rules = poker_rules(game)
    agents = [policy_agent(policy, game) for policy in policies]
    watching: dict[Any, Any] = {**rules.bindings, note_deal: luck_of_deal, note_move: luck_of_move, choose: follow}
    kernels = [compiler.interpret(play_turns, agent.game, {**agent.bindings(False), **watching}) for agent in agents]
    room = ([0] * game.actions, [0.0] * game.actions, [0.0] * game.outcomes)
    states, trial = compiler.states(game, 1, False), compiler.states(game, 1, False)
    game.rules.start(states[0])
    lengths, over, payoffs, notes = [0], [0], np.zeros((1, 2)), np.zeros((1, KINDS + 1))
    while not over[0]:
        for seat, kernel in enumerate(kernels):
            data, watch = agents[seat].data(False), (trial, notes, rules.highest_stake)
            streams = [[0] * 4], [[[0] * 4] * 3]
            games = Games(states, [[0, 1]], lengths, over, *streams, payoffs, *room)
            kernel(games, 1, seat, game.length, data, watch)
    return float(payoffs[0][0]), notes[0][:KINDS].tolist()


def always(game: Game, *rows: tuple[Position, Sequence[float]]) -> Policy:
    """A policy that plays so at these positions, and uniformly elsewhere."""
    keys = np.array([position.key(position.turn) for position, _ in rows])
    order = np.argsort(keys)
    counts = np.array([len(row) for _, row in rows])
    return Policy.from_rows(game, keys[order], counts[order], np.concatenate([rows[k][1] for k in order]))


def kinds(deals: Mapping[int, float], moves: Mapping[int, float]) -> list[float]:
    """Luck by street, at deals and at moves."""
    return [deals.get(k, 0.0) for k in range(STREETS)] + [moves.get(k, 0.0) for k in range(STREETS)]


def test_luck_in_a_hand_of_kuhn() -> None:
    """King against queen is worth the ante, with a bet twice as much; a fold, the ante."""
    start = KUHN.start().after("K to player 0", "Q to player 1")
    bet = start.after("bet")
    first, second = always(KUHN, (start, [0.25, 0.75])), always(KUHN, (bet, [0.4, 0.6]))
    # a bet is worth 2 instead of 0.25 · 1 + 0.75 · 2; a fold 1 instead of 0.4 · 1 + 0.6 · 2
    payoff, luck = luck_of(KUHN, [first, second], ["K to player 0", "Q to player 1", "bet", "pass"])
    assert payoff == 1.0
    assert luck == pytest.approx(kinds({0: 1.0}, {0: 0.25 - 0.6}))
    payoff, luck = luck_of(KUHN, [first, second], ["K to player 0", "Q to player 1", "bet", "bet"])
    assert payoff == 2.0
    assert luck == pytest.approx(kinds({0: 1.0}, {0: 0.25 + 0.4}))
    payoff, luck = luck_of(KUHN, [first, second], ["K to player 0", "Q to player 1", "pass", "pass"])
    assert payoff == 1.0
    assert luck == pytest.approx(kinds({0: 1.0}, {0: -0.75 - 0.5}))  # a bet would have been 2, uniformly
    payoff, luck = luck_of(KUHN, [first, second], ["J to player 0", "Q to player 1", "bet", "bet"])
    assert payoff == -2.0
    assert luck == pytest.approx(kinds({0: -1.0}, {0: (-2.0 + 1.5) + (-2.0 - (0.4 * 1.0 - 0.6 * 2.0))}))


def test_luck_in_a_hand_of_leduc() -> None:
    """The board decides: its luck is that of the second street, in proportion to what is at stake."""
    game = parlor.load("leduc")
    uniform = Policy.uniform(game)
    position = game.start()
    names: list[str] = []
    while not position.over:
        if position.turn < 0:
            name = list(position.odds)[0 if not names else -1]
        else:
            name = "raise" if "raise" in position.legal and len(names) == 2 else "call"
            name = name if name in position.legal else position.legal[-1]
        names.append(name)
        position = position.after(name)
    payoff, luck = luck_of(game, [uniform, uniform], names)
    deals = [k for k, name in enumerate(names) if game.start().after(*names[:k]).turn < 0]
    assert len(deals) == 3
    before = game.start().after(*names[: deals[2]])
    stake = max(before.state.chips)
    assert stake > 1

    def sign(after: Position) -> float:
        trial = compiler.states(game, 1, False)
        copy_fields(trial[0], after.state)
        return float(poker_rules(game).bindings[showdown_value](trial[0], [0] * 4))

    dealt, shown = game.start().after(*names[:2]), game.start().after(*names[: deals[2] + 1])
    assert luck[0] == pytest.approx(sign(dealt) * max(dealt.state.chips))
    assert luck[1] == pytest.approx((sign(shown) - sign(before)) * stake)
    assert not any(luck[2:STREETS])
    assert payoff == pytest.approx(sign(shown) * max(position.state.chips))


def copy_fields(to: Any, state: Any) -> None:
    """The fields of a state, one by one."""
    for name in ("card", "chips", "board", "round", "dealt"):
        value = getattr(state, name)
        if isinstance(value, int):
            setattr(to, name, value)
        else:
            getattr(to, name)[:] = list(value)


def test_a_fold_is_worth_what_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aivat, "payoff", lambda s, p: 7.0 + p)
    monkeypatch.setattr(aivat, "stake", lambda s: 20.0)
    state: Any = None
    assert utility(state, 0.5, True, 100.0) == 7.0
    assert utility(state, 0.5, False, 100.0) == 10.0
    assert utility(state, -0.5, False, 8.0) == -4.0, "nobody can lose more than there is"


# --------------------------------------------------------------------------------------------------- without luck


def factors_of(results: Any, luck: Any) -> Any:
    """Least squares with an intercept, by the normal equations of what is centred."""
    x, y = luck - luck.mean(axis=0), results - results.mean()
    return np.linalg.solve(x.T @ x, x.T @ y)


@pytest.mark.parametrize("pair", [1, 2])
def test_each_half_is_adjusted_by_the_factors_of_the_other(pair: int) -> None:
    draw = np.random.default_rng(pair)
    luck = draw.normal(size=(1000 * pair, 3))
    payoffs = 5.0 + luck @ [1.0, -2.0, 0.5] + draw.normal(size=len(luck))
    found = without_luck(payoffs, luck, pair).reshape(-1, pair)
    by_deal, results = luck.reshape(-1, pair, 3), payoffs.reshape(-1, pair)
    even = np.arange(1000) % 2 == 0
    for mine in (even, ~even):
        factors = factors_of(results[~mine].mean(axis=1), by_deal[~mine].mean(axis=1))
        assert found[mine] == pytest.approx(results[mine] - by_deal[mine] @ factors)
    assert found.mean() == pytest.approx(5.0, abs=0.15)


def test_few_deals_are_left_as_they_are() -> None:
    draw = np.random.default_rng(3)
    for deals, left in ((2 * MIN_PAIRS - 2, True), (2 * MIN_PAIRS, False)):
        luck, payoffs = draw.normal(size=(2 * deals, 1)), draw.normal(size=2 * deals)
        assert np.array_equal(without_luck(payoffs, luck, 2), payoffs) is left
    assert MIN_PAIRS == 200
    odd = without_luck(np.arange(399.0), draw.normal(size=(399, 1)), 1)
    assert (odd == np.arange(399.0)).tolist() == [True, False] * 199 + [True], "the other half has 199, or 200"


def test_corrected_payoffs_are_those_of_the_first_agent_wherever_it_sits() -> None:
    """A batch that tells its luck: the payoff is twice the luck of a kind, plus a constant."""
    draw = np.random.default_rng(4)

    class Told:
        def __init__(self, *_: Any) -> None: ...

        def play(self, seed: int, first: int, each: int, lineups: Any) -> Any:
            assert (seed, each) == (5, 2)
            luck = draw.normal(size=(len(lineups), KINDS))
            mine = 2.0 * luck[:, 3] + np.where(lineups[:, 0] == 0, 1.0, -1.0) * 0.25
            return np.column_stack([mine, -mine, luck, -luck])

    agents = [make_agent("random", KUHN)] * 2
    found = play_match(KUHN, agents, 1000, seed=5, variance_reduction=replace(AIVAT, batch=Told), chunk=100)
    assert found.corrected is not None
    mine = found.corrected[np.arange(1000), found.seats]
    assert mine == pytest.approx(np.full(1000, 0.25), abs=1e-9)
    assert (found.corrected.sum(axis=1) == 0.0).all()
    assert found.payoff.value == pytest.approx(0.25)
    assert found.lineups.tolist() == rotated(2, 2, 0, 1000, "alternating").tolist()


# ------------------------------------------------------------------------------------------------------------- cells


def bets(position: Position) -> Mapping[str, float]:
    return {"bet": 1.0}


def passes(position: Position) -> Mapping[str, float]:
    return {"pass": 1.0}


def seated(*functions: Any) -> list[Any]:
    return [as_agent(one) for one in functions]


def test_orders_of_agents() -> None:
    assert seatings(["a", "b", "c"], False).tolist() == [[0, 1, 2]]
    assert sorted(map(tuple, seatings(["a", "b", "c"], True).tolist())) == sorted(itertools.permutations(range(3)))
    twins = seatings(["a", "a", "b"], True)
    named = [tuple("aab"[i] for i in order) for order in twins.tolist()]
    assert sorted(named) == [("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a")]
    assert len(seatings(["a", "a"], True)) == 1


def test_seeds_of_cells() -> None:
    assert cell_seed(1, ["a", "b"]) != cell_seed(1, ["b", "a"])
    assert cell_seed(1, ["a", "b"], True) == cell_seed(1, ["b", "a"], True) == cell_seed(1, ["a", "b"])
    assert len({cell_seed(1, ["a", "b"]), cell_seed(2, ["a", "b"]), cell_seed(1, ["ab", ""])}) == 3
    assert all(0 <= cell_seed(seed, ["x"]) < 2**63 for seed in range(200))


def test_a_cell_in_fixed_seats_by_hand() -> None:
    """Who alone bets takes two antes; five deals, all the same."""
    found = play_cell(THREE, seated(passes, bets, passes), ["p", "b", "q"], 5, 1)
    assert (found.deals, found.games) == (5, 5)
    assert found.sums["payoff"].tolist() == [-5.0, 10.0, -5.0]
    assert found.squares["payoff"].tolist() == [5.0, 20.0, 5.0]
    assert found.sums["win-share"].tolist() == [0.0, 5.0, 0.0]
    assert found.sums["welfare"].tolist() == [0.0, 0.0, 0.0]
    assert found.sums["inequity"].tolist() == [10.0, 10.0, 10.0]
    assert found.squares["inequity"].tolist() == [20.0, 20.0, 20.0]


def test_a_cell_whose_seats_are_drawn_by_hand() -> None:
    """Two who bet show their cards for five chips; each deal is played in three orders, and counts once."""
    found = play_cell(THREE, seated(bets, bets, passes), ["b", "b", "p"], 4, 2, drawn=True)
    assert (found.deals, found.games) == (4, 12)
    assert found.sums["payoff"] == pytest.approx([2.0, 2.0, -4.0]), "both who bet have the mean of the two"
    assert found.squares["payoff"] == pytest.approx([1.0, 1.0, 4.0])
    assert found.sums["win-share"] == pytest.approx([2.0, 2.0, 0.0])
    assert found.sums["inequity"] == pytest.approx([4 * 10 / 3] * 3)


def test_samples_are_means_over_the_orders_of_a_deal() -> None:
    """Against the games themselves, one by one: two agents of Kuhn, in both seats of each deal."""
    agents = seated(bets, lambda position: {name: 1 / len(position.legal) for name in position.legal})
    found = play_cell(KUHN, agents, ["b", "r"], 6, 9, first=3, drawn=True)
    payoffs = play_plainly(KUHN, agents, 9, 6, 2, np.tile([[0, 1], [1, 0]], (6, 1)))
    samples = (payoffs[0::2, 0] + payoffs[1::2, 1]) / 2
    assert found.sums["payoff"][0] == pytest.approx(samples.sum())
    assert found.squares["payoff"][0] == pytest.approx((samples**2).sum())
    assert found.sums["payoff"][1] == pytest.approx(-samples.sum())
    whole = play_cell(KUHN, agents, ["b", "r"], 9, 9, drawn=True)
    begin = play_cell(KUHN, agents, ["b", "r"], 3, 9, drawn=True)
    assert whole.sums["payoff"] == pytest.approx(begin.sums["payoff"] + found.sums["payoff"])
    assert whole.squares["inequity"] == pytest.approx(begin.squares["inequity"] + found.squares["inequity"])


def test_games_are_named_by_deal_and_seat() -> None:
    """The same deal is the same luck, wherever the games begin and however many share it."""
    agents = [make_agent("random", KUHN)] * 2
    found = play_plainly(KUHN, agents, 11, 4, 1, np.array([[0, 1]] * 3))
    assert found[1:].tolist() == play_plainly(KUHN, agents, 11, 5, 1, np.array([[0, 1]] * 2)).tolist()
    twice = play_plainly(KUHN, agents, 11, 8, 2, np.array([[0, 1]] * 4))
    assert twice[0].tolist() == twice[1].tolist() == found[0].tolist()
    assert twice[2].tolist() == found[1].tolist()


def test_games_are_played_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int, int, int]] = []

    class Told:
        def __init__(self, concrete: Any, agents: Any, size: int) -> None:
            assert size == 3

        def play(self, seed: int, first: int, each: int, lineups: Any) -> Any:
            told.append((seed, first, each, len(lineups)))
            return lineups + 10.0 * first

    monkeypatch.setattr(cells, "new_batch", Told)
    monkeypatch.setattr(cells, "CHUNK", 3)
    lineups = np.array([[0, 1], [1, 0]] * 4)
    found = play_lineups(KUHN, [make_agent("random", KUHN)] * 2, lineups, 6, 20, 2)
    assert told == [(6, 20, 2, 3), (6, 23, 2, 3), (6, 26, 2, 2)]
    assert found[:, 0].tolist() == [200, 201, 200, 231, 230, 231, 260, 261]


# ---------------------------------------------------------------------------------------------------- gaps on boards


def test_gaps_are_averaged_over_boards_not_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the first board two games with outcomes (30, 10) and (0, 0), on the second one, on the third three."""
    frontiers = {(1, 0, 0): ((15.0, 9.0),), (2, 5, 5): ((0.0, 30.0), (40.0, 0.0)), (3, 0, 0): ((8.0, 6.0),)}
    monkeypatch.setattr(colored_trails_gap, "frontier", lambda board: frontiers[board])
    payoffs = np.array([[0.0, 0, 0], [0, 30, 10], [0, 0, 0], [0, 0, 0], [4, 0, 2], [0, 8, 10]])
    boards = np.array([[2, 5, 5], [1, 0, 0], [1, 0, 0], [3, 0, 0], [3, 0, 0], [3, 0, 0]])
    found = of_games(payoffs, boards)
    assert [one.board for one in found.boards] == [(1, 0, 0), (2, 5, 5), (3, 0, 0)]
    assert [one.games for one in found.boards] == [2, 1, 3]
    assert [one.outcome for one in found.boards] == [(15.0, 5.0), (0.0, 0.0), (4.0, 4.0)]
    assert [one.gap for one in found.boards] == pytest.approx([4.0, 24.0, np.sqrt(20.0)])
    assert found.estimate == mean(np.array([one.gap for one in found.boards]))
    assert found.estimate.value == pytest.approx((28.0 + np.sqrt(20.0)) / 3)
    assert found.outcome == pytest.approx((19 / 3, 3.0))
    nobody = no_deal([(3, 0, 0), (1, 0, 0)])
    assert [one.gap for one in nobody.boards] == pytest.approx([10.0, np.sqrt(306.0)])
    assert [one.games for one in nobody.boards] == [0, 0]


def test_means_of_outcomes() -> None:
    assert mean_outcome([(1.0, 2.0), (3.0, 10.0), (5.0, 0.0)]) == (3.0, 4.0)
    two = ParetoGap((BoardOutcome((1, 1, 1), (2.0, 0.0), 9), BoardOutcome((2, 1, 1), (4.0, 6.0), 1)))
    assert two.outcome == (3.0, 3.0)


def test_a_board_is_written_down_as_it_is_packed() -> None:
    """By the text of the board: tiles, chips of three players, and the places of three and the flag."""
    game = parlor.load("colored-trails")
    position = game.start()
    while position.turn < 0:
        position = position.after(next(iter(position.odds)))
    noted = np.zeros((1, 3), np.int64)
    note_board([position.state], 0, [], (noted,))
    tiles, places, chips = noted[0].tolist()
    state = position.state
    assert [(tiles >> TILE_BITS * i) & (2**TILE_BITS - 1) for i in range(TILES)] == list(state.tiles)
    for piece in range(4):
        assert state.pieces[place_of(places, piece)] == piece + 1
    for colour in range(COLOURS):
        assert count_of(chips, 2, colour) == state.stock[colour]
        for q in range(2):
            assert count_of(chips, q, colour) == state.chips[2][q][colour]
    assert len(LETTERS) == COLOURS
