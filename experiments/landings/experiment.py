"""How often each space of the classic board is landed on: by our rules, by an exact Markov chain, and as published.

Nobody buys or bids, so that only the dice, the cards and the jail move the tokens. In one run everybody leaves jail at
once for the fine, in the other everybody stays until doubles or the third miss. A roll counts for the space where the
token rests when everything it brought is done; who is in jail counts there, and not as a visitor. Cards to get out of
jail are given back at once, so that every pile has sixteen cards, as in the chain, where each is as likely every time.

    python -m experiments landings            # writes experiments/landings/report.md
    python -m experiments landings --games 500 --out -
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import copy, legal, odds, play, start, turn
from parlor.compile.random_games import RandomGamesScratch
from parlor.game import CHANCE, OVER
from parlor.game.loading import load
from parlor.game.rng import choose, seed_stream
from parlor.games.leodopoly.boards import CLASSIC_BOARD
from parlor.games.leodopoly.state import BUYING_NOW, DICE, SELLING

GAME = "leodopoly(preset=classic)"
WARM_UP = 50  # rounds that do not count: everybody begins on the first space
SPACES = 40
IN_JAIL = 40  # the place of those who are in jail; 10 is for visitors
PLACES = 41
GO, JAIL, GO_TO_JAIL = 0, 10, 30

# ------------------------------------------------------------------------------------------------ by the compiled rules


def count_landings(scratch: RandomGamesScratch, seed: int, leave: bool, counts: Any) -> None:
    """Play a game for each row of counts: [game, place]."""
    states, moves, chances, r = scratch
    start(states[1])
    for index in range(len(counts)):
        seed_stream(r, seed, index)
        copy(states, 0, states, 1)
        s = states[0]
        roller = -1
        who = turn(s)
        while who != OVER:
            if who == CHANCE:
                if s.phase == DICE:
                    if roller >= 0 and s.round >= WARM_UP:
                        counts[index][IN_JAIL if s.jailed[roller] else s.position[roller]] += 1
                    roller = s.actor
                n = odds(s, chances)
                move = choose(r, chances, n)
            else:
                n = legal(s, moves)
                if s.phase == SELLING:  # in jail: roll, or pay
                    move = moves[n - 1] if leave else moves[0]
                else:
                    move = moves[1] if s.phase == BUYING_NOW else moves[0]  # decline, no bid
            play(s, move)
            s.pardon[0] = 0
            s.pardon[1] = 0
            who = turn(s)


class Frequencies(NamedTuple):
    """Shares of all rolls by place, and half the width of their 95 % intervals."""

    rolls: int
    share: Any
    margin: Any

    def cell(self, place: int) -> str:
        """In percent."""
        return f"{100 * self.share[place]:.3f} ± {100 * self.margin[place]:.3f}"


def measured(leave: bool, games: int, seed: int) -> Frequencies:
    """By playing games, which are independent of each other."""
    game = load(GAME)
    scratch = RandomGamesScratch(
        compiler.states(game, 2, True),
        np.zeros(game.actions, np.int64),
        np.zeros(game.outcomes),
        np.zeros(4, np.int64),
    )
    counts = np.zeros((games, PLACES), np.int64)
    compiler.native(count_landings, game)(scratch, seed, leave, counts)
    total = counts.sum()
    share = counts.sum(axis=0) / total
    # the share is a ratio of sums over games: its variance comes from each game's own deviation from it
    deviation = counts - share * counts.sum(axis=1, keepdims=True)
    error = np.sqrt((deviation**2).sum(axis=0) * games / max(games - 1, 1)) / total
    return Frequencies(int(total), share, 1.96 * error)


# --------------------------------------------------------------------------------------------- by an exact Markov chain


def rest(space: int) -> Any:
    """Where a token rests that the dice have brought to a space: [place] probabilities."""
    places = np.zeros(PLACES)
    stay, moves = 1.0, []
    if space == GO_TO_JAIL:
        stay, moves = 0.0, [(1.0, IN_JAIL)]
    elif space in (2, 17, 33):  # Community Chest
        stay, moves = 14 / 16, [(1 / 16, GO), (1 / 16, IN_JAIL)]
    elif space in (7, 22, 36):  # Chance
        station = min((s for s in (5, 15, 25, 35) if s > space), default=5)
        utility = 28 if 12 <= space < 28 else 12
        targets = [GO, IN_JAIL, 11, 24, 39, 5, station, station, utility]
        stay, moves = 6 / 16, [(1 / 16, target) for target in targets]
        places += rest(space - 3) / 16
    places[space] += stay
    for chance, place in moves:
        places[place] += chance
    return places


def exact(leave: bool, again: bool = False) -> Any:
    """The stationary shares of the places: a chain over (space, doubles in a row) and three attempts in jail.

    By the rules, doubles that lead out of jail are not rolled again; with `again` they are.
    """
    in_jail = 3 * SPACES
    matrix = np.zeros((in_jail + 3, in_jail + 3))

    def arrive(row: int, chance: float, space: int, doubles: int) -> None:
        places = rest(space % SPACES)
        for place in range(SPACES):
            matrix[row, doubles * SPACES + place] += chance * places[place]
        matrix[row, in_jail] += chance * places[IN_JAIL]

    for first in range(1, 7):
        for second in range(1, 7):
            steps, double = first + second, first == second
            for doubles in range(3):
                for space in range(SPACES):
                    row = doubles * SPACES + space
                    if double and doubles == 2:
                        matrix[row, in_jail] += 1 / 36
                    else:
                        arrive(row, 1 / 36, space + steps, doubles + 1 if double else 0)
            for attempt in range(3):
                row = in_jail + attempt
                if leave:
                    arrive(row, 1 / 36, JAIL + steps, 1 if double else 0)
                elif double or attempt == 2:
                    arrive(row, 1 / 36, JAIL + steps, 1 if double and again else 0)
                else:
                    matrix[row, row + 1] += 1 / 36
    size = len(matrix)
    equations = np.vstack([matrix.T - np.eye(size), np.ones(size)])
    shares = np.linalg.lstsq(equations, np.append(np.zeros(size), 1.0), rcond=None)[0]
    places = np.zeros(PLACES)
    places[:SPACES] = shares[:in_jail].reshape(3, SPACES).sum(axis=0)
    places[IN_JAIL] = shares[in_jail:].sum()
    return places


# ----------------------------------------------------------------------------------------------------------- the report

#: In percent, by place, as read in the sources below; figures that we could not read ourselves are not here.
PUBLISHED_LEAVE = {24: 3.18, 0: 3.09}
PUBLISHED_STAY = {IN_JAIL: 9.46, JAIL: 2.14}
SOURCES = """\
Published: leaving at once, Project Euler, problem 84 (Illinois Avenue 3.18, GO 3.09, jail and its visitors together
6.24; the chain has {together:.2f}); staying, Durrett, *Essentials of Stochastic Processes*, figure 1.1, a simulation.
The best known tables are those of Collins, *Probabilities in the Game of Monopoly* (tkcs-collins.com), which we could
not read: they are not compared here.

