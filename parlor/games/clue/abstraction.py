"""Abstractions of Clue: games over the same states with coarser knowledge or fewer actions.

symmetric: all moves, and all that one knows, up to the names of cards; nothing is lost. See `symmetry.py`.
plans: a few plans at each decision, and how sure one is; small enough to be trained. See `plans.py`.
"""

from __future__ import annotations

from parlor.games.clue.plans import PLANS
from parlor.games.clue.symmetry import SYMMETRIC

ABSTRACTIONS = {"symmetric": SYMMETRIC, "plans": PLANS}
