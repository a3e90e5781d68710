"""The folder of a study's data (`parlor study data` writes it), as tables to analyse."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from parlor.runs.files.container import FileError
from parlor.study.data.columns import FILES
from parlor.study.design.exclusions import Excluded, exclude

STUDY, PARTICIPANTS, EPISODES = NEEDED = ("study.json", "participants.csv", "episodes.csv")
STATUSES = {"ended", "timed-out", "absent"}
KINDS = {"person", "agent"}


@dataclass(frozen=True)
class StudyTables:
    """The data of a study: its metadata, participants, and episodes, a row for each participant of each game."""

    study: Mapping[str, Any]
    participants: pd.DataFrame
    episodes: pd.DataFrame

    @property
    def description(self) -> Mapping[str, Any]:
        """The study file, as it was when the data were written."""
        return self.study.get("description") or {}

    @property
    def exclude(self) -> tuple[str, ...]:
        """The exclusions that the study declares."""
        return tuple(self.description.get("exclude", ("timed-out", "non-responsive")))

    @property
    def conditions(self) -> list[str]:
        """In the order of the study file; others, if there are any, come after them."""
        declared = [str(one["name"]) for one in self.description.get("conditions", ())]
        return declared + sorted(set(self.episodes["condition"]) - set(declared))

    @property
    def agents(self) -> dict[str, str]:
        """The agents by their names in the study, in the order of the study file."""
        return {str(one["name"]): str(one["agent"]) for one in self.description.get("agents", ())}

    def kept(self, names: Sequence[str]) -> tuple[StudyTables, list[Excluded]]:
        """The data without what these exclusions leave out, and what that was."""
        episodes, steps = exclude(self.episodes, self.participants, names)
        return StudyTables(self.study, self.participants, episodes), steps

    def of_condition(self, condition: str) -> pd.DataFrame:
        """The episodes of a condition."""
        return self.episodes[self.episodes["condition"] == condition]


def read_folder(folder: Path) -> StudyTables:
    """Read the data; raises FileError if something is missing or cannot be right."""
    if not folder.is_dir():
        raise FileError(f"There is no folder {folder}; `parlor study data STUDY.toml --out {folder}` writes one.")
    texts = {}
    for name in NEEDED:
        try:
            texts[name] = (folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            said = f"{folder} is not the data of a study: it has no {name}. `parlor study data` writes it."
            raise FileError(said) from None
        except (OSError, UnicodeError) as error:
            raise FileError(f"{folder / name} cannot be read: {error}.") from None
    return parse(texts, folder)


def parse(texts: Mapping[str, str], folder: Path = Path()) -> StudyTables:
    """The data of files that are in memory; `folder` is where a sentence about a mistake says that they are."""
    try:
        study = json.loads(texts[STUDY])
    except ValueError as error:
        raise FileError(f"{folder / STUDY} is not JSON: {error}.") from None
    if not isinstance(study, dict):
        raise FileError(f"{folder / STUDY} should be a JSON object.")
    tables = [_table(texts[name], folder / name) for name in (PARTICIPANTS, EPISODES)]
    data = StudyTables(study, *tables)
    _check(folder, data)
    return data


def _table(text: str, path: Path) -> pd.DataFrame:
    """A table of texts, with numbers where they belong; what is empty is not a number."""
    try:
        table = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    except ValueError as error:
        raise FileError(f"{path} cannot be read: {str(error).strip()}.") from None
    columns = {column.name: column.type for column in FILES[path.name]}
    lacking = [name for name in columns if name not in table.columns]
    if lacking:
        raise FileError(f"{path} has no column {lacking[0]!r}; codebook.md lists the columns.")
    for name in [name for name, kind in columns.items() if kind != "text"]:
        texts = table[name].replace("", np.nan)
        table[name] = pd.to_numeric(texts, errors="coerce")
        wrong = table[name].isna() & texts.notna()
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise FileError(f"{path}, line {row + 2}: {name} should be a number, not {texts.iloc[row]!r}.")
    return table


def _check(folder: Path, data: StudyTables) -> None:
    episodes = data.episodes
    if episodes.empty:
        raise FileError(f"{folder / EPISODES} has no episodes: nobody has played yet.")
    for name, known in (("status", STATUSES), ("partner_kind", KINDS)):
        wrong = ~episodes[name].isin(known)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            said = f"should be {', '.join(sorted(known))}, not {episodes[name].iloc[row]!r}"
            raise FileError(f"{folder / EPISODES}, line {row + 2}: {name} {said}.")
    played = episodes["status"] != "absent"
    for name in ("points", "partner_points"):
        lacking = played & episodes[name].isna()
        if lacking.any():
            row = int(np.flatnonzero(lacking)[0])
            raise FileError(f"{folder / EPISODES}, line {row + 2}: {name} is missing, but the episode was played.")
    strangers = sorted(set(episodes["participant"]) - set(data.participants["participant"]))
    if strangers:
        raise FileError(f"{folder / EPISODES} names {strangers[0]}, who is not in {PARTICIPANTS}.")
    twice = episodes.duplicated(["episode", "participant"])
    if twice.any():
        row = int(np.flatnonzero(twice)[0])
        raise FileError(f"{folder / EPISODES}, line {row + 2}: a second row of the same participant and episode.")
