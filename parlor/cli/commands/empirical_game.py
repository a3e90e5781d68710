"""Let every combination of agents play, and analyse the empirical game: mixtures, rankings, drawings.

Each player's strategies are agents, and a cell is one of them for each player. All players have the same list, or, with
a / between them, each its own. Agents sit where their cell says; with --symmetric seats are drawn, and every deal is
played in each order. A game in which everybody chooses once needs no agents: its actions are its strategies.

With --out the game is in a file that can be opened again: more agents or more games are added to it, and nothing is
played twice. A cross table of `parlor compare --json` or `parlor rate` can be opened too, and the folder of a PSRO run.

Examples:
  parlor empirical-game leduc random look-ahead solver --out runs/leduc-game.json
  parlor empirical-game runs/leduc-game.json runs/leduc-cfr+.json      one more agent: only its cells are played
  parlor empirical-game runs/leduc-game.json --width 0.05              more games where intervals are wider than that
  parlor empirical-game runs/leduc-game.json --meta mgcce 'prd(iterations=1000)'
  parlor empirical-game runs/leduc-game.json --symmetric --rank
  parlor empirical-game runs/leduc-game.json --rank nash-average mgce --measure inequity
  parlor empirical-game runs/leduc-game.json --rank --measure nash-product --of-means
  parlor empirical-game leduc random / solver random --exact --figure heat-map.svg
  parlor empirical-game 'kuhn(players=3)' random solver --symmetric --meta mece
  parlor empirical-game 'normal-form(preset=chicken)' --meta mnce --figure chicken.svg --figure-kind polytope
  parlor empirical-game payoffs.json --meta nash quantal-response

Measures other than the payoff are those of the arena, taken game by game: what all get together (welfare), the product
of their gains, how unequal they are. With --measure the game is analysed in which that is what everybody gets; with
--of-means it is the measure of a cell's mean payoffs: their product instead of the mean product.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.markup import escape

from parlor.agents.registry import concrete_game
from parlor.arena.measures import MEASURES
from parlor.cli.empirical_tables import print_payoffs, print_rankings, print_solution
from parlor.cli.flags import File, JsonFlag, WorkersFlags
from parlor.cli.screen import Interruption, compiler_notes, err, games_bar, out, print_json
from parlor.game import GameError
from parlor.game.loading import GAMES, load, parse
from parlor.population.empirical.empirical_figures import DRAWINGS, draw_estimates
from parlor.population.empirical.empirical_game_files import from_one_shot, load_empirical_game
from parlor.population.empirical.empirical_game_writer import ENDINGS
from parlor.population.empirical.empirical_games import SimulatedGame, add_agents
from parlor.population.empirical.estimates import SAME, Estimates
from parlor.population.empirical.rankings import RANKINGS, Ranking, find_ranking, rank
from parlor.population.empirical.solutions import find_solution
from parlor.population.meta import META_SOLVERS
from parlor.runs.files.container import FIGURES, ending, writable
from parlor.runs.run import run_kind

CELL_GAMES = 1000
SLASH = "/"
PAUSE = 1.0  # seconds between two times that the file is written

__doc__ += "\nRankings, --rank [NAME …], and the meta-solvers: the payoff against their mixture:\n"
__doc__ += "\n".join(f"  {name:18}  {row.summary}" for name, row in RANKINGS.items())
__doc__ += "\n\nMeasures, --measure NAME:\n"
__doc__ += "\n".join(f"  {name:18}  {row.summary}{', negative' * row.less}" for name, row in MEASURES.items())
__doc__ += "\n\nMeta-solvers, --meta NAME …:\n"
__doc__ += "\n".join(f"  {name:18}  {row.summary}" for name, row in META_SOLVERS.items()) + "\n"


@dataclass(frozen=True, kw_only=True)
class Options(WorkersFlags, JsonFlag):
    """Options of `parlor empirical-game`."""

    game: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME|FILE")]
    """The game with its options, or the file of an empirical game."""
    agents: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="AGENT …")] = ()
    """Agents (see `parlor agents`), policy files, folders of runs, your own Python code; a / between seats' lists."""
    games: int | None = None
    """Games of every cell; if omitted, 1,000 where agents are named."""
    width: float = 0.0
    """Then play on, in each cell, until the 95 % interval of its payoffs is no wider than ± that."""
    max_games: int = 1_000_000
    """Games of a cell, at most, for --width."""
    exact: bool = False
    """Compute what can be computed: cells of agents that always answer the same, in a game that can be enumerated."""
    symmetric: bool = False
    """Seats are drawn: who plays matters, not who sits where."""
    seed: int | None = None
    """The seed of the deals; if omitted, 0, or that of the file."""
    out: File = None
    """Where it is kept, .json or .npz; a file that is opened is kept itself."""
    meta: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME …")] = ()
    """Meta-solvers, see above; settings in brackets: 'prd(iterations=1000)'."""
    rank: Annotated[tuple[str, ...] | None, tyro.conf.arg(metavar="[NAME …]")] = None
    """Rank the agents; without names by all rankings, see above."""
    measure: Annotated[str, tyro.conf.arg(metavar="NAME")] = "payoff"
    """What everybody gets in the game that is analysed, see above."""
    of_means: bool = False
    """The measure is that of the mean payoffs of a cell, not the mean over its games."""
    only: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT …")] = ()
    """Analyse the game of these agents only."""
    resamples: int | None = None
    """How often payoffs are resampled for the intervals; if omitted, 100 times, in large games 20."""
    figure: File = None
    """Draw it into a .svg, .png or .pdf file."""
    figure_kind: Annotated[str, tyro.conf.arg(metavar="KIND")] = "heat-map"
    """heat-map, replicator (2 × 2, or 3 shared strategies) or polytope (2 × 2)."""


