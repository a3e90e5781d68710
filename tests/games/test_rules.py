"""The rules against their rulebooks: sizes with their arithmetic, payoffs of particular games, known values."""

import json
import math

import pytest

import parlor
from parlor.game.loading import GAMES, load
from parlor.sequence_form.tree import tree
from tests.goldens import FOLDER


def payoffs(name: str, *moves: str) -> list[float]:
    return load(name).start().after(*moves).payoffs


# ------------------------------------------------------------------------------------------------------------- sizes


@pytest.mark.slow
def test_the_listed_sizes_are_the_true_ones() -> None:
    """The goldens are those of whole trees; larger games are too large to be walked through, as an estimate says."""
    golden = json.loads((FOLDER / "trees.json").read_text())
    for name, spec in GAMES.items():
        if name not in golden:
            assert spec.histories is None or spec.histories > 1e8
            with pytest.raises(parlor.TooLarge):
                tree(load(name), limit=100_000, compiled=False)
            continue
        t = golden[name]
        assert (t["histories"], t["infosets"]) == (spec.histories, spec.infosets), name


def test_kuhn_sizes() -> None:
    # Betting: root, p, b, pp, pb, bp, bb, pbp, pbb: 9 nodes, 5 of them ends; 3 * 2 deals; before, 1 root and 3 cards.
    t = tree(load("kuhn"))
    assert t.histories == 3 * 2 * 9 + 1 + 3
    assert t.endings == 3 * 2 * 5
    assert t.infosets == 3 * 4  # a card and one of: nothing, p, b, pb
    # Three players: 13 ends (ppp; a bet at move 1, 2 or 3, each answered in 4 ways), 4 * 3 * 2 deals.
    assert tree(load("kuhn(players=3)")).endings == 24 * 13
    assert tree(load("kuhn(players=3)")).infosets == 4 * 12
    # Four players: pppp, and a bet at one of 4 moves answered by three players in 8 ways; 5! / 1! deals.
    assert tree(load("kuhn(players=4)")).endings == 120 * (1 + 4 * 8)
    assert tree(load("kuhn(players=4)")).infosets == 160


def test_leduc_sizes() -> None:
    # A round has 6 decision points: -, c, r, cr, rr, crr; 9 ways to end it, 4 by a fold (rf, crf, rrf, crrf) and 5 by a
    # call (cc, rc, crc, rrc, crrc). Infosets: 6 cards * 6 points, then 6 * 5 cards * 5 ways into round two * 6 points.
    t = tree(load("leduc"))
    assert t.infosets == 6 * 6 + 6 * 5 * 5 * 6 == 936
    # 6 * 5 deals, each with 4 folds before the board, or 5 ways on, 4 boards, and 9 ends of the second round.
    assert t.endings == 30 * (4 + 5 * 4 * 9) == 5520
    # Suits do not matter: 3 ranks * 6 points, then 3 ranks * 3 board ranks * 5 ways * 6 points.
    assert tree(load("leduc/ranks")).infosets == 3 * 6 + 3 * 3 * 5 * 6 == 288


def test_liars_dice_sizes() -> None:
    # The bids made are any subset of the 12 bids: 2 ** 12 of them, the empty and the full one (only calling is left)
    # included, seen with one of 6 rolls by whoever is to act, which the number of bids tells.
    golden = json.loads((FOLDER / "trees.json").read_text())["liars-dice"]
    assert golden["infosets"] == 6 * 2**12
    assert golden["endings"] == 36 * (2**12 - 1)  # called after any non-empty set of bids
    t = tree(load("liars-dice(faces=4)"), compiled=False)
    assert (t.infosets, t.endings) == (4 * 2**8, 16 * (2**8 - 1))


def test_goofspiel_sizes() -> None:
    # Four cards: 4 * 4 bids, 3 * 3, 2 * 2, and the last ones play themselves.
    t = tree(load("goofspiel"))
    assert t.endings == 16 * 9 * 4
    assert t.histories == 1 + 4 + 16 + 16 * 3 + 16 * 9 + 16 * 9 * 2 + 16 * 9 * 4
    assert tree(load("goofspiel(imperfect=false)")).histories == t.histories


def test_battleship_sizes() -> None:
    # Placing: 4 cells for the ship of one, then 2 places for that of two, for each side in turn. One shot each: no
    # fleet can be lost by it.
    t = tree(load("battleship(shots=1)"), compiled=False)
    assert t.histories == 1 + 4 + 16 + 32 + 64 + 64 * 4 + 64 * 4 * 4
    # A player has placed nothing, one ship (4 ways) or both (8); the second to shoot has seen one of 4 shots.
    assert t.infosets == (1 + 4 + 8) + (1 + 4 + 8 * 4)


