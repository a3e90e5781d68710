"""Strategies that are computed when somebody sits down, in a process of their own, and kept in the cache.

Compiling and enumerating a game would stop everybody else's games for seconds, so that is not done in the server's
process. One is computed at a time; it is found again in the cache, also after a restart.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace

import parlor
from parlor.agents.registry import AGENTS
from parlor.compile import cache_folder, version
from parlor.game import Game, GameError
from parlor.game.loading import load, loadable_name
from parlor.policies.strategy import Strategy
from parlor.runs.files.strategy_files import load_strategy, save
from parlor.runs.workers import BusyError, OneJobAtATime

TIMEOUT = 120.0  # seconds for one strategy, with everything that must be compiled for it
QUEUE = 20.0  # seconds to wait until the one before is done

BUSY = "The server is solving another game just now; try again in a few seconds."

_jobs = OneJobAtATime(QUEUE, BUSY)


def path_of(agent: str, game: Game) -> Path:
    """The file in the cache: another one for other rules and for another version of Parlor."""
    text = f"{parlor.__version__} {agent} {game.name} {version(game)}"
    return cache_folder() / "solved" / f"{agent}-{hashlib.sha256(text.encode()).hexdigest()[:20]}.npz"


def computed(agent: str, game: Game) -> tuple[Strategy, Path]:
    """Return an agent's strategy for a game, from the cache or solved now, and its file."""
    path = path_of(agent, game)
    if not path.exists():
        _compute(agent, game, path)
    return load_strategy(path), path


def _compute(agent: str, game: Game, path: Path) -> None:
    try:
        _jobs.run(compute, (agent, loadable(game), str(path)), TIMEOUT)
    except BusyError:
        raise
    except TimeoutError:
        raise GameError(f"{game.name} could not be solved in {TIMEOUT:.0f} seconds; choose another agent.") from None
    except Exception:
        raise GameError(f"{game.name} could not be solved here; choose another agent.") from None


def loadable(game: Game) -> str:
    """The name by which another process loads the game."""
    return loadable_name(SimpleNamespace(game=game.name, source=game.source))


def compute(asked: tuple[str, str, str]) -> None:
    """Compute the strategy of an agent for a game and save it, unless somebody has done so meanwhile."""
    agent, game, path = asked
    computes = AGENTS[agent].computes
    if computes is None:
        raise GameError(f"{agent} computes nothing when it sits down.")
    if not Path(path).exists():
        save(computes(load(game)), path)
