"""Every shipped game keeps the contract, and whoever breaks a clause of it is told which one, and how."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from parlor.cli.commands.solve import warn_of_rules
from parlor.compile import AlwaysCompiled
from parlor.compile.compile_errors import explain
from parlor.contract import CLAUSES, Finding, check, glance, imagination
from parlor.contract import playthrough as playthrough_module
from parlor.contract.imagination import check_imagine
from parlor.contract.playthrough import Playthrough
from parlor.game import GameError, position_checks
from parlor.game.loading import load
from parlor.sequence_form.enumeration import spot_check

pytestmark = pytest.mark.slow(seconds=35)

SHIPPED = [
    "kuhn",
    "kuhn(players=3)",
    "kuhn(players=4)",
    "leduc",
    "leduc(players=3)",
    "leduc/ranks",
    "liars-dice(faces=3)",
    "liars-dice(dice=2,faces=3)",
    "goofspiel",
    "goofspiel(players=3,cards=3,imperfect=false)",
    "goofspiel(cards=5,order=random,returns=point-difference)",
    "goofspiel(order=ascending,returns=total-points)",
    "battleship",
    "sheriff",
    "normal-form",
    "trade-comm(items=2)",
    "tiny-bridge(players=4)",
    "clue(preset=standard,suspects=1,weapons=2,rooms=4,cap=2)",
    "leodopoly(players=2,rounds=2,money=50)",
]
#: All are compared with their compiled rules in `test_native.py`; here, one that is walked through and one that is not.
COMPILED = ["kuhn", "leduc/ranks"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_games_keep_the_contract(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AlwaysCompiled, "__call__", lambda self, *arguments: self.function(*arguments))
    findings = check(load(name), games=20, compiled=name in COMPILED).findings
    assert [f.name for f in findings] == [clause.name for clause in CLAUSES]
    left_out = {"recall", "secrets", "knowledge", "events"} if "/" in name else set()
    left_out |= {"native"} if name not in COMPILED else set()
    left_out |= {"imagine"} if load(name).hidden.imagine is None else set()
    left_out |= {"worlds"} if load(name).hidden.worlds is None or "/" in name else set()
    left_out |= {"networks"} if load(name).features is None and load(name).head is None else set()
    assert {f.name for f in findings if f.ok is not True} == left_out, "\n".join(map(str, findings))


def test_openspiel_games_are_checked_as_far_as_possible() -> None:
    pytest.importorskip("pyspiel")
    findings = check(load("openspiel:kuhn_poker")).findings
    assert {f.name for f in findings if f.ok is None} == {
        *("indexes", "pure", "integers", "hidden", "imagine", "worlds", "networks", "native")
    }
    assert all(f.ok is not False for f in findings)
    assert "all 58 histories" in findings[0].sentence


#: The first three differ in the chips of one proposer alone: whoever cannot see these must imagine the others.
BOARDS = """
4 5 3 ACBCAABCBDCCBCCA AADD BCC BCCC 3 12 1 10
4 5 3 ACBCAABCBDCCBCCA AADD ABC BCCC 3 12 1 10
4 5 3 ACBCAABCBDCCBCCA ABDD BCC BCCC 3 12 1 10
4 5 3 DDAEEAAAABBABEDC ADDEE BEEE AAACC 3 10 6 8
"""


def test_colored_trails_keeps_the_contract(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text(BOARDS)
    game = load("colored-trails(chips=1)", file=str(tmp_path / "boards.txt"))
    findings = {finding.name: finding for finding in check(game, games=20, compiled=False)}
    assert {name for name, finding in findings.items() if finding.ok is not True} == {"worlds", "native"}
    assert "all 341 histories" in findings["runs"].sentence
    assert "frequencies counted at 3 positions" in findings["imagine"].sentence


def test_nothing_is_compiled_unless_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr("parlor.compile.native", refuse)
    for name, games in (("kuhn", None), ("liars-dice(dice=2)", 1)):
        report = check(load(name), games, compiled=False)
        assert str(report.findings[-1]) == "–  native      not checked: nothing was to be compiled"
        assert report.coverage.of_information_sets == (12 if name == "kuhn" else None)
        assert not report.broken
    with pytest.raises(AssertionError, match="compiled"):
        check(load("kuhn"))


def test_a_finding_in_words() -> None:
    assert str(Finding("odds", False, "they sum to 2.")) == "✗  odds        they sum to 2."
    assert [Finding("odds", ok, "").mark for ok in (True, False, None)] == ["✓", "✗", "–"]


# -------------------------------------------------------------------------------------------------- broken games

#: Three cards are dealt, the last one face down; player 0, player 1 and player 0 again each bet or pass.
SOUND = """
import random

