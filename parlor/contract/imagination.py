"""Checks a game's own `imagine` against the derived belief.

What it draws must look to its player exactly like the true state, and must be a state from which the game can be
played on. Where all worlds can be enumerated (`parlor.search.belief`), it must be one of them. And it must draw them as
often as chance makes them likely. The last is checked only at positions where no move of the others has ruled out a
world: elsewhere it depends on how one reads their moves, and `imagine` uses chance alone. What the others remember
(`forget`) is not compared.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from parlor.contract.playthrough import Observed, Playthrough
from parlor.game import CHANCE, OVER, Game, Position, State
from parlor.game.position_checks import Broken, Place, PositionChecks
from parlor.game.rng import below, choose, seed_stream
from parlor.search.belief import undisputed_worlds, worlds

LOOKS = 150  # positions at which it is checked
DRAWS = 3  # at each of them
LISTED = 40  # of these, positions at which the worlds are enumerated, if there are few
MAX_ENUMERATED = 300
COUNTED = 6  # positions at which frequencies are counted
MISSED = 8  # positions in a row without a count, after which no others are tried: they take long
MAX_WORLDS = 3000  # worlds there
EACH = 10  # draws for each of them, on average
MIN_DRAWS = 2000  # draws


def check_imagine(playthrough: Playthrough) -> str:
    """The first mistake in `imagine`, in a sentence; empty if nothing was found."""
    checker = _ImaginationChecker(playthrough)
    decisions = [seen for seen in playthrough.sights if seen.key is not None]
    try:
        for seen in spread(decisions, LOOKS):
            checker.looks_the_same(seen)
        for seen in spread(decisions, LISTED):
            checker.is_possible(seen)
        counted = missed = 0
        for seen in sorted(spread(decisions, 10 * COUNTED), key=lambda seen: seen.place.ply):
            could = checker.is_as_likely(seen)
            counted, missed = counted + could, 0 if could else missed + 1
            if counted == COUNTED or missed == MISSED:
                break
    except Broken as broken:
        return broken.sentence
    playthrough.counted = counted
    return ""


def spread(sights: Sequence[Observed], number: int) -> list[Observed]:
    """A sample of `number` of them, evenly spread."""
    step = max(1, len(sights) // number)
    return list(sights[::step])[:number]


class _ImaginationChecker:
    def __init__(self, playthrough: Playthrough) -> None:
        self.game: Game = playthrough.game
        self.checks = PositionChecks(self.game)
        self.stream = [0, 0, 0, 0]
        seed_stream(self.stream, 0, 0)

    def draw(self, state: State, seen: Observed) -> State:
        imagined = self.checks.copy(state)
        self.checks.call("imagine", seen.place, imagined, seen.player, self.stream)
        return imagined

    def looks_the_same(self, seen: Observed) -> None:
        """The drawn state looks the same to its player, and the game can be played on."""
        checks, game, p, place = self.checks, self.game, seen.player, seen.place
        state = checks.state(place)
        before = self._knowledge(state, seen)
        for _ in range(DRAWS):
            imagined = self.draw(state, seen)
            for (what, old), (_, new) in zip(before, self._knowledge(imagined, seen), strict=True):
                if old != new:
                    raise Broken(
                        "imagine",
                        f"imagine changes {what} for player {p} {checks.story(place)}, from {_short(old)} to "
                        f"{_short(new)}; it may change only what player {p} does not see.",
                    )
            if game.hidden.forget is not None:
                checks.call("forget", place, imagined, p)
            self._plays_on(imagined, seen)

    def _knowledge(self, state: State, seen: Observed) -> list[tuple[str, Any]]:
        """Everything that the player knows."""
        checks, p, place = self.checks, seen.player, seen.place
        look = checks.look(checks.copy(state), place)
        return [
            ("whose turn it is", look.turn),
            ("the fields that are seen", checks.seen(checks.fields(state, place), p)),
            ("the view", self.game.view(state, p)),
            ("key", checks.key(state, p, place)),
            ("legal", look.options if look.turn == p else None),
        ]

    def _plays_on(self, state: State, seen: Observed) -> None:
        """Play a random game from there, checking the rules."""
        checks, place = PositionChecks(self.game), seen.place
        try:
            ply = place.ply
            while (look := checks.look(state, Place(place.moves, place.ply))).turn != OVER:
                n = len(look.options)
                i = choose(self.stream, look.numbers, n) if look.turn == CHANCE else below(self.stream, n)
                checks.call("play", place, state, look.options[i])
                ply += 1
                if ply > self.game.length:
                    raise Broken("ending", f"the game is not over after {ply} moves and outcomes.")
        except Broken as broken:
            wrong = broken.sentence
        else:
            wrong = next(iter(checks.failures.values()), "")
        if wrong:
            raise Broken(
                "imagine",
                f"imagine makes a state for player {seen.player} {self.checks.story(place)} from which the game cannot "
                f"be played on: {wrong}",
            )

    def is_possible(self, seen: Observed) -> None:
        """The drawn state is one of the worlds, where these can be enumerated."""
        position = self._position(seen)
        possible = worlds(position, seen.player, MAX_ENUMERATED)
        if possible is None:
            return
        known = {self._compared(world.state, seen.player) for world, _ in possible}
        for _ in range(10 * DRAWS):
            imagined = self.draw(position.state, seen)
            if self._compared(imagined, seen.player) not in known:
                raise Broken(
                    "imagine",
                    f"imagine makes a state for player {seen.player} {self.checks.story(seen.place)} that cannot have "
                    f"come about by what player {seen.player} has seen: {_short(imagined)}.",
                )

    def is_as_likely(self, seen: Observed) -> bool:
        """Each world is drawn as often as chance makes it likely; returns whether that could be checked here."""
        position = self._position(seen)
        possible = undisputed_worlds(position, seen.player, MAX_WORLDS)
        if possible is None or len(possible) < 2:
            return False
        odds: dict[str, float] = defaultdict(float)
        for world, weight in possible:
            odds[self._compared(world.state, seen.player)] += weight
        draws = max(MIN_DRAWS, EACH * len(odds))
        found = Counter(self._compared(self.draw(position.state, seen), seen.player) for _ in range(draws))
        worst = max(odds, key=lambda world: abs(found[world] - draws * odds[world]) / math.sqrt(odds[world]))
        square = sum((found[world] - draws * chance) ** 2 / (draws * chance) for world, chance in odds.items())
        freedom = len(odds) - 1
        if square > freedom + 8 * math.sqrt(2 * freedom) + 16:  # chi-square, far beyond what luck does
            raise Broken(
                "imagine",
                f"imagine draws the wrong frequencies for player {seen.player} {self.checks.story(seen.place)}: "
                f"{found[worst] / draws:.3f} instead of {odds[worst]:.3f} for {worst}.",
            )
        return True

    def _position(self, seen: Observed) -> Position:
        return self.game.start().after(*seen.place.moves[: seen.place.ply])

    def _compared(self, state: State, player: int) -> str:
        """A state as text, without what the others remember."""
        if self.game.hidden.forget is not None:
            state = self.checks.copy(state)
            self.game.hidden.forget(state, player)
        return repr(state)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else text[:199] + "…"
