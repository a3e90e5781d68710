"""Drawings of empirical games: payoffs as a heat map, replicator dynamics as a field, equilibria as a polytope.

The polytope is figure 2 of Li et al., *Combining Tree-Search, Generative Models, and Nash Bargaining Concepts in
Game-Theoretic Reinforcement Learning* (2023).
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parlor.game import GameError
from parlor.policies.mixture import Array, deviation_payoffs, own_rows
from parlor.population.empirical.estimates import SAME, Estimates
from parlor.population.empirical.polytope import faces
from parlor.population.meta import solve
from parlor.population.meta.nash import all_equilibria, symmetric_equilibria
from parlor.runs.figures import COLOURS, DASHED, GREY, HEIGHT, LABEL, WIDTH, new_sheet
from parlor.runs.saved_agents import short_names

LEGIBLE = 400  # cells with numbers in them
LISTED = 40  # strategies whose names stand at the axes
STEPS = 60  # of a field, along each side
SPEED = "#8a8f98"


def draw_estimates(game: Estimates, path: str | os.PathLike[str], kind: str = "heat-map") -> Path:
    """Draw it in one of the ways of `DRAWINGS`."""
    if kind not in DRAWINGS:
        raise GameError(f"There is no drawing {kind!r}; there are {', '.join(DRAWINGS)}.")
    DRAWINGS[kind](game, Path(path))
    return Path(path)


# ---------------------------------------------------------------------------------------------------------- heat map


def heat_map(game: Estimates, path: Path) -> None:
    """Payoffs with their intervals: rows are a player's strategies, columns what the others play."""
    payoffs, widths = game.payoffs, game.half_widths
    opposed = game.players == 2 and float(np.abs(payoffs.sum(axis=0)).max()) <= SAME * max(
        np.abs(payoffs).max(), 1e-300
    )
    players = [0] if game.shared or opposed else list(range(game.players))
    tables = [own_rows(payoffs[p], p) for p in players]
    rows, columns = max(len(table) for table in tables), max(table.shape[1] for table in tables)
    names = [short_names(some) for some in game.labels]
    longest = max(len(name) for some in names for name in some)
    wide = min(max(0.62 * columns, 3.0), 16.0) + 0.075 * longest + 1.2
    tall = min(max(0.42 * rows, 1.8), 12.0) + min(0.05 * longest, 1.5) + 0.9
    top = float(np.abs(payoffs).max()) or 1.0
    signed = float(payoffs.min()) < 0.0 < float(payoffs.max())
    scale: dict[str, Any] = {"cmap": "RdBu", "vmin": -top, "vmax": top} if signed else {"cmap": "viridis"}
    with new_sheet(path, len(players), size=(wide * len(players), tall)) as sheet:
        for axes, player, table in zip(sheet, players, tables, strict=True):
            axes.grid(False)
            image = axes.imshow(table, aspect="auto", **scale)
            others = [
                " · ".join(some) for some in itertools.product(*(names[p] for p in range(game.players) if p != player))
            ]
            _name(axes.set_yticks, names[player], 0, "right")
            turned = 35 if max(map(len, others)) > 6 else 0
            _name(axes.set_xticks, others, turned, "right" if turned else "center")
            axes.spines[:].set_visible(False)
            who = "the row gets" if len(players) == 1 else f"player {player} gets, in rows"
            axes.set_title(f"{game.game}: what {who}", loc="left", fontsize=11)
            if table.size <= LEGIBLE:
                _numbers(axes, image, table, own_rows(widths[player], player))
            else:
                axes.figure.colorbar(image, ax=axes)


def _name(set_ticks: Callable[..., Any], names: Sequence[str], turned: int, side: str) -> None:
    if len(names) <= LISTED:
        set_ticks(range(len(names)), names, fontsize=LABEL, rotation=turned, ha=side)


def _numbers(axes: Any, image: Any, table: Array, widths: Array) -> None:
    for (row, column), value in np.ndenumerate(table):
        red, green, blue, _ = image.cmap(image.norm(value))
        ink = "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "black"
        width = widths[row, column]
        text = f"{value:.3g}" + (f"\n± {width:.2g}" if 0.0 < width < np.inf else "")
        axes.text(column, row, text, ha="center", va="center", fontsize=7.0, color=ink)


# ---------------------------------------------------------------------------------------------- replicator dynamics


