"""The known landing frequencies of the classic board come out, by the compiled rules and by the chain."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


@pytest.fixture(scope="module")
def landings() -> ModuleType:
    path = Path(__file__).parents[2] / "experiments" / "landings.py"
    spec = importlib.util.spec_from_file_location("landings", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("leave", [True, False])
def test_the_rules_land_as_often_as_the_chain(landings: ModuleType, leave: bool) -> None:
    found, chain = landings.measured(leave, games=400, seed=1), landings.exact(leave)
    error = found.margin / 1.96
    distance = np.abs(found.share - chain)[error > 0] / error[error > 0]
    assert len(distance) == 40  # nobody rests on Go to Jail
    assert distance.max() < 4.5
    assert np.sqrt((distance**2).mean()) < 1.5


def test_the_chain_gives_the_published_figures(landings: ModuleType) -> None:
    leaving, staying = landings.exact(True), landings.exact(False, again=True)
    assert [round(100 * leaving[k], 4) for k in (24, 0, 19, 25)] == [3.1858, 3.0961, 3.0852, 3.0659]
    assert round(100 * (leaving[10] + leaving[40]), 2) == 6.22
    assert [round(100 * staying[k], 4) for k in (24, 0)] == [2.9929, 2.9143]
    assert [round(100 * staying[k], 2) for k in (40, 10)] == [9.46, 2.14]
