"""Play against a solved policy or any other agent, in the terminal.

Examples:
  parlor play kuhn
  parlor play leduc --seat 1 --peek
  parlor play leduc --against runs/leduc-cfr+.json --seed 3
  parlor play monopoly-deal --against careful

Answer with the number or the name of a move, or with what it does: raise 40; q quits.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Protocol

import tyro
from rich.markup import escape
from rich.prompt import Prompt

from parlor.agents import AGENTS, concrete_game, is_path, split
from parlor.agents import opponent as usual_opponent
from parlor.agents.python_files import is_python
from parlor.commands.screen import compiler_notes, err, out
from parlor.game import CHANCE, Game, GameError, Position
from parlor.games import load
from parlor.moves import Move, Range, grouped
from parlor.play import Agent, play_on
from parlor.policy import Policy
from parlor.rng import seed_stream
from parlor.runs.saved_agents import load_agent
from parlor.runs.strategy_files import read_header
from parlor.runs.strategy_names import strategy_name
from parlor.solvers.enumeration import ImperfectRecall, TooLarge
from parlor.solvers.rollout_cfr import RolloutCfr
from parlor.solvers.solve import Solve
from parlor.solvers.tree import tree
from parlor.visibility import visible_move
from parlor.words import YOU, players_named

MANY = 20  # moves: more are not listed
FEW = 6  # of them
FILLERS = ("to", "of", "for", "from", "the", "a")  # words that an answer may contain
BUDGET = 5  # seconds to compute an opponent, if none is given
ENOUGH = 1000  # training games


@dataclass(frozen=True)
class Options:
    """Options of `parlor play`."""

    game: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
    """The game: a name with options, a rules file, or openspiel:…"""
    against: Annotated[str | None, tyro.conf.arg(metavar="AGENT")] = None
    """A saved policy or another agent (see `parlor agents`); if omitted, a worthy one: small games are solved."""
    seat: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Your seat, from 0; if omitted, you change seats from game to game."""
    peek: bool = False
    """After each of the opponent's moves, show what it saw and the probability of each move."""
    seed: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """The seed of the deals; if omitted, a new one each time."""
    games: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Stop after so many games."""


class Leave(Exception):
    """The player wants to stop."""


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
    out.print(f"[bold]{game.name}[/]: {game.summary}  [dim](seed {seed}; q quits)[/]")
    out.print(f"Your opponent is [bold]{escape(name)}[/].")
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
    """What people call an agent, and what it is."""
    if is_path(text) and Path(text).is_file():
        head = read_header(Path(text))
        return strategy_name(head) or text
    listing = None if is_python(text) else AGENTS.get(split(text)[0])
    if listing is None or not listing.name:
        return text
    return f"{listing.name}, who {listing.summary}" + (" (--against chooses another)" if chosen else "")


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
    agents[seat] = Person(opponent if peek else None)
    position = play_on(game.start(), agents, [stream] * (game.players + 1))
    with players_named(_names(game, seat)):
        for p in range(game.players):
            out.print(f"[dim]the end:[/] {escape(position.show(p))}")
    return position.payoffs


def _names(game: Game, seat: int) -> list[str]:
    """How the person in a seat reads who everybody is."""
    return [YOU if p == seat else f"player {p}" for p in range(game.players)]


class Person:
    """The person at the terminal, who is asked for moves and shown those of the others."""

    name = "you"

    def __init__(self, revealed: Opponent | None) -> None:
        """`revealed` is the opponent whose probabilities are shown, if any."""
        self.revealed = revealed
        self.player = 0

    def sit(self, position: Position, player: int) -> Person:
        """Take a seat."""
        self.player = player
        return self

    def act(self, position: Position, stream: list[int]) -> str:
        """What the person says."""
        with players_named(_names(position.game, self.player)):
            return _ask(position, self.player)

    def observe(self, before: Position, move: str, after: Position) -> None:
        """Print another player's move, as far as the person may see it."""
        turn = before.turn
        if turn in (self.player, CHANCE):
            return
        thoughts = self.revealed(before) if self.revealed is not None else {}
        with players_named(_names(before.game, self.player)):
            known = visible_move(before, move, self.player)
            text = "a move that you do not see" if known is None else _texts(before)[known]
            out.print(f"player {turn}: [bold]{escape(text)}[/]")
            if thoughts:
                _reveal(thoughts, before)

    def end(self, position: Position) -> None:
        """Do nothing: the result is printed elsewhere."""


