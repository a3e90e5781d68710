"""What is left to an address after requests and wrong passwords, counted by hand while the clock stands."""

from __future__ import annotations

import time

import pytest
from starlette.types import Receive, Scope, Send

from parlor.server.api.limits import CREATING, Rates
from parlor.server.api.sign_in import Attempts
from parlor.server.operations.settings import ServerSettings


class Clock:
    now = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(time, "monotonic", lambda: found.now)
    return found


async def nobody(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError("nothing is asked here")


def test_a_bucket_gives_what_each_request_costs_and_fills_at_its_rate(clock: Clock) -> None:
    rates = Rates(nobody, ServerSettings(rate=2.0, burst=2 * CREATING + 3))
    assert [rates.take("a", CREATING) for _ in range(2)] == [0.0, 0.0]
    assert rates.take("a", CREATING) == (CREATING - 3) / 2.0  # 3 are left: the refusal takes nothing
    assert [rates.take("a", 1) for _ in range(3)] == [0.0, 0.0, 0.0]
    assert rates.take("a", 1) == 0.5
    assert rates.take("b", CREATING) == 0.0  # somebody else
    clock.now += 1.0
    assert [rates.take("a", 1) for _ in range(3)] == [0.0, 0.0, 0.5]
    clock.now += 1000.0  # no more than at first
    assert [rates.take("a", CREATING) for _ in range(2)] == [0.0, 0.0]
    assert rates.take("a", 4) == 0.5


def test_passwords_are_tried_five_times_from_an_address_and_not_much_oftener_in_all(clock: Clock) -> None:
    attempts = Attempts(each=3, all=5, seconds=60.0)
    for _ in range(3):
        assert attempts.wait("a") == 0.0
        attempts.failed("a")
        clock.now += 10.0
    assert attempts.wait("a") == 30.0  # until the first is a minute old
    assert attempts.wait("b") == 0.0
    for _ in range(2):
        attempts.failed("b")
    assert attempts.wait("b") == 30.0  # five in all
    clock.now += 30.0
    assert attempts.wait("a") == attempts.wait("b") == 0.0
    attempts.failed("c")
    assert attempts.wait("c") == 10.0
