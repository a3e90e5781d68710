"""The quiz "What would it do?": a situation from a strategy's self-play, and its decision there."""

from __future__ import annotations

from parlor.game import CHANCE, OVER, Position
from parlor.game.moves import Move, summed
from parlor.game.rng import choose, seed_stream, uniform
from parlor.game.seats.visibility import visible_move
from parlor.game.words import YOU, players_named
from parlor.page.display import move_info, move_range
from parlor.page.seated_agent import SeatedAgent, reference
from parlor.server.schemas.mind import MoveChance
from parlor.server.schemas.quiz import QuizQuestion

GAMES = 20  # that are tried, until one has a decision


def question(opponent: SeatedAgent, seed: int) -> QuizQuestion:
    """A question, the same for the same seed; whoever is to move in it is called `you`."""
    agent = opponent.agent
    game, stream = agent.concrete_game, [0, 0, 0, 0]
    met: list[Position] = []
    for number in range(GAMES):
        seed_stream(stream, seed, number)
        position = game.start()
        while position.turn != OVER:
            if position.turn == CHANCE:
                odds = position.odds
            else:
                odds = agent(position)
                if len(odds) > 1:
                    met.append(position)
            names = list(odds)
            position = position.after(names[choose(stream, list(odds.values()), len(names))])
        if met:
            break
    position = met[int(uniform(stream) * len(met))]
    player = position.turn
    names = [
        YOU if p == player else f"player {p + 1}" if game.players > 2 else "the other" for p in range(game.players)
    ]
    with players_named(names):
        chances = agent(position)
        moves = [
            MoveChance(
                move=move_info(one if isinstance(one, Move) else one.moves[0]),
                range=move_range(one),
                text=one.text,
                probability=round(chance, 6),
            )
            for one, chance in summed([(move, chances.get(move.name, 0.0)) for move in position.moves])
        ]
        said = _said(position, player)
        picture = position.show(player)
    return QuizQuestion(
        agent=reference(opponent), game=game.name, player=player, picture=picture, said=said, moves=moves
    )


def _said(position: Position, player: int) -> list[str]:
    """The moves so far, as far as the player has seen them."""
    found, actual = [], position.game.start()
    for name in position.history:
        if actual.turn != CHANCE and visible_move(actual, name, player) is not None:
            who = (
                "You"
                if actual.turn == player
                else "The other"
                if actual.game.players == 2
                else f"Player {actual.turn + 1}"
            )
            found.append(f"{who}: {actual.move(actual.action(name)).text}")
        actual = actual.after(name)
    return found
