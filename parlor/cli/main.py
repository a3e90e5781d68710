"""The command line: `parlor COMMAND …`.

Each command is a module with a frozen dataclass, its options, and a function `run` that takes it. The command line is
made from the dataclass. Nothing heavy is imported before a command needs it.
"""

from __future__ import annotations

import codecs
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from types import TracebackType
from typing import TextIO, cast

COMMANDS = {
    "demo": "see Parlor at work: the page with opponents that are trained, solved and measured here",
    "games": "list the games that come with Parlor",
    "solve": "compute a strategy for a game and save it",
    "train": "train an agent by self-play, with checkpoints, metrics and evaluations",
    "tune": "tune an agent's parameters by games against a growing pool of opponents",
    "psro": "grow a population of strategies by best responses to a mixture of its members",
    "evaluate": "measure a policy, exactly or in games against others",
    "compare": "let agents play each other and print the cross table",
    "empirical-game": "let every combination of agents play; mixtures, rankings and drawings of the payoffs",
    "rate": "rate all agents of a game on one scale, for the page to show",
    "agents": "list the agents that can sit at a table",
    "play": "play against a solved policy or another agent, in the terminal",
    "serve": "serve the web page and the API: play, see how agents decide, watch training runs",
    "join": "let a program sit down at a table of a server, or play in its open arena",
    "verify": "verify that the cards of a game were fixed before the first move",
    "mcp": "serve the games over the Model Context Protocol, so that an assistant can play them",
    "export": "write a game, games played on the server, a blueprint, or a trained player, to files",
    "draw": "draw the tree of a small game, for the screen or for papers",
    "backup": "copy the server's database, also while it serves, and check the copy",
    "study": "run a study with people: describe, rehearse, serve, pay, analyse",
    "figures": "draw what training runs have measured: regret, win rates, payoffs, updates, policy",
    "equity": "compute the equity of a poker hand against a hand, a range or a random hand",
    "cards": "compute the poker card tables that a server needs if nothing was trained there",
    "notepad": "keep the notepad of a game of Clue at a real table: type what happened, read what follows",
    "check": "check a game, such as your own, against the contract that all games keep",
    "check-agent": "check that a program in any language is an agent",
}

GARBAGE = 50_000  # objects between two searches for garbage

#: Replacements for terminals that cannot show these characters; a question mark for all others.
PLAIN = {
    **{"–": "-", "—": "-", "…": "...", "·": ".", "×": "x", "±": "+-", "→": "->", "✓": "+", "✗": "x", "█": "#"},
    **{"‘": "'", "’": "'", "“": '"', "”": '"', "♣": "c", "♦": "d", "♥": "h", "♠": "s", "━": "-", "╸": "-", "╺": "-"},
}

