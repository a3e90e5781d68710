"""PSRO as a run: a population that grows in its folder, workers, figures."""
