"""Values in minds: exact where they can be counted out, honest estimates elsewhere."""

from __future__ import annotations

import pytest

from parlor.game import Position
from parlor.game.loading import load
from parlor.page.seated_agent import SeatedAgent
from parlor.runs.files.strategy_files import save
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.explain import expected_value as module
from parlor.server.explain.expected_value import expected_value
from parlor.server.explain.mind import inside, outside
from parlor.solvers.solve import solve


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    folder = tmp_path_factory.mktemp("agents")
    for name in ("kuhn", "leduc"):
        save(solve(load(name), "cfr+", iterations=500)[0], folder / f"{name}.json")
    return Catalogue([folder])


def seated(catalogue: Catalogue, name: str, agent: str = "") -> tuple[SeatedAgent, Position]:
    game = catalogue.game(name)
    return catalogue.seat(agent or name, game), game.start()


def test_kuhn_is_worth_what_it_is_known_to_be(catalogue: Catalogue) -> None:
    opponent, start = seated(catalogue, "kuhn")
    first = [start.after(f"{card} to player 0", f"{other} to player 1") for card, other in ("JQ", "QK", "KJ")]
    found = [expected_value(opponent, position, 0) for position in first]
    assert all(value is not None and value.kind == "exact" for value in found)
    values = [value.value.value for value in found if value]
    assert sum(values) / 3 == pytest.approx(-1 / 18, abs=1e-3)
    assert values == sorted(values), "a better card is worth more"
    queen = found[1]
    assert queen is not None
    assert {mean.error for mean in queen.actions} == {0.0}
    # facing a bet a fold costs the ante, whatever the other has; and a king always wins two
    facing = first[2].after("pass", "bet")
    king = expected_value(opponent, facing, 0)
    assert king is not None
    assert dict(zip(facing.legal, [mean.value for mean in king.actions], strict=True)) == pytest.approx(
        {"pass": -1.0, "bet": 2.0}
    )


def test_what_the_others_did_counts(catalogue: Catalogue) -> None:
    """To a queen, a bet means a king or a jack that bluffs, three to one: it is all one whether one calls or folds."""
    opponent, start = seated(catalogue, "kuhn")
    facing = start.after("Q to player 0", "K to player 1", "pass", "bet")
    queen = expected_value(opponent, facing, 0)
    assert queen is not None
    assert dict(zip(facing.legal, [m.value for m in queen.actions], strict=True))["bet"] == pytest.approx(-1, abs=0.05)


def test_a_value_is_the_same_whatever_is_hidden(catalogue: Catalogue) -> None:
    for name in ("kuhn", "leduc"):
        opponent, start = seated(catalogue, name)
        mine = start.legal[0]
        values = []
        for theirs in start.after(mine).legal:
            opponent.cache.clear()  # what was worked out before is not asked
            position = start.after(mine, theirs)
            values.append(
                (expected_value(opponent, position, 0), expected_value(opponent, position.after(position.legal[0]), 0))
            )
        assert len(values) > 1
        assert all(value == values[0] for value in values)


def test_playing_on_agrees_with_counting(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    opponent, start = seated(catalogue, "leduc")
    position = start.after(start.legal[2])
    position = position.after(position.legal[0])
    exact = expected_value(opponent, position, 0)
    opponent.cache.clear()
    monkeypatch.setattr(module, "MAX_NODES", 10)
    monkeypatch.setattr(module, "ROLLOUTS", 1500)
    sampled = expected_value(opponent, position, 0)
    opponent.cache.clear()
    assert exact is not None
    assert sampled is not None
    assert (exact.kind, sampled.kind) == ("exact", "rollouts")
    for one, other in zip((exact.value, *exact.actions), (sampled.value, *sampled.actions), strict=True):
        assert 0 < other.error < 0.5
        assert abs(one.value - other.value) < 4 * other.error


@pytest.mark.slow
def test_large_games_are_played_on_in_imagined_worlds(catalogue: Catalogue) -> None:
    opponent, position = seated(catalogue, "monopoly-deal", "careful")
    while position.turn < 0:
        position = position.after(position.legal[0])
    found = expected_value(opponent, position, position.turn)
    assert found is not None
    assert found.kind == "rollouts"
    assert -1 <= found.value.value <= 1
    assert 0 < found.value.error < 0.3
    assert found is expected_value(opponent, position, position.turn), "it is kept"
    ahead, _ = seated(catalogue, "monopoly-deal", "look-ahead")
    assert expected_value(ahead, position, position.turn) is None


def test_a_look_ahead_along_histories_is_asked_only_where_there_is_one() -> None:
    """Its decisions are shown from inside and outside; a value would need it at positions that nobody has played to."""
    catalogue = Catalogue([], ["openspiel:tiny_hanabi"])
    opponent, start = seated(catalogue, "openspiel:tiny_hanabi", "look-ahead")
    position = start.after(start.legal[0])
    position = position.after(position.legal[0])
    for seat in (0, 1):
        mind = (inside(opponent, position, 2, None, True), outside(opponent, position, 1, 2, None))[seat]
        assert sum(one.probability for one in mind.moves) == pytest.approx(1.0)
        assert mind.value is None
