"""The person at the terminal, who is told what happens and asked for moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from rich import box
from rich.markup import escape
from rich.prompt import Prompt
from rich.table import Table

from parlor.cli.screen import out
from parlor.cli.typed_moves import VERB, example, having, meant, not_found, open_parts, with_words
from parlor.game import CHANCE, Game, Position
from parlor.game.moves import Move, Range, grouped
from parlor.game.seats.visibility import goes_unnoticed, visible_move
from parlor.game.words import YOU, TextTable, players_named

MAX_LISTED = 20  # moves: more are not listed, but chosen part by part


class LeaveGame(Exception):
    """The player wants to stop."""


class Thinker(Protocol):
    """Whoever gives the probability of each move at a position."""

    def __call__(self, position: Position) -> Mapping[str, float]:
        """The probability of each move."""
        ...


def names_for(game: Game, seat: int) -> list[str]:
    """Return the players' names as the person in a seat reads them."""
    return [YOU if p == seat else f"player {p}" for p in range(game.players)]


class TerminalPerson:
    """The person at the terminal, who is asked for moves and shown those of the others."""

    name = "you"

    def __init__(self, revealed: Thinker | None) -> None:
        """`revealed` is the opponent whose probabilities are shown, if any."""
        self.revealed = revealed
        self.player = 0
        self.explained: set[tuple[str, ...]] = set()  # what there was to choose when that was explained
        self.drawn: Sequence[object] = ()  # the table that was printed last

    def sit(self, position: Position, player: int) -> TerminalPerson:
        """Take a seat."""
        self.player = player
        return self

    def act(self, position: Position, stream: list[int]) -> str:
        """Ask the person for a move."""
        with players_named(names_for(position.game, self.player)):
            return self._ask(position)

    def _ask(self, position: Position) -> str:
        moves = position.moves
        self._look(position)
        if len(moves) == 1:
            if position.game.words.narrate is None:
                out.print(f"you: [bold]{escape(moves[0].text)}[/] [dim](nothing else is possible)[/]")
            return moves[0].name
        choices = grouped(moves)
        if len(choices) <= MAX_LISTED:
            return _choose(choices, moves).name
        verbs = tuple(dict.fromkeys(move.verb for move in moves))
        if verbs not in self.explained:
            _explain(moves)
            self.explained.add(verbs)
        return _build(moves).name

    def _look(self, position: Position) -> None:
        """Show the position: as a table, if the game makes one and it is another than the last one; else in a line."""
        table = position.game.words.table and position.game.words.table(position.view(self.player))
        if not table:
            out.print(escape(position.show(self.player)), style="cyan")
            return
        if (drawn := (table.rows, table.lines)) != self.drawn:
            draw(table)
            self.drawn = drawn
        out.print(escape(first(table.asked)), style="cyan")

    def observe(self, before: Position, move: str, after: Position) -> None:
        """Tell what has happened, as far as the person may see it: in the game's own words, or the move."""
        if goes_unnoticed(before, move, self.player):
            return
        game, turn = before.game, before.turn
        others = turn not in (self.player, CHANCE)
        thoughts = self.revealed(before) if others and self.revealed is not None else {}
        with players_named(names_for(game, self.player)):
            if game.words.narrate is not None:
                for told in game.words.narrate(before.view(self.player), after.view(self.player)):
                    out.print(escape(f"{first(told)}."))
            elif others:
                known = visible_move(before, move, self.player)
                text = "a move that you do not see" if known is None else _texts(before)[known]
                out.print(f"player {turn}: [bold]{escape(text)}[/]")
            if thoughts:
                _reveal(thoughts, before)

    def end(self, position: Position) -> None:
        """Do nothing: the result is printed elsewhere."""


def first(text: str) -> str:
    """With a capital."""
    return f"{text[:1].upper()}{text[1:]}"


def draw(table: TextTable) -> None:
    """A table, with numbers to the right, and its lines."""
    drawn = Table(*map(str.upper, table.headings), box=box.ASCII2, style="dim", header_style="bold")
    for column, cells in zip(drawn.columns, zip(*table.rows, strict=True), strict=True):
        column.justify = "right" if any(cell.strip(" *").isdecimal() for cell in cells) else "left"
    for row in table.rows:
        drawn.add_row(*map(escape, row))
    out.print(drawn)
    for line in table.lines:
        out.print(escape(f"{first(line)}."))


def _texts(position: Position) -> dict[str, str]:
    """The moves as a person reads them, by name."""
    return {move.name: move.text for move in position.moves}


def _reveal(thoughts: Mapping[str, float], position: Position) -> None:
    out.print(f"  [dim]{escape(position.show(position.turn))}[/]")
    texts = _texts(position)
    least = 0.0005 if len(thoughts) > MAX_LISTED else 0.0  # of hundreds of moves, those that it thinks of
    for name, probability in thoughts.items():
        if probability < least:
            continue
        out.print(f"  [dim]{escape(texts[name]):>16} {'█' * round(30 * probability)} {probability:.3f}[/]")


# ------------------------------------------------------------------------------------------------------------- asking


