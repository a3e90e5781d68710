"""The review of a finished game: what a seat could expect at every decision, and where it gave most away.

Everybody is assumed to play on as one agent would, the reference agent. Values are those with the knowledge of the seat
at that time: means over the worlds that it thought possible, in which the others' moves so far count as the reference
agent would have made them. Where these worlds and all that may follow can be enumerated, values are exact. Elsewhere
games are played on, for all moves of a decision with the same luck. The best move in a first sample is only a
suspicion: its worth is measured in games of its own, and a decision whose interval includes zero is no mistake.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from parlor.agents.agent import CompiledAgent
from parlor.arena.statistics import Z, wilson
from parlor.game import CHANCE, Game, GameError, Position
from parlor.game.moves import Move
from parlor.game.rng import choose, draw, seed_stream
from parlor.game.seats.python_agent import PythonAgent
from parlor.game.words import players_named
from parlor.page.display import move_info
from parlor.page.seated_agent import SeatedAgent, reference
from parlor.search.belief import NoWorld, World, believe, worlds
from parlor.search.tracking import track
from parlor.server.explain.expected_value import MAX_WORLDS, TooMany, enumerated, played_on
from parlor.server.explain.sentences import Scale, difference, in_digits, scale_of, told, unit_of
from parlor.server.schemas.review import CostlyDecision, Review, ReviewPoint

BUDGET = 6.0  # seconds of work on one game
SLOWER = 3.0  # times as long it may take by the clock, on a busy machine
MAX_GAMES = 800  # for one decision, each time it is looked at: enough for any purpose
FIRST = 0.6  # of it to look at all decisions, the rest to look again at the suspicious ones
WORLDS = 200  # that are carried along, where they cannot be enumerated
IMAGINED = 48  # where they cannot be carried along
MOVES = 12  # of a decision that are tried
BATCH = 4  # games at a time
SUSPICIOUS = 6  # decisions that are looked at again
MIN_GAMES = 30  # before a mistake is called one
MIN_COST = 0.01  # in payoff: less is nothing
SHOWN = 3


def is_reference_agent(seated: SeatedAgent) -> bool:
    """Whether games can be played on with this agent: it is compiled and does not look ahead at every step."""
    player = seated.player
    return not (isinstance(player, PythonAgent) or player.thinks_long)


@dataclass
class ReviewSample:
    """Numbers, and their mean with its standard error."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, x: float) -> None:
        """One more."""
        self.count += 1
        self.total += x
        self.squares += x * x

    @property
    def mean(self) -> float:
        """Their mean."""
        return self.total / max(self.count, 1)

    @property
    def error(self) -> float:
        """Its standard error; infinite for fewer than two."""
        if self.count < 2:
            return math.inf
        return math.sqrt(max(self.squares - self.count * self.mean**2, 0.0) / (self.count - 1) / self.count)


@dataclass
class Spot:
    """A decision in the game, by anybody: `arms` are the moves that are tried; None is the reference agent's choice."""

    ply: int
    position: Position
    arms: list[int | None]
    weights: list[float]  # how likely the reference agent makes each
    worlds: Sequence[World] = ()
    exact: list[float] | None = None  # the value of each arm, where it could be enumerated
    value: ReviewSample = field(default_factory=ReviewSample)
    samples: list[ReviewSample] = field(default_factory=list)  # of each arm
    better: int = -1  # the arm that seems better than the first, which was chosen
    gain: ReviewSample = field(default_factory=ReviewSample)  # of it over the first, in games of their own
    stream: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    @property
    def own(self) -> bool:
        """Whether the seat decided."""
        return self.arms[0] is not None

    def mixed(self, values: Sequence[float]) -> float:
        """The mean of what the arms are worth, as the reference agent mixes them."""
        total = sum(self.weights)
        return sum(w * x for w, x in zip(self.weights, values, strict=True)) / total if total > 0.0 else max(values)

    def means(self) -> list[float]:
        """The value of each arm, as far as it is known."""
        return self.exact if self.exact is not None else [sample.mean for sample in self.samples]