from parlor.game import CHANCE, OVER, hidden, private, public
from parlor.game.rng import below

PLAYERS = 2
CARDS = 4
ACTIONS = 2
OUTCOMES = CARDS
LENGTH = 6
ZERO_SUM = True
STATE = {"card": private(PLAYERS), "buried": hidden(), "dealt": public(), "count": public(), "bets": public()}


def start(s):
    s.bets = 1


def turn(s):
    if s.dealt < 3:
        return CHANCE
    return OVER if s.count == 3 else s.count % 2


def odds(s, out):
    for card in range(CARDS):
        out[card] = 1.0 / (CARDS - s.dealt)
    for p in range(min(s.dealt, 2)):
        out[s.card[p] - 1] = 0.0
    return CARDS


def legal(s, out):
    out[0] = 0
    out[1] = 1
    return 2


def play(s, a):
    if s.dealt < 2:
        s.card[s.dealt] = a + 1
    elif s.dealt == 2:
        s.buried = a + 1
    if s.dealt < 3:
        s.dealt += 1
    else:
        s.bets = s.bets * 2 + a
        s.count += 1


def payoff(s, p):
    stake = s.bets - 7 + (1 if s.buried == 4 else 0)
    return float(stake if s.card[p] > s.card[1 - p] else -stake)


def key(s, p):
    return (s.bets * 8 + s.card[p]) * 2 + p


def describe(s, a):
    return "ABCD"[a] if s.dealt < 3 else ("pass", "bet")[a]


def secret(s, a, p):
    return s.dealt < 3 and s.dealt != p


def imagine(s, p, r):
    unseen = [card for card in range(1, CARDS + 1) if card != s.card[p]]
    s.card[1 - p] = unseen.pop(below(r, 3))
    s.buried = unseen.pop(below(r, 2))


WORLDS = CARDS * CARDS


def possible(s, p, codes, weights):
    count = 0
    for code in range(WORLDS):
        card, buried = code // CARDS + 1, code % CARDS + 1
        if card != buried and card != s.card[p] and buried != s.card[p]:
            codes[count] = code
            weights[count] = 0.5
            count += 1
    return count


def set_hidden_state(s, p, code):
    s.card[1 - p] = code // CARDS + 1
    s.buried = code % CARDS + 1


def hidden(s, p):
    return (s.card[1 - p] - 1) * CARDS + s.buried - 1


def decisions(s):
    return s.count


def decision(s, k):
    return s.bets >> (s.count - 1 - k) & 1


def rewind(s, k):
    s.bets >>= s.count - k
    s.count = k
