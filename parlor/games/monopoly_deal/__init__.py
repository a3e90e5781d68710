"""Monopoly Deal for two: collect property sets, charge rent, and answer when you are charged.

A modified Monopoly Deal that isolates bounded one-sided responses: Wolf, *Monopoly Deal: a benchmark environment for
bounded one-sided response games* (2025). `preset=paper` plays as its reference code does, each departure from our
`standard` being an option of its own: `late_no`, `paid_to_bank`, `empty_rent`, and no `stalemate` rule.
"""

from parlor.game.training import Training
from parlor.games.monopoly_deal.abstraction import ABSTRACTIONS, DEFAULT_ABSTRACTION
from parlor.games.monopoly_deal.belief import forget, imagine
from parlor.games.monopoly_deal.cards import ACTIONS, PLAYERS, PROGRESS
from parlor.games.monopoly_deal.rules import (
    LENGTH,
    OUTCOMES,
    STATE,
    ZERO_SUM,
    deal,
    key,
    legal,
    odds,
    payoff,
    play,
    start,
    turn,
)
from parlor.games.monopoly_deal.words import describe, move, secret, show

TRAINING = Training(
    algorithm="rollout-cfr",
    abstraction="intent",
    against=("random", "risk-aware(aggressiveness=0.5,temperature=2)"),
    presets={  # exactly table 1 of Wolf (2025)
        "paper": {"games": 1000, "evaluate_games": 20, "evaluate_every": 50, "rollouts": 20, "ring": 10, "explore": 0.1,
                  "parallel": "unordered", "seed": 1},
    },
    panels={
        "Response phase": ("JustSayNo", "GiveOpponentCash", "GiveOpponentProperty", "Yield"),
        "Own turn": (),
    },
)  # fmt: skip

OPPONENT = "careful"
