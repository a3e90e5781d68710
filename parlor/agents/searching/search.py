"""Search: best-response information-set Monte-Carlo tree search against an opponent model; see `parlor.search.ismcts`.

The others are a policy, or a population as it is mixed. In games that say what is hidden as a code, worlds are drawn by
the exact posterior: what the others have done says what they hold, and who they are. In other games worlds are drawn as
other searches do (`parlor.agents.searching.searching`).
"""

from __future__ import annotations

import dataclasses
import time
from typing import Any, cast

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent, seat_for
from parlor.agents.population import fitting
from parlor.agents.searching.searching import HORIZON, POLICY, TO_THE_END, HistorySearch, search_agent
from parlor.compile import Bindings
from parlor.game import Game, GameError, Position
from parlor.game.parameters import Parameter
from parlor.policies.field_belief import FieldBelief
from parlor.policies.opponents import OpponentLineups, shares_by_seat
from parlor.policies.population import Population
from parlor.search.backups import BACKUPS
from parlor.search.forest import OPERATORS, with_room
from parlor.search.ismcts import (
    BY_CODE,
    BY_WEIGHT,
    Search,
    appraise,
    evaluate_leaf,
    evaluate_leaf_by_policy,
    findings_of,
    move_as_policy,
    move_other,
    policy_probabilities,
    propose_nothing,
    search_probabilities,
    search_probabilities_so_far,
)
from parlor.search.learned.weighed_worlds import weighed_worlds, weighing
from parlor.search.posterior import BELIEFS, OpponentModel, new_belief, opponent_model_by_seat, opponent_probabilities
from parlor.search.rollout import Rollout, SearchFindings, propose
from parlor.search.searches import SearchSettings, new_search

MAX_EDGES = 1 << 21  # in a tree
ALONG_HISTORY = 100  # worlds, where they must be found in plain Python
PACE = 0.02  # the part of its time after which a timed search looks at the clock
LEARNED = "learned"
FAIR = tuple(name for name, row in BELIEFS.items() if row.fair)


def make(
    concrete: Game,
    name: str,
    policy: CompiledAgent,
    population: Population | None = None,
    worlds: FieldBelief | None = None,
    belief: str = "exact",
    horizon: int = TO_THE_END,
    seconds: float = 0.0,
    **settings: Any,
) -> CompiledAgent:
    """With so many simulations for each decision, or as many as there are `seconds` for.

    `settings` are those of `SearchSettings`.
    """
    how = SearchSettings(belief=_checked_belief(concrete, belief, worlds), **settings)
    if population and policy.game.concrete:
        raise GameError(
            f"search cannot answer a population and play on with {policy.name}, which plays an abstraction."
        )
    others = mixed(concrete, name, population, worlds is not None) if population else None
    by_code = (
        worlds is None
        and concrete.hidden.worlds is not None
        and concrete.native
        and (others is not None or not policy.game.concrete)
    )
    shares = others.shares if others else np.ones((concrete.players, 1))

    def data(compiled: bool, rollout: Rollout, guesses: Any) -> Search:
        believed = new_belief(concrete, 1, shares.shape[1]) if by_code else guesses
        if worlds is not None:
            believed = weighed_worlds(concrete, worlds, 1, compiled, guesses)
        theirs = others.data(compiled) if others else rollout.policy
        made = new_search(concrete, how, 1, compiled, rollout, believed, shares, theirs)
        made = made._replace(forest=with_room(made.forest, min(how.simulations * concrete.actions, MAX_EDGES)))
        if seconds:
            memories.append(made)
        return made

    memories: list[Search] = []  # of a timed search
    slots: Bindings = {
        **(BY_CODE if by_code else {}),
        **({**BY_WEIGHT, **weighing(concrete)} if worlds is not None else {}),
        **(others.slots if others else {opponent_probabilities: policy_probabilities, move_other: move_as_policy}),
        **({propose: propose_nothing} if policy.game.concrete else {}),
    }
    if policy.appraise is not None and horizon == TO_THE_END and how.backup == "own":
        slots = {**slots, evaluate_leaf: evaluate_leaf_by_policy, appraise: policy.appraise}
    listed = min(how.simulations, ALONG_HISTORY)
    action_probabilities = search_probabilities_so_far if seconds else search_probabilities
    made = search_agent(concrete, name, policy, action_probabilities, data, listed, 0, horizon, findings_of, slots)
    return timed(made, listed, seconds, memories) if seconds else made


def timed(made: CompiledAgent, listed: int, seconds: float, memories: list[Search]) -> CompiledAgent:
    """The same search, which ends when its time is over."""
    agent, worlds = made, 0
    found: tuple[list[float], list[Any]] = ([], [])
    if isinstance(made, HistorySearch):
        agent, worlds, found = made.agent, listed, made.found
    search = TimedSearch(made.name, made.concrete_game, agent, worlds, found, seconds=seconds, memories=memories)
    return cast(CompiledAgent, search)


