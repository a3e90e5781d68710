"""Agents that are files: a strategy that was saved, or the newest checkpoint of a training run."""

from __future__ import annotations

from pathlib import Path

from parlor.agents import AGENTS, Agent, make_agent, policy_agent
from parlor.game import Game
from parlor.runs.checkpoints import newest
from parlor.runs.policy_files import FileError
from parlor.runs.strategy_files import load_strategy
from parlor.strategy import Strategy


def load_agent(text: str, game: Game) -> Agent:
    """The agent that a text names: `random`, `look-ahead(policy=FILE)`, a strategy's file, the folder of a run."""
    if text not in AGENTS and text and Path(text).is_dir():
        return policy_agent(read_policy(text), game, text)
    return make_agent(text, game, read_policy)


def read_policy(path: str | Path) -> Strategy:
    """The strategy in a file; of a training run's folder, its newest checkpoint."""
    if not str(path):
        raise FileError("An empty name is no policy.")
    path = Path(path)
    if not path.suffix and not path.exists():
        raise FileError(f"There is no file or folder {path}.")
    if not path.is_dir():
        return load_strategy(path)
    if (checkpoint := newest(path)) is None:
        raise FileError(f"There is no policy in the folder {path}: it is not a training run, or has no checkpoint yet.")
    return load_strategy(checkpoint)
