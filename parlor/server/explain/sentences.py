"""An agent's decision in sentences: the move, its reason if the game gives one, its frequency, and the expected payoff.

Whatever is said of its own knowledge is told only to those who may see its cards. What somebody at the table could have
expected of it is another thing, made only from what that seat has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from parlor.game import CHANCE, OVER, Game
from parlor.game.rng import choose, seed_stream, uniform
from parlor.game.words import player
from parlor.page.shapes import MoveInfo
from parlor.server.catalogue.displays import display_of
from parlor.server.explain.expected_value import Mean
from parlor.server.schemas.mind import MoveChance

GAMES = 60  # that are played at random to see what can come of one

Scale = Literal["chance", "points"]


def scale_of(game: Game) -> Scale:
    """Whether payoffs are a win or a loss of two players, a draw being half of each, or points; looked at once."""
    if "scale" not in game.cache:
        game.cache["scale"] = "chance" if _only_won_or_lost(game) else "points"
    found: Scale = game.cache["scale"]
    return found


def unit_of(game: Game) -> str:
    """Return the unit of the game's payoffs."""
    return display_of(game.name).unit


def told(payoff: float, scale: Scale) -> float:
    """A mean payoff on the scale: the probability to win, or itself."""
    return (1.0 + payoff) / 2.0 if scale == "chance" else payoff


def difference(payoff: float, scale: Scale) -> float:
    """A difference of mean payoffs on the scale."""
    return payoff / 2.0 if scale == "chance" else payoff


def in_digits(points: float) -> str:
    """As precise as a person can use it: 0.44, 9.1, 110."""
    return f"{points:,.0f}" if abs(points) >= 10.0 else f"{points:.2g}"


def _only_won_or_lost(game: Game) -> bool:
    if game.players != 2 or game.kind != "zero-sum":
        return False
    stream, odds, legal = [0, 0, 0, 0], [0.0] * game.outcomes, [0] * game.actions
    rules = game.rules
    for number in range(GAMES):
        seed_stream(stream, 0, number)
        state = game.new_state()
        rules.start(state)
        while (turn := rules.turn(state)) != OVER:
            if turn == CHANCE:
                action = choose(stream, odds, rules.odds(state, odds))
            else:
                n = rules.legal(state, legal)
                action = legal[int(uniform(stream) * n)]
            rules.play(state, action)
        if rules.payoff(state, 0) not in (-1.0, 0.0, 1.0):
            return False
    return True


ALWAYS, SELDOM, NEVER = 0.995, 0.2, 0.005
EVEN = 0.01  # a difference that is none


@dataclass(frozen=True)
class Decision:
    """A decision to be told: who made which move, why, how likely each was, what was expected, of how many choices."""

    who: int
    chosen: MoveInfo | None
    reason: str
    moves: Sequence[MoveChance]
    value: Mean | None
    choices: int
    scale: Scale
    unit: str


def of_its_own(made: Decision) -> str:
    """Describe an agent's own decision."""
    name, chosen = _first(player(made.who)), made.chosen
    what = f"{name} chose {chosen.text}" if chosen else f"{name} chose in secret"
    said = [f"{what}: {made.reason}." if made.reason else f"{what}."]
    share = _share(chosen, made.moves)
    if made.choices == 1:
        said.append("It had no choice.")
    elif share is not None:
        said.append(_how_often(share))
    return " ".join([*said, *_expects("It expects", made)])


def in_its_place(made: Decision) -> str:
    """Describe an agent's policy at somebody else's decision, mostly the reader's."""
    if made.choices == 1:
        return "There was no choice."
    chosen, moves = made.chosen, made.moves
    share, likely = _share(chosen, moves), max(moves, key=lambda one: one.probability, default=None)
    said, name = [], _first(player(made.who))
    if chosen and likely and share is not None:
        if share >= ALWAYS:
            said.append(f"{name} chose {chosen.text}, as it always would.")
        elif _is(chosen, likely):
            said.append(f"{name} chose {chosen.text}, as it would {_percent(share)} of the time.")
        else:
            seldom = "never" if share <= NEVER else f"{'only ' if share < SELDOM else ''}{_percent(share)} of the time"
            instead = f"Most often, {_percent(likely.probability)} of the time, it would choose {likely.text}."
            said.append(f"{name} chose {chosen.text}; it would {seldom}. {instead}")
    if made.reason:
        said.append(f"{_first(made.reason)}.")
    return " ".join([*said, *_expects(f"Playing as it does, {player(made.who)} could expect", made)])


def from_your_seat(chosen: MoveInfo | None, moves: Sequence[MoveChance], worlds: int) -> str:
    """Describe how likely the agent's move was, given what the reader saw."""
    if not moves or not worlds:
        return ""
    likely = max(moves, key=lambda one: one.probability)
    share = _share(chosen, moves)
    if len(moves) > 1 and likely.probability - min(one.probability for one in moves) < EVEN:
        return "With what you saw, every move was equally likely."
    expected = f"With what you saw, {likely.text} was the likeliest: {_percent(likely.probability)}."
    if share is None or chosen is None:
        return expected
    if _is(chosen, likely):
        return f"You could expect this: with what you saw, it chooses {likely.text} {_percent(share)} of the time."
    return f"{'A surprise' if share < SELDOM else 'Not the likeliest'}, at {_percent(share)}. {expected}"


def _share(chosen: MoveInfo | None, moves: Sequence[MoveChance]) -> float | None:
    if chosen is None or not moves:
        return None
    return next((one.probability for one in moves if _is(chosen, one)), 0.0)  # what it never does may not be listed


def _is(chosen: MoveInfo, one: MoveChance) -> bool:
    """Whether a move is this one, or one of the range that it begins."""
    if one.range is None or chosen.amount is None:
        return chosen.id == one.move.id
    return chosen.verb == one.move.verb and one.range.least <= chosen.amount <= one.range.most


def _how_often(share: float) -> str:
    if share >= ALWAYS:
        return "Here it always does."
    return f"It does so {'only ' if share < SELDOM else ''}{_percent(share)} of the time here."


def _expects(who: str, made: Decision) -> list[str]:
    if made.value is None:
        return []
    value = made.value.value
    if made.scale == "chance":
        return [f"{who} to win {_percent(told(value, made.scale))} of the time."]
    amount = in_digits(abs(value))
    if f"{abs(value):.1f}" == "0.0":
        return [f"{who} to come out even."]
    unit = made.unit.removesuffix("s") if amount == "1" else made.unit
    return [f"{who} to {'win' if value > 0 else 'lose'} {amount} {unit}."]


def _percent(share: float) -> str:
    return "less than 1 %" if 0.0 < share < 0.005 else f"{100 * share:.0f} %"


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]