"""


class Mutation(NamedTuple):
    title: str
    old: str
    new: str
    clause: str  # the one that is broken
    words: tuple[str, ...]  # what the sentence about it says
    others: tuple[str, ...] = ()  # clauses that are broken by the same mistake


KEY = "return (s.bets * 8 + s.card[p]) * 2 + p"
TWO = "    out[1] = 1\n    return 2"
MUTATIONS = [
    Mutation("index error", "s.bets = s.bets * 2 + a", "s.card[s.count + 1] = a",
             "runs", ("play stops after", "IndexError in line", "of broken.py: list assignment index out of range")),
    Mutation("division by zero", "stake = s.bets - 7", "stake = 1 // (s.bets - 8)",
             "runs", ("payoff stops after", "ZeroDivisionError")),
    Mutation("a field that is not in the schema", "s.bets = 1", "s.pot = 2",
             "runs", ("start stops at the start with AttributeError", "'pot'")),
    Mutation("describe fails", '"ABCD"[a]', '"ABC"[a]', "runs", ("describe stops", "IndexError")),
    Mutation("a seat that does not exist", "s.count % 2", "s.count",
             "turns", ("turn returns 2 after", "from 0 to 1, CHANCE or OVER")),
    Mutation("odds sum wrong", "1.0 / (CARDS - s.dealt)", "1.0 / CARDS",
             "odds", ("odds gives", "in sum 0.75; they must sum to 1")),
    Mutation("negative odds", "out[s.card[p] - 1] = 0.0", "out[s.card[p] - 1] = -0.25",
             "odds", ("-0.25", "no probability may be negative")),
    Mutation("more outcomes than declared", "OUTCOMES = CARDS", "OUTCOMES = 3",
             "odds", ("odds returns 4 at the start", "from 1 to OUTCOMES = 3")),
    Mutation("odds not filled", "for card in range(CARDS):", "for card in range(CARDS - 1):",
             "odds", ("odds returns 4 at the start but does not fill out[3]", "zeros too")),
    Mutation("nothing can happen", "1.0 / (CARDS - s.dealt)", "0.0", "odds", ("some outcome must be possible",)),
    Mutation("the same action twice", "out[1] = 1", "out[1] = 0",
             "legal", ("legal lists 0 and 0 after", "once")),
    Mutation("an id that does not exist", "out[1] = 1", "out[1] = 2",
             "legal", ("legal lists 2 after", "from 0 to ACTIONS - 1 = 1")),
    Mutation("no legal action", TWO, "    out[1] = 1\n    return 0 if s.count == 2 else 2",
             "legal", ("legal returns 0 after", "from 1 to ACTIONS = 2")),
    Mutation("too many legal actions", TWO, "    out[1] = 1\n    out[2] = 2\n    return 3",
             "legal", ("legal returns 3",)),
    Mutation("legal writes too far", TWO, "    out[1] = 1\n    out[2] = 1\n    return 2",
             "legal", ("legal writes past out[1]", "ACTIONS is 2")),
    Mutation("two moves with one name", '("pass", "bet")[a]', '"move"',
             "names", ("describe calls both 0 and 1 'move' after",)),
    Mutation("a name that is a number", '("pass", "bet")[a]', "a", "names", ("a name must be a text",)),
    Mutation("legal changes the state", "    out[0] = 0\n", "    out[0] = 0\n    s.count += 1\n",
             "pure", ("legal changes count from 0 to 1", "only start and play")),
    Mutation("key changes the state", KEY, "s.bets += 1\n    " + KEY, "pure", ("key changes bets",)),
    Mutation("random play", "s.bets * 2 + a", "s.bets * 2 + random.randrange(2)",
             "repeatable", ("bets is", "when played again", "nothing but the state and the move")),
    Mutation("random legal", TWO, "    out[1] = 1\n    return random.randrange(2) + 1",
             "repeatable", ("answers differently when asked again",)),
    Mutation("a float in a field", "s.bets = s.bets * 2 + a", "s.bets = (s.bets * 4 + 2 * a) / 2",
             "integers", ("the field bets holds", ".0 after", "whole numbers (divide with //)")),
    Mutation("a field of another shape", "s.buried = a + 1", "s.card = [1, 2, 3]",
             "integers", ("the field card holds [1, 2, 3] after", "2 entries")),
    Mutation("a number beyond 64 bits", "s.bets * 2 + a", "(s.bets * 2 + a) << 63",
             "integers", ("the field bets holds", "64 bits")),
    Mutation("a game without an end", "OVER if s.count == 3 else s.count % 2", "s.count % 2",
             "ending", ("is not over after", "is 6 moves", "LENGTH is 6")),
    Mutation("LENGTH too small", "LENGTH = 6", "LENGTH = 5", "ending", ("is 5 moves", "LENGTH is 5")),
    Mutation("not zero-sum", "else -stake)", "else 0)",
             "payoffs", ("payoff gives", "in sum", "with ZERO_SUM they must sum to 0")),
    Mutation("a payoff that is no number", "float(stake if", "float('nan') * float(stake if",
             "payoffs", ("payoff gives nan and nan after", "finite")),
    Mutation("a common payoff that is not", "ZERO_SUM = True", 'ZERO_SUM = False\nKIND = "common-payoff"',
             "payoffs", ("the same for all",)),
    Mutation("a negative key", KEY, "return -((s.bets * 8 + s.card[p]) * 2 + p)",
             "keys", ("key returns -", "for player 0 after", "from 0 to 2⁶³ - 1")),
    Mutation("a key beyond 63 bits", KEY, KEY + " << 60", "keys", ("from 0 to 2⁶³ - 1",)),
    Mutation("a fractional key", KEY, KEY + " + 0.5", "keys", ("must be a whole number",)),
    Mutation("one key for two players", KEY, "return s.card[p] if s.count < 2 else 8 * s.bets + s.card[p]",
             "owners", ("both for player", "put the player's number"), ("knowledge",)),
    Mutation("one key, two sets of actions", TWO, "    out[1] = 1\n    return 2 if s.buried < 3 else 1",
             "actions", ("but legal lists [0", "the same actions in the same order"), ("hidden",)),
    Mutation("a key that forgets its player's moves", KEY, "return (s.count * 8 + s.card[p]) * 2 + p",
             "recall", ("came there from key", "must keep what its player knew and did"), ("knowledge",)),
    Mutation("a state that forgets its player's moves", "s.bets = s.bets * 2 + a", "s.bets = a + 8",
             "recall", ("player 0 has the key", "its action 0 in one", "its action 1 in the other")),
    Mutation("a key that sees the other's card", KEY, KEY.replace("[p]", "[1 - p]"),
             "hidden", ("key leaks something to player", "card is [", "public or the player's own")),
    Mutation("a key that sees the buried card", KEY, "return ((s.bets * 8 + s.card[p]) * 8 + s.buried) * 2 + p",
             "hidden", ("key leaks something to player", "buried is")),
    Mutation("legal that sees the other's card", TWO,
             "    out[1] = 1\n    return 2 if s.card[1 - s.count % 2] != 4 else 1",
             "hidden", ("legal leaks something to player",), ("actions",)),
    Mutation("a view that shows the other's card", "def describe",
             "def view(s, p):\n    return (p, s.card[0], s.card[1], s.bets, s.dealt)\n\n\ndef describe",
             "hidden", ("view leaks something to player", "card is [")),
    Mutation("a view that shows the buried card at the end", "def describe",
             "def view(s, p):\n    return (p, s.card[p], s.bets, s.dealt, s.count == 3 and s.buried)\n\n\ndef describe",
             "hidden", ("view leaks something to player", "buried is")),
    Mutation("a name that tells of the other's card", '("pass", "bet")[a]',
             '("pass", "bet")[a] + " against " + "ABCD"[s.card[1 - s.count % 2] - 1]',
             "hidden", ("describe leaks something to player", "card is [")),
    Mutation("a table that shows what the view does not", "def describe",
             "def display(view):\n    return {'luck': [random.random()]}\n\n\ndef describe",
             "hidden", ("show (or display) leaks something to player",)),
    Mutation("a deal that is not kept secret", "return s.dealt < 3 and s.dealt != p", "return False",
             "secrets", ("sees the outcome '", "sees the same before and after both", "secret must keep it")),
    Mutation("a name that tells of one's own card", '("pass", "bet")[a]',
             '("pass", "bet")[a] + " with " + "ABCD"[s.card[s.count % 2] - 1]',
             "secrets", ("sees the move '", "describe must name no more than its view shows")),
    Mutation("a move that nobody sees and everybody is told", "        s.bets = s.bets * 2 + a\n",
             "        s.bets = s.bets * 2 + (a if s.count != 1 else 0)\n        s.buried += 8 * a\n",
             "secrets", ("player 0 sees the move '",)),
    Mutation("an index that is counted from the end", "s.card[p] > s.card[1 - p]", "s.card[p] > s.card[p - 1]",
             "indexes", ("payoff uses the index -1 in line", "of broken.py after", "indexes of rules go from 0")),
    Mutation("imagine changes what is seen", "s.card[1 - p] = unseen", "s.card[p] = unseen",
             "imagine", ("imagine changes the fields that are seen for player", "only what player")),
    Mutation("imagine changes whose turn it is", "unseen.pop(below(r, 2))", "unseen.pop(below(r, 2))\n    s.count = 3",
             "imagine", ("imagine changes whose turn it is for player",)),
    Mutation("imagine deals a card twice", "unseen.pop(below(r, 2))", "s.card[1 - p]",
             "imagine", ("imagine makes a state for player", "cannot have come about by what player")),
    Mutation("imagine prefers some cards", "below(r, 3)", "below(r, 3) * below(r, 2)",
             "imagine", ("imagine draws the wrong frequencies for player", "instead of 0.167 for State(")),
    Mutation("a code that is counted twice", "weights[count] = 0.5", "weights[count] = 1.0 + code % 2",
             "worlds", ("possible gives the code", "by chance alone it is 0.166667")),
    Mutation("a world that is left out", "if card != buried and", "if buried != 4 and card != buried and",
             "worlds", ("possible leaves out", "the code that hidden gives for player", "it is possible")),
    Mutation("a code that changes what is seen", "s.card[1 - p] = code", "s.card[p] = code",
             "worlds", ("set_hidden_state changes what player 0 sees", "it may not")),
    Mutation("a code that does not say all", "    s.buried = code % CARDS + 1\n", "",
             "worlds", ("hidden returns", "was supposed")),
    Mutation("moves that are taken back halfway", "    s.count = k\n", "",
             "worlds", ("rewind to move 0 makes count 1 after", "it was 0 then")),
    Mutation("moves in the wrong order", "s.bets >> (s.count - 1 - k) & 1", "s.bets >> k & 1",
             "worlds", ("decision returns", "for move 0 after", "it was")),
    Mutation("moves that are not counted", "return s.count\n", "return s.count + 1\n",
             "worlds", ("decisions returns 1 after", "players have made 0 moves")),
    Mutation("a key that forgets its player's card", KEY, "return s.bets * 2 + p",
             "knowledge", ("key forgets something that the view shows", "card=")),
    Mutation("a view that shows too little", "def describe",
             "def view(s, p):\n    return (p, s.bets)\n\n\ndef describe",
             "knowledge", ("key tells apart what the view does not show",), ("secrets",)),
    Mutation("a deal that is told now and then", "return s.dealt < 3 and s.dealt != p",
             "return s.dealt < 3 and s.dealt != p and (s.dealt < 2 or a > 0)",
             "events", ("player 0 has the key", "something hidden) in one and 3 moves and outcomes", "secret which")),
]  # fmt: skip


def findings_of(source: str, tmp_path: Path, games: int = 40, compiled: bool = True) -> dict[str, Finding]:
    path = tmp_path / "broken.py"
    path.write_text(source)
    return {finding.name: finding for finding in check(load(str(path)), games, compiled=compiled).findings}


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[m.title for m in MUTATIONS])
def test_a_broken_rule_is_caught_by_the_right_clause(mutation: Mutation, tmp_path: Path) -> None:
    assert SOUND.count(mutation.old) == 1
    findings = findings_of(SOUND.replace(mutation.old, mutation.new), tmp_path)
    broken = {f.name: f.sentence for f in findings.values() if f.ok is False}
    if mutation.title == "random play":
        broken.pop("secrets", None)  # what is seen afterwards may differ by chance
    assert set(broken) == {mutation.clause, *mutation.others}
    for words in mutation.words:
        assert words in broken[mutation.clause]
    assert broken[mutation.clause].endswith(".")
    assert broken[mutation.clause].count("\n") == 0
    assert findings["native"].ok is None
    assert f"first fix {next(iter(broken))}" in findings["native"].sentence


def test_a_rule_without_an_end_is_stopped_and_the_line_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(position_checks, "ENDLESS", 0.05)
    monkeypatch.setattr(position_checks, "TICK", 0.02)
    source = SOUND.replace(
        "        s.bets = s.bets * 2 + a\n", "        while s.count == 1:\n            s.bets += 0\n"
    )
    assert source != SOUND
    sentence = findings_of(source, tmp_path)["runs"].sentence
    assert "play does not come to an end after" in sentence
    lines = source.splitlines()
    number = int(re.findall(r"in line (\d+) of broken.py; a loop there may not end", sentence)[0])
    assert lines[number - 1].strip() in ("while s.count == 1:", "s.bets += 0")
    with pytest.raises(GameError, match="play does not come to an end"):
        spot_check(load(str(tmp_path / "broken.py")))


def test_a_glance_sees_what_a_solver_would_take_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "forgets.py").write_text(SOUND.replace(KEY, "return s.bets * 2 + p"))
    (tmp_path / "sound.py").write_text(SOUND)
    assert [finding.name for finding in glance(load(str(tmp_path / "forgets.py")))] == ["knowledge"]
    assert glance(load(str(tmp_path / "sound.py"))) == ()
    warn_of_rules(load(str(tmp_path / "sound.py")))
    assert not capsys.readouterr().err
    warn_of_rules(load(str(tmp_path / "forgets.py")))
    assert "The rules break the contract, so what is solved may not be the game: knowledge: " in capsys.readouterr().err


def test_a_rule_that_stops_leaves_the_rest_unchecked(tmp_path: Path) -> None:
    findings = findings_of(SOUND.replace("OUTCOMES = CARDS", "OUTCOMES = 3"), tmp_path)
    assert [f.ok for f in findings.values()].count(False) == 1
    assert all("first fix" in f.sentence for f in findings.values() if f.ok is None and f.name != "networks")
    assert not any(f.ok for f in findings.values())


@pytest.mark.parametrize("name", ["monopoly-deal(preset=tiny)", "holdem"])
def test_what_shipped_games_imagine_can_be_believed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playthrough_module, "SMALL", 0)  # some games are enough
    monkeypatch.setattr(imagination, "COUNTED", 2)
    playthrough = Playthrough(load(name))
    playthrough.run(3, 0)
    assert not playthrough.checks.failures
    assert check_imagine(playthrough) == ""


def test_leaks_in_the_words_of_shipped_games_are_caught(tmp_path: Path) -> None:
    """Kuhn's deal told to everybody, Leduc's raise with the card it is made on, goofspiel's bid face up."""
    games = Path(__file__).parents[2] / "parlor" / "games"
    for name, old, new in (
        ("kuhn", "return s.dealt < PLAYERS and p != s.dealt", "return False"),
        ("leduc", "    return NAMES[a]\n", "    return f'{NAMES[a]} on {card_name(s.card[turn(s)])}'\n"),
        ("goofspiel", "return s.prize != 0", "return False"),
    ):
        text = (games / name / "rules.py").read_text()
        assert text.count(old) == 1
        assert findings_of(text.replace(old, new), tmp_path)["secrets"].ok is False, name


