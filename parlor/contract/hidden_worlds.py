"""Checks the codes of a game for what is hidden (`parlor.game.HiddenWorlds`).

At positions of the playthrough: a code makes a state that looks to its player exactly like the true one, and is the
code of that state; the moves of players and the states before them are those of the history. Where all worlds can be
enumerated (`parlor.search.belief`), the codes stand for just these, with the same probabilities.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from parlor.contract.imagination import LISTED, LOOKS, MAX_ENUMERATED, spread
from parlor.contract.playthrough import Observed, Playthrough
from parlor.game import HiddenWorlds, State
from parlor.game.position_checks import Broken, PositionChecks
from parlor.search.belief import undisputed_worlds

TRIED = 12  # codes at a position


def check_worlds(playthrough: Playthrough) -> str:
    """The first mistake in the codes, in a sentence; empty if nothing was found."""
    worlds = playthrough.game.hidden.worlds
    assert worlds is not None
    checker = _WorldChecker(playthrough, worlds)
    sights = [seen for seen in playthrough.sights if seen.key is not None]
    try:
        for seen in spread(sights, LOOKS):
            checker.goes_back(seen)
            checker.looks_the_same(seen)
        for seen in spread(sights, LISTED):
            checker.are_all(seen)
    except Broken as broken:
        return broken.sentence
    return ""


class _WorldChecker:
    def __init__(self, playthrough: Playthrough, worlds: HiddenWorlds) -> None:
        self.game, self.worlds = playthrough.game, worlds
        self.checks = PositionChecks(self.game)

    def ask(self, function: str, seen: Observed, state: State, *arguments: Any) -> Any:
        return self.checks.call(function, seen.place, state, *arguments)

    def fail(self, what: str, seen: Observed, right: str) -> None:
        raise Broken("worlds", f"{what} {self.checks.story(seen.place)}; {right}.")

    def possible(self, state: State, seen: Observed) -> dict[int, float]:
        """The codes with their probabilities, and the true one among them."""
        count, p = self.worlds.count, seen.player
        codes, weights = [-1] * (count + 1), [0.0] * (count + 1)
        n = self.ask("possible", seen, state, p, codes, weights)
        if not 1 <= n <= count or codes[count] != -1:
            self.fail(f"possible returns {n} for player {p}", seen, f"it must be a number from 1 to WORLDS = {count}")
        found = codes[:n]
        if found != sorted(set(found)) or found[0] < 0 or found[-1] >= count or min(weights[:n]) <= 0.0:
            right = f"codes from 0 to WORLDS - 1 = {count - 1} must ascend, and have weights above 0"
            self.fail(f"possible lists {found} for player {p} with the weights {weights[:n]}", seen, right)
        if (true := self.ask("hidden", seen, state, p)) not in found:
            self.fail(f"possible leaves out {true}, the code that hidden gives for player {p},", seen, "it is possible")
        return {code: weight / sum(weights[:n]) for code, weight in zip(found, weights, strict=False)}

    def goes_back(self, seen: Observed) -> None:
        """Decisions and the states before them are those of the history."""
        moves, state = seen.place.moves[: seen.place.ply], self.checks.state(seen.place)
        before, made = self.game.start().state.copy(), []
        for move in moves:
            if self.game.rules.turn(before) >= 0:
                made.append((before.copy(), move))
            self.game.rules.play(before, move)
        if (count := self.ask("decisions", seen, state)) != len(made):
            self.fail(f"decisions returns {count}", seen, f"players have made {len(made)} moves")
        for k, (true, move) in enumerate(made):
            if (found := self.ask("decision", seen, state, k)) != move:
                self.fail(f"decision returns {found} for move {k}", seen, f"it was {move}")
            back = self.checks.copy(state)
            self.ask("rewind", seen, back, k)
            if change := self.checks.difference(back, true):
                self.fail(f"rewind to move {k} makes {change[0]} {change[1]}", seen, f"it was {change[2]} then")

    def looks_the_same(self, seen: Observed) -> None:
        """Check that a supposed world looks the same to its player, and has its code."""
        state, p = self.checks.state(seen.place), seen.player
        view, key = self.game.view(state, p), self.game.rules.key(state, p)
        codes = self.possible(state, seen)
        for code in list(codes)[:: max(1, len(codes) // TRIED)]:
            other = self.checks.copy(state)
            self.ask("set_hidden_state", seen, other, p, code)
            if self.game.view(other, p) != view or self.game.rules.key(other, p) != key:
                self.fail(f"set_hidden_state changes what player {p} sees, with the code {code},", seen, "it may not")
            if (found := self.ask("hidden", seen, other, p)) != code:
                self.fail(f"hidden returns {found} for player {p}", seen, f"{code} was supposed")
        if self.checks.difference(self._supposed(state, seen, self.ask("hidden", seen, state, p)), state):
            self.fail(
                f"set_hidden_state changes the state with its own code for player {p}", seen, "it must stay as it is"
            )

    def _supposed(self, state: State, seen: Observed, code: int) -> State:
        other = self.checks.copy(state)
        self.ask("set_hidden_state", seen, other, seen.player, code)
        return other

    def are_all(self, seen: Observed) -> None:
        """The codes stand for all worlds, each once, with the probabilities of chance; if there are few."""
        position = self.game.start().after(*seen.place.moves[: seen.place.ply])
        p, found = seen.player, undisputed_worlds(position, seen.player, MAX_ENUMERATED)
        if found is None:
            return
        chances: dict[int, float] = defaultdict(float)
        for world, chance in found:
            code = self.ask("hidden", seen, world.state, p)
            chances[code] += chance
            if change := self.checks.difference(self._supposed(position.state, seen, code), world.state):
                what = f"set_hidden_state makes {change[0]} {change[1]} for the code {code} of player {p}"
                self.fail(what, seen, f"{change[2]} has that code too: a code must say all that is hidden")
        codes = self.possible(position.state, seen)
        if codes.keys() != chances.keys():
            self.fail(f"possible lists the codes {list(codes)} for player {p}", seen, f"they are {sorted(chances)}")
        for code, chance in codes.items():
            if abs(chance - chances[code]) > 1e-9:
                what = f"possible gives the code {code} the probability {chance:.6f} for player {p}"
                self.fail(what, seen, f"by chance alone it is {chances[code]:.6f}")
