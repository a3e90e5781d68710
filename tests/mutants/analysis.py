"""Mistakes in the analysis of studies, their power, pay and schedule."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

MODELS, FINDINGS = "tests/study/test_exact_models.py", "tests/study/test_exact_findings.py"
SUMMARY = "tests/study/test_exact_summary.py"

MISTAKES: list[Mistake] = [
    *of(
        "study/analysis/models.py",
        (
            "a participant who is drawn twice is one",
            "participants = np.repeat(np.arange(len(draw)), [len(rows_of[number]) for number in draw])",
            "participants = np.repeat(draw, [len(rows_of[number]) for number in draw])",
            MODELS,
        ),
        (
            "all models are of the first return",
            "task.values[rows, j], task.design",
            "task.values[rows, 0], task.design",
            MODELS,
        ),
        (
            "a mean is known without games",
            "present = np.abs(task.design[rows]).sum(axis=0) > 0",
            "present = np.abs(task.design[rows]).sum(axis=0) >= 0",
            MODELS,
        ),
        ("the ratio of variances is the share", "return share / (1.0 - share)", "return share", MODELS),
        (
            "refits stay near the full fit",
            "best = _best_share(model, MIN_CORRELATION, MAX_CORRELATION, PRECISE)",
            "pass",
            MODELS,
        ),
        (
            "errors are variances",
            "np.sqrt(np.clip(np.diag(self.covariance), 0.0, None))",
            "np.clip(np.diag(self.covariance), 0.0, None)",
            MODELS,
        ),
        (
            "the share is that of deviations",
            "between, within = self.participant_deviation**2, self.residual_deviation**2",
            "between, within = self.participant_deviation, self.residual_deviation",
            MODELS,
        ),
        (
            "resamples have nobody twice",
            "np.random.default_rng(seed).integers(0, participants, (resamples, participants))",
            "np.argsort(np.random.default_rng(seed).random((resamples, participants)), axis=1)",
            MODELS,
        ),
    ),
    *of(
        "study/analysis/findings.py",
        ("intervals are of 90 %", "np.percentile(known, [2.5, 97.5])", "np.percentile(known, [5.0, 95.0])", FINDINGS),
        (
            "what could not be fitted counts",
            "known = resampled[np.isfinite(resampled)]",
            "known = np.nan_to_num(resampled)",
            FINDINGS,
        ),
        (
            "the product has the interval of one",
            "found[:, 0, i] * found[:, 1, i]",
            "found[:, 0, i] * product[i]",
            FINDINGS,
        ),
        (
            "a difference is the other way round",
            "found[:, k, j] - found[:, k, i]",
            "found[:, k, i] - found[:, k, j]",
            FINDINGS,
        ),
        ("the combined return is the sum", "COMBINED: (human + agent) / 2", "COMBINED: human + agent", FINDINGS),
        (
            "both players of a game count",
            'shuffled.drop_duplicates("episode").sort_values("episode")',
            'shuffled.sort_values("episode")',
            FINDINGS,
        ),
        (
            "the first player of a game is chosen",
            ".sample(frac=1, random_state=np.random.default_rng(seeds))",
            "",
            FINDINGS,
        ),
        (
            "a slope is of one degree",
            "(angles[known] - angles[known].mean()) / UNIT",
            "angles[known] - angles[known].mean()",
            FINDINGS,
        ),
        (
            "types are counted by games",
            "len(set(who[[i for i, one in enumerate(types) if one == name]]))",
            "len(who[[i for i, one in enumerate(types) if one == name]])",
            FINDINGS,
        ),
        ("an interval is an error", "value - Z * error, value + Z * error", "value - error, value + error", FINDINGS),
        (
            "rows of both players time out",
            'episodes[episodes["status"] != "absent"].drop_duplicates("episode")',
            'episodes[episodes["status"] != "absent"]',
            FINDINGS,
        ),
        (
            "games that never began are counted",
            'episodes[episodes["status"] != "absent"].drop',
            "episodes.drop",
            FINDINGS,
        ),
        (
            "resamples with a gap are not counted",
            "incomplete=int(np.isnan(found).any(axis=(1, 2)).sum()),\n    )\n\n\ndef _returns",
            "incomplete=int(np.isnan(found).all(axis=(1, 2)).sum()),\n    )\n\n\ndef _returns",
            FINDINGS,
        ),
    ),
    *of(
        "study/analysis/report.py",
        (
            "percentages are shares",
            'f"{100 * one.value:.1f} % [{100 * one.low:.1f}, {100 * one.high:.1f}]"',
            'f"{one.value:.1f} % [{100 * one.low:.1f}, {100 * one.high:.1f}]"',
            FINDINGS,
        ),
        (
            "an interval that touches zero excludes it",
            "return one.low > 0 or one.high < 0",
            "return one.low >= 0 or one.high <= 0",
            FINDINGS,
        ),
        (
            "the lowest is said to be the highest",
            "int(np.argmax(combined)), int(np.argmin(combined))",
            "int(np.argmin(combined)), int(np.argmax(combined))",
            FINDINGS,
        ),
        (
            "scores of agents are those of another",
            'f"{cross.returns[i][i]:.2f}"',
            'f"{cross.returns[0][-1]:.2f}"',
            FINDINGS,
        ),
    ),
    *of(
        "study/analysis/power.py",
        ("twice the difference takes half as many", "self.participants * one**2", "self.participants * one", FINDINGS),
        (
            "deviations are averaged over pairs first",
            "np.sqrt(estimated.var(axis=0, ddof=1).mean(axis=1))",
            "np.sqrt(estimated.var(axis=0).mean(axis=1))",
            FINDINGS,
        ),
        ("only one side is expected", "norm.cdf(ratio - Z) + norm.cdf(-ratio - Z)", "norm.cdf(ratio - Z)", FINDINGS),
        ("a negative difference is never found", "float(one.low > 0 or one.high < 0)", "float(one.low > 0)", FINDINGS),
        (
            "the least coverage is the mean",
            "float(self.covered.min()) / self.studies",
            "float(self.covered.mean()) / self.studies",
            FINDINGS,
        ),
    ),
    *of(
        "study/analysis/simulated.py",
        (
            "the mean of two has the variance of their sum",
            "(4 * of_mean**2 - first**2 - second**2)",
            "(of_mean**2 - first**2 - second**2)",
            FINDINGS,
        ),
        ("correlated numbers vary too much", "np.sqrt(1.0 - correlation**2) * second", "second", FINDINGS),
        (
            "games that timed out pay",
            "(float(one) if over else 0.0 for one in returns)",
            "(float(one) for one in returns)",
            FINDINGS,
        ),
    ),
    *of(
        "study/analysis/document.py",
        ("columns of words stand on the right", "[:1].isalpha() for row", "[:1].isdigit() for row", FINDINGS),
    ),
    *of(
        "study/design/summary.py",
        ("reading takes a second a word", "/ WORDS_A_MINUTE * 60", "/ WORDS_A_MINUTE", SUMMARY),
        ("games take all of their time", "PART_OF_AN_EPISODE * games + pauses", "games + pauses", SUMMARY),
        (
            "one game is paid",
            "pay.base + max(0.0, pay.point * study.episodes * points)",
            "pay.base + max(0.0, pay.point * points)",
            SUMMARY,
        ),
        (
            "points are of all seats together",
            "study.seed, games).payoffs) / game.players",
            "study.seed, games).payoffs)",
            SUMMARY,
        ),
    ),
    *of(
        "study/data/folder.py",
        ("the total is the bonus", "total = base + bonus", "total = bonus", SUMMARY),
        ("half a cent is lost", "round(pay.point * points + 1e-9, 2)", "round(pay.point * points - 1e-9, 2)", SUMMARY),
    ),
    *of(
        "study/session/schedule.py",
        ("the smaller remainder is rounded up", "(whole[i] - counts[i], i)", "(counts[i] - whole[i], i)", SUMMARY),
        ("a shuffle never leaves the last in its place", "j = below(stream, i + 1)", "j = below(stream, i)", SUMMARY),
        (
            "delays have twice the variance",
            "math.sqrt(-2.0 * math.log(1.0 - uniform(stream)))",
            "math.sqrt(-4.0 * math.log(1.0 - uniform(stream)))",
            SUMMARY,
        ),
    ),
]
