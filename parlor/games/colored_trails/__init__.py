"""Colored Trails: offer chips for chips, so that both of you get closer to the flag.

Two proposers and a responder stand on a board of coloured tiles; a step onto a tile costs a chip of its colour. Each
proposer offers the responder a trade, and the responder accepts one of them or neither. Grosz et al., *The influence of
social dependencies on decision-making: initial investigations with a new game* (2004); with three players in Ficici and
Pfeffer, *Modeling how humans reason about others with partial information* (2008); boards as de Jong, Hennes, Tuyls and
Gal choose them, *Metastrategies in the Colored Trails game* (2011); a benchmark of Li et al., *Combining tree-search,
generative models, and Nash bargaining concepts in game-theoretic reinforcement learning* (2023), section 5.2.
"""

from parlor.game.training import Training
from parlor.games.colored_trails.boards import PLAYERS
from parlor.games.colored_trails.networks import FEATURES, HEAD
from parlor.games.colored_trails.rules import (
    ACTIONS,
    LENGTH,
    OUTCOMES,
    STATE,
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
from parlor.games.colored_trails.words import TITLE, agreed, describe, display, move, secret, show

OPPONENT = "fair-trader"
TRAINING = Training(
    algorithm="dqn", against=("fair-trader", "random"), settings={"games": 200_000, "schedule": 200_000}
)
