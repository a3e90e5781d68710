"""A study as its researcher watches it: who is where, how games end, what is to be paid; means, if they are asked for.

Nothing of a game that runs is told but who plays it and since when.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

import numpy as np

import parlor
from parlor.arena.statistics import Estimate, mean
from parlor.study.data.records import FINAL, Episode, Person, Records, StudyPlayer, TournamentRow
from parlor.study.schemas import (
    ConditionBalance,
    EpisodeCounts,
    EpisodeNow,
    GroupNow,
    MeanResult,
    Overview,
    ParticipantNow,
    PayDue,
    Stage,
    StageCount,
    StudyEvent,
)
from parlor.study.session.engine import StudyClock

PEOPLE = "people"
RECENT = 50  # events that are shown


def overview(records: Records, now: datetime, deals: int | None, database: Any) -> Overview:
    """The study at this moment; `deals` are agreements in games that are over, if there can be any."""
    about = records.description
    gone = StudyClock(records.speed).absence(about.waiting.gone)
    people = [person for person in records.people if not person.removed]
    labels = {person.id: person.label for person in people}
    groups = {one.id: one for one in records.tournaments}
    last = _last_rounds(records.episodes)
    stages = Counter(person.stage for person in people)
    return Overview(
        title=about.title,
        hash=about.hash,
        state=records.runs,
        now=now.isoformat(),
        speed=records.speed,
        began=min((person.entered for person in people), default=now).isoformat() if people else None,
        parameter=about.entry.parameter,
        version=parlor.__version__,
        database=database,
        stages=[StageCount(stage=stage, participants=stages[stage]) for stage in get_args(Stage)],
        conditions=_balance(records, people),
        participants=[
            ParticipantNow(
                participant=person.label,
                condition=person.condition,
                group=groups[person.group].label if person.group else None,
                stage=person.stage,
                since=person.since.isoformat(),
                heard=person.heard.isoformat(),
                here=person.stage in FINAL or now - person.heard <= gone,
                episode=last.get(person.id),
                of=groups[person.group].rounds if person.group else None,
            )
            for person in sorted(people, key=lambda person: (person.stage in FINAL, person.since))
        ],
        groups=[_group(records, one, labels) for one in records.tournaments if one.ended is None],
        episodes=_counts(records.episodes, deals),
        pay=PayDue(
            currency=about.pay.currency,
            participants=sum(person.base is not None for person in people),
            base=round(sum(person.base or 0 for person in people), 2),
            bonus=None if records.goes_on else round(sum(person.bonus or 0 for person in people), 2),
        ),
        events=[StudyEvent(at=one.at.isoformat(), what=one.what) for one in records.events[-RECENT:]],
    )


def _balance(records: Records, people: Sequence[Person]) -> list[ConditionBalance]:
    """Count the participants who passed the test, by condition and state."""
    rows = []
    for condition in records.description.conditions:
        own = [person for person in people if person.condition == condition.name]
        rows.append(
            ConditionBalance(
                name=condition.name,
                partners=condition.partners,
                share=condition.share,
                participants=len(own),
                waiting=sum(person.stage == "waiting" for person in own),
                playing=sum(person.stage in ("episode", "score") for person in own),
                finished=sum(person.stage == "done" for person in own),
            )
        )
    return rows


def _last_rounds(episodes: Sequence[Episode]) -> dict[str, int]:
    last: dict[str, int] = {}
    for episode in episodes:
        for player in episode.players:
            if player.participant is not None:
                last[player.participant] = max(episode.round, last.get(player.participant, 0))
    return last


def _group(records: Records, group: TournamentRow, labels: Mapping[str, str]) -> GroupNow:
    own = [episode for episode in records.episodes if episode.group == group.id]
    return GroupNow(
        group=group.label,
        condition=group.condition,
        participants=[
            labels[person.id] for person in records.people if person.group == group.id and person.id in labels
        ],
        since=group.began.isoformat(),
        round=max((episode.round for episode in own), default=0),
        of=group.rounds,
        episodes=[
            EpisodeNow(
                episode=episode.label,
                round=episode.round,
                players=[_name(player, labels) for player in episode.players],
                since=episode.began.isoformat(),
                deadline=episode.deadline.isoformat() if episode.deadline else None,
            )
            for episode in own
            if episode.status is None
        ],
    )


def _name(player: StudyPlayer, labels: Mapping[str, str]) -> str:
    return player.agent if player.agent is not None else labels.get(player.participant or "", "removed")


def _counts(episodes: Sequence[Episode], deals: int | None) -> EpisodeCounts:
    status = Counter(episode.status for episode in episodes)
    return EpisodeCounts(
        running=status[None],
        ended=status["ended"],
        deals=deals,
        timed_out=status["timed-out"],
        absent=status["absent"],
    )


def results(episodes: Sequence[Mapping[str, Any]]) -> list[MeanResult]:
    """Means from the rows of episodes.csv: by condition, and by agent; of games that ended by the rules."""
    kinds: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in episodes:
        if row["status"] == "ended":
            kinds[row["condition"], row["partner"] if row["partner_kind"] == "agent" else PEOPLE].append(row)
    return [_mean(condition, partner, rows) for (condition, partner), rows in sorted(kinds.items())]


def _mean(condition: str, partner: str, rows: Sequence[Mapping[str, Any]]) -> MeanResult:
    own, other = _by_participant(rows, "points"), _by_participant(rows, "partner_points")
    games = {row["episode"]: row["deal"] for row in rows}
    known = [deal for deal in games.values() if deal is not None]
    return MeanResult(
        condition=condition,
        partner=partner,
        participants=len({row["participant"] for row in rows}),
        games=len(games),
        points=own.value,
        low=_finite(own.low),
        high=_finite(own.high),
        partner_points=other.value,
        partner_low=_finite(other.low),
        partner_high=_finite(other.high),
        deals=sum(known) / len(known) if known else None,
    )


def _by_participant(rows: Sequence[Mapping[str, Any]], column: str) -> Estimate:
    """The mean over participants, each with the mean of its own games: these are what is independent."""
    own: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        own[row["participant"]].append(row[column])
    return mean(np.array([sum(values) / len(values) for values in own.values()]))


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
