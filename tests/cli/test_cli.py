"""The command line, as a user meets it."""

import contextlib
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest

from parlor.cli import screen
from parlor.cli.commands import study
from parlor.cli.main import COMMANDS, main
from parlor.cli.typed_moves import meant
from parlor.game.loading import load
from parlor.game.seats.play import play_game, uniform_agent
from parlor.game.seats.visibility import visible_move
from parlor.solvers.sampling.mccfr import Mccfr
from parlor.solvers.solve import ALGORITHMS, Solve

PARLOR = [sys.executable, "-m", "parlor"]


def parlor(
    *arguments: str, code: int = 0, given: str = "", cwd: Path | str = ".", env: Mapping[str, str] | None = None
) -> SimpleNamespace:
    """Run `parlor` in this process, which is quicker than in one of its own; expect an exit code and no traceback."""
    out, err = io.StringIO(), io.StringIO()
    wide = mock.patch.multiple(screen.out, _width=120), mock.patch.multiple(screen.err, _width=120)
    with (
        contextlib.chdir(cwd), mock.patch.dict(os.environ, {"COLUMNS": "120", **(env or {})}), wide[0], wide[1],
        mock.patch.object(sys, "stdin", io.StringIO(given)), redirect_stdout(out), redirect_stderr(err),
    ):  # fmt: skip
        found = main(arguments)
    result = SimpleNamespace(returncode=found, stdout=out.getvalue(), stderr=err.getvalue())
    assert found == code, result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    return result


def test_help_names_every_command_and_needs_nothing_heavy() -> None:
    text = parlor("--help").stdout
    assert all(f"  {command} " in text for command in COMMANDS)
    code = "import sys; from parlor.cli.main import main; main(['--help']); print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300).stdout
    assert {"numpy", "numba", "rich", "tyro"}.isdisjoint(loaded.splitlines()[-1].split())


