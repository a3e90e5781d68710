"""Goofspiel as JSON: as every game; bids that are not seen are called so."""

from __future__ import annotations

from parlor.page.display import Display

DISPLAY = Display(
    secret_move="a bid, face down",
    offered={"cards": "13", "order": "random"},
    research={"Four cards, prizes in order": {}},
)
