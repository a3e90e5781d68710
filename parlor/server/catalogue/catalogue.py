"""The games and agents of the server, by name or id.

Games are those that come with Parlor and those the server was started with; a name cannot load another file.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from parlor.agents.registry import AGENTS, concrete_game, opponent
from parlor.game import Game, GameError
from parlor.game.loading import GAMES, declared_options, load, load_once, parse
from parlor.game.loading.registry import source_hash, split
from parlor.game.parameters import Parameter
from parlor.game.seats.python_agent import PythonAgent, python_agent
from parlor.page.seated_agent import SeatedAgent
from parlor.runs.files.strategy_files import FILES
from parlor.runs.files.strategy_names import how_made, is_solved
from parlor.server.catalogue.displays import display_of
from parlor.server.catalogue.folders import Contents, File, Folders, Unknown, free_id
from parlor.server.catalogue.seating import seat_built_in, seat_filed
from parlor.server.catalogue.standings import Standings, own_settings
from parlor.server.operations.lru_cache import LruCache
from parlor.server.schemas.games import AgentInfo, GameInfo, OptionInfo, ResearchPreset, SettingInfo, WordInfo

KEPT_GAMES, KEPT_POLICIES = 64, 32
MAX_ACTIONS = 4000  # of a game whose options people choose: listing them all takes 10 ms for a thousand
UNMEASURED: Mapping[str, Any] = {
    "recommended": False, "level": None, "rating": None, "rating_low": None, "rating_high": None,
}  # fmt: skip


class Offered(NamedTuple):
    """The contents of a catalogue, from which another process makes the same one."""

    folders: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    python_agents: tuple[str, ...] = ()


class Catalogue:
    """Games and agents, by id."""

    def __init__(
        self, folders: Sequence[Path | str] = (), games: Sequence[str] = (), python_agents: Sequence[str] = ()
    ) -> None:
        """`folders` are searched for policies and runs, `games` can be played besides Parlor's own.

        `python_agents` are the operator's own code (`my_agents.py:Cautious`), which is loaded only now.
        """
        self.offered = Offered(tuple(map(str, folders)), tuple(games), tuple(python_agents))
        self.names = [*GAMES, *games]
        self._also = {load(given).name: given for given in games}  # name as tables have it -> as given
        self._python: dict[str, SeatedAgent] = {}
        for text in python_agents:
            name = text.partition(":")[2]
            id = free_id(Path(name), Path(text), {*AGENTS, *self._python})
            self._python[id] = SeatedAgent(id, name, source_hash(text), replace(python_agent(text), name=name))
        self.folders = Folders([Path(folder) for folder in folders], {*AGENTS, *self._python})
        self.standings = Standings(self.folders)
        self._games: LruCache[Game] = LruCache(KEPT_GAMES)
        self._made_how: LruCache[str] = LruCache(4096)
        self._opponents: LruCache[SeatedAgent] = LruCache(KEPT_POLICIES)
        self.listing = asyncio.Lock()  # of those who list games, which loads them
        self._listed: dict[str | None, tuple[list[AgentInfo], Contents]] = {}

    # ----------------------------------------------------------------------------------------------- games

    def game(self, name: str, options: Mapping[str, int | str] | None = None) -> Game:
        """A game that may be played here, in its concrete form, with options in the name or beside it."""
        base = name if name in self.names else name.partition("(")[0]
        if base not in self.names and name not in self._also:
            raise Unknown(f"There is no game {name[:60]!r} here; there are {', '.join(self.names)}.")
        name = self._also.get(name, name)
        written = tuple(sorted((key, str(value)) for key, value in (options or {}).items()))
        game = self._games.get_or((name, written), lambda: self._load(name, dict(written)))
        if game.actions > MAX_ACTIONS and (written or name not in self.names):
            raise GameError(f"{game.name} has {game.actions:,} moves; at most {MAX_ACTIONS:,} can be played here.")
        return game

    def _load(self, name: str, options: Mapping[str, str]) -> Game:
        """A game; what a request asks for is within the server's limits."""
        if not name.startswith("openspiel:"):
            base, named, _ = parse(name)
            if asked := {**({} if name in self.names else named), **options}:
                _refuse_costly(asked, declared_options(base))
        return concrete_game(load(name, **options) if options else load_once(name))

    def unit(self, name: str) -> tuple[str, float]:
        """The unit of payoffs of a game or an abstraction, and how many of it a point is; points if unknown."""
        try:
            return self.game(_table_name(name)).unit
        except GameError:
            return "payoff", 1.0

    def action_words(self, name: str) -> dict[str, str]:
        """Names of actions of a game or an abstraction -> what people read; empty if it is unknown."""
        try:
            game, (_, _, abstraction) = self.game(_table_name(name)), parse(name)
            return dict((game.abstract(abstraction) if abstraction else game).words.action_words)
        except GameError:
            return {}

    @functools.cached_property
    def game_infos(self) -> list[GameInfo]:
        """All games, for the list."""
        return [self._game_info(name) for name in self.names]

    def _game_info(self, name: str) -> GameInfo:
        return _info_of_ours(name) if name in GAMES else _game_info(name, self.game(name))

    # ----------------------------------------------------------------------------------------------- agents

    def agents(self, game: str | None = None) -> list[AgentInfo]:
        """All agents; with a game, those that play it. They are listed again when the folders have changed."""
        found = self.folders.found()
        kept, of = self._listed.get(game, ([], None))
        if of is not found:
            kept = self._agents(game, found)
            known = {name: one for name, one in self._listed.items() if one[1] is found}
            self._listed = (known if len(known) < KEPT_GAMES else {}) | {game: (kept, found)}
        return list(kept)

    def _agents(self, game: str | None, found: Contents) -> list[AgentInfo]:
        alone = [self._built_in(name) for name, spec in AGENTS.items() if spec.game_of_file is None]
        alone += map(_in_python, self._python.values())
        known = [*alone, *(self._filed(file, found) for file in found.policies.values()), *self._made(found)]
        if game is None:
            return [self._measured(agent, agent.games[0] if len(agent.games) == 1 else "") for agent in known]
        concrete = self.game(game)
        playing = [self._measured(agent, concrete.name) for agent in known if self._plays(agent, concrete)]
        if any(is_solved(file.head) and file.game == concrete.name for file in found.policies.values()):
            playing = [agent for agent in playing if agent.id not in AGENTS or not AGENTS[agent.id].computes]
        first = self._first(concrete, playing)
        return [agent.model_copy(update={"recommended": agent.id == first}) for agent in playing]

    def _plays(self, agent: AgentInfo, game: Game) -> bool:
        return AGENTS[agent.id].plays(game) if agent.id in AGENTS else not agent.games or game.name in agent.games

    def recommended(self, game: Game | str) -> str:
        """The agent to be seated unless somebody asks for another: a suitable opponent at this game."""
        name = game if isinstance(game, str) else game.name
        return next(agent.id for agent in self.agents(name) if agent.recommended)

    def _first(self, game: Game, playing: Sequence[AgentInfo]) -> str:
        """Of those that play a game the one that is hardest to beat, as far as that was measured.

        Without a measurement: a solution of the game from a file, an agent that solves it, another strategy from a
        file, the one that the game declares.
        """
        ids = {agent.id: agent for agent in playing if agent.kind != "built-in" or _may_be_first(agent.id)}
        hardest = self.standings.at(game.name).hardest if game.agreed is None else ()  # a deal is no contest
        measured = [id for id in hardest if id in ids]
        if measured:
            return measured[0]
        usual = opponent(game)
        filed = [id for id, agent in ids.items() if agent.kind in ("policy", "checkpoint") and agent.newest]
        solved = [id for id in filed if is_solved(self.folders.file(id).head)]
        return [*solved, *([usual] if AGENTS[usual].computes else filed), usual][0]

    def _measured(self, agent: AgentInfo, game: str) -> AgentInfo:
        """With its level and its rating at a game."""
        standing = self.standings.at(game)
        if agent.id not in standing.ratings:
            return agent
        rating = standing.ratings[agent.id]
        numbers = {"rating": rating.value, "rating_low": rating.low, "rating_high": rating.high}
        return agent.model_copy(update=numbers | {"level": standing.level(agent.id)})

    def agent_info(self, id: str) -> AgentInfo:
        """One agent; with its level, if it plays only one game."""
        agent = self._agent(id)
        return self._measured(agent, agent.games[0] if len(agent.games) == 1 else "")

    def _agent(self, id: str) -> AgentInfo:
        if id in AGENTS:
            return self._built_in(id)
        if id in self._python:
            return _in_python(self._python[id])
        made = {info.id: info for info in self._made(self.folders.found())}
        return made[id] if id in made else self._filed(self.folders.file(id), self.folders.found())

    def _made(self, found: Contents) -> Iterator[AgentInfo]:
        """Agents that are made from a file, with every file that they accept."""
        latest = {run.checkpoints[-1].id for run in found.runs.values() if run.checkpoints}
        for name, spec in AGENTS.items():
            for file in found.policies.values():
                keys = [key for key in spec.named("file") if spec.settings[key].file_kind in ("", file.kind)]
                fits = spec.accepts_file is None or spec.accepts_file(file.head)
                if spec.game_of_file and keys and fits and (concrete := spec.game_of_file(file.game)):
                    names = {"id": f"{name}({keys[0]}={file.id})", "name": f"{spec.name or name} with {file.name}"}
                    names["character"] = f"{spec.name or name} ({file.character})"
                    more = {"games": [concrete], "settings": [], "newest": file.run is None or file.id in latest}
                    yield self._built_in(name).model_copy(update=names | more)

    def _built_in(self, id: str) -> AgentInfo:
        spec = AGENTS[id]
        settings = []
        for key, s in spec.settings.items():
            if s.internal:
                continue
            low, default, high = max(s.low or 0.0, s.server_low), s.default, s.high or 0.0
            if s.server_limit is not None:
                default = high = s.server_limit
            settings.append(SettingInfo(name=key, default=default, low=low, high=high, help=s.help))
        return AgentInfo(
            id=id,
            name=spec.name or id,
            character=spec.name or id,
            kind="built-in",
            summary=spec.summary,
            made=spec.made,
            games=list(spec.games),
            settings=settings,
            infosets=False,
            grid=False,
            run=None,
            trained=None,
            newest=True,
            **UNMEASURED,
        )

    def _filed(self, file: File, found: Contents) -> AgentInfo:
        run = found.runs.get(file.run) if file.run else None
        display, tabular = display_of(file.game), FILES[file.kind].shown_as == "infosets"
        return AgentInfo(
            id=file.id,
            name=file.name,
            character=file.character,
            kind="checkpoint" if file.checkpoint else "policy",
            summary="plays the strategy that it has learned",
            made=self._made_how.get_or((file.path, file.stamp), lambda: self._how(file)),
            games=[_table_name(file.game)],
            settings=[],
            infosets=tabular,
            grid=display.strategy is not None and display.strategy_of == ("policy" if tabular else file.kind),
            run=file.run,
            trained=file.trained,
            newest=run is None or run.checkpoints[-1].id == file.id,
            **UNMEASURED,
        )

    def _how(self, file: File) -> str:
        try:
            return how_made(file.head, self.game(_table_name(file.game)))
        except GameError:
            return how_made(file.head)

    def title(self, text: str) -> str:
        """Return a title for an agent of a cross table, whose name there may contain the paths of files."""
        try:
            base, given = split(text)
        except GameError:
            return self.folders.title(text)
        if base not in AGENTS:
            return self.folders.title(text)
        files = [self.folders.title(value) for key, value in given.items() if key in AGENTS[base].named("file")]
        own = own_settings(base, given)
        settings = [
            f"{key} {self.folders.title(value)}" for key, value in own.items() if key not in AGENTS[base].named("file")
        ]
        name = " with ".join([AGENTS[base].name or base, *files])
        return f"{name} ({', '.join(settings)})" if settings else name

    def titles(self, names: Sequence[str]) -> dict[str, str]:
        """Return titles for some agents, no two alike."""
        titles: dict[str, str] = {}
        for name in names:
            title = alone = self.title(name)
            for number in itertools.count(2):
                if title not in titles.values():
                    break
                title = f"{alone} ({number})"
            titles[name] = title
        return titles

    def seat(self, id: str, game: Game) -> SeatedAgent:
        """The agent for a game; reads its file if necessary, so it may take a while."""
        if id in self._python:
            return self._python[id]
        base = id.partition("(")[0]
        if base in AGENTS:
            files = [self.folders.file(text) for key, text in split(id)[1].items() if key in AGENTS[base].named("file")]
            stamps = tuple(file.stamp for file in files)
            return self._opponents.get_or((id, stamps, game.name), lambda: seat_built_in(id, game, files))
        file = self.folders.file(id)
        return self._opponents.get_or((id, file.stamp, game.name), lambda: seat_filed(file, game))

    def quickest(self, game: Game) -> SeatedAgent:
        """An agent that answers at once: one that was made for the game, if there is one that needs nothing."""
        for id, spec in AGENTS.items():
            own = spec.games and spec.plays(game) and not (spec.computes or spec.game_of_file)
            if spec.quick and own and spec.default_opponent:
                return self.seat(id, game)
        return self.seat("random", game)

    def own_game(self, id: str) -> SeatedAgent:
        """A policy in the game it was made for."""
        return self.seat(id, self.game(_table_name(self.folders.file(id).game)))


