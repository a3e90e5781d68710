"""Games in normal form as JSON: as every game; choices that are not seen are called so."""

from __future__ import annotations

from parlor.page.display import Display

DISPLAY = Display(secret_move="a choice that you do not see")
