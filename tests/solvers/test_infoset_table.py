"""The growing table of information sets: a row belongs to its key, whatever else has the same place and mark."""

from __future__ import annotations

from parlor.game.rng import mix
from parlor.solvers.sampling.infoset_table import ROWS, TAG_BITS, TAG_MASK, InfosetTable, find, lookup

WORDS, ACTIONS = 5, 2


def entered(table: InfosetTable, key: int) -> int:
    return find(table.slots, table.ints, table.counters, key, ACTIONS, WORDS)


def test_every_key_has_its_own_row() -> None:
    table = InfosetTable(WORDS)
    rows = {key: entered(table, key) for key in range(1, 200)}
    assert len(set(rows.values())) == len(rows)
    for key, row in rows.items():
        assert lookup(table.slots, table.ints, key, ACTIONS) == row == entered(table, key)
        assert table.ints[row] == key
    assert lookup(table.slots, table.ints, 1000, ACTIONS) == 0
    assert lookup(table.slots, table.ints, 1, ACTIONS + 1) == 0
    assert table.counters[ROWS] == len(rows)


def test_a_row_with_the_same_place_and_mark_but_another_key_is_not_taken() -> None:
    """Marks are short, so two keys may share place and mark: only the key itself tells."""
    table = InfosetTable(WORDS)
    stranger, wanted = entered(table, 7), 8
    h = mix(0, wanted)
    slot = h & (len(table.slots) - 1)
    assert table.slots[slot] == 0
    table.slots[slot] = stranger << 32 | ACTIONS << TAG_BITS | (h >> 40 & TAG_MASK)
    assert lookup(table.slots, table.ints, wanted, ACTIONS) == 0
    row = entered(table, wanted)
    assert row not in (0, stranger)
    assert lookup(table.slots, table.ints, wanted, ACTIONS) == row