def run(options: Options) -> int:
    """Open or begin, play what is missing, analyse and print."""
    solvers = [(text, *META_SOLVERS.read(text)) for text in options.meta]
    for name in options.rank or ():
        find_ranking(name)
    MEASURES.find(options.measure)
    if options.figure_kind not in DRAWINGS:
        raise GameError(f"There is no drawing {options.figure_kind!r}; there are {', '.join(DRAWINGS)}.")
    if options.figure:
        ending(options.figure, FIGURES)
    with compiler_notes():
        game, file = _opened(options)
        interrupted = _play(game, options, file)
    _print_failures(game)
    found: dict[str, Any] = {"game": game.name, "symmetric": game.symmetric, "seed": game.seed, "games": game.games}
    found |= {"file": str(file) if file else None, "failures": {" · ".join(c): s for c, s in game.failures.items()}}
    estimates = _analysed(game, options)
    if not options.json:
        print_payoffs(game, estimates, options.measure, file)
    found |= {"labels": estimates.labels, "measure": options.measure, "of_means": options.of_means}
    found |= {"payoffs": estimates.payoffs.tolist(), "half_widths": estimates.half_widths.tolist()}
    found |= {"mixtures": {}, "rankings": {}}
    rankings = _rankings(options, estimates)
    with err.status("resampling") if err.is_terminal and (solvers or rankings) else nullcontext():
        again = estimates.enough if options.resamples is None else options.resamples
        for text, name, settings in solvers:
            solution = find_solution(estimates, name, settings, again, game.seed)
            found["mixtures"][text] = solution.data(estimates.labels)
            if not options.json:
                print_solution(estimates, solution, text)
        ranked = {name: rank(estimates, name, again, game.seed) for name in rankings}
    found["rankings"] = {name: [_row(one) for one in some] for name, some in ranked.items()}
    if ranked and not options.json:
        print_rankings(estimates, ranked)
    if options.figure:
        draw_estimates(estimates, options.figure, options.figure_kind)
        found["figure"] = str(options.figure)
        if not options.json:
            out.print(f"[dim]drawn  [/] {escape(str(options.figure))}", soft_wrap=True)
    if options.json:
        print_json(found | {"interrupted": interrupted})
    if interrupted:
        err.print("[yellow]Interrupted: these are the games played so far.[/]")
    return 130 if interrupted else 1 if game.failures else 0


def _rankings(options: Options, estimates: Estimates) -> Sequence[str]:
    """Those that are asked for; else all that say something."""
    total = estimates.payoffs.sum(axis=0)
    equal = float(np.ptp(total)) <= SAME * max(float(np.abs(estimates.payoffs).max()), 1e-300)
    default = [name for name in RANKINGS if not (equal and name == "borda-combinations")]
    return [] if options.rank is None else options.rank or default


