"""The strategies of Leodopoly: every decision by hand, in plain Python; and compiled, in both kinds of auction."""

import itertools
import random
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import GameError, Position
from parlor.agents.registry import make_agent
from parlor.arena.batch import Batch, play_plainly
from parlor.game.loading import load
from parlor.games.leodopoly.agents import strategy
from parlor.games.leodopoly.agents.heuristic import PARAMETERS
from parlor.games.leodopoly.agents.mind import landings, new_mind
from parlor.games.leodopoly.agents.terms import in_a_table, taken_apart
from parlor.games.leodopoly.state import ANSWERING, BIDDING, BUYING_NOW, OFFERING, RAISING, SELLING

PUBLISHED = load("leodopoly(preset=published)")
CORRECTED, ENGLISH = load("leodopoly"), load("leodopoly(auction=english)")
HYDE_PARK, BRUDENELL, VICTORIA, UNIVERSITY, NOTRE_DAME, BEARPIT, NORTH_LANE = 5, 6, 7, 4, 8, 9, 10


def at(game: parlor.Game, phase: int, owners: dict[int, int] | None = None, **fields: Any) -> Position:
    """A position; `owners`: space -> player."""
    state = game.new_state()
    game.rules.start(state)
    state.phase = phase
    for space, player in (owners or {}).items():
        state.owner[space] = player + 1
    for name, value in fields.items():
        setattr(state, name, list(value) if isinstance(value, tuple) else value)
    return Position(game, state, ())


def chosen(text: str, position: Position) -> str:
    """The move that an agent is sure of."""
    [move] = [move for move, chance in make_agent(text, position.game)(position).items() if chance > 0.0]
    return move


def auction(game: parlor.Game, lot: int = NORTH_LANE, **fields: Any) -> Position:
    """Player 1 is asked for a limit, or to raise."""
    return at(game, BIDDING, lot=lot, asked=1, bidding=7, **fields)


# ------------------------------------------------------------------------------------------------------------ the value


@pytest.mark.parametrize(
    ("game", "money", "strategy", "value"),
    [
        # own set 2 × (20 + 12 + 8) = 80; rents of the others 150 + 60; above £100 only the University
        (PUBLISHED, 100, "optimal", 100 + 3 * 80 - 210 - 20000 / 11),
        (PUBLISHED, 100, "random-tester-2", 100 + 2 * 80 - 0.1 * 900 - 3 * 210 - 10000 / 11 - 500),
        (PUBLISHED, 70, "optimal", 70 + 3 * 80 - 210 - 20000 * 2 / 11),  # and Victoria Road, which nobody owns
        (CORRECTED, 70, "optimal", 70 + 3 * 80 - 210 - 20000 / 11),
        (CORRECTED, 300, "greedy", 300 + 10 * 80 - 0.5 * 900 - 2 * 210),
        (PUBLISHED, 300, "greedy", 300 + 3 * 80 - 2 * 210),
        (PUBLISHED, 300, "irrational", 300),
        (PUBLISHED, 500, "tight", 500 - 0.7 * 900 - 2 * 210),
        (PUBLISHED, 499, "tight", 499 - 0.7 * 900 - 2 * 210 - 1000),
        # half of the rounds are over; the deeds cost 60 + 50 + 30, those of the others 700 + 200
        (CORRECTED, 300, "strategy(rounds_left=1,deeds=0.5)", 300 + (3 * 80 - 210) / 2 + 0.5 * 140),
        (CORRECTED, 300, "strategy(leader=0.25,opponent_money=0.1,deeds=1)", 300 + 30 - 90 - 150 + 140 - 0.1 * 900),
        # opponents have nothing begun that others have not broken; a lone Woodhouse set is complete
        (CORRECTED, 300, "strategy(sets=1)", 330),
        # all are on Millennium Square: one of 1, 2 and 3 comes from each of two opponents, and 4 is the University
        (CORRECTED, 300, "strategy(landing=1)", 330 + 2 * 80 / 6 - 150 / 6),
        (CORRECTED, 100, "strategy(liquidity=3,jeopardy=0)", 100 + 30 - 3 * 50 / 6),
    ],
)
def test_a_position_is_worth_the_sum_of_its_terms(game: parlor.Game, money: int, strategy: str, value: float) -> None:
    round_ = 20 if "rounds_left" in strategy else 0
    position = at(
        game, SELLING, {1: 0, 2: 0, 3: 0, UNIVERSITY: 1, NOTRE_DAME: 2}, money=(money, 300, 600), round=round_
    )
    parts = taken_apart(make_agent(strategy, game), position, 0)
    assert parts is not None
    [now] = parts.situations
    assert now.value == pytest.approx(value)
    assert sum(now.pounds) == pytest.approx(now.value)