def replicator_field(game: Estimates, path: Path) -> None:
    """Draw the replicator dynamics of two players with two strategies each, or of three strategies that all share."""
    if game.shared and game.payoffs.shape[1] == 3:
        with new_sheet(path, size=(WIDTH * 0.75, HEIGHT)) as [axes]:
            draw_triangle(axes, game.payoffs, short_names(game.labels[0]))
            axes.set_title(f"{game.game}: replicator dynamics", loc="left", fontsize=11)
    elif game.payoffs.shape == (2, 2, 2):
        with new_sheet(path, size=(WIDTH * 0.75, HEIGHT)) as [axes]:
            draw_square(axes, game.payoffs, [short_names(some) for some in game.labels])
            axes.set_title(f"{game.game}: replicator dynamics", loc="left", fontsize=11)
    else:
        size = " × ".join(str(len(some)) for some in game.labels)
        raise GameError(
            "A replicator field is drawn for two players with two strategies each, or for three strategies that all "
            f"players share (symmetric); this game is {size}: choose some of its strategies."
        )


def draw_square(axes: Any, payoffs: Array, names: Sequence[Sequence[str]]) -> None:
    """Two players with two strategies each: how often each plays its first."""
    shares = np.linspace(0.0, 1.0, STEPS)
    x, y = np.meshgrid(shares, shares)
    mine, theirs = payoffs
    gain_x = (mine[0, 0] - mine[1, 0]) * y + (mine[0, 1] - mine[1, 1]) * (1 - y)
    gain_y = (theirs[0, 0] - theirs[0, 1]) * x + (theirs[1, 0] - theirs[1, 1]) * (1 - x)
    _stream(axes, shares, shares, x * (1 - x) * gain_x, y * (1 - y) * gain_y)
    for one in all_equilibria(payoffs):
        _mark(axes, np.array([one.marginals[0][0], one.marginals[1][0]]), _pure(one.joint))
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    axes.set_xlabel(f"player 0 plays {names[0][0]} rather than {names[0][1]}", fontsize=LABEL)
    axes.set_ylabel(f"player 1 plays {names[1][0]} rather than {names[1][1]}", fontsize=LABEL)
    _legend(axes)


