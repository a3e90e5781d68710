"""Policies in words: what each information set looks like to its player, and what its actions are called."""

from __future__ import annotations

from dataclasses import replace

from parlor.game import CHANCE, OVER, Game
from parlor.play import sample
from parlor.policy import Policy
from parlor.rng import seed_stream
from parlor.solvers.tree import Tree, tree_in_passing

Words = dict[int, tuple[str, tuple[str, ...]]]


def with_words(game: Game, policy: Policy, games: int = 2000) -> Policy:
    """The policy with words for its information sets: all of an enumerable game, else those met in `games` games."""
    t = tree_in_passing(game)
    words = _met(game, policy, games) if t is None else tree_words(t)
    return replace(policy, words={key: words[key] for key in policy.keys.tolist() if key in words})


def tree_words(t: Tree) -> Words:
    """Words for every information set of an enumerated game, by replaying the one history kept for each."""
    game = t.game
    rules, buffer = game.rules, [0] * game.actions
    words: Words = {}
    for key, player, path in zip(t.keys.tolist(), t.player.tolist(), t.path.tolist(), strict=True):
        state = game.new_state()
        rules.start(state)
        for move in path:
            if move < 0:
                break
            rules.play(state, move)
        names = tuple(game.describe(state, a) for a in buffer[: rules.legal(state, buffer)])
        words[key] = (game.show(game.view(state, player)), names)
    return words


def _met(game: Game, policy: Policy, games: int) -> Words:
    words: Words = {}
    stream = [0, 0, 0, 0]
    for index in range(games):
        seed_stream(stream, 0, index)
        position = game.start()
        while position.turn != OVER:
            if position.turn != CHANCE:
                key = position.key(position.turn)
                if key in policy and key not in words:
                    words[key] = (position.show(position.turn), tuple(position.legal))
            position = position.after(sample(position, [policy] * game.players, stream))
    return words
