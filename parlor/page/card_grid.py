"""The strategy of a small game as a grid: what is played after a line of moves, with every hand and on every board.

A line is the actions so far, by number, with hyphens between them. All deals are enumerated and the line is played in
each of them, so this is for games in which cards or dice are few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from parlor.game import CHANCE, OVER, Game, GameError, Position, State
from parlor.game.game import move_of
from parlor.game.schema import fields_of
from parlor.game.words import player as named
from parlor.game.words import players_named
from parlor.page.seated_agent import AgentRef, SeatedAgent, reference
from parlor.page.shapes import Shape

MAX_DEALS = 4000

#: From what lies on the table of a view, by name: what a player holds, what everybody sees.
Part = Callable[[Mapping[str, Sequence[str]]], Sequence[str]]


class CardGridAction(Shape):
    """A move after a line; `share` is how often it is made there overall."""

    code: str = Field(description="Added to the line, it leads to what follows.")
    text: str
    verb: str
    share: float
    ends: bool = Field(description="There is no decision after it.")


class CardGridCell(Shape):
    """A strategy with a hand on a board: its reach, and the probabilities of actions."""

    hand: list[str]
    board: list[str]
    reach: float = Field(description="Probability that the strategy makes its own moves of the line with it.")
    chances: list[float] = Field(description="Probability of each action.")


class CardGridStep(Shape):
    """A move of the line."""

    code: str
    player: int
    text: str


class CardGrid(Shape):
    """A strategy of a small game after a line of moves, for every hand and every board."""

    kind: Literal["cards"] = "cards"
    agent: AgentRef
    game: str
    player: int
    line: list[CardGridStep]
    actions: list[CardGridAction]
    cells: list[CardGridCell]


@dataclass(frozen=True)
class Deal:
    """A state with its probability by chance alone, and with that of everybody's own moves so far."""

    state: State
    chance: float
    reach: tuple[float, ...]


def nothing(things: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """There is no board."""
    return ()


def card_grid(hand: Part, board: Part = nothing) -> Callable[[SeatedAgent, str, str], CardGrid]:
    """The grid of a game, given what a hand and a board are; the board need not be asked for, all are shown."""

    def grid(opponent: SeatedAgent, line: str, _: str) -> CardGrid:
        with players_named([f"player {p + 1}" for p in range(opponent.agent.concrete_game.players)]):
            return _grid(opponent, line, hand, board)

    return grid


def _grid(opponent: SeatedAgent, line: str, hand: Part, board: Part) -> CardGrid:
    game = opponent.agent.concrete_game
    deals, steps = _walk(opponent, [code for code in line.split("-") if code])
    player = game.rules.turn(deals[0].state)
    sums: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[float, float, dict[int, float]]] = {}
    overall: dict[int, float] = {}
    order: dict[tuple[str, ...], int] = {}  # as the first player is dealt them, whoever is to move
    for deal in deals:
        order.setdefault(tuple(hand(_shown(game, deal.state, 0))), len(order))
        shown = _shown(game, deal.state, player)
        where = tuple(hand(shown)), tuple(board(shown))
        chance, reached, played = sums.setdefault(where, (0.0, 0.0, {}))
        weight = deal.chance * deal.reach[player]
        for action, share in _chances(opponent, deal.state).items():
            played[action] = played.get(action, 0.0) + deal.chance * share
            overall[action] = overall.get(action, 0.0) + weight * share
        sums[where] = chance + deal.chance, reached + weight, played
    total = sum(overall.values())
    if total <= 0.0:  # it never gets here by its own moves: all hands equally
        overall = {action: sum(played.get(action, 0.0) for _, _, played in sums.values()) for action in overall}
        total = sum(overall.values())
    return CardGrid(
        agent=reference(opponent),
        game=game.name,
        player=player,
        line=steps,
        actions=[
            CardGridAction(
                code=str(action),
                text=move_of(game, deals[0].state, action).text,
                verb=move_of(game, deals[0].state, action).verb,
                share=round(share / total, 4),
                ends=all(turn == OVER for turn in _turns(game, deals, action)),
            )
            for action, share in sorted(overall.items())
        ],
        cells=[
            CardGridCell(
                hand=list(held),
                board=list(lying),
                reach=round(reached / chance, 4),
                chances=[round(played.get(action, 0.0) / chance, 4) for action in sorted(overall)],
            )
            for (held, lying), (chance, reached, played) in sorted(
                sums.items(), key=lambda one: [order.get(part, len(order)) for part in one[0]]
            )
        ],
    )


