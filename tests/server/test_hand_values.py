"""What the server tells of decisions: values, reviews, minds, questions and standings, computed a second time.

The reference agent is random play, whose values can be counted out by hand; in plain Python, without a server.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import statistics
from collections.abc import Sequence
from pathlib import Path

import pytest

from parlor.arena.statistics import Estimate
from parlor.game import CHANCE, Game, Position
from parlor.game.loading import load
from parlor.page.seated_agent import SeatedAgent
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.folders import Folders
from parlor.server.catalogue.standings import Standing, Standings, agent_id, own_settings, served
from parlor.server.explain import expected_value as module
from parlor.server.explain import mind, review
from parlor.server.explain.expected_value import _mean, enumerated, expected_value, played_on
from parlor.server.explain.quiz import question
from parlor.server.explain.review import Reviewing, ReviewSample, Spot, is_reference_agent, nothing
from parlor.server.explain.sentences import difference, in_digits, scale_of, told, unit_of
from parlor.server.operations.lru_cache import LruCache


def seated(name: str, agent: str = "random") -> tuple[SeatedAgent, Game]:
    catalogue = Catalogue([])
    game = catalogue.game(name)
    return catalogue.seat(agent, game), game


def uniformly(position: Position, player: int) -> float:
    """What a player gets if everybody plays anything."""
    if position.over:
        return position.payoffs[player]
    odds = position.odds if position.turn == CHANCE else dict.fromkeys(position.legal, 1 / len(position.legal))
    return sum(chance * uniformly(position.after(name), player) for name, chance in odds.items())


def worlds_of_kuhn(game: Game, mine: str, seat: int, moves: Sequence[str]) -> list[Position]:
    """The two deals that a card leaves."""
    found = []
    for other in "JQK".replace(mine, ""):
        cards = (mine, other) if seat == 0 else (other, mine)
        found.append(game.start().after(f"{cards[0]} to player 0", f"{cards[1]} to player 1", *moves))
    return found


# --------------------------------------------------------------------------------------------------------------- values


@pytest.mark.parametrize("moves", [(), ("pass",), ("bet",), ("pass", "bet")])
@pytest.mark.parametrize("knower", [0, 1])
@pytest.mark.parametrize("card", "JQK")
def test_a_value_is_the_mean_over_what_the_knower_cannot_tell_apart(
    moves: tuple[str, ...], knower: int, card: str
) -> None:
    random, game = seated("kuhn")
    possible = worlds_of_kuhn(game, card, knower, moves)
    position, decides = possible[0], possible[0].turn
    found = expected_value(random, position, knower)
    assert found is not None
    assert (found.kind, found.value.error) == ("exact", 0.0)
    assert found.value.value == pytest.approx(sum(uniformly(world, decides) for world in possible) / 2)
    if knower == decides:
        assert [mean.value for mean in found.actions] == pytest.approx(
            [sum(uniformly(world.after(move), decides) for world in possible) / 2 for move in position.legal]
        )
    else:
        assert len(found.actions) == 1, "the decision is still to be made"
    assert expected_value(random, possible[1], knower) == found, "the same whatever is hidden"


def test_where_too_much_may_follow_games_are_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    random, game = seated("kuhn")
    exact = expected_value(random, worlds_of_kuhn(game, "Q", 0, ())[0], 0)
    assert exact is not None
    monkeypatch.setattr(module, "MAX_NODES", 3)
    monkeypatch.setattr(module, "ROLLOUTS", 2000)
    other, _ = seated("kuhn")
    sampled = expected_value(other, worlds_of_kuhn(game, "Q", 0, ())[0], 0)
    assert sampled is not None
    assert (sampled.kind, len(sampled.actions)) == ("rollouts", 2)
    for mean, known in zip((sampled.value, *sampled.actions), (exact.value, *exact.actions), strict=True):
        assert 0.0 < mean.error < 0.1
        assert abs(mean.value - known.value) < 4 * mean.error
    monkeypatch.setattr(module, "MAX_STEPS", 1)
    third, _ = seated("kuhn")
    whole = expected_value(third, worlds_of_kuhn(game, "Q", 0, ())[0], 0)
    assert whole is not None
    assert whole.actions == (), "too many to try one by one"


def test_all_that_may_follow_is_counted_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    random, game = seated("kuhn")
    start = game.start().after("K to player 0", "J to player 1")
    nodes = [0]
    assert enumerated(random.agent, start, 0, nodes) == pytest.approx(uniformly(start, 0))
    assert enumerated(random.agent, start, 1, [0]) == pytest.approx(uniformly(start, 1))
    assert nodes == [9], "4 decisions and 5 ends"
    monkeypatch.setattr(module, "MAX_NODES", 9)
    enumerated(random.agent, start, 0, [0])
    monkeypatch.setattr(module, "MAX_NODES", 8)
    with pytest.raises(module.TooMany):
        enumerated(random.agent, start, 0, [0])
    monkeypatch.undo()
    monkeypatch.setattr(module, "MAX_DEPTH", 2)
    with pytest.raises(module.TooMany):
        enumerated(random.agent, start, 0, [0])
    work = [0]
    payoff = played_on(random.agent, start.state.copy(), 0, [1, 2, 3, 4], work)
    assert payoff in (-1.0, 1.0, 2.0)
    assert work[0] in (4, 6), "two or three decisions between two moves"


def test_a_mean_has_the_error_of_a_mean() -> None:
    numbers = [1.0, 4.0, -2.0, 0.5, 7.0]
    found = _mean(numbers)
    assert found.value == pytest.approx(statistics.mean(numbers))
    assert found.error == pytest.approx(statistics.stdev(numbers) / math.sqrt(5))


# -------------------------------------------------------------------------------------------------------------- payoffs


def test_payoffs_are_told_as_chances_where_one_only_wins_or_loses() -> None:
    assert scale_of(load("liars-dice")) == scale_of(load("monopoly-deal(preset=tiny)")) == "chance"
    for name in ("kuhn", "sheriff", "kuhn(players=3)", "goofspiel(returns=point-difference)"):
        assert scale_of(load(name)) == "points"
    assert [told(payoff, "chance") for payoff in (-1.0, 0.0, 0.5, 1.0)] == [0.0, 0.5, 0.75, 1.0]
    assert [told(payoff, "points") for payoff in (-1.0, 0.5)] == [-1.0, 0.5]
    assert (difference(0.5, "chance"), difference(0.5, "points")) == (0.25, 0.5)
    assert unit_of(load("kuhn")) == "chips"
    digits = {0.444: "0.44", 9.14: "9.1", 9.96: "10", 10.0: "10", 110.4: "110", 12345.0: "12,345", -10.6: "-11"}
    assert {number: in_digits(number) for number in digits} == digits


# -------------------------------------------------------------------------------------------------------------- reviews


def test_a_sample_is_a_mean_with_its_error() -> None:
    sample = ReviewSample()
    assert (sample.mean, sample.error) == (0.0, math.inf)
    numbers = [3.0, -1.0, 0.5, 2.0]
    for n, x in enumerate(numbers, 1):
        sample.add(x)
        assert sample.count == n
        assert sample.mean == pytest.approx(statistics.mean(numbers[:n]))
        if n == 1:
            assert sample.error == math.inf
        else:
            assert sample.error == pytest.approx(statistics.stdev(numbers[:n]) / math.sqrt(n))


def a_review(*moves: str, seat: int = 0, name: str = "kuhn") -> Reviewing:
    random, game = seated(name)
    work = Reviewing(game, moves, seat, random, ["you", "the agent"])
    work.work()
    return work


@pytest.mark.parametrize(
    ("moves", "seat"),
    [
        (("J to player 0", "K to player 1", "bet", "bet"), 0),
        (("Q to player 0", "J to player 1", "pass", "bet", "pass"), 0),
        (("K to player 0", "Q to player 1", "bet", "pass"), 1),
    ],
)
def test_a_review_counts_every_decision_out(moves: tuple[str, ...], seat: int) -> None:
    """Random play says nothing of cards: both deals that the own card leaves are as likely, all the way."""
    shown = a_review(*moves, seat=seat).shown
    game = load("kuhn")
    card = moves[seat][0]
    assert (shown.done, shown.progress, shown.playouts, shown.seat) == (True, 1.0, 0, seat)
    costs = {}
    for point, ply in zip(shown.points, range(2, len(moves) + 1), strict=True):
        assert point.ply == ply
        assert point.exact
        assert point.low == point.value == point.high
        if ply == len(moves):
            assert point.value == game.start().after(*moves).payoffs[seat]
            continue
        possible = worlds_of_kuhn(game, card, seat, moves[2:ply])
        assert point.value == pytest.approx(sum(uniformly(world, seat) for world in possible) / 2, abs=1e-6)
        if possible[0].turn == seat:
            values = {
                move: sum(uniformly(world.after(move), seat) for world in possible) / 2 for move in possible[0].legal
            }
            best = max(values, key=lambda move: values[move])
            if values[best] - values[moves[ply]] >= 0.01:
                costs[ply] = (values[best] - values[moves[ply]], values[moves[ply]], best)
    found = {one.ply: (one.cost, one.value, one.better.name) for one in shown.costliest}
    assert found.keys() == costs.keys()
    for ply, (cost, value, better) in costs.items():
        assert found[ply][:2] == pytest.approx((cost, value), abs=1e-6)
        assert found[ply][2] == better
    assert [one.cost for one in shown.costliest] == sorted((one.cost for one in shown.costliest), reverse=True)
    assert shown.decisions == sum(game.start().after(*moves[:ply]).turn == seat for ply in range(2, len(moves)))


def test_arms_are_the_move_that_was_made_and_what_the_reference_agent_would_do() -> None:
    work = a_review("J to player 0", "K to player 1", "bet", "bet")
    own, other = work.spots
    assert (own.ply, own.own, own.weights) == (2, True, [0.5, 0.5])
    assert own.arms[0] == own.position.action("bet")
    assert (other.ply, other.own, other.arms) == (3, False, [None])
    spot = Spot(0, own.position, [1, 0], [0.25, 0.5], samples=[ReviewSample(), ReviewSample()])
    assert spot.mixed([4.0, 1.0]) == pytest.approx((0.25 * 4 + 0.5 * 1) / 0.75)
    assert Spot(0, own.position, [1, 0], [0.0, 0.0]).mixed([4.0, 1.0]) == 4.0
    assert spot.means() == [0.0, 0.0]
    spot.exact = [3.0, 2.0]
    assert spot.means() == [3.0, 2.0]
    assert is_reference_agent(work.reference_agent)


@pytest.mark.parametrize(
    ("gains", "called"),
    [
        ([1.0] * 29 + [1.2], True),
        ([1.0] * 28 + [1.2], False),  # too few games
        ([0.005] * 40 + [0.006], False),  # too little
        ([5.0, -5.0] * 30 + [2.0], False),  # the interval includes zero
        ([0.5, 0.7] * 30, True),
    ],
)
def test_a_mistake_is_called_one_by_the_interval_of_what_it_cost(gains: list[float], called: bool) -> None:
    work = a_review("J to player 0", "K to player 1", "bet", "bet")
    spot = dataclasses.replace(work.spots[0], exact=None, better=1)
    spot.gain = ReviewSample()
    for gain in gains:
        spot.gain.add(gain)
    found = work._costly(spot)
    assert (found is not None) == called
    if found:
        half = 1.959964 * statistics.stdev(gains) / math.sqrt(len(gains))
        mean = statistics.mean(gains)
        assert (found.cost, found.low, found.high) == pytest.approx((mean, mean - half, mean + half), abs=1e-4)
        assert not found.exact
    spot.better = 0
    assert work._costly(spot) is None, "the move that was made is the best"
    assert work._costly(work.spots[1]) is None, "it was another's"


def test_points_have_intervals_where_games_were_played_on() -> None:
    work = a_review("J to player 0", "K to player 1", "bet", "bet")
    spot = dataclasses.replace(work.spots[0], exact=None)
    spot.value = ReviewSample()
    spot.value.add(1.0)
    assert work._point(spot) is None, "one game is none"
    for x in (0.0, 2.0, -1.0):
        spot.value.add(x)
    point = work._point(spot)
    assert point is not None
    half = 1.959964 * statistics.stdev([1.0, 0.0, 2.0, -1.0]) / 2
    assert (point.value, point.low, point.high) == pytest.approx((0.5, 0.5 - half, 0.5 + half), abs=1e-3)
    assert not point.exact
    work.scale = "chance"
    point = work._point(spot)
    assert point is not None
    share, n, z = 0.75, 4, 1.959964
    centre, width = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    assert point.value == 0.75
    assert point.low == pytest.approx((centre - width) / (1 + z * z / n), abs=1e-3)
    assert point.high == pytest.approx((centre + width) / (1 + z * z / n), abs=1e-3)


def test_costs_are_told_on_the_scale_of_the_game() -> None:
    work = a_review("J to player 0", "K to player 1", "bet", "bet")
    position = work.spots[0].position
    made, best = position.moves
    words = f"You chose {made.text}; {best.text} was better. It cost "
    assert work._words(made, best, 3.0, 3.0, 3.0) == words + "3 chips."
    assert work._words(made, best, 1.5, 1.25, 12.0) == words + "1.5 chips (1.2 to 12)."
    work.scale = "chance"
    assert work._words(made, best, 0.25, 0.1, 0.4) == words + "a 25 % chance to win (10 to 40 %)."
    assert nothing(load("kuhn"), 1, "because").basis == "because"


def test_suspicions_are_measured_in_games_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be enumerated, all of it is played on, each decision as often as it may be."""
    monkeypatch.setattr(review, "MAX_WORLDS", 1)
    monkeypatch.setattr(review, "MAX_GAMES", 60)
    monkeypatch.setattr(Reviewing, "spent", property(lambda self: 0.0))
    work = a_review("K to player 0", "Q to player 1", "bet", "bet")
    assert [spot.exact for spot in work.spots] == [None, None]
    assert [spot.value.count for spot in work.spots] == [60, 60]
    assert [len(spot.samples) for spot in work.spots] == [2, 1]
    own = work.spots[0]
    assert own.value.mean == pytest.approx((own.samples[0].mean + own.samples[1].mean) / 2)
    possible = worlds_of_kuhn(load("kuhn"), "K", 0, ())
    for sample, move in zip(own.samples, ("bet", "pass"), strict=True):
        exact = sum(uniformly(world.after(move), 0) for world in possible) / 2
        assert abs(sample.mean - exact) < 5 * sample.error + 1e-9
    assert own.better == max(range(2), key=lambda arm: own.means()[arm])
    assert own.gain.count == (60 if own.better else 0)
    assert work.playouts == 60 * 3 + 2 * own.gain.count