def test_sheriff_sizes() -> None:
    # 3 cargoes, and then 3 bribes and 2 answers a round.
    t = tree(load("sheriff"), compiled=False)
    assert t.endings == 3 * (3 * 2) ** 2
    assert t.infosets == 1 + 3 * (1 + 3 * 2) + 3 + 3 * 2 * 3


# ----------------------------------------------------------------------------------------------------------- payoffs


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        (("pass", "pass"), [1, -1]),
        (("bet", "pass"), [1, -1]),
        (("bet", "bet"), [2, -2]),
        (("pass", "bet", "pass"), [-1, 1]),
        (("pass", "bet", "bet"), [2, -2]),
    ],
)
def test_kuhn_payoffs_with_king_against_jack(moves: tuple[str, ...], result: list[float]) -> None:
    assert payoffs("kuhn", "K to player 0", "J to player 1", *moves) == result


def test_kuhn_with_three_players_pays_the_best_hand_that_stayed() -> None:
    deal = ("K to player 0", "Q to player 1", "T to player 2")
    assert payoffs("kuhn(players=3)", *deal, "pass", "bet", "bet", "pass") == [-1, 3, -2]
    assert payoffs("kuhn(players=3)", *deal, "pass", "pass", "pass") == [2, -1, -1]


def test_leduc_bets_are_two_then_four() -> None:
    moves = ("K♥ to player 0", "Q♥ to player 1", "raise", "raise", "call", "board J♥", "raise", "raise", "call")
    assert payoffs("leduc", *moves) == [1 + 2 * 2 + 2 * 4, -(1 + 2 * 2 + 2 * 4)]


def test_leduc_allows_two_raises_a_round_and_folding_only_to_a_bet() -> None:
    position = load("leduc").start().after("K♥ to player 0", "Q♥ to player 1")
    assert position.legal == ["call", "raise"]
    assert position.after("raise").legal == ["fold", "call", "raise"]
    assert position.after("raise", "raise").legal == ["fold", "call"]


def test_leduc_never_deals_a_card_twice() -> None:
    position = load("leduc").start().after("K♥ to player 0", "Q♥ to player 1", "call", "call")
    assert "board K♥" not in position.legal
    assert "board Q♥" not in position.legal
    assert math.isclose(sum(position.odds.values()), 1.0)
    assert len(position.odds) == 4


@pytest.mark.parametrize(
    ("rolls", "bids", "result"),
    [
        ((3, 3), ("2-3",), [1, -1]),  # the bidder, player 0, was honest
        ((6, 3), ("2-3",), [1, -1]),  # a six is wild
        ((6, 6), ("2-1",), [1, -1]),
        ((6, 3), ("2-6",), [-1, 1]),  # but nothing else counts as a six
        ((2, 4), ("1-2", "2-4"), [1, -1]),  # player 1 lied
    ],
)
def test_liars_dice_payoffs(rolls: tuple[int, int], bids: tuple[str, ...], result: list[float]) -> None:
    moves = (f"player 0 rolls {rolls[0]}", f"player 1 rolls {rolls[1]}", *bids, "liar")
    assert payoffs("liars-dice", *moves) == result


def test_liars_dice_bids_only_rise() -> None:
    position = load("liars-dice").start().after("player 0 rolls 1", "player 1 rolls 2")
    assert "liar" not in position.legal
    assert position.after("1-4").legal == ["1-5", "1-6", *(f"2-{f}" for f in range(1, 7)), "liar"]
    assert position.after("2-6").legal == ["liar"]


def test_goofspiel_returns() -> None:
    bids = ("bid 4", "bid 1", "bid 1", "bid 4", "bid 2", "bid 3")  # 4 to player 0, 3 to 1, 2 to 1, then 3 beats 2 for 1
    assert payoffs("goofspiel(returns=total-points)", *bids) == [5, 5]
    assert payoffs("goofspiel(returns=win-loss)", *bids) == [0, 0]
    bids = ("bid 4", "bid 1", "bid 3", "bid 2", "bid 1", "bid 4")
    assert payoffs("goofspiel(returns=total-points)", *bids) == [7, 3]
    assert payoffs("goofspiel(returns=point-difference)", *bids) == [2, -2]
    assert payoffs("goofspiel", *bids) == [1, -1]


def test_goofspiel_hides_losing_bids_only_if_information_is_imperfect() -> None:
    moves = [("bid 4", "bid 1"), ("bid 4", "bid 2")]
    hidden = [load("goofspiel").start().after(*m).key(0) for m in moves]
    shown = [load("goofspiel(imperfect=false)").start().after(*m).key(0) for m in moves]
    assert hidden[0] == hidden[1]
    assert shown[0] != shown[1]


PLACED = ("place A1", "place B1", "place A2-B2", "place A1-A2")  # player 0, player 1, player 0, player 1


