"""Colored Trails in words, and as things for drawings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parlor.compile import AlwaysCompiled
from parlor.game import State, View
from parlor.game.words import player, possessive
from parlor.games.colored_trails.boards import FLAG, PLAYERS, PROPOSERS, RESPONDER
from parlor.games.colored_trails.options import CHIPS
from parlor.games.colored_trails.paths import (
    CHIP_BITS,
    COLOURS,
    LEFT,
    MISSING,
    SIDE,
    STEP_BITS,
    TILE_BITS,
    best_path,
    distance,
    neighbour,
)
from parlor.games.colored_trails.rules import ACCEPT, BEFORE, GETS, GIVES, LENGTH, PASS, TRADE
from parlor.games.colored_trails.trades import split_trade

TITLE = "Colored Trails"
NAMES = ("red", "yellow", "green", "blue", "purple")
LETTERS = "RYGBP"

quick_path = AlwaysCompiled(best_path)


def describe(s: State, a: int) -> str:
    """Names of boards and moves: "RR for B" gives two red chips for a blue one."""
    if s.moves == 0:
        return f"board {a}"
    if a == PASS:
        return "pass"
    if a < TRADE:
        return f"accept {a - ACCEPT}"
    gives, gets = trade_of(a)
    return f"{letters(gives)} for {letters(gets)}"


def trade_of(a: int) -> tuple[list[int], list[int]]:
    """The chips that the proposer gives, and those that it gets."""
    change = [0] * COLOURS
    split_trade(BEFORE, CHIPS, a - TRADE, change)
    return [max(v, 0) for v in change], [max(-v, 0) for v in change]


def letters(chips: Sequence[int]) -> str:
    """Chips by the letters of their colours."""
    return "".join(letter * count for letter, count in zip(LETTERS, chips, strict=True))


def in_words(chips: Sequence[int]) -> str:
    """Two red and one blue."""
    parts = [f"{count} {name}" for name, count in zip(NAMES, chips, strict=True) if count]
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts) or "nothing"


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Moves as data: of a trade, the chips, what it brings both sides, and the paths that they could then take."""
    if s.moves == 0:
        return {"verb": "deal", "board": a, "text": f"board {a}"}
    p = s.moves - 1
    if a == PASS:
        return {"verb": "pass", "text": "accept neither offer" if p == RESPONDER else "offer nothing"}
    q = p if p != RESPONDER else a - ACCEPT
    offer = s.offers[RESPONDER][q]
    gives, gets = trade_of(a) if p != RESPONDER else (list(offer[GIVES]), list(offer[GETS]))
    mine, stock = [int(n) for n in s.chips[RESPONDER][q]], [int(n) for n in s.stock]
    there = list(s.tiles), list(s.pieces)
    after = PathWalk(*there, q, traded(mine, gives, gets)), PathWalk(*there, RESPONDER, traded(stock, gets, gives))
    said: dict[str, int | str] = {
        "gives": letters(gives),
        "gets": letters(gets),
        "proposer_gain": after[0].score - PathWalk(*there, q, mine).score,
        "responder_gain": after[1].score - PathWalk(*there, RESPONDER, stock).score,
        "proposer_path": " ".join(map(str, after[0].path)),
        "responder_path": " ".join(map(str, after[1].path)),
    }
    if p == RESPONDER:
        return {"verb": "accept", "to": q, "text": f"accept {in_words(gives)} for {in_words(gets)}"} | said
    return {"verb": "offer", "text": f"offer {in_words(gives)} for {in_words(gets)}"} | said


def traded(chips: Sequence[int], gives: Sequence[int], gets: Sequence[int]) -> list[int]:
    """Chips after a trade."""
    return [int(n - out + come) for n, out, come in zip(chips, gives, gets, strict=True)]


class PathWalk:
    """The best path of a player with some chips."""

    def __init__(self, tiles: Sequence[int], pieces: Sequence[int], p: int, chips: Sequence[int]) -> None:
        packed_tiles = sum(int(colour) << TILE_BITS * i for i, colour in enumerate(tiles))
        packed_chips = sum(int(count) << CHIP_BITS * i for i, count in enumerate(chips))
        place, flag = pieces.index(p + 1), pieces.index(FLAG + 1)
        found = int(quick_path(packed_tiles, place, flag, packed_chips))
        steps: list[int] = []
        while found:
            steps.insert(0, found & 7)
            found >>= STEP_BITS
        self.path = [place]  # the tiles, from its place on
        for step in steps:
            self.path.append(neighbour(self.path[-1], step))
        self.missing = distance(self.path[-1], flag)
        self.left = sum(chips) - len(steps)

    @property
    def score(self) -> int:
        """The score at the end of the path."""
        return LEFT * self.left - MISSING * self.missing


def agreed(s: State) -> bool:
    """Whether the responder accepted an offer."""
    return s.answer != PASS


def secret(s: State, a: int, p: int) -> bool:
    """The other proposer does not see an offer; a board is seen in the view, without the other proposer's chips."""
    return bool(s.moves == 0 or (s.moves <= PROPOSERS and p not in (s.moves - 1, RESPONDER)))


# ------------------------------------------------------------------------------------------------------------ display


def known_chips(view: View, p: int) -> list[int]:
    """The chips of a player as far as they are seen, after the trade if there was one; none if they are not."""
    chips = list(view.stock if p == RESPONDER else view.chips[p])
    if view.answer >= ACCEPT and p in (view.answer - ACCEPT, RESPONDER):
        gives, gets = view.offers[view.answer - ACCEPT]
        chips = traded(chips, gets, gives) if p == RESPONDER else traded(chips, gives, gets)
    return chips


def display(view: View) -> dict[str, list[str]]:
    """The board; of each player whose chips are seen, these, its path and its score; offers; the answer."""
    things = {"tiles": [LETTERS[colour] for colour in view.tiles], "pieces": [str(piece) for piece in view.pieces]}
    if view.moves == 0:
        return things
    for p in range(PLAYERS):
        chips = known_chips(view, p)
        if any(chips):
            walk = PathWalk(view.tiles, view.pieces, p, chips)
            things[f"chips{p}"] = list(letters(chips))
            things[f"path{p}"] = [str(place) for place in walk.path]
            things[f"score{p}"] = [str(walk.score), str(walk.left), str(walk.missing)]
    for q in range(PROPOSERS):
        gives, gets = view.offers[q]
        if any(gives):
            things[f"offer{q}"] = [letters(gives), letters(gets)]
    things["moves"] = [str(view.moves)]
    things["answer"] = [str(view.answer)] if view.moves == LENGTH else []
    return things


def show(view: View) -> str:
    """The board row by row, then chips, offers and the answer."""
    if view.moves == 0:
        return "no board yet"
    rows = []
    for first in range(0, len(view.tiles), SIDE):
        rows.append(" ".join(f"{LETTERS[view.tiles[i]]}{'.012*'[view.pieces[i]]}" for i in range(first, first + SIDE)))
    parts = [" / ".join(rows)]
    for p in range(PLAYERS):
        chips = known_chips(view, p)
        if any(chips):
            parts.append(f"{player(p, 'has')} {letters(chips)}")
    for q in range(PROPOSERS):
        gives, gets = view.offers[q]
        if any(gives):
            parts.append(f"{player(q, 'offers')} {letters(gives)} for {letters(gets)}")
    if view.moves == LENGTH:
        accepted = f"accepts {possessive(view.answer - ACCEPT)} offer" if view.answer else "accepts nothing"
        verb, _, what = accepted.partition(" ")
        parts.append(f"{player(RESPONDER, verb)} {what}")
    return "; ".join(parts)
