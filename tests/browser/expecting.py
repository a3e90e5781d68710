"""Playwright's `expect`, which looks every few milliseconds: its own waits up to a second between two looks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast, overload

from playwright.sync_api import Locator, Page
from playwright.sync_api import expect as playwright_expect
from playwright.sync_api._generated import LocatorAssertions, PageAssertions

TIMEOUT = 60_000  # milliseconds, on a busy machine
FIRST_PAUSE, LONGEST_PAUSE = 8, 100  # milliseconds between two looks; they grow


@overload
def expect(actual: Locator) -> LocatorAssertions: ...
@overload
def expect(actual: Page) -> PageAssertions: ...
def expect(actual: Locator | Page) -> LocatorAssertions | PageAssertions:
    """What is expected of a page or of something on it."""
    return cast(LocatorAssertions, _Expectation(actual))


class _Expectation:
    def __init__(self, actual: Locator | Page) -> None:
        self._page = actual if isinstance(actual, Page) else actual.page
        self._assertions = playwright_expect(actual)

    def __getattr__(self, name: str) -> Callable[..., None]:
        look = getattr(self._assertions, name)

        def wait(*wanted: Any, timeout: float = TIMEOUT, **more: Any) -> None:
            end = time.monotonic() + timeout / 1000
            pause: float = FIRST_PAUSE
            while True:
                try:
                    return look(*wanted, timeout=1, **more)  # it looks once, however long that takes
                except AssertionError:
                    if time.monotonic() > end:
                        raise
                self._page.wait_for_timeout(pause)  # meanwhile routes and events are answered
                pause = min(1.3 * pause, LONGEST_PAUSE)

        return wait