@pytest.mark.slow(seconds=10)
def test_a_list_of_games_needs_neither_compiler_nor_type_checker() -> None:
    code = "import sys; from parlor.cli.main import main; main(['games']); print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300).stdout
    assert {"numba", "typeguard", "scipy", "jax"}.isdisjoint(loaded.splitlines()[-1].split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    text = parlor(command, "--help").stdout
    assert "usage: parlor " + command in text
    if command != "games":
        assert "Examples:" in text


def test_a_command_may_have_commands_of_its_own() -> None:
    text = parlor("study", "--help").stdout
    assert all(f"\n  {command} " in text for command in study.COMMANDS)
    assert "usage: parlor study COMMAND" in parlor("study", code=2).stdout


def test_the_help_of_solve_names_every_algorithm() -> None:
    text = parlor("solve", "--help").stdout
    assert all(algorithm in text for algorithm in ALGORITHMS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ([], 2, "usage: parlor COMMAND"),
        (["slove", "leduc"], 2, "there is no command 'slove'; did you mean solve?"),
        (["study", "chek", "x.toml"], 2, "there is no command 'study chek'; did you mean study check?"),
        (["solve", "leduk"], 1, "There is no game 'leduk'; did you mean leduc?"),
        (["solve", "leduc", "--algorithm", "magic"], 1, "There is no algorithm 'magic'; there are: cfr,"),
        (["solve", "leduc", "--iterations", "-5"], 1, "iterations must be a whole number and at least 1, not -5."),
        (["solve", "kuhn", "--seed", str(2**70)], 1, "seed must be between 0 and 2**63 - 1"),
        (["solve", "kuhn", "--out", "/proc/none/x.json"], 1, "/proc/none/x.json cannot be written"),
        (["solve", "kuhn", "--figure", "x.foo"], 1, "x.foo should end in .svg, .png or .pdf."),
        (["solve", "leduc/ranks(players=3)"], 1, "write the options before the abstraction"),
        (["solve", "leduc", "--iterations", "many"], 2, "--iterations must be a whole number, not 'many'."),
        (["solve", "leduc", "--exact", "--algorithm", "dcfr"], 1, "--exact is an algorithm of its own: omit"),
        (["solve", "kuhn", "--concept", "efce", "--until", "0.1"], 1, "--concept solves in its own way: omit --until."),
        (["solve", "kuhn", "--concept", "efc"], 1, "There is no concept 'efc'; there are efce, efcce, cce."),
        (["solve", "kuhn", "--recorded", "none.jsonl"], 1, "There is no file none.jsonl."),
        (["solve", "leduc", "--until", "1,5"], 2, "--until must be a number, not '1,5'."),
        (["solve", "leduc", "--until"], 2, "--until needs a value."),
        (["solve", "leduc", "--json=yes"], 2, "--json takes no value"),
        (["solve"], 1, "Name a game or a run: parlor solve GAME …, or parlor solve --resume FOLDER."),
        (["check"], 2, "GAME is missing."),
        (["solve", "leduc", "kuhn"], 2, "'kuhn' is one too many"),
        (["evaluate", "x.json", "--start", "middle"], 2, "--start must be alternating, first or both, not 'middle'."),
        (["solve", "kuhn", "--algorithm", "mccfr-outcome", "--threads", "1000000"], 1, "threads must be between"),
        (["solve", "kuhn", "--algorithm", "mccfr-robust", "--keep", "0"], 1, "keep must be between 1 and"),
        (
            ["solve", "kuhn", "--baseline", "0.5"],
            1,
            "baseline can be set for mccfr-external, mccfr-outcome, mccfr-robust",
        ),
        (["export", "games", "--database-url", "foo://bar"], 1, "The database must be SQLite or PostgreSQL, not foo."),
        (
            ["export", "games", "kuhn"],
            1,
            "parlor export games takes no game; parlor export game kuhn writes its rules.",
        ),
        (["serve", "nosuch"], 1, "There is no game 'nosuch'; there are kuhn,"),
        (["serve", "--port", "99999"], 1, "--port must be between 0 and 65535, not 99999."),
        (
            ["serve", "--port", "0", "--database-url", "postgresql://x@127.0.0.1:1/x"],
            1,
            "cannot be opened: Connect call",
        ),
        (["games", "openspiel:nosuch"], 1, "OpenSpiel has no game 'nosuch'; it has"),
        (["solve", "openspiel:chat_game"], 1, "has 8 actions at a turn but declared at most 2."),
        (["games", "monopoly"], 1, "There is no game 'monopoly'; did you mean monopoly-deal or leodopoly?"),
        (["solve", "leduc", "--out", "x.txt"], 1, "x.txt should end in .json (readable) or .npz (compact)."),
        (["solve", "leduc", "--itrations", "5"], 2, "There is no option --itrations; did you mean --iterations?"),
        (["train", "kuhn", "--iterations", "5"], 2, "There is no option --iterations; did you mean --games?"),
        (["agents", "--game", "leduc"], 2, "There is no option --game; the game comes first: [GAME]."),
        (["solve", "kuhn(players=7)"], 1, "players must be between 2 and 4, not 7."),
        (["solve", "goofspiel(cards=13)"], 1, "is too large to enumerate: about"),
        (
            ["solve", "goofspiel(cards=13)", "--algorithm", "mccfr-external"],
            1,
            "it would not end. Use mccfr-outcome",
        ),
        (["evaluate", "nowhere.json"], 1, "There is no file nowhere.json."),
        (["play", "kuhn", "--seat", "5"], 1, "kuhn has seats 0 to 1, not 5."),
        (["check", "nowhere.py"], 1, "There is no file nowhere.py."),
    ],
)
def test_wrong_input_gets_a_sentence_and_an_exit_code(arguments: list[str], code: int, sentence: str) -> None:
    result = parlor(*arguments, code=code)
    assert sentence in (result.stdout + result.stderr)
    assert len(result.stderr.splitlines()) <= 1


