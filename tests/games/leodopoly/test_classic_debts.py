"""The classic game: debts, trades and auctions; and its options on the small board."""

from __future__ import annotations

import pytest

from parlor.game import Position
from parlor.game.loading import load
from tests.games.leodopoly.classic_positions import (
    BALTIC,
    BOARDWALK,
    BROWN,
    CONNECTICUT,
    JAIL,
    MEDITERRANEAN,
    ORIENTAL,
    PARK_PLACE,
    READING,
    SELLING,
    ST_CHARLES,
    VERMONT,
    business,
    classic,
    drawn,
    money,
    names,
    owner,
    table,
)

# ---------------------------------------------------------------------------------------------------------------- debts


def test_who_cannot_pay_raises_money_first_and_pays_when_it_suffices() -> None:
    owners = BROWN | {READING: 0, BOARDWALK: 1, PARK_PLACE: 1}
    short = table(owners, (40, 0, 0), at=36, levels={BOARDWALK: 1, BALTIC: 1}).after("dice 1 2")
    assert short.turn == 0
    assert names(short) == {"sell a house of Baltic Avenue", "mortgage Reading Railroad"}
    sold = short.after("sell a house of Baltic Avenue")
    assert sold.turn == 0
    assert names(sold) == {f"mortgage {name}" for name in ("Mediterranean Avenue", "Baltic Avenue", "Reading Railroad")}
    paid = sold.after("mortgage Reading Railroad").after("mortgage Baltic Avenue")
    assert paid.turn == 0  # 40 + 25 + 100 + 30 = 195
    paid = paid.after("mortgage Mediterranean Avenue")
    assert (money(paid), paid.state.gone) == ([25, 200, 0], 0)


def test_a_bankrupt_player_leaves_everything_to_the_creditor() -> None:
    owners = BROWN | {READING: 0, BOARDWALK: 1, PARK_PLACE: 1}
    levels = {BOARDWALK: 5, PARK_PLACE: 5, BALTIC: 2, MEDITERRANEAN: 1}
    after = table(owners, (40, 100, 7), at=36, levels=levels, mortgaged=[READING], pardon=1).after("dice 1 2")
    assert (after.state.gone, after.state.actor) == (1, 1)
    assert [owner(after, space) for space in (MEDITERRANEAN, BALTIC, READING)] == [1, 1, 1]
    assert (after.state.level[BALTIC], after.state.mortgaged, after.state.pardon[0]) == (0, 1 << READING, 2)
    assert money(after) == [0, 100 + 40 + 3 * 25 - 10, 7]  # cash, houses at half, less the interest


def test_to_the_bank_properties_are_lost_to_auctions_free_of_mortgages() -> None:
    short = table({BALTIC: 0, READING: 0}, (20, 500, 500), mortgaged=[BALTIC, READING]).after("dice 1 3")
    assert short.state.gone == 1
    assert (owner(short, BALTIC), owner(short, READING), short.state.mortgaged) == (-1, -1, 0)
    assert short.state.lot == BALTIC
    first = short.after("limit 30").after("limit 50")
    assert (owner(first, BALTIC), money(first), first.state.lot) == (2, [0, 500, 460], READING)
    second = first.after("limit 10").after("no bid")
    assert (owner(second, READING), second.state.actor) == (1, 1)


def test_others_can_go_bankrupt_in_ones_turn() -> None:
    after = drawn("birthday: each player gives 10", 17, owners={READING: 2}, money=(1500, 5, 8), mortgaged=[READING])
    assert (after.state.gone, after.over) == (6, True)
    assert money(after) == [1500 + 5 + 8 - 10, 0, 0]
    assert after.payoffs == [1.0, 0.0, 0.0]


def test_who_pays_everybody_pays_from_the_left_as_long_as_it_can() -> None:
    after = drawn("chairman: pay each player 50", 22, money=(70, 0, 0))
    assert (money(after), after.state.gone) == ([0, 50, 20], 1)


def test_the_others_play_on_and_the_bankrupt_is_skipped() -> None:
    after = drawn("hospital fees of 100", 17, money=(50, 500, 500))
    assert (after.state.actor, after.over) == (1, False)
    third = after.after("dice 4 6").after("dice 4 6")
    assert (third.state.actor, third.state.round) == (1, 1)


def test_after_the_last_round_worth_decides_with_mortgages_and_houses_at_half() -> None:
    owners = {ORIENTAL: 0, VERMONT: 0, CONNECTICUT: 0, READING: 1, ST_CHARLES: 2}
    end = table(owners, (500, 700, 800), at=JAIL, levels={ORIENTAL: 2}, mortgaged=[READING], round=199, actor=2)
    end = end.after("dice 4 6")
    assert end.over
    scores = [player["score"] for player in end.game.words.display(end.view(0))["players"]]  # type: ignore[misc]
    assert scores == [500 + 320 + 50, 700 + 100, 800 + 140]
    assert end.payoffs == [0.0, 0.0, 1.0]


# --------------------------------------------------------------------------------------------------------------- trades