@functools.cache
def _info_of_ours(name: str) -> GameInfo:
    """A game that comes with Parlor: loading all of them takes half a second."""
    return _game_info(name, concrete_game(load_once(name)))


def _game_info(name: str, game: Game) -> GameInfo:
    fixed = "(" in name or name.startswith("openspiel:")  # its options are those it was given with
    declared = {} if fixed else declared_options(name)
    options = [
        OptionInfo(
            name=key,
            default=option.write(option.default),
            words=[WordInfo(word=word, **option.word(word)._asdict()) for word in option.choices],
            low=int(option.low or 0),
            high=option.server_limit or int(option.high or len(option.choices) - 1),
            step=option.step,
            help=option.help,
        )
        for key, option in declared.items()
        if not option.names
    ]
    presets = {
        word: {key: o.write(o.default) for key, o in declared_options(name, preset=word).items() if key != "preset"}
        for word in (declared["preset"].words if "preset" in declared else ())
    }
    return GameInfo(
        name=name,
        title=game.words.title,
        summary=game.words.summary,
        players=game.players,
        kind=game.kind,
        options=options,
        presets=presets,
        offered=dict(display_of(name).offered),
        research=[
            ResearchPreset(title=title, options=dict(given)) for title, given in display_of(name).research.items()
        ],
    )


