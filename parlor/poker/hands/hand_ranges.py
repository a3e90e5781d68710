"""Ranges of hands, as players write them: `QQ+, AKs, ATs+, 76s-54s, AsKd`.

| | |
|---|---|
| `QQ`, `AKs`, `AKo`, `AK` | a pair; suited; of two suits; both |
| `QQ+` | that pair and the higher ones |
| `ATs+`, `AT+` | the lower card may be higher: ATs, AJs, AQs, AKs |
| `TT-77`, `A5s-A2s` | from one to the other, with the same higher card |
| `76s-54s` | from one to the other, with the same gap |
| `AsKd` | one hand |
| `random` | all of them |
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from parlor.game import GameError
from parlor.poker.hands.cards import RANKS, SUITS, SYMBOLS, hand
from parlor.poker.hands.isomorphism import CLASS_OF_HAND, HANDS, hand_index

Hands = npt.NDArray[np.int64]
Kind = tuple[int, int, str]  # the higher rank, the lower one, and s, o or nothing

_KIND = re.compile(rf"([{RANKS}])([{RANKS}])([so]?)", re.IGNORECASE)
_HAND = re.compile(rf"((10|[{RANKS}])[{SUITS}{SYMBOLS}]){{2}}", re.IGNORECASE)


def hands_in(text: str) -> Hands:
    """The hands of a range, by their numbers, each once and in order."""
    chosen = np.zeros(HANDS, dtype=bool)
    items = [item for item in re.split(r"[\s,;]+", re.sub(r"\s*-\s*", "-", text.strip())) if item]
    if not items:
        raise GameError("A range is written like QQ+,AKs,76s-54s; this one is empty.")
    for item in items:
        if item.lower() in ("random", "any"):
            chosen[:] = True
        elif _HAND.fullmatch(item):
            chosen[hand_index(*hand(item))] = True
        else:
            for kind in _kinds(item):
                chosen[np.isin(CLASS_OF_HAND, list(_classes(kind)))] = True
    return np.flatnonzero(chosen)


def _classes(kind: Kind) -> Iterable[int]:
    """The classes of hands of a kind, which is one or two."""
    high, low, suited = kind
    if suited != "o":
        yield 13 * high + low
    if suited != "s":
        yield 13 * low + high


def _kinds(item: str) -> Iterable[Kind]:
    """The kinds that one item of a range names."""
    if "-" in item:
        first, _, last = item.partition("-")
        return _between(_kind(first, item), _kind(last, item), item)
    high, low, suited = kind = _kind(item.removesuffix("+"), item)
    if not item.endswith("+"):
        return [kind]
    if high == low:
        return [(rank, rank, "") for rank in range(high, 13)]
    return [(high, rank, suited) for rank in range(low, high)]


def _between(a: Kind, b: Kind, item: str) -> Iterable[Kind]:
    """From one kind to another, either way round: along the lower card, or along both."""
    (high_a, low_a, suited), (high_b, low_b, also) = sorted((a, b))
    both = high_a - low_a == high_b - low_b
    if suited != also or not (both or (high_a == high_b and low_a < high_a)):
        raise GameError(
            f"{item!r} is not a range: write one along pairs (TT-77), one card (A5s-A2s) or both (76s-54s)."
        )
    if both:
        return [(high_a + up, low_a + up, suited) for up in range(high_b - high_a + 1)]
    return [(high_a, low, suited) for low in range(low_a, low_b + 1)]


def _kind(text: str, item: str) -> Kind:
    match = _KIND.fullmatch(text)
    if match is None:
        raise GameError(f"{item!r} is not part of a range; write it like QQ+, AKs, ATs+, 76s-54s or AsKd.")
    low, high = sorted((RANKS.index(match[1].upper()), RANKS.index(match[2].upper())))
    if low == high and match[3]:
        raise GameError(f"{item!r}: a pair is never suited; write {text[:2]}.")
    return high, low, match[3].lower()