def draw_triangle(axes: Any, payoffs: Array, names: Sequence[str]) -> None:
    """One population of three strategies, each at a corner."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
    xs, ys = np.linspace(0.0, 1.0, 2 * STEPS), np.linspace(0.0, np.sqrt(0.75), 2 * STEPS)
    flow = np.full((len(ys), len(xs), 2), np.nan)
    inverse = np.linalg.inv(np.vstack([corners.T, np.ones(3)]))
    for i, j in np.ndindex(len(ys), len(xs)):
        share = inverse @ [xs[j], ys[i], 1.0]
        if (share > -1e-9).all():
            share = np.maximum(share, 0.0)
            gets = deviation_payoffs([share] * len(payoffs), payoffs, 0)
            flow[i, j] = (share * (gets - share @ gets)) @ corners
    _stream(axes, xs, ys, flow[:, :, 0], flow[:, :, 1])
    axes.fill(*corners.T, fill=False, edgecolor=GREY, linewidth=1.0)
    if len(payoffs) == 2:
        for one in symmetric_equilibria(payoffs):
            _mark(axes, one @ corners, _pure(one))
        _legend(axes)
    for (x, y), name, side in zip(corners, names, ("right", "left", "center"), strict=True):
        axes.annotate(
            name, (x, y), xytext=(0, -11 if y == 0.0 else 7), textcoords="offset points", ha=side, fontsize=LABEL
        )
    axes.set(xlim=(-0.1, 1.1), ylim=(-0.1, 0.97), aspect="equal")
    axes.set_axis_off()


def _stream(axes: Any, xs: Array, ys: Array, u: Array, v: Array) -> None:
    speed = np.hypot(u, v)
    fast = np.nanmax(speed) or 1.0
    width = 0.5 + 1.3 * np.sqrt(np.nan_to_num(speed) / fast)
    if np.nanmax(speed) > 0.0:
        axes.streamplot(xs, ys, u, v, color=SPEED, density=1.1, linewidth=width, arrowsize=0.9)


def _pure(chances: Array) -> bool:
    return bool(chances.max() > 1.0 - 1e-9)


def _mark(axes: Any, place: Array, pure: bool) -> None:
    label = "pure Nash equilibrium" if pure else "mixed Nash equilibrium"
    face = COLOURS[1] if pure else "white"
    axes.plot(*place[:, None], "o", markersize=8, markerfacecolor=face, markeredgecolor=COLOURS[1], markeredgewidth=1.8,
              label=label, linestyle="", clip_on=False, zorder=5)  # fmt: skip


def _legend(axes: Any) -> None:
    handles, labels = axes.get_legend_handles_labels()
    once = dict(zip(labels, handles, strict=True))
    if once:
        axes.legend(
            once.values(), once.keys(), frameon=False, fontsize=LABEL, loc="upper left", bbox_to_anchor=(1.0, 1.0)
        )


# ------------------------------------------------------------------------------------------------------------ polytope

#: Corners of the tetrahedron of joint distributions: both the first, the first and the second, …
CORNERS = np.array([[-0.45, 0.35, 1.0], [-1.0, -0.3, -0.35], [1.0, -0.3, -0.35], [0.2, 1.1, -0.35]])
SIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.34, 0.94]])  # the plane of the paper
DEPTH = np.array([0.0, 0.94, -0.34])  # into the paper
EDGES = tuple(itertools.combinations(range(4), 2))
HIDDEN = {(1, 3), (2, 3), (0, 3)}


def polytope(game: Estimates, path: Path) -> None:
    """The correlated equilibria of a game of two players with two strategies each."""
    with new_sheet(path, size=(WIDTH * 0.85, HEIGHT)) as [axes]:
        draw_polytope(axes, game.payoffs, [short_names(some) for some in game.labels])
        axes.set_title(f"{game.game}: correlated equilibria", loc="left", fontsize=11)
        _legend(axes)


def draw_polytope(axes: Any, payoffs: Array, names: Sequence[Sequence[str]]) -> None:
    """Joint distributions as a tetrahedron; in it the (C)CE, Nash equilibria, and what Nash bargaining selects."""
    axes.grid(False)
    axes.set_axis_off()
    axes.set_aspect("equal")
    for edge in EDGES:
        style: Any = DASHED if edge in HIDDEN else "-"
        axes.plot(*_seen(np.eye(4)[list(edge)]).T, color=GREY, linewidth=0.9, linestyle=style, zorder=1)
    polygons = faces(payoffs)
    middle = np.concatenate(polygons).mean(axis=0)
    for polygon in polygons:
        seen, front = _seen(polygon).T, len(polygons) == 1 or _in_front(polygon, middle)
        if len(polygon) > 2:
            axes.fill(*seen, color=COLOURS[4], alpha=0.35, linewidth=0.0, zorder=2)
        around = np.append(seen, seen[:, :1], axis=1)
        line: dict[str, Any] = (
            {"linewidth": 1.3, "label": "(C)CE"} if front else {"linewidth": 0.7, "linestyle": DASHED}
        )
        axes.plot(*around, color=COLOURS[0], zorder=3 + front, **line)
    for one in all_equilibria(payoffs):
        _mark(axes, _seen(one.joint.reshape(1, 4))[0], _pure(one.joint))
    chosen = _seen(solve("mnce", payoffs).joint.reshape(1, 4))[0]
    axes.plot(*chosen[:, None], marker="*", markersize=15, color=COLOURS[2], markeredgecolor="white", linestyle="",
              label="largest Nash product", zorder=6)  # fmt: skip
    centre = _seen(np.full((1, 4), 0.25))[0]
    join = "" if all(len(name) == 1 for some in names for name in some) else ", "
    for corner, (first, second) in zip(np.eye(4), itertools.product(*names), strict=True):
        x, y = _seen(corner[None, :])[0]
        away = np.sign([x - centre[0], y - centre[1]]) * 10
        side = "right" if away[0] < 0 else "left"
        axes.annotate(f"{first}{join}{second}", (x, y), xytext=tuple(away), textcoords="offset points", ha=side,
                      va="center", fontsize=LABEL + 1.5)  # fmt: skip
    axes.margins(0.16)


def _in_front(polygon: Array, middle: Array) -> bool:
    """Whether we look at the outer side of a face."""
    points = polygon @ CORNERS
    outwards = np.cross(points[1] - points[0], points[2] - points[0])
    outwards *= np.sign(outwards @ (points[0] - middle @ CORNERS))
    return bool(outwards @ DEPTH < 0.0)


def _seen(points: Array) -> Array:
    """Joint distributions [points, 4] on the paper."""
    return np.asarray(points @ CORNERS @ SIGHT.T)


DRAWINGS: dict[str, Callable[[Estimates, Path], None]] = {
    "heat-map": heat_map,
    "replicator": replicator_field,
    "polytope": polytope,
}