def test_a_set_begun_counts_by_the_part_that_is_owned() -> None:
    # two of three: 4/9 of what 60 + 40 + 80 would add; an opponent has half of the University's set, 1/4 of 150 + 60
    position = at(CORRECTED, SELLING, {HYDE_PARK: 0, BRUDENELL: 0, NOTRE_DAME: 2, BEARPIT: 1, NORTH_LANE: 2})
    parts = taken_apart(make_agent("strategy(sets=2)", CORRECTED), position, 0)
    assert parts is not None
    assert dict(zip(parts.terms, parts.situations[0].pounds, strict=True))[
        next(term for term in parts.terms if term.parameter == "sets")
    ] == pytest.approx(2 * (180 * 4 / 9 - 210 / 4))


def test_landings_are_counted_exactly() -> None:
    visits = landings(11, 2)
    by_hand = [0.0] * 11
    for first, second in itertools.product(range(1, 7), repeat=2):
        by_hand[first] += 1 / 36
        by_hand[(first + second) % 11] += 1 / 36
    assert visits[1] == pytest.approx([0.0, *[1 / 6] * 6, 0.0, 0.0, 0.0, 0.0])
    assert visits[2] == pytest.approx(by_hand)
    assert visits[7] == visits[2]  # it looks no further


def test_rents_are_expected_only_of_rolls_that_are_left() -> None:
    """In the last round, after its roll, player 0 expects nothing of player 0 and one roll of the others."""
    agent = make_agent("strategy(landing=1,turns=40)", CORRECTED)
    position = at(CORRECTED, BIDDING, {1: 0, UNIVERSITY: 1}, round=39, actor=0, lot=NORTH_LANE, asked=0)
    parts = taken_apart(agent, position, 0)
    assert parts is not None
    amounts = dict(zip([term.name for term in parts.terms], parts.situations[0].amounts, strict=True))
    assert amounts["rents to come"] == pytest.approx(2 * 20 / 6)


# ------------------------------------------------------------------------------------------------------------- auctions


@pytest.mark.parametrize(
    ("game", "strategy", "limit"),
    [
        (PUBLISHED, "optimal", 200),  # having it 3 × 50 - b, an opponent having it -50: up to a bid of 199
        (CORRECTED, "optimal", 199),  # it would pay one more than the bid
        (PUBLISHED, "tight", 1),  # the first pound leaves the reserve, but the bid of 0 that stands does not
        (CORRECTED, "tight", 0),
        (PUBLISHED, "irrational", 0),
        (PUBLISHED, "random-tester-3", 351),  # below £150 it fears the University, which nobody owns
        (CORRECTED, "random-tester-3", 499),
    ],
)
def test_a_limit_is_where_it_stops_to_raise(game: parlor.Game, strategy: str, limit: int) -> None:
    assert chosen(strategy, auction(game)) == (f"limit {limit}" if limit else "no bid")


def test_rivals_count_who_can_pay() -> None:
    assert chosen("optimal", auction(CORRECTED, money=(30, 500, 20))) == "limit 199"  # for the last £30 of the richest
    assert chosen("optimal", auction(CORRECTED, money=(0, 500, 0))) == "limit 149"  # else the bank keeps it
    assert chosen("optimal", auction(PUBLISHED, money=(0, 500, 0))) == "limit 200"
    # player 2 completes a set with it, which costs 2 × 50 + 2 instead of 50; it can pay up to £100 only
    owners = {BEARPIT: 2}
    assert chosen("optimal", auction(CORRECTED, owners=owners, money=(500, 500, 500))) == "limit 251"
    assert chosen("optimal", auction(CORRECTED, owners=owners, money=(500, 500, 100))) == "limit 199"


def test_in_the_english_auction_it_raises_below_its_limit() -> None:
    game = load("leodopoly(preset=published,auction=english)")
    assert chosen("optimal", auction(game, bid=199)) == "raise"
    assert chosen("optimal", auction(game, bid=200)) == "pass"


