"""A participant through the study: coming in, answering, going on.

An answer is written once, together with where it leads; one that is sent again, or too late, changes nothing.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping

from sqlalchemy import func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from parlor.server.refusal import Refusal
from parlor.server.tables.session import hashed
from parlor.server.tables.store import Conflict, Row, now
from parlor.server.tables.table_seats import LETTERS
from parlor.study.data.records import FINAL
from parlor.study.data.rows import STUDY, AnswerRow, ParticipantRow
from parlor.study.data.store import RecordStore, add_table, end_practice, found, move_on, must, participant, signature
from parlor.study.design.description import Question
from parlor.study.design.orientation import ITEMS, POSITIONS
from parlor.study.session import practice, schedule, tournaments
from parlor.study.session.engine import Study

CODE = 10  # letters of a completion code
STAGES = (
    *("consent", "tutorial", "test", "waiting", "episode", "score", "bonus", "orientation", "questionnaire"),
    *FINAL,
)
ELSEWHERE = "You went on in another window, or on another device: this one is closed."

Answer = str | float | bool


# --------------------------------------------------------------------------------------------------- coming in


async def enter(study: Study, platform: str, signed: str = "") -> tuple[str, Row]:
    """Somebody comes by a link, for the first time or again: a new token, and the row."""
    right = signature(study.row["secret"], platform)
    if study.description.entry.signed and not hmac.compare_digest(right.encode(), signed.encode(errors="replace")):
        raise Refusal(403, "This link is not complete: use the link that you were sent, as it is.")
    token = secrets.token_urlsafe(24)

    def work(connection: Connection) -> Row:
        at, known = now(), found(connection, participant(study=STUDY, platform=platform))
        fresh = {"token": hashed(token), "heard": at, "changed": at}
        if known:
            connection.execute(update(ParticipantRow).where(ParticipantRow.id == known[0]["id"]).values(**fresh))
            return known[0] | fresh
        if study.row["state"] == "stopped":
            raise Refusal(403, "This study is over. Thank you for your interest.")
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE))
        row = dict.fromkeys(column.name for column in ParticipantRow.__table__.columns)
        row |= {"id": tournaments.new_id(), "study": STUDY, "platform": platform, "code": code, "entered": at}
        row |= {"since": at, "stage": "consent", "step": 0, **fresh}
        connection.execute(insert(ParticipantRow).values(**row))
        return row

    try:
        row = await study.records.whole(work)
    except IntegrityError:
        row = await study.records.whole(work)  # the same link was opened twice at once
    study.watchers.notify(row["id"])
    return token, row


async def who(study: Study, token: str) -> Row:
    """The participant of a token, of whom something has been heard now."""
    row = await study.records.one(participant(token=hashed(token))) if token else None
    if row is None:
        raise Refusal(401, ELSEWHERE if token else "This needs the token of a participant.")
    await heard(study.records, row, study)
    return row


async def heard(records: RecordStore, row: Row, study: Study) -> None:
    """Remember when somebody was last heard of; not each time, since that would be much to write."""
    at = now()
    if at - row["heard"] > study.clock.absence(study.description.waiting.gone) / 6:
        seen = update(ParticipantRow).where(ParticipantRow.id == row["id"]).values(heard=at)
        await records.store.run(lambda connection: connection.execute(seen).rowcount)
        row["heard"] = at


# --------------------------------------------------------------------------------------------------- answering


async def answer(study: Study, token: str, stage: str, step: int, given: Mapping[str, Answer]) -> Row:
    """Take somebody's answers and go on; returns the row as it is then."""
    row = await who(study, token)
    at, asked = (STAGES.index(row["stage"]), row["step"]), (STAGES.index(stage), step)
    if asked == at and row["stage"] in ANSWERED:
        await ANSWERED[row["stage"]](study, row, given)
        study.watchers.notify(row["id"])
    elif asked > at and not _looped(row["stage"], stage):
        raise Refusal(409, f"You are not there yet: the stage is {row['stage']}, step {row['step']}.")
    return await who(study, token)


def _looped(present: str, asked: str) -> bool:
    """Episodes and scores alternate: a score may be one of the game before."""
    return present == "episode" and asked == "score"


def _rows(study: Study, row: Row, answers: Mapping[str, Answer], right: Mapping[str, bool] | None = None) -> list[Row]:
    at = now()
    seconds = study.clock.between(row["since"], at)
    told = {"participant": row["id"], "stage": row["stage"], "at": at, "seconds": seconds}
    return [told | {"question": id, "answer": value, "right": (right or {}).get(id)} for id, value in answers.items()]


async def _go(study: Study, row: Row, rows: list[Row], **values: object) -> None:
    """Write answers and where they lead, unless that has been done."""
    table = await practice.table_for(study, values)
    if table is not None:
        values["practice"] = table[0]["id"]

    def work(connection: Connection) -> None:
        if values.get("stage") == "waiting":
            passed = select(func.count(ParticipantRow.number))
            number = connection.execute(passed).scalar_one()
            told = study.description
            values.update(number=number, passed=now())
            values["condition"] = schedule.condition_of(study.draws, told.conditions, number)
        if values.get("stage") in FINAL:
            values["finished"] = now()
        end_practice(connection, row["id"])
        must(move_on(connection, row, **values))
        if rows:
            connection.execute(insert(AnswerRow), rows)
        if table is not None:
            add_table(connection, table)

    try:
        await study.records.whole(work)
    except (Conflict, IntegrityError):
        return
    if values.get("stage") == "waiting":
        await tournaments.match(study)
        await tournaments.go_on(study)