HELP = """Parlor: games of imperfect information, written once in plain Python, solved at native speed.

usage: parlor COMMAND [OPTIONS]

{commands}

Examples:
  parlor games
  parlor solve leduc --until 0.001
  parlor play kuhn --peek
  parlor check my_game.py

`parlor COMMAND --help` explains a command. Version {version}.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code.

    0 success, 1 failure, 2 wrong usage, 130 interrupted, 141 broken pipe (`parlor games | head -1`).
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:  # the program itself: what it imports stays, so that there is no garbage to look for
        gc.set_threshold(GARBAGE)
    _print_anywhere()
    try:
        code = _main(given)
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt as error:
        return _fail(" ".join(["interrupted.", *getattr(error, "__notes__", ())]), 130, "\n")
    except BrokenPipeError:
        _give_up(sys.stdout, sys.stderr)
        return 141
    except OSError as error:
        _give_up(sys.stdout)
        return _fail(_system(error), 1)


def _main(given: list[str]) -> int:
    if not given or given[0] in ("-h", "--help", "help"):
        print(usage(), end="")
        return 0 if given else 2
    if given[0] in ("--version", "-V"):
        from parlor.versions import described

        print(described())
        return 0
    name, *rest = given
    if name not in COMMANDS:
        return _unknown(name, COMMANDS)
    return run(name, rest)


def _unknown(name: str, known: Iterable[str], of: str = "") -> int:
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {of}{near[0]}?" if near else f"there are {', '.join(known)}."
    return _fail(f"there is no command {of + name!r}; {hint}", 2)


def usage() -> str:
    """The text of `parlor --help`."""
    from parlor import __version__

    return HELP.format(commands=_listed(COMMANDS), version=__version__)


def _listed(commands: Mapping[str, str]) -> str:
    width = max(map(len, commands))
    return "\n".join(f"  {name:{width}}  {summary}" for name, summary in commands.items())


def run(name: str, arguments: Sequence[str], module: str = "") -> int:
    """Parse a command's options and run it; errors meant for people are printed as one sentence.

    A module that has commands of its own, as `parlor study` does, names them in a dict COMMANDS.
    """
    with _leave_at_once():  # Ctrl-C while modules are imported: there is nothing to save
        from parlor.cli.arguments import Misused, parse
        from parlor.game import GameError
        from parlor.runs.files.container import FileError

        try:
            command = import_module(f"parlor.cli.commands.{module or _module(name)}")
        except ImportError as error:
            return _fail(_missing(name, error), 1)
    if hasattr(command, "COMMANDS"):
        return _run_one_of(command.COMMANDS, name, arguments, command.__doc__ or "")
    try:
        options_type = command.Options
        if hasattr(command, "options_for"):
            options_type, arguments = command.options_for(arguments)
        options = parse(options_type, arguments, f"parlor {name}", command.__doc__ or "")
        return 0 if options is None else int(command.run(options))
    except Misused as error:
        return _fail(str(error), 2)
    except (GameError, FileError) as error:
        return _fail(str(error), 1)
    except OSError:
        raise
    except ImportError as error:
        return _fail(_missing(name, error), 1)
    except Exception as error:
        sentence = in_rules_file(error) or _in_openspiel(error)
        if not sentence or "PARLOR_TRACEBACK" in os.environ:
            raise
        return _fail(sentence, 1)


def _missing(name: str, error: ImportError) -> str:
    """A sentence about a package that a command needs and that is not installed; our own mistakes are raised."""
    extra = "study" if name.startswith("study ") else "server" if name in ("serve", "backup", "export", "demo") else ""
    if not extra or (error.name or "parlor").startswith("parlor"):
        raise error
    return f"parlor {name} needs {error.name}: pip install 'parlor-games[{extra}]'."


#: Folders of commands that belong together.
FOLDERS = {
    "draw": "trees",
    "check": "checks",
    "check-agent": "checks",
    "cards": "poker",
    "equity": "poker",
    "backup": "server",
    "demo": "server",
    "serve": "server",
    "join": "server",
    "verify": "server",
    "mcp": "server",
}


def _module(name: str) -> str:
    """The module of a command, in parlor.cli.commands."""
    module = name.replace("-", "_")
    return f"{FOLDERS[name]}.{module}" if name in FOLDERS else module


def _run_one_of(commands: Mapping[str, tuple[str, str]], of: str, given: Sequence[str], about: str) -> int:
    """Run one of the commands of a command; a row has its module and what it does."""
    if not given or given[0] in ("-h", "--help", "help"):
        rows = _listed({name: summary for name, (_, summary) in commands.items()})
        print(f"usage: parlor {of} COMMAND [OPTIONS]\n\n{rows}\n\n{about.strip()}")
        return 0 if given else 2
    name, *rest = given
    if name not in commands:
        return _unknown(name, commands, f"{of} ")
    return run(f"{of} {name}", rest, commands[name][0])


def _fail(sentence: str, code: int, before: str = "") -> int:
    print(f"{before}parlor: {sentence}", file=sys.stderr)
    return code


def _system(error: OSError) -> str:
    """An error of the operating system, with what it is about."""
    if error.filename and isinstance(error, (FileExistsError, NotADirectoryError)):
        return f"{error.filename} cannot be written: there is a file where a folder should be."
    about = f"{error.filename}: " if error.filename else ""
    return f"{about}{error.strerror or error}."


@contextmanager
def _leave_at_once() -> Iterator[None]:
    """Within this, Ctrl-C ends the process with one line, wherever it is."""

    def leave(number: int, frame: object) -> None:
        os.write(2, b"\nparlor: interrupted.\n")
        os._exit(130)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _print_anywhere() -> None:
    """Let a terminal that cannot encode a character print a replacement."""
    codecs.register_error("parlor", lambda error: (_plain(error), getattr(error, "end", 0)))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not stream.closed:
            stream.reconfigure(errors="parlor")
    if isinstance(sys.stdin, TextIOWrapper) and not sys.stdin.closed:
        sys.stdin.reconfigure(errors="replace")


def _plain(error: UnicodeError) -> str:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(character, "?") for character in error.object[error.start : error.end])


def _give_up(*streams: TextIO | None) -> None:
    """Stop writing to streams that do not accept their output; otherwise Python would print an error."""
    for stream in streams:
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, cast("TextIO", stream).fileno())
            os.close(nowhere)


def in_rules_file(error: Exception) -> str:
    """A sentence about an error that comes from a user's rules file, plain or compiled; empty if there is none."""
    import traceback

    from parlor.game.loading import rules_files

    if not rules_files:
        return ""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in rules_files]
    place = f"{frames[-1].filename}, line {frames[-1].lineno}, in {frames[-1].name}" if frames else min(rules_files)
    notes = "".join(f" {note}" for note in getattr(error, "__notes__", []))
    return f"{place}: {type(error).__name__}: {error}. `parlor check` says more.{notes}"


def _in_openspiel(error: Exception) -> str:
    """A sentence about an error that a game of OpenSpiel has raised while it was played; empty if there is none."""
    frame: TracebackType | None = error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_globals.get("__name__") == "parlor.interop.openspiel_games":
            said = " ".join(str(error).split()).rstrip(".")
            return f"OpenSpiel cannot play this game here: {type(error).__name__}: {said}."
        frame = frame.tb_next
    return ""


if __name__ == "__main__":
    sys.exit(main())
