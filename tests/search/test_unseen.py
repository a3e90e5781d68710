"""Moves that nobody notices: the same key means the same events, worlds and decisions, whatever happened unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from parlor.agents.registry import make_agent
from parlor.contract import check
from parlor.game import Position
from parlor.game.loading import load
from parlor.game.rng import seed_stream
from parlor.game.seats.observation import Observation, observe
from parlor.game.seats.play import play_on
from parlor.game.seats.python_agent import PythonAgent
from parlor.game.seats.visibility import goes_unnoticed, visible_move
from parlor.search.belief import _Particle, _UnseenSampler, sample_worlds, worlds
from parlor.search.seen_events import World, events
from parlor.search.tracking import track
from parlor.solvers.tabulate import tabulate

PHANTOM = load(str(Path(__file__).with_name("phantom.py")))
#: Of each pair player 0 knows the same: the other one has tried in vain in the second, or once more.
PAIRS = [
    (("cell 1", "cell 3"), ("cell 1", "cell 1", "cell 3")),
    (("cell 1", "cell 4"), ("cell 1", "cell 1", "cell 2")),
    (("cell 2", "cell 4"), ("cell 2", "cell 2", "cell 4")),
]


def luck(seed: int) -> list[int]:
    stream = [0, 0, 0, 0]
    seed_stream(stream, seed, 7)
    return stream


def summed(found: list[World] | None) -> dict[tuple[str, ...], float]:
    assert found
    total: Counter[tuple[str, ...]] = Counter()
    for world, weight in found:
        total[world.history] += weight  # type: ignore[assignment]
    return dict(total)


def eager(position: Position) -> Mapping[str, float]:
    """The further to the right, the likelier."""
    names = position.legal
    total = sum(range(1, len(names) + 1))
    return {name: i / total for i, name in enumerate(names, 1)}


def test_a_try_in_vain_is_left_out_of_all_that_the_other_gets() -> None:
    before = PHANTOM.start().after("cell 1")
    assert [goes_unnoticed(before, "cell 1", viewer) for viewer in (0, 1, None)] == [True, False, True]
    assert [goes_unnoticed(before, "cell 2", viewer) for viewer in (0, 1, None)] == [False, False, False]
    assert visible_move(before, "cell 1", 1) == "cell 1"
    assert visible_move(before, "cell 1", 0) is None
    for one, two in PAIRS:
        a, b = PHANTOM.start().after(*one), PHANTOM.start().after(*two)
        assert observe(a, 0) == observe(b, 0)
        assert len(observe(b, 1).history) == len(two)
        assert events(a, 0) == events(b, 0)


def test_an_agent_is_called_only_for_what_it_notices() -> None:
    calls: list[str | None] = []

    class Counting:
        def observe(self, event: Any, observation: Observation) -> None:
            if observation.player == 0:
                calls.append(event.move)
                assert observation.history[-1] == event

        def act(self, observation: Observation) -> str:
            return observation.legal[0]

    play_on(PHANTOM.start(), [PythonAgent(Counting), PythonAgent(Counting)], [luck(1)] * 3)
    # 1 (0), 1 fails and 2 (1), 2 fails and 3 (0), 3 fails and 4 (1): full, nobody has won
    assert calls == ["cell 1", None, "cell 2", "cell 3", None]


def test_worlds_have_any_number_of_tries_between_two_events() -> None:
    """After 1 and an answer, the answer is 2, 3 or 4 at once with 1/4 each, or after a try at 1 with 1/4 * 1/3 each."""
    expected: dict[tuple[str, ...], float] = {("cell 1", f"cell {k}"): 1 / 4 for k in (2, 3, 4)}
    expected |= {("cell 1", "cell 1", f"cell {k}"): 1 / 12 for k in (2, 3, 4)}
    for moves in (("cell 1", "cell 3"), ("cell 1", "cell 1", "cell 3")):
        position = PHANTOM.start().after(*moves)
        assert summed(worlds(position, 0)) == pytest.approx(expected)
        drawn = summed(sample_worlds(position, 0, 2000, luck(2)))
        assert drawn == pytest.approx(expected, abs=0.03)
    halfway = PHANTOM.start().after("cell 1", "cell 1")  # the other's turn: it may have tried, or not
    assert summed(worlds(halfway, 0)) == pytest.approx({("cell 1",): 4 / 5, ("cell 1", "cell 1"): 1 / 5})
    drawn = summed(sample_worlds(halfway, 0, 2000, luck(3)))
    assert drawn == pytest.approx({("cell 1",): 4 / 5, ("cell 1", "cell 1"): 1 / 5}, abs=0.03)


@pytest.mark.slow(seconds=12)
@pytest.mark.parametrize("model", [None, eager], ids=["chance", "model"])
def test_samples_and_tracks_agree_with_all_worlds(model: Any) -> None:
    position = PHANTOM.start().after("cell 1", "cell 1", "cell 4", "cell 4", "cell 3", "cell 3", "cell 2")
    before = PHANTOM.start().after("cell 1", "cell 1", "cell 4", "cell 4", "cell 3")
    for at in (position, before):
        exact = summed(worlds(at, 0, others=model))
        assert summed(sample_worlds(at, 0, 1500, luck(4), model)) == pytest.approx(exact, abs=0.05)
    exact = summed(worlds(before, 1, others=model))
    tracked = track(before, 1, 1500, model or (lambda p: dict.fromkeys(p.legal, 1 / len(p.legal))), luck(5))
    assert len(tracked) == len(before.history) + 1
    assert tracked[4] is tracked[3]  # the other's try at 4 was not noticed
    assert tracked[-1] is None or summed(tracked[-1]) == pytest.approx(exact, abs=0.05)


def test_changes_of_histories_keep_the_posterior() -> None:
    """One history is changed again and again: it visits every one that fits as often as it is likely."""
    game, stream = load(str(Path(__file__).with_name("phantom.py")), cells=5), luck(6)
    seen = events(position := game.start().after("cell 1", "cell 1", "cell 3", "cell 4", "cell 4", "cell 5"), 0)
    exact = summed(worlds(position, 0, others=eager))
    assert len(exact) > 8
    sampler, particle = _UnseenSampler(game, 0, seen, 1, stream, eager), _Particle(game.start())
    for event in seen:
        [(particle, _)] = sampler._grown([(particle, 1.0)], event)
    visits: Counter[tuple[str, ...]] = Counter()
    rounds = 5000
    for _ in range(rounds):
        particle = sampler._changed(particle, len(seen))
        visits[particle.world.history] += 1
    shares = {history: visits[history] / rounds for history in exact}
    assert shares == pytest.approx(exact, abs=0.03)
    assert visits.keys() <= exact.keys()


@pytest.mark.parametrize("text", ["look-ahead(rollouts=5)", "mcts(simulations=30)", "search(simulations=30)"])
def test_decisions_are_the_same_where_the_key_is(text: str) -> None:
    agent = make_agent(text, PHANTOM)
    for one, two in PAIRS:
        a, b = PHANTOM.start().after(*one), PHANTOM.start().after(*two)
        assert a.key(0) == b.key(0)
        assert agent(a) == agent(b)


def test_a_search_is_measured_exactly_and_plays_matches_alike() -> None:
    """`tabulate` asks it in every history, and finds no two alike in which it plays differently."""
    small = load(str(Path(__file__).with_name("phantom.py")), cells=3)
    agent = make_agent("look-ahead(rollouts=2)", small)
    position = small.start().after("cell 1", "cell 1", "cell 2")
    assert tabulate(small, agent)[position] == pytest.approx(dict(agent(position)))


def test_check_holds_events_to_keys(tmp_path: Path) -> None:
    source = Path(__file__).with_name("phantom.py").read_text()
    declared = source.index("def unseen")
    noticed, secretly = tmp_path / "noticed.py", tmp_path / "secretly.py"
    noticed.write_text(source[:declared])
    secretly.write_text(source.replace("p != s.mover and s.owner[a] != 0", "p != s.mover"))
    assert not check(PHANTOM, compiled=False).broken
    [found] = check(load(str(noticed)), compiled=False).broken
    assert found.name == "events"
    assert "but has noticed 2 moves and outcomes (cell" in found.sentence
    assert "unseen(s, a, p) must say what player" in found.sentence
    [found] = [finding for finding in check(load(str(secretly)), compiled=False).broken if finding.name == "events"]
    assert found.sentence.startswith("unseen says that player 1 does not notice what happens")


def test_games_of_openspiel_say_what_goes_unnoticed() -> None:
    """In its phantom tic-tac-toe a try in vain is not noticed; in poker every bet is."""
    pytest.importorskip("pyspiel")
    from parlor.interop.openspiel_bot import indistinguishable

    game = load("openspiel:phantom_ttt")
    one, two = game.start().after("x(1,0)", "o(1,0)", "o(1,1)"), game.start().after("x(1,0)", "o(1,1)")
    assert observe(one, 0) == observe(two, 0)
    assert [event.player for event in observe(one, 0).history] == [0, 1]
    seen = [observe(game.start(), 0), observe(game.start().after("x(1,0)"), 0), observe(one, 0)]
    world = indistinguishable(game, seen)
    assert world.key(0) == one.key(0)
    assert observe(world, 0) == seen[-1]
    poker = load("openspiel:kuhn_poker").start().after("Deal:0", "Deal:1", "Pass")
    assert [event.player for event in observe(poker, 1).history] == [-1, -1, 0]
