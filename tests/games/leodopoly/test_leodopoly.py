"""The rules of Leodopoly, one by one, in positions set up by hand; its options; what holds in every state.

Auctions and deals are in `test_leodopoly_trade.py`; whole games as published in `test_leodopoly_published.py`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlor.game import GameError
from parlor.game.loading import load
from tests.games.leodopoly.leodopoly_positions import (
    BEARPIT,
    MELVILLE,
    NORTH,
    NOTRE_DAME,
    PRESETS,
    QUARRY,
    SPACES,
    SQUARE,
    UNIVERSITY,
    VICTORIA,
    WOODHOUSE,
    board,
    leodopoly,
    money,
    named,
    owners,
)

# ------------------------------------------------------------------------------------------------------ board and turns


def test_everybody_begins_on_the_square_with_500() -> None:
    position = leodopoly().start()
    assert money(position) == [500] * 3
    assert list(position.state.position) == [SQUARE] * 3
    assert owners(position) == {}
    assert position.odds == {f"die {side}": pytest.approx(1 / 6) for side in range(1, 7)}


def test_the_board_is_the_one_of_the_dissertation() -> None:
    game = leodopoly()
    assert game.words.display is not None
    spaces = game.words.display(game.start().view(0))["spaces"]
    assert [(space["name"], space["cost"], space["rent"]) for space in spaces] == [
        ("Millennium Square", 0, 0), ("Woodhouse Street", 60, 20), ("Melville Place", 50, 12), ("Quarry Mount", 30, 8),
        ("Leeds University", 700, 150), ("Hyde Park Road", 200, 60), ("Brudenell Road", 120, 40),
        ("Victoria Road", 250, 80), ("Notre Dame", 200, 60), ("Bearpit Gardens", 300, 2), ("North Lane", 100, 50),
    ]  # fmt: skip


def test_tokens_go_round_and_players_take_turns() -> None:
    position = board(leodopoly(), places=[NORTH, NORTH, NORTH])
    for actor, after in ((0, 1), (1, 2), (2, 0)):
        assert position.state.actor == actor
        position = position.after("die 1")
        assert position.state.position[actor] == SQUARE
        assert position.state.actor == after
    assert position.state.round == 1
    assert money(position) == [500] * 3, "the square earns nothing"


@pytest.mark.parametrize("players", [2, 4, 6])
def test_two_to_six_can_play(players: int) -> None:
    position = board(leodopoly(players=players), places=[NORTH] * players)
    for actor in range(players):
        assert position.state.actor == actor
        position = position.after("die 1")


# ----------------------------------------------------------------------------------------------------------------- rent


@pytest.mark.parametrize(
    ("owned", "place", "rent"),
    [
        ({MELVILLE: 1}, MELVILLE, 12),
        ({WOODHOUSE: 1, MELVILLE: 1}, MELVILLE, 12),  # two of three
        ({WOODHOUSE: 1, MELVILLE: 1, QUARRY: 2}, MELVILLE, 12),  # the third is another's
        ({WOODHOUSE: 1, MELVILLE: 1, QUARRY: 1}, MELVILLE, 24),
        ({WOODHOUSE: 1, MELVILLE: 2, QUARRY: 2}, WOODHOUSE, 20),
        ({UNIVERSITY: 1}, UNIVERSITY, 150),
        ({UNIVERSITY: 1, NOTRE_DAME: 1}, UNIVERSITY, 300),
        ({BEARPIT: 1, NORTH: 1}, BEARPIT, 4),
    ],
)
def test_a_visitor_pays_the_rent_and_twice_as_much_for_a_full_set(
    owned: Mapping[int, int], place: int, rent: int
) -> None:
    position = board(leodopoly(), owned, places=[place - 1, 0, 0]).after("die 1")
    assert money(position) == [500 - rent, 500 + rent, 500]
    assert owners(position) == owned
    assert position.state.actor == 1


def test_nobody_pays_to_itself() -> None:
    position = board(leodopoly(), {MELVILLE: 0}).after("die 2")
    assert money(position) == [500] * 3
    assert position.state.actor == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_who_cannot_pay_hands_over_all_cash_and_that_ends_the_game(preset: str) -> None:
    owned = {UNIVERSITY: 1, WOODHOUSE: 0}
    enough = board(leodopoly(preset), owned, [150, 350, 500]).after("die 4")
    assert not enough.over
    assert money(enough) == [0, 500, 500]
    position = board(leodopoly(preset), owned, [149, 350, 100]).after("die 4")
    assert position.over
    assert position.state.bankrupt == 1
    assert money(position) == [0, 499, 100]
    assert position.payoffs == [0, 1, 0]


@pytest.mark.parametrize("winner", ["money", "rent", "worth"])
def test_a_bankrupt_keeps_its_deeds_and_does_not_win_with_them(winner: str) -> None:
    owned = {UNIVERSITY: 0, NOTRE_DAME: 0, VICTORIA: 0, MELVILLE: 1}  # 1,150 pounds' worth, rents of 500
    position = board(leodopoly(winner=winner), owned, [11, 20, 30]).after("die 2")
    assert position.over
    assert owners(position) == owned
    assert money(position) == [0, 31, 30]
    assert position.payoffs == [0, 1, 0]


def test_no_money_at_all_is_handed_over_too() -> None:
    position = board(leodopoly("corrected"), {MELVILLE: 1}, [0, 20, 90]).after("die 2")
    assert position.over
    assert money(position) == [0, 20, 90]
    assert position.payoffs == [0, 0, 1], "the landlord need not be the winner"


# -------------------------------------------------------------------------------------------------------------- the end


def test_the_game_ends_when_everybody_has_had_the_last_turn() -> None:
    position = board(leodopoly(rounds=2), money=[500, 501, 500], places=[NORTH, NORTH, NORTH], actor=0, round=1)
    position = position.after("die 1", "die 1")
    assert not position.over
    position = position.after("die 1")
    assert position.over
    assert position.payoffs == [0, 1, 0]
    with pytest.raises(GameError, match="The game is over"):
        position.after("die 1")


def test_the_auction_of_the_last_turn_still_counts() -> None:
    game = leodopoly("corrected", rounds=1)
    position = board(game, money=[500, 500, 500], places=[0, 0, WOODHOUSE], actor=2).after("die 1", "decline")
    assert not position.over
    end = named(position, [0, 10, 0])
    assert end.over
    assert money(end) == [500, 499, 500]
    assert end.payoffs == [0, 1, 0]


@pytest.mark.parametrize(
    ("winner", "payoffs"),
    [
        ("money", [1, 0, 0]),
        ("rent", [0, 1, 0]),  # 500, 480 + 50, 445 + 80
        ("worth", [0, 0, 1]),  # 500, 480 + 100, 445 + 140
    ],
)
def test_the_winner_has_most_money_or_money_and_rents_or_money_and_deeds(winner: str, payoffs: list[int]) -> None:
    owned = {NORTH: 1, WOODHOUSE: 2, MELVILLE: 2, QUARRY: 2}  # costs 100 and 140, rents 50 and 80
    game = leodopoly(winner=winner, rounds=1)
    end = board(game, owned, [500, 480, 445], places=[0, 0, NORTH], actor=2).after("die 1")
    assert end.over
    assert end.payoffs == payoffs


@pytest.mark.parametrize(("ties", "each"), [("nobody", 0), ("shared", 0.5)])
def test_a_tie_counts_for_nobody_or_is_shared(ties: str, each: float) -> None:
    end = board(leodopoly(ties=ties, rounds=1), money=[400, 500, 500], places=[0, 0, NORTH], actor=2).after("die 1")
    assert end.payoffs == [0, each, each]
    assert end.state.won == 0b110


def test_all_can_tie() -> None:
    end = board(leodopoly(ties="shared", rounds=1), money=[0, 0, 0], places=[0, 0, NORTH], actor=2).after("die 1")
    assert end.payoffs == [pytest.approx(1 / 3)] * 3


# --------------------------------------------------------------------------------------------------------------- buying


def test_where_everything_is_auctioned_nobody_is_asked_to_buy() -> None:
    position = leodopoly(buying="auction-only").start().after("die 1")
    assert position.turn == 1
    assert {move.verb for move in position.moves} == {"limit"}


def test_with_a_choice_the_lander_may_buy_at_the_price() -> None:
    position = leodopoly(buying="choice").start().after("die 1")
    assert (position.turn, position.legal) == (0, ["buy", "decline"])
    bought = position.after("buy")
    assert owners(bought) == {WOODHOUSE: 0}
    assert (money(bought), bought.state.bank) == ([440, 500, 500], 60)
    assert bought.state.actor == 1
    assert position.after("decline").turn == 1, "it is auctioned, and the next player bids first"


def test_what_the_lander_cannot_afford_is_auctioned_at_once() -> None:
    position = board(leodopoly(buying="choice"), money=[59, 500, 500]).after("die 1")
    assert {move.verb for move in position.moves} == {"limit"}
    exact = board(leodopoly(buying="choice"), money=[60, 500, 500]).after("die 1")
    assert money(exact.after("buy")) == [0, 500, 500]


# -------------------------------------------------------------------------------------------------------------- options

SWITCHES = {
    "buying": ("auction-only", "choice", "choice"),
    "deals": ("announced", "applied", "applied"),
    "accepts": ("value", "gain", "gain"),
    "offers": ("before", "after", "after"),
    "winner": ("money", "rent", "worth"),
    "jeopardy": ("all", "owned", "owned"),
    "unwanted": ("lander", "bank", "bank"),
    "judges": ("bid", "price", "price"),
    "rivals": ("all", "able", "able"),
    "ties": ("nobody", "nobody", "shared"),
    "irrational": ("passive", "random", "random"),
    "greedy": ("code", "text", "text"),
}


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_sets_the_twelve_switches_and_each_can_be_set_on_its_own(preset: str) -> None:
    index = PRESETS.index(preset)
    options = leodopoly(preset).options
    assert {name: options[name] for name in SWITCHES} == {name: words[index] for name, words in SWITCHES.items()}
    for name, words in SWITCHES.items():
        other = next(word for word in words if word != words[index])
        changed = leodopoly(preset, **{name: other}).options
        assert {key for key in options if options[key] != changed[key]} == {name}


def test_corrected_is_the_default() -> None:
    assert load("leodopoly").options == leodopoly("corrected").options


# -------------------------------------------------------------------------------------------------- always and at speed

VARIANTS = [
    *({"preset": preset} for preset in PRESETS),
    {"preset": "corrected", "auction": "english", "players": 2},
    {"preset": "corrected", "offers": "before", "players": 4},
    {"preset": "published", "auction": "english", "players": 6},
    {"preset": "text", "deals": "none", "players": 5},
]


@pytest.mark.slow
@settings(max_examples=40)
@given(st.sampled_from(VARIANTS), st.integers(0, 2**32))
def test_money_and_deeds_are_conserved_in_every_state(options: dict[str, int | str], seed: int) -> None:
    game, dice = leodopoly(**{"rounds": 12, **options}), random.Random(seed)
    total = game.players * 500
    shy = dice.random()  # how often a small amount is chosen of many
    position = game.start()
    while True:
        state = position.state
        assert sum(state.money) + state.bank == total
        assert min(state.money) >= 0
        assert state.bank >= 0
        assert state.owner[SQUARE] == 0
        assert all(0 <= owner <= game.players for owner in state.owner)
        if position.over:
            break
        actions = position.actions
        few = len(actions) > 20 and dice.random() < shy
        before, position = position, position.after(dice.choice(actions[:20] if few else actions))
        changed = [k for k in range(len(SPACES)) if before.state.owner[k] != position.state.owner[k]]
        assert len(changed) <= 1
        assert changed in ([], [before.state.lot])
        sold = any(before.state.owner[k] for k in changed)  # by a player: the bank gets nothing
        assert not sold or before.state.bank == position.state.bank
    assert sum(position.payoffs) in (0, 1) or sum(position.payoffs) == pytest.approx(1)
