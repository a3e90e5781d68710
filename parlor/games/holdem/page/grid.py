"""The strategy of a blueprint at a node of its betting tree, as the grid of the 169 kinds of hands.

A line of moves leads to the node: `f` folds, `c` checks or calls, `b50` bets half the pot, `a` is all-in, with hyphens
between them. Before the flop every kind of hand has a row of its own. Later a board must be given: each of the 1,326
hands has a bucket on it, each bucket a row, and a cell is the mean over its hands, weighted by how often the blueprint
itself gets there with each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from parlor.game import CHANCE, Game, GameError
from parlor.game.game import move_of
from parlor.games.holdem.bets import CALL, FOLD
from parlor.games.holdem.page.facts import blueprint_of, buckets_of, tree_name, tree_of
from parlor.games.holdem.page.schemas import GridAction, GridCell, GridStep, StrategyGrid
from parlor.games.holdem.sizes import ALL_IN, SMALLEST, TREES
from parlor.games.holdem.words import STREET_NAMES
from parlor.page.seated_agent import SeatedAgent, reference
from parlor.poker.blueprint import Blueprint
from parlor.poker.hands.buckets import SHOWN, SUMMARIES
from parlor.poker.hands.cards import DECK, symbol
from parlor.poker.hands.cards import board as read_board
from parlor.poker.hands.hand_strength import MASKS
from parlor.poker.hands.isomorphism import CLASS_OF_HAND, CLASSES, HAND_MASKS, RENAMED, boards, class_name

Floats = npt.NDArray[np.float64]

Weighting = Literal["reach", "hands", "buckets"]

KINDS: Mapping[int, Literal["fold", "call", "all-in"]] = {FOLD: "fold", CALL: "call", ALL_IN: "all-in"}


@dataclass(frozen=True)
class GridWalk:
    """A line through the tree: its nodes with the index of the move made there, and its end."""

    passed: tuple[tuple[int, int], ...]
    node: int
    steps: tuple[GridStep, ...]
    state: Any


def grid(opponent: SeatedAgent, line: str, board: str) -> StrategyGrid:
    """The strategy after a line of moves."""
    plan, lying = blueprint_of(opponent), read_board(board)
    concrete = opponent.agent.concrete_game
    walk = _walk(plan, concrete.abstract(tree_of(plan)), [code for code in line.split("-") if code], lying)
    player, street = plan.slot(walk.node)
    shown = lying[: SHOWN[street]]
    display = concrete.words.display(concrete.view(walk.state, player)) if concrete.words.display else {}
    cells: list[GridCell] = []
    weighting: Weighting = "buckets"
    overall: Floats
    if len(shown) < SHOWN[street]:
        overall = plan.played(walk.node)[0].mean(axis=0)
    else:
        weighting, overall, cells = _cells(opponent, plan, walk, player, street, lying)
    return StrategyGrid(
        agent=reference(opponent),
        game=plan.game,
        cards=f"{plan.cards}: {SUMMARIES[plan.cards]}",
        buckets=int(plan.sizes[street]),
        infosets=plan.infosets,
        street=STREET_NAMES[street],
        player=player,
        position=str(display["names"][player]),
        line=list(walk.steps),
        board=[symbol(card) for card in shown],
        board_needed=SHOWN[street] if len(shown) < SHOWN[street] else 0,
        pot=display["pot"] + sum(display["bets"]),
        stacks=list(display["stacks"]),
        weighting=weighting,
        actions=[
            GridAction(
                code=_code(plan, street, move),
                name=tree_name(plan, street, made := move_of(opponent.agent.game, walk.state, move)),
                text=made.name,
                kind=KINDS.get(move, "bet"),
                share=round(float(part), 4),
                ends=plan.after(walk.node, move) < 0,
            )
            for move, part in zip(plan.actions(walk.node), overall, strict=True)
        ],
        cells=cells,
    )


# --------------------------------------------------------------------------------------------------- the line


def _code(plan: Blueprint, street: int, move: int) -> str:
    return {FOLD: "f", CALL: "c", ALL_IN: "a"}.get(move) or f"b{TREES[tree_of(plan)].sizes[street][move - SMALLEST]}"


def _walk(plan: Blueprint, game: Game, codes: Sequence[str], lying: Sequence[int]) -> GridWalk:
    """Follow the moves with any cards in the hands; the board is the given one as far as it goes."""
    rules, state, node = game.rules, game.new_state(), 0
    others = [card for card in range(DECK) if card not in lying]
    deck = iter([*others[:4], *lying, *others[4:]])
    rules.start(state)
    passed, steps = [], []
    for place in range(len(codes) + 1):
        while rules.turn(state) == CHANCE:
            rules.play(state, next(deck))
        if place == len(codes):
            break
        street, moves = plan.slot(node)[1], plan.actions(node)
        known = [_code(plan, street, move) for move in moves]
        if codes[place] not in known:
            raise GameError(f"The move {codes[place][:20]!r} is not in the tree here; there are {', '.join(known)}.")
        at = known.index(codes[place])
        passed.append((node, at))
        steps.append(
            GridStep(code=codes[place], text=game.words.describe(state, moves[at]), street=STREET_NAMES[street])
        )
        node = plan.after(node, moves[at])
        if node < 0:
            raise GameError(f"After {'-'.join(codes[: place + 1])} the hand is over: there is no decision.")
        rules.play(state, moves[at])
    return GridWalk(tuple(passed), node, tuple(steps), state)


# --------------------------------------------------------------------------------------------------- the cells


def _cells(
    opponent: SeatedAgent, plan: Blueprint, walk: GridWalk, player: int, street: int, lying: Sequence[int]
) -> tuple[Weighting, Floats, list[GridCell]]:
    """The weights of the hands, the overall strategy, and the cells from aces to deuces."""
    reach = (HAND_MASKS & sum(MASKS[card] for card in lying[: SHOWN[street]]) == 0).astype(float)
    possible = reach.copy()
    for node, at in walk.passed:
        who, when = plan.slot(node)
        if who == player:
            reach *= plan.played(node)[0][_buckets(opponent, when, lying), at]
    buckets = _buckets(opponent, street, lying)
    rows, trained = plan.played(walk.node)
    chances, learned = rows[buckets], trained[buckets]
    weighting: Weighting = "reach" if reach.any() else "hands"
    weights = reach if weighting == "reach" else possible
    overall = weights @ chances / weights.sum()
    combos, reached, known = (_by_class(values) for values in (possible, reach, possible * learned))
    # where it never gets with a kind of hand, its strategy there
    inside = np.where(_by_class(weights)[CLASS_OF_HAND] > 0.0, weights, possible)
    means = np.stack([_by_class(inside * column) for column in chances.T], axis=1)
    means /= np.maximum(_by_class(inside), 1e-300)[:, None]
    cells = [
        GridCell(
            hand=class_name(which),
            combos=int(combos[which]),
            reach=round(float(reached[which] / max(combos[which], 1.0)), 4),
            learned=round(float(known[which] / max(combos[which], 1.0)), 4),
            chances=[round(float(chance), 4) for chance in means[which]],
        )
        for which in reversed(range(CLASSES))
    ]
    return weighting, overall, cells


def _by_class(values: Floats) -> Floats:
    return np.bincount(CLASS_OF_HAND, values, CLASSES).astype(float)


def _buckets(opponent: SeatedAgent, street: int, lying: Sequence[int]) -> npt.NDArray[np.int64]:
    """[1326] of every hand on the board of a street; meaningless where they share a card."""
    if street == 0:
        return CLASS_OF_HAND.astype(np.int64)
    layer = buckets_of(opponent).streets[street - 1]
    which, renaming = boards(SHOWN[street]).find(lying[: SHOWN[street]])
    return layer.of[layer.table[which][RENAMED[renaming]]].astype(np.int64)