Durrett's {durrett} % in jail are not the {ours:.2f} % of the rules. The chain has {again:.2f} % if doubles that lead
out of jail are rolled again, which the rules do not allow: he may have counted so. That is our guess, from one figure.
"""


def name_of(place: int) -> str:
    """A space, or jail."""
    return "in jail" if place == IN_JAIL else "Jail, visiting" if place == JAIL else CLASSIC_BOARD[place].name


def report(games: int, seed: int) -> str:
    """The table, and how far the rules are from the chain."""
    left, stayed = measured(True, games, seed), measured(False, games, seed + 1)
    leaving, staying, again = exact(True), exact(False), exact(False, again=True)
    lines = [
        "# How often the classic board is landed on",
        "",
        "Made by `python -m experiments landings" + (f" --games {games}" if games != GAMES else "") + "`.",
        "",
        *(__doc__ or "").split("\n\n")[1].splitlines(),
        "",
        f"{left.rolls:,} and {stayed.rolls:,} rolls in {games:,} games of `{GAME}` each, from round {WARM_UP + 1}",
        f"on; seeds {seed} and {seed + 1}. In percent of all rolls; 95 % intervals from the differences between games.",
        "",
        "| place | leaving at once | exact | published | staying | exact | exact, rolling again | published |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for k in sorted(range(PLACES), key=lambda k: -leaving[k]):
        cells = [name_of(k), left.cell(k), percent(leaving[k]), f"{PUBLISHED_LEAVE.get(k, '')}"]
        cells += [stayed.cell(k), percent(staying[k]), percent(again[k]), f"{PUBLISHED_STAY.get(k, '')}"]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", *distance("who leave at once", left, leaving), *distance("who stay", stayed, staying), ""]
    together = 100 * (leaving[JAIL] + leaving[IN_JAIL])
    durrett, ours, rolled = PUBLISHED_STAY[IN_JAIL], 100 * staying[IN_JAIL], 100 * again[IN_JAIL]
    lines.append(SOURCES.format(together=together, durrett=durrett, ours=ours, again=rolled))
    return "\n".join(lines)


def percent(share: float) -> str:
    """With four digits, as published figures are given."""
    return f"{100 * share:.4f}"


def distance(who: str, found: Frequencies, chain: Any) -> list[str]:
    """How well the rules agree with the chain."""
    inside = int((np.abs(found.share - chain) <= found.margin).sum())
    largest = 100 * np.abs(found.share - chain).max()
    return [
        f"Of those {who}, {inside} of {PLACES} intervals hold the exact share (39 are expected); the largest distance",
        f"is {largest:.4f} points.",
    ]


GAMES = 20_000


def main() -> None:
    """Write the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=GAMES, help="games of each kind")
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--out", default=str(Path(__file__).with_name("report.md")), help="the file to write, or -")
    options = parser.parse_args()
    text = report(options.games, options.seed)
    if options.out == "-":
        sys.stdout.write(text)
    else:
        Path(options.out).write_text(text)
