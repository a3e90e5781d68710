"""The version of an agent that a text names: another one if its file has changed."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from parlor.agents.registry import AGENTS, is_path
from parlor.game.loading.registry import is_python, source_hash, split
from parlor.runs.run import newest
from parlor.runs.saved_agents import load_best


def agent_version(text: str) -> str:
    """A hash of the files that an agent is made from; empty if it has none."""
    if is_python(text):
        return source_hash(text)
    if text not in AGENTS and (is_path(text) or os.path.isdir(text)):
        return _hash(text)
    base, given = split(text)
    spec = AGENTS.get(base)
    files = [given[name] for name in spec.named("file") if name in given] if spec else []
    return "".join(map(_hash, files))


def _hash(path: str) -> str:
    """Of a file, of the newest checkpoint of a training run, or of what a tuning run has found."""
    if os.path.isdir(path):
        if tuned := load_best(path):
            return hashlib.sha256(str(tuned["agent"]).encode()).hexdigest()[:16]
        path = str(newest(Path(path)) or path)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16] if os.path.isfile(path) else ""
