"""Golden games: `leodopoly(preset=published)` plays, decision by decision, as the dissertation's code does.

The judge is `benchmarks/leodopoly_published.py`, which shares nothing with the rules or the agents.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import pytest
from leodopoly_published import STRATEGIES, Event, Strategy, game, rolls, winners

from parlor.agents.registry import make_agent
from parlor.arena.match import play_match
from parlor.game import CHANCE, Position
from parlor.game.rng import choose, seed_stream
from tests.games.leodopoly.leodopoly_positions import SPACES, leodopoly, money, owners

LINEUPS = (
    ("greedy", "tight", "optimal"),
    ("random-tester-2", "optimal", "random-tester-1"),
    ("optimal", "irrational", "random-tester-3", "tight"),
)
#: Seed 15 of Python's dice: enough for forty rounds of four players.
DICE = tuple(random.Random(15).randint(1, 6) for _ in range(160))


class Follower:
    """Our game beside a published one: everything that happens there must be possible here, and do the same.

    If it shall `ask`, our agents must decide so, too.
    """

    def __init__(self, names: Sequence[str], auction: str, ask: bool) -> None:
        self.position: Position = leodopoly(players=len(names), auction=auction).start()
        self.agents = [make_agent(name, self.position.game) for name in names] if ask else None
        self.money = [500] * len(names)
        self.owners: dict[int, int] = {}
        self.answers: dict[int, str] = {}  # space -> what its seller says to the offers
        self.bids: dict[int, int] = {}  # player -> its last bid in this auction
        self.passes: dict[int, int] = {}  # player -> the bid at which it passed
        self.sealed = auction == "sealed"
        self.decisions = 0

    def play(self, player: int, move: str) -> None:
        """A player makes a move."""
        assert self.position.turn == player
        assert self.chosen() in (None, move)
        self.decisions += 1
        self.position = self.position.after(move)

    def chosen(self) -> str | None:
        """What our agent does here; nothing if there are no agents."""
        if self.agents is None:
            return None
        position = self.position
        action = self.agents[position.turn].act(position.state, position.turn, [1, 2, 3, 4])
        return position.game.words.describe(position.state, action)

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
            assert self.position.turn == event.other
            self.position = self.position.after(f"put up {SPACES[event.space]}")
        if self.money[event.player]:
            self.play(event.player, f"offer {event.amount}" if event.amount else "no offer")

    def on_accept(self, event: Event) -> None:
        """Here all offers are made before any is answered."""
        self.answers[event.space] = f"accept {event.amount} of player {event.other}"

    def on_decline(self, event: Event) -> None:
        self.answers[event.space] = "refuse"

    def on_roll(self, event: Event) -> None:
        while self.position.turn != CHANCE:
            self.play(event.player, self.answers.pop(self.position.state.lot, "roll"))
        assert all(answer == "refuse" for answer in self.answers.values()), "there were no offers to refuse"
        self.answers.clear()
        self.balance()  # an announced deal changes nothing
        self.position = self.position.after(f"die {event.amount}")
        assert self.position.state.position[event.player] == event.space
        self.bids, self.passes = {}, {}

    def on_rent(self, event: Event) -> None:
        self.money[event.player] -= event.amount
        self.money[event.other] += event.amount
        self.balance()

    def on_bankrupt(self, event: Event) -> None:
        self.on_rent(event)
        assert self.position.over
        assert self.position.state.bankrupt == event.player + 1

    def on_bid(self, event: Event) -> None:
        self.bids[event.player] = event.amount
        if not self.sealed:
            self.play(event.player, "raise")
            assert self.position.state.bid in (event.amount, 0)  # 0: it was the last bid

    def on_pass(self, event: Event) -> None:
        """Who cannot raise is not asked here."""
        self.passes[event.player] = event.amount
        if not self.sealed and self.money[event.player] > event.amount:
            self.play(event.player, "pass")

    def on_buy(self, event: Event) -> None:
        """In a sealed auction a limit is what the bids and the pass of its player say; if not asked, its last bid."""
        while self.sealed and self.position.state.bidding:
            player = self.position.turn
            bid = self.bids.get(player, 0)
            move = self.chosen() or (f"limit {bid}" if bid else "no bid")
            limit = 0 if move == "no bid" else int(move.removeprefix("limit "))
            assert bid <= limit <= self.passes.get(player, limit)
            self.play(player, move)
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
    follower = Follower(names, auction, ask=False)
    follower.follow(game([STRATEGIES[name] for name in names], DICE))
    assert follower.decisions > 100


@pytest.mark.parametrize("auction", ["sealed", "english"])
@pytest.mark.parametrize("names", LINEUPS, ids="/".join)
def test_strategies_decide_as_published(names: Sequence[str], auction: str) -> None:
    """Every offer, every answer to offers and every bid, on a fixed list of dice."""
    follower = Follower(names, auction, ask=True)
    follower.follow(game([STRATEGIES[name] for name in names], DICE))
    assert follower.decisions > 100


def any_strategy(r: random.Random) -> tuple[str, Strategy]:
    """A published strategy or any numbers: the agent and the numbers of its peer."""
    if r.random() < 0.5:
        return r.choice(list(STRATEGIES.items()))
    numbers = Strategy(
        r.choice((0, 1, 3.5, 8)), r.choice((0, 0.1, 0.3, 1)), r.choice((0, 0.7, 2, 5)), r.choice((0, 10, 80)),
        r.choice((0, 10, 80)), r.choice((0, 90, 400)), r.choice((0, 200, 1000)), r.choice((0, 700, 9000, 30000)),
    )  # fmt: skip
    return f"strategy({','.join(f'{name}={number}' for name, number in numbers._asdict().items())})", numbers


@pytest.mark.slow
def test_strategies_decide_as_published_on_any_dice() -> None:
    """Line-ups, numbers and dice at random; mostly without deals, which change nothing and take most of the time."""
    r = random.Random(7)
    for number in range(20):
        lineup = [any_strategy(r) for _ in range(r.choice((2, 3, 3, 4)))]
        published = game([numbers for _, numbers in lineup], rolls(r), deals=number < 4)
        Follower([agent for agent, _ in lineup], "sealed", ask=True).follow(published)


@pytest.mark.slow
def test_compiled_matches_have_the_winners_of_published_games() -> None:
    """The dice of a match are drawn from the stream of the deal."""
    names = ("greedy", "tight", "optimal")
    ours = leodopoly()
    match = play_match(ours, [make_agent(name, ours) for name in names], 30, seed=3, duplicate=False)
    for index, lineup in enumerate(match.lineups.tolist()):
        stream = [0, 0, 0, 0]
        seed_stream(stream, 3, index * (len(names) + 1))
        dice = (choose(stream, [1 / 6] * 6, 6) + 1 for _ in range(120))
        won = winners(game([STRATEGIES[names[seat]] for seat in lineup], dice, deals=False))
        payoffs = [float(won == [p]) for p in range(len(names))]
        assert match.payoffs[index].tolist() == payoffs
