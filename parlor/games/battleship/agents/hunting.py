"""Hunting: shoots where most of the places that are left to the other's ships would be hit.

It counts, for every ship that it has not sunk, the places that touch no miss. A place that explains a hit counts many
times as much, so that a ship that was found is sunk before another is looked for. The ship that was sunk is taken to be
the line of hits through the last of them. It places its own ships anywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, Ints, State
from parlor.game.parameters import Parameter

PURSUE, SHARP = 0, 1
VALUES = {
    "pursue": Parameter(20.0, "how many times a place counts for each hit it explains", 1.0, 100.0, internal=True),
    "sharp": Parameter(3.0, "how firmly it keeps to the likeliest cells", 0.0, 20.0, internal=True),
}
MISS, SUNK = 1, 3  # as in the rules


def line_through(cell: int, hits: int, step: int, width: int, height: int) -> int:
    """The hits in a line through a cell: across with a step of 1, down with a step of the width."""
    line = 1 << cell
    for way in (-1, 1):
        at = cell + way * step
        while 0 <= at < width * height and hits >> at & 1 and (step > 1 or at // width == cell // width):
            line |= 1 << at
            at += way * step
    return line


def count_bits(cells: int) -> int:
    """The number of cells in a set."""
    count = 0
    while cells:
        cells &= cells - 1
        count += 1
    return count


def learn(s: State, p: int, width: int, height: int, sizes: Any) -> tuple[int, int, int]:
    """The knowledge of player `p`: cells ruled out, hits on ships that are still afloat, and ships that are sunk."""
    ruled_out, hits, gone = 0, 0, 0
    for number in range(s.fired // 2):
        cell = s.shot[p][number] - 1
        if s.result[p][number] == MISS:
            ruled_out |= 1 << cell
        elif not ruled_out >> cell & 1:
            hits |= 1 << cell
        if s.result[p][number] == SUNK and hits >> cell & 1:
            across = line_through(cell, hits, 1, width, height)
            down = line_through(cell, hits, width, width, height) if width > 1 else across
            line = across if count_bits(across) >= count_bits(down) else down
            hits &= ~line
            ruled_out |= line
            for k in range(len(sizes)):
                if sizes[k] == count_bits(line) and not gone >> k & 1:
                    gone |= 1 << k
                    break
    return ruled_out, hits, gone


def cells_of(size: int, place: int, width: int, height: int) -> int:
    """The cells of a ship at a place: across from cell 0, 1, …, then down from them; none if it does not fit."""
    down, first = place >= width * height, place % (width * height)
    room = height - first // width if down else width - first % width
    if size > room or (down and size == 1):
        return 0
    cells = 0
    for i in range(size):
        cells |= 1 << (first + i * (width if down else 1))
    return cells


def hunting_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """By the number of places that each cell belongs to; ships go anywhere."""
    s = states[g]
    width, height, sizes, value = data
    for i in range(n):
        out[i] = 1.0 / n
    if moves[0] >= width * height:
        return
    for i in range(n):  # a little for every new cell, in case nothing is left to be found
        out[i] = 1e-12 if s.struck[p] >> moves[i] & 1 else 1e-6
    ruled_out, hits, gone = learn(s, p, width, height, sizes)
    for k in range(len(sizes)):
        for place in range(0 if gone >> k & 1 else 2 * width * height):
            ship = cells_of(sizes[k], place, width, height)
            if ship == 0 or ship & ruled_out:
                continue
            weight = value[PURSUE] ** count_bits(ship & hits)
            for i in range(n):
                if ship & ~s.struck[p] & (1 << moves[i]):
                    out[i] += weight
    best, total = 0.0, 0.0
    for i in range(n):
        best = max(best, out[i])
    for i in range(n):
        out[i] = (out[i] / best) ** value[SHARP]
        total += out[i]
    for i in range(n):
        out[i] /= total


def make(concrete: Game, name: str, **values: float) -> CompiledAgent:
    """With the values above, or others."""
    width, height = (int(concrete.options[key]) for key in ("width", "height"))
    sizes = np.array([int(digit) for digit in concrete.options["ships"]], np.int64)
    numbers = np.array([values.get(key, setting.default) for key, setting in VALUES.items()], np.float64)
    return CompiledAgent(name, concrete, hunting_probabilities, lambda compiled: (width, height, sizes, numbers))


SPEC = AgentSpec(
    "shoots where most of the places left to the ships would be hit",
    make,
    ("battleship",),
    VALUES,
    quick=True,
    name="Hunting Henry",
    made="Written by hand.",
)
