"""Study files: what is read, and a sentence with its line for everything that is wrong."""

import dataclasses
import hashlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

from parlor.game import GameError
from parlor.study.design.checks import verbs
from parlor.study.design.description import Description, Practice
from parlor.study.design.files import read_study
from parlor.study.design.mistakes import StudyError
from parlor.study.design.toml_lines import lines_of

EXAMPLES = Path(__file__).parents[2] / "parlor/study/examples"

#: A whole study, whose lines the tests change.
SMALL = """\
title = "Small"
game = "leduc"
seed = 1
episodes = 1
[pay]
base = 1.5
[delay]
mean = 2
[[conditions]]
name = "alone"
share = 0.5
partners = "agents"
[[conditions]]
name = "together"
share = 0.5
partners = "people"
group = 2
[[agents]]
name = "Luck"
agent = "random"
[consent]
title = "Consent"
text = "Do you want to take part?"
[[screens]]
title = "Try it"
text = "One.\\n\\nTwo."
[screens.practice]
agent = "Luck"
until = "raise"
hint = "Raise."
[test]
must = 1
[[test.questions]]
id = "kings"
text = "How many kings are there?"
answers = ["one", "two"]
right = "two"
[[questions]]
id = "age"
text = "How old are you?"
kind = "number"
least = 18
most = 120
"""


