"""The known landing frequencies of the classic board come out, by the compiled rules and by the chain."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.landings import experiment as landings

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("leave", [True, False])
def test_the_rules_land_as_often_as_the_chain(leave: bool) -> None:
    found, chain = landings.measured(leave, games=400, seed=1), landings.exact(leave)
    error = found.margin / 1.96
    distance = np.abs(found.share - chain)[error > 0] / error[error > 0]
    assert len(distance) == 40  # nobody rests on Go to Jail
    assert distance.max() < 4.5
    assert np.sqrt((distance**2).mean()) < 1.5


def test_the_chain_is_near_the_published_figures() -> None:
    leaving, staying, again = landings.exact(True), landings.exact(False), landings.exact(False, again=True)
    euler = {24: 3.18, 0: 3.09}  # Project Euler, problem 84
    assert all(100 * leaving[k] == pytest.approx(share, abs=0.011) for k, share in euler.items())
    assert 100 * (leaving[10] + leaving[40]) == pytest.approx(6.24, abs=0.03)
    assert 100 * staying[10] == pytest.approx(2.14, abs=0.005)  # Durrett
    assert 100 * again[40] == pytest.approx(9.46, abs=0.005)
