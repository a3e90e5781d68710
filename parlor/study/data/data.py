"""The records of a study as rows for analysis: tidy, and without anything by which a person could be found.

Participants have labels in random order; times are relative or rounded. Games that run are left out, so what is hidden
in them stays hidden until they are over. Of a participant who asked for deletion nothing is left, moves included;
people who played with it keep their own rows, games with agents are left out.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import parlor
from parlor.game import CHANCE, Position
from parlor.game.loading import load
from parlor.study.data.folder import StudyData, harmless
from parlor.study.data.records import Episode, Person, Records, StudyPlayer
from parlor.study.design.orientation import orientation

Row = dict[str, Any]
REMOVED = "removed"  # in place of a participant whose data were deleted
CHANCE_PLAYS = "chance"
ASKED = ("consent", "test", "orientation", "questionnaire")  # stages whose answers are data
ROUNDED = 10  # minutes to which times of coming are rounded


@dataclass(frozen=True)
class Replayed:
    """The result of replaying a game: its verbs, who was to move, and whether there was a deal."""

    verbs: tuple[str, ...]  # of each move
    turn: int  # who was to move when it stopped
    deal: bool | None  # whether the players agreed, if the game ended by its rules and can say it


def replay(start: Position, episode: Episode) -> Replayed:
    """Play the moves of a game again."""
    position, verbs = start, []
    for made in episode.moves:
        verbs.append(position.move(position.action(made.move)).verb)
        position = position.after(made.move)
    agreed = start.game.agreed if episode.status == "ended" and position.over else None
    return Replayed(tuple(verbs), position.turn, None if agreed is None else bool(agreed(position.state)))


@functools.lru_cache(4)
def start_of(game: str) -> Position:
    """The start of a game, kept: listing the outcomes of a large deal takes a while."""
    return load(game).start()


def collect(records: Records, written: datetime, platform_ids: bool = False) -> StudyData:
    """The data of a study; with the ids of the recruiting platform only if they are asked for."""
    return _Collection(records, start_of(records.description.game), platform_ids).data(written)


class _Collection:
    def __init__(self, records: Records, start: Position, platform_ids: bool) -> None:
        self.records, self.game, self.platform_ids = records, start.game, platform_ids
        self.people = {person.id: person for person in records.people if not person.removed}
        self.groups = {one.id: one for one in records.tournaments}
        self.over = [
            episode
            for episode in records.episodes
            if episode.status is not None and any(player.participant in self.people for player in episode.players)
        ]
        self.replayed = {episode.label: replay(start, episode) for episode in self.over}

    def data(self, written: datetime) -> StudyData:
        return StudyData(
            study=self.study(written),
            participants=self.participants(),
            episodes=[row for episode in self.over for row in self.episode(episode)],
            moves=[row for episode in self.over for row in self.moves(episode)],
            answers=self.answers(),
            games=[self.replayable(episode) for episode in self.over],
        )

    def study(self, written: datetime) -> Row:
        about = self.records.description
        return {
            "title": about.title,
            "hash": about.hash,
            "game": about.game,
            "rules": self.records.rules,
            "agents": self.agents(),
            "parlor": parlor.__version__,
            "seed": about.seed,
            "speed": self.records.speed,
            "written": written.isoformat(timespec="seconds"),
            "anonymous": not self.platform_ids,
            "description": dataclasses.asdict(about),
        }

    def agents(self) -> dict[str, list[str]]:
        """The versions of each agent that have moved."""
        found: dict[str, list[str]] = defaultdict(list)
        for agent, version in self.records.versions:
            found[agent].append(version)
        return dict(found)

    def participants(self) -> list[Row]:
        if not self.people:
            return []
        first = min(person.entered for person in self.records.people)
        given: dict[str, dict[str, Any]] = defaultdict(dict)
        for one in self.records.answers:
            if one.stage == "orientation":
                given[one.participant][one.question] = int(one.answer)
        people = sorted(self.people.values(), key=lambda person: person.label)
        return [self.participant(person, first, given[person.id]) for person in people]

    def participant(self, person: Person, first: datetime, sliders: dict[str, int]) -> Row:
        played = [(e, s) for e in self.over for s, one in enumerate(e.players) if one.participant == person.id]
        svo = orientation(sliders)
        row = {
            "participant": person.label,
            "condition": person.condition,
            "group": self.groups[person.group].label if person.group else None,
            "stage": person.stage,
            "entered": ROUNDED * round((person.entered - first) / timedelta(minutes=ROUNDED)),
            "minutes": round(self.study_seconds(person.entered, person.left) / 60, 1),
            "passed": person.passed or (False if person.stage == "failed" else None),
            "finished": person.stage == "done",
            "non_responsive": any(self.idle(episode, seat) for episode, seat in played),
            "points": sum(self.points(episode, seat) for episode, seat in played),
            "base": person.base,
            "bonus": person.bonus,
            "svo_angle": round(svo[0], 2) if svo else None,
            "svo_type": svo[1] if svo else None,
        }
        known = {"platform_id": harmless(person.platform_id) if person.code else None}  # no code: forgotten
        return row | (known if self.platform_ids else {})

    def idle(self, episode: Episode, seat: int) -> bool:
        """Whether a player made no move in a game in which it was to move until the time was up."""
        made_none = all(made.seat != seat for made in episode.moves)
        return episode.status == "timed-out" and made_none and self.replayed[episode.label].turn == seat

    @staticmethod
    def points(episode: Episode, seat: int) -> float:
        """Only a game that ended by its rules pays."""
        return episode.payoffs[seat] if episode.status == "ended" and episode.payoffs is not None else 0.0

    def episode(self, episode: Episode) -> list[Row]:
        """A row for each participant at the table."""
        group, replayed = self.groups[episode.group], self.replayed[episode.label]
        rows = []
        for seat, player in enumerate(episode.players):
            if player.participant not in self.people:
                continue
            partners = [other for other in range(len(episode.players)) if other != seat]
            points = [self.points(episode, other) for other in partners]
            rows.append(
                {
                    "episode": episode.label,
                    "group": group.label,
                    "condition": group.condition,
                    "round": episode.round,
                    "participant": self.name(player),
                    "seat": seat,
                    "partner_kind": "agent" if all(episode.players[o].agent for o in partners) else "person",
                    "partner": "+".join(self.name(episode.players[other]) for other in partners),
                    "status": episode.status,
                    "deal": replayed.deal,
                    "moves": sum(made.seat == seat for made in episode.moves),
                    "plies": sum(made.seat != CHANCE for made in episode.moves),
                    "points": self.points(episode, seat),
                    "partner_points": sum(points) / len(points) if points else None,
                    "seconds": self.lasted(episode),
                }
            )
        return rows

    def moves(self, episode: Episode) -> list[Row]:
        """Without those of a participant who asked for deletion."""
        rows, before = [], episode.began
        for made, verb in zip(episode.moves, self.replayed[episode.label].verbs, strict=True):
            name = self.name(episode.players[made.seat]) if made.seat != CHANCE else CHANCE_PLAYS
            thinking = None if made.seat == CHANCE else self.rounded(before, made.at)
            if name != REMOVED:
                when = self.rounded(episode.began, made.at)
                said = {"episode": episode.label, "ply": made.ply, "seat": made.seat, "player": name}
                rows.append(said | {"verb": verb, "move": made.move, "seconds": when, "thinking": thinking})
            before = made.at
        return rows

    def replayable(self, episode: Episode) -> Row:
        """A game with its moves; null for moves and payoff of a participant who asked for deletion."""
        group = self.groups[episode.group]
        players = [self.name(player) for player in episode.players]
        gone = {seat for seat, name in enumerate(players) if name == REMOVED}
        payoffs = episode.payoffs and [None if seat in gone else paid for seat, paid in enumerate(episode.payoffs)]
        moves = [
            {
                "ply": made.ply,
                "seat": made.seat,
                "move": None if made.seat in gone else made.move,
                "seconds": None if made.seat in gone else self.rounded(episode.began, made.at),
            }
            for made in episode.moves
        ]
        return {
            "episode": episode.label,
            "group": group.label,
            "condition": group.condition,
            "round": episode.round,
            "players": players,
            "status": episode.status,
            "deal": self.replayed[episode.label].deal,
            "game": self.game.name,
            "rules": self.records.rules,
            "payoffs": payoffs,
            "seconds": self.lasted(episode),
            "moves": moves,
        }

    def answers(self) -> list[Row]:
        kept = [one for one in self.records.answers if one.stage in ASKED and one.participant in self.people]
        order = {stage: number for number, stage in enumerate(ASKED)}
        kept.sort(key=lambda one: (self.people[one.participant].label, order[one.stage]))  # in the order of a page
        return [
            {
                "participant": self.people[one.participant].label,
                "stage": one.stage,
                "question": one.question,
                "answer": harmless(one.answer),
                "right": one.right,
                "seconds": None if one.seconds is None else round(one.seconds, 1),
            }
            for one in kept
        ]

    # ------------------------------------------------------------------------------------------- names and times

    def name(self, player: StudyPlayer) -> str:
        if player.agent is not None:
            return player.agent
        person = self.people.get(player.participant or "")
        return person.label if person else REMOVED

    def lasted(self, episode: Episode) -> float | None:
        return None if episode.ended is None else self.rounded(episode.began, episode.ended)

    def study_seconds(self, begin: datetime, end: datetime) -> float:
        return max(0.0, (end - begin).total_seconds() * self.records.speed)

    def rounded(self, begin: datetime, end: datetime) -> float:
        return round(self.study_seconds(begin, end), 2)
