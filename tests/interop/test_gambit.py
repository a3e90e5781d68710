"""Gambit's files: hand-written ones, ours there and back, what is wrong in a sentence; and drawn trees."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability as spiel_exploitability

import parlor
from parlor.cli.main import main
from parlor.game import CHANCE, GameError
from parlor.game.loading import load
from parlor.interop.gambit.efg import read_efg, write_efg
from parlor.interop.gambit.files import text_of
from parlor.interop.gambit.nfg import read_nfg, write_nfg
from parlor.interop.gambit.trees import fraction, totals
from parlor.interop.tree_drawings import drawing_of, svg, tikz
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import tree

#: A card is drawn; player 1 sees it and may raise, which costs nothing but the second payoff; written as people write:
#: commas, decimals, an outcome on the way, one that is named again by its number, an action without a name.
CARD = r"""
EFG 2 R "one card, \"raise\" or pass" { "Ann" "Bob" }
"a comment"

c "deal" 1 "card" { "red" 0.5 "black" 1/2 } 0
p "" 1 1 "red" { "raise" "" } 1 "ante" { 1, -1 }
p "" 2 1 "asked" { "meet" "leave" } 0
t "" 2 "lost" { 1.0 -1.0 }
t "" 0
t "" 0
p "" 1 2 "black" { "raise" "fold" } 1
p "" 2 1 0
t "" 3 { -3 3 }
t "" 0
t "" 4 "" { -2, 2 }
"""


def test_a_file_of_gambit_is_a_game(tmp_path: Path) -> None:
    (tmp_path / "card.efg").write_text(CARD)
    game = load(str(tmp_path / "card.efg"))
    assert (game.players, game.kind) == (2, "zero-sum")
    t = tree(game)
    assert (t.histories, t.endings, t.infosets) == (11, 6, 3)  # Bob does not see the card
    position = game.start().after("red", "raise")
    assert position.legal == ["meet", "leave"]
    assert position.show(1) == "Bob: asked"
    assert position.after("meet").payoffs == [2.0, -2.0]  # the ante and what is lost
    assert position.after("leave").payoffs == [1.0, -1.0]
    assert game.start().after("red", "2").payoffs == [1.0, -1.0]  # an action without a name has its place
    assert game.start().after("black", "fold").payoffs == [-1.0, 1.0]
    assert position.key(1) == game.start().after("black", "raise").key(1)


def test_openspiel_reads_what_we_write() -> None:
    game = load("goofspiel(cards=3,order=random)")
    theirs = pyspiel.load_efg_game(text_of(game, ".efg"))
    wanted = spiel_exploitability.nash_conv(theirs, spiel_policy.UniformRandomPolicy(theirs))
    assert parlor.nash_conv(game, Policy.uniform(game)) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("name", ["kuhn(players=3)", "goofspiel(cards=3,order=random)", "normal-form(preset=shapley)"])
def test_games_go_there_and_back(name: str, tmp_path: Path) -> None:
    game = load(name)
    path = parlor.save_game(game, tmp_path / "game.efg")
    back = load(str(path))
    ours, theirs = tree(game), tree(back)
    assert (ours.histories, ours.infosets, ours.sequences) == (theirs.histories, theirs.infosets, theirs.sequences)
    a, b = (parlor.evaluate(one, Policy.uniform(one)) for one in (game, back))
    np.testing.assert_allclose(a.values + a.best_responses, b.values + b.best_responses, rtol=0, atol=1e-12)
    text = path.read_text()
    assert write_efg(read_efg(text, "game")) == text


def test_chance_sums_to_one_exactly() -> None:
    for name in ("kuhn", "liars-dice(dice=1,faces=3)", "goofspiel(cards=3,order=random)"):
        found = read_efg(text_of(name, ".efg"), name)
        assert all(sum(one.odds) == 1 for (player, _), one in found.infosets.items() if player == CHANCE)
    assert (fraction(1 / 3), fraction(0.1), fraction(-2.5)) == (Fraction(1, 3), Fraction(1, 10), Fraction(-5, 2))


NORMAL = """
NFG 1 R "unlike" { "Row" "Column" } { 2 3 }
"two by three"
1 10 2 20 3 30 4 40 5 50 6 1/2
"""
OUTCOMES = """
NFG 1 R "by outcome" { "Row" "Column" } { { "up" "down" } { "left" "right" } }
""
{
{ "" 1, 1 }
{ "good" 0.5, 2 }
}
1 0 2 1
"""


def test_a_normal_form_is_read_with_the_first_player_fastest(tmp_path: Path) -> None:
    (tmp_path / "unlike.nfg").write_text(NORMAL)
    game = load(str(tmp_path / "unlike.nfg"))
    assert game.start().after("2", "1").payoffs == [2.0, 20.0]
    assert game.start().after("1", "3").payoffs == [5.0, 50.0]
    found = read_nfg(OUTCOMES, "by outcome")
    assert found.strategies == [["up", "down"], ["left", "right"]]
    assert found.payoffs.tolist() == [[[1.0, 0.5], [0.0, 1.0]], [[1.0, 2.0], [0.0, 1.0]]]
    text = write_nfg(found)
    assert write_nfg(read_nfg(text, "again")) == text


def test_a_normal_form_goes_there_and_back(tmp_path: Path) -> None:
    game = load("normal-form(preset=shapley)")
    back = load(str(parlor.save_game(game, tmp_path / "shapley.nfg")))
    np.testing.assert_array_equal(parlor.payoff_tensor(game), parlor.payoff_tensor(back))
    assert back.start().legal == game.start().legal


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("EFG 2 R", "ends where a text in quotes should be"),
        ('EFG 2 R "x" { "A" } "" p "" 1 1 "" { "a" "b" } 0 t "" 1 { 1 }', "ends where c or p or t should be"),
        ('EFG 2 R "x" { "A" } "" p "" 2 1 "" { "a" } 0 t "" 0', "has 1 players, and a move of player 2"),
        ('EFG 2 R "x" { "A" } "" p "" 1 1 0 t "" 0', "information set 1 of player 1 has no actions"),
        ('EFG 2 R "x" { "A" } "" c "" 1 "" { "a" 1/2 "b" 1/3 } 0 t "" 0 t "" 0', "do not sum to one"),
        ('EFG 2 R "x" { "A" "B" } "" t "" 1 "" { 1 }', "outcome 1 should have 2 payoffs"),
        ('EFG 2 R "x" { "A" } "" t "" 7', "outcome 7 has no payoffs"),
        ('EFG 2 R "x" { "A" }\n""\nt "" 1 "" { one }', "line 3: there is 'one' where a number should be"),
        ('EFG 2 R "x" { "A" } "" t "" 0 t "" 0', "where the end should be"),
    ],
)
def test_what_is_wrong_is_said(text: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        read_efg(text, "wrong.efg")


def test_commands_write_and_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "game", "kuhn", "--out", str(tmp_path / "kuhn.efg")]) == 0
    assert main(["draw", str(tmp_path / "kuhn.efg"), "--out", str(tmp_path / "kuhn.svg")]) == 0
    assert main(["export", "game", "kuhn", "--out", str(tmp_path / "kuhn.nfg")]) == 1
    assert "kuhn has no payoff tensor" in capsys.readouterr().err
    assert main(["draw", "leduc", "--out", str(tmp_path / "leduc.svg")]) == 1
    assert "too many to be drawn" in capsys.readouterr().err
    assert main(["draw", "kuhn", "--out", str(tmp_path / "kuhn.png")]) == 1


def test_a_drawing_has_every_history_and_joins_information_sets() -> None:
    game = load("kuhn")
    policy = parlor.solve(game, "cfr+", iterations=1).policy
    drawing = drawing_of(game, policy)
    t = tree(game)
    assert len(drawing.tree.nodes) == t.histories
    decisions = sum(node.player >= 0 for node in drawing.tree.nodes)
    assert len(list(drawing.joined)) == decisions - t.infosets
    endings = [x for x, node in zip(drawing.x, drawing.tree.nodes, strict=True) if not node.children]
    assert endings == list(range(t.endings))
    image = ElementTree.fromstring(svg(drawing))
    texts = ["".join(text.itertext()) for text in image.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("J to player 0(1/3)") == 1
    assert sum(text.startswith("bet(") for text in texts) == decisions
    latex = tikz(drawing_of(game))
    assert latex.count(r"\node") == t.histories
    assert latex.count(r"\draw (n") == t.histories - 1
    assert latex.count("{") == latex.count("}")
    assert [str(one) for one in totals(drawing.tree)[-1]] == ["2", "-2"]
