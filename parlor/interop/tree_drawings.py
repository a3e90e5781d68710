"""A small game as a drawn tree: SVG for the screen, TikZ for papers.

The root is on top and endings stand in a row below what leads to them; the histories of an information set are joined
by a dashed line. With a policy, actions have their probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from parlor.game import CHANCE, OVER, Game, GameError
from parlor.interop.gambit.trees import GameTree, Node, leaves, totals, tree_of
from parlor.policies.policy import Policy

LARGEST = 2_000  # histories of a tree that is drawn
COLOURS = ("#1d4e79", "#a4341f", "#2f6f3e", "#7a4a99", "#8a6d00", "#555555")
CHANCE_COLOUR = "#777777"


@dataclass(frozen=True)
class TreeDrawing:
    """A tree with a place for each node: x counts endings from the left, y moves from the top."""

    tree: GameTree
    x: list[float]
    y: list[int]
    chances: list[list[str]]  # of each node: the probabilities of what can be done there, as they are written

    @property
    def joined(self) -> Iterator[tuple[int, int]]:
        """The neighbours in each information set."""
        last: dict[tuple[int, int], int] = {}
        for i, node in enumerate(self.tree.nodes):
            if node.player >= 0:
                place = node.player, node.infoset
                if place in last:
                    yield last[place], i
                last[place] = i

    @property
    def edges(self) -> Iterator[tuple[int, int, str, str]]:
        """From a node to a node, with the name of what is done and its probability."""
        for i, node in enumerate(self.tree.nodes):
            if node.player != OVER:
                words = zip(node.children, self.tree.actions(node), self.chances[i], strict=True)
                yield from ((i, child, name, chance) for child, name, chance in words)


def drawing_of(game: Game, policy: Policy | None = None) -> TreeDrawing:
    """The tree of a game with places; GameError if there is too much to be drawn."""
    try:
        tree = tree_of(game, LARGEST)
    except GameError:
        raise GameError(f"{game.name} has more than {LARGEST:,} histories, too many to be drawn.") from None
    count = len(tree.nodes)
    x, y, endings = [0.0] * count, [0] * count, 0
    for i, node in enumerate(tree.nodes):
        for child in node.children:
            y[child] = y[i] + 1
        if not node.children:
            x[i], endings = float(endings), endings + 1
    for i in reversed(range(count)):
        if children := tree.nodes[i].children:
            x[i] = (x[children[0]] + x[children[-1]]) / 2
    return TreeDrawing(tree, x, y, [_chances(tree, node, policy) for node in tree.nodes])


def _chances(tree: GameTree, node: Node, policy: Policy | None) -> list[str]:
    """Probabilities as they are written; nothing where there are none."""
    if node.player == CHANCE:
        return [f"({odds})" for odds in tree.infosets[CHANCE, node.infoset].odds]
    if node.player == OVER:
        return []
    row = policy.row(tree.infosets[node.player, node.infoset].key) if policy is not None else None
    return [""] * len(node.children) if row is None else [f"({chance:.2f})" for chance in row.tolist()]


# ------------------------------------------------------------------------------------------------------------------ SVG

WIDE, HIGH, RADIUS, MARGIN = 74, 92, 9, 40


def svg(drawing: TreeDrawing) -> str:
    """The drawing as an SVG image."""
    tree = drawing.tree
    width = int(WIDE * max(leaves(tree) - 1, 1)) + 2 * MARGIN
    height = HIGH * max(drawing.y) + 2 * MARGIN + 16 * len(tree.players)
    at = [(MARGIN + WIDE * x, MARGIN + HIGH * y) for x, y in zip(drawing.x, drawing.y, strict=True)]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" text-anchor="middle">',
        f"<title>{escape(tree.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for i, j in drawing.joined:
        (a, b), (c, d) = at[i], at[j]
        bend = f"Q {(a + c) / 2:.1f} {min(b, d) - 14 - 9 * (tree.nodes[i].infoset % 4):.1f}"
        colour = _colour(tree.nodes[i].player)
        lines.append(
            f'<path d="M {a:.1f} {b:.1f} {bend} {c:.1f} {d:.1f}" fill="none" stroke="{colour}" '
            f'stroke-dasharray="4 4" stroke-opacity="0.6"/>'
        )
    for i, j, name, chance in drawing.edges:
        (a, b), (c, d) = at[i], at[j]
        x, y = a + 0.62 * (c - a), b + 0.62 * (d - b) - (5 if chance else 0)
        below = f'<tspan x="{x:.1f}" dy="13">{chance}</tspan>' if chance else ""
        lines.append(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="#999999"/>')
        lines.append(
            f'<text x="{x:.1f}" y="{y:.1f}" stroke="white" stroke-width="4" paint-order="stroke">{escape(name)}'
            f"{below}</text>"
        )
    lines += [_node_in_svg(tree, i, at[i], payoffs) for i, payoffs in enumerate(totals(tree))]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _node_in_svg(tree: GameTree, i: int, place: tuple[float, float], payoffs: tuple[Fraction, ...]) -> str:
    node, (x, y) = tree.nodes[i], place
    if node.player == OVER:
        rows = (
            f'<tspan x="{x:.1f}" dy="{16 if p else 4}" fill="{_colour(p)}">{payoff}</tspan>'
            for p, payoff in enumerate(payoffs)
        )
        return f'<text x="{x:.1f}" y="{y:.1f}">{"".join(rows)}</text>'
    name = "chance" if node.player == CHANCE else f"{tree.players[node.player]}: "
    seen = "" if node.player == CHANCE else tree.infosets[node.player, node.infoset].name
    inside = "" if node.player == CHANCE else str(node.player)
    return (
        f'<g><title>{escape(name + seen)}</title><circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" '
        f'fill="{_colour(node.player)}"/><text x="{x:.1f}" y="{y + 4:.1f}" fill="white">{inside}</text></g>'
    )


def _colour(player: int) -> str:
    return CHANCE_COLOUR if player == CHANCE else COLOURS[player % len(COLOURS)]


# ----------------------------------------------------------------------------------------------------------------- TikZ

SPECIAL = {"\\": r"\textbackslash{}", **{c: f"\\{c}" for c in "&%$#_{}"}, "~": r"\textasciitilde{}", "^": r"\^{}"}
SUITS = {"♣": r"$\clubsuit$", "♦": r"$\diamondsuit$", "♥": r"$\heartsuit$", "♠": r"$\spadesuit$"}


def tikz(drawing: TreeDrawing) -> str:
    """The drawing as a LaTeX document of its own, to be compiled as it is or taken over into another."""
    tree = drawing.tree
    colours = {_colour(node.player) for node in tree.nodes if node.player != OVER} | set(COLOURS[: len(tree.players)])
    lines = [
        r"\documentclass[tikz,border=4pt]{standalone}",
        *(rf"\definecolor{{{_name(colour)}}}{{HTML}}{{{colour[1:].upper()}}}" for colour in sorted(colours)),
        r"\begin{document}",
        rf"% {' '.join(tree.title.split())}",
        r"\begin{tikzpicture}[x=1.6cm, y=-1.8cm, font=\footnotesize,",
        r"  decision/.style={circle, text=white, inner sep=2pt, minimum size=4mm},",
        r"  action/.style={fill=white, inner sep=1pt, pos=0.6, align=center},",
        r"  ending/.style={align=center, anchor=north}]",
    ]
    for i, payoffs in enumerate(totals(tree)):
        node = tree.nodes[i]
        where = f"(n{i}) at ({drawing.x[i]:g},{drawing.y[i]})"
        if node.player == OVER:
            rows = r"\\".join(rf"\textcolor{{{_name(_colour(p))}}}{{${one}$}}" for p, one in enumerate(payoffs))
            lines.append(rf"\node[ending] {where} {{{rows}}};")
        else:
            inside = "" if node.player == CHANCE else str(node.player)
            lines.append(rf"\node[decision, fill={_name(_colour(node.player))}] {where} {{{inside}}};")
    for i, j, name, chance in drawing.edges:
        words = rf"{_latex(name)}\\{chance}" if chance else _latex(name)
        lines.append(rf"\draw (n{i}) -- node[action] {{{words}}} (n{j});")
    for i, j in drawing.joined:
        colour = _name(_colour(tree.nodes[i].player))
        bend = 10 + 4 * (tree.nodes[i].infoset % 4)
        lines.append(rf"\draw[dashed, {colour}] (n{i}) to[bend left={bend}] (n{j});")
    return "\n".join([*lines, r"\end{tikzpicture}", r"\end{document}"]) + "\n"


def _name(colour: str) -> str:
    """The name of a colour in LaTeX."""
    return f"player{COLOURS.index(colour)}" if colour in COLOURS else "chance"


def _latex(words: str) -> str:
    return "".join(SPECIAL.get(c, SUITS.get(c, c)) for c in words)