def test_a_limit_found_by_halving_is_the_first_bid_that_is_not_raised() -> None:
    """The difference that decides falls with the bid, whatever the parameters."""
    r = random.Random(1)
    for _ in range(60):
        game = r.choice([PUBLISHED, CORRECTED])
        w = [
            r.choice([0.0, r.uniform(0.0, min(s.bounds[1], 100 * (s.bounds[1] > 50) + 5))]) for s in PARAMETERS.values()
        ]
        w[list(PARAMETERS).index("jeopardy")] = r.choice([0, 300, 5000])
        mind = new_mind(game, w, r.randint(1, 9), None, False)[0]
        owners = {k: r.randrange(3) for k in range(1, 10) if r.random() < 0.6}
        money = tuple(r.randint(1, 120) for _ in range(3))
        s = auction(game, owners=owners, money=money, position=tuple(r.randrange(11) for _ in range(3))).state
        strategy.survey_lot(s, 1, mind)
        wanted = [strategy.raises(s, 1, bid, mind) for bid in range(money[1])] + [False]
        assert sorted(wanted, reverse=True) == wanted
        assert strategy.limit(s, 1, money[1], mind) == wanted.index(False)


# ---------------------------------------------------------------------------------------------------- buying and deals


def test_it_buys_what_is_worse_in_other_hands() -> None:
    def landed(lot: int) -> Position:
        return at(CORRECTED, BUYING_NOW, lot=lot)

    assert chosen("optimal", landed(HYDE_PARK)) == "buy"  # 3 × 60 - 200 against -60
    assert chosen("optimal", landed(BEARPIT)) == "decline"  # 3 × 2 - 300 against -2
    assert chosen("strategy(price_margin=40)", landed(HYDE_PARK)) == "buy"
    assert chosen("strategy(price_margin=41)", landed(HYDE_PARK)) == "decline"


def test_it_puts_up_everything_where_deals_count() -> None:
    owners = {HYDE_PARK: 0, NORTH_LANE: 0}
    assert chosen("optimal", at(CORRECTED, SELLING, owners)) == "put up Hyde Park Road"
    assert chosen("optimal", at(CORRECTED, SELLING, owners, put_up=1 << HYDE_PARK)) == "put up North Lane"
    assert chosen("optimal", at(PUBLISHED, SELLING, owners)) == "roll"
    asked = strategy.strategy_agent(PUBLISHED, "optimal", {}, sells=True)
    assert asked(at(PUBLISHED, SELLING, owners))["put up Hyde Park Road"] == 1.0


@pytest.mark.parametrize(
    ("strategy", "money", "owners", "amount"),
    [
        # own rents from 40 + 80 to 2 × 180, which is 3 × 240, and 60 less for the opponents: 780 - 10 of margin
        ("optimal", 900, {}, 770),
        ("optimal", 500, {}, 500),  # all it has
        ("optimal", 900, {UNIVERSITY: 2}, 750),  # whose rent it wants to be able to pay
        ("tight", 900, {}, 64),  # 2 × 60 of rents; each pound costs 1.7: 120 - 1.7 × 64 = 11.2
        ("tight", 500, {}, 0),  # the first pound would leave the reserve
    ],
)
def test_an_offer_leaves_the_margin(strategy: str, money: int, owners: dict[int, int], amount: int) -> None:
    owners = {HYDE_PARK: 0, BRUDENELL: 1, VICTORIA: 1, **owners}
    position = at(CORRECTED, OFFERING, owners, lot=HYDE_PARK, asked=1, money=(300, money, 300), put_up=1 << HYDE_PARK)
    assert chosen(strategy, position) == (f"offer {amount}" if amount else "no offer")


def answering(game: parlor.Game, offers: tuple[int, int, int], actor: int = 0) -> Position:
    """Hyde Park Road is for sale; player 1 has the rest of its set, unless it sells."""
    owners = {HYDE_PARK: actor} | ({BRUDENELL: 1, VICTORIA: 1} if actor == 0 else {})
    row = [list(offers)] if game is CORRECTED else [[0] * 3] * HYDE_PARK + [list(offers)] + [[0] * 3] * HYDE_PARK
    return at(game, ANSWERING, owners, lot=HYDE_PARK, actor=actor, offer=row, put_up=1 << HYDE_PARK)


