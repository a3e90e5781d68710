"""The state of a participant, as the page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, select

from parlor.server.tables.store import Row, now
from parlor.study.data.folder import bonus_of
from parlor.study.data.rows import EpisodeRow, GroupRow, ParticipantRow
from parlor.study.data.store import WAITING, episodes
from parlor.study.design.description import Question, Screen
from parlor.study.design.orientation import ITEMS
from parlor.study.schemas import (
    EpisodeScore,
    PracticeTable,
    StudyEpisode,
    StudyPay,
    StudyQuestion,
    StudyScreen,
    StudyState,
    WaitingRoom,
)
from parlor.study.session import practice
from parlor.study.session.engine import Study

LATEST = 10  # arrivals by which the waiting time is judged
CODED = ("done", "failed", "unmatched", "stopped")  # stages at which the completion code is shown
SLIDER = "Choose how to divide points between yourself and another person whom you do not know."


async def state_of(study: Study, row: Row) -> StudyState:
    """Return a participant's stage, and the content of its page."""
    told, stage, step, at = study.description, row["stage"], row["step"], now()
    played = await study.records.all(episodes(participant=row["id"])) if row["group_id"] else []
    coded = stage in CODED and row["base"] is not None
    rounds, code = len(played), row["code"] or None if coded else None
    url = told.entry.failed_url if stage == "failed" else told.entry.completion_url
    return StudyState(
        title=told.title,
        stage=stage,
        step=step,
        steps={"tutorial": len(told.screens), "episode": rounds, "score": rounds}.get(stage, 1),
        progress=_progress(study, row, rounds),
        now=at.isoformat(),
        speed=study.clock.speed,
        deadline=_told(await _deadline(study, row, played)),
        paused=study.row["state"] == "paused",
        screen=await _screen(study, row),
        questions=_questions(study, stage),
        waiting=await _waiting_room(study, row, at) if stage == "waiting" else None,
        episode=await _episode(study, row, played) if stage == "episode" else None,
        scores=[
            EpisodeScore(number=one["round"] + 1, points=one["points"], status=one["status"])
            for one in played
            if one["status"] is not None
        ],
        pay=_pay(study, row, played),
        code=code,
        completion_url=url.replace("{code}", code) or None if code else None,
    )


