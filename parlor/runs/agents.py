"""Agents that are files: a policy that was saved, or the newest one of a run's folder."""

from __future__ import annotations

from pathlib import Path

from parlor.agents import Agent, make_agent, policy_agent
from parlor.game import Game
from parlor.policy import Policy
from parlor.runs.checkpoint import POLICIES, FileError, load_policy
from parlor.runs.training import newest


def load_agent(text: str, game: Game) -> Agent:
    """The agent that a text names: `random`, `look-ahead(policy=FILE)`, the file of a policy, the folder of a run."""
    if Path(text).is_dir():
        return policy_agent(read_policy(text), game, text)
    return make_agent(text, game, read_policy)


def read_policy(path: str | Path) -> Policy:
    """The policy in a file; of a training run's folder, its newest checkpoint; of another folder, the newest in it."""
    path = Path(path)
    if not path.is_dir():
        return load_policy(path)
    if (checkpoint := newest(path)) is not None:
        return load_policy(checkpoint)
    found = [file for ending in POLICIES for file in path.rglob(f"*{ending}")]
    policies = sorted(found, key=lambda file: (file.stat().st_mtime_ns, str(file)), reverse=True)
    for file in policies:
        try:
            return load_policy(file)
        except FileError:
            continue  # something else of the run
    raise FileError(f"There is no policy in the folder {path}.")