def _texts(position: Position) -> dict[str, str]:
    """The moves as a person reads them, by name."""
    return {move.name: move.text for move in position.moves}


def _reveal(thoughts: Mapping[str, float], position: Position) -> None:
    out.print(f"  [dim]{escape(position.show(position.turn))}[/]")
    texts = _texts(position)
    least = 0.0005 if len(thoughts) > MANY else 0.0  # of hundreds of moves, those that it thinks of
    for name, probability in thoughts.items():
        if probability < least:
            continue
        out.print(f"  [dim]{escape(texts[name]):>16} {'█' * round(30 * probability)} {probability:.3f}[/]")


def _ask(position: Position, seat: int) -> str:
    moves = position.moves
    out.print(escape(position.show(seat)), style="cyan")
    if len(moves) == 1:
        out.print(f"you: [bold]{escape(moves[0].text)}[/] [dim](nothing else is possible)[/]")
        return moves[0].name
    choices = grouped(moves)
    shown = [one.text if isinstance(one, Move) else f"{one.moves[0].text} … {one.most}" for one in choices]
    items = [f"[bold]{i + 1}[/] {escape(text)}" for i, text in enumerate(shown)]
    if len(items) > MANY:
        items[FEW:-1] = ["…"]
    out.print("  ".join(items))
    while True:
        answer = _answer("your move")
        if answer.isdecimal() and 1 <= int(answer) <= len(choices):
            one = choices[int(answer) - 1]
            bets = [bet for other in choices if isinstance(other, Range) and (bet := other.at(int(answer)))]
            if isinstance(one, Range):
                answer = f"{one.verb} {_answer(f'{one.verb}, how much? [dim](from {one.least} to {one.most})[/]')}"
            elif bets:
                either = " or ".join(move.text for move in (one, *bets))
                out.print(f"[yellow]{answer} may mean {escape(either)}: write out which.[/]")
                continue
            else:
                return one.name
        meant = _meant(answer, moves)
        if meant is not None:
            return meant.name
        wrong = f"{answer} cannot be played here; what can: {', '.join(shown)}. " if answer else ""
        out.print(f"[yellow]{escape(wrong)}Answer with a number from 1 to {len(choices)}, a move, or q.[/]")


def _answer(question: str) -> str:
    """The person's answer; raises `Leave` for q."""
    answer = Prompt.ask(question, console=out).strip()
    if answer.lower() in ("q", "quit", "exit"):
        raise Leave
    return answer


def _meant(answer: str, moves: Sequence[Move]) -> Move | None:
    """The one move that an answer means: by its name or its text, by what it does and with what, or by a part of them.

    Numbers must be whole: 4 does not match 14, and a part of a name contains none.
    """
    said = answer.lower()
    ways: list[Callable[[Move], bool]] = [
        lambda move: said in (move.name.lower(), move.text.lower()),
        lambda move: _does(move, said),
    ]
    if not any(map(str.isdigit, said)):
        for part in (str.startswith, str.endswith, str.__contains__):
            ways.append(functools.partial(_named, part, said))
    for fits in ways:
        matches = [move for move in moves if said and fits(move)]
        if len(matches) == 1:
            return matches[0]
    return None


def _does(move: Move, said: str) -> bool:
    """Whether an answer says what a move does and nothing else: "raise 40", "raises to 40", "40"."""
    terms = {move.verb.lower(), f"{move.verb.lower()}s"}
    for name, value in move.data.items():
        terms |= set(str(value).lower().split()) if name != "verb" else set()
    words = [word for word in said.split() if word not in FILLERS]
    return bool(words) and all(word in terms for word in words)


def _named(part: Callable[[str, str], bool], said: str, move: Move) -> bool:
    return part(move.name.lower(), said) or part(move.text.lower(), said)
