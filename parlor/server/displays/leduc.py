"""Leduc hold'em as JSON: as every game, with reasons."""

from __future__ import annotations

from parlor.server.displays.display import Display
from parlor.server.displays.poker import two_raises

DISPLAY = Display(blocked=two_raises)
