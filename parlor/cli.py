"""The command line: `parlor COMMAND …`.

Each command is a module with a frozen dataclass, its options, and a function `run` that takes it. The command line is
made from the dataclass. Nothing heavy is imported before a command needs it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

COMMANDS = {
    "games": "list the games that come with Parlor",
    "solve": "compute a strategy for a game and save it",
    "train": "train an agent by self-play, with checkpoints, metrics and evaluations",
    "evaluate": "measure a policy: exactly, or in games against others",
    "compare": "let agents play each other and print the cross table",
    "agents": "list the agents that can sit at a table",
    "play": "sit down against a solved policy, in the terminal",
    "serve": "serve the page and the API: play, look into minds, watch runs train",
    "export": "write games played at the server, or a blueprint, as files for others",
    "figures": "draw what training runs have measured: regret, win rates, payoffs, updates, policy",
    "equity": "count how much of the pot a poker hand deserves, against a hand, a range or any hand",
    "cards": "compute the card tables of poker that a server needs, on a machine where nothing was trained",
    "check": "hold a game, yours for instance, to the contract every game must keep",
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
    """Run a command; returns the exit code: 0 done, 1 could not be done, 2 wrong usage, 130 interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] in ("-h", "--help", "help"):
        print(usage(), end="")
        return 0 if given else 2
    if given[0] in ("--version", "-V"):
        from parlor import __version__

        print(f"parlor {__version__}")
        return 0
    name, *rest = given
    if name not in COMMANDS:
        near = get_close_matches(name, COMMANDS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(COMMANDS)}."
        print(f"parlor: there is no command {name!r}; {hint}", file=sys.stderr)
        return 2
    return run(name, rest)


def usage() -> str:
    """The text of `parlor --help`."""
    from parlor import __version__

    width = max(map(len, COMMANDS))
    return HELP.format(
        commands="\n".join(f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items()), version=__version__
    )


def run(name: str, arguments: Sequence[str]) -> int:
    """Parse a command's options and run it; errors meant for people are printed as the sentences they are."""
    import tyro

    from parlor.game import GameError

    command = import_module(f"parlor.commands.{name}")
    try:
        wanted = command.Options
        if hasattr(command, "options_for"):
            wanted, arguments = command.options_for(arguments)
    except GameError as error:
        print(f"parlor: {error}", file=sys.stderr)
        return 1
    options = tyro.cli(
        wanted,
        args=list(arguments),
        prog=f"parlor {name}",
        description=command.__doc__,
        config=(tyro.conf.FlagCreatePairsOff,),
    )
    from parlor.runs.policy_files import FileError

    try:
        return int(command.run(options))
    except (GameError, FileError) as error:
        print(f"parlor: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nparlor: interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        print(f"parlor: {error.strerror or error}.", file=sys.stderr)
        return 1
    except Exception as error:
        sentence = in_rules_file(error)
        if not sentence or "PARLOR_TRACEBACK" in os.environ:
            raise
        print(f"parlor: {sentence}", file=sys.stderr)
        return 1


def in_rules_file(error: Exception) -> str:
    """A sentence about an error that comes from a user's rules file, plain or compiled; empty if there is none."""
    import traceback

    from parlor.games import rules_files

    if not rules_files:
        return ""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in rules_files]
    place = f"{frames[-1].filename}, line {frames[-1].lineno}, in {frames[-1].name}" if frames else min(rules_files)
    notes = "".join(f" {note}" for note in getattr(error, "__notes__", []))
    return f"{place}: {type(error).__name__}: {error}. `parlor check` tells more.{notes}"


if __name__ == "__main__":
    sys.exit(main())
