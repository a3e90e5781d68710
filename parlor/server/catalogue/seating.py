"""Agents are seated at a table of the server: built-in ones, or those of a file. They run in plain Python there.

Strategies that are computed when somebody sits down, in a process of their own, and kept in the cache.

Compiling and enumerating a game would stop everybody else's games for seconds, so that is not done in the server's
process. One is computed at a time; it is found again in the cache, also after a restart.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import parlor
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import AGENTS, make_agent, policy_agent
from parlor.agents.searching.rational import MAX_SERVED
from parlor.compile import NotCached, cache_folder, cache_only, version
from parlor.game import Game, GameError
from parlor.game.errors import AgentError
from parlor.game.loading import load, loadable_name
from parlor.game.loading.registry import split
from parlor.page.seated_agent import SeatedAgent
from parlor.policies.network import NetworkPolicy
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy
from parlor.runs.files.container import FileError
from parlor.runs.files.strategy_files import FILES, load_strategy, save
from parlor.runs.run import load_checkpoint
from parlor.runs.workers import BusyError, OneJobAtATime
from parlor.server.catalogue.folders import File
from parlor.server.operations.lru_cache import LruCache

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


log = logging.getLogger(__name__)
_strategies: LruCache[Strategy] = LruCache(8)  # an agent may play itself and be part of others


def limits_of(base: str) -> dict[str, int]:
    """The most that settings of a built-in agent may be here."""
    return {key: s.server_limit for key, s in AGENTS[base].settings.items() if s.server_limit is not None}


def limited(id: str) -> str:
    """An agent's id with all settings that the server limits, also those of agents that it names."""
    base, given = split(id)
    if base not in AGENTS:
        return id  # a file
    named = {key: limited(given[key]) for key in AGENTS[base].named("agent") if key in given}
    limits = limits_of(base)
    for name, most in limits.items():
        wanted, least = given.get(name, str(most)), AGENTS[base].settings[name].server_low
        if not re.fullmatch("[0-9]{1,9}", wanted) or not least <= int(wanted) <= most:
            within = f"between {least} and {most}" if least else f"at most {most}"
            raise GameError(f"{base} runs in plain Python here: its {name} must be {within}.")
        given = {name: wanted} | given
    if not limits and named == {key: given[key] for key in named}:
        return id
    return f"{base}({','.join(f'{key}={value}' for key, value in (given | named).items())})"


def seat_built_in(id: str, game: Game, files: Sequence[File] = ()) -> SeatedAgent:
    """A built-in agent, with settings within the server's limits, and with the files that they name."""
    chosen = split(id)[1]
    id = limited(id)
    base, given = split(id)
    if AGENTS[base].computes and not given:
        strategy, path = computed(base, game)
        agent = policy_agent(strategy, game, AGENTS[base].name)
        version = f"{parlor.__version__}+{FILES[strategy.kind].version(path)}"
        return SeatedAgent(id, AGENTS[base].name, version, agent, AGENTS[base].quick, strategy)
    plans = {file.id: _strategy(file) for file in files}
    with tables_there(base):
        agent = make_agent(id, game, lambda text: plans[text]) if plans else make_agent(id, game)
        if isinstance(agent, CompiledAgent):  # others are slow in any case
            agent = dataclasses.replace(agent.on_average or agent, slow=False)  # nothing is compiled to serve
        if AGENTS[base].quick or AGENTS[base].games:  # searches of any game are prepared where they decide
            agent.prepare()
    name = AGENTS[base].name or base
    if files:
        name = f"{name} ({', '.join(file.character for file in files)})"
    usual = (key for key, most in limits_of(base).items() if chosen.get(key) == str(most))
    unsaid = {*AGENTS[base].named("file"), *usual}
    if own := [f"{key} {value}" for key, value in chosen.items() if key not in unsaid]:
        name = f"{name} ({', '.join(own).replace('_', ' ')})"
    versions = (FILES[file.kind].version(file.path) for file in files)
    version = "+".join([parlor.__version__, *versions])
    # it plays the moves of its blueprint, or what its population does
    kept = [plan for plan in plans.values() if agent.game.concrete or plan.kind == Population.kind]
    quick = AGENTS[base].quick and not agent.thinks_long
    return SeatedAgent(id, name, version, agent, quick, next(iter(kept), None))


def seat_filed(file: File, game: Game) -> SeatedAgent:
    """A strategy from its file."""
    strategy = _strategy(file)
    version = FILES[file.kind].version(file.path)
    entries: Mapping[int, Mapping[str, Any]] = {}
    seated = strategy
    if isinstance(strategy, Policy):
        if file.checkpoint:
            entries = {int(entry["key"]): entry for entry in load_checkpoint(file.path)[1]}
        # words are not used: ordering rows by them would enumerate, that is compile, the game
        seated = dataclasses.replace(strategy, words={})
    if isinstance(strategy, NetworkPolicy) and strategy.search_networks is not None:
        search_networks = strategy.search_networks
        few = dataclasses.replace(search_networks, simulations=min(search_networks.simulations, MAX_SERVED))
        seated = dataclasses.replace(strategy, search_networks=few)
    with tables_there(file.name):
        agent = dataclasses.replace(policy_agent(seated, game, file.name), slow=False)  # nothing is compiled to serve
    return SeatedAgent(file.id, file.character, version, agent, not agent.thinks_long, strategy, entries)


def _strategy(file: File) -> Strategy:
    """The strategy of a file, in memory: mapped, it would end the server with a signal if its file is overwritten."""
    return _strategies.get_or((file.path, file.stamp), lambda: FILES[file.kind].load(file.path, in_memory=True))


@contextlib.contextmanager
def tables_there(name: str) -> Iterator[None]:
    """Within this, nothing slow is computed: it must be in the cache."""
    try:
        with cache_only():
            yield
    except NotCached as error:
        raise GameError(lacking(error, name)) from None


def lacking(error: NotCached, name: str) -> str:
    """Return the error, with the command that computes the missing tables."""
    return f"{error} {name} needs them: `parlor cards`, with the folders that are served, computes them."


def readable(error: Exception) -> str:
    """An agent's error as a sentence without paths and without what the agent holds."""
    if isinstance(error, AgentError):
        log.error("%s", error)
        return "its answer was invalid; the server's log has the details."
    return "Its file cannot be read." if isinstance(error, FileError | OSError) else str(error)
