"""Information-set Monte-Carlo tree search that answers the others: many searches, in batches.

Algorithm 3 in Li et al., *Combining tree-search, generative models, and Nash bargaining concepts in game-theoretic
reinforcement learning* (2023), after IS-MCTS-BR (Timbers et al., 2022) and POMCP (Silver and Veness, 2010). A
simulation draws what is hidden from the searching player, and who the others are, by its belief
(`parlor.search.posterior`); the others move as such players do, and chance as it does; the searcher goes down its tree
(`parlor.search.forest`) to a decision that is not in it yet. That leaf is evaluated: it gets a value, and priors of its
moves. The value, or at the end of the game what the payoffs are worth (`parlor.search.backups`), is backed up on the
path.

A leaf is evaluated by a function: rollouts or a network inside the kernel (`evaluate_leaf`), or outside, for the
leaves of all searches at once, see `parlor.search.searches`.

These are the kernels; `parlor.search.searches` runs them for many states, `parlor.agents.searching.search` at a table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlor.compile import Bindings
from parlor.compile.kernel import deal, legal, payoff, play, turn
from parlor.game import CHANCE, OVER, Floats, Ints
from parlor.game.rng import choose, draw, seed_stream
from parlor.policies.nets import forward, softmax
from parlor.policies.opponents import NetworkWorkspace, encode_view
from parlor.search.backups import GOALS, backed_up
from parlor.search.forest import Forest, add_leaf, back_up, best_edge, choose_edge, clear, find_node, follow
from parlor.search.learned.weighed_worlds import sample_weighed, weigh_worlds
from parlor.search.posterior import PosteriorBelief, PosteriorScratch, believe, opponent_probabilities, sample_by_code
from parlor.search.rollout import (
    Rollout,
    SearchedMove,
    SearchFindings,
    estimate,
    move_by_policy,
    propose,
    rollout_probabilities,
)
from parlor.search.world_table import concrete_key, sample_world

# --------------------------------------------------------------------------------------------------- kernels


class Search(NamedTuple):
    """The data of T searches, for kernels."""

    forest: Forest
    worlds: Any  # [T] the games that are simulated
    scratch: PosteriorScratch
    belief: Any  # a `Belief`, or what `guess` gets
    lineup: Any  # [T] who the others are in this simulation
    streams: Any  # [T, 4]
    done: Any  # [T] simulations
    pace: Any  # [1] how many at once, where there is a clock
    priors: Any  # [actions]
    payoffs: Any  # [players]
    shares: Any  # [players, C] of the line-ups
    moves: Any  # [T, actions] the legal moves at the root
    options: Any  # [T] how many
    best: Any  # [T] the place of the best among them
    others: Any  # the data of `opponent_probabilities`
    rollout: Rollout  # the searcher's own moves in rollouts
    leaf: Any  # the data of `evaluate_leaf`
    simulations: int
    c: float
    backup: int
    which: int  # belief
    greedy: bool  # the operator is max


def update_belief(b: Search, t: int, states: Any, g: int, p: int) -> None:
    """A slot: what is believed at the root; by default nothing: worlds are drawn one by one."""


def update_posterior(b: Search, t: int, states: Any, g: int, p: int) -> None:
    """The posterior, or another belief over codes."""
    believe(b.belief, t, states, g, p, b.which, b.shares[p], b.scratch, b.others)


def update_weighed(b: Search, t: int, states: Any, g: int, p: int) -> None:
    """Worlds that a learned belief has weighed."""
    weigh_worlds(b.belief, t, states, g, p, b.scratch.luck)


def draw_lineup(b: Search, t: int, p: int) -> int:
    """A slot: who the others are in a world that was drawn; by default there is only one line-up."""
    return 0


def draw_lineup_by_code(b: Search, t: int, p: int) -> int:
    """By the posterior, given the code that was drawn."""
    lineups = b.shares.shape[1]
    return choose(b.scratch.luck, b.belief.types[t, b.belief.drawn[t]], lineups) if lineups > 1 else 0


def draw_lineup_by_share(b: Search, t: int, p: int) -> int:
    """By its share, whatever is hidden."""
    lineups = b.shares.shape[1]
    return choose(b.scratch.luck, b.shares[p], lineups) if lineups > 1 else 0


#: What is bound where what is hidden has a code.
BY_CODE: Bindings = {sample_world: sample_by_code, update_belief: update_posterior, draw_lineup: draw_lineup_by_code}
#: What is bound where a learned belief weighs worlds, besides `parlor.search.learned.weighed_worlds.weighing`.
BY_WEIGHT: Bindings = {sample_world: sample_weighed, update_belief: update_weighed, draw_lineup: draw_lineup_by_share}


def move_other(b: Search, t: int, who: int, n: int) -> None:
    """A slot: a move of another player, who has `n` legal ones; by default drawn as `opponent_probabilities` says."""
    moves, chances, luck = b.scratch.moves, b.scratch.chances, b.scratch.luck
    i = 0
    if n > 1:
        opponent_probabilities(b.worlds, t, who, int(b.lineup[t]), moves, n, chances, luck, b.others)
        i = choose(luck, chances, n)
    play(b.worlds[t], int(moves[i]))


def move_as_policy(b: Search, t: int, who: int, n: int) -> None:
    """The policy of rollouts moves for everybody."""
    move_by_policy(b.worlds, t, who, b.rollout)


def policy_probabilities(
    states: Any, g: int, p: int, c: int, moves: Ints, n: int, out: Floats, r: Ints, others: Any
) -> None:
    """The policy's probabilities; all alike where it does not know the place."""
    rollout_probabilities(states, g, p, moves, n, out, r, others)
    if out[0] < 0.0:
        for i in range(n):
            out[i] = 1.0 / n


