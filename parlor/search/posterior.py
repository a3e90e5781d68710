"""The exact posterior of what is hidden, and of who plays, from what the others have done (Bayes' rule).

In games that say what is hidden as a code (`parlor.game.HiddenWorlds`), a player's belief is a weight for each possible
code. The others are one of C line-ups (`parlor.policies.opponents`), each played with its share, or one policy, C = 1.
For every code and line-up, all moves that the others have made have a probability, their likelihood L; then

    chance of a code              ∝  weight by chance alone · Σ_c share_c · L[code, c]
    chance of a line-up, given it ∝  share_c · L[code, c]

What rules out all that has happened counts nothing: then chance alone counts. `BELIEFS` has other beliefs over codes,
good and bad ones, for experiments; what is believed of line-ups given a code is the same in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile import Bindings
from parlor.compile.kernel import (
    FloatArray,
    States,
    copy,
    decision,
    decisions,
    hidden,
    legal,
    possible,
    rewind,
    set_hidden_state,
    turn,
)
from parlor.game import Floats, Game, GameError, Ints
from parlor.game.rng import choose
from parlor.policies.features import features
from parlor.policies.opponents import (
    NetworkWorkspace,
    OpponentArrays,
    member_probabilities,
    opponent_bindings,
    table_probabilities,
    workspace,
)

CHANCE_ALONE, FIRST, LAST, TRUE, EXACT = 0, 1, 2, 3, 4


class BeliefRow(NamedTuple):
    """A belief over codes: its number in kernels, what it is, and whether a player at a table may have it."""

    number: int
    summary: str
    fair: bool = True


BELIEFS: Mapping[str, BeliefRow] = {
    "exact": BeliefRow(EXACT, "the posterior, by all that the others have done"),
    "uniform": BeliefRow(CHANCE_ALONE, "by chance alone: moves say nothing"),
    "first": BeliefRow(FIRST, "the first possible code is the true one (bad1 in the paper)"),
    "last": BeliefRow(LAST, "the last possible code is the true one (bad2)"),
    "true": BeliefRow(TRUE, "the truth (cheat), in training and experiments only", fair=False),
}


def belief_of(name: str) -> BeliefRow:
    """The row of that name."""
    if name not in BELIEFS:
        raise GameError(f"There is no belief {name!r}; there is: {', '.join(BELIEFS)}.")
    return BELIEFS[name]


class PosteriorBelief(NamedTuple):
    """The beliefs of N searchers. W codes, C line-ups. `chances` may be written by whoever knows better."""

    count: Any  # [N] how many codes are possible
    codes: Any  # [N, W] they, ascending
    chances: Any  # [N, W] of each
    evidence: Any  # [N, W] how likely the moves of the others are, given a code
    types: Any  # [N, W, C] of the line-ups, given a code
    drawn: Any  # [N] the place of the code that was drawn last


def new_belief(game: Game, count: int, lineups: int) -> PosteriorBelief:
    """Room for `count` searchers."""
    codes = game.hidden.worlds.count if game.hidden.worlds else 0
    return PosteriorBelief(
        np.zeros(count, np.int64),
        np.zeros((count, codes), np.int64),
        np.zeros((count, codes)),
        np.zeros((count, codes)),
        np.zeros((count, codes, lineups)),
        np.zeros(count, np.int64),
    )


@dataclass(frozen=True, eq=False)
class OpponentModel:
    """The policies of the other players: C line-ups with their shares, and the functions that read them."""

    shares: Any  # [players, C] how often each is played where a player searches; of line-ups for others it is 0
    data: Callable[[bool], Any]  # what `opponent_probabilities` gets, one copy for each thread; compiled or plain
    slots: Bindings  # of `opponent_probabilities` and what it uses


def opponent_model(game: Game, members: OpponentArrays) -> OpponentModel:
    """Line-ups of tables and networks, with their shares whoever searches."""
    return opponent_model_by_seat(game, members, np.tile(members.shares, (game.players, 1)))


def opponent_model_by_seat(game: Game, members: OpponentArrays, shares: Any) -> OpponentModel:
    """The same, with the shares for each player who searches."""
    networks = bool(members.network.any())
    code = features(game).code if networks else np.zeros((0, 3), np.int64)

    def data(compiled: bool) -> PosteriorLineups:
        worlds = compiler.states(game, 1, compiled)
        return PosteriorLineups(members, workspace(code, int(members.sizes.max(initial=0)), game.actions, worlds, game))

    # tables alone compile much faster
    own = opponent_bindings(members) if networks else {member_probabilities: table_probabilities}
    return OpponentModel(shares, data, {opponent_probabilities: lineup_probabilities, **own})


# --------------------------------------------------------------------------------------------------- kernels


class PosteriorLineups(NamedTuple):
    """The data of `lineup_probabilities`."""

    members: OpponentArrays
    workspace: NetworkWorkspace


def opponent_probabilities(
    states: States, g: int, p: int, c: int, moves: Ints, n: int, out: Floats, r: Ints, others: Any
) -> None:
    """A slot: the probabilities of the legal `moves` of player `p`, who is one of line-up `c`."""
    raise RuntimeError


def lineup_probabilities(
    states: States, g: int, p: int, c: int, moves: Ints, n: int, out: Floats, r: Ints, others: PosteriorLineups
) -> None:
    """By the member in that seat; all alike, if that is nobody, or one that does not know these rules."""
    m = others.members.lineups[c, p]
    if m < 0 or not member_probabilities(others.members, m, states[g], p, moves, n, out, others.workspace):
        for i in range(n):
            out[i] = 1.0 / n


class PosteriorScratch(NamedTuple):
    """Working memory of the kernels here and in `parlor.search.ismcts`."""

    past: Any  # [1] a state
    moves: Any  # [actions]
    chances: Any  # [actions] of these
    odds: Any  # [outcomes]
    luck: Any  # [4] the random stream that is drawn from


def likelihoods(
    states: States,
    g: int,
    p: int,
    codes: Ints,
    n: int,
    shares: Floats,
    out: FloatArray,
    b: PosteriorScratch,
    others: Any,
) -> None:
    """Fill out[i, c]: how likely line-up `c` would have moved as it did, if `codes[i]` is hidden from player `p`.

    A line-up without a share gets 0.
    """
    past, moves, chances = b.past, b.moves, b.chances
    lineups = out.shape[1]
    count = decisions(states[g])
    for i in range(n):
        for c in range(lineups):
            out[i, c] = 1.0 if shares[c] > 0.0 else 0.0
        copy(past, 0, states, g)
        s = past[0]
        set_hidden_state(s, p, int(codes[i]))
        for back in range(count):
            k = count - 1 - back
            made = decision(s, k)
            rewind(s, k)
            who = turn(s)
            if who == p:
                continue
            options = legal(s, moves)
            place = -1
            for j in range(options):
                if moves[j] == made:
                    place = j
            if options == 1:
                continue
            for c in range(lineups):
                if out[i, c] > 0.0 and place >= 0:
                    opponent_probabilities(past, 0, who, c, moves, options, chances, b.luck, others)
                    out[i, c] *= chances[place]
                else:
                    out[i, c] = 0.0


def believe(
    belief: PosteriorBelief,
    i: int,
    states: States,
    g: int,
    p: int,
    which: int,
    shares: Floats,
    b: PosteriorScratch,
    others: Any,
) -> None:
    """Fill what searcher `i`, player `p` in `states[g]`, believes of codes and of line-ups."""
    weights, types = belief.chances[i], belief.types[i]
    n = possible(states[g], p, belief.codes[i], weights)
    belief.count[i] = n
    mixed = 0
    for c in range(len(shares)):
        mixed += shares[c] > 0.0
    if which == EXACT or mixed > 1:
        likelihoods(states, g, p, belief.codes[i], n, shares, types, b, others)
    else:  # nothing to tell apart, and not asked for
        for j in range(n):
            for c in range(len(shares)):
                types[j, c] = 1.0 if shares[c] > 0.0 else 0.0
    evidence = 0.0
    for j in range(n):
        total = 0.0
        for c in range(len(shares)):
            types[j, c] *= shares[c]
            total += types[j, c]
        for c in range(len(shares)):
            types[j, c] = types[j, c] / total if total > 0.0 else shares[c]
        belief.evidence[i, j] = total
        evidence += weights[j] * total
    truth = hidden(states[g], p) if which == TRUE else -1
    total = 0.0
    for j in range(n):
        if which == EXACT and evidence > 0.0:
            weights[j] *= belief.evidence[i, j]
        elif (
            (which == FIRST and j > 0)
            or (which == LAST and j < n - 1)
            or (which == TRUE and belief.codes[i, j] != truth)
        ):
            weights[j] = 0.0
        total += weights[j]
    for j in range(n):
        weights[j] /= total


def sample_by_code(worlds: Any, i: int, states: Any, g: int, p: int, r: Ints, belief: PosteriorBelief) -> None:
    """A way to `guess` in searches: a world of a code, drawn as searcher `i` believes."""
    j = choose(r, belief.chances[i], int(belief.count[i]))
    belief.drawn[i] = j
    copy(worlds, i, states, g)
    set_hidden_state(worlds[i], p, int(belief.codes[i, j]))
