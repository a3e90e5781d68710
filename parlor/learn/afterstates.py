"""Whether values of what a player sees after its moves are fair: moves are tried in the true state to find it out.

So they are, where what a player sees right after a move follows from what it saw before. Where a move at once shows
something hidden, its player would know that before it moves.
"""

from __future__ import annotations

from parlor.game import CHANCE, OVER, Game, GameError, State, View
from parlor.game.rng import below, choose, seed_stream

GAMES, MOVES, CODES = 10, 12, 6  # random games; moves and codes at a position, at most


def check_afterstates(game: Game) -> None:
    """Raise GameError if a move that shows something hidden is found in random games."""
    if found := revealing_move(game):
        raise GameError(
            f"In {game.name} a move can show at once what was hidden ({found}). Values of what is seen after moves "
            "would tell it before the move: choose returns=policy or returns=search, and tried=0."
        )


def revealing_move(game: Game) -> str:
    """The name of a move after which a player sees what depends on the code of what was hidden; empty if none is found.

    A game without codes has none.
    """
    if game.hidden.worlds is None:
        return ""
    rules, stream = game.rules, [0] * 4
    odds, moves = [0.0] * game.outcomes, [0] * game.actions
    codes, weights = [0] * game.hidden.worlds.count, [0.0] * game.hidden.worlds.count
    for number in range(GAMES):
        seed_stream(stream, 0, number)
        state = game.start().state.copy()
        while (who := rules.turn(state)) != OVER:
            if who == CHANCE:
                rules.play(state, choose(stream, odds, rules.odds(state, odds)))
                continue
            n, m = rules.legal(state, moves), game.hidden.worlds.possible(state, who, codes, weights)
            step = n // MOVES + 1
            for move in moves[below(stream, step) : n : step]:
                sights = [_seen_after(game, state, who, code, move) for code in codes[: m : m // CODES + 1]]
                if any(seen != sights[0] for seen in sights):
                    return game.words.describe(state, move)
            rules.play(state, moves[below(stream, n)])
    return ""


def _seen_after(game: Game, state: State, p: int, code: int, move: int) -> tuple[View, int]:
    """The view and the information set of a player after its move, in the world of a code."""
    assert game.hidden.worlds is not None
    world = state.copy()
    game.hidden.worlds.set_hidden_state(world, p, code)
    game.rules.play(world, move)
    return game.view(world, p), game.rules.key(world, p)
