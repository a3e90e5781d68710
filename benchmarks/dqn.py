"""DQN on Leduc: decisions a second beside OpenSpiel's, and how good its best responses are after how long.

Speed: self-play with the same work for both: two hidden layers of 128, batches of 128, one gradient step of Adam for
every ten decisions; compilation is not counted. OpenSpiel's DQN (`open_spiel.python.jax.dqn`) is one agent a player,
each with a replay of 10,000 decisions, its default (a larger one is slower); it needs flax, chex and orbax, which it
does not install: without them there is no ratio, and the output says so.
Quality: default settings against each opponent from either seat, measured exactly: how much is missing to the value of
an exact best response, as a share of it. Everything runs in one thread.
`python benchmarks/dqn.py [--seconds S] [--games N] [--seeds N]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from parlor.game.loading import load
from parlor.learn.dqn import Dqn, DqnSettings
from parlor.policies.features import sample
from parlor.policies.opponents import LEARNER, opponent_arrays
from parlor.policies.policy import Policy
from parlor.solvers.best_response import evaluate
from parlor.solvers.cfr import Cfr

GAME = "leduc"
LAYERS, BATCH, EVERY = (128, 128), 128, 10


def rate(seconds: float, work: Callable[[], int]) -> float:
    """Units of work a second, of calls that return how much they did; the first one is not counted."""
    work()
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        done += work()
    return done / (time.perf_counter() - began)


def our_rate(seconds: float) -> float:
    """Decisions a second in self-play."""
    game = load(GAME)
    games = 512
    updates = round(sample(game).decisions * games / EVERY)
    dqn = Dqn(game, DqnSettings(layers=LAYERS, batch=BATCH, round=games, updates=updates), 1)

    def work() -> int:
        before = dqn.decisions
        dqn.run_to(dqn.games + games)
        return dqn.decisions - before

    return rate(seconds, work)


def peer_rate(seconds: float) -> tuple[float | None, str]:
    """OpenSpiel's decisions a second, or why there are none."""
    try:
        from open_spiel.python import rl_environment
        from open_spiel.python.jax.dqn import DQN
    except ImportError as error:
        return None, f"OpenSpiel's DQN needs {error.name}"
    environment = rl_environment.Environment("leduc_poker", players=2)
    size, actions = environment.observation_spec()["info_state"][0], environment.action_spec()["num_actions"]
    agents = [
        DQN(
            player, size, actions, hidden_layers_sizes=LAYERS, batch_size=BATCH, learn_every=EVERY,
            optimizer_str="adam", learning_rate=0.001, allow_checkpointing=False,
        )
        for player in range(2)
    ]  # fmt: skip

    def work() -> int:
        decisions = 0
        while not decisions or any(agent.loss is None for agent in agents):  # at first, until both have learned
            for _ in range(20):
                step = environment.reset()
                while not step.last():
                    decisions += 1
                    step = environment.step([agents[step.observations["current_player"]].step(step).action])
                for agent in agents:
                    agent.step(step)
        return decisions

    return rate(seconds, work), ""


def opponents(game: Any) -> dict[str, tuple[Policy, int]]:
    """Uniform play, a strategy on its way to equilibrium, and one that is nearly there; how many times the games.

    Against the last one most actions are worth nearly the same, so that it takes longer to tell which is best.
    """
    found = {"uniform": (Policy.uniform(game), 1)}
    for iterations, times in ((10, 1), (1000, 3)):
        solver = Cfr(game, "cfr+")
        solver.run(iterations)
        found[f"CFR+ {iterations}"] = (solver.policy(), times)
    return found


def best_responses(games: int, seeds: int) -> list[dict[str, Any]]:
    """What DQN gets against each opponent from each seat, and what could be got."""
    game, rows = load(GAME), []
    for name, (policy, times) in opponents(game).items():
        settings = DqnSettings(schedule=times * games)
        for player in range(2):
            best = evaluate(game, policy).best_responses[player]
            found, seconds = [], []
            for seed in range(1, seeds + 1):
                lineup = [LEARNER if p == player else 0 for p in range(2)]
                began = time.perf_counter()
                dqn = Dqn(game, settings, seed, opponent_arrays(game, [lineup], [1.0], [policy]))
                dqn.run_to(times * games)
                seconds.append(time.perf_counter() - began)
                table = dqn.network().table
                assert table is not None
                found.append(evaluate(game, [table if p == player else policy for p in range(2)]).values[player])
            missing = (best - np.array(found)) / abs(best)
            rows.append(
                {
                    "against": name, "player": player, "games": times * games, "exact": best, "found": found,
                    "worst_shortfall": missing.max(), "mean_shortfall": missing.mean(), "seconds": np.mean(seconds),
                }
            )  # fmt: skip
    return rows


def measure(seconds: float = 20.0, games: int = 200_000, seeds: int = 3) -> dict[str, Any]:
    """All numbers, for the last line and for `benchmarks/psro.py`."""
    ours = our_rate(seconds)
    theirs, why = peer_rate(seconds)
    found: dict[str, Any] = {"dqn_steps_per_s": ours, "openspiel_dqn_steps_per_s": theirs}
    found["ratio_to_openspiel_dqn"] = ours / theirs if theirs else None
    if why:
        found["note"] = why
    if games:
        found["dqn_best_responses"] = best_responses(games, seeds)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each measurement of speed")
    parser.add_argument("--games", type=int, default=200_000, help="that a best response learns from; 0: only speed")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    found = measure(options.seconds, options.games, options.seeds)
    console = Console()
    theirs, ratio = found["openspiel_dqn_steps_per_s"], found["ratio_to_openspiel_dqn"]
    console.print(f"decisions a second: {found['dqn_steps_per_s']:,.0f}; OpenSpiel {theirs or 0:,.0f}; ratio {ratio}")
    console.print(found.get("note", ""))
    table = Table("against", "seat", "games", "exact", "DQN, mean", "short of it", "at worst", "seconds")
    for row in found.get("dqn_best_responses", ()):
        values = (f"{row['exact']:.3f}", f"{np.mean(row['found']):.3f}")
        shares = (f"{100 * row[name]:.1f} %" for name in ("mean_shortfall", "worst_shortfall"))
        first = (row["against"], str(row["player"]), f"{row['games']:,}")
        table.add_row(*first, *values, *shares, f"{row['seconds']:.0f}")
    console.print(table)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
