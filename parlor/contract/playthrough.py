"""A rehearsal: a game played through in plain Python while a witness watches every answer of every rule.

Random games come first. Each is played again, which must give the same; and once more for each player with something
changed that this player cannot see, which it must not notice. A game small enough is then walked through completely, so
that whatever is found out about it is proven. What each player saw and knew where is kept as a list of `Sight`s, for
the clauses of `parlor.contract` about knowledge.
"""

from __future__ import annotations

from dataclasses import dataclass

from parlor.contract.position_checks import Broken, Look, Place, PositionChecks
from parlor.game import CHANCE, OVER, Game, State
from parlor.rng import below, choose, seed_stream

SMALL = 20_000  # histories of a game that is walked through completely
ENOUGH = 50_000  # positions, after which no further random game is begun
TRIES = 10  # to change something in a game that a player does not see


@dataclass(frozen=True, slots=True)
class Observed:
    """What one player had before it at a position. Long things are hashed."""

    player: int
    place: Place
    fields: int  # hash of the fields the schema lets it see
    view: int  # hash of its view
    key: int | None  # None: nobody is to act
    legal: tuple[int, ...] | None  # None: another one is to act
    past: tuple[int, int] | None  # key and action of its last decision before this one


#: The key and action of each player's last decision.
Past = tuple[tuple[int, int] | None, ...]
#: A position on the way: the state, what the rules say about it, the key of who acts, and the past.
Step = tuple[State, Look, int, Past]


class Playthrough:
    """The games played so far, and what came to light in them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.checks = PositionChecks(game)
        self.stopped = ""  # the clause that made it impossible to go on
        self.complete = False  # whether every history was seen
        self.games = 0
        self.histories = 0.0  # as many as each random game suggests (Knuth, 1975), in sum
        self.positions = 0
        self.sights: list[Observed] = []

    def run(self, games: int, seed: int) -> None:
        """Play random games, then all there are if these are few; stop when a rule makes it impossible to go on."""
        stream = [0, 0, 0, 0]
        try:
            for index in range(games):
                seed_stream(stream, seed, index)
                steps, moves = self._random_game(stream)
                self._again(steps, moves)
                for p in range(self.game.players):
                    self._unnoticed(p, steps, moves, stream)
                self.games += 1
                if self.positions > ENOUGH:
                    break
            if self.histories / max(self.games, 1) < 1.25 * SMALL and not self.checks.failures:
                self._walk()
        except Broken as broken:
            self.checks.fail(broken.clause, broken.sentence)
            self.stopped = broken.clause

    def evidence(self) -> str:
        """How much was seen, in words."""
        if self.complete:
            return f"all {self.positions:,} histories"
        return f"{self.games:,} random games, {self.positions:,} positions"

    # ----------------------------------------------------------------------------------------------- ways to play

    def _random_game(self, stream: list[int]) -> tuple[list[Step], list[int]]:
        moves: list[int] = []
        steps = [self._begin()]
        width = 1.0
        while steps[-1][1].turn != OVER:
            self.histories += width
            look = steps[-1][1]
            n = len(look.options)
            i = choose(stream, look.numbers, n) if look.turn == CHANCE else below(stream, n)
            width *= 1.0 / look.numbers[i] if look.turn == CHANCE else n
            moves.append(look.options[i])
            steps.append(self._step(steps[-1], Place(moves, len(moves))))
        self.histories += width
        return steps, moves

    def _again(self, steps: list[Step], moves: list[int]) -> None:
        """The same moves: every state and every answer must be the same."""
        state = self._laid()
        for ply, (old, look, *_) in enumerate(steps):
            place = Place(moves, ply)
            change = self.checks.difference(old, state)
            if change:
                told = f"{change[0]} is {change[1]} {self.checks.story(place)}, but {change[2]} when played again"
                raise Broken("repeatable", f"{told}; start and play must depend on nothing but the state and the move.")
            if self.checks.look(self.checks.copy(state), place) != look:
                told = f"turn, odds, legal or payoff answers differently when asked again {self.checks.story(place)}"
                raise Broken("repeatable", f"{told}; rules must depend on nothing but the state.")
            if ply < len(moves):
                self.checks.call("play", place, state, moves[ply])

    def _unnoticed(self, p: int, steps: list[Step], moves: list[int], stream: list[int]) -> None:
        """The same game with one thing changed that player `p` does not see, as far as it can be played on."""
        for _ in range(TRIES if moves and self.game.schema else 0):
            at = below(stream, len(moves))
            state, look, *_past = steps[at]
            others = [a for a in look.options if a != moves[at]]
            if look.turn == p or not others:
                continue
            changed = [*moves[:at], others[below(stream, len(others))], *moves[at + 1 :]]
            place = Place(changed, at + 1)
            if self._seen(self._after(state, place), p, place) != self._seen(steps[at + 1][0], p, place):
                continue
            step = self._step(steps[at], place)
            for ply in range(at + 1, len(moves)):
                if changed[ply] not in step[1].options:
                    changed[ply] = moves[at]  # as when the cards of two players are exchanged
                if changed[ply] not in step[1].options:
                    break
                step = self._step(step, Place(changed, ply + 1))
            return

    def _walk(self) -> None:
        """Every history, unless there turn out to be too many."""
        sampled = self.sights, self.positions
        self.sights, self.positions = [], 0
        stack: list[tuple[tuple[int, ...], Step]] = [((), self._begin())]
        while stack and self.positions <= SMALL:
            moves, step = stack.pop()
            for move in reversed(step[1].options):
                longer = (*moves, move)
                stack.append((longer, self._step(step, Place(longer, len(longer)))))
        self.complete = not stack
        if stack:
            self.sights, self.positions = sampled

    # ----------------------------------------------------------------------------------------------- steps

    def _laid(self) -> State:
        state = self.game.new_state()
        self.checks.call("start", Place((), 0), state)
        return state

    def _begin(self) -> Step:
        return self._visit(self._laid(), Place((), 0), (None,) * self.game.players)

    def _step(self, before: Step, place: Place) -> Step:
        """On to `place`, which is one move further."""
        state, look, key, past = before
        if look.turn >= 0:
            decision = key, place.moves[place.ply - 1]
            past = tuple(decision if p == look.turn else old for p, old in enumerate(past))
        return self._visit(self._after(state, place), place, past)

    def _after(self, state: State, place: Place) -> State:
        after = self.checks.copy(state)
        self.checks.call("play", Place(place.moves, place.ply - 1), after, place.moves[place.ply - 1])
        return after

    def _seen(self, state: State, p: int, place: Place) -> list[object]:
        return self.checks.seen(self.checks.fields(state, place), p)

    def _visit(self, state: State, place: Place, past: Past) -> Step:
        """Ask every rule about a position, and note what each player sees and knows there."""
        self.positions += 1
        checks, before = self.checks, self.checks.copy(state)
        fields = checks.fields(state, place)
        look = checks.look(state, place)
        checks.names(state, look, place)
        mine = 0
        for p in range(self.game.players):
            seen = hash(repr(checks.seen(fields, p)))
            view = hash(repr(checks.view(state, p, place)))
            key = checks.key(state, p, place) if look.turn >= 0 else None
            legal = look.options if p == look.turn else None
            mine = key if key is not None and legal is not None else mine
            self.sights.append(Observed(p, place, seen, view, key, legal, past[p]))
        checks.untouched(before, state, place)
        return before, look, mine, past
