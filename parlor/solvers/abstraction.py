"""The cost of an abstraction: its policies, played in the concrete game."""

from __future__ import annotations

import numpy as np

from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import tree


def lift(game: Game | str, abstract: Game | str, policy: Policy) -> Policy:
    """The policy of `abstract`, an abstraction of `game`, as a policy of `game`.

    Every information set of the game plays what its image in the abstraction plays, each action as the concrete one it
    stands for; then `evaluate` computes best responses with full information.
    """
    game, abstract = as_game(game), as_game(abstract)
    if not abstract.name.startswith(f"{game.name}/"):
        raise GameError(f"{abstract.name} is not an abstraction of {game.name}, so it cannot be lifted.")
    t = tree(game)
    probabilities: list[float] = []
    concrete, coarse = [0] * game.actions, [0] * abstract.actions
    for i, player in enumerate(t.player.tolist()):
        state = game.new_state()
        game.rules.start(state)
        for move in t.history(i):
            game.rules.play(state, move)
        actions = concrete[: game.rules.legal(state, concrete)]
        meant = coarse[: abstract.rules.legal(state, coarse)]
        row = policy.row(abstract.rules.key(state, player))
        if row is None:
            row = np.full(len(meant), 1.0 / len(meant))
        if len(row) != len(meant):
            raise GameError(f"The policy is for another version of {abstract.name}: its actions differ.")
        shares = dict.fromkeys(actions, 0.0)
        for action, share in zip(meant, row.tolist(), strict=True):
            if abstract.abstraction.concrete_actions is None:
                shares[abstract.abstraction.resolve(state, action)] += share
                continue
            alike = concrete[: abstract.abstraction.concrete_actions(state, action, concrete)]
            for one in alike:
                shares[one] += share / len(alike)
        probabilities += shares.values()
    lifted = Policy.from_rows(game, t.keys, t.counts, np.array(probabilities))
    return lifted.with_about(**policy.about, abstraction=abstract.name)
