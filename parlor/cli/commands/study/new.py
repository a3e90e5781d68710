"""Write a study file to begin from: the study of Li et al. (2023) with people who negotiate, or a smaller one.

Examples:
  parlor study new study.toml
  parlor study new poker.toml --like leduc

The file is text: open it with any editor, change what you like, and let `parlor study check` look at it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import tyro
from rich.markup import escape

from parlor.cli.flags import StudyArgument
from parlor.cli.screen import err
from parlor.game import GameError
from parlor.runs.files.container import make_folder
from parlor.study.design.mistakes import nearest


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of `parlor study new`."""

    file: StudyArgument
    """The file to write; it must not exist."""
    like: Annotated[str, tyro.conf.arg(metavar="NAME")] = "paper"
    """Which of the studies that come with Parlor to begin from: paper or leduc."""


def run(options: Options) -> int:
    """Write the file."""
    path = options.file
    if path.suffix != ".toml":
        raise GameError(f"{path} should end in .toml.")
    examples = {Path(file.name).stem: file for file in files("parlor.study").joinpath("examples").iterdir()}
    if options.like not in examples:
        raise GameError(f"There is no study {options.like!r} to begin from; {nearest(options.like, sorted(examples))}")
    make_folder(path.parent)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(examples[options.like].read_text(encoding="utf-8"))
    except FileExistsError:
        raise GameError(f"{path} exists already; choose another name, or delete it first.") from None
    except OSError as error:
        raise GameError(f"{path} cannot be written: {error.strerror}.") from None
    err.print(f"{escape(str(path))} is written. Change it with any text editor, then: parlor study check {path}")
    return 0
