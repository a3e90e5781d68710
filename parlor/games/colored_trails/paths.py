"""Paths over the board, and what they score.

A board is packed into integers, so that the same functions serve plain rules, compiled rules and the search for boards:
tiles, three bits each, row by row; chips, five bits a colour. A path spends a chip of the colour of every tile that it
enters, and no tile is worth entering twice. What a player ends with is 10 for every chip left less 25 for every step
that is missing to the flag; a path may end anywhere.
"""

from __future__ import annotations

SIDE = 4
TILES = SIDE * SIDE
COLOURS = 5
TILE_BITS, CHIP_BITS = 3, 5
MISSING, LEFT = 25, 10  # what a missing step costs, and a chip that is left brings
UP, RIGHT, DOWN = 1, 2, 3  # directions, as steps of a path are written, three bits each; 4 is to the left
STEP_BITS = 3
OFFSETS = (0, -SIDE, 1, SIDE, -1)  # by direction


def distance(a: int, b: int) -> int:
    """Steps from one place to another, if no chips were needed."""
    return abs(a // SIDE - b // SIDE) + abs(a % SIDE - b % SIDE)


def neighbour(place: int, direction: int) -> int:
    """The place in a direction, or -1 if the board ends there."""
    if direction == UP:
        return place - SIDE if place >= SIDE else -1
    if direction == DOWN:
        return place + SIDE if place < TILES - SIDE else -1
    if direction == RIGHT:
        return place + 1 if place % SIDE < SIDE - 1 else -1
    return place - 1 if place % SIDE > 0 else -1


def backwards(direction: int) -> int:
    """The opposite direction."""
    return (direction + 1) % 4 + 1


def chip(tiles: int, place: int) -> int:
    """One chip of the colour of a tile, packed."""
    return 1 << CHIP_BITS * ((tiles >> TILE_BITS * place) & 7)


def holds(chips: int, one: int) -> bool:
    """Whether there is a chip of a colour among some chips."""
    return chips & (one * 31) != 0


def counted(chips: int) -> int:
    """The number of chips."""
    total = 0
    while chips > 0:
        total += chips & 31
        chips >>= CHIP_BITS
    return total


def best_path(tiles: int, place: int, flag: int, chips: int) -> int:
    """The path with the best score: its steps, the last one in the lowest bits; 0 if it is best to stay."""
    left = counted(chips)
    best = LEFT * left - MISSING * distance(place, flag)
    found, path, tried, entered = 0, 0, 0, 1 << place
    while True:
        if tried < 4:
            tried += 1
            to = neighbour(place, tried)
            if to < 0 or (entered >> to) & 1 == 1:
                continue
            one = chip(tiles, to)
            missing = distance(to, flag)
            if not holds(chips, one) or LEFT * (left - 1 - missing) <= best:  # from there at best straight to the flag
                continue
            place, path, tried = to, (path << STEP_BITS) | tried, 0
            chips -= one
            left -= 1
            entered |= 1 << to
            score = LEFT * left - MISSING * missing
            if score > best:
                best, found = score, path
        elif path == 0:
            return found
        else:
            tried = path & 7
            path >>= STEP_BITS
            chips += chip(tiles, place)
            left += 1
            entered &= ~(1 << place)
            place = neighbour(place, backwards(tried))


def score(tiles: int, place: int, flag: int, chips: int) -> int:
    """The score of the best path."""
    path = best_path(tiles, place, flag, chips)
    left = counted(chips)
    while path > 0:
        place += OFFSETS[path & 7]  # in any order one ends at the same place
        path >>= STEP_BITS
        left -= 1
    return LEFT * left - MISSING * distance(place, flag)


def arrives(tiles: int, place: int, flag: int, chips: int) -> bool:
    """Whether a player can get to the flag, whatever it costs."""
    left = counted(chips)
    path, tried, entered = 0, 0, 1 << place
    while place != flag:
        if tried < 4:
            tried += 1
            to = neighbour(place, tried)
            if to < 0 or (entered >> to) & 1 == 1 or left - 1 < distance(to, flag) or not holds(chips, chip(tiles, to)):
                continue
            chips -= chip(tiles, to)
            place, path, tried = to, (path << STEP_BITS) | tried, 0
            left -= 1
            entered |= 1 << to
        elif path == 0:
            return False
        else:
            tried = path & 7
            path >>= STEP_BITS
            chips += chip(tiles, place)
            left += 1
            entered &= ~(1 << place)
            place = neighbour(place, backwards(tried))
    return True


def both_arrive(tiles: int, place: int, other: int, flag: int, chips: int) -> bool:
    """Whether two players can share chips so that both get to the flag: one on any path, the other with the rest."""
    left = counted(chips)
    path, tried, entered = 0, 0, 1 << place
    while True:
        if place == flag and arrives(tiles, other, flag, chips):
            return True
        if tried < 4 and place != flag:
            tried += 1
            to = neighbour(place, tried)
            if to < 0 or (entered >> to) & 1 == 1 or left - 1 < distance(to, flag) or not holds(chips, chip(tiles, to)):
                continue
            chips -= chip(tiles, to)
            place, path, tried = to, (path << STEP_BITS) | tried, 0
            left -= 1
            entered |= 1 << to
        elif path == 0:
            return False
        else:
            tried = path & 7
            path >>= STEP_BITS
            chips += chip(tiles, place)
            left += 1
            entered &= ~(1 << place)
            place = neighbour(place, backwards(tried))
