"""Mistakes in poker's machinery: pruning over public trees, blueprints, ranges, suits, equity, local best responses."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

POKER = "tests/poker/test_hand_poker.py"
SOLVERS = "tests/solvers/test_hand_solvers.py"

MISTAKES: list[Mistake] = [
    *of(
        "poker/public_mccfr.py",
        (
            "hopeless moves below hopeless ones count twenty times",
            "factor = SPARED if sunk == DEEP else 1",
            "factor = SPARED",
            POKER,
        ),
        ("hopeless moves count once", "factor = SPARED if sunk == DEEP else 1", "factor = 1", POKER),
        (
            "the bound does not grow with the weight",
            "least = -limit * weight if limit > 0.0",
            "least = -limit if limit > 0.0",
            POKER,
        ),
        ("moves that end the game are pruned", " and child[first + i] >= 0:\n", ":\n", POKER),
        (
            "whoever came back is still sunk",
            "                    if sunk == d:\n                        sunk = DEEP\n",
            "",
            POKER,
        ),
    ),
    *of(
        "poker/blueprint.py",
        (
            "remainders go to the first move",
            "                    if shares[i] > shares[most]:\n",
            "                    if False:\n",
            POKER,
        ),
        (
            "of two as near the lower bucket is played",
            "near = bucket + distance if side == 0 else bucket - distance",
            "near = bucket - distance if side == 0 else bucket + distance",
            POKER,
        ),
    ),
    *of(
        "poker/hands/hand_ranges.py",
        ("TT-77 leaves out TT", "for up in range(high_b - high_a + 1)]", "for up in range(high_b - high_a)]", POKER),
    ),
    *of(
        "poker/hands/isomorphism.py",
        ("suits are put in rising order", "first = (diamonds > clubs)", "first = (diamonds < clubs)", POKER),
    ),
    *of(
        "poker/hands/equity.py",
        (
            "ties count as wins",
            "(self.wins + self.ties / 2) / self.cases",
            "(self.wins + self.ties) / self.cases",
            POKER,
        ),
    ),
    *of(
        "poker/measures/local_best_response_kernel.py",
        ("folds are not what they win", "value * (total - stayed) + utility(", "utility(", POKER),
    ),
    *of(
        "solvers/tree_cfr/iteration.py",
        ("nothing is predicted", "r = max(r, 0.0) * keep_next + predictive * gain", "r = max(r, 0.0)", SOLVERS),
        (
            "discounts come an iteration early",
            "share_kept(t - 1, positive, variant.slowness)",
            "share_kept(t, positive, variant.slowness)",
            SOLVERS,
        ),
    ),
    *of(
        "solvers/best_response.py",
        (
            "the last player's policy is everybody's",
            "own = slice(None) if len(policies) == 1 else np.repeat(t.player == p, t.counts)",
            "own = slice(None)",
            SOLVERS,
        ),
    ),
]
