"""The rules of hold'em, against PokerKit and OpenSpiel and by hand; betting trees and what bets are taken for."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlor
from parlor.contract import check, imagination
from parlor.game import GameError
from parlor.game.loading import load
from parlor.game.seats.visibility import visible_move
from parlor.games.holdem import bets, sizes
from parlor.games.holdem.abstraction import seen_as
from parlor.games.holdem.rules import book
from tests.games.holdem.holdem_judges import Kit, Spiel, play_hand

DEALT = ("A♠ to the button", "K♦ to the button", "9♣ to the big blind", "9♥ to the big blind")
FLOP = ("flop Q♠", "flop 7♠", "flop 2♥")
#: Blinds and stacks that meet every corner: deep, shallow, unequal, blinds that are not one and two.
TABLES = [((1, 2), (200, 200)), ((5, 10), (1000, 1000)), ((1, 2), (11, 11)), ((2, 5), (60, 37)), ((1, 3), (13, 80))]


def game_of(blinds: tuple[int, int], stacks: tuple[int, int]) -> parlor.Game:
    return load("holdem", small_blind=blinds[0], big_blind=blinds[1], stack=stacks[0], other_stack=stacks[1])


# --------------------------------------------------------------------------------------------------- the judges


def judged(judge: type[Kit] | type[Spiel], hands: int, tables: list[Any], seed: int) -> None:
    """Play hands here and there: the same may be done at every step, and the same is won."""
    for number, (blinds, stacks) in enumerate(tables):
        game = game_of(blinds, stacks)
        for index in range(number, hands, len(tables)):
            other = judge(blinds, stacks)
            s = play_hand(game, seed, index, other.check, other.deal)
            assert [game.rules.payoff(s, p) for p in range(2)] == other.payoffs, (blinds, stacks, index)


@pytest.mark.slow(seconds=7)
def test_pokerkit_agrees() -> None:
    judged(Kit, 1000, TABLES, 1)


@pytest.mark.slow
def test_openspiel_agrees() -> None:
    judged(Spiel, 1500, [table for table in TABLES if table[1][0] == table[1][1]], 3)


@pytest.mark.parametrize(("blinds", "stacks"), TABLES)
def test_every_chip_is_somewhere(blinds: tuple[int, int], stacks: tuple[int, int]) -> None:
    """And nobody loses more than the other put in."""
    game = game_of(blinds, stacks)

    def watch(s: Any, actions: list[int], a: int) -> None:
        assert all(0 <= put <= stack for put, stack in zip(s.betting[:2], stacks, strict=True))
        assert all(
            s.betting[s.betting[3]] < chips - 1 <= stacks[s.betting[3]] for chips in actions if chips > bets.CALL
        )

    for index in range(300):
        s = play_hand(game, 4, index, watch, lambda card: None)
        won = [game.rules.payoff(s, p) for p in range(2)]
        assert sum(won) == 0
        assert abs(won[0]) <= min(s.betting[0], s.betting[1])


# --------------------------------------------------------------------------------------------------- by hand


def test_the_button_opens_before_the_flop_and_closes_afterwards() -> None:
    position = load("holdem").start().after(*DEALT)
    assert position.turn == 0
    position = position.after("button calls 1")
    assert position.legal[:2] == ["big blind checks", "big blind raises to 4"]
    position = position.after("big blind checks", *FLOP)
    assert position.turn == 1
    assert position.after("big blind checks").turn == 0


def test_with_the_order_of_the_engine_the_small_blind_opens_every_street() -> None:
    position = load("holdem(preset=dissertation,order=engine)").start()
    position = position.after(*(name.replace("button", "small blind") for name in DEALT))
    assert "small blind raises to 15" in position.legal
    assert "small blind raises to 14" not in position.legal
    position = position.after("small blind calls 5", "big blind checks", *FLOP)
    assert position.turn == 0


def test_a_raise_is_at_least_as_large_as_the_last_one() -> None:
    position = load("holdem").start().after(*DEALT)
    assert position.legal[:3] == ["button folds", "button calls 1", "button raises to 4"]
    position = position.after("button raises to 7")
    assert position.legal[:3] == ["big blind folds", "big blind calls 5", "big blind raises to 12"]
    position = position.after("big blind calls 5", *FLOP)
    assert position.legal[:2] == ["big blind checks", "big blind bets 2"]
    with pytest.raises(GameError, match="'big blind bets 1' cannot be played here"):
        position.after("big blind bets 1")


def test_all_in_may_be_less_than_a_raise_and_the_board_is_dealt() -> None:
    position = load("holdem(stack=11)").start().after(*DEALT, "button raises to 7")
    assert position.legal == ["big blind folds", "big blind calls 5", "big blind raises to 11, all-in"]
    position = position.after("big blind raises to 11, all-in")
    assert position.legal == ["button folds", "button calls 4, all-in"]
    position = position.after("button calls 4, all-in", *FLOP, "turn 4♦", "river 9♦")
    assert position.payoffs == [-11, 11]
    assert position.show(1) == (
        "big blind holds 9♥ 9♣; blinds 1 and 2, button raises to 7, big blind raises to 11, all-in, "
        "button calls 4, all-in; flop Q♠ 7♠ 2♥, turn 4♦, river 9♦; pot 22"
    )


def test_chips_that_nobody_can_match_go_back() -> None:
    position = load("holdem(stack=50,other_stack=20)").start().after(*DEALT, "button raises to 50, all-in")
    assert position.legal == ["big blind folds", "big blind calls 18, all-in"]
    assert position.after("big blind folds").payoffs == [2, -2]
    assert position.after("big blind calls 18, all-in", *FLOP, "turn 4♦", "river 3♦").payoffs == [-20, 20]


def test_blinds_may_take_the_whole_stack() -> None:
    position = load("holdem(stack=1,other_stack=9)").start().after(*DEALT, *FLOP, "turn 4♦", "river 3♦")
    assert position.payoffs == [-1, 1]


def test_equal_hands_share_the_pot() -> None:
    deal = ("A♠ to the button", "2♦ to the button", "A♥ to the big blind", "3♥ to the big blind")
    board = ("flop K♣", "flop K♦", "flop Q♠", "turn Q♥", "river J♣")
    position = (
        load("holdem").start().after(*deal, "button raises to 200, all-in", "big blind calls 198, all-in", *board)
    )
    assert position.payoffs == [0, 0]


def test_what_hides_and_what_shows() -> None:
    position = load("holdem").start()
    assert [visible_move(position, "A♠ to the button", p) for p in range(2)] == ["A♠ to the button", None]
    position = position.after(*DEALT, "button calls 1", "big blind checks")
    assert visible_move(position, "flop Q♠", 1) == "flop Q♠"


def test_the_order_of_cards_that_come_together_is_forgotten() -> None:
    start = load("holdem").start().after(*DEALT, "button calls 1", "big blind checks")
    keys = {start.after(*order).key(0) for order in itertools.permutations(FLOP)}
    assert len(keys) == 1
    assert start.after("flop Q♠", "flop 7♠", "flop 3♥").key(0) not in keys


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("holdem(small_blind=4)", "small_blind=4 is more than big_blind=2."),
        ("holdem(streets=4,board=3)", "With streets=4 there are at least 5 cards on the board, not board=3."),
        ("holdem(stack=0)", "stack must be between 1 and 50000, not 0."),
    ],
)
def test_nonsense_gets_a_sentence(name: str, complaint: str) -> None:
    with pytest.raises(GameError, match=complaint.replace("(", r"\(").replace(")", r"\)")):
        load(name)


def test_fewer_streets() -> None:
    position = load("holdem(streets=1)").start().after(*DEALT, "button calls 1", "big blind checks")
    assert position.after(*FLOP, "turn 4♦", "river 3♦").payoffs == [-2, 2]
    position = load("holdem(streets=2)").start().after(*DEALT, "button calls 1", "big blind checks", *FLOP)
    assert position.after("big blind checks", "button checks").payoffs == [-2, 2]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["holdem(stack=12,streets=2,order=engine)", "holdem(stack=40)/wide"])
def test_the_contract_is_kept(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imagination, "LOOKS", 30)  # a hand is played on from each of them
    assert [str(finding) for finding in check(load(name), games=10, compiled=False) if finding.ok is False] == []


def test_what_is_imagined_fits_what_is_seen() -> None:
    game = load("holdem")
    assert game.hidden.imagine is not None
    position = game.start().after(*DEALT, "button calls 1", "big blind checks", *FLOP)
    r = [1, 2, 3, 4]
    seen = set()
    for _ in range(2000):
        s = position.state.copy()
        game.hidden.imagine(s, 1, r)
        assert game.view(s, 1) == position.view(1)
        assert game.rules.key(s, 1) == position.key(1)
        assert s.hole[0] == sorted(s.hole[0])
        seen |= set(s.hole[0])
    assert seen == set(range(52)) - set(position.view(1).hole) - set(position.view(1).board[:3])


# --------------------------------------------------------------------------------------------------- betting trees


def counted(row: int) -> tuple[int, int]:
    """Decisions and ends of a betting tree."""
    decisions = ends = 0
    stack = [bets.blinds()]
    while stack:
        b = stack.pop()
        if bets.is_settled(b):
            ends += 1
            continue
        decisions += 1
        moves = [m for m in range(sizes.MOVES_OF_A_TREE) if sizes.has(b, row, m)]
        stack += [bets.after(b, sizes.action_of(b, row, m)) for m in moves]
    return decisions, ends


def test_the_sizes_of_the_trees() -> None:
    # `pot`, one bet a street. Before the flop: fold, limp (then check, or bet and be called or folded to), bet (folded
    # to or called): 4 decisions, 3 folds, 3 ways on. Later: check check, check bet, bet: 4 decisions, 2 folds, 3 ways.
    assert counted(sizes.ROWS["pot"]) == (4 * (1 + 3 + 9 + 27), 3 + 2 * (3 + 9 + 27) + 81) == (160, 162)
    assert counted(sizes.ROWS["fcpa"]) == (920, 1346)
    assert counted(sizes.ROWS["half-pot"]) == (25_884, 40_074)


def test_a_tree_has_shares_of_the_pot() -> None:
    position = load("holdem/half-pot").start().after(*DEALT)
    assert position.legal == [
        *("button folds", "button calls 1", "button raises to 4", "button raises to 6", "button raises to 200, all-in"),
    ]
    position = position.after("button raises to 6", "big blind calls 4", *FLOP)
    assert position.legal == [
        "big blind checks",
        *(f"big blind bets {n}" for n in (6, 12)),
        "big blind bets 194, all-in",
    ]


def test_the_tree_of_the_dissertation_has_one_raise() -> None:
    position = load("holdem(preset=dissertation,streets=2)/dissertation").start().after(*DEALT)
    assert position.legal == ["button folds", "button calls 5", "button raises to 40"]
    for name in ("button raises to 40", "big blind raises to 70", "button raises to 100"):
        position = position.after(name)


@pytest.mark.parametrize("row", sizes.TREES)
def test_moves_of_a_tree_are_taken_for_themselves(row: str) -> None:
    game = load(f"holdem/{row}")
    for index in range(60):
        there = [bets.blinds()]

        def watch(s: Any, moves: list[int], m: int, there: list[bets.Betting] = there) -> None:
            assert book(s) == there[0]
            assert all(seen_as(s, p, sizes.ROWS[row])[0] == there[0] for p in range(2))
            there[0] = bets.after(there[0], sizes.action_of(there[0], sizes.ROWS[row], m))

        play_hand(game, 5, index, watch, lambda card: None)


@pytest.mark.parametrize("row", sizes.TREES)
def test_whatever_is_bet_a_player_of_a_tree_knows_what_to_do(row: str) -> None:
    """The tree's player is asked when it is asked, can fold to a bet and call it, and all its moves are legal."""
    table = load("holdem(stack=60)")
    tree = table.abstract(row)
    for index in range(200):

        def watch(s: Any, actions: list[int], a: int) -> None:
            buffer = [0] * tree.actions
            moves = buffer[: tree.rules.legal(s, buffer)]
            there, _ = seen_as(s, book(s)[bets.ACTOR], sizes.ROWS[row])
            assert (bets.FOLD in moves) == (bets.FOLD in actions)
            assert bets.CALL in moves
            assert {tree.abstraction.resolve(s, m) for m in moves} <= set(actions)
            if not bets.is_settled(there):
                assert (there[bets.ACTOR], there[bets.STREET]) == (book(s)[bets.ACTOR], book(s)[bets.STREET])

        play_hand(table, 6, index, watch, lambda card: None)


