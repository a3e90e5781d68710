"""Colored Trails: trades and their numbers, paths against OpenSpiel, boards by rule, the Pareto frontier, traders."""

import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import parlor
from parlor.agents.registry import make_agent
from parlor.compile import version
from parlor.game import Game
from parlor.game.moves import Move
from parlor.game.seats.observation import own_numbers
from parlor.games.colored_trails import boards
from parlor.games.colored_trails.boards import FLAG, RESPONDER, chips_of, count_of, place_of
from parlor.games.colored_trails.frontier import all_trades_on, frontier, gap, outcomes, upper_right
from parlor.games.colored_trails.gap import no_deal, pareto_gap
from parlor.games.colored_trails.paths import CHIP_BITS, COLOURS, TILE_BITS, arrives, best_path, score
from parlor.games.colored_trails.trades import all_trades, counts_before, list_trades
from parlor.policies.features import network_inputs
from parlor.policies.nets import action_logits, policy_head
from parlor.policies.network import NetworkPolicy

LETTERS = "RYGBP"


@pytest.fixture(scope="module")
def game() -> Game:
    return parlor.load("colored-trails(boards=25,set=test)")


def packed(counts: list[int]) -> int:
    return sum(count << CHIP_BITS * i for i, count in enumerate(counts))


# ------------------------------------------------------------------------------------------------------------- trades


def test_trades_are_those_of_openspiel_and_are_numbered_in_order() -> None:
    # With one chip of each side 5 * 4. OpenSpiel has 93,123 actions, 3 of them answers.
    assert [int(counts_before(limit)[0, 0, 0, -1]) for limit in (1, 2, 3, 8)] == [20, 230, 1170, 93_120]
    changes = all_trades(3).tolist()
    assert changes == sorted(changes)
    assert len(set(map(tuple, changes))) == 1170
    assert all(0 < sum(v for v in c if v > 0) <= 3 and 0 < -sum(v for v in c if v < 0) <= 3 for c in changes)


def test_legal_trades_are_those_that_both_sides_can_pay() -> None:
    mine, theirs = [2, 0, 1, 4, 0], [0, 3, 1, 0, 1]
    out = [0] * 200
    found = out[: list_trades(counts_before(3), 3, mine, theirs, 0, out, 0)]
    table = all_trades(3).tolist()
    possible = [i for i, change in enumerate(table) if all(-theirs[c] <= change[c] <= mine[c] for c in range(COLOURS))]
    assert found == possible


# -------------------------------------------------------------------------------------------------------------- paths


def test_chips_are_spent_on_the_way_and_what_is_left_counts() -> None:
    row = sum(colour << TILE_BITS * i for i, colour in enumerate([0, 1, 2, 3] + [4] * 12))
    # From the upper left corner to the upper right one: yellow, green, blue; a red one is left.
    assert score(row, 0, 3, packed([1, 1, 1, 1, 0])) == 10
    assert score(row, 0, 3, packed([2, 1, 1, 0, 0])) == 20 - 25  # one step is missing
    assert score(row, 0, 3, packed([0, 0, 5, 0, 0])) == 50 - 75  # no step is possible
    assert score(row, 0, 3, packed([0, 0, 0, 1, 4])) == 0 - 0  # around below: four purple, one blue
    assert arrives(row, 0, 3, packed([0, 0, 0, 1, 4]))
    assert not arrives(row, 0, 3, packed([0, 0, 0, 1, 3]))
    # One step from the flag whose colour is missing: to go around costs more than it brings.
    assert best_path(row, 2, 3, packed([0, 0, 0, 0, 0])) == 0


@pytest.mark.slow
def test_games_are_those_of_openspiel(tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs, lines, states = pyspiel.load_game("colored_trails"), [], []
    for number in range(6):
        state = theirs.new_initial_state()
        state.apply_action(number)
        lines.append(as_line(str(state)))
        states.append(state)
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(lines))
    ours, r = parlor.load("colored-trails(chips=8)", file=str(file)), random.Random(1)
    for number, state in enumerate(states):
        position = ours.start().after(f"board {number}")
        for _ in range(2):
            offers = [(a, name) for a in state.legal_actions() if (name := in_our_letters(state.action_to_string(a)))]
            assert sorted(name for _, name in offers) == sorted(set(position.legal) - {"pass"})
            action, name = r.choice(offers)
            state.apply_action(action)
            position = position.after(name)
        for action, answer in zip(state.legal_actions(), ("accept 0", "accept 1", "pass"), strict=True):
            assert state.child(action).returns() == position.after(answer).payoffs


def in_our_letters(name: str) -> str:
    """ "Proposer 0: AB for C" by our letters; nothing if it is to pass."""
    trade = name.partition(": ")[2]
    return (
        ""
        if "Pass" in trade
        else " for ".join("".join(LETTERS["ABCDE".index(x)] for x in side) for side in trade.split(" for "))
    )


