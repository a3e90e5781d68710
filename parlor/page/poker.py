"""Illegal moves in poker, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlor.page.shapes import BlockedMove, LegalMove


def blocked(why: str, legal: Sequence[LegalMove]) -> list[BlockedMove]:
    """Folding to nothing, and raising where it says `why` not."""
    verbs = {move.verb for move in legal}
    found = []
    if "fold" not in verbs:
        found.append(BlockedMove(verb="fold", reason="nobody has bet"))
    if not verbs & {"bet", "raise"}:
        found.append(BlockedMove(verb="raise", reason=why))
    return found


def card_face_down(seen: Any) -> str:
    """Text for a card that goes to somebody else."""
    return "a card, face down"


def one_bet(seen: Any, legal: Sequence[LegalMove]) -> list[BlockedMove]:
    """Return the illegal moves of a game with a single bet."""
    return blocked("one bet is the most", legal)


def two_raises(seen: Any, legal: Sequence[LegalMove]) -> list[BlockedMove]:
    """Return the illegal moves of a game with two bets a round."""
    return blocked("two bets a round are the most", legal)


def all_in(seen: Any, legal: Sequence[LegalMove]) -> list[BlockedMove]:
    """Return the illegal moves of a game in which only chips limit a bet."""
    return blocked("somebody is all-in", legal)