def _next(study: Study, stage: str) -> str:
    """The stage after this one; those with nothing in them are left out."""
    told = study.description
    empty = {"tutorial": not told.screens, "test": not told.test.questions}
    empty |= {"orientation": not told.orientation, "questionnaire": not told.questions}
    following = STAGES[STAGES.index(stage) + 1 :]
    return next(one for one in following if not empty.get(one))


async def _consent(study: Study, row: Row, given: Mapping[str, Answer]) -> None:
    agreed = given.get("consent")
    if not isinstance(agreed, bool) or len(given) > 1:
        raise Refusal(422, "Say whether you agree to take part: consent must be true or false.")
    rows = _rows(study, row, {"consent": agreed})
    if agreed:
        await _go(study, row, rows, stage=_next(study, "consent"), step=0)
    else:
        await _go(study, row, rows, stage="declined", step=0)


async def _tutorial(study: Study, row: Row, given: Mapping[str, Answer]) -> None:
    screen = study.description.screens[row["step"]]
    if screen.practice is not None and not await practice.is_done(study, row, screen.practice):
        raise Refusal(409, f"Try it first: {screen.practice.hint or 'make a move at the table.'}")
    rows = _rows(study, row, {str(row["step"]): True})
    if row["step"] + 1 < len(study.description.screens):
        await _go(study, row, rows, step=row["step"] + 1, practice=None)
    else:
        await _go(study, row, rows, stage=_next(study, "tutorial"), step=0, practice=None)


async def _test(study: Study, row: Row, given: Mapping[str, Answer]) -> None:
    test = study.description.test
    answers = _checked(test.questions, given)
    right = {q.id: q.right is not None and answers.get(q.id) == q.answers[q.right] for q in test.questions}
    rows = _rows(study, row, answers, right)
    if sum(right.values()) >= test.must:
        await _go(study, row, rows, stage="waiting", step=0)
    else:
        pay = {"points": 0.0, "base": study.description.pay.show_up, "bonus": 0.0}
        await _go(study, row, rows, stage="failed", step=0, **pay)


async def _score(study: Study, row: Row, given: Mapping[str, Answer]) -> None:
    rows = _rows(study, row, {str(row["step"]): True})
    rounds = study.rounds_of(study.condition(row["condition"]))

    def work(connection: Connection) -> None:
        if row["step"] + 1 == rounds:
            must(tournaments.to_bonus(study, connection, row))
        else:
            must(row["ready"] != row["step"] and move_on(connection, row, ready=row["step"]))
            tournaments.hurry(study, connection, row["group_id"], row["step"])
        connection.execute(insert(AnswerRow), rows)

    try:
        await study.records.whole(work)
    except (Conflict, IntegrityError):
        return
    await tournaments.go_on(study)


async def _bonus(study: Study, row: Row, given: Mapping[str, Answer]) -> None:
    await _go(study, row, _rows(study, row, {"0": True}), stage=_next(study, "bonus"), step=0)


async def _orientation(study: Study, row: Row, given: Mapping[str, Answer]) -> None:
    asked = [Question(id, "", "slider", least=0, most=POSITIONS - 1) for id in ITEMS]
    answers = {id: int(value) for id, value in _checked(asked, given).items()}
    await _go(study, row, _rows(study, row, answers), stage=_next(study, "orientation"), step=0)


async def _questionnaire(study: Study, row: Row, given: Mapping[str, Answer]) -> None:
    answers = _checked(study.description.questions, given)
    await _go(study, row, _rows(study, row, answers), stage="done", step=0)


#: What happens to the answers of each stage.
ANSWERED = {
    "consent": _consent,
    "tutorial": _tutorial,
    "test": _test,
    "score": _score,
    "bonus": _bonus,
    "orientation": _orientation,
    "questionnaire": _questionnaire,
}


# --------------------------------------------------------------------------------------------------- checks


def _checked(questions: list[Question] | tuple[Question, ...], given: Mapping[str, Answer]) -> dict[str, Answer]:
    """The answers, if each is one that its question allows; those that are left empty are left out."""
    asked = {question.id: question for question in questions}
    for id in given:
        if id not in asked:
            raise Refusal(422, f"There is no question {id!r} on this page.")
    answers = {id: value for id, value in given.items() if value != ""}
    for id, question in asked.items():
        if id in answers:
            _check(question, answers[id])
        elif question.required:
            raise Refusal(422, f"Question {id!r} has no answer yet.")
    return answers


def _check(question: Question, value: Answer) -> None:
    what = f"The answer to question {question.id!r}"
    if question.kind == "choice" and value not in question.answers:
        raise Refusal(422, f"{what} must be one of those that are offered.")
    if question.kind == "text" and not isinstance(value, str):
        raise Refusal(422, f"{what} must be text.")
    if question.kind in ("number", "slider"):
        if isinstance(value, str | bool):
            raise Refusal(422, f"{what} must be a number.")
        if question.kind == "slider" and value != int(value):
            raise Refusal(422, f"{what} must be a whole number.")
        if question.least is not None and value < question.least:
            raise Refusal(422, f"{what} must be at least {question.least:g}.")
        if question.most is not None and value > question.most:
            raise Refusal(422, f"{what} must be at most {question.most:g}.")
