"""Which episodes an analysis leaves out: a study names rows of `EXCLUSIONS`, and they are applied in that order.

The paper's two are the default: episodes that timed out before a deal or the last turn, and all episodes, those of the
partners too, of a participant who took no action in some episode. An episode that never began, because a participant
had left, has no returns; it is left out of every analysis and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from parlor.game import GameError

NOT_PLAYED = "absent"  # the status of an episode that never began


@dataclass(frozen=True)
class Exclusion:
    """A rule, and a function from the tables of episodes and of participants to a mask of the episodes' rows."""

    sentence: str
    find: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Excluded:
    """The games and participants that a rule excluded from those left by the rules before it."""

    name: str
    sentence: str
    games: int
    participants: tuple[str, ...]  # who are no longer in the data
    by_condition: Mapping[str, int]  # games


def _absent(episodes: Any, participants: Any) -> Any:
    return episodes["status"] == NOT_PLAYED


def _timed_out(episodes: Any, participants: Any) -> Any:
    return episodes["status"] == "timed-out"


def _non_responsive(episodes: Any, participants: Any) -> Any:
    return _involving(episodes, participants.loc[participants["non_responsive"] == 1, "participant"])


def _unfinished(episodes: Any, participants: Any) -> Any:
    return _involving(episodes, participants.loc[participants["finished"] != 1, "participant"])


def _involving(episodes: Any, who: Iterable[str]) -> Any:
    """All rows of the episodes in which one of these took part, their partners' rows included."""
    some = set(who)
    theirs = episodes.loc[episodes["participant"].isin(some) | episodes["partner"].isin(some), "episode"]
    return episodes["episode"].isin(set(theirs))


ABSENT = Exclusion("episodes that never began because a participant had left", _absent)
EXCLUSIONS: Mapping[str, Exclusion] = {
    "timed-out": Exclusion("episodes that timed out before the game was over", _timed_out),
    "non-responsive": Exclusion(
        "all episodes of a participant who made no move in some episode in which it could", _non_responsive
    ),
    "unfinished": Exclusion("all episodes of a participant who did not reach the end of the study", _unfinished),
}


def check_exclusions(names: Sequence[str]) -> None:
    """Raise GameError for a name that is not a row."""
    for name in names:
        if name not in EXCLUSIONS:
            near = get_close_matches(name, EXCLUSIONS, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(EXCLUSIONS)}."
            raise GameError(f"There is no exclusion {name!r}; {hint}")


def exclude(episodes: Any, participants: Any, names: Sequence[str]) -> tuple[Any, list[Excluded]]:
    """The episodes that are left, and what each rule has left out."""
    check_exclusions(names)
    steps = []
    for name, rule in [(NOT_PLAYED, ABSENT), *((name, EXCLUSIONS[name]) for name in names)]:
        mask = rule.find(episodes, participants)
        left = episodes[~mask]
        games = episodes[mask].drop_duplicates("episode")
        gone = sorted(set(episodes["participant"]) - set(left["participant"]))
        by_condition = {str(condition): int(count) for condition, count in games["condition"].value_counts().items()}
        steps.append(Excluded(name, rule.sentence, len(games), tuple(gone), by_condition))
        episodes = left
    return episodes, steps