def as_line(text: str) -> str:
    """A board as files have it, from the text of a state."""
    lines = [line for line in text.splitlines() if line]
    after_colon = [line.partition(": ")[2] for line in lines[5:9]]  # three players' chips, and the places
    return " ".join(["4 5 3", "".join(lines[1:5]), *after_colon])


# ------------------------------------------------------------------------------------------------------------- boards


def test_boards_are_kept_by_rule() -> None:
    drawn = boards.drawn(25, 1, 1)
    assert drawn[:5] == boards.drawn(5, 1, 1)  # the first ones are the same, however many there are
    assert not set(drawn) & set(boards.drawn(250, 1, 0))
    assert {boards.set_of(board) for board in drawn} == {1}
    for board in drawn[:6]:
        tiles, places, chips = board
        flag, held = place_of(places, FLAG), [chips_of(chips, p) for p in range(3)]
        at = [place_of(places, p) for p in range(3)]
        assert not any(arrives(tiles, at[p], flag, held[p]) for p in range(3))
        alone = [score(tiles, at[p], flag, held[p]) for p in range(3)]
        assert max(alone) - min(alone) <= 20
        for q in range(2):  # every division of both sides' chips
            both = [count_of(chips, q, c) + count_of(chips, RESPONDER, c) for c in range(COLOURS)]
            divisions = itertools.product(*(range(n + 1) for n in both))
            assert any(
                arrives(tiles, at[q], flag, packed(list(mine)))
                and arrives(tiles, at[RESPONDER], flag, packed([n - k for n, k in zip(both, mine, strict=True)]))
                for mine in divisions
            )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("4 5 3 AAAA AAA AAA AAA 0 1 2 3", "line 2: '4 5 3 AAAA AAA AAA AAA 0 1 2 3' should be a board "),
        (
            "4 5 3 AAAAAAAAAAAAAAAA AAA BBB BBB 0 1 3 2",
            "line 2: player 0 gets to the flag without a trade; ",
        ),
        ("4 5 3 AAAAAAAAAAAAAAAA BBB BBB BBB 1 4 6 5", "line 2: nobody can solve it: no trade lets both player 0 and "),
    ],
)
def test_a_file_with_a_mistake_gets_a_sentence(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(f"\n{line}\n")
    with pytest.raises(parlor.GameError, match=re.escape(said)):
        parlor.load("colored-trails", file=str(file))


def test_a_proposer_sees_neither_the_others_chips_nor_its_offer(game: Game) -> None:
    position = game.start().after("board 3")
    offer = position.legal[5]
    position = position.after(offer)
    first, second, responder = (position.view(p) for p in range(3))
    assert any(first.chips[0])
    assert not any(first.chips[1])
    assert all(map(any, responder.chips))
    assert not any(map(any, second.offers[0]))
    assert not any(second.worth[0])
    assert offer not in position.show(1)
    assert offer in position.show(2)
    assert responder.offers[0] == first.offers[0] != second.offers[0]


def test_nothing_is_gained_without_a_trade(game: Game) -> None:
    passed = game.start().after("board 0", "pass", "pass")
    assert passed.legal == ["pass"]
    assert passed.after("pass").payoffs == [0.0, 0.0, 0.0]


def test_an_accepted_trade_brings_what_its_move_says(game: Game) -> None:
    position = game.start().after("board 1", "pass")
    move = position.moves[20]
    ended = position.after(move.name, "accept 1")
    assert ended.payoffs == [0.0, move.details["proposer_gain"], move.details["responder_gain"]]


# ----------------------------------------------------------------------------------------------------------- frontier


def test_the_frontier_is_the_upper_right_of_the_hull() -> None:
    points = [(0.0, 40.0), (10.0, 39.0), (20.0, 30.0), (20.0, 10.0), (40.0, 0.0), (5.0, 5.0)]
    assert upper_right(points) == ((0.0, 40.0), (10.0, 39.0), (20.0, 30.0), (40.0, 0.0))
    assert upper_right([(0.0, 40.0), (10.0, 20.0), (40.0, 0.0)]) == ((0.0, 40.0), (40.0, 0.0))  # hollow
    assert gap((0.0, 0.0), ((0.0, 40.0), (30.0, 0.0))) == pytest.approx(24.0)  # 30 * 40 / 50
    assert gap((50.0, 0.0), ((0.0, 40.0), (30.0, 0.0))) == pytest.approx(20.0)  # the nearest end
    assert gap((3.0, 4.0), ((0.0, 0.0),)) == 5.0


def test_no_trade_at_all_is_as_far_from_the_frontier_as_in_the_paper() -> None:
    some = boards.drawn(25, 1, 1)
    assert no_deal(some).estimate.value == pytest.approx(39.1, abs=4.0)
    for board in some:
        best = {trade.outcome for q in range(2) for trade in all_trades_on(board, q)}
        assert outcomes(board) == {outcome for outcome in best if min(outcome) >= 0}
        assert all(gap(corner, frontier(board)) == 0.0 for corner in frontier(board))


def test_the_gap_of_play_is_that_of_its_mean_outcome_on_each_board(game: Game) -> None:
    agents = [make_agent(name, game) for name in ("fair-trader", "random")]
    fair = pareto_gap(game, agents, np.zeros((100, 3), np.int64), 1)
    assert {one.board for one in fair.boards} <= set(boards.drawn(25, 1, 1))
    assert sum(one.games for one in fair.boards) == 100
    assert fair.estimate.value < 2.0
    chance = pareto_gap(game, agents, np.ones((1000, 3), np.int64), 1)
    assert 22.0 < chance.estimate.value < 36.0


# ----------------------------------------------------------------------------------------------------------- networks


def test_a_proposer_is_told_what_could_be_gained(game: Game) -> None:
    """Beside the trades that another module lists, with up to three chips of each side."""
    for p in range(2):
        position = game.start().after("board 3", *["pass"] * p)
        numbers = np.array(own_numbers(game, position.state, p))
        assert numbers[:3].tolist() == [1.0 - p, p, 0.0]
        mine, theirs = numbers[3:29].reshape(2, 13), numbers[29:55].reshape(2, 13)
        board = boards.drawn(25, 1, 1)[3]
        rational = [
            one.outcome
            for one in all_trades_on(board, p)
            if max(sum(one.gives), sum(one.gets)) <= 3 and min(one.outcome) >= 0
        ]
        for level in range(13):
            for seen, pairs in ((mine, rational), (theirs, [pair[::-1] for pair in rational])):
                best = [gain for gain, others in pairs if others >= 10 * level]
                assert seen[1, level] == bool(best)
                assert seen[0, level] == pytest.approx(max(best, default=0) / 50)


def test_terms_of_a_head_have_a_multiplier_each(game: Game) -> None:
    """Moves of a linear network by hand: how many chips, what I gain, what the other side gains, and costs."""
    head, inputs = policy_head(game), network_inputs(game)
    assert (head.outputs, head.terms) == (2 + 9 + 3, 3)
    outputs = np.linspace(-0.6, 0.7, 14).astype(np.float32)
    weights = np.concatenate([np.zeros(inputs.size * 14, np.float32), outputs])
    network = NetworkPolicy(
        game.name, version(game), inputs.code, (inputs.size, 14), weights, 1.0, 1.0, declared=inputs.digest
    )
    position = game.start().after("board 2")
    moves = [move for move in position.moves if move.verb == "offer"]
    values = network.values(position)
    assert values["pass"] == pytest.approx(outputs[0])
    for move in moves[::7]:
        mine, theirs = gains(move)
        expected = (1 + outputs[11]) * mine / 25 + (1 + outputs[12]) * theirs / 25
        expected += (1 + outputs[13]) * -4.0 * (min(mine, theirs) < 0)
        assert values[move.name] - expected == pytest.approx(outputs[head.parts[move.id, 0]], abs=1e-5)
    position = position.after(max(moves, key=lambda move: gains(move)[1]).name, "pass")
    mine, theirs = gains(max(moves, key=lambda move: gains(move)[1]))
    accepted = outputs[1] + (1 + outputs[11]) * theirs / 25 + (1 + outputs[12]) * mine / 25
    assert mine != theirs
    assert network.values(position)["accept 0"] == pytest.approx(accepted + (mine < 0) * -4 * (1 + outputs[13]))
    given = np.array([[mine / 25, theirs / 25, 0.0] * head.parts.shape[0]])
    logits = action_logits(outputs[None], head, given)[0]
    sums = outputs[head.parts[:, 0]] + (1 + outputs[11]) * mine / 25 + (1 + outputs[12]) * theirs / 25
    assert np.allclose(logits, sums, atol=1e-5)  # for arrays


# ------------------------------------------------------------------------------------------------------------ traders


@pytest.mark.parametrize(
    ("name", "liked"),
    [
        ("greedy-trader", lambda mine, theirs: mine),
        ("fair-trader", lambda mine, theirs: mine * theirs),
        ("generous-trader", lambda mine, theirs: theirs),
    ],
)
def test_traders_offer_what_they_like_best(game: Game, name: str, liked: Callable[[int, int], int]) -> None:
    position = game.start().after("board 2")
    made = make_agent(name, game)(position)
    [chosen] = [move for move in position.moves if made[move.name] == 1.0]
    best = max(liked(*gains(move)) for move in position.moves if move.verb == "offer" and min(gains(move)) > 0)
    assert liked(*gains(chosen)) == best


def gains(move: Move) -> tuple[int, int]:
    """What a trade brings the proposer and the responder."""
    return int(move.details["proposer_gain"]), int(move.details["responder_gain"])


def test_traders_accept_the_better_offer(game: Game) -> None:
    position = game.start().after("board 2")
    for _ in range(2):
        moves = [move for move in position.moves if move.verb == "offer"]
        position = position.after(max(moves, key=lambda move: gains(move)[1]).name)
    brings = {move.name: gains(move)[1] for move in position.moves if move.verb == "accept"}
    chosen = make_agent("greedy-trader", game)(position)
    assert brings[max(chosen, key=lambda move: chosen[move])] == max(brings.values()) > 0
