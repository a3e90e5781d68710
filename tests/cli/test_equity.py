"""`parlor equity`, as a user meets it."""

import json

import pytest

from parlor.cli.main import main


def test_exact_equity_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "AsKd", "QhJh", "--board", "Qs7s2h"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "A♠ K♦ against QhJh on Q♠ 7♠ 2♥: 25.253 %",
        "now: ace high, A-K-Q-7-2",
        "wins 25.25 %, ties 0.00 %, loses 74.75 %; all 990 cases",
    ]


def test_sampled_equity_has_an_interval(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "As Kd", "--board", "Qs 7s 2h", "--samples", "10000", "--seed", "1"]) == 0
    first, _, last = capsys.readouterr().out.splitlines()
    assert first.startswith("A♠ K♦ against any hand on Q♠ 7♠ 2♥: 57.")
    assert " ± 0.96 %" in first
    assert last.endswith("10,000 samples, seed 1")


def test_json_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "AsKd", "QQ+,AKs", "--board", "Qs7s2h3d", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["hand"], told["against"], told["board"]) == ("AsKd", "QQ+,AKs", "Qs7s2h3d")
    assert told["exact"]
    assert told["error"] == 0
    assert told["cases"] == 44 * (3 + 3 + 3 + 2)  # QQ, KK, AA without our cards and the board's, and AKs in ♣ and ♥
    assert told["equity"] == pytest.approx(told["win"] + told["tie"] / 2)
    assert told["win"] + told["tie"] + told["lose"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["AsKx"], "'Kx' in 'AsKx' is no card: a rank (23456789TJQKA) and a suit (cdhs), like As, Td."),
        (["As"], "A hand has two cards, like AsKd; 'As' has 1."),
        (["AsKd", "--board", "Qs7s"], "A board has three, four or five cards, or none yet; 'Qs7s' has 2."),
        (["AsKd", "--board", "As7s2h"], "As occurs twice; there is only one in the deck."),
        (["AsKd", "QQ~"], "'QQ~' is not part of a range; write it like QQ+, AKs, ATs+, 76s-54s or AsKd."),
        (["AsKd", "--samples", "0"], "samples must be between 1 and 2**31, not 0."),
    ],
)
def test_nonsense_gets_a_sentence(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", *arguments]) == 1
    assert capsys.readouterr().err == f"parlor: {sentence}\n"
