"""Battleship: hide your ships, and find the other's first.

Each player secretly places the same ships on a grid of its own, one after the other. Then they shoot in turn, and hear
of each shot whether it missed, hit, or sank a ship. It ends when all ships of a player are sunk, or both have used up
their shots. A sunk ship is worth its value to whoever sank it and costs its owner the value times the loss multiplier:
with a multiplier above one both would rather not fight. Farina, Ling, Fang and Sandholm, *Correlation in extensive-form
games: saddle-point formulation and benchmarks* (2019).
"""

from collections.abc import Mapping, Sequence

from parlor.game import OVER, Floats, GameError, Ints, State, View, Word, choice, option, private, public, switch
from parlor.game.rng import below, mix
from parlor.game.words import TextTable, player, possessive

MAX_CELLS = 60  # a set of cells is a number, a bit for each
#: preset -> width, height, ships, shots, loss multiplier, repeated shots
PRESETS = {
    "paper": (2, 2, 12, 3, 2, True),
    "small": (4, 4, 123, 8, 2, False),
    "large": (7, 7, 2334, 30, 1, False),
}
ABOUT = {
    "paper": Word("2 × 2", "Two ships, of one and two cells, and three shots each: the benchmark of the PSRO papers."),
    "small": Word("4 × 4", "Ships of one, two and three cells, and eight shots each."),
    "large": Word("7 × 7", "Ships of two, three, three and four cells, thirty shots each, and a loss counts as a win."),
}
_PRESET = tuple(PRESETS.values())[choice("preset", "paper", tuple(PRESETS), "the defaults of everything below", ABOUT)]

PLAYERS = 2
WIDTH = option("width", _PRESET[0], 1, 10, "columns of the grid")
HEIGHT = option("height", _PRESET[1], 1, 10, "rows of the grid")
_SHIPS = option("ships", _PRESET[2], 1, 999_999, "the sizes of the ships, a digit each: 12 is one of 1 and one of 2")
SIZES = tuple(int(digit) for digit in str(_SHIPS))
SHIPS = len(SIZES)
_VALUES = option("values", int("1" * SHIPS), 0, 999_999, "what each ship is worth, a digit each: 13 is 1 and 3")
VALUES = tuple(int(digit) for digit in str(_VALUES).zfill(SHIPS))
SHOTS = option("shots", _PRESET[3], 1, 60, "shots of each player")
LOSS = option("loss", _PRESET[4], 1, 10, "the loss multiplier: a ship that is lost costs its value so many times")
REPEATS = switch("repeats", _PRESET[5], "a cell may be shot at again")
CELLS = WIDTH * HEIGHT
MISS, HIT, SUNK = 1, 2, 3

OPPONENT = "hunting"
ACTIONS = 3 * CELLS  # shoot at a cell; place a ship across from a cell; place a ship down from a cell
OUTCOMES = 0
LENGTH = PLAYERS * (SHIPS + SHOTS)
ZERO_SUM = LOSS == 1
PAYOFFS = (-float(LOSS * sum(VALUES)), float(sum(VALUES)), 0.0)
STATE = {
    "placed": public(),  # how many ships, of both
    "ship": private(PLAYERS, SHIPS),  # where mine lie: a bit for each cell
    "fired": public(),  # how many shots, of both
    "shot": public(PLAYERS, SHOTS),  # at which cell: 1 …, in order
    "result": public(PLAYERS, SHOTS),  # of each shot: MISS, HIT or SUNK
    "struck": public(PLAYERS),  # the cells that a player has shot at, a bit each
}


def start(s: State) -> None:
    """The seas are empty."""


def turn(s: State) -> int:
    """Place ships in turn, then shoot in turn until a fleet is sunk or the shots are used up."""
    if s.placed < PLAYERS * SHIPS:
        return s.placed % PLAYERS
    if s.fired == PLAYERS * SHOTS or sunk(s, 0) == SHIPS or sunk(s, 1) == SHIPS:
        return OVER
    return s.fired % PLAYERS


