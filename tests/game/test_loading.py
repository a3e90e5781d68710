"""Rules from a notebook, from a program, and from files with neighbours."""

import json
import linecache
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import parlor
from parlor import GameError
from parlor.cli.main import main
from parlor.cli.seating import seat_all
from parlor.compile import version
from parlor.game.loading import game_of
from parlor.sequence_form.tree import tree

# The higher of two cards wins; the first player may give up a point instead.
RULES = '''"""High card."""
from parlor.game import CHANCE, OVER, private, public
{imports}
PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM = 2, 2, 3, 4, True
STATE = {{"card": private(2), "dealt": public(), "gave_up": public(), "moved": public()}}

def start(s):
    pass

def turn(s):
    if s.dealt < 2:
        return CHANCE
    return OVER if s.moved else 0

def odds(s, out):
    for i in range(3):
        out[i] = 1.0 / 3.0
    return 3

def legal(s, out):
    out[0], out[1] = 0, 1
    return 2

def play(s, a):
    if s.dealt < 2:
        s.card[s.dealt] = a + 1
        s.dealt += 1
    else:
        s.gave_up = a
        s.moved = 1

def payoff(s, p):
    sign = 1.0 - 2.0 * p
    if s.gave_up:
        return -sign * 0.5
    return sign * {compare}

def key(s, p):
    return p + 2 * (s.card[p] + 4 * (s.dealt + 3 * (s.moved + 2 * s.gave_up)))
'''
PLAIN = RULES.format(imports="", compare="((s.card[0] > s.card[1]) - (s.card[0] < s.card[1]))")
VALUE = (-0.5 + 0.0 + 2 / 3) / 3  # with the lowest card (−2/3 if shown) one gives up