@pytest.mark.parametrize(
    ("shots", "result"),
    [
        (("B1", "B1", "B2", "B1", "B2", "B1"), [1, -2]),  # a ship of player 1 is sunk
        (("B1", "A1", "A1", "A1", "A2"), [2 - 2, -4 + 1]),  # each loses one, then player 1 the other: it is over
        (("A1", "A2", "A2", "B2", "B2", "A1"), [1 - 2 * 2, 2 - 2]),
    ],
)
def test_battleship_counts_a_lost_ship_twice(shots: tuple[str, ...], result: list[float]) -> None:
    assert payoffs("battleship", *PLACED, *(f"shoot {cell}" for cell in shots)) == result


def test_battleship_tells_what_a_shot_did() -> None:
    position = load("battleship").start().after(*PLACED, "shoot A2", "shoot B1", "shoot A1", "shoot A2")
    own, mine, others = position.show(0).split("; ")
    assert own == "player 0 has ships at A1, A2-B2"
    assert mine == "player 0 has shot at A2 (hit), A1 (sunk)"
    assert others == "player 1 has shot at B1 (missed), A2 (hit)"
    assert "A2 (hit), A1 (sunk), A2 (sunk)" in position.after("shoot A2").show(0)  # what lay there is sunk now


def test_battleship_leaves_room_for_the_next_ship() -> None:
    assert load("battleship(width=3,height=1)").start().legal == [
        "place A1",
        "place C1",
    ]  # at B1, no room for two
    with pytest.raises(parlor.GameError, match="ships of 3, 2 cells do not fit on 2 × 2"):
        load("battleship(ships=32)")
    with pytest.raises(parlor.GameError, match="should have a digit for each ship"):
        load("battleship(values=111)")
    with pytest.raises(parlor.GameError, match="make 100 cells; there can be at most 60"):
        load("battleship(width=10,height=10)")


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        (("load 2", "offer 1", "inspect", "offer 2", "let pass"), [2 * 5 - 2, 2]),
        (("load 2", "offer 1", "let pass", "offer 2", "inspect"), [-2, 2]),
        (("load 0", "offer 1", "let pass", "offer 2", "inspect"), [1, -1]),
        (("load 0", "offer 1", "let pass", "offer 2", "let pass"), [-2, 2]),
    ],
)
def test_sheriff_payoffs(moves: tuple[str, ...], result: list[float]) -> None:
    assert payoffs("sheriff", *moves) == result


def test_the_sheriff_does_not_see_the_cargo() -> None:
    loaded = [load("sheriff").start().after(f"load {n}", "offer 1") for n in range(3)]
    assert len({position.key(1) for position in loaded}) == len({position.show(1) for position in loaded}) == 1
    assert len({position.key(0) for position in loaded}) == 3


# ------------------------------------------------------------------------------------------------------------ values


def test_kuhn_is_worth_minus_one_eighteenth() -> None:
    game = load("kuhn")
    policy, report = parlor.solve(game, "cfr+", iterations=20_000)
    assert report.evaluation is not None
    assert report.evaluation.values[0] == pytest.approx(-1 / 18, abs=1e-5)
    assert report.exploitability is not None
    assert report.exploitability < 1e-4
    # Every equilibrium bluffs with the jack a third as often as it bets the king, and never bets the queen first.
    start = game.start()
    bets = {card: policy(start.after(f"{card} to player 0", f"{other} to player 1"))["bet"]
            for card, other in (("J", "K"), ("Q", "K"), ("K", "Q"))}  # fmt: skip
    assert bets["K"] == pytest.approx(3 * bets["J"], abs=0.02)
    assert bets["Q"] == pytest.approx(0.0, abs=0.01)
    assert 0.0 <= bets["J"] <= 1 / 3 + 0.01


def test_leduc_is_worth_minus_0_0856() -> None:
    report = parlor.solve(load("leduc"), "dcfr", iterations=5000).report
    assert report.evaluation is not None
    assert report.evaluation.values[0] == pytest.approx(-0.0856, abs=1e-4)
    assert report.evaluation.nash_conv < 1e-4


def test_four_player_kuhn_converges() -> None:
    game = load("kuhn(players=4)")
    solve = parlor.Cfr(game, "cfr+")
    reached = []
    for iterations in (10, 90, 900, 9000):
        solve.run(iterations)
        reached.append(solve.nash_conv())
    assert reached == sorted(reached, reverse=True)
    assert reached[2] == pytest.approx(5.2e-5, rel=0.5)
    assert reached[3] < 1e-5


def test_symmetric_goofspiel_is_worth_nothing() -> None:
    report = parlor.solve(load("goofspiel"), "cfr+", iterations=5000).report
    assert report.evaluation is not None
    assert report.evaluation.values[0] == pytest.approx(0.0, abs=1e-4)