def _opened(options: Options) -> tuple[SimulatedGame, Path | None]:
    """The empirical game with all its agents, and the file in which it is kept, if any."""
    path, lists = Path(options.game), _lists(options.agents)
    if (path.is_file() and path.suffix in ENDINGS) or run_kind(path) == "psro":
        game = load_empirical_game(path)
        kept = options.out or (path if game.kept else None)
        if options.symmetric and not game.symmetric and lists:
            raise GameError(
                f"{path} was played in fixed seats; --symmetric takes the mean over them, without new agents."
            )
        _same(path, "seed", game.seed, options.seed)
    elif os.sep in options.game and path.suffix != ".py" and parse(options.game)[0] not in GAMES:
        raise GameError(f"There is no file or folder {path}, nor a game of that name.")
    else:
        loaded, kept = concrete_game(load(options.game)), options.out
        if not lists:
            try:
                game = from_one_shot(loaded)
            except GameError:
                named = f"parlor empirical-game {loaded.name} random solver"
                raise GameError(f"Name agents that play {loaded.name}: {named}.") from None
            if kept is not None and kept.exists():
                _same(kept, "game", load_empirical_game(kept).name, game.name)
            return game, kept
        game = SimulatedGame.of(loaded, options.seed or 0, options.symmetric)
        if kept is not None and kept.exists():  # the same command again goes on
            game = load_empirical_game(kept)
            _same(kept, "game", game.name, loaded.name)
            _same(kept, "seed", game.seed, options.seed or 0)
            _same(kept, "symmetric", game.symmetric, options.symmetric)
    if kept is not None:
        writable(kept, ENDINGS)
    add_agents(game, lists[0] if len(lists) == 1 else lists, known=True)
    return game, kept


def _same(path: Path, name: str, there: object, asked: object) -> None:
    if asked not in (None, there):
        raise GameError(f"{path} is another empirical game: its {name} is {there}, not {asked}.")


def _lists(agents: Sequence[str]) -> list[list[str]]:
    """The agents, a list for each seat if there is a / between them."""
    lists: list[list[str]] = [[]]
    for agent in agents:
        if agent == SLASH:
            lists.append([])
        else:
            lists[-1].append(agent)
    return lists if agents else []


def _play(game: SimulatedGame, options: Options, file: Path | None) -> bool:
    """Play what was asked for; whether it was interrupted. The file is written as it goes."""
    games = options.games if options.games is not None else CELL_GAMES if options.agents else 0
    if games < 0 or options.width < 0.0:
        raise GameError("games and width must not be negative.")
    if not (games or options.width or options.exact):
        if options.out:
            game.save(options.out)
        return False
    game.load_agents()  # before a file is begun
    if options.exact:
        for label, reason in game.compute().items():
            err.print(f"[yellow]{escape(label)} has to be played: {escape(reason)}[/]", soft_wrap=True)
    saved = time.perf_counter()

    def keep() -> None:
        nonlocal saved
        if file is not None and time.perf_counter() - saved > PAUSE:
            began = time.perf_counter()
            game.save(file)
            saved = time.perf_counter() + 20 * (time.perf_counter() - began)  # a large file less often

    with Interruption(lambda: None).caught() as interruption, games_bar(options.json) as show:

        def on_progress(done: int, total: int) -> bool:
            show(f"{game.name}, {game.payoffs.counts.size:,} cells", done, total)
            return not interruption.requested

        try:
            game.play(
                games,
                options.width,
                options.max_games,
                options.threads,
                options.backend or "",
                options.address,
                on_progress,
                keep,
            )
        finally:
            if file is not None:
                game.save(file)
    return interruption.requested


def _print_failures(game: SimulatedGame) -> None:
    """Print the cells that could not be played, those with the same reason together."""
    for sentence in dict.fromkeys(game.failures.values()):
        cells = [" · ".join(cell) for cell, reason in game.failures.items() if reason == sentence]
        more = f" and {len(cells) - 1} more cells" if len(cells) > 1 else ""
        err.print(f"[yellow]{escape(cells[0])}{more} could not be played: {escape(sentence)}[/]", soft_wrap=True)


def _analysed(game: SimulatedGame, options: Options) -> Estimates:
    """The part of the game that is analysed, with a remark about agents that are left out."""
    symmetric = True if options.symmetric else None
    estimates = game.estimates(options.measure, symmetric, options.only, options.of_means)
    left = dict.fromkeys(
        label
        for mine, some in zip(game.labels, estimates.labels, strict=True)
        for label in mine
        if label not in some and not options.only
    )
    if left:
        err.print(f"[yellow]Left out, without all of their games: {escape(', '.join(left))}.[/]", soft_wrap=True)
    return estimates


def _row(one: Ranking) -> dict[str, Any]:
    columns = {
        "score": one.scores, "low": one.low, "high": one.high, "place": one.places, "best_place": one.best_places,
        "worst_place": one.worst_places, "first": one.first,
    }  # fmt: skip
    agents = {one.labels[i]: {name: column[i].item() for name, column in columns.items()} for i in one.order}
    return {"player": one.player, "agents": agents}
