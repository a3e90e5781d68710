"""Leduc hold'em as JSON: as every game, with reasons."""

from __future__ import annotations

from parlor.server.displays.display import Display
from parlor.server.displays.poker import card_face_down, two_raises

DISPLAY = Display(blocked=two_raises, hidden=card_face_down)
