"""Small games against referees of their own: every payoff and every set of legal moves computed a second time.

Random games in plain Python, with the options that are not the default; a referee knows only the names of the moves.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from parlor.game import CHANCE, Game, Position
from parlor.game.loading import load
from parlor.game.seats.visibility import visible_move


def played(game: Game, seed: int) -> Iterator[Position]:
    """Every position of a random game; outcomes of chance are drawn alike."""
    luck = random.Random(seed)
    position = game.start()
    yield position
    while not position.over:
        position = position.after(luck.choice(position.actions))
        yield position


def functions(game: Game) -> Any:
    """The rules file that was loaded for these options: what it defines, by name."""
    return game.rules.play.__globals__


# --------------------------------------------------------------------------------------------------------- liar's dice

DICE = [(1, 6), (2, 4), (3, 3), (4, 2), (4, 3), (5, 2), (5, 3), (5, 6), (3, 10)]


@pytest.mark.parametrize(("dice", "faces"), DICE)
def test_liars_dice_is_decided_by_counting_dice(dice: int, faces: int) -> None:
    game = load(f"liars-dice(dice={dice},faces={faces})")
    for seed in range(6):
        rolled: list[list[int]] = [[], []]
        bids: list[tuple[int, int]] = []
        for position in played(game, seed):
            said = position.history[-1] if position.history else ""
            if said.startswith("player"):
                _, who, _, rolls = said.split()
                rolled[int(who)].append(int(rolls))
            elif "-" in said:
                count, face = map(int, said.split("-"))
                bids.append((count, face))
            if len(rolled[0]) + len(rolled[1]) < 2 * dice:
                assert position.turn == CHANCE
                assert position.odds == pytest.approx(
                    {f"player {len(rolled[0]) // dice} rolls {face}": 1 / faces for face in range(1, faces + 1)}
                )
                continue
            higher = [
                f"{count}-{face}"
                for count in range(1, 2 * dice + 1)
                for face in range(1, faces + 1)
                if not bids or (count, face) > bids[-1]
            ]
            if not position.over:
                assert position.turn == len(bids) % 2
                assert position.legal == higher + ["liar"] * bool(bids)
                continue
            count, face = bids[-1]
            showing = sum(die in (face, faces) for die in rolled[0] + rolled[1])
            bidder = (len(bids) - 1) % 2
            won = bidder if showing >= count else 1 - bidder
            assert position.payoffs == [1.0 if p == won else -1.0 for p in range(2)]


@pytest.mark.parametrize(("dice", "faces"), [(1, 6), (2, 3), (4, 2), (4, 3), (5, 2), (5, 3)])
def test_hidden_dice_have_a_code_each_and_the_weight_of_their_orders(dice: int, faces: int) -> None:
    game = load(f"liars-dice(dice={dice},faces={faces})")
    worlds = game.hidden.worlds
    assert worlds is not None
    assert worlds.world_numbers is not None
    assert worlds.describe_world is not None
    orders = Counter(
        tuple(throw.count(face) for face in range(faces)) for throw in itertools.product(range(faces), repeat=dice)
    )
    throws = sorted(orders)  # few low faces come first
    assert worlds.count == len(throws)
    state = game.start().state.copy()
    state.rolled = 2 * dice
    for p in range(2):
        codes, weights = [0] * len(throws), [0.0] * len(throws)
        assert worlds.possible(state, p, codes, weights) == len(throws)
        assert codes == list(range(len(throws)))
        assert weights == [orders[throw] for throw in throws]
        for code, throw in enumerate(throws):
            worlds.set_hidden_state(state, p, code)
            assert tuple(state.dice[1 - p]) == throw == tuple(worlds.world_numbers(code))
            assert worlds.hidden(state, p) == code
            shown = worlds.describe_world(code).split()
            assert shown == [str(face + 1) for face in range(faces) for _ in range(throw[face])]
    assert sum(weights) == faces**dice


@pytest.mark.parametrize(("dice", "faces"), [(2, 3), (4, 2), (5, 3)])
def test_bids_can_be_taken_back_one_by_one(dice: int, faces: int) -> None:
    game = load(f"liars-dice(dice={dice},faces={faces})")
    worlds = game.hidden.worlds
    assert worlds is not None
    for seed in range(8):
        positions = [position for position in played(game, seed) if position.turn != CHANCE]
        names = positions[-1].history[2 * dice :]
        for made, position in enumerate(positions):
            assert worlds.decisions(position.state) == made
            for k in range(made + 1):
                state = position.state.copy()
                if k < made:
                    assert positions[k].action(names[k]) == worlds.decision(state, k)
                worlds.rewind(state, k)
                assert repr(state) == repr(positions[k].state)


# ------------------------------------------------------------------------------------------------------------- sheriff

SHERIFFS = [
    ({}, (2, 2, 2, 5, 1, 1)),
    ({"preset": "ten-items"}, (10, 2, 2, 5, 1, 1)),
    ({"preset": "openspiel"}, (3, 3, 4, 1, 2, 3)),
    (
        {"items": 4, "bribe": 3, "rounds": 1, "item_value": 7, "item_penalty": 3, "sheriff_penalty": 9},
        (4, 3, 1, 7, 3, 9),
    ),
    (
        {"items": 1, "bribe": 6, "rounds": 3, "item_value": 2, "item_penalty": 5, "sheriff_penalty": 4},
        (1, 6, 3, 2, 5, 4),
    ),
]


@pytest.mark.parametrize(("options", "numbers"), SHERIFFS)
def test_only_the_last_round_counts_for_the_sheriff(
    options: dict[str, int | str], numbers: tuple[int, int, int, int, int, int]
) -> None:
    items, bribe, rounds, value, penalty, sorry = numbers
    game = load("sheriff", **options)
    assert game.payoffs is not None
    lowest, highest, together = math.inf, -math.inf, -math.inf
    for loaded, offered, inspects in itertools.product(range(items + 1), range(bribe + 1), (False, True)):
        luck = random.Random(loaded * 100 + offered * 2 + inspects)
        position = game.start()
        assert (position.turn, position.legal) == (0, [f"load {n}" for n in range(items + 1)])
        position = position.after(f"load {loaded}")
        for round_ in range(rounds):
            assert (position.turn, position.legal) == (0, [f"offer {n}" for n in range(bribe + 1)])
            last = round_ == rounds - 1
            position = position.after(f"offer {offered if last else luck.randint(0, bribe)}")
            assert (position.turn, position.legal) == (1, ["let pass", "inspect"])
            position = position.after(("let pass", "inspect")[inspects if last else luck.randint(0, 1)])
        if inspects:
            expected = [-penalty * loaded, penalty * loaded] if loaded else [sorry, -sorry]
        else:
            expected = [value * loaded - offered, offered]
        assert position.payoffs == expected
        lowest, highest = min(lowest, *expected), max(highest, *expected)
        together = max(together, sum(expected))
    assert game.payoffs[0] <= lowest
    assert game.payoffs[1] >= highest
    assert game.payoffs[2] == together


def test_the_sheriff_knows_what_was_said_and_not_what_was_loaded() -> None:
    game = load("sheriff(items=3,bribe=2,rounds=2)")
    heard: dict[tuple[str, ...], set[int]] = {}
    known: dict[tuple[str, ...], set[int]] = {}
    for loaded, first, said, second in itertools.product(range(4), range(3), ("let pass", "inspect"), range(3)):
        moves = (f"load {loaded}", f"offer {first}", said, f"offer {second}")
        position = game.start().after(*moves)
        heard.setdefault(moves[1:], set()).add(position.key(1))
        known.setdefault(moves, set()).add(position.key(0))
        words = position.show(1)
        assert "loaded" not in words
        assert f"offers {first}, player 1 says {said}; player 0 offers {second}" in words
        assert f"loaded {('no illegal item', 'one illegal item', '2 illegal items', '3 illegal items')[loaded]}" in (
            position.show(0)
        )
    assert all(len(keys) == 1 for keys in heard.values())
    assert len(set.union(*heard.values())) == len(heard)
    assert len(set.union(*known.values())) == len(known)


# ----------------------------------------------------------------------------------------------------------- goofspiel

GOOFSPIELS = [
    f"goofspiel(players={players},cards={cards},imperfect={imperfect},order={order},returns={returns})"
    for (players, cards), imperfect, (order, returns) in itertools.product(
        [(2, 4), (3, 4), (2, 7)],
        ["true", "false"],
        [("descending", "win-loss"), ("ascending", "point-difference"), ("random", "total-points")],
    )
]


@pytest.mark.parametrize("name", GOOFSPIELS)
def test_goofspiel_is_settled_as_by_hand(name: str) -> None:
    game = load(name)
    options, players, cards = game.options, game.players, int(game.options["cards"])
    for seed in range(4):
        hands = [set(range(1, cards + 1)) for _ in range(players)]
        left, points, rounds, table = set(range(1, cards + 1)), [0] * players, 0, []
        up = {"descending": cards, "ascending": 1, "random": 0}[options["order"]]
        left -= {up}
        luck, position = random.Random(seed), game.start()
        while rounds < cards - 1:
            if not up:
                assert position.turn == CHANCE
                assert position.odds == pytest.approx({f"prize {prize}": 1 / len(left) for prize in sorted(left)})
                up = luck.choice(sorted(left))
                left -= {up}
                position = position.after(f"prize {up}")
            bids = []
            for p in range(players):
                assert position.turn == p
                assert position.legal == [f"bid {card}" for card in sorted(hands[p])]
                bids.append(luck.choice(sorted(hands[p])))
                hands[p] -= {bids[-1]}
                position = position.after(f"bid {bids[-1]}")
            table.append((up, bids))
            rounds += 1
            state = position.state
            assert (state.bids, list(state.bid)) == (0, [0] * players), "what was bid is settled"
            assert state.round == (rounds if rounds < cards - 1 else cards)
            if rounds == cards - 1:  # the last cards play themselves
                table.append((left.pop(), [hand.pop() for hand in hands]))
            up = {"descending": cards - rounds, "ascending": rounds + 1, "random": 0}[options["order"]]
            left -= {up}
        winners = []
        for prize, bids in table:
            best = [p for p in range(players) if bids[p] == max(bids)]
            winners.append(best[0] if len(best) == 1 else -1)
            if len(best) == 1:
                points[best[0]] += prize
        assert position.over
        assert list(position.state.points) == points
        most = [p for p in range(players) if points[p] == max(points)]
        lost = players - len(most)
        expected = {
            "total-points": [float(has) for has in points],
            "point-difference": [has - sum(points) / players for has in points],
            "win-loss": [0.0 if not lost else 1 / len(most) if p in most else -1 / lost for p in range(players)],
        }[options["returns"]]
        assert position.payoffs == pytest.approx(expected)
        assert game.words.display is not None
        for p in range(players):
            shown = game.words.display(position.view(p))
            assert shown["winners"] == winners
            assert shown["prizes"] == [prize for prize, _ in table]
            assert shown["bids"] == [bids[p] for _, bids in table]
            assert shown["cards"] == []
            told = position.show(p)
            others = [f"player {q} showed {' '.join(str(bids[q]) for _, bids in table)}" for q in range(players)]
            assert all((line in told) == (options["imperfect"] == "false") for line in others)


def test_two_who_share_the_most_points_share_the_win() -> None:
    """Many bids of three players for four prizes: who has won, and what each of the losers pays."""
    game = load("goofspiel(players=3,cards=4)")
    shared, luck = 0, random.Random(1)
    for _ in range(300):
        orders = [luck.sample(range(1, 5), 4) for _ in range(3)]
        position = game.start().after(*(f"bid {orders[p][turn]}" for turn in range(3) for p in range(3)))
        points = [0] * 3
        for turn, prize in enumerate((4, 3, 2, 1)):
            bids = [order[turn] for order in orders]
            if bids.count(max(bids)) == 1:
                points[bids.index(max(bids))] += prize
        most = points.count(max(points))
        shared += most == 2
        expected = [0.0 if most == 3 else 1 / most if has == max(points) else -1 / (3 - most) for has in points]
        assert position.payoffs == pytest.approx(expected)
    assert shared > 0


def test_goofspiel_keys_are_as_fine_as_what_was_seen() -> None:
    for imperfect in ("true", "false"):
        game = load(f"goofspiel(cards=4,imperfect={imperfect},order=random)")
        seen: dict[object, int] = {}
        for first, second, prize in itertools.product(range(1, 5), range(1, 5), range(2, 5)):
            position = game.start().after("prize 1", f"bid {first}", f"bid {second}", f"prize {prize}")
            winner = (first > second) - (first < second)
            knows: tuple[object, ...] = (first, prize, winner if imperfect == "true" else second)
            assert seen.setdefault(knows, position.key(0)) == position.key(0)
        assert len(set(seen.values())) == len(seen)


# ---------------------------------------------------------------------------------------------------------- trade comm


@pytest.mark.parametrize("items", [2, 3, 4])
def test_a_trade_counts_if_both_ask_for_it_from_their_own_side(items: int) -> None:
    game = load(f"trade-comm(items={items})")
    things = ("apple", "bell", "candle", "drum")[:items]
    assert game.start().odds == pytest.approx(
        {f"{a} to player 0, {b} to player 1": 1 / items**2 for a, b in itertools.product(things, repeat=2)}
    )
    trades = [f"trade {give} for {get}" for give, get in itertools.product(things, repeat=2)]
    keys: dict[tuple[object, ...], int] = {}
    for mine, yours in itertools.product(things, repeat=2):
        position = game.start().after(f"{mine} to player 0, {yours} to player 1")
        for word, answer in itertools.product(things, repeat=2):
            assert (position.turn, position.legal) == (0, [f"say {thing}" for thing in things])
            spoken = position.after(f"say {word}")
            assert (spoken.turn, spoken.legal) == (1, [f"say {thing}" for thing in things])
            asked = spoken.after(f"say {answer}")
            assert (asked.turn, asked.legal) == (0, trades)
            for p, item in enumerate((mine, yours)):
                assert keys.setdefault((p, item, word, answer), asked.key(p)) == asked.key(p)
        for one, other in itertools.product(trades, repeat=2):
            end = asked.after(one, other)
            right = one == f"trade {mine} for {yours}" and other == f"trade {yours} for {mine}"
            assert end.payoffs == [float(right)] * 2
            assert f"asked to {one}" in end.show(0)
            assert f"asked to {other}" in end.show(1)
            if items == 2:
                assert keys.setdefault((0, mine, one), asked.after(one).key(0)) == asked.after(one).key(0)
    assert len(set(keys.values())) == len(keys)


# --------------------------------------------------------------------------------------------------------- tiny bridge

RANKS = "JQKA"


def who_takes(cards: list[str], trumps: str) -> int:
    """The place of the card that takes a trick."""
    led = cards[0][1]
    return max(range(4), key=lambda i: (cards[i][1] == trumps, cards[i][1] == led, RANKS.index(cards[i][0])))


def side_tricks(hands: list[list[str]], leader: int, trumps: str, side: int) -> int:
    """Tricks of a side (the parity of its seats) if everybody sees all hands and plays perfectly."""

    def best(hands: list[list[str]], table: list[str], leader: int, won: int) -> int:
        if len(table) == 4:
            taker = (leader + who_takes(table, trumps)) % 4
            return best(hands, [], taker, won + (taker % 2 == side))
        seat = (leader + len(table)) % 4
        if not hands[seat]:
            return won
        follow = [card for card in hands[seat] if not table or card[1] == table[0][1]] or hands[seat]
        results = [
            best([[c for c in hand if c != card] for hand in hands], [*table, card], leader, won) for card in follow
        ]
        return max(results) if seat % 2 == side else min(results)

    return best(hands, [], leader, 0)


def score_by_hand(bid: str, made: int) -> int:
    """Points of the declaring side."""
    level, trumps = int(bid[0]), bid[1:]
    if made < level:
        return -20 * (level - made)
    if level == 1:
        return 10 + 10 * (made - 1)
    return 35 if trumps == "NT" else 30


def dealt(seed: int) -> list[list[str]]:
    """Four hands of two cards."""
    deck = [rank + suit for suit in "♥♠" for rank in RANKS]
    random.Random(seed).shuffle(deck)
    return [deck[2 * i : 2 * i + 2] for i in range(4)]


def hand_name(hand: list[str]) -> str:
    """As outcomes name it, the higher card first."""
    return " ".join(sorted(hand, key=lambda card: ("♥♠".index(card[1]), RANKS.index(card[0])), reverse=True))


@pytest.mark.parametrize("seed", range(25))
def test_four_hands_are_played_out_perfectly(seed: int) -> None:
    game = load("tiny-bridge(players=4)")
    hands, luck = dealt(seed), random.Random(seed)
    position = game.start().after(*(f"{hand_name(hand)} to player {p}" for p, hand in enumerate(hands)))
    order = ["1♥", "1♠", "1NT", "2♥", "2♠", "2NT"]
    bid, bidder, times, passes = "", -1, 1, 0
    while passes < (3 if bid else 4):
        seat = position.turn
        theirs = bid and (seat - bidder) % 2 == 1
        possible = ["pass", *(order[order.index(bid) + 1 :] if bid else order)]
        possible += ["double"] if theirs and times == 1 else []
        possible += ["redouble"] if bid and not theirs and times == 2 else []
        assert position.legal == possible
        call = luck.choice(["pass", *possible])
        position = position.after(call)
        passes = passes + 1 if call == "pass" else 0
        if call == "double":
            times = 2
        elif call == "redouble":
            times = 4
        elif call != "pass":
            bid, bidder, times = call, seat, 1
    assert position.over
    if not bid:
        assert position.payoffs == [0.0] * 4
        return
    made = side_tricks(hands, (bidder - 1) % 4, bid[1:], bidder % 2)
    points = times * score_by_hand(bid, made)
    assert position.payoffs == [points if p % 2 == bidder % 2 else -points for p in range(4)]
    assert game.words.display is not None
    assert game.words.display(position.view(0))["contract"] == [bid, str(bidder), str(times)]


@pytest.mark.parametrize("seed", range(3))
def test_whoever_takes_the_first_trick_leads_to_the_second(seed: int) -> None:
    """Many deals, every strain and every leader: the tricks of the leader's side."""
    inside = functions(load("tiny-bridge(players=4)"))
    deck = [rank + suit for suit in "♥♠" for rank in RANKS]
    for number in range(40):
        hands = dealt(1000 * seed + number)
        codes = [sorted(deck.index(card) for card in hand) for hand in hands]
        coded = [low * 8 + high for low, high in codes]
        for leader, (trumps, name) in itertools.product(range(4), enumerate(("♥", "♠", "NT"))):
            seats = [coded[(leader + i) % 4] for i in range(4)]
            assert inside["tricks"](*seats, trumps) == side_tricks(hands, leader, name, leader % 2)
        order = [(leader + i) % 4 for leader in (number % 4,) for i in range(4)]
        first, second = [[codes[q][k] for q in order] for k in (0, 1)]
        for trumps, name in enumerate(("♥", "♠", "NT")):
            taker = who_takes([deck[card] for card in first], name)
            again = [(taker + i) % 4 for i in range(4)]
            other = again[who_takes([deck[second[i]] for i in again], name)]
            won = (taker % 2 == 0) + (other % 2 == 0)
            assert inside["both_tricks"](*first, *second, trumps) == won


