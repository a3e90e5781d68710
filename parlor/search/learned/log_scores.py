"""Log scores of a learned belief beside the exact posterior, in games whose worlds can be enumerated.

At decisions of games that a policy plays in all seats, the exact posterior follows from the policy: by codes of what is
hidden, where the game has them, or else from all worlds along the history (`belief.worlds`).
The expected log score of a belief q is Σ posterior · log q: that of the posterior itself is the best that there is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from parlor import compile as compiler
from parlor.game import CHANCE, Game, GameError, Position, State
from parlor.game.rng import choose, seed_stream
from parlor.policies.field_belief import FieldBelief
from parlor.policies.hidden_numbers import forget_memory, hidden_slots, read_hidden
from parlor.search.belief import worlds
from parlor.search.learned.weighed_worlds import log_ratio, make_contexts, network_arrays
from parlor.search.seen_events import Model, World

DRAWS = 4_096  # worlds that the game's own `imagine` draws, where no codes say how likely each is by chance

#: The numbers that a player does not see.
Hidden = tuple[int, ...]

#: Chance alone, the exact posterior, and a state with each.
Beliefs = tuple[dict[Hidden, float], dict[Hidden, float], dict[Hidden, State]]


@dataclass(frozen=True)
class LogScores:
    """Mean expected log scores at decisions, in nats."""

    decisions: int
    exact: float
    learned: float
    chance: float  # of chance alone

    @property
    def excess(self) -> float:
        """The learned belief's excess over the posterior's score, as a share of it."""
        return self.learned / self.exact - 1.0 if self.exact else 0.0


def log_scores(
    game: Game, belief: FieldBelief, policy: Model, games: int, seed: int, few: int = 5_000, most: int = 10**9
) -> LogScores:
    """The scores at the decisions of so many games, at most `most` decisions."""
    scores = Scoring(game, belief, policy, few)
    found: list[tuple[float, float, float]] = []
    for number in range(games):
        stream = [0, 0, 0, 0]
        seed_stream(stream, seed, number)
        position = game.start()
        while not position.over and len(found) < most:
            if position.turn != CHANCE and len(position.actions) > 1:
                found.append(scores.at(position))
            position = position.after(_drawn(position, policy, stream))
    if not found:
        raise GameError(f"There was no decision in {games} games of {game.name}.")
    exact, learned, chance = np.mean(found, axis=0).tolist()
    return LogScores(len(found), exact, learned, chance)


def _drawn(position: Position, policy: Model, stream: list[int]) -> str:
    chances: Mapping[str, float] = position.odds if position.turn == CHANCE else policy(position)
    names = list(chances)
    return names[choose(stream, list(chances.values()), len(names))]


class Scoring:
    """The three beliefs at a position, by what is hidden."""

    def __init__(self, game: Game, belief: FieldBelief, policy: Model, few: int) -> None:
        self.game, self.policy, self.few = game, policy, few
        self.slots = hidden_slots(game)
        self.network = network_arrays(game, belief)
        self._contexts = compiler.interpret(make_contexts, game)
        self._ratio = compiler.interpret(log_ratio, game, self.slots)

    def at(self, position: Position) -> tuple[float, float, float]:
        """The expected scores of the exact posterior, of the learned belief and of chance alone."""
        p = position.turn
        prior, exact, states = (self._by_code if self.game.hidden.worlds else self._listed)(position, p)
        self._contexts(self.network, [position.state], 0, p)
        weights = {
            one: math.log(chance) + self.network.trust * self._ratio(self.network, [states[one].copy()], 0, p)
            for one, chance in prior.items()
        }
        learned = _normalised(weights)
        by_luck = _normalised({one: math.log(chance) for one, chance in prior.items()})
        found = [
            sum(share * math.log(max(belief[one], 1e-300)) for one, share in exact.items() if share > 0.0)
            for belief in (exact, learned, by_luck)
        ]
        return found[0], found[1], found[2]

    def _listed(self, position: Position, p: int) -> Beliefs:
        """Of all worlds, found along the history: chance alone, the posterior, and a state for each."""
        posterior, by_chance = (self._enumerated(position, p, model) for model in (self.policy, None))
        exact, states = self._by_hidden(posterior, p)
        alone, others = self._by_hidden(by_chance, p)
        drawn = self._drawn(position, p, alone) if self.game.hidden.imagine is not None else alone
        prior = {one: max(drawn.get(one, 0.0), 0.5 / DRAWS) for one in exact.keys() | drawn.keys()}
        return prior, exact, others | states

    def _by_code(self, position: Position, p: int) -> Beliefs:
        """The same of all possible codes, by taking back the moves of the others."""
        hidden = self.game.hidden.worlds
        assert hidden is not None
        codes, weights = [0] * hidden.count, [0.0] * hidden.count
        n = hidden.possible(position.state, p, codes, weights)
        prior, exact, states = dict[Hidden, float](), dict[Hidden, float](), dict[Hidden, State]()
        for code, weight in zip(codes[:n], weights[:n], strict=True):
            world = position.state.copy()
            hidden.set_hidden_state(world, p, code)
            one = self._hidden(world, p)
            states[one], prior[one] = world.copy(), weight / sum(weights[:n])
            exact[one] = prior[one]
            for k in reversed(range(hidden.decisions(world))):
                made = hidden.decision(world, k)
                hidden.rewind(world, k)
                before = Position(self.game, world.copy(), ())
                if before.turn != p and exact[one] > 0.0:
                    legal = before.actions
                    name = self.game.words.describe(world, made)
                    exact[one] *= self.policy(before).get(name, 0.0) if made in legal else 0.0
        total = sum(exact.values())
        return prior, {one: chance / total for one, chance in exact.items()} if total else dict(prior), states

    def _enumerated(self, position: Position, p: int, model: Model | None) -> list[World]:
        found = worlds(position, p, self.few, model)
        if found is None:
            raise GameError(f"{self.game.name} has more than {self.few:,} worlds somewhere, too many to enumerate.")
        return found

    def _hidden(self, state: State, p: int) -> Hidden:
        """The hidden numbers of a state, when the others have forgotten what they only remember."""
        known, numbers = state.copy(), [0] * len(self.network.numbers)
        forget: Callable[[State, int], None] = self.slots.get(forget_memory, forget_memory)
        forget(known, p)
        self.slots[read_hidden](known, p, numbers)
        return tuple(map(int, numbers))

    def _by_hidden(self, found: list[World], p: int) -> tuple[dict[Hidden, float], dict[Hidden, State]]:
        chances: dict[Hidden, float] = {}
        states = {}
        for world, chance in found:
            one = self._hidden(world.state, p)
            chances[one] = chances.get(one, 0.0) + chance
            states[one] = world.state
        return chances, states

    def _drawn(self, position: Position, p: int, known: Mapping[Hidden, float]) -> dict[Hidden, float]:
        """The frequency with which the game's own `imagine` draws each of the known worlds."""
        imagine, chances = self.game.hidden.imagine, dict[Hidden, float]()
        assert imagine is not None
        stream = [0, 0, 0, 0]
        seed_stream(stream, 0, position.key(p))
        for _ in range(DRAWS):
            world = position.state.copy()
            imagine(world, p, stream)
            one = self._hidden(world, p)
            if one in known:
                chances[one] = chances.get(one, 0.0) + 1.0 / DRAWS
        return chances


def _normalised(logs: Mapping[Hidden, float]) -> dict[Hidden, float]:
    top = max(logs.values())
    found = {one: math.exp(log - top) for one, log in logs.items()}
    total = sum(found.values())
    return {one: weight / total for one, weight in found.items()}