def sunk(s: State, p: int) -> int:
    """The number of sunk ships of a player."""
    count = 0
    for k in range(SHIPS):
        count += 1 if s.ship[p][k] & ~s.struck[1 - p] == 0 else 0
    return count


def odds(s: State, out: Floats) -> int:
    """Nothing is left to chance."""
    return 0


def legal(s: State, out: Ints) -> int:
    """Anywhere the ship fits and the ships after it still will; a shot at any cell, unless it must be a new one."""
    count = 0
    if s.placed == PLAYERS * SHIPS:
        for cell in range(CELLS):
            if REPEATS or not s.struck[s.fired % PLAYERS] >> cell & 1:
                out[count] = cell
                count += 1
        return count
    k = s.placed // PLAYERS
    taken = 0
    for earlier in range(k):
        taken |= s.ship[s.placed % PLAYERS][earlier]
    for place in range(2 * CELLS):
        cells = cells_of(k, place)
        if cells and not cells & taken and others_fit(taken | cells, k + 1):
            out[count] = CELLS + place
            count += 1
    return count


def cells_of(k: int, place: int) -> int:
    """The cells of ship `k` at a place: across from cell 0, 1, …, then down from them; none if it does not fit."""
    down = place >= CELLS
    first = place - CELLS if down else place
    room = HEIGHT - first // WIDTH if down else WIDTH - first % WIDTH
    if SIZES[k] > room or (down and SIZES[k] == 1):
        return 0
    cells = 0
    for i in range(SIZES[k]):
        cells |= 1 << (first + i * (WIDTH if down else 1))
    return cells


def others_fit(taken: int, k: int) -> bool:
    """Whether ship `k` and all after it fit on what is free: places are tried in order, with steps back."""
    path = 0  # the places of the ships that were tried, seven bits each
    at, place = k, 0
    while at < SHIPS:
        cells = 0
        while place < 2 * CELLS:
            cells = cells_of(at, place)
            if cells and not cells & taken:
                break
            place += 1
        if place < 2 * CELLS:
            taken |= cells
            path = path << 7 | place
            at, place = at + 1, 0
        elif at == k:
            return False
        else:
            at, place = at - 1, path & 127
            path >>= 7
            taken &= ~cells_of(at, place)
            place += 1
    return True


