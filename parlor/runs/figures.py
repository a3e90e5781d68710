"""Figures of runs. Matplotlib is loaded only when one is drawn."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from parlor.runs.checkpoint import FileError, ending, write

FIGURES = dict.fromkeys((".svg", ".png", ".pdf"), "")


def convergence(curves: Mapping[str, Sequence[tuple[int, float]]], title: str, path: str | Path) -> Path:
    """Draw exploitability against iterations, both logarithmic, one line for each name; .svg, .png or .pdf."""
    path = Path(path)
    ending(path, FIGURES)
    try:
        import matplotlib
    except ImportError:
        raise FileError("Figures need Matplotlib: pip install matplotlib.") from None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "parlor"  # the same curve gives the same file
    matplotlib.rcParams["svg.fonttype"] = "none"  # letters as letters
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    for name, curve in curves.items():
        axes.loglog([i for i, _ in curve], [max(e, 1e-16) for _, e in curve], label=name, linewidth=1.8)
    axes.set(title=title, xlabel="iterations", ylabel="exploitability")
    axes.grid(True, which="major", alpha=0.35)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format=path.suffix[1:], dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)
    write(path, buffer.getvalue())
    return path
