"""PSRO for two players with OpenSpiel's exact best responses, as fast as we could make it from Python.

Best responses are those of its `TabularBestResponse` in C++, which keeps the game's histories between calls; payoffs
its `expected_returns` in C++; regret matching its own, in Python, with as many rounds as ours. Its `PolicyAggregator`
walks the tree for seconds to average a mixture, so here that is done with realisation plans in NumPy, as ours is.
(`pyspiel.cce_dist`, which its JPSRO uses, takes 0.15 s on Leduc poker for each strategy in the mixture; its `psro_v2`
simulates payoffs.)
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from parlor.policies.mixture import Array


class Sequences:
    """The information sets of a player in OpenSpiel's game: where each is reached from, parents first."""

    def __init__(self, game: Any, player: int) -> None:
        self.names: list[str] = []
        self.actions: list[list[int]] = []
        self.first: list[int] = []  # the number of the first of its sequences
        self.parent: list[int] = []  # the sequence that leads to it
        self.count = 1  # of sequences; 0 is the empty one
        known: dict[str, int] = {}
        stack = [(game.new_initial_state(), 0)]
        while stack:
            state, sequence = stack.pop()
            if state.is_terminal():
                continue
            mine = not state.is_chance_node() and state.current_player() == player
            if mine:
                name = state.information_state_string(player)
                if name not in known:
                    known[name] = self.count
                    self.names.append(name)
                    self.actions.append(state.legal_actions())
                    self.first.append(self.count)
                    self.parent.append(sequence)
                    self.count += len(state.legal_actions())
            for k, action in enumerate(state.legal_actions()):
                stack.append((state.child(action), known[name] + k if mine else sequence))

    def plan(self, policy: Any) -> Array:
        """A policy as the products of its own probabilities."""
        made = np.ones(self.count)
        for name, actions, first, parent in zip(self.names, self.actions, self.first, self.parent, strict=True):
            odds = dict(policy.get_state_policy(name))
            for k, action in enumerate(actions):
                made[first + k] = made[parent] * odds.get(action, 0.0)
        return made

    def table(self, plan: Array) -> dict[str, list[tuple[int, float]]]:
        """A plan as a policy; uniform where it does not come."""
        made = {}
        for name, actions, first, parent in zip(self.names, self.actions, self.first, self.parent, strict=True):
            before = plan[parent]
            odds = (
                plan[first : first + len(actions)] / before if before > 0 else np.full(len(actions), 1 / len(actions))
            )
            made[name] = list(zip(actions, odds.tolist(), strict=True))
        return made


def run(name: str, iterations: int) -> dict[str, Any]:
    """So many iterations: seconds by part, and NashConv (not part of the seconds) by iteration."""
    import pyspiel
    from open_spiel.python.algorithms import regret_matching

    game = pyspiel.load_game(name)
    sequences = [Sequences(game, player) for player in (0, 1)]
    uniform = {key: odds for one in sequences for key, odds in one.table(np.zeros(one.count)).items()}
    start = pyspiel.TabularPolicy(uniform)
    responders = [pyspiel.TabularBestResponse(game, player, start) for player in (0, 1)]
    members, plans = [[start], [start]], [[one.plan(start)] for one in sequences]
    root = game.new_initial_state()
    payoffs = np.array(pyspiel.expected_returns(root, [start, start], -1, True)).reshape(2, 1, 1)
    mixture = [np.ones(1), np.ones(1)]
    parts = {"oracle": 0.0, "cells": 0.0, "meta": 0.0}
    curve = []

    def average() -> Any:
        tables = (one.table(np.array(plans[p]).T @ mixture[p]) for p, one in enumerate(sequences))
        return pyspiel.TabularPolicy({key: odds for table in tables for key, odds in table.items()})

    for n in range(2, iterations + 2):
        at = time.perf_counter()
        target = average()
        for player, responder in enumerate(responders):
            responder.set_policy(target)
            answer = responder.get_best_response_policy()
            members[player].append(answer)
            plans[player].append(sequences[player].plan(answer))
        parts["oracle"] += time.perf_counter() - at
        at = time.perf_counter()
        grown = np.zeros((2, n, n))
        grown[:, : n - 1, : n - 1] = payoffs
        for a, b in [(n - 1, k) for k in range(n)] + [(k, n - 1) for k in range(n - 1)]:
            grown[:, a, b] = pyspiel.expected_returns(root, [members[0][a], members[1][b]], -1, True)
        payoffs = grown
        parts["cells"] += time.perf_counter() - at
        at = time.perf_counter()
        mixture = regret_matching.regret_matching(list(payoffs))
        parts["meta"] += time.perf_counter() - at
        curve.append(pyspiel.nash_conv(game, average()))
    return {"seconds": sum(parts.values()), "parts": parts, "curve": curve}