def play(s: State, a: int) -> None:
    """Place the next ship, or shoot."""
    if s.placed < PLAYERS * SHIPS:
        s.ship[s.placed % PLAYERS][s.placed // PLAYERS] = cells_of(s.placed // PLAYERS, a - CELLS)
        s.placed += 1
        return
    p, number = s.fired % PLAYERS, s.fired // PLAYERS
    s.struck[p] |= 1 << a
    result = MISS
    for k in range(SHIPS):
        if s.ship[1 - p][k] >> a & 1:
            result = HIT if s.ship[1 - p][k] & ~s.struck[p] else SUNK
    s.shot[p][number] = a + 1
    s.result[p][number] = result
    s.fired += 1


def payoff(s: State, p: int) -> float:
    """The values of the ships that were sunk, minus those that were lost times the loss multiplier."""
    total = 0
    for k in range(SHIPS):
        if s.ship[1 - p][k] & ~s.struck[p] == 0:
            total += VALUES[k]
        if s.ship[p][k] & ~s.struck[1 - p] == 0:
            total -= LOSS * VALUES[k]
    return float(total)


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, its ships, and all shots with their results."""
    k = mix(p, s.placed)
    for own in range(SHIPS):
        k = mix(k, s.ship[p][own])
    for i in range(s.fired):
        shooter, number = i % PLAYERS, i // PLAYERS
        k = mix(k, s.shot[shooter][number] * 4 + s.result[shooter][number])
    return k


# ------------------------------------------------------------------------------------------------------------ belief


def imagine(s: State, p: int, r: Ints) -> None:
    """The other's ships somewhere else, as far as all shots allow it: places are tried in a random order."""
    other = 1 - p
    placed = (s.placed + p) // PLAYERS  # ships of the other
    hits = 0
    for number in range((s.fired + 1 - p) // PLAYERS):
        if s.result[p][number] != MISS:
            hits |= 1 << (s.shot[p][number] - 1)
    places = 2 * CELLS
    step = 1 + below(r, places)
    while not coprime(step, places):
        step = 1 + below(r, places)
    turned = 0  # where each ship begins to look, seven bits each
    for _ in range(placed):
        turned = turned << 7 | below(r, places)
    path = 0  # how many places of each ship were tried, seven bits each
    at, tried, taken = 0, 0, 0
    while at < placed:
        cells = 0
        while tried < places:
            cells = cells_of(at, ((turned >> 7 * at & 127) + step * tried) % places)
            if cells and not cells & taken and agrees(s, p, cells) and completable(taken | cells, at + 1, placed, hits):
                break
            tried += 1
        if tried < places:
            s.ship[other][at] = cells
            taken |= cells
            path = path << 7 | tried
            at, tried = at + 1, 0
        else:  # never at the first ship: the true places agree
            at, tried = at - 1, (path & 127) + 1
            path >>= 7
            taken &= ~s.ship[other][at]


def coprime(a: int, b: int) -> bool:
    """Whether nothing but 1 divides both."""
    while b:
        a, b = b, a % b
    return a == 1


def agrees(s: State, p: int, cells: int) -> bool:
    """Whether the results of all shots of a player would be what they were, if a ship of the other lay on `cells`."""
    left = cells
    for number in range((s.fired + 1 - p) // PLAYERS):
        cell = s.shot[p][number] - 1
        if cells >> cell & 1:
            left &= ~(1 << cell)
            if s.result[p][number] != (HIT if left else SUNK):
                return False
    return True


def completable(taken: int, k: int, placed: int, hits: int) -> bool:
    """Whether ships from `k` on have room for the hits that are left; after the last ship, whether others fit."""
    if k == placed:
        return hits & ~taken == 0 and others_fit(taken, k)
    room = 0
    for later in range(k, placed):
        room += SIZES[later]
    unexplained = hits & ~taken
    while unexplained:
        unexplained &= unexplained - 1
        room -= 1
    return room >= 0


# ------------------------------------------------------------------------------------------------------------- words


def cell_name(cell: int) -> str:
    """Columns are letters, rows are numbers: B3."""
    return f"{'ABCDEFGHIJ'[cell % WIDTH]}{cell // WIDTH + 1}"


def cell_names(cells: int) -> str:
    """The ends of a ship: B3, or B3-B5."""
    listed = [cell_name(cell) for cell in range(CELLS) if cells >> cell & 1]
    return listed[0] if len(listed) == 1 else f"{listed[0]}-{listed[-1]}"


def describe(s: State, a: int) -> str:
    """Names of moves."""
    if s.placed < PLAYERS * SHIPS:
        return f"place {cell_names(cells_of(s.placed // PLAYERS, a - CELLS))}"
    return f"shoot {cell_name(a)}"


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Moves as data: the first cell, and for a ship its size and direction."""
    if s.placed < PLAYERS * SHIPS:
        size, place = SIZES[s.placed // PLAYERS], a - CELLS
        direction = "down" if place >= CELLS else "across"
        where = cell_names(cells_of(s.placed // PLAYERS, place))
        return {
            "verb": "place",
            "cell": place % CELLS,
            "size": size,
            "direction": direction,
            "text": f"a ship at {where}",
        }
    return {"verb": "shoot", "cell": a, "text": f"shoot at {cell_name(a)}"}


def secret(s: State, a: int, p: int) -> bool:
    """Ships are placed in secret, shots are not."""
    return bool(s.placed < PLAYERS * SHIPS and p != s.placed % PLAYERS)


def shots_of(view: View, p: int) -> list[tuple[int, int]]:
    """The cells that a player has shot at and the results, in order."""
    return [(cell - 1, result) for cell, result in zip(view.shot[p], view.result[p], strict=True) if cell]


def display(view: View) -> dict[str, list[int]]:
    """The grid, the ships there are, and row by row which of mine lies where: 1, 2, …, 0 for none."""
    mine = [sum(k for k, cells in enumerate(view.ship, 1) if cells >> cell & 1) for cell in range(CELLS)]
    return {"grid": [WIDTH, HEIGHT], "sizes": [*SIZES], "values": [*VALUES], "shots": [SHOTS], "mine": mine}


def show(view: View) -> str:
    """One line for a person."""
    ships = ", ".join(cell_names(cells) for cells in view.ship if cells)
    parts = [f"{player(view.player, 'has')} {f'ships at {ships}' if ships else 'placed no ship yet'}"]
    for p in (view.player, 1 - view.player):
        if shots := shots_of(view, p):
            parts.append(f"{player(p, 'has')} shot at " + ", ".join(f"{cell_name(c)} ({RESULTS[r]})" for c, r in shots))
    return "; ".join(parts)


def table(view: View) -> TextTable:
    """My sea and the other's, side by side."""
    columns = [cell_name(column)[0] for column in range(WIDTH)]
    seas = []
    for p in (view.player, 1 - view.player):
        results = dict(shots_of(view, 1 - p))
        ships = [p == view.player and any(cells >> cell & 1 for cells in view.ship) for cell in range(CELLS)]
        seas.append([MARKS.get(results.get(cell, 0), "■" if ships[cell] else "·") for cell in range(CELLS)])
    rows = [
        [str(row + 1), *seas[0][row * WIDTH : (row + 1) * WIDTH], " ", *seas[1][row * WIDTH : (row + 1) * WIDTH]]
        for row in range(HEIGHT)
    ]
    lines = [f"on the left {possessive(view.player)} ships ■, on the right {possessive(1 - view.player)} sea"]
    lines.append(f"{MARKS[MISS]} missed, {MARKS[HIT]} hit, {MARKS[SUNK]} sunk")
    left = SHOTS - len(shots_of(view, view.player))
    number = view.placed // PLAYERS
    asked = f"place ship {number + 1} of {SHIPS}, {SIZES[number]} long" if number < SHIPS else f"shots left: {left}"
    return TextTable(["", *columns, " ", *columns], rows, lines, asked)


MARKS = {MISS: "○", HIT: "✖", SUNK: "█"}
RESULTS = {MISS: "missed", HIT: "hit", SUNK: "sunk"}
HEARD = {MISS: "misses", HIT: "hits a ship", SUNK: "sinks a ship"}


def narrate(before: View, after: View) -> Sequence[str]:
    """Report the result of a shot."""
    if after.fired != before.fired + 1:
        return []
    shooter, number = before.fired % PLAYERS, before.fired // PLAYERS
    cell, result = after.shot[shooter][number] - 1, after.result[shooter][number]
    return [f"{possessive(shooter)} shot at {cell_name(cell)} {HEARD[result]}"]


# ------------------------------------------------------------------------------------------------------ what is asked

if CELLS > MAX_CELLS:
    raise GameError(f"width={WIDTH} and height={HEIGHT} make {CELLS} cells; there can be at most {MAX_CELLS}.")
if 0 in SIZES or len(str(_VALUES)) > SHIPS:
    raise GameError(
        f"ships={_SHIPS} and values={_VALUES} should have a digit for each ship: its size and what it is worth."
    )
if not others_fit(0, 0):
    raise GameError(f"ships={_SHIPS}: ships of {', '.join(map(str, SIZES))} cells do not fit on {WIDTH} × {HEIGHT}.")
