"""Many games at once: each is played on until somebody who searches has a choice; then all of these search together.

Everybody else is a member of a line-up (`parlor.policies.opponents`). Every game has a random stream of its own, named
by a seed and the number of the game, so that it is the same game in whatever company it is played.

Matches of those who search, many games at once: all searches of a seat advance together.

The same moves as at a table, in less time where searches are many; matches of `parlor.arena` take any agents instead.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import FloatArray, IntArray, assign, copy, deal, legal, payoff, play, start, turn
from parlor.game import CHANCE, OVER, Floats, Game, Ints, State
from parlor.game.errors import GameError
from parlor.game.rng import below, choose, mix, seed_stream, uniform
from parlor.learn.buffers import Buffers, new_buffers, write_decision, write_state, write_value
from parlor.learn.experience import OTHER_RULES, TOO_LONG, checked
from parlor.learn.network_search import NATIVE, NetworkSearch, search_seeds
from parlor.policies.features import features
from parlor.policies.opponents import (
    LEARNER,
    NetworkWorkspace,
    OpponentArrays,
    OpponentLineups,
    encode_view,
    member_probabilities,
    opponent_bindings,
    workspace,
)
from parlor.policies.population import Population
from parlor.policies.search_networks import SearchNetworks
from parlor.policies.strategy import Strategy
from parlor.search.searches import SearchResults


class GameArrays(NamedTuple):
    """G games and P players."""

    states: Any  # [G + 2]; the last two are how games start, and a blank one
    streams: Any  # [G, 4]
    lineup: Any  # [G] who plays
    turn: Any  # [G] who is to search, or OVER
    length: Any  # [G] moves and outcomes so far
    payoffs: Any  # [G, P] when a game is over


class BatchWorkspace(NamedTuple):
    """Working memory of the kernels."""

    moves: Any  # [A]
    chances: Any  # [A]
    odds: Any  # [outcomes]
    codes: Any  # [C]
    weights: Any  # [C]
    workspace: NetworkWorkspace


class BatchedGames:
    """Games of one size of round, in which those who are LEARNER in a line-up search."""

    def __init__(self, game: Game, members: OpponentArrays, games: int) -> None:
        self.game, self.members = game, members
        codes = game.hidden.worlds.count if game.hidden.worlds else 0
        door: compiler.Bindings = (
            {note_codes: game.hidden.worlds.possible, note_truth: game.hidden.worlds.hidden}
            if game.hidden.worlds
            else {}
        )
        self._begin, self._decide = compiler.native(begin, game), compiler.native(decide, game, door)
        self._advance = compiler.native(advance, game, opponent_bindings(members))
        self.games = GameArrays(
            compiler.states(game, games + 2, True),
            np.zeros((games, 4), np.int64),
            np.zeros(games, np.int64),
            np.zeros(games, np.int64),
            np.zeros(games, np.int64),
            np.zeros((games, game.players)),
        )
        widest = int(members.sizes.max(initial=1))
        self._workspace = BatchWorkspace(
            np.zeros(game.actions, np.int64),
            np.zeros(game.actions),
            np.zeros(game.outcomes),
            np.zeros(max(codes, 1), np.int64),
            np.zeros(max(codes, 1)),
            workspace(features(game).code, widest, game.actions, compiler.states(game, 1, True), game),
        )

    def begin(self, seed: int, first: int, lineups: Any = None) -> None:
        """New games, numbered from `first`; line-ups are drawn, unless they are given."""
        given = np.zeros(0, np.int64) if lineups is None else np.ascontiguousarray(lineups, np.int64)
        self._begin(self.games, self.members.shares, given, seed, first)

    def advance(self, buffers: Buffers) -> Any:
        """Play on; the numbers of the games in which somebody has to search."""
        checked(self.game, self._advance(self.games, self.members, buffers, self._workspace, self.game.length))
        return np.flatnonzero(self.games.turn != OVER)

    def decide(
        self,
        waiting: Any,
        found: SearchResults,
        buffers: Buffers,
        explore: float = 0.0,
        tried: int = 0,
        unit: float = 1.0,
    ) -> None:
        """In each of these games the searcher makes the move that its search has found.

        With the probability `explore` it draws a move by the visits instead. `tried` moves are drawn, and if they were
        visited, what is seen after them is remembered with their values, times `unit`.
        """
        arrays = found.moves, found.visits, found.values
        self._decide(self.games, waiting, *arrays, buffers, self._workspace, explore, tried, unit)


# --------------------------------------------------------------------------------------------------- kernels


def begin(games: GameArrays, shares: Floats, given: IntArray, seed: int, first: int) -> None:
    """Set up all games."""
    count = len(games.turn)
    states = games.states
    copy(states, count, states, count + 1)  # `start` wants a blank state, also the second time
    start(states[count])
    for g in range(count):
        copy(states, g, states, count)
        seed_stream(games.streams[g], seed, first + g)
        games.lineup[g] = choose(games.streams[g], shares, len(shares)) if len(given) == 0 else given[g]
        games.turn[g] = CHANCE
        games.length[g] = 0


def advance(games: GameArrays, members: OpponentArrays, buffers: Buffers, w: BatchWorkspace, longest: int) -> int:
    """Play every game on until somebody has to search or it is over; a negative number on failure."""
    players = games.payoffs.shape[1]
    for g in range(len(games.turn)):
        if games.turn[g] == OVER:
            continue
        s = games.states[g]
        r = games.streams[g]
        seats = members.lineups[games.lineup[g]]
        while True:
            who = turn(s)
            games.turn[g] = who
            if who == OVER:
                break
            if games.length[g] >= longest:
                return TOO_LONG
            if who == CHANCE:
                move = deal(s, w.odds, r)
            else:
                n = legal(s, w.moves)
                move = w.moves[0]
                if n > 1:
                    if seats[who] == LEARNER:
                        break
                    if not member_probabilities(members, seats[who], s, who, w.moves, n, w.chances, w.workspace):
                        return OTHER_RULES
                    move = w.moves[choose(r, w.chances, n)]
            games.length[g] += 1
            play(s, int(move))
        if games.turn[g] == OVER:
            for p in range(players):
                games.payoffs[g, p] = payoff(s, p)
                if seats[p] == LEARNER and len(buffers.target) > 0:
                    write_state(buffers, w.workspace.active, encode_view(s, p, w.workspace), g * players + p)
    return 0


def decide(
    games: GameArrays,
    waiting: IntArray,
    choice: IntArray,
    visits: IntArray,
    values: FloatArray,
    buffers: Buffers,
    w: BatchWorkspace,
    explore: float,
    tried: int,
    unit: float,
) -> None:
    """Remember what was seen and what the search has found; make its move, and remember what is seen then."""
    players = games.payoffs.shape[1]
    for i in range(len(waiting)):
        g = waiting[i]
        s = games.states[g]
        p = games.turn[g]
        n = legal(s, w.moves)
        if len(buffers.target) > 0:
            count = encode_view(s, p, w.workspace)
            m = note_codes(s, p, w.codes, w.weights)
            write_state(buffers, w.workspace.active, count, g * players + p)
            write_decision(buffers, w.workspace.active, count, w.moves, n, visits[i], w.codes, m, note_truth(s, p))
        move = choice[i]
        if explore > 0.0 and uniform(games.streams[g]) < explore:
            total = 0.0
            for k in range(n):
                total += visits[i, w.moves[k]]
            for k in range(n):
                w.chances[k] = visits[i, w.moves[k]] / total
            move = w.moves[choose(games.streams[g], w.chances, n)]
        for _ in range(tried):
            other = w.moves[below(games.streams[g], n)]
            if visits[i, other] > 0:
                assign(w.workspace.worlds, 0, s)
                play(w.workspace.worlds[0], int(other))
                write_value(
                    buffers,
                    w.workspace.active,
                    encode_view(w.workspace.worlds[0], p, w.workspace),
                    values[i, other] * unit,
                )
        games.length[g] += 1
        play(s, int(move))
        if len(buffers.target) > 0 and turn(s) != OVER:
            write_state(buffers, w.workspace.active, encode_view(s, p, w.workspace), g * players + p)


def note_codes(s: State, p: int, codes: Ints, weights: Floats) -> int:
    """A slot: the codes of what may be hidden from player `p`; none, in a game without them."""
    return 0


def note_truth(s: State, p: int) -> int:
    """A slot: the code of what is hidden from player `p`."""
    return 0


SEARCHING = 1  # names the random streams of searches; those of games have the seed itself


def play_batched_match(
    game: Game,
    seats: Sequence[Strategy],
    games: int,
    seed: int,
    rational: Sequence[bool] = (),
    simulations: int = 0,
    evaluate: str = NATIVE,
) -> Any:
    """[games, players] payoffs of strategies in their seats.

    A population draws a member for each game; where `rational`, it plans against the others' members instead. A network
    that was trained to search when it plays does so; with the belief `true` it searches in the true world, to measure
    what knowing it is worth. `simulations` is 0 for as many as they learned with.
    """
    searchers: dict[int, NetworkSearch] = {}
    for p, one in enumerate(seats):
        search_networks = getattr(one, "search_networks", None)
        if rational and rational[p]:
            searchers[p] = NetworkSearch(
                game, _others(game, p, one), games, _newest(one, p), simulations, evaluate, belief="exact"
            )
        elif search_networks is not None and search_networks.others is not None:
            searchers[p] = NetworkSearch(game, search_networks.others, games, search_networks, simulations, evaluate)
    together = BatchedGames(game, _lineups(game, seats, searchers), games)
    together.begin(seed, 0)
    nothing, played = new_buffers(0, 0, 0, 0), together.games
    while len(waiting := together.advance(nothing)):
        for p, searcher in searchers.items():
            mine = waiting[played.turn[waiting] == p]
            if len(mine):
                seeds = search_seeds(mix(seed, SEARCHING), mine, played.length[mine])
                found = searcher.run(played.states[mine], played.turn[mine], seeds)
                together.decide(mine, found, nothing)
    return played.payoffs.copy()


def _lineups(game: Game, seats: Sequence[Strategy], searchers: dict[int, NetworkSearch]) -> Any:
    """The line-ups of seats that do not search: of populations each member with its probability in the mixture."""
    fixed = [p for p in range(game.players) if p not in searchers]
    choices = []
    for p in fixed:
        one = seats[p]
        mixed = [(one, 1.0)]
        if isinstance(one, Population):
            mixed = list(zip(one.members[p], one.mixture.marginals[p].tolist(), strict=True))
        choices.append([(member, share) for member, share in mixed if share > 0.0])
    found = OpponentLineups(game)
    for chosen in itertools.product(*choices):
        share = float(np.prod([share for _, share in chosen]))
        found.add({p: member for p, (member, _) in zip(fixed, chosen, strict=True)}, share)
    return found.arrays()


def _others(game: Game, player: int, population: Strategy) -> Any:
    found = OpponentLineups(game)
    assert isinstance(population, Population)
    found.add_mixture(player, population.members, population.mixture)
    return found.arrays()


def _newest(population: Strategy, player: int) -> SearchNetworks:
    newest = population.newest[player] if isinstance(population, Population) else None
    search_networks: SearchNetworks | None = getattr(newest, "search_networks", None)
    if search_networks is None:
        raise GameError(f"The newest strategy of player {player} did not learn from search, so it cannot plan on.")
    return search_networks
