"""The list of planted mistakes fits the code: `make mutants` plants them and sees whether they are caught."""

from pathlib import Path

import pytest

from tests.mutants.mistake import Mistake
from tests.mutants.mistakes import MISTAKES

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: f"{m.file}: {m.name}")
def test_a_mistake_can_be_planted_and_has_tests_that_may_notice(mistake: Mistake) -> None:
    text = (ROOT / mistake.file).read_text()
    assert mistake.planted(text) != text
    assert mistake.tests
    assert all((ROOT / test.partition("::")[0]).exists() for test in mistake.tests)
