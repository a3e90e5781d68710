"""Figure 2 of Li et al. (2023): correlated equilibria of chicken and Bach or Stravinsky; what bargaining selects.

`python -m experiments figure2` draws figure2.svg beside this file, and prints the corners and the selection.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import parlor
from parlor.population.empirical.empirical_figures import draw_polytope
from parlor.population.empirical.polytope import vertices
from parlor.population.meta import solve
from parlor.runs.figures import LABEL, new_sheet

HERE = Path(__file__).parent
GAMES = {"Chicken": ("chicken", "CS"), "Bach or Stravinsky": ("bach-or-stravinsky", "BS")}
SOLVERS = ("nbs-joint", "mnce", "mncce", "mece", "mgce", "mwce", "nash")


def main() -> None:
    """Draw and print."""
    with new_sheet(HERE / "figure2.svg", len(GAMES), size=(9.0, 4.2)) as sheet:
        for axes, (title, (preset, names)) in zip(sheet, GAMES.items(), strict=True):
            payoffs = parlor.payoff_tensor(parlor.load("normal-form", preset=preset))
            draw_polytope(axes, payoffs, [names, names])
            axes.set_title(title, loc="left", fontsize=12)
            combinations = [a + b for a in names for b in names]
            print(f"{title}: corners of the polytope over {', '.join(combinations)}")
            for corner in vertices(payoffs):
                print("  ", np.round(corner, 3).tolist())
            for name in SOLVERS:
                print(f"   {name:10}", np.round(solve(name, payoffs).joint.ravel(), 3).tolist())
        handles, labels = sheet[0].get_legend_handles_labels()
        once = dict(zip(labels, handles, strict=True))
        sheet[0].figure.legend(
            once.values(), once.keys(), frameon=False, fontsize=LABEL, loc="outside lower center", ncols=len(once)
        )
