"""What some tests need besides Python: the built page, Chromium, PostgreSQL.

Where one is missing its tests are skipped, and the summary says why. PARLOR_REQUIRE lists those that must be there, as
in `make test` where it has just installed them: without them the tests fail.
"""

from __future__ import annotations

import os
from typing import Literal, NoReturn

import pytest

Need = Literal["page", "browser", "postgresql"]


def missing(need: Need, sentence: str) -> NoReturn:
    """Skip the test, or fail it where this must not be missing."""
    if need in os.environ.get("PARLOR_REQUIRE", "").split(","):
        pytest.fail(f"{sentence} (PARLOR_REQUIRE says that it is there)", pytrace=False)
    pytest.skip(sentence)
