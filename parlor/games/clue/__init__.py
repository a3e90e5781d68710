"""Clue: who did it, with what, and where? Suggest, refute, and deduce the three cards in the file.

Without a board, every suggestion is allowed in every turn: Martin, *Monte Carlo counterfactual regret minimization
applied to Clue* (2020).
"""

from parlor.game.training import Training
from parlor.games.clue.abstraction import ABSTRACTIONS
from parlor.games.clue.belief import imagine
from parlor.games.clue.networks import FEATURES, HEAD
from parlor.games.clue.options import PLAYERS, ZERO_SUM
from parlor.games.clue.rules import ACTIONS, LENGTH, OUTCOMES, STATE, key, legal, odds, payoff, play, start, turn
from parlor.games.clue.words import TITLE, describe, display, move, narrate, secret, show

OPPONENT = "detective"
TRAINING = Training(
    algorithm="mccfr-robust",
    abstraction="plans",
    against=("stateful", "model-counting"),
    settings={
        "games": 100_000, "evaluate_every": 50_000, "evaluate_games": 300, "checkpoint_every": 50_000,
        "linear": True, "keep": 1,
    },
)  # fmt: skip
