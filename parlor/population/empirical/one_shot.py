"""Games in which everybody chooses once, in secret: empirical games that are known exactly."""

from __future__ import annotations

from parlor.game import CHANCE, Game
from parlor.game.loading.matrix import payoff_tensor
from parlor.population.empirical.empirical_game import EmpiricalGame


def one_shot_game(game: Game) -> EmpiricalGame:
    """Its payoffs by actions; GameError if somebody decides more than once."""
    payoffs = payoff_tensor(game)
    labels = [["–"] for _ in range(game.players)]  # of a player who never decides
    position = game.start()
    while not position.over:
        if position.turn != CHANCE:
            labels[position.turn] = list(position.legal)
        position = position.after(next(iter(position.odds)) if position.turn == CHANCE else position.legal[0])
    found = EmpiricalGame(game.name, game.players)
    for player, some in enumerate(labels):
        for label in some:
            found.add(player, label)
    found.set_exact((slice(None),) * game.players, payoffs)
    return found
