"""Who can sit down, and what is there to look at: agents, runs and cross tables, found in folders.

Nothing that comes over the network is ever made into a path. Folders are looked through, everything found gets an id
of harmless characters, and ids are looked up in that list. Games are those that come with Parlor and those the server
was started with; a name cannot make it load a file.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import parlor
from parlor.agents import AGENTS, Agent, concrete_game, make_agent, policy_agent, split
from parlor.game import Game, GameError
from parlor.games import GAMES, declared_options, load, parse
from parlor.native import NotCached, cache_only
from parlor.poker.blueprint import Blueprint
from parlor.policy import Policy
from parlor.runs.blueprint_files import FORMAT as BLUEPRINT
from parlor.runs.blueprint_files import load_blueprint
from parlor.runs.checkpoints import CHECKPOINTS, CONFIG, load_checkpoint
from parlor.runs.policy_files import CHECKPOINT, FORMAT, POLICIES, UNREADABLE, FileError, load_policy
from parlor.server.schemas import AgentInfo, GameInfo, OptionInfo, SettingInfo

HEAD = 1 << 16  # the header of a policy lies in the first bytes
DEPTH = 5  # folders in folders
FRESH = 1.0  # seconds for which a look at the folders is good
QUICK = ("random", "risk-aware", "fish", "wild")  # they do not think
#: Agents think in plain Python here: which of their settings may be how high.
BOUNDS = {
    "look-ahead": ("rollouts", 5),
    "honest": ("simulations", 200),
    "monte-carlo": ("simulations", 200),
    "cfr-v1": ("simulations", 50),
    "cfr-v2": ("simulations", 200),
    "endgame": ("iterations", 100),
}
KEPT_GAMES, KEPT_POLICIES = 64, 32

T = TypeVar("T")


class Unknown(GameError):
    """An id nobody has."""


@dataclass(frozen=True)
class File:
    """A policy, a checkpoint or a cross table on disk."""

    id: str
    name: str
    path: Path
    stamp: tuple[int, int]  # time and size: another stamp, another content
    game: str
    checkpoint: bool = False
    run: str | None = None
    trained: int | None = None
    blueprint: bool = False


@dataclass(frozen=True)
class Run:
    """The folder of a training run."""

    id: str
    name: str
    path: Path
    checkpoints: tuple[File, ...]


@dataclass(frozen=True)
class Contents:
    """What the folders hold."""

    policies: Mapping[str, File]
    runs: Mapping[str, Run]
    tables: Mapping[str, File]


@dataclass(frozen=True, eq=False)
class SeatedAgent:
    """An agent at a table, with what is known about its table of information sets, if it has one."""

    id: str
    name: str
    version: str
    agent: Agent
    quick: bool = False  # it answers in less time than it takes to ask a thread
    policy: Policy | None = None
    entries: Mapping[int, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    plan: Blueprint | None = None

    @functools.cached_property
    def cache(self) -> dict[str, Any]:
        """What has been worked out about it once."""
        return {}


class LruCache(OrderedDict[Any, T]):
    """Keeps the few that were used last."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.lock = threading.Lock()

    def get_or(self, key: Any, make: Callable[[], T]) -> T:
        """The value, made if it is not there."""
        with self.lock:
            if key in self:
                self.move_to_end(key)
                return self[key]
        made = make()
        with self.lock:
            self[key] = made
            while len(self) > self.most:
                self.popitem(last=False)
        return made


