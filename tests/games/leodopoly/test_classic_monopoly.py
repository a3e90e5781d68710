"""The classic game, rule by rule: dice, rents, houses, mortgages, jail and cards.

Debts and trades are in `test_classic_debts.py`, whole games in `test_classic_games.py`.
"""

from __future__ import annotations

import pytest

from parlor.game import CHANCE, Position
from tests.games.leodopoly.classic_positions import (
    B_AND_O,
    BALTIC,
    BLUE,
    BOARDWALK,
    BROWN,
    CONNECTICUT,
    DICE,
    ELECTRIC,
    FREE_PARKING,
    ILLINOIS,
    JAIL,
    MEDITERRANEAN,
    ORIENTAL,
    PARK_PLACE,
    PENNSYLVANIA_RR,
    READING,
    SHORT_LINE,
    ST_CHARLES,
    VERMONT,
    WATER,
    business,
    classic,
    drawn,
    money,
    names,
    owner,
    table,
)

# ------------------------------------------------------------------------------------------------------- board and dice


def test_the_board_is_the_american_one() -> None:
    spaces = classic().words.display(classic().view(classic().start().state, 0))["spaces"]  # type: ignore[misc]
    assert len(spaces) == 40
    assert [space["name"] for space in spaces if space["kind"] == "station"] == [
        "Reading Railroad", "Pennsylvania Railroad", "B. & O. Railroad", "Short Line",
    ]  # fmt: skip
    assert sum(space["cost"] for space in spaces) == 5690
    assert sum(space["kind"] == "street" for space in spaces) == 22
    assert (spaces[BOARDWALK]["name"], spaces[BOARDWALK]["cost"], spaces[BOARDWALK]["rent"]) == ("Boardwalk", 400, 50)


def test_passing_go_and_landing_there_pay_the_salary() -> None:
    assert money(table(at=38).after("dice 1 1"))[0] == 1700
    assert money(table(at=35).after("dice 4 6"))[0] == 1700
    assert money(table(at=0).after("dice 4 6"))[0] == 1500


def test_doubles_roll_again_and_the_third_ones_lead_to_jail() -> None:
    once = table(at=0).after("dice 5 5")
    assert (once.state.actor, once.turn, once.state.position[0]) == (0, CHANCE, JAIL)
    twice = once.after("dice 5 5")
    assert (twice.state.actor, twice.state.position[0]) == (0, FREE_PARKING)
    thrice = twice.after("dice 6 6")
    assert (thrice.state.actor, thrice.state.position[0], thrice.state.jailed[0]) == (1, JAIL, 1)


def test_other_rolls_end_the_turn_and_doubles_must_be_in_a_row() -> None:
    turn = table(at=0).after("dice 5 5").after("dice 4 6")
    assert (turn.state.actor, turn.state.doubles) == (1, 0)


@pytest.mark.parametrize(("at", "roll", "tax"), [(0, "dice 1 3", 200), (35, "dice 1 2", 100)])
def test_taxes_go_to_the_bank(at: int, roll: str, tax: int) -> None:
    after = table(at=at).after(roll)
    assert (money(after)[0], after.state.bank) == (1500 - tax, tax)


# ---------------------------------------------------------------------------------------------------------------- rents


