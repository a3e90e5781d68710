"""What can be believed: exact where it is enumerated, right where it is sampled, and a function of what was seen."""

from __future__ import annotations

import doctest
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from parlor.game import GameError, Position
from parlor.game.loading import load
from parlor.game.rng import seed_stream
from parlor.game.schema import fields_of
from parlor.game.seats.play import play_game, replay, uniform_agent
from parlor.search import belief as module
from parlor.search.belief import NoWorld, Source, believe, sample_worlds, worlds
from parlor.search.seen_events import Model, World, events
from parlor.search.tracking import track
from parlor.search.world_table import world_table


def somewhere(name: str, plies: int, seed: int = 0) -> Position:
    game = load(name)
    return replay(game, play_game(game, [uniform_agent] * game.players, seed).moves[:plies])


def sampled(position: Position, player: int, count: int, others: Model | None = None) -> list[World]:
    stream = [0, 0, 0, 0]
    seed_stream(stream, 1, 2)
    return sample_worlds(position, player, count, stream, others)


def weights(found: list[World]) -> Counter[tuple[str, ...]]:
    total: Counter[tuple[str, ...]] = Counter()
    for world, weight in found:
        total[world.history] += weight  # type: ignore[assignment]
    return total


def eager(position: Position) -> Mapping[str, float]:
    """A model of the others: the later in the list, the likelier; and chance cards matter."""
    names, tilt = position.legal, 1 + position.key(position.turn) % 3
    total = sum(i**tilt for i in range(1, len(names) + 1))
    return {name: (i + 1) ** tilt / total for i, name in enumerate(names)}


def test_what_a_bet_says_about_a_card() -> None:
    """To a queen, a bet of one who bets every king and a third of its jacks is a king three times out of four."""

    def bets(position: Position) -> Mapping[str, float]:
        bet = {"J": 1 / 3, "Q": 0.0, "K": 1.0}["JQK"[position.view(position.turn).card - 1]]
        return {"pass": 1.0 - bet, "bet": bet}

    position = load("kuhn").start().after("Q to player 0", "K to player 1", "pass", "bet")
    for others, king in ((None, 0.5), (bets, 0.75)):
        found = worlds(position, 0, others=others)
        assert found is not None
        assert {w.history[1]: p for w, p in found} == pytest.approx({"J to player 1": 1 - king, "K to player 1": king})


def test_by_the_model_it_would_never_have_come_to_this() -> None:
    position = load("kuhn").start().after("Q to player 0", "K to player 1", "pass", "bet")

    def never(position: Position) -> Mapping[str, float]:
        return {"pass": 1.0, "bet": 0.0}

    found = worlds(position, 0, others=never)
    assert found is not None
    assert [weight for _, weight in found] == [0.5, 0.5]
    assert {world.history for world, _ in sampled(position, 0, 50, never)} == {world.history for world, _ in found}


CASES = [("leduc(players=3)", 8, 0), ("goofspiel(cards=5)", 7, 1), ("liars-dice(dice=2,faces=3)", 6, 0)]
THEIRS = [("openspiel:leduc_poker", 4, 1), ("openspiel:phantom_ttt", 3, 0)]


@pytest.mark.slow
@pytest.mark.parametrize("others", [None, eager], ids=["chance", "model"])
@pytest.mark.parametrize(("name", "plies", "player"), CASES + THEIRS)
def test_sampling_agrees_with_enumeration(name: str, plies: int, player: int, others: Model | None) -> None:
    if name.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    position = somewhere(name, plies)
    exact = worlds(position, player, 10_000, others)
    assert exact is not None
    assert len(exact) > 1
    wanted, found = weights(exact), weights(sampled(position, player, 800, others))
    distance = sum(abs(wanted[history] - found[history]) for history in wanted | found) / 2
    assert found.keys() <= wanted.keys()
    assert distance < 0.1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "plies", "player"), CASES)
def test_worlds_carried_along_agree_with_enumeration_after_every_event(name: str, plies: int, player: int) -> None:
    position, stream = somewhere(name, plies), [1, 2, 3, 4]
    tracked = track(position, player, 2000, eager, stream)
    assert len(tracked) == plies + 1
    for ply, carried in enumerate(tracked):
        assert carried is not None
        wanted = weights(worlds(somewhere(name, ply), player, 10_000, eager) or [])
        found = weights(carried)
        assert sum(found.values()) == pytest.approx(1.0)
        assert found.keys() <= wanted.keys()
        assert sum(abs(wanted[history] - found[history]) for history in wanted | found) / 2 < 0.1


