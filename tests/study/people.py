"""A small study, and somebody who takes part in it by HTTP."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

STUDY = """
title = "A small study"
game = "{game}"
seed = 7
episodes = {episodes}
seconds = {seconds}
orientation = {orientation}
thanks = "Thank you."
failed = "Not all answers were right."

[delay]
mean = 2
deviation = 1
least = 0.5

[pay]
base = 2.5
point = 0.1
show_up = 0.5

[waiting]
longest = {longest}
pause = {pause}
gone = {gone}

[entry]
signed = {signed}
completion_url = "https://example.org/done?cc={{code}}"
failed_url = "https://example.org/failed"

{conditions}

[[agents]]
name = "Fair"
agent = "conceding"

[[agents]]
name = "Greedy"
agent = "stubborn"

[consent]
title = "Consent"
text = "Do you agree?"

[[screens]]
title = "First"
text = "Read."

{more}
[test]
must = 1

[[test.questions]]
id = "who"
text = "Who earns points?"
answers = ["Both", "Nobody"]
right = "Both"

[[questions]]
id = "age"
text = "Your age?"
kind = "number"
least = 18
most = 120

[[questions]]
id = "open"
text = "Anything else?"
kind = "text"
required = false
"""
AGENTS = '[[conditions]]\nname = "HvA"\nshare = 1\npartners = "agents"\n'
PEOPLE = '[[conditions]]\nname = "HvH"\nshare = 1\npartners = "people"\ngroup = {group}\n'
VALUES: dict[str, Any] = {"episodes": 2, "seconds": 3600, "longest": 3600, "gone": 1200, "signed": "false"}
VALUES |= {"orientation": "true", "more": "", "pause": 1, "game": "deal-or-no-deal"}
PRACTICE = """[[screens]]
title = "Second"
text = "Try."

[screens.practice]
agent = "Fair"
seat = 0
seed = 3
until = "keep"
hint = "Propose a split."
"""


def study_file(folder: Path, conditions: str = AGENTS, **values: Any) -> Path:
    """A study file."""
    path = folder / "study.toml"
    path.write_text(STUDY.format(conditions=conditions, **(VALUES | values)))
    return path


@dataclass
class Participant:
    """Somebody who takes part."""

    http: httpx.Client
    platform: str
    token: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    moved: list[tuple[str, int, str]] = field(default_factory=list)  # table, ply, move: those that were accepted

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def enter(self, signature: str = "") -> httpx.Response:
        body = {"participant": self.platform, "signature": signature}
        answer = self.http.post("/api/study/enter", json=body)
        if answer.status_code == 200:
            self.token, self.state = answer.json()["token"], answer.json()["state"]
        return answer

    def look(self) -> dict[str, Any]:
        answer = self.http.get("/api/study/state", headers=self.headers)
        assert answer.status_code == 200, answer.text
        self.state = answer.json()
        return self.state

    def answer(self, answers: dict[str, Any] | None = None, **changed: Any) -> httpx.Response:
        body = {"stage": self.state["stage"], "step": self.state["step"], "answers": answers or {}} | changed
        answer = self.http.post("/api/study/answer", headers=self.headers, json=body)
        if answer.status_code == 200:
            self.state = answer.json()
        return answer

    # ------------------------------------------------------------------------------------------------- at a table

    def seat(self) -> dict[str, str]:
        """The table that is played at now, with the token of the seat."""
        found = self.state["episode"] or self.state["screen"]["practice"]
        return {"table": found["table"], "token": found["token"]}

    def table(self, what: str = "", method: str = "GET", body: Any = None) -> httpx.Response:
        seat = self.seat()
        headers = {"Authorization": f"Bearer {seat['token']}"}
        return self.http.request(method, f"/api/tables/{seat['table']}{what}", headers=headers, json=body)

    def move(self) -> bool:
        """Move if it is one's turn: agree if one can, else propose the first split; whether a move was accepted."""
        shown = self.table().json()
        if shown.get("turn") != "you":
            return False
        legal = [move for move in shown["legal"] if move["verb"] != "walk"]
        chosen = next((move for move in legal if move["verb"] == "agree"), legal[0])
        made = self.table("/moves", "POST", {"ply": shown["ply"], "move": chosen["id"]})
        if made.status_code == 200:
            self.moved.append((self.seat()["table"], shown["ply"], chosen["name"]))
        return made.status_code == 200

    # ------------------------------------------------------------------------------------------------- going on

    def until(self, *stages: str, step: int | None = None, patience: float = 120.0) -> dict[str, Any]:
        """Go on by what each stage asks for, until one of these is reached."""
        for _ in range(int(patience / 0.02)):
            self.look()
            if self.state["stage"] in stages and step in (None, self.state["step"]):
                return self.state
            before = self.state
            self.do()
            if self.state is before:  # nothing was answered: somebody else's move, or time, is waited for
                time.sleep(0.02)
        raise AssertionError(f"still at {self.state['stage']} {self.state['step']}")

    def do(self) -> None:
        """What the present stage asks for."""
        stage = self.state["stage"]
        practice = (self.state["screen"] or {}).get("practice")
        if stage == "episode" or (practice and not practice["done"]):
            self.move()
        elif stage == "consent":
            self.answer({"consent": True})
        elif stage == "test":
            self.answer({"who": "Both"})
        elif stage == "orientation":
            self.answer({f"svo-{k}": 3 for k in range(1, 7)})
        elif stage == "questionnaire":
            self.answer({"age": 30, "open": ""})
        elif stage in ("tutorial", "score", "bonus"):
            self.answer()
