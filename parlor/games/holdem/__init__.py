"""Heads-up no-limit Texas hold'em: two cards each, five on the board, and bets of any number of chips.

Player 0 is the button, who posts the small blind. Abstractions have the moves of a betting tree: `holdem/fcpa`.
"""

from parlor.game.training import Training
from parlor.games.holdem.abstraction import ABSTRACTIONS as TREE_GAMES
from parlor.games.holdem.bets import ACTIONS
from parlor.games.holdem.options import PLAYERS
from parlor.games.holdem.rules import (
    LENGTH,
    OUTCOMES,
    STATE,
    UNITS,
    ZERO_SUM,
    deal,
    imagine,
    key,
    legal,
    odds,
    payoff,
    play,
    start,
    turn,
)
from parlor.games.holdem.showdowns import POKER
from parlor.games.holdem.translation import SEATED
from parlor.games.holdem.words import TITLE, describe, display, move, secret, show

ABSTRACTIONS = {name: {**row, "seated": SEATED[name]} for name, row in TREE_GAMES.items()}
BLIND_BETS = ("1", "1.5", "2", "2.5", "3", "4", "6", "10", "20", "all-in")  # pots
TRAINING = Training(
    algorithm="mccfr-public",
    abstraction="fcpa",
    against=("fish", "rule-based"),
    probes=tuple(f"card-blind(bet={bet})" for bet in BLIND_BETS),
)

OPPONENT = "rule-based"
