"""Enumeration: limits, perfect recall, errors."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from parlor import GameError
from parlor.compile.random_games import estimate_histories
from parlor.game.loading import load
from parlor.sequence_form import enumeration
from parlor.sequence_form.enumeration import TooLarge
from parlor.sequence_form.size import estimate_size
from parlor.sequence_form.tree import _groups, tree, tree_if_small

KUHN = (Path(__file__).parents[2] / "parlor/games/kuhn/rules.py").read_text()


def changed_kuhn(folder: Path, old: str, new: str) -> str:
    assert old in KUHN
    (folder / "mine.py").write_text(KUHN.replace(old, new))
    return str(folder / "mine.py")


def test_a_game_too_large_says_so_with_its_size() -> None:
    with pytest.raises(
        TooLarge, match=r"goofspiel\(cards=13\) is too large to enumerate: about \d\.\de\+1\d histories"
    ):
        tree(load("goofspiel(cards=13)"), limit=100_000)
    with pytest.raises(TooLarge, match="more than the limit of 9,456"):
        tree(load("leduc"), limit=9456)
    game = load("leduc")
    assert tree(game, limit=9457).histories == 9457
    with pytest.raises(TooLarge, match="leduc has 9,457 histories"):
        tree(game, limit=100)
    assert tree_if_small(load("goofspiel(cards=13)")) is None


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice"])
def test_the_estimate_of_the_size_is_about_right(name: str) -> None:
    assert estimate_histories(load(name), 20_000) == pytest.approx(tree(load(name)).histories, rel=0.5)


def test_a_game_that_forgets_is_refused(tmp_path: Path) -> None:
    """A key without the own card before the second move: what was known is forgotten."""
    path = changed_kuhn(tmp_path, "(p * 8 + s.card[p])", "(p * 8 + (s.card[p] if s.moves < 2 else 0))")
    with pytest.raises(GameError, match="player 0 forgets what it knew or did before"):
        tree(load(path))


def test_one_key_with_different_legal_actions_is_refused(tmp_path: Path) -> None:
    path = changed_kuhn(tmp_path, "    return 2\n", "    return 1 if s.card[1] == 1 else 2\n")
    with pytest.raises(GameError, match=r"same key \d+ but different legal actions"):
        tree(load(path))


def test_a_game_longer_than_it_says_is_refused(tmp_path: Path) -> None:
    path = changed_kuhn(tmp_path, "LENGTH = PLAYERS + 2 * PLAYERS - 1", "LENGTH = 3")
    with pytest.raises(GameError, match=r"the game is not over after .* and LENGTH is 3; raise LENGTH"):
        tree(load(path))


@pytest.mark.parametrize("name", ["kuhn(players=3)", "leduc", "goofspiel(order=random,cards=3)"])
def test_the_flat_arrays_fit_together(name: str) -> None:
    game = load(name)
    t = tree(game)
    assert t.bounds[0] == 0
    assert t.bounds[-1] == t.sequences == int(t.count.sum()) + game.players
    assert (np.sort(t.rows) == np.flatnonzero(t.action >= 0)).all()
    for p in range(game.players):
        own = np.flatnonzero(t.player == p)
        assert (own == np.arange(t.infoset_bounds[p], t.infoset_bounds[p + 1])).all()
        assert ((t.parent[own] >= t.bounds[p]) & (t.parent[own] < t.first[own])).all()  # parents first
    # if every other sequence has weight one, each player's entries sum to its payoffs over all endings
    assert t.entry_bounds[-1] == len(t.weight)


def test_the_kept_history_of_an_infoset_leads_there() -> None:
    game = load("leduc")
    t = tree(game)
    for i in range(0, t.infosets, 37):
        position = game.start()
        for move in t.history(i):
            position = position.after(move)
        assert position.turn == t.player[i]
        assert position.key(position.turn) == t.keys[i]
        assert len(position.legal) == t.count[i]


@pytest.mark.parametrize("name", ["leduc", "goofspiel(order=random,cards=3)"])
def test_few_histories_are_walked_through_without_the_compiler_to_the_same_arrays(name: str) -> None:
    game = load(name)
    plain = tree(game)
    assert "tree" not in game.cache  # that is where a compiled one would be
    compiled = tree(game, compiled=True)
    assert compiled is not plain
    for field in fields(plain):
        one, other = getattr(plain, field.name), getattr(compiled, field.name)
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype
            assert one.tolist() == other.tolist(), field.name
        else:
            assert one == other


def test_groups_are_found_also_when_codes_do_not_fit_into_a_word() -> None:
    generator = np.random.default_rng(0)
    columns = [generator.integers(0, 3, 500) * 2**28 for _ in range(4)]
    order, starts = _groups(columns, 2**30)
    rows = np.stack(columns, axis=1)
    assert len(starts) == len(np.unique(rows, axis=0))
    assert (rows[order][starts] == np.unique(rows, axis=0)).all()


def test_the_size_of_a_game_is_estimated_from_groups_of_histories() -> None:
    dice = load("liars-dice(faces=4)")  # whoever may make so many bids goes on alike
    assert estimate_size(dice, 60.0)[:3] == pytest.approx([tree(dice).histories] * 3)
    rough = estimate_size(load("leduc"), 60.0, passes=40)
    assert rough.low < tree(load("leduc")).histories < rough.high < 1.3 * rough.low
    assert not estimate_size(load("leduc"), 0.0).in_time


def test_room_is_what_half_of_the_free_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    for pages, fits in ((10**6, enumeration.ROOM), (10**7, 4096 * 10**7 // 500), (10**12, enumeration.LARGEST)):
        sizes = {"SC_AVPHYS_PAGES": pages, "SC_PAGE_SIZE": 4096}
        monkeypatch.setattr("os.sysconf", sizes.__getitem__)
        assert enumeration.capacity() == fits