class Catalogue:
    """Games, agents, runs and cross tables, by id."""

    def __init__(self, folders: Sequence[Path] = (), games: Sequence[str] = ()) -> None:
        """`folders` are looked through for policies and runs, `games` can be played besides Parlor's own."""
        self.folders = [Path(folder) for folder in folders]
        self.names = [*GAMES, *games]
        self._also = {load(given).name: given for given in games}  # as tables will call them
        self._games: LruCache[Game] = LruCache(KEPT_GAMES)
        self._opponents: LruCache[SeatedAgent] = LruCache(KEPT_POLICIES)
        self._heads: LruCache[Mapping[str, Any]] = LruCache(4096)
        self._found = Contents({}, {}, {})
        self._looked = float("-inf")
        self._lock = threading.Lock()

    # ----------------------------------------------------------------------------------------------- games

    def game(self, name: str, options: Mapping[str, int | str] | None = None) -> Game:
        """A game that may be played here; its concrete form, with options in the name or beside it."""
        base = name if name in self.names else name.partition("(")[0]
        if base not in self.names and name not in self._also:
            raise Unknown(f"There is no game {name[:60]!r} here; there are {', '.join(self.names)}.")
        name = self._also.get(name, name)
        written = tuple(sorted((key, str(value)) for key, value in (options or {}).items()))
        return self._games.get_or((name, written), lambda: concrete_game(load(name, **dict(written))))

    def unit(self, name: str) -> tuple[str, float]:
        """What payoffs of a game or of an abstraction are told in, and how many of it a point is; points if unknown."""
        try:
            return self.game(_table_name(name)).unit
        except GameError:
            return "payoff", 1.0

    def action_words(self, name: str) -> dict[str, str]:
        """Names of actions of a game or of an abstraction that people read otherwise; none if it is unknown."""
        try:
            game, (_, _, abstraction) = self.game(_table_name(name)), parse(name)
            return dict((game.abstract(abstraction) if abstraction else game).action_words)
        except GameError:
            return {}

    @functools.cached_property
    def game_infos(self) -> list[GameInfo]:
        """The games in the list."""
        return [self._game_info(name) for name in self.names]

    def _game_info(self, name: str) -> GameInfo:
        game = self.game(name)
        declared = {} if name.startswith("openspiel:") else declared_options(name)
        options = [
            OptionInfo(
                name=key,
                default=option.write(option.default),
                words=list(option.words),
                low=option.low,
                high=option.high,
                help=option.help,
            )
            for key, option in declared.items()
        ]
        presets = {
            word: {key: o.write(o.default) for key, o in declared_options(name, preset=word).items() if key != "preset"}
            for word in (declared["preset"].words if "preset" in declared else ())
        }
        return GameInfo(
            name=name,
            title=game.title,
            summary=game.summary,
            players=game.players,
            kind=game.kind,
            options=options,
            presets=presets,
        )

    # ----------------------------------------------------------------------------------------------- agents

    def agents(self, game: str | None = None) -> list[AgentInfo]:
        """Everybody who can sit down; of a game, those who play it."""
        found = self.found()
        alone = [_built_in(name) for name, listing in AGENTS.items() if listing.takes is None]
        known = [*alone, *(self._filed(file, found) for file in found.policies.values()), *self._made(found)]
        if game is None:
            return known
        concrete = self.game(game)
        playing = {name for name, listing in AGENTS.items() if listing.plays(concrete)}
        return [a for a in known if (a.id in playing if a.id in AGENTS else concrete.name in a.games)]

    def agent_info(self, id: str) -> AgentInfo:
        """One of them."""
        if id in AGENTS:
            return _built_in(id)
        made = {info.id: info for info in self._made(self.found())}
        return made[id] if id in made else self._filed(self.file(id), self.found())

    @staticmethod
    def _made(found: Contents) -> Iterator[AgentInfo]:
        """Agents that are made from a file, with every one that they take."""
        latest = {run.checkpoints[-1].id for run in found.runs.values() if run.checkpoints}
        for name, listing in AGENTS.items():
            for file in found.policies.values():
                if listing.takes and file.blueprint and (concrete := listing.takes(file.game)):
                    [key] = (key for key, setting in listing.settings.items() if setting.file)
                    told = {"id": f"{name}({key}={file.id})", "name": f"{name} with {file.name}"}
                    more = {"games": [concrete], "settings": [], "newest": file.run is None or file.id in latest}
                    yield _built_in(name).model_copy(update=told | more)

    @staticmethod
    def _filed(file: File, found: Contents) -> AgentInfo:
        run = found.runs.get(file.run) if file.run else None
        return AgentInfo(
            id=file.id,
            name=file.name,
            kind="checkpoint" if file.checkpoint else "policy",
            summary=f"a {'blueprint' if file.blueprint else 'policy'} for {file.game}",
            games=[_table_name(file.game)],
            settings=[],
            infosets=not file.blueprint,
            grid=file.blueprint,
            run=file.run,
            trained=file.trained,
            newest=run is None or run.checkpoints[-1].id == file.id,
        )

    def title(self, name: str) -> str:
        """What an agent is called, whose name may say where its file lies: that is nobody's business."""
        titles = {file.path.resolve(): file.name for file in self.found().policies.values()}
        titles |= {run.path.resolve(): run.name for run in self.found().runs.values()}

        def called(path: re.Match[str]) -> str:
            return titles.get(Path(path[0]).resolve(), Path(path[0]).stem or "policy")

        return re.sub(r"[^(),=]*/[^(),=]*|[^(),=]+\.(?:json|npz)\b", called, name)

    def file(self, id: str) -> File:
        """The policy or checkpoint of that id."""
        file = self.found().policies.get(id)
        if file is None:
            raise Unknown(f"There is no agent {id[:60]!r} here.")
        return file

    def seat(self, id: str, game: Game) -> SeatedAgent:
        """The agent at a table of the game; reads its file if need be, so it may take a while."""
        base = id.partition("(")[0]
        if base in AGENTS:
            files = [self.file(text) for key, text in split(id)[1].items() if _is_file(base, key)]
            stamps = tuple(file.stamp for file in files)
            return self._opponents.get_or((id, stamps, game.name), lambda: _seat_built_in(id, game, files))
        file = self.file(id)
        return self._opponents.get_or((id, file.stamp, game.name), lambda: _seat_filed(file, game))

    def own_game(self, id: str) -> SeatedAgent:
        """A policy at a table of the game it was made for."""
        return self.seat(id, self.game(_table_name(self.file(id).game)))

    # ----------------------------------------------------------------------------------------------- folders

    def run(self, id: str) -> Run:
        """The run of that id."""
        run = self.found().runs.get(id)
        if run is None:
            raise Unknown(f"There is no training run {id[:60]!r} here.")
        return run

    def found(self) -> Contents:
        """What the folders hold now."""
        with self._lock:
            if time.monotonic() - self._looked > FRESH:
                self._found = self._look()
                self._looked = time.monotonic()
            return self._found

    def _look(self) -> Contents:
        policies: dict[str, File] = {}
        runs: dict[str, Run] = {}
        tables: dict[str, File] = {}
        taken = set(AGENTS)
        for folder in self.folders:
            for path in _walk(folder, DEPTH):
                where = path.relative_to(folder) if path != folder else Path(folder.resolve().name)
                if path.is_dir():
                    run = self._run(path, _free(_slug(where), path, taken), str(where))
                    runs[run.id] = run
                    policies |= {file.id: file for file in run.checkpoints}
                    continue
                head = self._head(path)
                kind = head.get("format")
                if kind in (FORMAT, CHECKPOINT, BLUEPRINT) or "mean_rates" in head:
                    id = _free(_slug(where.with_suffix("")), path, taken)
                    file = File(id, str(where.with_suffix("")), path, _stamp(path), str(head.get("game", "")))
                    if "mean_rates" not in head:
                        policies[id] = dataclasses.replace(
                            file, checkpoint=kind == CHECKPOINT, blueprint=kind == BLUEPRINT
                        )
                    else:
                        tables[id] = file
        return Contents(policies, runs, tables)

    def _run(self, path: Path, id: str, name: str) -> Run:
        kept = []
        for file in sorted((path / CHECKPOINTS).glob("*")):
            if file.suffix in POLICIES and file.stem.isdigit() and (head := self._head(file)):
                games = int(file.stem)
                title, game = f"{name} after {games:,} games", str(head.get("game", ""))
                plan = head.get("format") == BLUEPRINT
                kept.append(File(f"{id}.{file.stem}", title, file, _stamp(file), game, True, id, games, plan))
        return Run(id, name, path, tuple(kept))

    def _head(self, path: Path) -> Mapping[str, Any]:
        """What a file says about itself; empty if it is none of ours."""
        try:
            return self._heads.get_or((path, _stamp(path)), lambda: _read_head(path))
        except OSError:
            return {}


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    """Folders of runs, and files that may be policies, in order."""
    if (folder / CONFIG).is_file() and ((folder / CHECKPOINTS).is_dir() or (folder / "metrics.jsonl").is_file()):
        yield folder
        return
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return
    for path in inside:
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir() and depth > 0:
            yield from _walk(path, depth - 1)
        elif path.suffix in POLICIES and path.is_file():
            yield path


