"""Programs as agents: by the line protocol, in three languages, and all the ways in which they can behave badly."""

import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import parlor
from parlor.agents.programs.conformance import check_program
from parlor.agents.programs.program_agent import ProgramAgent, program_agent
from parlor.arena.batch import forfeited
from parlor.arena.match import Match
from parlor.game import Game, GameError
from parlor.runs.saved_agents import load_agent

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples" / "programs"

GOOD = """
import json, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="ready", name="good", events=True, history=True)
    elif message["type"] == "act":
        asked += 1
        seen = message["observation"]
        {act}
"""


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return parlor.load("kuhn")


def written(folder: Path, text: str, name: str = "bot.py") -> str:
    (folder / name).write_text(textwrap.dedent(text))
    return f"{sys.executable} {folder / name}"


def answering(folder: Path, act: str, seconds: float = 20) -> str:
    return f"program(seconds={seconds:g}):{written(folder, GOOD.replace('{act}', act))}"


def played(text: str, kuhn: Game, games: int = 4) -> tuple[Match, ProgramAgent]:
    agent = program_agent(text, kuhn)
    match = parlor.play_match(kuhn, [agent, load_agent("random", kuhn)], games=games)
    agent.program.close()
    return match, agent


def test_a_program_plays_as_the_same_python_code_does(tmp_path: Path, kuhn: Game) -> None:
    def second(observation: parlor.Observation) -> dict[str, float]:
        return dict(zip(observation.legal, (0.25, 0.75), strict=True))

    text = answering(tmp_path, 'say(id=message["id"], probabilities=dict(zip(seen["legal"], (0.25, 0.75))))')
    match, agent = played(text, kuhn, games=40)
    same = parlor.play_match(kuhn, [second, load_agent("random", kuhn)], games=40)
    assert match.payoffs.tolist() == same.payoffs.tolist()
    assert not agent.failure_report()


def test_it_is_told_what_its_seat_sees_and_nothing_else(tmp_path: Path, kuhn: Game) -> None:
    log = tmp_path / "log"
    act = f'open({str(log)!r}, "a").write(line); say(id=message["id"], action=seen["actions"][-1])'
    agent = program_agent(answering(tmp_path, act), kuhn)
    position = kuhn.start().after("J to player 0", "K to player 1", "bet")
    assert agent(position) == {"pass": 0.0, "bet": 1.0}
    agent.program.close()
    seen = json.loads(log.read_text())["observation"]
    assert seen["legal"] == ["pass", "bet"]
    assert seen["history"] == [[parlor.CHANCE, None], [parlor.CHANCE, "K to player 1"], [0, "bet"]]
    assert "J" not in seen["text"]


BAD = {
    "says nothing": ("pass", "timeout", "wrote nothing"),
    "half a line": ("sys.stdout.write('{\"id\":'); sys.stdout.flush()", "timeout", "half a line"),
    "exits": ("sys.exit(3)", "crash", "exit code 3"),
    "crashes": ("1 / 0", "crash", "ZeroDivisionError"),
    "kills itself": ("import os; os.kill(os.getpid(), 9)", "crash", "SIGKILL"),
    "closes its output": ("import os; os.close(1); time.sleep(9)", "crash", "closed its output"),
    "no JSON": ('print("raise, please", flush=True)', "garbage", "not JSON"),
    "no text": (r'sys.stdout.buffer.write(b"\xff\xfe\x00\n"); sys.stdout.flush()', "garbage", "not JSON"),
    "an empty line": ("print(flush=True)", "garbage", "not JSON"),
    "no object": ('print("[1, 2]", flush=True)', "garbage", "not an object"),
    "no id": ('say(move=seen["legal"][0])', "garbage", "id None"),
    "another id": ('say(id=message["id"] + 1, move=seen["legal"][0])', "garbage", "was asked"),
    "true as id": ('say(id=message["id"] == message["id"], move=seen["legal"][0])', "garbage", "id True"),
    "no answer": ('say(id=message["id"])', "garbage", "none of"),
    "two answers": ('say(id=message["id"], move=seen["legal"][0], action=0)', "garbage", "several of"),
    "a list": ('say(id=message["id"], move=seen["legal"])', "garbage", "sent the move"),
    "an illegal move": ('say(id=message["id"], move="castle")', "illegal", "castle"),
    "an illegal action": ('say(id=message["id"], action=77)', "illegal", "77"),
    "half a distribution": ('say(id=message["id"], probabilities={"pass": 0.5})', "illegal", "sum to 0.5"),
    "negative": ('say(id=message["id"], probabilities={"pass": 2, "bet": -1})', "illegal", "-1"),
    "not a number": ('say(id=message["id"], probabilities={"pass": float("nan")})', "illegal", "nan"),
    "an endless line": (r'sys.stdout.write("x" * 3_000_000)', "garbage", "a line of more than"),
    "a flood": (r'[print("x" * 99) for _ in range(99_999)]', "garbage", "not JSON"),
    "nobody reads": ("time.sleep(9)", "timeout", "wrote nothing"),
}


