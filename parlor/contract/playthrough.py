"""A game played through in plain Python while every answer of every rule is checked.

Random games come first, every other one biased towards moves and outcomes that were seen least. Each is played again,
which must give the same, without a negative index; and once more for each player with something changed that this
player cannot see, which it must not notice. A game small enough is then walked through completely, so that every
finding about it is proven; a larger one is played at random until the time is up. What each player saw and knew
is stored as a list of `Observed`, for the clauses of `parlor.contract` about knowledge.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import dataclass

from parlor.game import CHANCE, OVER, Game, State
from parlor.game.position_checks import Broken, Look, Place, PositionChecks
from parlor.game.rng import below, choose, seed_stream

SMALL = 75_000  # histories of a game that is walked through completely
FIRST = 40  # random games, after which it is known whether a game is small
ENOUGH = 100_000  # positions, after which no further random game is begun
TRIES = 10  # to change something in a game that a player does not see
MENTIONED = 6  # events that a sentence lists
BRANCHES = 3  # other moves at a position of a random game whose visible names are checked


@dataclass(frozen=True, slots=True)
class Observed:
    """The observation of one player at a position. Long things are hashed."""

    player: int
    place: Place
    fields: int  # hash of the fields the schema lets it see
    view: int  # hash of its view
    words: int  # hash of the same as `show` and `display` put it
    key: int | None  # None: nobody is to act
    legal: tuple[int, ...] | None  # None: another player is to act
    names: tuple[str, ...] | None  # of the legal actions
    past: tuple[int, int] | None  # key and action of its last decision before this one
    events: int  # hash of the moves and outcomes that it has noticed, as far as it saw them


#: The key and action of each player's last decision.
Past = tuple[tuple[int, int] | None, ...]
#: A position on the way: the state, what the rules say about it, the key of who acts, the past, hashes of all views and
#: of all that each player has noticed.
Step = tuple[State, Look, int, Past, tuple[int, ...], tuple[int, ...]]


class Playthrough:
    """The games played so far, and what was found in them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.checks = PositionChecks(game)
        self.stopped = ""  # the clause that made it impossible to continue
        self.complete = False  # whether every history was seen
        self.games = 0
        self.sampled = 0  # of these, without the bias
        self.histories = 0.0  # sum of the numbers that each of those suggests (Knuth, 1975)
        self.positions = 0
        self.counted = 0  # positions at which the frequencies of `imagine` were counted
        self.sights: list[Observed] = []
        self.actions: Counter[int] = Counter()  # how often each was played
        self.outcomes: Counter[int] = Counter()
        self._names_seen: dict[tuple[int, int, int], tuple[str, Place]] = {}  # by player and its views before and after
        self._luck = [0, 0, 0, 0]  # the random stream for other moves than those of the random games
        seed_stream(self._luck, 0, 0)

    @property
    def estimate(self) -> float:
        """The estimated number of histories, from the random games."""
        return self.histories / max(self.sampled, 1)

    @property
    def small(self) -> bool:
        """Whether the game is small enough to be walked through."""
        return self.estimate < 1.25 * SMALL

    def run(self, games: int | None, seed: int, seconds: float = math.inf, walked: int = SMALL) -> None:
        """Play so many random games, or as many as there is time for, then all histories if there are few (`walked`).

        It stops when a rule makes it impossible to continue.
        """
        try:
            with self.checks.watched():
                self._run(games, seed, seconds, walked)
        except Broken as broken:
            self.checks.fail(broken.clause, broken.sentence)
            self.stopped = broken.clause

    def _run(self, games: int | None, seed: int, seconds: float, walked: int) -> None:
        stream = [0, 0, 0, 0]
        end = time.monotonic() + seconds
        while games is None or self.games < games:
            seed_stream(stream, seed, self.games)
            steps, moves = self._random_game(stream, self.games % 2 == 1)
            self._again(steps, moves)
            for p in range(self.game.players):
                self._unnoticed(p, steps, moves, stream)
            self.games += 1
            if self.positions > ENOUGH or time.monotonic() > end:
                break
            if games is None and self.games >= FIRST and (self.small or self.checks.failures):
                break
        if self.estimate < 1.25 * min(walked, SMALL) and not self.checks.failures:
            self._walk()

    def evidence(self) -> str:
        """The amount of play behind a verdict, in words."""
        if self.complete:
            return f"all {self.positions:,} histories"
        return f"{self.games:,} random games, {self.positions:,} positions"

    def noticed(self, observed: Observed) -> str:
        """The events that the observing player has noticed until then, in words."""
        names, state, place = [], self._begun(), observed.place
        for ply in range(place.ply):
            at = Place(place.moves, ply)
            turn, action, p = self.game.rules.turn(state), place.moves[ply], observed.player
            if not self.checks.goes_unnoticed(state, turn, action, p, at):
                own = turn == p
                name = self.game.words.describe(state, action) if own else None
                names.append(name or self.checks.visible_name(state, turn, action, p, at) or "something hidden")
            self.checks.call("play", at, state, action)
        return f"{len(names)} moves and outcomes ({', '.join(names[-MENTIONED:])})" if names else "nothing"

    # ----------------------------------------------------------------------------------------------- ways to play

    def _random_game(self, stream: list[int], searching: bool) -> tuple[list[Step], list[int]]:
        moves: list[int] = []
        steps = [self._begin()]
        width, histories = 1.0, 0.0
        while steps[-1][1].turn != OVER:
            look = steps[-1][1]
            n = len(look.options)
            i = choose(stream, look.numbers, n) if look.turn == CHANCE else below(stream, n)
            if searching and below(stream, 2):  # what was seen least
                counts = self.outcomes if look.turn == CHANCE else self.actions
                i = min(range(n), key=lambda k: (counts[look.options[k]], (k - i) % n))
            histories += width
            width *= 1.0 / look.numbers[i] if look.turn == CHANCE else n
            for _ in range(min(BRANCHES, n - 1) if self.game.abstraction.lossless else 0):
                self._branch(steps[-1], [*moves, look.options[below(self._luck, n)]])
            moves.append(look.options[i])
            steps.append(self._step(steps[-1], Place(moves, len(moves))))
        if not searching:
            self.sampled += 1
            self.histories += histories + width
        return steps, moves

    def _branch(self, step: Step, moves: list[int]) -> None:
        """Check what would be shown of another move than the one that is made."""
        place = Place(moves, len(moves))
        after = self._after(step[0], place)
        views = [self.checks.call("view", place, after, p) for p in range(self.game.players)]
        turn = self.checks.call("turn", place, after)
        self._check_visible(step, place, turn, tuple(hash(repr(view)) for view in views))

    def _again(self, steps: list[Step], moves: list[int]) -> None:
        """The same moves: every state and every answer must be the same, and no index may be negative."""
        self.checks.from_zero = bool(self.game.schema)
        state = self.checks.copy(self._begun())
        for ply, (old, look, *_) in enumerate(steps):
            place = Place(moves, ply)
            change = self.checks.difference(old, state)
            if change:
                difference = f"{change[0]} is {change[1]} {self.checks.story(place)}, but {change[2]} when played again"
                raise Broken(
                    "repeatable", f"{difference}; start and play must depend on nothing but the state and the move."
                )
            if self.checks.look(self.checks.copy(state), place) != look:
                difference = (
                    f"turn, odds, legal or payoff answers differently when asked again {self.checks.story(place)}"
                )
                raise Broken("repeatable", f"{difference}; rules must depend on nothing but the state.")
            if ply < len(moves):
                self.checks.call("play", place, state, moves[ply])
        self.checks.from_zero = False

    def _unnoticed(self, p: int, steps: list[Step], moves: list[int], stream: list[int]) -> None:
        """The same game with one hidden thing changed, played on as far as possible: player `p` must not notice."""
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
        """Visit every history, unless there are too many."""
        sampled = self.sights, self.positions, self.actions, self.outcomes
        self.sights, self.positions, self.actions, self.outcomes = [], 0, Counter(), Counter()
        stack: list[tuple[tuple[int, ...], Step]] = [((), self._begin())]
        while stack and self.positions <= SMALL:
            moves, step = stack.pop()
            for move in reversed(step[1].options):
                longer = (*moves, move)
                stack.append((longer, self._step(step, Place(longer, len(longer)))))
        self.complete = not stack
        if stack:
            self.sights, self.positions, self.actions, self.outcomes = sampled

    # ----------------------------------------------------------------------------------------------- steps

    def _begun(self) -> State:
        state = self.game.new_state()
        self.checks.call("start", Place((), 0), state)
        return state

    def _begin(self) -> Step:
        nobody = (None,) * self.game.players
        return self._visit(self._begun(), Place((), 0), nobody, (0,) * self.game.players)

    def _step(self, before: Step, place: Place) -> Step:
        """Go to `place`, which is one move further."""
        state, look, key, past, _, noticed = before
        action = place.moves[place.ply - 1]
        if look.turn >= 0:
            past = tuple((key, action) if p == look.turn else old for p, old in enumerate(past))
        (self.actions if look.turn >= 0 else self.outcomes)[action] += 1
        if self.game.abstraction.lossless:
            noticed = tuple(self._noticed(before, place, p) for p in range(self.game.players))
        step = self._visit(self._after(state, place), place, past, noticed)
        if self.game.abstraction.lossless:
            self._check_visible(before, place, step[1].turn, step[4])
        return step

    def _noticed(self, before: Step, place: Place, p: int) -> int:
        """The hash of what player `p` has noticed, with the move or outcome that leads to `place`."""
        state, look, *_, noticed = before
        action, at = place.moves[place.ply - 1], Place(place.moves, place.ply - 1)
        if self.checks.goes_unnoticed(state, look.turn, action, p, at):
            return noticed[p]
        own = look.turn == p
        name = str(action) if own else self.checks.visible_name(state, look.turn, action, p, at)
        if look.turn == CHANCE:  # what is dealt one after the other may be known in any order
            return noticed[p] + hash((CHANCE, name))
        return hash((noticed[p], look.turn, name))

    def _check_visible(self, before: Step, place: Place, turn: int, views: tuple[int, ...]) -> None:
        """Check what the players see of a move against their views before and after it."""
        state, look, *_, seen, _noticed = before
        action, at = place.moves[place.ply - 1], Place(place.moves, place.ply - 1)
        for p in range(self.game.players):
            if p == look.turn or "secrets" in self.checks.failures:
                continue
            if self.checks.goes_unnoticed(state, look.turn, action, p, at):
                self._check_unnoticed(at, place, p, turn == look.turn, seen[p] == views[p])
                continue
            name = self.checks.visible_name(state, look.turn, action, p, at)
            if name is None:
                continue
            other, where = self._names_seen.setdefault((p, seen[p], views[p]), (name, at))
            if other != name:
                what = "move" if look.turn >= 0 else "outcome"
                self.checks.fail(
                    "secrets",
                    f"player {p} sees the {what} {name!r} {self.checks.story(at)} and {other!r} "
                    f"{self.checks.story(where)}, but sees the same before and after both; secret must keep it from "
                    f"player {p}, or describe must name no more than its view shows.",
                )

    def _check_unnoticed(self, at: Place, place: Place, p: int, same_turn: bool, same_view: bool) -> None:
        """Check that what player `p` does not notice changes nothing for it."""
        if same_turn and same_view:
            return
        what = "what it sees" if same_turn else "whose turn it is"
        self.checks.fail(
            "events",
            f"unseen says that player {p} does not notice what happens {self.checks.story(at)}, but {what} is not the "
            f"same {self.checks.story(place)}; unseen may be true only of what changes neither.",
        )

    def _after(self, state: State, place: Place) -> State:
        after = self.checks.copy(state)
        self.checks.call("play", Place(place.moves, place.ply - 1), after, place.moves[place.ply - 1])
        return after

    def _seen(self, state: State, p: int, place: Place) -> list[object]:
        return self.checks.seen(self.checks.fields(state, place), p)

    def _visit(self, state: State, place: Place, past: Past, noticed: tuple[int, ...]) -> Step:
        """Call every rule at a position, and store what each player sees and knows there."""
        self.positions += 1
        checks, before = self.checks, self.checks.copy(state)
        fields = checks.fields(state, place)
        look = checks.look(state, place)
        names = checks.names(state, look, place)
        mine, views = 0, []
        for p in range(self.game.players):
            seen = hash(tuple(checks.seen(fields, p)))
            view, words = checks.view(state, p, place)
            views.append(view)
            key = checks.key(state, p, place) if look.turn >= 0 else None
            legal = look.options if p == look.turn else None
            mine = key if key is not None and legal is not None else mine
            mine_names = names if p == look.turn else None
            self.sights.append(Observed(p, place, seen, view, words, key, legal, mine_names, past[p], noticed[p]))
        checks.untouched(before, state, place)
        return before, look, mine, past, tuple(views), noticed
