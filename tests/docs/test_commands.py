"""Every command in the README, the docs, the Makefile and the help is one: it is run until its work begins."""

import re
import shlex
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from parlor.cli import main as cli
from parlor.cli.arguments import Misused, parse
from parlor.cli.commands import study
from parlor.runs.run import Run
from parlor.solvers.solve import Solve

pytestmark = pytest.mark.slow(seconds=9)

ROOT = Path(__file__).parents[2]
PLACEHOLDERS = {"GAME": "kuhn", "AGENT": "random", "FOLDER": "folder", "FILE": "file"}  # those are parsed only
MADE_ON_A_PAGE = {"coin", "my-coin", "lefty", "restarted-cfr+", "--variant"}  # about extending, whose tests run them
PARSED = {
    "study",
    "cards",
    "notepad",
    "export",
    "backup",
    "play",
    "demo",
    "check-agent",
    "join",
    "verify",
}  # they need people, files, servers or minutes
#: What the others do that takes long: module -> names.
WORK = {
    "parlor.cli.commands.compare": ("play_tournament",),
    "parlor.cli.commands.evaluate": ("play_match", "local_best_response"),
    "parlor.cli.best_responses": ("best_response",),
    "parlor.cli.commands.rate": ("play_match",),
    "parlor.cli.commands.checks.check": ("check",),
    "parlor.cli.commands.server.serve": ("serve",),
    "parlor.population.empirical.empirical_games": ("SimulatedGame.play", "SimulatedGame.compute"),
    "parlor.poker.hands.buckets": ("_clustered",),
    "parlor.poker.public_tree": ("_walk_into_cache",),
    "parlor.sequence_form.tree": ("walk",),
}


def pages() -> Iterator[str]:
    """The texts in which commands stand."""
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        yield page.read_text()
    for module in (ROOT / "parlor/cli/commands").rglob("*.py"):
        yield module.read_text().split('"""')[1]


def commands() -> Iterator[str]:
    """All commands: lines of blocks, and what stands in the text."""
    for text in pages():
        text = text.replace("\\\n", " ")
        blocks = "".join(re.findall(r"^```.*\n(.*?)^```", text, re.M | re.S))
        lines = re.findall(r"^(?:\$ )?(?:[A-Z_]+=\S+ )?(parlor [a-z].*)$", blocks, re.M)
        lines += re.findall(r"^(?:  |    )(?:[A-Z_]+=\S+ )?(parlor [a-z].*)$", text, re.M)
        found = [re.split(r" {2,}|\s#|[|>&<;]", line)[0] for line in lines]
        found += re.findall(r"`(parlor [a-z][^`]*)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
        for words in map(str.split, found):
            if words[1] != "game":  # a version of a format, which names who wrote it
                yield " ".join(words)


FOUND = sorted(set(commands()))


class Reached(BaseException):
    """The work of a command would begin."""


def reached(*arguments: object, **named: object) -> None:
    raise Reached


def parsed(arguments: list[str]) -> bool:
    """Parse a command; false if something is left out, as in a sentence that tells one of its flags."""
    name, *rest = arguments
    assert name in cli.COMMANDS
    module = cli._module(name)
    if name == "study" and rest:
        assert rest[0] in study.COMMANDS
        module, rest = study.COMMANDS[rest[0]][0], rest[1:]
    if not rest:
        return False
    command = import_module(f"parlor.cli.commands.{module}")
    options_type = command.Options
    if hasattr(command, "options_for"):
        options_type, rest = command.options_for(rest)
    try:
        parse(options_type, rest, "parlor", "")
    except Misused as error:
        if not re.search("is missing|needs a value", str(error)):
            raise
        return False
    return True


@pytest.mark.parametrize("line", FOUND)
def test_a_command_works(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = set(line.replace("…", "FILE").split())
    if MADE_ON_A_PAGE & words:
        return
    arguments = [PLACEHOLDERS.get(word, word) for word in shlex.split(line)[1:] if word != "…"]
    whole = parsed(arguments) and not (len(arguments) == 2 and arguments[1].startswith("-"))
    if not whole or arguments[0] in PARSED or "--help" in arguments or PLACEHOLDERS.keys() & words:
        return
    monkeypatch.setattr(Run, "run", reached)
    monkeypatch.setattr(Solve, "steps", reached)
    for module, names in WORK.items():
        for name in names:
            monkeypatch.setattr(f"{module}.{name}", reached)
    began = time.process_time()
    try:
        code = cli.main(arguments)
    except Reached:
        return
    assert time.process_time() - began < 60, "it does all of its work here: name what does it in WORK"
    said = capsys.readouterr().err
    missing = re.search(r"There is no (file|folder|program|run|\w+ run)|No such file", said)
    assert code == 0 or missing, said


def test_they_are_found() -> None:
    assert len(FOUND) > 150
    assert {line.split()[1] for line in FOUND} >= set(cli.COMMANDS)