def _told(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _progress(study: Study, row: Row, rounds: int) -> float:
    """Of the whole study, by pages; games count double."""
    told, stage, step = study.description, row["stage"], row["step"]
    if row["finished"] is not None:
        return 1.0
    rounds = rounds or told.episodes
    pages = {"consent": 1, "tutorial": len(told.screens), "test": 1, "waiting": 1, "episode": 4 * rounds, "bonus": 1}
    pages |= {"orientation": int(told.orientation), "questionnaire": int(bool(told.questions))}
    order = list(pages)
    here = "episode" if stage == "score" else stage
    before = sum(pages[name] for name in order[: order.index(here)])
    within = 4 * step + 3 * (stage == "score") if here == "episode" else step
    return min(1.0, round((before + within) / sum(pages.values()), 4))


async def _deadline(study: Study, row: Row, played: list[Row]) -> datetime | None:
    """When a stage ends by itself, at the latest."""
    waiting = study.description.waiting
    if row["stage"] == "waiting":
        longest: datetime = row["since"] + study.clock.lasting(waiting.longest)
        return None if study.row["state"] == "paused" else longest
    if row["stage"] == "episode":
        until: datetime | None = played[row["step"]]["deadline"]
        return until
    if row["stage"] != "score":
        return None
    group = await study.records.one(select(GroupRow.next_at).where(GroupRow.id == row["group_id"]))
    if group is not None and group["next_at"] is not None:
        begins: datetime = group["next_at"]
        return begins
    others = select(func.max(EpisodeRow.deadline).label("last")).where(
        EpisodeRow.group_id == row["group_id"], EpisodeRow.round == row["step"]
    )
    last = await study.records.one(others)
    return last["last"] + study.clock.lasting(waiting.pause) if last and last["last"] else None


# --------------------------------------------------------------------------------------------------- parts


async def _screen(study: Study, row: Row) -> StudyScreen | None:
    told, stage = study.description, row["stage"]
    if stage == "consent":
        return _page(told.consent, None)
    if stage == "tutorial":
        screen = told.screens[row["step"]]
        return _page(screen, await _practice(study, row, screen))
    text = {"done": told.thanks, "failed": told.failed}.get(stage)
    return StudyScreen(title="", text=text, practice=None) if text else None


def _page(screen: Screen, table: PracticeTable | None) -> StudyScreen:
    return StudyScreen(title=screen.title, text=screen.text, practice=table)


async def _practice(study: Study, row: Row, screen: Screen) -> PracticeTable | None:
    wanted = screen.practice
    if wanted is None:
        return None
    table, done = await practice.look(study, row, wanted)
    return PracticeTable(table=table, token=await study.seat_for(table, wanted.seat, row), hint=wanted.hint, done=done)


def _questions(study: Study, stage: str) -> list[StudyQuestion]:
    if stage == "orientation":
        return [
            _question(Question(id, SLIDER, "slider", least=0, most=len(pairs) - 1), pairs)
            for id, pairs in ITEMS.items()
        ]
    asked = {"test": study.description.test.questions, "questionnaire": study.description.questions}
    return [_question(question) for question in asked.get(stage, ())]


def _question(question: Question, pairs: Sequence[tuple[int, int]] = ()) -> StudyQuestion:
    """A question, without what would be right."""
    return StudyQuestion(
        id=question.id,
        kind=question.kind,
        text=question.text,
        answers=list(question.answers),
        required=question.required,
        least=question.least,
        most=question.most,
        pairs=list(pairs),
    )


async def _episode(study: Study, row: Row, played: list[Row]) -> StudyEpisode:
    now_played = played[row["step"]]
    token = await study.seat_for(now_played["id"], now_played["seat"], row)
    return StudyEpisode(number=row["step"] + 1, of=len(played), table=now_played["id"], token=token)


def _pay(study: Study, row: Row, played: list[Row]) -> StudyPay | None:
    """Return the pay due; during the tournament, the pay earned so far."""
    pay = study.description.pay
    if row["base"] is not None:
        return StudyPay(currency=pay.currency, base=row["base"], bonus=row["bonus"], points=row["points"])
    if row["stage"] not in ("episode", "score"):
        return None
    points = sum(one["points"] or 0.0 for one in played)
    return StudyPay(currency=pay.currency, base=pay.base, bonus=bonus_of(pay, points), points=points)


# --------------------------------------------------------------------------------------------------- the waiting room


async def _waiting_room(study: Study, row: Row, at: datetime) -> WaitingRoom:
    """Return the number of people waiting, and estimate the wait by how fast others have come to this condition."""
    condition = study.condition(row["condition"])
    wanted = condition.group if condition.partners == "people" else 1
    waiting = [other for other in await study.records.all(WAITING) if other["condition"] == row["condition"]]
    here = min(wanted, sum(other["heard"] >= study.gone(at) or other["id"] == row["id"] for other in waiting))
    if row["group_id"] is not None:
        here = wanted
    arrivals = (
        select(ParticipantRow.passed)
        .where(ParticipantRow.condition == row["condition"], ParticipantRow.passed.is_not(None))
        .order_by(ParticipantRow.passed.desc())
        .limit(LATEST)
    )
    times = [other["passed"] for other in await study.records.all(arrivals)]
    return WaitingRoom(
        here=here,
        wanted=wanted,
        since=row["since"].isoformat(),
        estimate=estimate(wanted - here, times, at, study.clock.lasting(1.0)),
        longest=study.description.waiting.longest,
    )


def estimate(missing: int, times: list[datetime], at: datetime, second: timedelta) -> float | None:
    """Seconds until so many more have come, if they come as often as the latest did; None if that cannot be judged.

    The time since the last one came counts too, so that it grows when nobody comes any more.
    """
    if missing <= 0:
        return 0.0
    if len(times) < 2 or at <= min(times):
        return None
    return round(missing * ((at - min(times)) / second) / (len(times) - 1), 1)