def _walk(opponent: SeatedAgent, codes: Sequence[str]) -> tuple[list[Deal], list[CardGridStep]]:
    """All deals after a line of moves, and its moves in words."""
    game = opponent.agent.concrete_game
    start = game.new_state()
    game.rules.start(start)
    deals = _dealt(game, [Deal(start, 1.0, (1.0,) * game.players)])
    steps = []
    for code in codes:
        player, legal = game.rules.turn(deals[0].state), _legal(game, deals[0].state)
        if not code.isdigit() or int(code) not in legal:
            raise GameError(f"{code[:20]!r} cannot be played there; there are {', '.join(map(str, legal))}.")
        action, after = int(code), []
        steps.append(CardGridStep(code=code, player=player, text=_said(game, deals[0].state, action, player)))
        for deal in deals:
            own = _chances(opponent, deal.state).get(action, 0.0)
            reach = tuple(r * own if p == player else r for p, r in enumerate(deal.reach))
            after.append(replace(deal, state=_played(game, deal.state, action), reach=reach))
        deals = _dealt(game, after)
        if game.rules.turn(deals[0].state) == OVER:
            raise GameError("After these moves the game is over: there is no decision.")
    return deals, steps


def _shown(game: Game, state: State, player: int) -> Mapping[str, Any]:
    """Return the game's display of a player's view: the things on the table, by name."""
    return game.words.display(game.view(state, player)) if game.words.display else {}


def _said(game: Game, state: State, action: int, player: int) -> str:
    return f"{named(player)}: {move_of(game, state, action).text}"


def _dealt(game: Game, deals: Sequence[Deal]) -> list[Deal]:
    """After all outcomes of chance; those that make no difference are one."""
    while any(game.rules.turn(deal.state) == CHANCE for deal in deals):
        grown: dict[str, Deal] = {}
        for deal in deals:
            for after, odds in _outcomes(game, deal.state):
                same = grown.get(text := f"{fields_of(after)} {deal.reach}")
                grown[text] = Deal(after, deal.chance * odds + (same.chance if same else 0.0), deal.reach)
        if len(grown) > MAX_DEALS:
            raise GameError(f"{game.name} has too many deals for a grid; look at its information sets instead.")
        deals = list(grown.values())
    return list(deals)


def _outcomes(game: Game, state: State) -> Iterator[tuple[State, float]]:
    if game.rules.turn(state) != CHANCE:
        yield state, 1.0
        return
    odds = [0.0] * game.outcomes
    for outcome in range(game.rules.odds(state, odds)):
        if odds[outcome] > 0.0:
            yield _played(game, state, outcome), odds[outcome]


def _turns(game: Game, deals: Sequence[Deal], action: int) -> Iterator[int]:
    for deal in deals:
        yield game.rules.turn(_played(game, deal.state, action))


def _played(game: Game, state: State, action: int) -> State:
    after = state.copy()
    game.rules.play(after, action)
    return after


def _legal(game: Game, state: State) -> list[int]:
    buffer = [0] * game.actions
    return buffer[: game.rules.legal(state, buffer)]


def _chances(opponent: SeatedAgent, state: State) -> dict[int, float]:
    """The probability of every move."""
    agent = opponent.agent
    found: dict[int, float] = dict.fromkeys(_legal(agent.concrete_game, state), 0.0)
    own: Sequence[tuple[int, float]] = agent.action_probabilities(Position(agent.concrete_game, state, ()))
    for action, chance in own:
        found[agent.game.abstraction.resolve(state, action)] += chance
    return found


def named_things(name: str) -> Part:
    """Return a part that lists the things under a name of the display."""

    def part(things: Mapping[str, Any]) -> Sequence[str]:
        return [str(thing) for thing in things.get(name, ())]

    return part
