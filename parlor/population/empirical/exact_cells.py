"""Cells of empirical games that can be computed: expected payoffs, exactly, where the game can be enumerated.

That is for agents that are tables, or plain formulas. One that searches or samples when it decides is played, and so is
Python code, which may. Measures that are not linear in payoffs are not computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.game import Game, GameError
from parlor.game.seats.play import Agent
from parlor.policies.plans import Plans, plan
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import tree
from parlor.solvers.tabulate import tabulate


def exact_payoffs(
    game: Game, labels: Sequence[Sequence[str]], agent: Callable[[str], Agent]
) -> tuple[list[list[int]], Any, dict[str, str]]:
    """For each player the agents that can be tabulated, the payoffs of their cells, and why the others cannot be.

    The payoffs are an array [players, agents of player 0, agents of player 1, …], or None if a player has none.
    """
    t, tables, reasons = tree(game), {}, {}
    for label in sorted({label for some in labels for label in some}):
        try:
            tables[label] = _table(game, agent(label))
        except GameError as error:
            reasons[label] = str(error)
    chosen = [[i for i, label in enumerate(some) if label in tables] for some in labels]
    if not all(chosen):
        return chosen, None, reasons
    plans = Plans(t)
    made = [[plan(t, tables[labels[p][i]], p) for i in some] for p, some in enumerate(chosen)]
    for player in range(1, game.players):
        for one in made[player]:
            plans.add_plan(player, one)
    return chosen, np.concatenate([plans.add(0, one) for one in made[0]], axis=1), reasons


def _table(game: Game, agent: Agent) -> Policy:
    if isinstance(agent, Policy):
        return agent
    if not isinstance(agent, CompiledAgent):
        raise GameError("it is Python code, which may be random.")
    if agent.thinks_long:
        raise GameError("it searches or samples when it decides.")
    return tabulate(game, agent)
