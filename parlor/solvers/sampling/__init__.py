"""Solvers that sample: Monte-Carlo CFR and regret minimisation by rollouts, over a table that grows."""
