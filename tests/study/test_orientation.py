"""The slider measure of Social Value Orientation, against what Murphy, Ackermann and Handgraaf (2011) published."""

import pytest

from parlor.study.design.orientation import ITEMS, orientation, type_of

#: Self and other at the nine positions, as on the published form.
PUBLISHED = {
    "svo-1": ((85, 85, 85, 85, 85, 85, 85, 85, 85), (85, 76, 68, 59, 50, 41, 33, 24, 15)),
    "svo-2": ((85, 87, 89, 91, 93, 94, 96, 98, 100), (15, 19, 24, 28, 33, 37, 41, 46, 50)),
    "svo-3": ((50, 54, 59, 63, 68, 72, 76, 81, 85), (100, 98, 96, 94, 93, 91, 89, 87, 85)),
    "svo-4": ((50, 54, 59, 63, 68, 72, 76, 81, 85), (100, 89, 79, 68, 58, 47, 36, 26, 15)),
    "svo-5": ((100, 94, 88, 81, 75, 69, 63, 56, 50), (50, 56, 63, 69, 75, 81, 88, 94, 100)),
    "svo-6": ((100, 98, 96, 94, 93, 91, 89, 87, 85), (50, 54, 59, 63, 68, 72, 76, 81, 85)),
}


def test_the_items_are_the_published_ones() -> None:
    assert {item: tuple(zip(*rows, strict=True)) for item, rows in PUBLISHED.items()} == ITEMS


@pytest.mark.parametrize(
    ("positions", "degrees", "name"),
    [
        ((0, 8, 0, 0, 8, 8), 61.39, "altruist"),  # always the most for the other
        ((0, 8, 8, 3, 4, 8), 37.48, "prosocial"),  # always the least difference
        ((0, 8, 8, 0, 0, 8), 37.09, "prosocial"),  # always the greatest sum
        ((0, 8, 8, 8, 0, 0), 7.82, "individualist"),  # always the most for oneself
        ((8, 8, 8, 8, 0, 0), -7.82, "individualist"),  # the same, and where that is equal the least for the other
        ((8, 0, 8, 8, 0, 0), -16.26, "competitor"),  # always the greatest lead
    ],
)
def test_the_perfect_types_have_the_published_angles(positions: tuple[int, ...], degrees: float, name: str) -> None:
    found = orientation(dict(zip(ITEMS, positions, strict=True)))
    assert found is not None
    assert (round(found[0], 2), found[1]) == (degrees, name)


def test_types_change_at_the_published_borders() -> None:
    assert [type_of(a) for a in (57.16, 57.15, 22.46, 22.45, -12.03, -12.04)] == [
        *("altruist", "prosocial", "prosocial", "individualist", "individualist", "competitor")
    ]


def test_an_item_without_an_answer_leaves_it_open() -> None:
    assert orientation(dict.fromkeys(list(ITEMS)[1:], 4)) is None
