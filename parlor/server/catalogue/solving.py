"""Strategies that are computed when somebody sits down, in a process of their own, and kept in the cache.

Compiling and enumerating a game would stop everybody else's games for seconds, so that is not done in the server's
process. One is computed at a time; it is found again in the cache, also after a restart.

    python -m parlor.server.catalogue.solving AGENT GAME FILE
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import parlor
from parlor.agents.registry import AGENTS
from parlor.compile import cache_folder, version
from parlor.game import Game, GameError
from parlor.game.loading import load, loadable_name
from parlor.policies.strategy import Strategy
from parlor.runs.files.strategy_files import load_strategy, save

TIMEOUT = 120.0  # seconds for one strategy, with everything that must be compiled for it
QUEUE = 20.0  # seconds to wait until the one before is done

_one_at_a_time = threading.Lock()
_few = threading.BoundedSemaphore(2)  # the one that is computed and one that waits: threads are for everybody


def path_of(agent: str, game: Game) -> Path:
    """The file in the cache: another one for other rules and for another version of Parlor."""
    text = f"{parlor.__version__} {agent} {game.name} {version(game)}"
    return cache_folder() / "solved" / f"{agent}-{hashlib.sha256(text.encode()).hexdigest()[:20]}.npz"


def computed(agent: str, game: Game) -> tuple[Strategy, Path]:
    """Return an agent's strategy for a game, from the cache or solved now, and its file."""
    path = path_of(agent, game)
    if not path.exists():
        busy = GameError("The server is solving another game just now; try again in a few seconds.")
        if not _few.acquire(blocking=False):
            raise busy
        try:
            if not _one_at_a_time.acquire(timeout=QUEUE):
                raise busy
            try:
                if not path.exists():
                    _compute(agent, game, path)
            finally:
                _one_at_a_time.release()
        finally:
            _few.release()
    return load_strategy(path), path


def _compute(agent: str, game: Game, path: Path) -> None:
    command = [sys.executable, "-m", "parlor.server.catalogue.solving", agent, loadable(game), str(path)]
    package = str(Path(parlor.__file__).parent.parent)
    folders = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=TIMEOUT, env=os.environ | {"PYTHONPATH": folders}, check=False
        )
    except subprocess.TimeoutExpired:
        raise GameError(f"{game.name} could not be solved in {TIMEOUT:.0f} seconds; choose another agent.") from None
    if done.returncode != 0 or not path.exists():
        raise GameError(f"{game.name} could not be solved here; choose another agent.")


def loadable(game: Game) -> str:
    """The name by which another process loads the game."""
    return loadable_name(_Source(game.name, game.source))


class _Source:
    def __init__(self, game: str, source: str) -> None:
        self.game, self.source = game, source


def compute(agent: str, game: str, path: str) -> None:
    """Compute and save."""
    computes = AGENTS[agent].computes
    if computes is None:
        raise GameError(f"{agent} computes nothing when it sits down.")
    save(computes(load(game)), path)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(5)  # moves of running games come first
    compute(*sys.argv[1:])