def uniform_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """Every move with the same probability: the policy of rollouts, unless there is another."""
    for i in range(n):
        out[i] = 1.0 / n


def begin(b: Search, t: int, states: Any, g: int, p: int, seed: int) -> None:
    """Plant a tree for player `p` in `states[g]`."""
    clear(b.forest, t)
    n = legal(states[g], b.scratch.moves)
    b.options[t] = n
    for k in range(n):
        b.moves[t, k] = b.scratch.moves[k]
    b.done[t] = b.simulations if n == 1 else 0  # then there is nothing to search
    b.best[t] = 0
    seed_stream(b.scratch.luck, seed, 0)
    update_belief(b, t, states, g, p)
    save_luck(b, t)


def save_luck(b: Search, t: int) -> None:
    """Put the stream away until the search goes on."""
    for i in range(4):
        b.streams[t][i] = b.scratch.luck[i]


def restore_luck(b: Search, t: int) -> None:
    """The stream of a search."""
    for i in range(4):
        b.scratch.luck[i] = b.streams[t][i]


def descend(b: Search, t: int, p: int) -> bool:
    """Play from the root to a leaf; false if that is the end of the game."""
    f, s, moves = b.forest, b.worlds[t], b.scratch.moves
    f.length[t] = 0
    who = turn(s)
    while who != OVER:
        if who == CHANCE:
            play(s, int(deal(s, b.scratch.odds, b.scratch.luck)))
        else:
            n = legal(s, moves)
            if who != p:
                move_other(b, t, who, n)
            elif n == 1:
                play(s, int(moves[0]))
            else:
                node = find_node(f, t, concrete_key(s, p), n)
                if node < 0:
                    return True
                k = choose_edge(f, t, node, n, b.c)
                follow(f, t, node, k, n)
                play(s, int(moves[k]))
        who = turn(s)
    return False


def outcome(b: Search, t: int, p: int) -> float:
    """Return the backed-up value of a game that is over."""
    for q in range(len(b.payoffs)):
        b.payoffs[q] = payoff(b.worlds[t], q)
    return backed_up(b.payoffs, p, b.backup)


