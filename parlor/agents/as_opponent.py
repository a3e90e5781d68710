"""Any compiled agent as the opponent of a learner, in the loops where its games are played.

The loops of `parlor.learn` ask `member_probabilities` how a member of a line-up plays. Here there is one member, the
agent, in all seats but the learner's. It reads the state through its own legal actions and its own key; its actions
become moves of the concrete game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.agents.agent import CompiledAgent
from parlor.compile import Bindings
from parlor.compile.kernel import assign, decide, key
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.game.rng import seed_stream
from parlor.policies.opponents import (
    LEARNER,
    TABLE,
    NetworkWorkspace,
    OpponentArrays,
    member_probabilities,
    member_randomness,
    self_play,
)


class AgentMembers(NamedTuple):
    """The arrays of `OpponentArrays`, which tables and networks would fill, and what an agent needs. A actions."""

    lineups: Any
    shares: Any
    network: Any
    begin: Any
    end: Any
    keys: Any
    first: Any
    count: Any
    probabilities: Any
    sizes: Any
    depth: Any
    temperature: Any
    weights: Any
    agent: Any  # its data
    states: Any  # [1] the state that it looks at
    moves: Any  # [A] its own actions
    chances: Any  # [A] of these
    luck: Any  # [4]


class AgainstAgent(NamedTuple):
    """Line-ups in which the learner meets an agent, for one thread; and the functions that play it."""

    members: OpponentArrays
    slots: Bindings


def against_agent(concrete: Game, agent: CompiledAgent, seed: int, seats: tuple[int, ...] = ()) -> AgainstAgent:
    """The learner in each of the seats as often, all of them unless they are given, and the agent in all others."""
    agent = agent.on_average or agent
    if not isinstance(agent, CompiledAgent) or not concrete.native:
        raise GameError(f"Nothing can be trained against {agent.name}: it is not compiled.")
    if agent.memory:
        raise GameError(f"Nothing can be trained against {agent.name}, which remembers its moves.")
    seats = seats or tuple(range(concrete.players))
    nobody = self_play(concrete.players)._replace(
        lineups=np.array([[LEARNER if q == p else 0 for q in range(concrete.players)] for p in seats]),
        shares=np.full(len(seats), 1.0 / len(seats)),
        network=np.array([TABLE]),
    )
    luck = np.zeros(4, np.int64)
    seed_stream(luck, seed, 0)  # type: ignore[arg-type]  # an array of integers is written like a list
    actions = agent.game.actions
    members = AgentMembers(
        *nobody,
        agent.data(True),
        compiler.states(concrete, 1, True),
        np.zeros(actions, np.int64),
        np.zeros(actions),
        luck,
    )
    slots = dict(agent.slots)
    decides = slots.pop(decide, None)
    return AgainstAgent(
        members,  # type: ignore[arg-type]  # it has all of its fields
        {
            **slots,
            member_probabilities: agent_probabilities,
            member_randomness: agent_randomness,
            own_legal: agent.game.rules.legal,
            own_probabilities: agent.fill_probabilities,
            own_concrete: agent.game.abstraction.resolve,
            key: agent.game.rules.key,
            **({own_decision: decides} if decides is not None else {}),
        },
    )


# --------------------------------------------------------------------------------------------------- kernels


def own_legal(s: State, out: Ints) -> int:
    """A slot: the agent's own legal actions."""
    raise RuntimeError


def own_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """A slot: their probabilities."""
    raise RuntimeError


def own_decision(states: Any, g: int, p: int, moves: Ints, n: int, r: Ints, data: Any) -> int:
    """A slot: the index of its action, if it never draws; else -1."""
    return -1


def own_concrete(s: State, a: int) -> int:
    """A slot: the concrete move that an action stands for."""
    raise RuntimeError


def agent_randomness(members: AgentMembers, r: Ints) -> None:
    """Let what the agent draws follow from the game's random stream, which does not move on."""
    seed_stream(members.luck, r[0] ^ r[2], r[1] ^ r[3])


def agent_probabilities(
    members: AgentMembers, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, workspace: NetworkWorkspace
) -> bool:
    """Fill the probabilities of the legal moves as the agent plays; false if it does not know the place."""
    states, actions, chances = members.states, members.moves, members.chances
    assign(states, 0, s)
    k = own_legal(states[0], actions)
    for i in range(k):
        chances[i] = 0.0
    if k == 1:
        chances[0] = 1.0
    else:
        made = own_decision(states, 0, p, actions, k, members.luck, members.agent)
        if made >= 0:
            chances[made] = 1.0
        else:
            own_probabilities(states, 0, p, actions, k, chances, members.luck, members.agent)
            if chances[0] < 0.0:
                return False
    for i in range(n):
        out[i] = 0.0
    for j in range(k):
        if chances[j] > 0.0:
            a = own_concrete(states[0], int(actions[j]))
            for i in range(n):
                if moves[i] == a:
                    out[i] += chances[j]
    return True