@pytest.mark.parametrize("behaviour", BAD)
def test_bad_behaviour_ends_in_a_counted_loss_and_a_sentence(tmp_path: Path, kuhn: Game, behaviour: str) -> None:
    act, kind, words = BAD[behaviour]
    text = answering(tmp_path, act, seconds=0.5 if kind == "timeout" else 20)
    match, agent = played(text, kuhn, games=2)
    assert dict(agent.program.failures) == {kind: 2}
    assert match.payoffs[match.lineups == 0].tolist() == [-2.0, -2.0]  # the most that Kuhn poker costs
    assert words in agent.failure_report()


def test_one_failure_does_not_spoil_the_next_game(tmp_path: Path, kuhn: Game) -> None:
    flag = tmp_path / "failed"
    act = f'import os; os.path.exists({str(flag)!r}) or (open({str(flag)!r}, "w"), sys.exit(1)); '
    text = answering(tmp_path, act + 'say(id=message["id"], move="bet")')
    match, agent = played(text, kuhn, games=20)
    assert dict(agent.program.failures) == {"crash": 1}
    assert match.games == 20


def test_what_cannot_start_is_refused_before_the_match(tmp_path: Path, kuhn: Game) -> None:
    with pytest.raises(GameError, match=r"There is no program no-such-bot\."):
        program_agent("program:no-such-bot", kuhn)
    with pytest.raises(GameError, match="names no program"):
        program_agent("program:", kuhn)
    with pytest.raises(GameError, match="no option 'second'"):
        program_agent("program(second=2):cat", kuhn)
    with pytest.raises(GameError, match="not with type ready"):
        program_agent("program:cat", kuhn)
    with pytest.raises(GameError, match="wants protocol 2"):
        program_agent("program:" + written(tmp_path, 'input(); print(\'{"type":"ready","protocol":2}\')'), kuhn)


def test_a_lost_game_costs_the_least_payoff_and_the_others_share_it() -> None:
    assert forfeited(parlor.load("kuhn(players=3)"), 1) == [1.0, -2.0, 1.0]
    sheriff = parlor.load("sheriff")
    least = sheriff.payoffs
    assert least is not None
    assert forfeited(sheriff, 0)[0] == least[0]


@pytest.mark.slow
def test_a_program_in_c_plays_a_thousand_games_of_leduc(tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    subprocess.run(["cc", "-o", tmp_path / "bot", EXAMPLES / "bot.c"], check=True)
    leduc = parlor.load("leduc")
    agent = program_agent(f"program:{tmp_path / 'bot'}", leduc)

    def highest(observation: parlor.Observation) -> int:
        return max(observation.actions)

    match = parlor.play_match(leduc, [agent, load_agent("random", leduc)], games=1000)
    assert not agent.failure_report()
    assert agent.program.answers > 1000
    assert match.payoffs.tolist() == parlor.play_match(leduc, [highest, load_agent("random", leduc)]).payoffs.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("command", [f"{sys.executable} {EXAMPLES / 'bot.py'}", f"node {EXAMPLES / 'bot.mjs'}"])
def test_the_examples_are_agents(command: str, kuhn: Game) -> None:
    if shutil.which(command.split()[0]) is None:
        pytest.skip("there is no Node")
    found = list(check_program(command, kuhn, 20))
    assert [(one.name, one.ok) for one in found] == [(one.name, True) for one in found]


def test_the_check_says_what_is_wrong(tmp_path: Path, kuhn: Game) -> None:
    stubborn = GOOD.replace("{act}", 'say(id=1, move=seen["legal"][0])') + "\ntime.sleep(99)\n"
    found = {one.name: one for one in check_program(written(tmp_path, stubborn), kuhn, 20)}
    assert found["starts"].ok
    assert found["plays"].ok is False
    assert "answered with id 1 where 2 was asked" in found["plays"].sentence
    assert found["ends"].ok is False
    assert "had to be killed" in found["ends"].sentence
    nothing = [one.ok for one in check_program("false", kuhn, 20)]
    assert nothing == [False, None, None, None, None]
