"""Leodopoly: a small Monopoly with one die, auctions and deals; and the classic game, with all of its rules.

Khan, *AI for Board Games* (University of Leeds, 2019).
"""

from parlor.games.leodopoly.networks import FEATURES, HEAD
from parlor.games.leodopoly.options import PLAYERS
from parlor.games.leodopoly.rules import ZERO_SUM, forget, imagine, key, legal, odds, play, start, turn
from parlor.games.leodopoly.state import ACTIONS, LENGTH, OUTCOMES, STATE
from parlor.games.leodopoly.story import narrate
from parlor.games.leodopoly.table import table
from parlor.games.leodopoly.turns.endings import payoff
from parlor.games.leodopoly.views import display, show
from parlor.games.leodopoly.words import TITLE, describe, move, secret

OPPONENT = "tuned"
PAYOFFS = (0.0, 1.0, 1.0)  # at most one wins
