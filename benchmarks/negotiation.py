"""Negotiation: Deal or No Deal at random, searches with rollouts and with networks, the posterior; beside OpenSpiel.

Random games are counted in moves of players, searches in decisions: 300 simulations each, at decisions of random
games, with the exact belief, against others who play uniformly. `--threads` searches run at the same time; OpenSpiel's
C++ IS-MCTS (`pyspiel.ISMCTSBot` with random rollouts, in `bargaining`) has one thread, and the ratio is of one thread
to one thread. Its tree has decisions of both players, ours those of the searcher.

The network has 256 and 256 units, an output for each action and one for the value; NumPy evaluates the leaves of all
searches of a thread together. `network against network` lets the other player be such a network, too.

An approximate best response learns against uniform play, in one thread, with its default settings (64 simulations) and
with those of table 5 of the paper (300, larger networks): episodes a second, gradient steps included.

Boards of Colored Trails are drawn until the rules keep them, in one thread.

`python benchmarks/negotiation.py [--threads 2] [--seconds 6] [--only search network] [--no-peers]`; the last line is
JSON.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: a thread of ours is a thread

import argparse
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import parlor
from parlor import compile as compiler
from parlor.compile import version
from parlor.compile.kernel import copy, deal, legal, play, start, turn
from parlor.game import CHANCE, OVER, Game
from parlor.game.rng import below, seed_stream
from parlor.game.schema import fields_of
from parlor.games.colored_trails.boards import NUMBERS, draw_boards
from parlor.learn.abr import Abr
from parlor.learn.abr_settings import AbrSettings
from parlor.policies.features import features
from parlor.policies.nets import apply, initial_weights
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import against_all, opponent_arrays
from parlor.search.posterior import OpponentModel, opponent_model
from parlor.search.searches import Searches, SearchSettings

GAME = "deal-or-no-deal"
SIMULATIONS = 300
HIDDEN = (256, 256)
TOGETHER = 128  # searches of a thread whose leaves are evaluated together
PARTS = ("random", "search", "network", "posterior", "abr", "boards")
BOARDS = 25  # drawn together


def decisions(game: Game, count: int) -> tuple[list[Any], list[int]]:
    """Decisions of random games: plain states, and who is to move."""
    states: list[Any] = []
    players, r, moves = [], [0] * 4, [0] * game.actions
    index = 0
    while len(states) < count:
        seed_stream(r, 1, index)
        index += 1
        s: Any = game.new_state()
        game.rules.start(s)
        while (who := game.rules.turn(s)) != OVER:
            if who == CHANCE:
                game.rules.play(s, below(r, game.outcomes))
                continue
            states.append(s.copy())
            players.append(who)
            n = game.rules.legal(s, moves)
            game.rules.play(s, moves[below(r, n)])
    return states[:count], players[:count]


def records(game: Game, states: list[Any]) -> Any:
    """The same for compiled searches."""
    made = compiler.states(game, len(states), True)
    for i, state in enumerate(states):
        for name, value in fields_of(state).items():
            made[i][name] = value
    return made


def uniform(game: Game) -> OpponentModel:
    """The other player moves at random."""
    return opponent_model(game, opponent_arrays(game, np.full((1, game.players), -1), np.ones(1), []))


def a_network(game: Game, outputs: int) -> tuple[tuple[int, ...], Any]:
    sizes = (features(game).size, *HIDDEN, outputs)
    return sizes, initial_weights(sizes, 1)


def as_other(game: Game) -> OpponentModel:
    """The other player is a network that has learned nothing."""
    sizes, weights = a_network(game, game.actions)
    network = NetworkPolicy(game.name, version(game), features(game).code, sizes, weights, 1.0, 1.0)
    return opponent_model(game, opponent_arrays(game, np.zeros((1, game.players), np.int64), np.ones(1), [network]))


def rate(make: Callable[[], Callable[[int], int]], threads: int, seconds: float) -> float:
    """What `threads` of these do in a second: each counts what it has done, call after call, until the time is over."""
    work = [make() for _ in range(threads)]
    for one in work:
        one(0)  # compiled, and in the cache

    def run(number: int) -> int:
        done = index = 0
        while time.perf_counter() < end:
            index += 1
            done += work[number](number + threads * index)
        return done

    begun = time.perf_counter()
    end = begun + seconds
    with ThreadPoolExecutor(threads) as pool:
        done = sum(pool.map(run, range(threads)))
    return done / (time.perf_counter() - begun)


def play_at_random(states: Any, moves: Any, chances: Any, r: Any, seed: int, games: int) -> int:
    """A kernel: games of random moves; returns how many moves players made."""
    made = 0
    start(states[1])
    for index in range(games):
        seed_stream(r, seed, index)
        copy(states, 0, states, 1)
        s = states[0]
        who = turn(s)
        while who != OVER:
            if who == CHANCE:
                play(s, deal(s, chances, r))
            else:
                play(s, int(moves[below(r, legal(s, moves))]))
                made += 1
            who = turn(s)
    return made


def random_play(game: Game) -> Callable[[int], int]:
    kernel, states = compiler.native(play_at_random, game), compiler.states(game, 2, True)
    moves, chances = np.zeros(game.actions, np.int64), np.zeros(game.outcomes)

    def some(index: int) -> int:
        return int(kernel(states, moves, chances, np.zeros(4, np.int64), index, 50_000))

    return some


def searching(game: Game, others: OpponentModel, together: int, network: bool) -> Callable[[int], int]:
    searches = Searches(game, others, together, SearchSettings(SIMULATIONS))
    plain, players = decisions(game, 512)
    states, seats = records(game, plain), np.array(players)
    sizes, weights = a_network(game, game.actions + 1)

    def evaluate(seen: Any) -> tuple[Any, Any]:
        out = apply(sizes, weights, seen)
        return out[:, :-1], out[:, -1]

    def search(index: int) -> int:
        some = np.arange(index * together, (index + 1) * together) % len(seats)
        searches.run(states[some], seats[some], some, evaluate if network else None)
        return together

    return search


def openspiel(seconds: float) -> float:
    """Decisions of its IS-MCTS in a second, at decisions of random games."""
    import pyspiel

    game = pyspiel.load_game("bargaining")
    random, found = np.random.default_rng(1), list[Any]()
    while len(found) < 64:
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                found.append(state.clone())
            state.apply_action(int(random.choice(state.legal_actions())))
    rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.ISMCTSBot(
        1, rollouts, 5.0, SIMULATIONS, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False
    )
    done, begun = 0, time.perf_counter()
    while time.perf_counter() < begun + seconds:
        bot.step(found[done % len(found)])
        done += 1
    return done / (time.perf_counter() - begun)


def posterior(game: Game, others: OpponentModel) -> float:
    """Microseconds for the belief at a decision."""
    plain, players = decisions(game, 512)
    states, seats = records(game, plain), np.array(players)
    searches = Searches(game, others, len(seats), SearchSettings(1))
    searches.believe(states, seats)
    begun, rounds = time.perf_counter(), 20
    for _ in range(rounds):
        searches.believe(states, seats)
    return (time.perf_counter() - begun) / rounds / len(seats) * 1e6


def learning(game: Game, settings: AbrSettings, seconds: float) -> float:
    """Episodes a second of a best response that learns; the first round, in which much is compiled, does not count."""
    abr = Abr(game, settings, 1, against_all(game, [parlor.Policy.uniform(game)]))
    abr.run_to(settings.round)
    begun, before = time.perf_counter(), abr.games
    while time.perf_counter() - begun < seconds:
        abr.run_to(abr.games + settings.round)
    return (abr.games - before) / (time.perf_counter() - begun)


def board_drawing(seconds: float) -> float:
    """Boards of Colored Trails that the rules keep, drawn in a second; a few in ten thousand are kept."""
    kernel, boards, r = compiler.native(draw_boards), np.zeros((BOARDS, NUMBERS), np.int64), np.zeros(4, np.int64)
    kernel(1, 0, boards[:1], r)
    begun, seed = time.perf_counter(), 1
    while time.perf_counter() - begun < seconds:
        seed += 1
        kernel(seed, 0, boards, r)
    return BOARDS * (seed - 1) / (time.perf_counter() - begun)


def main() -> None:
    """Measure, tell, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=6.0, help="for each measurement")
    parser.add_argument("--only", nargs="*", default=PARTS, choices=PARTS)
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args()
    game, threads, seconds = parlor.load(GAME), options.threads, options.seconds
    found: dict[str, float] = {}
    if "random" in options.only:
        found["dond_moves_per_s"] = rate(lambda: random_play(game), threads, seconds)
    if "search" in options.only:
        found["ismcts_rollout_moves_per_s"] = rate(lambda: searching(game, uniform(game), 8, False), threads, seconds)
        if not options.no_peers:
            alone = rate(lambda: searching(game, uniform(game), 8, False), 1, seconds)
            found["ismcts_rollout_one_thread"] = alone
            found["openspiel_ismcts_moves_per_s"] = openspiel(seconds)
            found["ratio_to_openspiel_ismcts"] = alone / found["openspiel_ismcts_moves_per_s"]
    if "network" in options.only:
        for name, others in (("", uniform(game)), ("_against_net", as_other(game))):
            work = rate(partial(searching, game, others, TOGETHER, True), threads, seconds)
            found[f"ismcts_net{name}_moves_per_s"] = work
    if "posterior" in options.only:
        found["posterior_us"] = posterior(game, uniform(game))
        found["posterior_net_us"] = posterior(game, as_other(game))
    if "abr" in options.only:
        found["abr_episodes_per_s"] = learning(game, AbrSettings(), seconds)
        found["abr_paper_episodes_per_s"] = learning(game, AbrSettings(paper=True), seconds)
    if "boards" in options.only:
        found["ct_boards_per_s"] = board_drawing(seconds)
    table = Table(title=f"{GAME}, {threads} threads, {SIMULATIONS} simulations")
    table.add_column("measured")
    table.add_column("", justify="right")
    for name, value in found.items():
        table.add_row(name.replace("_", " "), f"{value:,.1f}")
    Console().print(table)
    print(json.dumps({name: round(value, 2) for name, value in found.items()}))


if __name__ == "__main__":
    main()
