"""Play against a solved policy or any other agent, in the terminal.

Examples:
  parlor play kuhn
  parlor play leduc --seat 1 --peek
  parlor play leduc --against runs/leduc-cfr+.json --seed 3
  parlor play monopoly-deal --against careful

Answer with the number or the name of a move, or with words of it: raise 40, plum knife study, bid 120; ? lists
what there is, q quits.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Protocol

import tyro
from rich.markup import escape

from parlor.agents.registry import AGENTS, concrete_game, is_path
from parlor.agents.registry import opponent as usual_opponent
from parlor.cli.flags import GameArgument
from parlor.cli.person import LeaveGame, TerminalPerson, draw, names_for
from parlor.cli.screen import compiler_notes, err, out
from parlor.game import Game, GameError, Position
from parlor.game.loading import load
from parlor.game.loading.registry import is_python, split
from parlor.game.rng import seed_stream
from parlor.game.seats.play import Agent, play_on
from parlor.game.words import players_named
from parlor.policies.policy import Policy
from parlor.runs.files.strategy_files import read_header
from parlor.runs.files.strategy_names import strategy_name
from parlor.runs.saved_agents import load_agent
from parlor.sequence_form.enumeration import ImperfectRecall, TooLarge
from parlor.sequence_form.tree import tree
from parlor.solvers.sampling.rollout_cfr import RolloutCfr
from parlor.solvers.solve import Solve

BUDGET = 5  # seconds to compute an opponent, if none is given
ENOUGH = 1000  # training games


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of `parlor play`."""

    game: GameArgument
    """The game: a name with options, a rules file, or openspiel:…"""
    against: Annotated[str | None, tyro.conf.arg(metavar="AGENT")] = None
    """A saved policy or another agent (see `parlor agents`); if omitted, a suitable one: small games are solved."""
    seat: int | None = None
    """Your seat, from 0; if omitted, you change seats from game to game."""
    peek: bool = False
    """After each of the opponent's moves, show what it saw and the probability of each move."""
    seed: int | None = None
    """The seed of the deals; if omitted, a new one each time."""
    games: int | None = None
    """Stop after so many games."""


def run(options: Options) -> int:
    """Play until the player stops."""
    game = load(options.game)
    if options.seat is not None and not 0 <= options.seat < game.players:
        raise GameError(f"{game.name} has seats 0 to {game.players - 1}, not {options.seat}.")
    if options.games is not None and options.games < 1:
        raise GameError(f"games must be at least 1, not {options.games}.")
    opponent, name = _opponent(game, options.against)
    game = concrete_game(game) if game.concrete and options.against else game
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4), "little")
    out.print(f"[bold]{game.name}[/]: {game.words.summary}  [dim](seed {seed}; q quits)[/]")
    out.print(f"{'Your opponent' if game.players == 2 else 'Each of your opponents'} is [bold]{escape(name)}[/].")
    score, played = 0.0, 0
    try:
        while options.games is None or played < options.games:
            seat = options.seat if options.seat is not None else played % game.players
            payoffs = _one_game(game, opponent, seat, options.peek, seed, played)
            played += 1
            score += payoffs[seat]
            out.print(f"[bold]{verdict(game, payoffs, seat)}[/]; {_games(played)}, {score:+g} in all.\n")
    except (LeaveGame, EOFError, KeyboardInterrupt):
        out.print(f"\nThank you for playing. {_games(played)}, {score:+g} in all.")
    return 0


def verdict(game: Game, payoffs: Sequence[float], seat: int) -> str:
    """The result for the person in a seat: won or lost between two, else what everybody got."""
    mine = payoffs[seat]
    if game.players == 2 and game.kind == "zero-sum":
        return f"You won {mine:g}" if mine > 0 else f"You lost {-mine:g}" if mine < 0 else "Nobody won"
    others = [f"player {p} got {payoffs[p]:g}" for p in range(game.players) if p != seat]
    equals = [f"player {p}" for p in range(game.players) if p != seat and payoffs[p] == mine]
    place = "not the most"
    if mine == max(payoffs):
        place = f"tied for the most with {' and '.join(equals)}" if equals else "the most"
    return f"You got {mine:g}, {place}; {', '.join(others)}"


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


class Opponent(Agent, Protocol):
    """An agent that gives its distribution at a position."""

    def __call__(self, position: Position) -> Mapping[str, float]:
        """The probability of each move."""
        ...


def _opponent(game: Game, against: str | None) -> tuple[Opponent, str]:
    """The opponent, and what it is called."""
    if game.concrete and against is None:
        policy = _computed(game)
        return policy, f"a policy for {game.name}"
    concrete = concrete_game(game)
    text = against or usual_opponent(concrete)
    with compiler_notes(), err.status(f"waiting for {text}"):
        return load_agent(text, concrete), _name(text, against is None)


def _name(text: str, chosen: bool) -> str:
    """Return an agent's name, with its summary if it has one."""
    if is_path(text) and Path(text).is_file():
        head = read_header(Path(text))
        return strategy_name(head) or text
    spec = None if is_python(text) else AGENTS.get(split(text)[0])
    if spec is None or not spec.name:
        return text
    return f"{spec.name}, who {spec.summary}" + (" (--against chooses another)" if chosen else "")


def _computed(game: Game) -> Policy:
    """For an abstraction that is played by its own rules: a policy computed in a few seconds."""
    with compiler_notes(), err.status(f"computing a policy for {game.name} (at most {BUDGET} seconds)"):
        try:
            tree(game, limit=2_000_000)
            work = Solve(game, "cfr+", iterations=1000)
        except (TooLarge, ImperfectRecall):
            return _trained(game)
        for step in work.steps():
            if step.seconds > BUDGET:
                break
        policy, report = work.solution()
    found = report.exploitability
    known = f"exploitability {found:.2g}" if found is not None else "its strength is unknown because the game is large"
    err.print(f"[dim]the opponent was computed by {report.iterations:,} iterations of {work.algorithm}; {known}[/]")
    return policy


def _trained(game: Game) -> Policy:
    """For a large abstraction: a policy trained for `BUDGET` seconds."""
    learner = RolloutCfr(game)
    began = time.perf_counter()
    while learner.games < ENOUGH and time.perf_counter() - began < BUDGET:
        learner.run(10)
    err.print(f"[dim]the opponent was trained on {learner.games:,} games of {learner.game.name}[/]")
    return learner.policy()


def _one_game(game: Game, opponent: Opponent, seat: int, peek: bool, seed: int, index: int) -> list[float]:
    stream = [0, 0, 0, 0]
    seed_stream(stream, seed, index)
    out.rule(f"game {index + 1}, you are player {seat}", style="dim")
    agents: list[Agent] = [opponent] * game.players
    agents[seat] = TerminalPerson(opponent if peek else None)
    position = play_on(game.start(), agents, [stream] * (game.players + 1))
    with players_named(names_for(game, seat)):
        if game.words.table is not None:
            draw(game.words.table(position.view(seat)))
        for p in range(game.players if game.words.table is None else 0):
            out.print(f"[dim]the end:[/] {escape(position.show(p))}")
    return position.payoffs