def study_file(folder: Path, text: str, name: str = "study.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def mistakes(folder: Path, text: str) -> list[str]:
    """What is said about a file, without its name."""
    path = study_file(folder, text)
    with pytest.raises(StudyError) as caught:
        read_study(path)
    return [sentence.removeprefix(f"{path}, ").removeprefix(f"{path}: ") for sentence in caught.value.sentences]


def test_a_small_study(tmp_path: Path) -> None:
    path = study_file(tmp_path, SMALL)
    study = read_study(path)
    assert [condition.name for condition in study.conditions] == ["alone", "together"]
    assert study.pay.base == 1.5
    assert study.delay.mean == 2.0
    assert study.test.questions[0].right == 1
    assert study.screens[0].practice == Practice("random", until="raise", hint="Raise.")  # who Luck is
    assert (study.seconds, study.orientation, study.first) == (120.0, True, "random")
    assert study.hash == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('title = "Small"', 'title = " "', "line 1: The title is empty."),
        ('title = "Small"\n', "", "A study needs title."),
        ("seed = 1", "sed = 1\nseed = 1", "line 3: A study has no key 'sed'; did you mean seed?"),
        ("seed = 1", "seed = true", "line 3: seed must be a whole number, not true."),
        ("seed = 1", "seed = -1", "line 3: seed must be between 0 and 2**63 - 1, not -1."),
        ("mean = 2", 'mean = "2"', 'line 8: mean must be a number, not "2".'),
        ("mean = 2", "mean = nan", "line 8: mean must be a number, not nan."),
        ("mean = 2", "mean = 200", "line 7: Agents would wait 200 seconds, but an episode ends after 120."),
        ("mean = 2", "least = -2", "line 8: least must not be negative; it is -2 seconds."),
        ("base = 1.5", "base = -1.5", "line 6: base must not be negative; it is -1.5."),
        ("base = 1.5", 'currency = "$"', "line 6: currency is written with three letters, like USD, not '$'."),
        ("[pay]", "pay = 3\n[waiting]", "line 5: pay must be a table, not 3."),
        ('game = "leduc"', 'game = "leduk"', "line 2: There is no game 'leduk'; did you mean leduc?"),
        ('game = "leduc"', 'game = "leduc/ranks"', "line 2: leduc/ranks is an abstraction; people play leduc."),
        (
            'game = "leduc"',
            'game = "leduc(players=3)"',
            "line 16: leduc(players=3) has 3 players, but people meet in pairs: use agents, or another game.",
        ),
        ("episodes = 1", "episodes = 0", "line 4: episodes must be at least 1, not 0."),
        (
            "episodes = 1",
            "episodes = 2",
            "line 4: episodes must be at most 1, not 2: in 'alone' nobody meets an agent twice.",
        ),
        (
            "episodes = 1",
            "episodes = 2",
            "line 4: episodes must be at most 1, not 2: in 'together' nobody in a group of 2 meets anybody twice.",
        ),
        (
            'share = 0.5\npartners = "agents"',
            'share = 0.4\npartners = "agents"',
            "line 15: The shares of the conditions sum to 0.9, not to 1.",
        ),
        (
            'share = 0.5\npartners = "agents"',
            'share = 1.5\npartners = "agents"',
            "line 11: share must be more than 0 and at most 1, all of them, not 1.5.",
        ),
        ('partners = "agents"', 'partners = "robots"', 'line 12: partners must be people or agents, not "robots".'),
        (
            'partners = "agents"',
            'partners = "agents"\nagents = ["Lukc"]',
            "line 13: The study has no agent 'Lukc'; did you mean Luck?",
        ),
        ("group = 2", "group = 3", "line 17: group must be an even number of participants, not 3."),
        ('name = "together"', 'name = "alone"', "line 14: Two conditions are called 'alone'."),
        ('name = "together"\n', "", "line 13: A condition needs name."),
        ('agent = "random"', 'agent = "rndom"', "line 20: There is no agent 'rndom'; did you mean random?"),
        ('agent = "random"', 'agent = "reader"', "line 20: reader plays deal-or-no-deal, not leduc."),
        ('agent = "random"', 'agent = "no.json"', "line 20: There is no file no.json."),
        ('text = "Do you want to take part?"', 'text = ""', "line 23: The consent form has no text."),
        ('title = "Try it"\n', "", "line 24: A screen needs title."),
        (
            "[[screens]]",
            "[screens]",
            "line 24: screens is a list: write [[screens]], with two brackets, above each of them.",
        ),
        ('until = "raise"', 'until = "rise"', "line 29: leduc has no move 'rise' to try; did you mean raise?"),
        ('until = "raise"', "seat = 2", "line 29: leduc has seats 0 to 1, not 2."),
        ('agent = "Luck"', 'agent = "Lock"', "line 28: There is no agent 'Lock'; leduc is played by random,"),
        ('hint = "Raise."\n', "", "line 27: Practice needs a hint: a sentence that says what to try."),
        ("must = 1", "must = 2", "line 32: must is 2, but the test has 1 question."),
        ('right = "two"\n', "", "line 33: The question 'kings' has no right answer: write right = \"…\"."),
        (
            'right = "two"',
            'right = "three"',
            'line 37: The right answer "three" is not among the answers, which are: "one", "two".',
        ),
        ('right = "two"', "right = 1", "line 37: right must be the text of the right answer, not 1."),
        ('answers = ["one", "two"]', 'answers = ["two"]', "line 36: The question 'kings' needs at least two answers."),
        ('answers = ["one", "two"]', 'answers = [\n "two",\n "two"]', "line 38: Two answers are 'two'."),
        (
            'answers = ["one", "two"]',
            'answers = [\n 1,\n "two"]',
            "line 37: answers, number 1, must be a text in quotation marks, not 1.",
        ),
        ('id = "kings"', 'id = "the kings"', "line 34: An id has letters, digits, - and _ only, not 'the kings'."),
        ('id = "age"', 'id = "svo-1"', "line 39: svo-1 is the id of a slider of the orientation; choose another."),
        ('kind = "number"', 'kind = "numbr"', 'line 41: kind must be choice or number or text or slider, not "numbr".'),
        ('kind = "number"', 'kind = "text"', "line 42: least is for questions of the kind number or slider, not text."),
        ("least = 18", "least = 130", "line 42: least must be less than most; they are 130 and 120."),
        (
            "most = 120",
            'most = 120\nthanks = "Bye"',
            "line 44: A question has no key 'thanks'; thanks belongs to the whole study: move it to the top, "
            "before the first [table].",
        ),
        (
            "seed = 1",
            'seed = 1\nexclude = ["timed-in"]',
            "line 4: There is no exclusion rule 'timed-in'; did you mean timed-out?",
        ),
        (
            "[consent]",
            '[entry]\ncompletion_url = "prolific.com"\n[consent]',
            "line 22: completion_url must begin with https://, not 'prolific.com'.",
        ),
        (
            "[consent]",
            '[entry]\nfailed_url = "prolific.com"\n[consent]',
            "line 22: failed_url must begin with https://, not 'prolific.com'.",
        ),
    ],
)
def test_a_mistake_is_a_sentence_with_its_line(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    assert SMALL.count(old) == 1
    said = mistakes(tmp_path, SMALL.replace(old, new))
    assert any(one.startswith(sentence) for one in said), said
    assert len(said) <= 2  # nothing else is blamed for it


def test_all_mistakes_are_reported_together(tmp_path: Path) -> None:
    text = SMALL.replace("seed = 1", 'seed = "x"').replace("share = 0.5", "share = 0.6").replace('right = "two"\n', "")
    assert mistakes(tmp_path, text) == [
        'line 3: seed must be a whole number, not "x".',
        "line 15: The shares of the conditions sum to 1.2, not to 1.",
        "line 33: The question 'kings' has no right answer: write right = \"…\".",
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"title = Small\n", 'line 1: invalid value. A text stands in quotation marks: title = "My study".'),
        ("title = “Small”\n".encode(), 'line 1: invalid value. Write straight quotation marks, ", not curved ones.'),
        (b'title = "a"\ntitle = "b"\n', "line 2: cannot overwrite a value. The same key stands here twice."),
        (b'\ntitle = "a\nb"\n', 'stands in """three quotation marks""".'),
        (b'\ntitle = "caf\xe9"\n', "line 2: this is not UTF-8 text; save the file with that encoding."),
    ],
)
def test_what_is_not_toml(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(content)
    with pytest.raises(GameError) as caught:
        read_study(path)
    assert str(caught.value).startswith(f"{path}, line ")
    assert str(caught.value).endswith(sentence)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"There is no file .*none\.toml; `parlor study new .*` writes one"):
        read_study(tmp_path / "none.toml")
    with pytest.raises(GameError, match=r"should be a study file, which ends in \.toml or \.py\."):
        read_study(tmp_path / "study.yaml")