def evaluate_leaf(b: Search, t: int, p: int) -> float:
    """A slot: the value of a leaf, and the priors of its moves; by default a rollout, and what the policy proposes."""
    s, n = b.worlds[t], b.forest.width[t]
    propose(b.worlds, t, p, b.scratch.moves, n, b.priors, b.scratch.luck, b.rollout.policy)
    share_priors(b.priors, n)
    for _ in range(b.rollout.horizon):
        who = turn(s)
        if who == OVER:
            break
        if who == CHANCE:
            play(s, int(deal(s, b.scratch.odds, b.scratch.luck)))
        elif who == p:
            move_by_policy(b.worlds, t, who, b.rollout)
        else:
            move_other(b, t, who, legal(s, b.scratch.moves))
    if turn(s) == OVER:
        return outcome(b, t, p)
    estimate(b.worlds, t, b.payoffs, b.rollout.policy)
    return backed_up(b.payoffs, p, b.backup)


def appraise(states: Any, g: int, p: int, moves: Any, n: int, priors: Any, data: Any) -> float:
    """A slot: the value of `states[g]` to player `p`, who is to move, and priors of its moves; of an agent's `data`."""
    raise RuntimeError


def evaluate_leaf_by_policy(b: Search, t: int, p: int) -> float:
    """The value and the priors that the policy itself can tell, without a rollout."""
    return appraise(b.worlds, t, p, b.scratch.moves, b.forest.width[t], b.priors, b.rollout.policy)


def share_priors(priors: Any, n: int) -> None:
    """Half of what was proposed, in proportion, and half all alike; all alike, if nothing was proposed."""
    total = 0.0
    for k in range(n):
        total += max(priors[k], 0.0)
    for k in range(n):
        priors[k] = 0.5 * max(priors[k], 0.0) / total + 0.5 / n if total > 0.0 else 1.0 / n


def propose_nothing(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """A policy of an abstraction knows no concrete moves."""
    for i in range(n):
        out[i] = 0.0


class LeafNetwork(NamedTuple):
    """A network with an output for each action, logits, and a last one, the value divided by `scale`."""

    sizes: Any
    weights: Any
    workspace: NetworkWorkspace
    scale: float


def evaluate_leaf_by_network(b: Search, t: int, p: int) -> float:
    """The value and the priors of a leaf by a network, inside the kernel: for one search at a time."""
    leaf, n, moves = b.leaf, b.forest.width[t], b.scratch.moves
    count = encode_view(b.worlds[t], p, leaf.workspace)
    forward(leaf.sizes, leaf.weights, leaf.workspace.active, count, leaf.workspace.layers, leaf.workspace.outputs)
    for k in range(n):
        leaf.workspace.values[k] = leaf.workspace.outputs[moves[k]]
    softmax(leaf.workspace.values, n, 1.0, b.priors)
    return float(leaf.workspace.outputs[leaf.sizes[len(leaf.sizes) - 1] - 1] * leaf.scale)


def simulate(b: Search, t: int, states: Any, g: int, p: int, simulations: int) -> None:
    """So many simulations, with leaves that are evaluated inside the kernel."""
    restore_luck(b, t)
    for _ in range(simulations):
        sample_world(b.worlds, t, states, g, p, b.scratch.luck, b.belief)
        b.lineup[t] = draw_lineup(b, t, p)
        if descend(b, t, p):
            value = evaluate_leaf(b, t, p)
            add_leaf(b.forest, t, b.priors, value)
        else:
            value = outcome(b, t, p)
        back_up(b.forest, t, value, b.greedy)
        b.done[t] += 1
    save_luck(b, t)
    b.best[t] = best_edge(b.forest, t, int(b.options[t]))


def search_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, b: Search) -> None:
    """An agent's probabilities: all on the move that was tried most."""
    b.forest.used[0] = 0
    begin(b, 0, states, g, p, draw(r))
    simulate(b, 0, states, g, p, b.simulations)
    choose_root(b, n, out)


def choose_root(b: Search, n: int, out: Floats) -> None:
    """All on the best move at the root."""
    for i in range(n):
        out[i] = 1.0 if i == b.best[0] else 0.0


