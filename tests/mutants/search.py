"""Mistakes in searches, beliefs and what they learn."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

FOREST = "tests/search/test_hand_forest.py"
ISMCTS = "tests/search/test_hand_ismcts.py"
POSTERIOR = "tests/search/test_hand_posterior.py"
MCTS = "tests/search/test_hand_mcts.py"
MAX_N = "tests/search/test_hand_max_n.py"
BELIEF = "tests/search/test_hand_belief.py"

UNSEEN = "tests/search/test_unseen.py"

MISTAKES: list[Mistake] = [
    *of(
        "search/seen_events.py",
        ("an unseen move is an event", "if not goes_unnoticed(before, move, player):", "if move:", UNSEEN),
        ("an unseen move is what was seen", " and not unseen_by(world, a, player)]", "]", UNSEEN),
        ("unseen moves weigh as much as seen ones", "else 1.0 / len(actions)", "else 1.0", UNSEEN),
        ("since the last event nothing has happened", "total = 1.0 + sum(", "total = 1.0 + 0.0 * sum(", UNSEEN),
        ("only one move goes unseen", "waiting += [", "waiting += [] if path else [", UNSEEN),
    ),
    *of(
        "search/belief.py",
        ("steps drawn anew are always taken", "fitted / path[i + 1].fitted", "2.0", UNSEEN),
    ),
    *of(
        "game/seats/observation.py",
        ("agents count what they do not notice", "if happened is not None:", "if True:", UNSEEN),
    ),
    *of(
        "search/forest.py",
        (
            "a move that was not tried counts nothing",
            "value = f.sums[first + k] / tries if tries > 0 else mean",
            "value = f.sums[first + k] / tries if tries > 0 else 0.0",
            FOREST,
        ),
        (
            "the bonus grows with all visits",
            "wide = c * math.sqrt(f.visits[t, node])",
            "wide = c * f.visits[t, node]",
            FOREST,
        ),
        ("rare moves count as often ones", "if OFTEN * f.tries[e] >= most:", "if f.tries[e] > 0:", FOREST),
        (
            "the best edge is the one of the greatest sum",
            "more = f.tries[e] - f.tries[b]",
            "more = f.sums[e] - f.sums[b]",
            FOREST,
        ),
        ("a new node has no value", "f.totals[t, node] = value", "f.totals[t, node] = 0.0", FOREST),
        (
            "the span forgets the least",
            "f.span[t, MIN_VALUE] = min(f.span[t, MIN_VALUE], value)",
            "f.span[t, MIN_VALUE] = value",
            FOREST,
        ),
    ),
    *of(
        "search/backups.py",
        ("envy is that of the others", "if payoffs[q] > payoffs[p]:", "if payoffs[q] < payoffs[p]:", ISMCTS),
        ("the product keeps negative payoffs", "value *= max(payoffs[q], 0.0)", "value *= payoffs[q]", ISMCTS),
    ),
    *of(
        "search/ismcts.py",
        (
            "every seat learns what seat 0 gets",
            "    return backed_up(b.payoffs, p, b.backup)\n\n\ndef evaluate_leaf(",
            "    return backed_up(b.payoffs, 0, b.backup)\n\n\ndef evaluate_leaf(",
            ISMCTS,
        ),
        (
            "an estimate is taken for the own payoff",
            "    estimate(b.worlds, t, b.payoffs, b.rollout.policy)\n    return backed_up(b.payoffs, p, b.backup)",
            "    estimate(b.worlds, t, b.payoffs, b.rollout.policy)\n    return b.payoffs[p]",
            ISMCTS,
        ),
        (
            "logits are read by place",
            "leaf.workspace.values[k] = leaf.workspace.outputs[moves[k]]",
            "leaf.workspace.values[k] = leaf.workspace.outputs[k]",
            ISMCTS,
        ),
        (
            "the value of a network is not in points",
            "return float(leaf.workspace.outputs[leaf.sizes[len(leaf.sizes) - 1] - 1] * leaf.scale)",
            "return float(leaf.workspace.outputs[leaf.sizes[len(leaf.sizes) - 1] - 1])",
            ISMCTS,
        ),
        (
            "who the others are is drawn by the shares",
            "return choose(b.scratch.luck, b.belief.types[t, b.belief.drawn[t]], lineups) if lineups > 1 else 0",
            "return 0",
            ISMCTS,
        ),
    ),
    *of(
        "search/posterior.py",
        ("what the others did says nothing", "out[i, c] *= chances[place]", "out[i, c] *= 1.0", POSTERIOR),
        (
            "one's own moves are evidence too",
            "            if who == p:\n                continue\n",
            "",
            POSTERIOR,
        ),
        (
            "shares of line-ups do not count",
            "types[j, c] *= shares[c]",
            "types[j, c] *= shares[c] > 0.0",
            POSTERIOR,
        ),
        (
            "chance forgets its odds where moves speak",
            "weights[j] *= belief.evidence[i, j]",
            "weights[j] = belief.evidence[i, j]",
            POSTERIOR,
        ),
        ("the last code is the first", "(which == LAST and j < n - 1)", "(which == LAST and j > 0)", POSTERIOR),
    ),
    *of(
        "search/search_policy.py",
        (
            "a search is asked for the first information set only",
            "reached = np.isin(t.parent, played)",
            "reached = np.isin(t.parent, played[:1])",
            ISMCTS,
        ),
    ),
    *of(
        "search/mcts.py",
        (
            "payoffs are not scaled by their span",
            "mean = (b.totals[e] / b.tries[e] - b.span[MIN_VALUE]) * scale",
            "mean = b.totals[e] / b.tries[e]",
            MCTS,
        ),
        ("the bonus forgets tries", "math.sqrt(wide / b.tries[e])", "math.sqrt(wide)", MCTS),
        (
            "everybody counts the searcher's payoff",
            "b.totals[path[i][1]] += b.values[path[i][2]]",
            "b.totals[path[i][1]] += b.values[p]",
            MCTS,
        ),
        (
            "simulations of moves have luck of their own",
            "seed_stream(luck, seed, int(b.tries[edge]))",
            "seed_stream(luck, seed, int(b.visits[0]))",
            MCTS,
        ),
    ),
    *of(
        "search/rollout.py",
        ("moves are proposed worst first", "if scores[i] > scores[best]:", "if scores[i] < scores[best]:", MCTS),
        ("a rollout goes on after its horizon", "for _ in range(b.horizon):", "for _ in range(b.horizon + 1):", MCTS),
    ),
    *of(
        "search/max_n.py",
        (
            "rollouts are added up",
            "b.values[d][q] += b.sample[q] / b.rollouts",
            "b.values[d][q] += b.sample[q]",
            MAX_N,
        ),
        ("worlds do not add up", "b.totals[k] += b.values[1][p]", "b.totals[k] = b.values[1][p]", MAX_N),
        (
            "outcomes count alike",
            "values[q] += chance * below[q]",
            "values[q] += below[q]",
            MAX_N,
        ),
        (
            "what bounds another is what it gets itself",
            "most = b.shared - b.values[d + 1][who] if inner else b.values[d + 1][q]",
            "most = b.values[d + 1][q]",
            MAX_N,
        ),
    ),
    *of(
        "search/belief.py",
        (
            "a world does not count its odds",
            "return list(enumerate(odds[: game.rules.odds(state, odds)]))",
            "return [(a, 1.0) for a in range(game.rules.odds(state, odds)) if odds[a] > 0.0]",
            BELIEF,
        ),
        (
            "every change of a history is accepted",
            "node = _Particle(world, node, action, chance)\nratio *= chance / path[ply + 1].chance",
            "node = _Particle(world, node, action, chance)\nratio = 2.0",
            BELIEF,
        ),
        (
            "a particle does not weigh what it was drawn from",
            "grown.append((_Particle(world, particle, action, chance), weight * total))",
            "grown.append((_Particle(world, particle, action, chance), weight))",
            BELIEF,
        ),
    ),
    *of(
        "search/tracking.py",
        (
            "a carried world does not count how likely it was",
            "grown.append((step[0], weight * step[1]))",
            "grown.append((step[0], weight))",
            BELIEF,
        ),
        (
            "worlds are drawn again with their old weights",
            "[(world, 1.0 / count) for world in resampled(worlds, weights, count, stream)]",
            "[(world, weights[0]) for world in resampled(worlds, weights, count, stream)]",
            BELIEF,
        ),
    ),
    *of(
        "search/world_table.py",
        (
            "all worlds of a key are alike",
            "reach[d + 1] = reach[d] * chances[d][i]",
            "reach[d + 1] = reach[d]",
            BELIEF,
        ),
    ),
]
