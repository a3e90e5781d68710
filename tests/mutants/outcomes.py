"""A plugin of pytest for a run without mistakes: writes which tests passed, and why others did not, as JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

WHERE = "PARLOR_OUTCOMES"  # the environment variable that names the file

_found: dict[str, str] = {}


def _sentence(report: Any) -> str:
    """Why a test was skipped or failed, in a line."""
    told = report.longrepr
    text = told[2] if isinstance(told, tuple) else str(told)
    return f"{report.outcome}: {(text.strip().splitlines() or [''])[-1]}"


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Files that cannot be imported, for want of a library say, or that are left out as a whole."""
    if not report.passed:
        _found[report.nodeid] = _sentence(report)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test has passed if all its phases have."""
    if not report.passed:
        _found[report.nodeid] = _sentence(report)
    elif report.when == "call":
        _found.setdefault(report.nodeid, "passed")


def pytest_sessionfinish() -> None:
    """Write."""
    Path(os.environ[WHERE]).write_text(json.dumps(_found))
