"""Sit down against a solved policy or any other agent, in the terminal.

Examples:
  parlor play kuhn
  parlor play leduc --seat 1 --peek
  parlor play leduc --against runs/leduc-cfr+.json --seed 3
  parlor play monopoly-deal --against careful

Answer with the number or the name of a move; q leaves the table.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

import tyro
from rich.markup import escape
from rich.prompt import Prompt

from parlor.agents import concrete_game, policy_agent
from parlor.commands.screen import compiler_notes, err, out
from parlor.game import CHANCE, Game, GameError, Position
from parlor.games import load
from parlor.move_ranges import Range, grouped, listed
from parlor.play import Agent, play_on
from parlor.rng import seed_stream
from parlor.runs.saved_agents import load_agent
from parlor.solvers.rollout_cfr import RolloutCfr
from parlor.solvers.solve import Solve
from parlor.solvers.tree import ImperfectRecall, TooLarge, tree
from parlor.visibility import visible_move

MANY = 20  # moves: more are not listed
FEW = 6  # of them
BUDGET = 5  # seconds to make an opponent, if none is given
ENOUGH = 1000  # training games


@dataclass(frozen=True)
class Options:
    """Options of `parlor play`."""

    game: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
    """The game: a name with options, a rules file, or openspiel:…"""
    against: Annotated[str | None, tyro.conf.arg(metavar="AGENT")] = None
    """A saved policy or another agent (see `parlor agents`); without it, a policy is computed, if that is quick."""
    seat: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Your seat, from 0; without it you change seats from game to game."""
    peek: bool = False
    """After each of the opponent's moves, show what it saw and how likely each move was."""
    seed: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Names the deals; without it every evening is different."""
    games: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Leave after so many games."""


class Leave(Exception):
    """The player wants to go."""


def run(options: Options) -> int:
    """Play until the player leaves."""
    game = load(options.game)
    if options.seat is not None and not 0 <= options.seat < game.players:
        raise GameError(f"{game.name} has the seats 0 to {game.players - 1}; there is no seat {options.seat}.")
    if options.games is not None and options.games < 1:
        raise GameError(f"games must be at least 1, not {options.games}.")
    against = options.against or _usual(game)
    game = concrete_game(game) if against else game
    opponent = _opponent(game, against)
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4), "little")
    out.print(f"[bold]{game.name}[/]: {game.summary}  [dim](seed {seed}; q leaves)[/]")
    score, played = 0.0, 0
    try:
        while options.games is None or played < options.games:
            seat = options.seat if options.seat is not None else played % game.players
            payoffs = _one_game(game, opponent, seat, options.peek, seed, played)
            played += 1
            score += payoffs[seat]
            out.print(f"[bold]{verdict(game, payoffs, seat)}[/]; {_games(played)}, {score:+g} in all.\n")
    except (Leave, EOFError, KeyboardInterrupt):
        out.print(f"\nThank you for playing. {_games(played)}, {score:+g} in all.")
    return 0


def verdict(game: Game, payoffs: Sequence[float], seat: int) -> str:
    """How a game ended, for the person in a seat: won or lost between two, else what everybody got."""
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


def _usual(game: Game) -> str | None:
    """Who plays a game whose abstractions are learned in minutes, not seconds: somebody who is there."""
    if not any("public_history" in row for row in concrete_game(game).abstractions.values()):
        return None
    name = game.training.against[-1]
    err.print(f"[dim]the opponent is {name}; --against names another, or what `parlor train` has made[/]")
    return name


class Opponent(Agent, Protocol):
    """An agent that can be asked for its distribution at a position."""

    def __call__(self, position: Position) -> Mapping[str, float]:
        """The probability of each move."""
        ...


def _opponent(game: Game, against: str | None) -> Opponent:
    if against is not None:
        return load_agent(against, game)
    with compiler_notes(), err.status(f"working out how to play {game.name} (at most {BUDGET} seconds)"):
        try:
            tree(game, limit=2_000_000 if game.native else 400_000)
            work = Solve(game, "cfr+", iterations=1000)
        except (TooLarge, ImperfectRecall):
            if game.abstractions or game.concrete:
                return _trained(game)
            work = Solve(game, "mccfr-outcome", iterations=1_000_000_000)
        for step in work.steps():
            if step.seconds > BUDGET:
                break
        policy, report = work.solution()
    found = report.exploitability
    known = f"exploitability {found:.2g}" if found is not None else "its strength is unknown: the game is large"
    err.print(f"[dim]the opponent was made by {report.iterations:,} iterations of {work.algorithm}; {known}[/]")
    return policy


def _trained(game: Game) -> Opponent:
    """For a large game: an agent that has trained on the game's usual abstraction for as long as there is."""
    learner = RolloutCfr(game if game.concrete else game.abstract(next(iter(game.abstractions))))
    began = time.perf_counter()
    while learner.games < ENOUGH and time.perf_counter() - began < BUDGET:
        learner.run(10)
    err.print(f"[dim]the opponent has trained in {learner.games:,} games of {learner.game.name}[/]")
    return learner.policy() if game.concrete else policy_agent(learner.policy(), game)