@pytest.mark.parametrize(
    ("owners", "levels", "mortgaged", "at", "roll", "rent"),
    [
        ({ORIENTAL: 1}, {}, (), 3, "dice 1 2", 6),
        ({ORIENTAL: 1, VERMONT: 1, CONNECTICUT: 2}, {}, (), 3, "dice 1 2", 6),
        ({ORIENTAL: 1, VERMONT: 1, CONNECTICUT: 1}, {}, (), 3, "dice 1 2", 12),  # a full set
        ({ORIENTAL: 1, VERMONT: 1, CONNECTICUT: 1}, {}, (VERMONT,), 3, "dice 1 2", 12),
        ({ORIENTAL: 1, VERMONT: 1, CONNECTICUT: 1}, {}, (ORIENTAL,), 3, "dice 1 2", 0),
        ({ORIENTAL: 1, VERMONT: 1, CONNECTICUT: 1}, {VERMONT: 1}, (), 3, "dice 1 2", 12),
        ({PARK_PLACE: 1, BOARDWALK: 1}, {BOARDWALK: 3}, (), 36, "dice 1 2", 1400),
        ({PARK_PLACE: 1, BOARDWALK: 1}, {BOARDWALK: 4, PARK_PLACE: 5}, (), 34, "dice 1 2", 1500),
        ({READING: 1}, {}, (), 2, "dice 1 2", 25),
        ({READING: 1, B_AND_O: 1, SHORT_LINE: 2}, {}, (), 2, "dice 1 2", 50),
        ({READING: 1, B_AND_O: 1, SHORT_LINE: 1}, {}, (SHORT_LINE,), 2, "dice 1 2", 100),
        ({READING: 1, B_AND_O: 1, SHORT_LINE: 1, PENNSYLVANIA_RR: 1}, {}, (), 2, "dice 1 2", 200),
        ({ELECTRIC: 1}, {}, (), 3, "dice 4 5", 36),
        ({ELECTRIC: 1, WATER: 1}, {}, (), 3, "dice 4 5", 90),
        ({ORIENTAL: 0}, {}, (), 3, "dice 1 2", 0),
    ],
)  # fmt: skip
def test_rents(
    owners: dict[int, int], levels: dict[int, int], mortgaged: tuple[int, ...], at: int, roll: str, rent: int
) -> None:
    after = table(owners, levels=levels, mortgaged=mortgaged, at=at).after(roll)
    assert money(after) == [1500 - rent, 1500 + rent, 1500]


# --------------------------------------------------------------------------------------------------------------- houses


def test_houses_are_built_evenly_on_full_sets() -> None:
    assert "build on Baltic Avenue" not in names(business({BALTIC: 0}))
    first = business(BROWN).after("build on Baltic Avenue")
    assert (money(first)[0], first.state.bank, first.state.level[BALTIC]) == (1450, 50, 1)
    assert {"build on Mediterranean Avenue"} == {name for name in names(first) if name.startswith("build")}
    second = first.after("build on Mediterranean Avenue")
    assert {"build on Mediterranean Avenue", "build on Baltic Avenue"} <= names(second)


def test_nothing_is_built_on_a_set_with_a_mortgage_or_without_money() -> None:
    assert not any(name.startswith("build") for name in names(business(BROWN, mortgaged=[BALTIC])))
    assert not any(name.startswith("build") for name in names(business(BROWN, money=(49, 1500, 1500))))


def test_the_fifth_is_a_hotel_and_the_last() -> None:
    four = business(BROWN, levels={MEDITERRANEAN: 4, BALTIC: 4})
    hotel = four.after("build on Baltic Avenue")
    assert hotel.state.level[BALTIC] == 5
    assert "build on Baltic Avenue" not in names(hotel)
    stock = hotel.game.words.display(hotel.view(0))["stock"]  # type: ignore[misc]
    assert stock == {"houses": 28, "hotels": 11}


EIGHT_SETS = {space: 1 for group in ((11, 13, 14), (16, 18, 19), (21, 23, 24)) for space in group}


def test_the_bank_has_32_houses_and_12_hotels() -> None:
    all_houses = dict.fromkeys((11, 13, 14, 16, 18, 19, 21, 23), 4)  # 8 × 4 = 32
    assert not any(n.startswith("build on Baltic") for n in names(business(BROWN | EIGHT_SETS, levels=all_houses)))
    one_left = all_houses | {23: 3}
    assert "build on Baltic Avenue" in names(business(BROWN | EIGHT_SETS, levels=one_left))
    hotels = dict.fromkeys((11, 13, 14, 16, 18, 19, 21, 23, 24, 26, 27, 29), 5)
    owners = BROWN | EIGHT_SETS | dict.fromkeys((26, 27, 29), 1)
    full = business(owners, levels=hotels | {MEDITERRANEAN: 4, BALTIC: 4})
    assert not any(name.startswith("build on Baltic") for name in names(full))


def test_houses_are_sold_evenly_for_half() -> None:
    before = business(BROWN, levels={MEDITERRANEAN: 1, BALTIC: 2})
    assert {name for name in names(before) if name.startswith("sell")} == {"sell a house of Baltic Avenue"}
    after = before.after("sell a house of Baltic Avenue")
    assert (money(after)[0], after.state.level[BALTIC]) == (1525, 1)


