"""The options of Colored Trails, and the numbers that all of its rules use."""

from __future__ import annotations

from parlor.game import Word, choice, option

PLAYERS = 3
PROPOSERS = 2
RESPONDER = 2
FEWEST, MOST = 3, 8  # chips that a player is dealt

SETS = {
    "training": Word("Training", "Boards to practise on."),
    "test": Word("Test", "Other boards: none of them is ever among those for training."),
}

CHIPS = option("chips", 3, 1, MOST, "the most chips that either side of a trade gives")
BOARDS = option("boards", 1000, 1, 100_000, "how many boards there are")
SEED = option("seed", 1, 0, 1_000_000, "names the boards, which are drawn by rule")
SET = choice("set", "training", tuple(SETS), "which boards", SETS)
