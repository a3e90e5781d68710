"""A bettor that never looks at its cards: on every street it bets or raises once, and it calls whatever it is asked to.

It is a probe rather than a player. Who loses to it folds too much to bets of that size, or takes the pot for smaller
than it is. `parlor evaluate --probes` plays it with bets of every size.
"""

from __future__ import annotations

from typing import Any

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.game.parameters import Parameter
from parlor.games.holdem.agents.reading import calling, of_pot, only, raising
from parlor.games.holdem.bets import ACTED, CALL

ALL_IN = "all-in"
MAX_BET = 1000.0  # pots


def card_blind_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """Bet so many pots, once a street; else check or call."""
    s = states[g]
    pots = data[0]
    if has_bet(s):
        only(n, calling(moves), out)
    else:
        only(n, n - 1 if pots == 0.0 else raising(s, moves, n, of_pot(s, pots)), out)


def has_bet(s: State) -> bool:
    """Whether the player to move has bet or raised on this street: every second move of it was its own."""
    found = False
    for back in range(2, s.betting[ACTED] + 1, 2):
        if s.moves[s.made - back] > CALL:
            found = True
    return found


def make(concrete: Game, name: str, bet: str) -> CompiledAgent:
    """Its bets are so many pots, or all-in."""
    try:
        pots = 0.0 if bet == ALL_IN else float(bet)
    except ValueError:
        pots = -1.0
    if bet != ALL_IN and not 0.0 < pots <= MAX_BET:
        raise GameError(f"bet must be {ALL_IN} or a number of pots, above 0 and at most {MAX_BET:g}, not {bet!r}.")
    return CompiledAgent(name, concrete, card_blind_probabilities, lambda compiled: (pots,))


SPEC = AgentSpec(
    "never looks at its cards: bets once a street, never folds",
    make,
    ("holdem",),
    {"bet": Parameter("2", f"the size of its bets in pots, or {ALL_IN}")},
    quick=True,
    name="Blindfold Ben",
    made="Written by hand, as a test: nobody who looks at the cards should lose to it.",
    default_opponent=False,
)