def test_a_hotel_becomes_four_houses_or_all_of_the_set_is_sold() -> None:
    hotels = {MEDITERRANEAN: 5, BALTIC: 5}
    after = business(BROWN, levels=hotels).after("sell a house of Baltic Avenue")
    assert (after.state.level[BALTIC], money(after)[0]) == (4, 1525)
    taken = dict.fromkeys((11, 13, 14, 16, 18, 19, 21), 4) | {23: 1}  # 29 of 32 houses
    cleared = business(BROWN | EIGHT_SETS, levels=hotels | taken).after("sell a house of Baltic Avenue")
    assert (cleared.state.level[BALTIC], cleared.state.level[MEDITERRANEAN]) == (0, 0)
    assert money(cleared)[0] == 1500 + 10 * 25


def test_a_turn_has_so_many_moves_for_houses_and_mortgages() -> None:
    position = business({READING: 0})
    for _ in range(15):
        position = position.after("mortgage Reading Railroad").after("redeem Reading Railroad")
    assert not any(name.startswith("mortgage") for name in names(position))
    assert "roll" in names(position)


# ------------------------------------------------------------------------------------------------------------ mortgages


def test_a_mortgage_is_half_of_the_cost_and_redeemed_for_a_tenth_more() -> None:
    mortgaged = business({ST_CHARLES: 0}).after("mortgage St. Charles Place")
    assert money(mortgaged)[0] == 1570
    assert "mortgage St. Charles Place" not in names(mortgaged)
    redeemed = mortgaged.after("redeem St. Charles Place")
    assert (money(redeemed)[0], redeemed.state.mortgaged, redeemed.state.bank) == (1493, 0, 7)
    assert not any(n.startswith("redeem") for n in names(business({ST_CHARLES: 0}, (76, 0, 0), mortgaged=[ST_CHARLES])))


def test_nothing_of_a_set_with_houses_is_mortgaged_put_up_or_traded() -> None:
    found = names(business(BLUE | {READING: 1}, levels={ORIENTAL: 1}))
    assert not {name for name in found if name.startswith(("mortgage", "put up"))}
    trade = business(BLUE | {READING: 1}, levels={ORIENTAL: 1}).after("trade with player 1")
    assert names(trade.after("get Reading Railroad")) == {"give nothing"}


def test_whoever_buys_a_mortgaged_property_pays_interest() -> None:
    before = business({BOARDWALK: 0}, mortgaged=[BOARDWALK], money=(1500, 50, 0))
    offering = before.after("put up Boardwalk")
    assert names(offering) == {"no offer", "offer 10", "offer 20", "offer 30"}  # 20 are left for the interest
    sold = offering.after("offer 30").after("accept 30 of player 1")
    assert (money(sold), owner(sold, BOARDWALK)) == ([1530, 0, 0], 1)
    assert sold.state.mortgaged >> BOARDWALK & 1


# ----------------------------------------------------------------------------------------------------------------- jail


def test_the_space_sends_to_jail_without_salary_and_ends_the_turn() -> None:
    after = table(at=28).after("dice 1 1")
    assert (after.state.position[0], after.state.jailed[0], money(after)[0], after.state.actor) == (JAIL, 1, 1500, 1)


def test_visitors_are_not_in_jail() -> None:
    assert table(at=5).after("dice 2 3").state.jailed[0] == 0


def test_doubles_lead_out_of_jail_and_are_not_rolled_again() -> None:
    after = business(at=JAIL, jailed=1).after("roll").after("dice 5 5")
    assert (after.state.position[0], after.state.jailed[0], money(after)[0]) == (FREE_PARKING, 0, 1500)
    assert after.state.actor == 1


def test_the_third_miss_costs_the_fine_and_moves() -> None:
    for attempt in (1, 2):
        missed = business(at=JAIL, jailed=attempt).after("roll").after("dice 4 6")
        assert (missed.state.position[0], missed.state.jailed[0], missed.state.actor) == (JAIL, attempt + 1, 1)
    third = business(at=JAIL, jailed=3).after("roll").after("dice 4 6")
    assert (third.state.position[0], third.state.jailed[0], money(third)[0]) == (FREE_PARKING, 0, 1450)


def test_who_pays_before_rolling_has_an_ordinary_turn() -> None:
    paid = business(at=JAIL, jailed=1).after("pay fine")
    assert (money(paid)[0], paid.state.jailed[0], paid.turn) == (1450, 0, CHANCE)
    assert paid.after("dice 5 5").state.actor == 0
    assert "pay fine" not in names(business({READING: 0}, at=JAIL, jailed=1, money=(49, 0, 0)))


