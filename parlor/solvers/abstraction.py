"""What an abstraction costs: its policies, played in the game it was made from."""

from __future__ import annotations

import numpy as np

from parlor.game import Game, GameError
from parlor.policy import Policy
from parlor.solvers.tree import tree


def lift(game: Game, abstract: Game, policy: Policy) -> Policy:
    """The policy of `abstract`, an abstraction of `game` by keys alone, as a policy of `game`.

    Every information set of the game plays what its image in the abstraction plays; then `evaluate` tells what a best
    response that sees everything makes of it.
    """
    moves = [(rules.legal.__code__, rules.play.__code__) for rules in (game.rules, abstract.rules)]
    if not abstract.name.startswith(f"{game.name}/") or moves[0] != moves[1]:
        raise GameError(f"{abstract.name} is not an abstraction of {game.name} by keys alone, so it cannot be lifted.")
    t = tree(game)
    keys = np.zeros(t.infosets, np.int64)
    for i, player in enumerate(t.player.tolist()):
        state = game.new_state()
        game.rules.start(state)
        for move in t.history(i):
            game.rules.play(state, move)
        keys[i] = abstract.rules.key(state, player)
    lifted = Policy.from_rows(game, t.keys, t.counts, policy.rows(keys, t.counts))
    return lifted.with_about(**policy.about, abstraction=abstract.name)
