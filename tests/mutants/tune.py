"""Mistakes in tuning: its searches, scores and decisions."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

TUNING = "tests/tuning/test_hand_tuning.py"

MISTAKES: list[Mistake] = [
    *of(
        "tuning/search.py",
        (
            "CMA-ES looks for low scores",
            "self._cma.tell([(point, -score) for point, score in zip(self._asked, scores, strict=True)])",
            "self._cma.tell([(point, score) for point, score in zip(self._asked, scores, strict=True)])",
            TUNING,
        ),
        (
            "CMA-ES is told the scores in another order",
            "self._cma.tell([(point, -score) for point, score in zip(self._asked, scores, strict=True)])",
            "self._cma.tell([(point, -score) for point, score in zip(self._asked, sorted(scores), strict=True)])",
            TUNING,
        ),
        ("CMA-ES looks twice as far", '"sigma": plan.spread,', '"sigma": 2 * plan.spread,', TUNING),
        ("the grid does not become finer", "0.5 ** (1 + self._turn // len(self._options))", "0.5", TUNING),
        (
            "the grid leaves the range",
            "middle = min(max(self._best[i], self.spread), 1.0 - self.spread)",
            "middle = self._best[i]",
            TUNING,
        ),
    ),
    *of(
        "tuning/tables.py",
        ("noise is not divided by rounds", "/ (count - 1) / self.rounds", "/ (count - 1)", TUNING),
        ("the variance divides by all rounds", "/ (self.rounds - 1)", "/ self.rounds", TUNING),
        (
            "a table's weight is forgotten",
            'np.einsum("ktr,t->kr", values, np.asarray(weights))',
            "values.mean(axis=1)",
            TUNING,
        ),
    ),
    *of(
        "tuning/options.py",
        (
            "a logarithmic scale begins at its low end",
            "return high / FLOOR if low == 0.0 else 0.0",
            "return high / FLOOR",
            TUNING,
        ),
    ),
    *of(
        "tuning/tables.py",
        (
            "tables have the same deals",
            "rounds * players, mix(seed, t), on_progress",
            "rounds * players, mix(seed, k), on_progress",
            TUNING,
        ),
        (
            "a score is that of one seat",
            "reshape(rounds, players).mean(axis=1)",
            "reshape(rounds, players)[:, 0]",
            TUNING,
        ),
    ),
    *of(
        "tuning/tuner.py",
        (
            "any gain makes a champion",
            "if scores.difference(0, 1).low <= 0.0:",
            "if scores.difference(0, 1).value <= 0.0:",
            TUNING,
        ),
        (
            "the champion is measured against the centre",
            "names = [self.agent.name(found.centre), self.agent.name(found.champion)]",
            "names = [self.agent.name(found.champion), self.agent.name(found.centre)]",
            TUNING,
        ),
        (
            "those from whom much was won are hard",
            "ranks = {name: len(ranked) - i for i, name in enumerate(ranked)}",
            "ranks = {name: i + 1 for i, name in enumerate(ranked)}",
            TUNING,
        ),
        (
            "a restart looks as far as before",
            "c.spread / 2**restarts",
            "c.spread",
            TUNING,
        ),
        (
            "games grow where ranks are sure",
            "if scores.reliability < UNSURE:",
            "if scores.reliability > UNSURE:",
            TUNING,
        ),
        ("the oldest stay in the pool", "*joined[-NEWEST:]]", "*joined[:NEWEST]]", TUNING),
        (
            "every evaluation has the same deals",
            "seed = mix(mix(mix(0, self.config.seed), 1), self._evaluations)",
            "seed = mix(mix(mix(0, self.config.seed), 1), 1)",
            TUNING,
        ),
    ),
    *of(
        "tuning/journal.py",
        (
            "a request is known by its seed alone",
            "f\"{request['seed']:x}-{zlib.crc32(data):08x}\"",
            "f\"{request['seed']:x}-{0:08x}\"",
            TUNING,
        ),
    ),
]
