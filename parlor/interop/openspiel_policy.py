"""Policies to and from OpenSpiel's `TabularPolicy`, for games of ours that are exported and for OpenSpiel's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.game import Game, GameError
from parlor.game.loading import as_game, game_of
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Tree, tree


def policy_to_openspiel(policy: Policy, game: Game | str | None = None) -> Any:
    """The policy as an `open_spiel.python.policy.TabularPolicy` of the exported game, or of OpenSpiel's own.

    `game` is needed only if it cannot be loaded by its name.
    """
    try:
        from open_spiel.python.policy import TabularPolicy
    except ImportError:
        raise ImportError("OpenSpiel is not installed: pip install 'parlor-games[interop]'.") from None
    game = game_of(policy) if game is None else as_game(game)
    if game.name != policy.game:
        raise GameError(f"The policy for {policy.game} is not a policy for {game.name}.")
    t = tree(game)
    table = TabularPolicy(_spiel(game))
    probabilities, starts = policy.rows(t.keys, t.counts), np.cumsum(t.counts) - t.counts
    filled: set[int] = set()
    for (index, actions), start in zip(_rows(t, table), starts.tolist(), strict=True):
        row = np.zeros(table.action_probability_array.shape[1])
        row[actions] = probabilities[start : start + len(actions)]
        if index in filled and not np.allclose(table.action_probability_array[index], row, rtol=0.0, atol=1e-12):
            raise GameError(f"OpenSpiel merges information sets of {game.name} at which the policy differs.")
        table.action_probability_array[index] = row
        filled.add(index)
    return table


def policy_from_openspiel(game: Game | str, table: Any) -> Policy:
    """A policy of `game`, Parlor's own or one of OpenSpiel's, from a `TabularPolicy` of the same game there."""
    game = as_game(game)
    theirs, ours = str(table.game), str(_spiel(game))
    if theirs != ours:
        raise GameError(f"The policy is for OpenSpiel's {theirs}, but {game.name} is {ours} there.")
    t = tree(game)
    rows = [table.action_probability_array[index, actions] for index, actions in _rows(t, table)]
    made = Policy.from_rows(game, t.keys, t.counts, np.concatenate([np.zeros(0), *rows]))
    return made.with_about(imported="OpenSpiel")


def _spiel(game: Game) -> Any:
    """The `pyspiel.Game` of a game of ours, or the one behind a game of OpenSpiel's."""
    if game.native:
        from parlor.interop.openspiel import to_openspiel

        return to_openspiel(game)
    state = game.new_state()
    game.rules.start(state)
    return state.state.get_game()


def _rows(t: Tree, table: Any) -> list[tuple[int, list[int]]]:
    """For each information set: its row in a `TabularPolicy`, and its actions in the order in which we list them."""
    found = []
    for i in range(t.infosets):
        if t.game.native:
            state = table.game.new_initial_state()
            for move in t.history(i):
                state.apply_action(move)
        else:
            handle = t.game.new_state()
            t.game.rules.start(handle)
            for move in t.history(i):
                t.game.rules.play(handle, move)
            state = handle.state
        begin = int(t.first[i])
        found.append((table.state_index(state), t.action[begin : begin + int(t.counts[i])].tolist()))
    return found
