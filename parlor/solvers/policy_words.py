"""Policies in words: the text of each information set, and the names of its actions."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from parlor.game import CHANCE, OVER, Game, GameError
from parlor.game.loading import as_game
from parlor.game.rng import seed_stream
from parlor.game.seats.play import sample
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Tree, tree_if_small

Words = dict[int, tuple[str, tuple[str, ...]]]


def with_words(game: Game | str, policy: Policy, games: int = 2000) -> Policy:
    """The policy with words for its information sets: all of an enumerable game, else those met in `games` games."""
    game = as_game(game)
    t = tree_if_small(game)
    words = _met(game, policy, games) if t is None else tree_words(t)
    return replace(policy, words={key: words[key] for key in policy.keys.tolist() if key in words})


def by_name(game: Game, policy: Policy) -> Policy:
    """The policy with its actions in the game's order, by their names where they have any.

    A file that a person has edited may list them in another order. An unknown name is an error.
    """
    t = tree_if_small(game)
    if t is None or not policy.words:
        return policy
    true, probabilities = tree_words(t), policy.probabilities.copy()
    for i, key in enumerate(policy.keys.tolist()):
        if key in policy.words and key in true and policy.words[key][1] != true[key][1]:
            mine, names = policy.words[key][1], true[key][1]
            if set(mine) != set(names):
                raise GameError(f"At key {key} the policy has {', '.join(mine)}, but the game has {', '.join(names)}.")
            row = probabilities[policy.starts[i] : policy.starts[i + 1]]
            row[:] = row[[mine.index(name) for name in names]]
    return replace(policy, probabilities=probabilities, words={k: true.get(k, w) for k, w in policy.words.items()})


def tree_words(t: Tree, only: Container[int] | None = None) -> Words:
    """Words for the information sets of an enumerated game, or some of them: a history of each is replayed."""
    game = t.game
    rules, buffer = game.rules, [0] * game.actions
    words: Words = {}
    for i, (key, player) in enumerate(zip(t.keys.tolist(), t.player.tolist(), strict=True)):
        if only is not None and key not in only:
            continue
        state = game.new_state()
        rules.start(state)
        for move in t.history(i):
            rules.play(state, move)
        names = tuple(game.words.describe(state, a) for a in buffer[: rules.legal(state, buffer)])
        words[key] = (game.words.show(game.view(state, player)), names)
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
            choices = position.odds if position.turn == CHANCE else policy(position)
            position = position.after(sample(choices, stream))
    return words
