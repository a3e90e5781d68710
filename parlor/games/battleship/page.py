"""Battleship as JSON: as every game; ships that are not seen are called so."""

from __future__ import annotations

from parlor.page.display import Display

DISPLAY = Display(
    secret_move="a ship, placed out of sight",
    offered={"preset": "large"},
    research={"2 × 2, as in the PSRO papers": {}},
)