# ---------------------------------------------------------------------------------------------------------------- minds


def test_from_outside_a_mind_is_the_mean_over_possible_worlds() -> None:
    """A strategy that bets by its card: seen from the other seat, its bets are the mean over both cards."""
    random, game = seated("kuhn")
    position = game.start().after("J to player 0", "K to player 1", "pass")
    bets = {"Q": 0.2, "K": 0.9, "J": 0.4}

    def explained(world: Position) -> tuple[list[tuple[int, float]], None]:
        card = "JQK"[world.state.card[1] - 1]
        return [(0, 1.0 - bets[card]), (1, bets[card])], None

    class ByCard:
        """An agent of which only the decision matters."""

        def __init__(self) -> None:
            self.game = game
            self.thinks_long = self.uses_history = False
            self.explained = explained

    ours = dataclasses.replace(random)
    object.__setattr__(ours, "player", ByCard())
    found, believed = mind._expected(ours, mind._possible(ours, position, 0, whole=True))
    assert {one.move.name: one.probability for one in found} == pytest.approx({"bet": 0.55, "pass": 0.45})
    assert [one.move.name for one in found] == ["bet", "pass"], "the likeliest first"
    assert believed == []


def test_a_mind_from_inside_and_from_outside() -> None:
    random, game = seated("kuhn")
    position = game.start().after("J to player 0", "K to player 1", "pass")
    within = mind.inside(random, position, 3, None, False)
    assert (within.detail, within.ply, within.player, within.worlds) == ("inside", 3, 1, None)
    assert [one.probability for one in within.moves] == [0.5, 0.5]
    exact = [sum(uniformly(world.after(move), 1) for world in worlds_of_kuhn(game, "K", 1, ("pass",))) / 2
             for move in position.legal]  # fmt: skip
    assert [one.value for one in within.actions] == pytest.approx(exact, abs=1e-5)
    assert within.value == pytest.approx(sum(exact) / 2, abs=1e-5)
    without = mind.outside(random, position, 0, 3, None)
    assert (without.detail, without.worlds, without.infoset) == ("outside", 2, None)
    assert without.note.startswith("The mean over 2 worlds")
    assert without.value == pytest.approx(
        sum(uniformly(world, 1) for world in worlds_of_kuhn(game, "J", 0, ("pass",))) / 2, abs=1e-5
    )


