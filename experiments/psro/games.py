"""The twelve benchmark games of Li et al., *Combining tree-search, generative models, and Nash bargaining concepts in
game-theoretic reinforcement learning* (2023), table 4 and appendix C.1, as games of Parlor and of OpenSpiel.

Both have the same tree (`tests/interop/test_openspiel_games.py`), where both can be enumerated. Where the paper's text
and its strings for OpenSpiel differ:

- Goofspiel: the text has prizes in descending order, the string would shuffle them. Here they are in descending order.
- Sheriff: the text has up to 10 illegal items, the string 2. With 2 items nobody can get more than 2 · 5 = 10 together,
  and the axes of figures 3 and 10 go to 25 and 40: the figures are of 10 items. `SHERIFF_AS_PRINTED` is the string's.
"""

from __future__ import annotations

from dataclasses import dataclass

TWO_PLAYER_ZERO_SUM = "two-player zero-sum"
N_PLAYER_ZERO_SUM = "n-player zero-sum"
COMMON_PAYOFF = "common-payoff"
GENERAL_SUM = "general-sum"
TITLED = {"exact": "exact", "dqn": "DQN"}  # oracles, for people


@dataclass(frozen=True)
class BenchmarkGame:
    """A game of the paper: its names, its class, and how far the figures go with exact and with DQN oracles."""

    title: str
    game: str  # as Parlor loads it
    openspiel: str  # as OpenSpiel loads it; simultaneous moves become turns
    kind: str
    figure: int
    exact: int  # the last labelled tick on the axis of iterations; on a logarithmic one the curve may go on a little
    dqn: int


def _sheriff(title: str, preset: str, items: int) -> BenchmarkGame:
    string = f"item_penalty=1.0,item_value=5.0,max_bribe=2,max_items={items},num_rounds=2,sheriff_penalty=1.0"
    return BenchmarkGame(title, f"sheriff{preset}", f"sheriff({string})", GENERAL_SUM, 10, 200, 200)


_BATTLESHIP = (
    "battleship(board_width=2,board_height=2,ship_sizes=[1;2],ship_values=[1.0;1.0],num_shots=3,loss_multiplier=2.0)"
)
_GOOFSPIEL = "num_cards=4,imp_info=True,points_order=descending,returns_type=total_points"

#: By a short name, in the order of table 4.
PSRO_GAMES = {
    "kuhn": BenchmarkGame("Kuhn poker", "kuhn", "kuhn_poker", TWO_PLAYER_ZERO_SUM, 7, 100, 100),
    "leduc": BenchmarkGame("Leduc poker", "leduc", "leduc_poker", TWO_PLAYER_ZERO_SUM, 7, 100, 100),
    "liars-dice": BenchmarkGame("Liar's dice", "liars-dice", "liars_dice", TWO_PLAYER_ZERO_SUM, 7, 100, 100),
    "kuhn-3": BenchmarkGame(
        "Kuhn poker, 3 players", "kuhn(players=3)", "kuhn_poker(players=3)", N_PLAYER_ZERO_SUM, 8, 100, 100
    ),
    "kuhn-4": BenchmarkGame(
        "Kuhn poker, 4 players", "kuhn(players=4)", "kuhn_poker(players=4)", N_PLAYER_ZERO_SUM, 8, 10, 10
    ),
    "leduc-3": BenchmarkGame(
        "Leduc poker, 3 players", "leduc(players=3)", "leduc_poker(players=3)", N_PLAYER_ZERO_SUM, 8, 100, 10
    ),
    "trade-comm": BenchmarkGame(
        "Trade comm", "trade-comm(items=10)", "trade_comm(num_items=10)", COMMON_PAYOFF, 9, 200, 200
    ),
    "tiny-bridge": BenchmarkGame("Tiny bridge", "tiny-bridge", "tiny_bridge_2p", COMMON_PAYOFF, 9, 200, 150),
    "battleship": BenchmarkGame("Battleship", "battleship", _BATTLESHIP, GENERAL_SUM, 10, 200, 120),
    "goofspiel": BenchmarkGame(
        "Goofspiel", "goofspiel(returns=total-points)", f"goofspiel({_GOOFSPIEL})", GENERAL_SUM, 10, 200, 200
    ),
    "goofspiel-3": BenchmarkGame(
        "Goofspiel, 3 players",
        "goofspiel(players=3,returns=total-points)",
        f"goofspiel(players=3,{_GOOFSPIEL})",
        GENERAL_SUM,
        10,
        200,
        70,
    ),
    "sheriff": _sheriff("Sheriff", "(preset=ten-items)", 10),
}
SHERIFF_AS_PRINTED = _sheriff("Sheriff, 2 items", "", 2)
