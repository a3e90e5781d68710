"""The hash of rules is blind to names and words, and to nothing else."""

from __future__ import annotations

import ast
import builtins
import copy
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from parlor.compile import link
from parlor.compile.link import fingerprint
from parlor.game import RULES
from parlor.game.loading import load

RULE = '''
import math

STAKE = 2
TABLE = (3, 1, 2)
MANY = (1, 2, 3)


def gained(card, doubled=False):
    """Everything that is won."""
    won: float = 0.0
    for other in TABLE:  # the cards on the table
        if other > card:
            won += other * STAKE
    return won * 2 if doubled else won


def lost(card: int, most: int) -> float:
    return math.sqrt(min(card, most)) - STAKE


def rule(s, player):
    gain = gained(s.hand[player], doubled=True)
    loss = lost(player, 7)
    if player == 1:
        gain, loss = loss, gain
    return gain - loss + sum([card * gain for card in MANY])
'''

SAME = [
    ("STAKE", "ANTE"),
    ("TABLE", "ZEBRA"),
    ("MANY", "A_FEW"),
    ("gained", "zz"),
    ("lost", "a"),
    ("doubled", "twice"),
    ("won", "aaa"),
    ("player", "p"),
    ("card * gain for card in", "x * gain for x in"),
    ("card * gain for card in", "player_ * gain for player_ in"),
    ("Everything that is won.", "Words."),
    ("  # the cards on the table", ""),
    (": float = 0.0", " = 0.0"),
    (": int", ""),
    ("import math", "import math as m", "math.sqrt", "m.sqrt"),
    ("STAKE = 2", "STAKE = 1 + 1"),
    ("most)) - STAKE", "most)) - 2"),
]

CHANGED = [
    ("STAKE = 2", "STAKE = 3"),
    ("STAKE = 2", "STAKE = 2.0"),
    ("TABLE = (3, 1, 2)", "TABLE = (1, 3, 2)"),
    ("TABLE = (3, 1, 2)", "TABLE = ((3, 1, 2),)"),
    ("gain - loss +", "loss - gain +"),
    ("gain, loss = loss, gain", "gain, loss = gain, loss"),
    ("lost(player, 7)", "lost(7, player)"),
    ("lost(player, 7)", "gained(player, 7)"),
    ("lost(player, 7)", "lost(player, 8)"),
    ("doubled=True", "doubled=False"),
    ("doubled=False", "doubled=True"),
    ("doubled=True", "card=True"),
    ("other > card", "other >= card"),
    ("other > card", "card > other"),
    ("won += other", "won -= other"),
    ("won += other", "won = other"),
    ("card * gain for card", "card * loss for card"),
    ("card * gain for card", "player * gain for card"),
    ("for card in MANY", "for card in TABLE"),
    ("min(card", "max(card"),
    ("math.sqrt", "math.exp"),
    ("s.hand", "s.other"),
    ("def rule(s, player):", "def rule(player, s):"),
    ("            won += other * STAKE\n", "            won += other * STAKE\n            break\n"),
]


@pytest.fixture
def hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """A function that hashes functions of a text."""
    number = itertools.count()

    def of(text: str, *names: str) -> str:
        path = tmp_path / f"rules_{next(number)}.py"
        path.write_text(text)
        module = ModuleType(path.stem)
        monkeypatch.setitem(sys.modules, path.stem, module)
        exec(compile(text, path, "exec"), vars(module))
        return fingerprint([getattr(module, name) for name in names])

    return of


def test_names_and_words_do_not_count(hashed: Callable[..., str]) -> None:
    expected = hashed(RULE, "rule")
    for replaced in SAME:
        text = RULE
        for old, new in zip(replaced[::2], replaced[1::2], strict=True):
            assert old in text
            text = text.replace(old, new)
        assert hashed(text, "rule") == expected, replaced
    assert hashed(RULE.replace("def rule(", "def another("), "another") == expected


def test_everything_else_counts(hashed: Callable[..., str]) -> None:
    found = {hashed(RULE, "rule"): ("", "")}
    for old, new in CHANGED:
        assert old in RULE
        found.setdefault(hashed(RULE.replace(old, new, 1), "rule"), (old, new))
    assert list(found.values())[1:] == CHANGED


def test_the_order_of_functions_counts(hashed: Callable[..., str]) -> None:
    one, other, again = hashed(RULE, "gained", "lost"), hashed(RULE, "lost", "gained"), hashed(RULE, "lost", "lost")
    assert len({one, other, again}) == 3


GAMES = ["kuhn", "leduc", "battleship", "clue", "monopoly-deal", "holdem", "colored-trails", "leodopoly"]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_rules_of_games_may_get_other_names(name: str, hashed: Callable[..., str]) -> None:
    text = of_game(name)
    expected = hashed(text, *RULES)
    assert hashed(renamed(text), *(mirrored(rule) for rule in RULES)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_every_small_change_of_rules_is_another_hash(name: str, hashed: Callable[..., str]) -> None:
    text = of_game(name)
    hashes = [hashed(text, *RULES), *(hashed(changed, *RULES) for changed in mistakes(text))]
    assert len(hashes) > 100
    assert len(set(hashes)) == len(hashes)


def of_game(name: str) -> str:
    """The rules of a game as one text."""
    return link([getattr(load(name).rules, rule) for rule in RULES], {}).replace("@njit\n", "")


def mirrored(name: str) -> str:
    """Another name, which stands elsewhere in the alphabet."""
    return f"x{name[::-1]}_"


def renamed(text: str) -> str:
    """A text in which everything that it defines has another name."""
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)} | {node.name for node in functions}
    assert not names & set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            node.id = mirrored(node.id)
        elif isinstance(node, ast.FunctionDef):
            node.name = mirrored(node.name)
        elif isinstance(node, ast.arg):
            node.arg = mirrored(node.arg)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            for keyword in node.keywords:
                keyword.arg = mirrored(str(keyword.arg))
    return ast.unparse(tree)


def mistakes(text: str) -> Iterator[str]:
    """Texts with one small change each: a number, an operator, a variable, a call."""
    tree = ast.parse(text)
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    for index, node in enumerate(ast.walk(tree)):
        for change in changes(node, functions):
            other = copy.deepcopy(tree)
            change(next(itertools.islice(ast.walk(other), index, None)))
            yield ast.unparse(other)


def changes(node: ast.AST, functions: list[str]) -> Iterator[Callable[..., None]]:
    """What may go wrong at a node."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield lambda it: setattr(it, "value", it.value + 1)
    if isinstance(node, ast.BinOp):
        yield lambda it: setattr(it, "op", ast.Mod() if isinstance(it.op, ast.Sub) else ast.Sub())
    if isinstance(node, ast.Compare):
        yield lambda it: setattr(it, "ops", [ast.Gt() if isinstance(it.ops[0], ast.LtE) else ast.LtE()])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
        yield lambda it: setattr(it.func, "id", "abs")
    if isinstance(node, ast.Attribute):
        yield lambda it: setattr(it, "attr", "another")
    if isinstance(node, ast.Return | ast.If):
        yield lambda it: it.__dict__.update(value=ast.Constant(77), test=ast.Constant(77))
