"""The columns of a study's data: one table that orders the files, checks their rows and makes the codebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Type = Literal["text", "integer", "number", "yes-no"]


@dataclass(frozen=True)
class Column:
    """A column: its type, its unit if it has one, and what it means."""

    name: str
    type: Type
    meaning: str
    unit: str = ""


PARTICIPANT = "the participant: P and a number in random order, the same in all files and exports of a study"
EPISODE = "the game: E and a number"
SEAT = "the seat, counted from 0; the first seat moves first in most games"

FILES: Mapping[str, tuple[Column, ...]] = {
    "participants.csv": (
        Column("participant", "text", PARTICIPANT),
        Column("condition", "text", "the condition; empty before the test was passed"),
        Column("group", "text", "the tournament: G and a number; empty for those who began none"),
        Column("stage", "text", "how far it came: done, failed, declined, unmatched, stopped; or where it is"),
        Column("entered", "integer", "when it came: after the first participant, to ten minutes", "minutes, real time"),
        Column("minutes", "number", "from coming to the end, or to when it was last heard of", "minutes of study time"),
        Column("passed", "yes-no", "whether it passed the test; empty if it did not answer it"),
        Column("finished", "yes-no", "whether it came to the end of the study (stage done)"),
        Column("non_responsive", "yes-no", "whether it made no move in some game in which it could have moved"),
        Column("points", "number", "points of all its games", "points"),
        Column("base", "number", "base pay; empty before pay is due", "money"),
        Column("bonus", "number", "bonus; empty before pay is due", "money"),
        Column("svo_angle", "number", "Social Value Orientation, slider measure, six primary items", "degrees"),
        Column("svo_type", "text", "altruist, prosocial, individualist or competitor"),
    ),
    "episodes.csv": (
        Column("episode", "text", EPISODE),
        Column("group", "text", "the tournament: G and a number"),
        Column("condition", "text", "the condition"),
        Column("round", "integer", "which of the participant's games it was, counted from 1"),
        Column("participant", "text", PARTICIPANT),
        Column("seat", "integer", SEAT),
        Column("partner_kind", "text", "person or agent"),
        Column("partner", "text", "a participant, or the agent's name in the study; several are parted by +"),
        Column("status", "text", "ended (by the rules), timed-out, or absent (somebody had left before it began)"),
        Column("deal", "yes-no", "whether the players agreed; empty if it did not end by the rules or is no such game"),
        Column("moves", "integer", "moves that the participant made"),
        Column("plies", "integer", "moves of everybody, without chance"),
        Column("points", "number", "the participant's points; 0 unless the game ended by the rules", "points"),
        Column("partner_points", "number", "the partner's; with several, their mean", "points"),
        Column("seconds", "number", "how long the game took", "seconds of study time"),
    ),
    "moves.csv": (
        Column("episode", "text", EPISODE),
        Column("ply", "integer", "number of the move, outcomes of chance included, counted from 0"),
        Column("seat", "integer", "the seat, counted from 0; -1: chance"),
        Column("player", "text", "the participant, the agent's name in the study, or chance"),
        Column("verb", "text", "what kind of move it is"),
        Column("move", "text", "the move by name; a game replays from these alone"),
        Column("seconds", "number", "when it was made, after the game began", "seconds of study time"),
        Column("thinking", "number", "since the move before it; empty for chance", "seconds of study time"),
    ),
    "answers.csv": (
        Column("participant", "text", PARTICIPANT),
        Column("stage", "text", "where it was asked: consent, test, orientation or questionnaire"),
        Column("question", "text", "the question's id in the study file; of the slider measure, svo-1 to svo-6"),
        Column("answer", "text", "the answer as it was given; of the slider measure, the position from 0"),
        Column("right", "yes-no", "of the test: whether it was right"),
        Column("seconds", "number", "how long the page was open before it was answered", "seconds of study time"),
    ),
}
#: In participants.csv only if it is asked for.
PLATFORM_ID = Column("platform_id", "text", "the id of the recruiting platform: PERSONAL DATA")

OTHER_FILES = {
    "study.json": "title, SHA-256 of the study file, game and version of its rules, versions of the agents that moved, "
    "seed, speed, when and by which version of Parlor it was written, the whole description, whether it is anonymous",
    "games.jsonl": "a line of JSON for each game that is over: everything that is needed to replay it",
    "codebook.json": "this codebook, for programs",
    "codebook.md": "this codebook",
}


def columns_of(file: str, platform_ids: bool = False) -> tuple[Column, ...]:
    """The columns of a file, in order."""
    return FILES[file] + ((PLATFORM_ID,) if platform_ids and file == "participants.csv" else ())


def codebook(platform_ids: bool = False) -> dict[str, Any]:
    """All columns, for programs."""
    tables = {file: [asdict(column) for column in columns_of(file, platform_ids)] for file in FILES}
    return {"files": OTHER_FILES, "columns": tables}


def codebook_text(title: str, platform_ids: bool = False) -> str:
    """All columns, to read."""
    lines = [
        f"# Codebook: {title}",
        "",
        "Files are UTF-8; in CSV files an empty field means that there is no such value; yes-no is 1 or 0. "
        "Study time is real time, but in a rehearsal it passes faster by the factor `speed` of study.json. "
        "A text that begins like a formula has an apostrophe before it, so that spreadsheets leave it alone. "
        "Points are the game's payoffs; money is in the currency of the study's pay. "
        "Whoever asked for their data to be deleted is in none of the files: partners keep their own rows, "
        "with `removed` in place of the partner.",
    ]
    for file in FILES:
        lines += ["", f"## {file}", "", "| column | type | unit | meaning |", "|---|---|---|---|"]
        lines += [f"| {c.name} | {c.type} | {c.unit} | {c.meaning} |" for c in columns_of(file, platform_ids)]
    lines += ["", "## Other files", "", "| file | what is in it |", "|---|---|"]
    lines += [f"| {file} | {meaning} |" for file, meaning in OTHER_FILES.items()]
    return "\n".join(lines) + "\n"