@pytest.mark.parametrize("seed", range(6))
def test_a_pair_gets_the_mean_over_the_cards_of_the_others(seed: int) -> None:
    """The function itself, in plain Python: the game calls it compiled."""
    inside = functions(load("tiny-bridge"))
    hands, luck = dealt(100 + seed), random.Random(seed)
    others = hands[1] + hands[3]
    deck = [rank + suit for suit in "♥♠" for rank in RANKS]
    west, east = ([deck.index(card) for card in hand] for hand in (hands[0], hands[2]))
    coded = [min(hand) * 8 + max(hand) for hand in (west, east)]
    number, bid = luck.choice(list(enumerate(["1♥", "1♠", "1NT", "2♥", "2♠", "2NT"], 1)))
    seat = luck.choice([0, 2])
    scores = []
    for north in itertools.combinations(others, 2):
        four = [hands[0], list(north), hands[2], [card for card in others if card not in north]]
        scores.append(score_by_hand(bid, side_tricks(four, (seat - 1) % 4, bid[1:], 0)))
    assert inside["mean_score"](number, seat, *coded) == pytest.approx(sum(scores) / 6)


def test_hands_are_numbered_and_put_into_twelve_buckets() -> None:
    inside = functions(load("tiny-bridge"))
    pairs = list(itertools.combinations(range(8), 2))
    assert [inside["hand_of"](outcome) for outcome in range(28)] == [low * 8 + high for low, high in pairs]
    first = load("tiny-bridge").start()
    assert first.odds == pytest.approx(dict.fromkeys(first.legal, 1 / 28))
    second = first.after(first.legal[0])
    assert len(second.legal) == 15
    assert second.odds == pytest.approx(dict.fromkeys(second.legal, 1 / 15))
    #: two suits: by the aces among them; one suit: QJ; KJ or KQ; AJ; AQ or AK
    groups: dict[object, set[int]] = {}
    for low, high in pairs:
        if low // 4 != high // 4:
            kind: tuple[object, ...] = ("mixed", low % 4 == 3, high % 4 == 3)
        else:
            names = RANKS[low % 4] + RANKS[high % 4]
            kind = (low // 4, {"JQ": 0, "JK": 1, "QK": 1, "JA": 2, "QA": 3, "KA": 3}[names])
        groups.setdefault(kind, set()).add(inside["bucket"](low * 8 + high))
    assert len(groups) == 12
    assert sorted(bucket for found in groups.values() for bucket in found) == list(range(1, 13))


# ---------------------------------------------------------------------------------------------------------- battleship

FLEETS = [
    ("battleship", 2, 2, [1, 2], [1, 1], 3, 2, True),
    ("battleship(width=3,height=2,ships=21,values=35,shots=4,loss=1,repeats=false)", 3, 2, [2, 1], [3, 5], 4, 1, False),
    ("battleship(width=3,height=3,ships=23,values=07,shots=6,loss=3)", 3, 3, [2, 3], [0, 7], 6, 3, True),
    ("battleship(width=1,height=4,ships=12,values=42,shots=3,repeats=false)", 1, 4, [1, 2], [4, 2], 3, 2, False),
    ("battleship(width=4,height=1,ships=12,shots=2)", 4, 1, [1, 2], [1, 1], 2, 2, True),
    ("battleship(width=2,height=2,ships=112,shots=3)", 2, 2, [1, 1, 2], [1, 1, 1], 3, 2, True),
    ("battleship(width=3,height=2,ships=123,shots=2)", 3, 2, [1, 2, 3], [1, 1, 1], 2, 2, True),
    ("battleship(width=3,height=1,ships=12,shots=2)", 3, 1, [1, 2], [1, 1], 2, 2, True),
    ("battleship(width=3,height=3,ships=1323,shots=2)", 3, 3, [1, 3, 2, 3], [1, 1, 1, 1], 2, 2, True),
]


def places(width: int, height: int, size: int) -> list[frozenset[tuple[int, int]]]:
    """Where a ship can lie, across first, by its first cell, row by row."""
    across = [
        frozenset((row, column + i) for i in range(size))
        for row in range(height)
        for column in range(width)
        if column + size <= width
    ]
    down = [
        frozenset((row + i, column) for i in range(size))
        for row in range(height)
        for column in range(width)
        if row + size <= height and size > 1
    ]
    return across + down


def fits(taken: frozenset[tuple[int, int]], sizes: list[int], width: int, height: int) -> bool:
    """Whether ships of these sizes have room."""
    if not sizes:
        return True
    return any(
        not ship & taken and fits(taken | ship, sizes[1:], width, height) for ship in places(width, height, sizes[0])
    )


def ship_name(ship: frozenset[tuple[int, int]]) -> str:
    """By its ends."""
    ends = [f"{'ABCD'[column]}{row + 1}" for row, column in (min(ship), max(ship))]
    return ends[0] if len(ship) == 1 else "-".join(ends)


@pytest.mark.parametrize(("name", "width", "height", "sizes", "values", "shots", "loss", "repeats"), FLEETS)
def test_battles_are_fought_as_on_paper(
    name: str, width: int, height: int, sizes: list[int], values: list[int], shots: int, loss: int, repeats: bool
) -> None:
    game = load(name)
    cells = [(row, column) for row in range(height) for column in range(width)]
    for seed in range(6):
        luck, position = random.Random(seed), game.start()
        ships: list[list[frozenset[tuple[int, int]]]] = [[], []]
        for number in range(2 * len(sizes)):
            p, k = number % 2, number // 2
            taken = frozenset().union(*ships[p])
            possible = [
                ship
                for ship in places(width, height, sizes[k])
                if not ship & taken and fits(taken | ship, sizes[k + 1 :], width, height)
            ]
            assert (position.turn, position.legal) == (p, [f"place {ship_name(ship)}" for ship in possible])
            ships[p].append(luck.choice(possible))
            position = position.after(f"place {ship_name(ships[p][k])}")
        struck: list[set[tuple[int, int]]] = [set(), set()]
        told: list[list[str]] = [[], []]
        for number in range(2 * shots):
            p = number % 2
            if any(all(ship <= struck[1 - q] for ship in ships[q]) for q in range(2)):
                break
            free = [cell for cell in cells if repeats or cell not in struck[p]]
            assert (position.turn, position.legal) == (p, [f"shoot {ship_name(frozenset([cell]))}" for cell in free])
            cell = luck.choice(free)
            struck[p].add(cell)
            hit = [ship for ship in ships[1 - p] if cell in ship]
            result = "missed" if not hit else "sunk" if hit[0] <= struck[p] else "hit"
            told[p].append(f"{ship_name(frozenset([cell]))} ({result})")
            position = position.after(f"shoot {ship_name(frozenset([cell]))}")
            for viewer in range(2):
                assert f"player {p} has shot at {', '.join(told[p])}" in position.show(viewer)
        assert position.over
        lost = [sum(v for ship, v in zip(ships[q], values, strict=True) if ship <= struck[1 - q]) for q in range(2)]
        assert position.payoffs == [lost[1 - p] - loss * lost[p] for p in range(2)]


@pytest.mark.parametrize("name", ["battleship(width=3,height=2,ships=21,shots=4)", "battleship(preset=small,shots=6)"])
def test_imagined_ships_would_have_been_hit_and_missed_alike(name: str) -> None:
    game = load(name)
    assert game.hidden.imagine is not None
    stream = [1, 2, 3, 4]
    seen: set[str] = set()
    for seed in range(4):
        for position in played(game, seed):
            for p in range(2) if not position.over else ():
                state = position.state.copy()
                game.hidden.imagine(state, p, stream)
                imagined = Position(game, state, position.history)
                assert imagined.view(p) == position.view(p)
                assert imagined.key(p) == position.key(p)
                seen.add(repr(state.ship[1 - p]))
                ships = state.ship[1 - p][: (state.placed + p) // 2]
                assert sum(ship.bit_count() for ship in ships) == sum(
                    int(digit) for digit in str(game.options["ships"])[: len(ships)]
                )
                assert all(not one & other for one, other in itertools.combinations(ships, 2))
                struck = 0
                for cell, result in zip(state.shot[p], state.result[p], strict=True):
                    if cell:
                        struck |= 1 << cell - 1
                        hit = [ship for ship in ships if ship >> cell - 1 & 1]
                        assert result == (1 if not hit else 2 if hit[0] & ~struck else 3)
    assert len(seen) > 10


# ----------------------------------------------------------------------------------------------------- deal or no deal


@pytest.mark.parametrize(
    ("options", "keeps", "end"),
    [
        ("turns=4", 1.0, 0.0),
        ("turns=5,discount=80", 0.8, 0.0),
        ("turns=4,discount=50,end=30", 0.5, 0.3),
        ("turns=3,values=shown,end=5", 1.0, 0.05),
        ("turns=8,least=3,most=4", 1.0, 0.0),
    ],
)
def test_a_deal_is_worth_what_one_gets_less_the_discount(options: str, keeps: float, end: float) -> None:
    game = load(f"deal-or-no-deal({options})")
    turns = int(game.options["turns"])
    start = game.start()
    assert sum(start.odds.values()) == pytest.approx(1.0)
    for seed in range(8):
        luck = random.Random(seed)
        name = luck.choice(start.legal)
        pool, *values = ([int(n) for n in part.split(",")] for part in name.split())
        assert all(sum(n * v for n, v in zip(pool, worth, strict=True)) == 10 for worth in values)
        assert int(game.options["least"]) <= sum(pool) <= int(game.options["most"])
        splits = {f"keep {a},{b},{c}" for a, b, c in itertools.product(*(range(n + 1) for n in pool))}
        position, made, kept = start.after(name), 0, [0, 0, 0]
        while True:
            if made == turns:
                assert position.payoffs == [0.0, 0.0]
                break
            if made >= 2 and end:
                assert position.turn == CHANCE
                assert position.odds == pytest.approx({"go on": 1 - end, "end": end})
                if luck.random() < 0.2:
                    position = position.after("end")
                    assert position.payoffs == [0.0, 0.0]
                    break
                position = position.after("go on")
            assert position.turn == made % 2
            assert set(position.legal) == splits | ({"agree"} if made else set())
            assert len(position.legal) == len(splits) + (made > 0)
            if made and luck.random() < 0.3:
                position = position.after("agree")
                proposer = (made - 1) % 2
                got = [kept if p == proposer else [n - k for n, k in zip(pool, kept, strict=True)] for p in range(2)]
                assert position.payoffs == pytest.approx(
                    [sum(v * n for v, n in zip(values[p], got[p], strict=True)) * keeps ** (made - 1) for p in range(2)]
                )
                break
            move = luck.choice(sorted(splits))
            kept = [int(n) for n in move.removeprefix("keep ").split(",")]
            position = position.after(move)
            made += 1


def test_deals_are_drawn_by_the_odds(tmp_path: Path) -> None:
    """The quick way to deal: every line of the file alike, and an end as often as it is announced."""
    file = tmp_path / "instances.txt"
    file.write_text("1,2,3 8,1,0 4,0,2\n1,2,3 8,1,0 4,0,2\n1,1,3 4,3,1 1,3,2\n")
    game = load("deal-or-no-deal", instances=str(file), end=30)
    assert game.deal is not None
    start, stream = game.start(), [1, 2, 3, 4]
    assert start.odds == pytest.approx({"1,1,3 4,3,1 1,3,2": 1 / 3, "1,2,3 8,1,0 4,0,2": 2 / 3})
    for position in (start, start.after(1, 0, 0)):
        odds = list(position.odds.values())
        drawn = Counter(game.deal(position.state, [0.0] * game.outcomes, stream) for _ in range(3000))
        assert set(drawn) == {0, 1}
        for outcome, chance in enumerate(odds):
            assert drawn[outcome] / 3000 == pytest.approx(chance, abs=0.05)


def test_ten_proposals_and_more_stay_in_the_key() -> None:
    """Six of them share a number: each changes the key."""
    game = load("deal-or-no-deal(turns=20,least=3,most=3)")
    position = game.start().after(game.start().legal[0])
    line = [position.legal[i % 3] for i in range(19)]
    end = position.after(*line)
    keys = {end.key(0)}
    for t in range(19):
        other = position.after(*line[:t], position.legal[(t + 1) % 3], *line[t + 1 :])
        keys.add(other.key(0))
        assert other.key(0) != other.key(1)
    assert len(keys) == 20


@pytest.mark.parametrize("options", ["turns=4", "turns=4,end=20", "turns=6,values=shown"])
def test_the_other_may_have_what_was_dealt_with_the_pool_and_ones_own_values(options: str) -> None:
    game = load(f"deal-or-no-deal({options})")
    worlds = game.hidden.worlds
    assert worlds is not None
    assert worlds.world_numbers is not None
    assert game.hidden.imagine is not None
    rows: list[Any] = [[tuple(map(int, part.split(","))) for part in name.split()] for name in game.start().legal]
    for seed in range(5):
        positions = [position for position in played(game, seed) if len(position.history) and position.turn >= 0]
        pool, *values = (tuple(map(int, part.split(","))) for part in positions[0].history[0].split())
        for made, position in enumerate(positions):
            state = position.state.copy()
            for p in range(2):
                codes, weights = [0] * worlds.count, [0.0] * worlds.count
                n = worlds.possible(state, p, codes, weights)
                found = [worlds.world_numbers(code) for code in codes[:n]]
                if "shown" in options:
                    assert found == [values[1 - p]]
                else:
                    alike = [row[2 - p] for row in rows if row[0] == pool and row[1 + p] == values[p]]
                    assert [*map(tuple, found)] == sorted(alike)
                    assert weights[:n] == [1.0] * n
                assert tuple(worlds.world_numbers(worlds.hidden(state, p))) == values[1 - p]
                game.hidden.imagine(state, p, [seed, made, p, 7])
                assert tuple(state.values[1 - p]) in found
                assert state.values[p] == position.state.values[p]
                worlds.set_hidden_state(state, p, worlds.hidden(position.state, p))
                assert repr(state) == repr(position.state)
            assert worlds.decisions(state) == made
            for k, earlier in enumerate(positions[: made + 1]):
                back = position.state.copy()
                if k < made:
                    assert worlds.decision(back, k) == earlier.action(positions[k + 1].history[len(earlier.history)])
                worlds.rewind(back, k)
                assert repr(back) == repr(earlier.state)


# ---------------------------------------------------------------------------------------------- who sees, and in words


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("liars-dice(dice=2,faces=3)", lambda move, turn, p: "rolls" in move and f"player {p} " not in move),
        ("liars-dice(dice=3,faces=2)", lambda move, turn, p: "rolls" in move and f"player {p} " not in move),
        ("sheriff(rounds=2)", lambda move, turn, p: move.startswith("load") and p == 1),
        ("battleship(width=3,height=2,ships=21)", lambda move, turn, p: move.startswith("place") and p != turn),
        ("trade-comm(items=3)", lambda move, turn, p: turn == CHANCE or (move.startswith("trade") and p != turn)),
        ("goofspiel(players=3,order=random)", lambda move, turn, p: move.startswith("bid") and p != turn),
        ("tiny-bridge(players=4)", lambda move, turn, p: turn == CHANCE and not move.endswith(f"player {p}")),
    ],
)
def test_moves_are_seen_by_those_who_should(name: str, hidden: Callable[[str, int, int], bool]) -> None:
    game = load(name)
    for seed in range(3):
        positions = list(played(game, seed))
        for before, after in itertools.pairwise(positions):
            move = after.history[-1]
            for p in range(game.players):
                assert (visible_move(before, move, p) is None) == hidden(move, before.turn, p), (move, p)