@pytest.mark.slow
def test_games_for_people_and_for_machines() -> None:
    assert "liars-dice" in parlor("games").stdout
    rows = {row["name"]: row for row in json.loads(parlor("games", "--json").stdout)}
    assert rows["leduc"]["infosets"] == 936
    assert rows["goofspiel"]["options"]["order"]["values"] == ["descending", "ascending", "random"]
    assert rows["kuhn"]["players"] == [2, 4]
    text = parlor("games", "holdem(preset=dissertation)").stdout
    assert re.search(r"stack +1000 +1–50000 +chips of each player", text)
    assert "holdem(preset=dissertation)/fcpa" in text
    [row] = json.loads(parlor("games", "kuhn(players=3)", "--json").stdout)
    assert (row["name"], row["infosets"]) == ("kuhn(players=3)", 48)
    assert "information sets: 12" in parlor("games", "openspiel:kuhn_poker").stdout


@pytest.mark.slow
def test_solve_then_evaluate(tmp_path: Path) -> None:
    out, figure = tmp_path / "leduc.json", tmp_path / "leduc.svg"
    solved = json.loads(
        parlor("solve", "leduc", "--until", "0.005", "--out", str(out), "--figure", str(figure), "--json").stdout
    )
    assert solved["exploitability"] <= 0.005
    assert solved["policy"] == str(out)
    assert figure.exists()
    measured = json.loads(parlor("evaluate", str(out), "--json").stdout)
    assert measured["exploitability"] == solved["exploitability"]
    assert measured["same_rules"] is True
    assert measured["known_infosets"] == 936
    assert "exploitability" in parlor("evaluate", str(out)).stdout
    swapped = tmp_path / "swapped.json"
    entry = re.search(r'\{"call": ([^,]+), "raise": ([^}]+)\}', out.read_text())
    assert entry
    text = out.read_text()
    swapped.write_text(text.replace(entry[0], f'{{"raise": {entry[2]}, "call": {entry[1]}}}'))
    assert json.loads(parlor("evaluate", str(swapped), "--json").stdout)["exploitability"] == solved["exploitability"]
    swapped.write_text(text.replace('"raise"', '"rise"', 1))
    assert "the policy has call, rise, but the game has call, raise" in parlor("evaluate", str(swapped), code=1).stderr
    for other in ("goofspiel", "kuhn", "leduc/ranks"):  # some keys are the same, by accident
        told = parlor("evaluate", str(out), "--game", other, code=1).stderr
        assert f"is a policy for leduc, not for {other}." in told
    parlor("solve", "kuhn", "--iterations", "5", "--out", str(tmp_path / "kuhn.json"))
    told = parlor("evaluate", str(tmp_path / "kuhn.json"), "--game", "kuhn(players=3)", code=1).stderr
    assert "has no information set of kuhn(players=3); it was made for kuhn." in told


@pytest.mark.slow
def test_a_policy_of_an_abstraction_is_measured_in_the_full_game(tmp_path: Path) -> None:
    out = tmp_path / "ranks.json"
    solved = json.loads(parlor("solve", "leduc/ranks", "--iterations", "100", "--out", str(out), "--json").stdout)
    measured = json.loads(parlor("evaluate", str(out), "--game", "leduc", "--json").stdout)
    assert measured["infosets"] == 936
    assert measured["exploitability"] == pytest.approx(solved["exploitability"], abs=1e-9)  # suits never matter


@pytest.mark.slow
def test_the_same_seed_gives_the_same_file_and_another_seed_another(tmp_path: Path) -> None:
    for name, seed in (("a", "3"), ("b", "3"), ("c", "4")):
        parlor(
            "solve", "kuhn", "--algorithm", "mccfr-external", "--seed", seed, "--out", str(tmp_path / f"{name}.json")
        )
    a, b, c = ((tmp_path / f"{name}.json").read_bytes() for name in "abc")
    assert a == b != c


