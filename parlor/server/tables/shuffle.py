"""Verifiable shuffles: a commitment before anybody moves, and the secret that all draws came from after the game.

A commitment is the SHA-256 of the secret. Whoever has both sees that the secret was not changed meanwhile, and can draw
again whatever chance has drawn: `drawn(secret, ply, odds)` of `pending.py` gives each outcome. In a match of the arena
each deal has a secret of its own, made from that of the match and the deal's number.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from parlor.game import CHANCE, Game
from parlor.server.tables.pending import Source, drawn


class Draws(NamedTuple):
    """The draws of chance in some games: their number, and those that are not what the secret gives, in words."""

    drawn: int
    wrong: list[str]


def commitment(secret: str) -> str:
    """The commitment to a secret, which tells nothing of it."""
    return hashlib.sha256(f"parlor shuffle 1 {secret}".encode()).hexdigest()


def deal_secret(secret: str, deal: int) -> str:
    """The secret of a deal of a match, 128 bits in hexadecimal digits."""
    return hmac.digest(bytes.fromhex(secret), f"deal {deal}".encode(), "sha256")[:16].hex()


def agents_secret(secret: str, alone: int) -> str:
    """The source of agents' moves in a game of a deal in which the first agent of the match sits in this seat.

    It differs from line-up to line-up, so that a move that was seen once says nothing of the same decision again.
    """
    return hmac.digest(bytes.fromhex(secret), f"agents {alone}".encode(), "sha256")[:16].hex()


def draw_again(game: Game, moves: Sequence[str], source: Source, since: int = 0) -> Draws:
    """Compare the draws of a game with what they must be; those before the ply `since` were made at another table."""
    position, count, wrong = game.start(), 0, []
    for ply, move in enumerate(moves):
        if position.turn == CHANCE and ply >= since:
            count += 1
            expected = drawn(source, ply, position.odds)
            if expected != move:
                wrong.append(f"at ply {ply} {move!r} was drawn where the secret gives {expected!r}")
        position = position.after(move)
    return Draws(count, wrong)


def draw_match_again(game: Game, secret: str, games: Iterable[tuple[int, Sequence[str]]]) -> Draws:
    """The same for the games of a match, each with the number of its deal."""
    count, wrong = 0, list[str]()
    for number, (deal, moves) in enumerate(games, 1):
        found = draw_again(game, moves, deal_secret(secret, deal))
        count += found.drawn
        wrong += [f"in game {number} {sentence}" for sentence in found.wrong]
    return Draws(count, wrong)