def test_moves_of_battleship_say_where_and_how() -> None:
    game = load("battleship(width=3,height=2,ships=21)")
    start = game.start()
    assert [(m.name, dict(m.details), m.text) for m in start.moves] == [
        ("place A1-B1", {"cell": 0, "size": 2, "direction": "across"}, "a ship at A1-B1"),
        ("place B1-C1", {"cell": 1, "size": 2, "direction": "across"}, "a ship at B1-C1"),
        ("place A2-B2", {"cell": 3, "size": 2, "direction": "across"}, "a ship at A2-B2"),
        ("place B2-C2", {"cell": 4, "size": 2, "direction": "across"}, "a ship at B2-C2"),
        ("place A1-A2", {"cell": 0, "size": 2, "direction": "down"}, "a ship at A1-A2"),
        ("place B1-B2", {"cell": 1, "size": 2, "direction": "down"}, "a ship at B1-B2"),
        ("place C1-C2", {"cell": 2, "size": 2, "direction": "down"}, "a ship at C1-C2"),
    ]
    placed = start.after("place A1-B1", "place B1-B2", "place C2", "place A1")
    assert [(m.name, dict(m.details), m.text) for m in placed.moves][3:5] == [
        ("shoot A2", {"cell": 3}, "shoot at A2"),
        ("shoot B2", {"cell": 4}, "shoot at B2"),
    ]
    shot = placed.after("shoot B2", "shoot C1")
    assert game.words.narrate is not None
    assert game.words.table is not None
    assert game.words.display is not None
    assert list(game.words.narrate(placed.view(0), placed.after("shoot B2").view(0))) == [
        "player 0's shot at B2 hits a ship"
    ]
    assert game.words.display(shot.view(0))["mine"] == [1, 1, 0, 0, 0, 2]
    table = game.words.table(shot.view(0))
    assert [list(row) for row in table.rows] == [
        ["1", "■", "■", "○", " ", "·", "·", "·"],
        ["2", "·", "·", "■", " ", "·", "✖", "·"],
    ]
    assert table.asked == "shots left: 2"
    assert game.words.table(start.view(1)).asked == "place ship 1 of 2, 2 long"


def test_the_sheriff_only_says_what_it_would_do_until_the_last_round() -> None:
    game = load("sheriff(rounds=2,items=3)")
    loaded = game.start().after("load 2", "offer 0")
    assert [move.text for move in loaded.moves] == [
        "say: I would let the cargo pass",
        "say: I would inspect the cargo",
    ]
    last = loaded.after("inspect", "offer 1")
    assert [move.text for move in last.moves] == ["let the cargo pass", "inspect the cargo"]
    assert [move.text for move in game.start().moves] == [
        "load no illegal item", "load one illegal item", "load 2 illegal items", "load 3 illegal items",
    ]  # fmt: skip
    assert [move.text for move in loaded.after("inspect").moves][:2] == ["offer no bribe", "offer a bribe of 1"]
    assert game.words.display is not None
    assert game.words.display(last.view(0)) == {
        "items": [2], "offers": [0, 1], "answers": [1], "most": [3, 2, 2], "worth": [5, 1, 1],
    }  # fmt: skip
    assert game.words.display(last.view(1))["items"] == []