def test_a_trade_is_put_together_and_accepted() -> None:
    trade = business({READING: 1, BALTIC: 0}, mortgaged=[READING]).after("trade with player 1")
    assert names(trade) == {"get Reading Railroad", "get nothing"}
    trade = trade.after("get Reading Railroad")
    assert names(trade) == {"give Baltic Avenue", "give nothing"}
    asked = trade.after("give Baltic Avenue").after("pay 100")
    assert (asked.turn, names(asked)) == (1, {"accept", "refuse"})
    agreed = asked.after("accept")
    assert (owner(agreed, READING), owner(agreed, BALTIC), money(agreed)) == (0, 1, [1390, 1600, 1500])
    assert agreed.turn == 0
    refused = asked.after("refuse")
    assert (owner(refused, READING), money(refused), refused.turn) == (1, [1500, 1500, 1500], 0)


def test_there_is_one_proposal_a_turn_and_it_can_be_withdrawn() -> None:
    withdrawn = business({READING: 1, BALTIC: 0}).after("trade with player 1").after("get nothing")
    withdrawn = withdrawn.after("give Baltic Avenue").after("withdraw")
    assert not any(name.startswith("trade") for name in names(withdrawn))
    assert not any(name.startswith("trade") for name in names(business()))  # nobody has anything


def test_only_what_both_can_pay_is_proposed() -> None:
    position = business({READING: 1, BALTIC: 0}, (60, 25, 0), mortgaged=[READING]).after("trade with player 1")
    position = position.after("get Reading Railroad").after("give nothing")
    assert names(position) == {"withdraw", "ask for 20", "ask for 10", "no money", "pay 10", "pay 20", "pay 50"}


# ------------------------------------------------------------------------------------------------ buying and auctioning


def test_limits_are_multiples_of_the_unit_up_to_2000() -> None:
    auction = table(at=3, money=(95, 2500, 45)).after("dice 1 2")  # it costs 100
    assert [len(auction.moves), len(auction.after("no bid").moves)] == [201, 5]
    sold = auction.after("limit 2000").after("limit 40").after("limit 90")
    assert (owner(sold, ORIENTAL), money(sold)) == (1, [95, 2400, 45])


def test_the_english_auction_ends_the_same() -> None:
    auction = table(at=3, money=(95, 2500, 45), game=classic(auction="english")).after("dice 1 2")
    limits = [90, 2000, 40]
    while "pass" in names(auction):
        auction = auction.after("raise" if auction.state.bid < limits[auction.turn] else "pass")
    assert (owner(auction, ORIENTAL), money(auction)) == (1, [95, 2400, 45])


# ------------------------------------------------------------------------------------------- options on the small board


def small(**options: int | str) -> Position:
    return load("leodopoly", **options).start()


def board_of(position: Position) -> list[str]:
    shown = position.game.words.display(position.view(0))  # type: ignore[misc]
    return [space["name"] for space in shown["spaces"]]


def test_cards_and_jail_add_two_spaces_each() -> None:
    assert len(board_of(small())) == 11
    assert board_of(small(cards=True))[4] == "Chance"
    both = board_of(small(cards=True, jail=True))
    assert [both[k] for k in (4, 6, 10, 12)] == ["Chance", "Jail", "Community Chest", "Go to Jail"]
    assert len(both) == 15


def test_with_one_die_a_six_leads_out_of_jail() -> None:
    state = small(jail=True).state.copy()
    state.position[0], state.jailed[0], state.phase = 5, 1, SELLING
    position = Position(load("leodopoly", jail=True), state, ())
    assert position.after("roll").after("die 5").state.jailed[0] == 2
    assert position.after("roll").after("die 6").state.position[0] == 11


def test_houses_in_leeds_cost_half_and_add_twice_the_rent() -> None:
    game = load("leodopoly", houses=True)
    state = game.start().state.copy()
    state.owner[9], state.owner[10], state.phase = 1, 1, SELLING
    built = Position(game, state, ()).after("build on North Lane")
    assert built.state.money[0] == 500 - 50
    space = game.words.display(built.view(0))["spaces"][10]  # type: ignore[misc]
    assert (space["houses"], space["rent"]) == (1, 150)


def test_the_first_bankruptcy_still_ends_the_small_game() -> None:
    game = load("leodopoly", mortgages=True)
    state = game.start().state.copy()
    state.owner[4], state.owner[1], state.money[0], state.bank = 2, 1, 100, 400
    over = Position(game, state, ()).after("die 4")
    assert over.over  # 100 + 30 < 150
    assert (money(over), over.payoffs) == ([0, 600, 500], [0.0, 1.0, 0.0])


@pytest.mark.parametrize(
    ("options", "fields"),
    [({}, 18), ({"salary": 50}, 26), ({"houses": True}, 27), ({"jail": True}, 28), ({"cards": True}, 28)],
)
def test_states_have_only_the_fields_that_their_options_need(options: dict[str, int], fields: int) -> None:
    schema = load("leodopoly", **options).schema
    assert schema is not None
    assert len(schema) == fields
