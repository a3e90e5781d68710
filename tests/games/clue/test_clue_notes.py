"""The notepad of Clue: from a game, and from what somebody types at a real table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from parlor.cli.main import main
from parlor.game import GameError
from parlor.game.loading import load
from parlor.games.clue.deduction.notes import Contradiction, Fact, Holding, Notes, Suggestion
from parlor.games.clue.record import TableRecord

BEGIN = ["players Anna, Ben, me", "cards plum knife study hall rope green"]


def test_notes_of_a_position_and_the_same_typed() -> None:
    """Ben (1) can refute the first suggestion and shows the wrench to Anna (0); I am player 2."""
    game = load("clue")
    to = [0, 0, 1, 2, 3, 2, 0, 2, 1, 1, 2, 3, 2, 0, 0, 0, 1, 1, 1, 3, 2]
    deal = []
    position = game.start()
    for place in to:
        name = position.game.words.describe(position.state, place)
        deal.append(name)
        position = position.after(name)
    position = position.after("suggest Miss Scarlet with the Revolver in the Kitchen", "show Revolver")
    cards = Notes.of(position, 2)
    hand = [c for c, place in enumerate(to) if place == 2]
    typed = Notes((3, 6, 6, 9), 2, hand, [Suggestion(0, (0 * 6 + 3) * 9 + 3, 1)])
    assert typed.deals == cards.deals > 0
    np.testing.assert_array_equal(typed.cards, cards.cards)
    np.testing.assert_array_equal(typed.solutions, cards.solutions)
    assert cards.cards[:, :].sum(axis=1) == pytest.approx(1.0)
    assert cards.solutions.sum() == pytest.approx(1.0)
    assert [cards.known(card) for card in hand] == [2] * 6
    true = tuple(c for c, place in enumerate(to) if place == 3)
    assert cards.solutions[true[0], true[1] - 6, true[2] - 12] > 0
    # the suggester has seen the card, which the others have not
    assert Notes.of(position, 0).known(9) == 1
    assert cards.known(9) is None


def test_the_fact_that_cannot_be_is_named_with_those_it_contradicts() -> None:
    hand = [0, 1, 6, 7, 12, 13]
    facts: list[Fact] = [
        Holding(0, 20, True),
        Suggestion(2, (2 * 6 + 2) * 9 + 2, -1),  # nobody has White, the pipe or the dining room
        Holding(1, 19, True),
        Suggestion(0, (2 * 6 + 2) * 9 + 2, 1),  # player 1 has one of them
    ]
    with pytest.raises(Contradiction) as found:
        Notes((3, 6, 6, 9), 2, hand, facts)
    assert (found.value.fact, found.value.others) == (3, (1,))


def test_a_table_is_typed() -> None:
    record = TableRecord([*BEGIN, "Anna: mustard wrench hall, Ben passes, me shows hall"])
    assert record.notes is not None
    before = record.notes.deals
    record.add("Anna: White  lead pipe in the Library; Ben passes/I pass")
    assert record.notes.deals < before
    assert all(record.notes.known(card) != 1 for card in (2, 8, 19))
    record.add("me: white wrench library, Anna shows white")
    assert record.notes.known(2) == 0
    record.add("Ben: peacock candle kitchen, Anna shows")
    record.add("Ben accuses peacock candle kitchen")
    assert record.notes.solutions[4, 0, 3] == 0
    deals = record.notes.deals
    record.add("Ben lacks conservatory")
    assert record.undo() == "Ben lacks conservatory"
    assert record.notes is not None
    assert record.notes.deals == deals
    assert TableRecord(record.lines).notes.deals == deals  # type: ignore[union-attr]


def test_uneven_hands_and_other_names() -> None:
    record = TableRecord(["weapons Dagger, Spanner, Lead Piping, Rope, Revolver, Candlestick"])
    with pytest.raises(GameError, match="players Anna 5, Ben 5, Cy 4, me 4"):
        record.add("players Anna, Ben, Cy, me")
    record.add("players Anna 4, Ben 5, Cy 4, me 5")
    record.add("cards plum dagger spanner hall lounge")
    assert record.notes is not None
    assert record.notes.deals > 1e6


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("Anna: plum knife studdy, nobody", "no card 'studdy'; did you mean Study"),
        ("Anna: plum knife, nobody", "a suspect, a weapon and a room"),
        ("Dora: plum knife study, nobody", "no player 'Dora'; there are Anna, Ben, me"),
        ("Anna: mrs knife hall, nobody", "Mrs. White or Mrs. Peacock"),
        ("Anna: white wrench lounge", "Say who showed a card, or nobody"),
        ("Anna: white wrench lounge, Anna shows", "their own suggestion"),
        ("Anna: white wrench lounge, Ben shows, me passes", "me is not asked before"),
        ("Anna: white wrench lounge, Ben shows white", "Only Anna saw that card"),
        ("me: white wrench lounge, Ben shows", "You have seen the card"),
        ("me: white wrench lounge, Ben shows rope", "none of the three cards"),
        ("Anna: white wrench lounge, me shows wrench", "cannot be: it contradicts your cards"),
        ("Ben has knife", "cannot be: it contradicts your cards"),
        ("what now", "is not understood"),
        ("players Anna, me, Ben", "must come earlier"),
        ("Ben has white knife", "Name one card"),
    ],
)
def test_what_does_not_fit_gets_a_sentence_and_nothing_is_lost(line: str, sentence: str) -> None:
    record = TableRecord(BEGIN)
    with pytest.raises(GameError, match=sentence):
        record.add(line)
    assert record.lines == BEGIN
    assert record.notes is not None


def test_a_contradiction_between_lines_names_both() -> None:
    record = TableRecord([*BEGIN, "Ben has rev", "Anna: white wrench lounge, nobody"])
    with pytest.raises(
        GameError, match='"Ben has wrench" cannot be: it contradicts "Anna: white wrench lounge, nobody"'
    ):
        record.add("Ben has wrench")
    record.add("Anna has wrench")


def test_the_command_reads_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    file = tmp_path / "evening.txt"
    file.write_text("\n".join([*BEGIN, "", "# a remark", "Anna: white wrench lounge, nobody"]))
    assert main(["notepad", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "deals are possible" in shown
    assert "✓" in shown
    assert "Suggest Mrs. White with the Wrench in the Lounge" in shown
    assert main(["notepad", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["cards"]["Knife"] == {"Anna": 0.0, "Ben": 0.0, "me": 1.0, "file": 0.0}
    assert sum(one["probability"] for one in data["solutions"]) == pytest.approx(1.0)
    file.write_text("\n".join([*BEGIN, "Anna: white wrench loft, nobody"]))
    assert main(["notepad", str(file)]) == 1
    assert "line 3: There is no card 'loft'" in capsys.readouterr().err


def test_the_command_talks(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([*BEGIN, "Anna has loft", "Anna has lounge", "lines", "undo", f"save {tmp_path / 'a.txt'}", "help"])

    def answer(*_: object, **__: object) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("parlor.cli.commands.notepad.out.input", answer)
    assert main(["notepad"]) == 0
    said = capsys.readouterr()
    assert "no card 'loft'" in said.err
    assert "forgotten: Anna has lounge" in said.out
    assert (tmp_path / "a.txt").read_text().splitlines() == BEGIN