def cell(source: str, name: str) -> dict[str, Any]:
    """Execute a text as IPython executes a cell: in a namespace, its lines left with linecache."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, name, "exec"), namespace)
    return namespace


def test_a_game_from_a_notebook_cell_is_solved_and_checked() -> None:
    namespace = cell(PLAIN, "<ipython-input-1-abcdef>")
    game = parlor.game_from(namespace, "high-card")
    assert game.name == "high-card"
    assert game.words.summary == "High card."
    assert parlor.solve(game, iterations=500).report.values[0] == pytest.approx(VALUE, abs=1e-3)
    assert all(finding.ok is not False for finding in parlor.check(game))
    changed = cell(PLAIN.replace("0.5", "0.25"), "<ipython-input-2-abcdef>")  # the cell, run again
    assert version(parlor.game_from(changed, "high-card")) != version(game)


def test_a_game_from_a_module_and_from_a_class() -> None:
    module = ModuleType("high_card")
    module.__dict__.update(cell(PLAIN, "<ipython-input-3-abcdef>") | {"__name__": "high_card"})
    assert parlor.game_from(module).name == "high_card"
    [rules, constants] = [PLAIN[PLAIN.index("def start") :], PLAIN[: PLAIN.index("def start")]]
    body = "".join(f"    {line}\n" if line else "\n" for line in rules.splitlines())
    names = "PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM, STATE"
    source = f"{constants}\nclass HighCard:\n    {names} = {names}\n{body}"
    game = parlor.game_from(cell(source, "<ipython-input-4-abcdef>")["HighCard"])
    assert game.name == "HighCard"
    assert tree(game).histories == tree(parlor.game_from(module)).histories


def test_rules_without_a_source_get_a_sentence() -> None:
    namespace: dict[str, Any] = {}
    exec(PLAIN, namespace)
    with pytest.raises(GameError, match=r"The source of .* cannot be read, so it cannot be compiled"):
        parlor.game_from(namespace, "nowhere")
    with pytest.raises(GameError, match="mine is not a game yet: it lacks start, turn"):
        parlor.game_from({}, "mine")
    with pytest.raises(GameError, match="'a/b' cannot be a game's name"):
        parlor.game_from({}, "a/b")


# --------------------------------------------------------------------------------------------------- neighbours

USES = {
    "import": RULES.format(imports="import my_cards", compare="my_cards.compare(s.card[0], s.card[1])"),
    "from": RULES.format(imports="from my_cards import compare", compare="compare(s.card[0], s.card[1])"),
}
HIGH = "WON = 1\n\ndef sign(x):\n    return (x > 0) - (x < 0)\n\ndef compare(a, b):\n    return WON * sign(a - b)\n"


@pytest.mark.parametrize("way", USES)
def test_a_rules_file_imports_its_neighbour(way: str, tmp_path: Path) -> None:
    (tmp_path / "my_game.py").write_text(USES[way])
    (tmp_path / "my_cards.py").write_text(HIGH)
    path, before = list(sys.path), set(sys.modules)
    game = parlor.load(f"{tmp_path}/my_game.py")
    assert sys.path == path
    assert "my_cards" not in sys.modules
    assert not [name for name in set(sys.modules) - before if "my_" in name]
    assert parlor.solve(game, iterations=500).report.values[0] == pytest.approx(VALUE, abs=1e-3)
    assert all(finding.ok is not False for finding in parlor.check(game))


def test_the_version_covers_the_neighbour_and_folders_do_not_clash(tmp_path: Path) -> None:
    games = []
    for folder, cards in {"high": HIGH, "low": HIGH.replace("WON = 1", "WON = -1")}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "my_game.py").write_text(USES["import"])
        (tmp_path / folder / "my_cards.py").write_text(cards)
        games.append(parlor.load(f"{tmp_path}/{folder}/my_game.py"))
    high, low = games
    assert version(high) != version(low)
    deal = [2, 0, 0]  # the highest card, the lowest one, and not giving up
    assert [game.start().after(*deal).payoffs[0] for game in games] == [1.0, -1.0]
    (tmp_path / "high" / "my_cards.py").write_text(HIGH.replace("WON = 1", "WON = 2"))
    again = parlor.load(f"{tmp_path}/high/my_game.py")
    assert again.start().after(*deal).payoffs[0] == 2.0
    assert high.start().after(*deal).payoffs[0] == 1.0
    assert len({version(high), version(low), version(again)}) == 3
    assert parlor.evaluate(high, parlor.Policy.uniform(high)).values[0] == pytest.approx(-0.25)


def test_a_package_beside_it_and_a_module_of_the_same_name_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_cards").mkdir()
    (tmp_path / "my_cards" / "__init__.py").write_text("from my_cards.order import compare\n")
    (tmp_path / "my_cards" / "order.py").write_text(HIGH)
    (tmp_path / "my_game.py").write_text(USES["from"])
    mine = ModuleType("my_cards")
    monkeypatch.setitem(sys.modules, "my_cards", mine)
    game = parlor.load(f"{tmp_path}/my_game.py")
    assert sys.modules["my_cards"] is mine
    assert "my_cards.order" not in sys.modules
    assert tree(game).infosets == 3


def test_errors_in_a_neighbour_name_it(tmp_path: Path) -> None:
    (tmp_path / "my_game.py").write_text(USES["from"])
    (tmp_path / "my_cards.py").write_text("x = 1\ny = x / 0\n")
    with pytest.raises(GameError, match=r"my_cards.py, line 2: ZeroDivisionError: division by zero"):
        parlor.load(f"{tmp_path}/my_game.py")
    (tmp_path / "my_cards.py").write_text("x =\n")
    with pytest.raises(GameError, match=r"my_cards.py, line 1: invalid syntax"):
        parlor.load(f"{tmp_path}/my_game.py")
    (tmp_path / "my_cards.py").unlink()
    with pytest.raises(GameError, match=r"my_game.py, line 3: ModuleNotFoundError: No module named 'my_cards'"):
        parlor.load(f"{tmp_path}/my_game.py")


# --------------------------------------------------------------------------------------------------- remembering


@pytest.mark.parametrize("end", ["json", "npz"])
def test_a_policy_remembers_where_its_rules_file_is(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "my_game.py").write_text(PLAIN)
    monkeypatch.chdir(tmp_path / "rules")
    policy = parlor.solve("my_game.py", iterations=50).policy
    saved = parlor.save(policy, tmp_path / "saved" / f"policy.{end}")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    loaded = parlor.load_policy(f"../saved/policy.{end}")
    assert loaded == policy
    game = game_of(loaded)
    assert game.name == "my_game.py"
    assert parlor.evaluate(game, loaded) == parlor.evaluate(game, policy)
    (tmp_path / "saved").rename(tmp_path / "moved")  # one folder of the two: the way from it to the other is the same
    assert parlor.load_policy(f"../moved/policy.{end}").source == str(tmp_path / "rules" / "my_game.py")
    assert str(tmp_path).encode() not in (tmp_path / "moved" / saved.name).read_bytes()
    (tmp_path / "rules" / "my_game.py").rename(tmp_path / "elsewhere" / "my_game.py")
    assert game_of(loaded).source == str(tmp_path / "elsewhere" / "my_game.py")  # as its name says, from here
    Path("my_game.py").unlink()
    with pytest.raises(GameError, match=r"The rules file of my_game.py was not found: there is no .*my_game.py, nor"):
        game_of(loaded)


def test_the_commands_find_the_rules_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "my_game.py").write_text(PLAIN)
    monkeypatch.chdir(tmp_path / "rules")
    parlor.save(parlor.solve("my_game.py", iterations=50).policy, "policy.json")
    assert seat_all(["policy.json", "random"], None)[0].name == "my_game.py"
    monkeypatch.chdir(tmp_path)
    assert main(["evaluate", "rules/policy.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["same_rules"] is True
    game, _ = seat_all(["rules/policy.json", "random"], None)
    assert game.name == str(tmp_path / "rules" / "my_game.py")
    (tmp_path / "rules" / "my_game.py").unlink()
    assert main(["evaluate", "rules/policy.json"]) == 1
    assert "The rules file of my_game.py was not found" in " ".join(capsys.readouterr().err.split())


def test_other_policies_say_nothing_of_a_file(tmp_path: Path) -> None:
    saved = parlor.save(parlor.solve("kuhn", iterations=2).policy, tmp_path / "kuhn.json")
    assert "rules_file" not in saved.read_text()


def test_an_option_may_have_its_least_and_its_greatest_value() -> None:
    assert [parlor.load(f"kuhn(players={n})").players for n in (2, 4)] == [2, 4]
    for beyond in (1, 5):
        with pytest.raises(GameError, match=rf"players must be between 2 and 4, not {beyond}\."):
            parlor.load(f"kuhn(players={beyond})")


def test_what_would_fail_later_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        PLAIN.replace("PLAYERS,", "from parlor.game import option\noption('cards', 40, 1, 20)\nPLAYERS,", 1)
    )
    with pytest.raises(GameError, match="cards must be between 1 and 20, not 40"):
        parlor.load(str(file))
    file.write_text(PLAIN.replace("STATE = {", 'STATE = {"player": public(), ', 1))
    with pytest.raises(GameError, match="a field of STATE cannot be called player"):
        parlor.load(str(file))


def test_rules_that_load_another_game_still_get_their_own_options(tmp_path: Path) -> None:
    path = tmp_path / "larger.py"
    text = (Path(parlor.__file__).parent / "games" / "kuhn" / "rules.py").read_text()
    path.write_text("from parlor.game.loading import load\n\nload('kuhn(players=3)')\n" + text)
    assert parlor.load(f"{path}(players=4)").players == 4