def _choose(choices: Sequence[Move | Range], moves: Sequence[Move]) -> Move:
    """One of a few, all of which are listed."""
    if len(choices) == 1 and isinstance(choices[0], Range):
        return _amount(choices[0])
    shown = [one.text if isinstance(one, Move) else f"{one.moves[0].text} … {one.most}" for one in choices]
    out.print(_numbered(shown))
    while True:
        answer = _answer("your move")
        if answer.isdecimal() and 1 <= int(answer) <= len(choices):
            one = choices[int(answer) - 1]
            bets = [bet for other in choices if isinstance(other, Range) and (bet := other.at(int(answer)))]
            if isinstance(one, Range):
                answer = f"{one.verb} {_answer(f'{one.verb}, how much? [dim](from {one.least} to {one.most})[/]')}"
            elif bets:
                either = " or ".join(move.text for move in (one, *bets))
                _complain(f"{answer} may mean {either}: write out which.")
                continue
            else:
                return one
        found = meant(answer, moves)
        if found is not None:
            return found
        wrong = f"{answer} cannot be played here; what can: {', '.join(shown)}. " if answer and answer != "?" else ""
        _complain(f"{wrong}Answer with a number from 1 to {len(choices)}, a move, or q.")


def _amount(moves: Range) -> Move:
    """Ask for an amount, where the moves differ in nothing else."""
    steps = f" in steps of {moves.step}" if moves.step > 1 else ""
    which = f"{moves.least} to {moves.most}{steps}"
    while True:
        answer = _answer(f"{escape(moves.moves[-1].text)}, or less? [dim]({which})[/]")
        exact = [move for move in moves.moves if answer.lower() in (move.name, move.text.lower())]
        known = exact if not any(map(str.isdigit, answer)) else moves.moves  # a part of "no bid" is none
        found = moves.at(int(answer)) if answer.isdecimal() else meant(answer, known)
        if found is not None:
            return found
        _complain(f"{answer or 'That'} is no amount here. Answer with a number from {which}, or q.")


def _build(moves: Sequence[Move]) -> Move:
    """One of many, by words; what they leave open is asked for, one part after the other."""
    left = moves
    while True:
        part, values = next(iter(open_parts(left).items()))
        begun = len(left) < len(moves)
        if begun:
            out.print(_numbered(values) if len(values) <= MAX_LISTED else f"{values[0]} … {values[-1]}")
        answer = _answer(part if begun and part != VERB else "your move")
        if answer == "?":
            _list(moves)
            left = moves
        elif not answer:
            if begun:
                out.print("[dim]From the beginning.[/]")
            left = moves
        else:
            found = _narrowed(answer, left, part, values if begun else ()) or _narrowed(answer, moves, part, ())
            if len(found) == 1:
                return found[0]
            if not found or len(found) == len(moves):
                _complain(_wrong(answer, moves))
            left = found or left


def _narrowed(answer: str, moves: Sequence[Move], part: str, values: Sequence[str]) -> list[Move]:
    """The moves that an answer leaves: all with its words, the one it names, or those with the value of a number."""
    if answer.isdecimal() and 1 <= int(answer) <= len(values) and not any(map(str.isdecimal, values)):
        return having(moves, part, values[int(answer) - 1])
    found = with_words(answer, moves)
    named = meant(answer, moves) if len(found) != 1 else None
    return [named] if named is not None else found


def _explain(moves: Sequence[Move]) -> None:
    """Print the legal moves, a line for each verb, and how to type them."""
    for verb in dict.fromkeys(move.verb for move in moves):
        same = [move for move in moves if move.verb == verb]
        parts = open_parts(same)
        line = escape(same[0].text) if not parts else f"{verb} [dim]{', '.join(parts)}: for instance[/] {verb}"
        out.print(f"  {line}{f' {escape(example(same[-1]))}' if parts else ''}")
    out.print("  [dim]a part of it is enough, and words may be cut short; ? lists them all[/]")


def _list(moves: Sequence[Move]) -> None:
    """All values of all parts, by verb."""
    for verb in dict.fromkeys(move.verb for move in moves):
        same = [move for move in moves if move.verb == verb]
        parts = open_parts(same)
        out.print(f"  [bold]{escape(verb if parts else same[0].text)}[/]")
        for name, values in parts.items():
            out.print(f"    [dim]{name}[/] {escape(', '.join(values))}")


def _wrong(answer: str, moves: Sequence[Move]) -> str:
    """Why an answer is no move."""
    unknown = not_found(answer, moves)
    if len(with_words(answer, moves)) == len(moves):
        return f"All moves have that: {answer}. Say more; ? lists what there is."
    if unknown:
        return f"Nothing here is called {' or '.join(unknown)}; ? lists what there is."
    return f"No move has all of that: {answer}. ? lists what there is."


def _numbered(texts: Sequence[str]) -> str:
    return "  ".join(f"[bold]{i + 1}[/] {escape(text)}" for i, text in enumerate(texts))


def _complain(sentence: str) -> None:
    out.print(f"[yellow]{escape(sentence)}[/]")


def _answer(question: str) -> str:
    """The person's answer; raises `Leave` for q."""
    answer = Prompt.ask(question, console=out).strip()
    if answer.lower() in ("q", "quit", "exit"):
        raise LeaveGame
    return answer