def search_probabilities_so_far(
    states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, b: Search
) -> None:
    """The same after some more simulations, as many as `pace` says; it begins where there are no moves at the root."""
    if b.options[0] == 0:
        b.forest.used[0] = 0
        begin(b, 0, states, g, p, draw(r))
    simulate(b, 0, states, g, p, int(b.pace[0]))
    choose_root(b, n, out)


def init_trees(b: Search, states: Any, first: int, n: int, players: Any, seeds: Any) -> None:
    """Begin the searches of `n` states."""
    b.forest.used[0] = 0
    for t in range(n):
        begin(b, t, states, first + t, int(players[first + t]), int(seeds[first + t]))


def update_beliefs(b: Search, states: Any, first: int, n: int, players: Any) -> None:
    """Compute the beliefs in `n` states, without a search."""
    for t in range(n):
        seed_stream(b.scratch.luck, 0, 0)
        update_belief(b, t, states, first + t, int(players[first + t]))


def simulate_all(b: Search, states: Any, first: int, n: int, players: Any, most: int) -> None:
    """At most so many simulations of each search."""
    for t in range(n):
        more = min(most, int(b.simulations - b.done[t]))
        if more > 0:
            simulate(b, t, states, first + t, int(players[first + t]), more)


class Leaves(NamedTuple):
    """Leaves that are evaluated outside, at most T of them."""

    count: Any  # [1]
    search: Any  # [T] whose they are
    features: Any  # [T, F] what the searcher sees there
    logits: Any  # [T, actions] the answer: of its moves
    values: Any  # [T]
    workspace: NetworkWorkspace


def advance(b: Search, states: Any, first: int, n: int, players: Any, leaves: Leaves) -> None:
    """The leaves that were evaluated become nodes; then every search goes on to its next leaf."""
    for i in range(leaves.count[0]):
        expand(b, int(leaves.search[i]), leaves.logits[i], float(leaves.values[i]))
    count = 0
    for t in range(n):
        p = int(players[first + t])
        restore_luck(b, t)
        while b.done[t] < b.simulations:
            sample_world(b.worlds, t, states, first + t, p, b.scratch.luck, b.belief)
            b.lineup[t] = draw_lineup(b, t, p)
            if descend(b, t, p):
                leaves.search[count] = t
                for j in range(leaves.features.shape[1]):
                    leaves.features[count, j] = 0.0
                for i in range(encode_view(b.worlds[t], p, leaves.workspace)):
                    leaves.features[count, leaves.workspace.active[i]] = 1.0
                count += 1
                break
            back_up(b.forest, t, outcome(b, t, p), b.greedy)
            b.done[t] += 1
        save_luck(b, t)
        b.best[t] = best_edge(b.forest, t, int(b.options[t]))
    leaves.count[0] = count


def expand(b: Search, t: int, logits: Any, value: float) -> None:
    """A leaf becomes a node, with the priors and the value that it was given."""
    moves, chances = b.scratch.moves, b.scratch.chances
    n = legal(b.worlds[t], moves)
    for k in range(n):
        chances[k] = logits[moves[k]]
    softmax(chances, n, 1.0, b.priors)
    add_leaf(b.forest, t, b.priors, value)
    back_up(b.forest, t, value, b.greedy)
    b.done[t] += 1


def findings_of(b: Search) -> SearchFindings:
    """Return the findings of the last search, for whoever looks into its mind."""
    f, goal = b.forest, GOALS[b.backup]
    edges = [(int(b.moves[0][k]), f.first[0, 0] + k) for k in range(int(b.options[0]) if f.nodes[0] else 0)]
    moves = [SearchedMove(a, int(f.tries[e]), float(f.sums[e] / f.tries[e]) if f.tries[e] else None) for a, e in edges]
    if not isinstance(b.belief, PosteriorBelief):
        return SearchFindings(tuple(moves), goal)
    n = int(b.belief.count[0])
    chances = zip(b.belief.codes[0, :n].tolist(), b.belief.chances[0, :n].tolist(), strict=True)
    return SearchFindings(tuple(moves), goal, tuple(chances))
