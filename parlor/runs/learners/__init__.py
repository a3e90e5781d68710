"""Learners as training runs see them; `registry` lists them by name."""
