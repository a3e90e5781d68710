"""The page about studies is true: its commands exist, its file and its Python are a study, it names every key."""

import dataclasses
import re
import shlex
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from parlor.cli.arguments import parse
from parlor.cli.commands.study import COMMANDS
from parlor.study.design import description
from parlor.study.design.files import read_study

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs/study.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


TYPED = [line for block in blocks("console") for line in block.splitlines() if line.startswith("parlor study ")]


@pytest.mark.parametrize("line", TYPED)
def test_the_commands_exist(line: str) -> None:
    name, *rest = shlex.split(line)[2:]
    module, _ = COMMANDS[name]
    assert parse(import_module(f"parlor.cli.commands.{module}").Options, rest, line, "") is not None


def test_every_command_is_shown() -> None:
    assert {shlex.split(line)[2] for line in TYPED} == set(COMMANDS)


def test_the_file_is_part_of_the_example() -> None:
    [shown] = map(tomllib.loads, blocks("toml"))
    path = Path(description.__file__).parents[1] / "examples/paper.toml"
    example = tomllib.loads(path.read_text())
    condition = example["conditions"][0]
    assert shown.pop("pay").items() <= example["pay"].items()
    assert shown.pop("conditions") == [condition]
    assert shown.items() <= example.items()


def test_the_python_is_a_study(tmp_path: Path) -> None:
    [code] = blocks("python")
    (tmp_path / "study.py").write_text(code)
    assert [agent.name for agent in read_study(tmp_path / "study.py").agents] == ["speed 0.5", "speed 1", "speed 2"]


def test_every_key_is_named() -> None:
    shapes = [shape for shape in vars(description).values() if dataclasses.is_dataclass(shape)]
    keys = {field.name for shape in shapes for field in dataclasses.fields(shape)} - {"hash"}
    assert {key for key in keys if not re.search(rf"\b{key}\b", PAGE)} == set()