@pytest.mark.slow
def test_without_out_nothing_is_overwritten(tmp_path: Path) -> None:
    for _ in range(2):
        parlor("solve", "kuhn(players=3)", "--iterations", "20", cwd=tmp_path)
    assert sorted(p.name for p in (tmp_path / "runs").iterdir()) == [
        "kuhn-players-3-cfr+-2.json",
        "kuhn-players-3-cfr+.json",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_solve_leaves_a_usable_policy_and_says_where(
    tmp_path: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, steps = tmp_path / "leduc.json", Solve.steps

    def interrupted(work: Solve) -> Iterator[Solve]:
        for step in steps(work):
            if work.done > 300:
                assert not sent
                sent.append(number)
                signal.raise_signal(number)
            yield step

    sent: list[signal.Signals] = []
    before = signal.getsignal(number)
    monkeypatch.setattr(Solve, "steps", interrupted)
    result = parlor("solve", "leduc", "--iterations", "1000000000", "--out", str(out), code=130)
    assert signal.getsignal(number) is before
    assert "Interrupted: the policy so far is saved and usable." in result.stderr
    assert str(out) in result.stdout.replace("\n", "")
    assert json.loads(parlor("evaluate", str(out), "--json").stdout)["exploitability"] < 0.01


ENDLESS = """
import os, signal, sys, threading
from parlor.cli.main import main
from parlor.solvers.sampling.mccfr import Mccfr

def interrupted(solver, iterations, run=Mccfr.run):
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    run(solver, iterations)

Mccfr.run = interrupted
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_one_endless_iteration_can_be_interrupted(tmp_path: Path) -> None:
    """External sampling of a long game takes minutes for one iteration; Ctrl-C must still be heard."""
    game = "goofspiel(cards=12)"
    solver = Mccfr(load(game), "external")
    threading.Timer(0.1, solver.stop).start()
    solver.run(1)  # compiles, if need be
    arguments = ["solve", game, "--algorithm", "mccfr-external", "--out", str(tmp_path / "x.json")]
    done = subprocess.run([sys.executable, "-c", ENDLESS, *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode in (1, 130)
    assert "Stopping; what has been computed so far is kept." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_an_error_in_a_rules_file_gets_a_sentence(tmp_path: Path) -> None:
    source = (Path(__file__).parents[2] / "parlor/games/kuhn/rules.py").read_text()
    rules = tmp_path / "mine.py"
    rules.write_text(source.replace("s.moves += 1", "s.movs += 1"))
    assert "has no attribute 'movs'" in parlor("solve", "mine.py", code=1, cwd=tmp_path).stderr
    rules.write_text(source.replace("s.moves += 1", "s.moves += 1 // (s.bets - s.bets)"))
    told = parlor("solve", "mine.py", code=1, cwd=tmp_path).stderr
    assert re.search(r"play stops after .* with ZeroDivisionError in line \d+ of mine.py", told)
    sampled = parlor("solve", "mine.py", "--algorithm", "mccfr-outcome", code=1, cwd=tmp_path).stderr
    assert "ZeroDivisionError" in sampled
    rules.write_text(source.replace("def start(s: State)", "x = 1 / 0\n\n\ndef start(s: State)"))
    assert re.search(r"mine.py, line \d+: ZeroDivisionError", parlor("solve", "mine.py", code=1, cwd=tmp_path).stderr)


@pytest.mark.slow
def test_a_policy_for_changed_rules_is_measured_with_a_warning(tmp_path: Path) -> None:
    source = (Path(__file__).parents[2] / "parlor/games/kuhn/rules.py").read_text()
    rules, out = tmp_path / "mine.py", tmp_path / "mine.json"
    rules.write_text(source)
    parlor("solve", str(rules), "--iterations", "50", "--out", str(out))
    rules.write_text(source.replace("return float(", "return 2.0 * float("))
    assert "have changed since this policy was made" in " ".join(parlor("evaluate", str(out)).stderr.split())


def test_exact_solutions_by_the_command_line(tmp_path: Path) -> None:
    told = json.loads(parlor("solve", "kuhn", "--exact", "--rational", "--json", cwd=tmp_path).stdout)
    assert told["facts"] == {"exact value": "-1/18 for player 0"}
    assert told["nash_conv"] < 1e-12
    made = json.loads((tmp_path / told["policy"]).read_text())
    assert (made["about"]["value"], made["about"]["rational"]) == ("-1/18", True)
    shown = parlor("solve", "sheriff", "--concept", "efcce", "--out", "plan.json", cwd=tmp_path).stdout
    assert "extensive-form coarse correlated equilibrium" in shown
    plan = json.loads((tmp_path / "plan.json").read_text())
    assert plan["welfare"] == pytest.approx(10.0)
    assert sum(row["probability"] for row in plan["plan"]) >= 1 - 1e-9
    smuggler, sheriff = plan["plan"][0]["recommendations"]
    assert "load 2" in smuggler[0]
    assert "let pass" in sheriff[-1]


def test_recorded_games_are_read_as_other_commands_write_them(tmp_path: Path) -> None:
    moves = ["J to player 0", "Q to player 1", "bet", "pass"]
    exported = {"game": "kuhn", "moves": [{"ply": i, "move": move} for i, move in enumerate(moves)]}
    removed = {"game": "kuhn", "moves": [*exported["moves"][:2], {"ply": 2, "move": None}]}
    lines = [exported, {"game": "leduc", "moves": []}, removed, {"moves": moves}]
    (tmp_path / "games.jsonl").write_text("\n".join(map(json.dumps, lines)))
    told = json.loads(parlor("solve", "kuhn", "--recorded", "games.jsonl", "--json", cwd=tmp_path).stdout)
    assert (told["games"], told["moves"]) == (2, 4)
    assert (tmp_path / told["policy"]).exists()
    (tmp_path / "games.jsonl").write_text("{}")
    failed = parlor("solve", "kuhn", "--recorded", "games.jsonl", code=1, cwd=tmp_path).stderr
    assert "does not hold recorded games" in failed


# --------------------------------------------------------------------------------------------------------------- play


@pytest.mark.slow
def test_a_game_against_the_policy_by_name_and_by_number(tmp_path: Path) -> None:
    out = tmp_path / "kuhn.json"
    parlor("solve", "kuhn", "--out", str(out))
    arguments = ("play", "kuhn", "--against", str(out), "--seed", "1", "--seat", "0", "--games", "3", "--peek")
    text = parlor(*arguments, given="bet\n2\nnonsense\nbe\n" + "1\n" * 9).stdout
    assert len(re.findall("You won|You lost", text)) == 3
    assert "Answer with a number from 1 to 2" in text
    assert "█" in text  # the opponent's probabilities


@pytest.mark.slow
def test_the_table_can_be_left_at_any_time() -> None:
    assert "Thank you for playing. 0 games" in parlor("play", "kuhn", "--seed", "1", given="q\n").stdout
    assert "Thank you for playing." in parlor("play", "kuhn", "--seed", "1", given="").stdout


def test_what_a_seat_cannot_see_is_not_told() -> None:
    """In Goofspiel with imperfect information a losing bid stays secret, until the end or unless one peeks."""
    text = parlor("play", "goofspiel", "--seat", "1", "--seed", "2", "--games", "1", given="1\n" * 4).stdout
    before_the_end = text.split("the end:")[0]
    assert "player 0: a move that you do not see" in before_the_end
    assert "player 0: bid" not in before_the_end


@pytest.mark.parametrize(
    "name", ["goofspiel", "goofspiel(cards=3,order=random)", "kuhn(players=3)", "liars-dice(faces=3)"]
)
def test_what_is_told_depends_only_on_what_the_seat_sees(name: str) -> None:
    """All that differs in secret must be told alike: games are grouped by what seat 0 has seen, move by move."""
    game = load(name)
    told: dict[tuple[object, ...], str | None] = {}
    for index in range(400):
        position = game.start()
        seen: tuple[object, ...] = ()
        for move in play_game(game, [uniform_agent] * game.players, 3, index).moves:
            after = position.after(move)
            seen = (*seen, position.turn, after.view(0))
            if position.turn > 0:
                assert told.setdefault(seen, visible_move(position, move, 0)) == visible_move(position, move, 0)
            position = after
    assert any(words is None for words in told.values()) == name.startswith("goofspiel")


@pytest.mark.slow
def test_an_opponent_for_a_large_game_is_made_in_time() -> None:
    result = parlor("play", "goofspiel(cards=9)", "--seed", "1", "--seat", "0", given="9\nq\n")
    assert "Your opponent is Matching Mia" in result.stdout
    assert "Thank you for playing." in result.stdout


@pytest.mark.slow
def test_play_in_a_terminal() -> None:
    """Under a real terminal, with Ctrl-C in the middle."""
    master, slave = pty.openpty()
    command = [*PARLOR, "play", "kuhn", "--seed", "5", "--seat", "0"]
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        os.close(slave)
        seen = b""
        while b"your move" not in seen:
            seen += os.read(master, 1024)
        os.write(master, b"pass\n")
        while seen.count(b"your move") < 2:  # it is heard, and the game goes on, or the next one begins
            if select.select([master], [], [], 10)[0]:
                seen += os.read(master, 1024)
            else:
                os.write(master, b"pass\n")  # a terminal forgets what is typed before a program is ready to read
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=120) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
    os.close(master)


def test_a_move_is_named_by_as_much_of_it_as_tells_it_from_the_others() -> None:
    before = load("holdem").start().after("2♣ to the button", "2♦ to the button", "3♣ to the big blind")
    moves = before.after("3♦ to the big blind").moves
    told = {
        "Button folds": "button folds", "button c": "button calls 1", "CALLS": "button calls 1",
        "raises to 6": "button raises to 6", "raise 6": "button raises to 6", "to 16": "button raises to 16",
        "60": "button raises to 60", "all-in": "button raises to 200, all-in",
        "raise all-in": "button raises to 200, all-in",
    }  # fmt: skip
    for answer, name in told.items():
        found = meant(answer, moves)
        assert found is not None
        assert found.name == name
    wrong = ("raise", "raise to 3", "raise 1", "0", "-6", "6.5", "bet", "fold 6", "")
    assert [meant(answer, moves) for answer in wrong] == [None] * len(wrong)
    bids = load("liars-dice").start().after("player 0 rolls 1", "player 1 rolls 2", "1-3").moves
    assert [meant(answer, bids) for answer in ("1-2", "-4", "bid")] == [None] * 3
    assert [move and move.name for move in (meant("2-4", bids), meant("bid 2 6", bids))] == ["2-4", "2-6"]


def test_a_bet_is_any_number_and_one_that_is_not_possible_is_told() -> None:
    given = ["raise to 3", "3", "200000", "3", "5", "bet 1", "bet 20", "q"]
    text = parlor("play", "holdem", "--seat", "0", "--seed", "1", given="\n".join(given) + "\n").stdout
    text = " ".join(text.split())
    assert "1 fold 2 call 1 3 raise to 4 … 199 4 raise to 200, all-in" in text
    can = "what can: fold, call 1, raise to 4 … 199, raise to 200, all-in"
    assert f"raise to 3 cannot be played here; {can}" in text
    assert f"raise 200000 cannot be played here; {can}" in text
    assert "player 1: call 3" in text
    assert "button raises to 5, big blind calls 3; flop" in text
    assert "bet 1 cannot be played here" in text
    assert "button bets 20, big blind folds" in text


def test_a_number_that_is_also_a_bet_is_not_taken_for_an_item() -> None:
    given = ["4", "04", "raise to 4", "3", "bets 3", "Q"]
    text = parlor("play", "holdem", "--seat", "0", "--seed", "1", given="\n".join(given) + "\n").stdout
    text = " ".join(text.split())
    assert "04 may mean raise to 200, all-in or raise to 4: write out which." in text
    assert "button raises to 4, big blind calls 2; flop" in text
    assert "3 may mean bet 196, all-in or bet 3: write out which." in text
    assert "button bets 3, big blind folds" in text
    assert "Thank you for playing." in text


def test_the_table_can_be_left_when_asked_for_a_number() -> None:
    text = parlor("play", "holdem", "--seat", "0", "--seed", "1", given="3\nq\n").stdout
    assert "Thank you for playing. 0 games" in text
    assert "cannot be played" not in text