def test_every_clause_is_broken_by_some_mutation() -> None:
    assert {m.clause for m in MUTATIONS} == {clause.name for clause in CLAUSES} - {
        "native",
        "networks",
    }  # see test_heads.py


# -------------------------------------------------------------------------------------------------- large games


@pytest.mark.parametrize(("old", "new", "word"), [
    ("mine = p\n", "mine = p + 2 * s.dice[1 - p][0]\n", "key leaks something to player"),
    ("for bid in range(s.last, BIDS):", "for bid in range(s.last, BIDS - s.dice[1 - s.actor][0]):", "legal leaks"),
])  # fmt: skip
def test_leaks_are_found_in_games_too_large_to_walk_through(old: str, new: str, word: str, tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "parlor/games/liars_dice/rules.py"
    text = source.read_text().replace('option("dice", 1', 'option("dice", 2')
    assert text.count(old) == 1
    findings = findings_of(text.replace(old, new), tmp_path, games=200, compiled=False)
    assert "random games" in findings["runs"].sentence
    assert findings["hidden"].ok is False
    assert word in findings["hidden"].sentence


def test_the_coverage_says_what_was_seen_and_what_not() -> None:
    report = check(load("kuhn"), compiled=False)
    assert str(report.coverage) == "all 58 histories and 12 information sets; 2 of 2 actions; 3 of 3 outcomes"
    report = check(load("openspiel:tic_tac_toe"), games=2)
    assert str(report.coverage).endswith("; 9 of 9 actions; chance had no turn")
    assert len(str(report).splitlines()) == len(report.findings) + 1
    seen = check(load("liars-dice(dice=2)"), games=6, compiled=False).coverage
    assert not seen.complete
    assert (seen.games, seen.of_information_sets) == (6, None)
    assert str(seen).startswith("6 random games with ")
    assert f"; {25 - len(seen.unseen_actions)} of 25 actions" in str(seen)


def test_moves_that_were_seen_least_are_looked_for() -> None:
    """At random, the last of 24 bids comes up once in some hundred games."""
    assert check(load("liars-dice(dice=2)"), games=30, compiled=False).coverage.unseen_actions == ()


# -------------------------------------------------------------------------------------------------- compiled rules

NATIVE = [
    ("a dictionary", "CARDS = 4\n", "CARDS = 4\nSTAKES = {4: 1}\n", "s.bets - 7 + (1 if", "s.bets - 7 + (STAKES[4] if",
     ("payoff uses STAKES, a dict", "tuples of numbers")),
    ("a list", "CARDS = 4\n", "CARDS = 4\nBOTH = [0, 1]\n", "out[1] = 1", "out[1] = BOTH[1]",
     ("legal uses BOTH, a list",)),
    ("a generator", "CARDS = 4\n", "CARDS = 4\n", "out[1] = 1", "out[1] = max(a for a in range(2))",
     ("legal cannot be compiled in the line `out[1] = max((a for a in range(2)))`", "yield")),
    ("text", "CARDS = 4\n", "CARDS = 4\n", "out[1] = 1", 'out[1] = int("1" if s.count else "01")',
     ("legal cannot be compiled in the line `out[1] = int(", "no compiled form of int(text)")),
    ("an import", "CARDS = 4\n", "CARDS = 4\n", "    out[1] = 1\n", "    import math\n    out[1] = math.isqrt(1)\n",
     ("legal cannot be compiled in the line `import math`", "top of the file")),
    ("a key beyond 64 bits on the way", "CARDS = 4\n", "CARDS = 4\n", KEY,
     "return (s.bets << 70 >> 70) * 16 + s.card[p] * 2 + p",
     ("the compiled game is different: ", "belongs to two players")),
    ("a payoff beyond 64 bits on the way", "CARDS = 4\n", "CARDS = 4\n", "s.bets - 7 +", "(s.bets << 60 >> 60) - 7 +",
     ("there are 377 histories and", "in plain Python", "beyond 64 bits")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "then", "instead", "words"), [n[1:] for n in NATIVE], ids=[n[0] for n in NATIVE]
)
def test_what_does_not_compile_is_explained(
    old: str, new: str, then: str, instead: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    assert SOUND.count(old) == SOUND.count(then) == 1
    findings = findings_of(SOUND.replace(old, new).replace(then, instead), tmp_path)
    assert [f.name for f in findings.values() if f.ok is not True] == ["networks", "native"]
    assert findings["native"].ok is False
    for word in words:
        assert word in findings["native"].sentence
    assert "\n" not in findings["native"].sentence


def test_the_sound_game_is_sound(tmp_path: Path) -> None:
    findings = findings_of(SOUND, tmp_path)
    assert {f.name for f in findings.values() if not f.ok} == {"networks"}, "\n".join(map(str, findings.values()))
    assert findings["networks"].ok is None
    # 1 + 4 + 4 * 3 + 4 * 3 * 2 deals, and 2 + 4 + 8 histories of moves after each of the last 24
    assert "all 377 histories" in findings["runs"].sentence


def test_errors_of_no_known_form_are_explained_too() -> None:
    assert explain(RuntimeError("no luck.")).startswith("a rule cannot be compiled: no luck; keep to numbers")
    assert "KeyError" not in explain(KeyError("pot"))
    assert "there is no 'pot'" in explain(KeyError("pot"))