# ------------------------------------------------------------------------------------------------------------ questions


def test_a_question_is_a_decision_of_the_strategy_with_all_of_its_moves() -> None:
    random, _ = seated("leduc")
    asked = [question(random, seed) for seed in range(12)]
    assert asked[3] == question(random, 3)
    assert len({(one.picture, tuple(one.said)) for one in asked}) > 5
    assert {one.player for one in asked} == {0, 1}
    for one in asked:
        assert one.game == "leduc"
        assert sum(move.probability for move in one.moves) == pytest.approx(1.0, abs=1e-5)
        assert len(one.moves) > 1
        assert len({move.probability for move in one.moves}) == 1, "random play"
        assert one.picture.startswith("you")
        who = {line.partition(":")[0] for line in one.said}
        assert who <= {"You", "The other"}
        mine = sum(line.startswith("You") for line in one.said)
        theirs = len(one.said) - mine
        assert mine <= theirs + 1


def test_in_a_question_the_others_are_numbered_from_one() -> None:
    random, _ = seated("goofspiel(players=3,cards=4,imperfect=false)")
    for seed in range(8):
        one = question(random, seed)
        assert all(line.startswith("You:") for line in one.said), "bids are face down"
    random, _ = seated("leduc(players=3)")
    asked = [question(random, seed) for seed in range(12)]
    for one in asked:
        assert f"Player {one.player + 1}" not in {line.partition(":")[0] for line in one.said}
    said = {line.partition(":")[0] for one in asked for line in one.said}
    assert said == {"You", "Player 1", "Player 2", "Player 3"}


