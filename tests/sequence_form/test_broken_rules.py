"""Rules that break the contract get a sentence from a solver, never a wrong number."""

from pathlib import Path

import pytest

import parlor
from parlor import GameError
from parlor.game.loading import load
from parlor.sequence_form.tree import tree

KUHN = (Path(__file__).parents[2] / "parlor/games/kuhn/rules.py").read_text()
BROKEN = {
    "odds that do not sum to 1": ("1.0 / (CARDS - s.dealt)", "1.0 / CARDS", "they must sum to 1"),
    "negative odds": ("out[card] = 0.0", "out[card] = -0.5", "no probability may be negative"),
    "odds that are no numbers": ("1.0 / (CARDS - s.dealt)", "float('nan')", "odds gives"),
    "a zero sum that is not": ("pot - paid if winner", "pot if winner", "with ZERO_SUM they must sum to 0"),
    "payoffs without end": ("-paid)", "-1e999)", "payoffs must be finite numbers"),
    "an action beyond ACTIONS": ("out[1] = BET", "out[1] = 2 + s.moves", "action ids go from 0 to ACTIONS - 1 = 1"),
    "an action twice": ("out[1] = BET", "out[1] = PASS", "every id may occur once"),
    "no legal action": ("    return 2\n", "    return 0\n", "a number from 1 to ACTIONS = 2"),
    "a player who is not there": ("s.moves % PLAYERS", "s.moves", "turn returns 2 after"),
    "outcomes beyond OUTCOMES": ("OUTCOMES = CARDS", "OUTCOMES = 2", "a number from 1 to OUTCOMES = 2"),
    "an index out of range": ("s.card[s.dealt] = a + 1", "s.card[s.dealt + 2 * a] = a + 1", "IndexError in line"),
}


def broken(folder: Path, old: str, new: str) -> str:
    assert old in KUHN
    path = folder / "mine.py"
    path.write_text(KUHN.replace(old, new, 1))
    return str(path)


@pytest.mark.parametrize("algorithm", ["cfr+", "mccfr-external", "mccfr-outcome"])
@pytest.mark.parametrize("what", BROKEN)
def test_broken_rules_are_refused_before_they_are_solved(tmp_path: Path, what: str, algorithm: str) -> None:
    old, new, sentence = BROKEN[what]
    with pytest.raises(GameError) as refused:
        parlor.solve(broken(tmp_path, old, new), algorithm, iterations=10)
    assert sentence in str(refused.value)
    assert "mine.py: " in str(refused.value)


@pytest.mark.parametrize("what", list(BROKEN)[:-2])
def test_what_random_games_miss_is_seen_while_enumerating(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlor.sequence_form.enumeration.GAMES", 0)
    old, new, sentence = BROKEN[what]
    game = load(broken(tmp_path, old, new))
    game.cache["estimate"] = (58.0, True)  # random games would notice
    with pytest.raises(GameError, match=r"mine\.py: ") as refused:
        tree(game, compiled=False)
    assert sentence in str(refused.value)


def test_compiled_enumeration_names_the_moves_that_lead_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlor.sequence_form.enumeration.GAMES", 0)
    path = broken(tmp_path, "float(pot - paid", "float(pot - paid + (s.bets == 2)")
    with pytest.raises(
        GameError, match=r"after J to player 0, Q to player 1, pass, bet, pass, in sum 1; with ZERO_SUM"
    ):
        tree(load(path), compiled=True)


def test_payoffs_of_a_general_sum_game_need_not_sum_to_zero(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        KUHN.replace("ZERO_SUM = True", "ZERO_SUM = False").replace("pot - paid if winner", "pot if winner")
    )
    assert tree(load(str(path)), compiled=False).histories == 58
