"""The options of Colored Trails."""

from __future__ import annotations

from parlor.game import Word, choice, file, option
from parlor.games.colored_trails.boards import MAX_CHIPS

SETS = {
    "training": Word("Training", "Boards to practise on."),
    "test": Word("Test", "Other boards: none of them is ever among those for training."),
}

CHIPS = option("chips", 3, 1, MAX_CHIPS, "the most chips that either side of a trade gives")
BOARDS = option("boards", 250, 1, 100_000, "how many boards there are", server_limit=1000)
SEED = option("seed", 1, 0, 1_000_000, "names the boards, which are drawn by rule", server_limit=9)
FILE = file("file", "a file of boards, one a line, as OpenSpiel writes them; without it, boards are drawn")
SET = choice("set", "training", tuple(SETS), "which boards", SETS)