def test_a_seller_wants_its_margin_as_a_gain_or_as_a_value() -> None:
    # the sale costs it 3 × 60, and 240 of an opponent's rents
    assert chosen("optimal", answering(CORRECTED, (0, 429, 0))) == "refuse"
    assert chosen("optimal", answering(CORRECTED, (0, 430, 0))) == "accept 430 of player 1"
    assert chosen("optimal", answering(PUBLISHED, (0, 1, 0))) == "accept 1 of player 1"  # worth 501 - 360
    # 240 less cost of rents with player 2, who does not complete the set: -180 - 60 + 300
    assert chosen("optimal", answering(CORRECTED, (0, 430, 300))) == "accept 300 of player 2"


def test_of_equal_offers_the_last_is_accepted() -> None:
    # seen from the seller's left
    assert chosen("optimal", answering(CORRECTED, (400, 0, 400), actor=1)) == "accept 400 of player 0"
    assert chosen("optimal", answering(PUBLISHED, (400, 0, 400), actor=1)) == "accept 400 of player 0"


# ---------------------------------------------------------------------------------------------------------- the agents


def test_irrational_moves_at_random_where_the_text_counts() -> None:
    agent = make_agent("irrational", CORRECTED)
    answer = agent(at(CORRECTED, BUYING_NOW, lot=HYDE_PARK))
    assert answer == {"buy": 0.5, "decline": 0.5}
    assert taken_apart(agent, at(CORRECTED, BUYING_NOW, lot=HYDE_PARK)) is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("strategy(rent=-1)", "rent must be between 0 and 20, not -1"),
        ("strategy(turns=2.5)", "turns must be a whole number"),
        ("strategy(jeopardy=much)", "jeopardy must be a number, not 'much'"),
        ("strategy(greed=1)", "strategy has no option 'greed'"),
        ("tight(rent=1)", "tight has no option 'rent'; it has: none"),
    ],
)
def test_bad_parameters_get_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence.replace("(", r"\(")):
        make_agent(text, CORRECTED)


def test_a_decision_taken_apart_shows_both_sides() -> None:
    position = auction(CORRECTED, owners={BEARPIT: 2})
    parts = taken_apart(make_agent("optimal", CORRECTED), position)
    assert parts is not None
    assert [one.name for one in parts.situations] == ["now", "it buys for £251", "player 2 buys for £251"]
    now, mine, theirs = parts.situations
    assert (now.value, mine.value, theirs.value) == (498, 500 - 251 + 150 - 2, 500 - 104)
    assert in_a_table(parts)[0].endswith("now  it buys for £251  player 2 buys for £251")
    assert in_a_table(parts)[-1].split() == ["value", "498", "397", "396"]


@pytest.mark.slow
def test_games_are_the_same_in_both_kinds_of_auction_compiled_or_not() -> None:
    """And all strategies are one compiled function, whatever their numbers."""
    every = "strategy(opponent_money=0.3,landing=1,turns=8,liquidity=5,sets=1,deeds=0.5,leader=0.3,rounds_left=0.5)"
    lineups = np.array([*itertools.permutations(range(3))] * 20)
    agents, english = (
        [make_agent(text, game) for text in (every, "random-tester-2", "optimal")] for game in (CORRECTED, ENGLISH)
    )
    batch = Batch(CORRECTED, agents, len(lineups))
    assert len(set(batch._play_turns)) == 1
    found = batch.play(5, 0, 6, lineups)
    assert (play_plainly(CORRECTED, agents, 5, 0, 6, lineups[:6]) == found[:6]).all()
    assert (play_plainly(ENGLISH, english, 5, 0, 6, lineups[:12]) == found[:12]).all()
    assert set(found.argmax(axis=1)) == {0, 1, 2}


# ------------------------------------------------------------------------------------------------- the rest of Monopoly

CLASSIC = load("leodopoly(preset=classic)")
BALTIC, READING, CONNECTICUT, ELECTRIC, MARVIN, PARK_PLACE, BOARDWALK = 3, 5, 9, 12, 29, 37, 39


