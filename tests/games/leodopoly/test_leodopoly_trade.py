"""Auctions and deals of Leodopoly, in positions set up by hand; limits of sealed auctions stay secret."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from parlor.game import CHANCE, GameError
from parlor.game.seats.observation import observe
from parlor.game.seats.visibility import public_view, visible_move
from tests.games.leodopoly.leodopoly_positions import (
    NORTH,
    QUARRY,
    SPACES,
    WOODHOUSE,
    board,
    leodopoly,
    money,
    named,
    owners,
    selling,
)

# ------------------------------------------------------------------------------------------------------------- auctions


def by_ones(limits: Sequence[int], lander: int, lander_takes: bool) -> tuple[int, int]:
    """The auction bid by bid, with players who raise while the bid is below their limit: winner (or -1) and price."""
    bidders = [(lander + 1 + i) % len(limits) for i in range(len(limits))]
    bid = 0
    while bidders:
        if len(bidders) == 1 and (bid > 0 or lander_takes):
            return bidders[0], bid
        player = bidders.pop(0)
        if limits[player] > bid:
            bid += 1
            bidders.append(player)
    return -1, 0


@st.composite
def auctions(draw: st.DrawFn) -> tuple[list[int], list[int], int, str]:
    """Money and limits of two to six players, the lander, and who gets what nobody wants."""
    players = draw(st.integers(2, 6))
    pockets = draw(st.lists(st.integers(0, 40), min_size=players, max_size=players))
    limits = [draw(st.integers(0, has)) for has in pockets]
    return pockets, limits, draw(st.integers(0, players - 1)), draw(st.sampled_from(["lander", "bank"]))


@pytest.mark.slow
@settings(max_examples=250)
@given(auctions())
@example(([5, 5, 5], [0, 0, 0], 1, "lander"))
@example(([5, 5, 5], [0, 0, 0], 1, "bank"))
@example(([0, 0, 0], [0, 0, 0], 2, "lander"))
@example(([0, 0, 0], [0, 0, 0], 2, "bank"))
@example(([9, 9, 9], [7, 7, 7], 0, "bank"))
def test_limits_decide_as_bidding_by_ones_does(case: tuple[list[int], list[int], int, str]) -> None:
    pockets, limits, lander, unwanted = case
    winner, price = by_ones(limits, lander, unwanted == "lander")
    for auction in ("sealed", "english"):
        game = leodopoly(players=len(limits), unwanted=unwanted, auction=auction, deals="none")
        position = board(game, money=pockets, actor=lander).after("die 1")
        while position.state.actor == lander and position.turn != CHANCE:
            if auction == "sealed":
                position = position.after(limits[position.turn])
            else:
                position = position.after("raise" if position.state.bid < limits[position.turn] else "pass")
        assert owners(position) == ({WOODHOUSE: winner} if winner >= 0 else {})
        assert money(position) == [has - price * (p == winner) for p, has in enumerate(pockets)]
        assert position.state.actor == (lander + 1) % game.players


def test_everybody_names_a_limit_from_the_left_of_the_lander_who_is_last() -> None:
    position = board(leodopoly(), actor=1).after("die 1")
    for player in (2, 0, 1):
        assert position.turn == player
        assert position.legal[:2] == ["no bid", "limit 1"]
        assert position.legal[-1] == "limit 500"
        position = position.after("limit 20")
    assert owners(position) == {WOODHOUSE: 0}, "the bids are 1 of player 2, 2 of player 0, … and 20 of player 0"
    assert money(position) == [480, 500, 500]
    assert position.state.bank == 20


def test_a_limit_is_at_most_what_one_has_and_who_has_nothing_is_not_asked() -> None:
    position = board(leodopoly(), money=[500, 0, 30]).after("die 1")
    assert position.turn == 2
    assert position.legal[-1] == "limit 30"
    with pytest.raises(GameError, match="'limit 31' cannot be played here"):
        position.after("limit 31")


def test_in_the_english_auction_everybody_raises_by_one_or_passes_for_good() -> None:
    position = leodopoly(auction="english").start().after("die 1")
    for player, move, bid in ((1, "raise", 1), (2, "raise", 2), (0, "pass", 2), (1, "raise", 3), (2, "raise", 4)):
        assert (position.turn, position.legal) == (player, ["raise", "pass"])
        position = position.after(move)
        assert position.state.bid == bid
    position = position.after("pass")
    assert owners(position) == {WOODHOUSE: 2}
    assert money(position) == [500, 500, 496]


def test_who_cannot_raise_any_more_is_out_of_the_english_auction() -> None:
    position = board(leodopoly(auction="english"), money=[500, 1, 500]).after("die 1", "raise", "raise", "raise")
    assert position.turn == 2, "player 1 has one pound and the bid is 3"
    assert owners(position.after("pass")) == {WOODHOUSE: 0}


@pytest.mark.parametrize(("unwanted", "owned"), [("lander", {WOODHOUSE: 1}), ("bank", {})])
def test_what_nobody_wants_goes_to_the_lander_for_nothing_or_stays_with_the_bank(
    unwanted: str, owned: dict[int, int]
) -> None:
    sealed = named(board(leodopoly(unwanted=unwanted), actor=1).after("die 1"), [0, 0, 0])
    english = board(leodopoly(unwanted=unwanted, auction="english"), actor=1).after("die 1", "pass", "pass")
    if unwanted == "bank":
        assert english.turn == 1, "the lander may have it for 1"
        assert owners(english.after("raise")) == {WOODHOUSE: 1}
        assert money(english.after("raise")) == [500, 499, 500]
        english = english.after("pass")
    for end in (sealed, english):
        assert owners(end) == owned
        assert money(end) == [500] * 3
        assert end.state.actor == 2


def test_what_stays_with_the_bank_is_for_sale_again() -> None:
    position = named(leodopoly("corrected").start().after("die 1", "decline"), [0, 0, 0])
    assert position.after("die 1").legal == ["buy", "decline"]


# ---------------------------------------------------------------------------------------------------------------- deals


@pytest.mark.parametrize("deals", ["announced", "applied"])
def test_the_player_in_turn_may_put_up_each_of_its_properties_once(deals: str) -> None:
    position = selling(leodopoly(deals=deals), {WOODHOUSE: 0, NORTH: 0, QUARRY: 1})
    assert position.turn == 0
    assert position.legal == ["roll", "put up Woodhouse Street", "put up North Lane"]
    position = position.after("put up North Lane", "no offer", "no offer")
    assert position.legal == ["roll", "put up Woodhouse Street"]
    position = position.after("put up Woodhouse Street", "no offer", "no offer")
    assert position.turn == CHANCE, "there is nothing left to put up"


def test_without_deals_or_without_properties_one_rolls_at_once() -> None:
    assert selling(leodopoly(deals="none"), {WOODHOUSE: 0}).turn == CHANCE
    assert selling(leodopoly(deals="applied"), {WOODHOUSE: 1}).turn == CHANCE


def test_opponents_make_offers_in_turn_of_at_most_what_they_have() -> None:
    position = selling(leodopoly("corrected", players=4), {NORTH: 0}, [500, 40, 0, 500]).after("put up North Lane")
    assert position.turn == 1
    assert position.legal[-1] == "offer 40"
    with pytest.raises(GameError, match="'offer 41' cannot be played here"):
        position.after("offer 41")
    position = position.after("offer 40")
    assert position.turn == 3, "player 2 has nothing to offer"
    assert position.view(3).offer[0][1] == 40, "offers are public"
    position = position.after("no offer")
    assert (position.turn, position.legal) == (0, ["refuse", "accept 40 of player 1"])


def test_an_accepted_offer_is_paid_and_the_deed_handed_over_at_once() -> None:
    position = selling(leodopoly("corrected"), {NORTH: 0, QUARRY: 0})
    position = position.after("put up North Lane", "offer 120", "offer 130", "accept 120 of player 1")
    assert owners(position) == {NORTH: 1, QUARRY: 0}
    assert money(position) == [620, 380, 500]
    assert position.legal == ["roll", "put up Quarry Mount"]
    assert position.state.bank == 0


def test_a_seller_may_refuse() -> None:
    position = selling(leodopoly("corrected"), {NORTH: 0})
    position = position.after("put up North Lane", "offer 120", "no offer", "refuse")
    assert (owners(position), money(position)) == ({NORTH: 0}, [500] * 3)
    assert position.turn == CHANCE


def test_an_announced_deal_changes_nothing() -> None:
    position = selling(leodopoly("published"), {NORTH: 0})
    position = position.after("put up North Lane", "offer 120", "no offer", "accept 120 of player 1")
    assert (owners(position), money(position)) == ({NORTH: 0}, [500] * 3)
    assert position.turn == CHANCE


def test_what_one_has_bought_one_may_put_up_on_ones_own_turn() -> None:
    position = selling(leodopoly("corrected"), {NORTH: 0})
    position = position.after("put up North Lane", "offer 10", "no offer", "accept 10 of player 1")
    position = named(position.after("die 1", "decline"), [0, 0, 0])
    assert (position.turn, position.legal) == (1, ["roll", "put up North Lane"])


def test_offers_are_made_after_the_sales_so_far() -> None:
    position = selling(leodopoly("corrected", offers="after"), {NORTH: 0, QUARRY: 0}, [0, 100, 0])
    position = position.after("put up North Lane", "offer 80", "accept 80 of player 1", "put up Quarry Mount")
    assert position.legal[-1] == "offer 20"


def test_or_all_before_any_of_them_is_answered() -> None:
    game = leodopoly("corrected", offers="before")
    position = selling(game, {NORTH: 0, QUARRY: 0}, [0, 100, 70])
    position = position.after("put up North Lane", "offer 80", "no offer", "put up Quarry Mount")
    assert position.legal[-1] == "offer 100", "player 1 has sold nothing and bought nothing yet"
    position = position.after("offer 90", "offer 70")
    assert position.turn == 0


def test_an_offer_that_cannot_be_paid_any_more_is_void() -> None:
    game = leodopoly("corrected", offers="before")
    position = selling(game, {NORTH: 0, QUARRY: 0}, [0, 100, 70])
    position = position.after(
        "put up North Lane", "offer 80", "no offer", "put up Quarry Mount", "offer 90", "offer 70"
    )
    answers: dict[str, list[str]] = {}
    while position.turn == 0:
        lot = SPACES[position.state.lot]
        answers[lot] = position.legal
        position = position.after(position.legal[1])
    assert answers == {"Quarry Mount": ["refuse", "accept 90 of player 1", "accept 70 of player 2"]}, (
        "player 1 has 10 left and cannot pay 80 for North Lane"
    )
    assert position.turn == CHANCE
    assert owners(position) == {QUARRY: 1, NORTH: 0}
    assert money(position) == [90, 10, 70]


# ------------------------------------------------------------------------------------------------- what others can tell


@pytest.mark.parametrize("preset", ["published", "corrected"])
def test_limits_are_hidden_from_the_others(preset: str) -> None:
    """Two different limits that lead to the same bids: all that the others are told is the same, then and later."""
    game = leodopoly(preset)
    assert game.words.display is not None
    assert game.words.narrate is not None
    start = game.start().after("die 1", *(["decline"] if preset == "corrected" else []))
    told: list[list[tuple[object, ...]]] = []
    for limit in ("limit 100", "limit 400"):  # of player 1; player 0 has none, player 2 goes up to 50
        position = start
        told.append([])
        for move in (limit, "limit 50", "no bid", "roll", "die 2"):
            after = position.after(move)
            for p in (0, 2):
                views = position.view(p), after.view(p)
                told[-1].append(
                    (
                        after.key(p), after.view(p), game.words.display(after.view(p)), observe(after, p),
                        after.show(p),
                        tuple(game.words.narrate(*views)), visible_move(position, move, p),
                    )
                )  # fmt: skip
            told[-1].append((public_view(after), visible_move(position, move, None)))
            position = after
        assert position.key(1) != start.key(1)
        assert owners(position) == {WOODHOUSE: 1}
    assert told[0] == told[1]
    known = [start.after(limit, "limit 50", "no bid").key(1) for limit in ("limit 100", "limit 400")]
    assert known[0] != known[1], "one remembers one's own"


def test_raises_and_offers_are_public() -> None:
    english = leodopoly(auction="english").start().after("die 1")
    assert all(visible_move(english, "raise", p) for p in range(3))
    offers = selling(leodopoly(), {NORTH: 0}).after("put up North Lane")
    assert all(visible_move(offers, "offer 20", p) for p in range(3))
