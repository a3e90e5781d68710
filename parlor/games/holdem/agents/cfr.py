"""CFRv1 and CFRv2 of Mendes da Luz (*Poker AI*, 2025): a blueprint of the first streets, and simulation after.

While a hand stays inside its tree and the row of its cards was trained, they play that row. Any raise counts as *the*
raise of the tree, whatever its size. Everywhere else (later streets, more raises than the tree has, a row that was
never trained or is uniform) they use the thresholds of the Monte-Carlo bot. The two differ in the number of deals they
simulate for that: 50, or 10,000.

One thing is different: in PyPokerEngine a raise that is not allowed is a fold, and the original always raised to
the same number of chips. Ours raise by the tree's amount over the bet before, within what is allowed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.game.loading import load, parse
from parlor.game.parameters import Parameter
from parlor.games.holdem.agents.monte_carlo import by_thresholds, judging, simulations
from parlor.games.holdem.agents.reading import calling, judge, only, raising
from parlor.games.holdem.bets import BASE as STREET_BASE
from parlor.games.holdem.bets import FOLD
from parlor.games.holdem.hand_buckets import bucket_at
from parlor.games.holdem.sizes import TREES
from parlor.poker.blueprint import WHOLE, Blueprint, cards_of, check_compatible, is_learned
from parlor.poker.public_tree import BASE, COUNT, FIRST, SLOT

RAISE = 2  # of a tree with three moves
SAME = ("small_blind", "big_blind", "stack", "other_stack", "order")  # options of its game and of the table


class CfrData(NamedTuple):
    """Of its blueprint, and of `judge`."""

    nodes: Any
    action: Any
    child: Any
    stride: Any
    play: Any
    cards: Any  # the buckets of each street
    simulating: Any


def row_or_simulate_probabilities(
    states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: CfrData
) -> None:
    """The trained row, or what the thresholds say."""
    nodes, action, child, stride, play, cards, simulating = data
    s = states[g]
    node = node_of(s, nodes, action, child)
    row = nodes[node][BASE] + stride[nodes[node][SLOT]] * bucket_at(s, p, cards) if node >= 0 else -1
    if row < 0 or not is_learned(play, row, nodes[node][COUNT]):
        only(n, by_thresholds(s, moves, n, judge(s, p, r, simulating)), out)
        return
    for i in range(n):
        out[i] = 0.0
    for i in range(nodes[node][COUNT]):
        a = action[nodes[node][FIRST] + i]
        at = 0 if a == FOLD else calling(moves)
        if a == RAISE:
            at = raising(s, moves, n, stands(s, RAISE) - 1 - s.betting[STREET_BASE])
        out[at] += play[row + i] / WHOLE


def stands(s: State, m: int) -> int:
    """A slot: the action that a move of the tree stands for."""
    raise RuntimeError


def node_of(s: State, nodes: Any, action: Any, child: Any) -> int:
    """The node to which the moves so far lead, any raise being the tree's; -1 if they lead out of it."""
    node = 0
    for i in range(s.made):
        if node < 0:
            break
        move = min(s.moves[i], RAISE)
        found = -1
        for j in range(nodes[node][COUNT]):
            if action[nodes[node][FIRST] + j] == move:
                found = child[nodes[node][FIRST] + j]
        node = found
    return max(node, -1)


def table_for(game: str) -> str:
    """The game with all streets that this blueprint can be used in; empty if it has other moves than three."""
    base, options, bets = parse(game)
    if base != "holdem" or bets not in TREES or not TREES[bets].has_one_raise:
        return ""
    return load(base, **{name: value for name, value in options.items() if name not in ("streets", "board")}).name


def make(concrete: Game, name: str, blueprint: Blueprint, simulations: int) -> CompiledAgent:
    """The blueprint must have the same blinds, stacks and order as the game; it may have fewer streets."""
    if not table_for(blueprint.game):
        raise GameError(f"{name} needs a blueprint with fold, call and one raise; that one is for {blueprint.game}.")
    trained = load(blueprint.game)
    for option in SAME:
        mine, here = (game.options.get(option) for game in (trained, concrete))
        if mine != here:
            raise GameError(
                f"The blueprint of {name} is for {blueprint.game}, but the game here is {concrete.name}: "
                f"{option} is {here}, not {mine}."
            )
    if blueprint.streets > int(concrete.options["streets"]):
        raise GameError(f"The blueprint of {name} has {blueprint.streets} streets, more than {concrete.name}.")
    note = check_compatible(blueprint, trained)
    cards = cards_of(blueprint, name).data
    plan = (blueprint.nodes, blueprint.action, blueprint.child, blueprint.stride, blueprint.play, cards)
    rates, slots = judging(concrete, name, simulations, 1.0)
    slots = {**slots, stands: concrete.abstract(blueprint.game.rpartition("/")[2]).abstraction.resolve}
    return CompiledAgent(
        name,
        concrete,
        row_or_simulate_probabilities,
        lambda compiled: CfrData(*plan, rates(compiled)),
        slots,
        slow=True,
        note=note,
    )


def _spec(name: str, how_many: str, default: int, server_limit: int) -> AgentSpec:
    settings = {
        "blueprint": Parameter(
            "",
            "the run or file with its first streets: fold, call and one raise",
            names="file",
            file_kind=Blueprint.kind,
        ),
        "simulations": simulations(default, server_limit),
    }
    summary = f"of Mendes da Luz (2025): a blueprint of two streets, then {how_many} simulations"
    made = f"Its first two streets are learned, then it deals the rest {how_many} times and counts."
    return AgentSpec(summary, make, ("holdem",), settings, game_of_file=table_for, name=name, made=made)


CFR_V1 = _spec("Quick Quentin", "few", 50, 50)
CFR_V2 = _spec("Patient Petra", "many", 10_000, 200)
