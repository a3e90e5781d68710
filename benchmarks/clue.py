"""Clue: how fast deals are counted, beside Ganak, an exact model counter (#SAT); and how fast Clue is played.

A position is counted for the player to move: the number of deals, the tensor of solutions and all card probabilities.
Ganak gets the same facts as a formula and counts the deals alone. Times are CPU time of one thread, ours medians.
`python benchmarks/clue.py [--deals N] [--sat N] [--games N]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from rich.console import Console

from parlor.agents.registry import AGENTS, make_agent
from parlor.arena.match import play_match
from parlor.compile import native
from parlor.compile import states as new_states
from parlor.compile.kernel import copy, legal, odds, play, start, turn
from parlor.game import CHANCE, OVER, Game, State
from parlor.game.loading import load
from parlor.game.rng import below, choose, seed_stream
from parlor.games.clue.deduction.facts import gather
from parlor.games.clue.deduction.formula import deals_formula
from parlor.games.clue.deduction.hands import deck_of, new_counts, new_facts, workspace
from parlor.games.clue.deduction.knowledge import count

GREEDY = "model-counting"
FIRST, LATE = 0, 20  # suggestions before the position: the first turn, and the one after twenty
screen = Console(highlight=False, soft_wrap=True)


def seconds(work: Callable[[], object]) -> float:
    begin = time.thread_time()
    work()
    return time.thread_time() - begin


def positions(game: Game, suggestions: int, deals: int) -> Iterator[State]:
    """The positions after so many random suggestions, none of which wins."""
    stream, out, actions = [0, 0, 0, 0], [0.0] * game.outcomes, [0] * game.actions
    for index in range(deals):
        seed_stream(stream, 0, index)
        s = game.new_state()
        game.rules.start(s)
        while s.suggestions < suggestions or game.rules.turn(s) == CHANCE or s.answering:
            if game.rules.turn(s) == CHANCE:
                game.rules.play(s, choose(stream, out, game.rules.odds(s, out)))
                continue
            after = s.copy()
            game.rules.play(after, actions[below(stream, game.rules.legal(s, actions))])
            s = s if after.over else after
        yield s


class Counted:
    """Times of counting, ours and Ganak's, and whether they agree."""

    def __init__(self, players: int, suggestions: int, deals: int, sat: int) -> None:
        game = load("clue", players=players)
        deck = deck_of(game)
        facts, possible = new_facts(deck, int(game.options["cap"]))
        tensor, cards = new_counts(deck)
        work = workspace(deck)
        ours, self.theirs, self.ratios = [], [], []
        for index, s in enumerate(positions(game, suggestions, deals)):
            took = []
            for _ in range(6):
                gather(s, s.actor, deck, facts, possible)
                took.append(seconds(lambda: native(count)(facts, deck, possible, work, tensor, cards)))
            ours.append(statistics.median(took[1:]))  # the first time it may have to be compiled
            if index < sat:
                gather(s, s.actor, deck, facts, possible)
                found, spent = ganak(deals_formula(facts, deck, possible))
                assert found == round(tensor.sum()), "both should count the same deals"
                self.theirs.append(spent)
                self.ratios.append(spent / ours[-1])
        self.milliseconds = 1000 * statistics.median(ours)
        when = "first turn" if suggestions == FIRST else f"after {suggestions} suggestions"
        beside = f"; Ganak, the number alone, {1000 * statistics.median(self.theirs):,.0f} ms" if self.theirs else ""
        screen.print(f"{players} players, {when}: all probabilities in [bold]{self.milliseconds:.3f} ms[/]{beside}")


def ganak(formula: list[list[int]]) -> tuple[int, float]:
    """The number of models, and the time it took."""
    from pyganak import Counter

    counter = Counter()
    counter.add_clauses(formula)
    begin = time.thread_time()
    found: int = counter.count()
    return found, time.thread_time() - begin


def random_games(states: Any, moves: Any, chances: Any, r: Any, games: int) -> int:
    """Play games at random; returns how many suggestions there were."""
    s = states[0]
    total = 0
    for _ in range(games):
        copy(states, 0, states, 1)
        start(s)
        while True:
            who = turn(s)
            if who == OVER:
                break
            if who == CHANCE:
                play(s, choose(r, chances, odds(s, chances)))
            else:
                play(s, int(moves[below(r, legal(s, moves))]))
        total += s.suggestions
    return total


def random_play(games: int) -> float:
    """Games a second of random players."""
    game = load("clue")
    kernel = native(random_games, game)
    stream: Any = np.zeros(4, np.int64)
    seed_stream(stream, 0, 0)
    arrays = (new_states(game, 2, True), np.zeros(game.actions, np.int64), np.zeros(game.outcomes), stream)
    kernel(*arrays, 10)
    begin = time.thread_time()
    suggestions = kernel(*arrays, games)
    spent = time.thread_time() - begin
    screen.print(f"random play: {games / spent:,.0f} games, [bold]{suggestions / spent:,.0f}[/] suggestions a second")
    return float(games / spent)


def greedy_play(games: int) -> float | None:
    """Games a second of three greedy model counters."""
    if GREEDY not in AGENTS:
        screen.print(f"greedy play: not measured, because there is no agent {GREEDY!r}")
        return None
    game = load("clue")
    agents = [make_agent(GREEDY, game)] * game.players
    play_match(game, agents, 3)  # the first time it may have to be compiled
    begin = time.process_time()
    match = play_match(game, agents, games)
    speed = match.games / (time.process_time() - begin)
    screen.print(f"greedy against greedy, three players: [bold]{speed:,.0f}[/] games a second")
    return float(speed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20, help="positions of each kind")
    parser.add_argument("--sat", type=int, default=5, help="of these, how many Ganak counts, three players, late")
    parser.add_argument("--games", type=int, default=3000, help="random games; a third as many of greedy players")
    chosen = parser.parse_args()
    first3 = Counted(3, FIRST, chosen.deals, min(chosen.sat, 1))
    late3 = Counted(3, LATE, chosen.deals, chosen.sat)
    first6 = Counted(6, FIRST, chosen.deals, 0)
    late6 = Counted(6, LATE, chosen.deals, chosen.sat)
    ratio = statistics.median(late3.ratios) if late3.ratios else None
    result = {
        "tensor_ms_3p_first": first3.milliseconds,
        "tensor_ms_3p_late": late3.milliseconds,
        "tensor_ms_6p_first": first6.milliseconds,
        "tensor_ms_6p_late": late6.milliseconds,
        "ratio_to_sat": ratio,
        "games_per_s_random": random_play(chosen.games),
        "games_per_s_greedy": greedy_play(chosen.games // 3),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