def test_a_mark_before_the_text_and_other_line_ends_do_not_matter(tmp_path: Path) -> None:
    plain = read_study(study_file(tmp_path, SMALL))
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert dataclasses.replace(read_study(path), hash=plain.hash) == plain


PYTHON = """\
from parlor.study.design.description import StudyAgent, Condition, Description, Screen

STUDY = Description(
    title="In Python",
    game="leduc",
    seed=1,
    episodes=1,
    conditions=(
        Condition("all", 1.0, partners="agents"),
    ),
    agents=tuple(StudyAgent(name, name) for name in ["random"]),
    consent=Screen("Consent", "Do you want to take part?"),
)
"""


def test_a_study_in_python(tmp_path: Path) -> None:
    study = read_study(study_file(tmp_path, PYTHON, "study.py"))
    assert study.title == "In Python"
    assert study.agents[0].agent == "random"
    assert len(study.hash) == 64
    wrong = study_file(tmp_path, PYTHON.replace('"agents"', '"robots"').replace("seed=1", "seed='a'"), "wrong.py")
    with pytest.raises(StudyError) as caught:
        read_study(wrong)
    assert caught.value.sentences == [
        f'{wrong}, line 6: seed must be a whole number, not "a".',
        f'{wrong}, line 9: partners must be people or agents, not "robots".',
    ]
    with pytest.raises(GameError, match=r"other\.py must define STUDY = Description"):
        read_study(study_file(tmp_path, "x = 1\n", "other.py"))


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_the_examples_have_no_mistakes(path: Path) -> None:
    study = read_study(path)
    assert study.consent.text
    assert study.test.must == len(study.test.questions) > 0


def test_the_study_of_the_paper_has_its_numbers() -> None:
    study = read_study(EXAMPLES / "paper.toml")
    assert (study.episodes, study.seconds) == (5, 120.0)
    assert (study.delay.mean, study.delay.deviation) == (10.0, 3.0)
    assert (study.pay.base, study.pay.point) == (2.50, 0.10)
    assert [agent.name for agent in study.agents] == ["IndRL", "Comp1", "Comp2", "Coop", "Fair"]
    people, agents = study.conditions
    assert (people.partners, people.group, agents.partners) == ("people", 6, "agents")
    assert people.share == pytest.approx(228 / 358, abs=0.005)
    assert len(study.screens) == 10
    assert [screen.practice.until for screen in study.screens if screen.practice] == ["keep", "keep", "agree"]
    assert len(study.test.questions) == study.test.must == 4
    assert study.orientation


def test_the_kinds_of_moves_of_a_seat() -> None:
    from parlor.game.loading import load

    assert verbs(load("leduc"), 0) == ("bet", "call", "check", "fold", "raise")


def test_every_place_has_its_line() -> None:
    text = (
        'a = 1 # [no] = table\n"b c".d = """\nx = 1\n[y]\\"""" \n'
        'list = [ # two\n  "]", # first\n  {p = 1, q = [2,\n 3]},\n]\n'
        "[t.u]\nx = 'y = 2'\n[[t.v]]\n[[t.v]]\nz = 1\n[t.v.w]\nk = 1\n"
    )
    found = lines_of(text)
    expected = {
        **{("a",): 1, ("b c", "d"): 2, ("list",): 5, ("list", 0): 6, ("list", 1): 7, ("list", 1, "p"): 7},
        **{("list", 1, "q", 1): 8, ("t", "u"): 10, ("t", "u", "x"): 11, ("t", "v"): 12, ("t", "v", 1): 13},
        **{("t", "v", 1, "z"): 14, ("t", "v", 1, "w"): 15, ("t", "v", 1, "w", "k"): 16},
    }
    assert {place: found[place] for place in expected} == expected


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_every_value_of_the_examples_is_found(path: Path) -> None:
    text = path.read_text()
    found = lines_of(text)

    def visit(value: Any, place: tuple[str | int, ...]) -> None:
        assert not place or place in found or isinstance(value, dict), place
        for key, part in (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        ):
            visit(part, (*place, key))

    visit(tomllib.loads(text), ())
    lines = text.split("\n")
    for place, line in found.items():
        assert isinstance(place[-1], int) or place[-1] in lines[line - 1]


def test_descriptions_are_plain_data() -> None:
    study = read_study(EXAMPLES / "leduc.toml")
    assert isinstance(study, Description)
    assert dataclasses.asdict(study)["test"]["questions"][0]["right"] == 1
