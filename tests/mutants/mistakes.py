"""All mistakes, layer by layer."""

from __future__ import annotations

from tests.mutants import agents, foundation, games, runs, server, solvers, study
from tests.mutants.mistake import Mistake

LAYERS = (foundation, games, solvers, agents, runs, server, study)

MISTAKES: list[Mistake] = [mistake for layer in LAYERS for mistake in layer.MISTAKES]