# --------------------------------------------------------------------------------------------------- translation

fractions = st.floats(0.01, 20.0)


@pytest.mark.slow
@given(st.lists(fractions, min_size=3, max_size=3, unique=True).map(sorted))
def test_the_axioms_of_the_pseudo_harmonic_mapping(three: list[float]) -> None:
    low, x, high = three
    share = sizes.pseudo_harmonic(low, x, high)
    assert 0.0 <= share <= 1.0
    assert sizes.pseudo_harmonic(low, low, high) == pytest.approx(1.0)  # at the ends it is what it is
    assert sizes.pseudo_harmonic(low, high, high) == pytest.approx(0.0)
    assert sizes.pseudo_harmonic(low, (x + high) / 2, high) <= share  # nearer to the upper one, less of the lower one
    middle = (low + high + 2 * low * high) / (low + high + 2)  # half and half, by the paper
    assert sizes.pseudo_harmonic(low, middle, high) == pytest.approx(0.5)


def test_bets_outside_the_tree() -> None:
    flop = bets.after(bets.after(bets.blinds(), bets.CALL), bets.CALL)  # a pot of 4
    row = sizes.ROWS["half-pot"]

    def of(chips: int, u: float) -> int:
        return sizes.taken_for(flop, 1 + 2 + chips, flop, row, u)

    half, pot = sizes.SMALLEST, sizes.SMALLEST + 1
    assert [of(2, u) for u in (0.0, 0.99)] == [half, half]
    assert [of(4, u) for u in (0.0, 0.99)] == [pot, pot]
    # 3 into 4 is 0.75: (1 - 0.75)(1 + 0.5) / ((1 - 0.5)(1 + 0.75)) = 3/7
    assert [of(3, u) for u in (0.42, 0.43)] == [half, pot]
    assert of(198, 0.0) == sizes.ALL_IN
    assert of(190, 0.0) == pot
    assert of(190, 0.99) == sizes.ALL_IN
    assert sizes.taken_for(flop, bets.CALL, flop, row, 0.5) == bets.CALL
    only_pot = sizes.ROWS["pot"]
    assert sizes.taken_for(flop, 1 + 2 + 2, flop, only_pot, 0.0) == half  # smaller than all: the smallest
    assert sizes.taken_for(flop, 1 + 2 + 198, flop, only_pot, 0.0) == half  # larger than all: the largest


def test_a_raise_too_many_is_taken_for_the_last() -> None:
    table = load("holdem")
    tree = table.abstract("pot")
    position = table.start().after(*DEALT, "button raises to 6", "big blind raises to 20")
    buffer = [0] * tree.actions
    assert buffer[: tree.rules.legal(position.state, buffer)] == [bets.FOLD, bets.CALL]
    straight = table.start().after(*DEALT, "button calls 1", "big blind raises to 6")
    assert tree.rules.key(position.state, 0) == tree.rules.key(straight.state, 0)

    # where two raises are allowed the third is taken for a second one, which can only be called or not
    tree = table.abstract("fcpa")
    war = ("button raises to 6", "big blind raises to 18", "button raises to 54", "big blind raises to 162")
    straight = table.start().after(*DEALT, "button calls 1", "big blind raises to 6", "button raises to 18")
    third = table.start().after(*DEALT, *war[:3])
    assert buffer[: tree.rules.legal(third.state, buffer)] == [bets.FOLD, bets.CALL]
    assert tree.rules.key(third.state, 1) == tree.rules.key(straight.state, 1)
    fourth = table.start().after(*DEALT, *war)
    assert buffer[: tree.rules.legal(fourth.state, buffer)] == [bets.FOLD, bets.CALL]
