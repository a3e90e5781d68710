"""Leodopoly as the dissertation's published code plays it, in plain Python and with all its quirks.

It is the peer of `benchmarks/leodopoly.py` and the judge of the tests. It shares nothing with Parlor's rules: a game is
an order of strategies and a stream of dice, and every decision is found as published: change a copy of the state and
ask the player what the copy is worth. Players are numbered in the order of their turns, spaces as on the board.
`python benchmarks/leodopoly_published.py [--games N]` plays the five tables of figure 7.14 and appendix C.

Quirks that are kept: direct buying never happens; deals are announced and never made; a seller looks at the value after
the sale, not at its gain; the winner is who has most money; jeopardy counts spaces that nobody owns; the last player in
an auction is not asked, so that the lander gets for nothing what nobody wants; a bid is judged at the bid that stands,
one below its own; a rival's purchase is imagined whether or not it can pay; a tie has no winner.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Strategy(NamedTuple):
    """The eight numbers of a strategy."""

    rent: float  # what a pound of own rent is worth
    opponent_money: float  # … and, as a loss, a pound of an opponent's money
    opponent_rent: float  # … and of its rent
    buy_margin: float  # gain that an offer must leave
    sell_margin: float  # value that a sale must leave
    reserve: float  # money below which the penalty counts
    reserve_penalty: float
    jeopardy: float  # loss if every space of the board were deadly


STRATEGIES = {
    "tight": Strategy(0, 0.7, 2, 10, 5, 500, 1000, 10000),
    "greedy": Strategy(3, 0, 2, 50, 50, 0, 1200, 20000),
    "irrational": Strategy(0, 0, 0, 0, 0, 0, 0, 0),
    "random-tester-1": Strategy(3, 0, 3, 10, 10, 100, 500, 10000),
    "random-tester-2": Strategy(2, 0.1, 3, 10, 10, 300, 500, 10000),
    "random-tester-3": Strategy(9, 0, 1, 10, 10, 0, 900, 20000),
    "optimal": Strategy(3, 0, 1, 10, 10, 0, 900, 20000),
}


class Space(NamedTuple):
    """A space of the board; spaces of a set double their rent together."""

    cost: int
    rent: int
    set: tuple[int, ...]


#: Millennium Square, then the properties.
BOARD = (
    Space(0, 0, ()),
    Space(60, 20, (1, 2, 3)), Space(50, 12, (1, 2, 3)), Space(30, 8, (1, 2, 3)),
    Space(700, 150, (4, 8)),
    Space(200, 60, (5, 6, 7)), Space(120, 40, (5, 6, 7)), Space(250, 80, (5, 6, 7)),
    Space(200, 60, (4, 8)),
    Space(300, 2, (9, 10)), Space(100, 50, (9, 10)),
)  # fmt: skip


class Event(NamedTuple):
    """A line of the log: who did what, on which space, for how much, and to whom."""

    kind: str  # offer accept decline roll rent bankrupt bid pass buy win
    player: int
    space: int = 0
    amount: int = 0
    other: int = -1


class State:
    """Money, places and deeds of everybody; deeds in the order in which they were got."""

    def __init__(self, strategies: Sequence[Strategy], money: int) -> None:
        self.strategies = strategies
        self.money = [money] * len(strategies)
        self.places = [0] * len(strategies)
        self.deeds: list[list[int]] = [[] for _ in strategies]

    def copy(self) -> State:
        """Another state, equal to this one."""
        other = State.__new__(State)
        other.strategies = self.strategies
        other.money = self.money.copy()
        other.places = self.places.copy()
        other.deeds = [deeds.copy() for deeds in self.deeds]
        return other

    def bought(self, player: int, space: int, price: int) -> State:
        """The state after a player has bought a space of the bank's."""
        after = self.copy()
        after.deeds[player].append(space)
        after.money[player] -= price
        return after

    def traded(self, seller: int, buyer: int, space: int, price: int) -> State:
        """The state after one player has sold a space to another."""
        after = self.copy()
        after.deeds[seller].remove(space)
        after.deeds[buyer].append(space)
        after.money[seller] += price
        after.money[buyer] -= price
        return after

    def opponents(self, player: int) -> list[int]:
        """The other players, in the order of their turns after this one's."""
        return [*range(player + 1, len(self.money)), *range(player)]

    def owner(self, space: int) -> int | None:
        """Who owns a space."""
        for player, deeds in enumerate(self.deeds):
            if space in deeds:
                return player
        return None

    def rent(self, space: int) -> int:
        """The rent of a space, doubled if somebody owns the set."""
        owner = self.owner(space)
        for other in BOARD[space].set:
            if owner is None or self.owner(other) != owner:
                return BOARD[space].rent
        return 2 * BOARD[space].rent

    def rents(self, player: int) -> int:
        """The rents of all that a player owns."""
        return sum([self.rent(space) for space in self.deeds[player]])

    def deadly(self, player: int) -> int:
        """How many spaces that are not the player's own have a rent above its money, also those that nobody owns."""
        money = self.money[player]
        return len([s for s in range(len(BOARD)) if self.owner(s) != player and self.rent(s) > money])

    def value(self, player: int) -> float:
        """The heuristic, term after term in the published order, because rounding decides ties."""
        strategy, opponents = self.strategies[player], self.opponents(player)
        value: float = self.money[player]
        value += self.rents(player) * strategy.rent
        value -= sum([self.money[other] for other in opponents]) * strategy.opponent_money
        value -= sum([self.rents(other) for other in opponents]) * strategy.opponent_rent
        value -= self.deadly(player) / len(BOARD) * strategy.jeopardy
        if self.money[player] < strategy.reserve:
            value -= strategy.reserve_penalty
        return value


