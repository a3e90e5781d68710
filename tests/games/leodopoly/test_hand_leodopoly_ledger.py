"""Leodopoly with a bookkeeper of its own: every pound and every deed that moves is entered a second time.

Random games in plain Python over many options. The bookkeeper knows the board, the names of the moves and who makes
them, and reckons itself what they cost; and whatever is closed (an auction, an offer, a trade, a debt) leaves no trace.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

import pytest

from parlor.game import CHANCE, Game, Position, State
from parlor.game.loading import load
from parlor.games.leodopoly.boards import Space, board
from parlor.games.leodopoly.state import (
    AGREEING,
    ANSWERING,
    BIDDING,
    BUYING_NOW,
    DICE,
    DRAWING,
    FINISHED,
    GETTING,
    METERING,
    OFFERING,
    RAISING,
    SELLING,
)
from tests.games.leodopoly.classic_positions import business, classic
from tests.games.leodopoly.leodopoly_positions import NORTH, QUARRY, leodopoly, money, owners, selling
from tests.games.leodopoly.leodopoly_positions import board as small_board

STATION, UTILITY, TAX = 2, 3, 4
EVERYTHING = "jail=true,cards=true,houses=true,mortgages=true,dice=2,salary=50"
GAMES = [
    "leodopoly(players=3,rounds=12)",
    "leodopoly(preset=published,players=4,rounds=10,auction=english)",
    "leodopoly(preset=text,players=2,rounds=12,money=200)",
    "leodopoly(offers=before,players=3,rounds=12,unwanted=lander)",
    "leodopoly(unit=7,players=3,rounds=12,money=300,offers=before)",
    "leodopoly(preset=classic,players=3,rounds=30)",
    "leodopoly(preset=classic,players=4,rounds=30,money=500,auction=english,trades=3)",
    "leodopoly(preset=classic,players=2,rounds=40,money=300,offers=before,unwanted=lander,trades=2)",
    f"leodopoly({EVERYTHING},trades=2,ending=last-player,rounds=25)",
    f"leodopoly({EVERYTHING},preset=published,auction=english,rounds=20)",
    "leodopoly(mortgages=true,trades=1,rounds=20,money=200)",
]


def spaces_of(game: Game) -> Sequence[Space]:
    """The board that is played on."""
    return board(
        *(game.options[name] == word for name, word in (("board", "classic"), ("cards", "true"), ("jail", "true")))
    )


def played(game: Game, seed: int) -> Iterator[tuple[Position, str, Position]]:
    """A random game that likes to buy, to offer and to agree, and names small amounts."""
    luck = random.Random(seed)
    before = game.start()
    while not before.over:
        names = before.legal
        liked = [name for name in names if name.split()[0] in ("buy", "accept", "build", "trade", "raise", "get")]
        amounts = [name for name in names if name.split()[0] in ("offer", "limit")][:25]
        if before.turn == CHANCE:
            move = luck.choices(names, [before.odds[name] for name in names])[0]
        elif liked and luck.random() < 0.5:
            move = luck.choice(liked)
        elif amounts and luck.random() < 0.8:
            move = luck.choice(amounts)
        elif "roll" in names and luck.random() < 0.5:
            move = "roll"
        else:
            move = luck.choice(names)
        after = before.after(move)
        yield before, move, after
        before = after


# ------------------------------------------------------------------------------------------------------ the bookkeeper


def has(state: State, name: str) -> bool:
    return hasattr(state, name)


def mortgaged(state: State, k: int) -> bool:
    return has(state, "mortgaged") and bool(state.mortgaged >> k & 1)


def interest(space: Space) -> int:
    """A tenth of half of the cost, rounded up."""
    return -(-(space.cost // 2) // 10)


def rent(state: State, spaces: Sequence[Space], k: int, dice: int, by_card: bool = False) -> int:
    """What a visitor of space `k` owes."""
    space, owner = spaces[k], state.owner[k]
    group = [j for j, other in enumerate(spaces) if other.group == space.group and other.cost]
    mine = sum(state.owner[j] == owner for j in group)
    if mortgaged(state, k):
        return 0
    if has(state, "level") and state.level[k]:
        return int(space.rents[state.level[k] - 1])
    if space.kind == STATION:
        return (1, 2, 4, 8)[mine - 1] * 25 * (2 if by_card else 1)
    if space.kind == UTILITY:
        return dice * (10 if mine == 2 or by_card else 4)
    return space.rent * (2 if mine == len(group) else 1)


class Book:
    """What money, deeds and the bank should be after a move, in the phases in which that follows from the move."""

    def __init__(self, position: Position) -> None:
        state = position.state
        self.money, self.owner, self.bank = list(state.money), list(state.owner), state.bank

    def pay(self, amount: int, by: int | None = None, to: int | None = None) -> None:
        """None is the bank."""
        if by is None:
            self.bank -= amount
        else:
            self.money[by] -= amount
        if to is None:
            self.bank += amount
        else:
            self.money[to] += amount

    def hand(self, state: State, spaces: Sequence[Space], k: int, to: int) -> None:
        """A new owner, who pays interest for what is mortgaged."""
        self.owner[k] = to + 1
        if mortgaged(state, k):
            self.pay(min(interest(spaces[k]), self.money[to]), by=to)

    def agrees(self, position: Position) -> bool:
        state = position.state
        return (self.money, self.owner, self.bank) == (list(state.money), list(state.owner), state.bank)


def bid_out(limits: Mapping[int, int], bidders: list[int], unit: int, lander_takes: bool) -> tuple[int, int]:
    """An auction by single raises; winner (or -1) and price."""
    bid, queue = 0, list(bidders)
    while queue:
        if len(queue) == 1 and (bid or lander_takes):
            return queue[0], bid
        player = queue.pop(0)
        if limits.get(player, 0) > bid:
            bid += unit
            queue.append(player)
    return -1, 0


def entered(game: Game, before: Position, move: str, limits: dict[int, int], after: Position) -> Book | None:
    """The book after a move; None where it does not follow from the move alone."""
    state, spaces, options = before.state, spaces_of(game), game.options
    book, actor, words = Book(before), state.actor, move.split()
    place = {space.name: k for k, space in enumerate(spaces)}
    if state.phase == OFFERING or move in ("roll", "refuse", "withdraw") or words[0] in ("put", "trade", "get", "give"):
        return book
    if words[0] in ("pay", "ask", "no") and state.phase not in (BIDDING, SELLING):
        return book
    if state.phase == ANSWERING:
        buyer, price = int(words[-1]), int(words[1])
        assert price == state.offer[state.lot if options["offers"] == "before" else 0][buyer]
        if options["deals"] == "applied":
            book.pay(price, by=buyer, to=actor)
            book.hand(state, spaces, state.lot, buyer)
        return book
    if state.phase == BUYING_NOW and move == "buy":
        book.pay(spaces[state.lot].cost, by=actor)
        book.owner[state.lot] = actor + 1
        return book
    if state.phase == AGREEING:
        partner = state.partner - 1
        book.pay(state.cash, by=actor, to=partner)
        if state.get:
            assert state.owner[state.get - 1] == partner + 1
            book.hand(state, spaces, state.get - 1, actor)
        if state.give:
            assert state.owner[state.give - 1] == actor + 1
            book.hand(state, spaces, state.give - 1, partner)
        return book
    if words[0] in ("build", "sell", "mortgage", "redeem") and state.phase == SELLING:
        k = next(k for name, k in place.items() if move.endswith(name))
        half = spaces[k].cost // 2
        amount = {
            "build": -spaces[k].house,
            "sell": spaces[k].house // 2,
            "mortgage": half,
            "redeem": -half - interest(spaces[k]),
        }[words[0]]
        if words[0] == "sell" and state.level[k] - after.state.level[k] != 1:  # a whole set, for want of houses
            sold = [state.level[j] - after.state.level[j] for j in range(len(spaces))]
            amount = sum(n * (spaces[j].house // 2) for j, n in enumerate(sold))
        book.pay(amount, to=before.turn)
        return book
    if move == "pay fine":
        book.pay(50, by=actor)
        return book
    if move == "use card":
        return book
    if state.phase == BIDDING and (after.state.phase != BIDDING or after.state.lot != state.lot):
        gone = state.gone if has(state, "gone") else 0
        queue = [(actor + i) % game.players for i in range(1, game.players + 1)]
        queue = [p for p in queue if not gone >> p & 1]
        if options["auction"] == "sealed":
            winner, price = bid_out(limits, queue, int(options["unit"]), options["unwanted"] == "lander")
        else:
            winner, price = english_end(game, before, move)
        if winner >= 0:
            book.pay(price, by=winner)
            book.owner[state.lot] = winner + 1
        return book
    if state.phase == BIDDING:
        return book
    if state.phase == DICE:
        return rolled(game, before, after, book)
    return None


def english_end(game: Game, before: Position, move: str) -> tuple[int, int]:
    """Who gets the lot after the last move of an auction, and for what."""
    state, unit = before.state, int(game.options["unit"])
    bid = state.bid + (unit if move == "raise" else 0)
    left = [(state.asked + i) % game.players for i in range(1, game.players + 1)]
    left = [p for p in left if state.bidding >> p & 1 and not (p == state.asked and move == "pass")]
    while left:
        if len(left) == 1 and (bid or game.options["unwanted"] == "lander"):
            return left[0], bid
        assert min(state.money[left[0]] // unit * unit, 200 * unit if unit > 1 else 10**6) <= bid, "it was not asked"
        left.pop(0)
    return -1, 0


def rolled(game: Game, before: Position, after: Position, book: Book) -> Book | None:
    """Salary, rents and taxes, where nothing else comes with them."""
    state, new, spaces, actor = before.state, after.state, spaces_of(game), before.state.actor
    if has(state, "gone") and new.gone != state.gone:
        return None
    if new.phase in (DRAWING, METERING, RAISING, BIDDING) or new.bankrupt != state.bankrupt:
        return None
    if has(state, "jailed") and (state.jailed[actor] or new.jailed[actor]):
        return None
    faces = [int(word) for word in after.history[-1].split()[1:]]
    at = state.position[actor] + sum(faces)
    k = at % len(spaces)
    assert new.position[actor] == k
    if at >= len(spaces):
        book.pay(int(game.options["salary"]), to=actor)
    if spaces[k].kind == TAX:
        book.pay(spaces[k].rent, by=actor)
    elif spaces[k].cost and state.owner[k] not in (0, actor + 1):
        book.pay(rent(state, spaces, k, sum(faces)), by=actor, to=state.owner[k] - 1)
    return book


@pytest.mark.parametrize("name", GAMES)
def test_the_books_agree_after_every_move(name: str) -> None:
    game = load(name)
    booked = 0
    for seed in range(3):
        limits: dict[int, int] = {}
        for before, move, after in played(game, seed):
            if move.startswith("limit"):
                limits[before.turn] = int(move.split()[1])
            book = entered(game, before, move, limits, after)
            if book is not None:
                assert book.agrees(after), f"{move} after {before.history[-6:]}"
                booked += 1
            if before.state.phase == BIDDING and (after.state.phase != BIDDING or after.state.lot != before.state.lot):
                limits = {}
    assert booked > 100


@pytest.mark.parametrize("name", GAMES)
def test_what_is_closed_leaves_no_trace(name: str) -> None:
    game = load(name)
    before_ = game.options["offers"] == "before"
    for seed in range(3):
        for before, _, after in played(game, 10 + seed):
            state = after.state
            if after.turn == CHANCE:
                assert sum(after.odds.values()) == pytest.approx(1.0)
            if state.phase == BIDDING:
                assert state.bidding >> state.asked & 1
            if state.phase != BIDDING:
                assert (state.bid, state.bidding, set(state.limit)) == (0, 0, {0})
            if state.phase not in (OFFERING, ANSWERING, *([SELLING, GETTING, 11, 12, AGREEING] if before_ else [])):
                assert not any(map(any, state.offer))
            if state.phase in (DICE, FINISHED):
                assert state.lot == 0 or state.phase == FINISHED
            if state.phase in (BUYING_NOW, BIDDING):
                assert spaces_of(game)[state.lot].cost
                assert state.owner[state.lot] == 0
            assert state.phase != 14, "nothing stays in between"
            if has(state, "due"):
                assert (state.due > 0) == (state.debtors > 0) == (state.creditors > 0)
                if state.phase not in (RAISING, BIDDING, FINISHED):
                    assert (state.due, state.estate) == (0, 0)
                if state.phase == RAISING:
                    assert state.money[state.asked] < state.due
                    assert state.debtors >> state.asked & 1
            if has(state, "steps") and state.phase not in (RAISING, FINISHED):
                assert state.steps == 0
            if has(state, "partner"):
                trading = GETTING <= state.phase <= AGREEING
                assert (state.partner > 0) == trading
                assert trading or (state.get, state.give, state.cash) == (0, 0, 0)
                assert state.proposals <= int(game.options["trades"])
            if has(state, "level"):
                assert all(0 <= level <= 5 for level in state.level)
                assert all(state.owner[k] for k, level in enumerate(state.level) if level)
            if before.state.actor != state.actor and has(state, "managed") and not after.over:
                assert (state.managed, state.doubles) == (0, 0)
            if before.state.actor != state.actor and not after.over:
                assert state.put_up == 0
            if has(state, "gone"):
                assert not state.gone >> state.actor & 1 or after.over


@pytest.mark.parametrize("name", [GAMES[0], GAMES[3], GAMES[4]])
def test_money_named_in_offers_and_limits_can_be_paid(name: str) -> None:
    game = load(name)
    unit = int(game.options["unit"])
    for before, _, _ in played(game, 5):
        state = before.state
        if state.phase in (OFFERING, BIDDING):
            has_ = state.money[before.turn]
            assert before.actions == list(range(has_ // unit + 1))
            assert before.legal[1:] == [
                f"{'offer' if state.phase == OFFERING else 'limit'} {n * unit}" for n in range(1, has_ // unit + 1)
            ]


# ------------------------------------------------------------------------------------------------------- cases by hand


def test_a_trade_of_money_both_ways_is_paid_by_the_right_side() -> None:
    game = leodopoly("corrected", trades=2, mortgages="true")
    start = selling(game, {NORTH: 0, QUARRY: 1})
    state = start.state.copy()
    state.mortgaged = 1 << NORTH | 1 << QUARRY
    begun = Position(game, state, ()).after("trade with player 1", "get Quarry Mount", "give North Lane")
    paid = begun.after("pay 50", "accept")  # interest: 5 of 50 for North Lane, 2 of 15 for Quarry Mount
    assert (owners(paid), money(paid)) == ({NORTH: 1, QUARRY: 0}, [500 - 50 - 2, 500 + 50 - 5, 500])
    assert paid.state.bank == start.state.bank + 7
    asked = begun.after("ask for 100", "accept")
    assert (owners(asked), money(asked)) == ({NORTH: 1, QUARRY: 0}, [500 + 100 - 2, 500 - 100 - 5, 500])
    refused = begun.after("ask for 100", "refuse")
    assert (owners(refused), money(refused)) == ({NORTH: 0, QUARRY: 1}, [500] * 3)
    again = refused.after("trade with player 1", "get nothing", "give North Lane", "no money", "accept")
    assert (owners(again), money(again)) == ({NORTH: 1, QUARRY: 1}, [500, 495, 500])
    assert again.state.proposals == 2
    assert not any(name.startswith("trade") for name in again.legal)


def test_a_trade_is_offered_only_if_both_can_pay_their_interest_too() -> None:
    game = leodopoly("corrected", trades=1, mortgages="true")
    start = selling(game, {NORTH: 0, QUARRY: 1}, [51, 24, 500])
    state = start.state.copy()
    state.mortgaged = 1 << NORTH | 1 << QUARRY
    begun = Position(game, state, ()).after("trade with player 1", "get Quarry Mount", "give North Lane")
    # player 0 pays at most 51 - 2, player 1 at most 24 - 5
    assert begun.legal == ["withdraw", "ask for 10", "no money", "pay 10", "pay 20"]


def test_offers_for_a_mortgaged_property_leave_room_for_the_interest() -> None:
    game = leodopoly("corrected", mortgages="true")
    state = selling(game, {NORTH: 0}, [0, 30, 4]).state.copy()
    state.mortgaged = 1 << NORTH
    offered = Position(game, state, ()).after("put up North Lane")
    assert (offered.turn, offered.legal[-1]) == (1, "offer 25")
    answered = offered.after("offer 25")
    assert answered.legal == ["refuse", "accept 25 of player 1"], "player 2 cannot even pay the interest"
    assert money(answered.after("accept 25 of player 1")) == [25, 0, 4]


def test_imagined_limits_are_any_that_can_be_paid_of_those_who_have_named_one() -> None:
    game = leodopoly("corrected", players=4, unit=10, money=200)
    assert game.hidden.imagine is not None
    assert game.hidden.forget is not None
    position = game.start().after("die 1", "decline", "limit 50", "limit 70")  # players 1 and 2; player 3 is asked
    drawn: dict[int, set[int]] = {q: set() for q in range(4)}
    stream = [1, 2, 3, 4]
    for _ in range(400):
        state = position.state.copy()
        game.hidden.imagine(state, 1, stream)
        for q in range(4):
            drawn[q].add(state.limit[q])
    assert drawn == {0: {0}, 1: {50}, 2: {10 * n for n in range(21)}, 3: {0}}
    game.hidden.forget(state, 1)
    assert [bool(memory) for memory in state.memory] == [False, True, False, False]


@pytest.mark.parametrize("pile", [0, 1])
def test_a_card_of_either_pile_leads_out_of_jail(pile: int) -> None:
    state = business(jailed=1, money=(20, 1500, 1500)).state.copy()
    state.pardon[:] = [0, 0]
    state.pardon[pile] = 1
    position = Position(classic(), state, ())
    assert position.legal == ["roll", "use card"], "it cannot pay the fine"
    out = position.after("use card")
    assert (list(out.state.pardon), out.state.jailed[0], money(out)) == ([0, 0], 0, [20, 1500, 1500])
    state.pardon[pile] = 2
    assert Position(classic(), state, ()).legal == ["roll"], "it is another player's"


def test_who_can_only_redeem_may_still_do_so() -> None:
    game = leodopoly("corrected", mortgages="true", deals="none")
    state = selling(leodopoly("corrected", mortgages="true"), {NORTH: 0}, [60, 500, 500]).state.copy()
    state.mortgaged = 1 << NORTH
    state.asked = 0
    redeemed = Position(game, state, ()).after("redeem North Lane")  # 50 and a tenth of it
    assert (money(redeemed), redeemed.state.mortgaged) == ([5, 500, 500], 0)
    landed = small_board(game, {NORTH: 0}, [60, 500, 500], [0, 0, NORTH], actor=2)
    owned = landed.state.copy()
    owned.mortgaged = 1 << NORTH
    before = Position(game, owned, ()).after("die 1")
    assert (before.turn, before.legal) == (0, ["roll", "redeem North Lane"])
