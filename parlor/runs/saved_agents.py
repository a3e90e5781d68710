"""Agents by name, from files too: a saved strategy, the newest checkpoint of a run, a user's Python code."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parlor.agents.agent import CompiledAgent
from parlor.agents.language.model import language_agent
from parlor.agents.programs.program_agent import program_agent
from parlor.agents.registry import AGENTS, concrete_game, is_path, make_agent, policy_agent
from parlor.game import Game
from parlor.game.loading import as_game
from parlor.game.loading.registry import installed, is_language_model, is_program, is_python
from parlor.game.seats.python_agent import GROUP, PythonAgent, python_agent
from parlor.policies.strategy import Strategy
from parlor.runs.files.container import UNREADABLE, FileError, write
from parlor.runs.files.strategy_files import load_strategy
from parlor.runs.run import newest, run_kind

BEST = "best.json"


def save_best(folder: Path, numbers: Mapping[str, Any]) -> None:
    """Write what was found: at least the game and the agent."""
    write(folder / BEST, (json.dumps(numbers, indent=1, ensure_ascii=False) + "\n").encode())


def load_best(folder: str | Path) -> dict[str, Any] | None:
    """The best agent that a tuning run has found; None if the folder holds no such run."""
    folder = Path(folder)
    if run_kind(folder) != "tuning":
        return None
    try:
        found = json.loads((folder / BEST).read_bytes())
        return {**found, "agent": str(found["agent"]), "game": str(found["game"])}
    except FileNotFoundError:
        raise FileError(f"The tuning run in {folder} has found nothing yet: it has no {BEST}.") from None
    except UNREADABLE:
        raise FileError(f"{folder / BEST} cannot be read, or it is damaged.") from None


def load_agent(text: str, game: Game | str) -> CompiledAgent | PythonAgent:
    """The agent that a text names.

    `random`, `look-ahead(policy=FILE)`, the file of a policy, the folder of a run that has trained or tuned one,
    `my_agents.py:Cautious(risk=0.3)`, one of an installed package, `program:./mybot`.
    """
    if is_program(text):
        return program_agent(text, concrete_game(as_game(game)))
    if is_language_model(text):
        return language_agent(text, concrete_game(as_game(game)))
    base = text.partition("(")[0].strip()
    if is_python(text) or (base not in AGENTS and not is_path(base) and installed(GROUP, base)):
        return python_agent(text)
    return load_compiled_agent(text, game)


def load_compiled_agent(text: str, game: Game | str) -> CompiledAgent:
    """The same, if it must be a compiled one."""
    game = as_game(game)
    if text not in AGENTS and os.path.isdir(text):
        if tuned := load_best(text):
            return dataclasses.replace(make_agent(tuned["agent"], game, read_policy), name=text)
        return policy_agent(read_policy(text), game, text)
    return make_agent(text, game, read_policy)


def read_policy(path: str | Path) -> Strategy:
    """The strategy in a file, or in the newest checkpoint of a training run's folder."""
    if not str(path):
        raise FileError("The name of the policy is empty.")
    path = Path(path)
    if not path.suffix and not path.exists():
        raise FileError(f"There is no file or folder {path}.")
    if not path.is_dir():
        return load_strategy(path)
    if (checkpoint := newest(path)) is None:
        raise FileError(f"There is no policy in the folder {path}: it is not a training run, or has no checkpoint yet.")
    return load_strategy(checkpoint)


def short_names(names: Sequence[str]) -> list[str]:
    """Names for headings: files without their common part, Python agents without their file."""
    stems = [Path(name).stem if is_path(name) else name.partition(":")[2] or name for name in names]
    return [stem if stems.count(stem) == 1 else name for stem, name in zip(stems, names, strict=True)]
