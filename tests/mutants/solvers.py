"""Mistakes in solvers and exact measures."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

SOLVERS = "tests/solvers/test_cfr.py tests/solvers/test_mccfr.py tests/solvers/test_best_response.py"
EXACT = "tests/solvers/test_exact.py"
LOGIT = "tests/solvers/test_logit.py"
HAND = "tests/solvers/test_hand_solvers.py"
PROCESSORS = "tests/solvers/test_processors.py"
LOCKING = "tests/solvers/test_locking.py"
CORRELATED = "tests/solvers/test_correlated.py"

MISTAKES: list[Mistake] = [
    *of(
        "solvers/tree_cfr/iteration.py",
        ("a warm start is forgotten at once", "regret[t.rows] = CAUTION", "regret[t.rows] = 0.0 * CAUTION", LOCKING),
        (
            "whoever responds ignores the locks",
            "met, arrays.locked, best, values)",
            "met, NOT_LOCKED, best, values)",
            LOCKING,
        ),
    ),
    *of(
        "solvers/tree_cfr/threads.py",
        ("all work is the first thread's", "thread_of[i] = thread_of[above[i] - low]", "thread_of[i] = 0", PROCESSORS),
        ("what a piece is worth is lost", "value[parent[i]] += cuts.worth[i]", "value[parent[i]] += 0.0", PROCESSORS),
        (
            "a thread goes through the runs of all players",
            "range(share.runs[p + 1] - 1, share.runs[p] - 1, -1)",
            "range(share.runs[-1] - 1, -1, -1)",
            PROCESSORS,
        ),
    ),
    *of(
        "sequence_form/size.py",
        ("a history stands for itself alone", "total += weight", "total += 1.0", "tests/sequence_form/test_tree.py"),
        (
            "the last one always stands for all",
            "generator.random() * whole < weight",
            "whole > 0.0",
            "tests/sequence_form/test_tree.py",
        ),
    ),
    *of(
        "solvers/tree_cfr/levels.py",
        (
            "a row is cut short",
            "column = np.arange(int(sizes[rows[0]]))",
            "column = np.arange(int(sizes[rows[-1]]))",
            PROCESSORS,
        ),
        (
            "rows stand in their old order",
            "at[order] = np.arange(len(sizes))",
            "at[:] = np.arange(len(sizes))",
            PROCESSORS,
        ),
        (
            "who has most after it stands anywhere",
            "np.lexsort((-after, depth, player))",
            "np.lexsort((after, depth, player))",
            PROCESSORS,
        ),
    ),
    *of(
        "solvers/tree_cfr/jax_iteration.py",
        ("the average is not discounted", "* numbers[4] + now", "* 1.0 + now", PROCESSORS),
        ("padding counts", "< row.sizes\n", "< row.sizes + 1\n", PROCESSORS),
        (
            "a best response takes each action whole",
            "_at(most, places[k]) * shares[k]",
            "_at(most, places[k])",
            PROCESSORS,
        ),
    ),
    *of(
        "solvers/sampling/chance_sampling.py",
        (
            "a strategy changes in the middle of a traversal",
            "if ints[row + 1 + 3 * n] != mark:",
            "if True:",
            "tests/solvers/test_mccfr_options.py",
        ),
        (
            "what the others do not play counts as well",
            "weight * odds[d][THEIRS] * (values",
            "weight * (values",
            "tests/solvers/test_mccfr_options.py",
        ),
    ),
    *of(
        "solvers/sampling/infoset_table.py",
        (
            "a lookup ignores the key",
            "if slots[slot] & 0xFFFFFFFF == tag and ints[slots[slot] >> 32] == k:",
            "if slots[slot] & 0xFFFFFFFF == tag:",
            "tests/solvers/test_infoset_table.py",
        ),
        (
            "a row is found by its mark alone",
            "if seen & 0xFFFFFFFF == tag and ints[seen >> 32] == k:",
            "if seen & 0xFFFFFFFF == tag:",
            "tests/solvers/test_infoset_table.py",
        ),
    ),
    *of(
        "solvers/tree_cfr/iteration.py",
        ("CFR+ keeps negative regrets", '"cfr+": Variant(inf, -inf, 1.0)', '"cfr+": Variant(inf, inf, 1.0)', SOLVERS),
        ("phases do not grow", "length * variant.growth", "length", HAND),
        ("a schedule never moves", "variant.average_change / variant.horizon", "0.0 / variant.horizon", HAND),
        ("a schedule goes on for ever", "last = min(float(t), variant.horizon)", "last = float(t)", HAND),
        ("DCFR+ forgets as DCFR does", "return power / (power + slowness)", "return power / (power + 1.0)", HAND),
    ),
    *of(
        "solvers/cfr.py",
        ("a restart forgets how large regrets were", "np.repeat(size, t.counts) * average", "1.0 * average", HAND),
        ("nothing restarts", "if done == begin > 0:", "if done == begin > 10**9:", HAND),
    ),
    *of(
        "solvers/tree_cfr/iteration.py",
        ("the average forgets reach", "total[q] += share * reach[q]", "total[q] += share", SOLVERS),
        ("predictions are not discounted", "max(r, 0.0) * keep_next + predictive", "max(r, 0.0) + predictive", HAND),
        (
            "a locked set learns",
            "if len(lock.locked) > 0 and lock.locked[i]:",
            "if len(lock.locked) < 0:",
            LOCKING,
        ),
        (
            "nobody is ever bound",
            "met[q] = share * lock.bound[q] + (1.0 - share) * reach[q]",
            "met[q] = reach[q]",
            LOCKING,
        ),
        (
            "regrets are not discounted",
            "r = r * (keep_positive if r > 0.0 else keep_negative) + gain",
            "r = r + gain",
            SOLVERS,
        ),
    ),
    *of(
        "solvers/exact/sequence_program.py",
        ("the empty sequence is not played", "np.append(1.0, np.zeros(", "np.append(0.5, np.zeros(", EXACT),
    ),
    *of(
        "solvers/exact/fractions_of_game.py",
        ("a basis is any columns", "if left:\n", "if True:\n", EXACT),
        ("a digit of the answer is lost", "solution = [(s << DIGITS) + a", "solution = [(s << DIGITS) + a // 2", EXACT),
    ),
    *of(
        "solvers/exact/logit.py",
        (
            "what is worth more is not preferred",
            "point[:-1] - point[-1] * worth",
            "point[:-1] + point[-1] * worth",
            LOGIT,
        ),
        ("endings are not weighed by chance", "self.chance + self.through @ logs", "self.through @ logs", LOGIT),
    ),
    *of(
        "solvers/exact/correlated.py",
        (
            "a coarse deviation knows the recommendation",
            "yield int(t.parent[i]), [i], ~i",
            "yield int(t.first[i]), [i], ~i",
            CORRELATED,
        ),
        ("later infosets are forgotten", "found += self.below[q]", "pass", CORRELATED),
    ),
    *of(
        "solvers/exact/correlation_plans.py",
        ("every game is triangle-free", "return not several.any()", "return True", CORRELATED),
    ),
    *of(
        "solvers/sampling/traversals.py",
        (
            "the wrong player's average is fed",
            "averaged = (traverser + 1) % players\n    visited = 0\n    depth = 0",
            "averaged = traverser\n    visited = 0\n    depth = 0",
            SOLVERS,
        ),
        (
            "outcome sampling forgets how likely it was",
            "depth, weight * payoff(s, traverser) / sampled)",
            "depth, weight * payoff(s, traverser))",
            SOLVERS,
        ),
        (
            "negative regrets are played",
            "strategy[i] = max(floats[row + 1 + i], 0.0)",
            "strategy[i] = abs(floats[row + 1 + i])",
            SOLVERS,
        ),
        (
            "a baseline learns before it is used",
            "values[d][i] += (utility - values[d][i]) / odds[d][ODDS]",
            "values[d][i] = floats[row + 1 + (2 + traverser) * n + i] + (utility - values[d][i]) / odds[d][ODDS]",
            "tests/solvers/test_mccfr_options.py",
        ),
        (
            "all players learn one baseline",
            "at = row + 1 + (2 + traverser) * n + i",
            "at = row + 1 + 2 * n + i",
            "tests/solvers/test_mccfr_options.py",
        ),
        (
            "what was sampled counts as if it were certain",
            "share = weight / odds[d][REACH]",
            "share = weight",
            "tests/solvers/test_mccfr_options.py",
        ),
        (
            "a fold is pruned",
            "hopeless = turn(states[spare]) != OVER",
            "hopeless = True",
            "tests/solvers/test_mccfr_options.py",
        ),
    ),
    *of(
        "solvers/sampling/rollouts.py",
        (
            "latest and average are mixed up",
            "1 if who == player else 2, r)",
            "2 if who == player else 1, r)",
            "tests/solvers/test_rollout_cfr.py",
        ),
        (
            "all training games are the same",
            "seed_stream(r, seed, number)",
            "seed_stream(r, seed, 0)",
            "tests/solvers/test_rollout_cfr.py tests/runs/test_learned.py",
        ),
    ),
    *of(
        "solvers/sampling/rollout_cfr.py",
        (
            "a policy is only its newest",
            "self.ring[(self.pushed - 1) % len(self.ring)]",
            "self.ring[0]",
            "tests/solvers/test_rollout_cfr.py",
        ),
    ),
    *of(
        "games/leodopoly/estate.py",
        (
            "a full set earns no more",
            "return 2 * RENT[k] if has_set(s, k) else RENT[k]",
            "return RENT[k]",
            "tests/games/leodopoly/test_leodopoly.py",
        ),
    ),
    *of(
        "games/leodopoly/turns/auctions.py",
        (
            "a sealed bid goes one above its limit",
            "if s.limit[p] > s.bid:",
            "if s.limit[p] >= s.bid:",
            "tests/games/leodopoly/test_leodopoly_trade.py",
        ),
    ),
    *of(
        "games/leodopoly/turns/deals.py",
        (
            "an offer that cannot be paid is open",
            "<= s.money[p] - transfer_cost(s, k)",
            "<= MAX_AMOUNT",
            "tests/games/leodopoly/test_leodopoly_trade.py",
        ),
    ),
    *of(
        "search/rollout.py",
        (
            "a rollout gives everybody the payoff of the first",
            "values[q] = payoff(s, q)",
            "values[q] = payoff(s, 0)",
            "tests/agents/test_look_ahead.py tests/search/test_mcts.py",
        ),
    ),
    *of(
        "search/max_n.py",
        (
            "max-n keeps the worst move",
            "if b.found[d] and below[who] <= values[who]:",
            "if b.found[d] and below[who] >= values[who]:",
            "tests/search/test_max_n.py",
        ),
    ),
    *of(
        "tuning/tuner.py",
        (
            "every evaluation of a tuner has the same deals",
            "seed = mix(mix(mix(0, self.config.seed), 1), self._evaluations)",
            "seed = mix(mix(mix(0, self.config.seed), 1), 0)",
            "tests/tuning/test_tuning.py",
        ),
    ),
]