def _slug(path: Path) -> str:
    return re.sub(r"[^A-Za-z0-9+_-]+", "-", "-".join(path.parts)).strip("-")[:80] or "policy"


def _free(slug: str, path: Path, taken: set[str]) -> str:
    """The slug, or with a mark of its path if somebody has it."""
    if slug in taken:
        slug = f"{slug}-{hashlib.sha256(str(path).encode()).hexdigest()[:6]}"
    taken.add(slug)
    return slug


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def _read_head(path: Path) -> Mapping[str, Any]:
    """The header of a policy, or a small JSON file as a whole."""
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as arrays:
                found = json.loads(arrays["header"].tobytes())
        else:
            with path.open("rb") as file:
                text = file.read(HEAD).decode(errors="replace")
            if len(text) < HEAD and '"infosets"' not in text:
                found = json.loads(text)
            else:
                found = json.loads(text.partition('"infosets"')[0].rstrip().rstrip(",") + "}")
    except UNREADABLE:
        return {}
    return found if isinstance(found, dict) else {}


# --------------------------------------------------------------------------------------------------- agents


def _built_in(id: str) -> AgentInfo:
    listing = AGENTS[id]
    settings = []
    for key, s in listing.settings.items():
        default, high = s.default, s.high
        if BOUNDS.get(id, ("", 0))[0] == key:
            default = high = BOUNDS[id][1]
        settings.append(SettingInfo(name=key, default=default, low=s.low, high=high, help=s.help))
    return AgentInfo(
        id=id,
        name=id,
        kind="built-in",
        summary=listing.summary,
        games=["monopoly-deal"] if listing.believes else list(listing.games),
        settings=settings,
        infosets=False,
        grid=False,
        run=None,
        trained=None,
        newest=True,
    )


