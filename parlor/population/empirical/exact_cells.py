"""Cells of empirical games that can be computed: expected payoffs, exactly, where the game can be enumerated.

That is for agents that are tables, or plain formulas. One that searches or samples when it decides is played, and so is
Python code, which may. Measures that are not linear in payoffs are not computed.
"""

from __future__ import annotations

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.game import GameError
from parlor.game.seats.play import Agent
from parlor.policies.policy import Policy
from parlor.population.empirical.empirical_game import symmetrised
from parlor.population.empirical.empirical_games import SimulatedGame
from parlor.solvers.plans import Plans, plan
from parlor.solvers.tabulate import tabulate
from parlor.solvers.tree import tree


def compute_cells(game: SimulatedGame) -> dict[str, str]:
    """Fill the cells whose agents can be tabulated; says of the other agents why they cannot."""
    t, tables, reasons = tree(game.game), {}, {}
    for label in sorted({label for some in game.labels for label in some}):
        try:
            tables[label] = _table(game, game.agent(label))
        except GameError as error:
            reasons[label] = str(error)
    chosen = [[i for i, label in enumerate(some) if label in tables] for some in game.labels]
    if not all(chosen):
        return reasons
    plans = Plans(t)
    made = [[plan(t, tables[game.labels[p][i]], p) for i in some] for p, some in enumerate(chosen)]
    for player in range(1, game.players):
        for one in made[player]:
            plans.add_plan(player, one)
    payoffs = np.concatenate([plans.add(0, one) for one in made[0]], axis=1)
    payoffs = symmetrised(payoffs) if game.symmetric else payoffs
    cells = np.ix_(*chosen)
    game.payoffs.set_exact(cells, payoffs)
    game.measured["welfare"].set_exact(cells, np.broadcast_to(payoffs.sum(axis=0), payoffs.shape))
    return reasons


def _table(game: SimulatedGame, agent: Agent) -> Policy:
    if isinstance(agent, Policy):
        return agent
    if not isinstance(agent, CompiledAgent):
        raise GameError("it is Python code, which may be random.")
    if agent.thinks_long:
        raise GameError("it searches or samples when it decides.")
    return tabulate(game.game, agent)