# ------------------------------------------------------------------------------------------------------------ standings


def test_agents_of_a_table_are_known_by_their_ids(tmp_path: Path) -> None:
    table = tmp_path / "out" / "table.json"
    ids: dict[Path, str] = {
        (tmp_path / "runs" / "kuhn").resolve(): "run:kuhn",
        (tmp_path / "out" / "policy.json").resolve(): "policy",
    }
    assert agent_id("random", table, ids) == "random"
    assert agent_id("far/away/runs/kuhn", table, ids) == "run:kuhn", "from the folder around the table's"
    assert agent_id("far/out/policy.json", table, ids) == "policy"
    assert agent_id("policy.json", table, ids) == "policy.json", "a file of the folder one is in"
    assert agent_id("far/away/other.json", table, ids) == "far/away/other.json"
    assert agent_id("look-ahead(policy=far/out/policy.json)", table, ids) == "look-ahead(policy=policy)"
    assert agent_id("strategy(rent=3.0,deeds=2.0)", table, ids) == "strategy(deeds=2.0)", "3 is what it has anyway"
    assert own_settings("strategy", {"rent": "3.0", "other": "x"}) == {"other": "x"}
    assert served("random") == "random"
    assert served("no-such-agent") == "no-such-agent"
    limits = served("look-ahead")
    assert limits.startswith("look-ahead(")
    assert "rollouts=" in limits
    assert "rollouts=3" in served("look-ahead(rollouts=3)")


def test_levels_go_from_random_to_the_best() -> None:
    standing = Standing(
        {name: Estimate(v, v, v) for name, v in (("random", 0.0), ("a", 200.0), ("b", 400.0), ("c", -50.0))}
    )
    assert [standing.level(name) for name in ("random", "a", "b", "c")] == [1, 1 + round(4.5), 10, 1]
    nobody = Standings(Folders([])).at("kuhn")
    assert (dict(nobody.ratings), nobody.hardest) == ({}, ())


def test_a_cache_forgets_what_was_used_longest_ago() -> None:
    cache: LruCache[int] = LruCache(2)
    made: list[str] = []

    def make(key: str) -> int:
        made.append(key)
        return len(made)

    for key in ("a", "b", "a", "c", "a", "b"):
        cache.get_or(key, lambda key=key: make(key))  # type: ignore[misc]
    assert made == ["a", "b", "c", "b"]
    assert list(cache) == ["a", "b"]
    assert list(itertools.islice(cache.values(), 2)) == [1, 4]