def test_a_card_leads_out_of_jail_and_goes_back_when_its_pile_is_shuffled() -> None:
    used = business(at=JAIL, jailed=2, pardon=1).after("use card")
    assert (money(used)[0], used.state.jailed[0], used.state.pardon[0]) == (1500, 0, 0)
    assert "use card" not in names(business(at=JAIL, jailed=2, pardon=2))


def test_the_fine_of_the_third_miss_may_have_to_be_raised() -> None:
    short = business({READING: 0}, at=JAIL, jailed=3, money=(20, 1500, 1500)).after("roll").after("dice 4 6")
    assert names(short) == {"mortgage Reading Railroad"}
    moved = short.after("mortgage Reading Railroad")
    assert (moved.state.position[0], money(moved)[0]) == (FREE_PARKING, 70)


# ---------------------------------------------------------------------------------------------------------------- cards


@pytest.mark.parametrize(
    ("card", "at", "place", "change"),
    [
        ("advance to GO", 7, 0, 200),
        ("advance to Illinois Avenue", 36, ILLINOIS, 200),
        ("advance to Illinois Avenue", 7, ILLINOIS, 0),
        ("advance to Boardwalk", 36, BOARDWALK, 0),
        ("advance to Reading Railroad", 22, READING, 200),
        ("nearest railroad, double rent (1)", 7, PENNSYLVANIA_RR, 0),
        ("nearest railroad, double rent (2)", 36, READING, 200),
        ("nearest utility, ten times the dice", 22, WATER, 0),
        ("go back three spaces", 22, 19, 0),
        ("go to jail", 22, JAIL, 0),
        ("dividend of 50", 22, 22, 50),
        ("speeding fine of 15", 22, 22, -15),
        ("chairman: pay each player 50", 22, 22, -100),
        ("birthday: each player gives 10", 17, 17, 20),
        ("bank error: collect 200", 33, 33, 200),
        ("hospital fees of 100", 2, 2, -100),
    ],
)
def test_cards(card: str, at: int, place: int, change: int) -> None:
    after = drawn(card, at)
    assert (after.state.position[0], money(after)[0]) == (place, 1500 + change)
    assert sum(money(after)) + after.state.bank == 4500


def test_repairs_cost_by_house_and_hotel() -> None:
    levels = {ORIENTAL: 2, VERMONT: 3, CONNECTICUT: 5}
    after = drawn("repairs: 40 a house, 115 a hotel", 17, owners=BLUE, levels=levels)
    assert money(after)[0] == 1500 - 5 * 40 - 115


def test_at_the_nearest_station_the_rent_is_double_and_at_a_utility_ten_times_a_new_roll() -> None:
    assert money(drawn("nearest railroad, double rent (1)", owners={PENNSYLVANIA_RR: 1}))[:2] == [1450, 1550]
    rolled = drawn("nearest utility, ten times the dice", owners={ELECTRIC: 2})
    assert rolled.turn == CHANCE
    assert money(rolled.after("dice 2 6")) == [1420, 1500, 1580]
    assert names(drawn("nearest utility, ten times the dice")) == {"buy", "decline"}


def test_back_from_the_third_chance_another_card_is_drawn() -> None:
    again = drawn("go back three spaces", 36)
    assert (again.state.position[0], again.turn) == (33, CHANCE)
    assert money(again.after("inheritance of 100"))[0] == 1600


def test_cards_do_not_come_back_before_their_pile_is_used_up() -> None:
    after = drawn("dividend of 50")
    assert after.state.pile[0] == 0xFFFF & ~(1 << 7)
    state = after.state.copy()
    state.pile[0] = 1 << 12  # only the speeding fine is left
    state.actor, state.phase, state.position[0] = 0, DICE, 4
    last = Position(after.game, state, ()).after("dice 1 2")
    emptied = last.after("speeding fine of 15").state.copy()
    emptied.actor, emptied.phase, emptied.position[0], emptied.pardon[0] = 0, DICE, 4, 2
    shuffled = Position(after.game, emptied, ()).after("dice 1 2")
    assert shuffled.state.pile[0] == 0xFFFF & ~(1 << 8)  # somebody keeps the card to get out of jail


def test_a_card_to_get_out_of_jail_is_kept() -> None:
    assert drawn("get out of jail").state.pardon[0] == 1
    assert drawn("get out of jail", 2).state.pardon[1] == 1