def _checked_belief(concrete: Game, belief: str, worlds: FieldBelief | None) -> str:
    """The belief over codes of a search that may have learned one of its own; GameError if they do not fit."""
    if belief == LEARNED and worlds is None:
        raise GameError(
            f"search needs the run of a belief to have learned one: parlor train {concrete.name} --algorithm belief "
            f"--of AGENT, then search(belief=learned,worlds=RUN)."
        )
    if belief not in (*FAIR, LEARNED):
        raise GameError(f"The belief of search must be one of {', '.join((*FAIR, LEARNED))}, not {belief!r}.")
    if worlds is not None:
        worlds.check_game(concrete)
    return "exact" if belief == LEARNED else belief


def refuse_belief(concrete: Game, name: str, belief: FieldBelief) -> CompiledAgent:
    """A belief cannot take a seat."""
    raise GameError(f"{name} is a belief, which plays no moves; a search can have it: search(worlds={name}).")


def mixed(concrete: Game, name: str, population: Population, without_codes: bool = False) -> OpponentModel:
    """The others of each player, as the population mixes them."""
    game, _, _ = seat_for(concrete, name, population)
    if game.concrete or (concrete.hidden.worlds is None and not without_codes):
        what = f"{game.name} is an abstraction" if game.concrete else f"{concrete.name} does not say it"
        who = name.partition("(")[0]
        raise GameError(f"{who} answers a population only where what is hidden has a code, and {what}: give a policy.")
    played = population.played()
    fitted = {id(one): fitting(game, one) for some in played.members for one in some}
    members = [[fitted[id(one)] for one in some] for some in played.members]
    found = OpponentLineups(game)
    for player in range(concrete.players):
        found.add_mixture(player, members, played.mixture, 1.0 / concrete.players)
    return opponent_model_by_seat(game, bundle := found.arrays(), shares_by_seat(bundle))


@dataclasses.dataclass(frozen=True, eq=False)
class TimedSearch(HistorySearch):
    """A search that ends when its time is over: Python looks at the clock between steps of simulations."""

    seconds: float = 1.0
    memories: list[Search] = dataclasses.field(default_factory=list)  # where its agent works

    def _searched(self, position: Position) -> tuple[list[tuple[int, float]], SearchFindings | None]:
        for b in self.memories:
            b.options[0], b.pace[0] = 0, 1
        known, begun = len(self.memories), time.monotonic()
        answer = self.agent.explained(position)
        if len(self.memories) > known:  # it was compiled: that is no part of its time
            begun = time.monotonic()
        b = next(b for b in self.memories if b.options[0])
        while True:
            spent = max(time.monotonic() - begun, 1e-9)
            left = b.simulations - int(b.done[0])
            if spent >= self.seconds or left <= 0:
                return answer
            b.pace[0] = max(1, min(left, int(b.done[0] * min(1.0, PACE * self.seconds / spent))))
            answer = self.agent.explained(position)


SPEC = AgentSpec(
    "best-response tree search against an opponent model, with the posterior of what the others hold",
    make,
    settings={
        "simulations": Parameter(300, "simulated games for each decision", 1, 1_000_000, server_limit=60),
        "policy": dataclasses.replace(POLICY, help="the agent, or the file, that the others play, and that plays on"),
        "population": Parameter(
            "",
            "the folder of a PSRO run, or a population's file, that the others play instead",
            names="file",
            file_kind=Population.kind,
            optional=True,
            internal=True,
        ),
        "backup": Parameter("own", f"what it makes as large as it can: {', '.join(BACKUPS)}"),
        "belief": Parameter(
            "exact", f"what it believes, where what is hidden has a code: {', '.join(FAIR)}; anywhere: {LEARNED}"
        ),
        "worlds": Parameter(
            "",
            "the folder of a run of the learner belief, or its file: what it believes instead",
            names="file",
            file_kind=FieldBelief.kind,
            optional=True,
            internal=True,
        ),
        "c": Parameter(0.0, "how much is tried that has not done well; 0: the distance of values seen", 0.0, 1e6),
        "operator": Parameter(
            "mean", f"what a decision passes up, of all simulations or of its best move: {', '.join(OPERATORS)}"
        ),
        "horizon": Parameter(
            TO_THE_END,
            f"{HORIZON}; if not given, a network's own value counts at once",
            0,
            TO_THE_END,
        ),
        "seconds": Parameter(
            0.0, "it ends after that time; 0: after its simulations", 0.0, 3600.0, internal=True, server_limit=0
        ),
    },
    name="Searching Sam",
    rated=False,
    made="Learned nothing: at each decision it simulates games against those it expects to meet.",
)
