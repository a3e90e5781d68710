"""The policy of a search in a small game, so that its value can be computed exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor import compile as compiler
from parlor.game import Game
from parlor.game.schema import fields_of
from parlor.policies.policy import Policy
from parlor.search.posterior import OpponentModel
from parlor.search.searches import Searches, SearchSettings
from parlor.sequence_form.tree import Tree, tree

TREES = 16  # searches at a time


def searched_policy(
    game: Game, others: OpponentModel, how: SearchSettings, seed: int = 0, compiled: bool = True
) -> Policy:
    """Return a search's policy against the others at every information set that it reaches; uniform elsewhere."""
    t = tree(game)
    searches = Searches(game, others, TREES, how, compiled=compiled)
    strategy = np.repeat(1.0 / t.counts, t.counts)
    row = np.cumsum(t.counts) - t.counts  # where an information set begins there
    reached = np.isin(t.parent, t.bounds[:-1])  # nobody has moved before
    while reached.any():
        some = np.flatnonzero(reached)
        found = searches.run(states_at(t, some, compiled), t.player[some], some + seed * t.infosets)
        played = []
        for i, move in zip(some.tolist(), found.moves.tolist(), strict=True):
            mine = slice(int(t.first[i]), int(t.first[i]) + int(t.counts[i]))
            k = t.action[mine].tolist().index(move)
            strategy[row[i] : row[i] + t.counts[i]] = 0.0
            strategy[row[i] + k] = 1.0
            played.append(mine.start + k)
        reached = np.isin(t.parent, played)
    return Policy.from_rows(game, t.keys, t.counts, strategy)


def states_at(t: Tree, infosets: Any, compiled: bool) -> Any:
    """A state at each information set: that of one of its histories."""
    rules, states = t.game.rules, compiler.states(t.game, len(infosets), compiled)
    for place, i in enumerate(infosets.tolist()):
        state: Any = t.game.new_state()
        rules.start(state)
        for move in t.trail[t.trail_begin[i] : t.trail_begin[i] + t.trail_length[i]].tolist():
            rules.play(state, move)
        if compiled:
            for name, value in fields_of(state).items():
                states[place][name] = value
        else:
            states[place] = state
    return states