def _refuse_costly(asked: Mapping[str, int | str], declared: Mapping[str, Parameter]) -> None:
    """Raise GameError for a file, whose mistakes would be told to whoever asked, and for what would take long."""
    for key, value in asked.items():
        if key not in declared:
            continue  # loading says so
        option, limit = declared[key], declared[key].server_limit
        if option.names:
            raise GameError(f"{key} is a file; the server has only those it was started with: parlor serve GAME ….")
        if limit is not None and option.parse(str(value)) > limit:
            raise GameError(f"{key} must be at most {limit:,} here; more would take long.")


def _may_be_first(id: str) -> bool:
    """Whether a built-in agent may come first; one made from a file leaves that to the file's own strategy."""
    return id in AGENTS and AGENTS[id].default_opponent


def _in_python(seated: SeatedAgent) -> AgentInfo:
    """An agent of the operator's own, listed like those that come with Parlor; it may play any game."""
    lines = (inspect.getdoc(seated.player.mind) if isinstance(seated.player, PythonAgent) else "") or ""
    return AgentInfo(
        id=seated.id,
        name=seated.name,
        character=seated.name,
        kind="python",
        summary=lines.partition("\n")[0] or "written in Python by whoever runs this server",
        made="Written in Python by whoever runs this server.",
        games=[],
        settings=[],
        infosets=False,
        grid=False,
        run=None,
        trained=None,
        newest=True,
        **UNMEASURED,
    )


def _table_name(game: str) -> str:
    """The concrete game of a policy: without its abstraction."""
    match = re.fullmatch(r"(.*?(?:\([^()]*\))?)(/[\w+-]+)?", game)
    return match[1] if match else game
