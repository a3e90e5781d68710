"""The boards: their spaces in order, with costs, rents and sets.

Leeds is the board of Khan, *AI for Board Games* (University of Leeds, 2019): streets of Leeds. Cards and a jail add
two spaces each, if they are played. The classic board is that of the American edition of Monopoly.
"""

from __future__ import annotations

from typing import NamedTuple

from parlor.games.leodopoly.options import CARDS, FULL_BOARD, JAIL

PLAIN, STREET, STATION, UTILITY, TAX, CHANCE_SPACE, CHEST_SPACE, JAIL_SPACE, GO_TO_JAIL = range(9)  # kinds of spaces
KINDS = ("plain", "street", "station", "utility", "tax", "chance", "chest", "jail", "go to jail")
LEVELS = 5  # four houses, then a hotel


class Space(NamedTuple):
    """A space of the board; what costs nothing cannot be bought."""

    name: str
    cost: int = 0
    rent: int = 0  # of a tax: what it is
    group: int = 0  # spaces of one group make a full set, which doubles their rents; 0: none
    kind: int = PLAIN
    house: int = 0  # the price of a house
    rents: tuple[int, ...] = (0,) * LEVELS  # with one to four houses, and with a hotel


def leeds(name: str, cost: int, rent: int, group: int) -> Space:
    """A street of Leeds. A house costs half as much as the street and adds twice its rent, and so does a hotel."""
    return Space(name, cost, rent, group, STREET, cost // 2, tuple(rent * (2 * n + 1) for n in range(1, LEVELS + 1)))


def station(name: str) -> Space:
    """25, 50, 100, 200 with one to four of them."""
    return Space(name, 200, 25, 9, STATION)


def utility(name: str) -> Space:
    """Four times the dice, or ten times for the owner of both; 28 and 70 at an average roll of 7."""
    return Space(name, 150, 28, 10, UTILITY)


LEEDS = (
    Space("Millennium Square"),
    leeds("Woodhouse Street", 60, 20, 1),
    leeds("Melville Place", 50, 12, 1),
    leeds("Quarry Mount", 30, 8, 1),
    leeds("Leeds University", 700, 150, 4),
    leeds("Hyde Park Road", 200, 60, 2),
    leeds("Brudenell Road", 120, 40, 2),
    leeds("Victoria Road", 250, 80, 2),
    leeds("Notre Dame", 200, 60, 4),
    leeds("Bearpit Gardens", 300, 2, 3),
    leeds("North Lane", 100, 50, 3),
)
CARD_SPACES = {3: Space("Chance", kind=CHANCE_SPACE), 7: Space("Community Chest", kind=CHEST_SPACE)}  # come after
JAIL_SPACES = {4: Space("Jail", kind=JAIL_SPACE), 8: Space("Go to Jail", kind=GO_TO_JAIL)}  # come after
CLASSIC_BOARD = (
    Space("GO"),
    Space("Mediterranean Avenue", 60, 2, 1, STREET, 50, (10, 30, 90, 160, 250)),
    Space("Community Chest 1", kind=CHEST_SPACE),
    Space("Baltic Avenue", 60, 4, 1, STREET, 50, (20, 60, 180, 320, 450)),
    Space("Income Tax", rent=200, kind=TAX),
    station("Reading Railroad"),
    Space("Oriental Avenue", 100, 6, 2, STREET, 50, (30, 90, 270, 400, 550)),
    Space("Chance 1", kind=CHANCE_SPACE),
    Space("Vermont Avenue", 100, 6, 2, STREET, 50, (30, 90, 270, 400, 550)),
    Space("Connecticut Avenue", 120, 8, 2, STREET, 50, (40, 100, 300, 450, 600)),
    Space("Jail", kind=JAIL_SPACE),
    Space("St. Charles Place", 140, 10, 3, STREET, 100, (50, 150, 450, 625, 750)),
    utility("Electric Company"),
    Space("States Avenue", 140, 10, 3, STREET, 100, (50, 150, 450, 625, 750)),
    Space("Virginia Avenue", 160, 12, 3, STREET, 100, (60, 180, 500, 700, 900)),
    station("Pennsylvania Railroad"),
    Space("St. James Place", 180, 14, 4, STREET, 100, (70, 200, 550, 750, 950)),
    Space("Community Chest 2", kind=CHEST_SPACE),
    Space("Tennessee Avenue", 180, 14, 4, STREET, 100, (70, 200, 550, 750, 950)),
    Space("New York Avenue", 200, 16, 4, STREET, 100, (80, 220, 600, 800, 1000)),
    Space("Free Parking"),
    Space("Kentucky Avenue", 220, 18, 5, STREET, 150, (90, 250, 700, 875, 1050)),
    Space("Chance 2", kind=CHANCE_SPACE),
    Space("Indiana Avenue", 220, 18, 5, STREET, 150, (90, 250, 700, 875, 1050)),
    Space("Illinois Avenue", 240, 20, 5, STREET, 150, (100, 300, 750, 925, 1100)),
    station("B. & O. Railroad"),
    Space("Atlantic Avenue", 260, 22, 6, STREET, 150, (110, 330, 800, 975, 1150)),
    Space("Ventnor Avenue", 260, 22, 6, STREET, 150, (110, 330, 800, 975, 1150)),
    utility("Water Works"),
    Space("Marvin Gardens", 280, 24, 6, STREET, 150, (120, 360, 850, 1025, 1200)),
    Space("Go to Jail", kind=GO_TO_JAIL),
    Space("Pacific Avenue", 300, 26, 7, STREET, 200, (130, 390, 900, 1100, 1275)),
    Space("North Carolina Avenue", 300, 26, 7, STREET, 200, (130, 390, 900, 1100, 1275)),
    Space("Community Chest 3", kind=CHEST_SPACE),
    Space("Pennsylvania Avenue", 320, 28, 7, STREET, 200, (150, 450, 1000, 1200, 1400)),
    station("Short Line"),
    Space("Chance 3", kind=CHANCE_SPACE),
    Space("Park Place", 350, 35, 8, STREET, 200, (175, 500, 1100, 1300, 1500)),
    Space("Luxury Tax", rent=100, kind=TAX),
    Space("Boardwalk", 400, 50, 8, STREET, 200, (200, 600, 1400, 1700, 2000)),
)


def board(full: bool, cards: bool, jail: bool) -> tuple[Space, ...]:
    """The board that is played with these options; agents, which serve any options, ask for it."""
    if full:
        unused = (() if cards else (CHANCE_SPACE, CHEST_SPACE)) + (() if jail else (JAIL_SPACE, GO_TO_JAIL))
        return tuple(space._replace(kind=PLAIN) if space.kind in unused else space for space in CLASSIC_BOARD)
    more = (CARD_SPACES if cards else {}) | (JAIL_SPACES if jail else {})
    spaces: list[Space] = []
    for k, space in enumerate(LEEDS):
        spaces += [space, *([more[k]] if k in more else [])]
    return tuple(spaces)


BOARD = board(FULL_BOARD, CARDS, JAIL)
SPACES = len(BOARD)
