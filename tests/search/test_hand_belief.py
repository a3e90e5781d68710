"""Beliefs by hand: all worlds with their weights, how samples are drawn, carried along and drawn again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parlor import compile as compiler
from parlor.game import Position
from parlor.game.loading import load
from parlor.game.rng import choose, seed_stream, uniform
from parlor.search import tracking
from parlor.search.belief import (
    Belief,
    _Particle,
    _Sampler,
    believe,
    imagine_worlds,
    resampled,
    sample_worlds,
    undisputed_worlds,
    worlds,
)
from parlor.search.seen_events import events, pick, steps
from parlor.search.tracking import track
from parlor.search.world_table import (
    concrete_key,
    draw_world,
    sample_from_list,
    sample_from_table,
    sample_imagined,
    sample_secret_moves,
    world_table,
)
from tests.search.plainly import PLEDGES, dealt

KUHN3 = load("kuhn(players=3)")
AFTER_A_2 = {1: 0.05 / 0.38, 2: 0.15 / 0.38, 3: 0.18 / 0.38}  # of player 1, by chance and by `answers`


def answers(position: Position) -> Mapping[str, float]:
    """Player 1 answers 2 with 0.1, 0.5 or 0.9 by its card; player 0 begins with 2 with 0.6 or 0.2; the rest is even."""
    card = position.view(position.turn).card
    if position.state.moves == 2:
        return dict.fromkeys(position.legal, 1.0 / len(position.legal))
    two = (0.1, 0.5, 0.9)[card - 1] if position.turn else (0.6, 0.2)[card - 1]
    return dict(zip(position.legal, (1.0 - two, two), strict=True))


def cards(found: Any, player: int) -> dict[int, float]:
    """The chances of the cards of a player."""
    total: Counter[int] = Counter()
    for world, weight in found:
        total[world.state.card[player]] += weight
    return dict(total)


# --------------------------------------------------------------------------------------------------- all worlds


def test_all_worlds_and_their_weights() -> None:
    position = dealt(2, 3, 0, 2)
    found = worlds(position, 0)
    assert found is not None
    assert cards(found, 1) == pytest.approx({1: 0.5, 2: 0.3, 3: 0.2})
    assert all(world.state.card[0] == 2 for world, _ in found)
    assert cards(worlds(position, 0, others=answers), 1) == pytest.approx(
        {1: 0.05 / 0.38, 2: 0.15 / 0.38, 3: 0.18 / 0.38}
    )
    assert cards(worlds(dealt(2, 3, 0), 1), 0) == pytest.approx({1: 0.25, 2: 0.75})
    # seat 1 reads the first move of player 0, not its own
    assert cards(worlds(position, 1, others=answers), 0) == pytest.approx({1: 0.1 / 0.7, 2: 0.6 / 0.7})
    assert worlds(position, 0, few=2) is None
    assert worlds(position, 0, few=3) is not None


def test_worlds_that_nobody_disputes() -> None:
    """What the others did could have been done in all of them."""
    found = undisputed_worlds(dealt(2, 3, 0, 2), 0)
    assert cards(found, 1) == pytest.approx({1: 0.5, 2: 0.3, 3: 0.2})
    assert undisputed_worlds(dealt(2, 3, 0, 2), 0, few=2) is None
    dice = load("goofspiel(cards=3)")
    position = dice.start()
    while position.turn < 0:
        position = position.after(0)
    bid = position.after(0)
    assert worlds(bid, 1 - position.turn) is not None
    assert undisputed_worlds(bid, 1 - position.turn) is None  # a bid that is hidden splits worlds


def test_a_step_has_the_probability_of_the_event() -> None:
    start = PLEDGES.start()
    seen = events(dealt(2, 3, 0, 2), 0)
    assert [event.turn for event in seen] == [-1, -1, 0, 1]
    first = steps(start, seen[0], 0, None)
    assert [(action, chance) for action, chance, _ in first] == [(1, 0.75)]  # it sees its own card
    second = steps(first[0][2], seen[1], 0, None)
    assert [(action, chance) for action, chance, _ in second] == [(0, 0.5), (1, 0.3), (2, 0.2)]
    assert [(a, c) for a, c, _ in steps(first[0][2], seen[1], 0, None, only=1)] == [(1, 0.3)]
    world = second[2][2]
    assert [(a, c) for a, c, _ in steps(world, seen[2], 0, answers)] == [(0, 1.0)]  # its own move counts 1
    after = steps(world, seen[2], 0, None)[0][2]
    assert [(a, c) for a, c, _ in steps(after, seen[3], 0, answers)] == [(2, 0.9)]
    assert [(a, c) for a, c, _ in steps(after, seen[3], 0, None)] == [(2, 1.0)]
    assert steps(after, seen[2], 0, None) == []  # somebody else's turn
    assert after.history == ("1", "2", "0")


def test_how_worlds_are_found() -> None:
    position = dealt(2, 3, 0, 2)
    whole = believe(position, 0)
    assert (whole.source, whole.exact, len(whole)) == ("enumerated", True, 3)
    drawn = believe(position, 0, 40, few=2)
    assert (drawn.source, drawn.exact, len(drawn)) == ("sampled", False, 40)
    assert sum(weight for _, weight in drawn) == pytest.approx(1.0)
    assert list(drawn) == list(drawn.worlds)
    assert [world.history for world, _ in drawn] == [
        world.history for world, _ in believe(dealt(2, 1, 0, 2), 0, 40, few=2)
    ]
    assert isinstance(drawn, Belief)


def test_imagined_worlds_weigh_alike_and_are_forgotten_in() -> None:
    def swap(state: Any, p: int, r: Any) -> None:
        state.card[1 - p] = 1 + r[0] % 3
        r[0] += 1

    def forget(state: Any, p: int) -> None:
        state.made[0] = 10 + p

    game = replace(PLEDGES, hidden=replace(PLEDGES.hidden, imagine=swap, forget=forget))
    position = Position(game, dealt(2, 3, 0, 2).state, ())
    found = imagine_worlds(position, 0, 4, [0, 0, 0, 0])
    assert [(world.state.card[1], world.state.made[0], weight) for world, weight in found] == [
        (1, 10, 0.25), (2, 10, 0.25), (3, 10, 0.25), (1, 10, 0.25),
    ]  # fmt: skip
    assert position.state.card[1] == 3
    assert believe(Position(game, position.state, dealt(2, 3, 0, 2).history), 0, 4, few=2).source == "imagined"


# --------------------------------------------------------------------------------------------------- samples


def test_an_index_is_picked_by_its_weight() -> None:
    weights, r, mine = [1.0, 0.0, 2.0, 5.0], [0] * 4, [0] * 4
    for index in range(60):
        seed_stream(r, 1, index)
        seed_stream(mine, 1, index)
        u = 8.0 * uniform(mine)
        assert pick(r, weights) == (0 if u < 1.0 else 2 if u < 3.0 else 3)


def test_systematic_resampling_gives_everybody_its_share() -> None:
    """Ten of weights 0.5, 0.06, 0.24 and 0.2: 5, 0 or 1, 2 or 3, 2; where the marks fall is one number."""
    weights, r, mine = [0.5, 0.06, 0.24, 0.2], [0] * 4, [0] * 4
    edges = np.cumsum(weights)
    for index in range(20):
        seed_stream(mine, 2, index)
        mark = uniform(mine)
        wanted = [int(np.searchsorted(edges, (k + mark) / 10, side="right")) for k in range(10)]
        wanted = [min(i, 3) for i in wanted]
        seed_stream(r, 2, index)
        assert resampled([0, 1, 2, 3], weights, 10, r) == wanted
        seed_stream(r, 2, index)
        drawn = tracking._resampled([(i, w) for i, w in enumerate(weights)], 10, r)  # type: ignore[misc]
        assert list(map(tuple, drawn)) == [(i, 0.1) for i in wanted]


@pytest.mark.slow
def test_a_filter_weighs_what_it_draws() -> None:
    """Hidden cards by their odds, what is seen by its chance: weights make up for it, unless they are drawn again."""
    stream = [0] * 4
    seed_stream(stream, 4, 7)
    found = sample_worlds(dealt(2, 3, 0, 2), 0, 3000, stream, answers)
    assert cards(found, 1) == pytest.approx(AFTER_A_2, abs=0.03)
    assert len(found) == 3000
    seed_stream(stream, 1, 1)
    assert cards(sample_worlds(dealt(2, 3), 0, 3000, stream), 1) == pytest.approx({1: 0.5, 2: 0.3, 3: 0.2}, abs=0.03)
    assert cards(sample_worlds(dealt(2, 3, 2), 1, 3000, stream, answers), 0) == pytest.approx(
        {1: 0.5, 2: 0.5}, abs=0.03
    )


def test_particles_are_drawn_again_where_few_of_them_count() -> None:
    """Weights 0.1, 0.5 and 0.9 are as good as 60 of 100 alike, 0.01, 0.01 and 0.98 as good as 22."""

    def telling(position: Position) -> Mapping[str, float]:
        if position.turn == 0:
            return dict.fromkeys(position.legal, 1.0 / len(position.legal))
        two = 0.98 if position.view(1).card == 3 else 0.01
        return dict(zip(position.legal, (1.0 - two, two), strict=True))

    stream = [0] * 4
    for model, different in ((answers, 3), (telling, 1)):
        seed_stream(stream, 4, 7)
        found = sample_worlds(dealt(2, 3, 0, 2), 0, 100, stream, model)
        assert len({round(weight, 9) for _, weight in found}) == different
        tracked = track(dealt(2, 3, 0, 2), 0, 100, model, stream)[-1]
        assert tracked is not None
        assert len({round(weight, 9) for _, weight in tracked}) == different
        assert len(tracked) == 100


def bets(position: Position) -> Mapping[str, float]:
    """The higher the card, the likelier a bet."""
    chance = 0.2 * position.view(position.turn).card
    return {"pass": 1.0 - chance, "bet": chance}


def test_changes_of_histories_keep_the_posterior() -> None:
    """One history of three-player Kuhn is changed again and again: it visits every deal as often as it is likely."""
    position = KUHN3.start().after("J to player 0", "Q to player 1", "K to player 2", "pass", "bet", "pass")
    seen, stream = events(position, 0), [0] * 4
    seed_stream(stream, 1, 0)
    exact = {w.history: weight for w, weight in worlds(position, 0, others=bets) or ()}
    assert len(exact) == 6
    sampler = _Sampler(KUHN3, 0, seen, 1, stream, bets)
    assert sampler.hidden == [1, 2]
    particle = _Particle(KUHN3.start())
    for ply, name in enumerate(position.history):
        [step] = [s for s in steps(particle.world, seen[ply], 0, bets) if s[2].history[-1] == name]
        particle = _Particle(step[2], particle, step[0], step[1])
    assert [node.action for node in particle.path()] == [-1, *(node.action for node in particle.path()[1:])]
    visits: Counter[tuple[str, ...]] = Counter()
    rounds = 6000
    for _ in range(rounds):
        particle = sampler._changed(particle, len(seen))
        visits[particle.world.history] += 1
    assert visits.keys() == exact.keys()
    for history, chance in exact.items():
        assert visits[history] / rounds == pytest.approx(chance, abs=0.04)
    assert sampler._changed(particle.path()[1], 1) is particle.path()[1]  # nothing was hidden yet


# --------------------------------------------------------------------------------------------------- carried along


def test_worlds_are_carried_along() -> None:
    """Four events: after each the weights are those of all worlds, within what 4000 draws allow."""
    stream = [0] * 4
    seed_stream(stream, 4, 0)
    position = dealt(2, 3, 0, 2)
    found = track(position, 0, 4000, answers, stream)
    assert len(found) == 5
    assert found[0] == [(found[0][0][0], 1 / 4000)] * 4000  # type: ignore[index]
    for ply, expected in ((2, (0.5, 0.3, 0.2)), (3, (0.5, 0.3, 0.2)), (4, AFTER_A_2.values())):
        now = found[ply]
        assert now is not None
        assert sum(weight for _, weight in now) == pytest.approx(1.0)
        assert cards(now, 1) == pytest.approx(dict(zip((1, 2, 3), expected, strict=True)), abs=0.03)


def test_the_step_of_a_carried_world() -> None:
    stream = [0] * 4
    seen = events(dealt(2, 3, 0, 2), 0)
    before = dealt(2, 1, 0)
    assert tracking._step(before, seen[2], 0, answers, 0, stream) is None  # not its turn
    step = tracking._step(before, seen[3]._replace(move="2"), 2, answers, 0, stream)
    assert step is not None
    assert (step[0].state.made[1], step[1]) == (2, 0.1)
    assert tracking._step(before, seen[3]._replace(move="7"), 2, answers, 0, stream) is None
    own = tracking._step(dealt(2, 1), seen[2], 0, answers, 0, stream)
    assert own is not None
    assert own[1] == 1.0  # its own move says nothing
    shown = tracking._step(PLEDGES.start(), seen[0]._replace(move="1"), 1, answers, 0, stream)
    assert shown is not None
    assert shown[1] == 0.75
    for index in range(12):  # hidden moves are drawn as the model says
        mine = [0] * 4
        seed_stream(stream, 1, index)
        seed_stream(mine, 1, index)
        drawn = tracking._step(dealt(2, 3, 0), seen[3]._replace(move=None), 2, answers, 0, stream)
        assert (drawn is not None) == (choose(mine, [0.1, 0.9], 2) == 1)  # only a 2 fits the view
        assert drawn is None or drawn[1] == 1.0


def test_too_few_worlds_are_no_belief() -> None:
    stream = [0] * 4
    seed_stream(stream, 4, 0)
    few, enough = (track(dealt(2, 3, 0), 0, count, answers, stream) for count in (11, 12))
    assert [one is None for one in few] == [False, False, False, True]  # that all were one at first does not count
    assert [one is None for one in enough] == [False] * 4
    with_none = track(dealt(2, 3, 0, 2), 0, 8, lambda position: {}, stream)
    assert with_none[-1] is None


# --------------------------------------------------------------------------------------------------- tables of worlds


def test_the_table_of_worlds() -> None:
    keys, begins, odds, states = world_table(PLEDGES, False)
    assert len(keys) == 16
    assert keys == sorted(keys)
    for position, player, weights in (
        (dealt(2, 1), 0, [0.5, 0.8, 1.0]),
        (dealt(2, 1, 0, 2), 0, [0.5, 0.8, 1.0]),
        (dealt(1, 3, 2), 1, [0.25, 1.0]),
    ):
        i = keys.index(position.key(player))
        mine = range(begins[i], begins[i + 1])
        assert odds[mine.start : mine.stop].tolist() == pytest.approx(weights)
        assert [states[k].card[1 - player] for k in mine] == list(range(1, len(weights) + 1))
        assert all(states[k].card[player] == position.state.card[player] for k in mine)
        r, copy, target = [0] * 4, [0] * 4, compiler.states(PLEDGES, 2, False)
        for index in range(30):
            seed_stream(r, 1, index)
            seed_stream(copy, 1, index)
            wanted = int(np.searchsorted(weights, uniform(copy), side="right")) + 1
            compiler.interpret(draw_world, PLEDGES)(target, 1, position.key(player), r, (keys, begins, odds, states))
            assert target[1].card[1 - player] == wanted


def test_ways_to_guess() -> None:
    target, r = compiler.states(PLEDGES, 2, False), [0] * 4
    found = ([0.25, 0.0, 0.75], [dealt(1, k).state for k in (1, 2, 3)])
    for index in range(12):
        seed_stream(r, 1, index)
        mine = list(r)
        compiler.interpret(sample_from_list, PLEDGES)(target, 1, [None], 0, 0, r, found)
        assert target[1].card[1] == 1 + choose(mine, found[0], 3)

    def imagined(state: Any, p: int, stream: Any) -> None:
        state.card[1 - p] = 3

    def moved(states: Any, g: int, p: int, stream: Any, data: Any) -> None:
        states[g].made[0] = data

    game = replace(PLEDGES, hidden=replace(PLEDGES.hidden, imagine=imagined))
    truth = dealt(1, 2, 0)
    compiler.interpret(sample_imagined, game, {sample_secret_moves: moved})(target, 0, [None, truth.state], 1, 0, r, 2)
    assert (target[0].card[1], target[0].card[0], target[0].made[0], target[0].moves) == (3, 1, 2, 1)
    assert truth.state.card[1] == 2
    table = world_table(PLEDGES, False)
    kernel = compiler.interpret(sample_from_table, PLEDGES, {concrete_key: PLEDGES.rules.key})
    kernel(target, 1, [dealt(1, 2, 2).state], 0, 1, r, table)
    assert (target[1].card[1], target[1].made[0], target[1].moves) == (2, 2, 1)
