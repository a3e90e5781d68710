"""Golden games: `leodopoly(preset=published)` plays, decision by decision, as the dissertation's code does.

The judge is `benchmarks/leodopoly_published.py`, which shares nothing with the rules or the agents.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence

import pytest

from benchmarks.leodopoly_published import STRATEGIES, Event, game
from parlor.game import CHANCE, Position
from tests.games.leodopoly_positions import SPACES, leodopoly, money, owners

LINEUPS = (
    ("greedy", "tight", "optimal"),
    ("random-tester-2", "optimal", "random-tester-1"),
    ("optimal", "irrational", "random-tester-3", "tight"),
)
#: Seed 15 of Python's dice: enough for forty rounds of four players.
DICE = tuple(random.Random(15).randint(1, 6) for _ in range(160))


class Follower:
    """Our game beside a published one: everything that happens there must be possible here, and do the same."""

    def __init__(self, names: Sequence[str], auction: str) -> None:
        self.position: Position = leodopoly(players=len(names), auction=auction).start()
        self.money = [500] * len(names)
        self.owners: dict[int, int] = {}
        self.answers: dict[int, str] = {}  # space -> what its seller says to the offers
        self.limits: dict[int, list[int]] = defaultdict(list)  # player -> the bids it made in this auction
        self.sealed = auction == "sealed"
        self.decisions = 0

    def play(self, player: int, move: str) -> None:
        """A player makes a move."""
        assert self.position.turn == player
        self.decisions += 1
        self.position = self.position.after(move)

    def follow(self, events: Iterable[Event]) -> None:
        """To the end of a game."""
        for event in events:
            getattr(self, f"on_{event.kind}")(event)
        assert self.position.over

    def balance(self) -> None:
        """Money and deeds are the same in both games."""
        assert money(self.position) == self.money
        assert owners(self.position) == self.owners

    def on_offer(self, event: Event) -> None:
        """A property is put up before the first offer for it; who has no money is not asked here."""
        if not self.position.state.put_up >> event.space & 1:
            self.play(event.other, f"put up {SPACES[event.space]}")
        if self.money[event.player]:
            self.play(event.player, f"offer {event.amount}" if event.amount else "no offer")

    def on_accept(self, event: Event) -> None:
        """Here all offers are made before any is answered."""
        self.answers[event.space] = f"accept {event.amount} of player {event.other}"

    def on_decline(self, event: Event) -> None:
        self.answers[event.space] = "refuse"

    def on_roll(self, event: Event) -> None:
        while self.position.turn != CHANCE:
            self.play(event.player, self.answers.pop(self.position.state.lot))
        assert all(answer == "refuse" for answer in self.answers.values()), "there were no offers to refuse"
        self.answers.clear()
        self.balance()  # an announced deal changes nothing
        self.position = self.position.after(f"die {event.amount}")
        assert self.position.state.position[event.player] == event.space
        self.limits.clear()

    def on_rent(self, event: Event) -> None:
        self.money[event.player] -= event.amount
        self.money[event.other] += event.amount
        self.balance()

    def on_bankrupt(self, event: Event) -> None:
        self.on_rent(event)
        assert self.position.over
        assert self.position.state.bankrupt == event.player + 1

    def on_bid(self, event: Event) -> None:
        self.limits[event.player].append(event.amount)
        if not self.sealed:
            self.play(event.player, "raise")
            assert self.position.state.bid in (event.amount, 0)  # 0: it was the last bid

    def on_pass(self, event: Event) -> None:
        """Who cannot raise is not asked here."""
        if not self.sealed and self.money[event.player] > event.amount:
            self.play(event.player, "pass")

    def on_buy(self, event: Event) -> None:
        """In a sealed auction the last bids were the limits."""
        if self.sealed:
            while self.position.state.lot == event.space and self.position.turn != CHANCE:
                bids = self.limits[self.position.turn]
                self.play(self.position.turn, f"limit {bids[-1]}" if bids else "no bid")
        self.money[event.player] -= event.amount
        self.owners[event.space] = event.player
        self.balance()

    def on_win(self, event: Event) -> None:
        assert self.position.over
        assert self.position.state.won >> event.player & 1
        assert self.money[event.player] == event.amount == max(self.money)


@pytest.mark.parametrize("auction", ["sealed", "english"])
@pytest.mark.parametrize("names", LINEUPS, ids="/".join)
def test_the_rules_allow_a_published_game_and_do_the_same(names: Sequence[str], auction: str) -> None:
    follower = Follower(names, auction)
    follower.follow(game([STRATEGIES[name] for name in names], DICE))
    assert follower.decisions > 100
