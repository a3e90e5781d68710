"""Sheriff as JSON: as every game; a cargo that is not seen is called so."""

from __future__ import annotations

from parlor.page.display import Display

DISPLAY = Display(secret_move="a cargo, loaded out of sight")
