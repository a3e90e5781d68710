"""Mistakes in matches, their statistics and ratings."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

COVERAGE = "tests/arena/test_coverage.py"
STATISTICS, LUCK = "tests/arena/test_exact_statistics.py", "tests/arena/test_exact_luck.py"

MISTAKES: list[Mistake] = [
    *of(
        "arena/statistics.py",
        (
            "Student's second term is lost",
            "return z + first / freedom + second / freedom**2",
            "return z + first / freedom",
            STATISTICS,
        ),
        (
            "a mean has the error of one group",
            "np.sqrt(variance) / np.sqrt(groups)",
            "np.sqrt(variance)",
            STATISTICS,
        ),
        ("degrees of freedom are one too many", "_students(groups - 1)", "_students(groups)", STATISTICS),
        (
            "games of a deal are independent",
            "mean_from(float(groups.mean()), float(groups.var(ddof=1)), len(groups), known)",
            "mean_from(float(groups.mean()), float(values.var(ddof=1)), len(values), known)",
            STATISTICS,
        ),
        (
            "the variance of groups is that of all",
            "return rate_from(float(groups.mean()), float(groups.var(ddof=1)), len(groups))",
            "return rate_from(float(groups.mean()), float(groups.var()), len(groups))",
            STATISTICS,
        ),
        (
            "what never varies is trusted at once",
            "groups < 2 or (variance <= 0.0 and bounds is None)",
            "groups < 2",
            STATISTICS,
        ),
        (
            "equal results leave no width",
            "return np.maximum(reach, below), np.maximum(reach, above)",
            "return reach, reach",
            COVERAGE,
        ),
        (
            "what is unseen is half as likely",
            "-np.expm1(np.log(TAIL) / np.asarray(groups, np.float64))",
            "-np.expm1(np.log(TAIL) / np.asarray(groups, np.float64)) / 2",
            COVERAGE,
        ),
        (
            "shares that never vary have no width",
            "min(found.low, p - float(below))",
            "found.low",
            COVERAGE,
        ),
        ("a rate is not clamped", "max(min(middle + reach, 1.0), p))", "middle + reach)", STATISTICS),
    ),
    *of(
        "arena/measures.py",
        (
            "negative payoffs make a bargain",
            "reduce(np.multiply, np.maximum(payoffs, 0.0).T)",
            "reduce(np.multiply, payoffs.T)",
            STATISTICS,
        ),
        (
            "inequity is the sum over pairs",
            "return reduce(np.add, apart) / len(apart)",
            "return reduce(np.add, apart)",
            STATISTICS,
        ),
        (
            "a shared win is whole",
            "count(first & (lineups == agent)) / count(first)",
            "count(first & (lineups == agent))",
            STATISTICS,
        ),
    ),
    *of(
        "arena/match.py",
        ("deals of two are games of their own", "return self.players if self.duplicate else 1", "return 1", STATISTICS),
        (
            "who won is decided without luck",
            "self.corrected if measure.linear and self.corrected is not None",
            "self.corrected if self.corrected is not None",
            STATISTICS,
        ),
        (
            "corrected payoffs are those of seat 0",
            "np.where(match.lineups == 0, left[:, None], -left[:, None])",
            "np.stack([left, -left], axis=1)",
            LUCK,
        ),
        (
            "the luck is that of the first seat",
            "luck.reshape(done, concrete.players, -1)[mine]",
            "luck.reshape(done, concrete.players, -1)[:, 0]",
            LUCK,
        ),
    ),
    *of(
        "poker/measures/aivat.py",
        ("factors come from the same half", "results[~mine], rcond=None", "results[mine], rcond=None", LUCK),
        (
            "luck is fitted without a constant",
            "np.column_stack([together[~mine], np.ones((~mine).sum())])",
            "np.column_stack([together[~mine], np.zeros((~mine).sum())])",
            LUCK,
        ),
        ("luck of a move forgets what was expected", "* value - weights[j] * value", "* value", LUCK),
        (
            "a stake may be more than there is",
            "payoff(s, 0) if gone else min(stake(s), most) * sign",
            "payoff(s, 0) if gone else stake(s) * sign",
            LUCK,
        ),
        ("luck of a deal is that of a move", "notes[g][street(s)] +=", "notes[g][STREETS + street(s)] +=", LUCK),
        ("a later deal forgets the one before", "- before * min(stake(s), most)", "- 0.0 * before", LUCK),
    ),
    *of(
        "population/empirical/cells.py",
        ("the sum of squares is the square of the sum", "(values**2).sum(axis=1)", "values.sum(axis=1) ** 2", LUCK),
        ("twins do not share what they get", "if drawn:  # players", "if False:  # players", LUCK),
        (
            "later deals begin at the first",
            "seed, first * len(orders), len(orders))",
            "seed, first, len(orders))",
            LUCK,
        ),
        (
            "who sits first names the cell",
            "named = sorted(labels) if drawn else list(labels)",
            "named = list(labels)",
            LUCK,
        ),
    ),
    *of(
        "games/colored_trails/gap.py",
        (
            "gaps are averaged over games",
            "return mean(np.array([one.gap for one in self.boards]), 1)",
            "return mean(np.array([one.gap for one in self.boards for _ in range(max(one.games, 1))]), 1)",
            LUCK,
        ),
        (
            "the second proposer gains nothing",
            ".append((first + second, responder))",
            ".append((first, responder))",
            LUCK,
        ),
        (
            "the responder's mean is that of the proposers",
            "return float(gains[0]), float(gains[1])",
            "return float(gains[0]), float(gains[0])",
            LUCK,
        ),
    ),
    *of(
        "arena/tournament.py",
        (
            "a draw is a win for both",
            "match.wins + match.draws / 2 + 0.5",
            "match.wins + match.draws + 0.5",
            STATISTICS,
        ),
        (
            "no drawn game is added",
            "match.losses + match.draws / 2 + 0.5",
            "match.losses + match.draws / 2",
            STATISTICS,
        ),
        (
            "means are over all agents",
            "/ len(played) if played else math.nan",
            "/ len(self.agents) if played else math.nan",
            STATISTICS,
        ),
    ),
    *of(
        "arena/ratings.py",
        (
            "equals among three win half of the games",
            "share * (self.players - 1) / (1.0 - share)",
            "share / (1.0 - share)",
            STATISTICS,
        ),
        ("an interval is an error", "error = width / (2 * Z) if", "error = width / 2 if", STATISTICS),
        (
            "the error of points is that of a game",
            "self.deviation / math.sqrt(self.games) if self.error is None",
            "self.deviation if self.error is None",
            STATISTICS,
        ),
        (
            "a rating has the reach of its variance",
            "Z * np.sqrt(covariance.diagonal())",
            "Z * covariance.diagonal()",
            STATISTICS,
        ),
        ("a level is not clamped", "min(max(share, 0.0), 1.0)", "max(share, 0.0)", STATISTICS),
        (
            "a performance is not weighted",
            "sum(w * x for w, x in zip(weights, found, strict=True)) / sum(weights)",
            "sum(found) / len(found)",
            STATISTICS,
        ),
    ),
    *of(
        "poker/measures/local_best_response.py",
        ("hands of a pair are independent", "return mean(self.adjusted, 2)", "return mean(self.adjusted)", STATISTICS),
    ),
    *of(
        "population/empirical/cells.py",
        (
            "deals of a drawn cell overlap",
            "first * len(orders), len(orders)",
            "first, len(orders)",
            "tests/arena/test_exact_deals.py",
        ),
    ),
]