class Reviewing:
    """One review, being worked on in a thread; `shown` is what is known so far."""

    def __init__(
        self,
        game: Game,
        moves: Sequence[str],
        seat: int,
        reference_agent: SeatedAgent,
        names: Sequence[str],
        guest: bool = False,
    ) -> None:
        """A game from a seat, by a reference agent; a `guest` is one that did not sit at the table."""
        self.game = game
        self.moves = moves
        self.seat = seat
        self.reference_agent = reference_agent
        self.guest = guest
        self.agent: CompiledAgent = reference_agent.agent
        self.names = names
        self.scale: Scale = scale_of(game)
        self.spots: list[Spot] = []
        self.end: Position = game.start()
        self.playouts = 0
        self.stopped = False
        self._began = self._clock = 0.0
        self.shown = self._snapshot(False)

    # ----------------------------------------------------------------------------------------------- work

    def work(self) -> None:
        """Everything, within the budget; `shown` grows meanwhile."""
        self._began, self._clock = time.thread_time(), time.monotonic()
        try:
            with players_named(self.names):
                self._find_spots()
                self._enumerate()
                sampled = [spot for spot in self.spots if spot.exact is None and self._believe(spot)]
                self._sample(sampled)
                self._look_again([spot for spot in sampled if spot.own])
        finally:
            self.shown = self._snapshot(True)

    @property
    def spent(self) -> float:
        """The share of the budget."""
        clock = (time.monotonic() - self._clock) / SLOWER
        return max(time.thread_time() - self._began, clock) / BUDGET

    def _find_spots(self) -> None:
        position = self.game.start()
        for ply, name in enumerate(self.moves):
            if position.turn != CHANCE:
                self.spots.append(self._spot(ply, position, name))
            position = position.after(name)
        self.end = position

    def _spot(self, ply: int, position: Position, name: str) -> Spot:
        arms: list[int | None] = [None]
        weights = [1.0]
        if position.turn == self.seat:
            chosen = position.action(name)
            chances: dict[int, float] = {chosen: 0.0}
            for action, chance in self.agent.action_probabilities(position):
                made = self.agent.game.abstraction.resolve(position.state, action)
                chances[made] = chances.get(made, 0.0) + chance
            others = sorted((a for a in chances if a != chosen), key=lambda a: -chances[a])[: MOVES - 1]
            arms, weights = [chosen, *others], [chances[a] for a in (chosen, *others)]
        return Spot(ply, position, arms, weights, samples=[ReviewSample() for _ in arms])

    def _enumerate(self) -> None:
        """Exact values from the end backwards, until too much may follow."""
        for spot in self.spots:
            listed = worlds(spot.position, self.seat, MAX_WORLDS, self.agent)
            if listed is None or self.spent > FIRST:
                break  # then there are too many later on too
            spot.worlds = listed
        for spot in reversed([spot for spot in self.spots if spot.worlds]):
            nodes = [0]
            try:
                spot.exact = [
                    math.fsum(
                        weight * enumerated(self.agent, _after(world, arm), self.seat, nodes)
                        for world, weight in spot.worlds
                    )
                    for arm in spot.arms
                ]
            except TooMany:
                break
            self.shown = self._snapshot(False)

    def _believe(self, spot: Spot) -> bool:
        """Whether worlds are known in which a decision can be played on from."""
        if spot.worlds:
            return True
        tracked = self._tracked[spot.ply]
        try:
            spot.worlds = (
                tracked or believe(spot.position, self.seat, IMAGINED, few=0, own=not self.agent.uses_history).worlds
            )
        except NoWorld:
            return False
        return self.spent < FIRST

    @property
    def _tracked(self) -> list[list[World] | None]:
        if not hasattr(self, "_tracks"):
            stream = [0, 0, 0, 0]
            seed_stream(stream, 2, len(self.moves))
            try:
                self._tracks = track(self.end, self.seat, WORLDS, self.agent, stream)
            except GameError:
                self._tracks = [None] * (len(self.moves) + 1)
        return self._tracks

    def _sample(self, spots: Sequence[Spot]) -> None:
        """Play on from all decisions, a few games at a time."""
        for spot in spots:
            seed_stream(spot.stream, 1, spot.position.key(self.seat))  # by what is known, not by what is hidden
        while (spots := [s for s in spots if s.value.count < MAX_GAMES]) and self.spent < FIRST and not self.stopped:
            for spot in spots:
                for _ in range(BATCH):
                    row = self._play_on(spot, spot.arms)
                    for sample, x in zip(spot.samples, row, strict=True):
                        sample.add(x)
                    spot.value.add(spot.mixed(row))
                if self.stopped or self.spent > 1.0:
                    return
            self.shown = self._snapshot(False)

    def _look_again(self, spots: Sequence[Spot]) -> None:
        """Measure what the better move would have gained, where one seems much better."""
        for spot in spots:
            means = spot.means()
            spot.better = max(range(len(means)), key=lambda arm: means[arm])
        suspects = [spot for spot in spots if spot.better > 0 and spot.value.count]
        suspects = sorted(suspects, key=lambda spot: -(spot.means()[spot.better] - spot.means()[0]))[:SUSPICIOUS]
        while (suspects := [s for s in suspects if s.gain.count < MAX_GAMES]) and self.spent < 1.0 and not self.stopped:
            for spot in suspects:
                for _ in range(BATCH):
                    made, better = self._play_on(spot, [spot.arms[0], spot.arms[spot.better]])
                    spot.gain.add(better - made)
            suspects = [spot for spot in suspects if spot.gain.count < MAX_GAMES]
            self.shown = self._snapshot(False)

    def _play_on(self, spot: Spot, arms: Sequence[int | None]) -> list[float]:
        """One game for each arm, in the same world with the same luck: what the seat got."""
        weights = [weight for _, weight in spot.worlds]
        world, _ = spot.worlds[choose(spot.stream, weights, len(weights))]
        seed, luck, row = draw(spot.stream), [0, 0, 0, 0], []
        for arm in arms:
            seed_stream(luck, seed, 0)
            row.append(played_on(self.agent, _after(world, arm).state.copy(), self.seat, luck))
        self.playouts += len(arms)
        return row

    # ----------------------------------------------------------------------------------------------- what came of it

    def _snapshot(self, done: bool) -> Review:
        costly = sorted(filter(None, map(self._costly, self.spots)), key=lambda one: -one.cost)[:SHOWN]
        return Review(
            seat=self.seat,
            done=done,
            progress=1.0 if done else min(1.0, self.spent if self._clock else 0.0),
            scale=self.scale,
            unit=unit_of(self.game),
            reference_agent=reference(self.reference_agent),
            basis=self._basis(),
            decisions=sum(spot.own and (spot.exact is not None or spot.value.count > 0) for spot in self.spots),
            playouts=self.playouts,
            points=self._points(),
            costliest=costly,
        )

    def _points(self) -> list[ReviewPoint]:
        points = [point for spot in self.spots if (point := self._point(spot))]
        if self.end.over:
            got = told(self.end.payoffs[self.seat], self.scale)
            points.append(ReviewPoint(ply=len(self.moves), value=got, low=got, high=got, exact=True))
        return points

    def _point(self, spot: Spot) -> ReviewPoint | None:
        if spot.exact is not None:
            value = round(told(spot.mixed(spot.exact), self.scale), 6)
            return ReviewPoint(ply=spot.ply, value=value, low=value, high=value, exact=True)
        if spot.value.count < 2:
            return None
        value, half = told(spot.value.mean, self.scale), difference(Z * spot.value.error, self.scale)
        low, high = value - half, value + half
        if self.scale == "chance":
            span = wilson(value * spot.value.count, spot.value.count)
            low, high = span.low, span.high
        return ReviewPoint(ply=spot.ply, value=round(value, 4), low=round(low, 4), high=round(high, 4), exact=False)

    def _costly(self, spot: Spot) -> CostlyDecision | None:
        if not spot.own or len(spot.arms) < 2:
            return None
        if spot.exact is not None:
            better = max(range(len(spot.exact)), key=spot.exact.__getitem__)
            cost = low = high = spot.exact[better] - spot.exact[0]
        else:
            better, cost = spot.better, spot.gain.mean
            low, high = cost - Z * spot.gain.error, cost + Z * spot.gain.error
        if better <= 0 or cost < MIN_COST or low <= 0.0 or (spot.exact is None and spot.gain.count < MIN_GAMES):
            return None
        cost, low, high = (round(difference(x, self.scale), 6) for x in (cost, low, high))
        with players_named(self.names):
            made, best = (spot.position.move(spot.arms[arm] or 0) for arm in (0, better))
        return CostlyDecision(
            ply=spot.ply,
            chosen=move_info(made),
            better=move_info(best),
            value=round(told(spot.means()[0], self.scale), 6),
            cost=cost,
            low=low,
            high=high,
            exact=spot.exact is not None,
            text=self._words(made, best, cost, low, high),
        )

    def _words(self, made: Move, best: Move, cost: float, low: float, high: float) -> str:
        if self.scale == "chance":
            amount = f"a {100 * cost:.0f} % chance to win"
            span = f" ({100 * low:.0f} to {100 * high:.0f} %)" if low < high else ""
        else:
            amount = f"{in_digits(cost)} {unit_of(self.game)}"
            span = f" ({in_digits(low)} to {in_digits(high)})" if low < high else ""
        return f"You chose {made.text}; {best.text} was better. It cost {amount}{span}."

    def _basis(self) -> str:
        counted = [spot for spot in self.spots if spot.exact is not None or spot.value.count > 0]
        exact = sum(spot.exact is not None for spot in counted)
        if not counted:
            return "Nothing has been worked out yet."
        who = f"{self.reference_agent.name} (who was not at this table)" if self.guest else self.reference_agent.name
        as_if = f"if everybody played on as {who} would, with what you knew at the time"
        if exact == len(counted):
            return f"Computed exactly: what you could expect {as_if}."
        games = f"from {self.playouts:,} games that were played on, with 95 % intervals"
        if exact:
            return f"What you could expect {as_if}: {exact} of {len(counted)} decisions exactly, the others {games}."
        return f"What you could expect {as_if}: estimated {games}."


def nothing(game: Game, seat: int, why: str, done: bool = True) -> Review:
    """A review without numbers."""
    return Review(
        seat=seat, done=done, progress=float(done), scale=scale_of(game), unit=unit_of(game), reference_agent=None,
        basis=why, decisions=0, playouts=0, points=[], costliest=[],
    )  # fmt: skip


def _after(world: Position, action: int | None) -> Position:
    if action is None:
        return world
    state = world.state.copy()
    world.game.rules.play(state, action)
    return Position(world.game, state, ())
