"""What is left out of an analysis, row by row."""

from __future__ import annotations

import pandas as pd
import pytest

from parlor.game import GameError
from parlor.study.design.exclusions import EXCLUSIONS, exclude

PARTICIPANTS = pd.DataFrame(
    [("P1", 0, 1), ("P2", 0, 1), ("P3", 1, 1), ("P4", 0, 0)], columns=["participant", "non_responsive", "finished"]
)
EPISODES = pd.DataFrame(
    [
        ("E1", "people", "P1", "P2", "ended"),
        ("E1", "people", "P2", "P1", "ended"),
        ("E2", "people", "P1", "P3", "ended"),  # P3 was non-responsive, though not here
        ("E2", "people", "P3", "P1", "ended"),
        ("E3", "people", "P2", "P3", "timed-out"),
        ("E3", "people", "P3", "P2", "timed-out"),
        ("E4", "agents", "P4", "fair", "ended"),
        ("E5", "agents", "P4", "coop", "timed-out"),
        ("E6", "people", "P1", "P4", "absent"),
    ],
    columns=["episode", "condition", "participant", "partner", "status"],
)


def left(*names: str) -> list[str]:
    return sorted(set(exclude(EPISODES, PARTICIPANTS, names)[0]["episode"]))


def test_each_rule_leaves_out_what_it_says() -> None:
    assert left() == ["E1", "E2", "E3", "E4", "E5"]  # what never began is in no analysis
    assert left("timed-out") == ["E1", "E2", "E4"]
    assert left("non-responsive") == ["E1", "E4", "E5"]  # with the rows of the partners
    assert left("timed-out", "non-responsive") == ["E1", "E4"]
    assert left("unfinished") == ["E1", "E2", "E3"]
    assert set(EXCLUSIONS) == {"timed-out", "non-responsive", "unfinished"}


def test_games_are_counted_once_and_by_condition() -> None:
    kept, steps = exclude(EPISODES, PARTICIPANTS, ("timed-out", "non-responsive"))
    assert len(kept) == 3
    assert [(step.name, step.games, dict(step.by_condition), step.participants) for step in steps] == [
        ("absent", 1, {"people": 1}, ()),
        ("timed-out", 2, {"people": 1, "agents": 1}, ()),
        ("non-responsive", 1, {"people": 1}, ("P3",)),
    ]


def test_an_unknown_name_is_a_sentence() -> None:
    with pytest.raises(GameError, match="There is no exclusion 'timed-outs'; did you mean timed-out\\?"):
        exclude(EPISODES, PARTICIPANTS, ("timed-outs",))
    with pytest.raises(GameError, match="there are timed-out, non-responsive, unfinished\\."):
        exclude(EPISODES, PARTICIPANTS, ("xyz",))
