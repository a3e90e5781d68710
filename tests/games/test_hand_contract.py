"""The contract in plain Python with options that are not the default: what is seen, imagined, hidden and taken back.

`parlor check` plays shipped games and compiles them; here further variants are held to every clause but compiling.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path

import pytest

from parlor.contract import imagination, playthrough
from parlor.contract.clauses import CLAUSES
from parlor.contract.playthrough import Playthrough
from parlor.game import Game, Position, State
from parlor.game.loading import load
from parlor.games.colored_trails.boards import EXAMPLE
from parlor.search.belief import (
    _Particle,
    _Sampler,
    believe,
    resampled,
    sample_worlds,
    undisputed_worlds,
    worlds,
)
from parlor.search.seen_events import pick

VARIANTS = [
    "liars-dice(dice=4,faces=2)",
    "liars-dice(dice=5,faces=2)",
    "sheriff(preset=openspiel,rounds=2)",
    "trade-comm(items=3)",
    "goofspiel(players=3,cards=4,order=random,returns=total-points)",
    "goofspiel(cards=5,imperfect=false,order=ascending,returns=point-difference)",
    "battleship(width=3,height=2,ships=21,values=35,shots=3,repeats=false)",
    "tiny-bridge(players=4)",
    "monopoly-deal(preset=small,debts=2,slys=2,late_no=true,paid_to_bank=true)",
    "leodopoly(preset=classic,players=2,rounds=1,money=300)",
]


def held_to(game: Game, games: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What is wrong, by clause."""
    monkeypatch.setattr(playthrough, "SMALL", 0)
    for name, few in (
        ("LOOKS", 25),
        ("LISTED", 6),
        ("MAX_ENUMERATED", 80),
        ("COUNTED", 2),
        ("MISSED", 2),
        ("MAX_WORLDS", 100),
        ("MIN_DRAWS", 400),
    ):
        monkeypatch.setattr(imagination, name, few)
    played = Playthrough(game)
    played.run(games, 3)
    wrong = dict(played.checks.failures)
    for clause in CLAUSES:
        skip = (clause.needs_imagine and game.hidden.imagine is None) or (
            clause.needs_worlds and game.hidden.worlds is None
        )
        if clause.name != "native" and not skip and not wrong and (sentence := clause.test(played)):
            wrong[clause.name] = sentence
    assert not played.stopped
    return wrong


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_keep_the_contract(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert held_to(load(name), 4, monkeypatch) == {}


# ------------------------------------------------------------------------------------------------------- Colored Trails


@pytest.fixture(scope="module")
def trails(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Boards that differ in the chips of one proposer: three of them look the same to each; and some that do not."""
    words = EXAMPLE.split()
    hands = [("AACCCD", "AAAC"), ("AACCCD", "ABB"), ("AACCCD", "ACEE"), ("AAB", "AAAC"), ("AADD", "AAAC")]
    file: Path = tmp_path_factory.mktemp("boards") / "boards.txt"
    lines = [[*words[:4], *hand, *words[6:]] for hand in hands]
    lines.append([*words[:4], "AACE", "AAAC", "BEEE", *words[7:]])  # another stock
    lines.append([*words[:4], "AACC", "AAAC", "BBCEE", "4", *words[8:]])  # another place
    lines.append(["4", "5", "3", "BAEDCABCDAAABBEE", "AAEE", *words[5:]])  # another tile
    file.write_text("".join(" ".join(line) + "\n" for line in lines))
    return load("colored-trails", file=str(file), chips=2)


def test_colored_trails_keeps_the_contract(trails: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert held_to(trails, 5, monkeypatch) == {}


def offered(position: Position, q: int, reckon: bool = True) -> tuple[tuple[int, ...], str]:
    """The chips of a proposer and its offer, as the responder sees them; and that what it would bring is right."""
    state = position.state
    gives, gets = state.offers[2][q]
    worth = state.worth[2][q]
    assert list(state.offers[q][q][0]) == list(gives)
    assert list(state.offers[q][q][1]) == list(gets)
    assert list(state.chips[q][q]) == list(state.chips[2][q])
    assert list(state.worth[q][q]) == list(worth)
    letters = ["".join(colour * n for colour, n in zip("RYGBP", side, strict=True)) for side in (gives, gets)]
    if not any(gives):
        assert list(worth) == [0, 0]
        return tuple(state.chips[q][q]), ""
    for p, side in ((q, 0), (2, 1)) if reckon else ():
        chips = list(state.stock) if p == 2 else list(state.chips[2][q])
        change = [a - b for a, b in zip(gives, gets, strict=True)]
        after = [n + c if p == 2 else n - c for n, c in zip(chips, change, strict=True)]
        assert min(after) >= 0
        gain = best_score(state, p, after) - best_score(state, p, chips)
        assert 5 * (worth[side] - 64) == gain
    return tuple(state.chips[q][q]), " for ".join(letters)


def best_score(state: State, p: int, chips: list[int]) -> int:
    """The best path of a player by trying all of them."""
    place, flag = list(state.pieces).index(p + 1), list(state.pieces).index(4)

    def away(a: int) -> int:
        return abs(a // 4 - flag // 4) + abs(a % 4 - flag % 4)

    def walk(at: int, left: tuple[int, ...], entered: frozenset[int]) -> int:
        best = 10 * sum(left) - 25 * away(at)
        for row, column in ((at // 4 - 1, at % 4), (at // 4 + 1, at % 4), (at // 4, at % 4 - 1), (at // 4, at % 4 + 1)):
            to = row * 4 + column
            if 0 <= row < 4 and 0 <= column < 4 and to not in entered and left[state.tiles[to]]:
                rest = tuple(n - (c == state.tiles[to]) for c, n in enumerate(left))
                best = max(best, walk(to, rest, entered | {to}))
        return best

    return walk(place, tuple(chips), frozenset([place]))


def test_an_imagined_board_looks_the_same_and_any_offer_may_have_been_made(trails: Game) -> None:
    """The second proposer sees neither the first one's chips nor its offer; the responder sees everything."""
    assert trails.hidden.imagine is not None
    start = trails.start().after("board 0")
    luck = random.Random(1)
    for first in ("pass", luck.choice(start.legal[1:])):
        position = start.after(first)
        stream, seen = [5, 6, 7, 8], Counter[tuple[tuple[int, ...], str]]()
        for number in range(300):
            state = position.state.copy()
            trails.hidden.imagine(state, 1, stream)
            imagined = Position(trails, state, ())
            assert imagined.view(1) == position.view(1)
            assert imagined.key(1) == position.key(1)
            assert imagined.legal == position.legal
            seen[offered(imagined, 0, number < 12)] += 1
        by_chips: dict[tuple[int, ...], list[int]] = {}
        for (chips, _), number in seen.items():
            by_chips.setdefault(chips, []).append(number)
        assert {tuple("ABCDE".index(c) for c in hand) for hand in ("AACCCD", "AAB", "AADD")} == {
            tuple(c for c, n in enumerate(chips) for _ in range(n)) for chips in by_chips
        }
        for chips, times in by_chips.items():
            assert sum(times) == pytest.approx(100, abs=40), "the three boards are as likely"
            own = next(
                b for b in (0, 3, 4) if list(trails.start().after(f"board {b}").state.chips[0][0]) == list(chips)
            )
            possible = len(trails.start().after(f"board {own}").legal)
            assert len(times) <= possible
            assert len(times) > 0.3 * min(possible, 100)
    state = position.state.copy()
    trails.hidden.imagine(state, 2, [1, 2, 3, 4])
    assert repr(state) == repr(position.state), "nothing is hidden from the responder"
    first_view = start.state.copy()
    found = set()
    for _ in range(60):
        state = first_view.copy()
        trails.hidden.imagine(state, 0, stream)
        assert Position(trails, state, ()).view(0) == start.view(0)
        found.add(tuple(state.chips[1][1]))
        assert not any(state.offers[1][1][0])
    assert len(found) == 3, "before it has offered, only its chips are unknown"


def test_payoffs_of_colored_trails_are_what_the_trade_brought(trails: Game) -> None:
    luck = random.Random(4)
    for number in range(10):
        position = trails.start().after(f"board {number % 5}")
        position = position.after(luck.choice(position.legal))
        position = position.after(luck.choice(position.legal))
        offers = [offered(position, q)[1] for q in range(2)]
        assert position.legal == ["pass", *(f"accept {q}" for q in range(2) if offers[q])]
        for answer in position.legal:
            end = position.after(answer)
            if answer == "pass":
                assert end.payoffs == [0.0, 0.0, 0.0]
                continue
            q = int(answer[-1])
            worth = position.state.worth[2][q]
            assert end.payoffs == [5.0 * (worth[0] - 64) if p == q else 5.0 * (worth[1] - 64) if p == 2 else 0.0
                                   for p in range(3)]  # fmt: skip


# --------------------------------------------------------------------------------------------- belief, drawn and listed


@pytest.mark.parametrize(
    ("name", "moves", "player"),
    [
        ("liars-dice(dice=2,faces=2)", 6, 1),
        ("liars-dice(dice=4,faces=2)", 9, 0),
        ("goofspiel(cards=4)", 4, 0),
        ("goofspiel(cards=4)", 4, 1),
        ("goofspiel(players=3,cards=3)", 4, 2),
        ("trade-comm(items=3)", 3, 0),
        ("trade-comm(items=3)", 4, 1),
        ("battleship(width=2,height=2,ships=12)", 6, 0),
    ],
)
def test_sampled_worlds_are_as_likely_as_listed_ones(name: str, moves: int, player: int) -> None:
    """Also where views are symmetric, and histories differ only by two hidden moves that change places."""
    game = load(name)
    luck, position = random.Random(7), game.start()
    for _ in range(moves):
        position = position.after(luck.choice(position.actions))
    listed = worlds(position, player, 5000)
    assert listed is not None
    exact: dict[str, float] = {}
    for world, weight in listed:
        assert world.view(player) == position.view(player)
        exact[repr(world.state)] = exact.get(repr(world.state), 0.0) + weight
    assert sum(exact.values()) == pytest.approx(1.0)
    drawn: dict[str, float] = {}
    for number in range(2):
        for world, weight in sample_worlds(position, player, 150, [number + 1, 2, 3, 4]):
            assert world.view(player) == position.view(player)
            drawn[repr(world.state)] = drawn.get(repr(world.state), 0.0) + weight / 2
    assert drawn.keys() <= exact.keys()
    apart = sum(abs(exact[world] - drawn.get(world, 0.0)) for world in exact) / 2
    assert apart < 0.02 + 0.75 * math.sqrt(len(exact) / 300), f"{apart} of {len(exact)} worlds"


def test_others_count_by_how_likely_they_make_what_was_seen() -> None:
    """In Kuhn, one who bets a king always and a jack one time in three."""
    game = load("kuhn")
    position = game.start().after("Q to player 0", "K to player 1", "pass", "bet")

    def bets(world: Position) -> dict[str, float]:
        chance = {"J": 1 / 3, "Q": 0.0, "K": 1.0}[world.show(1).split("holds ")[1][0]]
        return {"pass": 1 - chance, "bet": chance}

    listed = worlds(position, 0, 10, bets)
    assert listed is not None
    assert sorted(round(weight, 9) for _, weight in listed) == [0.25, 0.75]
    alone = worlds(position, 0, 10)
    assert alone is not None
    assert [weight for _, weight in alone] == pytest.approx([0.5, 0.5])
    assert worlds(position, 0, 1) is None
    never = worlds(position, 0, 10, lambda world: {"pass": 1.0, "bet": 0.0})
    assert never is not None
    assert [weight for _, weight in never] == pytest.approx([0.5, 0.5]), "a model that rules out what happened"
    believed = believe(position, 0, 600, bets, few=0)
    assert believed.source == "sampled"
    kings = sum(weight for world, weight in believed if "holds K" in world.show(1))
    assert kings == pytest.approx(0.75, abs=0.1)
    assert undisputed_worlds(position, 0, 10) is not None


def test_a_particle_is_copied_as_often_as_its_weight_says() -> None:
    game = load("kuhn")
    sampler = _Sampler(game, 0, [], 10, [1, 2, 3, 4], None)
    particles = [_Particle(game.start()) for _ in range(4)]
    for weights in ([0.1, 0.2, 0.3, 0.4], [1.0, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.5]):
        for _ in range(20):
            found = resampled(particles, weights, 10, sampler.stream)
            assert len(found) == 10
            for particle, weight in zip(particles, weights, strict=True):
                assert abs(found.count(particle) - 10 * weight) < 1 + 1e-9
    picks = Counter(pick(sampler.stream, [0.0, 2.0, 0.0, 6.0]) for _ in range(2000))
    assert set(picks) == {1, 3}
    assert picks[3] / 2000 == pytest.approx(0.75, abs=0.05)
