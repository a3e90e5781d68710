"""Tiny Bridge: the play of the cards, scores, the auction, buckets."""

import itertools

import pyspiel
import pytest

from parlor.game.loading import load
from parlor.games.tiny_bridge import rules as rules

CARDS = [rules.card_name(card) for card in range(8)]


def hand(text: str) -> int:
    return rules.CARDS * (cards := sorted(CARDS.index(card) for card in text.split()))[0] + cards[1]


@pytest.mark.parametrize(
    ("hands", "trumps", "won"),
    [
        (("A♠ K♠", "J♥ Q♥", "Q♠ J♠", "A♥ K♥"), 2, 2),  # the leader runs a suit that nobody else can take
        (("A♠ K♠", "J♥ Q♥", "Q♠ J♠", "A♥ K♥"), 0, 0),  # and both are ruffed when hearts are trumps
        (("J♠ Q♥", "K♠ A♥", "A♠ Q♠", "J♥ K♥"), 2, 2),  # a spade to the ace, and the queen is good
        (("J♠ Q♥", "K♠ A♥", "A♠ Q♠", "J♥ K♥"), 0, 0),  # but the ace is ruffed when hearts are trumps
        (("K♥ J♥", "A♥ J♠", "Q♥ Q♠", "A♠ K♠"), 2, 0),  # the ace of hearts, then a spade
    ],
)
def test_the_two_tricks_are_played_perfectly(hands: tuple[str, ...], trumps: int, won: int) -> None:
    leader, second, third, fourth = map(hand, hands)
    assert rules.tricks(leader, second, third, fourth, trumps) == won


def test_every_contract_scores_as_in_openspiel() -> None:
    game = pyspiel.load_game("tiny_bridge_4p")
    hands = [rules.hand_of(outcome) for outcome in range(rules.HANDS)]
    dealt = [d for d in itertools.permutations(hands, 4) if sum(map(rules.cards_of, d)) == 2**8 - 1]
    assert len(dealt) == 2520  # 28 * 15 * 6
    for deal in dealt[::40]:
        state = game.new_initial_state()
        for held in deal:
            one, two = rules.low(held), rules.high(held)
            state.apply_action(two * (two - 1) // 2 + one)
        for seat, bid in itertools.product(range(4), range(1, 7)):
            ended = state.clone()
            for call in [rules.PASS] * seat + [bid] + [rules.PASS] * 3:
                ended.apply_action(call)
            assert rules.contract_score(bid, seat, *deal) == ended.returns()[seat]


def test_scores() -> None:
    names = {name: call for call, name in enumerate(rules.CALL_NAMES)}
    assert [rules.score(names["1♥"], won) for won in (0, 1, 2)] == [-20, 10, 20]
    assert [rules.score(names["2♠"], won) for won in (0, 1, 2)] == [-40, -20, 30]
    assert rules.score(names["2NT"], 2) == 35


def test_two_players_get_the_mean_over_the_cards_of_the_others() -> None:
    west, east = "A♠ K♠", "Q♥ J♥"
    left = [card for card in CARDS if card not in f"{west} {east}"]
    total = 0
    for north in itertools.combinations(left, 2):
        south = [card for card in left if card not in north]
        total += rules.contract_score(3, 0, *(hand(h) for h in (west, " ".join(north), east, " ".join(south))))
    ended = load("tiny-bridge").start().after(f"{west} to player 0", f"{east} to player 1", "1NT", "pass")
    assert ended.payoffs == pytest.approx([total / 6] * 2)


def test_doubles_multiply_and_only_opponents_may_double() -> None:
    dealt = load("tiny-bridge(players=4)").start()
    for p, cards in enumerate(("A♠ Q♠", "A♥ Q♥", "J♠ K♥", "K♠ J♥")):
        dealt = dealt.after(f"{cards} to player {p}")
    bid = dealt.after("1♠")
    assert bid.after("pass", "pass", "pass").payoffs == [20, -20, 20, -20]
    doubled = bid.after("double")
    assert doubled.after("pass", "pass", "pass").payoffs == [40, -40, 40, -40]
    assert "redouble" in doubled.legal
    assert doubled.after("redouble", "pass", "pass", "pass").payoffs == [80, -80, 80, -80]
    assert "double" not in bid.after("pass").legal  # the partner's bid
    assert "redouble" not in doubled.after("pass").legal  # the partner's double
    assert bid.after("double", "1NT").legal[-1] == "double"  # a new bid is not doubled
    assert dealt.after(*["pass"] * 4).payoffs == [0, 0, 0, 0]


def test_hands_are_put_into_twelve_buckets() -> None:
    buckets: dict[int, set[str]] = {}
    for outcome in range(rules.HANDS):
        held = rules.hand_of(outcome)
        buckets.setdefault(rules.bucket(held), set()).add(" ".join(rules.hand_cards(held)))
    assert len(buckets) == 12
    assert {"K♠ J♠", "K♠ Q♠"} in buckets.values()
    assert {"A♥ Q♥", "A♥ K♥"} in buckets.values()
    assert {"A♠ J♠"} in buckets.values()
    assert {"A♠ J♥", "A♠ Q♥", "A♠ K♥"} in buckets.values()