def _one_game(game: Game, opponent: Opponent, seat: int, peek: bool, seed: int, index: int) -> list[float]:
    stream = [0, 0, 0, 0]
    seed_stream(stream, seed, index)
    out.rule(f"game {index + 1}, you are player {seat}", style="dim")
    agents: list[Agent] = [opponent] * game.players
    agents[seat] = Person(opponent if peek else None)
    position = play_on(game.start(), agents, [stream] * (game.players + 1))
    for p in range(game.players):
        out.print(f"[dim]the end:[/] {escape(position.show(p))}")
    return position.payoffs


class Person:
    """Whoever sits at the terminal: asked for its moves, told of everybody else's."""

    name = "you"

    def __init__(self, revealed: Opponent | None) -> None:
        """With what the other thinks `revealed`, if it is to be."""
        self.revealed = revealed
        self.player = 0

    def sit(self, position: Position, player: int) -> Person:
        """Take a seat."""
        self.player = player
        return self

    def act(self, position: Position, stream: list[int]) -> str:
        """What the person says."""
        return _ask(position, self.player)

    def observe(self, before: Position, move: str, after: Position) -> None:
        """Print somebody else's move, as far as the person gets to know it."""
        turn = before.turn
        if turn in (self.player, CHANCE):
            return
        out.print(f"player {turn}: [bold]{escape(visible_move(before, move, self.player) or 'a secret move')}[/]")
        if self.revealed is not None:
            _reveal(self.revealed, before)

    def end(self, position: Position) -> None:
        """The table is shown by whoever has set it."""


def _reveal(opponent: Opponent, position: Position) -> None:
    out.print(f"  [dim]{position.show(position.turn)}[/]")
    thoughts = opponent(position)
    least = 0.0005 if len(thoughts) > MANY else 0.0  # of hundreds of moves, those that it thinks of
    for name, probability in thoughts.items():
        if probability < least:
            continue
        out.print(f"  [dim]{name:>16} {'█' * round(30 * probability)} {probability:.3f}[/]")


def _ask(position: Position, seat: int) -> str:
    names = position.legal
    out.print(position.show(seat), style="cyan")
    if len(names) == 1:
        out.print(f"you: [bold]{names[0]}[/] [dim](nothing else is possible)[/]")
        return names[0]
    kinds = grouped(names)
    shown = [f"{names[start]} … {many.most}{many.after}" if many else names[start] for start, _, many in kinds]
    items = [f"[bold]{i + 1}[/] {escape(text)}" for i, text in enumerate(shown)]
    if len(items) > MANY:
        items[FEW:-1] = ["…"]
    out.print("  ".join(items))
    while True:
        answer = _answer("your move")
        meant = _meant(answer.lower(), names)
        if answer.isdecimal() and 1 <= int(answer) <= len(kinds):
            start, _, many = kinds[int(answer) - 1]
            bets = [_numbered(other, str(int(answer))) for _, _, other in kinds if other]
            either = [names[start], *(bet for bet in bets if bet in names)]
            if not many and len(either) > 1:
                out.print(f"[yellow]{answer} may mean {escape(' or '.join(either))}: write out which.[/]")
                continue
            meant = _one_of(many) if many else names[start]
        if meant in names:
            return meant
        wrong = f"{meant or answer} cannot be played here; what can: {listed(names)}. " if meant or answer else ""
        out.print(f"[yellow]{escape(wrong)}Answer with a number from 1 to {len(kinds)}, a move's name, or q.[/]")


def _answer(question: str) -> str:
    """What the player says, unless that is goodbye."""
    answer = Prompt.ask(question, console=out).strip()
    if answer.lower() in ("q", "quit", "exit"):
        raise Leave
    return answer


def _one_of(many: Range) -> str:
    """Which of so many moves."""
    return _numbered(many, _answer(f"{escape(many.before)}[dim](from {many.least} to {many.most})[/]"))


def _numbered(many: Range, number: str) -> str:
    return f"{many.before}{number}{many.after}"


def _meant(answer: str, names: list[str]) -> str | None:
    """The one move that an answer names, in full or by as much of it as tells it from the others.

    Numbers must be whole: 4 is not meant for 14.
    """
    ways = [str.__eq__, _has_words]
    if not any(map(str.isdigit, answer)):
        ways += [str.startswith, str.endswith, str.__contains__]
    for fits in ways:
        matches = [name for name in names if answer and fits(name.lower(), answer)]
        if len(matches) == 1:
            return matches[0]
    return None


def _has_words(name: str, answer: str) -> bool:
    """Whether a name has the words of an answer in that order; who raises may say raise."""
    left = iter(_words(name))
    wanted = _words(answer)
    return bool(wanted) and all(word in left for word in wanted)


def _words(text: str) -> list[str]:
    return [word.removesuffix("s") for word in re.findall(r"-?\d[\w.]*|\w+", text)]
