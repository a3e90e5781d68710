"""Deal or No Deal: split books, hats and basketballs, not knowing what they are worth to the other.

Two players see the same pool of five to seven items, and each its own values of them. They propose splits in turn until
one agrees; without an agreement in ten turns both get nothing. Lewis, Yarats, Dauphin, Parikh and Batra, *Deal or no
deal? End-to-end learning for negotiation dialogues* (2017), without the dialogue, as in Li et al., *Combining
tree-search, generative models, and Nash bargaining concepts in game-theoretic reinforcement learning* (2023).
"""

from parlor.game.training import Training
from parlor.games.deal_or_no_deal.belief import decision, decisions, hidden, imagine, possible, rewind, set_hidden_state
from parlor.games.deal_or_no_deal.networks import FEATURES, HEAD
from parlor.games.deal_or_no_deal.options import PLAYERS
from parlor.games.deal_or_no_deal.rules import (
    ACTIONS,
    LENGTH,
    OUTCOMES,
    PAYOFFS,
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
from parlor.games.deal_or_no_deal.tables import WORLDS
from parlor.games.deal_or_no_deal.words import (
    TITLE,
    agreed,
    describe,
    describe_world,
    display,
    move,
    narrate,
    secret,
    show,
    table,
    world_numbers,
)

OPPONENT = "reader"
TRAINING = Training(algorithm="dqn", against=("random", "reader"))
