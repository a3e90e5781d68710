"""Figures."""

from pathlib import Path

import pytest

from parlor.runs.checkpoint import FileError
from parlor.runs.figures import convergence

CURVE = [(1, 1.0), (10, 0.1), (100, 0.01)]


@pytest.mark.parametrize(("suffix", "magic"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_a_figure_is_drawn(tmp_path: Path, suffix: str, magic: bytes) -> None:
    path = convergence({"cfr+": CURVE, "cfr": CURVE}, "a game", tmp_path / "new" / f"curve{suffix}")
    assert path.read_bytes().startswith(magic)


def test_the_same_curve_gives_the_same_file(tmp_path: Path) -> None:
    a, b = (convergence({"cfr+": CURVE}, "a game", tmp_path / name).read_bytes() for name in ("a.svg", "b.svg"))
    assert a == b


def test_a_wrong_ending_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"should end in \.svg, \.png or \.pdf"):
        convergence({"cfr+": CURVE}, "a game", tmp_path / "curve.jpeg")
