"""A game as a tree that is written down: nodes, information sets, probabilities and payoffs as fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from parlor.game import CHANCE, OVER, Game, GameError, Position

LARGEST = 200_000  # histories of a game that is written down


@dataclass
class Node:
    """A history."""

    player: int  # CHANCE, OVER or a player
    infoset: int = -1  # the number that its file gives it, among the player's
    children: list[int] = field(default_factory=list)
    name: str = ""
    payoffs: tuple[Fraction, ...] | None = None  # what everybody gets here, besides what comes before and after
    outcome: str = ""  # its name


@dataclass
class TreeInfoset:
    """An information set, or a chance move."""

    name: str
    actions: list[str]
    odds: list[Fraction] = field(default_factory=list)  # of a chance move
    key: int = -1  # in the game that the tree was made of


@dataclass
class GameTree:
    """The nodes in prefix order: each before its children, and all that follows one before the next."""

    title: str
    players: list[str]
    nodes: list[Node]
    infosets: dict[tuple[int, int], TreeInfoset]  # by player and number
    comment: str = ""

    def actions(self, node: Node) -> list[str]:
        """The names of what can be done at a node, each different."""
        return different(self.infosets[node.player, node.infoset].actions)


def different(names: Sequence[str]) -> list[str]:
    """Names of their own for all: places where there are none, numbered where two are the same."""
    given = [name or str(i + 1) for i, name in enumerate(names)]
    return [name if given.count(name) == 1 else f"{name} #{i + 1}" for i, name in enumerate(given)]


def fraction(number: float) -> Fraction:
    """The fraction that a number stands for: a simple one, if it is that to the last digit."""
    simple = Fraction(number).limit_denominator(100_000)
    return simple if float(simple) == number else Fraction(repr(float(number)))


def tree_of(game: Game, largest: int = LARGEST) -> GameTree:
    """All histories of a game; GameError if there are too many to be written down."""
    nodes: list[Node] = []
    infosets: dict[tuple[int, int], TreeInfoset] = {}
    numbers: dict[tuple[int, int], int] = {}  # of an information set, by player and key
    counts = [0] * (game.players + 1)  # of information sets, and of chance moves
    pending: list[tuple[Position, int]] = [(game.start(), -1)]
    while pending:
        position, parent = pending.pop()
        if len(nodes) >= largest:
            raise GameError(f"{game.name} has more than {largest:,} histories, too many to be written down.")
        node = Node(position.turn)
        if parent >= 0:
            nodes[parent].children.append(len(nodes))
        if position.over:
            node.payoffs = tuple(map(fraction, position.payoffs))
        elif position.turn == CHANCE:
            counts[CHANCE] += 1
            node.infoset = counts[CHANCE]
            infosets[CHANCE, node.infoset] = TreeInfoset("", position.legal, _odds(list(position.odds.values())))
        else:
            place = position.turn, position.key(position.turn)
            if place not in numbers:
                counts[position.turn] += 1
                numbers[place] = counts[position.turn]
                infosets[position.turn, numbers[place]] = TreeInfoset(
                    position.show(position.turn), position.legal, key=place[1]
                )
            node.infoset = numbers[place]
        pending += [(position.after(a), len(nodes)) for a in reversed(position.actions)]
        nodes.append(node)
    return GameTree(game.name, [f"Player {p + 1}" for p in range(game.players)], nodes, infosets)


def _odds(numbers: Sequence[float]) -> list[Fraction]:
    """Probabilities that sum to exactly one: what rounding has left over goes to the last."""
    odds = [fraction(number) for number in numbers]
    odds[-1] = 1 - sum(odds[:-1], Fraction(0))
    return odds


def totals(tree: GameTree) -> list[tuple[Fraction, ...]]:
    """At each node, all payoffs on the way to it and there."""
    none = (Fraction(0),) * len(tree.players)
    found = [none] * len(tree.nodes)
    for i, node in enumerate(tree.nodes):
        if node.payoffs is not None:
            found[i] = tuple(a + b for a, b in zip(found[i], node.payoffs, strict=True))
        for child in node.children:
            found[child] = found[i]
    return found


def depth(tree: GameTree) -> int:
    """The moves of the longest game."""
    depths = [0] * len(tree.nodes)
    for i, node in enumerate(tree.nodes):
        for child in node.children:
            depths[child] = depths[i] + 1
    return max(depths)


def leaves(tree: GameTree) -> int:
    """The number of endings."""
    return sum(node.player == OVER for node in tree.nodes)
