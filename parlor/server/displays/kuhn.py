"""Kuhn poker as JSON: as every game, with reasons."""

from __future__ import annotations

from parlor.server.displays.display import Display
from parlor.server.displays.poker import one_bet

DISPLAY = Display(blocked=one_bet)