def highest_offer(state: State, buyer: int, seller: int, space: int) -> int:
    """The most a buyer can pay and still gain its margin, found by halving; 0 is no offer."""
    target = state.value(buyer) + state.strategies[buyer].buy_margin

    def enough(price: int) -> bool:
        return state.traded(seller, buyer, space, price).value(buyer) >= target

    low, high = 0, state.money[buyer]
    if not enough(low):
        return 0
    if enough(high):
        return high
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    return low


def announce_deals(state: State, seller: int) -> Iterator[Event]:
    """The sell phase: offers for every deed, and which of them the seller would accept. Nothing changes hands."""
    for space in state.deeds[seller]:
        accepted, best = None, -math.inf
        for buyer in state.opponents(seller):
            price = highest_offer(state, buyer, seller, space)
            yield Event("offer", buyer, space, price, seller)
            if price > 0:
                value = state.traded(seller, buyer, space, price).value(seller)
                if value >= state.strategies[seller].sell_margin and value >= best:  # of equals the last
                    accepted, best = Event("accept", seller, space, price, buyer), value
        yield accepted or Event("decline", seller, space)


def wants(state: State, player: int, space: int, bid: int) -> bool:
    """Whether having the space for the bid that stands is better than the worst of an opponent having it."""
    worst = min(state.bought(other, space, bid).value(player) for other in state.opponents(player))
    return state.bought(player, space, bid).value(player) > worst


def auction(state: State, space: int, lander: int) -> Iterator[Event]:
    """The English auction by ones; the lander bids last, and who is left alone is not asked."""
    bidders, bid = [*state.opponents(lander), lander], 0
    while len(bidders) > 1:
        player = bidders.pop(0)
        if state.money[player] > bid and wants(state, player, space, bid):
            bid += 1
            bidders.append(player)
            yield Event("bid", player, space, bid)
        else:
            yield Event("pass", player, space, bid)
    winner = bidders[0]
    state.deeds[winner].append(space)
    state.money[winner] -= bid
    yield Event("buy", winner, space, bid)


def take_turn(state: State, player: int, die: int, deals: bool) -> Iterator[Event]:
    """Announce deals, move, then pay rent or hold the auction."""
    if deals:
        yield from announce_deals(state, player)
    space = (state.places[player] + die) % len(BOARD)
    state.places[player] = space
    yield Event("roll", player, space, die)
    owner = state.owner(space)
    if BOARD[space].cost == 0 or owner == player:
        return
    if owner is None:
        yield from auction(state, space, player)
        return
    rent = state.rent(space)
    paid = min(rent, state.money[player])
    state.money[player] -= paid
    state.money[owner] += paid
    yield Event("rent" if paid == rent else "bankrupt", player, space, paid, owner)


def game(
    strategies: Sequence[Strategy], dice: Iterable[int], rounds: int = 40, money: int = 500, deals: bool = True
) -> Iterator[Event]:
    """A game, event after event; at the end a "win" of everybody who has most money.

    Without deals it leaves out the sell phase, which decides nothing.
    """
    state, rolls = State(strategies, money), iter(dice)
    for event in (
        event
        for _ in range(rounds)
        for player in range(len(strategies))
        for event in take_turn(state, player, next(rolls), deals)
    ):
        yield event
        if event.kind == "bankrupt":
            break
    for player, has in enumerate(state.money):
        if has == max(state.money):
            yield Event("win", player, amount=has)


def winners(events: Iterable[Event]) -> list[int]:
    """Who won, several in a tie."""
    return [event.player for event in events if event.kind == "win"]


def rolls(r: random.Random) -> Iterator[int]:
    """Dice for ever."""
    while True:
        yield r.randint(1, 6)


def series(names: Sequence[str], games: int, r: random.Random, deals: bool = True) -> list[int]:
    """Wins of each strategy in games with shuffled turns; a tie counts for nobody."""
    wins = [0] * len(names)
    order = list(range(len(names)))
    for _ in range(games):
        r.shuffle(order)
        won = winners(game([STRATEGIES[names[i]] for i in order], rolls(r), deals=deals))
        if len(won) == 1:
            wins[order[won[0]]] += 1
    return wins


#: Line-ups and their published percentages of 1,000 games.
TABLES = (
    (("greedy", "tight", "optimal"), (29, 25, 46)),
    (("optimal", "random-tester-1", "tight"), (45, 39, 16)),
    (("optimal", "random-tester-1", "greedy"), (53, 24, 23)),
    (("optimal", "random-tester-1", "random-tester-2"), (48, 11, 41)),
    (("optimal", "random-tester-3", "random-tester-1"), (55, 20, 25)),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games of each table")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    r, begin = random.Random(chosen.seed), time.process_time()
    for names, published in TABLES:
        shares = [100 * won / chosen.games for won in series(names, chosen.games, r, deals=False)]
        line = (
            f"{name} {share:.0f} (published {old})" for name, share, old in zip(names, shares, published, strict=True)
        )
        print(", ".join(line))
    print(f"{len(TABLES) * chosen.games / (time.process_time() - begin):.1f} games a second, deals left out")


if __name__ == "__main__":
    main()
