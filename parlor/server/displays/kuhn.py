"""Kuhn poker as JSON: as every game, with reasons."""

from __future__ import annotations

from parlor.server.displays.display import Display
from parlor.server.displays.poker import card_face_down, one_bet

DISPLAY = Display(blocked=one_bet, hidden=card_face_down)