LATE = [("monopoly-deal", 70), ("goofspiel(cards=9)", 16), ("liars-dice(dice=4,faces=4)", 12)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "plies"), LATE)
def test_samples_fit_everything_that_was_seen(name: str, plies: int) -> None:
    """Along the whole game, not only at its end."""
    position = somewhere(name, plies)
    for player in range(2):
        seen = events(position, player)
        found = sampled(position, player, 12)
        assert all(events(world, player) == seen for world, _ in found)
        assert len({world.history for world, _ in found}) > 6
        assert sum(weight for _, weight in found) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "plies", "source"),
    [
        ("leduc", 4, "enumerated"),
        ("monopoly-deal", 20, "imagined"),
        ("goofspiel(cards=9)", 14, "sampled"),
    ],
)
def test_belief_is_a_function_of_what_was_seen(name: str, plies: int, source: Source) -> None:
    position = somewhere(name, plies)
    player = 1
    found = believe(position, player, 20)
    assert (found.source, found.exact) == (source, source == "enumerated")
    others = sampled(position, player, 5)  # other histories that look the same
    assert any(world.history != position.history for world, _ in others)
    for world, _ in others:
        again = believe(world, player, 20)
        assert [(w.view(0), w.view(1), weight) for w, weight in again] == [
            (w.view(0), w.view(1), weight) for w, weight in found
        ]


def test_a_model_or_memories_are_not_left_to_imagine() -> None:
    position = somewhere("monopoly-deal", 20)
    assert believe(position, 0, 5, others=uniform_agent).source == "sampled"
    assert believe(position, 0, 5, own=False).source == "sampled"


#: Eight coins fall where nobody looks; then player 0 moves, and is told which way each of them fell.
LATE_NEWS = """
from parlor.game import CHANCE, OVER, hidden, public

PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM = 1, 1, 2, 9, False
STATE = {"coins": hidden(), "fallen": public(), "news": public()}

def start(s): pass
def turn(s): return CHANCE if s.fallen < 8 else 0 if s.news == 0 else OVER
def odds(s, out):
    out[0] = 0.5
    out[1] = 0.5
    return 2
def legal(s, out):
    out[0] = 0
    return 1
def play(s, a):
    if s.fallen < 8:
        s.coins = s.coins * 2 + a
        s.fallen += 1
    else:
        s.news = s.coins + 1
def payoff(s, p): return 0.0
def key(s, p): return s.fallen * 512 + s.news
"""


def test_it_does_not_die_out_when_news_come_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "late.py").write_text(LATE_NEWS)
    position = load(str(tmp_path / "late.py")).start().after(1, 0, 0, 1, 1, 0, 1, 1, 0)
    assert {world.history for world, _ in sampled(position, 0, 4)} == {position.history}
    monkeypatch.setattr(module, "REPAIRS", 0)
    with pytest.raises(NoWorld, match=r"No position of .* fits what player 0 has seen in 9 moves"):
        sampled(position, 0, 4)


def test_a_position_without_its_history_says_so() -> None:
    position = somewhere("leduc", 4)
    with pytest.raises(GameError, match=r"this position of leduc has no history; play to it from start\(\)"):
        believe(Position(position.game, position.state, ()), 0)


def test_all_worlds_at_once_are_the_worlds_at_each_position() -> None:
    position = somewhere("leduc", 4)
    keys, begins, odds, states = world_table(position.game, False)
    i = keys.index(position.key(position.turn))
    listed = range(begins[i], begins[i + 1])
    wanted = worlds(position, position.turn)
    assert wanted is not None
    total = 0.0
    for k, (world, weight) in zip(listed, wanted, strict=True):
        total += weight
        assert fields_of(states[k]) == fields_of(world.state)
        assert odds[k] == pytest.approx(total)


def test_the_session_in_the_docs_runs_as_shown() -> None:
    page = (Path(__file__).parents[2] / "docs" / "belief.md").read_text()
    session = "\n".join(re.findall(r"```pycon\n(.*?)```", page, re.S))
    result = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(session, {}, "belief.md", None, 0))
    assert (result.failed, result.attempted) == (0, 5)
