"""Mistakes in meta-solvers, empirical games and PSRO."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

MIXTURES, DYNAMICS = "tests/population/test_exact_mixtures.py", "tests/population/test_exact_dynamics.py"
EQUILIBRIA, EMPIRICAL = "tests/population/test_exact_equilibria.py", "tests/population/test_exact_empirical.py"
PSRO, CELLS = "tests/population/test_exact_psro.py", "tests/population/test_exact_cells.py"
META = "population/meta"

MISTAKES: list[Mistake] = [
    *of(
        "policies/mixture.py",
        (
            "the Gini impurity forgets the square",
            "1.0 - (mixture.joint**2).sum()",
            "1.0 - mixture.joint.max()",
            MIXTURES,
        ),
        (
            "only the worst signal of a player counts in the CE gap",
            "np.maximum(one.max(axis=1), 0.0).sum()",
            "max(one.max(), 0.0)",
            MIXTURES,
        ),
        (
            "who loses by deviating makes up for others",
            "float(sum(max(0.0, one.max()) for one in coarse_gains(mixture, payoffs)))",
            "float(sum(one.max() for one in coarse_gains(mixture, payoffs)))",
            MIXTURES,
        ),
        ("two losses are a bargain", "np.prod(np.maximum(", "np.prod(np.abs(", MIXTURES),
        (
            "the Nash gap is that of the joint distribution",
            "return cce_gap(independent(mixture.marginals), payoffs)",
            "return cce_gap(mixture, payoffs)",
            MIXTURES,
        ),
        (
            "all players share the largest range",
            "scale = flat.min(axis=1, keepdims=True), ranges(payoffs)[:, None]",
            "scale = flat.min(axis=1, keepdims=True), ranges(payoffs).max()",
            MIXTURES,
        ),
    ),
    *of(
        f"{META}/deviations.py",
        ("rows beyond the limit of a block are added", "- first < each]", "- first <= each]", MIXTURES),
    ),
    *of(
        f"{META}/dynamics.py",
        (
            "the projection stops after its first bound",
            "if n - free == bound or free == 0:",
            "if bound > 0 or free == 0:",
            DYNAMICS,
        ),
        (
            "the least probability is not kept",
            "v[a] = max(v[a] - shift, least)",
            "v[a] = max(v[a] - shift, 0.0)",
            DYNAMICS,
        ),
        (
            "the average leaves out the start",
            "total = strategies.copy()",
            "total = 0.0 * strategies",
            DYNAMICS,
        ),
        (
            "steps are too long for large payoffs",
            "if step > fastest:\n    step = fastest",
            "if step > fastest:\n    step = 2 * fastest",
            DYNAMICS,
        ),
        (
            "a large game takes longer steps for as long",
            "iterations = max(1, round(iterations * 10 * step / fastest))",
            "iterations = max(1, iterations)",
            DYNAMICS,
        ),
        (
            "there is no exploration",
            "played[a] = exploration / n + scale * played[a]",
            "played[a] = scale * played[a]",
            DYNAMICS,
        ),
    ),
    *of(
        f"{META}/adidas.py",
        (
            "the others' incentives are descended upwards",
            "slopes[i] + self._around(told, i, signs)[j]",
            "slopes[i] - self._around(told, i, signs)[j]",
            DYNAMICS,
        ),
        ("the incentive forgets entropy", "(mine @ np.log(mine) - reply", "(0.0 - reply", DYNAMICS),
        ("the temperature falls at once", "and since >= 1.0 / self.settings.memory", "", DYNAMICS),
        ("all rounds are averaged", "if 2 * t >= rounds:", "if t >= 0:", DYNAMICS),
        (
            "what is remembered is never forgotten",
            "self.seen[i] += memory * (value - self.seen[i])",
            "self.seen[i] += memory * value",
            DYNAMICS,
        ),
    ),
    *of(
        f"{META}/quantal_response.py",
        ("Newton's method forgets the spread of strategies", "np.diag(p) - np.outer(p, p)", "np.diag(p)", DYNAMICS),
    ),
    *of(
        f"{META}/nash.py",
        (
            "what is secure is the mean over columns",
            "return x, float((x @ matrix).min())",
            "return x, float((x @ matrix).mean())",
            EQUILIBRIA,
        ),
        (
            "who plays the columns is not turned",
            "maximin(np.ascontiguousarray(payoffs[1].T))[0]",
            "maximin(np.ascontiguousarray(payoffs[1]))[0]",
            EQUILIBRIA,
        ),
    ),
    *of(
        f"{META}/bargaining.py",
        (
            "maximin has no margin",
            "for i in players]) - settings.margin * ranges(payoffs)",
            "for i in players])",
            EQUILIBRIA,
        ),
        (
            "gains are not shares of ranges",
            "above[matters] / ranges(payoffs)[matters, None]",
            "above[matters]",
            EQUILIBRIA,
        ),
        (
            "steps of the gradient do not shrink",
            "size = diameter / (norm * np.sqrt(t + 1))",
            "size = diameter / norm",
            EQUILIBRIA,
        ),
        (
            "without an agreement the first player decides",
            "if (gains @ answer.x).min() <= 1e-7:",
            "if (gains @ answer.x)[0] <= -1.0:",
            EQUILIBRIA,
        ),
    ),
    *of(
        f"{META}/equilibria.py",
        (
            "the impurity is maximised as if it were welfare",
            "lambda x: cells * x, lambda x",
            "lambda x: np.ones(cells), lambda x",
            EQUILIBRIA,
        ),
        (
            "what a deviation may gain is ignored",
            "lambda x: np.zeros(len(x)))\n    return solve(program, deviations, settings.epsilon)",
            "lambda x: np.zeros(len(x)))\n    return solve(program, deviations)",
            EQUILIBRIA,
        ),
    ),
    *of(
        f"{META}/alpha_rank.py",
        (
            "equals never change",
            "np.where(worse, settings.noise, 0.5)",
            "np.where(worse, settings.noise, 0.0)",
            EQUILIBRIA,
        ),
        (
            "the population is one too large",
            "np.expm1(-m * u), 1.0 / m)",
            "np.expm1(-(m + 1) * u), 1.0 / m)",
            EQUILIBRIA,
        ),
        (
            "what comes from above comes from below",
            "(1.0 - noise) * below + noise * (total - below - here)",
            "noise * below + (1.0 - noise) * (total - below - here)",
            EQUILIBRIA,
        ),
    ),
    *of(
        "population/empirical/polytope.py",
        (
            "the columns' inequality is that of the rows",
            "theirs[:, told] - theirs[:, 1 - told]",
            "mine[:, told] - mine[:, 1 - told]",
            EQUILIBRIA,
        ),
        ("corners are in any order", "corners[np.argsort(np.arctan2(y, x))]", "corners[np.argsort(x)]", EQUILIBRIA),
    ),
    *of(
        "population/empirical/empirical_game.py",
        ("an interval has the variance of a game", "np.sqrt(variance / n)", "np.sqrt(variance)", EMPIRICAL),
        (
            "a variance is divided by all games",
            "np.maximum(self.squares - self.sums**2 / n, 0.0) / (n - 1)",
            "np.maximum(self.squares - self.sums**2 / n, 0.0) / n",
            EMPIRICAL,
        ),
        (
            "seats drawn among three mix up the players",
            "np.transpose(payoffs[order[i]], order)",
            "np.transpose(payoffs[i], order)",
            EMPIRICAL,
        ),
    ),
    *of(
        "population/empirical/estimates.py",
        ("a cell of one game is certain", "variance[p][known].mean() if known.any() else np.inf", "0.0", EMPIRICAL),
        (
            "draws of different players are not correlated enough",
            "np.sqrt(1.0 + (groups - 1) * self.correlation)",
            "np.sqrt(1.0 + self.correlation)",
            EMPIRICAL,
        ),
        (
            "an agent with two seats counts once in the sum",
            "weighed = first * sizes * errors",
            "weighed = first * errors",
            EMPIRICAL,
        ),
    ),
    *of(
        "population/empirical/rankings.py",
        (
            "a shared first place counts for each",
            "(leads / leads.sum(axis=1, keepdims=True)).mean(axis=0)",
            "leads.mean(axis=0)",
            EMPIRICAL,
        ),
        (
            "intervals are of 90 %",
            "low, high = np.quantile(samples, (0.025, 0.975), axis=0)",
            "low, high = np.quantile(samples, (0.05, 0.95), axis=0)",
            EMPIRICAL,
        ),
        ("a tie is no point", "+ 0.5 * (one == table)).sum(axis=0).mean() - 0.5", ").sum(axis=0).mean()", EMPIRICAL),
    ),
    *of(
        "population/empirical/solutions.py",
        ("the solution itself counts as a resample", "again, got = again[1:], got[1:]", "pass", EMPIRICAL),
        (
            "intervals of solutions are of 90 %",
            "np.quantile(samples, (0.025, 0.975), axis=0)",
            "np.quantile(samples, (0.05, 0.95), axis=0)",
            EMPIRICAL,
        ),
    ),
    *of(
        "population/psro.py",
        (
            "three who share a population are not averaged over all orders",
            "orders = list(itertools.permutations(range(players)))",
            "orders = [tuple(range(players)), tuple(range(players))[::-1]]",
            PSRO,
        ),
        (
            "a shared population is solved seat by seat",
            "self.empirical.symmetrised() if shared else",
            "self.empirical.payoffs if shared else",
            PSRO,
        ),
        (
            "every oracle has the same seed",
            "mix(mix(mix(0, self.settings.seed), self.iteration), player)",
            "mix(mix(0, self.settings.seed), self.iteration)",
            PSRO,
        ),
        ("nobody explores", "self.mixture.explored(self.settings.explore) if", "self.mixture if", PSRO),
        (
            "the joint welfare is that of the marginals",
            'row["joint_welfare"] = social_welfare(self.mixture, payoffs)',
            'row["joint_welfare"] = social_welfare(independent(self.mixture.marginals), payoffs)',
            PSRO,
        ),
    ),
    *of(
        "policies/plans.py",
        (
            "where nobody goes everything is likely",
            "np.where(before > 0.0, reach[t.rows] / before, uniform)",
            "np.where(before > 0.0, reach[t.rows] / before, 1.0)",
            PSRO,
        ),
        ("of equals the first is played", "strategy[q] = 1.0 / ties", "strategy[q] = 1.0", PSRO),
    ),
    *of(
        "policies/population.py",
        (
            "the posterior ignores how often members are played",
            "weights = self.mixture.marginals[player]\n",
            "weights = np.ones(len(self.members[player]))\n",
            PSRO,
        ),
    ),
    *of(
        "population/empirical/empirical_games.py",
        (
            "a cell is judged by itself alone",
            "part.limits, part.exact_alike = self.payoffs.bounds,",
            "part.limits, part.exact_alike = None,",
            CELLS,
        ),
        (
            "games are as many deals",
            "least = -(-max(games, FIRST if until else 0) // orders)",
            "least = max(games, FIRST if until else 0)",
            CELLS,
        ),
        (
            "a cell stands in its own order only",
            "set(itertools.permutations(range(len(cell)))) if self.symmetric",
            "{tuple(range(len(cell)))} if self.symmetric",
            CELLS,
        ),
        (
            "less inequity is worse",
            "table.sums, table.limits = -table.sums,",
            "table.sums, table.limits = table.sums,",
            CELLS,
        ),
        ("a cell grows without end", "min((width / until) ** 2 * 1.05, GROWTH)", "(width / until) ** 2 * 1.05", CELLS),
    ),
    *of(
        "population/empirical/cells.py",
        (
            "exact cells of drawn seats are those of fixed ones",
            "symmetrised(payoffs) if game.symmetric else payoffs",
            "payoffs",
            CELLS,
        ),
    ),
    *of(
        "population/empirical/empirical_game_files.py",
        (
            "the error of a cross table is that of a game",
            "squares = deals * (deals - 1) * errors**2 + deals * means**2",
            "squares = (deals - 1) * errors**2 + deals * means**2",
            CELLS,
        ),
        (
            "games of a cross table are deals",
            'deals = int(match["games"]) // players',
            'deals = int(match["games"])',
            CELLS,
        ),
    ),
    *of(
        "population/run/asking.py",
        ("all cells have the same games", "functools.reduce(mix, cell, share.seed)", "share.seed", CELLS),
    ),
]
