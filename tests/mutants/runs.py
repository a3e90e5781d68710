"""Mistakes in runs and what they store."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

MISTAKES: list[Mistake] = [
    *of(
        "runs/training.py",
        (
            "evaluations use the streams of training",
            "seed = mix(mix(0, c.seed), EVALUATION)",
            "seed = c.seed",
            "tests/runs/test_learned.py",
        ),
    ),
    *of(
        "runs/run.py",
        (
            "a checkpoint of another run is taken",
            "if theirs.get(name) != mine[name]:",
            "if False:",
            "tests/runs/test_run.py",
        ),
    ),
    *of(
        "runs/files/file_kinds.py",
        (
            "all kinds have the version of their content",
            'getattr(import_module(self.module), "version_of", content_hash)',
            "content_hash",
            "tests/population/test_population_files.py",
        ),
    ),
    *of(
        "runs/files/container.py",
        (
            "a file is written in place",
            "draft.replace(path)",
            "path.write_bytes(draft.read_bytes())",
            "tests/runs/test_policy_files.py tests/runs/test_run.py",
        ),
    ),
]