def _table_name(game: str) -> str:
    """The game at whose tables a policy sits: without its abstraction."""
    match = re.fullmatch(r"(.*?(?:\([^()]*\))?)(/[\w+-]+)?", game)
    return match[1] if match else game


def _is_file(base: str, key: str) -> bool:
    """Whether a setting of a built-in agent names a file."""
    return key in AGENTS[base].settings and AGENTS[base].settings[key].file


def _seat_built_in(id: str, game: Game, files: Sequence[File] = ()) -> SeatedAgent:
    base, given = split(id)
    if base in BOUNDS:
        name, most = BOUNDS[base]
        wanted = given.get(name, str(most))
        if not wanted.isdigit() or int(wanted) > most:
            raise GameError(f"{base} thinks in plain Python here: its {name} must be at most {most}.")
        id = f"{base}({','.join(f'{key}={value}' for key, value in ({name: wanted} | given).items())})"
    plans = {file.id: load_blueprint(file.path) for file in files}
    with _tables_there(base):
        agent = make_agent(id, game, lambda text: plans[text]) if plans else make_agent(id, game)
        agent = dataclasses.replace(agent, slow=False)  # nothing is compiled to serve
        agent.prepare()
    name = f"{base} with {files[0].name}" if files else id
    version = "+".join([parlor.__version__, *map(_version, plans.values())])
    plan = next(iter(plans.values()), None) if agent.game.concrete else None  # it goes by the moves of its blueprint
    return SeatedAgent(id, name, version, agent, base in QUICK, plan=plan)


def _seat_filed(file: File, game: Game) -> SeatedAgent:
    if file.blueprint:
        return _seat_blueprint(file, game)
    policy = load_policy(file.path)
    version = hashlib.sha256(file.path.read_bytes()).hexdigest()[:16]
    entries: Mapping[int, Mapping[str, Any]] = {}
    if file.checkpoint:
        entries = {int(entry["key"]): entry for entry in load_checkpoint(file.path)[1]}
    # its words stay with us: putting rows into the game's order by them would enumerate, that is compile, the game
    agent = policy_agent(dataclasses.replace(policy, words={}), game, file.name)
    return SeatedAgent(file.id, file.name, version, agent, True, policy, entries)


def _seat_blueprint(file: File, game: Game) -> SeatedAgent:
    """A blueprint where it lies; only what it plays counts for its version, not what is needed to train on."""
    plan = load_blueprint(file.path)
    with _tables_there(file.name):
        agent = policy_agent(plan, game, file.name)
    return SeatedAgent(file.id, file.name, _version(plan), agent, True, plan=plan)


def _version(plan: Blueprint) -> str:
    return hashlib.sha256(plan.game.encode() + bytes(plan.play.data)).hexdigest()[:16]


@contextlib.contextmanager
def _tables_there(name: str) -> Iterator[None]:
    """Within this, nothing is computed that takes long: it must be in the cache."""
    try:
        with cache_only():
            yield
    except NotCached as error:
        raise GameError(lacking(error, name)) from None


def lacking(error: NotCached, name: str) -> str:
    """What to do about tables that are not there."""
    return f"{error} {name} needs them: `parlor cards`, with the folders that are served, computes them."


def readable(error: Exception) -> str:
    """What is wrong with an agent, in a sentence that names no path."""
    return "Its file cannot be read." if isinstance(error, FileError | OSError) else str(error)
