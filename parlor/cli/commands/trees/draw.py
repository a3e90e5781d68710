"""Draw the tree of a small game: as an image, or in TikZ for papers.

The file ends in .svg or .tex, whichever is wanted. The histories of an information set are joined by a dashed line;
with --policy, actions have the probabilities of a saved policy. A game of more than 2,000 histories is not drawn.

Examples:
  parlor draw kuhn
  parlor draw kuhn --policy runs/kuhn-cfr+.json --out kuhn.tex
  parlor draw my_game.efg --out my_game.svg
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.markup import escape

from parlor.agents.policy_table import in_order
from parlor.cli.flags import File, GameArgument
from parlor.cli.screen import file_name, out
from parlor.game import GameError
from parlor.game.loading import load
from parlor.interop.tree_drawings import drawing_of, svg, tikz
from parlor.policies.policy import Policy
from parlor.runs.files.container import write
from parlor.runs.saved_agents import read_policy

FORMATS = {".svg": svg, ".tex": tikz}


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of `parlor draw`."""

    game: GameArgument
    """The game."""
    policy: File = None
    """A saved policy, whose probabilities stand at the actions."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """The file, .svg or .tex; if omitted, an .svg named after the game."""


def run(options: Options) -> int:
    """Draw and write."""
    game = load(options.game)
    path = options.out or Path(f"{file_name(game.name)}.svg")
    if path.suffix not in FORMATS:
        raise GameError(f"{path} should end in {' or '.join(FORMATS)}.")
    policy: Policy | None = None
    if options.policy is not None:
        strategy = read_policy(options.policy)
        if strategy.table is None:
            raise GameError(f"{options.policy} is a {strategy.kind} that is not known at all information sets.")
        policy = in_order(game, strategy.table)
        policy.check_game(game)
    drawing = drawing_of(game, policy)
    write(path, FORMATS[path.suffix](drawing).encode())
    out.print(f"{len(drawing.tree.nodes):,} histories are drawn in {escape(str(path))}", soft_wrap=True)
    return 0
