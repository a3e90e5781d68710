"""Gambit's format of extensive games, .efg: read and written.

    EFG 2 R "a coin" { "Player 1" "Player 2" }
    ""
    c "" 1 "" { "heads" 1/2 "tails" 1/2 } 0
    p "" 1 1 "Player 1's" { "guess" "pass" } 0
    t "" 1 "" { 1 -1 }

A node is a line, before all that follows it. What an information set or an outcome is may be left out after the first
time; we write it every time, as Gambit does, since other readers (OpenSpiel's) want it so.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from parlor.game import CHANCE, OVER, GameError
from parlor.interop.gambit.tokens import TokenReader, quoted
from parlor.interop.gambit.trees import GameTree, Node, TreeInfoset

Outcomes = dict[int, tuple[str, tuple[Fraction, ...]]]


def read_efg(text: str, where: str) -> GameTree:
    """The tree in a text; `where` names it in errors."""
    words = TokenReader(text, where)
    words.word("EFG")
    words.word("2")
    words.word("R", "D")
    title, players = words.text(), words.texts()
    comment = words.text() if words.sees('"') else ""
    tree = GameTree(title, players, [], {}, comment)
    outcomes: Outcomes = {}
    left = [(-1, 1)]  # nodes that miss children, and how many
    while left:
        parent, missing = left.pop()
        if missing > 1:
            left.append((parent, missing - 1))
        node = _node(words, tree, outcomes)
        if parent >= 0:
            tree.nodes[parent].children.append(len(tree.nodes))
        if node.player != OVER:
            left.append((len(tree.nodes), len(tree.infosets[node.player, node.infoset].actions)))
        tree.nodes.append(node)
    if not words.over:
        raise words.wrong("the end")
    return tree


def _node(words: TokenReader, tree: GameTree, outcomes: Outcomes) -> Node:
    """The next node."""
    kind = words.word("c", "p", "t")
    node = Node(OVER, name=words.text())
    if kind == "c":
        node.player = CHANCE
    elif kind == "p":
        node.player = words.whole() - 1
        if not 0 <= node.player < len(tree.players):
            raise GameError(f"{words.where} has {len(tree.players)} players, and a move of player {node.player + 1}.")
    if kind != "t":
        node.infoset = words.whole()
        _infoset(words, tree, node)
    number = words.whole()
    if words.sees('"') or words.sees("{"):
        name = words.text() if words.sees('"') else ""
        if words.sees("{"):
            payoffs = tuple(words.numbers())
            if len(payoffs) != len(tree.players):
                raise GameError(f"{words.where}: outcome {number} should have {len(tree.players)} payoffs.")
            outcomes[number] = name, payoffs
    if number and number not in outcomes:
        raise GameError(f"{words.where}: outcome {number} has no payoffs.")
    if number:
        node.outcome, node.payoffs = outcomes[number]
    return node


def _infoset(words: TokenReader, tree: GameTree, node: Node) -> None:
    """The name and the actions of an information set, where they are written."""
    place = node.player, node.infoset
    name = words.text() if words.sees('"') else ""
    if words.sees("{"):
        made = TreeInfoset(name, [])
        words.open()
        while not words.sees("}"):
            made.actions.append(words.text())
            if node.player == CHANCE:
                made.odds.append(words.number())
        words.close()
        if not made.actions:
            raise words.wrong("an action before the brace")
        if place in tree.infosets and tree.infosets[place].actions != made.actions:
            raise GameError(f"{words.where}: information set {node.infoset} has different actions in two places.")
        if node.player == CHANCE and (abs(float(sum(made.odds)) - 1.0) > 1e-6 or min(made.odds) < 0):
            raise GameError(f"{words.where}: the probabilities of chance move {node.infoset} do not sum to one.")
        tree.infosets.setdefault(place, made)
    if place not in tree.infosets:
        raise GameError(f"{words.where}: information set {node.infoset} of player {node.player + 1} has no actions.")


def write_efg(tree: GameTree) -> str:
    """The tree as a text."""
    return "\n".join(_lines(tree)) + "\n"


def _lines(tree: GameTree) -> Iterator[str]:
    names = " ".join(map(quoted, tree.players))
    yield f"EFG 2 R {quoted(tree.title)} {{ {names} }}"
    yield quoted(tree.comment)
    yield ""
    numbers: dict[tuple[str, tuple[Fraction, ...]], int] = {}
    for node in tree.nodes:
        line = f"{'c' if node.player == CHANCE else 't' if node.player == OVER else 'p'} {quoted(node.name)}"
        if node.player >= 0:
            line += f" {node.player + 1}"
        if node.player != OVER:
            place = node.player, node.infoset
            infoset = tree.infosets[place]
            line += f" {node.infoset} {quoted(infoset.name)} {{ {_actions(infoset)} }}"
        if node.payoffs is None:
            yield f"{line} 0"
            continue
        outcome = node.outcome, node.payoffs
        number = numbers.setdefault(outcome, len(numbers) + 1)
        yield f"{line} {number} {quoted(node.outcome)} {{ {' '.join(map(str, node.payoffs))} }}"


def _actions(infoset: TreeInfoset) -> str:
    if not infoset.odds:
        return " ".join(map(quoted, infoset.actions))
    return " ".join(f"{quoted(name)} {odds}" for name, odds in zip(infoset.actions, infoset.odds, strict=True))