def classic(phase: int, owners: dict[int, int] | None = None, **fields: Any) -> Position:
    """A position of the full board: nothing is put up any more, and no trade is left in this turn."""
    everything = (1 << 40) - 1
    return at(CLASSIC, phase, owners, **({"put_up": everything, "proposals": 1} | fields))


def test_rents_of_the_full_board() -> None:
    owners = {1: 0, BALTIC: 0, READING: 0, 15: 0, ELECTRIC: 0, BOARDWALK: 1}
    level = [0] * 40
    level[BALTIC] = 2
    position = classic(SELLING, owners, level=level, mortgaged=1 << BOARDWALK)
    parts = taken_apart(make_agent("strategy(deeds=1)", CLASSIC), position, 0)
    assert parts is not None
    amounts = dict(zip([term.name for term in parts.terms], parts.situations[0].amounts, strict=True))
    # Mediterranean Avenue doubled, Baltic with two houses, two stations, a utility at an average roll of 7
    assert amounts["own rents"] == 2 * 2 + 60 + 2 * 50 + 4 * 7
    assert amounts["opponents' rents"] == 0
    assert amounts["deeds"] == 60 + 60 + 2 * 25 + 200 + 200 + 150


def test_it_builds_where_a_house_gains_most() -> None:
    owners = {1: 0, BALTIC: 0, PARK_PLACE: 0, BOARDWALK: 0}
    position = classic(SELLING, owners)
    assert chosen("optimal", position) == "build on Park Place"  # 3 × (175 - 2 × 35), Boardwalk 3 × (200 - 100)
    assert chosen("strategy(rent=1)", position) == "roll"
    assert chosen("optimal", classic(SELLING, owners, money=(150, 1500, 1500, 1500))) == "roll"  # not even mortgages


def test_it_leaves_jail_while_there_is_something_to_buy() -> None:
    assert chosen("optimal", classic(SELLING, jailed=(1, 0, 0, 0))) == "pay fine"
    assert chosen("optimal", classic(SELLING, jailed=(1, 0, 0, 0), pardon=(1, 0))) == "use card"
    everything = dict.fromkeys(range(40), 1)
    assert chosen("optimal", classic(SELLING, everything, jailed=(1, 0, 0, 0))) == "roll"


def test_in_debt_it_gives_up_what_is_worth_least() -> None:
    # £30 for rents of 4, or £200 for rents of 50; then more, if that does not suffice
    debt = {"due": 60, "debtors": 1, "creditors": 2, "asked": 0, "money": (40, 1500, 1500, 1500)}
    position = classic(RAISING, {BALTIC: 0, BOARDWALK: 0}, **debt)
    assert chosen("strategy(deeds=1)", position) == "mortgage Baltic Avenue"


def test_it_trades_for_sets_that_both_want() -> None:
    """Player 0 has Baltic and Park Place, player 1 the others of these sets; it asks for Boardwalk and gives Baltic."""
    owners = {BALTIC: 0, PARK_PLACE: 0, 1: 1, BOARDWALK: 1}
    agent = make_agent("strategy(sell_margin=20)", CLASSIC)
    position = classic(SELLING, owners, proposals=0)
    made = []
    for _ in range(4):
        [move] = [move for move, chance in agent(position).items() if chance > 0.0]
        made.append(move)
        position = position.after(move)
    assert made[:3] == ["trade with player 1", "get Boardwalk", "give Baltic Avenue"]
    assert position.turn == 1
    assert position.state.cash > 0
    assert chosen("strategy(sell_margin=20)", position).startswith("accept")
    assert chosen("strategy(sell_margin=500)", position) == "refuse"


@pytest.mark.parametrize(
    "options",
    [
        "players=2",
        "players=6,auction=english,money=60",
        "preset=published,deals=applied",
        "houses=true",
        "mortgages=true",
        "cards=true,jail=true,dice=2",
        "trades=1,unit=5",
    ],
)
def test_it_plays_with_any_options(options: str) -> None:
    game = load(f"leodopoly(rounds=3,{options})")
    names = ("tuned", "optimal", "greedy", "irrational", "tight", "random-tester-2")
    agents = [make_agent(name, game) for name in names[: game.players]]
    payoffs = play_plainly(game, agents, 1, 0, 1, np.array([range(game.players)] * 2))
    assert ((payoffs.sum(axis=1) == 1.0) | (payoffs.sum(axis=1) == 0.0)).all()
